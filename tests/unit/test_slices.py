"""Slices: some of the samples, or some of the labels, scored alone."""

from __future__ import annotations

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import InputError
from ontoeval.evaluation.slices import Slice, pool_small, slices_by_branch, slices_by_group, slices_by_level

EDGES = [("top", "a"), ("top", "b"), ("a", "c"), ("b", "c"), ("b", "d")]
HIERARCHY = oe.Hierarchy.from_edges(
    EDGES, requirements=[oe.core.Requirement("c", ("d",)), oe.core.Requirement("d", ("b",))]
)


def parts(slices: list[Slice]) -> dict[str, tuple[str, ...] | None]:
    return {part.name: part.labels for part in slices}


def test_small_slices_are_put_together_until_they_are_large_enough() -> None:
    found = slices_by_group({"a": "12", "b": "3", "c": "45", "d": "2"}, "12345")
    assert [part.samples for part in pool_small(found, 1)] == [part.samples for part in found]
    assert [(part.name, part.samples) for part in pool_small(found, 2)][2:] == [("'b', 'd'", ("3", "2"))]
    assert [part.samples for part in pool_small(found, 9)] == [("1", "2", "3", "4", "5")]
    (pool,) = pool_small(slices_by_branch(HIERARCHY, HIERARCHY.label_vocabulary), 4)
    assert set(pool.labels or ()) == {"a", "b", "c", "d", "top"}


def test_branches_lie_below_the_root_and_what_has_two_parents_is_in_two() -> None:
    found = slices_by_branch(HIERARCHY, HIERARCHY.label_vocabulary)
    assert parts(found) == {"a": ("a", "c"), "b": ("b", "c", "d"), "top": ("top",)}


def test_a_branch_below_another_is_in_both() -> None:
    nested = oe.Hierarchy.from_edges([("top", "a"), ("top", "b"), ("a", "b"), ("b", "c"), ("a", "d")])
    found = parts(slices_by_branch(nested, oe.Vocabulary(("a", "b", "c", "d"))))
    assert found == {"a": ("a", "b", "c", "d"), "b": ("b", "c")}


def test_several_roots_are_the_branches() -> None:
    forest = oe.Hierarchy.from_edges([("a", "b"), ("c", "d")])
    assert parts(slices_by_branch(forest, forest.label_vocabulary)) == {"a": ("a", "b"), "c": ("c", "d")}


def test_a_single_concept_is_a_branch() -> None:
    alone = oe.Hierarchy.flat(oe.Vocabulary(("a",)))
    assert parts(slices_by_branch(alone, alone.label_vocabulary)) == {"a": ("a",)}


def test_nothing_has_no_branches() -> None:
    nothing = oe.Hierarchy.flat(oe.Vocabulary(()))
    assert slices_by_branch(nothing, nothing.label_vocabulary) == []


def test_branches_without_labels_are_left_out() -> None:
    found = slices_by_branch(HIERARCHY, oe.Vocabulary(("d",)))
    assert parts(found) == {"b": ("d",)}


def test_levels_are_those_of_the_labels() -> None:
    found = slices_by_level(HIERARCHY, oe.Vocabulary(("a", "c", "d")))
    assert parts(found) == {"depth 1": ("a",), "depth 2": ("c", "d")}


def test_requirements_that_labels_outside_could_fulfil_are_dropped() -> None:
    inside = Slice("a and c", labels=("a", "c")).restrict_hierarchy(HIERARCHY)
    assert not inside.requirements
    assert inside.label_vocabulary.concepts == ("a", "c")
    assert np.array_equal(inside.depth, HIERARCHY.depth)
    whole = Slice("below b", labels=("b", "c", "d")).restrict_hierarchy(HIERARCHY)
    assert whole.requirements == HIERARCHY.requirements
    assert Slice("samples", samples=("1",)).restrict_hierarchy(HIERARCHY) is HIERARCHY


def test_scores_are_cut_like_labels() -> None:
    scores = oe.LabelScores.from_array([[0.1, 0.9], [0.4, 0.0]], vocabulary=["a", "b"], samples=["1", "2"])
    cut = Slice("", samples=("2", "3"), labels=("b",)).restrict(scores)
    assert isinstance(cut, oe.LabelScores)
    assert (cut.samples, cut.vocabulary.concepts, cut.matrix.toarray().tolist()) == (("2",), ("b",), [[0.0]])


def test_a_slice_of_labels_scores_these_labels_alone() -> None:
    truth = oe.LabelSets.from_sets([["a", "d"], ["b"]], vocabulary=HIERARCHY.label_vocabulary)
    run = oe.LabelSets.from_sets([["a", "b"], ["b"]], vocabulary=HIERARCHY.label_vocabulary)
    part = Slice("b", labels=("b", "c", "d"))
    found = oe.evaluate(
        part.restrict(truth),
        part.restrict(run),
        hierarchy=part.restrict_hierarchy(HIERARCHY),
        measures=["F", "R"],
    )
    assert found.scores == {"F": 0.5, "R": 0.5}


def test_splits_keep_the_order_of_the_samples_and_may_overlap() -> None:
    found = slices_by_group({"x": ["3", "1"], "y": ["1"]}, ["1", "2", "3"])
    assert [(part.name, part.samples) for part in found] == [("x", ("1", "3")), ("y", ("1",))]


def test_splits_of_other_samples_are_refused() -> None:
    with pytest.raises(InputError, match="1 unknown sample in the groups: '9'"):
        slices_by_group({"x": ["1", "9"]}, ["1"])
