"""Lowest common ancestors: labels, and the concepts on the shortest ways between the two sides.

A way goes up from a label to the first concept that lies above a label of the other side as well, and
from there down to the nearest such label. No pair of labels is ever formed: each label marks what lies
above it, and the labels of the other side walk up until they meet a mark.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.batch import Batch
from ontoeval.core.checks import whole_number
from ontoeval.core.csr import choose_entries, pattern, row_of_entries
from ontoeval.core.hierarchy import VIRTUAL_ROOT
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.portions import runs
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import one_of
from ontoeval.measures.statistics.sets import ROOTS, Root
from ontoeval.measures.statistics.ways import FAR, Spread, Upward, WaysUp

CELLS = 4_000_000
"""Samples × concepts of scratch space at a time: 28 MB."""
PAIRS_AT_A_TIME = 1_000_000
"""Labels × what lies above them that are looked at at a time."""


@dataclass(frozen=True, kw_only=True)
class LowestCommonAncestors:
    """The most specific labels of both sides, and the concepts on the shortest ways between them.

    Each label that the other side lacks is connected to it: upwards to the first concept, on every
    way, that lies above a label of the other side or is one, and down to the nearest such label. Of
    the connections of a label all with the fewest links in all are kept, so nothing depends on an
    order. The concepts on the way up join the label's side, those on the way down the other, and
    where they meet both.

    The work is proportional to the labels and what lies above them, not to pairs of labels.
    """

    root: Root = "in"
    max_distance: int | None = None

    def __post_init__(self) -> None:
        """Check the options."""
        one_of("root", self.root, ROOTS)
        if self.max_distance is not None:
            expected = "None or a whole number of at least 1"
            most = whole_number("max_distance", self.max_distance, 1, expected=expected)
            object.__setattr__(self, "max_distance", most)

    def __call__(self, batch: Batch) -> Batch:
        """Put labels and the ways between them in the place of the labels."""
        hierarchy = batch.required_hierarchy("A measure of lowest common ancestors")
        ways = hierarchy.once(WaysUp(self.root, self.max_distance))
        all_ways = hierarchy.once(WaysUp(self.root, None)).links
        sides = [
            most_specific(side.matrix, all_ways, hierarchy.labels) for side in (batch.truth, batch.prediction)
        ]
        both = sides[0] + sides[1] * np.int8(2)
        lone = [choose_entries(both, both.data == which) for which in (1, 2)]
        own: tuple[list[NDArray[np.intp]], ...] = ([], [])
        width = ways.links.shape[1]
        for begin, end in _blocks(ways, sides):
            rows = slice(begin, end)
            found = _augmented(
                ways, [one[rows] for one in sides], [one[rows] for one in lone], hierarchy.labels
            )
            for cells, marked in zip(own, found, strict=True):
                cells.append(begin * width + np.flatnonzero(marked))
        names = (*hierarchy.vocabulary, *(VIRTUAL_ROOT for _ in range(width - len(hierarchy.vocabulary))))
        vocabulary = Vocabulary(names)
        truth, prediction = (
            LabelSets(_of_cells(cells, (len(batch), width)), vocabulary, batch.truth.samples) for cells in own
        )
        if batch.known is None:
            return Batch(truth, prediction)
        # Of what lies on the ways all is known; the first column marks samples where nothing lies there.
        first = sparse.csr_array(np.arange(width)[None, :] == 0)
        looked_at = sparse.csr_array(batch.told[:, None]) @ first
        return Batch(truth, prediction, known=pattern(truth.matrix + prediction.matrix + looked_at))


def most_specific(
    sets: sparse.csr_array, links: sparse.csr_array, labels: NDArray[np.intp]
) -> sparse.csr_array:
    """Leave out the labels that lie above another label of the same sample."""
    places = np.full(links.shape[1], -1, dtype=np.intp)
    places[labels] = np.arange(labels.size)
    above = choose_entries(links, (links.data > 0) & (places[links.indices] >= 0))
    above = sparse.csr_array(
        (above.data, places[above.indices], above.indptr), shape=(links.shape[0], labels.size)
    )
    implied = (sets @ above).astype(bool)
    marks = sets.astype(np.int8) + implied * np.int8(2)
    return choose_entries(marks, marks.data == 1)


def _blocks(ways: Upward, sides: list[sparse.csr_array]) -> Iterator[tuple[int, int]]:
    """Cut the samples into runs for which there is room."""
    lengths = np.diff(ways.links.indptr)
    reached = np.asarray(sides[0] @ lengths + sides[1] @ lengths)
    return runs(reached, PAIRS_AT_A_TIME, rows=max(1, CELLS // max(1, ways.links.shape[1])))


def _augmented(
    ways: Upward, sides: list[sparse.csr_array], lone: list[sparse.csr_array], labels: NDArray[np.intp]
) -> list[NDArray[np.bool_]]:
    """Mark both sides and the ways between them, samples × concepts in one line each."""
    room = sides[0].shape[0] * ways.links.shape[1]
    spread = [Spread.of(ways, side) for side in sides]
    found = []
    for side in sides:
        marked = np.zeros(room, dtype=bool)
        marked[row_of_entries(side) * ways.links.shape[1] + labels[side.indices]] = True
        found.append(marked)
    nearest = np.full(room, FAR)
    wanted = np.zeros(room, dtype=bool)
    for own, other in ((0, 1), (1, 0)):
        walking, there = Spread.of(ways, lone[own]), spread[other]
        np.minimum.at(nearest, there.cell, there.links)
        met = nearest[walking.cell] < FAR
        steps = walking.steps_until(met, cut=ways.cut)
        total = np.where(met, steps + nearest[walking.cell], FAR)
        kept = met & (steps < FAR) & (total == walking.least_of_label(total))
        wanted[walking.cell[kept]] = True
        ends = wanted[there.cell] & (there.links == nearest[there.cell])
        found[own][walking.cell[walking.ways_to(kept, steps, ~met)]] = True
        found[other][there.cell[there.ways_to(ends, there.links, np.ones(ends.size, dtype=bool))]] = True
        nearest[there.cell] = FAR
        wanted[walking.cell] = False
    return found


def _of_cells(cells: list[NDArray[np.intp]], shape: tuple[int, int]) -> sparse.csr_array:
    """Make a matrix of cells in ascending order."""
    all_cells = np.concatenate(cells) if cells else np.array([], dtype=np.intp)
    rows, columns = np.divmod(all_cells, max(1, shape[1]))
    indptr = np.searchsorted(rows, np.arange(shape[0] + 1))
    return sparse.csr_array((np.ones(columns.size, dtype=bool), columns, indptr), shape=shape)
