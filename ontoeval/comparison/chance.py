"""What is drawn: generators from seeds, and marks of single decisions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.checks import whole_number
from ontoeval.core.csr import pattern

Seed = int | np.random.Generator
"""Where random numbers begin, or what draws them."""


def generator_of(seed: Seed) -> np.random.Generator:
    """Make a generator of a seed, or take the one that is given."""
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
    """Mark each cell of a table independently, with its column's probability."""
    often = probabilities > 0.5  # noqa: PLR2004 - there the absent ones are drawn, which are fewer
    marks = struck(rng, rows, np.where(often, 1 - probabilities, probabilities))
    return toggled(marks, whole_columns(rows, often))


def whole_columns(rows: int, chosen: NDArray[np.bool_]) -> sparse.csr_array:
    """Make a table whose columns are wholly true or wholly false."""
    columns = np.flatnonzero(chosen)
    begins = np.arange(rows + 1) * columns.size
    marks = np.ones(rows * columns.size, dtype=bool)
    return sparse.csr_array((marks, np.tile(columns, rows), begins), shape=(rows, chosen.size))


def toggled(table: sparse.csr_array, switches: sparse.csr_array) -> sparse.csr_array:
    """Turn some cells of a table round."""
    return pattern(sparse.csr_array(table.astype(np.int8) - switches.astype(np.int8)))
