"""Discriminative power: for how many pairs of runs a measure finds a significant difference."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.entrants import Entrants
from ontoeval.comparison.result import Comparison
from ontoeval.measures.counts import divide

Numbers = NDArray[np.float64]

BEYOND = 2e-12
"""How much larger a difference must be than another, for the tests not to take both for equal."""


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
        The least difference that is significant for any pair, by the bootstrap test of differences, per
        measure; nan where there are too few resamples for any.
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

    @property
    def order(self) -> NDArray[np.intp]:
        """Positions of the measures, that which tells most pairs apart first."""
        return np.argsort(-self.share, kind="stable")

    @property
    def width(self) -> float:
        """Up to which pair curves are worth drawing: where all lie below alpha there is nothing to see."""
        above = int((self.curves >= self.alpha).sum(axis=1).max(initial=0))
        return min(max(self.pairs, 1), 1.5 * above + 5) + 0.5


def power(entrants: Entrants) -> Power:
    """Tell how well each measure tells the runs apart."""
    comparison, chosen = entrants.comparison, list(entrants.places)
    first, second = np.triu_indices(len(chosen), 1)
    kept = np.ix_(range(len(comparison.measures)), chosen, chosen)
    p, adjusted = (table[kept][:, first, second] for table in (comparison.p_values, comparison.adjusted))
    alpha = comparison.plan.alpha
    return Power(
        entrants.measures,
        alpha,
        len(first),
        _share_below(p, alpha),
        _share_below(adjusted, alpha),
        _needed(comparison, chosen),
        -np.sort(-p, axis=1),
    )


def _share_below(p_values: Numbers, alpha: float) -> Numbers:
    """Count what is below, of what is defined."""
    return divide((p_values < alpha).sum(axis=1), np.isfinite(p_values).sum(axis=1))


def _needed(comparison: Comparison, chosen: list[int]) -> Numbers:
    """Find the difference that few resamples of any pair exceed by chance: Sakai (2006), section 3.3."""
    scores, drawn = comparison.scores[chosen], comparison.replicates[:, chosen]
    needed = np.full(len(comparison.measures), np.nan)
    # A p-value is (1 + how many are as far away) / (1 + resamples): so many may be.
    counts = np.arange(len(drawn))
    few = np.count_nonzero((1 + counts) / (1 + len(drawn)) < comparison.plan.alpha)
    for a, b in combinations(range(len(chosen)), 2) if few else ():
        away = np.abs(drawn[:, a] - drawn[:, b] - (scores[a] - scores[b]))
        largest_first = -np.sort(-away, axis=0)  # what is undefined comes last
        needed = np.fmax(needed, largest_first[few - 1] + BEYOND)
    return needed
