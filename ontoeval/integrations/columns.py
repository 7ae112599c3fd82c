"""Measures of arrays whose columns always stand for the same concepts, which are found once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.choices import Threshold
from ontoeval.core.graphs import AnyHierarchy, hierarchy_of
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores, limits_of, named_thresholds
from ontoeval.core.rows import class_names
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError
from ontoeval.evaluation.scoring import evaluate
from ontoeval.evaluation.totals import Totals
from ontoeval.measures.base import Measure, Measures, info
from ontoeval.measures.catalogue import measures_of
from ontoeval.measures.functions import OwnMeasure
from ontoeval.plumbing.arrays import reaches

ClassNames = Sequence[str] | Mapping[int, str]
"""Names of the columns, in their order or by their numbers."""


@dataclass(frozen=True, eq=False)
class ArrayMeasures:
    """Measures of arrays of one row per sample and one column per class."""

    measures: Mapping[str, Any]
    classes: tuple[str, ...]
    hierarchy: Hierarchy | None
    threshold: float | Mapping[str, float]
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
            names = class_names(classes).concepts  # type: ignore[arg-type]
        elif hierarchy is None or hierarchy.vocabulary.origin == "edges":
            given = "neither classes nor a hierarchy" if hierarchy is None else "links, which have no order"
            raise InputError(
                f"there are {given}, so the columns have no names",
                "Name the columns in their order: classes=[...].",
            )
        else:
            names = hierarchy.label_vocabulary.concepts
        threshold = named_thresholds(threshold, names)
        made = cls(measures_of(measures), names, hierarchy, threshold, ignore_index)
        if not any(isinstance(one, OwnMeasure) for one in made.measures.values()):
            made.totals_of_one()  # of one sample a function may make nothing
        return made

    def totals_of_one(self) -> Totals:
        """Sum one sample that has the first label alone, the others unknown where labels may be."""
        first = np.eye(1, len(self.classes))
        return self.totals(np.where(first, 1.0, self.ignore_index or 0.0), first)

    @cached_property
    def limits(self) -> NDArray[np.float64]:
        """Threshold of each class."""
        return limits_of(self.threshold, Vocabulary(self.classes))

    def totals(self, truth: NDArray[Any], prediction: NDArray[Any]) -> Totals:
        """Sum the samples of arrays of 0 and 1; the prediction may hold probabilities."""
        prediction = np.asarray(prediction)
        columns = f" For class numbers use torch.nn.functional.one_hot(numbers, {len(self.classes)}).amax(1)"
        columns = f"{columns}." * (prediction.dtype.kind in "iu")
        if prediction.shape[1:] != (len(self.classes),) or prediction.dtype.kind not in "biuf":
            raise InputError(
                f"the prediction has the type {prediction.dtype} and the shape {prediction.shape}, for "
                f"{len(self.classes):,} classes",
                f"Give numbers, one row per sample and one column per class, in their order.{columns}",
            )
        low, high = prediction.min(initial=0), prediction.max(initial=0)
        if not (low >= 0 and high <= 1):  # so is nan
            raise InputError(
                f"the prediction has numbers from {low:g} to {high:g}",
                f"Give 0 and 1, or probabilities: of logits torch.sigmoid(logits).{columns}",
            )
        chosen: dict[str, Any] = {"measures": self.measures.values(), "hierarchy": self.hierarchy}
        chosen |= {"classes": self.classes, "ignore_index": self.ignore_index}
        if any(info(measure, "takes") == "scores" for measure in self.measures.values()):
            predicted: Any = LabelScores.from_array(prediction, vocabulary=self.classes)
            chosen["threshold"] = self.threshold
        else:  # storing every score first takes several times as long
            predicted = reaches(prediction, self.limits) & (prediction > 0)
        try:
            return evaluate(truth, predicted, **chosen).totals
        except InputError as error:
            remedy = "Give true labels of 0 and 1, one column per class; in torch after the predictions. "
            remedy += "The number of labels that were not verified is given by ignore_index= of the metric."
            raise InputError(error.problem, remedy) from error


def greater_is_better(measure: Measure) -> bool | None:
    """Whether the best score is the highest (True) or the lowest (False); None if it is neither."""
    best, (low, high) = info(measure, "best"), info(measure, "bounds")
    if best is None or not (best >= high or best <= low):
        return None
    return bool(best >= high)
