"""Precision, recall, F and accuracy along the paths from the root to labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.batch import Batch
from ontoeval.core.dag import cheapest_upward
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.measures.base import SYMMETRY, USUAL_LAWS, Beta, MeasureInfo, ShareOrNone
from ontoeval.measures.counts import Counts, FRatio, Ratio, accuracy, fill_undefined, precision, recall
from ontoeval.measures.matching import common_ancestors, pairs_in_runs, places_in, sums_of_rows
from ontoeval.measures.sums import Rows
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.sparse import cells_of, entries_of_rows, pattern, row_of_entries, without_entries

Ends = Literal["labels", "most specific"]

AT_A_TIME = 2_000_000
"""Pairs of a missed and a false label that are looked at in one go: 80 MB."""


@dataclass(frozen=True, kw_only=True)
class OfPaths(MeasureInfo):
    """A ratio of the counts of the hierarchical confusion matrix.

    Labels are matched greedily, of equally near ones those first that come first in the vocabulary.

    Parameters
    ----------
    ends
        Where paths end: at all "labels", as in the paper; or at the "most specific", which have no
        label of the same set below them.
    undefined
        What stands for 0/0; None leaves it undefined.
    """

    ends: Ends = "labels"
    undefined: ShareOrNone = None

    # Which path stands for a label of several, and what is left over, is stated nowhere but in code.
    emerging = True
    source = "riehl2023"
    # Greedy matching in the order of both sides gives the same pairs from either side.
    laws = USUAL_LAWS - {"relabelling"} | SYMMETRY
    ratio: ClassVar[Ratio]

    @property
    def statistic(self) -> PathCounts:
        """Counts along the paths."""
        return PathCounts(self.ends)

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the ratio from totals."""
        return fill_undefined(self.ratio(self.statistic.unpack(values)), self.undefined)


@dataclass(frozen=True, kw_only=True)
class PathPrecision(OfPaths):
    """Share of the predicted paths that is common with the true ones."""

    formula_text = "P = TP / (TP + FP), TP and FP being concepts on matched paths"

    laws = OfPaths.laws - SYMMETRY
    ratio = staticmethod(precision)


@dataclass(frozen=True, kw_only=True)
class PathRecall(OfPaths):
    """Share of the true paths that is common with the predicted ones."""

    formula_text = "R = TP / (TP + FN), TP and FN being concepts on matched paths"

    laws = OfPaths.laws - SYMMETRY
    ratio = staticmethod(recall)


@dataclass(frozen=True, kw_only=True)
class PathF(OfPaths):
    """Harmonic mean of precision and recall along paths.

    Parameters
    ----------
    beta
        How many times as much recall counts as precision.
    """

    beta: Beta = 1.0

    formula_text = "F = (1 + β²) TP / ((1 + β²) TP + β² FN + FP), counted along matched paths"

    @property
    def denied_laws(self) -> frozenset[str]:
        """Laws that do not hold: a weight treats recall and precision differently."""
        return super().denied_laws | (SYMMETRY if self.beta != 1 else set())

    @property
    def ratio(self) -> Ratio:  # type: ignore[override]
        """The F measure."""
        return FRatio(self.beta)


@dataclass(frozen=True, kw_only=True)
class PathAccuracy(OfPaths):
    """Share of right decisions along and beside paths."""

    formula_text = "Acc = (TP + TN) / (TP + TN + FP + FN), TN being what lies beside the common part of paths"
    ratio = staticmethod(accuracy)


@dataclass(frozen=True, eq=False)
class Trunks:
    """One way from the top to each concept: the longest, of several that through concepts that come first.

    The top is the root. Where a hierarchy has several, or no links at all, it is one more node above
    all roots, which comes last. It lies on every path and is not counted.
    """

    parents: sparse.csr_array
    links: sparse.csr_array
    length: NDArray[np.int64]
    asides: sparse.csr_array
    top: int

    @classmethod
    def from_hierarchy(cls, hierarchy: Hierarchy) -> Trunks:
        """Compute the paths of a hierarchy."""
        parents, count, order = hierarchy.parents, len(hierarchy.vocabulary), hierarchy.generations
        roots, top = hierarchy.roots, int(hierarchy.roots[0]) if len(hierarchy.roots) else 0
        depth = hierarchy.depth.astype(np.int64)
        if len(roots) != 1 or hierarchy.levels <= 1:
            rows = np.append(row_of_entries(parents), roots)
            columns = np.append(parents.indices, np.full(len(roots), count))
            count, top = count + 1, count
            ones = np.ones(rows.size, dtype=bool)
            parents = pattern(sparse.csr_array((ones, (rows, columns)), shape=(count, count)))
            order, depth = (np.array([top]), *order), np.append(depth + 1, 0)
        each = np.ones(count)
        links = cheapest_upward(parents, order, each)
        longest = np.flatnonzero(depth[parents.indices] + 1 == depth[row_of_entries(parents)])
        # Columns ascend within a row: the first of its longest entries is that of the first parent.
        child, first = np.unique(row_of_entries(parents)[longest], return_index=True)
        single = sparse.csr_array(
            (np.ones(child.size, dtype=bool), (child, parents.indices[longest[first]])), shape=(count, count)
        )
        way = pattern(cheapest_upward(single, order, each) + sparse.eye_array(count))
        return cls(parents, links, depth, pattern(way @ parents + sparse.eye_array(count)), top)

    @cached_property
    def count_asides(self) -> NDArray[np.int64]:
        """Number of nodes that the asides of each node lead to, off the way to the node."""
        below = np.bincount(self.parents.indices, minlength=self.length.size)
        # What several of them lead to counts once.
        several = np.flatnonzero(np.diff(self.parents.indptr) > 1)
        times = sparse.csr_array(self.asides.astype(np.int64) @ self.parents[several].T)
        more = sums_of_rows(times, times.data - 1.0)
        return np.asarray(self.asides @ below - more - self.length).astype(np.int64)

    @cached_property
    def _link_cells(self) -> Places:
        return cells_of(self.links)

    @cached_property
    def _aside_cells(self) -> Places:
        return cells_of(self.asides)

    def fewest_links(self, lower: Places, upper: Places) -> NDArray[np.int64]:
        """Look up the fewest links between nodes and ancestors of theirs."""
        place = places_in(self._link_cells, lower * self.length.size + upper)
        return np.where(place >= 0, self.links.data[place], -1.0).astype(np.int64)

    def count_left_out(self, forks: Places, ends: Places) -> NDArray[np.int64]:
        """Count what lies on the way from a fork to an end, and beside the way to the fork."""
        counts, where, at = np.zeros(forks.size, dtype=np.int64), np.arange(forks.size), ends.astype(np.intp)
        while where.size:
            under = at != forks[where]
            where, at = where[under], at[under]
            entries, number = entries_of_rows(self.parents, at)
            above = self.parents.indices[entries].astype(np.intp)
            which = np.repeat(np.arange(at.size), number)
            fork = forks[where[which]]
            aside = np.zeros(at.size, dtype=bool)
            aside[which[places_in(self._aside_cells, fork * self.length.size + above) >= 0]] = True
            counts[where[aside]] += 1
            # Go on to the first parent from which it is one link less.
            nearer = np.flatnonzero(
                self.fewest_links(above, fork) + 1 == self.fewest_links(at, forks[where])[which]
            )
            at = above[nearer[np.unique(which[nearer], return_index=True)[1]]]
        return counts


class _Pairs(NamedTuple):
    """Pairs of a missed and a false label: their places among the stored entries, and where they fork."""

    missed: Places
    false: Places
    fork: Places
    links: NDArray[np.int64]


@dataclass(frozen=True)
class PathCounts:
    """Counts along paths: TP of what two paths have in common, FP and FN of the rest of each.

    TN are the other children of the common part that neither path leads through. The pair with the fewest
    FP + FN is matched first, of several that with the most TP, then the true and the predicted label
    that come first. What is left over has its whole path as FN or FP.
    """

    ends: Ends = "labels"

    def __call__(self, batch: Batch) -> Rows:
        """Match the paths of each sample and count along them."""
        hierarchy = batch.required_hierarchy("A measure of paths")
        trunks = hierarchy.derive(Trunks.from_hierarchy)
        truth, prediction = batch.truth.matrix, batch.prediction.matrix
        if self.ends == "most specific":
            above = hierarchy.labels_above
            truth, prediction = (without_entries(side, pattern(side @ above)) for side in (truth, prediction))
        missed, false = without_entries(truth, prediction), without_entries(prediction, truth)
        common = without_entries(truth, missed)
        labels = hierarchy.labels
        found = labels[common.indices]
        tp = sums_of_rows(common, trunks.length[found].astype(np.float64))
        tn = sums_of_rows(common, trunks.count_asides[found].astype(np.float64))
        whole = trunks.fewest_links(labels, np.full(labels.size, trunks.top)).astype(np.float64)
        fn, fp = (sums_of_rows(side, whole[side.indices]) for side in (missed, false))
        rows = row_of_entries(missed)
        for pairs in _pairs(trunks, labels, missed, false):
            chosen = _Pairs(*(part[_best(trunks, pairs)] for part in pairs))
            row, fork = rows[chosen.missed], chosen.fork
            ends = [labels[side.indices[at]] for side, at in ((missed, chosen.missed), (false, chosen.false))]
            _add(tp, row, trunks.length[fork])
            _add(tn, row, trunks.count_asides[fork] - sum(trunks.count_left_out(fork, end) for end in ends))
            for sums, side, at, end in zip((fn, fp), (missed, false), chosen[:2], ends, strict=True):
                _add(sums, row, trunks.fewest_links(end, fork) - whole[side.indices[at]])
        return Rows(np.stack([tp, fp, fn, tn], axis=-1))

    def unpack(self, values: NDArray[np.float64]) -> Counts:
        """Name the four counts."""
        return Counts(*np.moveaxis(values, -1, 0))


def _pairs(
    trunks: Trunks, labels: Places, missed: sparse.csr_array, false: sparse.csr_array
) -> Iterator[_Pairs]:
    """Pair every missed label with every false one of its sample, some samples at a time."""
    upward = trunks.links[labels]
    count = trunks.length.size
    longest = int(trunks.length.max())
    for _, _, own, other in pairs_in_runs(missed, false, AT_A_TIME):
        key = np.full(own.size, np.iinfo(np.int64).max)
        for shared in common_ancestors(upward, missed.indices[own], false.indices[other]):
            links = (upward.data[shared.first] + upward.data[shared.second]).astype(np.int64)
            keys = (
                links * (longest + 1) + longest - trunks.length[shared.ancestor]
            ) * count + shared.ancestor
            starts = np.flatnonzero(np.diff(shared.pair, prepend=-1))
            key[shared.pair[starts]] = np.minimum.reduceat(keys, starts)
        yield _Pairs(own, other, key % count, key // count // (longest + 1))


def _best(trunks: Trunks, pairs: _Pairs) -> Places:
    """Take the best pair, then the best of what is left, and so on, in every sample."""
    left = np.lexsort((pairs.false, pairs.missed, -trunks.length[pairs.fork], pairs.links))
    ends = [part - part.min(initial=0) for part in pairs[:2]]
    free = [np.ones(int(end.max(initial=-1)) + 1, dtype=bool) for end in ends]
    taken: list[Places] = [np.empty(0, dtype=np.intp)]
    while left.size:
        # A pair that is the best of both its labels is taken sooner or later: so take all such at once.
        best, position = np.ones(left.size, dtype=bool), np.arange(left.size)
        for end, some in zip(ends, free, strict=True):
            earliest = np.zeros(some.size, dtype=np.intp)
            earliest[end[left[::-1]]] = position[::-1]
            best &= earliest[end[left]] == position
        taken.append(left[best])
        for end, some in zip(ends, free, strict=True):
            some[end[left[best]]] = False
        left = left[free[0][ends[0][left]] & free[1][ends[1][left]]]
    return np.concatenate(taken)


def _add(sums: NDArray[np.float64], row: Places, values: NDArray[np.int64] | NDArray[np.float64]) -> None:
    sums += np.bincount(row, weights=values, minlength=sums.size)
