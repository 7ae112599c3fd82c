"""What holds for counts along paths, and what does not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import ontoeval as oe
from ontoeval.measures.paths import PathCounts
from tests.laws.cases import Case, cases, fewer, scores
from tests.oracles.paths import Paths


@pytest.mark.parametrize("ends", ["labels", "most specific"])
@fewer
@given(case=cases())
def test_each_sample_counts_as_in_the_naive_implementation(ends: Any, case: Case) -> None:
    oracle = Paths(case.graph.edges, sorted(case.graph.names))
    found = PathCounts(ends)(case.batch).values
    for row, sides in enumerate(zip(case.truths, case.predictions, strict=True)):
        chosen = sides if ends == "labels" else tuple(map(oracle.most_specific, sides))
        np.testing.assert_array_equal(found[row], oracle.counts(*chosen))


@fewer
@given(case=cases())
def test_without_links_paths_are_labels(case: Case) -> None:
    flat = replace(case, graph=replace(case.graph, edges=()), exclusions=(), requirements=())
    found = scores(flat.batch, ["pathP", "pathR", "pathF", "pathF(beta=2)"])
    expected = scores(flat.batch, ["P", "R", "F", "F(beta=2)"])
    np.testing.assert_allclose(list(found.values()), list(expected.values()), atol=1e-12)


@fewer
@given(case=cases(one_label=True))
def test_with_one_label_each_truth_and_prediction_can_be_exchanged(case: Case) -> None:
    swapped = oe.Batch(case.batch.prediction, case.batch.truth, case.hierarchy)
    tp, fp, fn, tn = PathCounts()(case.batch).values.T
    np.testing.assert_array_equal(PathCounts()(swapped).values.T, [tp, fn, fp, tn])


def test_the_order_of_concepts_can_matter() -> None:
    # "a" is as near to "n" as to "d", "b" is near to "n" alone: which one "a" takes makes a difference.
    edges = [("r", "x"), ("x", "a"), ("x", "n"), ("x", "d"), ("r", "y"), ("y", "b"), ("y", "n")]
    found: list[list[float]] = []
    for last in (("n", "d"), ("d", "n")):
        hierarchy = oe.Hierarchy.from_edges(edges, concepts=["r", "x", "y", "a", "b", *last])
        truth, prediction = (
            oe.LabelSets.from_sets([list(names)], vocabulary=hierarchy.vocabulary) for names in ("ab", "nd")
        )
        found.append(list(PathCounts()(oe.Batch(truth, prediction, hierarchy)).total()))
    assert found == [[1, 3, 3, 2], [2, 2, 2, 3]]
