"""Compressed rows: what scipy has no name for."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scipy import sparse

from ontoeval.plumbing import sparse as ours
from ontoeval.plumbing.sparse import (
    common_entries,
    entries_of_rows,
    nonzero_entries,
    pattern,
    ranges,
    row_of_entries,
    rows_between,
    scale_rows,
    stored_in,
    sum_of_outer_products,
    with_column,
)
from tests.laws.cases import pairs
from tests.strategies import Pair


def test_a_pattern_is_canonical_and_frozen() -> None:
    messy = sparse.csr_array(
        (np.array([1.0, 0.0, 2.0, 3.0]), np.array([2, 1, 0, 0]), np.array([0, 2, 4])), shape=(2, 3)
    )
    found = pattern(messy)
    assert found.dtype == bool
    assert found.toarray().tolist() == [[False, False, True], [True, False, False]]
    assert (found.nnz, found.has_canonical_format) == (2, True)
    assert messy.nnz == 4, "what was given stays as it was"
    with pytest.raises(ValueError, match="read-only"):
        found.data[0] = False


def test_a_pattern_and_its_rows_are_not_copied() -> None:
    one = pattern(sparse.csr_array(np.eye(3, dtype=np.int64)))
    assert pattern(one) is one
    assert one.indices.dtype == one.indptr.dtype == np.int32
    part = rows_between(one, 1, 3)
    assert pattern(part) is part
    assert np.shares_memory(part.indices, one.indices)
    assert not part.indptr.flags.writeable


def test_a_pattern_that_can_be_written_is_copied() -> None:
    sent = pickle.loads(pickle.dumps(pattern(sparse.csr_array(np.eye(2)))))  # noqa: S301 - our own bytes
    assert sent.indices.flags.writeable, "as NumPy does it"
    again = pattern(sent)
    assert again is not sent
    assert not again.indices.flags.writeable


@given(pair=pairs(min_samples=0), begin=st.integers(-7, 7), end=st.integers(-7, 7))
def test_rows_are_cut_out_as_lists_are(pair: Pair, begin: int, end: int) -> None:
    for matrix in (sparse.csr_array(pair.truth), pattern(sparse.csr_array(pair.truth))):
        found = rows_between(matrix, begin, end)
        assert found.toarray().tolist() == pair.truth[begin:end].tolist()


@pytest.fixture(params=["narrow", "wide"])
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Dense blocks, or none, of matrices of any size."""
    monkeypatch.setattr(ours, "is_narrow", lambda _: request.param == "narrow")


@pytest.mark.usefixtures("width")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(pair=pairs(min_samples=0))
def test_entries_of_two_matrices_meet(pair: Pair) -> None:
    true, predicted = pattern(sparse.csr_array(pair.truth)), pattern(sparse.csr_array(pair.prediction))
    expected = pair.truth & pair.prediction
    assert common_entries(true, predicted).toarray().tolist() == expected.tolist()
    assert stored_in(true, predicted).tolist() == pair.prediction[np.nonzero(pair.truth)].tolist()
    outer = sum_of_outer_products(true, scale_rows(predicted, np.arange(len(pair.truths)) / 4))
    weighted = pair.prediction * (np.arange(len(pair.truths)) / 4)[:, None]
    assert outer.toarray().tolist() == (pair.truth.astype(float).T @ weighted).tolist()


def test_narrow_matrices_of_many_rows_are_cut_into_blocks() -> None:
    random = np.random.default_rng(0)
    one, other = (sparse.csr_array(random.random((15_000, 300)) < 0.2) for _ in range(2))
    assert ours.is_narrow(other)
    assert len(list(ours.dense_blocks(other))) > 2
    assert (common_entries(one, other).toarray() == (one.toarray() & other.toarray())).all()
    found = sum_of_outer_products(one, other.astype(np.float64)).toarray()
    assert (found == one.toarray().astype(float).T @ other.toarray()).all()


@given(pair=pairs(min_samples=0))
def test_numbers_that_are_not_zero_are_stored_as_scipy_does(pair: Pair) -> None:
    numbers = pair.truth * np.arange(1.0, pair.truth.size + 1).reshape(pair.truth.shape)
    for order in (np.ascontiguousarray, np.asfortranarray):
        found = nonzero_entries(order(numbers))
        expected = sparse.csr_array(numbers)
        assert found.indptr.tolist() == expected.indptr.tolist()
        assert found.indices.tolist() == expected.indices.tolist()
        assert found.data.tolist() == expected.data.tolist()


@given(st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 4)), max_size=6))
def test_ranges_are_written_one_after_the_other(runs: list[tuple[int, int]]) -> None:
    expected = [number for begin, length in runs for number in range(begin, begin + length)]
    begin, lengths = np.array(runs, dtype=np.intp).reshape(-1, 2).T
    assert ranges(begin, lengths).tolist() == expected


@given(pair=pairs(min_samples=0), data=st.data())
def test_entries_of_rows_are_found_in_any_order(pair: Pair, data: st.DataObject) -> None:
    matrix = sparse.csr_array(pair.truth)
    count = len(pair.truths)
    rows = data.draw(st.lists(st.integers(0, count - 1), max_size=5) if count else st.just([]))
    entries, lengths = entries_of_rows(matrix, np.array(rows, dtype=np.intp))
    assert matrix.indices[entries].tolist() == [label for row in rows for label in sorted(pair.truths[row])]
    assert lengths.tolist() == [len(pair.truths[row]) for row in rows]
    assert row_of_entries(matrix).tolist() == np.nonzero(pair.truth)[0].tolist()


@given(pair=pairs(), marked=st.integers(0, 1))
def test_a_column_is_appended_whether_it_is_empty_or_not(pair: Pair, marked: int) -> None:
    column = np.full(len(pair.truths), marked, dtype=bool)
    found = with_column(sparse.csr_array(pair.truth), column)
    assert found.toarray().tolist() == np.column_stack([pair.truth, column]).tolist()
    assert found.format == "csr"


def test_rows_are_scaled_each_by_its_own_factor() -> None:
    rows = sparse.csr_array(np.array([[True, True], [False, True]]))
    found = scale_rows(rows, np.array([0.0, 2.0]))
    assert found.toarray().tolist() == [[0, 0], [0, 2]]
    assert found.nnz == 3
