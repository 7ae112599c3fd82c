"""Batch: truth and prediction over the same samples and concepts, with their hierarchy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.csr import choose_entries
from ontoeval.errors import InputError, MeasureError, MisalignedError, ParameterError, one_of
from ontoeval.hierarchy import Hierarchy
from ontoeval.labels import LabelSets
from ontoeval.remade import Remade
from ontoeval.views import Viewed

Missing = Literal["refuse", "empty"]


@dataclass(frozen=True, eq=False)
class Batch(Remade, Viewed):
    """What a measure looks at: sets of true and of predicted labels, sample by sample.

    Parameters
    ----------
    truth
        The true labels.
    prediction
        The predicted labels, over the same concepts and samples in the same order.
    hierarchy
        The hierarchy whose labels are the concepts, if there is one.
    weights
        What each concept counts for, where that is not 1.

    Raises
    ------
    MisalignedError
        If concepts or samples differ; `align` brings them together.
    InputError
        If the hierarchy has other labels than the sets.

    See Also
    --------
    align : Make a batch from sets that differ in order.

    Examples
    --------
    >>> truth = LabelSets.from_sets([["sky", "sea"]])
    >>> batch = Batch(truth, LabelSets.from_sets([["sky"]], vocabulary=truth.vocabulary))
    >>> len(batch), batch.missed.nnz, batch.false.nnz
    (1, 1, 0)
    """

    truth: LabelSets
    prediction: LabelSets
    hierarchy: Hierarchy | None = None
    weights: NDArray[np.float64] | None = None

    def __post_init__(self) -> None:
        """Refuse sets that do not speak of the same things."""
        remedy = "Use ontoeval.align(truth, prediction) to bring them into one order."
        if self.truth.vocabulary != self.prediction.vocabulary:
            ours, theirs = self.truth.vocabulary, self.prediction.vocabulary
            raise MisalignedError(
                "concepts", _only(ours, theirs.index), _only(theirs, ours.index), remedy=remedy
            )
        if self.truth.samples != self.prediction.samples:
            ours_, theirs_ = self.truth, self.prediction
            raise MisalignedError(
                "samples", _only(ours_.samples, theirs_.row), _only(theirs_.samples, ours_.row), remedy=remedy
            )
        if self.hierarchy is not None and self.hierarchy.label_vocabulary != self.truth.vocabulary:
            raise InputError("the label sets have other concepts than the hierarchy has labels", remedy)

    def __len__(self) -> int:
        """Count the samples."""
        return len(self.truth)

    @cached_property
    def _parts(self) -> tuple[sparse.csr_array, sparse.csr_array, sparse.csr_array]:
        """Common, missed and false labels, told apart in one pass over both sides."""
        sides = self.truth.matrix + self.prediction.matrix * np.int8(2)
        common, missed, false = (choose_entries(sides, sides.data == side) for side in (3, 1, 2))
        return common, missed, false

    @property
    def common(self) -> sparse.csr_array:
        """Labels that are true and predicted, T1 = Y ∩ Z."""
        return self._parts[0]

    @property
    def missed(self) -> sparse.csr_array:
        """Labels that are true but not predicted, T2 = Y ∖ Z."""
        return self._parts[1]

    @property
    def false(self) -> sparse.csr_array:
        """Labels that are predicted but not true, P2 = Z ∖ Y."""
        return self._parts[2]

    def amount(self, labels: sparse.csr_array) -> NDArray[np.float64]:
        """Sum the weights of some labels of each sample: their number, where all weigh 1.

        Parameters
        ----------
        labels
            Boolean CSR without stored zeros, one row per sample and one column per concept.

        Returns
        -------
        ndarray of float
            One sum per sample.
        """
        return sizes(labels) if self.weights is None else np.asarray(labels @ self.weights)

    def required_hierarchy(self, wanted_by: str) -> Hierarchy:
        """Return the hierarchy, or say what it is needed for.

        Parameters
        ----------
        wanted_by
            The measure that needs it.

        Returns
        -------
        Hierarchy
            The hierarchy.

        Raises
        ------
        MeasureError
            If there is none.
        """
        if self.hierarchy is None:
            raise MeasureError(
                f"{wanted_by} needs a hierarchy. Pass hierarchy=ontology.hierarchy(), or --ontology FILE."
            )
        return self.hierarchy

    def rows(self, begin: int, end: int) -> Batch:
        """Cut out some consecutive samples.

        Parameters
        ----------
        begin
            Position of the first.
        end
            Position after the last.

        Returns
        -------
        Batch
            These samples alone.
        """
        return replace(
            self,
            truth=_slice(self.truth, begin, end),
            prediction=_slice(self.prediction, begin, end),
        )

    def chunks(self, size: int) -> Iterator[Batch]:
        """Go through the samples a few at a time.

        Parameters
        ----------
        size
            Most samples in a chunk.

        Yields
        ------
        Batch
            One chunk after the other; one empty chunk where there are no samples.

        Raises
        ------
        ParameterError
            If the size is less than 1.
        """
        if not isinstance(size, int) or size < 1:
            raise ParameterError("size", size, "a whole number of at least 1")
        for begin in range(0, max(len(self), 1), size):
            yield self.rows(begin, min(begin + size, len(self)))


def align(
    truth: LabelSets,
    prediction: LabelSets,
    *,
    hierarchy: Hierarchy | None = None,
    missing: Missing = "refuse",
) -> Batch:
    """Bring truth and prediction into one order of samples and concepts.

    The order of samples is that of the truth. With a hierarchy the concepts are those that the
    truth is over, in the order of the hierarchy, whose other concepts then count as abstract.

    Parameters
    ----------
    truth
        The true labels.
    prediction
        The predicted labels.
    hierarchy
        Holds every concept of the truth, if given.
    missing
        What to do with samples that only one side has: "refuse" is an error; with "empty" those
        without prediction get an empty one, and those without truth are left out, since an empty
        truth would reward whoever adds empty predictions.

    Returns
    -------
    Batch
        Both sides in one order.

    Raises
    ------
    MisalignedError
        If one side has samples, or uses concepts, that the other lacks.
    UnknownConceptError
        If the hierarchy lacks a concept.

    Examples
    --------
    >>> truth = LabelSets.from_sets({"p1": ["sky"], "p2": ["sea"]})
    >>> align(truth, LabelSets.from_sets({"p2": ["sea"]}), missing="empty").prediction.sizes
    array([0, 1])
    """
    one_of("missing", missing, ("refuse", "empty"))
    if hierarchy is not None:
        hierarchy = hierarchy.with_labels(truth.vocabulary)
        truth = truth.within(hierarchy.label_vocabulary)
    prediction = prediction.within(truth.vocabulary)
    if truth.samples != prediction.samples:
        only_truth, only_prediction = (
            _only(truth.samples, prediction.row),
            _only(prediction.samples, truth.row),
        )
        if missing == "refuse" and (only_truth or only_prediction):
            raise MisalignedError(
                "samples",
                only_truth,
                only_prediction,
                remedy="Add what is missing, or pass missing='empty' (--missing empty) to count it as empty.",
            )
        prediction = prediction.take(truth.samples)
    return Batch(truth, prediction, hierarchy)


def _only(names: Any, others: Any) -> list[str]:  # noqa: ANN401 - any collections of names
    return [name for name in names if name not in others]


def _slice(sets: LabelSets, begin: int, end: int) -> LabelSets:
    return LabelSets(sets.matrix[begin:end], sets.vocabulary, sets.samples[begin:end])


def sizes(matrix: sparse.csr_array) -> NDArray[np.float64]:
    """Count the labels of each sample.

    Parameters
    ----------
    matrix
        Boolean CSR without stored zeros, one row per sample.

    Returns
    -------
    ndarray of float
        One count per sample.

    Examples
    --------
    >>> sizes(sparse.csr_array([[True, True], [False, False]]))
    array([2., 0.])
    """
    return np.diff(matrix.indptr).astype(np.float64)
