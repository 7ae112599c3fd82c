"""Reliability of measures: agreement of rankings, discriminative power, stability and winners."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.rank_correlation import DISTANCES, correlation_matrix, tau_b
from ontoeval.comparison.replication import RunRows, RunSums, weighted
from ontoeval.comparison.result import Comparison, merits_of
from ontoeval.core.resampling import Halves, interval
from ontoeval.core.showing import Brief
from ontoeval.errors import pluralise, pluralise_all
from ontoeval.measures.counts import divide, mean_of_defined
from ontoeval.plumbing.arrays import Numbers


@dataclass(frozen=True, eq=False)
class Entrants:
    """The runs of a comparison without baselines and duplicates, which would agree by any measure."""

    comparison: Comparison

    @cached_property
    def positions(self) -> tuple[int, ...]:
        """Positions in the comparison."""
        again = {run for runs in self.comparison.duplicates for run in runs[1:]}
        left_out = again | set(self.comparison.baselines)
        return tuple(place for place, run in enumerate(self.comparison.runs) if run not in left_out)

    def __len__(self) -> int:
        """Count the runs."""
        return len(self.positions)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the runs."""
        return tuple(self.comparison.runs[place] for place in self.positions)

    @property
    def measures(self) -> tuple[str, ...]:
        """Notations of the measures."""
        return tuple(self.comparison.measures)

    @cached_property
    def merits(self) -> Numbers:
        """Scores oriented so that more is better, runs × measures."""
        return self.comparison.merits[list(self.positions)]

    @cached_property
    def replicated(self) -> Numbers:
        """Oriented scores of every resample, resamples × runs × measures."""
        drawn = self.comparison.replicates[:, list(self.positions)]
        return merits_of(drawn, self.comparison.measures.values())


FEWEST_RUNS = 15
"""Fewest runs for a rank correlation that generalises to other runs."""


@dataclass(frozen=True, eq=False, repr=False)
class RankCorrelation(Brief):
    """How alike measures rank the runs.

    Parameters
    ----------
    method
        Key of `ontoeval.comparison.CORRELATIONS`.
    measures
        Notations of the measures.
    values
        Measures × measures; of asymmetric methods the rows are the first argument.
    low, high
        Percentiles of the values over resamples of the samples, the runs being fixed. These are no
        confidence bounds: a resample ranks by noisier scores, so that its values tend to lie farther from 1.
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
    def _brief(self) -> str:
        return f"{self.method!r}, {pluralise(len(self.measures), 'measure')}"

    @property
    def distances(self) -> Numbers:
        """Distances of the measures, 0 where both rank alike; symmetric."""
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
        # Measures with an undefined correlation count as unlike.
        apart = np.nan_to_num(self.distances, nan=1.0)
        return np.asarray(linkage(squareform(apart, checks=False), "average", optimal_ordering=True))

    @property
    def order(self) -> tuple[int, ...]:
        """Positions of the measures such that those that rank alike stand together."""
        from scipy.cluster.hierarchy import leaves_list

        return tuple(leaves_list(self.tree).tolist()) if len(self.measures) > 1 else (0,)

    @property
    def limits(self) -> tuple[float, float]:
        """Range of a colour scale, in tenths, wide enough that small differences do not look large."""
        known = self.values[np.isfinite(self.values)]
        if self.method in DISTANCES:
            return 0.0, max(0.2, float(np.ceil(known.max(initial=0.0) * 10) / 10))
        return min(0.8, float(np.floor(known.min(initial=1.0) * 10) / 10)), 1.0

    def clusters(self, distance: float) -> tuple[tuple[str, ...], ...]:
        """Find clusters of measures at a distance of the tree.

        Parameters
        ----------
        distance
            The largest mean distance of two clusters that are joined.
        """
        from scipy.cluster.hierarchy import fcluster

        if len(self.measures) == 1:
            return (self.measures,)
        numbers = fcluster(self.tree, distance, "distance")
        found: dict[int, list[str]] = {}
        for at in self.order:
            found.setdefault(int(numbers[at]), []).append(self.measures[at])
        return tuple(map(tuple, found.values()))


def rank_correlation(entrants: Entrants, method: str) -> RankCorrelation:
    """Compare the rankings of the runs by all measures."""
    values = correlation_matrix(entrants.merits, method=method)
    drawn = correlation_matrix(entrants.replicated, method=method)
    low, high = interval(drawn, values, level=entrants.comparison.plan.level)
    return RankCorrelation(method, entrants.measures, values, low, high, _error(entrants.merits, method))


def _error(merits: Numbers, method: str) -> Numbers:
    """Jackknife standard errors over the runs."""
    runs = len(merits)
    if runs <= 2:  # noqa: PLR2004 - of one run there is no ranking
        return np.full((merits.shape[1],) * 2, np.nan)
    without = np.stack([np.delete(merits, run, axis=0) for run in range(runs)])
    found = correlation_matrix(without, method=method)
    spread = ((found - found.mean(axis=0)) ** 2).sum(axis=0)
    return np.asarray(np.sqrt((runs - 1) / runs * spread))


BEYOND = 2e-12
"""Differences of scores that the tests take for equal differ by less."""


@dataclass(frozen=True, eq=False, repr=False)
class Power(Brief):
    """Discriminative power of measures: they are consistent, not therefore valid [sakai2006]_.

    Parameters
    ----------
    measures
        Notations of the measures.
    alpha
        Significance level.
    pairs
        Number of pairs of runs.
    share, adjusted
        Share of the pairs with a significant difference, per measure, before and after the correction for
        the number of pairs.
    errors
        Bootstrap standard errors, over samples, of the difference of `adjusted` of two measures, measures ×
        measures: a pair counts where its difference is as large as those that are significant.
    needed
        The least difference that is significant for every pair, by the bootstrap test of differences, per
        measure; nan where there are too few resamples for any.
    curves
        All p-values of a measure in descending order, measures × pairs.
    """

    measures: tuple[str, ...]
    alpha: float
    pairs: int
    share: Numbers
    adjusted: Numbers
    errors: Numbers
    needed: Numbers
    curves: Numbers

    @property
    def _brief(self) -> str:
        return pluralise_all(measure=len(self.measures), pair=self.pairs)

    @property
    def order(self) -> NDArray[np.intp]:
        """Positions of the measures, the most powerful first."""
        return np.argsort(-self.share, kind="stable")

    @property
    def width(self) -> float:
        """Pairs that a figure of the curves shows: beyond, all lie below alpha."""
        above = int((self.curves >= self.alpha).sum(axis=1).max(initial=0))
        return min(max(self.pairs, 1), 1.5 * above + 5) + 0.5


def power(entrants: Entrants) -> Power:
    """Compute the discriminative power of each measure."""
    comparison, chosen = entrants.comparison, list(entrants.positions)
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
        _errors_of_power(comparison, chosen, (adjusted < alpha).sum(axis=1)),
        _needed_difference(comparison, chosen),
        -np.sort(-p, axis=1),
    )


def _share_below(p_values: Numbers, alpha: float) -> Numbers:
    return divide((p_values < alpha).sum(axis=1), np.isfinite(p_values).sum(axis=1))


def _errors_of_power(comparison: Comparison, chosen: list[int], significant: NDArray[np.intp]) -> Numbers:
    """Compute standard errors of differences of power: so many pairs of each measure are significant."""
    drawn, scores, pairs = comparison.replicates, comparison.finite, [*combinations(chosen, 2)]
    spread = np.stack([(drawn[:, a] - drawn[:, b]).std(axis=0) for a, b in pairs])
    far = divide(np.abs(np.stack([scores[a] - scores[b] for a, b in pairs])), spread)
    columns, ordered = np.arange(len(significant)), -np.sort(-far, axis=0)
    least = ordered[np.maximum(significant, 1) - 1, columns]  # without any, as if the first pair were
    told = np.zeros((len(drawn), len(significant)))
    for (a, b), scale in zip(pairs, spread, strict=True):
        told += divide(np.abs(drawn[:, a] - drawn[:, b]), scale) >= least
    return np.asarray(np.std(told[:, :, None] - told[:, None], axis=0) / len(pairs))


def _needed_difference(comparison: Comparison, chosen: list[int]) -> Numbers:
    """Least difference that few resamples of any pair exceed by chance: Sakai (2006), section 3.3."""
    scores, drawn = comparison.finite[chosen], comparison.replicates[:, chosen]
    needed = np.full(len(comparison.measures), np.nan)
    # A p-value is (1 + count of resamples beyond) / (1 + resamples): so many may be beyond.
    counts = np.arange(len(drawn))
    few = np.count_nonzero((1 + counts) / (1 + len(drawn)) < comparison.plan.alpha)
    for a, b in combinations(range(len(chosen)), 2) if few else ():
        away = np.abs(drawn[:, a] - drawn[:, b] - (scores[a] - scores[b]))
        largest_first = -np.sort(-away, axis=0)  # what is undefined comes last
        needed = np.fmax(needed, largest_first[few - 1] + BEYOND)
    return needed


BINS = 10
"""Bins of the differences of runs: as many swaps in each, and none in the last."""


@dataclass(frozen=True, eq=False, repr=False)
class Stability(Brief):
    """How far the ranking of the runs depends on the samples [voorhees2002]_.

    Parameters
    ----------
    measures
        Notations of the measures.
    tau, low, high
        Mean and percentiles of τ_b between the ranking of a bootstrap resample and that of the samples.
    halves
        Mean τ_b between the rankings of two random halves of the samples; nan for measures that cannot be
        summed.
    swaps
        Share of the pairs of runs that two halves put in different orders; a tie in one is half a swap.
    differences
        Bounds of bins of differences between two runs in the first half, measures × (bins + 1), upper bounds
        included: quantiles of the differences that the other half swaps. The last bin holds all larger ones.
    swaps_by_difference
        Share of swaps among the pairs whose difference lies in each bin, measures × bins.
    swaps_beyond
        The same among the pairs whose difference lies in this bin or a later one.
    """

    measures: tuple[str, ...]
    tau: Numbers
    low: Numbers
    high: Numbers
    halves: Numbers
    swaps: Numbers
    differences: Numbers
    swaps_by_difference: Numbers
    swaps_beyond: Numbers

    @property
    def _brief(self) -> str:
        return pluralise(len(self.measures), "measure")

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
    return Stability(entrants.measures, mean, low, high, mean_of_defined(between), *_swaps(first, second))


def _halves(entrants: Entrants) -> tuple[Numbers, Numbers]:
    """Oriented scores of the runs on random halves: resamples × runs × measures."""
    comparison, plan = entrants.comparison, entrants.comparison.plan
    rows = [RunRows.from_evaluation(comparison.evaluations[run]) for run in entrants.names]
    sides = np.full((2, plan.resamples, len(rows), len(comparison.measures)), np.nan)

    def both(sums: RunSums, totals: RunSums, others: RunSums | None) -> list[NDArray[Any]]:
        return [*sums, *(map(np.subtract, totals, sums) if others is None else others)]

    # Measures that cannot be summed have no halves.
    halves = Halves(resamples=plan.resamples, seed=plan.seed)
    for begin, end, scores in weighted(rows, halves, both, complement=True):
        merits = merits_of(scores, comparison.measures.values())
        sides[:, begin:end] = np.moveaxis(merits.reshape(end - begin, 2, len(rows), -1), 1, 0)
    return sides[0], sides[1]


def _swaps(first: Numbers, second: Numbers) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Share the pairs of runs that two halves swap: of all, bins, in each bin, and from each bin on."""
    a, b = np.triu_indices(first.shape[1], 1)
    before, after = (side[:, a] - side[:, b] for side in (first, second))
    swapped = np.abs(np.sign(before) - np.sign(after)) / 2
    measures = first.shape[2]
    overall, bounds = np.full(measures, np.nan), np.full((measures, BINS + 1), np.nan)
    by_difference, beyond = np.full((2, measures, BINS), np.nan)
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
        swapped_in, pairs_in = swap @ marks, marks.sum(axis=0)
        by_difference[column] = divide(swapped_in, pairs_in)
        beyond[column] = divide(swapped_in[::-1].cumsum(), pairs_in[::-1].cumsum())[::-1]
    return overall, bounds, by_difference, beyond


@dataclass(frozen=True, eq=False, repr=False)
class Winners(Brief):
    """Runs that are first by each measure.

    Parameters
    ----------
    runs
        Names of the runs.
    measures
        Notations of the measures.
    first
        For each measure the runs that are first; none where it is undefined for all.
    share
        Share of the bootstrap resamples that each run wins, runs × measures; ties are shared. Resamples
        in which a measure is undefined for all runs do not count.
    changes
        Share of the resamples in which no run is first by both measures, measures × measures.
    """

    runs: tuple[str, ...]
    measures: tuple[str, ...]
    first: tuple[tuple[str, ...], ...]
    share: Numbers
    changes: Numbers

    @property
    def _brief(self) -> str:
        return pluralise_all(run=len(self.runs), measure=len(self.measures))

    @property
    def order(self) -> NDArray[np.intp]:
        """Positions of the runs, the most frequent winner first."""
        return np.argsort(-np.nan_to_num(self.share).mean(axis=1), kind="stable")


def winners(entrants: Entrants) -> Winners:
    """Find the winners by each measure."""
    first = tuple(
        tuple(run for run, won in zip(entrants.names, column, strict=True) if won)
        for column in _unsurpassed(entrants.merits).T.tolist()
    )
    won = _unsurpassed(entrants.replicated)
    number = won.sum(axis=1, keepdims=True)
    won_by_any = number[:, 0] > 0
    share = divide((won / np.maximum(number, 1)).sum(axis=0), won_by_any.sum(axis=0))
    both = won_by_any.T.astype(float) @ won_by_any
    shared = np.array([(won & won[:, :, [column]]).any(axis=1).sum(axis=0) for column in range(len(first))])
    return Winners(entrants.names, entrants.measures, first, share, 1 - divide(shared, both))


def _unsurpassed(merits: Numbers) -> NDArray[np.bool_]:
    """Mark the runs that no other surpasses, along the last axis but one."""
    defined = np.where(np.isnan(merits), -np.inf, merits)
    best = defined.max(axis=-2, keepdims=True)
    return np.asarray((defined == best) & (best > -np.inf))
