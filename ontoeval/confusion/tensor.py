"""The confusion tensor: two confusion matrices, one of what was missed and one of what was false."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from ontoeval.confusion.matrix import ConfusionMatrix, matrix_of
from ontoeval.confusion.one_vs_rest import ConceptCounts
from ontoeval.core.batch import Batch, batch_of
from ontoeval.core.choices import Missing
from ontoeval.core.coercion import Labels
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.measures.confusion_rules import Confusion, CountsPerConcept


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
    decisions
        The decisions about each concept, and about `unknown`, counted in the sets.

    Examples
    --------
    >>> tensor = confusion_tensor([["a", "b"]], [["a", "c"]])
    >>> tensor.recall_plane.matrix[1].tolist(), tensor.counts().recall.tolist()[:3]
    ([0.5, 0.0, 0.5, 0.0], [1.0, 0.0, nan])
    """

    recall_plane: ConfusionMatrix
    precision_plane: ConfusionMatrix
    samples: int | NDArray[np.float64]
    decisions: ConceptCounts

    def counts(self) -> ConceptCounts:
        """Count the decisions about each concept.

        They are counted in the sets, as whole numbers. The misses of a concept are also the sum of its row of
        the recall plane without the diagonal, and its false ones that of its column of the precision plane,
        but for the rounding of fractions.

        Returns
        -------
        ConceptCounts
            The ordinary counts of each concept, and of `unknown`, against the rest: whole numbers.
        """
        return self.decisions


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
    """Make both planes of the tensor of a batch, and count in its sets."""
    recall, precision = (Confusion(rule, variant) for rule in ("tensor-recall", "tensor-precision"))
    plane, counting = matrix_of(batch, recall), CountsPerConcept("tensor", variant)
    decisions = ConceptCounts(plane.rows, *counting.unpack(counting(batch).total()))
    known = batch.known
    samples = len(batch) if known is None else np.append(known.sum(axis=0), float(len(batch)))
    return ConfusionTensor(plane, matrix_of(batch, precision), samples, decisions)
