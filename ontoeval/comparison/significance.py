"""Significance of differences of runs: randomisation, bootstrap, Tukey HSD and Holm's procedure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from itertools import chain, combinations, groupby, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.comparison.products import ColumnBlock, RowProducts
from ontoeval.comparison.replication import RunRows, StepCallback, resampled, weighted
from ontoeval.core.resampling import ROUNDING, Bootstrap, Orders, Swaps, chunks
from ontoeval.measures.base import compute, info
from ontoeval.measures.flat import SampleMeans
from ontoeval.measures.sums import Of
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.workers import mapped

_SPREAD = 500_000
"""Numbers of dense rows held at a time: 4 MB."""


def randomisation(
    runs: Sequence[RunRows],
    swaps: Swaps,
    step: StepCallback = lambda: None,
    products: RowProducts | None = None,
) -> Numbers:
    """p-values of all pairs of runs, measures × runs × runs, by exchanging two runs in random samples.

    The null hypothesis is that it makes no difference which run labelled a sample. The test is of the whole
    measure, not of a mean over samples: the sums of an exchanged run are its own over the samples that are
    kept, and those of the other run over the samples that are swapped.
    """
    scores = np.stack([run.score for run in runs])
    beyond = np.zeros((len(runs), *scores.shape))
    for _, _, found in weighted(runs, swaps, _exchanged, step, complement=True, products=products):
        beyond += _count_beyond(scores, np.moveaxis(found[:, ::2] - found[:, 1::2], 1, 0))
    return _p_values(beyond, swaps.resamples, scores)


def _exchanged(
    swapped: Sequence[NDArray[Any]], totals: Sequence[NDArray[Any]], kept: Sequence[NDArray[Any]] | None
) -> Iterator[NDArray[Any]]:
    """Add up both runs of each pair after an exchange; equal rows need none."""
    for a, b in combinations(range(len(totals)), 2):
        if swapped[a] is swapped[b]:
            yield from (totals[a], totals[b])
        elif kept is None:
            moved = swapped[b] - swapped[a]
            yield from (totals[a] + moved, totals[b] - moved)
        else:
            yield from (kept[a] + swapped[b], kept[b] + swapped[a])


def bootstrap_test(
    runs: Sequence[RunRows], scores: Numbers, replicates: Numbers, bootstrap: Bootstrap
) -> Numbers:
    """p-values of all pairs of runs, by the bootstrap distribution of their difference, shifted to 0.

    Means over samples are studentised: the difference in each resample is divided by its standard error.
    """
    beyond = _shifted(scores, replicates)
    for column, measure in enumerate(runs[0].measures.values()):
        values = _values_of_samples(runs, measure)
        if values is not None:
            beyond[:, :, column] = _studentised(runs, values, bootstrap)
    return _p_values(beyond, bootstrap.resamples, scores)


def shifted_test(scores: Numbers, replicates: Numbers) -> Numbers:
    """p-values of all pairs of runs, by the bootstrap distribution of their difference, not studentised."""
    return _p_values(_shifted(scores, replicates), len(replicates), scores)


def _shifted(scores: Numbers, replicates: Numbers) -> Numbers:
    """Differences of resamples, shifted to 0, that are as large as those observed: for each pair of runs."""
    pairs = combinations(range(len(scores)), 2)
    return _count_beyond(
        scores, (replicates[:, a] - replicates[:, b] - (scores[a] - scores[b]) for a, b in pairs)
    )


def tukey(
    runs: Sequence[RunRows],
    orders: Orders,
    step: StepCallback = lambda: None,
    products: RowProducts | None = None,
) -> Numbers:
    """p-values of all pairs of runs at once, by Tukey's honestly significant difference, randomised.

    All runs are exchanged at random in each sample, and a difference counts against the largest one between
    any two of the exchanged runs, see [carterette2012]_ section 4.3: this controls the family-wise error.
    """
    products, several = products or RowProducts.from_runs(runs), range(len(runs))
    scores = np.stack([run.score for run in runs])
    parts = [(one, at) for one in products.blocks for at in range(len(one.tables)) if not one.is_shared(at)]
    # Rows are added where columns are few and runs many; elsewhere marks are multiplied for each place.
    every, columns = len(runs) * sum(products.samples), sum(block.width for block, _ in parts)
    few = columns * every < (len(runs) - 1) * (products.marks + 6 * every * len(parts))
    # Exact sums of the last place are what the others leave.
    places_summed = several[:-1] if products.precision == np.float32 else several
    tables = [_rows_by_sample(products, at, parts if few else []) for at in range(len(products.samples))]

    def spans(drawn: Iterator[NDArray[np.integer]]) -> Numbers:
        by_place, standing = list[Any](), list[list[NDArray[Any]]]()
        for rows, places in zip(tables, drawn, strict=True):
            found = _summed_by_place(rows, places)
            by_place = [one + more for one, more in zip(by_place, found, strict=True)] if by_place else found
            masks = (places.transpose(2, 1, 0) == place for place in places_summed if not few)
            standing.append([np.array(mask, products.precision, order="C") for mask in masks])
        known: dict[Any, NDArray[Any]] = dict(zip(parts, by_place[len(products.once) :], strict=few))

        def summed(block: ColumnBlock, part: int) -> Iterable[NDArray[Any]]:
            if block.is_shared(part):
                return block.once[part]
            if few:
                return known[block, part]
            found = list[NDArray[Any]]()
            for place in places_summed:
                weights = [[portion[place][run] for portion in standing] for run in several]
                found.append(reduce(np.add, block.sums(part, weights)))
            if len(found) < len(runs):
                found.append(reduce(np.add, block.once[part]) - reduce(np.add, found))
            return found

        exchanged = products.scores(dict(zip(products.once, by_place, strict=False)), summed)
        return np.asarray(exchanged.max(axis=1) - exchanged.min(axis=1))

    width = sum(table.shape[1] for table in tables[0])
    numbers = products.held + len(runs) * width + (not few) * len(places_summed) * every
    found = [span for *_, span in resampled(runs, orders, spans, numbers, step)]
    return _p_values(_count_beyond(scores, repeat(np.concatenate(found))), orders.resamples, scores)


def _rows_by_sample(products: RowProducts, at: int, spread: Sequence[tuple[ColumnBlock, int]]) -> list[Any]:
    """Tables of the dense rows of a portion: all runs of a sample, then those of the next."""
    dense = [columns.dense[at] for columns in products.columns.values()]
    tables = [np.stack([np.concatenate([*rows.blocks()]) for rows in runs], axis=1) for runs in dense]
    for block, part in spread:
        runs = [run[at] for run in block.tables[part]]
        kind = np.int8 if products.precision == np.float32 else np.float64
        tables.append(np.empty((runs[0].shape[1], len(runs), runs[0].shape[0]), kind))
        for place, run in enumerate(runs):
            tables[-1][:, place] = run.toarray().T
    return [table.reshape(len(table) * table.shape[1], table.shape[2]) for table in tables]


def _summed_by_place(tables: Sequence[Any], places: NDArray[np.integer]) -> list[NDArray[Any]]:
    """Sum the rows of each table that stand in each place: runs × numbers × resamples."""
    found, (resamples, samples, runs) = list[Any](), places.shape
    for kind, several in groupby(tables, lambda table: np.float32 if table.dtype == np.int8 else np.float64):
        some = list(several)
        ends = np.cumsum([table.shape[1] for table in some])
        sums, step = np.zeros((resamples, runs, ends[-1]), kind), 1 + _SPREAD // (1 + runs * int(ends[-1]))
        for begin in range(0, samples, step):
            rows = slice(begin * runs, (begin + step) * runs)
            block = np.concatenate([table[rows] for table in some], axis=1, dtype=kind)
            once: Any = np.ones(len(block), kind), np.zeros(len(block), np.int32), np.arange(len(block) + 1)
            # Each row is put into its place, for each resample.
            put: Any = sparse.csc_array(once, shape=(runs, len(block)))
            for resample, each in enumerate(places[:, begin : begin + step]):
                put.indices[:] = each.ravel()
                sums[resample] += put @ block
        found += np.split(sums.transpose(1, 2, 0), ends[:-1], axis=1)
    return found


def _count_beyond(scores: Numbers, differences: Iterable[Numbers]) -> Numbers:
    """For each pair of runs, count the differences, resamples × measures, as large as that of the scores."""
    counts = np.zeros((len(scores), *scores.shape))
    for (a, b), of_pair in zip(combinations(range(len(scores)), 2), differences, strict=False):
        counts[a, b] = _at_least(of_pair, scores[a] - scores[b])
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
    rows = [[part[statistic] for part in run.rows] for run in runs]  # samples count once, whatever they weigh
    blocks = [chain(*(getattr(part, "rows", part).blocks() for part in parts)) for parts in rows]
    table = np.stack([np.concatenate([compute(measure, one) for one in some]) for some in blocks], axis=-1)
    return table if np.isfinite(table).all() else None


def _studentised(runs: Sequence[RunRows], values: Numbers, bootstrap: Bootstrap) -> Numbers:
    """For each pair of runs, count the resamples with a studentised difference as large as that observed."""
    first, second = np.triu_indices(len(runs), 1)
    weights, portions = runs[0].weights, runs[0].portions
    if (groups := runs[0].groups) is not None:  # the mean of each group is one value
        values = groups.totals(values * groups.weights(weights)[:, None])
        weights, portions = None, [(slice(None), groups.portion)]
    differences = values[:, first] - values[:, second]
    given = np.ones((len(values), 1)) if weights is None else weights[:, None]
    observed = np.average(differences, axis=0, weights=given[:, 0])
    heavy = given * (differences - observed)
    parts = np.ones(given.shape), given, given**2, heavy, heavy * given, heavy**2
    rows, ends = np.concatenate(parts, axis=1), np.cumsum([part.shape[1] for part in parts[:-1]])
    counts = np.zeros((len(runs), len(runs)))

    def moments(sums: Numbers) -> tuple[Numbers, Numbers]:
        """Means of resamples, and their standard errors but for the number of samples, linearised."""
        number, weight, squares, total, crossed, spread = np.split(sums, ends, axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = total / weight
            spread = np.maximum(spread - 2 * mean * crossed + mean**2 * squares, 0.0)
            return mean, np.sqrt(spread * number) / weight

    limit = _per_error(observed, moments(rows.sum(axis=0)[None])[1][0])

    def counted(chunk: tuple[int, int]) -> NDArray[np.intp]:
        drawn = (bootstrap.draw(*chunk, portion) @ rows[place] for place, portion in portions)
        return _at_least(_per_error(*moments(reduce(np.add, drawn))), limit)

    for found in mapped(counted, chunks(bootstrap.resamples)):
        counts[first, second] += found
    return counts


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
