"""Rewards for what is predicted, on a scale from a baseline to the truth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Annotated, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.batch import Batch, sizes
from ontoeval.core.sparse import pairs_of_rows
from ontoeval.measures.base import USUAL_LAWS, MeasureInfo
from ontoeval.measures.counts import Numbers, divide, filled
from ontoeval.measures.matching import NamedCosts, costs_of_pairs, sums_of_rows
from ontoeval.measures.parameters import ShareOrNone, name_or_none
from ontoeval.measures.sums import Rows

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
