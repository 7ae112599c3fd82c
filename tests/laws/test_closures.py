"""However ancestors are counted, the numbers are the same: as bits, in products, of the labels in use alone."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.concepts.bits import labels_below
from ontoeval.core import hierarchy as hierarchies
from ontoeval.measures import ancestor_counts
from ontoeval.measures.counts import Overlap
from ontoeval.measures.hierarchical import HierarchicalF, HierarchicalPrecision, HierarchicalRecall
from tests.laws.cases import POINTS, Case, cases, differing, fewer, per_sample, scores
from tests.oracles import hierarchical as oracle

SYMBOLS = (
    "hF",
    "hJaccard",
    "OS",
    "tF",
    "tKappa",
    "CoPHE",
    "HLoss",
    "SymmetricDifference",
    "SetDistance",
    "Distance",
)
MEASURES = [measure for symbol in SYMBOLS for measure in POINTS[symbol]]


@contextmanager
def everything_is_large() -> Iterator[None]:
    """Let measures close the labels in use alone, in however small a hierarchy."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(hierarchies, "LARGE", 0)
        yield


@fewer
@given(case=cases())
def test_no_measure_sees_whether_the_whole_hierarchy_is_closed(case: Case) -> None:
    expected = scores(case.batch, MEASURES)
    with everything_is_large():
        found = scores(replace(case).batch, MEASURES)
    assert differing(found, expected) == {}


@pytest.mark.parametrize("words", [0, 1, 3])
@fewer
@given(case=cases())
def test_ancestors_that_are_counted_add_to_those_that_are_united(words: int, case: Case) -> None:
    edges = case.graph.edges
    gone = oracle.common_root(edges, frozenset(case.graph.names))
    expected = [
        oracle.ratios(*(oracle.above(edges, side) - gone for side in pair))
        for pair in zip(case.truths, case.predictions, strict=True)
    ]
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(ancestor_counts, "IN_WORDS", words)
        for which, measure in enumerate((HierarchicalPrecision, HierarchicalRecall, HierarchicalF)):
            found = per_sample(case, measure(average="samples"))
            np.testing.assert_array_equal(found, [one[which] for one in expected])


@pytest.mark.parametrize("words", [1, 256])
@fewer
@given(case=cases())
def test_sums_without_sets_are_those_of_the_sets(words: int, case: Case) -> None:
    """TP, FP, FN and TN of each sample, with and without weights, are what the sets give."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(ancestor_counts, "IN_WORDS", words)
        for measure in (HierarchicalF(), HierarchicalF(weight="ia"), HierarchicalF(root="in", level=0)):
            closed = case.batch.derive(measure.view)
            sets = oe.Batch(closed.truth, closed.prediction, weights=closed.weights)
            found, expected = (
                np.concatenate(list(some.derive(Overlap()).blocks())) for some in (closed, sets)
            )
            np.testing.assert_allclose(found, expected, atol=1e-12)


@given(case=cases(), chosen=st.integers(0, 255))
def test_concepts_below_are_those_of_the_closure(case: Case, chosen: int) -> None:
    concepts = case.hierarchy.vocabulary
    marks = np.array([chosen >> place & 1 for place in range(len(concepts))], dtype=bool)
    marked = {name for name, mark in zip(concepts, marks, strict=True) if mark}
    expected = [len(oracle.below(case.graph.edges, {name}) & marked) for name in concepts]
    assert case.hierarchy.below(marks).tolist() == expected
    labels = [len(oracle.below(case.graph.edges, {name}) & set(case.labels)) for name in concepts]
    assert case.hierarchy.derive(labels_below).tolist() == labels


@given(case=cases(), chosen=st.integers(0, 255))
def test_parts_of_the_closure_of_a_large_hierarchy(case: Case, chosen: int) -> None:
    whole = case.bare_hierarchy.ancestors.toarray()
    some_of_them = np.flatnonzero([chosen >> place & 1 for place in range(len(whole))])
    with everything_is_large():
        part = case.bare_hierarchy.ancestors_of(some_of_them).toarray()
        among = case.bare_hierarchy.label_ancestors_among(some_of_them).toarray()
    rows = np.zeros(len(whole), dtype=bool)
    rows[some_of_them] = True
    np.testing.assert_array_equal(part, whole & rows[:, None])
    np.testing.assert_array_equal(among, (whole & rows[None, :])[case.bare_hierarchy.labels])
