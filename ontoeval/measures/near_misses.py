"""Partial credit for near misses: precision and recall of Sun and Lim, and the PhysioNet score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.costs import Costs
from ontoeval.core.batch import Batch, set_sizes
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import MeasureError
from ontoeval.measures.base import USUAL_LAWS, Above0, MeasureInfo, ShareOrNone, name_or_none
from ontoeval.measures.counts import divide, fill_undefined, weighted_mean
from ontoeval.measures.matching import NamedCosts, costs_of_pairs, sums_of_rows
from ontoeval.measures.sums import Rows
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import pairs_of_rows, with_data

MOST_LABELS = 4_096
"""Up to so many labels the similarities of all pairs are averaged: 17 million, in some seconds."""

PAIRS = 4_000_000
"""Pairs whose similarities are held at a time: 32 MB."""

AT_A_TIME = 500_000
"""Pairs of a true and a predicted label that are looked at in one go: 20 MB."""

ROUNDING = 1e-9
"""Sums of contributions that differ by no more are equal."""


def _sums_over_pairs(
    costs: Costs, one: sparse.csr_array, other: sparse.csr_array, gain: Callable[[Numbers], Numbers]
) -> Numbers:
    """For each stored label, sum the gains from its costs to all labels of the other side in the sample."""
    sums = np.zeros(one.nnz)
    for entry, others in pairs_of_rows(one, other, AT_A_TIME):
        gained = gain(costs_of_pairs(costs, one.indices[entry], other.indices[others]))
        found = np.bincount(entry - entry[0], weights=gained)  # all pairs of a label come together
        sums[entry[0] : entry[0] + found.size] += found
    return sums


@dataclass(frozen=True)
class _MeanSimilarity:
    """Mean of 1 - cost over all pairs of different labels; 1 where there is one label alone."""

    costs: NamedCosts

    def __call__(self, hierarchy: Hierarchy) -> float:
        labels = len(hierarchy.labels)
        if labels > MOST_LABELS:
            raise MeasureError(
                f"The mean similarity of all {labels**2:,} pairs of {labels:,} labels takes too long "
                f"(at most {MOST_LABELS:,} labels). Give it: mean_similarity=0.1, or use form='distance'."
            )
        if labels < 2:  # noqa: PLR2004 - a pair
            return 1.0
        costs, step = hierarchy.derive(self.costs), max(1, PAIRS // labels)
        sums = [costs.rows(k, min(k + step, labels)).sum() for k in range(0, labels, step)]
        return 1.0 - float(sum(sums)) / (labels * (labels - 1))


class Contributed(NamedTuple):
    """Decisions about concepts, and contributions of the wrong ones, the concepts on the last axis."""

    tp: Numbers
    fp: Numbers
    fn: Numbers
    of_false: Numbers
    of_missed: Numbers


@dataclass(frozen=True, kw_only=True)
class WithNearMisses(MeasureInfo):
    """A ratio of decisions to which wrong ones contribute that are nearly right.

    A false label contributes the sum of how near each true label of the sample is to it, a missed one of
    how near each predicted one is, between -1 and 1 in all.

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
        For form="distance": the distance above which a label counts against, by default that of siblings.
    mean_similarity
        For form="similarity": mean similarity of all pairs of labels; None has it computed.
    undefined
        What stands for 0/0, 0 in the paper: None leaves a concept out of a mean and leaves a micro average
        undefined.
    connect_roots
        Whether a virtual root connects several roots.
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
    def statistic(self) -> WithNearMisses:
        """Decisions about each concept and their contributions; each form uses its own option alone."""
        unused: dict[str, Any] = {"mean_similarity": None} if self.form == "distance" else {"acceptable": 1.0}
        options = {field.name: getattr(self, field.name) for field in fields(self)} | unused
        return WithNearMisses(**options | {"average": "micro", "undefined": None})

    def __call__(self, batch: Batch) -> Rows:
        """Put hits, false and missed labels and their contributions of each sample side by side."""
        hierarchy = batch.required_hierarchy("The contribution of near misses")
        named = NamedCosts(self.cost, self.connect_roots)
        costs = hierarchy.derive(named)
        mean = self.mean_similarity
        if self.form == "similarity" and mean is None:
            mean = hierarchy.derive(_MeanSimilarity(named))

        def near(cost: Numbers) -> Numbers:
            if self.form == "distance":
                return 1.0 - cost * costs.unit / self.acceptable
            return np.zeros(cost.size) if mean is None or mean >= 1 else (1.0 - cost - mean) / (1.0 - mean)

        sides = (batch.false, batch.truth.matrix), (batch.missed, batch.prediction.matrix)
        contributed = (
            with_data(mistaken, np.clip(_sums_over_pairs(costs, mistaken, other, near), -1.0, 1.0))
            for mistaken, other in sides
        )
        parts = [batch.common, batch.false, batch.missed, *contributed]
        return Rows(sparse.hstack(parts, format="csr", dtype=np.float64))

    def all_of(self, sums: Contributed) -> Numbers:
        """Sum the denominator."""
        raise NotImplementedError

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the average from totals."""
        if self.average == "macro":
            return weighted_mean(self.per_concept(values), None, self.undefined)
        sums = Contributed(*(part.sum(axis=-1) for part in np.split(values, 5, axis=-1)))
        return fill_undefined(self._ratio(sums), self.undefined)

    def per_concept(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the ratio of each concept from a total, nan where it is 0/0."""
        return self._ratio(Contributed(*np.split(values, 5, axis=-1)))

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
    """Share of the true labels that were predicted, exactly or nearly."""

    formula_text = "max(0, TP + FpCon + FnCon) / (TP + FN + FpCon)"

    def all_of(self, sums: Contributed) -> Numbers:
        """Count what is true."""
        return sums.tp + sums.fn + sums.of_false


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
        The label for "no finding"; None starts the scale at nothing earned.
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
    def statistic(self) -> PhysioNet:
        """Earnings of the prediction, the truth and the normal label alone in each sample."""
        return replace(self, undefined=None)

    def __call__(self, batch: Batch) -> Rows:
        """Sum what each of the three earns in each sample."""
        truth, concepts = batch.truth.matrix, batch.truth.vocabulary
        sides = [batch.prediction.matrix, truth]
        if self.normal is not None:
            always = np.zeros((1, len(concepts)), dtype=bool)
            always[0, concepts.positions([self.normal])] = True
            normal = sparse.csr_array(np.ones((len(batch), 1), dtype=bool)) @ sparse.csr_array(always)
            sides.append(normal if batch.known is None else sparse.csr_array(normal.multiply(batch.known)))
        earned = [self._sum_rewards(batch, side) for side in sides]
        return Rows(np.stack([*earned, *[np.zeros(len(batch))] * (3 - len(sides))], axis=-1))

    def _sum_rewards(self, batch: Batch, predicted: sparse.csr_array) -> Numbers:
        hierarchy, truth = batch.required_hierarchy("A reward"), batch.truth.matrix
        costs = hierarchy.derive(NamedCosts(self.cost, self.connect_roots))
        earned = _sums_over_pairs(costs, truth, predicted, lambda cost: 1.0 - cost)
        union = (
            set_sizes(truth) + set_sizes(predicted) - set_sizes(sparse.csr_array(truth.multiply(predicted)))
        )
        return sums_of_rows(truth, earned) / np.maximum(union, 1.0)

    def formula(self, values: NDArray[np.float64]) -> Numbers:
        """Compute the score from totals."""
        observed, correct, inactive = np.moveaxis(values, -1, 0)
        # Sums in another order may differ by a rounding error where they are equal.
        whole = np.where(np.isclose(correct, inactive, rtol=1e-12, atol=1e-12), 0.0, correct - inactive)
        score = divide(np.where(whole == 0, 0.0, observed - inactive), whole)
        return fill_undefined(score, self.undefined)
