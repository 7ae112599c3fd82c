"""Lowest common ancestors and pairs of labels: worked values."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe
from ontoeval.measures.lowest_common_ancestors import LowestCommonAncestors, WaysUp
from ontoeval.measures.matching import common_ancestors
from tests.unit.test_hierarchical_measures import TOY, scored

THIRD = 1 / 3
HEMKIT_DROPS_ALL = "1-2 1-3 3-4 2-4 1-5 4-5 5-6 1-6"
"""A DAG where HEMKit drops every connection of {1, 3} and {4, 5}, and scores 0."""
HEMKIT_BELOW_0 = "1-2 2-3 2-4 2-5 2-6 1-7 3-8 8-9 4-10 2-11 4-12 2-12 8-13"
"""A DAG where HEMKit's MGIA of {8, 1, 9} and {12, 6} is -0.0667."""


def linked(text: str) -> oe.Hierarchy:
    """A hierarchy of numbers."""
    return oe.Hierarchy.from_edges([tuple(link.split("-")) for link in text.split()])  # type: ignore[misc]


def test_of_several_shortest_ways_all_are_kept():
    found = scored("LCaP", "LCaR", "LCaF", truth="1 3", prediction="4 5", hierarchy=linked(HEMKIT_DROPS_ALL))
    assert found == pytest.approx([0.5, 1, 2 / 3])


def test_the_cheapest_pairs_are_never_worse_than_none():
    hierarchy = linked(HEMKIT_BELOW_0)
    found = scored("MGIA(max_distance=3)", truth="8 1 9", prediction="12 6", hierarchy=hierarchy)
    assert found == pytest.approx([7 / 15])  # 0.4667


def test_a_distance_cuts_off_what_is_further_up():
    assert scored("LCaF(max_distance=3)", truth="a", prediction="d") == [0.25]
    assert scored("LCaF(max_distance=2)", truth="a", prediction="d") == [0]
    # Two links up on either side, and the node above all: one of four.
    assert scored("LCaF(max_distance=2, root='virtual')", truth="a", prediction="d") == [0.25]
    assert scored("LCaF(max_distance=1, root='virtual')", truth="a", prediction="c") == [THIRD]
    assert scored("LCaF(max_distance=1, root='virtual')", truth="a", prediction="b") == [0.5]


def test_only_a_node_above_all_connects_several_roots():
    forest = oe.Hierarchy.from_edges([("x", "y"), ("u", "v")])
    notations = ("LCaF", "LCaF(root='out')", "LCaF(root='virtual')", "MGIA", "MGIA(connect_roots=True)")
    found = scored(*notations, truth="y", prediction="v", hierarchy=forest)
    assert found == pytest.approx([0, 0, THIRD, 0, 1 / 5 * 3])


def test_a_root_that_is_left_out_connects_nothing_but_can_be_a_label():
    assert scored("LCaF(root='out')", truth="a", prediction="d") == [0]
    assert scored("LCaF(root='out')", truth="R", prediction="R d") == pytest.approx([2 / 3])
    lonely = oe.Hierarchy.from_edges([], concepts=["x"])
    for root in ("in", "out", "virtual"):
        assert scored(f"LCaF(root='{root}')", truth="x", prediction="x", hierarchy=lonely) == [1]


@pytest.mark.no_cover
def test_chains_of_more_links_than_calls_may_be_nested_are_walked():
    links = [(f"{one}", f"{one + 1}") for one in range(1500)]
    hierarchy = oe.Hierarchy.from_edges([*links, ("0", "other")])
    notations = (
        "LCaR",
        "LCaR(root='virtual', max_distance=2)",
        "LCaR(max_distance=1200)",
        "GIE(max_distance=1e4)",
    )
    found = scored(*notations, truth="1500", prediction="other", hierarchy=hierarchy)
    assert found == pytest.approx([1 / 1501, 1 / 4, 0, 2 * 1501])


def test_the_ways_up_are_looked_up_once_for_each_hierarchy():
    batch = oe.align(
        oe.LabelSets.from_sets([["a"]], vocabulary=TOY.vocabulary),
        oe.LabelSets.from_sets([["b"]], vocabulary=TOY.vocabulary),
        hierarchy=TOY,
    )
    assert batch.derive(LowestCommonAncestors()) is batch.derive(LowestCommonAncestors())
    assert TOY.derive(WaysUp("in", None)) is TOY.derive(WaysUp("in", None))


def test_common_ancestors_are_found_among_more_concepts_than_small_numbers_can_square() -> None:
    count = 50_000
    alone = sparse.csr_array(sparse.eye_array(count, format="csr"))
    last = np.array([count - 1], dtype=np.int32)
    (common,) = common_ancestors(alone, last, last)
    assert common.ancestor.tolist() == last.tolist()
