"""Likely label errors by a model's scores: what is listed, in which order, and how much is said."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import InputError, ParameterError
from tests.commands import call

TREE = oe.Hierarchy.from_edges(
    [("animal", "dog"), ("animal", "cat"), ("animal", "bird"), ("plant", "tree"), ("plant", "rose")]
).with_labels(["dog", "cat", "bird", "tree", "rose"])
NAMES = tuple(TREE.label_vocabulary)
RULES = ("doubtful-label", "doubtful-absence", "swapped-label")


def world(seed: int = 0, samples: int = 400) -> tuple[Any, Any]:
    """True labels of an animal and at times a plant, and the scores of a model that knows them fairly well."""
    random = np.random.default_rng(seed)
    truth = np.zeros((samples, len(NAMES)), dtype=bool)
    animals, plants = (
        [NAMES.index(one) for one in some] for some in (["dog", "cat", "bird"], ["tree", "rose"])
    )
    truth[np.arange(samples), random.choice(animals, samples)] = True
    truth[np.arange(0, samples, 2), random.choice(plants, samples // 2)] = True
    return truth, np.clip(np.where(truth, 0.85, 0.1) + random.normal(0, 0.1, truth.shape), 0, 1)


def audited(truth: Any, scores: Any) -> oe.audit.Findings:
    samples = tuple(f"p{row}" for row in range(len(truth)))
    sets = oe.LabelSets.from_array(truth, vocabulary=NAMES, samples=samples)
    judged = oe.LabelScores.from_array(scores, vocabulary=NAMES, samples=samples)
    return oe.audit_labels(sets, TREE, scores=judged)


def cells(found: oe.audit.Findings, rule: str) -> dict[tuple[str, ...], tuple[str, ...]]:
    return {one.concepts: one.samples for one in found.of(rule)}


def test_an_exchanged_a_superfluous_and_a_missing_label_are_found() -> None:
    truth, scores = world()
    wrong = truth.copy()
    dog, cat, rose = (NAMES.index(one) for one in ("dog", "cat", "rose"))
    swapped = np.flatnonzero(truth[:, dog])[:2]
    wrong[swapped, dog], wrong[swapped, cat] = False, True
    added, dropped = np.flatnonzero(~truth[:, rose])[5], np.flatnonzero(truth[:, rose])[7]
    wrong[added, rose], wrong[dropped, rose] = True, False
    scores[swapped, dog], scores[swapped, cat], scores[added, rose], scores[dropped, rose] = 0.95, 0.02, 0, 1
    found = audited(wrong, scores)
    assert set(cells(found, "swapped-label")[("cat", "dog")]) == {f"p{row}" for row in swapped}
    assert f"p{added}" in cells(found, "doubtful-label")[("rose",)]
    assert f"p{dropped}" in cells(found, "doubtful-absence")[("rose",)]
    assert all(one.severity == "note" and not one.fixable for rule in RULES for one in found.of(rule))


def nonsense(truth: Any) -> dict[str, Any]:
    random = np.random.default_rng(1)
    return {
        "zero": np.zeros(truth.shape),
        "a half": np.full(truth.shape, 0.5),
        "one": np.ones(truth.shape),
        "random": random.random(truth.shape),
        "random and sparse": np.where(random.random(truth.shape) < 0.1, random.random(truth.shape), 0),
        "the frequency of each label": np.broadcast_to(truth.mean(axis=0), truth.shape),
        "of other samples": random.permutation(np.clip(truth * 0.9 + 0.05, 0, 1)),
        "of absences": np.where(truth, 0.1, 0.9),
    }


@pytest.mark.parametrize("name", nonsense(np.ones((2, 2))))
def test_scores_that_know_nothing_make_no_findings_and_one_note(name: str) -> None:
    truth, _ = world()
    found = audited(truth, nonsense(truth)[name])
    assert not [one for rule in RULES for one in found.of(rule)]
    (note,) = found.of("uninformative-scores")
    assert (note.count, note.total) == (len(NAMES), len(NAMES))
    assert "no finding is made of the scores: " in note.explanation


@pytest.mark.parametrize(
    ("samples", "bearers", "share"), [(60, 1, 0.03), (200, 2, 0.05), (1000, 5, 0.01), (300, 8, 0.02)]
)
def test_random_scores_of_few_cells_say_nothing_of_rare_labels(
    samples: int, bearers: int, share: float
) -> None:
    random, names = np.random.default_rng(28), [f"c{at}" for at in range(200)]
    truth = np.argsort(random.random((samples, len(names))), axis=0) < bearers
    scores = np.where(random.random(truth.shape) < share, random.uniform(0.5, 1, truth.shape), 0)
    found = oe.audit_labels(
        oe.LabelSets.from_array(truth, vocabulary=names),
        oe.Hierarchy.from_edges([("root", name) for name in names]),
        scores=oe.LabelScores.from_array(scores, vocabulary=names),
    )
    assert not [one for rule in RULES for one in found.of(rule)]
    (note,) = found.of("uninformative-scores")
    assert note.count == len(names)
    assert ("so few samples have" in note.explanation) == (bearers < 6)


def test_scores_that_know_some_labels_speak_of_these_alone() -> None:
    truth, scores = world()
    rose = NAMES.index("rose")
    scores[:, rose] = np.random.default_rng(2).permutation(scores[:, rose])
    swapped = np.flatnonzero(truth[:, rose])[:5]
    truth[swapped, rose], truth[swapped, NAMES.index("tree")] = False, True
    found = audited(truth, scores)
    (note,) = found.of("uninformative-scores")
    assert note.concepts == ("rose",)
    assert all("rose" not in one.concepts for rule in RULES for one in found.of(rule))
    assert found.of("doubtful-label"), "the other labels are judged"
    notes = [one.rule for one in found if one.severity == "note"]
    assert notes[0] in RULES, "what was asked for comes first"
    assert not audited(*world()).of("uninformative-scores")
    assert not audited(truth, truth.astype(float)).of("doubtful-label"), "the labels themselves agree"


def test_lists_are_sorted_by_evidence_and_thresholds_only_choose_what_is_shown(tmp_path: Path) -> None:
    truth, scores = world(3)
    truth[:20] = truth[:20][:, ::-1]
    frame = {f"p{row}": [NAMES[at] for at in np.flatnonzero(labels)] for row, labels in enumerate(truth)}
    oe.write_labels(frame, tmp_path / "labels.csv")
    lines = [
        f"p{row},{NAMES[at]},{value}" for row, each in enumerate(scores) for at, value in enumerate(each)
    ]
    (tmp_path / "scores.csv").write_text("\n".join(["id,concept,score", *lines]) + "\n", encoding="utf-8")
    edges = [("dog", "animal"), ("cat", "animal"), ("bird", "animal"), ("tree", "plant"), ("rose", "plant")]
    (tmp_path / "tree.csv").write_text(
        "child,parent\n" + "".join(f"{child},{parent}\n" for child, parent in edges), encoding="utf-8"
    )
    shown = call(
        *("audit", tmp_path / "labels.csv", "--ontology", tmp_path / "tree.csv"),
        *("--scores", tmp_path / "scores.csv", "--suspects", tmp_path / "suspects.csv"),
    )
    assert "likely superfluous labels" in shown.output
    with (tmp_path / "suspects.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    evidence = {
        "doubtful-label": lambda row: 1 - float(row["score"]),
        "doubtful-absence": lambda row: float(row["score"]),
        "swapped-label": lambda row: float(row["score of it"]) - float(row["score"]),
    }
    for rule, number in evidence.items():
        values = [number(row) for row in rows if row["rule"] == rule]
        assert values == sorted(values, reverse=True)
    labels = [row for row in rows if row["rule"] == "doubtful-label"]
    assert len(labels) == truth.sum()
    assert {row["shown"] for row in rows} == {"yes", "no"}


def test_wrong_scores_are_refused() -> None:
    truth, scores = world(samples=4)
    with pytest.raises(InputError, match="scores outside 0 to 1, such as"):
        audited(truth, scores * 7)
    sets = oe.LabelSets.from_array(truth, vocabulary=NAMES, samples="abcd")
    fewer = oe.LabelScores.from_array(scores[:2], vocabulary=NAMES, samples="ab")
    with pytest.raises(InputError, match="2 samples without scores: 'c', 'd'"):
        oe.audit_labels(sets, TREE, scores=fewer)
    with pytest.raises(ParameterError, match="scores: expected"):
        oe.audit_labels("labels.csv", TREE, scores=fewer, negative=0)


def test_without_scores_the_rules_are_named_as_unchecked() -> None:
    truth, _ = world(samples=10)
    found = oe.audit_labels(oe.LabelSets.from_array(truth, vocabulary=NAMES), TREE)
    assert not {*RULES} & {*found.checks}


def test_the_page_shows_pictures_and_scores_may_have_columns_of_their_own(tmp_path: Path) -> None:
    truth, scores = world(3)
    truth[:20] = truth[:20][:, ::-1]
    pairs = [(f"p{row}", NAMES[at]) for row, at in np.argwhere(truth)]
    (tmp_path / "labels.csv").write_text(
        "what,photo\n" + "".join(f"{label},{sample}\n" for sample, label in pairs), encoding="utf-8"
    )
    rows = [f"{row},p{row},{','.join(map(str, each))}" for row, each in enumerate(scores)]
    (tmp_path / "scores.csv").write_text("\n".join([f"row,photo,{','.join(NAMES)}", *rows]), encoding="utf-8")
    links = "dog,animal\ncat,animal\nbird,animal\ntree,plant\nrose,plant\n"
    (tmp_path / "tree.csv").write_text(f"child,parent\n{links}", encoding="utf-8")
    (tmp_path / "photos").mkdir()
    for row in range(len(truth)):
        (tmp_path / "photos" / f"p{row}.png").write_bytes(b"\x89PNG")
    call(
        *("audit", tmp_path / "labels.csv", "--ontology", tmp_path / "tree.csv"),
        *("--sample-column", "photo", "--concept-column", "what", "--scores", tmp_path / "scores.csv"),
        *("--report", tmp_path / "page.html", "--images", tmp_path / "photos"),
    )
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "swapped-label" in page
    assert 'alt="Picture of p0"' in page
    assert "img-src data: blob: &#39;self&#39; file:" in page or "img-src data: blob: 'self' file:" in page
