"""A hierarchy as a tree to draw: each concept once, below one of its parents."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.csr import row_of_entries
from ontoeval.core.hierarchy import Hierarchy


class Tree(NamedTuple):
    """Concepts in the order in which a tree is read from its roots."""

    order: NDArray[np.intp]
    parent: NDArray[np.intp]

    def sums(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Add to the value of each concept those of all that is drawn below it."""
        sums = np.array(values, dtype=np.float64)
        for concept in self.order[::-1].tolist():
            if self.parent[concept] >= 0:
                sums[self.parent[concept]] += sums[concept]
        return sums

    def largest(self, values: NDArray[np.float64]) -> float:
        """Find the largest value below the roots, which hold all and would leave the others pale."""
        inner = values[self.parent >= 0]
        return float(inner.max(initial=0.0)) or float(values.max(initial=0.0)) or 1.0

    def upper(self, wanted: NDArray[np.bool_], most: int) -> NDArray[np.intp]:
        """Choose concepts to draw: of too many the upper levels."""
        level = np.zeros(self.parent.size, dtype=np.intp)
        for concept in self.order.tolist():
            level[concept] = level[self.parent[concept]] + 1 if self.parent[concept] >= 0 else 0
        sizes = np.bincount(level[wanted])
        deepest = max(int(np.searchsorted(np.cumsum(sizes), most, side="right")), 1)
        return self.order[(wanted & (level < deepest))[self.order]][:most]


def drawn(hierarchy: Hierarchy) -> Tree:
    """Choose for each concept the one parent that it is drawn below: the first of the deepest."""
    child, above = row_of_entries(hierarchy.parents), hierarchy.parents.indices
    deepest = hierarchy.depth[above] == hierarchy.depth[child] - 1
    parent = np.full(len(hierarchy.vocabulary), -1, dtype=np.intp)
    parent[child[deepest][::-1]] = above[deepest][::-1]
    children: list[list[int]] = [[] for _ in parent]
    for concept in range(parent.size - 1, -1, -1):
        if parent[concept] >= 0:
            children[parent[concept]].append(concept)
    order: list[int] = []
    waiting = hierarchy.roots.tolist()[::-1]
    while waiting:
        order.append(waiting.pop())
        waiting += children[order[-1]]
    return Tree(np.array(order, dtype=np.intp), parent)
