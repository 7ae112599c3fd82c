"""Replication: the sums of every resample, and of all samples but one, from the rows of the samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.batch import Batch, ScoredBatch
from ontoeval.evaluation import Evaluation
from ontoeval.labels import LabelSets
from ontoeval.measures.base import fact
from ontoeval.measures.others import computed
from ontoeval.resampling import Bootstrap, Portion, Weighing, chunks, portions_of
from ontoeval.scores import LabelScores
from ontoeval.statistics.exact import joined, rounded
from ontoeval.statistics.sums import Rows, Statistic, Summed, Weighable, add_sums, addends_of
from ontoeval.totals import AT_ONCE

Numbers = NDArray[np.float64]
Sums = dict[Statistic, Numbers]

_KEPT = 20_000_000
"""Most numbers of rows that are kept rather than computed again for every chunk of resamples: 160 MB."""


@dataclass(frozen=True, eq=False)
class RunRows:
    """Rows of all statistics of a run, portion by portion of its samples.

    Parameters
    ----------
    measures
        The measures by their notations.
    portions
        Where each portion lies, and what it holds.
    rows
        For each portion the rows of each statistic that can be summed.
    batches
        What each measure looks at.
    """

    measures: Mapping[str, Any]
    portions: Sequence[tuple[slice, Portion]]
    rows: Sequence[Mapping[Statistic, Summed]]
    batches: Mapping[str, Batch | ScoredBatch]

    @classmethod
    def of(cls, evaluation: Evaluation) -> RunRows:
        """Compute the rows of a run.

        Parameters
        ----------
        evaluation
            Of the run, with its samples.

        Returns
        -------
        RunRows
            The rows; of long runs a portion at a time, as `collect` sums them.
        """
        measures = evaluation.totals.measures
        batches = {key: evaluation.side_for(measure) for key, measure in measures.items()}
        portions = portions_of(evaluation.samples, AT_ONCE)
        wanted: dict[Batch | ScoredBatch, dict[Statistic, None]] = {}
        for key, measure in measures.items():
            if fact(measure, "mergeable"):
                wanted.setdefault(batches[key], {})[measure.statistic] = None
        rows: list[dict[Statistic, Summed]] = []
        for place, _ in portions:
            found: dict[Statistic, Summed] = {}
            for side, statistics in wanted.items():
                part = side if len(portions) == 1 else side.rows(place.start, place.stop)
                found |= {statistic: _compact(statistic(part)) for statistic in statistics}
            rows.append(found)
        return cls(measures, portions, rows, batches)

    @cached_property
    def total(self) -> Sums:
        """The sums over all samples."""
        return {one: rounded(joined(*(addends_of(part[one]) for part in self.rows))) for one in self.rows[0]}

    @cached_property
    def score(self) -> Numbers:
        """The measures of all samples; nan for those that cannot be summed."""
        return self.scores(self.total)

    def scores(self, sums: Sums) -> Numbers:
        """Compute the measures of sums.

        Parameters
        ----------
        sums
            Of each statistic, with the same leading axes.

        Returns
        -------
        ndarray of float
            The leading axes, and behind them the measures; nan for those that cannot be summed.
        """
        leading = next((total.shape[:-1] for total in sums.values()), ())
        values = np.full((*leading, len(self.measures)), np.nan)
        for column, measure in enumerate(self.measures.values()):
            if fact(measure, "mergeable"):
                values[..., column] = computed(measure, sums[measure.statistic])
        return values


def weighted(runs: Sequence[RunRows], weighing: Weighing) -> Iterator[tuple[int, int, list[Sums]]]:
    """Sum the rows of all runs with the same weights, a chunk of resamples at a time.

    Parameters
    ----------
    runs
        Rows of runs over the same samples.
    weighing
        What draws the weights.

    Yields
    ------
    tuple
        The first resample of the chunk, the one behind its last, and the sums of each run.
    """
    for begin, end in chunks(weighing.resamples):
        found: list[Sums] = [{} for _ in runs]
        for which, (_, portion) in enumerate(runs[0].portions):
            weights = weighing.draw(begin, end, portion)
            for run, sums in zip(runs, found, strict=True):
                products = {one: weights @ rows for one, rows in run.rows[which].items()}  # type: ignore[operator]
                add_sums(sums, products)
        yield begin, end, found


def replicates(
    runs: Sequence[RunRows], bootstrap: Bootstrap, step: Callable[[], None] = lambda: None
) -> Numbers:
    """Score every resample of the samples.

    Parameters
    ----------
    runs
        Rows of runs over the same samples.
    bootstrap
        How samples are drawn.
    step
        Called after each chunk of resamples.

    Returns
    -------
    ndarray of float
        Resamples × runs × measures.
    """
    values = np.full((bootstrap.resamples, len(runs), len(runs[0].measures)), np.nan)
    for begin, end, found in weighted(runs, bootstrap):
        for which, (run, sums) in enumerate(zip(runs, found, strict=True)):
            values[begin:end, which] = run.scores(sums)
        step()
    whole = [key for key, measure in runs[0].measures.items() if not fact(measure, "mergeable")]
    for key in whole:
        column = list(runs[0].measures).index(key)
        for which, run in enumerate(runs):
            values[:, which, column] = _score_again(run, key, bootstrap, step)
    return values


def jackknife_moments(run: RunRows) -> Numbers:
    """Leave each sample out in turn, and sum how far each measure then lies from its value.

    Parameters
    ----------
    run
        Rows of the run.

    Returns
    -------
    ndarray of float
        Four rows, one column per measure: how many samples there are, and the sums of the differences, of
        their squares and of their cubes. No samples for measures that cannot be summed.
    """
    moments = np.zeros((4, len(run.measures)))
    for column, measure in enumerate(run.measures.values()):
        if not fact(measure, "mergeable"):
            continue
        whole = run.total[measure.statistic]
        for part in run.rows:
            for block in part[measure.statistic].blocks():
                away = computed(measure, whole - block) - run.score[column]
                away = away[np.isfinite(away)]
                moments[:, column] += [away.size, away.sum(), (away**2).sum(), (away**3).sum()]
    return moments


def _score_again(run: RunRows, key: str, bootstrap: Bootstrap, step: Callable[[], None]) -> Numbers:
    """Score a measure that cannot be summed, by computing it for every resample."""
    measure, batch = run.measures[key], run.batches[key]
    rows = measure.statistic(batch)
    values: list[Numbers] = []
    for begin, end in chunks(bootstrap.resamples):
        drawn = [bootstrap.draw(begin, end, portion) for _, portion in run.portions]
        counts = np.concatenate(drawn, axis=1)
        if isinstance(rows, Weighable):
            totals = rows.weighted(counts)
        else:
            again = (repeated(batch, np.repeat(np.arange(len(one)), one.astype(np.intp))) for one in counts)
            totals = (measure.statistic(one).total()[None] for one in again)
        values += [computed(measure, total) for total in totals]
        step()
    return np.concatenate(values)


def repeated(batch: Batch | ScoredBatch, rows: NDArray[np.intp]) -> Batch | ScoredBatch:
    """Take samples by position, some of them several times.

    Parameters
    ----------
    batch
        Truth and prediction.
    rows
        Positions of samples.

    Returns
    -------
    Batch or ScoredBatch
        These samples, numbered anew.
    """
    names = tuple(map(str, range(len(rows))))
    truth = LabelSets(batch.truth.matrix[rows], batch.truth.vocabulary, names)
    if isinstance(batch, ScoredBatch):
        given = batch.prediction
        scores = LabelScores(given.matrix[rows], given.vocabulary, names, given.signed)
        return ScoredBatch(truth, scores, batch.hierarchy, batch.weights)
    sets = LabelSets(batch.whole_prediction.matrix[rows], batch.truth.vocabulary, names)
    known = None if batch.known is None else batch.known[rows]
    return Batch(truth, sets, batch.hierarchy, batch.weights, known)


def _compact(rows: Summed) -> Summed:
    """Keep rows that are computed where they are wanted, if they take little room."""
    size = len(rows) * getattr(rows, "width", 0)
    return Rows(rows.values) if 0 < size <= _KEPT else rows  # type: ignore[attr-defined]
