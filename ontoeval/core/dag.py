"""Directed graphs of concepts: generations, cycles and the cheapest ways to ancestors."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.errors import InputError, enumerate_some, pluralise
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.memory import require
from ontoeval.plumbing.sparse import entries_of_rows, ranges

MOST_PAIRS = 2 * 10**9 // 16
"""Most pairs of a node and an ancestor: two gigabytes at 16 bytes each."""

_A_PAIR = 36
"""Least bytes for a pair while a closure is made."""

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


def refuse_upward(roots: Collection[str], leaves: Collection[str], remedy: str) -> None:
    """Refuse links with more roots than leaves: they seem to run from child to parent."""
    if 0 < len(leaves) < len(roots):
        above, below = (
            f"{pluralise(len(names), 'linked concept')} without {what} ({enumerate_some(names)})"
            for names, what in ((roots, "parents"), (leaves, "children"))
        )
        raise InputError(f"{above}, but only {below}: the links seem to run from child to parent", remedy)


def cycles(parents: sparse.csr_array, most: int) -> tuple[list[list[int]], int]:
    """Find cycles: one in each group of nodes that are ancestors of each other."""
    # Imported late: as costly to import as NumPy, and needed here only.
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
    order: tuple[Places, ...],
    step: Numbers,
    *,
    virtual_root: bool = False,
    of: NDArray[np.integer] | None = None,
    to: NDArray[np.integer] | None = None,
) -> sparse.csr_array:
    """Cost of the cheapest upward path from each node (or some) to each of its ancestors (or some).

    Goes down the generations; the row of a node is made of the rows of its parents, so the work
    is proportional to the number of pairs of a node and an ancestor.
    """
    count = parents.shape[0]
    if of is not None:
        needed = with_ancestors(parents, of)
        order = tuple(members[needed[members]] for members in order)
    if to is None:
        # A node has at least as many ancestors as generations lie above it.
        least = sum(depth * members.size for depth, members in enumerate(order, 1))
        _refuse_too_many(least, count, order)
        require(_A_PAIR * least, *_describe_closure(count, order))
    rows, number = _GrowingRows(count, order, to), np.diff(parents.indptr)
    for generation in order:
        alone = number[generation] == 1
        for members in _portions(parents, generation[alone], rows.length):
            rows.append_below_one(members, parents.indices[parents.indptr[members]], step)
        for members in _portions(parents, generation[~alone], rows.length):
            rows.append_below_several(members, parents, step, virtual_root=virtual_root)
    wanted = np.arange(count) if of is None else np.unique(of)
    return rows.matrix(wanted, columns=count + bool(virtual_root))


def with_ancestors(parents: sparse.csr_array, nodes: NDArray[np.integer]) -> NDArray[np.bool_]:
    """Mark nodes and their ancestors."""
    marks, current = np.zeros(parents.shape[0], dtype=bool), nodes
    while current.size:
        marks[current] = True
        above = parents.indices[entries_of_rows(parents, current)[0]]
        current = np.unique(above[~marks[above]])
    return marks


class _GrowingRows:
    """Rows of ancestors and costs, appended as they are made, in room that is doubled when it runs out."""

    def __init__(self, count: int, order: tuple[Places, ...], ends: NDArray[np.integer] | None) -> None:
        self.count, self.order, self.filled = count, order, 0
        self.is_end = np.full(count, ends is None)
        self.is_end[[] if ends is None else ends] = True
        self.first, self.length = np.zeros((2, count), dtype=np.intp)
        self.ends, self.costs = np.empty(1024, np.int32), np.empty(1024)

    def append_below_one(self, members: Places, above: NDArray[np.integer], step: Numbers) -> None:
        """Append nodes with one parent: its row, and the node itself."""
        lengths, own = self.length[above], self.is_end[members]
        gathered = ranges(self.first[above], lengths)
        part = self._make_room(members, lengths + own)
        inherited = np.ones(gathered.size + int(own.sum()), dtype=bool)
        inherited[np.cumsum(lengths + own)[own] - 1] = False
        self.ends[part][inherited], self.ends[part][~inherited] = self.ends[gathered], members[own]
        self.costs[part][inherited] = self.costs[gathered] + np.repeat(step[members], lengths)
        self.costs[part][~inherited] = 0.0

    def append_below_several(
        self, members: Places, parents: sparse.csr_array, step: Numbers, *, virtual_root: bool
    ) -> None:
        """Append nodes with several parents, or roots; the cheapest of several ways counts."""
        entries, per_member = entries_of_rows(parents, members)
        above = parents.indices[entries]
        gathered = ranges(self.first[above], self.length[above])
        via = np.repeat(np.repeat(members, per_member), self.length[above])
        own = members[self.is_end[members]]
        starts = [via, own]
        ends = [self.ends[gathered], own]
        costs = [self.costs[gathered] + step[via], np.zeros(own.size)]
        if virtual_root and above.size == 0:
            starts.append(members)
            ends.append(np.full(members.size, self.count))
            costs.append(step[members])
        start, end, cost = _cheapest_paths(
            np.concatenate(starts), np.concatenate(ends), np.concatenate(costs)
        )
        present, lengths = np.unique(start, return_counts=True)
        part = self._make_room(present, lengths)
        self.ends[part], self.costs[part] = end, cost

    def _make_room(self, members: NDArray[np.intp], lengths: NDArray[np.intp]) -> slice:
        """Make room for rows of nodes."""
        begin, self.filled = self.filled, self.filled + int(lengths.sum())
        _refuse_too_many(self.filled, self.count, self.order)
        if self.filled > self.ends.size:
            room = max(min(2 * self.filled, MOST_PAIRS), self.filled)
            self.ends.resize(room, refcheck=False)  # in place, where the system can
            self.costs.resize(room, refcheck=False)
        self.first[members] = begin + np.cumsum(lengths) - lengths
        self.length[members] = lengths
        return slice(begin, self.filled)

    def matrix(self, wanted: NDArray[np.intp], *, columns: int) -> sparse.csr_array:
        """Matrix of the rows of some nodes; those of others are empty."""
        lengths = np.zeros(self.count + 1, dtype=np.int32)
        lengths[wanted + 1] = self.length[wanted]
        entries = ranges(self.first[wanted], self.length[wanted])
        found = sparse.csr_array(
            (self.costs[entries], self.ends[entries], np.cumsum(lengths, dtype=np.int32)),
            shape=(self.count, columns),
        )
        found.sort_indices()
        return found


def _portions(parents: sparse.csr_array, members: Places, length: Places) -> list[Places]:
    """Divide a generation, such that the ancestors of all parents of a part fit into memory together."""
    entries, per_member = entries_of_rows(parents, members)
    gathered = np.append(0, np.cumsum(length[parents.indices[entries]]))[np.cumsum(per_member)]
    if not gathered.size or gathered[-1] <= _AT_ONCE:
        return [members]
    return np.split(members, np.flatnonzero(np.diff(gathered // _AT_ONCE)) + 1)


def _describe_closure(count: int, order: tuple[NDArray[np.intp], ...]) -> tuple[str, str]:
    """Describe the closure, and what needs less memory."""
    return (
        f"Finding all ancestors of {count:,} concepts in {len(order):,} levels",
        "Read a part of the hierarchy (root=, --root), or take measures that need no hierarchy.",
    )


def _refuse_too_many(pairs: int, count: int, order: tuple[NDArray[np.intp], ...]) -> None:
    """Refuse a hierarchy whose closure would fill the memory."""
    if pairs > MOST_PAIRS:
        raise InputError(
            f"{count:,} concepts in {len(order):,} levels have more than {MOST_PAIRS:,} pairs of a "
            "concept and an ancestor, which take more than 2 GB",
            "Read a part of the hierarchy (root=, --root), or leave out concepts between others: chains this "
            "long are rarely meant as a hierarchy.",
        )


def _cheapest_paths(start: Places, end: Places, cost: Numbers) -> tuple[Places, Places, Numbers]:
    """Keep the cheapest of several paths between the same ends, sorted by start, then end."""
    order = np.lexsort((cost, end, start))
    start, end, cost = start[order], end[order], cost[order]
    new = np.ones(start.size, dtype=bool)
    new[1:] = (start[1:] != start[:-1]) | (end[1:] != end[:-1])
    return start[new], end[new], cost[new]
