"""Matching of true and predicted labels by cost: the nearest label on the other side, and pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.costs import TIE, AncestorCosts, Costs, PathCosts, TableCosts, costs_by_name
from ontoeval.concepts.masks import byte_table, bytes_of, combine_bytes, masks_of
from ontoeval.core.batch import Batch, set_sizes
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.measures.ancestor_counts import concepts_in_use
from ontoeval.plumbing.arrays import Marks, Numbers, Places
from ontoeval.plumbing.sparse import (
    cells_of,
    cut_into_runs,
    entries_of_rows,
    pairs_of_rows,
    row_of_entries,
    rows_between,
    with_data,
)

SMALL = 256
"""Most labels for a table of all costs (65,536 entries), which is faster than paths."""

SCRATCH = 500_000
"""Ancestors, or pairs, that are looked at together: about 30 MB."""

MISSED, FALSE = 1, 2
"""Sides of a label; 3 is both."""


class Nearest(NamedTuple):
    """Cost and column of the nearest label for each stored entry of some sets; 1 and -1 without any."""

    cost: NDArray[np.float64]
    label: NDArray[np.intp]


class Partners(NamedTuple):
    """The true labels nearest to the false ones, and the predicted labels nearest to the missed ones."""

    false: Nearest
    missed: Nearest


def nearest(costs: Costs, batch: Batch, preference: NDArray[np.intp] | None = None) -> Partners:
    """Match each false and each missed label with the label on the other side that costs least.

    Of equally near labels the one with the lowest rank of preference is chosen; without ranks only costs are
    computed, and all labels are -1.
    """
    if isinstance(costs, PathCosts) and costs.labels.size > SMALL:
        return _by_ancestors(costs, batch, preference)
    by = _by_table if batch.false.shape[1] <= SMALL else _by_pairs
    return Partners(
        by(costs, batch.false, batch.truth.matrix, preference),
        by(costs, batch.missed, batch.prediction.matrix, preference),
    )


def _by_table(
    costs: Costs, labels: sparse.csr_array, candidates: sparse.csr_array, preference: Places | None
) -> Nearest:
    """Find for all labels the nearest candidate in each byte of a mask, and keep the nearest of all bytes."""
    count = labels.shape[1]
    order = _by_cost(costs.table, np.arange(count) if preference is None else preference)
    lowest = _lowest_ranks(order)
    # One more column stands for no candidate at all.
    cost = np.column_stack([np.take_along_axis(costs.table, order, axis=1), np.ones(count)]).ravel()
    label = np.column_stack([order, np.full(count, -1)]).ravel()
    result = Nearest(np.empty(labels.nnz), np.full(labels.nnz, -1, dtype=np.intp))
    step = max(1, SCRATCH // max(1, count))
    for begin in range(0, labels.shape[0], step):
        asked, among = (rows_between(side, begin, begin + step) for side in (labels, candidates))
        stored = slice(*labels.indptr[[begin, begin + asked.shape[0]]])
        rank = combine_bytes(lowest, bytes_of(masks_of(among), count), np.minimum)
        found = asked.indices * np.intp(count + 1) + rank.ravel().take(cells_of(asked))
        cost.take(found, out=result.cost[stored])
        if preference is not None:
            label.take(found, out=result.label[stored])
    return result


def _by_cost(table: NDArray[np.float64], preference: NDArray[np.intp]) -> NDArray[np.intp]:
    """For each label all others, nearest first; costs that differ by rounding only are tied."""
    by_cost = np.argsort(table, axis=1, kind="stable")
    step = np.diff(np.take_along_axis(table, by_cost, axis=1), axis=1, prepend=0) > TIE
    tied = np.empty_like(by_cost)
    np.put_along_axis(tied, by_cost, np.cumsum(step, axis=1), axis=1)
    return np.lexsort((np.broadcast_to(preference, table.shape), tied), axis=1)


def _lowest_ranks(order: NDArray[np.intp]) -> NDArray[np.integer]:
    """For each byte of a mask and each of its values the lowest rank in it, by the label that ranks."""
    count = order.shape[0]
    rank = np.empty(order.shape, dtype=np.min_scalar_type(count))
    np.put_along_axis(rank, order, np.broadcast_to(np.arange(count, dtype=rank.dtype), rank.shape), axis=1)
    return byte_table(rank.T, np.minimum, count)


def _by_pairs(
    costs: Costs, labels: sparse.csr_array, candidates: sparse.csr_array, preference: Places | None
) -> Nearest:
    """Compare every label with every candidate of its sample, as many at a time as there is room for."""
    result = Nearest(np.ones(labels.nnz), np.full(labels.nnz, -1, dtype=np.intp))
    for owner, entries in pairs_of_rows(labels, candidates, SCRATCH):
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        asked, candidate = owner[starts], candidates.indices[entries]
        cost = costs_of_pairs(costs, labels.indices[owner], candidate)
        result.cost[asked] = np.minimum.reduceat(cost, starts)
        if preference is not None:
            rank = np.where(cost <= result.cost[owner] + TIE, preference[candidate], preference.size)
            result.label[asked] = np.argsort(preference)[np.minimum.reduceat(rank, starts)]
    return result


def _by_ancestors(costs: PathCosts, batch: Batch, preference: NDArray[np.intp] | None) -> Partners:
    """Compare the labels of a sample at their common ancestors, both sides together, in blocks of samples.

    The nearest candidate of l costs the minimum, over the ancestors c of l, of up(l, c) plus the
    smallest up(g, c) of a candidate g below c: linear in the number of ancestors, no pairs.
    """
    mistaken = np.flatnonzero(set_sizes(batch.false) + set_sizes(batch.missed))
    truth, prediction = (side.matrix[mistaken] for side in (batch.truth, batch.prediction))
    above = np.diff(costs.upward.indptr)
    found: dict[int, list[Nearest]] = {FALSE: [], MISSED: []}
    for begin, end in cut_into_runs((truth + prediction) @ above, SCRATCH):
        sets = truth[begin:end] + prediction[begin:end] * np.int8(FALSE)
        meetings = _Meetings.from_costs(costs, sets)
        for side, parts in found.items():
            parts.append(meetings.nearest(side, costs, preference))
    nothing = Nearest(np.empty(0), np.empty(0, dtype=np.intp))
    return Partners(
        *(Nearest(*map(np.concatenate, zip(*(found[side] or [nothing]), strict=True))) for side in found)
    )


class _Meetings(NamedTuple):
    """Labels of a sample grouped by common ancestor, one group after the other."""

    sets: sparse.csr_array
    label: NDArray[np.intp]
    up: NDArray[np.float64]
    ancestor: NDArray[np.integer]
    starts: NDArray[np.intp]
    group: NDArray[np.intp]

    @classmethod
    def from_costs(cls, costs: PathCosts, sets: sparse.csr_array) -> _Meetings:
        """Group the ancestors of all stored labels by ancestor, then by sample."""
        upward = costs.upward
        entries, lengths = entries_of_rows(upward, sets.indices)
        owner = np.repeat(np.arange(sets.nnz), lengths)
        before = np.concatenate([[0], np.cumsum(lengths)]).astype(upward.indptr.dtype)
        numbers = np.arange(entries.size, dtype=upward.indices.dtype)
        # The conversion sorts by counting, and joins no entries of the same place.
        cells = sparse.csr_array(
            (numbers, upward.indices[entries], before[sets.indptr]), (sets.shape[0], upward.shape[1])
        )
        grouped = cells.tocsc()
        first = np.diff(grouped.indices, prepend=-1) != 0
        first[grouped.indptr[:-1][np.diff(grouped.indptr) > 0]] = True
        met = np.flatnonzero(~(first & np.append(first[1:], True)))
        chosen, first = entries[grouped.data[met]], first[met]
        return cls(
            sets,
            owner[grouped.data[met]],
            upward.data[chosen],
            upward.indices[chosen],
            np.flatnonzero(first),
            np.cumsum(first) - 1,
        )

    def nearest(self, side: int, costs: PathCosts, preference: NDArray[np.intp] | None) -> Nearest:
        """Find for each label of a side the nearest of the labels that the other side or both sides have."""
        asks = self.sets.data[self.label] == side
        up = np.where(asks, np.inf, self.up)
        least = np.minimum.reduceat(up, self.starts) if self.starts.size else up
        asking = np.flatnonzero(asks & np.isfinite(least)[self.group])
        total = costs.closed(self.up[asking] + least[self.group[asking]], self.ancestor[asking])
        lowest = np.full(self.sets.nnz, np.inf)
        np.minimum.at(lowest, self.label[asking], total)

        nobody, of_side = self.sets.shape[1], self.sets.data == side
        rank = (np.arange(nobody) if preference is None else preference)[self.sets.indices]
        far = self._first_of_rows(np.where(of_side, nobody, rank))
        # Where no common ancestor brings a candidate nearer, all are equally far.
        connected = lowest < costs.unconnected - TIE
        cost = np.where(connected, lowest, np.where(far < nobody, costs.unconnected, 1.0))[of_side]
        if preference is None:
            return Nearest(cost, np.full(cost.size, -1, dtype=np.intp))
        tied = asking[total <= lowest[self.label[asking]] + TIE]
        near = np.where(up <= least[self.group] + TIE, rank[self.label], nobody)
        best = np.where(connected, self._first_of_labels(near, tied), far)[of_side]
        return Nearest(cost, np.append(np.argsort(preference), -1)[best])

    def _first_of_rows(self, rank: NDArray[np.intp]) -> NDArray[np.intp]:
        """For each stored label the lowest rank in its sample."""
        row = row_of_entries(self.sets)
        first = np.full(self.sets.shape[0], self.sets.shape[1])
        np.minimum.at(first, row, rank)
        return first[row]

    def _first_of_labels(self, rank: NDArray[np.intp], asking: NDArray[np.intp]) -> NDArray[np.intp]:
        """Best-ranked candidate of each stored label over its common ancestors."""
        first = np.full(self.sets.nnz, self.sets.shape[1])
        if asking.size:
            of_group = np.minimum.reduceat(rank, self.starts)
            np.minimum.at(first, self.label[asking], of_group[self.group[asking]])
        return first


def ancestors_of_labels(upward: sparse.csr_array, sets: sparse.csr_array) -> tuple[Places, Numbers, Places]:
    """For each stored label its ancestors: cell in samples × concepts, cost up, and position of the entry."""
    entries, lengths = entries_of_rows(upward, sets.indices)
    owner = np.repeat(np.arange(sets.nnz, dtype=np.intp), lengths)
    cells = row_of_entries(sets)[owner] * upward.shape[1] + upward.indices[entries]
    return cells, upward.data[entries], owner


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
    return np.asarray(with_data(matrix, values) @ np.ones(matrix.shape[1]))


def places_in(ascending: NDArray[np.integer], wanted: NDArray[np.integer]) -> NDArray[np.intp]:
    """Find numbers among others that are sorted; -1 where they are not."""
    if not ascending.size:
        return np.full(wanted.size, -1, dtype=np.intp)
    place = np.minimum(np.searchsorted(ascending, wanted), ascending.size - 1)
    return np.where(ascending[place] == wanted, place, -1)


def have_parents_beside(hierarchy: Hierarchy, row: Places, concept: Places) -> Marks:
    """Mark concepts, by row and then in order, one of whose parents is in the same row."""
    entries, parents = entries_of_rows(hierarchy.parents, concept)
    child, count = np.repeat(np.arange(row.size), parents), len(hierarchy.vocabulary)
    found = places_in(row * count + concept, row[child] * count + hierarchy.parents.indices[entries]) >= 0
    marks = np.zeros(row.size, dtype=bool)
    marks[child[found]] = True
    return marks


def pairs_in_runs(
    one: sparse.csr_array, other: sparse.csr_array, most: int
) -> Iterator[tuple[int, int, Places, Places]]:
    """Pair all stored entries of two matrices row by row, some whole rows, which come first, at a time."""
    rows = row_of_entries(one)
    for begin, end in cut_into_runs(np.diff(one.indptr).astype(np.intp) * np.diff(other.indptr), most):
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
    for begin, end in cut_into_runs(ancestors, AT_A_TIME):
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


def costs_of_pairs(costs: Costs, first: NDArray[np.integer], second: NDArray[np.integer]) -> Numbers:
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
