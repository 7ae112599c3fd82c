"""What is inferred from scores at one threshold after the other, by looking at every concept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from tests.oracles import losses as oracle
from tests.oracles.hierarchical import Edges, above, below

Point = tuple[float, float, float]
"""Correctness, information recall and information precision."""

NOTHING = "(nothing)"


def concept_scores(
    edges: Edges, concepts: Iterable[str], given: Mapping[str, float], how: str
) -> dict[str, float]:
    """What every concept scores."""
    edges, found = list(edges), {}
    for concept in concepts:
        of = [given[name] for name in below(edges, {concept}) if name in given]
        own = given.get(concept, 0.0)
        found[concept] = {"none": own, "sum": sum(of), "max": max(of, default=0.0)}[how]
    return found


def specificity(edges: Edges, concepts: Sequence[str], name: str, by: str) -> int:
    """A whole number that grows with what a concept says."""
    edges = oracle.connected(edges, concepts)
    if by == "depth":
        return oracle.depth(edges, name)
    inner = {parent for parent, _ in edges}
    return -len([one for one in below(edges, {name}) if one not in inner])


def value(edges: Edges, concepts: Sequence[str], truth: str, inferred: str, by: str) -> Point:
    """How good it is to infer a concept."""
    edges = list(edges)
    says = oracle.information(edges, concepts, truth, by)
    if inferred == NOTHING:
        return 1.0, float(says == 0), 1.0
    correct = truth in above(edges, {inferred}) or inferred in above(edges, {truth})
    common = oracle.shared(edges, concepts, truth, inferred, by)
    predicted = oracle.information(edges, concepts, inferred, by)
    return float(correct), common / says if says else 1.0, common / predicted if predicted else 1.0


def inferred_at(
    edges: Edges, concepts: Sequence[str], scores: Mapping[str, float], threshold: float, by: str
) -> list[str]:
    """The most specific concepts that score more, of these those that score most; all that are tied."""
    edges = list(edges)
    inner = {parent for parent, _ in edges}
    least = 0 if by == "depth" else -len([one for one in concepts if one not in inner])
    found = {
        name: (specificity(edges, concepts, name, by), score)
        for name, score in scores.items()
        if score > threshold and specificity(edges, concepts, name, by) > least
    }
    best = max(found.values(), default=None)
    return [name for name, rank in found.items() if rank == best] or [NOTHING]


def point(
    edges: Edges,
    concepts: Sequence[str],
    truths: Sequence[str],
    given: Sequence[Mapping[str, float]],
    threshold: float,
    by: str,
    how: str,
) -> Point:
    """Means over samples at a threshold."""
    edges, values = list(edges), []
    for truth, some in zip(truths, given, strict=True):
        scores = concept_scores(edges, concepts, some, how)
        chosen = inferred_at(edges, concepts, scores, threshold, by)
        values.append(np.mean([value(edges, concepts, truth, one, by) for one in chosen], axis=0))
    correct, recall, precision = np.mean(values, axis=0)
    return float(correct), float(recall), float(precision)


def area(points: Iterable[tuple[float, float]]) -> float:
    """What lies below and left of some point, as a sum of rectangles."""
    points = list(points)
    widths = sorted({0.0, *(first for first, _ in points)})
    return sum(
        (right - left) * max(second for first, second in points if first >= right)
        for left, right in pairwise(widths)
    )
