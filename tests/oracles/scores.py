"""Measures of scores by loops over sets, as one would write the definitions down.

A sample is a set of true labels and a mapping from some labels to their scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise, product
from math import hypot, nan

Scores = Mapping[str, float]
Sample = tuple[frozenset[str], Scores]


def closed(labels: Iterable[str], above: Callable[[str], Iterable[str]]) -> frozenset[str]:
    """The labels with all their ancestors; `above` gives the ancestors of one, itself among them."""
    return frozenset(a for label in labels for a in above(label))


def propagated(scores: Scores, above: Callable[[str], Iterable[str]]) -> dict[str, float]:
    """Each ancestor has the largest score of what is below it."""
    found: dict[str, float] = {}
    for label, score in scores.items():
        for a in above(label):
            found[a] = max(found.get(a, score), score)
    return found


def mean(values: Sequence[float], over: float) -> float:
    """A sum, divided; undefined without anything to divide by."""
    return sum(values) / over if over else nan


def at(
    samples: Sequence[Sample],
    threshold: float,
    weight: Mapping[str, float],
    *,
    denominator: str,
    empty: float | None,
) -> dict[str, float]:
    """All averages at one threshold."""
    precisions, recalls, missed, false, hits, covered = [], [], [], [], [], 0
    if empty is None:
        samples = [(true, scores) for true, scores in samples if true]
    for true, scores in samples:
        predicted = {label for label, score in scores.items() if score >= threshold}

        def amount(labels: Iterable[str]) -> float:
            return sum(weight[label] for label in sorted(labels))

        if predicted:
            covered += 1
            precisions.append(amount(true & predicted) / amount(predicted))
        if true:
            recalls.append(amount(true & predicted) / amount(true))
        elif not predicted and denominator != "predicted":
            recalls.append(float(empty or 0.0))
            if denominator == "truth":
                precisions.append(float(empty or 0.0))
        missed.append(amount(true - predicted))
        false.append(amount(predicted - true))
        hits.append(amount(true & predicted))
    count = len(samples)
    below_p = count if denominator == "truth" else covered
    below = covered if denominator == "predicted" else count
    p, r = mean(precisions, below_p), mean(recalls, below)
    ru, mi = mean(missed, below), mean(false, below)
    return {
        "precision": p,
        "recall": r,
        "coverage": mean([covered], count),
        "F": 2 * p * r / (p + r) if p + r > 0 else 0.0,
        "micro": 2 * sum(hits) / below_f if (below_f := 2 * sum(hits) + sum(false) + sum(missed)) else 0.0,
        "ru": ru,
        "mi": mi,
        "S": hypot(ru, mi),
        "threshold": threshold,
    }


# rankings ---------------------------------------------------------------------------------------------------

Ranked = Sequence[tuple[bool, float | None]]
"""What is ranked: whether it is true, and its score, None where it has none."""


def key(score: float | None) -> tuple[bool, float]:
    """What has no score is below everything that has one."""
    return (score is not None, score or 0.0)


def one_error(ranked: Ranked) -> float:
    """Share of the wrong ones among the highest scored."""
    top = max(key(score) for _, score in ranked)
    highest = [true for true, score in ranked if key(score) == top]
    return 1 - sum(highest) / len(highest)


def lowest_rank(ranked: Ranked) -> float:
    """Rank of the lowest true one, ties counting as lower; undefined without any."""
    return max((rank(ranked, score) for true, score in ranked if true), default=nan)


def rank(ranked: Ranked, score: float | None) -> int:
    """How many score as much or more."""
    return sum(key(other) >= key(score) for _, other in ranked)


def misordered(ranked: Ranked, tied: float) -> float:
    """Share of the pairs of a true and a false one in the wrong order."""
    pairs = list(product([s for true, s in ranked if true], [s for true, s in ranked if not true]))
    wrong = sum((key(a) < key(b)) + tied * (key(a) == key(b)) for a, b in pairs)
    return wrong / len(pairs) if pairs else nan


def average_precision(ranked: Ranked) -> float:
    """Mean over the true ones of the share of true ones among all that score as much or more."""
    above = [
        sum(true and key(other) >= key(score) for true, other in ranked) / rank(ranked, score)
        for wanted, score in ranked
        if wanted
    ]
    return sum(above) / len(above) if above else nan


def equal_error(ranked: Ranked) -> float:
    """Where the ROC curve, with straight lines between its points, meets FPR = FNR."""
    true = sum(wanted for wanted, _ in ranked)
    false = len(ranked) - true
    if not (true and false):
        return nan
    points = [(0.0, 1.0)]
    for level in sorted({key(score) for _, score in ranked}, reverse=True):
        accepted = [wanted for wanted, score in ranked if key(score) >= level]
        points.append(((len(accepted) - sum(accepted)) / false, 1 - sum(accepted) / true))
    for (x0, y0), (x1, y1) in pairwise(points):
        if x0 < y0 and x1 >= y1:
            share = (y0 - x0) / ((y0 - x0) + (x1 - y1))
            return x0 + share * (x1 - x0)
    raise AssertionError("the curve ends with everything accepted")
