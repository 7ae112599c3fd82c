"""Costs between concepts: links, paths, tables."""

from __future__ import annotations

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.concepts.costs import PathCosts, TableCosts, cheapest_path, costs_by_name, link_costs
from ontoeval.errors import InputError, ParameterError, UnknownConceptError

TREE = oe.Hierarchy.from_edges(
    [("R", "A"), ("R", "B"), ("A", "a1"), ("A", "a2"), ("B", "b1"), ("B", "b2"), ("b2", "deep")]
)
FOREST = oe.Hierarchy.from_edges([("A", "a"), ("A", "b"), ("B", "c")])


def test_links_of_very_deep_hierarchies_do_not_overflow() -> None:
    costs = link_costs(5_000)
    assert costs.sum() == pytest.approx(0.5)
    assert np.all(np.isfinite(costs))


def test_costs_of_a_tree_are_sums_over_the_path() -> None:
    sevenths = {("a1", "a2"): 2 / 7, ("a1", "A"): 1 / 7, ("a1", "b1"): 6 / 7, ("a1", "deep"): 6.5 / 7}
    for (first, second), expected in sevenths.items():
        assert oe.concepts.cost_between(TREE, first, second) == pytest.approx(expected)
        assert oe.concepts.cost_between(TREE, second, first) == pytest.approx(expected)
    assert oe.concepts.cost_between(TREE, "a1", "deep", cost="links") == pytest.approx(5 / 6)
    assert oe.concepts.cost_between(TREE, "a1", "deep", cost="flat") == 1
    assert oe.concepts.cost_between(TREE, "deep", "deep", cost="flat") == 0


def test_of_several_paths_the_cheapest_is_taken_though_depth_is_the_longest() -> None:
    edges = [("root", "a"), ("a", "x"), ("root", "x"), ("root", "b")]
    ladder = oe.Hierarchy.from_edges(edges, concepts=["a", "root"])  # the dearer parent of x comes first
    costs = costs_by_name(ladder, "depth-weighted")
    assert isinstance(costs, PathCosts)
    path, cost = cheapest_path(ladder, costs, "x", "b")
    assert path == ("x", "root", "b")
    assert cost == pytest.approx(1 / 6 + 1 / 3)


def test_several_roots_lie_below_a_virtual_one() -> None:
    costs = costs_by_name(FOREST, "depth-weighted")
    assert isinstance(costs, PathCosts)
    path, cost = cheapest_path(FOREST, costs, "a", "c")
    assert path == ("a", "A", "(root)", "B", "c")
    assert cost == pytest.approx(1)
    assert oe.concepts.cost_between(FOREST, "A", "B") == pytest.approx(2 / 3)


def test_separate_roots_have_no_path_and_cost_one() -> None:
    costs = costs_by_name(FOREST, "depth-weighted", connect_roots=False)
    assert isinstance(costs, PathCosts)
    assert cheapest_path(FOREST, costs, "a", "c") == ((), 1.0)
    assert oe.concepts.cost_between(FOREST, "A", "a", connect_roots=False) == 0.5


def test_a_table_of_too_many_pairs_is_refused_with_their_number_and_memory() -> None:
    flat = oe.Hierarchy.flat(oe.Vocabulary(tuple(f"c{number}" for number in range(12_000))))
    costs = costs_by_name(flat, "flat")
    with pytest.raises(InputError, match=r"144,000,000 pairs of 12,000 labels takes 1\.2 GB.*with_labels"):
        _ = costs.table
    assert costs.rows(7, 9)[:, 6:10].tolist() == [[1, 0, 1, 1], [1, 1, 0, 1]]


def test_a_table_is_found_by_its_name_and_speaks_of_labels_alone() -> None:
    hierarchy = oe.Hierarchy.from_edges([("R", "a"), ("R", "b")], abstract=["R"])
    given = hierarchy.with_cost("looks", [[0, 0.2], [0.7, 0]])
    assert isinstance(costs_by_name(given, "looks"), TableCosts)
    assert oe.concepts.cost_between(given, "a", "b", cost="looks") == 0.2
    assert oe.concepts.cost_between(given, "b", "a", cost="looks") == 0.7
    with pytest.raises(UnknownConceptError, match="'R'"):
        oe.concepts.cost_between(given, "R", "a", cost="looks")


def test_unknown_costs_are_refused_with_those_that_are_known() -> None:
    given = FOREST.with_cost("looks", np.zeros((5, 5)))
    with pytest.raises(
        ParameterError, match=r"cost='look': expected one of .*'flat', .*'lin', .*'looks', or a table"
    ):
        costs_by_name(given, "look")
