"""Near misses that earn something: precision and recall of Sun and Lim, and the PhysioNet score."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.costs import Costs
from ontoeval.core.batch import Batch, sizes
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.sparse import pairs_of_rows, with_data
from ontoeval.errors import MeasureError
from ontoeval.measures.base import SYMMETRY, USUAL_LAWS, Above0, MeasureInfo, ShareOrNone, name_or_none
from ontoeval.measures.counts import Numbers, divide, filled, weighted_mean
from ontoeval.measures.matching import NamedCosts, costs_of_pairs, sums_of_rows
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


AT_A_TIME = 2_000_000
"""Pairs of a true and a predicted label that are looked at in one go: 80 MB."""


class Rewarded(NamedTuple):
    """Rewards of the prediction, of the truth, and of the normal label alone."""

    observed: NDArray[np.float64]
    correct: NDArray[np.float64]
    inactive: NDArray[np.float64]


@dataclass(frozen=True, kw_only=True)
class PhysioNet(MeasureInfo):
    """The score of the PhysioNet challenges of 2020 and 2021: full and partial rewards for pairs of labels.

    Each pair of a true label and a predicted one earns 1 - cost, divided by the number of labels of
    the sample; 0 is what a prediction of the normal label alone would earn, 1 what the truth would.

    Parameters
    ----------
    cost
        Name of the costs; for the rewards W of a challenge a table 1 - W that was added by
        `Hierarchy.with_cost`.
    normal
        The label that stands for nothing to be found; None starts the scale at nothing earned.
    undefined
        The score where truth and normal label earn the same; None leaves it undefined.
    connect_roots
        Whether a virtual root connects several roots.
    """

    cost: str = "depth-weighted"
    normal: Annotated[str | None, partial(name_or_none, expected="None or the name of a label")] = None
    undefined: ShareOrNone = 0.0
    connect_roots: bool = True

    formula_text = (
        "(s(Z) - s(normal)) / (s(Y) - s(normal)), s(Z) being the sum of (1 - cost) / |Y ∪ Z| over Y × Z"
    )
    # Rewards of the user's own can make any set of labels earn more than the truth.
    bounds = (-np.inf, np.inf)
    source = "perezalday2020"
    laws = USUAL_LAWS
    denied_laws = frozenset({"perfect", "symmetry"})

    @property
    def statistic(self) -> Rewards:
        """Rewards of predictions, truth and normal label."""
        return Rewards(replace(self, undefined=None))

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the score from totals."""
        observed, correct, inactive = self.statistic.unpack(values)
        # Sums in another order may differ by a rounding error where they are equal.
        whole = np.where(np.isclose(correct, inactive, rtol=1e-12, atol=1e-12), 0.0, correct - inactive)
        score = divide(np.where(whole == 0, 0.0, observed - inactive), whole)
        return filled(score, self.undefined)


@dataclass(frozen=True)
class Rewards:
    """Sums of 1 - cost over the pairs of a true and a predicted label, divided by |Y ∪ Z|."""

    options: PhysioNet

    def __call__(self, batch: Batch) -> Rows:
        """Sum what the prediction, the truth and the normal label earn in each sample."""
        truth = batch.truth.matrix
        sides = [batch.prediction.matrix, truth]
        if self.options.normal is not None:
            always = np.zeros(len(batch.truth.vocabulary), dtype=bool)
            always[batch.truth.vocabulary.positions([self.options.normal])] = True
            normal = sparse.csr_array(np.ones((len(batch), 1), dtype=bool)) @ sparse.csr_array(
                always[None, :]
            )
            sides.append(normal if batch.known is None else sparse.csr_array(normal.multiply(batch.known)))
        earned = [self._earned(batch, side) for side in sides]
        return Rows(np.stack([*earned, *[np.zeros(len(batch))] * (3 - len(sides))], axis=-1))

    def unpack(self, values: NDArray[np.float64]) -> Rewarded:
        """Name the three sums."""
        return Rewarded(*np.moveaxis(values, -1, 0))

    def _earned(self, batch: Batch, predicted: sparse.csr_array) -> NDArray[np.float64]:
        hierarchy = batch.required_hierarchy("A reward")
        costs = hierarchy.derive(NamedCosts(self.options.cost, self.options.connect_roots))
        truth = batch.truth.matrix
        earned = np.zeros(truth.nnz)
        union = sizes(truth) + sizes(predicted) - sizes(sparse.csr_array(truth.multiply(predicted)))
        for first, second in pairs_of_rows(truth, predicted, AT_A_TIME):
            reward = 1.0 - costs_of_pairs(costs, truth.indices[first], predicted.indices[second])
            found = np.bincount(first - first[0], weights=reward)  # all pairs of a true label come together
            earned[first[0] : first[0] + found.size] += found
        return sums_of_rows(truth, earned) / np.maximum(union, 1.0)
