"""LabelSets: the labels of each sample, as sparse rows; and their base class, matrices with names."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property, lru_cache
from itertools import chain, repeat
from numbers import Real
from os import PathLike
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.names import NO_NAMES
from ontoeval.core.showing import Brief
from ontoeval.core.vocabulary import Vocabulary, refuse_nothing, rename_concepts, union_of, vocabulary_of
from ontoeval.errors import (
    InputError,
    MisalignedError,
    ParameterError,
    enumerate_some,
    pluralise,
    pluralise_all,
)
from ontoeval.plumbing.frames import (
    FrameRows,
    Listed,
    Wide,
    class_name,
    is_whole,
    names_in,
    refuse_frame,
    refuse_records,
    refuse_vectors,
    rows_of,
)
from ontoeval.plumbing.sparse import (
    nonzero_entries,
    pattern,
    row_of_entries,
    rows_between,
    sealed_pattern,
    stored_columns,
    with_data,
    without_entries,
)
from ontoeval.plumbing.values import PickledByFields, copy_unchecked

_ROWS = 100_000
"""Samples per block where only sizes of closed sets are needed."""


def refuse_repeats(kind: str, matrix: sparse.csr_array, names: Vocabulary, samples: Sequence[str]) -> None:
    """Refuse duplicate entries of one sample and concept; columns must be sorted."""
    if matrix.has_canonical_format:
        return
    rows, columns = np.repeat(np.arange(len(samples)), np.diff(matrix.indptr)), matrix.indices
    again = np.flatnonzero((np.diff(rows) == 0) & (np.diff(columns) == 0))
    raise InputError(
        f"sample {samples[rows[again[0]]]!r} has two {kind}s for {names[int(columns[again[0]])]!r}; "
        f"{pluralise(again.size, f'repeated {kind}')} in all",
        "Keep one, of a data frame by frame.groupby([sample, concept], as_index=False).max().",
    )


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


def refuse_same(titles: Iterable[str], names: Mapping[str, str]) -> None:
    """Refuse two columns for one concept."""
    first: dict[str, str] = {}
    for title in titles:
        name = names.get(title, title)
        if first.setdefault(name, title) != title:
            raise InputError(
                f"the columns {first[name]!r} and {title!r} are both the concept {name!r}", "Keep one."
            )


def _move_columns(part: NamedMatrix, vocabulary: Vocabulary) -> NamedMatrix:
    if vocabulary == part.vocabulary:
        same = vocabulary.names in (part.vocabulary.names, NO_NAMES) and not vocabulary.united
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
        object.__setattr__(self, "matrix", pattern(self.matrix))
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
        if isinstance(sets, Mapping):
            samples = tuple(sets)
        names = None if classes is None else class_names(classes)
        rows = listed_of(
            collections_in(sets, classes=names), None if samples is None else tuple(map(str, samples)), names
        ).split(separator_of(separator))
        vocabulary = names if vocabulary is None else vocabulary
        if rows.samples is not None and len(rows.samples) != len(rows):
            raise InputError(
                f"{len(rows.samples):,} identifiers for the labels of {len(rows):,} samples",
                "Give each sample one.",
            )
        return cls(*from_listed(rows, np.ones(len(rows.labels), dtype=bool), vocabulary))

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
        refuse_frame(array, "Use LabelSets.from_frame(frame), which reads its names.")
        return cls(*_of_numbers(array, vocabulary, samples))

    @staticmethod
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
            of 0 and 1 per concept; or a series of lists, or a DataArray of xarray.
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
            The sets, samples in the order of their first row. A null stands for no label.

        Raises
        ------
        InputError
            If a column is not there, the frame can be read in several ways, a sample has no name, or an
            entry is neither 0 nor 1.
        UnknownConceptError
            If a label is not in the vocabulary.
        """
        names, separator = None if classes is None else class_names(classes), separator_of(separator)
        columns = {"sample": sample, "concept": concept, "value": value}
        rows = rows_of(frame, **columns, vocabulary=vocabulary, joined=separator is not None, classes=names)
        if isinstance(rows, Wide):
            return sets_of_rows(rows, vocabulary if rows.concepts is not None else vocabulary or names)
        return sets_of_rows(rows.split(separator), names if vocabulary is None else vocabulary)

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
            raise InputError(
                f"no sample {sample!r}", f"The first samples are {enumerate_some(self.samples)}."
            )
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


def _of_numbers(
    array: ArrayLike | sparse.sparray | sparse.spmatrix,
    vocabulary: Vocabulary | Sequence[str] | None,
    samples: Sequence[str] | None,
) -> MatrixWithNames:
    """Boolean matrix of an array of 0 and 1, with its names."""
    numbers = numbers_in(array)
    matrix = nonzero_entries(numbers) if isinstance(numbers, np.ndarray) else numbers
    values = matrix.data
    if values.dtype != bool and not np.all((values == 0) | (values == 1)):
        entry = int(np.flatnonzero((values != 0) & (values != 1))[0])
        row, column, value = int(row_of_entries(matrix)[entry]), int(matrix.indices[entry]), values[entry]
        whole = values.dtype.kind in "iu"
        names = ", ".join(
            f"{kind} {list(given)[place]!r}"
            for kind, given, place in (("sample", samples, row), ("concept", vocabulary, column))
            if given is not None
        )
        raise InputError(
            f"row {row}, column {column} holds {value.item()!r}{f' ({names})' if names else ''}, "
            "neither 0 nor 1",
            "Give a 0 where the label is absent."
            if value != value  # noqa: PLR0124 - nan
            else "If -1 marks labels as absent or unknown, use VerifiedLabels.from_array(...), of a data "
            "frame VerifiedLabels.from_frame(...); both say which by negative=."
            if value == -1
            else "Where whole numbers stand for classes, name these: classes=[...]. "
            * whole
            + "If these are scores, pass threshold= to evaluate or compare; or make labels of them, "
            "LabelScores.from_array(...).at(threshold), of a data frame LabelScores.from_frame(...).",
        )
    if matrix is not numbers:  # sorted, and without duplicates
        matrix = sealed_pattern(with_data(matrix, values.astype(bool)))
    return of_matrix(matrix, vocabulary, samples)


def sets_of_rows(rows: FrameRows, vocabulary: Vocabulary | Sequence[str] | None) -> LabelSets:
    """Label sets of rows."""
    if isinstance(rows, Wide):
        concepts = rows.concepts if vocabulary is None else vocabulary
        return LabelSets(*_of_numbers(rows.given, concepts, rows.samples))
    if rows.values is None:
        return LabelSets(*from_listed(rows, np.ones(len(rows.labels), dtype=bool), vocabulary))
    matrix, concepts, samples = from_listed(rows, rows.values, vocabulary)
    matrix.sort_indices()
    refuse_repeats("value", matrix, concepts, samples)
    return LabelSets(*_of_numbers(matrix, concepts, samples))


NULL = (None,)
"""A sample whose labels are null."""


def listed_of(rows: list[Any], samples: tuple[str, ...] | None, classes: Vocabulary | None = None) -> Listed:
    """Flatten texts, or collections of labels; whole numbers stand for classes, if these are named."""
    texts = any(issubclass(kind, str) for kind in {*map(type, rows)})
    if texts and not all(isinstance(row, str) or row is NULL or not len(row) for row in rows):
        text = next(row for row in rows if isinstance(row, str))
        raise InputError(
            f"the labels of some samples are a text, such as {text!r}, those of others a collection",
            f"Give a collection for each sample, such as [{text!r}].",
        )
    if texts:
        rows = [[row] * bool(row.strip()) if isinstance(row, str) else row for row in rows]
    if classes is not None:
        rows = [[None if label is None else class_name(label, classes) for label in row] for row in rows]
    flat = list(chain.from_iterable(rows))
    if classes is None and not {*map(type, flat)} <= {str}:
        refuse_vectors(rows)
    lengths = np.fromiter(map(len, rows), dtype=np.intp, count=len(rows))
    owner = np.repeat(np.arange(len(rows)), lengths)
    names = number_names(len(rows)) if samples is None else samples
    labels, there = names_in(flat, lambda at: f"sample {names[owner[at]]!r}")
    nulls = int((~there).sum())
    return Listed(labels, owner[there], len(rows), samples, texts=texts, nulls=nulls)


def class_names(classes: Sequence[str]) -> Vocabulary:
    """Vocabulary of a list of classes."""
    if isinstance(classes, Mapping) and classes.keys() == {*range(len(classes))}:
        classes = [classes[number] for number in range(len(classes))]
    if isinstance(classes, str | Mapping) or not isinstance(classes, Iterable):
        raise ParameterError("classes", classes, 'a list of names, such as ["sea", "sky"]')
    return classes if isinstance(classes, Vocabulary) else Vocabulary(tuple(map(str, classes)))


def separator_of(separator: str | None) -> str | None:
    """Refuse a separator that separates nothing."""
    if separator is not None and not (isinstance(separator, str) and separator):
        raise ParameterError("separator", separator, 'a text, such as ";"')
    return separator


def number_names(number: int) -> tuple[str, ...]:
    """Numbers as names: "0", "1", and so on; the sides of a batch share them unless they are very many."""
    return _new_number_names(number) if number <= _SHARED else _new_number_names.__wrapped__(number)


_SHARED = 200_000
"""Most names that are kept, in two tuples of 13 MB."""


@lru_cache(maxsize=2)
def _new_number_names(number: int) -> tuple[str, ...]:
    return tuple(map(str, range(number)))


MatrixWithNames = tuple[sparse.csr_array, Vocabulary, tuple[str, ...]]
"""Parts of a named matrix: the matrix, its concepts and its samples."""


def from_listed(
    rows: Listed, values: NDArray[Any], vocabulary: Vocabulary | Sequence[str] | None
) -> MatrixWithNames:
    """Matrix of labels in rows, with a value each; duplicates are kept."""
    if vocabulary is None:
        refuse_nothing(rows.labels, rows.place)
    names = union_of([rows.labels]) if vocabulary is None else vocabulary_of(vocabulary)
    rows.refuse_joined(() if vocabulary is None else names)
    samples = rows.samples or number_names(rows.count)
    found = map(names.index.get, rows.labels, repeat(-1))
    columns = np.fromiter(found, dtype=np.intp, count=len(rows.labels))
    if (columns < 0).any():
        unknown: dict[str, str] = {}
        for entry in np.flatnonzero(columns < 0).tolist():
            unknown.setdefault(rows.labels[entry], f"sample {samples[rows.row[entry]]!r}")
        raise names.spellings.unknown_error(unknown)
    order = np.argsort(rows.row, kind="stable")
    begin = np.concatenate([[0], np.cumsum(np.bincount(rows.row, minlength=rows.count))])
    matrix = sparse.csr_array((values[order], columns[order], begin), shape=(rows.count, len(names)))
    return matrix, names, samples


def of_matrix(
    matrix: sparse.csr_array, vocabulary: Vocabulary | Sequence[str] | None, samples: Sequence[str] | None
) -> MatrixWithNames:
    """Name the rows and columns of a matrix, by their numbers where nothing is given."""
    rows, columns = matrix.shape
    concepts = vocabulary_of(number_names(columns) if vocabulary is None else vocabulary)
    return matrix, concepts, tuple(number_names(rows) if samples is None else samples)


def numbers_in(array: ArrayLike | sparse.sparray | sparse.spmatrix) -> NDArray[Any] | sparse.csr_array:
    """Array of numbers, dense or CSR; anything else is refused."""
    if sparse.issparse(array):
        numbers = array
    else:
        try:
            numbers = of_numpy(list(array) if isinstance(array, Iterator) else array)
        except InputError:
            raise
        except ValueError as error:
            remedy = (
                "Give one number per sample and concept; labels must be texts, or whole numbers beside "
                "classes=[...]."
            )
            raise InputError("rows of different lengths", remedy) from error
        if numbers.dtype == object and all(isinstance(value, Real | Decimal) for value in numbers.flat):
            with suppress(OverflowError):  # an integer of hundreds of digits: refused as an object
                numbers = numbers.astype(np.float64)
    if numbers.ndim != 2 or numbers.dtype.kind not in "biuf":  # noqa: PLR2004
        raise InputError(
            f"an array of shape {numbers.shape} and type {numbers.dtype}",
            "Give numbers, one row per sample and one column per concept."
            + " Where each stands for a class, name these: classes=[...]." * (numbers.dtype.kind in "iu"),
        )
    return sparse.csr_array(numbers) if sparse.issparse(array) else numbers


def of_numpy(array: Any) -> NDArray[Any]:  # noqa: ANN401 - an array of any library, or rows of numbers
    """Array of NumPy, of a tensor of any library too; numbers of half precision in single precision."""
    if hasattr(array, "detach"):  # a tensor of torch may require gradients, or lie on another device
        array = array.detach().cpu()
        array = array.float() if "bfloat16" in str(array.dtype) else array
    if np.ma.is_masked(array):
        raise InputError(
            f"an array with {pluralise(int(np.ma.getmaskarray(array).sum()), 'masked value')}, whose meaning "
            "is unknown",
            "Give array.filled(0) where they mean absent; for labels that are unknown see VerifiedLabels.",
        )
    by_dlpack = hasattr(array, "__dlpack__") and not hasattr(array, "__array__")
    numbers = np.from_dlpack(array) if by_dlpack else np.asarray(array)
    half = numbers.dtype == np.float16 or numbers.dtype.name == "bfloat16"  # which scipy does not take
    return numbers.astype(np.float32) if half else numbers


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


def names_not_in(names: Iterable[str], others: Container[str]) -> list[str]:
    """Names that are not among others."""
    return [name for name in names if name not in others]


def collections_in(sets: Any, *, classes: Vocabulary | None = None) -> list[Any]:  # noqa: ANN401 - whatever was handed over
    """List the labels of each sample, a text or a collection; refuse runs, records and single numbers."""
    refuse_frame(sets, "Use LabelSets.from_frame(frame), which reads its names.")
    if isinstance(sets, str | bytes | PathLike) or not isinstance(sets, Iterable):
        raise InputError(
            f"{sets!r} is no collection of label sets",
            "Read files first: ontoeval.read_labels(path, ontology).",
        )
    rows = list(sets.values()) if isinstance(sets, Mapping) else list(sets)
    rows = [NULL if row is None else row for row in rows]
    if isinstance(sets, Mapping):
        _refuse_runs(sets)
    if classes is not None:
        rows = [[row] if is_whole(row) else row for row in rows]
    kinds = {*map(type, rows)}
    odd = {kind for kind in kinds if issubclass(kind, _NO_LABELS) or not issubclass(kind, Iterable)}
    wrong = [row for row in rows if type(row) in odd] if odd else []
    if wrong and is_whole(wrong[0]):
        raise InputError(
            f"the number {wrong[0]!r} stands where the labels of a sample belong",
            "Where whole numbers stand for classes, name these: classes=[...].",
        )
    if wrong:
        plain = isinstance(wrong[0], str | bytes | int | float)
        shown = repr(wrong[0]) if plain else f"a {type(wrong[0]).__name__}"
        raise InputError(
            f"{shown} stands where the labels of a sample belong",
            "Give a text or a collection for each sample, an empty one where it has no label: "
            "['cat', []] or [['cat'], []].",
        )
    refuse_records(rows)
    sized = all(hasattr(kind, "__len__") for kind in kinds)
    return rows if sized else [row if hasattr(row, "__len__") else list(row) for row in rows]


_NO_LABELS = (bytes, sparse.sparray, sparse.spmatrix)
"""Types that can be iterated, but hold no labels of a sample."""


def _refuse_runs(sets: Mapping[Any, Any]) -> None:
    """Refuse a mapping from names to whole runs, where one from samples to labels belongs."""
    runs = [name for name, side in sets.items() if _is_run(side)]
    if runs and len(runs) == len(sets):
        raise InputError(
            f"{pluralise(len(runs), 'run')} ({enumerate_some(runs)}) where the labels of one belong",
            "Compare runs by ontoeval.compare(truth, {name: run, ...}).",
        )


def _is_run(side: object) -> bool:
    if isinstance(side, NamedRows) or sparse.issparse(side):
        return True
    if hasattr(side, "ndim"):
        return bool(side.ndim > 1)
    if isinstance(side, Mapping):
        return any(isinstance(one, str | list | tuple | set | frozenset) for one in side.values())
    first = next(iter(side), None) if isinstance(side, list | tuple) else None
    return isinstance(first, list | tuple | set | frozenset | np.ndarray)
