"""Curves over all distinct scores: exact, but with other thresholds for every batch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.batch import ScoredBatch
from ontoeval.core.csr import row_of_entries
from ontoeval.measures.statistics.counts import Numbers
from ontoeval.measures.statistics.points import PARTS, SumsAt, parts_of, settled, values_of
from ontoeval.measures.statistics.steps import Steps
from ontoeval.measures.statistics.sums import BLOCK


class _Sorted(NamedTuple):
    """Some samples with their scores in descending order, one row per sample."""

    scores: Numbers
    sums: SumsAt
    last: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class DistinctRows:
    """What a formula needs of all samples together, or of each alone, at all distinct scores.

    The rows of single samples have thresholds of their own, so that their sum would mean nothing.
    """

    batch: ScoredBatch
    empty: float | None

    def __len__(self) -> int:
        """Count the samples."""
        return len(self.batch)

    def total(self) -> Numbers:
        """Sum at every score that occurs, the least first: thresholds, parts at each, number of samples."""
        thresholds = np.unique(self.batch.prediction.matrix.data)
        marks, steps = self._all_steps()
        sums = steps.total(thresholds)
        if thresholds.size:
            sums = sums[:, :-1]
        else:  # nothing has a score: the only threshold is above everything
            thresholds = np.array([np.inf])
        return np.concatenate([thresholds, sums.ravel(), [marks.sum()]])

    def weighted(self, counts: Numbers) -> Iterator[Numbers]:
        """Sum the parts over the samples of every resample; the scores are sorted once."""
        marks, steps = self._all_steps()
        samples = counts @ marks
        for (thresholds, sums), size in zip(steps.sums(counts), samples, strict=True):
            number = max(1, thresholds.size - 1)  # above all scores only where there are none
            sides = thresholds[::-1][:number], sums[:, ::-1][:, :number].ravel(), [size]
            yield np.concatenate(sides)[None]

    def _all_steps(self) -> tuple[Numbers, Steps]:
        """Put the steps of all samples together."""
        marks, some = zip(*self._steps(), strict=True)
        steps = Steps(*(np.concatenate(sides, axis=-1) for sides in zip(*some, strict=True)))
        return np.concatenate(marks), steps

    def _steps(self) -> Iterator[tuple[Numbers, Steps]]:
        """Tell which samples count, and at which scores they change, a span of samples at a time."""
        for begin, end in self._spans():
            block = self._sorted(begin, end)
            true = block.sums.true
            nothing = SumsAt(np.zeros_like(true), np.zeros_like(true), true)
            start = parts_of(nothing, self.empty)
            row, place = np.nonzero(block.last)
            at = SumsAt(block.sums.hits[row, place], block.sums.false[row, place], true[row, 0])
            now = values_of(SumsAt(*(part[:, None] for part in at)), self.empty)[:, :, 0]
            before = np.concatenate([np.zeros((1, len(PARTS))), now[:-1]])
            first = np.flatnonzero(np.diff(row, prepend=-1))
            before[first] = start[row[first], :-1]
            yield (
                start[:, -1],
                Steps(start[:, :-1].T, begin + row, block.scores[row, place], (now - before).T),
            )

    def blocks(self) -> Iterator[Numbers]:
        """Go through the samples as if each were alone."""
        for begin, end in self._spans():
            block = self._sorted(begin, end)
            width = block.scores.shape[1]
            # Each place speaks for the last of its equals; those behind all scores for the lowest.
            last = np.where(block.last, np.arange(width), width)
            last = np.minimum.accumulate(last[:, ::-1], axis=1)[:, ::-1]
            lowest = np.isfinite(block.scores).sum(axis=1, keepdims=True) - 1
            place = np.maximum(np.minimum(last, lowest), 0)[:, ::-1]
            hits, false, scores = (
                np.take_along_axis(side, place, axis=1)
                for side in (block.sums.hits, block.sums.false, block.scores)
            )
            scores = np.where(np.isfinite(scores), scores, np.inf)
            rows = parts_of(SumsAt(hits, false, block.sums.true), self.empty)
            yield np.concatenate([scores, rows], axis=1)

    def _spans(self) -> Iterator[tuple[int, int]]:
        count = len(self.batch)
        longest = int(np.diff(self.batch.prediction.matrix.indptr).max(initial=1))
        step = max(1, BLOCK // 4 // ((len(PARTS) + 1) * longest))
        for begin in range(0, max(1, count), step):
            yield begin, min(begin + step, count)

    def _sorted(self, begin: int, end: int) -> _Sorted:
        matrix, weights = self.batch.prediction.matrix, self.batch.weights
        entries = slice(matrix.indptr[begin], matrix.indptr[end])
        lengths = np.diff(matrix.indptr[begin : end + 1])
        row = row_of_entries(matrix[begin:end])
        place = np.arange(row.size) - np.repeat(np.cumsum(lengths) - lengths, lengths)
        shape = end - begin, max(1, int(lengths.max(initial=1)))
        scores, right, wrong = np.full(shape, -np.inf), np.zeros(shape), np.zeros(shape)
        hit = self.batch.hits[entries]
        amount = 1.0 if weights is None else weights[matrix.indices[entries]]
        scores[row, place] = matrix.data[entries]
        right[row, place] = np.where(hit, amount, 0.0)
        wrong[row, place] = np.where(hit, 0.0, amount)
        order = np.argsort(-scores, axis=1, kind="stable")
        scores, right, wrong = (np.take_along_axis(side, order, axis=1) for side in (scores, right, wrong))
        behind = np.concatenate([scores[:, 1:], np.full((shape[0], 1), -np.inf)], axis=1)
        true = settled(self.batch.truth.matrix[begin:end], weights)[:, None]
        sums = SumsAt(np.cumsum(right, axis=1), np.cumsum(wrong, axis=1), true)
        return _Sorted(scores, sums, (behind != scores) & np.isfinite(scores))
