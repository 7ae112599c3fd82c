"""Portions of rows."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from ontoeval.plumbing.sparse import cut_into_runs, pairs_of_rows


@given(lengths=st.lists(st.integers(0, 9)), most=st.integers(1, 20), rows=st.integers(1, 5))
def test_runs_hold_each_row_once_and_as_many_as_there_is_room_for(
    lengths: list[int], most: int, rows: int
) -> None:
    found = list(cut_into_runs(np.array(lengths, dtype=np.intp), most, rows=rows))
    assert [at for begin, end in found for at in range(begin, end)] == list(range(len(lengths)))
    for begin, end in found:
        assert end - begin == 1 or (sum(lengths[begin:end]) <= most and end - begin <= rows)
        full = end == len(lengths) or end - begin == rows or sum(lengths[begin : end + 1]) > most
        assert full, "one more row would have fitted"


@pytest.mark.parametrize("most", [1, 2, 100])
def test_all_pairs_of_entries_of_a_row_are_found_whatever_the_portions(most: int) -> None:
    one = sparse.csr_array([[1, 2, 0], [0, 0, 0], [3, 0, 0], [0, 4, 5]])
    other = sparse.csr_array([[0, 6, 7], [8, 0, 0], [0, 0, 0], [9, 0, 0]])
    found = [
        pair
        for first, second in pairs_of_rows(one, other, most)
        for pair in zip(one.data[first].tolist(), other.data[second].tolist(), strict=True)
    ]
    assert found == [(1, 6), (1, 7), (2, 6), (2, 7), (4, 9), (5, 9)]


def test_where_no_row_has_pairs_there_is_no_portion() -> None:
    one, other = sparse.csr_array([[1, 0], [0, 0]]), sparse.csr_array([[0, 0], [1, 1]])
    assert not list(pairs_of_rows(one, other, 10))
