"""Portions of rows."""

from __future__ import annotations

import pytest
from scipy import sparse

from ontoeval.plumbing.sparse import pairs_of_rows


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
