"""The best scored labels of each sample, and how far they lie from its one true label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.batch import ScoredBatch
from ontoeval.core.csr import row_of_entries
from ontoeval.measures.statistics.counts import Numbers, divide
from ontoeval.measures.statistics.single import greatest_height, heights_of_pairs, only_labels
from ontoeval.measures.statistics.sums import Rows


class Best(NamedTuple):
    """Labels that are, or may be, among the best scored ones of their sample."""

    row: NDArray[np.intp]
    label: NDArray[np.intp]
    share: Numbers


@dataclass(frozen=True)
class BestScored:
    """The best scored labels of each sample; labels without score are in no ranking.

    Where labels are tied for the last ranks, each has its share of them, so that no order of concepts
    has a say.
    """

    most: int

    def __call__(self, batch: ScoredBatch) -> Best:
        """Rank the scores of each sample."""
        matrix = batch.prediction.matrix
        row = row_of_entries(matrix)
        order = np.lexsort((-matrix.data, row))
        scores, label = matrix.data[order], matrix.indices[order].astype(np.intp)
        new = np.ones(order.size, dtype=bool)
        new[1:] = (row[1:] != row[:-1]) | (scores[1:] != scores[:-1])
        begin = np.flatnonzero(new)
        tied = np.diff(begin, append=order.size)
        above = begin - matrix.indptr[row[begin]]
        share = np.repeat(np.clip((self.most - above) / tied, 0.0, 1.0), tied)
        chosen = np.flatnonzero(share)
        return Best(row[chosen], label[chosen], share[chosen])


class RankedMistakes(NamedTuple):
    """How wrong the best scored labels are, summed over samples."""

    height: Numbers
    wrong: Numbers
    least: Numbers
    samples: Numbers


@dataclass(frozen=True)
class MistakesAt:
    """How wrong the best scored labels of each sample are, where it has one true label.

    A sample without scores has one that is as wrong as can be.
    """

    most: int

    def __call__(self, batch: ScoredBatch) -> Rows:
        """Look for what lies above the true label and each of those that are ranked."""
        hierarchy = batch.required_hierarchy("A distance between concepts")
        truth = only_labels(batch.truth, hierarchy, "true")
        row, label, share = batch.once(BestScored(self.most))
        found = hierarchy.labels[label]
        heights = heights_of_pairs(hierarchy, truth[row], found)
        ranked, height, wrong = (
            np.bincount(row, weights=share * values, minlength=len(batch)).astype(np.float64)
            for values in (1.0, heights, truth[row] != found)
        )
        height, wrong = divide(height, ranked), divide(wrong, ranked)
        worst = greatest_height(hierarchy)
        least = np.full(len(batch), worst)
        np.minimum.at(least, row, heights)
        nothing = ranked == 0
        columns = [np.where(nothing, worst, height), np.where(nothing, 1.0, wrong), least]
        return Rows(np.stack([*columns, np.ones(len(batch))], axis=-1))

    def unpack(self, values: Numbers) -> RankedMistakes:
        """Name the sums."""
        return RankedMistakes(*np.moveaxis(values, -1, 0))
