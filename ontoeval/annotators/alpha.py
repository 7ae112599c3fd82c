"""Krippendorff's alpha with any distance between values, from how many annotators gave each value."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ontoeval.annotators.coefficients import numbers_in
from ontoeval.core.csr import row_of_entries
from ontoeval.core.portions import pairs_of_rows
from ontoeval.errors import InputError, one_of

Numbers = NDArray[np.float64]

AT_A_TIME = 4_000_000
"""Pairs of values within units that are looked at in one go: some 100 MB."""


def observed(counts: sparse.csr_array, distances: Numbers) -> Numbers:
    """Sum, in each unit, the distances of all pairs of values, divided by the number of values less one."""
    number = np.asarray(counts.sum(axis=1), dtype=np.float64)
    sums = np.zeros(counts.shape[0])
    rows, data = row_of_entries(counts), counts.data.astype(np.float64)
    for own, other in pairs_of_rows(counts, counts, AT_A_TIME):
        cost = data[own] * data[other] * distances[counts.indices[own], counts.indices[other]]
        sums += np.bincount(rows[own], weights=cost, minlength=sums.size)
    return sums / np.maximum(number - 1, 1)


def alpha_from(seen: Numbers, counts: Numbers, distances: Numbers) -> Numbers:
    """Compute alpha."""
    number = counts.sum(axis=-1)
    expected = ((counts @ distances) * counts).sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected > 0, 1 - (number - 1) * seen / expected, np.nan)


def _ordinal(values: Numbers, number: Numbers) -> Numbers:
    del values  # their order alone counts, in which they are
    before = np.cumsum(number) - number / 2
    return (before[:, None] - before) ** 2


def _ratio(values: Numbers, number: Numbers) -> Numbers:
    del number
    sums = values[:, None] + values
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(sums != 0, (values[:, None] - values) / sums, 0.0) ** 2


DISTANCES: Mapping[str, Callable[[Numbers, Numbers], Numbers]] = {
    "nominal": lambda values, _: (values[:, None] != values).astype(np.float64),
    "ordinal": _ordinal,
    "interval": lambda values, _: (values[:, None] - values) ** 2,
    "ratio": _ratio,
}
"""Distances between numbers, from these in their order and from how often each was given."""


def alpha(values: ArrayLike, *, distance: str = "nominal") -> float:
    """Compute Krippendorff's alpha of numbers [krippendorff2011]_.

    Parameters
    ----------
    values
        One row per annotator, one column per unit; nan where an annotator gave none.
    distance
        "nominal", "ordinal", "interval" or "ratio".

    Returns
    -------
    float
        At most 1; nan where all values are the same.

    Raises
    ------
    InputError
        If there are no rows and columns of numbers.
    ParameterError
        If there is no such distance.

    Examples
    --------
    >>> round(alpha([[1, 2, 3, 3], [1, 2, 3, 4]], distance="interval"), 3)
    0.889
    """
    one_of("distance", distance, tuple(DISTANCES))
    remedy = "Give one row per annotator, one column per unit; numbers, or nan where there is none."
    table = numbers_in(values, "values", remedy)
    if table.ndim != 2:  # noqa: PLR2004
        raise InputError(f"values of shape {table.shape}", remedy)
    if np.isinf(table).any():
        raise InputError("values with inf in them", remedy)
    paired = table[:, np.isfinite(table).sum(axis=0) > 1]
    given = np.isfinite(paired)
    distinct, which = np.unique(paired[given], return_inverse=True)
    unit = np.broadcast_to(np.arange(paired.shape[1]), paired.shape)[given]
    counts = sparse.csr_array(
        (np.ones(unit.size), (unit, which)), shape=(paired.shape[1], max(distinct.size, 1))
    )
    counts.sum_duplicates()
    number = np.asarray(counts.sum(axis=0), dtype=np.float64)
    distances = DISTANCES[distance](distinct, number) if distinct.size else np.zeros((1, 1))
    return float(alpha_from(np.asarray(observed(counts, distances).sum()), number, distances))
