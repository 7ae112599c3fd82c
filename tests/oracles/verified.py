"""What is known of one sample, and what it makes of a prediction, with plain sets."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from tests.oracles.hierarchical import Edges, Names, above, below


def known(edges: Edges, there: AbstractSet[str], absent: AbstractSet[str]) -> tuple[Names, Names]:
    """What is there and what is absent, with all that follows."""
    edges = list(edges)
    return above(edges, there), below(edges, absent)


def without_labels(edges: Edges, labels: AbstractSet[str], absent: AbstractSet[str]) -> Names:
    """Concepts that are no labels and have labels below them, all of which are absent."""
    edges = list(edges)
    inner = {parent for parent, _ in edges} - labels
    return frozenset(name for name in inner if (own := below(edges, {name}) & labels) and own <= absent)


def judged(
    there: AbstractSet[str], absent: AbstractSet[str], predicted: AbstractSet[str]
) -> tuple[int, int, int, int]:
    """TP, FP, FN and TN: of what is known alone."""
    return (
        len(there & predicted),
        len(absent & predicted),
        len(there - predicted),
        len(absent - predicted),
    )
