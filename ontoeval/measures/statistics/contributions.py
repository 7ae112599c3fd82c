"""What wrong decisions contribute that are nearly right, after Sun and Lim (2001)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.costs import Costs
from ontoeval.core.batch import Batch
from ontoeval.core.csr import with_data
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.portions import pairs_of_rows
from ontoeval.errors import MeasureError
from ontoeval.measures.statistics.matching import NamedCosts
from ontoeval.measures.statistics.pairs import costs_of_pairs
from ontoeval.measures.statistics.sums import Rows

Form = Literal["distance", "similarity"]
MOST_LABELS = 4_096
"""Up to so many labels the similarities of all pairs are averaged: a table of 128 MB."""
PAIRS_AT_A_TIME = 500_000


class Contributed(NamedTuple):
    """Decisions about concepts, and what the wrong ones contribute, the concepts on the last axis."""

    tp: NDArray[np.float64]
    fp: NDArray[np.float64]
    fn: NDArray[np.float64]
    of_false: NDArray[np.float64]
    of_missed: NDArray[np.float64]

    def over_concepts(self) -> Contributed:
        """Sum over the last axis, as micro averages do."""
        return Contributed(*(part.sum(axis=-1) for part in self))


@dataclass(frozen=True)
class MeanSimilarity:
    """Mean of 1 - cost over all pairs of different labels, as a view of a hierarchy."""

    costs: NamedCosts

    def __call__(self, hierarchy: Hierarchy) -> float:
        """Average over the table of all costs; 1 where there is one label alone."""
        labels = len(hierarchy.labels)
        if labels > MOST_LABELS:
            raise MeasureError(
                f"The mean similarity of all pairs of {labels:,} labels takes too long to compute (at most "
                f"{MOST_LABELS:,}). Give it: mean_similarity=0.1, or use form='distance'."
            )
        if labels < 2:  # noqa: PLR2004 - a pair
            return 1.0
        costs = hierarchy.once(self.costs)
        return 1.0 - float(costs.table.sum()) / (labels * (labels - 1))


@dataclass(frozen=True)
class Contributions:
    """Counts of decisions about each concept, and what the wrong ones contribute.

    A false label contributes the sum, over the true labels of the sample, of how near each is to it;
    a missed one the sum over the predicted labels. No wrong decision counts for more than a right one,
    nor for less than minus that.
    """

    form: Form
    cost: str
    acceptable: float
    mean_similarity: float | None
    connect_roots: bool

    def __call__(self, batch: Batch) -> Rows:
        """Put hits, false and missed labels and their contributions of each sample side by side."""
        hierarchy = batch.required_hierarchy("The contribution of near misses")
        named = NamedCosts(self.cost, self.connect_roots)
        costs = hierarchy.once(named)
        mean = self.mean_similarity
        if self.form == "similarity" and mean is None:
            mean = hierarchy.once(MeanSimilarity(named))
        contributed = (
            self._contributed(costs, mean, mistaken, other)
            for mistaken, other in (
                (batch.false, batch.truth.matrix),
                (batch.missed, batch.prediction.matrix),
            )
        )
        parts = [batch.common, batch.false, batch.missed, *contributed]
        return Rows(sparse.hstack(parts, format="csr", dtype=np.float64))

    def unpack(self, values: NDArray[np.float64]) -> Contributed:
        """Name the parts."""
        concepts = values.shape[-1] // 5
        return Contributed(*(values[..., concepts * part :][..., :concepts] for part in range(5)))

    def _contributed(
        self, costs: Costs, mean: float | None, mistaken: sparse.csr_array, other: sparse.csr_array
    ) -> sparse.csr_array:
        """Sum over the other side's labels of the same sample; one number per mistaken label."""
        sums = np.zeros(mistaken.nnz)
        for entry, others in pairs_of_rows(mistaken, other, PAIRS_AT_A_TIME):
            cost = costs_of_pairs(costs, mistaken.indices[entry], other.indices[others])
            if self.form == "distance":
                each = 1.0 - cost * costs.unit / self.acceptable
            else:
                each = (
                    np.zeros(cost.size) if mean is None or mean >= 1 else (1.0 - cost - mean) / (1.0 - mean)
                )
            found = np.bincount(entry - entry[0], weights=each)
            sums[entry[0] : entry[0] + found.size] += found
        return with_data(mistaken, np.clip(sums, -1.0, 1.0))
