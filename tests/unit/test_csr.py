"""Compressed rows: what scipy has no name for."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from ontoeval.core.sparse import (
    entries_of_rows,
    pattern,
    ranges,
    row_of_entries,
    scale_rows,
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
