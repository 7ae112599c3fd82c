"""Information content, similarity of concepts and the information contrast model, one concept after the other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from tests.oracles.hierarchical import Edges, Names, above, below, depth
from tests.oracles.ontology_score import Tree

Numbers = Mapping[str, float]
VIRTUAL_ROOT = "(virtual root)"


def leaves(edges: Edges, names: Iterable[str]) -> Names:
    """Concepts that have nothing below them."""
    return frozenset(names) - {parent for parent, _ in edges}


def intrinsic(edges: Edges, names: Sequence[str], kind: str) -> dict[str, float]:
    """Information content of every concept, from the hierarchy alone."""
    edges = list(edges)
    n, deepest = len(names), max(depth(edges, name) for name in names)
    all_leaves = leaves(edges, names)

    def seco(name: str) -> float:
        return 1 - math.log(len(below(edges, {name}))) / math.log(n) if n > 1 else 1.0

    def deep(name: str) -> float:
        return math.log(depth(edges, name) + 1) / math.log(deepest + 1) if deepest else 1.0

    def sanchez(name: str, own: AbstractSet[str]) -> float:
        mine = (below(edges, {name}) - own) & all_leaves
        return -math.log((len(mine) / len(above(edges, {name})) + 1) / (len(all_leaves) + 1))

    match kind:
        case "uniform":
            return dict.fromkeys(names, 1.0)
        case "resnik":
            return {name: -math.log(len(below(edges, {name})) / n) for name in names}
        case "seco":
            return {name: seco(name) for name in names}
        case "sanchez":
            return {name: sanchez(name, {name}) for name in names}
        case "sanchez(own-leaf)":
            return {name: sanchez(name, frozenset()) for name in names}
    share = float(kind.removeprefix("zhou(").removesuffix(")")) if kind != "zhou" else 0.5
    return {name: share * seco(name) + (1 - share) * deep(name) for name in names}


def content(
    corpus: Sequence[AbstractSet[str]], edges: Edges, names: Sequence[str], unseen: str = "once"
) -> dict[str, float]:
    """Information content of annotations, in bits."""
    edges = list(edges)
    closed = [above(edges, sample) for sample in corpus]
    found = {}
    for name in names:
        seen, all_samples = sum(name in sample for sample in closed), len(corpus)
        if unseen == "smoothed":
            seen, all_samples = seen + 1, all_samples + 1
        found[name] = -math.log2(max(seen, 1) / all_samples)
    return found


def accretion(corpus: Sequence[AbstractSet[str]], edges: Edges, names: Sequence[str]) -> dict[str, float]:
    """Information accretion of annotations, in bits."""
    edges = list(edges)
    closed = [above(edges, sample) for sample in corpus]
    found = {}
    for name in names:
        parents = {parent for parent, child in edges if child == name}
        seen = sum(name in sample for sample in closed)
        with_parents = sum(parents <= sample for sample in closed)
        found[name] = -math.log2(seen / with_parents) if seen and parents else 0.0
    return found


@dataclass(frozen=True)
class Related:
    """Similarities of concepts; with several roots there may be a virtual one above them."""

    edges: Sequence[tuple[str, str]]
    names: Sequence[str]
    information: Numbers = field(default_factory=dict)
    connect_roots: bool = True

    @property
    def tree(self) -> Tree:
        """The hierarchy, whose links all count the same."""
        return Tree(tuple(self.edges), tuple(self.names), connect_roots=self.connect_roots)

    def links_up(self, name: str) -> dict[str, int]:
        """Fewest links up to each ancestor."""
        found, step, waiting = {name: 0}, 0, {name}
        while waiting:
            step += 1
            waiting = {parent for one in waiting for parent in self.tree.parents[one]} - found.keys()
            found |= dict.fromkeys(waiting, step)
        return found

    def common(self, one: str, other: str) -> list[str]:
        """Common ancestors, the virtual root among them."""
        return sorted(self.links_up(one).keys() & self.links_up(other).keys())

    def shared(self, one: str, other: str) -> float:
        """Most information of a common ancestor; a virtual root has none."""
        return max((self.information.get(above, 0.0) for above in self.common(one, other)), default=0.0)

    def links(self, one: str, other: str, over: str) -> int:
        """Fewest links between two concepts over an ancestor of both."""
        return self.links_up(one)[over] + self.links_up(other)[over]

    @property
    def levels(self) -> int:
        """Nodes on the longest way down."""
        return 1 + max(self.tree.depth(name) for name in self.names)

    def similarity(self, measure: str, one: str, other: str) -> float:  # noqa: PLR0911 - a formula each
        """The similarity as it was published; 0 without a common ancestor."""
        common = self.common(one, other)
        if measure == "batet":
            left, right = (above(self.edges, {name}) for name in (one, other))
            return len(left & right) / len(left | right)
        if not common:
            return 0.0
        both = self.information.get(one, 0.0) + self.information.get(other, 0.0)
        match measure:
            case "resnik":
                return self.shared(one, other)
            case "jiang-conrath":
                return 1 / (1 + both - 2 * self.shared(one, other))
            case "lin" if both == 0:
                return float(common != [VIRTUAL_ROOT])
            case "lin":
                return 2 * self.shared(one, other) / both
            case "leacock-chodorow":
                shortest = min(self.links(one, other, over) for over in common)
                return -math.log((shortest + 1) / (2 * self.levels))
        found = []
        for over in common:
            nodes = self.tree.depth(over) + (measure == "wu-palmer")
            whole = self.links(one, other, over) + 2 * nodes
            found.append(2 * nodes / whole if whole else 1.0)
        return max(found)

    def cost(self, measure: str, one: str, other: str) -> float:
        """The cost in [0, 1] that belongs to a similarity."""
        if one == other:
            return 0.0
        if not self.common(one, other):
            return 1.0
        most = max(self.information.values(), default=0.0) or 1.0
        similarity = self.similarity(measure, one, other)
        match measure:
            case "resnik":
                return 1 - similarity / most
            case "jiang-conrath":
                return (1 / similarity - 1) / (2 * most)
            case "leacock-chodorow":
                nodes = 2 * self.levels / math.exp(similarity)
                return math.log(nodes) / math.log(2 * self.levels - 1)
        return 1 - similarity


@dataclass(frozen=True)
class Priced(Tree):
    """A hierarchy whose costs are those of a similarity."""

    information: Numbers = field(default_factory=dict)

    def cost(self, one: str, other: str) -> float:
        """Cost of one concept for another."""
        names = sorted(self.nodes)
        related = Related(self.edges, names, self.information, self.connect_roots)
        return related.cost(self.kind, one, other)


def of_set(members: Sequence[str], edges: Edges, information: Numbers) -> float:
    """Information content of a set, step by step as it is defined, in the order that is given."""
    edges = list(edges)
    if not members:
        return 0.0
    first, *rest = members
    if not rest:
        return information[first]

    def lowest(one: str, other: str) -> float:
        common = above(edges, {one}) & above(edges, {other})
        return max((information[name] for name in common), default=0.0)

    shared = max(lowest(first, other) for other in rest)
    return information[first] + of_set(rest, edges, information) - shared


def contrast(
    truth: Sequence[str],
    prediction: Sequence[str],
    edges: Edges,
    information: Numbers,
    *,
    alphas: tuple[float, float] = (2, 2),
    beta: float = 3,
) -> float:
    """The information contrast model of one sample."""
    edges = list(edges)
    union = [*truth, *(name for name in prediction if name not in truth)]
    parts = [of_set(side, edges, information) for side in (prediction, truth, union)]
    return alphas[0] * parts[0] + alphas[1] * parts[1] - beta * parts[2]
