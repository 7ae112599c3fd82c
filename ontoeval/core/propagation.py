"""Propagation: scores handed on to other concepts, of which each keeps the largest."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from ontoeval.core.csr import entries_of_rows
from ontoeval.core.portions import runs


def largest_of_product(
    matrix: sparse.csr_array, step: sparse.csr_array, *, most: int = 4_000_000
) -> sparse.csr_array:
    """Multiply a matrix of numbers with a pattern, with the largest in place of the sum."""
    levels, rank = np.unique(matrix.data, return_inverse=True)
    reached = np.diff(step.indptr)[matrix.indices].astype(np.int64)
    compared = np.diff(np.concatenate([[0], np.cumsum(reached)])[matrix.indptr])
    columns, count = step.shape[1], max(1, levels.size)
    # A block holds one row at least, and so few rows that row, column and rank fit into one number.
    longest = max(1, np.iinfo(np.int64).max // (max(1, columns) * count) - 1)
    data, indices, lengths = [np.empty(0)], [np.empty(0, dtype=np.int32)], [np.empty(0, dtype=np.intp)]
    for begin, end in runs(compared, most, rows=longest):
        part = slice(matrix.indptr[begin], matrix.indptr[end])
        entries, steps = entries_of_rows(step, matrix.indices[part])
        row = np.repeat(np.arange(end - begin), np.diff(matrix.indptr[begin : end + 1]))
        place = np.repeat(row.astype(np.int64) * columns, steps) + step.indices[entries]
        key = np.sort(place * count + np.repeat(rank[part], steps))
        place = key // count
        last = np.flatnonzero(np.diff(place, append=-1))
        data.append(levels[key[last] - place[last] * count])
        indices.append((place[last] % max(1, columns)).astype(np.int32))
        lengths.append(np.bincount(place[last] // max(1, columns), minlength=end - begin))
    indptr = np.concatenate([[0], np.cumsum(np.concatenate(lengths))])
    return sparse.csr_array(
        (np.concatenate(data), np.concatenate(indices), indptr), shape=(matrix.shape[0], columns)
    )
