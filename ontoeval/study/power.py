"""Discriminative power: for how many pairs of runs a measure finds a significant difference."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison import Comparison
from ontoeval.study.entrants import entrants

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Power:
    """How well measures tell runs apart. It says how consistent a measure is, not whether it is valid.

    Parameters
    ----------
    measures
        Notations of the measures.
    alpha
        What a p-value must be below.
    pairs
        How many pairs of runs there are.
    share
        Share of the pairs with a significant difference, per measure.
    adjusted
        The same after the correction for the number of pairs.
    needed
        The difference that would be significant for any pair, per measure.
    curves
        Achieved significance levels: all p-values of a measure in descending order, measures × pairs.

    References
    ----------
    [sakai2006]_
    """

    measures: tuple[str, ...]
    alpha: float
    pairs: int
    share: Numbers
    adjusted: Numbers
    needed: Numbers
    curves: Numbers


def power(comparison: Comparison) -> Power:
    """Tell how well each measure tells the runs apart.

    Parameters
    ----------
    comparison
        Of the runs, tested; baselines are left out, and of runs that predict the same all but the first.

    Returns
    -------
    Power
        Shares of significant pairs, and the p-values in order.
    """
    chosen = entrants(comparison)
    first, second = np.triu_indices(len(chosen), 1)
    kept = np.ix_(range(len(comparison.measures)), chosen, chosen)
    p, adjusted = (table[kept][:, first, second] for table in (comparison.p_values, comparison.adjusted))
    alpha = comparison.plan.alpha
    return Power(
        tuple(comparison.measures),
        alpha,
        len(first),
        _share_below(p, alpha),
        _share_below(adjusted, alpha),
        _needed(comparison, chosen),
        -np.sort(-p, axis=1),
    )


def _share_below(p_values: Numbers, alpha: float) -> Numbers:
    """Count what is below, of what is defined."""
    defined = np.isfinite(p_values).sum(axis=1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.asarray(np.where(defined > 0, (p_values < alpha).sum(axis=1) / defined, np.nan))


def _needed(comparison: Comparison, chosen: list[int]) -> Numbers:
    """Find the difference that few resamples of any pair exceed by chance: Sakai (2006), section 3.3."""
    scores, drawn = comparison.scores[chosen], comparison.replicates[:, chosen]
    needed = np.full(len(comparison.measures), np.nan)
    for a in range(len(chosen)):
        for b in range(a + 1, len(chosen)):
            away = np.abs(drawn[:, a] - drawn[:, b] - (scores[a] - scores[b]))
            needed = np.fmax(needed, np.quantile(away, 1 - comparison.plan.alpha, axis=0))
    return needed
