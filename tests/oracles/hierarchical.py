"""Hierarchical precision, recall and F of one sample after the other, by walking up and down."""

from __future__ import annotations

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

Edges = Iterable[tuple[str, str]]
"""Parent before child."""

Names = frozenset[str]


def above(edges: Edges, names: Iterable[str]) -> Names:
    """Some concepts and all above them."""
    edges, found = list(edges), set(names)
    while more := {parent for parent, child in edges if child in found} - found:
        found |= more
    return frozenset(found)


def below(edges: Edges, names: Iterable[str]) -> Names:
    """Some concepts and all below them."""
    return above([(child, parent) for parent, child in edges], names)


def common_root(edges: Edges, concepts: Iterable[str]) -> Names:
    """The one concept above all others, where there is one."""
    edges, concepts = list(edges), frozenset(concepts)
    roots = concepts - {child for _, child in edges}
    return roots if len(roots) == 1 and edges else frozenset()


def depth(edges: Edges, name: str) -> int:
    """Links on the longest way up."""
    edges = list(edges)
    return max((1 + depth(edges, parent) for parent, child in edges if child == name), default=0)


def members(edges: Edges, names: AbstractSet[str], kind: str) -> Names:
    """What stands for some labels."""
    edges = list(edges)
    match kind:
        case "ancestors":
            return above(edges, names)
        case "descendants":
            return below(edges, names)
        case "leaves":
            return frozenset(names) - {parent for parent, _ in edges}
    return frozenset(names)


def ratios(truth: AbstractSet[str], prediction: AbstractSet[str]) -> tuple[float, float, float]:
    """Precision, recall and F1 of two sets; 1 where both are empty, 0 for 0/0 elsewhere."""
    if not truth and not prediction:
        return 1.0, 1.0, 1.0
    common = len(truth & prediction)
    precision = common / len(prediction) if prediction else 0.0
    recall = common / len(truth) if truth else 0.0
    return precision, recall, 2 * common / (len(truth) + len(prediction))
