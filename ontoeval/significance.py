"""Significance: how often two runs would differ as much as they do, if they were equally good."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.intervals import ROUNDING
from ontoeval.measures.base import fact
from ontoeval.measures.others import computed
from ontoeval.replication import Numbers, RunRows, Sums, weighted
from ontoeval.resampling import Bootstrap, Orders, Swaps, chunks
from ontoeval.statistics.means import SampleMeans
from ontoeval.statistics.sets import Of
from ontoeval.statistics.sums import Statistic, add_sums

Step = Callable[[], None]

_CACHED = 200_000
"""Most numbers of rows that are spread out at a time: 1.6 MB."""

_SPARSE = 30
"""How many times as long it takes to merge a number as to add it: rows with a smaller share stay sparse."""


def randomisation(runs: Sequence[RunRows], swaps: Swaps, step: Step = lambda: None) -> Numbers:
    """Test all pairs of runs by exchanging them in random samples.

    The null hypothesis is that it makes no difference which run labelled a sample. The test is of the whole
    measure, not of a mean over samples: the sums of the exchanged runs are ``total + swapped - own swapped``.

    Parameters
    ----------
    runs
        Rows of runs over the same samples.
    swaps
        How samples are drawn.
    step
        Called after each chunk.

    Returns
    -------
    ndarray of float
        Measures × runs × runs: (1 + number of randomisations with a difference at least as large) / (1 +
        number of randomisations), so never 0; nan on the diagonal, and for measures that cannot be summed.

    References
    ----------
    [noreen1989]_, [smucker2007]_
    """
    scores = np.stack([run.score for run in runs])
    beyond = np.zeros((len(runs), len(runs), scores.shape[1]))
    for _, _, found in weighted(runs, swaps):
        for a, b in combinations(range(len(runs)), 2):
            moved = {one: found[b][one] - found[a][one] for one in runs[a].total}
            first = runs[a].scores({one: total + moved[one] for one, total in runs[a].total.items()})
            second = runs[b].scores({one: total - moved[one] for one, total in runs[b].total.items()})
            beyond[a, b] += _at_least(first - second, scores[a] - scores[b])
        step()
    return _p_values(beyond, swaps.resamples, scores)


def bootstrap_test(
    runs: Sequence[RunRows],
    scores: Numbers,
    replicates: Numbers,
    bootstrap: Bootstrap,
    step: Step = lambda: None,
) -> Numbers:
    """Test all pairs of runs by the bootstrap distribution of their difference, shifted to be none.

    Means over samples are studentised: of each resample the difference is divided by its standard error.

    Parameters
    ----------
    runs
        Rows of runs over the same samples.
    scores
        Runs × measures.
    replicates
        Resamples × runs × measures.
    bootstrap
        How the resamples were drawn.
    step
        Called after each chunk.

    Returns
    -------
    ndarray of float
        Measures × runs × runs, as `randomisation` returns it.

    References
    ----------
    [sakai2006]_ section 3.1, [efron1993]_ section 16.4.
    """
    beyond = np.zeros((len(runs), len(runs), scores.shape[1]))
    for a, b in combinations(range(len(runs)), 2):
        difference = scores[a] - scores[b]
        beyond[a, b] = _at_least(replicates[:, a] - replicates[:, b] - difference, difference)
    for column, measure in enumerate(runs[0].measures.values()):
        values = _values_of_samples(runs, measure)
        if values is not None:
            beyond[:, :, column] = _studentised(runs, values, bootstrap)
            step()
    return _p_values(beyond, bootstrap.resamples, scores)


def tukey(runs: Sequence[RunRows], orders: Orders, step: Step = lambda: None) -> Numbers:
    """Test all pairs of runs at once: Tukey's honestly significant difference, randomised.

    All runs are exchanged at random in each sample; a difference counts against the largest difference
    between any two of the exchanged runs, so the family of all pairs errs no more often than one test does.

    Parameters
    ----------
    runs
        Rows of runs over the same samples.
    orders
        How the runs are exchanged.
    step
        Called after each chunk.

    Returns
    -------
    ndarray of float
        Measures × runs × runs: adjusted p-values, as `randomisation` returns them.

    References
    ----------
    [carterette2012]_ section 4.3.
    """
    scores = np.stack([run.score for run in runs])
    beyond = np.zeros((len(runs), len(runs), scores.shape[1]))
    stacked = [_stacked(runs, which) for which in range(len(runs[0].portions))]
    for begin, end in chunks(orders.resamples):
        found: list[Sums] = [{} for _ in runs]
        for which, (_, portion) in enumerate(runs[0].portions):
            drawn = orders.draw(begin, end, portion)
            for statistic, rows in stacked[which].items():
                for some, block in _blocks(rows, len(runs)):
                    for place, sums in enumerate(found):
                        add_sums(sums, {statistic: _sum_chosen(drawn[:, some, place], block, len(runs))})
        exchanged = np.stack([run.scores(sums) for run, sums in zip(runs, found, strict=True)])
        span = exchanged.max(axis=0) - exchanged.min(axis=0)
        for a, b in combinations(range(len(runs)), 2):
            beyond[a, b] += _at_least(span, scores[a] - scores[b])
        step()
    return _p_values(beyond, orders.resamples, scores)


def _at_least(differences: Numbers, observed: Numbers) -> NDArray[np.intp]:
    """Count, along the first axis, the differences that are as large as the one observed.

    So is one that is undefined: a p-value is rather too large than too small.
    """
    with np.errstate(invalid="ignore"):
        smaller = np.abs(differences) < np.abs(observed) - ROUNDING
    return np.asarray((~smaller).sum(axis=0))


def _p_values(beyond: Numbers, resamples: int, scores: Numbers) -> Numbers:
    """Turn counts above the diagonal into a symmetric table, measures first."""
    p = np.moveaxis((1 + beyond) / (1 + resamples), -1, 0)
    undefined = np.isnan(scores.T)
    p[undefined[:, :, None] | undefined[:, None, :]] = np.nan
    upper = np.triu(np.ones(p.shape[1:], dtype=bool), 1)
    return np.asarray(np.where(upper, p, np.where(upper.T, np.swapaxes(p, 1, 2), np.nan)))


def _stacked(runs: Sequence[RunRows], which: int) -> dict[Statistic, Any]:
    """Stand the rows of a portion one below the other: those of all runs, sample by sample."""
    found: dict[Statistic, Any] = {}
    for statistic in runs[0].rows[which]:
        values = [cast("Any", run.rows[which][statistic]).values for run in runs]
        stack = sparse.vstack if sparse.issparse(values[0]) else np.concatenate
        by_sample = np.arange(len(runs) * values[0].shape[0]).reshape(len(runs), -1).T.ravel()
        found[statistic] = stack(values)[by_sample]
    return found


def _blocks(rows: Any, runs: int) -> Iterator[tuple[slice, Any]]:  # noqa: ANN401 - dense or sparse
    """Go through the rows of some samples at a time, and spread out what is not very sparse.

    Dense rows that lie in the processor's cache are summed faster than sparse ones are merged.
    """
    count, width = rows.shape
    samples, dense = count // runs, not sparse.issparse(rows)
    if dense or rows.nnz * _SPARSE < count * width:
        yield slice(samples), rows
        return
    step = max(1, _CACHED // (runs * width))
    for begin in range(0, max(samples, 1), step):
        yield slice(begin, begin + step), rows[begin * runs : (begin + step) * runs].toarray()


def _sum_chosen(drawn: NDArray[np.integer], rows: Any, runs: int) -> Numbers:  # noqa: ANN401 - dense or sparse
    """Sum the rows of the run that each resample draws for each sample."""
    number, size = drawn.shape
    chosen = drawn + np.arange(0, size * runs, runs, dtype=np.int32)
    begins = np.arange(number + 1, dtype=np.int32) * size
    places = sparse.csr_array((np.ones(chosen.size), chosen.ravel(), begins), shape=(number, rows.shape[0]))
    product: Any = places @ rows
    return np.asarray(product if isinstance(product, np.ndarray) else product.toarray(), dtype=np.float64)


def _values_of_samples(runs: Sequence[RunRows], measure: Any) -> Numbers | None:  # noqa: ANN401 - of any class
    """Score the samples of each run, where the measure is a mean of these scores and all are defined."""
    statistic = measure.statistic if fact(measure, "mergeable") else None
    inner = statistic
    while isinstance(inner, Of):
        inner = inner.statistic
    if statistic is None or not isinstance(inner, SampleMeans) or len(inner.quantities) > 1:
        return None
    values = [
        np.concatenate([computed(measure, block) for part in run.rows for block in part[statistic].blocks()])
        for run in runs
    ]
    table = np.stack(values, axis=-1)
    return table if np.isfinite(table).all() else None


def _studentised(runs: Sequence[RunRows], values: Numbers, bootstrap: Bootstrap) -> Numbers:
    """Count the resamples whose studentised difference is as large as that of the samples."""
    first, second = np.triu_indices(len(runs), 1)
    differences = values[:, first] - values[:, second]
    observed = differences.mean(axis=0)
    shifted = differences - observed
    limit = _per_error(observed, differences.std(axis=0))
    counts = np.zeros((len(runs), len(runs)))
    for begin, end in chunks(bootstrap.resamples):
        number: Any = 0.0
        sums: Any = 0.0
        squares: Any = 0.0
        for place, portion in runs[0].portions:
            weights = bootstrap.draw(begin, end, portion)
            number = number + weights.sum(axis=1)[:, None]
            sums = sums + weights @ shifted[place]
            squares = squares + weights @ shifted[place] ** 2
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = sums / number
            spread = np.sqrt(np.maximum(squares / number - mean**2, 0.0))
        counts[first, second] += _at_least(_per_error(mean, spread), limit)
    return counts


def _per_error(mean: Numbers, spread: Numbers) -> Numbers:
    """Divide differences by their spread; the number of samples would divide all alike."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(np.abs(mean) <= ROUNDING, 0.0, mean / np.where(spread <= ROUNDING, 0.0, spread))
