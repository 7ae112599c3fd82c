"""What is inferred from scores: the most specific concept that scores above a threshold, at every threshold.

After Valmadre (2022). The concept is wrong the less often, and says the less, the higher the threshold.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.batch import ScoredBatch
from ontoeval.core.csr import row_of_entries
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import InputError
from ontoeval.measures.statistics.counts import Numbers
from ontoeval.measures.statistics.shared import (
    Aspect,
    By,
    Information,
    Specificity,
    aspect_of,
    shared_information,
)
from ontoeval.measures.statistics.single import only_labels
from ontoeval.measures.statistics.steps import Steps

Propagate = Literal["sum", "max", "none"]
PROPAGATE = ("sum", "max", "none")
PARTS: tuple[Aspect, ...] = ("correct", "recall", "precision")
ABOVE_1 = 1e-6
"""By how much sums of probabilities may exceed 1."""


@dataclass(frozen=True)
class Inferred:
    """What is inferred in each sample while the threshold sinks, and how good that is.

    At first that is a node above everything. Several concepts that score the same and are as
    specific count equally.
    """

    by: By
    propagate: Propagate

    def __call__(self, batch: ScoredBatch) -> Steps:
        """Go down the scores of each sample, and keep what is more specific than all above it."""
        hierarchy = batch.required_hierarchy("Inference")
        truth = only_labels(batch.truth, hierarchy, "true")
        scores = self._scores(batch, hierarchy)
        specificity = hierarchy.once(Specificity(self.by))
        row, concept = row_of_entries(scores), scores.indices.astype(np.intp)
        order = np.lexsort((-specificity[concept], -scores.data, row))
        row, concept, score = row[order], concept[order], scores.data[order]
        says = specificity[concept]
        # What was the most specific before: rows are set apart by more than all differences.
        low, high = int(specificity.min(initial=0)), int(specificity.max(initial=0))
        apart = row * (high - low + 2) + says - low + 1
        start = self._least(hierarchy) - low + 1
        before = np.concatenate([[0], np.maximum.accumulate(apart)[:-1]]) if row.size else apart
        before = np.maximum(before, row * (high - low + 2) + start)
        more = apart > before
        # Those that are tied with one that is kept lie right behind it.
        same = np.zeros(row.size, dtype=bool)
        same[1:] = (row[1:] == row[:-1]) & (score[1:] == score[:-1]) & (says[1:] == says[:-1])
        first = np.flatnonzero(~same)
        tied = np.diff(first, append=row.size)
        kept = np.repeat(more[first], tied)
        row, concept, score = row[kept], concept[kept], score[kept]
        tied = tied[more[first]]
        return self._steps(hierarchy, truth, row, concept, score, tied)

    def _steps(
        self,
        hierarchy: Hierarchy,
        truth: NDArray[np.intp],
        row: NDArray[np.intp],
        concept: NDArray[np.intp],
        score: Numbers,
        tied: NDArray[np.intp],
    ) -> Steps:
        shared = shared_information(hierarchy, self.by, truth[row], concept)
        values = np.stack([aspect_of(shared, part) for part in PARTS])
        begin = np.cumsum(tied) - tied
        values = np.add.reduceat(values, begin, axis=1) / tied if begin.size else values
        row, score = row[begin], score[begin]
        nothing = hierarchy.once(Information(self.by))[truth] == 0
        start = np.stack([np.ones(truth.size), nothing.astype(np.float64), np.ones(truth.size)])
        before = np.concatenate([np.zeros((len(PARTS), 1)), values[:, :-1]], axis=1)[:, : row.size]
        new = np.flatnonzero(np.diff(row, prepend=-1))
        before[:, new] = start[:, row[new]]
        return Steps(start, row, score, values - before)

    def _least(self, hierarchy: Hierarchy) -> int:
        """How specific a node above everything is."""
        if self.by == "depth":
            return -1 if len(hierarchy.roots) > 1 else 0
        return -hierarchy.leaves.size

    def _scores(self, batch: ScoredBatch, hierarchy: Hierarchy) -> sparse.csr_array:
        """Score all concepts of the hierarchy; entries above 0 alone."""
        if self.propagate == "max":
            scores = batch.propagated.prediction.matrix
        else:
            own = np.arange(len(hierarchy.labels))
            step = hierarchy.label_ancestors
            if self.propagate == "none":
                step = sparse.csr_array(
                    (np.ones(own.size, dtype=bool), (own, hierarchy.labels)), shape=step.shape
                )
            scores = sparse.csr_array(batch.prediction.matrix @ step.astype(np.float64))
        if self.propagate == "sum" and scores.nnz:
            self._check_sums(batch, scores)
        positive = sparse.csr_array(scores, copy=True)
        positive.data = np.where(positive.data > 0, positive.data, 0.0)
        positive.eliminate_zeros()
        positive.sort_indices()
        return positive

    @staticmethod
    def _check_sums(batch: ScoredBatch, scores: sparse.csr_array) -> None:
        given = batch.prediction.matrix.data
        top = int(scores.data.argmax())
        if given.min(initial=0) < 0 or scores.data[top] > 1 + ABOVE_1:
            sample = batch.prediction.samples[row_of_entries(scores)[top]]
            raise InputError(
                f"scores from {given.min():g}, and up to {scores.data[top]:g} in sum below one concept "
                f"(sample {sample!r}), where probabilities of single labels sum to 1 at most",
                "Give such probabilities, or choose propagate='none' if scores of inner concepts are given "
                "too, or propagate='max'.",
            )
