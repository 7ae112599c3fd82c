"""What is wrong with label sets, found one sample after the other with plain sets."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

from tests.oracles.hierarchical import Edges, above, below

Sets = Sequence[AbstractSet[str]]
Rules = Iterable[tuple[str, frozenset[str]]]


def excluded(edges: Edges, sets: Sets, exclusions: Iterable[tuple[str, str]]) -> dict[tuple[str, ...], int]:
    """How many sets hold something at or below both sides, by sorted pair."""
    edges = list(edges)
    found = {}
    for one, other in exclusions:
        count = sum(bool(labels & below(edges, {one}) and labels & below(edges, {other})) for labels in sets)
        if count:
            found[tuple(sorted((one, other)))] = count
    return found


def unmet(edges: Edges, sets: Sets, requirements: Rules) -> dict[tuple[str, ...], int]:
    """How many sets hold something at or below a concept, and nothing that it requires."""
    edges = list(edges)
    found = {}
    for concept, any_of in requirements:
        count = sum(
            bool(labels & below(edges, {concept}) and not labels & below(edges, any_of)) for labels in sets
        )
        if count:
            found[concept, *sorted(any_of)] = count
    return found


def incomplete(edges: Edges, sets: Sets) -> set[int]:
    """Which sets lack an ancestor of one of their labels."""
    edges = list(edges)
    return {row for row, labels in enumerate(sets) if above(edges, labels) != labels}


def redundant(edges: Edges, sets: Sets) -> dict[str, int]:
    """How many sets hold a concept and something below it."""
    edges = list(edges)
    counts: dict[str, int] = {}
    for labels in sets:
        for label in labels:
            if labels & (below(edges, {label}) - {label}):
                counts[label] = counts.get(label, 0) + 1
    return counts


def consistent(
    edges: Edges, wanted: Iterable[str], exclusions: Iterable[tuple[str, str]], requirements: Rules
) -> set[str]:
    """Take labels one after the other, with all above, as long as no rule is broken."""
    edges, exclusions, requirements = list(edges), list(exclusions), list(requirements)
    taken: set[str] = set()
    for label in wanted:
        trial = above(edges, taken | {label})
        if not excluded(edges, [trial], exclusions) and not unmet(edges, [trial], requirements):
            taken = set(trial)
    return taken
