"""LabelSets and LabelScores: what was said of each sample, as sparse rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ontoeval.csr import pattern, row_of_entries
from ontoeval.errors import InputError, MisalignedError, ParameterError, UnknownConceptError, listed
from ontoeval.frames import labels_of, numbers_of
from ontoeval.hierarchy import Hierarchy
from ontoeval.vocabulary import Vocabulary

_ROWS = 100_000
"""How many sets are closed at once where only their sizes are wanted."""


class _Rows:
    """What label sets and label scores share: rows named by samples, columns by concepts."""

    matrix: sparse.csr_array
    vocabulary: Vocabulary
    samples: tuple[str, ...]

    def _check_names(self) -> None:
        samples = tuple(self.samples)
        object.__setattr__(self, "samples", samples)
        if not isinstance(self.vocabulary, Vocabulary):
            object.__setattr__(self, "vocabulary", Vocabulary(tuple(self.vocabulary)))
        if self.matrix.shape != (len(samples), len(self.vocabulary)):
            raise InputError(
                f"a matrix of shape {self.matrix.shape} does not fit {len(samples):,} samples and "
                f"{len(self.vocabulary):,} concepts",
                "Give one row per sample and one column per concept.",
            )
        if len(self.row) != len(samples):
            twice = [name for row, name in enumerate(samples) if self.row[name] != row]
            raise InputError(f"samples that occur twice: {listed(twice)}", "Keep one row per sample.")

    @cached_property
    def row(self) -> dict[str, int]:
        """Row of each sample."""
        return dict(zip(self.samples, range(len(self.samples)), strict=True))

    def __len__(self) -> int:
        """Count the samples."""
        return len(self.samples)


@dataclass(frozen=True, eq=False)
class LabelSets(_Rows):
    """A set of labels for each sample.

    Parameters
    ----------
    matrix
        One row per sample and one column per concept, true where the sample bears the label; kept
        as boolean CSR.
    vocabulary
        The concepts.
    samples
        Identifiers of the samples, none twice.

    Raises
    ------
    InputError
        If the shape does not fit or a sample occurs twice.

    Examples
    --------
    >>> sets = LabelSets.from_sets({"p1": ["sky", "sea"], "p2": []}, vocabulary=("sea", "sky"))
    >>> sets.matrix.toarray().tolist(), sets.samples
    ([[True, True], [False, False]], ('p1', 'p2'))
    """

    matrix: sparse.csr_array
    vocabulary: Vocabulary
    samples: tuple[str, ...]

    def __post_init__(self) -> None:
        """Put the matrix into canonical form and check the names."""
        object.__setattr__(self, "matrix", pattern(self.matrix))
        self._check_names()

    @classmethod
    def from_sets(
        cls,
        sets: Mapping[str, Iterable[str]] | Iterable[Iterable[str]],
        *,
        vocabulary: Vocabulary | Sequence[str] | None = None,
        samples: Sequence[str] | None = None,
    ) -> Self:
        """Take a collection of labels for each sample; order and repetition say nothing.

        Parameters
        ----------
        sets
            A mapping from sample to labels, or the labels of one sample after the other.
        vocabulary
            The concepts; by default the labels that occur, sorted.
        samples
            Identifiers, where `sets` is no mapping; by default "0", "1", and so on.

        Returns
        -------
        LabelSets
            The sets.

        Raises
        ------
        UnknownConceptError
            If a label is not in the vocabulary.

        Examples
        --------
        >>> LabelSets.from_sets([{"b"}, {"a", "b"}]).vocabulary.concepts
        ('a', 'b')
        """
        if isinstance(sets, Mapping):
            samples = tuple(map(str, sets))
            rows = [tuple(labels) for labels in sets.values()]
        else:
            rows = [tuple(labels) for labels in sets]
            samples = tuple(map(str, range(len(rows)) if samples is None else samples))
        if any(isinstance(labels, str) for labels in (sets.values() if isinstance(sets, Mapping) else ())):
            raise InputError("a text stands where the labels of a sample belong", "Give a list of labels.")
        flat = [str(label) for label in chain.from_iterable(rows)]
        lengths = np.fromiter(map(len, rows), dtype=np.intp, count=len(rows))
        owner = np.repeat(np.arange(len(rows)), lengths)
        ones = np.ones(len(flat), dtype=bool)
        return cls(*_table(flat, owner, ones, vocabulary, samples, rows=len(rows)))

    @classmethod
    def from_array(
        cls,
        array: ArrayLike | sparse.sparray | sparse.spmatrix,
        *,
        vocabulary: Vocabulary | Sequence[str] | None = None,
        samples: Sequence[str] | None = None,
    ) -> Self:
        """Take an array of 0 and 1, dense or sparse.

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
        LabelSets
            The sets.

        Raises
        ------
        InputError
            If an entry is neither 0 nor 1, or the array has not two dimensions.

        Examples
        --------
        >>> LabelSets.from_array([[0, 1], [1, 1]]).matrix.sum().item()
        3
        """
        matrix = _csr(array)
        values = matrix.data
        if values.dtype != bool and not np.all((values == 0) | (values == 1)):
            entry = int(np.flatnonzero((values != 0) & (values != 1))[0])
            raise InputError(
                f"row {int(row_of_entries(matrix)[entry])}, column {int(matrix.indices[entry])} holds "
                f"{values[entry].item()!r}, neither 0 nor 1",
                "If these are scores, use LabelScores.from_array(...).at(threshold).",
            )
        return cls(matrix, *_names(matrix, vocabulary, samples))

    @classmethod
    def from_frame(
        cls,
        frame: Any,  # noqa: ANN401 - whatever narwhals knows
        *,
        sample: str,
        concept: str | None = None,
        vocabulary: Sequence[str] | None = None,
    ) -> Self:
        """Take a data frame of pandas, polars, pyarrow or any other that narwhals knows.

        Parameters
        ----------
        frame
            One row per label, or one row per sample with a list of its labels, or with one column
            of 0 and 1 per concept.
        sample
            The column of the sample identifiers.
        concept
            The column of the labels, or of the lists; without it the other columns are concepts.
        vocabulary
            The concepts; by default these columns, or the labels that occur, sorted.

        Returns
        -------
        LabelSets
            The sets, samples in the order of their first row. A null stands for no label.

        Raises
        ------
        InputError
            If a column is not there, or an entry of a wide frame is neither 0 nor 1.
        UnknownConceptError
            If a label is not in the vocabulary.
        MissingExtraError
            If narwhals is not installed.
        """
        if concept is None:
            return cls.from_array(**numbers_of(frame, sample=sample, concepts=vocabulary))
        found = labels_of(frame, sample=sample, concept=concept)
        ones = np.ones(len(found.labels), dtype=bool)
        return cls(*_table(found.labels, found.row, ones, vocabulary, found.samples))

    @property
    def sizes(self) -> NDArray[np.intp]:
        """How many labels each sample bears."""
        return np.diff(self.matrix.indptr).astype(np.intp)

    def labels_of(self, sample: str) -> tuple[str, ...]:
        """Name the labels of one sample.

        Parameters
        ----------
        sample
            Its identifier.

        Returns
        -------
        tuple of str
            Its labels in the order of the vocabulary.

        Raises
        ------
        InputError
            If there is no such sample.

        Examples
        --------
        >>> LabelSets.from_sets({"p1": ["sky", "sea"]}).labels_of("p1")
        ('sea', 'sky')
        """
        if sample not in self.row:
            raise InputError(f"no sample {sample!r}", f"The first samples are {listed(self.samples)}.")
        begin, end = self.matrix.indptr[self.row[sample] :][:2]
        return tuple(self.vocabulary[column] for column in self.matrix.indices[begin:end])

    def take(self, samples: Sequence[str]) -> LabelSets:
        """Pick samples by name; those that are not there come out with an empty set.

        Parameters
        ----------
        samples
            Identifiers in the order wanted.

        Returns
        -------
        LabelSets
            One row per identifier.

        Examples
        --------
        >>> LabelSets.from_sets({"p1": ["a"], "p2": []}).take(["p3", "p1"]).sizes
        array([0, 1])
        """
        empty = sparse.csr_array((1, len(self.vocabulary)), dtype=bool)
        rows = np.array([self.row.get(name, len(self)) for name in samples], dtype=np.intp)
        return LabelSets(
            sparse.vstack([self.matrix, empty], format="csr")[rows], self.vocabulary, tuple(samples)
        )

    def within(self, vocabulary: Vocabulary) -> LabelSets:
        """Move the columns to where another vocabulary has them.

        Parameters
        ----------
        vocabulary
            Holds every concept that is used here; more do no harm.

        Returns
        -------
        LabelSets
            The same sets over the other vocabulary.

        Raises
        ------
        MisalignedError
            If the other vocabulary lacks a concept that is used.

        Examples
        --------
        >>> LabelSets.from_sets([["b"]]).within(Vocabulary(("a", "b"))).matrix.indices.tolist()
        [1]
        """
        if vocabulary == self.vocabulary:
            return self
        used = np.unique(self.matrix.indices)
        lost = [self.vocabulary[column] for column in used if self.vocabulary[column] not in vocabulary]
        if lost:
            raise MisalignedError(
                "concepts", (), lost, remedy="Read both over the same vocabulary or the same ontology."
            )
        column = np.array([vocabulary.index.get(name, 0) for name in self.vocabulary], dtype=np.intp)
        matrix = sparse.csr_array(
            (self.matrix.data, column[self.matrix.indices], self.matrix.indptr),
            shape=(len(self), len(vocabulary)),
        )
        return LabelSets(matrix, vocabulary, self.samples)

    def closed(self, hierarchy: Hierarchy) -> LabelSets:
        """Close every set upwards: add the ancestors of its labels, of those that may be labels.

        Parameters
        ----------
        hierarchy
            Tells the ancestors.

        Returns
        -------
        LabelSets
            The larger sets, over the labels of the hierarchy.

        Raises
        ------
        MisalignedError
            If a concept that is used is no label of the hierarchy.

        Examples
        --------
        >>> hierarchy = Hierarchy.from_edges([("plants", "trees")])
        >>> LabelSets.from_sets({"p1": ["trees"]}).closed(hierarchy).labels_of("p1")
        ('plants', 'trees')
        """
        sets = self.within(hierarchy.label_vocabulary)
        upwards = hierarchy.label_ancestors[:, hierarchy.labels]
        return LabelSets(sets.matrix @ upwards, sets.vocabulary, sets.samples)

    def unclosed(self, hierarchy: Hierarchy) -> NDArray[np.bool_]:
        """Tell which sets lack an ancestor of one of their labels.

        Parameters
        ----------
        hierarchy
            Tells the ancestors; those that are never labels are not missed.

        Returns
        -------
        ndarray of bool
            One mark per sample.

        Examples
        --------
        >>> hierarchy = Hierarchy.from_edges([("plants", "trees")])
        >>> LabelSets.from_sets([["trees"], ["plants"]]).unclosed(hierarchy)
        array([ True, False])
        """
        sets = self.within(hierarchy.label_vocabulary)
        upwards = hierarchy.label_ancestors[:, hierarchy.labels]
        starts = range(0, len(sets), _ROWS)
        parts = [np.diff((sets.matrix[begin : begin + _ROWS] @ upwards).indptr) for begin in starts]
        return np.concatenate([np.empty(0, dtype=np.intp), *parts]) > sets.sizes


@dataclass(frozen=True, eq=False)
class LabelScores(_Rows):
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
        if sparse.issparse(array):
            matrix = _csr(array)
        else:
            dense = np.asarray(array, dtype=np.float64)
            matrix = _csr(np.ones_like(dense))
            matrix = sparse.csr_array((dense.ravel(), matrix.indices, matrix.indptr), shape=dense.shape)
        return cls(matrix, *_names(matrix, vocabulary, samples))

    @classmethod
    def from_frame(
        cls,
        frame: Any,  # noqa: ANN401 - whatever narwhals knows
        *,
        sample: str,
        concept: str | None = None,
        score: str | None = None,
        vocabulary: Sequence[str] | None = None,
    ) -> Self:
        """Take a data frame of pandas, polars, pyarrow or any other that narwhals knows.

        Parameters
        ----------
        frame
            One row per label and its score, or one row per sample with a list of labels and one of
            scores, or with one column of scores per concept.
        sample
            The column of the sample identifiers.
        concept
            The column of the labels, or of the lists; without it the other columns are concepts.
        score
            The column of the scores, or of the lists; there if and only if `concept` is.
        vocabulary
            The concepts; by default the columns, or the labels that occur, sorted.

        Returns
        -------
        LabelScores
            The scores, samples in the order of their first row.

        Raises
        ------
        InputError
            If a column is not there, a score is no finite number, or a label has two.
        UnknownConceptError
            If a label is not in the vocabulary.
        ParameterError
            If only one of `concept` and `score` is given.
        MissingExtraError
            If narwhals is not installed.
        """
        if (concept is None) != (score is None):
            raise ParameterError("score", score, "a column of scores beside the column of labels, or neither")
        if concept is None:
            return cls.from_array(**numbers_of(frame, sample=sample, concepts=vocabulary))
        found = labels_of(frame, sample=sample, concept=concept, score=score)
        return cls(*_table(found.labels, found.row, found.scores, vocabulary, found.samples))

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
        limits = np.full(len(self.vocabulary), np.nan)
        if isinstance(threshold, Mapping):
            limits[self.vocabulary.positions(threshold)] = list(threshold.values())
        else:
            limits[:] = threshold
        if np.isnan(limits).any():
            lacking = [self.vocabulary[int(column)] for column in np.flatnonzero(np.isnan(limits))]
            raise InputError(
                f"no threshold for {len(lacking):,} concepts: {listed(lacking)}", "Give each concept one."
            )
        reached = self.matrix.data >= limits[self.matrix.indices]
        matrix = sparse.csr_array((reached, self.matrix.indices, self.matrix.indptr), self.matrix.shape)
        return LabelSets(matrix, self.vocabulary, self.samples)


def _table(
    labels: Sequence[str],
    row: NDArray[np.intp],
    values: NDArray[Any],
    vocabulary: Vocabulary | Sequence[str] | None,
    samples: Sequence[str],
    *,
    rows: int | None = None,
) -> tuple[sparse.csr_array, Vocabulary, tuple[str, ...]]:
    """Put labels into rows and columns; what is there twice stays there twice."""
    names = Vocabulary(tuple(sorted(set(labels)) if vocabulary is None else vocabulary))
    columns = np.array([names.index.get(label, -1) for label in labels], dtype=np.intp)
    if (columns < 0).any():
        unknown: dict[str, str] = {}
        for entry in np.flatnonzero(columns < 0).tolist():
            unknown.setdefault(labels[entry], f"sample {samples[row[entry]]!r}")
        raise UnknownConceptError(unknown, names)
    order = np.argsort(row, kind="stable")
    shape = len(samples) if rows is None else rows, len(names)
    begin = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=shape[0]))])
    return sparse.csr_array((values[order], columns[order], begin), shape=shape), names, tuple(samples)


def _csr(array: ArrayLike | sparse.sparray | sparse.spmatrix) -> sparse.csr_array:
    if not sparse.issparse(array):
        try:
            array = np.asarray(array)
        except ValueError as error:
            remedy = "Give one number per sample and concept; labels must be texts."
            raise InputError("rows of different lengths", remedy) from error
        if array.ndim != 2 or array.dtype.kind not in "biuf":  # noqa: PLR2004
            raise InputError(
                f"an array of shape {array.shape} and type {array.dtype}",
                "Give numbers, one row per sample and one column per concept.",
            )
    return sparse.csr_array(array)


def _names(
    matrix: sparse.csr_array,
    vocabulary: Vocabulary | Sequence[str] | None,
    samples: Sequence[str] | None,
) -> tuple[Vocabulary, tuple[str, ...]]:
    if vocabulary is None:
        vocabulary = Vocabulary.numbered(matrix.shape[1])
    return (
        vocabulary if isinstance(vocabulary, Vocabulary) else Vocabulary(tuple(vocabulary)),
        tuple(map(str, range(matrix.shape[0]) if samples is None else samples)),
    )
