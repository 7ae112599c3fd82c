"""Portions: what would need too much memory in one go is looked at some rows at a time."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.csr import entries_of_rows, row_of_entries


def runs(lengths: NDArray[np.integer], most: int, *, rows: int = sys.maxsize) -> Iterator[tuple[int, int]]:
    """Cut rows into runs that are together at most so long; a row that is longer is a run of its own."""
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
    """Pair every stored entry of one matrix with every one of the same row of another."""
    rows = row_of_entries(one)
    for begin, end in runs(np.diff(other.indptr).astype(np.intp)[rows], most):
        entries, lengths = entries_of_rows(other, rows[begin:end])
        if entries.size:
            yield np.repeat(np.arange(begin, end), lengths), entries
