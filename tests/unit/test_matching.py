"""Nearest candidates in hierarchies that are too large for a table of costs."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

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


def sets_of(samples: int, seed: int) -> sparse.csr_array:
    """Sets of up to six labels, every fourth without any."""
    random = np.random.default_rng(seed)
    chosen = np.zeros((samples, LABELS), dtype=bool)
    for row in range(samples):
        chosen[row, random.integers(LABELS, size=row % 4 * 2)] = True
    return sparse.csr_array(chosen)


@pytest.mark.parametrize("scratch", [1, matching.SCRATCH])
@pytest.mark.parametrize("cost", ["depth-weighted", "links", "lin(seco)", "batet"])
def test_the_nearest_are_those_that_a_table_shows(hierarchy, cost, scratch, monkeypatch):
    monkeypatch.setattr(matching, "SCRATCH", scratch)
    costs = costs_by_name(hierarchy, cost)
    labels, candidates = sets_of(60, 1), sets_of(60, 2)[np.random.default_rng(3).permutation(60)]
    preference = np.random.default_rng(4).permutation(LABELS)
    found = matching.nearest(costs, labels, candidates, preference)
    expected = matching.nearest(TableCosts(costs.table), labels, candidates, preference)
    assert not isinstance(costs, TableCosts)
    assert found.cost == pytest.approx(expected.cost, abs=1e-12)
    assert found.label.tolist() == expected.label.tolist()
    assert -1 in found.label  # nothing to be matched with
