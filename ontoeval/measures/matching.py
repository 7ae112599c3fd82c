"""Matching of true and predicted labels by cost: the nearest label on the other side, and pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.costs import TIE, AncestorCosts, Costs, PathCosts, TableCosts, costs_by_name
from ontoeval.core.batch import Batch, sizes
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.sparse import entries_of_rows, pairs_of_rows, row_of_entries, runs, with_data
from ontoeval.measures.ancestor_counts import concepts_in_use

SMALL = 256
"""Most labels for a table of all costs (65,536 entries), which is faster than paths."""

SCRATCH = 4_000_000
"""Numbers of scratch space for samples × concepts at a time: 32 MB."""


class Nearest(NamedTuple):
    """The nearest label for each stored entry of some sets."""

    cost: NDArray[np.float64]
    label: NDArray[np.intp]


def nearest(
    costs: Costs,
    labels: sparse.csr_array,
    candidates: sparse.csr_array,
    preference: NDArray[np.intp],
) -> Nearest:
    """Find for each label of each sample the candidate of the same sample that costs least."""
    if isinstance(costs, TableCosts) or labels.shape[1] <= SMALL:
        return _nearest_by_table(costs.table, labels, candidates, preference)
    if isinstance(costs, AncestorCosts):
        return _nearest_by_pairs(costs, labels, candidates, preference)
    return _nearest_by_paths(costs, labels, candidates, preference)


def _nearest_by_table(
    table: NDArray[np.float64],
    labels: sparse.csr_array,
    candidates: sparse.csr_array,
    preference: NDArray[np.intp],
) -> Nearest:
    """Go through the labels, and find the nearest candidate in all samples that have the label."""
    result = Nearest(np.ones(labels.nnz), np.full(labels.nnz, -1, dtype=np.intp))
    # For each label all others, nearest first; costs that differ by rounding only are tied.
    by_cost = np.argsort(table, axis=1, kind="stable")
    ascending = np.take_along_axis(table, by_cost, axis=1)
    step = np.diff(ascending, axis=1, prepend=0) > TIE
    tied = np.empty_like(by_cost)
    np.put_along_axis(tied, by_cost, np.cumsum(step, axis=1), axis=1)
    order = np.lexsort((np.broadcast_to(preference, table.shape), tied), axis=1)
    rows_at_a_time = max(1, SCRATCH // max(1, labels.shape[1]))
    for begin in range(0, labels.shape[0], rows_at_a_time):
        end = min(begin + rows_at_a_time, labels.shape[0])
        there = candidates[begin:end].toarray()
        block = labels[begin:end]
        entries = labels.indptr[begin] + np.arange(block.nnz)
        by_label = with_data(block, entries).tocsc()
        for label in np.flatnonzero(np.diff(by_label.indptr)):
            of_label = slice(by_label.indptr[label], by_label.indptr[label + 1])
            rows, at = by_label.indices[of_label], by_label.data[of_label]
            ranked = there.take(rows, axis=0).take(order[label], axis=1)
            found = ranked.argmax(axis=1)
            some = ranked[np.arange(found.size), found]
            which = order[label][found]
            result.label[at] = np.where(some, which, -1)
            result.cost[at] = np.where(some, table[label][which], 1.0)
    return result


def _nearest_by_paths(
    costs: PathCosts,
    labels: sparse.csr_array,
    candidates: sparse.csr_array,
    preference: NDArray[np.intp],
) -> Nearest:
    """Let every candidate mark its ancestors, then let every label ask its own.

    The nearest candidate of l costs the minimum, over the ancestors c of l, of up(l, c) plus the
    smallest up(g, c) of a candidate g below c: linear in the number of ancestors, no pairs.
    """
    upward = costs.upward
    label_count, concepts = upward.shape
    result = Nearest(np.ones(labels.nnz), np.full(labels.nnz, -1, dtype=np.intp))
    by_preference = np.argsort(preference)
    rows_at_a_time = max(1, SCRATCH // max(1, concepts))
    room = min(rows_at_a_time, max(1, labels.shape[0])) * concepts
    cheapest = np.full(room, np.inf)
    preferred = np.full(room, label_count, dtype=np.intp)
    for begin in range(0, labels.shape[0], rows_at_a_time):
        end = min(begin + rows_at_a_time, labels.shape[0])
        cells, up, owner = spread(upward, candidates[begin:end])
        np.minimum.at(cheapest, cells, up)
        tied = up <= cheapest[cells] + TIE
        rank = preference[candidates[begin:end].indices[owner]]
        np.minimum.at(preferred, cells[tied], rank[tied])

        asked, up, owner = spread(upward, labels[begin:end])
        stored = labels.indptr[end] - labels.indptr[begin]
        total = up + cheapest[asked]
        if costs.closing is not None:
            met = np.flatnonzero(np.isfinite(total))
            total[met] = costs.closing(total[met], asked[met] % concepts)
        starts = np.searchsorted(owner, np.arange(stored))
        least = np.minimum.reduceat(total, starts) if stored else total
        rank = np.where(total <= least[owner] + TIE, preferred[asked], label_count)
        best = np.minimum.reduceat(rank, starts) if stored else rank
        entries = np.arange(labels.indptr[begin], labels.indptr[end])
        found = least < costs.unconnected - TIE
        result.cost[entries[found]] = least[found]
        result.label[entries[found]] = by_preference[best[found]]
        # Where no common ancestor brings a candidate nearer, all are equally far: the preferred one is taken.
        lost = np.flatnonzero(~found)
        if lost.size:
            rows = row_of_entries(labels[begin:end])[lost]
            some = sizes(candidates[begin:end])[rows] > 0
            chosen = _preferred_of_rows(candidates[begin:end], rows[some], preference, by_preference)
            result.cost[entries[lost[some]]] = costs.unconnected
            result.label[entries[lost[some]]] = chosen
        cheapest[cells] = np.inf
        preferred[cells] = label_count
    return result


def _nearest_by_pairs(
    costs: AncestorCosts,
    labels: sparse.csr_array,
    candidates: sparse.csr_array,
    preference: NDArray[np.intp],
) -> Nearest:
    """Compare every label with every candidate of its sample, as many at a time as there is room for."""
    result = Nearest(np.ones(labels.nnz), np.full(labels.nnz, -1, dtype=np.intp))
    by_preference = np.argsort(preference)
    for owner, entries in pairs_of_rows(labels, candidates, SCRATCH):
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        asked, candidate = owner[starts], candidates.indices[entries]
        cost = costs.between(costs.labels[labels.indices[owner]], costs.labels[candidate])
        result.cost[asked] = np.minimum.reduceat(cost, starts)
        rank = np.where(cost <= result.cost[owner] + TIE, preference[candidate], preference.size)
        result.label[asked] = by_preference[np.minimum.reduceat(rank, starts)]
    return result


def spread(
    upward: sparse.csr_array, sets: sparse.csr_array
) -> tuple[NDArray[np.intp], NDArray[np.float64], NDArray[np.intp]]:
    """For each stored label its ancestors: cell in samples × concepts, cost up, and position of the entry."""
    entries, lengths = entries_of_rows(upward, sets.indices)
    owner = np.repeat(np.arange(sets.nnz, dtype=np.intp), lengths)
    cells = row_of_entries(sets)[owner] * upward.shape[1] + upward.indices[entries]
    return cells, upward.data[entries], owner


def _preferred_of_rows(
    sets: sparse.csr_array,
    rows: NDArray[np.intp],
    preference: NDArray[np.intp],
    by_preference: NDArray[np.intp],
) -> NDArray[np.intp]:
    entries, lengths = entries_of_rows(sets, rows)
    starts = np.cumsum(lengths) - lengths
    ranks = preference[sets.indices[entries]]
    return by_preference[np.minimum.reduceat(ranks, starts)] if rows.size else rows


@dataclass(frozen=True)
class NamedCosts:
    """Costs by name, as a view of a hierarchy, or of a batch."""

    name: str
    connect_roots: bool

    def __call__(self, of: Hierarchy | Batch) -> Costs:
        """Make the costs; for a batch those of its labels alone where the hierarchy is large."""
        if isinstance(of, Hierarchy):
            return costs_by_name(of, self.name, connect_roots=self.connect_roots)
        hierarchy = of.required_hierarchy("A cost between labels")
        if not hierarchy.large:
            return hierarchy.derive(self)
        return costs_by_name(hierarchy, self.name, connect_roots=self.connect_roots, of=concepts_in_use(of))


def sums_of_rows(matrix: sparse.csr_array, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum values that belong to the stored entries of a matrix, row by row."""
    return np.asarray(with_data(matrix, values).sum(axis=1))


def cells_of(matrix: sparse.csr_array) -> NDArray[np.intp]:
    """Give each stored entry the number of its cell, counted row by row."""
    return np.asarray(row_of_entries(matrix) * matrix.shape[1] + matrix.indices)


def places_in(ascending: NDArray[np.integer], wanted: NDArray[np.integer]) -> NDArray[np.intp]:
    """Find numbers among others that are sorted; -1 where they are not."""
    if not ascending.size:
        return np.full(wanted.size, -1, dtype=np.intp)
    place = np.minimum(np.searchsorted(ascending, wanted), ascending.size - 1)
    return np.where(ascending[place] == wanted, place, -1)


def pairs_in_runs(
    one: sparse.csr_array, other: sparse.csr_array, most: int
) -> Iterator[tuple[int, int, NDArray[np.intp], NDArray[np.intp]]]:
    """Pair all stored entries of two matrices row by row, some whole rows, which come first, at a time."""
    rows = row_of_entries(one)
    for begin, end in runs(np.diff(one.indptr).astype(np.intp) * np.diff(other.indptr), most):
        first = np.arange(one.indptr[begin], one.indptr[end])
        second, lengths = entries_of_rows(other, rows[first])
        yield begin, end, np.repeat(first, lengths), second


AT_A_TIME = 1_000_000
"""Ancestors of pairs per block: 40 MB."""


class Common(NamedTuple):
    """Common ancestors of some pairs."""

    pair: NDArray[np.intp]
    ancestor: NDArray[np.intp]
    first: NDArray[np.intp]
    second: NDArray[np.intp]


def common_ancestors(
    upward: sparse.csr_array, first: NDArray[np.integer], second: NDArray[np.integer]
) -> Iterator[Common]:
    """Find the common ancestors of pairs, some pairs at a time."""
    ancestors = np.diff(upward.indptr).astype(np.intp)[first]
    stored = cells_of(upward)
    for begin, end in runs(ancestors, AT_A_TIME):
        entries, lengths = entries_of_rows(upward, first[begin:end])
        pair = np.repeat(np.arange(begin, end), lengths)
        wanted = second[pair].astype(np.intp) * upward.shape[1] + upward.indices[entries]
        place = places_in(stored, wanted)
        both = np.flatnonzero(place >= 0)
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
