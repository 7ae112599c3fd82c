"""Curves over all distinct scores: exact, but with other thresholds for every batch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.batch import ScoredBatch
from ontoeval.measures.counts import divide, harmonic
from ontoeval.measures.sums import BLOCK, addends, addends_at, sum_of_addends
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.sparse import row_of_entries, rows_between

Denominator = Literal["cafa", "predicted", "truth"]


PARTS = ("precisions", "covered", "recalls", "silent", "hits", "false", "missed")
"""Parts that are summed at each threshold."""


def summed_weights_of_labels(labels: sparse.csr_array, weights: Numbers | None) -> Numbers:
    """Sum the weights of the labels of each sample."""
    return np.diff(labels.indptr).astype(np.float64) if weights is None else np.asarray(labels @ weights)


def values_of(hits: Numbers, false: Numbers, true: Numbers, empty: float | None) -> list[NDArray[Any]]:
    """Compute the parts of samples from the weights of their labels at some thresholds."""
    predicted = hits + false
    covered = predicted > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        precision = np.where(covered, hits / predicted, 0.0)
        nothing = np.broadcast_to(true == 0, hits.shape)
        recall = np.where(nothing, 0.0, np.minimum(hits / true, 1.0))
    silent = np.where(nothing & ~covered, empty or 0.0, 0.0)
    # Of weights a rounding error could be left.
    missed = true - hits
    missed = np.where(missed > 1e-12 * true, missed, 0.0)
    parts = [precision, covered, recall, silent, hits, false, missed]
    return [np.where(nothing, 0.0, part) for part in parts] if empty is None else parts


def stack_parts(hits: Numbers, false: Numbers, true: Numbers, empty: float | None) -> Numbers:
    """Lay the parts out in rows, with the mark of each sample behind them."""
    marks = np.where(true == 0, 0.0, 1.0) if empty is None else np.ones(true.shape)
    return np.concatenate([*values_of(hits, false, true, empty), marks], axis=1)


def unstack_parts(values: Numbers, parts: int) -> tuple[Numbers, Numbers]:
    """Undo the layout of `stack_parts`."""
    leading = values.shape[:-1]
    return values[..., :-1].reshape(*leading, parts, (values.shape[-1] - 1) // parts), values[..., -1]


class Points(NamedTuple):
    """Sums over samples at each threshold, thresholds on the last axis, and averages of them."""

    thresholds: Numbers
    precisions: Numbers
    covered: Numbers
    recalls: Numbers
    silent: Numbers
    hits: Numbers
    false: Numbers
    missed: Numbers
    samples: Numbers
    denominator: Denominator = "cafa"

    def masked(self, kept: NDArray[np.bool_]) -> Points:
        """Set the numbers at all other thresholds to nan."""
        sums: dict[str, Any] = {part: np.where(kept, getattr(self, part), np.nan) for part in PARTS}
        return self._replace(**sums)

    @property
    def _divisor(self) -> Numbers:
        return self.covered if self.denominator == "predicted" else self.samples[..., None]

    @property
    def coverage(self) -> Numbers:
        """Share of the samples with a prediction."""
        return divide(self.covered, self.samples[..., None])

    @property
    def precision(self) -> Numbers:
        """Mean precision."""
        if self.denominator == "truth":
            return divide(self.precisions + self.silent, self._divisor)
        return divide(self.precisions, self.covered)

    @property
    def recall(self) -> Numbers:
        """Mean recall."""
        silent = 0.0 if self.denominator == "predicted" else self.silent
        return divide(self.recalls + silent, self._divisor)

    @property
    def micro_precision(self) -> Numbers:
        """Precision of all samples together."""
        return divide(self.hits, self.hits + self.false)

    @property
    def micro_recall(self) -> Numbers:
        """Recall of all samples together."""
        return divide(self.hits, self.hits + self.missed)

    @property
    def ru(self) -> Numbers:
        """Remaining uncertainty: mean weight of the missed labels."""
        return divide(self.missed, self._divisor)

    @property
    def mi(self) -> Numbers:
        """Misinformation: mean weight of the false labels."""
        return divide(self.false, self._divisor)

    @property
    def s(self) -> Numbers:
        """Distance from a perfect prediction: the root of ru² + mi²."""
        return np.hypot(self.ru, self.mi)

    def f(self, beta: float = 1.0, *, micro: bool = False) -> Numbers:
        """Weighted harmonic mean of precision and recall, 0 where nothing is predicted."""
        precision = self.micro_precision if micro else self.precision
        recall = self.micro_recall if micro else self.recall
        return np.nan_to_num(harmonic(precision, recall, beta), nan=0.0)


def sums_from_above(row: Places, reached: Places, amount: Numbers | None, shape: tuple[int, int]) -> Numbers:
    """Sum, in each row and at each threshold, the amounts that reach the threshold."""
    rows, bins = shape[0], shape[1] + 1
    counted = np.bincount(row * bins + reached, weights=amount, minlength=rows * bins)
    return np.cumsum(counted.reshape(rows, bins)[:, :0:-1], axis=1, dtype=np.float64)[:, ::-1]


class Steps(NamedTuple):
    """Values of each sample as step functions of a sinking threshold."""

    start: Numbers
    row: NDArray[np.intp]
    score: Numbers
    change: Numbers

    @classmethod
    def from_values(cls, start: Numbers, row: Places, score: Numbers, values: Numbers) -> Steps:
        """Make steps of the values from each score on, in descending order for each sample."""
        before = np.where(np.diff(row, prepend=-1) > 0, start[:, row], np.roll(values, 1, axis=1))
        return cls(start, row, score, values - before)

    def total(self, thresholds: Numbers) -> Numbers:
        """Exact sum over the samples at each ascending threshold, and above all thresholds."""
        where = np.searchsorted(thresholds, self.score)
        sums = np.empty((len(self.change), thresholds.size + 1))
        for part, start, change in zip(sums, self.start, self.change, strict=True):
            part[:-1] = sum_of_addends(addends_at(change, where, thresholds.size))
            part[-1:] = sum_of_addends(addends(start[:, None]))
        return np.asarray(np.cumsum(sums[:, ::-1], axis=1)[:, ::-1])

    def sums(self, counts: Numbers) -> Iterator[tuple[Numbers, Numbers]]:
        """Sum over the samples of each resample at every score at which one of them changes."""
        order = np.argsort(-self.score, kind="stable")
        row, score, change = self.row[order], self.score[order], np.take(self.change, order, axis=1)
        for count in counts:
            amount = count[row]
            drawn = np.flatnonzero(amount)
            amount, here = amount[drawn], score[drawn]
            # At a score all steps are taken that have it.
            first = np.flatnonzero(np.append(np.inf, here[:-1]) != here)
            sums = np.empty((len(change), first.size + 1))
            sums[:, 0] = self.start @ count
            for part, changes in zip(sums, change, strict=True):
                part[1:] = np.add.reduceat(changes[drawn] * amount, first)
            yield np.append(np.inf, here[first]), np.cumsum(sums, axis=1, out=sums)


@dataclass(frozen=True, eq=False)
class StepRows:
    """Totals of all samples together, and rows of each alone, at all scores that change something."""

    steps: Steps
    counted: Numbers
    """1 for each sample that counts, else 0."""

    def __len__(self) -> int:
        return int(self.steps.start.shape[1])

    def total(self) -> Numbers:
        """Sum at every score that changes something, the highest first: thresholds, parts, samples."""
        thresholds = np.unique(self.steps.score)
        sums = self.steps.total(thresholds)[:, ::-1]
        return np.concatenate([[np.inf], thresholds[::-1], sums.ravel(), [self.counted.sum()]])

    def weighted(self, counts: Numbers) -> Iterator[Numbers]:
        """Sum over the samples of every resample; the scores are sorted once."""
        for (thresholds, sums), samples in zip(self.steps.sums(counts), counts @ self.counted, strict=True):
            yield np.concatenate([thresholds, sums.ravel(), [samples]])[None]

    def blocks(self) -> Iterator[Numbers]:
        """Go through the samples as if each were alone."""
        start, row, score, change = self.steps
        lengths = np.bincount(row, minlength=len(self))
        place = 1 + np.arange(row.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        width = 1 + int(lengths.max(initial=0))
        step = max(1, BLOCK // ((len(start) + 1) * width))
        for begin in range(0, max(1, len(self)), step):
            end = min(begin + step, len(self))
            here = slice(*np.searchsorted(row, [begin, end]))
            at = row[here] - begin, place[here]
            thresholds = np.full((end - begin, width), np.inf)
            thresholds[at] = score[here]
            sides = [np.minimum.accumulate(thresholds, axis=1)]
            for first, changes in zip(start, change, strict=True):
                values = np.zeros((end - begin, width))
                values[:, 0] = first[begin:end]
                values[at] = changes[here]
                sides.append(np.cumsum(values, axis=1))
            yield np.concatenate([*sides, self.counted[begin:end, None]], axis=1)


def rows_at_all_scores(batch: ScoredBatch, empty: float | None) -> StepRows:
    """Find the parts of each sample at all of its scores."""
    longest = int(np.diff(batch.prediction.matrix.indptr).max(initial=1))
    step = max(1, BLOCK // 4 // ((len(PARTS) + 1) * longest))
    spans = (
        _steps_of(batch, at, min(at + step, len(batch)), empty) for at in range(0, max(1, len(batch)), step)
    )
    counted, some = zip(*spans, strict=True)
    steps = Steps(*(np.concatenate(sides, axis=-1) for sides in zip(*some, strict=True)))
    return StepRows(steps, np.concatenate(counted))


def _steps_of(batch: ScoredBatch, begin: int, end: int, empty: float | None) -> tuple[Numbers, Steps]:
    """Mark some samples that count, and find their steps."""
    matrix, weights = batch.prediction.matrix, batch.weights
    part = rows_between(matrix, begin, end)
    row = row_of_entries(part)
    place = np.arange(row.size) - part.indptr[row]
    shape = end - begin, int(np.diff(part.indptr).max(initial=1))
    scores, right, wrong = np.full(shape, -np.inf), np.zeros(shape), np.zeros(shape)
    hit = batch.hits[slice(*matrix.indptr[[begin, end]])]
    amount = 1.0 if weights is None else weights[part.indices]
    scores[row, place] = part.data
    right[row, place] = np.where(hit, amount, 0.0)
    wrong[row, place] = np.where(hit, 0.0, amount)
    order = np.argsort(-scores, axis=1, kind="stable")
    scores, right, wrong = (np.take_along_axis(side, order, axis=1) for side in (scores, right, wrong))
    behind = np.concatenate([scores[:, 1:], np.full((shape[0], 1), -np.inf)], axis=1)
    # Equal scores make one step, behind the last of them.
    row, place = np.nonzero((behind != scores) & np.isfinite(scores))
    true = summed_weights_of_labels(batch.truth.matrix[begin:end], weights)[:, None]
    start = stack_parts(np.zeros_like(true), np.zeros_like(true), true, empty)
    hits, false = (np.cumsum(side, axis=1)[row, place][:, None] for side in (right, wrong))
    now = np.concatenate(values_of(hits, false, true[row], empty), axis=1)
    steps = Steps.from_values(start[:, :-1].T, row, scores[row, place], now.T)
    return start[:, -1], steps._replace(row=begin + row)
