"""What is drawn: generators from seeds, and marks of single decisions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.checks import whole_number
from ontoeval.csr import pattern

Seed = int | np.random.Generator
"""Where random numbers begin, or what draws them."""


def generator_of(seed: Seed) -> np.random.Generator:
    """Make a generator of a seed, or take the one that is given.

    Parameters
    ----------
    seed
        A whole number of at least 0, or a generator, which then goes on from where it is.

    Returns
    -------
    Generator
        What draws random numbers.

    Raises
    ------
    ParameterError
        If the seed is something else.

    Examples
    --------
    >>> generator_of(0).integers(1000, size=2)
    array([850, 636])
    """
    if isinstance(seed, np.random.Generator):
        return seed
    expected = "a whole number of at least 0, or a numpy.random.Generator"
    return np.random.default_rng(whole_number("seed", seed, expected=expected))


def struck(
    rng: np.random.Generator, rows: int, probabilities: NDArray[np.float64], *, share: float = 1.0
) -> sparse.csr_array:
    """Mark each cell of a table independently, with its column's probability times a share.

    From the same state of the generator, what is marked with a smaller share is marked with every
    larger one. Points fall on each column as a Poisson process, so that as many numbers are drawn as
    cells are marked: a cell is hit at least once with probability 1 - exp(-λ), and each point bears a mark
    that says from which share on it counts.

    Parameters
    ----------
    rng
        Draws.
    rows
        How many rows there are.
    probabilities
        One per column, each less than 1.
    share
        From 0 to 1.

    Returns
    -------
    csr_array of bool
        One row per row, one column per probability.

    Examples
    --------
    >>> struck(np.random.default_rng(0), 10_000, np.array([0.0, 0.5, 0.1])).mean(axis=0).round(1)
    array([0. , 0.5, 0.1])
    """
    density = -np.log1p(-probabilities)
    points = rng.poisson(density * rows)
    column = np.repeat(np.arange(len(probabilities)), points)
    row = rng.integers(max(rows, 1), size=column.size)
    until = np.log1p(-share * probabilities[column]) / np.log1p(-probabilities[column])
    kept = rng.random(column.size) < until
    ones = np.ones(np.count_nonzero(kept), dtype=bool)
    return pattern(sparse.csr_array((ones, (row[kept], column[kept])), shape=(rows, len(probabilities))))


def independent(rng: np.random.Generator, rows: int, probabilities: NDArray[np.float64]) -> sparse.csr_array:
    """Mark each cell of a table independently, with its column's probability.

    Parameters
    ----------
    rng
        Draws.
    rows
        How many rows there are.
    probabilities
        One per column, from 0 to 1.

    Returns
    -------
    csr_array of bool
        One row per row, one column per probability.

    Examples
    --------
    >>> independent(np.random.default_rng(0), 2, np.array([0.0, 1.0])).toarray().tolist()
    [[False, True], [False, True]]
    """
    often = probabilities > 0.5  # noqa: PLR2004 - there the absent ones are drawn, which are fewer
    marks = struck(rng, rows, np.where(often, 1 - probabilities, probabilities))
    return toggled(marks, whole_columns(rows, often))


def whole_columns(rows: int, chosen: NDArray[np.bool_]) -> sparse.csr_array:
    """Make a table whose columns are wholly true or wholly false.

    Parameters
    ----------
    rows
        How many rows there are.
    chosen
        One mark per column.

    Returns
    -------
    csr_array of bool
        One row per row, one column per mark.

    Examples
    --------
    >>> whole_columns(2, np.array([False, True])).toarray().tolist()
    [[False, True], [False, True]]
    """
    columns = np.flatnonzero(chosen)
    begins = np.arange(rows + 1) * columns.size
    marks = np.ones(rows * columns.size, dtype=bool)
    return sparse.csr_array((marks, np.tile(columns, rows), begins), shape=(rows, chosen.size))


def toggled(table: sparse.csr_array, switches: sparse.csr_array) -> sparse.csr_array:
    """Turn some cells of a table round.

    Parameters
    ----------
    table
        Boolean CSR.
    switches
        Another of the same shape: true where a cell is turned round.

    Returns
    -------
    csr_array of bool
        True where exactly one of the two is.

    Examples
    --------
    >>> toggled(sparse.csr_array([[True, True]]), sparse.csr_array([[False, True]])).toarray().tolist()
    [[True, False]]
    """
    return pattern(sparse.csr_array(table.astype(np.int8) - switches.astype(np.int8)))
