"""Measures of paired labels: by how many links what is wrong lies beside what is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.costs import LinksUpward, PathCosts
from ontoeval.core.batch import Batch, sizes
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.sparse import entries_of_rows, ranges, row_of_entries, runs
from ontoeval.measures.base import SYMMETRY, USUAL_LAWS, Above0
from ontoeval.measures.counts import divide
from ontoeval.measures.flat import MeanOfSamples
from ontoeval.measures.matching import nearest, sums_of_rows

Pairs = Literal["cover", "nearest", "all"]


SCRATCH = 200_000
"""Pairs of labels that are looked at at a time."""


@dataclass(frozen=True)
class LinkCosts:
    """The number of links between two labels, through a common ancestor."""

    connect_roots: bool

    def __call__(self, hierarchy: Hierarchy) -> PathCosts:
        """Count the links up from each label."""
        virtual_root = self.connect_roots and len(hierarchy.roots) > 1
        return PathCosts(hierarchy.derive(LinksUpward(virtual_root)), hierarchy.labels)


@dataclass(frozen=True)
class NearestLinks:
    """Links from each label that only one side has to the nearest label on the other side."""

    max_distance: float
    connect_roots: bool

    def __call__(self, batch: Batch) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Find the distances of missed labels, and those of false ones."""
        hierarchy = batch.required_hierarchy("A distance between labels")
        costs = replace(hierarchy.derive(LinkCosts(self.connect_roots)), unconnected=self.max_distance)
        order = np.arange(hierarchy.labels.size)
        found = (
            nearest(costs, batch.missed, batch.prediction.matrix, order),
            nearest(costs, batch.false, batch.truth.matrix, order),
        )
        missed, false = (
            np.where(one.label >= 0, np.minimum(one.cost, self.max_distance), self.max_distance)
            for one in found
        )
        return missed, false


@dataclass(frozen=True, kw_only=True)
class OfPairs(MeanOfSamples):
    """A mean over samples of what pairs of labels cost, in links.

    Parameters
    ----------
    max_distance
        What a label without partner costs, in links; none costs more.
    connect_roots
        Whether several roots are connected by a node above them; otherwise concepts below different
        roots are `max_distance` apart.
    """

    max_distance: Above0 = 5.0
    connect_roots: bool = False

    laws = USUAL_LAWS | SYMMETRY
    source = "kosmopoulos2015"
    emerging = True  # the definition is that of the authors' software, the paper could not be read


@dataclass(frozen=True, kw_only=True)
class GraphInducedError(OfPairs):
    """Mean over samples of the links between paired labels.

    For one true and one predicted label, pairs="all" gives the tree-induced error of [dekel2004]_ up
    to `max_distance`.

    Parameters
    ----------
    pairs
        "nearest": each label that only one side has, with the nearest on the other side; "cover":
        the cheapest pairs in which each such label occurs; "all": every true with every predicted
        label, which is above 0 even for identical sets of several labels.
    """

    pairs: Pairs = "nearest"

    best = 0.0
    bounds = (0.0, np.inf)
    formula_text = "mean of Σ min(D, d(y, z)) over the pairs (y, z) that `pairs` chooses"

    @property
    def denied_laws(self) -> frozenset[str]:  # type: ignore[override]
        """All pairs of identical sets are more than those of a label with itself."""
        return frozenset({"perfect"} if self.pairs == "all" else ())

    def __call__(self, batch: Batch) -> NDArray[np.float64]:
        """Compute the sum of each sample."""
        if self.pairs == "all":
            return self._all(batch)
        missed, false = batch.derive(NearestLinks(self.max_distance, self.connect_roots))
        charged = sums_of_rows(batch.missed, missed) + sums_of_rows(batch.false, false)
        return charged if self.pairs == "nearest" else charged - self._saved(batch, missed, false)

    def _upward(self, batch: Batch) -> sparse.csr_array:
        hierarchy = batch.required_hierarchy("A distance between labels")
        return hierarchy.derive(LinkCosts(self.connect_roots)).upward

    def _all(self, batch: Batch) -> NDArray[np.float64]:
        """Sum over all pairs; where one side is empty each label of the other is without partner."""
        truth, prediction = batch.truth.matrix, batch.prediction.matrix
        lonely = np.where(sizes(truth) * sizes(prediction) == 0, sizes(truth) + sizes(prediction), 0.0)
        charged = lonely * self.max_distance
        for block in blocks(self._upward(batch), truth, prediction):
            counted = np.minimum(block.distance, self.max_distance)
            charged[block.begin : block.end] += np.bincount(
                block.sample, weights=counted, minlength=block.end - block.begin
            )
        return charged

    def _saved(
        self, batch: Batch, missed: NDArray[np.float64], false: NDArray[np.float64]
    ) -> NDArray[np.float64]:
        """Compute what is saved by pairing missed with false labels, which otherwise pay for a link each.

        Where each missed label saves most with another false one, that is best. Only samples where several
        would save most with the same one are solved as assignment problems: 10 µs for ten labels a side.
        """
        saved = np.zeros(len(batch))
        for block in blocks(self._upward(batch), batch.missed, batch.false):
            saving = np.maximum(missed[block.first] + false[block.second] - block.distance, 0.0)
            rows, starts = np.unique(block.first, return_index=True)
            if not rows.size:
                continue
            best = np.maximum.reduceat(saving, starts)
            at_best = np.flatnonzero((saving > 0) & (saving == best[np.searchsorted(rows, block.first)]))
            _, chosen = np.unique(block.first[at_best], return_index=True)
            chosen = at_best[chosen]
            wanted, times = np.unique(block.second[chosen], return_counts=True)
            contested = times[np.searchsorted(wanted, block.second[chosen])] > 1
            count = block.end - block.begin
            competing = np.bincount(block.sample[chosen], weights=contested, minlength=count) > 0
            alone = np.bincount(block.sample[chosen], weights=saving[chosen], minlength=count)
            saved[block.begin : block.end] = np.where(competing, 0.0, alone)
            if competing.any():
                solve = _assignment()
                for sample in np.flatnonzero(competing).tolist():
                    saved[block.begin + sample] = solve(block.table(sample, saving))
        return saved


@dataclass(frozen=True, kw_only=True)
class GraphInducedAccuracy(OfPairs):
    r"""Multi-label graph-induced accuracy, with the cheapest of all pairings.

    .. math:: 1 - \frac{\min_E \sum_{(y, z) \in E} d(y, z)}{D\,|Y \triangle Z|}

    E holds pairs of a true and a predicted label such that each label which only one side has is
    in one of them, or is charged D, the `max_distance`, instead. HEMKit chooses pairs one after the other,
    which is not always the cheapest way, and can fall below 0.
    """

    formula_text = "mean of 1 - err / (D |Y Δ Z|), err = cost of the cheapest edge cover of Y Δ Z, 1 if Y = Z"

    def __call__(self, batch: Batch) -> NDArray[np.float64]:
        """Compare what the cheapest pairs cost with the cost of all labels without partner."""
        error = GraphInducedError(
            pairs="cover", max_distance=self.max_distance, connect_roots=self.connect_roots
        )
        most = (sizes(batch.missed) + sizes(batch.false)) * self.max_distance
        return 1.0 - np.nan_to_num(divide(batch.derive(error), most), nan=0.0)


@dataclass(frozen=True, eq=False)
class Block:
    """The distances of all pairs of labels of some consecutive samples, sample by sample."""

    begin: int
    end: int
    sample: NDArray[np.intp]
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    distance: NDArray[np.float64]
    starts: NDArray[np.intp]
    widths: NDArray[np.intp]

    def table(self, sample: int, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Write values of the pairs of a sample as a table, one row for each label of the one side."""
        return values[self.starts[sample] : self.starts[sample + 1]].reshape(-1, self.widths[sample])


def blocks(upward: sparse.csr_array, one: sparse.csr_array, other: sparse.csr_array) -> Iterator[Block]:
    """Measure the distances between all labels of two sides, some samples at a time."""
    heights, widths = (np.diff(side.indptr).astype(np.intp) for side in (one, other))
    for begin, end in runs(heights * widths, SCRATCH):
        rows = slice(begin, end)
        starts = np.concatenate([[0], np.cumsum(heights[rows] * widths[rows])])
        distance = np.full(int(starts[-1]), np.inf)
        _measure(upward, one[rows], other[rows], starts, widths[rows], distance)
        row = np.repeat(np.arange(end - begin), heights[rows])
        first = np.repeat(np.arange(row.size), widths[rows][row])
        second = ranges(other.indptr[rows][row].astype(np.intp), widths[rows][row])
        yield Block(
            begin, end, row[first], first + int(one.indptr[begin]), second, distance, starts, widths[rows]
        )


def _measure(
    upward: sparse.csr_array,
    one: sparse.csr_array,
    other: sparse.csr_array,
    starts: NDArray[np.intp],
    widths: NDArray[np.intp],
    distance: NDArray[np.float64],
) -> None:
    """Lower distances to those through each common ancestor."""
    spread = []
    for side in (one, other):
        entries, lengths = entries_of_rows(upward, side.indices)
        row = np.repeat(row_of_entries(side), lengths)
        place = np.repeat(np.arange(side.nnz), lengths) - side.indptr[row]
        spread.append((row * upward.shape[1] + upward.indices[entries], upward.data[entries], row, place))
    (cell, up, row, place), (other_cell, other_up, _, other_place) = spread
    order = np.argsort(other_cell, kind="stable")
    low, high = (np.searchsorted(other_cell[order], cell, side=side) for side in ("left", "right"))
    left = np.repeat(np.arange(cell.size), high - low)
    right = order[ranges(low, high - low)]
    pair = starts[row[left]] + place[left] * widths[row[left]] + other_place[right]
    np.minimum.at(distance, pair, up[left] + other_up[right])


def _assignment() -> Callable[[NDArray[np.float64]], float]:
    # As costly to import as NumPy, and seldom needed.
    from scipy.optimize import linear_sum_assignment

    def best(saving: NDArray[np.float64]) -> float:
        return float(saving[linear_sum_assignment(saving, maximize=True)].sum())

    return best
