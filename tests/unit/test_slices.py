"""Slices: some of the samples, or some of the labels, scored alone."""

from __future__ import annotations

import numpy as np

import ontoeval as oe
from ontoeval.evaluation.slices import Slice, pool_small, slices_of

EDGES = [("top", "a"), ("top", "b"), ("a", "c"), ("b", "c"), ("b", "d")]
HIERARCHY = oe.Hierarchy.from_edges(
    EDGES, requirements=[oe.core.Requirement("c", ("d",)), oe.core.Requirement("d", ("b",))]
)


def test_small_slices_are_put_together_until_they_are_large_enough() -> None:
    found = [Slice(name, samples=(*on,)) for name, on in {"a": "12", "b": "3", "c": "45", "d": "2"}.items()]
    assert [part.samples for part in pool_small(found, (), 1)] == [part.samples for part in found]
    assert [(part.name, part.samples) for part in pool_small(found, (), 2)][2:] == [("'b', 'd'", ("3", "2"))]
    assert [part.samples for part in pool_small(found, (), 9)] == [("1", "2", "3", "4", "5")]
    branches = slices_of("branch", (), HIERARCHY.label_vocabulary, HIERARCHY, [])["branch"]
    (pool,) = pool_small(branches, (), 4)
    assert set(pool.labels or ()) == {"a", "b", "c", "d"}


def test_requirements_that_labels_outside_could_fulfil_are_dropped() -> None:
    inside = Slice("a and c", labels=("a", "c")).restrict_hierarchy(HIERARCHY)
    assert not inside.requirements
    assert inside.label_vocabulary.concepts == ("a", "c")
    assert np.array_equal(inside.depth, HIERARCHY.depth)
    whole = Slice("below b", labels=("b", "c", "d")).restrict_hierarchy(HIERARCHY)
    assert whole.requirements == HIERARCHY.requirements
    assert Slice("samples", samples=("1",)).restrict_hierarchy(HIERARCHY) is HIERARCHY
