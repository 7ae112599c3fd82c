"""Measures of arrays whose columns always stand for the same concepts, which are found once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.batch import aligned
from ontoeval.core.choices import Threshold
from ontoeval.core.graphs import AnyHierarchy, hierarchy_of
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores, limits_of, named_thresholds
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.rows import class_names, number_names
from ontoeval.core.verified import VerifiedLabels
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, pluralise
from ontoeval.evaluation.alignment import align
from ontoeval.evaluation.totals import Totals, totals_of_both
from ontoeval.measures.base import Measure, Measures, info
from ontoeval.measures.catalogue import measures_of
from ontoeval.measures.functions import OwnMeasure
from ontoeval.plumbing.arrays import reaches
from ontoeval.plumbing.sparse import nonzero_entries, sealed_pattern

ClassNames = Sequence[str] | Mapping[int, str]
"""Names of the columns, in their order or by their numbers."""


@dataclass(frozen=True, eq=False)
class ArrayMeasures:
    """Measures of arrays of one row per sample and one column per class."""

    measures: Mapping[str, Any]
    classes: tuple[str, ...]
    vocabulary: Vocabulary
    positions: NDArray[np.integer]
    """Place of each class in the vocabulary."""
    hierarchy: Hierarchy | None
    threshold: float | Mapping[str, float]
    limits: NDArray[np.float64]
    """Threshold of each class."""
    ignore_index: float | None = None
    """Number of true labels that were not verified."""

    @classmethod
    def from_measures(
        cls,
        measures: Measures,
        hierarchy: AnyHierarchy | None,
        classes: ClassNames | None,
        threshold: Threshold = 0.5,
        ignore_index: float | None = None,
    ) -> Self:
        """Find the concepts, and evaluate one sample, so that impossible measures are refused at once."""
        hierarchy = None if hierarchy is None else hierarchy_of(hierarchy)
        if classes is not None:
            names = class_names(classes)  # type: ignore[arg-type]
        elif hierarchy is not None:
            names = hierarchy.label_vocabulary
        else:
            raise InputError(
                "there are neither classes nor a hierarchy, so the columns have no names",
                "Name the columns in their order: classes=[...].",
            )
        every = sparse.eye_array(len(names), dtype=bool, format="csr")
        batch = align(every, every, hierarchy=hierarchy, classes=list(names))
        threshold = named_thresholds(threshold, names.concepts)
        made = cls(
            measures_of(measures),
            names.concepts,
            batch.truth.vocabulary,
            batch.truth.matrix.indices,
            batch.hierarchy,
            threshold,
            limits_of(threshold, names),
            ignore_index,
        )
        if not any(isinstance(one, OwnMeasure) for one in made.measures.values()):
            made.totals_of_one()  # of one sample a function may make nothing
        return made

    def totals_of_one(self) -> Totals:
        """Sum one sample that has the first label alone, the others unknown where labels may be."""
        first = np.eye(1, len(self.classes))
        return self.totals(np.where(first, 1.0, self.ignore_index or 0.0), first)

    def totals(self, truth: NDArray[Any], prediction: NDArray[Any]) -> Totals:
        """Sum the samples of arrays of 0 and 1; the prediction may hold probabilities."""
        absent = None
        if self.ignore_index is not None:
            verified = VerifiedLabels.from_array(truth, ignore_index=self.ignore_index)
            truth, absent = verified.positive.matrix.toarray(), verified.negative.matrix.toarray()
        truth, prediction = (self._checked(*side) for side in (("truth", truth), ("prediction", prediction)))
        if len(truth) != len(prediction):
            raise InputError(
                f"the prediction has {pluralise(len(prediction), 'row')}, and the truth {len(truth):,}",
                "Give both one row per sample.",
            )
        samples = number_names(len(truth))

        def sets(side: NDArray[np.bool_]) -> LabelSets:
            return LabelSets(sealed_pattern(self._reorder_columns(side)), self.vocabulary, samples)

        true = sets(truth != 0) if absent is None else VerifiedLabels(sets(truth), sets(absent))
        takes = {info(measure, "takes") for measure in self.measures.values()}
        if takes == {"sets"}:
            # Sets are found in the array: storing every score first takes several times as long.
            predicted: Any = sets(reaches(prediction, self.limits) & (prediction > 0))
        else:
            predicted = LabelScores(self._reorder_columns(prediction), self.vocabulary, samples)
        (batch,) = aligned(true, [predicted], self.hierarchy, "refuse")
        return totals_of_both(batch, batch.at(self.threshold) if len(takes) > 1 else None, self.measures)

    def _checked(self, side: str, array: NDArray[Any]) -> NDArray[Any]:
        numbers = np.asarray(array)
        if numbers.shape[1:] != (len(self.classes),) or numbers.dtype.kind not in "biuf":
            raise InputError(
                f"the {side} has the type {numbers.dtype} and the shape {numbers.shape}, for "
                f"{len(self.classes):,} classes",
                "Give numbers, one row per sample and one column per class, in the order of the classes; "
                "torch.nn.functional.one_hot makes them from class numbers.",
            )
        low, high = numbers.min(initial=0), numbers.max(initial=0)
        if not (low >= 0 and high <= 1):  # so is nan
            raise InputError(
                f"the {side} has numbers from {low:g} to {high:g}",
                "Give 0 and 1, or, as prediction, probabilities: of logits torch.sigmoid(logits)."
                + f" Where {low:g} marks labels that count neither way: ignore_index={low:g}."
                * int(side == "truth" and low < 0),
            )
        if side == "truth" and numbers.dtype.kind == "f" and (between := (numbers % 1 != 0)).any():
            raise InputError(f"the truth holds {numbers[between][0]:g}", "Give 0 and 1.")
        return numbers

    def _reorder_columns(self, array: NDArray[Any]) -> sparse.csr_array:
        """Put each column where the vocabulary has its concept."""
        placed = np.zeros((len(array), len(self.vocabulary)), dtype=array.dtype)
        placed[:, self.positions] = array
        return nonzero_entries(placed)


def greater_is_better(measure: Measure) -> bool | None:
    """Whether the best score is the highest (True) or the lowest (False); None if it is neither."""
    best, (low, high) = info(measure, "best"), info(measure, "bounds")
    if best is None or not (best >= high or best <= low):
        return None
    return bool(best >= high)
