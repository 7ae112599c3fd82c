"""Which concept takes the place of a label, drawn for all labels of all samples at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.csr import pattern, ranges, row_of_entries
from ontoeval.core.hierarchy import Hierarchy

_TRIES = 8
"""How often a concept is drawn for a label before all that may take its place are written down."""

_AT_ONCE = 2_000_000
"""How many of these are written down together."""


@dataclass(frozen=True, eq=False)
class Pool:
    """Which concepts may take the place of each label: never written out, only drawn from."""

    groups: sparse.csr_array
    members: sparse.csr_array
    never: sparse.csr_array

    @cached_property
    def _before(self) -> NDArray[np.intp]:
        """How many members the groups of all labels have up to each one."""
        sizes = np.diff(self.members.indptr).astype(np.intp)
        return np.concatenate([[0], np.cumsum(sizes[self.groups.indices], dtype=np.intp)])

    def _member(self, place: NDArray[np.intp]) -> NDArray[np.intp]:
        """Look up the concept at a place in the sequence of the groups of all labels."""
        group = np.searchsorted(self._before, place, side="right") - 1
        first = self.members.indptr[self.groups.indices[group]]
        found: NDArray[np.intp] = self.members.indices[first + place - self._before[group]].astype(np.intp)
        return found

    def draw(
        self, rng: np.random.Generator, sets: sparse.csr_array, taken: sparse.csr_array | None = None
    ) -> NDArray[np.intp]:
        """Draw a column for each stored label, of those not taken (in the sets) in its row; -1 if none fits.

        A concept in two groups of a label is twice as likely.
        """
        sample, label = row_of_entries(sets), sets.indices.astype(np.intp)
        borne, apart = _Cells(sets if taken is None else taken), _Cells(self.never)
        first = self._before[self.groups.indptr[label]]
        room = self._before[self.groups.indptr[label + 1]] - first

        def fits(entry: NDArray[np.intp], found: NDArray[np.intp]) -> NDArray[np.bool_]:
            return ~(borne.hold(sample[entry], found) | apart.hold(label[entry], found))

        drawn = np.full(label.size, -1, dtype=np.intp)
        left = np.flatnonzero(room)
        for _ in range(_TRIES):
            found = self._member(first[left] + (rng.random(left.size) * room[left]).astype(np.intp))
            right = fits(left, found)
            drawn[left[right]] = found[right]
            left = left[~right]
        # What is left has few concepts that fit, if any: they are found, and one of them drawn.
        for part in _portions(left, room[left]):
            entry = np.repeat(part, room[part])
            found = self._member(ranges(first[part], room[part]))
            right = fits(entry, found)
            entry, found = entry[right], found[right]
            shuffled = np.lexsort((rng.random(entry.size), entry))
            served, begin = np.unique(entry[shuffled], return_index=True)
            drawn[served] = found[shuffled[begin]]
        return drawn


class _Cells:
    """Answers whether cells of a sparse table are true."""

    def __init__(self, table: sparse.csr_array) -> None:
        self.width = table.shape[1]
        # The rows of a frozen pattern are sorted, and so is this.
        self.keys = row_of_entries(table) * self.width + table.indices

    def hold(self, row: NDArray[np.intp], column: NDArray[np.intp]) -> NDArray[np.bool_]:
        if not self.keys.size:
            return np.zeros(row.size, dtype=bool)
        wanted = row * self.width + column
        near = np.minimum(np.searchsorted(self.keys, wanted), self.keys.size - 1)
        held: NDArray[np.bool_] = self.keys[near] == wanted
        return held


def _portions(entries: NDArray[np.intp], room: NDArray[np.intp]) -> Iterator[NDArray[np.intp]]:
    """Divide entries such that what may take their places fits into memory."""
    cuts = np.flatnonzero(np.diff(np.cumsum(room) // _AT_ONCE)) + 1
    yield from np.split(entries, cuts)


def anything(count: int) -> Pool:
    """Let every concept take the place of every other."""
    ones = np.ones((count, 1), dtype=bool)
    nothing = sparse.csr_array((count, count), dtype=bool)
    return Pool(pattern(sparse.csr_array(ones)), pattern(sparse.csr_array(ones.T)), nothing)


def siblings(hierarchy: Hierarchy) -> Pool:
    """Let siblings take each other's places: concepts with a parent in common, neither above the other."""
    labels = hierarchy.labels
    groups = pattern(hierarchy.parents[labels])
    above = hierarchy.labels_upward
    return Pool(groups, pattern(groups.T.tocsr()), pattern(above + above.T.tocsr()))


def parents(hierarchy: Hierarchy) -> Pool:
    """Let the labels above a label take its place."""
    each = sparse.eye_array(len(hierarchy.labels), dtype=bool, format="csr")
    nothing = sparse.csr_array(each.shape, dtype=bool)
    return Pool(hierarchy.labels_directly_above, pattern(each), nothing)
