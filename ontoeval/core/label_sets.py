"""LabelSets: the labels of each sample, as sparse rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from os import PathLike
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ontoeval.core.frames import Rows, Wide, refuse_frame, refuse_records, refuse_vectors, rows_of
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.named_matrix import Named, NamedMatrix, numbers_in, of_entries, of_matrix, refuse_repeats
from ontoeval.core.sparse import line, pattern, row_of_entries
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, enumerate_some

_ROWS = 100_000
"""Samples per block where only sizes of closed sets are needed."""


@dataclass(frozen=True, eq=False)
class LabelSets(NamedMatrix):
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
        InputError
            If there is no collection for each sample: a text is none.
        UnknownConceptError
            If a label is not in the vocabulary.

        Examples
        --------
        >>> LabelSets.from_sets([{"b"}, {"a", "b"}]).vocabulary.concepts
        ('a', 'b')
        """
        rows = collections_in(sets)
        refuse_vectors(rows)
        if isinstance(sets, Mapping):
            samples = tuple(sets)
        names = tuple(map(str, range(len(rows)) if samples is None else samples))
        if len(names) != len(rows):
            raise InputError(
                f"{len(names):,} identifiers for the labels of {len(rows):,} samples", "Give each sample one."
            )
        flat = [str(label) for label in chain.from_iterable(rows)]
        lengths = np.fromiter(map(len, rows), dtype=np.intp, count=len(rows))
        owner = np.repeat(np.arange(len(rows)), lengths)
        return cls(*of_entries(flat, owner, np.ones(len(flat), dtype=bool), vocabulary, names))

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
        """
        refuse_frame(array, "Use LabelSets.from_frame(frame), which reads its names.")
        matrix = sparse.csr_array(numbers_in(array))
        values = matrix.data
        if values.dtype != bool and not np.all((values == 0) | (values == 1)):
            entry = int(np.flatnonzero((values != 0) & (values != 1))[0])
            row, column, value = int(row_of_entries(matrix)[entry]), int(matrix.indices[entry]), values[entry]
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
                else "If these are scores, use LabelScores.from_array(...).at(threshold), of a data frame "
                "LabelScores.from_frame(...).at(threshold).",
            )
        return cls(*of_matrix(matrix, vocabulary, samples))

    @classmethod
    def from_frame(
        cls,
        frame: Any,  # noqa: ANN401 - whatever narwhals knows
        *,
        sample: str | None = None,
        concept: str | None = None,
        value: str | None = None,
        vocabulary: Sequence[str] | None = None,
    ) -> Self:
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
            Beside `concept`, the column of 0 and 1: a 0 says that the label is absent.
        vocabulary
            The concepts; by default these columns, or the labels that occur, sorted.

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
        rows = rows_of(frame, sample=sample, concept=concept, value=value, vocabulary=vocabulary)
        return cls(*named_sets(rows, vocabulary))

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
        """
        if sample not in self.row:
            raise InputError(
                f"no sample {sample!r}", f"The first samples are {enumerate_some(self.samples)}."
            )
        return tuple(self.vocabulary[column] for column in line(self.matrix, self.row[sample]))

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

        Examples
        --------
        >>> hierarchy = Hierarchy.from_edges([("plants", "trees")])
        >>> LabelSets.from_sets({"p1": ["trees"]}).closed(hierarchy).labels_of("p1")
        ('plants', 'trees')
        """
        sets = self.within(hierarchy.label_vocabulary)
        return LabelSets(sets.matrix @ hierarchy.labels_upward, sets.vocabulary, sets.samples)

    def unclosed(self, hierarchy: Hierarchy) -> NDArray[np.bool_]:
        """Whether each set lacks an ancestor of one of its labels.

        Parameters
        ----------
        hierarchy
            Tells the ancestors; those that are never labels are not missed.

        Returns
        -------
        ndarray of bool
            One mark per sample.
        """
        sets = self.within(hierarchy.label_vocabulary)
        upwards = hierarchy.labels_upward
        starts = range(0, len(sets), _ROWS)
        parts = [np.diff((sets.matrix[begin : begin + _ROWS] @ upwards).indptr) for begin in starts]
        return np.concatenate([np.empty(0, dtype=np.intp), *parts]) > sets.sizes


def named_sets(rows: Rows, vocabulary: Vocabulary | Sequence[str] | None) -> Named:
    """Parts of the `LabelSets` of rows."""
    if isinstance(rows, Wide):
        concepts = rows.concepts if vocabulary is None else vocabulary
        made = LabelSets.from_array(rows.numbers, vocabulary=concepts, samples=rows.samples)
        return made.matrix, made.vocabulary, made.samples
    if rows.values is None:
        return rows.named(np.ones(len(rows.labels), dtype=bool), vocabulary)
    matrix, concepts, samples = rows.named(rows.values, vocabulary)
    matrix.sort_indices()
    refuse_repeats("value", matrix, concepts, samples)
    return LabelSets.from_array(matrix, vocabulary=concepts, samples=samples).matrix, concepts, samples


def collections_in(sets: Any) -> list[Any]:  # noqa: ANN401 - whatever was handed over
    """List the collections of labels; refuse texts, which would be collections of letters, and records."""
    refuse_frame(sets, "Use LabelSets.from_frame(frame), which reads its names.")
    if isinstance(sets, str | bytes | PathLike) or not isinstance(sets, Iterable):
        raise InputError(
            f"{sets!r} is no collection of label sets",
            "Read files first: ontoeval.read_labels(path, ontology).",
        )
    rows = list(sets.values()) if isinstance(sets, Mapping) else list(sets)
    wrong = [row for row in rows if isinstance(row, str | bytes) or not isinstance(row, Iterable)]
    if wrong:
        plain = isinstance(wrong[0], str | bytes | int | float)
        shown = repr(wrong[0]) if plain else f"a {type(wrong[0]).__name__}"
        raise InputError(
            f"{shown} stands where the labels of a sample belong",
            "Give a collection for each sample, also where it has one label: [['cat'], ['dog']]; compare "
            "several runs by ontoeval.compare(truth, {name: run}).",
        )
    refuse_records(rows)
    return [row if hasattr(row, "__len__") else list(row) for row in rows]
