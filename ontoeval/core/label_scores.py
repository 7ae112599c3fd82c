"""LabelScores: a score for labels of each sample, as sparse rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ontoeval.core.choices import Threshold
from ontoeval.core.containers import numbers_in
from ontoeval.core.frames import AnyFrame, by_names, read_frame
from ontoeval.core.graphs import front_door
from ontoeval.core.label_sets import LabelSets, NamedMatrix
from ontoeval.core.rows import Listed, Wide, refuse_repeats
from ontoeval.core.vocabulary import Vocabulary, numbers_in_order
from ontoeval.errors import InputError, ParameterError, enumerate_some, pluralise
from ontoeval.plumbing.arrays import reaches
from ontoeval.plumbing.checks import whole_number
from ontoeval.plumbing.sparse import checked_csr, row_of_entries, stored_columns, with_data


@dataclass(frozen=True, eq=False, repr=False)
class LabelScores(NamedMatrix):
    """A score for some or all labels of each sample.

    A label without a score has the score 0. Where no score is negative, no threshold makes a label of a
    score of 0, not even a threshold of 0 or less; so dense scores, sparse ones and a file without the zeros
    are equal.

    Parameters
    ----------
    matrix
        One row per sample and one column per concept; kept as CSR of floats, without zeros where no score is
        negative.
    vocabulary
        The concepts.
    samples
        Identifiers of the samples, none twice.
    signed
        Whether these samples are part of data with negative scores; by default whether a score is negative
        here. Then every label needs a score, and a score of 0 is one like the others.

    Raises
    ------
    InputError
        If the shape does not fit, a sample occurs twice, a score is not a finite number, or a score is
        negative while some label has none.

    Examples
    --------
    >>> scores = LabelScores.from_array([[0.9, 0.2], [0.4, 0.6]])
    >>> scores.at(0.5).matrix.toarray().astype(int).tolist()
    [[1, 0], [0, 1]]
    """

    matrix: sparse.csr_array
    vocabulary: Vocabulary
    samples: tuple[str, ...]
    signed: bool | None = None

    def __post_init__(self) -> None:
        """Put the matrix into canonical form and check scores and names."""
        matrix = checked_csr(self.matrix).astype(np.float64)  # a copy
        matrix.sort_indices()
        object.__setattr__(self, "matrix", matrix)
        self._check_names()
        refuse_repeats("score", matrix, self.vocabulary, self.samples)
        if not np.isfinite(matrix.data).all():
            entry = int(np.flatnonzero(~np.isfinite(matrix.data))[0])
            sample = self.samples[row_of_entries(matrix)[entry]]
            concept = self.vocabulary[int(matrix.indices[entry])]
            raise InputError(
                f"the score of {concept!r} for sample {sample!r} is {matrix.data[entry]}",
                "Scores must be finite numbers: leave out what has no score.",
            )
        if self.signed is None:
            object.__setattr__(self, "signed", bool(matrix.data.min(initial=0.0) < 0))
            self._check_entries(matrix, self.vocabulary, self.samples)
        if not self.signed:
            matrix.eliminate_zeros()

    def _check_entries(
        self, matrix: sparse.csr_array, vocabulary: Vocabulary, samples: Sequence[str]
    ) -> None:
        """Refuse negative scores where a label has none: its implicit 0 would be higher."""
        pairs = matrix.shape[0] * matrix.shape[1]
        if not self.signed or matrix.nnz == pairs:
            return
        row = int(np.argmax(np.diff(matrix.indptr) < matrix.shape[1]))
        column = int(np.setdiff1d(np.arange(matrix.shape[1]), stored_columns(matrix, row))[0])
        raise InputError(
            f"no score for {pairs - matrix.nnz:,} of {pairs:,} pairs of sample and concept, such as sample "
            f"{samples[row]!r} and {vocabulary[column]!r}, while other scores are negative. "
            "Without a score a label has the score 0, which is more than a negative one",
            "Score every pair, or make all scores positive, for example by 1 / (1 + exp(-score)).",
        )

    @classmethod
    @front_door
    def from_array(
        cls,
        array: ArrayLike | sparse.sparray | sparse.spmatrix,
        *,
        vocabulary: Vocabulary | Sequence[str] | None = None,
        samples: Sequence[str] | None = None,
    ) -> Self:
        """Take an array of scores, dense or sparse.

        Parameters
        ----------
        array
            One row per sample and one column per concept.
        vocabulary
            The concepts; by default "0", "1", and so on.
        samples
            Identifiers; by default "0", "1", and so on.

        Returns
        -------
        LabelScores
            The scores.

        Raises
        ------
        InputError
            If a score is not a finite number, or the array has not two dimensions.
        """
        return cls(*Wide(numbers_in(array, cls), samples=samples).matrix(vocabulary))

    @classmethod
    def from_frame(
        cls,
        frame: AnyFrame,
        *,
        sample: str | None = None,
        concept: str | None = None,
        score: str | None = None,
        vocabulary: Sequence[str] | None = None,
    ) -> Self:
        """Take a data frame of pandas, polars, pyarrow or another library that narwhals knows, by its names.

        Parameters
        ----------
        frame
            One row per label and its score, or one row per sample with a list of labels and one of
            scores, or with one column of scores per concept.
        sample
            The column of the sample identifiers; by default as `LabelSets.from_frame` finds them.
        concept
            The column of the labels, or of the lists; by default as `LabelSets.from_frame` finds them.
        score
            The column of the scores, or of the lists; given if and only if `concept` is.
        vocabulary
            The concepts; by default the columns, or the labels that occur, sorted.

        Returns
        -------
        LabelScores
            The scores, samples in the order of their first row.

        Raises
        ------
        InputError
            If a column is not there, the frame can be read in several ways, a score is no finite number, a
            label has two, or a score is negative while some label has none.
        UnknownConceptError
            If a label is not in the vocabulary.
        ParameterError
            If only one of `concept` and `score` is given.
        """
        if (concept is None) != (score is None):
            raise ParameterError("score", score, "a column of scores beside the column of labels, or neither")
        rows = read_frame(frame, sample=sample, concept=concept, value=score, vocabulary=vocabulary)
        if rows.nulls and cls is not LabelScores:
            raise InputError(f"{pluralise(rows.nulls, 'null')} among the shares", "Write 0, or a share.")
        if isinstance(rows, Listed) and rows.values is None:
            raise InputError(
                "labels without scores stand where scores belong",
                "Name the column of the scores: LabelScores.from_frame(frame, sample=..., concept=..., "
                "score=...).",
            )
        return cls(*rows.matrix(vocabulary))

    def doubts(self, threshold: object) -> tuple[str, ...]:
        """Remark on scores below 0 at a threshold of probabilities.

        Parameters
        ----------
        threshold
            The threshold at which the scores are cut.
        """
        if not (self.signed and isinstance(threshold, float) and 0 < threshold < 1):
            return ()
        return (f"some scores are below 0, as logits are: {threshold} is no probability of them",)

    def at(self, threshold: Threshold) -> LabelSets:
        """Make sets of the labels whose score reaches a threshold.

        Parameters
        ----------
        threshold
            One for all concepts, or one for each: a mapping, or an array or list in the order of the
            vocabulary.

        Returns
        -------
        LabelSets
            The labels with score >= threshold; where no score is negative, none with a score of 0.

        Raises
        ------
        UnknownConceptError
            If a threshold is given for something that is no concept.
        InputError
            If a concept with scores has no threshold, or one is not a number.
        """
        scored = np.bincount(self.matrix.indices, minlength=len(self.vocabulary)) > 0
        limits = limits_of(threshold, self.vocabulary, scored)
        reached = reaches(self.matrix.data, limits[self.matrix.indices])
        return LabelSets(with_data(self.matrix, reached), self.vocabulary, self.samples)

    def top(self, k: int) -> LabelSets:
        """Make sets of the labels with the k highest scores of each sample.

        Parameters
        ----------
        k
            How many labels each sample gets, or where no score is negative fewer, if fewer have a score
            above 0; of equal scores the first in the vocabulary count.

        Returns
        -------
        LabelSets
            The labels.
        """
        matrix, row = self.matrix, row_of_entries(self.matrix)
        order = np.lexsort((matrix.indices, -matrix.data, row))
        place = np.empty_like(order)
        place[order] = np.arange(order.size) - matrix.indptr[row]
        kept = place < whole_number("k", k, 1)
        return LabelSets(with_data(matrix, kept), self.vocabulary, self.samples)


def limits_of(
    threshold: Threshold, vocabulary: Vocabulary, scored: NDArray[np.bool_] | None = None
) -> NDArray[np.float64]:
    """Threshold of each concept; nan for some that are not `scored`."""
    named = named_thresholds(threshold, vocabulary.concepts)
    given = named if isinstance(named, Mapping) else dict.fromkeys(vocabulary, named)
    limits = numbers_in_order(vocabulary, given, "threshold")
    without = np.isnan(limits) if scored is None else np.isnan(limits) & scored
    if without.any():
        lacking = [vocabulary[int(column)] for column in np.flatnonzero(without)]
        raise InputError(
            f"no threshold for {pluralise(len(lacking), 'concept')}: {enumerate_some(lacking)}",
            "Give each concept one.",
            where=getattr(threshold, "source", ""),
        )
    return limits


def named_thresholds(threshold: Threshold, concepts: Sequence[str]) -> float | Mapping[str, float]:
    """Name the concepts of thresholds in their order; a single one and named ones stay as they are."""
    given: Any = by_names("threshold", getattr(threshold, "threshold", threshold))  # of `TunedThresholds`
    if isinstance(given, Mapping) and [*given] == ["all"] and "all" not in concepts:
        given = given["all"]  # a frame of `TunedThresholds` for all
    if isinstance(given, Mapping) or not np.ndim(given):
        return cast("float | Mapping[str, float]", given.item() if isinstance(given, np.ndarray) else given)
    if np.shape(given) != (len(concepts),):
        columns = pluralise(len(concepts), "column") if concepts else "scores without one order of columns"
        raise InputError(
            f"thresholds without names, of shape {np.shape(given)}, for {columns}",
            "Give one for each column, in their order, or a mapping from concept to threshold.",
        )
    return dict(zip(concepts, np.asarray(given).tolist(), strict=True))
