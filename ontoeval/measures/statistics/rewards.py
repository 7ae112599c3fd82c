"""Rewards: what every true label earns by every predicted one, shared among the labels of the sample."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.batch import Batch, sizes
from ontoeval.core.portions import pairs_of_rows
from ontoeval.measures.statistics.matching import NamedCosts, sums_of_rows
from ontoeval.measures.statistics.pairs import costs_of_pairs
from ontoeval.measures.statistics.sums import Rows

AT_A_TIME = 2_000_000
"""Pairs of a true and a predicted label that are looked at in one go: 80 MB."""


class Rewarded(NamedTuple):
    """What predictions earn."""

    observed: NDArray[np.float64]
    correct: NDArray[np.float64]
    inactive: NDArray[np.float64]


@dataclass(frozen=True)
class Rewards:
    """Sums of 1 - cost over the pairs of a true and a predicted label, divided by |Y ∪ Z|."""

    cost: str
    normal: str | None
    connect_roots: bool

    def __call__(self, batch: Batch) -> Rows:
        """Sum what the prediction, the truth and the normal label earn in each sample."""
        truth = batch.truth.matrix
        sides = [batch.prediction.matrix, truth]
        if self.normal is not None:
            always = np.zeros(len(batch.truth.vocabulary), dtype=bool)
            always[batch.truth.vocabulary.positions([self.normal])] = True
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
        costs = hierarchy.once(NamedCosts(self.cost, self.connect_roots))
        truth = batch.truth.matrix
        earned = np.zeros(truth.nnz)
        union = sizes(truth) + sizes(predicted) - sizes(sparse.csr_array(truth.multiply(predicted)))
        for first, second in pairs_of_rows(truth, predicted, AT_A_TIME):
            reward = 1.0 - costs_of_pairs(costs, truth.indices[first], predicted.indices[second])
            found = np.bincount(first - first[0], weights=reward)  # all pairs of a true label come together
            earned[first[0] : first[0] + found.size] += found
        return sums_of_rows(truth, earned) / np.maximum(union, 1.0)
