"""LabelSets: the labels of each sample, as sparse rows; and their base class, matrices with names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ontoeval.core.containers import form_of_collections, numbers_in, refuse_frame
from ontoeval.core.frames import is_frame, levels_in, read_frame
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.names import NO_NAMES
from ontoeval.core.rows import LabelSyntax, Listed, Wide
from ontoeval.core.showing import Brief
from ontoeval.core.vocabulary import Vocabulary, refuse_same, rename_concepts, vocabulary_of
from ontoeval.errors import InputError, MisalignedError, enumerate_some, pluralise, pluralise_all
from ontoeval.plumbing.sparse import (
    checked_csr,
    pattern,
    row_of_entries,
    rows_between,
    stored_columns,
    without_entries,
)
from ontoeval.plumbing.values import PickledByFields, copy_unchecked

PADDING = frozenset({"UNK", "None", ""})
"""Texts behind the last level of a path."""

LEVELS_IN_ORDER = "Give the levels from the root down, and padding behind the last."

_ROWS = 100_000
"""Samples per block where only sizes of closed sets are needed."""


def _is_padding(label: object) -> bool:
    return label is None or label != label or (isinstance(label, str) and label.strip() in PADDING)  # noqa: PLR0124 - nan


class NamedRows(Brief, PickledByFields, ABC):
    """Base of label sets, label scores and verified labels: rows named by samples, columns by concepts."""

    vocabulary: Any
    samples: Any

    @property
    def _brief(self) -> str:
        return pluralise_all(sample=len(self.samples), concept=len(self.vocabulary))

    @abstractmethod
    def _map_matrices(self, change: Callable[[Any], Any]) -> Self:
        """Apply a function to every matrix."""

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
        samples = self.samples[begin:end]
        return self._map_matrices(lambda part: part.between(begin, end, samples))

    def take(self, samples: Sequence[str]) -> Self:
        """Pick samples by name; those that are not there come out without any label.

        Parameters
        ----------
        samples
            Identifiers in the order wanted.

        Returns
        -------
        Self
            These samples.
        """
        return self._map_matrices(lambda part: _take_rows(part, samples))

    def within(self, vocabulary: Vocabulary) -> Self:
        """Move the columns to where another vocabulary has them; it has every concept that is used here.

        Parameters
        ----------
        vocabulary
            Names of the columns.

        Returns
        -------
        Self
            The same, over that vocabulary.

        Raises
        ------
        MisalignedError
            If the other vocabulary lacks a concept that is used.
        """
        return self._map_matrices(lambda part: _move_columns(part, vocabulary))

    def named_by(self, vocabulary: Vocabulary) -> Self:
        """Give concepts the names that a vocabulary has for them; the columns stay.

        Parameters
        ----------
        vocabulary
            The names, such as those of a hierarchy. What means no concept of it keeps its name; of label sets
            several columns for one concept are united.

        Returns
        -------
        Self
            The same under these names.

        Raises
        ------
        AmbiguousNameError
            If a name means several concepts.
        InputError
            If several columns of scores are for one concept.
        """
        names = vocabulary.translated(self.vocabulary)
        return self._map_matrices(lambda part: _rename_concepts(part, names)) if names else self


class NamedMatrix(NamedRows):
    """Base of label sets and label scores."""

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
                f"a matrix of shape {self.matrix.shape} does not fit "
                f"{pluralise(len(samples), 'sample')} and {pluralise(len(self.vocabulary), 'concept')}",
                "Give one row per sample and one column per concept.",
            )
        if len(set(samples)) != len(samples):
            twice = [name for row, name in enumerate(samples) if self.row[name] != row]
            raise InputError(f"samples that occur twice: {enumerate_some(twice)}", "Keep one row per sample.")

    @cached_property
    def row(self) -> dict[str, int]:
        """Row of each sample."""
        return dict(zip(self.samples, range(len(self.samples)), strict=True))

    def __len__(self) -> int:
        """Count the samples."""
        return len(self.samples)

    def _map_matrices(self, change: Callable[[Any], Any]) -> Self:
        changed: Self = change(self)
        return changed

    def between(self, begin: int, end: int, samples: tuple[str, ...]) -> Self:
        """Cut out consecutive rows, of which the names are cut out already.

        Parameters
        ----------
        begin
            Position of the first row.
        end
            Position after the last row.
        samples
            Names of these rows.

        Returns
        -------
        Self
            These samples alone.
        """
        return copy_unchecked(self, matrix=rows_between(self.matrix, begin, end), samples=samples)

    def remade(
        self,
        matrix: sparse.csr_array,
        *,
        vocabulary: Vocabulary | None = None,
        samples: tuple[str, ...] | None = None,
    ) -> Self:
        """Replace the matrix, and vocabulary or samples if given."""
        vocabulary = self.vocabulary if vocabulary is None else vocabulary
        samples = self.samples if samples is None else samples
        self._check_entries(matrix, vocabulary, samples)
        made: Self = replace(self, matrix=matrix, vocabulary=vocabulary, samples=samples)  # type: ignore[type-var]
        return made

    def _check_entries(
        self, matrix: sparse.csr_array, vocabulary: Vocabulary, samples: Sequence[str]
    ) -> None:
        """Check the stored values of a new matrix; label sets have none to check."""


def _take_rows(part: NamedMatrix, samples: Sequence[str]) -> NamedMatrix:
    samples, lacking = tuple(samples), len(part)
    if samples == part.samples:
        return part
    empty = sparse.csr_array((1, len(part.vocabulary)), dtype=part.matrix.dtype)
    rows = np.array([part.row.get(name, lacking) for name in samples], dtype=np.intp)
    picked = sparse.csr_array(sparse.vstack([part.matrix, empty], format="csr")[rows])
    return part.remade(picked, samples=samples)


def _rename_concepts(part: NamedMatrix, names: Mapping[str, str]) -> NamedMatrix:
    vocabulary, column = rename_concepts(part.vocabulary, names)
    if part.matrix.dtype != bool:
        refuse_same(part.vocabulary, names)
    return _with_columns(part, vocabulary, column)


def _with_columns(part: NamedMatrix, vocabulary: Vocabulary, column: NDArray[np.intp]) -> NamedMatrix:
    """Move each column to another one of a vocabulary."""
    entries = part.matrix.data, column[part.matrix.indices], part.matrix.indptr
    return part.remade(sparse.csr_array(entries, shape=(len(part), len(vocabulary))), vocabulary=vocabulary)


def _move_columns(part: NamedMatrix, vocabulary: Vocabulary) -> NamedMatrix:
    if vocabulary == part.vocabulary:
        own = part.vocabulary
        same = vocabulary.names in (own.names, NO_NAMES) and vocabulary.origin == own.origin
        return part if same else copy_unchecked(part, vocabulary=vocabulary)
    used = (part.vocabulary[column] for column in np.unique(part.matrix.indices))
    if lost := [name for name in used if name not in vocabulary]:
        raise MisalignedError(
            "concepts", (), lost, remedy="Read both over the same vocabulary or the same ontology."
        )
    column = np.array([vocabulary.index.get(name, 0) for name in part.vocabulary], dtype=np.intp)
    return _with_columns(part, vocabulary, column)


@dataclass(frozen=True, eq=False, repr=False)
class LabelSets(NamedMatrix):
    """A set of labels for each sample.

    Parameters
    ----------
    matrix
        One row per sample and one column per concept, true where the sample has the label; kept
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
    >>> labels = {"p1": ["sky", "sea"], "p2": []}
    >>> sets = LabelSets.from_sets(labels, vocabulary=("sea", "sky"))
    >>> sets.matrix.toarray().tolist(), sets.samples
    ([[True, True], [False, False]], ('p1', 'p2'))
    """

    matrix: sparse.csr_array
    vocabulary: Vocabulary
    samples: tuple[str, ...]

    def __post_init__(self) -> None:
        """Put the matrix into canonical form and check the names."""
        object.__setattr__(self, "matrix", pattern(checked_csr(self.matrix)))
        self._check_names()

    @classmethod
    def from_sets(
        cls,
        sets: Mapping[str, Iterable[str]] | Iterable[Iterable[str]],
        *,
        vocabulary: Vocabulary | Sequence[str] | None = None,
        samples: Sequence[str] | None = None,
        classes: Sequence[str] | None = None,
        separator: str | None = None,
    ) -> Self:
        """Take the labels of each sample; order and repetition say nothing.

        Parameters
        ----------
        sets
            A mapping from sample to labels, or the labels of one sample after the other: a collection of
            texts, or a text, which is one label unless there is a separator.
        vocabulary
            The concepts; by default the classes, or the labels that occur, sorted.
        samples
            Identifiers, where `sets` is no mapping; by default "0", "1", and so on.
        classes
            The names of the classes, where whole numbers stand for them: 0 for the first.
        separator
            What stands between the labels of a text, such as ";".

        Raises
        ------
        InputError
            If the labels of a sample are neither a text nor a collection.
        UnknownConceptError
            If a label is not in the vocabulary.

        Examples
        --------
        >>> LabelSets.from_sets([{"b"}, {"a", "b"}]).vocabulary.concepts
        ('a', 'b')
        >>> LabelSets.from_sets(["b", "a; b"], separator=";").labels_of("1")
        ('a', 'b')
        """
        reading = LabelSyntax(classes, separator)
        refuse_frame(sets, cls)
        names = None if samples is None else tuple(map(str, samples))
        rows = form_of_collections(sets, reading, names, numbers=False)
        if rows.samples is not None and len(rows.samples) != len(rows):
            raise InputError(
                f"{len(rows.samples):,} identifiers for the labels of {len(rows):,} samples",
                "Give each sample one.",
            )
        if isinstance(rows, Wide):
            made = cls(*rows.marks(reading.classes))
            return made if vocabulary is None else made.within(vocabulary_of(vocabulary))
        listed = reading.classes if vocabulary is None else vocabulary_of(vocabulary)
        return cls(*rows.split(listed).matrix(listed))

    @classmethod
    def from_paths(
        cls,
        paths: Any,  # noqa: ANN401 - lists, an array, or whatever narwhals knows
        *,
        sample: str | None = None,
        levels: Sequence[str] | None = None,
        samples: Sequence[str] | None = None,
        vocabulary: Vocabulary | Sequence[str] | None = None,
    ) -> Self:
        """Take one path for each sample, its concepts from the root down, padded by UNK, None or nothing.

        Parameters
        ----------
        paths
            A list or an array with a row for each sample, a mapping from sample to path, or a data frame with
            a column for each level.
        sample
            In a data frame, the column of the sample identifiers; see `from_frame`.
        levels
            In a data frame, the columns of the levels from the root down; by default all others.
        samples
            Identifiers, where the paths name none; by default "0", "1", and so on.
        vocabulary
            The concepts; by default the labels that occur, sorted.

        Raises
        ------
        InputError
            If a label stands below padding.

        Examples
        --------
        >>> LabelSets.from_paths([["animal", "cat"], ["plant", "UNK"]]).labels_of("1")
        ('plant',)
        """
        if is_frame(paths):
            named, rows = levels_in(paths, sample, levels)
            samples = samples if named is None else named
        else:
            samples = tuple(paths) if isinstance(paths, Mapping) else samples
            rows = [*(paths.values() if isinstance(paths, Mapping) else paths)]
            if text := next((row for row in rows if isinstance(row, str)), None):
                raise InputError(f"{text!r} stands where a path belongs", "Give a list of its levels.")
            rows = [[*row] for row in rows]
        kept = [[label for label in row if not _is_padding(label)] for row in rows]
        odd = next((n for n, row in enumerate(rows) if row[: len(kept[n])] != kept[n]), None)
        if odd is not None:
            raise InputError(f"the path {rows[odd]} of row {odd} has a label below padding", LEVELS_IN_ORDER)
        return cls.from_sets(kept, samples=samples, vocabulary=vocabulary)

    @classmethod
    @front_door
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

        Raises
        ------
        InputError
            If an entry is neither 0 nor 1, or the array has not two dimensions.
        """
        return cls(*Wide(numbers_in(array, cls), samples=samples).marks(vocabulary))

    @staticmethod
    @front_door
    def from_frame(
        frame: Any,  # noqa: ANN401 - whatever narwhals knows
        *,
        sample: str | None = None,
        concept: str | None = None,
        value: str | None = None,
        vocabulary: Sequence[str] | None = None,
        classes: Sequence[str] | None = None,
        separator: str | None = None,
    ) -> LabelSets:
        """Take a data frame of pandas, polars, pyarrow or any other that narwhals knows, by its names.

        Parameters
        ----------
        frame
            One row per label, or one row per sample with a list of its labels, or with one column
            of 0 and 1 per concept; or a series of lists.
        sample
            The column of the sample identifiers; by default the index, or a column that is called "id",
            "sample" or the like. An index that only counts the rows names no sample, and rows are counted.
        concept
            The column of the labels, or of the lists; by default the only column of lists, or a column of
            texts that is called "concept", "label" or the like; else all other columns are concepts.
        value
            Beside `concept`, the column of 0 and 1: a 0 marks an absent label.
        vocabulary
            The concepts; by default the classes, these columns, or the labels that occur, sorted.
        classes
            The names of the classes, where whole numbers stand for them in the column of the labels.
        separator
            What stands between the labels of a text, such as ";".

        Returns
        -------
        LabelSets
            The sets, samples in the order of their first row. A null in a list, or in a column of labels,
            stands for no label.

        Raises
        ------
        InputError
            If a column is not there, the frame can be read in several ways, a sample has no name, or an
            entry is neither 0 nor 1.
        UnknownConceptError
            If a label is not in the vocabulary.
        """
        reading = LabelSyntax(classes, separator)
        columns = {"sample": sample, "concept": concept, "value": value}
        names = reading.classes if vocabulary is None else vocabulary_of(vocabulary)
        rows = read_frame(frame, reading, vocabulary=None if vocabulary is None else names, **columns)
        if isinstance(rows, Listed):
            return LabelSets(*rows.split(names).marks(names))
        return LabelSets(*rows.marks(names if vocabulary is not None or rows.concepts is None else None))

    @property
    def sizes(self) -> NDArray[np.intp]:
        """Number of labels of each sample."""
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
        """
        if sample not in self.row:
            raise InputError(f"no sample {sample!r}", f"First samples: {enumerate_some(self.samples)}.")
        return tuple(self.vocabulary[column] for column in stored_columns(self.matrix, self.row[sample]))

    @front_door
    def closed(self, hierarchy: AnyHierarchy) -> LabelSets:
        """Close every set upwards: add the ancestors of its labels, of those that may be labels.

        Parameters
        ----------
        hierarchy
            The hierarchy of the labels.

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
        >>> hierarchy = [("plants", "trees")]
        >>> LabelSets.from_sets({"p1": ["trees"]}).closed(hierarchy).labels_of("p1")
        ('plants', 'trees')
        """
        sets = self.named_by(hierarchy.vocabulary).within(hierarchy.label_vocabulary)
        return LabelSets(sets.matrix @ hierarchy.labels_upward, sets.vocabulary, sets.samples)

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the samples, in their order, and the names of their labels, as hexadecimal digits."""
        used, place = np.unique(self.matrix.indices, return_inverse=True)
        names = [self.vocabulary[at] for at in used.tolist()]
        labels = np.argsort(np.argsort(names))[place]  # which other columns do not change
        labels = labels[np.lexsort((labels, row_of_entries(self.matrix)))]
        texts = "\0".join((*self.samples, *sorted(names))).encode()
        return sha256(b"".join((texts, self.matrix.indptr.tobytes(), labels.tobytes()))).hexdigest()

    @front_door
    def unclosed(self, hierarchy: AnyHierarchy) -> NDArray[np.bool_]:
        """Whether each set lacks an ancestor of one of its labels.

        Parameters
        ----------
        hierarchy
            The hierarchy; ancestors that are never labels are not required.
        """
        sets = self.named_by(hierarchy.vocabulary).within(hierarchy.label_vocabulary)
        above, starts = hierarchy.labels_directly_above, range(0, len(sets), _ROWS)
        parts = (sets.matrix[begin : begin + _ROWS] for begin in starts)
        lacking = [np.diff(without_entries(part @ above, part).indptr) > 0 for part in parts]
        return np.concatenate([np.zeros(0, dtype=bool), *lacking])


def refuse_misaligned(truth: NamedMatrix, prediction: NamedMatrix, remedy: str) -> None:
    """Refuse sides over other concepts or samples, or in another order."""
    ours, theirs = truth.vocabulary, prediction.vocabulary
    if ours != theirs:
        raise MisalignedError(
            "concepts", names_not_in(ours, theirs.index), names_not_in(theirs, ours.index), remedy=remedy
        )
    if truth.samples is not prediction.samples and truth.samples != prediction.samples:
        raise MisalignedError("samples", *only_samples(truth, prediction), remedy=remedy)


def only_samples(truth: NamedMatrix, prediction: NamedMatrix) -> tuple[list[str], list[str]]:
    """List the samples that only one side has."""
    return names_not_in(truth.samples, prediction.row), names_not_in(prediction.samples, truth.row)


def labels_of_all(sets: LabelSets) -> frozenset[int] | None:
    """Columns of the labels of each sample; None where samples differ."""
    columns, size = sets.matrix.indices, int(sets.sizes[0])
    same = (sets.sizes == size).all() and (columns == np.tile(columns[:size], len(sets))).all()
    return frozenset(columns[:size].tolist()) if same else None


def names_not_in(names: Iterable[str], others: Container[str]) -> list[str]:
    """Names that are not among others."""
    return [name for name in names if name not in others]
