"""Directed acyclic graphs as arrays: topological order, cycles, and costs of upward paths."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.sparse import entries_of_rows, ranges
from ontoeval.errors import InputError

MOST_PAIRS = 2 * 10**9 // 16
"""Most pairs of a node and an ancestor: two gigabytes at 16 bytes each."""

_AT_ONCE = 2**23
"""Paths per block."""


def generations(parents: sparse.csr_array) -> tuple[NDArray[np.intp], ...]:
    """Sort nodes by the length of the longest path from a root."""
    waiting = np.diff(parents.indptr).astype(np.intp)
    children = parents.T.tocsr()
    found: list[NDArray[np.intp]] = []
    current = np.flatnonzero(waiting == 0)
    while current.size:
        found.append(current)
        entries, _ = entries_of_rows(children, current)
        below, arrivals = np.unique(children.indices[entries], return_counts=True)
        waiting[below] -= arrivals
        current = below[waiting[below] == 0].astype(np.intp)
    return tuple(found)


def cycles(parents: sparse.csr_array, most: int) -> tuple[list[list[int]], int]:
    """Find cycles: one in each group of nodes that are ancestors of each other."""
    # As costly to import as NumPy, and needed for nothing else.
    from scipy.sparse.csgraph import connected_components

    count, component = connected_components(parents, directed=True, connection="strong")
    sizes = np.bincount(component, minlength=count)
    loops = parents.diagonal().astype(bool)
    tangled = np.unique(np.concatenate([np.flatnonzero(sizes > 1), component[loops]]))
    first = np.unique(component, return_index=True)[1]
    found = []
    for group in tangled[:most].tolist():
        # Any walk from child to parent inside a strong component comes back to where it was.
        node = int(first[group])
        walk: dict[int, int] = {}
        while node not in walk:
            walk[node] = len(walk)
            above = parents.indices[entries_of_rows(parents, np.array([node]))[0]]
            node = int(next(parent for parent in above if component[parent] == group))
        found.append(list(walk)[walk[node] :])
    return found, len(tangled)


def cheapest_upward(
    parents: sparse.csr_array,
    order: tuple[NDArray[np.intp], ...],
    step: NDArray[np.float64],
    *,
    virtual_root: bool,
) -> sparse.csr_array:
    """Cost of the cheapest upward path from each node to each of its ancestors.

    Goes down the generations; the row of a node is made of the rows of its parents, so the work
    is proportional to the number of pairs of a node and an ancestor.
    """
    count = parents.shape[0]
    # A node has at least as many ancestors as generations lie above it.
    _refuse_too_many(sum(depth * members.size for depth, members in enumerate(order, 1)), count, order)
    first = np.zeros(count, dtype=np.intp)
    length = np.zeros(count, dtype=np.intp)
    # Rows are appended as they are made, in room that is doubled when it runs out.
    all_ends, all_costs, filled = np.empty(1024, np.intp), np.empty(1024), 0
    for members in (part for generation in order for part in _portions(parents, generation, length)):
        entries, per_member = entries_of_rows(parents, members)
        above = parents.indices[entries]
        gathered = ranges(first[above], length[above])
        via = np.repeat(np.repeat(members, per_member), length[above])
        starts = [via, members]
        ends = [all_ends[gathered], members]
        costs = [all_costs[gathered] + step[via], np.zeros(members.size)]
        if virtual_root and above.size == 0:
            starts.append(members)
            ends.append(np.full(members.size, count))
            costs.append(step[members])
        start, end, cost = _cheapest(np.concatenate(starts), np.concatenate(ends), np.concatenate(costs))
        _refuse_too_many(filled + end.size, count, order)
        if filled + end.size > all_ends.size:
            room = min(2 * (filled + end.size), max(MOST_PAIRS, filled + end.size))
            all_ends = np.concatenate([all_ends[:filled], np.empty(room - filled, np.intp)])
            all_costs = np.concatenate([all_costs[:filled], np.empty(room - filled)])
        all_ends[filled : filled + end.size] = end
        all_costs[filled : filled + end.size] = cost
        present, begins, lengths = np.unique(start, return_index=True, return_counts=True)
        first[present], length[present] = filled + begins, lengths
        filled += end.size
    indptr = np.concatenate([[0], np.cumsum(length)])
    rows = ranges(first, length)
    return sparse.csr_array(
        (all_costs[rows], all_ends[rows], indptr), shape=(count, count + bool(virtual_root))
    )


def _portions(
    parents: sparse.csr_array, members: NDArray[np.intp], length: NDArray[np.intp]
) -> list[NDArray[np.intp]]:
    """Divide a generation, such that the ancestors of all parents of a part fit into memory together."""
    entries, per_member = entries_of_rows(parents, members)
    gathered = np.append(0, np.cumsum(length[parents.indices[entries]]))[np.cumsum(per_member)]
    if not gathered.size or gathered[-1] <= _AT_ONCE:
        return [members]
    return np.split(members, np.flatnonzero(np.diff(gathered // _AT_ONCE)) + 1)


def _refuse_too_many(pairs: int, count: int, order: tuple[NDArray[np.intp], ...]) -> None:
    """Refuse a hierarchy whose closure would fill the memory."""
    if pairs > MOST_PAIRS:
        raise InputError(
            f"{count:,} concepts in {len(order):,} levels have more than {MOST_PAIRS:,} pairs of a "
            "concept and an ancestor, which take more than 2 GB",
            "Read a part of the hierarchy (root=, --root), or leave out concepts between others: chains this "
            "long are rarely meant as a hierarchy.",
        )


def _cheapest(
    start: NDArray[np.intp], end: NDArray[np.intp], cost: NDArray[np.float64]
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """Keep the cheapest of several paths between the same ends, sorted by start, then end."""
    order = np.lexsort((cost, end, start))
    start, end, cost = start[order], end[order], cost[order]
    new = np.ones(start.size, dtype=bool)
    new[1:] = (start[1:] != start[:-1]) | (end[1:] != end[:-1])
    return start[new], end[new], cost[new]
