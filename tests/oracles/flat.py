"""Measures of label sets without a hierarchy, per sample and per concept.

Per sample, two empty sets score ``empty`` (1) and exactly one empty set scores 0. Per concept, 0/0
is nan; a mean leaves nan out, or takes ``undefined`` in its place.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple, TypeAlias

Sets: TypeAlias = Sequence[AbstractSet[int]]


class Counts(NamedTuple):
    """What one concept collects over the samples."""

    tp: float
    fp: float
    fn: float
    tn: float


def ratio(numerator: float, denominator: float) -> float:
    """Divide, 0/0 being nan."""
    return numerator / denominator if denominator else math.nan


# one sample -------------------------------------------------------------------------------------------------


def jaccard(truth: AbstractSet[int], prediction: AbstractSet[int], *, empty: float = 1.0) -> float:
    """Krstinić et al. 2020, equation 1, one summand."""
    if not truth and not prediction:
        return empty
    return len(truth & prediction) / len(truth | prediction)


def precision_of_sample(
    truth: AbstractSet[int], prediction: AbstractSet[int], *, empty: float = 1.0
) -> float:
    """Equation 2, one summand."""
    if not truth and not prediction:
        return empty
    if not truth or not prediction:
        return 0.0
    return len(truth & prediction) / len(prediction)


def recall_of_sample(truth: AbstractSet[int], prediction: AbstractSet[int], *, empty: float = 1.0) -> float:
    """Equation 3, one summand."""
    return precision_of_sample(prediction, truth, empty=empty)


def f_of_sample(
    truth: AbstractSet[int], prediction: AbstractSet[int], *, beta: float = 1.0, empty: float = 1.0
) -> float:
    """Equation 4, one summand, with the weight of recall that equation 8 has for concepts."""
    if not truth and not prediction:
        return empty
    hits = len(truth & prediction)
    return (1 + beta**2) * hits / (beta**2 * len(truth) + len(prediction))


def hamming_of_sample(truth: AbstractSet[int], prediction: AbstractSet[int], q: int) -> float:
    """Equation 5, one summand; a loss."""
    return len(truth ^ prediction) / q


def alpha_evaluation(
    truth: AbstractSet[object],
    prediction: AbstractSet[object],
    *,
    alpha: float = 1.0,
    beta: float = 1.0,
    gamma: float = 1.0,
) -> float:
    """Shen et al. 2004: ``(1 - (beta missed + gamma false) / |union|) ** alpha``; two empty sets score 1."""
    union = truth | prediction
    if not union:
        return 1.0
    missed, false = truth - prediction, prediction - truth
    base = 1 - (beta * len(missed) + gamma * len(false)) / len(union)
    if base < 1e-12:
        return 0.0
    return float(base**alpha)


def mean(values: Sequence[float]) -> float:
    """Mean of the samples' values."""
    return math.fsum(values) / len(values) if values else math.nan


def example_based(truths: Sets, predictions: Sets, q: int) -> dict[str, float]:
    """Equations 1 to 6, and the F of the averaged precision and recall."""
    pairs = list(zip(truths, predictions, strict=True))
    precision = mean([precision_of_sample(t, p) for t, p in pairs])
    recall = mean([recall_of_sample(t, p) for t, p in pairs])
    return {
        "jaccard": mean([jaccard(t, p) for t, p in pairs]),
        "precision": precision,
        "recall": recall,
        "f": mean([f_of_sample(t, p) for t, p in pairs]),
        "f_of_averages": harmonic(precision, recall),
        "hamming": mean([hamming_of_sample(t, p, q) for t, p in pairs]),
        "exact": mean([float(t == p) for t, p in pairs]),
        "partly": mean([float(t != p and bool(t & p)) for t, p in pairs]),
        "wrong": mean([float(t != p and not t & p) for t, p in pairs]),
    }


# concepts ---------------------------------------------------------------------------------------------------


def label_counts(truths: Sets, predictions: Sets, q: int) -> list[Counts]:
    """TP, FP, FN and TN of each concept against all others."""
    found = []
    for k in range(q):
        tp = fp = fn = tn = 0
        for truth, prediction in zip(truths, predictions, strict=True):
            match (k in truth, k in prediction):
                case (True, True):
                    tp += 1
                case (False, True):
                    fp += 1
                case (True, False):
                    fn += 1
                case _:
                    tn += 1
        found.append(Counts(tp, fp, fn, tn))
    return found


def precision(counts: Counts) -> float:
    """Equation 7."""
    return ratio(counts.tp, counts.tp + counts.fp)


def recall(counts: Counts) -> float:
    """Equation 7."""
    return ratio(counts.tp, counts.tp + counts.fn)


def f(counts: Counts, beta: float = 1.0) -> float:
    """Equation 8; Heydarian et al. 2022, equation 4."""
    weight = beta**2
    return ratio((1 + weight) * counts.tp, (1 + weight) * counts.tp + weight * counts.fn + counts.fp)


def accuracy(counts: Counts) -> float:
    """Equation 7; TP and TN."""
    return ratio(counts.tp + counts.tn, sum(counts))


def harmonic(p: float, r: float, beta: float = 1.0) -> float:
    """F of two averages; 0 where both are 0, as the F of a concept without hits is."""
    if p == r == 0:
        return 0.0
    weight = beta**2
    return (1 + weight) * p * r / (weight * p + r)


def macro(
    measure: Callable[[Counts], float], counts: Sequence[Counts], *, undefined: float | None = None
) -> float:
    """Mean over the concepts; a concept without a value is left out, or counts as ``undefined``."""
    values = [measure(one) for one in counts]
    if undefined is None:
        values = [value for value in values if not math.isnan(value)]
    else:
        values = [undefined if math.isnan(value) else value for value in values]
    return mean(values)


def micro(measure: Callable[[Counts], float], counts: Sequence[Counts]) -> float:
    """The measure of the summed counts."""
    return measure(Counts(*(math.fsum(column) for column in zip(*counts, strict=True))))


def weighted(
    measure: Callable[[Counts], float], counts: Sequence[Counts], *, undefined: float | None = None
) -> float:
    """Mean over the concepts weighted by support, TP + FN (Heydarian et al. 2022, equation 7)."""
    total = weights = 0.0
    for one in counts:
        support = one.tp + one.fn
        value = measure(one)
        if math.isnan(value):
            if undefined is None:
                continue
            value = undefined
        total += support * value
        weights += support
    return ratio(total, weights)
