"""Precision and recall to which near misses contribute, after Sun and Lim (2001)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.costs import Costs
from ontoeval.core.batch import Batch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.sparse import pairs_of_rows, with_data
from ontoeval.errors import MeasureError
from ontoeval.measures.base import SYMMETRY, USUAL_LAWS, MeasureInfo
from ontoeval.measures.counts import Numbers, divide, filled, weighted_mean
from ontoeval.measures.matching import NamedCosts, costs_of_pairs
from ontoeval.measures.parameters import Above0, ShareOrNone
from ontoeval.measures.sums import Rows

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
        costs = hierarchy.derive(self.costs)
        return 1.0 - float(costs.table.sum()) / (labels * (labels - 1))


@dataclass(frozen=True)
class Contributions:
    """Counts of decisions about each concept, and what the wrong ones contribute.

    A false label contributes the sum, over the true labels of the sample, of how near each is to it;
    a missed one the sum over the predicted labels. No wrong decision counts for more than a right one,
    nor for less than minus that.
    """

    options: WithNearMisses

    def __call__(self, batch: Batch) -> Rows:
        """Put hits, false and missed labels and their contributions of each sample side by side."""
        hierarchy = batch.required_hierarchy("The contribution of near misses")
        named = NamedCosts(self.options.cost, self.options.connect_roots)
        costs = hierarchy.derive(named)
        mean = self.options.mean_similarity
        if self.options.form == "similarity" and mean is None:
            mean = hierarchy.derive(MeanSimilarity(named))
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
            if self.options.form == "distance":
                each = 1.0 - cost * costs.unit / self.options.acceptable
            else:
                each = (
                    np.zeros(cost.size) if mean is None or mean >= 1 else (1.0 - cost - mean) / (1.0 - mean)
                )
            found = np.bincount(entry - entry[0], weights=each)
            sums[entry[0] : entry[0] + found.size] += found
        return with_data(mistaken, np.clip(sums, -1.0, 1.0))


ROUNDING = 1e-9
"""Sums of contributions that differ by no more are equal."""


@dataclass(frozen=True, kw_only=True)
class WithNearMisses(MeasureInfo):
    """A ratio of decisions to which wrong ones contribute that are nearly right.

    A false label contributes by how near the true labels of the sample are to it, a missed one by
    how near the predicted ones are, between -1 and 1 each.

    Parameters
    ----------
    average
        "micro": of the sums over concepts; "macro": mean over concepts.
    form
        How near a label is: "distance": 1 - distance / `acceptable`; "similarity":
        (similarity - mean) / (1 - mean), where similarity is 1 - cost.
    cost
        Cost between concepts, by any name that the ontology score takes; with form="distance" in
        units of its own, such as links.
    acceptable
        For form="distance": the distance above which a label counts against. At the default of 2
        siblings contribute nothing, as do all labels where there is no hierarchy.
    mean_similarity
        For form="similarity": mean similarity of all pairs of labels; None has it computed.
    undefined
        What stands for 0/0: None leaves a concept out of a mean and leaves a micro average
        undefined; the paper takes 0. Below 0 a denominator makes the ratio 0 in any case.
    connect_roots
        Whether several roots are connected by a virtual root above them; otherwise concepts
        below different roots are as far apart as a path can be long.
    """

    average: Literal["micro", "macro"] = "micro"
    form: Literal["distance", "similarity"] = "distance"
    cost: str = "links"
    acceptable: Above0 = 2.0
    mean_similarity: ShareOrNone = None
    undefined: ShareOrNone = None
    connect_roots: bool = True

    emerging = True
    source = "sun2001"
    laws = USUAL_LAWS

    @property
    def denied_laws(self) -> frozenset[str]:  # type: ignore[override]
        """One side is compared with the other; what stands for 0/0 may be less than the best."""
        return SYMMETRY | ({"perfect"} if self.undefined == 0 else set())

    @property
    def statistic(self) -> Contributions:
        """Decisions about each concept and what they contribute; each form looks at its own option alone."""
        unused: dict[str, Any] = {"mean_similarity": None} if self.form == "distance" else {"acceptable": 1.0}
        options = {field.name: getattr(self, field.name) for field in fields(self)} | unused
        return Contributions(WithNearMisses(**options | {"average": "micro", "undefined": None}))

    def all_of(self, sums: Contributed) -> Numbers:
        """Add up what the hits are compared with."""
        raise NotImplementedError

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the average from totals."""
        if self.average == "micro":
            return filled(self._ratio(self.statistic.unpack(values).over_concepts()), self.undefined)
        return weighted_mean(self.per_concept(values), None, self.undefined)

    def per_concept(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the ratio of each concept from a total, nan where it is 0/0."""
        return self._ratio(self.statistic.unpack(values))

    def undefined_concepts(self, values: NDArray[np.float64]) -> int:
        """Count the concepts whose ratio is 0/0."""
        return int(np.isnan(self.per_concept(values)).sum()) if self.average == "macro" else 0

    def _ratio(self, sums: Contributed) -> Numbers:
        right, below = sums.tp + sums.of_false + sums.of_missed, self.all_of(sums)
        below = np.where(np.abs(below) < ROUNDING, 0.0, below)
        # A concept that is never right nor wrong has 0/0; rounding errors of others are no hits.
        right = np.where(right < ROUNDING, 0.0, right)
        ratio = np.where(below < 0, 0.0, divide(right, np.maximum(below, 0.0)))
        return np.minimum(ratio, 1.0)


@dataclass(frozen=True, kw_only=True)
class PrecisionWithNearMisses(WithNearMisses):
    """Share of the predicted labels that are true or near to it."""

    formula_text = "max(0, TP + FpCon + FnCon) / (TP + FP + FnCon)"

    def all_of(self, sums: Contributed) -> Numbers:
        """Count what is predicted."""
        return sums.tp + sums.fp + sums.of_missed


@dataclass(frozen=True, kw_only=True)
class RecallWithNearMisses(WithNearMisses):
    """Share of the true labels that were predicted, or something near to them."""

    formula_text = "max(0, TP + FpCon + FnCon) / (TP + FN + FpCon)"

    def all_of(self, sums: Contributed) -> Numbers:
        """Count what is true."""
        return sums.tp + sums.fn + sums.of_false
