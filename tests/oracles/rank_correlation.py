"""Rank correlations of two lists without undefined scores, pair by pair as their papers define them."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan, sqrt

Scores = Sequence[float]


def tau_ap(truth: Scores, estimate: Scores) -> float:
    """Yilmaz et al. 2008: walk down the estimate; no ties."""
    order = sorted(range(len(truth)), key=lambda run: -estimate[run])
    correct = sum(
        sum(truth[above] > truth[run] for above in order[:place]) / place
        for place, run in enumerate(order)
        if place
    )
    return 2 * correct / (len(truth) - 1) - 1


def tau_ap_b(first: Scores, second: Scores) -> float:
    """Urbano and Marrero 2017: compare each run with those above its group."""

    def one_way(truth: Scores, estimate: Scores) -> float:
        shares = []
        for run, score in enumerate(estimate):
            above = [other for other, better in enumerate(estimate) if better > score]
            if above:
                shares.append(sum(truth[other] > truth[run] for other in above) / len(above))
        return 2 * sum(shares) / len(shares) - 1 if shares else nan

    return (one_way(first, second) + one_way(second, first)) / 2


def rbo(first: Sequence[object], second: Sequence[object], p: float) -> float:
    """Webber et al. 2010, eq. 32: two lists, best first, that need not have the same members or length."""
    short, long = sorted((len(first), len(second)))
    common = [len(set(first[:depth]) & set(second[:depth])) for depth in range(long + 1)]
    seen = sum(common[d] / d * p**d for d in range(1, long + 1))
    unseen = sum(common[short] * (d - short) / (short * d) * p**d for d in range(short + 1, long + 1))
    rest = ((common[long] - common[short]) / long + common[short] / short) * p**long
    return (1 - p) / p * (seen + unseen) + rest


def rbo_b(first: Scores, second: Scores, p: float) -> float:
    """Corsi and Urbano 2024, RBO^b of two rankings of all runs: ties are equally good."""

    def among(scores: Scores, depth: int) -> list[float]:
        places = [(sum(one > own for one in scores), sum(one == own for one in scores)) for own in scores]
        return [min(max((depth - above) / tied, 0.0), 1.0) for above, tied in places]

    total, agreement = 0.0, 0.0
    for depth in range(1, len(first) + 1):
        x, y = among(first, depth), among(second, depth)
        alone = [sum(part**2 for part in side) for side in (x, y)]
        agreement = sum(a * b for a, b in zip(x, y, strict=True)) / sqrt(alone[0] * alone[1])
        total += (1 - p) / p * agreement * p**depth
    return total + agreement * p ** len(first)
