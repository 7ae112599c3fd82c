"""LabelScores: a score for labels of each sample, as sparse rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from ontoeval.csr import row_of_entries, with_data
from ontoeval.errors import InputError, ParameterError, counted, listed
from ontoeval.frames import Rows, Wide, by_names, refuse_frame, rows_of
from ontoeval.labels import LabelSets
from ontoeval.named_matrix import Named, NamedMatrix, numbers_in, of_matrix
from ontoeval.vocabulary import Vocabulary


@dataclass(frozen=True, eq=False)
class LabelScores(NamedMatrix):
    """A score for some or all labels of each sample.

    Parameters
    ----------
    matrix
        One row per sample and one column per concept; kept as CSR of floats. An entry that is not
        stored is a label without score, which no threshold makes a label; a stored 0 is a score.
    vocabulary
        The concepts.
    samples
        Identifiers of the samples, none twice.

    Raises
    ------
    InputError
        If the shape does not fit, a sample occurs twice, or a score is not a finite number.

    Examples
    --------
    >>> scores = LabelScores.from_array([[0.9, 0.2], [0.4, 0.6]])
    >>> scores.at(0.5).matrix.toarray().astype(int).tolist()
    [[1, 0], [0, 1]]
    """

    matrix: sparse.csr_array
    vocabulary: Vocabulary
    samples: tuple[str, ...]

    def __post_init__(self) -> None:
        """Put the matrix into canonical form and check scores and names."""
        matrix = sparse.csr_array(self.matrix).astype(np.float64)
        matrix.sort_indices()
        object.__setattr__(self, "matrix", matrix)
        self._check_names()
        if not matrix.has_canonical_format:
            raise InputError("a sample has two scores for one concept", "Keep one.")
        if not np.isfinite(matrix.data).all():
            entry = int(np.flatnonzero(~np.isfinite(matrix.data))[0])
            sample = self.samples[row_of_entries(matrix)[entry]]
            concept = self.vocabulary[int(matrix.indices[entry])]
            raise InputError(
                f"the score of {concept!r} for sample {sample!r} is {matrix.data[entry]}",
                "Scores must be finite numbers: leave out what has no score.",
            )

    @classmethod
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
            The scores; those of a dense array are all stored, zeros too.

        Raises
        ------
        InputError
            If a score is not a finite number, or the array has not two dimensions.

        Examples
        --------
        >>> LabelScores.from_array([[0.0, 0.5]]).matrix.nnz
        2
        """
        refuse_frame(array, "Use LabelScores.from_frame(frame), which reads its names.")
        numbers = numbers_in(array)
        if isinstance(numbers, np.ndarray):
            every = sparse.csr_array(np.ones_like(numbers))
            numbers = sparse.csr_array((numbers.ravel(), every.indices, every.indptr), shape=numbers.shape)
        return cls(*of_matrix(numbers, vocabulary, samples))

    @classmethod
    def from_frame(
        cls,
        frame: Any,  # noqa: ANN401 - whatever narwhals knows
        *,
        sample: str | None = None,
        concept: str | None = None,
        score: str | None = None,
        vocabulary: Sequence[str] | None = None,
    ) -> Self:
        """Take a data frame of pandas, polars, pyarrow or any other that narwhals knows, by its names.

        Parameters
        ----------
        frame
            One row per label and its score, or one row per sample with a list of labels and one of
            scores, or with one column of scores per concept; or a DataArray of xarray.
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
            If a column is not there, the frame can be read in several ways, a score is no finite number, or
            a label has two.
        UnknownConceptError
            If a label is not in the vocabulary.
        ParameterError
            If only one of `concept` and `score` is given.
        """
        if (concept is None) != (score is None):
            raise ParameterError("score", score, "a column of scores beside the column of labels, or neither")
        rows = rows_of(frame, sample=sample, concept=concept, value=score, vocabulary=vocabulary)
        return cls(*named_scores(rows, vocabulary))

    def at(self, threshold: float | Mapping[str, float]) -> LabelSets:
        """Make sets of the labels whose score reaches a threshold.

        Parameters
        ----------
        threshold
            One for all concepts, or one for each.

        Returns
        -------
        LabelSets
            The labels with score >= threshold.

        Raises
        ------
        UnknownConceptError
            If a threshold is given for something that is no concept.
        InputError
            If a concept has no threshold, or one is not a number.

        Examples
        --------
        >>> scores = LabelScores.from_array([[0.4, 0.4]], vocabulary=("a", "b"))
        >>> scores.at({"a": 0.3, "b": 0.5}).labels_of("0")
        ('a',)
        """
        threshold = by_names("threshold", threshold)
        given = threshold if isinstance(threshold, Mapping) else dict.fromkeys(self.vocabulary, threshold)
        limits = self.vocabulary.spread(given, "threshold")
        if np.isnan(limits).any():
            lacking = [self.vocabulary[int(column)] for column in np.flatnonzero(np.isnan(limits))]
            raise InputError(
                f"no threshold for {counted(len(lacking), 'concept')}: {listed(lacking)}",
                "Give each concept one.",
            )
        reached = self.matrix.data >= limits[self.matrix.indices]
        return LabelSets(with_data(self.matrix, reached), self.vocabulary, self.samples)


def named_scores(rows: Rows, vocabulary: Vocabulary | Sequence[str] | None) -> Named:
    """Make label scores of rows: what a `LabelScores` is made of."""
    if isinstance(rows, Wide):
        concepts = rows.concepts if vocabulary is None else vocabulary
        made = LabelScores.from_array(rows.numbers, vocabulary=concepts, samples=rows.samples)
        return made.matrix, made.vocabulary, made.samples
    if rows.values is None:
        raise InputError(
            "labels without scores stand where scores belong",
            "Name the column of the scores: LabelScores.from_frame(frame, sample=..., concept=..., "
            "score=...).",
        )
    return rows.named(rows.values, vocabulary)
