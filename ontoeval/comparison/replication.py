"""Replication: the sums of every resample, and of all samples but one, from the rows of the samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.products import RowProducts, StatisticSums
from ontoeval.core.batch import Batch, ScoredBatch
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.resampling import Bootstrap, Portion, Weighing, chunks, portions_of
from ontoeval.evaluation.scoring import Evaluation, side_for
from ontoeval.evaluation.totals import AT_ONCE, weighted_rows
from ontoeval.measures.base import Measure, compute, info
from ontoeval.measures.sums import Rows, Statistic, Summed, Weighable, add_sums
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.memory import require
from ontoeval.plumbing.workers import mapped

_Used = TypeVar("_Used")

StepCallback = Callable[[], None]
"""Called after each piece of work."""

_KEPT = 20_000_000
"""Most numbers of rows that are kept rather than computed again for every chunk of resamples: 160 MB."""


_HELD = 50_000_000
"""Most numbers of sums of resamples that are held at a time: 400 MB."""


@dataclass(frozen=True, eq=False)
class RunRows:
    """Rows of all statistics of a run, portion by portion of its samples, which are sorted by identifier."""

    measures: Mapping[str, Any]
    portions: Sequence[tuple[slice, Portion]]
    rows: Sequence[Mapping[Statistic, Summed]]
    batches: Mapping[str, Batch | ScoredBatch]
    total: StatisticSums = field(default_factory=dict)
    """Sums over all samples, which tests and the jackknife change; resamples do without."""

    @classmethod
    def from_evaluation(cls, evaluation: Evaluation) -> RunRows:
        """Compute the rows of a run, of long runs a portion at a time; their sums are those of `collect`."""
        measures = evaluation.totals.measures
        batches = {key: side_for(evaluation, measure).in_order for key, measure in measures.items()}
        portions = portions_of(next(iter(batches.values())).truth.samples, AT_ONCE)
        wanted: dict[Batch | ScoredBatch, dict[Statistic, Measure]] = {}
        for key, measure in measures.items():
            if info(measure, "mergeable"):
                wanted.setdefault(batches[key], {})[measure.statistic] = measure
        rows: list[dict[Statistic, Summed]] = []
        for place, _ in portions:
            found: dict[Statistic, Summed] = {}
            for side, statistics in wanted.items():
                part = side if len(portions) == 1 else side.rows(place.start, place.stop)
                for statistic, measure in statistics.items():
                    found[statistic] = weighted_rows(measure, _keep_small(statistic(part)), part)
            rows.append(found)
        total = {statistic: evaluation.totals.sums[statistic] for statistic in rows[0]}
        return cls(measures, portions, rows, batches, total)

    @property
    def weights(self) -> Numbers | None:
        """Sample weights in the order of the rows; None where each sample counts once."""
        return next(iter(self.batches.values())).sample_weight

    @cached_property
    def score(self) -> Numbers:
        """The measures of all samples; nan for those that cannot be summed."""
        return self.scores(self.total)

    def scores(self, sums: StatisticSums) -> Numbers:
        """Compute the measures of sums."""
        leading = next((total.shape[:-1] for total in sums.values()), ())
        values = np.full((*leading, len(self.measures)), np.nan)
        for column, measure in enumerate(self.measures.values()):
            if info(measure, "mergeable"):
                values[..., column] = compute(measure, sums[measure.statistic])
        return values


def weighted_sums(
    runs: Sequence[RunRows],
    weighing: Weighing,
    use: Callable[[list[StatisticSums]], _Used],
    step: StepCallback = lambda: None,
) -> Iterator[tuple[int, int, _Used]]:
    """Sum the rows of all runs with the same weights; yields bounds of resamples and their sums."""
    portions = [portion for _, portion in runs[0].portions]
    products = list(mapped(RowProducts.from_rows, list(zip(*(run.rows for run in runs), strict=True))))

    def used(part: tuple[int, int, int, int]) -> _Used:
        begin, end, first, last = part
        found: list[StatisticSums] = [{} for _ in runs]
        for portion, rows in zip(portions, products, strict=True):
            drawn = weighing.draw(begin, end, portion)[first - begin : last - begin]
            for sums, more in zip(found, rows.sums(drawn), strict=True):
                add_sums(sums, more)
        return use(found)

    parts = [
        (begin, end, first, last)
        for begin, end in chunks(weighing.resamples)
        for first, last in chunks_in_memory(runs, begin, end)
    ]
    for (_, end, first, last), made in zip(parts, mapped(used, parts), strict=True):
        yield first, last, made
        if last == end:
            step()


def chunks_in_memory(runs: Sequence[RunRows], begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Cut a chunk of resamples, such that the sums of all runs fit into memory together."""
    numbers = sum(total.shape[-1] for run in runs for total in run.total.values())
    size = max(1, _HELD // max(1, numbers))
    for first in range(begin, end, size):
        yield first, min(first + size, end)


def scores_of(runs: Sequence[RunRows], sums: Sequence[StatisticSums]) -> Numbers:
    """Compute the measures of the sums of each run: resamples × runs × measures."""
    return np.stack([run.scores(own) for run, own in zip(runs, sums, strict=True)], axis=-2)


def replicates(runs: Sequence[RunRows], bootstrap: Bootstrap, step: StepCallback = lambda: None) -> Numbers:
    """Score every resample of the samples: resamples × runs × measures."""
    refuse_without_memory(bootstrap.resamples, len(runs), len(runs[0].measures))
    values = np.full((bootstrap.resamples, len(runs), len(runs[0].measures)), np.nan)
    for begin, end, scores in weighted_sums(runs, bootstrap, partial(scores_of, runs), step):
        values[begin:end] = scores
    whole = [key for key, measure in runs[0].measures.items() if not info(measure, "mergeable")]
    for key in whole:
        column = list(runs[0].measures).index(key)
        for which, run in enumerate(runs):
            values[:, which, column] = _score_again(run, key, bootstrap, step)
    return values


def refuse_without_memory(resamples: int, runs: int, measures: int) -> None:
    """Refuse scores of resamples that do not fit into memory, with one copy for the percentiles."""
    step = f"Scoring {resamples:,} resamples of {runs:,} runs by {measures:,} measures"
    require(16.0 * resamples * runs * measures, step, "Take fewer resamples, runs or measures at a time.")


def jackknife_moments(run: RunRows) -> Numbers:
    """Leave-one-out changes of each measure: number, sum, squares and cubes; 4 × measures."""
    moments = np.zeros((4, len(run.measures)))
    for column, measure in enumerate(run.measures.values()):
        if not info(measure, "mergeable"):
            continue
        whole = run.total[measure.statistic]
        for part in run.rows:
            for block in part[measure.statistic].blocks():
                away = compute(measure, whole - block) - run.score[column]
                away = away[np.isfinite(away)]
                moments[:, column] += [away.size, away.sum(), (away**2).sum(), (away**3).sum()]
    return moments


def _score_again(run: RunRows, key: str, bootstrap: Bootstrap, step: StepCallback) -> Numbers:
    """Score a measure that cannot be summed, by computing it for every resample."""
    measure, batch = run.measures[key], run.batches[key]
    rows = weighted_rows(measure, measure.statistic(batch), batch)

    def scores(chunk: tuple[int, int]) -> list[Numbers]:
        counts = np.concatenate([bootstrap.draw(*chunk, portion) for _, portion in run.portions], axis=1)
        if isinstance(rows, Weighable):
            totals = rows.weighted(counts)
        else:
            again = (
                repeat_samples(batch, np.repeat(np.arange(len(one)), one.astype(np.intp))) for one in counts
            )
            totals = (measure.statistic(one).total()[None] for one in again)
        return [compute(measure, total) for total in totals]

    values: list[Numbers] = []
    for some in mapped(scores, chunks(bootstrap.resamples)):
        values += some
        step()
    return np.concatenate(values)


def repeat_samples(batch: Batch | ScoredBatch, rows: NDArray[np.intp]) -> Batch | ScoredBatch:
    """Take samples by position, some of them several times."""
    names = tuple(map(str, range(len(rows))))
    truth = LabelSets(batch.truth.matrix[rows], batch.truth.vocabulary, names)
    out = batch.excluded
    excluded = None if out is None else LabelSets(out.matrix[rows], out.vocabulary, names)
    if isinstance(batch, ScoredBatch):
        given = batch.prediction
        scores = LabelScores(given.matrix[rows], given.vocabulary, names, given.signed)
        return ScoredBatch(truth, scores, batch.hierarchy, batch.weights, excluded=excluded)
    sets = LabelSets(batch.whole_prediction.matrix[rows], batch.truth.vocabulary, names)
    known = None if batch.known is None else batch.known[rows]
    return Batch(truth, sets, batch.hierarchy, batch.weights, known, excluded=excluded)


def _keep_small(rows: Summed) -> Summed:
    """Compute rows once and keep them, if they need little memory."""
    size = len(rows) * getattr(rows, "width", 0)
    return Rows(rows.values) if 0 < size <= _KEPT else rows  # type: ignore[attr-defined]
