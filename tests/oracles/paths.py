"""Counts along paths, one sample after the other, by walking."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

TOP = "(top)"


class Paths:
    """A hierarchy in which paths are followed; concepts come in a fixed order."""

    def __init__(self, edges: Iterable[tuple[str, str]], concepts: Sequence[str]) -> None:
        """Put the concepts below one node, the root or one more."""
        edges = list(edges)
        roots = [name for name in concepts if name not in {child for _, child in edges}]
        self.parents = {name: [p for p in concepts if (p, name) in edges] for name in concepts}
        if len(roots) == 1 and len(concepts) > 1:
            self.top = roots[0]
        else:
            self.top = TOP
            self.parents |= {TOP: [], **{root: [TOP] for root in roots}}
        self.order = [*concepts, TOP]

    def ways(self, name: str, end: str) -> list[list[str]]:
        """All ways up from a concept to another, both ends among them."""
        if name == end:
            return [[name]]
        return [[name, *way] for parent in self.parents[name] for way in self.ways(parent, end)]

    def depth(self, name: str) -> int:
        """Links on the longest way up."""
        return max(map(len, self.ways(name, self.top))) - 1

    def trunk(self, name: str) -> set[str]:
        """What lies on the longest way to a concept, without the top."""
        if name == self.top:
            return set()
        longest = [p for p in self.parents[name] if self.depth(p) + 1 == self.depth(name)]
        return {name, *self.trunk(longest[0])}

    def beside(self, name: str) -> set[str]:
        """Other children of the parents of what lies on the way to a concept, and its own."""
        trunk = self.trunk(name)
        above = {parent for one in trunk for parent in self.parents[one]} | {name}
        return {child for child, parents in self.parents.items() if above & set(parents)} - trunk

    def branch(self, name: str, fork: str) -> list[str]:
        """What lies on the shortest way from a fork down to a concept, without the fork."""
        fewest = min(map(len, self.ways(name, fork)))
        way = [name]
        while way[-1] != fork:
            rest = fewest - len(way)
            way.append(
                next(p for p in self.parents[way[-1]] if rest in [len(way) for way in self.ways(p, fork)]
                     and rest == min(map(len, self.ways(p, fork)))))  # fmt: skip
        return way[:-1]

    def fork(self, first: str, second: str) -> tuple[int, int, int, str]:
        """Where two paths part, and what that is worth: fewest links, longest common part, first."""
        found = [
            (
                min(map(len, self.ways(first, c))) + min(map(len, self.ways(second, c))) - 2,
                -self.depth(c),
                self.order.index(c),
                c,
            )
            for c in self.parents
            if self.ways(first, c) and self.ways(second, c)
        ]
        return min(found)

    def counts(self, truth: Iterable[str], prediction: Iterable[str]) -> tuple[int, int, int, int]:
        """TP, FP, FN and TN of one sample."""
        left = sorted(truth, key=self.order.index), sorted(prediction, key=self.order.index)
        tp = fp = fn = tn = 0
        while left[0] and left[1]:
            pairs = [
                (*self.fork(a, b)[:2], place, other)
                for place, a in enumerate(left[0])
                for other, b in enumerate(left[1])
            ]
            *_, place, other = min(pairs)
            one, two = left[0].pop(place), left[1].pop(other)
            fork = self.fork(one, two)[-1]
            missed, false = self.branch(one, fork), self.branch(two, fork)
            tp += len(self.trunk(fork))
            fn += len(missed)
            fp += len(false)
            tn += len(self.beside(fork) - {*missed, *false})
        fn += sum(min(map(len, self.ways(name, self.top))) - 1 for name in left[0])
        fp += sum(min(map(len, self.ways(name, self.top))) - 1 for name in left[1])
        return tp, fp, fn, tn

    def most_specific(self, names: Iterable[str]) -> set[str]:
        """Leave out what lies above others."""
        names = set(names)
        return {one for one in names if not any(other != one and self.ways(other, one) for other in names)}
