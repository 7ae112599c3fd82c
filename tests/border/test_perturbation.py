"""What is changed of closed and of other label sets, and what a study says of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from tests.commands import call

EDGES = [
    ("food", "fruit"), ("food", "bread"), ("fruit", "apple"), ("fruit", "pear"), ("fruit", "plum"),
    ("bread", "rye"), ("bread", "oat"), ("fruit", "jam"), ("bread", "jam"), ("rye", "dark rye"),
]  # fmt: skip
FOOD = oe.Hierarchy.from_edges(EDGES)
UP = {low: {high for high, below in EDGES if below == low} for _, low in EDGES}
RATES = st.sampled_from([0.0, 0.3, 0.7, 1.0])
KINDS = ("drop", "add", "sibling", "parent", "random")


def ancestors(labels: set[str]) -> set[str]:
    """The labels and everything above them."""
    over = {high for label in labels for high in UP.get(label, ())}
    return labels | ancestors(over) if over - labels else labels | over


def most_specific(labels: set[str]) -> set[str]:
    return {label for label in labels if not any(label in ancestors({other}) - {other} for other in labels)}


def sets(labels: oe.LabelSets) -> list[set[str]]:
    return [set(labels.labels_of(sample)) for sample in labels.samples]


@st.composite
def closed_truths(draw: st.DrawFn) -> oe.LabelSets:
    """Some sets with all ancestors, at least one label of which has some."""
    rows = draw(st.lists(st.sets(st.sampled_from(sorted(FOOD.vocabulary)), max_size=4), max_size=5))
    rows.append({draw(st.sampled_from(sorted(UP)))})
    return oe.LabelSets.from_sets([ancestors(row) for row in rows], vocabulary=FOOD.label_vocabulary)


@given(
    truth=closed_truths(),
    kind=st.sampled_from(sorted(oe.comparison.PERTURBATIONS)),
    rate=RATES,
    seed=st.integers(0, 99),
)
def test_a_closed_truth_stays_closed_and_is_the_same_at_rate_0(
    truth: oe.LabelSets, kind: str, rate: float, seed: int
) -> None:
    agreement = dict.fromkeys(FOOD.vocabulary, 0.7)
    found = oe.comparison.perturb(truth, kind, rate, hierarchy=FOOD, agreement=agreement, seed=seed)
    assert all(row == ancestors(row) for row in sets(found))
    assert rate or sets(found) == sets(truth)


@given(truth=closed_truths(), kind=st.sampled_from(KINDS), seed=st.integers(0, 99))
def test_every_label_that_can_be_changed_is_changed_at_rate_1(
    truth: oe.LabelSets, kind: str, seed: int
) -> None:
    found = sets(oe.comparison.perturb(truth, kind, 1, hierarchy=FOOD, seed=seed))
    able = sets(oe.comparison.perturbable(truth, kind, hierarchy=FOOD))
    for before, after, can in zip(sets(truth), found, able, strict=True):
        assert can <= most_specific(before)
        if kind == "drop":
            assert can == most_specific(before)
            assert not after
        elif kind == "add":
            assert before < after or not can
        else:  # a label that went is there again only where something below it came
            assert can & after <= ancestors(after - can)
            assert after != before or not can


@given(truth=closed_truths(), seed=st.integers(0, 99))
def test_a_set_of_one_path_loses_all_of_the_label_that_is_hit(truth: oe.LabelSets, seed: int) -> None:
    single = [row for row in sets(truth) if len(most_specific(row)) == 1]
    alone = oe.LabelSets.from_sets(single, vocabulary=FOOD.label_vocabulary)
    for kind in ("sibling", "random"):
        for before, after in zip(
            single, sets(oe.comparison.perturb(alone, kind, 1, hierarchy=FOOD, seed=seed)), strict=True
        ):
            (label,) = most_specific(before)
            assert label not in after or after == before


def test_a_closed_truth_is_hit_as_often_as_is_asked_for() -> None:
    names = ["apple", "pear", "rye", "oat", "dark rye"]
    truth = oe.LabelSets.from_sets([ancestors({names[at % 5]}) for at in range(2_000)])
    for kind in KINDS:  # all of which can change all of these
        found = oe.comparison.perturb(truth, kind, 0.25, hierarchy=FOOD, seed=3)
        changed = sum(before != after for before, after in zip(sets(truth), sets(found), strict=True))
        able = oe.comparison.perturbable(truth, kind, hierarchy=FOOD).matrix.nnz
        assert changed == pytest.approx(0.25 * able, abs=60)
        assert able == (1_600 if kind == "sibling" else 2_000)  # dark rye has no sibling


def test_a_most_specific_truth_is_changed_as_it_is_given() -> None:
    truth = [["apple"], ["dark rye"], []]
    assert sets(oe.comparison.perturb(truth, "parent", 1, hierarchy=FOOD, seed=0)) == [
        {"fruit"},
        {"rye"},
        set(),
    ]
    assert sets(oe.comparison.perturbable(truth, "drop", hierarchy=FOOD)) == [{"apple"}, {"dark rye"}, set()]


def test_one_set_that_lacks_an_ancestor_makes_a_truth_not_closed() -> None:
    truth = [["apple", "fruit", "food"], ["rye"]]
    assert sets(oe.comparison.perturbable(truth, "drop", hierarchy=FOOD)) == [
        {"apple", "fruit", "food"},
        {"rye"},
    ]


# studies ----------------------------------------------------------------------------------------------------


def write(path: Path, rows: list[set[str]]) -> str:
    lines = [f"p{at},{';'.join(sorted(row))}\n" for at, row in enumerate(rows)]
    path.write_text("".join(["id,labels\n", *lines]), encoding="utf-8")
    return str(path)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An ontology, closed sets that are the truth, and three runs."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "food.csv").write_text(
        "".join(["parent,child\n", *(f"{a},{b}\n" for a, b in EDGES)]), encoding="utf-8"
    )
    names = ["apple", "pear", "rye", "oat", "jam"] * 6
    closed = [ancestors({name}) for name in names]
    write(tmp_path / "truth.csv", closed)
    write(tmp_path / "leaves.csv", [{name} for name in names])
    for run, most in (("a", 3), ("b", 8), ("c", 15)):
        write(tmp_path / f"{run}.csv", [row if at >= most else {"food"} for at, row in enumerate(closed)])
    return tmp_path


def studied(*options: str, truth: str = "truth.csv") -> Any:
    arguments = (
        "a.csv",
        "b.csv",
        "c.csv",
        "--ontology",
        "food.csv",
        "--resamples",
        "20",
        "-m",
        "F",
        "-m",
        "hF(root='in')",
    )
    shown = call("study", truth, *arguments, "--rate", "0.5", "--format", "json", *options)
    assert shown.exit_code == 0, shown.output
    return json.loads(shown.stdout)


def kinds(found: Any) -> set[str]:
    return {row["kind"] for row in found["tables"]["sensitivity"]["rows"]}


@pytest.mark.usefixtures("folder")
def test_a_study_says_how_closed_sets_are_changed_and_they_stay_so() -> None:
    found = studied()
    said = "Labels are changed as they are given; where the truth is closed (every set holds all ancestors of its"
    assert any(line.startswith(said) for line in found["recipe"])
    for table in ("sensitivity", "changes"):
        assert any(note.startswith(said) for note in found["tables"][table]["notes"])
    assert {"drop", "add", "sibling", "parent", "random"} <= kinds(found)
    # a closed truth without a path is missed as much by F as by hF, which adds ancestors
    fallen = [
        row["score"]
        for row in found["tables"]["sensitivity"]["rows"]
        if row["changed"] == "prediction" and row["kind"] == "drop"
    ]
    assert fallen[0] == pytest.approx(fallen[1])


@pytest.mark.no_cover
def test_a_change_that_can_change_nothing_is_neither_tried_nor_drawn(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    write(folder / "roots.csv", [{"food"}] * 30)
    found = studied("--correlation", "tau_b", "--figures", "drawn", truth="roots.csv")
    assert not {"sibling", "parent"} & kinds(found)
    assert {"drop", "add", "random"} <= kinds(found)
    notes = found["tables"]["sensitivity"]["notes"]
    for kind in ("sibling", "parent"):
        assert f"Not tried, {kind}: it can change none of the labels." in notes
    drawn = (folder / "drawn" / "sensitivity-prediction.svg").read_text(encoding="utf-8")
    assert "random" in drawn
    assert "sibling" not in drawn
