"""Ways up: what lies above labels, link by link, for many samples at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.relatedness import LinksUpward
from ontoeval.core.csr import entries_of_rows, ranges, row_of_entries
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.measures.statistics.sets import Root

Steps = NDArray[np.int32]

FAR = np.int32(2**30)
"""More links than any hierarchy has; two of it can be added."""


class Upward(NamedTuple):
    """All ways up from each label."""

    links: sparse.csr_array
    edges: NDArray[np.intp]
    lower: NDArray[np.intp]
    upper: NDArray[np.intp]
    most: Steps
    cut: bool


@dataclass(frozen=True)
class WaysUp:
    """What lies above each label, as far as it is looked for."""

    root: Root
    max_distance: int | None

    def __call__(self, hierarchy: Hierarchy) -> Upward:
        """Collect the concepts above each label, and the links between them."""
        virtual, above_all = self.root == "virtual", len(hierarchy.vocabulary)
        reached = hierarchy.once(LinksUpward(virtual))[hierarchy.labels]
        steps, ends = reached.data.astype(np.int32), reached.indices
        if self.root == "out" and len(hierarchy.roots) == 1:
            steps = np.where((ends == hierarchy.roots[0]) & (steps > 0), FAR, steps)
        most = self._most(hierarchy)
        kept = (steps <= most) & (steps < FAR)
        if virtual:
            kept |= ends == above_all
            steps = np.where(ends == above_all, np.minimum(steps, most + 1), steps)
        before = np.concatenate([[0], np.cumsum(kept)])
        indptr = before[reached.indptr].astype(np.intp)
        links = sparse.csr_array((steps[kept], ends[kept], indptr), shape=reached.shape)
        return self._linked(hierarchy, links, most)

    def _most(self, hierarchy: Hierarchy) -> np.int32:
        """As many links as are walked; the longest way has one less than there are levels."""
        if self.max_distance is None or self.max_distance >= hierarchy.levels - 1:
            return FAR
        return np.int32(self.max_distance)

    def _linked(self, hierarchy: Hierarchy, links: sparse.csr_array, most: np.int32) -> Upward:
        """Find the links between the concepts above each label."""
        owner, ends, count = row_of_entries(links), links.indices.astype(np.intp), len(hierarchy.vocabulary)
        at = np.arange(ends.size)
        real = at[ends < count]
        entries, parents = entries_of_rows(hierarchy.parents, ends[real])
        lower = [np.repeat(real, parents)]
        upper = [_place(links, owner[lower[0]], hierarchy.parents.indices[entries])]
        # A link from the last concept that may be reached would go too far.
        bounds = [most - 1]
        if self.root == "virtual":
            top = _place(links, np.arange(links.shape[0]), np.full(links.shape[0], count))
            roots = real[np.diff(hierarchy.parents.indptr)[ends[real]] == 0]
            last = real[links.data[real] == most]
            lower.append(np.union1d(roots, last))
            upper.append(top[owner[lower[1]]])
            bounds.append(most)
        bound = np.repeat(np.array(bounds, dtype=np.int32), [one.size for one in lower])
        low, high = np.concatenate(lower), np.concatenate(upper)
        order = np.flatnonzero(high >= 0)
        order = order[np.argsort(owner[low[order]], kind="stable")]
        of_label = owner[low[order]]
        edges = np.searchsorted(of_label, np.arange(links.shape[0] + 1))
        begin = links.indptr[of_label]
        return Upward(links, edges, low[order] - begin, high[order] - begin, bound[order], bool(most < FAR))


def _place(
    matrix: sparse.csr_array, rows: NDArray[np.intp], columns: NDArray[np.integer]
) -> NDArray[np.intp]:
    """Find where entries are stored in a matrix with sorted rows; -1 where they are not."""
    stored = row_of_entries(matrix) * matrix.shape[1] + matrix.indices
    wanted = rows * matrix.shape[1] + columns
    if not stored.size:
        return np.full(wanted.size, -1, dtype=np.intp)
    place = np.minimum(np.searchsorted(stored, wanted), stored.size - 1)
    return np.where(stored[place] == wanted, place, -1)


@dataclass(frozen=True)
class Spread:
    """All that lies above some labels of some samples: a place for each label and each such concept."""

    first: NDArray[np.intp]
    cell: NDArray[np.intp]
    links: Steps
    lower: NDArray[np.intp]
    upper: NDArray[np.intp]
    most: Steps

    @classmethod
    def of(cls, ways: Upward, sets: sparse.csr_array) -> Spread:
        """Look up what lies above each stored label."""
        entries, lengths = entries_of_rows(ways.links, sets.indices)
        first = np.cumsum(lengths) - lengths
        cell = np.repeat(row_of_entries(sets) * ways.links.shape[1], lengths) + ways.links.indices[entries]
        begin = ways.edges[sets.indices]
        counts = ways.edges[sets.indices + 1] - begin
        edges = ranges(begin, counts)
        start = np.repeat(first, counts)
        return cls(
            first,
            cell,
            ways.links.data[entries],
            start + ways.lower[edges],
            start + ways.upper[edges],
            ways.most[edges],
        )

    def least_of_label(self, values: Steps) -> Steps:
        """Find the least value of each label."""
        if not self.first.size:
            return values
        least = np.minimum.reduceat(values, self.first)
        return np.repeat(least, np.diff(self.first, append=values.size))

    def steps_until(self, marked: NDArray[np.bool_], *, cut: bool) -> Steps:
        """Count the steps up to each concept along ways that end at the first that is marked."""
        steps = np.where(self.links == 0, self.links, FAR)
        walkable = ~marked[self.lower]
        if not cut:
            # All above what is marked is marked, so that no way leads around a mark.
            steps = np.where(marked, steps, self.links)
            ends = walkable & marked[self.upper]
            np.minimum.at(steps, self.upper[ends], self.links[self.lower[ends]] + np.int32(1))
            return steps
        lower, upper = self.lower[walkable], self.upper[walkable]
        most = self.most[walkable]
        for step in range(int(most.max(initial=-1)) + 1):
            walked = (steps[lower] == step) & (step <= most)
            above = upper[walked]
            steps[above[steps[above] == FAR]] = step + 1
        return steps

    def ways_to(
        self, kept: NDArray[np.bool_], steps: Steps, passable: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Mark all that lies on a shortest way to what is kept."""
        below = steps[self.lower]
        tight = (steps[self.upper] == below + 1) & passable[self.lower]
        tight &= below <= self.most
        lower, upper, below = self.lower[tight], self.upper[tight], below[tight]
        order = np.argsort(-below, kind="stable")
        lower, upper = lower[order], upper[order]
        levels = np.flatnonzero(np.diff(below[order])) + 1
        found = kept.copy()
        for begin, end in zip([0, *levels.tolist()], [*levels.tolist(), lower.size], strict=True):
            found[lower[begin:end][found[upper[begin:end]]]] = True
        return found
