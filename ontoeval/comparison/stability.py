"""Stability: whether other samples would have ranked the runs alike, and let the same run win."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.entrants import Entrants
from ontoeval.comparison.merits import merits_of
from ontoeval.comparison.rank_correlation import tau_b
from ontoeval.comparison.replication import RunRows, weighted
from ontoeval.core.intervals import interval
from ontoeval.core.resampling import Halves
from ontoeval.measures.counts import divide, mean_of_defined

Numbers = NDArray[np.float64]

BINS = 10
"""Into how many bins the differences of runs are sorted: as many swaps in each, and none in the last."""


@dataclass(frozen=True, eq=False)
class Stability:
    """How far the ranking of the runs depends on the samples.

    Parameters
    ----------
    measures
        Notations of the measures.
    tau
        Mean τ_b between the ranking of a bootstrap resample and that of the samples.
    low, high
        Between which the middle of these τ_b lie.
    halves
        Mean τ_b between the rankings of two random halves of the samples; nan for measures that cannot be
        summed.
    swaps
        Share of the pairs of runs that two halves put in different orders; a tie in one is half a swap.
    differences
        Bounds of bins of differences between two runs in the first half, measures × (bins + 1), upper bounds
        included. The bins are as narrow as swaps are frequent: quantiles of the differences that the other
        half turns round. The last holds the differences that are larger than all of those.
    swaps_by_difference
        Share of swaps among the pairs whose difference lies in each bin, measures × bins.

    References
    ----------
    [voorhees2002]_
    """

    measures: tuple[str, ...]
    tau: Numbers
    low: Numbers
    high: Numbers
    halves: Numbers
    swaps: Numbers
    differences: Numbers
    swaps_by_difference: Numbers

    @property
    def order(self) -> NDArray[np.intp]:
        """Positions of the measures, the steadiest first."""
        return np.argsort(-self.tau, kind="stable")


def stability(entrants: Entrants) -> Stability:
    """Rank the runs by resamples and by halves of the samples."""
    taus = tau_b(np.moveaxis(entrants.replicated, 1, -1), entrants.merits.T)
    mean = mean_of_defined(taus)
    low, high = interval(taus, mean, level=entrants.comparison.plan.level)
    first, second = _halves(entrants)
    between = tau_b(np.moveaxis(first, 1, -1), np.moveaxis(second, 1, -1))
    swaps, bounds, by_difference = _swaps(first, second)
    return Stability(
        entrants.measures, mean, low, high, mean_of_defined(between), swaps, bounds, by_difference
    )


def _halves(entrants: Entrants) -> tuple[Numbers, Numbers]:
    """Measure the runs on random halves: resamples × runs × measures, more is better."""
    comparison, plan = entrants.comparison, entrants.comparison.plan
    rows = [RunRows.of(comparison.evaluations[run]) for run in entrants.names]
    totals = [run.total for run in rows]
    found: list[list[Numbers]] = [[], []]
    for _, _, sums in weighted(rows, Halves(resamples=plan.resamples, seed=plan.seed)):
        rest = [
            {statistic: total - half[statistic] for statistic, total in whole.items()}
            for whole, half in zip(totals, sums, strict=True)
        ]
        for side, parts in zip(found, (sums, rest), strict=True):
            scores = [run.scores(part) for run, part in zip(rows, parts, strict=True)]
            side.append(merits_of(np.stack(scores, axis=1), comparison.measures.values()))
    first, second = (np.concatenate(side) for side in found)
    return first, second


def _swaps(first: Numbers, second: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """Count the pairs of runs that two halves put in different orders, by their difference in the first."""
    a, b = np.triu_indices(first.shape[1], 1)
    before, after = (side[:, a] - side[:, b] for side in (first, second))
    swapped = np.abs(np.sign(before) - np.sign(after)) / 2
    measures = first.shape[2]
    overall, bounds = np.full(measures, np.nan), np.full((measures, BINS + 1), np.nan)
    by_difference = np.full((measures, BINS), np.nan)
    for column in range(measures):
        size, swap = np.abs(before[:, :, column]).ravel(), swapped[:, :, column].ravel()
        defined = np.isfinite(swap)
        size, swap = size[defined], swap[defined]
        overall[column] = mean_of_defined(swap)
        if not size.any():  # all runs tie: there are no differences to sort by
            continue
        # In bins of equal width nearly all swaps would lie in the first.
        turned = np.quantile(size[swap > 0] if swap.any() else size, np.linspace(0, 1, BINS)[1:])
        bounds[column] = [0, *turned, size.max()]
        place = np.clip(np.searchsorted(bounds[column], size) - 1, 0, BINS - 1)
        marks = np.eye(BINS)[place]
        by_difference[column] = divide(swap @ marks, marks.sum(axis=0))
    return overall, bounds, by_difference
