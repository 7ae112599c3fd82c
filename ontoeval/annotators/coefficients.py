"""Coefficients of agreement on categories: formulas on sums of one row per unit.

A unit is what is annotated: a sample, or one concept of one sample. The formulas need how many annotators
chose each category of each unit, so that sums over resamples are products of weights and rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ontoeval.errors import InputError
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import pairs_of_rows, row_of_entries

_SINGLE = 6
"""Numbers of a row that are not of single categories."""


class Sums(NamedTuple):
    """What the formulas need, summed over units; leading axes are kept, categories stand on the last."""

    rated: Numbers
    paired: Numbers
    majority: Numbers
    unanimous: Numbers
    pairwise: Numbers
    coincident: Numbers
    shares: Numbers
    compared: Numbers
    values: Numbers
    categories: int


def rows_of(counts: NDArray[Any]) -> Numbers:
    """Make the row of each unit, whose sums `sums_in` takes apart."""
    number = counts.sum(axis=-1)
    paired = number > 1
    agreeing = (counts * (counts - 1.0)).sum(axis=-1)
    largest = counts.max(axis=-1)
    one, several = np.maximum(number, 1), np.maximum(number, 2)
    unanimous, others = paired & (largest == number), several - 1.0
    majority, pairwise = paired * largest / several, agreeing / (several * others)
    single = np.stack([number > 0, paired, majority, unanimous, pairwise, agreeing / others], axis=-1)
    shares, with_others = counts / one[..., None], paired[..., None]
    return np.concatenate([single, shares, shares * with_others, counts * with_others], axis=-1)


def sums_in(rows: Numbers, categories: int | None = None) -> Sums:
    """Take sums of rows apart; rows may have fewer categories than there are to choose from."""
    single = np.moveaxis(rows[..., :_SINGLE], -1, 0)
    parts = np.split(rows[..., _SINGLE:], 3, axis=-1)
    return Sums._make([*single, *parts, parts[0].shape[-1] if categories is None else categories])


def _ratio(numerator: Numbers, denominator: Numbers) -> Numbers:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(denominator != 0, numerator / denominator, np.nan)


def _beyond(sums: Sums, by_chance: Numbers) -> Numbers:
    """Compute the share of the agreement beyond chance that is reached."""
    observed = _ratio(sums.pairwise, sums.paired)
    # Rounding leaves a little of 1 - Σp² where one category alone occurs: no chance to disagree.
    return _ratio(observed - by_chance, np.where(1 - by_chance > 1e-12, 1 - by_chance, 0.0))  # noqa: PLR2004


def _squares(shares: Numbers, units: Numbers) -> Numbers:
    return np.asarray((_ratio(shares, units[..., None]) ** 2).sum(axis=-1))


def _fleiss(sums: Sums) -> Numbers:
    # With units that are not compared among the shares it would fall below -1.
    return _beyond(sums, _squares(sums.compared, sums.paired))


def _randolph(sums: Sums) -> Numbers:
    # With one category alone nobody can disagree.
    return _beyond(sums, np.full_like(sums.paired, 1 / sums.categories))


def _gwet(sums: Sums) -> Numbers:
    return _beyond(sums, (1 - _squares(sums.shares, sums.rated)) / max(sums.categories - 1, 1))


def _krippendorff(sums: Sums) -> Numbers:
    number = sums.values.sum(axis=-1)
    differing = number**2 - (sums.values**2).sum(axis=-1)
    return 1 - _ratio((number - 1) * (number - sums.coincident), differing)


COEFFICIENTS: Mapping[str, Callable[[Sums], Numbers]] = {
    "majority": lambda sums: _ratio(sums.majority, sums.paired),
    "pairwise": lambda sums: _ratio(sums.pairwise, sums.paired),
    "unanimous": lambda sums: _ratio(sums.unanimous, sums.paired),
    "fleiss": _fleiss,
    "randolph": _randolph,
    "ac1": _gwet,
    "alpha": _krippendorff,
}
"""Coefficients of two and more annotators by name, as formulas on sums."""


def scores_of(rows: Numbers, categories: int | None = None) -> Numbers:
    """Compute every coefficient from sums of rows, see `sums_in`: coefficients stand on the last axis."""
    sums = sums_in(rows, categories)
    return np.stack([formula(sums) for formula in COEFFICIENTS.values()], axis=-1)


def nominal(counts: ArrayLike) -> dict[str, float]:
    r"""Compute every coefficient of `COEFFICIENTS` from how many annotators chose each category.

    With n_ik annotators of unit i in category k, R_i in all, p_k the mean of n_ik / R_i:

    - majority: the mean of max_k n_ik / R_i; unanimous: the share of units with one category;
    - pairwise: the mean of Σ_k n_ik (n_ik - 1) / (R_i (R_i - 1)), P below;
    - fleiss: (P - Σ p_k²) / (1 - Σ p_k²) [fleiss1971]_; randolph: 1/q for Σ p_k² [randolph2005]_;
      ac1: Σ p_k (1 - p_k) / (q - 1) for it [gwet2008]_;
    - alpha: 1 - observed / expected disagreement, from coincidences [krippendorff2011]_.

    Means are over units with two annotators or more; the p_k of ac1 over all units, as Gwet defines them.

    Parameters
    ----------
    counts
        One row per unit, one column per category.

    Returns
    -------
    dict of str to float
        One number per coefficient; nan where it is undefined: fleiss and alpha where everybody agrees.

    Examples
    --------
    >>> found = nominal([[3, 0], [1, 2]])
    >>> [round(found[name], 3) for name in ("majority", "fleiss", "ac1", "alpha")]
    [0.833, 0.25, 0.4, 0.375]
    """
    remedy = "Give whole numbers: one row per unit, one column per category."
    try:
        table = np.asarray(counts, dtype=np.float64)
    except (OverflowError, TypeError, ValueError) as error:
        raise InputError("counts that are no numbers in rows of one length", remedy) from error
    possible = np.isfinite(table) & (table >= 0) & (table == np.floor(table))
    if not possible.all():
        raise InputError(f"counts with {table[~possible][0]:g} in it", remedy)
    if table.ndim != 2 or not table.shape[1]:  # noqa: PLR2004
        raise InputError(f"counts of shape {table.shape}", remedy)
    return dict(zip(COEFFICIENTS, scores_of(rows_of(table).sum(axis=0)).tolist(), strict=True))


AT_A_TIME = 4_000_000
"""Pairs of values within units that are held at a time: some 100 MB."""


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
    """Compute alpha from the sum of observed disagreements and the counts of values on the last axis."""
    number = counts.sum(axis=-1)
    expected = ((counts @ distances) * counts).sum(axis=-1)
    return 1 - _ratio((number - 1) * seen, expected)
