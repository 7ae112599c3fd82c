"""The ontology score of Nowak and Lukashevich 2009.

One sample and one pair of labels at a time, by walking up every path.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

Edge: TypeAlias = tuple[str, str]
Requirement: TypeAlias = tuple[str, frozenset[str]]

VIRTUAL_ROOT = "(virtual root)"
TINY = 1e-12


@dataclass(frozen=True)
class Tree:
    """A hierarchy given by its edges, parent before child; ``concepts`` adds isolated ones.

    With several roots and ``connect_roots`` there is a virtual root above them, which counts as a
    level. The ``kind`` of cost is ``"depth-weighted"``, ``"links"`` (all links alike) or ``"flat"``
    (1 between any two).
    """

    edges: tuple[Edge, ...]
    concepts: tuple[str, ...] = ()
    connect_roots: bool = True
    kind: str = "depth-weighted"

    @cached_property
    def nodes(self) -> frozenset[str]:
        """All concepts, without the virtual root."""
        return frozenset(node for edge in self.edges for node in edge) | frozenset(self.concepts)

    @cached_property
    def roots(self) -> frozenset[str]:
        """Concepts without a parent."""
        return self.nodes - {child for _, child in self.edges}

    @cached_property
    def parents(self) -> dict[str, frozenset[str]]:
        """Parents of each node; those of the roots are the virtual root where there is one."""
        found = {
            node: frozenset(parent for parent, child in self.edges if child == node) for node in self.nodes
        }
        if self.connect_roots and len(self.roots) > 1:
            found |= dict.fromkeys(self.roots, frozenset({VIRTUAL_ROOT}))
            found[VIRTUAL_ROOT] = frozenset()
        return found

    def upward_paths(self, node: str) -> Iterator[tuple[str, ...]]:
        """Every path that starts at ``node`` and goes up, of any length, the empty one first."""
        yield (node,)
        for parent in self.parents[node]:
            for path in self.upward_paths(parent):
                yield (node, *path)

    def depth(self, node: str) -> int:
        """Number of links of the longest path from a root down to ``node``."""
        return max((self.depth(parent) + 1 for parent in self.parents[node]), default=0)

    @cached_property
    def link_cost(self) -> dict[str, float]:
        """Cost of the links whose lower end is a node: halved at each level, a path of L links costs 1/2."""
        depths = {node: self.depth(node) for node in self.nodes}
        levels = max(depths.values(), default=0)
        whole = 2 * sum(2 ** (i - 1) for i in range(1, levels + 1))
        if self.kind == "links":
            return dict.fromkeys(self.nodes, 0.5 / max(levels, 1))
        return {node: 2 ** (levels - depth) / whole for node, depth in depths.items() if depth}

    @cached_property
    def below(self) -> dict[str, frozenset[str]]:
        """Each node and everything below it."""
        return {
            node: frozenset(other for other in self.nodes if node in self.upward_cost(other))
            for node in self.nodes
        }

    def upward_cost(self, node: str) -> dict[str, float]:
        """Cost of the cheapest path up to each ancestor, the node itself among them."""
        cheapest = {node: 0.0}
        for parent in self.parents[node]:
            for ancestor, cost in self.upward_cost(parent).items():
                via = self.link_cost[node] + cost
                cheapest[ancestor] = min(via, cheapest.get(ancestor, math.inf))
        return cheapest

    def cost(self, one: str, other: str) -> float:
        """Cost of the cheapest path over a concept above both; 1 where there is none."""
        if self.kind == "flat":
            return float(one != other)
        left, right = self.upward_cost(one), self.upward_cost(other)
        return min((left[above] + right[above] for above in left if above in right), default=1.0)

    def cost_by_paths(self, one: str, other: str) -> float:
        """Compute the same with every pair of paths written out; only for the smallest hierarchies."""
        cheapest = math.inf
        for left in self.upward_paths(one):
            for right in self.upward_paths(other):
                if left[-1] == right[-1]:
                    links = [*left[:-1], *right[:-1]]
                    cheapest = min(cheapest, math.fsum(self.link_cost[child] for child in links))
        return cheapest if cheapest < math.inf else 1.0


def violators(
    prediction: AbstractSet[str],
    tree: Tree,
    *,
    exclusions: Iterable[Edge] = (),
    requirements: Iterable[Requirement] = (),
) -> set[str]:
    """The predicted labels that break a rule together with the other predicted labels.

    An exclusion ``(a, b)`` holds for everything below a and b. A requirement ``(c, alternatives)``
    holds for c and everything below it, and is met by an alternative or anything below one; several
    requirements must all be met.
    """
    broken: set[str] = set()
    for a, b in exclusions:
        under_a, under_b = prediction & tree.below[a], prediction & tree.below[b]
        if under_a and under_b:
            broken |= under_a | under_b
    for concept, alternatives in requirements:
        for label in prediction & tree.below[concept]:
            if not any(prediction & tree.below[alternative] for alternative in alternatives):
                broken.add(label)
    return broken


def score(
    truth: AbstractSet[str],
    prediction: AbstractSet[str],
    tree: Tree,
    *,
    agreement: Mapping[str, float] | None = None,
    alpha: float = 1.0,
    ties: str = "largest",
    empty_prediction: str = "zero",
    penalise: str = "false positives",
    exclusions: Iterable[Edge] = (),
    requirements: Iterable[Requirement] = (),
) -> float:
    """Equations 1 and 2 for one sample."""
    preferred = max if ties == "largest" else min
    a = agreement or dict.fromkeys(tree.nodes, 1.0)
    if not truth and not prediction:
        return 1.0
    if not truth:
        return 0.0
    if not prediction and empty_prediction == "zero":
        return 0.0
    broken: set[str] = set()
    if penalise != "none":
        broken = violators(prediction, tree, exclusions=exclusions, requirements=requirements)
    costs = []
    for label in prediction - truth:
        if label in broken:
            costs.append(1.0)
            continue
        nearest = min(tree.cost(label, true) for true in truth)
        tied = [true for true in truth if tree.cost(label, true) <= nearest + TINY]
        costs.append(nearest * preferred(a[true] for true in tied))
    if penalise == "all predicted":
        costs.extend(1.0 for _ in broken & truth)
    for true in truth - prediction:
        nearest = min((tree.cost(label, true) for label in prediction), default=1.0)
        costs.append(nearest * a[true])
    base = 1 - math.fsum(costs) / len(prediction | truth)
    if base < TINY:
        return 0.0
    return float(base**alpha)
