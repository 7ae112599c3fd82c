"""Nearest candidates in hierarchies that are too large for a table of costs."""

from __future__ import annotations

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.concepts.costs import TableCosts, costs_by_name
from ontoeval.measures import matching

LABELS = 2 * matching.SMALL


@pytest.fixture(scope="module")
def hierarchy() -> oe.Hierarchy:
    """Two parents for most concepts, among those before it."""
    random = np.random.default_rng(7)
    parents = {(f"c{random.integers(child)}", f"c{child}") for child in range(1, LABELS) for _ in range(2)}
    return oe.Hierarchy.from_edges(sorted(parents))


def batch_of(hierarchy: oe.Hierarchy, samples: int) -> oe.Batch:
    """Sets of up to six labels on both sides, some of them empty, some equal."""
    random = np.random.default_rng(1)
    sides = np.zeros((2, samples, LABELS), dtype=bool)
    for row in range(samples):
        common = random.integers(LABELS, size=row % 3)
        for side, more in enumerate((row % 4, row % 5)):
            sides[side, row, [*common, *random.integers(LABELS, size=more)]] = True
    truth, prediction = (oe.LabelSets.from_array(one, vocabulary=hierarchy.vocabulary) for one in sides)
    return oe.Batch(truth, prediction, hierarchy)


@pytest.mark.parametrize("scratch", [1, matching.SCRATCH])
@pytest.mark.parametrize("cost", ["depth-weighted", "links", "lin(seco)", "batet"])
def test_the_nearest_are_the_same_by_ancestors_by_pairs_and_by_a_table(hierarchy, cost, scratch, monkeypatch):
    monkeypatch.setattr(matching, "SCRATCH", scratch)
    costs, batch = costs_by_name(hierarchy, cost), batch_of(hierarchy, 60)
    preference = np.random.default_rng(4).permutation(LABELS)
    found = matching.nearest(costs, batch, preference)
    by_pairs = matching.nearest(TableCosts(costs.table), batch, preference)
    without_names = matching.nearest(costs, batch)
    monkeypatch.setattr(matching, "SMALL", LABELS)
    by_table = matching.nearest(costs, batch, preference)
    for side, mistaken in (("false", batch.false), ("missed", batch.missed)):
        one = getattr(found, side)
        for other in (getattr(by_pairs, side), getattr(by_table, side)):
            assert one.cost == pytest.approx(other.cost, abs=1e-12)
            assert one.label.tolist() == other.label.tolist()
        assert one.cost.size == mistaken.nnz
        assert -1 in one.label  # nothing to be matched with
        assert getattr(without_names, side).cost.tolist() == one.cost.tolist()
