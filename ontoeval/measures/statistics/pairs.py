"""Pairs of concepts and what lies above both: never a table of all pairs, only those that are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.costs import Costs, TableCosts
from ontoeval.concepts.relatedness import AncestorCosts
from ontoeval.core.csr import entries_of_rows, row_of_entries
from ontoeval.core.portions import runs
from ontoeval.measures.statistics.matching import SMALL

AT_A_TIME = 1_000_000
"""Ancestors of pairs that are looked at in one go: 40 MB."""


class Common(NamedTuple):
    """What lies above both concepts of some pairs."""

    pair: NDArray[np.intp]
    ancestor: NDArray[np.intp]
    first: NDArray[np.intp]
    second: NDArray[np.intp]


def common_ancestors(
    upward: sparse.csr_array, first: NDArray[np.integer], second: NDArray[np.integer]
) -> Iterator[Common]:
    """Find the common ancestors of pairs, some pairs at a time."""
    ancestors = np.diff(upward.indptr).astype(np.intp)[first]
    stored = row_of_entries(upward) * upward.shape[1] + upward.indices
    for begin, end in runs(ancestors, AT_A_TIME):
        entries, lengths = entries_of_rows(upward, first[begin:end])
        pair = np.repeat(np.arange(begin, end), lengths)
        wanted = second[pair].astype(np.intp) * upward.shape[1] + upward.indices[entries]
        place = np.minimum(np.searchsorted(stored, wanted), stored.size - 1)
        both = np.flatnonzero(stored[place] == wanted)
        yield Common(pair[both], upward.indices[entries[both]].astype(np.intp), entries[both], place[both])


def least_of_pairs(common: Common, values: NDArray[np.float64], least: NDArray[np.float64]) -> None:
    """Keep the smallest value of the common ancestors of each pair."""
    if common.pair.size:
        starts = np.flatnonzero(np.diff(common.pair, prepend=-1))
        pairs = common.pair[starts]
        least[pairs] = np.minimum(least[pairs], np.minimum.reduceat(values, starts))


def costs_of_pairs(
    costs: Costs, first: NDArray[np.integer], second: NDArray[np.integer]
) -> NDArray[np.float64]:
    """Compute the costs between the two labels of some pairs."""
    if isinstance(costs, AncestorCosts):
        return costs.between(costs.labels[first], costs.labels[second])
    if isinstance(costs, TableCosts) or costs.labels.size <= SMALL:
        return np.asarray(costs.table[first, second])
    upward = costs.upward
    least = np.full(first.size, costs.unconnected)  # none costs more
    for common in common_ancestors(upward, first, second):
        total = upward.data[common.first] + upward.data[common.second]
        least_of_pairs(common, costs.closed(total, common.ancestor), least)
    return np.where(first == second, 0.0, least)
