"""Counts of right and wrong decisions, and the ratios of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.batch import Batch
from ontoeval.measures.sums import Rows

Numbers = NDArray[np.float64]


class Counts(NamedTuple):
    """Decisions, counted over concepts, over samples or over both."""

    tp: Numbers
    fp: Numbers
    fn: Numbers
    tn: Numbers

    def over_concepts(self) -> Counts:
        """Sum over the last axis, as micro averages do."""
        return Counts(*(part.sum(axis=-1) for part in self))


class Ratio(Protocol):
    """A ratio of counts, nan where it is 0/0; frozen, so that equal ones are equal."""

    def __call__(self, counts: Counts) -> Numbers:
        """Compute the ratio for every element of the counts."""
        ...


def divide(numerator: Numbers, denominator: Numbers) -> Numbers:
    """Divide, silently, with nan for 0/0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.true_divide(numerator, denominator)


def per_mistake(cost: Numbers, below: Numbers, mistakes: Numbers, samples: Numbers) -> Numbers:
    """Divide what mistakes cost; without any it is 0, the best there is."""
    return np.where((mistakes == 0) & (samples > 0), 0.0, divide(cost, below))


def mean_of_defined(values: Numbers) -> Numbers:
    """Average over the first axis what is defined."""
    defined = np.isfinite(values)
    return divide(np.where(defined, values, 0.0).sum(axis=0), defined.sum(axis=0))


def filled(values: Numbers, undefined: float | None) -> Numbers:
    """Let a number stand for what is undefined."""
    return values if undefined is None else np.where(np.isnan(values), undefined, values)


@dataclass(frozen=True)
class PrecisionRatio:
    """Share of the predicted labels that are true: TP / (TP + FP)."""

    def __call__(self, counts: Counts) -> Numbers:
        """Compute the precision."""
        return divide(counts.tp, counts.tp + counts.fp)


@dataclass(frozen=True)
class RecallRatio:
    """Share of the true labels that were predicted: TP / (TP + FN)."""

    def __call__(self, counts: Counts) -> Numbers:
        """Compute the recall."""
        return divide(counts.tp, counts.tp + counts.fn)


@dataclass(frozen=True)
class FRatio:
    """Weighted harmonic mean of precision and recall, from the counts (Krstinić eq. 8)."""

    beta: float = 1.0

    def __call__(self, counts: Counts) -> Numbers:
        """Compute (1 + β²) TP / ((1 + β²) TP + β² FN + FP)."""
        square = self.beta**2
        hits = (1 + square) * counts.tp
        return divide(hits, hits + square * counts.fn + counts.fp)


@dataclass(frozen=True)
class JaccardRatio:
    """Share of the true or predicted labels that are both: TP / (TP + FP + FN)."""

    def __call__(self, counts: Counts) -> Numbers:
        """Compute the Jaccard index."""
        return divide(counts.tp, counts.tp + counts.fp + counts.fn)


@dataclass(frozen=True)
class AccuracyRatio:
    """Share of right decisions: (TP + TN) / (TP + TN + FP + FN)."""

    def __call__(self, counts: Counts) -> Numbers:
        """Compute the accuracy."""
        return divide(counts.tp + counts.tn, sum(counts[1:], start=counts.tp))


@dataclass(frozen=True)
class ErrorRatio:
    """Share of wrong decisions: (FP + FN) / (TP + TN + FP + FN)."""

    def __call__(self, counts: Counts) -> Numbers:
        """Compute the error rate."""
        return divide(counts.fp + counts.fn, sum(counts[1:], start=counts.tp))


def harmonic(precision: Numbers, recall: Numbers, beta: float = 1.0) -> Numbers:
    """Weighted harmonic mean of two numbers, as in the F of averages."""
    square = beta**2
    below = square * precision + recall
    mean = divide((1 + square) * precision * recall, below)
    return np.where(below == 0, 0.0, mean)


@dataclass(frozen=True)
class Overlap:
    """Counts of decisions, or sums of their weights, over the concepts of each sample."""

    def __call__(self, batch: Batch) -> Rows:
        """Count TP, FP, FN and TN of each sample."""
        tp, fp, fn = (batch.amount(part) for part in (batch.common, batch.false, batch.missed))
        if batch.known is not None:
            whole = batch.amount(batch.known)
        else:
            one = len(batch.truth.vocabulary) if batch.weights is None else batch.weights.sum()
            whole = np.full(len(batch), float(one))
        # Of weights a rounding error could be left.
        return Rows(np.stack([tp, fp, fn, np.maximum(whole - tp - fp - fn, 0.0)], axis=-1))

    def unpack(self, values: NDArray[np.float64]) -> Counts:
        """Name the four counts."""
        return Counts(*np.moveaxis(values, -1, 0))
