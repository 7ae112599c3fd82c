"""Operations on sparse matrices that scipy lacks; large ones work in blocks to bound the memory."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import pairwise
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.errors import InputError
from ontoeval.plumbing.arrays import Marks, Places


def checked_csr(matrix: Any) -> sparse.csr_array:  # noqa: ANN401 - sparse, of any kind
    """CSR of a matrix whose entries lie within its shape: scipy would read and write outside its arrays."""
    if getattr(matrix, "is_pattern", False):
        return cast("sparse.csr_array", matrix)
    try:
        if not hasattr(matrix, "check_format"):
            given = matrix.tocoo()
            matrix = sparse.csr_array((given.data, (given.row, given.col)), shape=given.shape)
        matrix.check_format(full_check=True)
    except ValueError as error:
        raise InputError(f"a sparse matrix that is malformed ({error})", "Make the matrix anew.") from error
    return sparse.csr_array(matrix)


MOST_SHORT = 2**31 - 1
"""Largest position in 32 bits."""


def pattern(matrix: sparse.csr_array) -> sparse.csr_array:
    """Boolean matrix of the entries of another: sorted, without duplicates, read-only."""
    if getattr(matrix, "is_pattern", False) and not matrix.indices.flags.writeable:
        return matrix
    result = sparse.csr_array(matrix).astype(bool, copy=True)
    result.sum_duplicates()
    result.eliminate_zeros()
    return sealed_pattern(result)


def pattern_at(
    rows: NDArray[np.integer], columns: NDArray[np.integer], shape: tuple[int, int]
) -> sparse.csr_array:
    """Pattern of the entries at some places."""
    return pattern(sparse.csr_array((np.ones(rows.size, dtype=bool), (rows, columns)), shape=shape))


def sealed_pattern(matrix: sparse.csr_array) -> sparse.csr_array:
    """Make a pattern of a new boolean matrix that is sorted and without duplicates."""
    if max(matrix.data.size, *matrix.shape) <= MOST_SHORT:  # half the memory, half the time of products
        matrix.indices, matrix.indptr = (
            part.astype(np.int32, copy=False) for part in (matrix.indices, matrix.indptr)
        )
    for array in (matrix.data, matrix.indices, matrix.indptr):
        array.flags.writeable = False
    matrix.has_canonical_format = True
    matrix.is_pattern = True  # type: ignore[attr-defined]
    return matrix


def rows_between(matrix: sparse.csr_array, begin: int, end: int) -> sparse.csr_array:
    """Cut out consecutive rows, without a copy of their entries; rows of a pattern are one."""
    begin, end, _ = slice(begin, end).indices(matrix.shape[0])
    if end - begin == matrix.shape[0]:
        return matrix
    ends = matrix.indptr[begin : max(begin, end) + 1]
    part = slice(ends[0], ends[-1])
    shape = ends.size - 1, matrix.shape[1]
    rows = sparse.csr_array((matrix.data[part], matrix.indices[part], ends - ends[0]), shape=shape)
    return sealed_pattern(rows) if getattr(matrix, "is_pattern", False) else rows


def entries_of_rows(matrix: sparse.csr_array, rows: NDArray[np.integer]) -> tuple[Places, Places]:
    """Positions of the stored entries of some rows, one row after the other, and their number in each row."""
    begin = matrix.indptr[rows].astype(np.intp)
    lengths = matrix.indptr[rows + 1].astype(np.intp) - begin
    return ranges(begin, lengths), lengths


def ranges(begin: NDArray[np.intp], lengths: NDArray[np.intp]) -> NDArray[np.intp]:
    """Concatenate runs of consecutive numbers."""
    shifts: NDArray[np.intp] = np.repeat(begin - np.cumsum(lengths) + lengths, lengths)
    return np.arange(lengths.sum(), dtype=np.intp) + shifts


def stored_columns(matrix: sparse.csr_array | sparse.csc_array, at: int) -> NDArray[np.integer]:
    """Columns of the stored entries of one row; of a CSC matrix, rows of one column."""
    begin, end = matrix.indptr[at : at + 2]
    return np.asarray(matrix.indices[begin:end])


def number_equal_rows(matrix: sparse.csr_array) -> Places:
    """Give rows of a boolean matrix the same number where they are equal, in the order of the first ones."""
    text, ends = matrix.indices.tobytes(), matrix.indptr.astype(np.intp) * matrix.indices.itemsize
    seen: dict[bytes, int] = {}
    numbers = [seen.setdefault(text[begin:end], len(seen)) for begin, end in pairwise(ends.tolist())]
    return np.array(numbers, dtype=np.intp)


def values_of_row(matrix: sparse.csr_array, at: int) -> dict[int, float]:
    """Map columns to the stored values of one row."""
    begin, end = matrix.indptr[at : at + 2]
    return dict(zip(stored_columns(matrix, at).tolist(), matrix.data[begin:end].tolist(), strict=True))


def row_of_entries(matrix: sparse.csr_array) -> NDArray[np.intp]:
    """Row of every stored entry."""
    rows = np.arange(matrix.shape[0], dtype=np.intp)
    return np.asarray(np.repeat(rows, np.diff(matrix.indptr)))


def with_data(matrix: sparse.csr_array, data: NDArray[Any]) -> sparse.csr_array:
    """Matrix with other values in the same places."""
    return sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def choose_entries(matrix: sparse.csr_array, chosen: NDArray[np.bool_]) -> sparse.csr_array:
    """Boolean matrix of some of the stored entries of another."""
    # NumPy picks by position several times as fast as by marks without order.
    indices = matrix.indices[np.flatnonzero(chosen)]
    before = np.zeros(chosen.size + 1, dtype=matrix.indptr.dtype)
    np.cumsum(chosen, out=before[1:])
    ones = np.ones(indices.size, dtype=bool)
    return sparse.csr_array((ones, indices, before[matrix.indptr]), shape=matrix.shape)


def without_entries(matrix: sparse.csr_array, other: sparse.csr_array) -> sparse.csr_array:
    """Entries of a boolean matrix that another does not have."""
    sides = sparse.csr_array(matrix + other * np.int8(2))
    return choose_entries(sides, sides.data == 1)


def nonzero_entries(numbers: NDArray[Any]) -> sparse.csr_array:
    """Store the numbers of a dense array that are not 0, as scipy does in three times as long."""
    rows, columns = numbers.shape
    at = np.flatnonzero(numbers != 0)
    indptr = at.searchsorted(np.arange(rows + 1) * columns)
    indices = at % max(columns, 1)
    return sparse.csr_array((numbers.ravel()[at], indices, indptr), shape=numbers.shape)


def every_entry(numbers: NDArray[Any]) -> sparse.csr_array:
    """Store every number of a dense array, zeros too."""
    every = sparse.csr_array(np.ones_like(numbers))
    return sparse.csr_array((numbers.ravel(), every.indices, every.indptr), shape=numbers.shape)


def with_column(matrix: sparse.csr_array, values: NDArray[Any]) -> sparse.csr_array:
    """Append one more column, of values that the type of the matrix can hold."""
    (rows, columns), at = matrix.shape, np.flatnonzero(values)
    wide = sparse.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=(rows, columns + 1))
    column = values[at].astype(matrix.dtype), (at, np.full(at.size, columns))
    return wide + sparse.csr_array(column, shape=wide.shape) if at.size else wide


def whole_columns(rows: int, chosen: NDArray[np.bool_]) -> sparse.csr_array:
    """Make a table whose columns are wholly true or wholly false."""
    columns = np.flatnonzero(chosen)
    begins = np.arange(rows + 1) * columns.size
    marks = np.ones(rows * columns.size, dtype=bool)
    return sparse.csr_array((marks, np.tile(columns, rows), begins), shape=(rows, chosen.size))


def scale_rows(matrix: sparse.csr_array, factors: NDArray[np.float64]) -> sparse.csr_array:
    """Multiply each row by its own factor."""
    return with_data(matrix, matrix.data * np.repeat(factors, np.diff(matrix.indptr)))


def sum_of_outer_products(sources: sparse.csr_array, targets: sparse.csr_array) -> sparse.csr_array:
    """Sum the outer products of the rows of two matrices: columns × columns."""
    if not is_narrow(targets):
        return sparse.csr_array(sources.T.tocsr() @ targets)
    fewer, more = sorted((sources, targets), key=lambda side: side.nnz)
    total = np.zeros((fewer.shape[1], more.shape[1]))
    for begin, end, block in dense_blocks(more.astype(np.float64, copy=False)):
        total += rows_between(fewer, begin, end).T @ block
    return sparse.csr_array(total if fewer is sources else total.T)


_NARROW, _FILLED = 500, 16
"""Most columns of a narrow matrix, and the most cells of one for each entry."""


def is_narrow(matrix: sparse.csr_array) -> bool:
    """Whether dense blocks of the rows take a third of the time, or less, that sparse rows do."""
    rows, columns = matrix.shape
    return columns <= _NARROW and rows * columns <= matrix.nnz * _FILLED


def dense_blocks(matrix: sparse.csr_array) -> Iterator[tuple[int, int, NDArray[Any]]]:
    """Go through the rows as dense arrays, each with the numbers of its first and after its last row."""
    # 2 MB, which a processor keeps at hand
    step = 2_000_000 // max(1, matrix.shape[1] * matrix.dtype.itemsize)
    for begin in range(0, matrix.shape[0], step):
        end = min(begin + step, matrix.shape[0])
        yield begin, end, rows_between(matrix, begin, end).toarray()


def cells_of(matrix: sparse.csr_array) -> NDArray[np.intp]:
    """Give each stored entry the number of its cell, counted row by row."""
    return np.asarray(row_of_entries(matrix) * matrix.shape[1] + matrix.indices)


def stored_in(matrix: sparse.csr_array, other: sparse.csr_array) -> NDArray[np.bool_]:
    """Whether each stored entry of a matrix is true in another."""
    marks = np.zeros(matrix.nnz, dtype=bool)
    if not is_narrow(other):
        number = with_data(matrix, np.arange(1, matrix.nnz + 1))
        marks[number.multiply(other).data - 1] = True
        return marks
    for begin, end, block in dense_blocks(other):
        rows, part = rows_between(matrix, begin, end), slice(*matrix.indptr[[begin, end]])
        block.ravel().take(cells_of(rows), out=marks[part])
    return marks


def stored_in_both(one: sparse.csr_array, other: sparse.csr_array) -> tuple[Marks, Marks]:
    """Whether each stored entry of two patterns is in the other, too."""
    if is_narrow(one) and is_narrow(other):
        return stored_in(one, other), stored_in(other, one)
    sides = (one + other * np.int8(2)).data
    return sides[sides != 2] == 3, sides[sides != 1] == 3  # noqa: PLR2004 - 1 and 2: in one alone, 3: in both


def common_entries(one: sparse.csr_array, other: sparse.csr_array) -> sparse.csr_array:
    """Entries of a boolean matrix that another has, too."""
    if is_narrow(other):
        return choose_entries(one, stored_in(one, other))
    return sparse.csr_array(one.multiply(other))


def entries_at(
    matrix: sparse.csr_array, rows: NDArray[np.integer], columns: NDArray[np.integer]
) -> NDArray[Any]:
    """Look up single entries as an array: of no entries scipy makes a sparse one."""
    found: Any = matrix[rows, columns]
    return np.ravel(found if isinstance(found, np.ndarray) else found.toarray())


def cut_into_runs(
    lengths: NDArray[np.integer], most: int, *, rows: int = sys.maxsize
) -> Iterator[tuple[int, int]]:
    """Cut rows into runs of at most `most` entries and `rows` rows; a longer row is a run of its own."""
    ends = np.cumsum(lengths)
    begin = done = 0
    while begin < ends.size:
        room = max(begin + 1, int(np.searchsorted(ends, done + most, side="right")))
        end = min(room, begin + rows)
        yield begin, end
        begin, done = end, int(ends[end - 1])


def pairs_of_rows(
    one: sparse.csr_array, other: sparse.csr_array, most: int
) -> Iterator[tuple[Places, Places]]:
    """Pair the stored entries of two matrices, row by row."""
    rows = row_of_entries(one)
    for begin, end in cut_into_runs(np.diff(other.indptr).astype(np.intp)[rows], most):
        entries, lengths = entries_of_rows(other, rows[begin:end])
        if entries.size:
            yield np.repeat(np.arange(begin, end), lengths), entries


def largest_of_products(
    numbers: sparse.csr_array, step: sparse.csr_array, *, most: int = 125_000
) -> sparse.csr_array:
    """Multiply numbers by a pattern, with the maximum in place of the sum."""
    levels, rank = np.unique(numbers.data, return_inverse=True)
    bits = levels.size.bit_length()
    wide = bits + step.shape[1].bit_length()
    ranked, cells = with_data(numbers, rank), step.indices.astype(np.int64) << bits
    lengths, column, value = [np.zeros(1, np.intp)], [np.empty(0, np.int32)], [np.empty(0)]
    reached = np.append(0, np.cumsum(np.diff(step.indptr)[numbers.indices], dtype=np.int64))
    for begin, end in cut_into_runs(np.diff(reached[numbers.indptr]), most):
        rows = rows_between(ranked, begin, end)
        entries, steps = entries_of_rows(step, rows.indices)
        # Row, column and rank in one number: sorted, the last of each row and column is the largest.
        key = np.sort(np.repeat((row_of_entries(rows) << wide) + rows.data, steps) + cells[entries])
        key = key[np.flatnonzero(np.diff(key >> bits, append=-1))]
        lengths.append(np.bincount(key >> wide, minlength=end - begin))
        column.append(((key & ((1 << wide) - 1)) >> bits).astype(np.int32))
        value.append(levels[key & ((1 << bits) - 1)])
    parts = (np.concatenate(value), np.concatenate(column), np.cumsum(np.concatenate(lengths)))
    return sparse.csr_array(parts, shape=(numbers.shape[0], step.shape[1]))
