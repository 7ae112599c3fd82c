"""Closures of graphs: what would fill the memory is refused, what only passes through it is not."""

from __future__ import annotations

from itertools import pairwise, product
from time import process_time

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe
from ontoeval.core.dag import cheapest_upward, generations
from ontoeval.errors import InputError
from tests.patience import SECONDS


def test_a_chain_whose_ancestors_would_fill_the_memory_is_refused_at_once() -> None:
    hierarchy = oe.Hierarchy.from_edges(pairwise(f"c{number}" for number in range(20_000)))
    begin = process_time()
    with pytest.raises(InputError, match=r"20,000 concepts in 20,000 levels .* more than 2 GB.*--root"):
        _ = hierarchy.ancestors
    assert process_time() - begin < SECONDS


@pytest.mark.no_cover
def test_many_parents_with_the_same_ancestors_are_gathered_part_by_part() -> None:
    # 12 million ways lead up from the lowest layer, to 460 ancestors of each of its concepts.
    wide = 230
    layers = [range(start, start + wide) for start in range(0, 3 * wide, wide)]
    links = np.array([pair for above, below in pairwise(layers) for pair in product(below, above)])
    parents = sparse.csr_array(
        (np.ones(len(links), dtype=bool), (links[:, 0], links[:, 1])), shape=(3 * wide, 3 * wide)
    )
    costs = cheapest_upward(parents, generations(parents), np.ones(3 * wide), virtual_root=True).toarray()
    assert costs[-1].tolist() == [2] * wide + [1] * wide + [0] * wide + [3]
    assert np.array_equal(costs[2 * wide :, : 2 * wide], costs[[-1] * wide, : 2 * wide])


def test_no_graph_has_no_ancestors() -> None:
    nothing = sparse.csr_array((0, 0), dtype=bool)
    assert cheapest_upward(nothing, generations(nothing), np.ones(0), virtual_root=False).shape == (0, 0)
