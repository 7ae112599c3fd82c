"""Laws of `only=`: labels that are chosen by an option, or by hand before."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from tests.laws.cases import fewer

EDGES = (("r", "a"), ("r", "b"), ("a", "c"), ("a", "d"), ("b", "d"), ("c", "e"), ("d", "e"), ("s", "f"))
LABELS = sorted({end for edge in EDGES for end in edge})
ABOVE = {name: {parent for parent, child in EDGES if child == name} for name in LABELS}
DEPTH = {"r": 0, "s": 0, "a": 1, "b": 1, "f": 1, "c": 2, "d": 2, "e": 3}
HIERARCHY = oe.Hierarchy.from_edges(EDGES, concepts=LABELS)
MEASURES = ["F", "F(average='macro')", "Hamming", "F(average='samples')", "hF", "OS", "LCaF"]
SETS = st.dictionaries(st.sampled_from(["1", "2", "3"]), st.sets(st.sampled_from(LABELS)), min_size=3)
INSIDE = st.sets(st.sampled_from(LABELS), min_size=1)


def strictly_above(label: str) -> set[str]:
    return {one for parent in ABOVE[label] for one in {parent, *strictly_above(parent)}}


def moved(label: str, inside: set[str]) -> set[str]:
    """What a label counts as: itself, or the ancestors inside that have no other of them below."""
    found = {label} & inside or strictly_above(label) & inside
    return {one for one in found if not any(one in strictly_above(other) for other in found)}


def by_hand(sets: dict[str, set[str]], inside: set[str], outside: str) -> dict[str, set[str]]:
    ways = {label: moved(label, inside) if outside == "ancestor" else {label} & inside for label in LABELS}
    return {sample: set().union(*(ways[label] for label in own)) for sample, own in sets.items()}


def scores(truth: Any, run: Any, **how: Any) -> Any:
    found = oe.evaluate(truth, run, hierarchy=HIERARCHY, **{"measures": MEASURES, **how})
    return pytest.approx(list(found.scores.values()), nan_ok=True)


def same(first: Any, second: Any) -> None:
    assert list(first.expected) == second


@given(truth=SETS, run=SETS, inside=INSIDE, outside=st.sampled_from(["ancestor", "drop"]))
def test_labels_that_are_chosen_score_as_if_others_were_moved_by_hand(
    truth: dict[str, set[str]], run: dict[str, set[str]], inside: set[str], outside: str
) -> None:
    hand = (by_hand(side, inside, outside) for side in (truth, run))
    same(scores(truth, run, only=sorted(inside), outside=outside), scores(*hand, classes=sorted(inside)))
    same(scores(truth, run, only=LABELS, outside=outside), scores(truth, run))


@given(truth=SETS, run=SETS, depth=st.integers(0, 3))
@fewer
def test_names_of_choices_are_lists(truth: dict[str, set[str]], run: dict[str, set[str]], depth: int) -> None:
    chosen = {
        "leaves": ["e", "f"],
        f"depth<={depth}": [label for label in LABELS if DEPTH[label] <= depth],
        f"depth={depth}": [label for label in LABELS if DEPTH[label] == depth],
        "below:a": ["a", "c", "d", "e"],
    }
    for name, labels in chosen.items():
        same(scores(truth, run, only=name), scores(truth, run, only=labels))


@given(truth=SETS, run=SETS, inside=INSIDE)
@fewer
def test_scores_and_verified_labels_move_as_labels_do(
    truth: dict[str, set[str]], run: dict[str, set[str]], inside: set[str]
) -> None:
    how: dict[str, Any] = {"only": sorted(inside), "measures": MEASURES[:4]}
    rows = [[float(label in run[sample]) for label in LABELS] for sample in truth]
    numbers = oe.LabelScores.from_array(np.array(rows), vocabulary=LABELS, samples=list(truth))
    for threshold in (0.5, dict.fromkeys(LABELS, 0.5)):
        same(scores(truth, numbers, threshold=threshold, **how), scores(truth, run, **how))
    closed = {sample: own.union(*map(strictly_above, own)) for sample, own in truth.items()}
    absent = {sample: {*LABELS} - own for sample, own in closed.items()}
    verified = oe.VerifiedLabels.from_sets(closed, absent, vocabulary=LABELS)
    same(scores(verified, run, **how), scores(closed, run, **how))
