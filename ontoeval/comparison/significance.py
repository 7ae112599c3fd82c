"""Significance of differences of runs: randomisation, bootstrap, Tukey HSD and Holm's procedure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import combinations, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.comparison.products import StatisticSums
from ontoeval.comparison.replication import RunRows, StepCallback, chunks_in_memory, weighted_sums
from ontoeval.core.resampling import ROUNDING, Bootstrap, Orders, Swaps, chunks
from ontoeval.measures.base import compute, info
from ontoeval.measures.flat import SampleMeans
from ontoeval.measures.sums import Of, Rows, Statistic, Summed, Weighted, add_sums
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import row_of_entries
from ontoeval.plumbing.workers import mapped

_SPREAD = 500_000
"""Numbers of dense rows held at a time: 4 MB."""

_OFTEN = 1 / 8
"""In which share of the rows a number must differ for whole rows to be added faster than single numbers."""


def randomisation(runs: Sequence[RunRows], swaps: Swaps, step: StepCallback = lambda: None) -> Numbers:
    """p-values of all pairs of runs, measures × runs × runs, by exchanging two runs in random samples.

    The null hypothesis is that it makes no difference which run labelled a sample. The test is of the whole
    measure, not of a mean over samples: the sums of the exchanged runs are ``total + swapped - own swapped``.
    """
    scores = np.stack([run.score for run in runs])
    beyond = np.zeros((len(runs), *scores.shape))

    def counted(found: list[StatisticSums]) -> Numbers:
        return _count_beyond(scores, partial(_exchange_differences, runs, found))

    for _, _, counts in weighted_sums(runs, swaps, counted, step):
        beyond += counts
    return _p_values(beyond, swaps.resamples, scores)


def _exchange_differences(
    runs: Sequence[RunRows], swapped: Sequence[StatisticSums], a: int, b: int
) -> Numbers:
    """Differences of two runs after each exchange."""
    moved = {one: swapped[b][one] - swapped[a][one] for one in runs[a].total}
    first = runs[a].scores({one: total + moved[one] for one, total in runs[a].total.items()})
    second = runs[b].scores({one: total - moved[one] for one, total in runs[b].total.items()})
    return first - second


def bootstrap_test(
    runs: Sequence[RunRows],
    scores: Numbers,
    replicates: Numbers,
    bootstrap: Bootstrap,
    step: StepCallback = lambda: None,
) -> Numbers:
    """p-values of all pairs of runs, by the bootstrap distribution of their difference, shifted to 0.

    Means over samples are studentised: the difference in each resample is divided by its standard error.
    """
    beyond = _shifted(scores, replicates)
    for column, measure in enumerate(runs[0].measures.values()):
        values = _values_of_samples(runs, measure)
        if values is not None:
            beyond[:, :, column] = _studentised(runs, values, bootstrap)
            step()
    return _p_values(beyond, bootstrap.resamples, scores)


def shifted_test(scores: Numbers, replicates: Numbers) -> Numbers:
    """p-values of all pairs of runs, by the bootstrap distribution of their difference, not studentised."""
    return _p_values(_shifted(scores, replicates), len(replicates), scores)


def _shifted(scores: Numbers, replicates: Numbers) -> Numbers:
    """Differences of resamples, shifted to 0, that are as large as those observed: for each pair of runs."""
    return _count_beyond(scores, lambda a, b: replicates[:, a] - replicates[:, b] - (scores[a] - scores[b]))


def tukey(runs: Sequence[RunRows], orders: Orders, step: StepCallback = lambda: None) -> Numbers:
    """p-values of all pairs of runs at once, by Tukey's honestly significant difference, randomised.

    All runs are exchanged at random in each sample, and a difference counts against the largest one between
    any two of the exchanged runs, see [carterette2012]_ section 4.3: this controls the family-wise error.
    """
    scores = np.stack([run.score for run in runs])
    exchanges = list(mapped(_Exchange.from_rows, list(zip(*(run.rows for run in runs), strict=True))))

    def spans(chunk: tuple[int, int]) -> list[Numbers]:
        return [
            _largest_difference(runs, exchanges, orders, chunk, part)
            for part in chunks_in_memory(runs, *chunk)
        ]

    found: list[Numbers] = []
    for some in mapped(spans, chunks(orders.resamples)):
        found += some
        step()
    span = np.concatenate(found)
    return _p_values(_count_beyond(scores, lambda _a, _b: span), orders.resamples, scores)


def _largest_difference(
    runs: Sequence[RunRows],
    exchanges: Sequence[_Exchange],
    orders: Orders,
    chunk: tuple[int, int],
    part: tuple[int, int],
) -> Numbers:
    """Largest difference between any two of the exchanged runs, in part of a chunk of resamples."""
    first, last = (end - chunk[0] for end in part)
    found: StatisticSums = {}
    for exchange, (_, portion) in zip(exchanges, runs[0].portions, strict=True):
        add_sums(found, exchange.sums(orders.draw(*chunk, portion)[first:last]))
    exchanged = runs[0].scores(found)
    return np.asarray(exchanged.max(axis=1) - exchanged.min(axis=1))


@dataclass(frozen=True, eq=False)
class _Exchange:
    """Rows of all runs, sample by sample, less what most runs share, which no exchange moves.

    Of columns that are equal but for the sign, such as missed and right labels, `differing` has one: `place`
    is where, times `sign`.
    """

    columns: Mapping[Statistic, slice]
    shared: Numbers
    differing: sparse.csr_array
    place: NDArray[np.intp]
    sign: Numbers

    @classmethod
    def from_rows(cls, runs: Sequence[Mapping[Statistic, Summed]]) -> _Exchange:
        """Put the statistics side by side, and take away the mean of the runs, a whole number off the first.

        So nothing is left of what is the same for all runs, such as numbers of the truth alone.
        """
        tables = [[_as_sparse(rows) for rows in of_run.values()] for of_run in runs]
        ends = np.cumsum([0, *(table.shape[1] for table in tables[0])]).tolist()
        rows = [sparse.hstack(several, format="csr") for several in tables]
        off = sparse.csr_array(sum(rows[1:], start=rows[0]) / len(rows) - rows[0])
        off.data = np.where(np.isfinite(off.data), np.rint(off.data), 0.0)
        shared = sparse.csr_array(rows[0] + off)
        shared.data = np.where(np.isfinite(shared.data), shared.data, 0.0)
        by_sample = np.arange(len(runs) * shared.shape[0]).reshape(len(runs), -1).T.ravel()
        differing = sparse.vstack([one - shared for one in rows], format="csr")[by_sample]
        differing.eliminate_zeros()
        columns = {one: slice(*ends[at : at + 2]) for at, one in enumerate(runs[0])}
        different, place, sign = _up_to_sign(differing)
        return cls(columns, np.asarray(shared.sum(axis=0)), differing[:, different], place, sign)

    @cached_property
    def frequent_columns(self) -> NDArray[np.bool_]:
        """Which columns differ between the runs in many samples."""
        rows, width = self.differing.shape
        return np.bincount(self.differing.indices, minlength=width) > _OFTEN * rows

    @cached_property
    def rare_entries(self) -> tuple[NDArray[np.intp], NDArray[np.intp], Numbers]:
        """Rows, columns and values of the differences in the other columns."""
        entries = np.flatnonzero(~self.frequent_columns[self.differing.indices])
        rows, columns = row_of_entries(self.differing)[entries], self.differing.indices[entries]
        return rows, columns.astype(np.intp), self.differing.data[entries]

    def sums(self, places: NDArray[np.integer]) -> StatisticSums:
        """Sum the rows that stand in each place: resamples × runs × numbers."""
        resamples, samples, runs = places.shape
        sums = np.empty((resamples, runs, self.differing.shape[1]))
        rows, columns, values = self.rare_entries
        for total, each in zip(sums, places, strict=True):
            cells = (each.ravel().astype(np.intp) * total.shape[1])[rows]
            cells += columns
            total[:] = np.bincount(cells, values, minlength=total.size).reshape(total.shape)
        often = np.flatnonzero(self.frequent_columns)
        step = max(1, _SPREAD // (runs * max(often.size, 1)))
        for begin in range(0, samples if often.size else 0, step):
            block = self.differing[begin * runs : (begin + step) * runs][:, often].toarray()
            each_once = np.ones(len(block)), np.zeros(len(block), np.int32), np.arange(len(block) + 1)
            put = sparse.csc_array(each_once, shape=(runs, len(block)))  # into its place, for each resample
            for total, each in zip(sums, places[:, begin : begin + step], strict=True):
                put.indices[:] = each.ravel()
                total[:, often] += put @ block
        return {
            one: self.shared[columns] + self.sign[columns] * sums[..., self.place[columns]]
            for one, columns in self.columns.items()
        }


def _up_to_sign(rows: sparse.csr_array) -> tuple[list[int], NDArray[np.intp], Numbers]:
    """Find columns that differ by more than the sign: the first of each kind, and place and sign of all."""
    table, known = sparse.csc_array(rows), dict[tuple[bytes, bytes], int]()
    filled = np.diff(table.indptr) > 0
    sign = np.ones(filled.size)
    sign[filled] = np.sign(table.data[table.indptr[:-1][filled]])
    place = np.empty(filled.size, dtype=np.intp)
    for column, (begin, end) in enumerate(pairwise(table.indptr.tolist())):
        key = table.indices[begin:end].tobytes(), (sign[column] * table.data[begin:end]).tobytes()
        place[column] = known.setdefault(key, len(known))
    first = np.unique(place, return_index=True)[1]
    return first.tolist(), place, sign * sign[first][place]


def _as_sparse(rows: Summed) -> sparse.csr_array:
    parts = [rows.values] if isinstance(rows, Rows) else rows.blocks()
    return sparse.csr_array(sparse.vstack([sparse.csr_array(part) for part in parts]))


def _count_beyond(scores: Numbers, differences: Callable[[int, int], Numbers]) -> Numbers:
    """For each pair of runs, count the differences, resamples × measures, as large as that of the scores."""
    counts = np.zeros((len(scores), *scores.shape))
    for a, b in combinations(range(len(scores)), 2):
        counts[a, b] = _at_least(differences(a, b), scores[a] - scores[b])
    return counts


def _at_least(differences: Numbers, observed: Numbers) -> NDArray[np.intp]:
    """Count, along the first axis, the differences as large as the one observed; undefined ones, too."""
    with np.errstate(invalid="ignore"):
        smaller = np.abs(differences) < np.abs(observed) - ROUNDING
    return np.asarray((~smaller).sum(axis=0))


def _p_values(beyond: Numbers, resamples: int, scores: Numbers) -> Numbers:
    """Symmetric p-values, measures × runs × runs, of counts above the diagonal, runs × runs × measures."""
    p = np.moveaxis((1 + beyond) / (1 + resamples), -1, 0)
    undefined = np.isnan(scores.T)
    p[undefined[:, :, None] | undefined[:, None, :]] = np.nan
    upper = np.triu(np.ones(p.shape[1:], dtype=bool), 1)
    return np.asarray(np.where(upper, p, np.where(upper.T, np.swapaxes(p, 1, 2), np.nan)))


def _values_of_samples(runs: Sequence[RunRows], measure: Any) -> Numbers | None:  # noqa: ANN401 - of any class
    """Scores samples × runs where the measure is their mean and all are defined; otherwise None."""
    statistic = measure.statistic if info(measure, "mergeable") else None
    inner = statistic
    while isinstance(inner, Of):
        inner = inner.statistic
    if statistic is None or not isinstance(inner, SampleMeans) or len(inner.quantities) > 1:
        return None
    values = [
        np.concatenate(
            [
                compute(measure, block)
                for part in run.rows
                for block in _unweighted_rows(part[statistic]).blocks()
            ]
        )
        for run in runs
    ]
    table = np.stack(values, axis=-1)
    return table if np.isfinite(table).all() else None


def _unweighted_rows(rows: Summed) -> Summed:
    """Rows of samples that each count once."""
    return rows.rows if isinstance(rows, Weighted) else rows


def _studentised(runs: Sequence[RunRows], values: Numbers, bootstrap: Bootstrap) -> Numbers:
    """For each pair of runs, count the resamples with a studentised difference as large as that observed."""
    first, second = np.triu_indices(len(runs), 1)
    differences, given = values[:, first] - values[:, second], runs[0].weights
    observed = differences.mean(axis=0) if given is None else np.average(differences, axis=0, weights=given)
    shifted = differences - observed
    error = (
        differences.std(axis=0)
        if given is None
        else _means_and_errors(np.ones((1, len(given))), given, shifted)[1][0]
    )
    limit = _per_error(observed, error)
    counts = np.zeros((len(runs), len(runs)))

    def counted(chunk: tuple[int, int]) -> NDArray[np.intp]:
        drawn = ((place, bootstrap.draw(*chunk, portion)) for place, portion in runs[0].portions)
        if given is not None:
            whole = np.concatenate([weights for _, weights in drawn], axis=1)
            return _at_least(_per_error(*_means_and_errors(whole, given, shifted)), limit)
        number: Any = 0.0
        sums: Any = 0.0
        squares: Any = 0.0
        for place, weights in drawn:
            number = number + weights.sum(axis=1)[:, None]
            sums = sums + weights @ shifted[place]
            squares = squares + weights @ shifted[place] ** 2
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = sums / number
            spread = np.sqrt(np.maximum(squares / number - mean**2, 0.0))
        return _at_least(_per_error(mean, spread), limit)

    for found in mapped(counted, chunks(bootstrap.resamples)):
        counts[first, second] += found
    return counts


def _means_and_errors(counts: Numbers, weights: Numbers, values: Numbers) -> tuple[Numbers, Numbers]:
    """Weighted means of resamples, and their standard errors but for the number of samples, linearised."""
    first, second = counts * weights, counts * weights**2
    number = first.sum(axis=1)[:, None]
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = first @ values / number
        squares = second @ values**2 - 2 * mean * (second @ values) + mean**2 * second.sum(axis=1)[:, None]
        return mean, np.sqrt(np.maximum(squares, 0.0) * counts.sum(axis=1)[:, None]) / number


def _per_error(mean: Numbers, spread: Numbers) -> Numbers:
    """Studentise, but for the number of samples, which would divide all alike."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(np.abs(mean) <= ROUNDING, 0.0, mean / np.where(spread <= ROUNDING, 0.0, spread))


def holm(p_values: Numbers) -> Numbers:
    """Adjust the p-values of all pairs, measures × runs × runs, for their number by Holm's procedure."""
    first, second = np.triu_indices(p_values.shape[-1], 1)
    family = p_values[:, first, second]
    order = np.argsort(family, axis=-1)  # nan last
    defined = np.isfinite(family).sum(axis=-1, keepdims=True)
    factors = np.maximum(defined - np.arange(family.shape[-1]), 1)
    raised = np.maximum.accumulate(np.take_along_axis(family, order, axis=-1) * factors, axis=-1)
    np.put_along_axis(family, order, np.minimum(raised, 1.0), axis=-1)
    adjusted = np.full(p_values.shape, np.nan)
    adjusted[:, first, second] = adjusted[:, second, first] = family
    return adjusted
