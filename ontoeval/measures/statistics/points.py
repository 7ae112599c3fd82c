"""Points of a curve: sums at a threshold, and what they come to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.measures.statistics.counts import Numbers, divide, harmonic

Denominator = Literal["cafa", "predicted", "truth"]
DENOMINATORS = ("cafa", "predicted", "truth")

PARTS = ("precision", "covered", "recall", "silent", "hits", "false", "missed")
"""What is summed at each threshold."""


class SumsAt(NamedTuple):
    """Weights of one sample's labels at some thresholds."""

    hits: Numbers
    false: Numbers
    true: Numbers


def settled(labels: sparse.csr_array, weights: Numbers | None) -> Numbers:
    """Sum the weights of the labels of each sample."""
    return np.diff(labels.indptr).astype(np.float64) if weights is None else np.asarray(labels @ weights)


def values_of(sums: SumsAt, empty: float | None) -> Numbers:
    """Compute the parts from the sums."""
    hits, false, true = sums
    predicted = hits + false
    covered = predicted > 0
    with np.errstate(invalid="ignore", divide="ignore"):
        precision = np.where(covered, hits / predicted, 0.0)
        recall = np.minimum(hits / true, 1.0)
    nothing = np.broadcast_to(true == 0, hits.shape)
    recall = np.where(nothing, 0.0, recall)
    silent = np.where(nothing & ~covered, empty or 0.0, 0.0)
    # Of weights a rounding error could be left.
    missed = np.where(true - hits > 1e-12 * true, true - hits, 0.0)
    parts = np.stack([precision, covered, recall, silent, hits, false, missed], axis=1)
    return np.where(nothing[:, None, :], 0.0, parts) if empty is None else parts


def parts_of(sums: SumsAt, empty: float | None) -> Numbers:
    """Lay the parts out in rows, with the mark of each sample behind them."""
    values = values_of(sums, empty)
    marks = np.where(sums.true == 0, 0.0, 1.0) if empty is None else np.ones(sums.true.shape)
    return np.concatenate([values.reshape(len(values), np.prod(values.shape[1:])), marks], axis=1)


def set_apart(values: Numbers, parts: int) -> tuple[Numbers, Numbers]:
    """Undo the layout of `parts_of`."""
    leading = values.shape[:-1]
    return values[..., :-1].reshape(*leading, parts, (values.shape[-1] - 1) // parts), values[..., -1]


class Points(NamedTuple):
    """Sums over samples at each threshold, thresholds on the last axis."""

    thresholds: Numbers
    precision: Numbers
    covered: Numbers
    recall: Numbers
    silent: Numbers
    hits: Numbers
    false: Numbers
    missed: Numbers
    samples: Numbers

    def where(self, kept: NDArray[np.bool_]) -> Points:
        """Make what lies at other thresholds undefined."""
        sums = (np.where(kept, part, np.nan) for part in self[1:-1])
        return Points(*(self.thresholds, *sums, self.samples))


@dataclass(frozen=True)
class Averages:
    """Averages over samples at each threshold."""

    points: Points
    denominator: Denominator = "cafa"

    @property
    def thresholds(self) -> Numbers:
        """The thresholds."""
        return self.points.thresholds

    @property
    def _samples(self) -> Numbers:
        return self.points.covered if self.denominator == "predicted" else self.points.samples[..., None]

    @property
    def coverage(self) -> Numbers:
        """Share of the samples with something predicted."""
        return divide(self.points.covered, self.points.samples[..., None])

    @property
    def precision(self) -> Numbers:
        """Mean precision."""
        if self.denominator == "truth":
            return divide(self.points.precision + self.points.silent, self._samples)
        return divide(self.points.precision, self.points.covered)

    @property
    def recall(self) -> Numbers:
        """Mean recall."""
        silent = 0.0 if self.denominator == "predicted" else self.points.silent
        return divide(self.points.recall + silent, self._samples)

    @property
    def micro_precision(self) -> Numbers:
        """Precision of all samples together."""
        return divide(self.points.hits, self.points.hits + self.points.false)

    @property
    def micro_recall(self) -> Numbers:
        """Recall of all samples together."""
        return divide(self.points.hits, self.points.hits + self.points.missed)

    @property
    def ru(self) -> Numbers:
        """Remaining uncertainty: mean weight of what is missed."""
        return divide(self.points.missed, self._samples)

    @property
    def mi(self) -> Numbers:
        """Misinformation: mean weight of what is false."""
        return divide(self.points.false, self._samples)

    @property
    def s(self) -> Numbers:
        """Distance from a perfect prediction: the root of ru² + mi²."""
        return np.hypot(self.ru, self.mi)

    def f(self, beta: float = 1.0, *, micro: bool = False) -> Numbers:
        """Weighted harmonic mean of precision and recall, 0 where nothing is predicted."""
        precision = self.micro_precision if micro else self.precision
        recall = self.micro_recall if micro else self.recall
        return np.nan_to_num(harmonic(precision, recall, beta), nan=0.0)
