"""Lowest common ancestors and pairs of labels of one sample, by walking every path and trying every choice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from itertools import combinations

from tests.oracles.hierarchical import above, common_root

Edges = Iterable[tuple[str, str]]
"""Parent before child."""

Names = frozenset[str]

TOP, END = "(root)", "(end of every way)"


def paths_up(edges: Edges, name: str) -> Iterator[tuple[str, ...]]:
    """Every way up from a concept, to every concept above it; the first has no link."""
    edges = list(edges)
    yield (name,)
    for parent, child in edges:
        if child == name:
            for path in paths_up(edges, parent):
                yield (name, *path)


def paths(edges: Edges, name: str, concepts: Names, root: str, most: int | None) -> list[tuple[str, ...]]:
    """Every way up with at most so many links; with a node above all, one more ends those that are cut."""
    edges = list(edges)
    gone = common_root(edges, concepts) if root == "out" else frozenset()
    kept = [edge for edge in edges if edge[0] not in gone]
    if root == "virtual":
        kept += [(TOP, one) for one in concepts - {child for _, child in kept}]
    found = [path for path in paths_up(kept, name) if most is None or len(path) <= most + 1]
    if root != "virtual" or most is None:
        return found
    nearer = {path[-1] for path in found if len(path) - 1 != most}
    return found + [(*path, END) for path in found if path[-1] == TOP or path[-1] not in nearer]


def augmented(
    edges: Edges,
    concepts: Names,
    truth: AbstractSet[str],
    prediction: AbstractSet[str],
    *,
    root: str = "in",
    most: int | None = None,
) -> tuple[Names, Names]:
    """Both sets with the concepts on the shortest ways to each other."""
    edges = list(edges)
    gone = common_root(edges, concepts) if root == "out" else frozenset()
    kept = [edge for edge in edges if edge[0] not in gone]
    far = most is not None and root == "virtual"
    sides = [
        frozenset(
            x
            for x in side
            if not any(
                x != y and x in above(kept, {y}) and not (far and links(kept, x, y) > (most or 0) + 1)
                for y in side
            )
        )
        for side in (truth, prediction)
    ]
    found = [set(side) for side in sides]
    ways = {name: paths(edges, name, concepts, root, most) for side in sides for name in side}
    for own, other in ((0, 1), (1, 0)):
        reached: dict[str, list[tuple[str, ...]]] = {}
        for name in sides[other]:
            for path in ways[name]:
                reached.setdefault(path[-1], []).append(path)
        for name in sides[own] - sides[other]:
            # a way up ends at the first concept that is above something on the other side
            first = [p for p in ways[name] if p[-1] in reached and not set(p[:-1]) & reached.keys()]
            joined = [(p, q) for p in first for q in reached[p[-1]]]
            least = min((len(p) + len(q) for p, q in joined), default=0)
            for p, q in joined:
                if len(p) + len(q) == least:
                    found[own] |= set(p)
                    found[other] |= set(q)
    return frozenset(found[0]), frozenset(found[1])


def links(edges: Edges, one: str, other: str, roots: Names = frozenset()) -> float:
    """Fewest links between two concepts through a common ancestor; roots may have a node above them."""
    edges = [*edges, *((TOP, root) for root in roots)]
    ups = []
    for name in (one, other):
        shortest: dict[str, int] = {}
        for path in paths_up(edges, name):
            shortest[path[-1]] = min(len(path) - 1, shortest.get(path[-1], len(path)))
        ups.append(shortest)
    return min((ups[0][c] + ups[1][c] for c in ups[0].keys() & ups[1].keys()), default=float("inf"))


def cover_cost(distance: dict[tuple[str, str], float], truth: Names, prediction: Names, most: float) -> float:
    """Least cost of pairs that hold every label of one side alone, trying every set of such pairs."""
    lone = truth ^ prediction
    pairs = [
        (y, z)
        for y in sorted(truth)
        for z in sorted(prediction)
        if (y in lone or z in lone) and distance[y, z] < 2 * most
    ]
    best = most * len(lone)
    for count in range(1, len(lone) + 1):  # no more pairs than labels are of use
        for chosen in combinations(pairs, count):
            covered = {name for y, z in chosen for name in (y, z) if name in lone}
            cost = sum(distance[pair] for pair in chosen) + most * (len(lone) - len(covered))
            best = min(best, cost)
    return best
