"""Annotator agreement by loops over annotators, samples and concepts, as the definitions read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations
from math import isnan, nan
from typing import Any

Units = Sequence[Sequence[Hashable]]
"""For each unit the category that each annotator who says anything chose."""


def majority(units: Units) -> float:
    paired = [unit for unit in units if len(unit) > 1]
    return mean([max(Counter(unit).values()) / len(unit) for unit in paired])


def unanimous(units: Units) -> float:
    return mean([float(len(set(unit)) == 1) for unit in units if len(unit) > 1])


def pairwise(units: Units) -> float:
    shares = []
    for unit in units:
        pairs = list(combinations(unit, 2))
        if pairs:
            shares.append(mean([float(one == other) for one, other in pairs]))
    return mean(shares)


def shares_of(units: Units, categories: Sequence[Hashable]) -> list[float]:
    rated = [unit for unit in units if unit]
    return [mean([unit.count(one) / len(unit) for unit in map(list, rated)]) for one in categories]


def beyond(observed: float, chance: float) -> float:
    return nan if abs(1 - chance) < 1e-9 else (observed - chance) / (1 - chance)


def fleiss(units: Units, categories: Sequence[Hashable]) -> float:
    paired = [unit for unit in units if len(list(unit)) > 1]
    return beyond(pairwise(units), sum(p**2 for p in shares_of(paired, categories)))


def randolph(units: Units, categories: Sequence[Hashable]) -> float:
    return beyond(pairwise(units), 1 / len(categories))


def ac1(units: Units, categories: Sequence[Hashable]) -> float:
    shares = shares_of(units, categories)
    return beyond(pairwise(units), sum(p * (1 - p) for p in shares) / (len(categories) - 1))


def alpha(units: Sequence[Sequence[Any]], distance: Callable[[Any, Any], float]) -> float:
    """Go through all pairs of values, those of the same unit and any two."""
    paired = [list(unit) for unit in units if len(unit) > 1]
    values = [value for unit in paired for value in unit]
    number = len(values)
    observed = sum(
        distance(one, other) / (len(unit) - 1)
        for unit in paired
        for n, one in enumerate(unit)
        for m, other in enumerate(unit)
        if n != m
    )
    expected = sum(
        distance(one, other) for n, one in enumerate(values) for m, other in enumerate(values) if n != m
    )
    return nan if not expected else 1 - (number - 1) * observed / expected


def nominal(one: Hashable, other: Hashable) -> float:
    return float(one != other)


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    return 1 - len(one & other) / len(one | other) if one | other else 0.0


def masi(one: frozenset[str], other: frozenset[str]) -> float:
    if one == other:
        return 0.0
    factor = 2 / 3 if one <= other or other <= one else 1 / 3 if one & other else 0
    return 1 - factor * (1 - jaccard(one, other))


def hierarchical(one: frozenset[str], other: frozenset[str], cost: Callable[[str, str], float]) -> float:
    if one == other:
        return 0.0
    if not one or not other:
        return 1.0
    total = sum(min(cost(a, b) for b in other) for a in one - other)
    total += sum(min(cost(a, b) for a in one) for b in other - one)
    return total / len(one | other)


def cohen(pairs: Sequence[tuple[Hashable, Hashable]]) -> float:
    """Kappa of two annotators, from what they chose in the units that both have."""
    if not pairs:
        return nan
    observed = mean([float(one == other) for one, other in pairs])
    first, second = (Counter(side) for side in zip(*pairs, strict=True))
    chance = sum(first[k] * second[k] for k in first) / len(pairs) ** 2
    return beyond(observed, chance)


def mean(values: Sequence[float]) -> float:
    defined = [value for value in values if not isnan(value)]
    return sum(defined) / len(defined) if defined else nan


def dawid_skene(
    said: Mapping[tuple[str, str], bool], *, smoothing: float = 0.01, steps: int
) -> tuple[dict[str, float], dict[str, tuple[float, float]]]:
    """Fit one concept, from what each annotator says of each sample; so many steps."""
    samples = sorted({sample for sample, _ in said})
    people = sorted({who for _, who in said})
    there = {s: mean([float(v) for (sample, _), v in said.items() if sample == s]) for s in samples}
    rates: dict[str, tuple[float, float]] = {}
    for _ in range(steps + 1):
        prevalence = (sum(there.values()) + smoothing) / (len(samples) + 2 * smoothing)
        for who in people:
            own = {sample: v for (sample, name), v in said.items() if name == who}
            hits = sum(there[s] for s, v in own.items() if v)
            rejections = sum(1 - there[s] for s, v in own.items() if not v)
            positives = sum(there[s] for s in own)
            rates[who] = (
                (hits + smoothing) / (positives + 2 * smoothing),
                (rejections + smoothing) / (len(own) - positives + 2 * smoothing),
            )
        if _ == steps:
            break
        for s in samples:
            yes, no = prevalence, 1 - prevalence
            for (sample, who), v in said.items():
                if sample == s:
                    sensitivity, specificity = rates[who]
                    yes *= sensitivity if v else 1 - sensitivity
                    no *= 1 - specificity if v else specificity
            there[s] = yes / (yes + no)
    return there, rates
