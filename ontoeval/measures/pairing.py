"""Measures of paired labels: number of links between wrong labels and their nearest partners."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.costs import LinksUpward, PathCosts
from ontoeval.core.batch import Batch, set_sizes
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.measures.base import SYMMETRY, USUAL_LAWS, Above0
from ontoeval.measures.counts import divide
from ontoeval.measures.flat import MeanOfSamples
from ontoeval.measures.matching import ancestors_of_labels, nearest, pairs_in_runs, sums_of_rows
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import ranges, row_of_entries

Pairs = Literal["cover", "nearest", "all"]

UNCONNECTED = 1e300
"""More links than any two labels have between them."""

SCRATCH = 200_000
"""Pairs of labels that are looked at at a time."""


@dataclass(frozen=True)
class _Links:
    """The number of links between two labels, through a common ancestor."""

    connect_roots: bool

    def __call__(self, hierarchy: Hierarchy) -> PathCosts:
        virtual_root = self.connect_roots and len(hierarchy.roots) > 1
        upward = hierarchy.derive(LinksUpward(virtual_root))
        return PathCosts(upward, hierarchy.labels, unconnected=UNCONNECTED)


@dataclass(frozen=True)
class _NearestLinks:
    """Links from each missed and each false label to the nearest label on the other side."""

    max_distance: float
    connect_roots: bool

    def __call__(self, batch: Batch) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        hierarchy = batch.required_hierarchy("A distance between labels")
        costs, order = hierarchy.derive(_Links(self.connect_roots)), np.arange(hierarchy.labels.size)
        false, missed = (
            np.where(one.label >= 0, np.minimum(one.cost, self.max_distance), self.max_distance)
            for one in nearest(costs, batch, order)
        )
        return missed, false


@dataclass(frozen=True, kw_only=True)
class OfPairs(MeanOfSamples):
    """A mean over samples of the cost of pairs of labels, in links.

    Parameters
    ----------
    max_distance
        D, the cost of a label without partner, in links.
    connect_roots
        Whether several roots are connected by a node above them; otherwise labels below different roots
        are no partners.
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
        "nearest": each label that only one side has, with the nearest on the other side, costs D at most;
        "cover": the cheapest pairs in which each such label occurs, or else it costs D, so a pair costs 2 D
        at most; "all": every true with every predicted label costs D at most, which is above 0 even for
        identical sets of several labels. Below different roots a missed and a false label cost 2 D
        together, or D with "all".
    """

    pairs: Pairs = "nearest"

    best = 0.0
    bounds = (0.0, np.inf)
    formula_text = "mean of Σ min(D, d), of Y Δ Z; 'cover': of the cheapest pairs; 'all': of all in Y × Z"

    @property
    def denied_laws(self) -> frozenset[str]:
        """Laws that do not hold: identical sets have more pairs than those of a label with itself."""
        return frozenset({"perfect"} if self.pairs == "all" else ())

    def __call__(self, batch: Batch) -> NDArray[np.float64]:
        """Compute the sum of each sample."""
        if self.pairs == "all":
            return self._all(batch)
        missed, false = batch.derive(_NearestLinks(self.max_distance, self.connect_roots))
        charged = sums_of_rows(batch.missed, missed) + sums_of_rows(batch.false, false)
        return charged if self.pairs == "nearest" else charged - self._saved(batch, missed, false)

    def _blocks(self, batch: Batch, one: sparse.csr_array, other: sparse.csr_array) -> Iterator[_Block]:
        """Pair all labels of two sides, some samples at a time."""
        hierarchy = batch.required_hierarchy("A distance between labels")
        upward, row = hierarchy.derive(_Links(self.connect_roots)).upward, row_of_entries(one)
        for begin, end, first, second in pairs_in_runs(one, other, SCRATCH):
            distance = _distances(upward, one[begin:end], other[begin:end])
            yield _Block(slice(begin, end), row[first] - begin, first, second, distance)

    def _all(self, batch: Batch) -> NDArray[np.float64]:
        """Sum over all pairs; where one side is empty each label of the other is without partner."""
        truth, prediction = batch.truth.matrix, batch.prediction.matrix
        lonely = np.where(
            set_sizes(truth) * set_sizes(prediction) == 0, set_sizes(truth) + set_sizes(prediction), 0.0
        )
        charged = lonely * self.max_distance
        for block in self._blocks(batch, truth, prediction):
            charged[block.samples] += block.sums(np.minimum(block.distance, self.max_distance), slice(None))
        return charged

    def _saved(self, batch: Batch, missed: Numbers, false: Numbers) -> Numbers:
        """Compute the links saved by pairing missed with false labels.

        If each missed label saves most with another false one, that pairing is best. Only samples where
        several save most with the same one are solved as assignment problems: 10 µs for ten labels a side.
        """
        saved = np.zeros(len(batch))
        for block in self._blocks(batch, batch.missed, batch.false):
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
            competing = block.sums(contested.astype(np.float64), chosen) > 0
            saved[block.samples] = np.where(competing, 0.0, block.sums(saving[chosen], chosen))
            if competing.any():
                # As costly to import as NumPy, and seldom needed.
                from scipy.optimize import linear_sum_assignment

                for sample in np.flatnonzero(competing).tolist():
                    own = slice(*np.searchsorted(block.sample, [sample, sample + 1]))
                    labels = np.unique(block.first[own]).size
                    table = saving[own].reshape(labels, -1)
                    best_pairs = linear_sum_assignment(table, maximize=True)
                    saved[block.samples.start + sample] = table[best_pairs].sum()
        return saved


@dataclass(frozen=True, kw_only=True)
class GraphInducedAccuracy(OfPairs):
    r"""Multi-label graph-induced accuracy, with the cheapest of all pairings.

    .. math:: 1 - \frac{\min_E \sum_{(y, z) \in E} d(y, z)}{D\,|Y \triangle Z|}

    E holds pairs of a true and a predicted label such that each label which only one side has is
    in one of them, or is charged D, the `max_distance`, instead; labels on both sides
    can be partners of any number of others. HEMKit chooses pairs one after the other, which is not always the
    cheapest way, and can fall below 0.
    """

    formula_text = "mean of 1 - err / (D |Y Δ Z|), err = cost of the cheapest pairs of Y × Z that cover Y Δ Z"

    def __call__(self, batch: Batch) -> NDArray[np.float64]:
        """Compare what the cheapest pairs cost with the cost of all labels without partner."""
        error = GraphInducedError(
            pairs="cover", max_distance=self.max_distance, connect_roots=self.connect_roots
        )
        most = (set_sizes(batch.missed) + set_sizes(batch.false)) * self.max_distance
        return 1.0 - np.nan_to_num(divide(batch.derive(error), most), nan=0.0)


class _Block(NamedTuple):
    """All pairs of labels of some consecutive samples, sample by sample, and the links between them."""

    samples: slice
    sample: NDArray[np.intp]
    first: NDArray[np.intp]
    second: NDArray[np.intp]
    distance: NDArray[np.float64]

    def sums(self, values: NDArray[np.float64], places: NDArray[np.intp] | slice) -> NDArray[np.float64]:
        """Sum values of some pairs, sample by sample."""
        count = self.samples.stop - self.samples.start
        return np.bincount(self.sample[places], weights=values, minlength=count).astype(np.float64)


def _distances(upward: sparse.csr_array, one: sparse.csr_array, other: sparse.csr_array) -> Numbers:
    """Count the links between all labels of two sides, the fewest through any common ancestor."""
    row, widths = row_of_entries(one), np.diff(other.indptr).astype(np.intp)
    begin = np.cumsum(widths[row]) - widths[row] - other.indptr[row]
    distance = np.full(int(widths[row].sum()), UNCONNECTED)
    cell, up, label = ancestors_of_labels(upward, one)
    other_cell, other_up, other_label = ancestors_of_labels(upward, other)
    order = np.argsort(other_cell, kind="stable")
    low, high = (np.searchsorted(other_cell[order], cell, side=side) for side in ("left", "right"))
    left = np.repeat(np.arange(cell.size), high - low)
    right = order[ranges(low, high - low)]
    np.minimum.at(distance, begin[label[left]] + other_label[right], up[left] + other_up[right])
    return distance
