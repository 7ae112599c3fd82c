"""Counts of right and wrong decisions, and the ratios of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.batch import Batch
from ontoeval.measures.sums import Rows
from ontoeval.plumbing.arrays import Numbers


class Counts(NamedTuple):
    """Decisions, counted over concepts, over samples or over both."""

    tp: Numbers
    fp: Numbers
    fn: Numbers
    tn: Numbers

    def over_concepts(self) -> Counts:
        """Sum over the last axis, as micro averages do."""
        return Counts(*(part.sum(axis=-1) for part in self))


@dataclass(frozen=True)
class Overlap:
    """Counts of decisions, or sums of their weights, over the concepts of each sample."""

    def __call__(self, batch: Batch) -> Rows:
        """Count TP, FP, FN and TN of each sample."""
        if batch.weights is None:
            tp, fn, fp = batch.part_sizes
        else:
            tp, fn, fp = (batch.amount(part) for part in (batch.common, batch.missed, batch.false))
        if batch.known is not None:
            whole = batch.amount(batch.known)
        else:
            one = len(batch.truth.vocabulary) if batch.weights is None else batch.weights.sum()
            whole = np.asarray(one, dtype=np.float64)
            if batch.excluded is not None:
                whole = whole - batch.amount(batch.excluded_labels)
        # Of weights a rounding error could be left.
        return Rows(np.stack([tp, fp, fn, np.maximum(whole - tp - fp - fn, 0.0)]).T)

    @staticmethod
    def totals(hits: NDArray[Any], true: NDArray[Any], predicted: NDArray[Any], decisions: float) -> Numbers:
        """Make the sums from counts of all labels, on a last axis of length 1."""
        neither = decisions - true - predicted + hits
        parts = hits, predicted - hits, true - hits, neither
        return np.concatenate(parts, axis=-1, dtype=np.float64)

    def unpack(self, values: NDArray[np.float64]) -> Counts:
        """Name the four counts."""
        return Counts(*np.moveaxis(values, -1, 0))


def divide(numerator: Numbers, denominator: Numbers) -> Numbers:
    """Divide, silently, with nan for 0/0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.true_divide(numerator, denominator)


def per_mistake(cost: Numbers, below: Numbers, mistakes: Numbers, samples: Numbers) -> Numbers:
    """Divide the cost of mistakes; without mistakes the result is 0, the best value."""
    return np.where((mistakes == 0) & (samples > 0), 0.0, divide(cost, below))


def mean_of_defined(values: Numbers) -> Numbers:
    """Average the finite values over the first axis."""
    defined = np.isfinite(values)
    return divide(np.where(defined, values, 0.0).sum(axis=0), defined.sum(axis=0))


def mean_terms(values: Numbers, weights: Numbers | None, undefined: float | None) -> tuple[Numbers, Numbers]:
    """Values and weights whose sums a mean divides, `undefined` standing for nan; None overwrites it by 0."""
    defined = ~np.isnan(values := fill_undefined(values, undefined))
    np.copyto(values, 0.0, where=~defined)  # a copy takes longer
    if weights is None:
        return values, defined.astype(np.float64)
    weights = np.where(defined, weights, 0.0)
    return values * weights, weights


def weighted_mean(values: Numbers, weights: Numbers | None, undefined: float | None) -> Numbers:
    """Average over the last axis, `undefined` standing for nan; None leaves it out."""
    terms = mean_terms(values.copy(), weights, undefined)
    return fill_undefined(divide(*(term.sum(axis=-1) for term in terms)), undefined)


def fill_undefined(values: Numbers, undefined: float | None) -> Numbers:
    """Replace nan by a number; None keeps nan."""
    return values if undefined is None else np.where(np.isnan(values), undefined, values)


# ratios -----------------------------------------------------------------------------------------------------


class Ratio(Protocol):
    """A ratio of counts, nan where it is 0/0; equal ratios are the same function, or equal dataclasses."""

    def __call__(self, counts: Counts, /) -> Numbers:
        """Compute the ratio."""
        ...


def precision(counts: Counts) -> Numbers:
    """Share of the predicted labels that are true."""
    return divide(counts.tp, counts.tp + counts.fp)


def recall(counts: Counts) -> Numbers:
    """Share of the true labels that were predicted."""
    return divide(counts.tp, counts.tp + counts.fn)


@dataclass(frozen=True)
class FRatio:
    """Weighted harmonic mean of precision and recall, from the counts (Krstinić eq. 8)."""

    beta: float = 1.0

    def __call__(self, counts: Counts) -> Numbers:
        """Compute (1 + β²) TP / ((1 + β²) TP + β² FN + FP)."""
        square = self.beta**2
        hits = (1 + square) * counts.tp
        return divide(hits, hits + (counts.fn if square == 1 else square * counts.fn) + counts.fp)


def jaccard(counts: Counts) -> Numbers:
    """Share of the true or predicted labels that are both."""
    return divide(counts.tp, counts.tp + counts.fp + counts.fn)


def accuracy(counts: Counts) -> Numbers:
    """Share of right decisions."""
    return divide(counts.tp + counts.tn, sum(counts[1:], start=counts.tp))


def error_rate(counts: Counts) -> Numbers:
    """Share of wrong decisions."""
    return divide(counts.fp + counts.fn, sum(counts[1:], start=counts.tp))


def harmonic(precision: Numbers, recall: Numbers, beta: float = 1.0) -> Numbers:
    """Weighted harmonic mean of two numbers, as in the F of averages."""
    square = beta**2
    below = square * precision + recall
    mean = divide((1 + square) * precision * recall, below)
    return np.where(below == 0, 0.0, mean)
