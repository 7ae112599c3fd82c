"""Taxonomies compared with gold ones, as sets of links."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

import ontoeval as oe
from tests.laws.cases import hierarchies, members
from tests.strategies import Graph


@given(one=hierarchies(), other=hierarchies(), bits=st.integers(0, 255))
def test_taxonomies_are_compared_as_sets_are(one: Graph, other: Graph, bits: int) -> None:
    assume(one.edges and other.edges)
    renamed = {name: name.upper() for name in members(bits, one.names)}
    mine = {(renamed.get(a, a), renamed.get(b, b)) for a, b in one.edges}
    found = oe.compare_taxonomies(
        oe.Hierarchy.from_edges(one.edges),
        oe.Hierarchy.from_edges(other.edges),
        names={old: new for old, new in renamed.items() if any(old in edge for edge in one.edges)},
    )
    assert set(found.false) == mine - set(other.edges)
    assert set(found.missed) == set(other.edges) - mine
    swapped = oe.compare_taxonomies(other.edges, sorted(mine))
    for kind, ours, theirs in (
        ("edges", mine, set(other.edges)),
        ("ancestors", closure(mine), closure(set(other.edges))),
    ):
        counts, exchanged = getattr(found, kind), getattr(swapped, kind)
        assert counts == (len(ours & theirs), len(ours), len(theirs))
        assert counts.f1 == exchanged.f1 == 2 * len(ours & theirs) / (len(ours) + len(theirs))
        assert (counts.precision, counts.recall) == (exchanged.recall, exchanged.precision)


def closure(edges: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """All pairs of an ancestor and a descendant."""
    while more := {(a, d) for a, b in edges for c, d in edges if b == c} - edges:
        edges = edges | more
    return edges
