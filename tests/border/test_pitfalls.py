"""Pitfalls: a search for small cases in which a measure scores a plainly better prediction lower."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.comparison import PITFALLS, PLAINLY_BETTER, Pitfall
from ontoeval.errors import MeasureError
from tests.commands import call
from tests.strategies import Graph, graphs

ADDED, EXCHANGED = PLAINLY_BETTER


def sets_of(side: oe.LabelSets) -> list[set[str]]:
    return [set(side.labels_of(sample)) for sample in side.samples]


def check(found: Pitfall) -> None:
    """The better prediction is plainly better, in one sample, and scores lower, by `evaluate` as well."""
    truth, worse, better = map(sets_of, (found.truth, found.worse, found.better))
    assert worse[1:] == better[1:]
    gained, lost = better[0] - worse[0], worse[0] - better[0]
    assert len(gained) == 1
    assert gained <= truth[0]
    assert not lost & truth[0]
    assert len(lost) == (found.axiom == EXCHANGED)
    scores = [
        oe.evaluate(found.truth, side, hierarchy=found.hierarchy, measures=found.measure)[found.measure]
        for side in (found.worse, found.better)
    ]
    assert scores == [found.worse_score, found.better_score]
    assert scores[1] < scores[0] - 0.01


@pytest.mark.parametrize("hierarchy", [None, "photo", "diamond"])
@pytest.mark.parametrize("seed", [0, 1])
def test_right_labels_that_lower_tkappa_are_found(hierarchy: str | None, seed: int) -> None:
    search = oe.find_pitfalls("tKappa", hierarchy=hierarchy, seed=seed)
    assert [one.axiom for one in search.pitfalls] != []
    for one in search.pitfalls:
        check(one)
        assert len(one.truth) <= 3
        assert len(one.hierarchy.vocabulary) <= 20
    assert "tKappa breaks 'adding a right label does not hurt'" in search.verdict


@pytest.mark.parametrize("hierarchy", [None, "photo", "diamond"])
@pytest.mark.parametrize("measure", ["F", "hF", "Jaccard", "F(average='macro')"])
def test_none_is_found_where_there_is_none(measure: str, hierarchy: str | None) -> None:
    search = oe.find_pitfalls(measure, hierarchy=hierarchy)
    assert search.pitfalls == ()
    assert "No case was found against" in search.verdict
    assert "a search is no proof" in search.verdict
    assert "alike in every case" not in search.verdict
    assert sum(search.tried.values()) > 30_000


@given(st.data())
def test_an_exchange_for_a_true_label_never_lowers_f_and_hierarchical_f(data: st.DataObject) -> None:
    graph: Graph = data.draw(graphs())
    hierarchy = oe.Hierarchy.from_edges(graph.edges, concepts=graph.names)
    for measure in ("F", "hF", "Hamming"):
        try:
            found = oe.find_pitfalls(measure, hierarchy=hierarchy, axioms=EXCHANGED, cases=30, least=1e-9)
        except MeasureError:  # no concept to exchange
            reject()
        assert found.pitfalls == ()


def test_a_case_has_nothing_that_it_does_not_need() -> None:
    def fewer(_: list[set[str]], predicted: list[set[str]]) -> list[float]:
        return [1 / (1 + len(one)) for one in predicted]

    (found, _) = sorted(oe.find_pitfalls(fewer, least=0.3).pitfalls, key=lambda one: one.axiom) * 2
    assert found.axiom == ADDED
    ((truth,), (worse,), (better,)) = map(sets_of, (found.truth, found.worse, found.better))
    assert (len(truth), worse, better) == (1, set(), truth)
    assert found.hierarchy.vocabulary.concepts == tuple(truth)


def test_every_axiom_that_compares_two_predictions_can_be_searched() -> None:
    search = oe.find_pitfalls("ExactMatch", axioms=PITFALLS)
    assert set(search.tried) == set(PITFALLS)
    broken = {one.axiom: one for one in search.pitfalls}
    near = broken["a sibling costs less than a stranger"]
    assert near.worse_score == near.better_score == 0
    (truth,), (worse,), (better,) = map(sets_of, (near.truth, near.worse, near.better))
    parents = near.hierarchy.parents.toarray()
    at = near.hierarchy.vocabulary.index
    one, other, far = (parents[at[name]] for (name,) in (truth, better, worse))
    assert (one & other).any()
    assert not (one & far).any()
    assert ADDED not in broken


def measure_of(number: float) -> Callable[..., Any]:
    return lambda _, predicted: [number] * len(predicted)


def test_a_measure_that_sees_nothing_is_called_so() -> None:
    search = oe.find_pitfalls(measure_of(0.5))
    assert search.pitfalls == ()
    assert "scored both predictions alike in every case" in search.verdict
    blind = oe.find_pitfalls(measure_of(float("nan")))
    total = sum(blind.tried.values())
    assert blind.undefined == total
    assert f"{total:,} of {total:,} cases have no score" in blind.verdict
    assert "alike" not in blind.verdict


@pytest.mark.parametrize(
    ("measure", "options", "message"),
    [
        ("AP", {}, "No pitfall of AP can be searched: it takes scores"),
        (["F", "hF"], {}, "expected a single measure"),
        ("Cost", {}, "No case of these axioms can be made for Cost"),
        ("F", {"axioms": "a sibling costs less"}, "axioms='a sibling costs less'"),
        ("F", {"axioms": "inserting nodes changes little"}, "expected one of"),
        ("F", {"least": -1}, "least=-1"),
        (
            "F",
            {"hierarchy": [("a", "b")], "axioms": "a sibling costs less than a cousin"},
            "No case of these",
        ),
        ("OS(cost='lin(ic)')", {}, "expected a weight of the hierarchy by that name"),
        (lambda _, __: 1 / 0, {}, "ZeroDivisionError"),
    ],
)
def test_what_cannot_be_searched_is_refused(measure: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(oe.OntoevalError) as refused:
        oe.find_pitfalls(measure, **options)
    assert message in str(refused.value)


def test_single_labels_are_searched_by_their_axioms() -> None:
    search = oe.find_pitfalls("Cost", axioms=PITFALLS)
    assert {one.axiom for one in search.pitfalls} >= {"a sibling costs less than a stranger"}


@pytest.mark.parametrize(("measure", "ontology"), [("tKappa", None), ("OS", "photo"), ("LCaF", "diamond")])
def test_the_files_and_the_printed_command_give_the_scores(
    tmp_path: Path, measure: str, ontology: str | None
) -> None:
    given = () if ontology is None else ("--ontology", ontology)
    shown = call("measures", measure, "--pitfall", *given, "--out", tmp_path / "out put")
    assert shown.exit_code == 0, shown.output
    search = oe.find_pitfalls(measure, hierarchy=ontology)
    commands = [line for line in shown.stdout.splitlines() if line.startswith("ontoeval score ")]
    assert len(commands) == len(search.pitfalls) > 0
    for one, command in zip(search.pitfalls, commands, strict=True):
        scored = call(*shlex.split(command)[1:], "--format", "csv")
        assert scored.exit_code == 0, scored.output
        scores = {row["run"]: float(row[measure]) for row in csv.DictReader(io.StringIO(scored.stdout))}
        assert scores == {
            "worse": pytest.approx(one.worse_score, abs=1e-12),
            "better": pytest.approx(one.better_score, abs=1e-12),
        }


def test_a_case_that_needs_rules_keeps_the_whole_hierarchy() -> None:
    search = oe.find_pitfalls("OS", hierarchy="photo", axioms=ADDED)
    (found,) = search.pitfalls
    assert len(found.hierarchy.vocabulary) == 68
    assert found.hierarchy.exclusions
    rows = found.tables()["pitfall"].rows
    assert len(rows) < 10  # only what is above the labels is drawn


def test_the_picture_has_the_words_of_people_and_every_mark() -> None:
    pytest.importorskip("matplotlib")
    hierarchy = oe.Hierarchy.from_edges([("r", "x"), ("r", "y")], labels={"x": "ex libris"})
    truth, worse, better = (
        oe.LabelSets.from_sets({"p1": some, "p2": ["r"]}, vocabulary=hierarchy.vocabulary)
        for some in (["x", "r"], ["y"], ["y", "x"])
    )
    case = Pitfall("F", ADDED, hierarchy, truth, worse, better, 0.5, 0.25)
    table = oe.reports.tables(case)["pitfall"]
    assert table.rows == (("r", "○", "✓"), ("· ex libris", "○ → ✓", "·"), ("· y", "✗", "·"))
    drawn = {text.get_text() for text in case.plot().texts}
    assert drawn == {"○", "✓", "○ → ✓", "·", "✗"}
    assert "ex libris" in case._repr_html_()
