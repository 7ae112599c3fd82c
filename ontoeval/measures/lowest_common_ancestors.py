"""Precision, recall and F over lowest common ancestors."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.costs import LinksUpward
from ontoeval.core.batch import Batch
from ontoeval.core.hierarchy import VIRTUAL_ROOT, Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import MeasureError
from ontoeval.measures.base import check_parameters, whole_or_none
from ontoeval.measures.flat import Average, Averaged, F, Precision, Recall
from ontoeval.measures.hierarchical import Root
from ontoeval.measures.matching import places_in
from ontoeval.plumbing.arrays import Marks, Places
from ontoeval.plumbing.sparse import (
    cells_of,
    choose_entries,
    cut_into_runs,
    entries_of_rows,
    pattern,
    ranges,
    row_of_entries,
    with_data,
)

StepCounts = NDArray[np.int32]

FAR = np.int32(2**30)
"""More links than any hierarchy has; two of it can be added."""


class Upward(NamedTuple):
    """All ways up from each label."""

    links: sparse.csr_array
    edges: NDArray[np.intp]
    lower: NDArray[np.intp]
    upper: NDArray[np.intp]
    most: StepCounts
    cut: bool


@dataclass(frozen=True)
class WaysUp:
    """The concepts above each label, up to a distance, as a view of a hierarchy."""

    root: Root
    max_distance: int | None

    def __call__(self, hierarchy: Hierarchy) -> Upward:
        """Collect the concepts above each label, and the links between them."""
        virtual, above_all = self.root == "virtual", len(hierarchy.vocabulary)
        reached = hierarchy.derive(LinksUpward(virtual))[hierarchy.labels]
        steps, ends = reached.data.astype(np.int32), reached.indices
        if self.root == "out" and len(hierarchy.roots) == 1:
            steps = np.where((ends == hierarchy.roots[0]) & (steps > 0), FAR, steps)
        # The longest way has one link less than there are levels, and one more to a virtual root.
        cut = self.max_distance is not None and self.max_distance < hierarchy.levels - 1 + virtual
        most = np.int32(self.max_distance or 0) if cut else FAR
        kept = (steps <= most) & (steps < FAR)
        before = np.concatenate([[0], np.cumsum(kept)])
        indptr = before[reached.indptr].astype(np.intp)
        links = sparse.csr_array((steps[kept], ends[kept], indptr), shape=reached.shape)
        if virtual and cut:
            # HEMKit ends every way, where it is cut or at the virtual root, with a node that all share.
            last, at_top = np.full(reached.shape[0], most), links.indices == above_all
            last[row_of_entries(links)[at_top]] = links.data[at_top]
            links = sparse.csr_array(
                sparse.hstack([links, sparse.csr_array(last[:, None] + 1)], format="csr")
            )
        return self._links_between(hierarchy, links, most)

    def _links_between(self, hierarchy: Hierarchy, links: sparse.csr_array, most: np.int32) -> Upward:
        """Find the links between the concepts above each label."""
        owner, ends, count = row_of_entries(links), links.indices.astype(np.intp), len(hierarchy.vocabulary)
        cells, width = cells_of(links), links.shape[1]
        at = np.arange(ends.size)
        real = at[ends < count]
        entries, parents = entries_of_rows(hierarchy.parents, ends[real])
        lower = [np.repeat(real, parents)]
        upper = [places_in(cells, owner[lower[0]] * width + hierarchy.parents.indices[entries])]
        # A link from the last concept that may be reached would go too far.
        bounds = [most - 1]
        if self.root == "virtual":
            lower.append(real[np.diff(hierarchy.parents.indptr)[ends[real]] == 0])
            upper.append(places_in(cells, owner[lower[1]] * width + count))
            bounds.append(most - 1)
        if width > count + 1:
            lower.append(np.flatnonzero((ends == count) | (links.data == most)))
            upper.append(places_in(cells, owner[lower[2]] * width + count + 1))
            bounds.append(most)
        bound = np.repeat(np.array(bounds, dtype=np.int32), [one.size for one in lower])
        low, high = np.concatenate(lower), np.concatenate(upper)
        order = np.flatnonzero(high >= 0)
        order = order[np.argsort(owner[low[order]], kind="stable")]
        of_label = owner[low[order]]
        edges = np.searchsorted(of_label, np.arange(links.shape[0] + 1))
        begin = links.indptr[of_label]
        return Upward(links, edges, low[order] - begin, high[order] - begin, bound[order], bool(most < FAR))


@dataclass(frozen=True)
class Spread:
    """All concepts above some labels of some samples: a place for each label and concept."""

    first: NDArray[np.intp]
    cell: NDArray[np.intp]
    links: StepCounts
    lower: NDArray[np.intp]
    upper: NDArray[np.intp]
    most: StepCounts

    @classmethod
    def from_sets(cls, ways: Upward, sets: sparse.csr_array) -> Spread:
        """Look up the concepts above each stored label."""
        first, cell, links = concepts_above(ways, sets)
        begin = ways.edges[sets.indices]
        counts = ways.edges[sets.indices + 1] - begin
        edges = ranges(begin, counts)
        start = np.repeat(first, counts)
        lower, upper = start + ways.lower[edges], start + ways.upper[edges]
        return cls(first, cell, links, lower, upper, ways.most[edges])

    def steps_until(self, marked: NDArray[np.bool_], *, cut: bool) -> StepCounts:
        """Count the steps up to each concept along ways that end at the first that is marked."""
        steps = np.where(self.links == 0, self.links, FAR)
        walkable = ~marked[self.lower]
        if not cut:
            # All ancestors of a marked concept are marked, so that no way leads around a mark.
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

    def ways_to(self, kept: Marks, steps: StepCounts, passable: Marks) -> Marks:
        """Mark all concepts on a shortest way to a kept concept."""
        below = steps[self.lower]
        tight = (steps[self.upper] == below + 1) & passable[self.lower]
        tight &= below <= self.most
        lower, upper, below = self.lower[tight], self.upper[tight], below[tight]
        deepest = below.max(initial=0)
        upwards = (deepest - below).astype(np.min_scalar_type(deepest))  # small numbers are sorted faster
        order = np.argsort(upwards, kind="stable")
        lower, upper = lower[order], upper[order]
        levels = np.flatnonzero(np.diff(below[order])) + 1
        found = kept.copy()
        for begin, end in zip([0, *levels.tolist()], [*levels.tolist(), lower.size], strict=True):
            found[lower[begin:end][found[upper[begin:end]]]] = True
        return found


def concepts_above(ways: Upward, sets: sparse.csr_array) -> tuple[Places, Places, StepCounts]:
    """First place of each stored label, and cell and number of links of every concept above it."""
    entries, lengths = entries_of_rows(ways.links, sets.indices)
    cell = np.repeat(row_of_entries(sets) * ways.links.shape[1], lengths) + ways.links.indices[entries]
    return np.cumsum(lengths) - lengths, cell, ways.links.data[entries]


CELLS = 4_000_000
"""Samples × concepts of scratch space at a time: 28 MB."""

PAIRS_AT_A_TIME = 1_000_000
"""Labels × concepts above them that are processed at a time."""


@dataclass(frozen=True, kw_only=True)
class AncestorOptions:
    """Options of measures over lowest common ancestors.

    Parameters
    ----------
    root
        "in": a root can be where labels meet; "out": a root above everything cannot; "virtual": so
        can a node above all roots, which HEMKit adds.
    max_distance
        Most links that are walked up from a label, 4 in BioASQ; None walks up to the roots. With
        root="virtual" it is HEMKit's: a node that all share ends every way, and of the labels of one side
        those are left out that lie above another by at most one link more.
    """

    root: Root = "in"
    max_distance: Annotated[int | None, partial(whole_or_none, least=1)] = None


@dataclass(frozen=True, kw_only=True)
class LowestCommonAncestors(AncestorOptions):
    """The most specific labels of both sides, and the concepts on the shortest ways between them.

    Each label that the other side lacks is connected to the nearest there, on all ways with the fewest links:
    up to the first ancestor (or self) of a label of the other side, and down. The concepts
    on the way up join the label's side, those on the way down the other, and where they meet both.
    """

    def __post_init__(self) -> None:
        check_parameters(self)

    def __call__(self, batch: Batch) -> Batch:
        """Put labels and the ways between them in the place of the labels."""
        hierarchy = batch.required_hierarchy("A measure of lowest common ancestors")
        ways = hierarchy.derive(WaysUp(self.root, self.max_distance))
        all_ways = hierarchy.derive(WaysUp(self.root, None)).links
        if self.root == "virtual" and self.max_distance is not None:
            near = all_ways.data <= self.max_distance + 1
            all_ways = with_data(choose_entries(all_ways, near), all_ways.data[near])
        sides = [
            most_specific(side.matrix, all_ways, hierarchy.labels) for side in (batch.truth, batch.prediction)
        ]
        both = sides[0] + sides[1] * np.int8(2)
        lone = [choose_entries(both, both.data == which) for which in (1, 2)]
        own: tuple[list[NDArray[np.intp]], ...] = ([], [])
        width = ways.links.shape[1]
        reached = np.asarray((sides[0].astype(np.intp) + sides[1]) @ np.diff(ways.links.indptr))
        for begin, end in cut_into_runs(reached, PAIRS_AT_A_TIME, rows=max(1, CELLS // max(1, width))):
            rows = slice(begin, end)
            found = _sides_and_ways(
                ways, [one[rows] for one in sides], [one[rows] for one in lone], hierarchy.labels
            )
            for cells, marked in zip(own, found, strict=True):
                cells.append(begin * width + np.flatnonzero(marked))
        vocabulary = Vocabulary((*hierarchy.vocabulary, VIRTUAL_ROOT, "(end of every way)")[:width])
        truth, prediction = (
            LabelSets(_matrix_of_cells(cells, (len(batch), width)), vocabulary, batch.truth.samples)
            for cells in own
        )
        if batch.known is None:
            return Batch(truth, prediction)
        # All concepts on the ways are known; the first column marks samples without any.
        first = sparse.csr_array(np.arange(width)[None, :] == 0)
        looked_at = sparse.csr_array(batch.judged[:, None]) @ first
        return Batch(truth, prediction, known=pattern(truth.matrix + prediction.matrix + looked_at))


def most_specific(sets: sparse.csr_array, links: sparse.csr_array, labels: Places) -> sparse.csr_array:
    """Leave out ancestors of another label of the same sample."""
    places = np.full(links.shape[1], -1, dtype=np.intp)
    places[labels] = np.arange(labels.size)
    above = choose_entries(links, (links.data > 0) & (places[links.indices] >= 0))
    above = sparse.csr_array(
        (above.data, places[above.indices], above.indptr), shape=(links.shape[0], labels.size)
    )
    implied = (sets @ above).astype(bool)
    marks = sets.astype(np.int8) + implied * np.int8(2)
    return choose_entries(marks, marks.data == 1)


def _sides_and_ways(
    ways: Upward, sides: list[sparse.csr_array], lone: list[sparse.csr_array], labels: Places
) -> list[Marks]:
    """Mark both sides and the ways between them, samples × concepts in one line each."""
    room = sides[0].shape[0] * ways.links.shape[1]
    found = []
    for side in sides:
        marked = np.zeros(room, dtype=bool)
        marked[row_of_entries(side) * ways.links.shape[1] + labels[side.indices]] = True
        found.append(marked)
    nearest = np.full(room, FAR)
    wanted = np.zeros(room, dtype=bool)
    for own, other in ((0, 1), (1, 0)):
        walking, (first, cell, links) = Spread.from_sets(ways, lone[own]), concepts_above(ways, sides[other])
        np.minimum.at(nearest, cell, links)
        met = nearest[walking.cell] < FAR
        steps = walking.steps_until(met, cut=ways.cut)
        total = np.where(met, steps + nearest[walking.cell], FAR)
        least = np.minimum.reduceat(total, walking.first) if total.size else total
        shortest = total == np.repeat(least, np.diff(walking.first, append=total.size))
        kept = met & (steps < FAR) & shortest
        wanted[walking.cell[kept]] = True
        ends = wanted[cell] & (links == nearest[cell])
        met_labels = np.logical_or.reduceat(ends, first) if ends.size else ends
        there = Spread.from_sets(ways, choose_entries(sides[other], met_labels))
        ends = wanted[there.cell] & (there.links == nearest[there.cell])
        found[own][walking.cell[walking.ways_to(kept, steps, ~met)]] = True
        found[other][there.cell[there.ways_to(ends, there.links, np.ones(ends.size, dtype=bool))]] = True
        nearest[cell] = FAR
        wanted[walking.cell] = False
    return found


def _matrix_of_cells(cells: list[NDArray[np.intp]], shape: tuple[int, int]) -> sparse.csr_array:
    """Make a matrix of cells in ascending order."""
    all_cells = np.concatenate(cells) if cells else np.array([], dtype=np.intp)
    rows, columns = np.divmod(all_cells, max(1, shape[1]))
    indptr = np.searchsorted(rows, np.arange(shape[0] + 1))
    return sparse.csr_array((np.ones(columns.size, dtype=bool), columns, indptr), shape=shape)


@dataclass(frozen=True, kw_only=True)
class OfLowestCommonAncestors(AncestorOptions, Averaged):
    """A ratio of decisions about labels and the concepts on the shortest ways between both sides.

    Of several shortest ways all are kept; HEMKit keeps a few, so that numbers can differ.

    Parameters
    ----------
    average
        As elsewhere, but by default "samples".
    """

    average: Average = "samples"

    source = "kosmopoulos2015"
    emerging = True  # the definition is that of the authors' software, the paper could not be read
    of_shares = False  # pairs of labels have an ancestor in common

    def __post_init__(self) -> None:
        if self.variant == "hemkit":
            raise MeasureError(
                "variant='hemkit' is not offered: of several shortest ways HEMKit keeps some, chosen by the "
                "numbers of the concepts, in a way that its source alone states, which its licence does not "
                "allow to take over. Leave the variant out, which keeps all of them; root='virtual' and "
                "max_distance=4 are what BioASQ uses besides."
            )
        super().__post_init__()
        _ = self.view

    @property
    def view(self) -> LowestCommonAncestors:
        """Labels and the ways between them."""
        return LowestCommonAncestors(root=self.root, max_distance=self.max_distance)


@dataclass(frozen=True, kw_only=True)
class LowestCommonAncestorPrecision(OfLowestCommonAncestors, Precision):
    """Share of the predicted labels and of the ways from them to the truth that is on the true side too."""

    formula_text = "P = |Y′ ∩ Z′| / |Z′|, Y′ and Z′ being Y and Z with their lowest common ancestors"


@dataclass(frozen=True, kw_only=True)
class LowestCommonAncestorRecall(OfLowestCommonAncestors, Recall):
    """Share of the true labels and of the ways from them to the prediction that is on the other side too."""

    formula_text = "R = |Y′ ∩ Z′| / |Y′|, Y′ and Z′ being Y and Z with their lowest common ancestors"


@dataclass(frozen=True, kw_only=True)
class LowestCommonAncestorF(OfLowestCommonAncestors, F):
    """Harmonic mean of precision and recall over lowest common ancestors."""

    formula_text = (
        "F = (1 + β²) |Y′ ∩ Z′| / (β² |Y′| + |Z′|), "
        "Y′ and Z′ being Y and Z with their lowest common ancestors"
    )
