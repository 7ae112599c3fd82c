"""Transport F and tκ, written out concept by concept from their definition, and chance by permutation."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from math import floor, log
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
        """Bits that each concept adds to its parents, in the mean of these."""
        q = len(self.labels)
        total = q + any(len(self.below[label]) == q for label in self.labels)
        found = dict.fromkeys(self.names, 0.0)
        known = {name: 1 - log(len(below) or 1) / log(max(2, total)) for name, below in self.below.items()}
        for name in self.names:
            if self.below[name] and not self.clear(name):
                parents = self.effective_parents(name)
                found[name] = known[name] - sum(known[parent] for parent in parents) / (len(parents) or 1)
        return found

    def flow(self, name: str) -> dict[str, Fraction]:
        """Share of the unit of a concept that reaches each ancestor."""
        found, parents = {name: Fraction(1)}, self.effective_parents(name)
        for parent in parents:
            for above, share in self.flow(parent).items():
                found[above] = found.get(above, Fraction(0)) + share / len(parents)
        return found

    def mass(self, labels: Iterable[str]) -> dict[str, Fraction]:
        """Units of some labels that reach each concept."""
        found = dict.fromkeys(self.names, Fraction(0))
        for label in labels:
            for above, share in self.flow(label).items():
                found[above] += share
        return found

    def size(self, bits: Bits, name: str) -> float:
        """Bits of a concept and those above it."""
        return sum(float(share) * bits[above] for above, share in self.flow(name).items())

    def whole_concept(self, name: str) -> bool:
        """Whether every label reaches it as a whole or not at all."""
        return all(self.flow(label).get(name, 1) == 1 for label in self.below[name])

    def rounded(self, name: str, mass: Fraction) -> Fraction:
        """The level of a mass for chance: the nearest one, the upper one of two."""
        if self.whole_concept(name):
            return mass
        parts = 12 if mass < 4 else 4 if mass < 8 else 2 if mass < 16 else 1
        return Fraction(floor(mass * parts + Fraction(1, 2)), parts)

    def shared(self, bits: Bits, first: str, second: str) -> float:
        """Bits that two labels share: those that reach the same concepts."""
        one, other = self.flow(first), self.flow(second)
        return sum(float(min(one[name], other[name])) * bits[name] for name in one.keys() & other.keys())

    def most_specific(self, labels: frozenset[str]) -> frozenset[str]:
        """Labels without ancestors of other ones."""
        return frozenset(
            one for one in labels if not any(one in self.above[other] for other in labels - {one})
        )

    def sums(
        self, bits: Bits, true: frozenset[str], predicted: frozenset[str], *, rounded: bool = False
    ) -> Sums:
        """Sums of one sample."""
        true, predicted = self.most_specific(true), self.most_specific(predicted)
        false = frozenset(z for z in predicted if not any(z in self.above[y] for y in true))
        right = told_falsely = to_tell = 0.0
        masses = [self.mass(some) for some in (true, predicted, false)]
        for name in self.names:
            y, z, f = (self.rounded(name, mass[name]) if rounded else mass[name] for mass in masses)
            right += bits[name] * float(min(y, z))
            told_falsely += bits[name] * float(max(Fraction(0), f - y))
            to_tell += bits[name] * float(y)
        return Sums(right, told_falsely, to_tell)

    def kappa(self, bits: Bits, truths: Sets, predictions: Sets) -> float | None:
        """tκ, chance being the mean over all permutations of the predictions; None where it is undefined."""
        orders = list(permutations(predictions))
        chance = sum(self.whole(bits, truths, order, rounded=True).right for order in orders) / len(orders)
        right, false, true = self.whole(bits, truths, predictions, rounded=True)
        whole = (true + max(right + false, chance)) / 2
        return None if whole - chance <= 1e-12 * whole else (right - chance) / (whole - chance)

    def whole(self, bits: Bits, truths: Sets, predictions: Sets, *, rounded: bool = False) -> Sums:
        """Sums of several samples."""
        each = [self.sums(bits, *both, rounded=rounded) for both in zip(truths, predictions, strict=True)]
        return Sums(*(sum(part) for part in zip(*each, strict=True)))
