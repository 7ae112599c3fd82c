"""What a study tells, one pair of runs or measures and one resample at a time."""

from __future__ import annotations

from itertools import combinations
from math import isnan
from statistics import mean

import numpy as np

import ontoeval as oe
from ontoeval.comparison.rank_correlation import CORRELATIONS
from ontoeval.comparison.result import Comparison
from ontoeval.core.resampling import Halves, Portion
from ontoeval.measures.base import info


def merit(measure: object, score: float) -> float:
    """Minus the distance from the best value, to twelve decimals."""
    return round(-abs(score - float(info(measure, "best"))), 12)


def merits(comparison: Comparison, scores: np.ndarray) -> list[list[float]]:
    """The same of a table of scores, runs × measures."""
    return [
        [merit(one, score) for one, score in zip(comparison.measures.values(), row, strict=True)]
        for row in scores.tolist()
    ]


def agreement(table: list[list[float]], method: str) -> list[list[float]]:
    """Correlate the rankings by two measures after the other."""
    columns = list(zip(*table, strict=True))
    return [[float(CORRELATIONS[method](one, other)) for other in columns] for one in columns]


def jackknife(table: list[list[float]], method: str) -> np.ndarray:
    """Standard errors, from the correlations without each run."""
    without = np.array([agreement(table[:run] + table[run + 1 :], method) for run in range(len(table))])
    return np.asarray(np.sqrt((len(table) - 1) * without.var(axis=0)))


def power(comparison: Comparison, measure: int) -> tuple[float, float, float]:
    """Share of significant pairs, the same corrected, and the difference needed."""
    pairs = list(combinations(range(len(comparison.runs)), 2))
    alpha = comparison.plan.alpha
    shares = [
        mean(float(table[measure, a, b] < alpha) for a, b in pairs)
        for table in (comparison.p_values, comparison.adjusted)
    ]
    needed = []
    for a, b in pairs:
        difference = comparison.scores[a, measure] - comparison.scores[b, measure]
        away = [abs(one[a, measure] - one[b, measure] - difference) for one in comparison.replicates]
        larger = [one + 2e-12 for one in away]
        needed.append(min(one for one in larger if p_value(away, one) < alpha))
    return shares[0], shares[1], max(needed)


def p_value(away: list[float], difference: float) -> float:
    """How often resamples differ by chance as much, as the bootstrap test counts it."""
    return (1 + sum(one >= difference - 1e-12 for one in away)) / (1 + len(away))


def halves(
    comparison: Comparison, truth: oe.LabelSets, runs: dict[str, oe.LabelSets]
) -> list[tuple[list[list[float]], list[list[float]]]]:
    """Score the runs on both halves of the samples, for each split."""
    plan, samples = comparison.plan, truth.samples
    drawn = Halves(resamples=plan.resamples, seed=plan.seed).draw(
        0, plan.resamples, Portion(0, len(samples), samples)
    )
    found = []
    for weights in drawn:
        sides = []
        for side in (1, 0):
            part = [name for name, weight in zip(samples, weights, strict=True) if weight == side]
            scores = [
                list(
                    oe.evaluate(
                        truth.take(part), run.take(part), measures=comparison.measures.values()
                    ).scores.values()
                )
                for run in runs.values()
            ]
            sides.append(merits(comparison, np.array(scores)))
        found.append((sides[0], sides[1]))
    return found


def swapped(first: list[list[float]], second: list[list[float]], measure: int) -> list[tuple[float, float]]:
    """The difference of each pair of runs in one half, and whether the other turns it round."""
    found = []
    for a, b in combinations(range(len(first)), 2):
        one, other = (float(np.sign(side[a][measure] - side[b][measure])) for side in (first, second))
        found.append((abs(first[a][measure] - first[b][measure]), abs(one - other) / 2))
    return found


def first(column: list[float]) -> set[int]:
    """The runs that none surpasses."""
    defined = [value for value in column if not isnan(value)]
    return {run for run, value in enumerate(column) if defined and value == max(defined)}
