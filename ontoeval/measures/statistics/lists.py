"""Lists that are ranked as wholes: what is known of them only with all samples at hand."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.batch import ScoredBatch
from ontoeval.measures.statistics.counts import Numbers
from ontoeval.measures.statistics.levels import Axis, Ranking, Ranks, Sorting
from ontoeval.measures.statistics.ranking import RankQuantity
from ontoeval.measures.statistics.sums import BLOCK


class OfLists(NamedTuple):
    """What was computed of each list, lists on the last axis."""

    values: Numbers
    true: Numbers


@dataclass(frozen=True)
class PerList:
    """A quantity of the ranked samples of each concept, or of all pairs of sample and concept."""

    quantity: RankQuantity
    axis: Axis = "concepts"

    def __call__(self, batch: ScoredBatch) -> ListRows:
        """Prepare what formulas need."""
        return ListRows(batch, self)

    def unpack(self, values: Numbers) -> OfLists:
        """Name the two halves."""
        return OfLists(*np.split(values, 2, axis=-1))


@dataclass(frozen=True, eq=False)
class ListRows:
    """What a formula needs of all samples together, or of each alone; the latter have no sum."""

    batch: ScoredBatch
    statistic: PerList

    def __len__(self) -> int:
        """Count the samples."""
        return len(self.batch)

    def total(self) -> Numbers:
        """Compute the quantity of each list of the whole batch."""
        (total,) = self._laid_out(self.batch.once(Ranking(self.statistic.axis)), 1)
        return np.asarray(total)

    def weighted(self, counts: Numbers) -> Iterator[Numbers]:
        """Compute the quantity of each list of every resample; the scores are sorted once."""
        levels = self.batch.once(Sorting(self.statistic.axis))
        step = max(1, BLOCK // 4 // max(1, levels.down.shape[0]))
        for begin in range(0, len(counts), step):
            some = counts[begin : begin + step]
            yield self._laid_out(levels.ranks(some), len(some))

    def blocks(self) -> Iterator[Numbers]:
        """Go through the samples as if each were alone."""
        if self.statistic.axis == "all":
            of_samples = self.batch.once(Ranking("samples"))
            yield np.stack([self.statistic.quantity(of_samples), of_samples.true], axis=-1)
            return
        truth = self.batch.truth.matrix
        # The list of a concept is then one sample long, and that is true or not.
        nothing, none = np.zeros(0), np.zeros(2)
        alone = Ranks(
            nothing.astype(np.intp),
            nothing,
            nothing,
            nothing,
            nothing,
            none,
            np.array([0.0, 1.0]),
            none,
            none + 1,
        )
        untrue, true = self.statistic.quantity(alone)
        step = max(1, BLOCK // 2 // max(1, truth.shape[1]))
        for begin in range(0, max(1, len(self)), step):
            marks: NDArray[np.bool_] = truth[begin : begin + step].toarray()
            yield np.concatenate([np.where(marks, true, untrue), marks.astype(np.float64)], axis=1)

    def _laid_out(self, ranks: Ranks, totals: int) -> Numbers:
        parts = self.statistic.quantity(ranks), ranks.true
        return np.concatenate([part.reshape(totals, -1) for part in parts], axis=1)
