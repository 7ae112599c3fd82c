"""Replication: the sums of every resample, and of all samples but one, from the rows of the samples."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.products import ColumnBlock, RowProducts, samples_by_resamples
from ontoeval.core.batch import Batch, ScoredBatch
from ontoeval.core.resampling import Bootstrap, LeaveOneOut, Portion, Weighing, chunks
from ontoeval.core.sample_weights import GroupDraws, SampleGroups
from ontoeval.evaluation.scoring import Evaluation, side_for
from ontoeval.evaluation.totals import KeptRows, portions_in, totals_of, weighted_rows
from ontoeval.measures.base import compute, info
from ontoeval.measures.sums import BLOCK, Statistic, Summed, Weighable
from ontoeval.plumbing.arrays import Marks, Numbers
from ontoeval.plumbing.memory import require
from ontoeval.plumbing.values import copy_unchecked
from ontoeval.plumbing.workers import mapped, workers_in_use

StepCallback = Callable[[], None]
"""Called after each piece of work."""

_LEFT_OUT = 300_000_000
"""Most numbers of rows that a jackknife goes through: about half a second for a run and measure."""

_HELD = 6_000_000
"""Most numbers of resamples, weights and sums, that are held at a time: 48 MB."""

RunSums = Sequence[NDArray[Any]]
Arranged = Callable[[RunSums, RunSums, RunSums | None], Iterable[NDArray[Any]]]
"""Gives sums of arrangements of the runs from three sums of each run: with weights, over all samples, and
over those without weight; the last is None where the difference of the others is exact."""


@dataclass(frozen=True, eq=False)
class RunRows:
    """Rows of all statistics of a run, portion by portion of its samples, which are sorted by identifier."""

    measures: Mapping[str, Any]
    portions: Sequence[tuple[slice, Portion]]
    rows: Sequence[Mapping[Statistic, Summed]]
    batches: Mapping[str, Batch | ScoredBatch]
    evaluation: Any = None
    """Scores and sums of all samples, which tests and the jackknife need, and replicates do not."""
    groups: SampleGroups | None = None
    """Groups of the samples, which are drawn whole."""

    @classmethod
    def from_evaluation(cls, evaluation: Evaluation, kept: KeptRows | None = None) -> RunRows:
        """Take the rows that were kept with the totals, or compute them again."""
        measures = evaluation.totals.measures
        sides = {key: side_for(evaluation, measure) for key, measure in measures.items()}
        batches = {key: side.in_order for key, side in sides.items()}
        portions = portions_in(next(iter(batches.values())))
        rows = kept or KeptRows()
        for side in () if kept else dict.fromkeys(sides.values()):
            own = [key for key in measures if sides[key] is side and info(measures[key], "mergeable")]
            totals_of(side, {key: measures[key] for key in own}, kept=rows)
        for side in (*sides.values(), *batches.values()):
            side.forget()
        named = evaluation.group or evaluation.sample_of
        samples = next(iter(batches.values())).truth.samples
        groups = None if named is None else SampleGroups.from_names(named, samples)
        return cls(measures, portions, [rows[one.begin] for _, one in portions], batches, evaluation, groups)

    @property
    def weights(self) -> Numbers | None:
        """Sample weights in the order of the rows; None where each sample counts once."""
        return next(iter(self.batches.values())).sample_weight

    def draws(self, weighing: Weighing) -> Weighing:
        """Draw samples, or whole groups where there are some."""
        return weighing if self.groups is None else GroupDraws(weighing, self.groups)

    @property
    def unit_weights(self) -> Numbers:
        """Weight of each of what is drawn: samples or groups."""
        if self.weights is None:
            return np.ones(len(next(iter(self.batches.values()))))
        return self.weights if self.groups is None else self.groups.totals(self.weights)

    @property
    def units(self) -> Marks:
        """Which of what is drawn, samples or groups, weigh anything."""
        return self.unit_weights > 0

    @property
    def score(self) -> Numbers:
        """The measures of all samples."""
        return np.array(list(self.evaluation.scores.values()))


def resampled(
    runs: Sequence[RunRows],
    weighing: Weighing,
    scored: Callable[[Iterator[NDArray[Any]]], Numbers],
    numbers: int,
    step: StepCallback,
) -> Iterator[tuple[int, int, Numbers]]:
    """Score all resamples, as many at a time as memory has room for; each holds so many numbers."""
    portions, size = [portion for _, portion in runs[0].portions], max(1, _HELD // max(1, numbers))
    drawn = runs[0].draws(weighing)

    def used(chunk: tuple[int, int]) -> Numbers:
        # What is drawn for the only portion is kept, of several portions drawn again.
        draw, places = lru_cache(1)(lambda at: drawn.draw(*chunk, portions[at])), range(len(portions))
        starts = range(0, chunk[1] - chunk[0], size)
        return np.concatenate([scored(draw(at)[some : some + size] for at in places) for some in starts])

    parts = list(chunks(weighing.resamples)) if runs[0].rows[0] else []  # nothing may have sums
    for (begin, end), scores in zip(parts, mapped(used, parts), strict=True):
        yield begin, end, scores
        step()


def weighted(
    runs: Sequence[RunRows],
    weighing: Weighing,
    arranged: Arranged,
    step: StepCallback = lambda: None,
    *,
    complement: bool = False,
    products: RowProducts | None = None,
) -> Iterator[tuple[int, int, Numbers]]:
    """Score arrangements of runs with equal weights: bounds of some resamples, and their scores."""
    products = products or RowProducts.from_runs(runs)
    ones = [samples_by_resamples(np.ones((1, size)), counted=products.counted) for size in products.samples]
    once = {block: block.sums(ones) for block in products.blocks} if complement else {}

    def scored(drawn: Iterator[NDArray[Any]]) -> Numbers:
        weights: Any = (samples_by_resamples(one, counted=products.counted) for one in drawn)
        weights = list(weights) if products.blocks or complement else weights
        # A difference of sums that are not exact is not 0 where no sample with a mark is left.
        others = [1 - one for one in weights] if complement and not products.exact else None
        left = products.dense(others) if others else {}
        dense = {
            one: [*arranged(some, products.once[one], left.get(one))]
            for one, some in products.dense(weights).items()
        }

        def summed(block: ColumnBlock) -> Iterable[Iterable[NDArray[Any]]]:
            kept = block.sums(others) if others else repeat(None)
            return map(arranged, block.sums(weights), once.get(block, repeat(())), kept)

        return products.scores(dense, summed)

    yield from resampled(runs, weighing, scored, products.held, step)


def held_by(products: RowProducts, runs: Sequence[RunRows], resamples: int) -> int:
    """Bytes that resampling holds at a time."""
    kept = 2 * resamples * len(runs) * len(runs[0].measures)
    marks = sum(table.nnz for block in products.blocks for table in block.tables)
    return 8 * (_HELD * workers_in_use() + 3 * marks + kept)


def replicates(
    runs: Sequence[RunRows],
    bootstrap: Bootstrap,
    step: StepCallback = lambda: None,
    products: RowProducts | None = None,
) -> Numbers:
    """Score every resample of the samples: resamples × runs × measures."""
    shape = resamples, number, measures = bootstrap.resamples, len(runs), len(runs[0].measures)
    work = f"Scoring {resamples:,} resamples of {number:,} runs by {measures:,} measures"
    # One copy for their spread.
    require(16.0 * resamples * number * measures, work, "Take fewer resamples, runs or measures at a time.")
    values = np.full(shape, np.nan)
    for begin, end, scores in weighted(runs, bootstrap, lambda sums, *_: sums, step, products=products):
        values[begin:end] = scores
    for column, (key, measure) in enumerate(runs[0].measures.items()):
        if not info(measure, "mergeable"):
            for which, run in enumerate(runs):
                values[:, which, column] = _score_again(run, key, bootstrap, step)
    return values


def jackknife_errors(run: RunRows, most: int) -> Numbers:
    """Jackknife standard errors of the measures; nan where those of the resamples are to be taken.

    That is where a score without one unit is undefined or takes very long, as of measures without sums that
    have more units than `most`, or where one unit has most of the weight.
    """
    errors, number = np.full(len(run.measures), np.nan), int(run.units.sum())
    weights = run.unit_weights
    if number == 1 or 2 * weights.max() > weights.sum():
        return errors
    for column, (key, measure) in enumerate(run.measures.items()):
        whole = run.evaluation.totals.sums[measure.statistic]
        if not info(measure, "mergeable"):
            found = [_score_again(run, key, LeaveOneOut(run.units.size))] * (run.units.size <= most)
        else:
            blocks = _unit_rows(run, measure.statistic) if number * whole.size <= _LEFT_OUT else ()
            found = [compute(measure, whole - block) for block in blocks]
        away = [scores - run.score[column] for scores in found]
        first, second = (sum(float((one**power).sum()) for one in away) for power in (1, 2))
        spread = max(second - first**2 / number, 0.0) if away else np.nan
        errors[column] = np.sqrt((number - 1) / number * spread)
    return errors


def _unit_rows(run: RunRows, statistic: Statistic) -> Iterator[Numbers]:
    """Rows of what is drawn, samples or groups, as dense arrays of bounded size."""
    groups, parts = run.groups, [part[statistic] for part in run.rows]
    if groups is None:
        yield from chain.from_iterable(part.blocks() for part in parts)
        return
    width = len(run.evaluation.totals.sums[statistic])
    step = max(1, BLOCK // max(1, width))
    for begin in range(0, len(groups), step):
        sums, at = np.zeros((min(step, len(groups) - begin), width)), 0
        for block in chain.from_iterable(part.blocks() for part in parts):
            own = groups.of_samples[at : at + len(block)] - begin
            inside = (own >= 0) & (own < len(sums))
            np.add.at(sums, own[inside], block[inside])
            at += len(block)
        yield sums


def _score_again(run: RunRows, key: str, bootstrap: Weighing, step: StepCallback = lambda: None) -> Numbers:
    """Score a measure that cannot be summed, by computing it for every resample."""
    measure, batch, draws = run.measures[key], run.batches[key], run.draws(bootstrap)
    rows = weighted_rows(measure, measure.statistic(batch), batch)

    def scores(chunk: tuple[int, int]) -> list[Numbers]:
        counts = np.concatenate([draws.draw(*chunk, portion) for _, portion in run.portions], axis=1)
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
    """Take samples by position, some of them several times, without weights."""
    names = tuple(map(str, range(len(rows))))
    once = copy_unchecked(batch, sample_weight=None)
    return once._map_matrices(lambda side: side.remade(side.matrix[rows], samples=names), None)  # noqa: SLF001 - of ours
