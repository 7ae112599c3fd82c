"""Laws of every statistic: its rows add, whatever the order, the chunks and the kind of array."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import sparse

import ontoeval as oe
from ontoeval.measures.base import info
from tests.laws.cases import (
    ONE_LABEL_POINTS,
    POINTS,
    Case,
    cases,
    differing,
    fewer,
    pairs,
    picked,
    scores,
    some,
)
from tests.strategies import Pair


def _statistics(points: dict[str, list[Any]]) -> dict[str, list[Any]]:
    """Every statistic that some measure needs, once, by its class."""
    found: dict[str, list[Any]] = {}
    for measure in (measure for measures in points.values() for measure in measures):
        same = found.setdefault(type(measure.statistic).__name__, [])
        if measure.statistic not in same:
            same.append(measure.statistic)
    return found


STATISTICS = _statistics(POINTS)
ONE_LABEL_STATISTICS = _statistics(ONE_LABEL_POINTS)
CHECKS = list(dict.fromkeys(measure.truth_check for measure in POINTS["OS"] if measure.truth_check))
MEASURES = {
    links: [measure for same in POINTS.values() for measure in same if bool(info(measure, "trees")) is trees]
    for links, trees in (("graph", False), ("tree", True))
}
"""By whether they are defined where no concept has two parents, and nowhere else."""
in_graphs_and_trees = pytest.mark.parametrize("links", MEASURES)


def statistics(links: str) -> list[Any]:
    """Every statistic that some measure needs, once."""
    return list(dict.fromkeys(measure.statistic for measure in MEASURES[links]))


def rows(statistic: Any, batch: oe.Batch) -> NDArray[np.float64]:
    """All rows of a statistic, spread out."""
    return np.concatenate(list(statistic(batch).blocks()))


def fit(case: Case, links: str) -> Case:
    """Take links away for what is defined for trees alone."""
    return case.as_tree() if links == "tree" else case


def same(found: Any, expected: Any) -> bool:
    """Expect equality up to rounding."""
    return np.shape(found) == np.shape(expected) and np.allclose(found, expected, rtol=0, atol=1e-9)


def test_every_kind_of_statistic_is_looked_at() -> None:
    plain = {"CountsPerConcept", "Overlap", "SampleMeans", "Of"}
    assert set(STATISTICS) >= plain
    # What other families sum is of their own, and looked at because a measure of the catalogue needs it.
    assert {type(m.statistic).__name__ for measures in POINTS.values() for m in measures} == set(STATISTICS)
    assert "CountsPerConcept" in ONE_LABEL_STATISTICS


@in_graphs_and_trees
@some
@given(case=cases(min_samples=0), size=st.integers(1, 3))
def test_the_rows_of_chunks_are_the_rows_of_the_whole(links: str, case: Case, size: int) -> None:
    case = fit(case, links)
    for statistic in statistics(links):
        chunks = [rows(statistic, chunk) for chunk in case.batch.chunks(size)]
        assert same(np.concatenate(chunks), rows(statistic, case.batch)), statistic
        assert same(sum(chunk.sum(axis=0) for chunk in chunks), statistic(case.batch).total()), statistic


@fewer
@given(case=cases(one_label=True), size=st.integers(1, 3))
def test_the_rows_of_chunks_are_the_rows_of_the_whole_with_one_label_each(case: Case, size: int) -> None:
    for statistic in (one for same_kind in ONE_LABEL_STATISTICS.values() for one in same_kind):
        chunks = [rows(statistic, chunk) for chunk in case.batch.chunks(size)]
        assert same(np.concatenate(chunks), rows(statistic, case.batch)), statistic


@in_graphs_and_trees
@some
@given(case=cases(min_samples=0), size=st.integers(1, 3))
def test_merged_totals_score_as_the_whole_does(links: str, case: Case, size: int) -> None:
    measures, case = MEASURES[links], fit(case, links)
    nothing = case.batch.rows(0, 0)
    chunks = [nothing, *case.batch.chunks(size), nothing]
    merged = oe.score(oe.merge(*(oe.collect(chunk, measures) for chunk in chunks)))
    assert merged.totals.samples == len(case.batch)
    assert differing(merged.scores, scores(case.batch, measures), 0.0) == {}


@in_graphs_and_trees
@some
@given(data=st.data(), case=cases())
def test_the_order_of_samples_moves_the_rows_and_nothing_else(
    links: str, data: st.DataObject, case: Case
) -> None:
    case = fit(case, links)
    order = data.draw(st.permutations(range(len(case.batch))))
    moved = picked(case.batch, order)
    for statistic in statistics(links):
        assert same(rows(statistic, moved), rows(statistic, case.batch)[list(order)]), statistic
        assert same(statistic(moved).total(), statistic(case.batch).total()), statistic


@in_graphs_and_trees
@some
@given(data=st.data(), case=cases())
def test_whole_weights_are_repetitions(links: str, data: st.DataObject, case: Case) -> None:
    case = fit(case, links)
    count = len(case.batch)
    weights = np.array(
        data.draw(
            st.lists(st.lists(st.integers(0, 3), min_size=count, max_size=count), min_size=1, max_size=3)
        )
    )
    for statistic in statistics(links):
        resampled = weights @ statistic(case.batch)
        repeated = [picked(case.batch, np.repeat(np.arange(count), times)) for times in weights]
        assert same(resampled, [statistic(batch).total() for batch in repeated]), statistic
        assert same(weights[0] @ statistic(case.batch), resampled[0]), statistic


@in_graphs_and_trees
@some
@given(case=cases())
def test_a_batch_without_samples_is_neutral(links: str, case: Case) -> None:
    case = fit(case, links)
    for statistic in statistics(links):
        nothing = statistic(case.batch.rows(0, 0))
        assert len(nothing) == 0
        assert same(nothing.total(), np.zeros_like(statistic(case.batch).total())), statistic


@fewer
@given(case=cases(min_samples=0), size=st.integers(1, 3))
def test_what_is_counted_of_the_truth_beside_a_score_adds_up(case: Case, size: int) -> None:
    """These are totals of a batch: nobody asks for single samples."""
    backwards = picked(case.batch, range(len(case.batch))[::-1])
    for check in CHECKS:
        total = check(case.batch).total()
        assert same(sum(check(chunk).total() for chunk in case.batch.chunks(size)), total), check
        assert same(check(backwards).total(), total), check
        assert not check(case.batch.rows(0, 0)).total().any(), check


def _with_zeros(array: NDArray[np.bool_]) -> sparse.csr_array:
    """Store every entry, zeros too."""
    full = sparse.csr_array(np.ones(array.shape))
    full.data[:] = array.ravel()
    return full


def _reversed(array: NDArray[np.bool_]) -> sparse.csr_array:
    """Store the entries of each row from right to left."""
    turned = sparse.csr_array(array[:, ::-1])
    columns = array.shape[1] - 1 - turned.indices
    return sparse.csr_array((turned.data, columns, turned.indptr), shape=array.shape)


KINDS: dict[str, Callable[[NDArray[np.bool_]], Any]] = {
    "bool": lambda array: array,
    "uint8": lambda array: array.astype(np.uint8),
    "int64": lambda array: array.astype(np.int64),
    "float32": lambda array: array.astype(np.float32),
    "in columns": np.asfortranarray,
    "lists": lambda array: array.astype(int).tolist(),
    "csr of bool": sparse.csr_array,
    "csc of int": lambda array: sparse.csc_array(array.astype(np.int8)),
    "coo of float": lambda array: sparse.coo_array(array.astype(float)),
    "matrix": lambda array: sparse.csr_matrix(array.astype(float)),
    "stored zeros": _with_zeros,
    "reversed entries": _reversed,
}


@pytest.mark.parametrize("kind", KINDS)
@given(pair=pairs())
def test_dense_and_sparse_arrays_of_all_types_are_the_same_sets(kind: str, pair: Pair) -> None:
    truth, prediction = (KINDS[kind](side) for side in (pair.truth, pair.prediction))
    measures = ["F(average='macro', rule='mlcm', variant='package')", "F", "Jaccard", "ExactMatch"]
    expected = oe.evaluate(pair.truth, pair.prediction, measures=measures)
    found = oe.evaluate(truth, prediction, measures=measures)
    mixed = oe.evaluate(pair.truth, prediction, measures=measures)
    assert differing(found.scores, expected.scores, 0.0) == {}
    assert differing(mixed.scores, expected.scores, 0.0) == {}


@given(pair=pairs())
def test_names_numbers_and_positions_are_the_same_sets(pair: Pair) -> None:
    named = [
        [[pair.names[label] for label in labels] for labels in side]
        for side in (pair.truths, pair.predictions)
    ]
    by_sample = [{f"p{row}": labels for row, labels in enumerate(side)} for side in named]
    generated = [
        ({pair.names[label] for label in labels} for labels in side)
        for side in (pair.truths, pair.predictions)
    ]
    measures = ["F", "F(average='macro')", "Jaccard", "ExactMatch"]
    expected = scores(oe.align(*map(oe.LabelSets.from_array, (pair.truth, pair.prediction))), measures)
    for truth, prediction in (named, by_sample, generated):
        found = oe.evaluate(truth, prediction, measures=measures)
        assert differing(found.scores, expected, 0.0) == {}


def test_sparse_rows_come_in_blocks_of_bounded_size(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = oe.align(
        *(oe.LabelSets.from_array(np.eye(5)[order]) for order in ([0, 1, 2, 3, 4], [0, 1, 2, 4, 3]))
    )
    statistic = oe.measures.parse("F(average='macro')").statistic
    monkeypatch.setattr("ontoeval.measures.sums.BLOCK", 2 * statistic(batch).values.shape[1])
    assert [len(block) for block in statistic(batch).blocks()] == [2, 2, 1]
    per_sample = oe.evaluation.Evaluation(oe.collect(batch, "F"), batch).per_sample("R(average='macro')")
    assert per_sample.tolist() == [1, 1, 1, 0, 0]
