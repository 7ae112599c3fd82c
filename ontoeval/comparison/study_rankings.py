"""Agreement of measures: how alike the orders are into which they put the runs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.entrants import Entrants
from ontoeval.comparison.rank_correlation import DISTANCES, correlation_matrix
from ontoeval.core.intervals import interval

Numbers = NDArray[np.float64]

FEWEST_RUNS = 15
"""Runs below which a rank correlation says little about other runs."""


@dataclass(frozen=True, eq=False)
class RankAgreement:
    """How alike measures rank the runs.

    Parameters
    ----------
    method
        Key of `ontoeval.comparison.rank_correlation.CORRELATIONS`.
    measures
        Notations of the measures.
    values
        Measures × measures; of asymmetric methods the rows are the first argument.
    low, high
        Between which the values of most resamples of the samples lie, the runs being fixed. These are no
        confidence bounds: a resample ranks by noisier scores than the samples do, so that its values tend
        to lie farther from 1, and the value of the population may lie beyond them.
    error
        Jackknife standard errors over the runs, the samples being fixed.
    """

    method: str
    measures: tuple[str, ...]
    values: Numbers
    low: Numbers
    high: Numbers
    error: Numbers

    @property
    def distances(self) -> Numbers:
        """How far the measures are apart: 0 where both rank alike; symmetric."""
        apart = self.values if self.method in DISTANCES else 1 - self.values
        apart = (apart + apart.T) / 2
        np.fill_diagonal(apart, 0.0)
        return np.asarray(np.maximum(apart, 0.0))

    @property
    def tree(self) -> Numbers:
        """Clusters of measures by average linkage of the distances, as `scipy.cluster.hierarchy.linkage`."""
        from scipy.cluster.hierarchy import linkage
        from scipy.spatial.distance import squareform

        if len(self.measures) == 1:
            return np.empty((0, 4))
        # Where a correlation is undefined, nothing says that the measures are alike.
        apart = np.nan_to_num(self.distances, nan=1.0)
        return np.asarray(linkage(squareform(apart, checks=False), "average", optimal_ordering=True))

    @property
    def order(self) -> tuple[int, ...]:
        """Positions of the measures such that those that rank alike stand together."""
        from scipy.cluster.hierarchy import leaves_list

        return tuple(leaves_list(self.tree).tolist()) if len(self.measures) > 1 else (0,)

    @property
    def limits(self) -> tuple[float, float]:
        """Between which tenths the values lie; never so close that small differences look large."""
        known = self.values[np.isfinite(self.values)]
        if self.method in DISTANCES:
            return 0.0, max(0.2, float(np.ceil(known.max(initial=0.0) * 10) / 10))
        return min(0.8, float(np.floor(known.min(initial=1.0) * 10) / 10)), 1.0

    def clusters(self, distance: float) -> tuple[tuple[str, ...], ...]:
        """Put measures together whose clusters are no farther apart.

        Parameters
        ----------
        distance
            The largest distance within a cluster, on average.

        Returns
        -------
        tuple of tuples of str
            Notations.
        """
        from scipy.cluster.hierarchy import fcluster

        if len(self.measures) == 1:
            return (self.measures,)
        numbers = fcluster(self.tree, distance, "distance")
        found: dict[int, list[str]] = {}
        for at in self.order:
            found.setdefault(int(numbers[at]), []).append(self.measures[at])
        return tuple(map(tuple, found.values()))


def rank_agreement(entrants: Entrants, method: str) -> RankAgreement:
    """Compare the rankings of the runs by all measures."""
    values = correlation_matrix(entrants.merits, method=method)
    drawn = correlation_matrix(entrants.replicated, method=method)
    low, high = interval(drawn, values, level=entrants.comparison.plan.level)
    return RankAgreement(method, entrants.measures, values, low, high, _error(entrants.merits, method))


def _error(merits: Numbers, method: str) -> Numbers:
    """Leave one run out after the other, and tell the spread."""
    runs = len(merits)
    if runs <= 2:  # noqa: PLR2004 - of one run there is no ranking
        return np.full((merits.shape[1],) * 2, np.nan)
    without = np.stack([np.delete(merits, run, axis=0) for run in range(runs)])
    found = correlation_matrix(without, method=method)
    spread = ((found - found.mean(axis=0)) ** 2).sum(axis=0)
    return np.asarray(np.sqrt((runs - 1) / runs * spread))
