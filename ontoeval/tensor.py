"""The confusion tensor: two confusion matrices, one of what was missed and one of what was false."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ontoeval.batch import Batch, batch_of
from ontoeval.choices import Missing
from ontoeval.coercion import Labels
from ontoeval.concept_counts import ConceptCounts
from ontoeval.confusion import ConfusionMatrix, matrix_of
from ontoeval.hierarchy import Hierarchy
from ontoeval.statistics.confusion import Confusion


@dataclass(frozen=True, eq=False)
class ConfusionTensor:
    """The two planes of the confusion tensor.

    Parameters
    ----------
    recall_plane
        Where missed labels went; its row sums are the true counts.
    precision_plane
        Where false labels came from; its column sums are the predicted counts.
    samples
        How many samples there are; where only some labels are known, one count per concept and for
        `unknown`.

    Examples
    --------
    >>> tensor = confusion_tensor([["a", "b"]], [["a", "c"]])
    >>> tensor.recall_plane.matrix[1].tolist(), tensor.counts().recall.tolist()[:3]
    ([0.5, 0.0, 0.5, 0.0], [1.0, 0.0, nan])
    """

    recall_plane: ConfusionMatrix
    precision_plane: ConfusionMatrix
    samples: int | NDArray[np.float64]

    def counts(self) -> ConceptCounts:
        """Count decisions per concept: misses from the recall plane, false ones from the other.

        Returns
        -------
        ConceptCounts
            The ordinary counts of each concept, and of `unknown`, against the rest.
        """
        recall, precision = self.recall_plane.matrix, self.precision_plane.matrix
        tp = np.asarray(recall.diagonal(), dtype=np.float64)
        fn = np.asarray(recall.sum(axis=1), dtype=np.float64) - tp
        fp = np.asarray(precision.sum(axis=0), dtype=np.float64) - tp
        return ConceptCounts(self.recall_plane.rows, tp, fp, fn, self.samples - tp - fn - fp)


def confusion_tensor(
    truth: Labels,
    prediction: Labels,
    *,
    variant: Literal["unique", "case"] = "unique",
    hierarchy: Hierarchy | None = None,
    missing: Missing = "refuse",
) -> ConfusionTensor:
    """Make both planes of the multi-label confusion tensor [krstinic2024]_.

    Parameters
    ----------
    truth
        What `evaluate` takes.
    prediction
        What `evaluate` takes.
    variant
        "unique" spreads a missed label over all predicted ones and a false one over all true
        ones; "case" over the false and the missed ones alone, where there are both.
    hierarchy
        The hierarchy of the concepts.
    missing
        What to do with samples that only one side has: "refuse" or "empty", see `align`.

    Returns
    -------
    ConfusionTensor
        The recall plane and the precision plane.

    Raises
    ------
    ParameterError
        If there is no such variant.
    MisalignedError
        If samples or concepts differ.

    Examples
    --------
    >>> confusion_tensor([["a"]], [["b"]]).precision_plane.top(1)[0].true
    'a'
    """
    return tensor_of(batch_of(truth, prediction, hierarchy, missing), variant)


def tensor_of(batch: Batch, variant: str | None = None) -> ConfusionTensor:
    """Make both planes of the tensor of a batch.

    Parameters
    ----------
    batch
        Some samples, or all.
    variant
        "unique" or "case".

    Returns
    -------
    ConfusionTensor
        The recall plane and the precision plane.
    """
    recall, precision = (Confusion(rule, variant) for rule in ("tensor-recall", "tensor-precision"))
    known = batch.known
    decisions = len(batch) if known is None else np.append(known.sum(axis=0), float(len(batch)))
    return ConfusionTensor(matrix_of(batch, recall), matrix_of(batch, precision), decisions)
