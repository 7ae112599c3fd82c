"""Operating curves: how correct and how informative what is inferred is, threshold by threshold."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from ontoeval.core.batch import ScoredBatch
from ontoeval.measures.statistics.counts import Numbers, divide
from ontoeval.measures.statistics.inference import PARTS, Inferred
from ontoeval.measures.statistics.steps import Steps, sums_from_above
from ontoeval.measures.statistics.sums import BLOCK, RowsInBlocks


class Operating(NamedTuple):
    """Points of an operating curve, one for each threshold on the last axis."""

    thresholds: Numbers
    correct: Numbers
    recall: Numbers
    precision: Numbers
    samples: Numbers

    def mean(self, part: str) -> Numbers:
        """Average over samples."""
        return divide(getattr(self, part), self.samples[..., None])


@dataclass(frozen=True, eq=False)
class StepRows:
    """What a formula needs of all samples together, or of each alone, at all scores that change something."""

    steps: Steps

    def __len__(self) -> int:
        """Count the samples."""
        return int(self.steps.start.shape[1])

    def total(self) -> Numbers:
        """Sum at every score that changes something, the highest first: thresholds, parts, samples."""
        thresholds = np.unique(self.steps.score)
        sums = self.steps.total(thresholds)[:, ::-1]
        return np.concatenate([[np.inf], thresholds[::-1], sums.ravel(), [len(self)]])

    def weighted(self, counts: Numbers) -> Iterator[Numbers]:
        """Sum over the samples of every resample; the scores are sorted once."""
        for (thresholds, sums), samples in zip(self.steps.sums(counts), counts.sum(axis=1), strict=True):
            yield np.concatenate([thresholds, sums.ravel(), [samples]])[None]

    def blocks(self) -> Iterator[Numbers]:
        """Go through the samples as if each were alone."""
        start, row, score, change = self.steps
        lengths = np.bincount(row, minlength=len(self))
        place = 1 + np.arange(row.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        width = 1 + int(lengths.max(initial=0))
        step = max(1, BLOCK // ((len(PARTS) + 1) * width))
        for begin in range(0, max(1, len(self)), step):
            end = min(begin + step, len(self))
            here = slice(*np.searchsorted(row, [begin, end]))
            at = row[here] - begin, place[here]
            thresholds = np.full((end - begin, width), np.inf)
            thresholds[at] = score[here]
            sides = [np.minimum.accumulate(thresholds, axis=1)]
            for part in range(len(PARTS)):
                values = np.zeros((end - begin, width))
                values[:, 0] = start[part, begin:end]
                values[at] = change[part, here]
                sides.append(np.cumsum(values, axis=1))
            yield np.concatenate([*sides, np.ones((end - begin, 1))], axis=1)


@dataclass(frozen=True, eq=False)
class _OnGrid:
    """Rows at thresholds that do not depend on the scores."""

    steps: Steps
    grid: Numbers

    def __call__(self, begin: int, end: int) -> Numbers:
        start, row, score, change = self.steps
        here = slice(*np.searchsorted(row, [begin, end]))
        exceeded = np.searchsorted(self.grid, score[here], side="left")
        shape = end - begin, self.grid.size
        sides = [
            start[part, begin:end, None]
            + sums_from_above(row[here] - begin, exceeded, change[part, here], shape)
            for part in range(len(PARTS))
        ]
        return np.concatenate([*sides, np.ones((end - begin, 1))], axis=1)


@dataclass(frozen=True)
class OperatingCurve:
    """How correct and how informative what is inferred is, threshold by threshold."""

    inferred: Inferred
    grid: tuple[float, ...] | None

    def __call__(self, batch: ScoredBatch) -> RowsInBlocks | StepRows:
        """Prepare the rows; they are computed where they are wanted."""
        steps = batch.once(self.inferred)
        if self.grid is None:
            return StepRows(steps)
        width = len(PARTS) * len(self.grid) + 1
        return RowsInBlocks(len(batch), width, _OnGrid(steps, np.array(self.grid)))

    def unpack(self, values: Numbers) -> Operating:
        """Name the sums."""
        leading, samples = values.shape[:-1], values[..., -1]
        parts = values[..., :-1].reshape(*leading, len(PARTS) + (self.grid is None), -1)
        correct, recall, precision = (parts[..., which - len(PARTS), :] for which in range(len(PARTS)))
        thresholds = parts[..., 0, :] if self.grid is None else np.array(self.grid)
        return Operating(thresholds, correct, recall, precision, samples)


def pareto_area(first: Numbers, second: Numbers) -> Numbers:
    """Integrate the best of one number that can be had with at least so much of another."""
    order = np.argsort(first, axis=-1, kind="stable")
    first, second = np.take_along_axis(first, order, axis=-1), np.take_along_axis(second, order, axis=-1)
    best = np.maximum.accumulate(second[..., ::-1], axis=-1)[..., ::-1]
    return np.asarray((np.diff(first, axis=-1, prepend=0.0) * best).sum(axis=-1))


def pareto_intercept(first: Numbers, second: Numbers, least: float) -> Numbers:
    """Find the best of one number that can be had with at least so much of another."""
    return np.asarray(np.where(first >= least, second, 0.0).max(axis=-1))
