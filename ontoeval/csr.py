"""The few things this package does with compressed rows that scipy has no name for."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse


def pattern(matrix: sparse.csr_array) -> sparse.csr_array:
    """Make a boolean matrix of the entries of another, sorted, without duplicates, frozen.

    Parameters
    ----------
    matrix
        Any CSR matrix; entries that are stored zeros count as absent.

    Returns
    -------
    csr_array of bool
        True where the matrix is not zero; shares nothing that can be written.

    Examples
    --------
    >>> pattern(sparse.csr_array([[0, 2], [0, 0]])).toarray().tolist()
    [[False, True], [False, False]]
    """
    result = sparse.csr_array(matrix).astype(bool, copy=True)
    result.sum_duplicates()
    result.eliminate_zeros()
    for array in (result.data, result.indices, result.indptr):
        array.flags.writeable = False
    return result


def entries_of_rows(
    matrix: sparse.csr_array, rows: NDArray[np.integer]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Find the stored entries of some rows, one row after the other.

    Parameters
    ----------
    matrix
        Any CSR matrix.
    rows
        Positions of rows, in any order, repeated at will.

    Returns
    -------
    entries : ndarray of int
        Positions in `matrix.indices` and `matrix.data`.
    lengths : ndarray of int
        How many of them each row has.

    Examples
    --------
    >>> matrix = sparse.csr_array([[1, 0, 2], [0, 3, 0]])
    >>> matrix.data[entries_of_rows(matrix, np.array([1, 0]))[0]]
    array([3, 1, 2])
    """
    begin = matrix.indptr[rows].astype(np.intp)
    lengths = matrix.indptr[rows + 1].astype(np.intp) - begin
    return ranges(begin, lengths), lengths


def ranges(begin: NDArray[np.intp], lengths: NDArray[np.intp]) -> NDArray[np.intp]:
    """Concatenate runs of consecutive numbers.

    Parameters
    ----------
    begin
        First number of each run.
    lengths
        Length of each run.

    Returns
    -------
    ndarray of int
        All runs, one after the other.

    Examples
    --------
    >>> ranges(np.array([5, 0]), np.array([2, 3]))
    array([5, 6, 0, 1, 2])
    """
    shifts: NDArray[np.intp] = np.repeat(begin - np.cumsum(lengths) + lengths, lengths)
    return np.arange(lengths.sum(), dtype=np.intp) + shifts


def line(matrix: sparse.csr_array | sparse.csc_array, at: int) -> NDArray[np.integer]:
    """Tell where the stored entries of one row are, or of one column where a matrix is stored by columns.

    Parameters
    ----------
    matrix
        Any CSR or CSC matrix.
    at
        Position of the row, or of the column.

    Returns
    -------
    ndarray of int
        Columns of the row, or rows of the column, as they are stored.

    Examples
    --------
    >>> matrix = sparse.csr_array([[1, 0, 2], [0, 3, 0]])
    >>> line(matrix, 0).tolist(), line(matrix.tocsc(), 1).tolist()
    ([0, 2], [1])
    """
    begin, end = matrix.indptr[at : at + 2]
    found: NDArray[np.integer] = matrix.indices[begin:end]
    return found


def values_of_row(matrix: sparse.csr_array, at: int) -> dict[int, float]:
    """Take the stored entries of one row, by their columns.

    Parameters
    ----------
    matrix
        Any CSR matrix of numbers.
    at
        Position of the row.

    Returns
    -------
    dict
        The value at each column, stored zeros among them.

    Examples
    --------
    >>> values_of_row(sparse.csr_array([[1.5, 0, 2]]), 0)
    {0: 1.5, 2: 2.0}
    """
    begin, end = matrix.indptr[at : at + 2]
    return dict(zip(line(matrix, at).tolist(), matrix.data[begin:end].tolist(), strict=True))


def row_of_entries(matrix: sparse.csr_array) -> NDArray[np.intp]:
    """Tell the row of every stored entry.

    Parameters
    ----------
    matrix
        Any CSR matrix.

    Returns
    -------
    ndarray of int
        One row per entry, not decreasing.

    Examples
    --------
    >>> row_of_entries(sparse.csr_array([[1, 0, 2], [0, 3, 0]]))
    array([0, 0, 1])
    """
    rows = np.arange(matrix.shape[0], dtype=np.intp)
    repeated: NDArray[np.intp] = np.repeat(rows, np.diff(matrix.indptr))
    return repeated


def with_data(matrix: sparse.csr_array, data: NDArray[Any]) -> sparse.csr_array:
    """Make a matrix that stores other values in the same places.

    Parameters
    ----------
    matrix
        Any CSR matrix.
    data
        One value per stored entry.

    Returns
    -------
    csr_array
        The matrix of these values; the places are shared, not copied.

    Examples
    --------
    >>> with_data(sparse.csr_array([[1, 0], [0, 3]]), np.array([5, 6])).toarray().tolist()
    [[5, 0], [0, 6]]
    """
    return sparse.csr_array((data, matrix.indices, matrix.indptr), shape=matrix.shape)


def choose_entries(matrix: sparse.csr_array, chosen: NDArray[np.bool_]) -> sparse.csr_array:
    """Make a boolean matrix of some of the stored entries of another.

    Parameters
    ----------
    matrix
        Any CSR matrix.
    chosen
        One mark per stored entry.

    Returns
    -------
    csr_array of bool
        True where an entry is chosen.

    Examples
    --------
    >>> matrix = sparse.csr_array([[1, 0, 2], [0, 3, 0]])
    >>> choose_entries(matrix, matrix.data > 1).toarray().astype(int)
    array([[0, 0, 1],
           [0, 1, 0]])
    """
    # NumPy picks by position several times as fast as by marks without order.
    indices = matrix.indices[np.flatnonzero(chosen)]
    before = np.zeros(chosen.size + 1, dtype=matrix.indptr.dtype)
    np.cumsum(chosen, out=before[1:])
    ones = np.ones(indices.size, dtype=bool)
    return sparse.csr_array((ones, indices, before[matrix.indptr]), shape=matrix.shape)


def without(matrix: sparse.csr_array, other: sparse.csr_array) -> sparse.csr_array:
    """Take the entries of a boolean matrix that another does not have.

    Parameters
    ----------
    matrix
        Boolean CSR without stored zeros.
    other
        Another of the same shape.

    Returns
    -------
    csr_array of bool
        True where only the first is.

    Examples
    --------
    >>> without(sparse.csr_array([[True, True]]), sparse.csr_array([[True, False]])).toarray().tolist()
    [[False, True]]
    """
    sides = sparse.csr_array(matrix + other * np.int8(2))
    return choose_entries(sides, sides.data == 1)


def choose_rows(
    first: sparse.csr_array,
    second: sparse.csr_array,
    use_first: NDArray[np.bool_],
    use_second: NDArray[np.bool_],
) -> sparse.csr_array:
    """Put together a matrix of rows of two others; rows of neither are empty.

    Parameters
    ----------
    first
        Any CSR matrix.
    second
        Another of the same shape.
    use_first
        One mark per row: take it from the first.
    use_second
        One mark per row: take it from the second; never where `use_first` holds.

    Returns
    -------
    csr_array of bool
        The pattern of the chosen rows.

    Examples
    --------
    >>> ones, twos = sparse.csr_array([[1, 0], [1, 0]]), sparse.csr_array([[0, 1], [0, 1]])
    >>> choose_rows(ones, twos, np.array([True, False]), np.array([False, True])).toarray().astype(int)
    array([[1, 0],
           [0, 1]])
    """
    begin = np.where(use_second, second.indptr[:-1].astype(np.intp) + first.nnz, first.indptr[:-1])
    lengths = np.where(use_second, np.diff(second.indptr), np.where(use_first, np.diff(first.indptr), 0))
    lengths = lengths.astype(np.intp)
    indices = np.concatenate([first.indices, second.indices])[ranges(begin, lengths)]
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    return sparse.csr_array((np.ones(indices.size, dtype=bool), indices, indptr), shape=first.shape)


def every_entry(numbers: NDArray[Any]) -> sparse.csr_array:
    """Store every number of a dense array, zeros too."""
    every = sparse.csr_array(np.ones_like(numbers))
    return sparse.csr_array((numbers.ravel(), every.indices, every.indptr), shape=numbers.shape)


def with_column(matrix: sparse.csr_array, marks: NDArray[np.bool_]) -> sparse.csr_array:
    """Append one more column to a boolean matrix.

    Parameters
    ----------
    matrix
        Boolean CSR.
    marks
        The new last column.

    Returns
    -------
    csr_array of bool
        The wider matrix.

    Examples
    --------
    >>> with_column(sparse.csr_array([[True], [False]]), np.array([False, True])).toarray().astype(int)
    array([[1, 0],
           [0, 1]])
    """
    rows, columns = matrix.shape
    if not marks.any():
        return sparse.csr_array((matrix.data, matrix.indices, matrix.indptr), shape=(rows, columns + 1))
    return sparse.csr_array(sparse.hstack([matrix, sparse.csr_array(marks[:, None])], format="csr"))


def scale_rows(matrix: sparse.csr_array, factors: NDArray[np.float64]) -> sparse.csr_array:
    """Multiply each row by its own factor.

    Parameters
    ----------
    matrix
        Any CSR matrix.
    factors
        One number per row.

    Returns
    -------
    csr_array of float
        The scaled matrix, with the same entries stored.

    Examples
    --------
    >>> scale_rows(sparse.csr_array([[1, 1], [0, 1]]), np.array([0.5, 3.0])).toarray().tolist()
    [[0.5, 0.5], [0.0, 3.0]]
    """
    return with_data(matrix, matrix.data * np.repeat(factors, np.diff(matrix.indptr)))


def stored_in(matrix: sparse.csr_array, other: sparse.csr_array) -> NDArray[np.bool_]:
    """Tell which stored entries of a matrix are true in another.

    Parameters
    ----------
    matrix
        Any CSR matrix.
    other
        Boolean CSR of the same shape.

    Returns
    -------
    ndarray of bool
        One mark per stored entry of the first.

    Examples
    --------
    >>> stored_in(sparse.csr_array([[1, 0, 2]]), sparse.csr_array([[False, True, True]]))
    array([False,  True])
    """
    number = with_data(matrix, np.arange(1, matrix.nnz + 1))
    marks = np.zeros(matrix.nnz, dtype=bool)
    marks[number.multiply(other).data - 1] = True
    return marks


def entries_at(
    matrix: sparse.csr_array, rows: NDArray[np.integer], columns: NDArray[np.integer]
) -> NDArray[Any]:
    """Look up single entries; scipy's own look-up gives an array or a sparse one, as it happens.

    Parameters
    ----------
    matrix
        Any CSR matrix without duplicates.
    rows
        Positions of rows.
    columns
        As many positions of columns.

    Returns
    -------
    ndarray
        The entries, 0 where none is stored.

    Examples
    --------
    >>> entries_at(sparse.csr_array([[1, 0], [0, 3]]), np.array([1, 0, 0]), np.array([1, 1, 0]))
    array([3, 0, 1])
    """
    stored = row_of_entries(matrix) * matrix.shape[1] + matrix.indices
    order = np.argsort(stored)
    wanted = rows * matrix.shape[1] + columns
    before = np.searchsorted(stored, wanted, side="left", sorter=order)
    there = np.searchsorted(stored, wanted, side="right", sorter=order) > before
    found = np.zeros(wanted.size, dtype=matrix.dtype)
    found[there] = matrix.data[order[before[there]]]
    return found
