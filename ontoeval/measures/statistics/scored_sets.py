"""Which scores are compared with which truth: those of labels, or those that all ancestors have of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.information import weight_by_name
from ontoeval.core.batch import ScoredBatch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, ParameterError, one_of
from ontoeval.measures.statistics.sets import Sets


@dataclass(frozen=True, kw_only=True)
class ScoredSets:
    """What stands for the true and the scored labels of a sample."""

    propagate: bool = True
    root: Literal["in", "out"] = "in"
    orphans: bool = True
    weight: str | None = None

    def __post_init__(self) -> None:
        """Check the options."""
        one_of("root", self.root, ("in", "out"))
        one_of("propagate", self.propagate, (True, False))
        one_of("orphans", self.orphans, (True, False))
        if self.weight is not None and not isinstance(self.weight, str):
            raise ParameterError("weight", self.weight, "None or the name of a weight")

    def __call__(self, batch: ScoredBatch) -> ScoredBatch:
        """Put the members in the place of the labels."""
        if self == ScoredSets(propagate=False):
            return batch
        wanted_by = "A curve over ancestors" if self.propagate else "A curve without roots or with weights"
        hierarchy = batch.required_hierarchy(wanted_by)
        members, weights = self._members(hierarchy)
        whole = batch.propagated if self.propagate else batch
        concepts = whole.truth.vocabulary
        if members.all():
            return ScoredBatch(whole.truth, whole.prediction, weights=weights)
        names = Vocabulary(tuple(concepts[place] for place in np.flatnonzero(members).tolist()))
        scores = keep_columns(whole.prediction.matrix, members)
        return ScoredBatch(
            LabelSets(keep_columns(whole.truth.matrix, members), names, batch.truth.samples),
            LabelScores(scores, names, batch.truth.samples, whole.prediction.signed),
            weights=None if weights is None else weights[members],
        )

    def _members(self, hierarchy: Hierarchy) -> tuple[NDArray[np.bool_], NDArray[np.float64] | None]:
        members = np.zeros(len(hierarchy.vocabulary), dtype=bool)
        members[Sets(root=self.root).kept(hierarchy)] = True
        if not self.orphans:
            members[hierarchy.roots] = False
        weights = None if self.weight is None else weight_by_name(hierarchy, self.weight)
        if weights is not None:
            members &= weights > 0
        if not self.propagate:
            members = members[hierarchy.labels]
            weights = None if weights is None else weights[hierarchy.labels]
        if not members.any():
            raise InputError(
                f"no concept is left to compare (root={self.root!r}, orphans={self.orphans}, "
                f"weight={self.weight!r})",
                "Keep the roots, or give some concept a weight above 0.",
            )
        return members, weights


def keep_columns(matrix: sparse.csr_array, kept: NDArray[np.bool_]) -> sparse.csr_array:
    """Drop the other columns, but no stored zero of those that are kept."""
    chosen = kept[matrix.indices]
    before = np.concatenate([[0], np.cumsum(chosen)])
    column = np.cumsum(kept) - 1
    return sparse.csr_array(
        (matrix.data[chosen], column[matrix.indices[chosen]], before[matrix.indptr]),
        shape=(matrix.shape[0], int(kept.sum())),
    )
