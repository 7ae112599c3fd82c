"""Costs between concepts: links, paths, tables."""

from __future__ import annotations

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.concepts.costs import TableCosts, costs_by_name, link_costs
from ontoeval.errors import InputError, UnknownConceptError


def test_links_of_very_deep_hierarchies_do_not_overflow() -> None:
    costs = link_costs(5_000)
    assert costs.sum() == pytest.approx(0.5)
    assert np.all(np.isfinite(costs))


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
