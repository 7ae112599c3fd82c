"""Precision, recall and F over lowest common ancestors."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, starmap
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
    entries_of_rows,
    every_entry,
    pattern,
    pattern_at,
    row_of_entries,
    rows_between,
    with_data,
)

StepCounts = NDArray[np.int32]

FAR = np.int32(2**30)
"""More links than any hierarchy has; two of it can be added."""


class Upward(NamedTuple):
    """The links up from labels, between places: concepts, or the concepts near each label, label by label."""

    links: sparse.csr_array
    """Places × places, counted from the first of the label: the last step that may follow a link."""
    concept: NDArray[np.integer]
    """Concept of each place."""
    label: NDArray[np.integer]
    """Place of each label, counted from its first."""
    first: NDArray[np.integer] | None
    """First place of each label, where labels have places of their own."""
    width: int
    """Number of concepts."""


@dataclass(frozen=True)
class WaysUp:
    """The links up from labels, up to a distance, as a view of a hierarchy."""

    root: Root
    max_distance: int | None

    def __call__(self, hierarchy: Hierarchy) -> Upward:
        """Collect the links between all concepts, or between those near each label."""
        virtual, width = self.root == "virtual", len(hierarchy.vocabulary) + (self.root == "virtual")
        lower, upper = row_of_entries(hierarchy.parents), hierarchy.parents.indices
        kept = np.flatnonzero(~np.isin(upper, _root_left_out(hierarchy, self.root)))
        top = hierarchy.roots[: hierarchy.roots.size * virtual]
        ends = np.append(lower[kept], top), np.append(upper[kept], np.full(top.size, width - 1))
        links = sparse.csr_array((np.full(ends[0].size, FAR), ends), shape=(width, width))
        # The longest way has one link less than there are levels, and one more to a virtual root.
        if self.max_distance is not None and self.max_distance < hierarchy.levels - 1 + virtual:
            return self._near_labels(links, links_above(hierarchy, self.root))
        return Upward(links, np.arange(width), hierarchy.labels, None, width)

    def _near_labels(self, links: sparse.csr_array, above: sparse.csr_array) -> Upward:
        """Find the links between the concepts that are near each label."""
        most, real = np.int32(self.max_distance or 0), above.shape[1]
        near = entries_where(above, above.data <= most)
        if self.root == "virtual":  # HEMKit ends every way with a node that all share
            near = sparse.csr_array(
                sparse.hstack([near, every_entry(np.full((near.shape[0], 1), most + 1))], format="csr")
            )
        owner, concept, first = row_of_entries(near), near.indices, near.indptr[:-1]
        places = np.flatnonzero(concept < real)
        entries, lengths = entries_of_rows(links, concept[places])
        lower = np.repeat(places, lengths)
        upper = places_in(cells_of(near), owner[lower] * near.shape[1] + links.indices[entries])
        lower, upper = lower[upper >= 0], upper[upper >= 0]
        last = np.full(lower.size, most - 1)  # one step more would go too far
        if self.root == "virtual":  # ways end at the virtual root, or where they are cut
            ends = np.flatnonzero((concept == real - 1) | (near.data == most))
            lower, upper = np.append(lower, ends), np.append(upper, near.indptr[owner[ends] + 1] - 1)
            last = np.append(last, np.full(ends.size, most))
        shape = near.nnz, int(np.diff(near.indptr).max(initial=0))
        links = sparse.csr_array((last, (lower, upper - first[owner[lower]])), shape=shape)
        return Upward(links, concept, np.flatnonzero(near.data == 0) - first, first, near.shape[1])


def _root_left_out(hierarchy: Hierarchy, root: Root) -> Places:
    """Root of all concepts, where labels may not meet there."""
    return hierarchy.roots if root == "out" and len(hierarchy.roots) == 1 else hierarchy.roots[:0]


def links_above(hierarchy: Hierarchy, root: Root) -> sparse.csr_array:
    """Fewest links from each label to each concept above it."""
    links = hierarchy.derive(LinksUpward(root == "virtual"))[hierarchy.labels]
    gone = np.isin(links.indices, _root_left_out(hierarchy, root)) & (links.data > 0)
    return entries_where(links, ~gone)


def entries_where(matrix: sparse.csr_array, chosen: Marks) -> sparse.csr_array:
    """Choose some of the stored entries, with their values."""
    return with_data(choose_entries(matrix, chosen), matrix.data[chosen])


@dataclass(frozen=True)
class Climb:
    """What lies above some labels, each concept of a sample once; label by label where ways are cut."""

    cell: Places
    """Samples × concepts, in the order of the steps."""
    steps: StepCounts
    """Fewest links from a label."""
    links: list[tuple[Places, NDArray[np.int32]]]
    """Lower and upper ends of the links that each step follows."""

    @classmethod
    def from_sets(
        cls, ways: Upward, sets: sparse.csr_array, stops: StepCounts, number: NDArray[np.int32]
    ) -> Climb:
        """Follow links up to the first concept that has a number of steps; the scratch is all -1."""
        sample, width = row_of_entries(sets), ways.links.shape[1]
        row, first = sample, None if ways.first is None else ways.first[sets.indices]
        if first is not None:
            row, number = np.arange(sets.nnz), np.full(sets.nnz * width, -1, dtype=np.int32)
        fresh, size = row * width + ways.label[sets.indices], 0
        places, cells, links = list[Places](), list[Places](), list[tuple[Places, Places]]()
        while fresh.size:
            cell, place = fresh, fresh % width
            begin = fresh - place
            if first is not None:
                row = begin // width
                place += first[row]
                cell = sample[row] * ways.width + ways.concept[place]
            cells.append(cell)
            places.append(fresh)
            number[fresh] = np.arange(size, size + fresh.size)
            going = np.flatnonzero(stops[cell] == FAR)
            entries, lengths = entries_of_rows(ways.links, place[going])
            lower, upper = going + size, begin[going]
            lower, upper = np.repeat(lower, lengths), np.repeat(upper, lengths) + ways.links.indices[entries]
            if first is not None:
                near = np.flatnonzero(ways.links.data[entries] >= len(links))
                lower, upper = lower[near], upper[near]
            links.append((lower, upper))
            size += fresh.size
            fresh = upper[number[upper] < 0]
            number[fresh] = at = np.arange(fresh.size)
            fresh = fresh[number[fresh] == at]  # each once
        walked = [(lower, number[upper]) for lower, upper in links]
        steps = np.repeat(np.arange(len(places), dtype=np.int32), [some.size for some in places])
        number[np.concatenate([*places, fresh])] = -1
        return cls(np.concatenate([*cells, fresh]), steps, walked)

    def fewest(self, steps: StepCounts) -> StepCounts:
        """Fewest links to the other side, given those from where both sides meet."""
        fewest, before = steps.copy(), steps[:0]
        while not np.array_equal(fewest, before):  # links may lead to concepts of earlier steps
            before = fewest.copy()
            for lower, upper in reversed(self.links):
                np.minimum.at(fewest, lower, fewest[upper] + np.int32(1))
        return np.minimum(fewest, FAR)

    def on_ways(self, marks: Marks, left: StepCounts, *, up: bool) -> Marks:
        """Mark all places on the shortest ways from marked ones, given the number of links left at each."""
        one, other = (np.concatenate([link[end] for link in self.links]) for end in (not up, up))
        tight = np.flatnonzero(left[one] == left[other] + 1)
        one, other, before = one[tight], other[tight], left[one[tight]]
        longest = before.max(initial=0)
        behind = (longest - before).astype(np.min_scalar_type(longest))  # small numbers are sorted faster
        order = np.argsort(behind, kind="stable")
        one, other = one[order], other[order]
        ends = [0, *(np.flatnonzero(np.diff(behind[order])) + 1).tolist(), one.size]
        for some in starmap(slice, pairwise(ends)):
            marks[other[some][marks[one[some]]]] = True
        return marks


CELLS = 4_000_000
"""Samples × concepts of scratch space at a time: 32 MB."""


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
        above, width = links_above(hierarchy, self.root), ways.width
        if self.root == "virtual" and self.max_distance is not None:
            above = entries_where(above, above.data <= self.max_distance + 1)
        sides = [
            most_specific(side.matrix, above, hierarchy.labels) for side in (batch.truth, batch.prediction)
        ]
        both = sides[0] + sides[1] * np.int8(2)
        lone = [choose_entries(both, both.data == which) for which in (1, 2)]
        step = max(1, min(CELLS // width, len(batch)))
        scratch = np.full(step * width, FAR), np.full(step * width, -1, dtype=np.int32)
        own = [[row_of_entries(side) * width + hierarchy.labels[side.indices]] for side in sides]
        for begin in range(0, len(batch), step):
            some, other = ([rows_between(one, begin, begin + step) for one in part] for part in (sides, lone))
            for which, cells in _ways_between(ways, some, other, scratch):
                own[which].append(begin * width + cells)
        more = (VIRTUAL_ROOT, "(end of every way)")[: width - len(hierarchy.vocabulary)]
        vocabulary = Vocabulary((*hierarchy.vocabulary, *more)) if more else hierarchy.vocabulary
        found = [pattern_at(*np.divmod(np.concatenate(cells), width), (len(batch), width)) for cells in own]
        truth, prediction = (LabelSets(one, vocabulary, batch.truth.samples) for one in found)
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


def _ways_between(
    ways: Upward,
    sides: list[sparse.csr_array],
    lone: list[sparse.csr_array],
    scratch: tuple[StepCounts, NDArray[np.int32]],
) -> Iterator[tuple[int, Places]]:
    """Side and cells, samples × concepts, of the ways from labels of one side to the other."""
    nearest, number = scratch
    for own, other in ((0, 1), (1, 0)):
        wanted = np.repeat(np.diff(lone[own].indptr) > 0, np.diff(sides[other].indptr))
        if not wanted.any():
            continue
        there = Climb.from_sets(ways, choose_entries(sides[other], wanted), nearest, number)
        np.minimum.at(nearest, there.cell, there.steps)
        here = Climb.from_sets(ways, lone[own], nearest, number)
        met = nearest[here.cell]
        left = here.fewest(met)
        joined = here.on_ways((here.steps == 0) & (left < FAR), left, up=True)
        ends = there.steps == nearest[there.cell]
        nearest[here.cell[joined & (met < FAR)]] = -1
        ends &= nearest[there.cell] < 0
        nearest[there.cell] = FAR
        yield own, here.cell[joined]
        yield other, there.cell[there.on_ways(ends, there.steps, up=False)]


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
