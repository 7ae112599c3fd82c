"""Portions: what would need too much memory in one go is looked at some rows at a time."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.csr import entries_of_rows, row_of_entries


def runs(lengths: NDArray[np.integer], most: int, *, rows: int = sys.maxsize) -> Iterator[tuple[int, int]]:
    """Cut rows into runs that are together at most so long; a row that is longer is a run of its own.

    Parameters
    ----------
    lengths
        How long each row is.
    most
        How long a run may be.
    rows
        Most rows in a run.

    Yields
    ------
    begin : int
        The first row of a run.
    end : int
        The one after its last.

    Examples
    --------
    >>> list(runs(np.array([2, 1, 0, 9, 1, 1]), 3)), list(runs(np.array([], dtype=int), 3))
    ([(0, 3), (3, 4), (4, 6)], [])
    """
    ends = np.cumsum(lengths)
    begin = done = 0
    while begin < ends.size:
        room = max(begin + 1, int(np.searchsorted(ends, done + most, side="right")))
        end = min(room, begin + rows)
        yield begin, end
        begin, done = end, int(ends[end - 1])


def pairs_of_rows(
    one: sparse.csr_array, other: sparse.csr_array, most: int
) -> Iterator[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Pair every stored entry of one matrix with every one of the same row of another.

    Parameters
    ----------
    one
        Any CSR matrix.
    other
        Another with as many rows.
    most
        Most pairs at a time; all pairs of one entry come together, however many they are.

    Yields
    ------
    first : ndarray of int
        Position of the entry of the one matrix, ascending; never empty.
    second : ndarray of int
        Position of the entry of the other.

    Examples
    --------
    >>> one, other = sparse.csr_array([[1, 2], [3, 0]]), sparse.csr_array([[4, 0], [5, 6]])
    >>> for first, second in pairs_of_rows(one, other, 3):
    ...     print(one.data[first], other.data[second])
    [1 2] [4 4]
    [3 3] [5 6]
    """
    rows = row_of_entries(one)
    for begin, end in runs(np.diff(other.indptr).astype(np.intp)[rows], most):
        entries, lengths = entries_of_rows(other, rows[begin:end])
        if entries.size:
            yield np.repeat(np.arange(begin, end), lengths), entries
