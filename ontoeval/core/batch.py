"""Batches: a truth and a prediction over the same samples and concepts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple, Self, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.choices import Missing, Threshold
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets, only_samples, refuse_misaligned
from ontoeval.core.resampling import in_order
from ontoeval.core.sample_weights import SampleWeight, checked_weights, weights_of
from ontoeval.core.showing import Brief
from ontoeval.core.verified import KnownPart, VerifiedLabels, ruled_out
from ontoeval.core.vocabulary import Vocabulary, refuse_alike
from ontoeval.errors import InputError, MeasureError, MisalignedError, one_of, pluralise_all, run_named
from ontoeval.plumbing.checks import whole_number
from ontoeval.plumbing.sparse import (
    choose_entries,
    common_entries,
    largest_of_products,
    pattern,
    stored_in,
    stored_in_both,
    with_data,
)
from ontoeval.plumbing.values import Cached, PickledByFields, copy_unchecked


class Aligned(Brief, PickledByFields, Cached):
    """A truth and a prediction over the same samples and concepts, in the same order."""

    truth: LabelSets
    prediction: Any
    hierarchy: Hierarchy | None
    weights: NDArray[np.float64] | None
    sample_weight: NDArray[np.float64] | None
    excluded: LabelSets | None

    if not TYPE_CHECKING:

        def __new__(cls, *_: object, **given: object) -> Self:
            """Refuse measures, which others have, by the calls that take them."""
            if "measures" in given:
                call = "ontoeval.evaluate(truth, prediction, measures=...)"
                message = f"A batch has no 'measures'. Write {call}, or ontoeval.Accumulator(measures)."
                raise TypeError(message)
            return super().__new__(cls)

    @property
    def _brief(self) -> str:
        return pluralise_all(sample=len(self), concept=len(self.truth.vocabulary))

    def __post_init__(self) -> None:
        """Refuse sides without names, over other samples or concepts, and weights that are none."""
        if odd := [side for side in (self.truth, self.prediction) if not hasattr(side, "vocabulary")]:
            raise InputError(
                f"a {type(odd[0]).__name__} stands where label sets belong",
                "Use ontoeval.align(truth, prediction), or score both: ontoeval.evaluate(truth, prediction).",
            )
        if self.sample_weight is not None:
            weights = checked_weights(self.sample_weight, self.truth.samples)
            object.__setattr__(self, "sample_weight", weights)
        remedy = "Use ontoeval.align(truth, prediction) to bring them into one order."
        refuse_misaligned(self.truth, self.prediction, remedy)
        if self.hierarchy is not None and self.hierarchy.label_vocabulary != self.truth.vocabulary:
            raise InputError("the label sets have other concepts than the hierarchy has labels", remedy)

    def __len__(self) -> int:
        """Count the samples."""
        return len(self.truth)

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The concepts, with their names from the truth or the hierarchy."""
        own = self.truth.vocabulary
        names = own.names if self.hierarchy is None else self.hierarchy.names_of(own)
        return own if names is own.names else replace(own, names=names)

    def required_hierarchy(self, wanted_by: str) -> Hierarchy:
        """Return the hierarchy; without one raise a MeasureError that names the measure."""
        if self.hierarchy is None:
            raise MeasureError(
                f"{wanted_by} needs a hierarchy. Pass hierarchy=ontology.hierarchy(), or --ontology FILE."
            )
        return self.hierarchy

    def rows(self, begin: int, end: int) -> Self:
        """Cut out some consecutive samples.

        Parameters
        ----------
        begin
            Position of the first.
        end
            Position after the last.

        Returns
        -------
        Self
            These samples alone.
        """
        samples = self.truth.samples[begin:end]
        return self._map_matrices(lambda side: side.between(begin, end, samples), slice(begin, end))

    def take(self, samples: Sequence[str]) -> Self:
        """Pick samples by name.

        Parameters
        ----------
        samples
            Identifiers in the order wanted.

        Returns
        -------
        Self
            These samples of both sides.
        """
        places = None if self.sample_weight is None else [self.truth.row[sample] for sample in samples]
        return self._map_matrices(lambda side: side.take(samples), places)

    def _map_matrices(self, change: Callable[[Any], Any], places: slice | Sequence[int] | None) -> Self:
        """Change the rows of all sides alike, and take the weights at some places."""
        return copy_unchecked(
            self,
            truth=change(self.truth),
            prediction=change(self.prediction),
            sample_weight=self._weights_at(places),
            excluded=None if self.excluded is None else change(self.excluded),
        )

    def _weights_at(self, places: slice | Sequence[int] | None) -> NDArray[np.float64] | None:
        return None if self.sample_weight is None else self.sample_weight[places]

    @cached_property
    def excluded_labels(self) -> sparse.csr_array:
        """Labels that count neither way: samples × concepts of the truth."""
        if self.excluded is None:
            return sparse.csr_array(self.truth.matrix.shape, dtype=bool)
        return pattern(self.excluded.matrix[:, self.excluded.vocabulary.positions(self.truth.vocabulary)])

    def without(self, excluded: LabelSets) -> Self:
        """Leave concepts of samples out of both sides, and samples of which everything true is left out.

        Parameters
        ----------
        excluded
            The concepts of each sample that are left out.
        """
        out = copy_unchecked(self, excluded=excluded).excluded_labels
        truth = self.truth.remade(_entries_outside(self.truth.matrix, out))
        left = (truth.sizes > 0) | (self.truth.sizes == 0)
        shut = copy_unchecked(self, truth=truth, excluded=excluded).predicting(self.prediction)
        return (
            shut if left.all() else shut.take([truth.samples[row] for row in np.flatnonzero(left).tolist()])
        )

    def predicting(self, prediction: LabelSets | LabelScores) -> Self:
        """Put another prediction, over the same samples and concepts, beside the same truth.

        Parameters
        ----------
        prediction
            The other prediction.
        """
        if self.excluded is not None:
            prediction = prediction.remade(_entries_outside(prediction.matrix, self.excluded_labels))
        other: Self = replace(self, prediction=prediction)  # type: ignore[type-var]
        return other

    def weighted(self, sample_weight: SampleWeight | None) -> Self:
        """Let each sample count for its weight.

        Parameters
        ----------
        sample_weight
            The weights, see `evaluate`; None leaves the batch as it is.

        Raises
        ------
        InputError
            If the samples have weights already, or some weight is missing or cannot be one.
        """
        if sample_weight is None:
            return self
        if self.sample_weight is not None:
            raise InputError("the samples of this batch have weights already", "Give the weights once.")
        weights = weights_of(sample_weight, self.truth.samples)
        return copy_unchecked(self, sample_weight=weights)

    @property
    def in_order(self) -> Self:
        """The same samples in the order of drawing, so that the order of rows in a file does not matter."""
        return self if self._reordered is None else self._reordered

    @cached_property
    def _reordered(self) -> Self | None:
        """The batch in the order of drawing; None if it is already, since a cached self would stay alive."""
        samples = in_order(self.truth.samples)
        return None if samples == self.truth.samples else self.take(samples)

    def chunks(self, size: int) -> Iterator[Self]:
        """Go through the samples a few at a time.

        Parameters
        ----------
        size
            Most samples in a chunk.

        Yields
        ------
        Self
            One chunk after the other; one empty chunk where there are no samples.

        Raises
        ------
        ParameterError
            If the size is less than 1.
        """
        size = whole_number("size", size, 1)
        for begin in range(0, max(len(self), 1), size):
            yield self.rows(begin, min(begin + size, len(self)))

    def amount(self, labels: sparse.csr_array) -> NDArray[np.float64]:
        """Sum the weights of some labels of each sample; without weights count them."""
        return set_sizes(labels) if self.weights is None else np.asarray(labels @ self.weights)


class PartSizes(NamedTuple):
    """Numbers of labels of each sample."""

    common: NDArray[np.float64]
    missed: NDArray[np.float64]
    false: NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class Batch(Aligned):
    """Input of a measure of label sets: true and predicted labels, sample by sample.

    Parameters
    ----------
    truth
        The true labels.
    prediction
        The predicted labels, over the same concepts and samples in the same order.
    hierarchy
        The hierarchy whose labels are the concepts, if there is one.
    weights
        Weight of each concept, by default 1.
    known
        Boolean, one row per sample and one column per concept: of which labels it is known whether
        they are true, where that is not so of all. What else is predicted counts neither way: it
        is taken out of `prediction`, and no decision.
    sample_weight
        What each sample counts for, where that is not 1.
    excluded
        Concepts of each sample that count neither way, since they were known before; no side has them.

    Raises
    ------
    MisalignedError
        If concepts or samples differ; `align` brings them together.
    InputError
        If the hierarchy has other labels than the sets, or a true label is not known.

    Examples
    --------
    >>> truth = LabelSets.from_sets([["sky", "sea"]])
    >>> run = LabelSets.from_sets([["sky"]], vocabulary=truth.vocabulary)
    >>> batch = Batch(truth, run)
    >>> len(batch), batch.missed.nnz, batch.false.nnz
    (1, 1, 0)
    """

    truth: LabelSets
    prediction: LabelSets
    hierarchy: Hierarchy | None = None
    weights: NDArray[np.float64] | None = None
    known: sparse.csr_array | None = None
    sample_weight: NDArray[np.float64] | None = None
    excluded: LabelSets | None = None

    def __post_init__(self) -> None:
        """Check that the sides fit, and leave predictions about unknown labels out."""
        super().__post_init__()
        if self.known is None:
            return
        known, whole = pattern(self.known), self.whole_prediction
        true = self.truth.matrix
        if known.shape != true.shape or pattern(true.multiply(known)).nnz < true.nnz:
            raise InputError(
                "the known labels do not hold all true ones",
                "Use ontoeval.align(ontoeval.VerifiedLabels(positive, negative), prediction).",
            )
        object.__setattr__(self, "known", known)
        part = KnownPart(whole.matrix.multiply(known), whole.vocabulary, whole.samples, whole)
        object.__setattr__(self, "prediction", part)

    def _map_matrices(self, change: Callable[[Any], Any], places: slice | Sequence[int] | None) -> Self:
        """Change the rows of all sides alike, also those of known labels."""
        if self.known is None:
            return super()._map_matrices(change, places)
        return replace(
            self,
            truth=change(self.truth),
            prediction=change(self.whole_prediction),
            known=change(replace(self.truth, matrix=self.known)).matrix,
            sample_weight=self._weights_at(places),
            excluded=None if self.excluded is None else change(self.excluded),
        )

    @property
    def any_hierarchy(self) -> Hierarchy:
        """The hierarchy; one without links where there is none."""
        return self.hierarchy or Hierarchy.flat(self.truth.vocabulary)

    @property
    def whole_prediction(self) -> LabelSets:
        """All predicted labels, known or not."""
        masked = isinstance(self.prediction, KnownPart) and self.known is not None
        whole = getattr(self.prediction, "whole", None) if masked else None
        return self.prediction if whole is None else whole

    @cached_property
    def judged(self) -> NDArray[np.bool_]:
        """Whether any label of each sample is known; means over samples leave out the others."""
        return np.ones(len(self), dtype=bool) if self.known is None else np.diff(self.known.indptr) > 0

    @cached_property
    def in_both(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """Whether each stored true label is predicted, and whether each predicted one is true."""
        return stored_in_both(self.truth.matrix, self.prediction.matrix)

    @cached_property
    def common(self) -> sparse.csr_array:
        """Labels that are true and predicted, T1 = Y ∩ Z."""
        if "in_both" in self.__dict__:
            return choose_entries(self.prediction.matrix, self.in_both[1])
        return common_entries(self.prediction.matrix, self.truth.matrix)

    @cached_property
    def missed(self) -> sparse.csr_array:
        """Labels that are true but not predicted, T2 = Y ∖ Z."""
        return choose_entries(self.truth.matrix, ~self.in_both[0])

    @cached_property
    def false(self) -> sparse.csr_array:
        """Labels that are predicted but not true, P2 = Z ∖ Y."""
        return choose_entries(self.prediction.matrix, ~self.in_both[1])

    @cached_property
    def part_sizes(self) -> PartSizes:
        """Numbers of common, missed and false labels of each sample, for which no matrix is split."""
        common = set_sizes(self.common)
        return PartSizes(
            common, set_sizes(self.truth.matrix) - common, set_sizes(self.prediction.matrix) - common
        )


@dataclass(frozen=True, eq=False, repr=False)
class ScoredBatch(Aligned):
    """Input of a measure of scores: true labels and scores of labels, sample by sample.

    Parameters
    ----------
    truth
        The true labels.
    prediction
        Scores of labels, over the same concepts and samples in the same order.
    hierarchy
        The hierarchy whose labels are the concepts, if there is one.
    weights
        What each concept counts for, where that is not 1.
    sample_weight
        What each sample counts for, where that is not 1.
    excluded
        Concepts of each sample that count neither way, since they were known before; no side has them.

    Raises
    ------
    MisalignedError
        If concepts or samples differ; `align` brings them together.
    InputError
        If the hierarchy has other labels than the truth.
    """

    truth: LabelSets
    prediction: LabelScores
    hierarchy: Hierarchy | None = None
    weights: NDArray[np.float64] | None = None
    sample_weight: NDArray[np.float64] | None = None
    excluded: LabelSets | None = None

    @cached_property
    def hits(self) -> NDArray[np.bool_]:
        """Whether each stored score is that of a true label, in the order in which they are stored."""
        return stored_in(self.prediction.matrix, self.truth.matrix)

    @cached_property
    def propagated(self) -> ScoredBatch:
        """Truth and scores with all ancestors, over all concepts of the hierarchy.

        An ancestor is true where a descendant is, and has the largest of the scores of itself
        and its descendants.
        """
        hierarchy = self.required_hierarchy("Propagating scores")
        upwards, concepts = hierarchy.label_ancestors, hierarchy.vocabulary
        truth = pattern(self.truth.matrix @ upwards)
        scores = largest_of_products(self.prediction.matrix, upwards)
        if self.excluded is not None:
            truth, scores = (_entries_outside(side, self.excluded.matrix) for side in (truth, scores))
        spread = LabelScores(scores, concepts, self.truth.samples, self.prediction.signed)
        return ScoredBatch(LabelSets(truth, concepts, self.truth.samples), spread)

    def at(self, threshold: Threshold) -> Batch:
        """Take the labels whose score reaches a threshold for predicted.

        Parameters
        ----------
        threshold
            One for all concepts, or one for each, see `LabelScores.at`.
        """
        return self.with_sets(self.prediction.at(threshold))

    def with_sets(self, sets: LabelSets) -> Batch:
        """Put label sets in the place of scores.

        Parameters
        ----------
        sets
            Predicted labels of the same samples.
        """
        return Batch(self.truth, sets, self.hierarchy, self.weights, None, self.sample_weight, self.excluded)


def aligned(
    truth: LabelSets | VerifiedLabels,
    predictions: Mapping[str, LabelSets | LabelScores],
    hierarchy: Hierarchy | None,
    missing: Missing,
) -> Iterator[Any]:
    """Batches of a truth and of each prediction over the same concepts, with the samples of the truth."""
    one_of("missing", missing, get_args(Missing))
    scored = any(isinstance(one, LabelScores) for one in predictions.values())
    if scored and isinstance(truth, VerifiedLabels):
        raise InputError(
            "verified labels can be compared with label sets alone, not with scores",
            "Leave out the samples or concepts with labels that are not verified; or choose measures of "
            "label sets and a threshold: scores.at(0.5).",
        )
    if hierarchy is not None and isinstance(truth, VerifiedLabels):
        # Descendants of an absent label are absent: their prediction is wrong, not unknown.
        truth = ruled_out(truth, hierarchy)
    sets, known = (truth.positive, truth.known) if isinstance(truth, VerifiedLabels) else (truth, None)
    fitted = (_in_order_of_truth(sets, one, missing, name) for name, one in predictions.items())
    return (
        ScoredBatch(sets, one, hierarchy)
        if isinstance(one, LabelScores)
        else Batch(sets, one, hierarchy, known=known)
        for one in fitted
    )


def _in_order_of_truth(
    truth: LabelSets, prediction: LabelSets | LabelScores, missing: Missing, name: str
) -> LabelSets | LabelScores:
    """Bring a prediction into the order of the truth's samples."""
    if truth.samples == prediction.samples:
        return copy_unchecked(prediction, samples=truth.samples)  # the same object is compared at no cost
    only_truth, only_prediction = only_samples(truth, prediction)
    refuse_alike([*only_truth, *only_prediction], what="sample")
    if missing == "refuse" and (only_truth or only_prediction):
        raise MisalignedError(
            "samples",
            only_truth,
            only_prediction,
            remedy=unmatched_remedy(
                only_truth,
                only_prediction,
                f"{ADD_SAMPLES}, or pass missing='empty' (--missing empty). {OTHER_SAMPLES}"
                if len(only_truth) < len(truth)
                else NO_SAMPLE_SHARED,
            ),
            where=run_named(name),
        )
    return prediction.take(truth.samples)


_ENDS = re.compile(r"^0+(?=.)|\.0+$")
"""What programs add to the numbers of samples, or take away."""


ADD_SAMPLES = "Add the missing samples (an empty cell means no label)"
OTHER_SAMPLES = "Samples that the truth alone has then count as empty, others are left out."

NO_SAMPLE_SHARED = "No sample is on both sides: check that these are the right data and columns of samples."


def unmatched_remedy(lacking: Sequence[str], beyond: Sequence[str], otherwise: str) -> str:
    """Remedy for samples that one side lacks, which may be those that it has under other identifiers."""
    written = {_ENDS.sub("", name.strip()).casefold(): name for name in beyond}
    pairs = ((name, written.get(_ENDS.sub("", name.strip()).casefold())) for name in lacking)
    one, other = next((pair for pair in pairs if pair[1] is not None), ("", None))
    if other is None:
        return otherwise
    how = "Write identifiers alike, as texts (of pandas read_csv(path, dtype=str) keeps them)."
    return f"{one!r} and {other!r} may be one sample. {how}"


def _entries_outside(matrix: sparse.csr_array, out: sparse.csr_array) -> sparse.csr_array:
    """Entries where another matrix has none."""
    stays = ~stored_in(matrix, out)
    return with_data(choose_entries(matrix, stays), matrix.data[stays])


def set_sizes(matrix: sparse.csr_array) -> NDArray[np.float64]:
    """Count the labels of each sample."""
    return np.diff(matrix.indptr).astype(np.float64)
