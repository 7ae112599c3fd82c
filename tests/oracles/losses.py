"""Losses, distances and mistakes of one sample after the other, by walking the hierarchy."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from functools import partial

from tests.oracles.hierarchical import Edges, above, below

ABOVE_ALL = "(above all)"


def parents(edges: Edges, name: str) -> list[str]:
    """What lies just above a concept."""
    return [parent for parent, child in edges if child == name]


def depth_weight(edges: Edges, name: str, base: float) -> float:
    """1 for roots, else a share of the mean of the parents' weights."""
    edges = list(edges)
    over = [depth_weight(edges, parent, base) for parent in parents(edges, name)]
    return base * sum(over) / len(over) if over else 1.0


def shared_weight(edges: Edges, concepts: Iterable[str], name: str) -> float:
    """The share of a tree's concept: roots share 1, children what their parent has."""
    edges, concepts = list(edges), list(concepts)
    over = parents(edges, name)
    if not over:
        return 1 / sum(not parents(edges, one) for one in concepts)
    children = sum(parent == over[0] for parent, _ in edges)
    return shared_weight(edges, concepts, over[0]) / children


def h_loss(
    edges: Edges,
    truth: AbstractSet[str],
    prediction: AbstractSet[str],
    gone: AbstractSet[str],
    cost: Callable[[str], float],
) -> float:
    """Charge each concept about which the sets differ, if they differ about none of its ancestors."""
    edges = list(edges)
    differing = (above(edges, truth) ^ above(edges, prediction)) - gone
    return sum(cost(name) for name in differing if not (above(edges, {name}) - {name}) & differing)


def set_distance(
    edges: Edges, truth: AbstractSet[str], prediction: AbstractSet[str], base: float, gone: AbstractSet[str]
) -> float:
    """Euclidean distance of weighted vectors."""
    edges = list(edges)
    differing = (above(edges, truth) ^ above(edges, prediction)) - gone
    return math.sqrt(sum(depth_weight(edges, name, base) for name in differing))


def connected(edges: Edges, concepts: Iterable[str]) -> list[tuple[str, str]]:
    """The edges, and those to a node above several roots."""
    edges, concepts = list(edges), list(concepts)
    roots = [name for name in concepts if not parents(edges, name)]
    return [*edges, *((ABOVE_ALL, root) for root in roots if len(roots) > 1)]


def ways_up(edges: Edges, name: str, cost: Callable[[str], float]) -> dict[str, float]:
    """The cheapest way to each ancestor."""
    edges, found = list(edges), {name: 0.0}
    for parent in parents(edges, name):
        for ancestor, more in ways_up(edges, parent, cost).items():
            found[ancestor] = min(found.get(ancestor, math.inf), cost(name) + more)
    return found


def depth(edges: Edges, name: str) -> int:
    """Links on the longest way up."""
    edges = list(edges)
    return max((1 + depth(edges, parent) for parent in parents(edges, name)), default=0)


def path(edges: Edges, first: str, second: str, ratio: float = 1.0) -> float:
    """The cheapest path through a common ancestor: a link at depth d costs ratio^(d - 1)."""
    edges = list(edges)
    one, other = (
        ways_up(edges, name, lambda lower: ratio ** (depth(edges, lower) - 1)) for name in (first, second)
    )
    return min((one[ancestor] + other[ancestor] for ancestor in one.keys() & other.keys()), default=math.inf)


def longest(edges: Edges, concepts: Iterable[str], ratio: float = 1.0) -> float:
    """What the longest path can cost: twice the way down all levels."""
    edges = list(edges)
    levels = max((depth(edges, name) for name in concepts), default=0)
    return 2 * sum(ratio**level for level in range(levels)) or 2.0


def contribution(each: Callable[[str], float], others: Iterable[str]) -> float:
    """What a wrong decision contributes, between -1 and 1."""
    return max(-1.0, min(1.0, sum(each(other) for other in others)))


def near_misses(
    labels: Sequence[str],
    truths: Sequence[AbstractSet[str]],
    predictions: Sequence[AbstractSet[str]],
    each: Callable[[str, str], float],
) -> dict[str, tuple[float, float, float]]:
    """TP + FpCon + FnCon, and what it is divided by for precision and for recall, of each concept."""
    found = {}
    for label in labels:
        tp = fp = fn = of_false = of_missed = 0.0
        for truth, prediction in zip(truths, predictions, strict=True):
            if label in truth & prediction:
                tp += 1
            elif label in prediction:
                fp += 1
                of_false += contribution(partial(each, label), truth)
            elif label in truth:
                fn += 1
                of_missed += contribution(partial(each, label), prediction)
        found[label] = (tp + of_false + of_missed, tp + fp + of_missed, tp + fn + of_false)
    return found


def height(edges: Edges, name: str) -> int:
    """Links down to the deepest leaf."""
    edges = list(edges)
    return max((1 + height(edges, child) for parent, child in edges if parent == name), default=0)


def lowest(edges: Edges, first: str, second: str) -> list[str]:
    """The common ancestors that have no other one below them."""
    edges = list(edges)
    common = above(edges, {first}) & above(edges, {second})
    return [name for name in common if len(below(edges, {name}) & common) == 1]


def severity(edges: Edges, concepts: Iterable[str], first: str, second: str) -> float:
    """Height of the lowest common ancestor, of several the least."""
    edges = connected(edges, concepts)
    return 0.0 if first == second else min(height(edges, name) for name in lowest(edges, first, second))


def information(edges: Edges, concepts: Iterable[str], name: str, by: str) -> float:
    """What a concept says."""
    edges, concepts = connected(edges, concepts), list(concepts)
    if by == "depth":
        return depth(edges, name)
    leaves = {one for one in concepts if not any(parent == one for parent, _ in edges)}
    return -math.log2(len(below(edges, {name}) & leaves) / len(leaves))


def shared(edges: Edges, concepts: Iterable[str], first: str, second: str, by: str) -> float:
    """The most that a common ancestor says."""
    edges, concepts = list(edges), list(concepts)
    common = above(edges, {first}) & above(edges, {second})
    return max((information(edges, concepts, name, by) for name in common), default=0.0)
