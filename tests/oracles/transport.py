"""Transport F and tκ, written out concept by concept from their definition, and chance by permutation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import permutations
from math import log
from typing import NamedTuple

Sets = Sequence[frozenset[str]]
Bits = Mapping[str, float]


class Sums(NamedTuple):
    """Bits told rightly, told falsely and to be told."""

    right: float
    false: float
    true: float


class Graph:
    """A hierarchy as sets of names."""

    def __init__(
        self, edges: Iterable[tuple[str, str]], names: Iterable[str], abstract: Iterable[str]
    ) -> None:
        self.names, self.abstract = tuple(names), frozenset(abstract)
        self.parents: dict[str, set[str]] = {name: set() for name in self.names}
        for parent, child in edges:
            self.parents[child].add(parent)
        self.above = {name: self._above(name) for name in self.names}
        self.labels = [name for name in self.names if name not in self.abstract]
        self.below = {
            name: frozenset(label for label in self.labels if name in self.above[label])
            for name in self.names
        }

    def _above(self, name: str) -> frozenset[str]:
        return frozenset({name}).union(*(self._above(parent) for parent in self.parents[name]))

    def clear(self, name: str) -> bool:
        """Whether an abstract concept has the same labels as one of its children."""
        children = [child for child in self.names if name in self.parents[child]]
        return name in self.abstract and any(self.below[child] == self.below[name] for child in children)

    def effective_parents(self, name: str) -> set[str]:
        """Parents, those of clear parents in their place, without ancestors of other ones."""
        found: set[str] = set()
        for parent in self.parents[name]:
            found |= self.effective_parents(parent) if self.clear(parent) else {parent}
        return {one for one in found if not any(one in self.above[other] - {other} for other in found)}

    def bits(self) -> dict[str, float]:
        """Bits that each concept adds to its parents."""
        q = len(self.labels)
        total = q + any(len(self.below[label]) == q for label in self.labels)
        found = dict.fromkeys(self.names, 0.0)
        for name in self.names:
            if not self.below[name] or self.clear(name):
                continue
            parents = self.effective_parents(name)
            possible = total
            if len(parents) == 1:
                possible = len(self.below[next(iter(parents))])
            elif parents:
                shared = frozenset.intersection(*(self.below[parent] for parent in parents))
                possible = min(total, len(shared) + 1)
            found[name] = (log(possible) - log(len(self.below[name]))) / log(total)
        return found

    def shared(self, bits: Bits, first: str, second: str) -> float:
        """Bits of the common ancestors of two concepts."""
        return sum(bits[name] for name in self.above[first] & self.above[second])

    def most_specific(self, labels: frozenset[str]) -> frozenset[str]:
        """Labels without ancestors of other ones."""
        return frozenset(
            one for one in labels if not any(one in self.above[other] for other in labels - {one})
        )

    def sums(self, bits: Bits, true: frozenset[str], predicted: frozenset[str]) -> Sums:
        """Sums of one sample."""
        true, predicted = self.most_specific(true), self.most_specific(predicted)
        false = frozenset(z for z in predicted if not any(z in self.above[y] for y in true))
        right = told_falsely = to_tell = 0.0
        for name in self.names:
            y, z, f = (sum(name in self.above[label] for label in some) for some in (true, predicted, false))
            right += bits[name] * min(y, z)
            told_falsely += bits[name] * max(0, f - y)
            to_tell += bits[name] * y
        return Sums(right, told_falsely, to_tell)

    def kappa(self, bits: Bits, truths: Sets, predictions: Sets) -> float | None:
        """tκ, chance being the mean over all permutations of the predictions; None where it is undefined."""
        orders = list(permutations(predictions))
        chance = sum(self.whole(bits, truths, order).right for order in orders) / len(orders)
        right, false, true = self.whole(bits, truths, predictions)
        whole = (true + max(right + false, chance)) / 2
        return None if whole - chance <= 1e-12 * whole else (right - chance) / (whole - chance)

    def whole(self, bits: Bits, truths: Sets, predictions: Sets) -> Sums:
        """Sums of several samples."""
        each = [self.sums(bits, *both) for both in zip(truths, predictions, strict=True)]
        return Sums(*(sum(part) for part in zip(*each, strict=True)))
