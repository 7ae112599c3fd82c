"""Verified labels: present, absent or unknown, and labels that follow in a hierarchy."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy import sparse

from ontoeval.core.containers import numbers_in
from ontoeval.core.frames import AnyFrame, read_frame
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets, NamedRows, refuse_misaligned
from ontoeval.core.rows import Concepts, MatrixWithNames, Wide
from ontoeval.core.vocabulary import Vocabulary, common_vocabulary
from ontoeval.errors import MOST_SHOWN, InputError, ParameterError, enumerate_some, one_of, pluralise
from ontoeval.plumbing.sparse import pattern, row_of_entries, with_data


@dataclass(frozen=True, eq=False, repr=False)
class KnownPart(LabelSets):
    """The part of a prediction that verified labels can judge, with the whole prediction."""

    whole: LabelSets | None = None


def below_absent(positive: LabelSets, negative: LabelSets, hierarchy: Hierarchy) -> sparse.csr_array:
    """Absent labels and all of their descendants; present labels among these are refused."""
    below = pattern(negative.matrix @ hierarchy.labels_upward.T.tocsr())
    wrong = pattern(positive.matrix.multiply(below))
    if wrong.nnz:
        upwards = hierarchy.labels_upward
        cells = zip(row_of_entries(wrong).tolist(), wrong.indices.tolist(), strict=True)
        shown = []
        for _, (row, column) in zip(range(5), cells, strict=False):
            above = np.intersect1d(upwards[[column]].indices, negative.matrix[[row]].indices)[0]
            names = positive.vocabulary
            shown.append(f"{positive.samples[row]}: {names[column]} without {names[int(above)]}")
        raise InputError(
            f"{pluralise(wrong.nnz, 'label')} of which an ancestor is marked as absent: "
            f"{enumerate_some(shown, total=wrong.nnz)}",
            "Correct one of the two statements: a label that is present implies all its ancestors.",
        )
    return below


_UNKNOWN = {0: -1.0, -1: 0.0}
"""Number for an unknown label, by the number for an absent one."""


def number_of_unknown(negative: int, ignore_index: float | None = None) -> float:
    """Return the number for an unknown label, unless it is nan alone."""
    one_of("negative", negative, tuple(_UNKNOWN))
    if ignore_index is None or ignore_index != ignore_index:  # noqa: PLR0124 - nan
        return _UNKNOWN[negative]
    if ignore_index in {1, negative}:
        raise ParameterError("ignore_index", ignore_index, f"another number than {negative} (absent) and 1")
    return float(ignore_index)


def sides_of_numbers(
    numbers: MatrixWithNames, negative: int, ignore_index: float | None = None
) -> tuple[LabelSets, LabelSets]:
    """Separate present labels (1) from absent ones (0 or -1); a label without a number is unknown."""
    unknown, (matrix, vocabulary, samples) = number_of_unknown(negative, ignore_index), numbers
    odd = np.flatnonzero(~np.isin(matrix.data, [1.0, float(negative), unknown]))
    if odd.size:
        sample = samples[row_of_entries(matrix)[odd[0]]]
        raise InputError(
            f"sample {sample!r} has the value {matrix.data[odd[0]]:g} for "
            f"{vocabulary[int(matrix.indices[odd[0]])]!r}",
            f"Write 1 for a label that is present, {negative} for one that is absent, and {unknown:g} or "
            "nothing for one that is not known.",
        )
    positive, absent = (
        LabelSets(with_data(matrix, matrix.data == value), vocabulary, samples)
        for value in (1.0, float(negative))
    )
    return positive, absent


def sides_of_columns(
    rows: Wide, concepts: Concepts, negative: int, ignore_index: float | None = None
) -> tuple[LabelSets, LabelSets]:
    """Separate present labels from absent ones in columns of numbers, of which nan is unknown."""
    numbers = rows.dense
    if numbers.dtype.kind == "f":
        numbers = np.where(np.isnan(numbers), number_of_unknown(negative, ignore_index), numbers)
    return sides_of_numbers(replace(rows, numbers=numbers, nulls=0).matrix(concepts), negative, ignore_index)


@dataclass(frozen=True, eq=False, repr=False)
class VerifiedLabels(NamedRows):
    """Labels that were verified, sample by sample: some are present, some absent, the rest is unknown.

    Parameters
    ----------
    positive
        The present labels.
    negative
        The absent labels, over the same concepts and samples in the same order.

    Raises
    ------
    MisalignedError
        If the two speak of other concepts or samples.
    InputError
        If a label is said to be there and not to be there.

    Examples
    --------
    >>> verified = VerifiedLabels.from_sets(
    ...     {"p1": ["sky"]}, {"p1": ["sea"]}, vocabulary=["sky", "sea", "sun"]
    ... )
    >>> verified.known.toarray().tolist()
    [[True, True, False]]
    """

    positive: LabelSets
    negative: LabelSets

    def __post_init__(self) -> None:
        """Check that both sides fit and do not contradict each other."""
        if not (isinstance(self.positive, LabelSets) and isinstance(self.negative, LabelSets)):
            given = ", ".join(type(side).__name__ for side in (self.positive, self.negative))
            raise ParameterError(
                "positive, negative", given, "LabelSets; of anything else: VerifiedLabels.from_sets(...)"
            )
        remedy = "Give both over the same: dictionaries by VerifiedLabels.from_sets(positive, negative)."
        refuse_misaligned(self.positive, self.negative, remedy)
        both = sparse.csr_array(self.positive.matrix.multiply(self.negative.matrix))
        if both.nnz:
            raise InputError(
                f"{pluralise(both.nnz, 'label')} marked both as present and as absent: "
                f"{enumerate_some(_cells(self.positive, both), total=both.nnz)}",
                "Keep one of the two statements.",
            )

    @classmethod
    def from_sets(
        cls,
        positive: Mapping[str, Iterable[str]] | Iterable[Iterable[str]],
        negative: Mapping[str, Iterable[str]] | Iterable[Iterable[str]],
        *,
        vocabulary: Vocabulary | Sequence[str] | None = None,
    ) -> Self:
        """Take the present labels and the absent ones.

        Parameters
        ----------
        positive
            A mapping from sample to labels, or the labels of one sample after the other.
        negative
            The same for absent labels; mappings may lack samples.
        vocabulary
            The concepts; by default the labels that occur, sorted.

        Returns
        -------
        VerifiedLabels
            Both, samples in the order of the first.

        Raises
        ------
        UnknownConceptError
            If a label is not in the vocabulary.
        InputError
            If the two do not fit together.
        """
        if isinstance(positive, Mapping) != isinstance(negative, Mapping):
            raise InputError(
                "one side names its samples, the other does not", "Give two mappings, or two lists."
            )
        sides = [LabelSets.from_sets(side, vocabulary=vocabulary) for side in (positive, negative)]
        if not isinstance(positive, Mapping) and len(sides[0]) != len(sides[1]):
            raise InputError(
                f"{len(sides[0]):,} samples with positive labels, {len(sides[1]):,} with negative ones",
                "Give one collection for each sample on both sides.",
            )
        names = common_vocabulary(side.vocabulary for side in sides)
        samples = tuple(dict.fromkeys(chain.from_iterable(side.samples for side in sides)))
        return cls(*(side.within(names).take(samples) for side in sides))

    @classmethod
    def from_array(
        cls,
        array: ArrayLike,
        *,
        negative: Literal[0, -1] = 0,
        ignore_index: float | None = None,
        vocabulary: Vocabulary | Sequence[str] | None = None,
        samples: Sequence[str] | None = None,
    ) -> Self:
        """Take an array of 1, 0, -1 and nan.

        Parameters
        ----------
        array
            One row per sample and one column per concept: 1 for a present label, nan for an unknown one.
        negative
            Number of an absent label: 0 or -1. The other number means unknown, as nan does.
        ignore_index
            Number of an unknown label, in place of that other one.
        vocabulary
            The concepts; by default "0", "1", and so on.
        samples
            Identifiers; by default "0", "1", and so on.

        Returns
        -------
        VerifiedLabels
            What the array says.

        Raises
        ------
        InputError
            If there is another number.
        """
        rows = Wide(numbers_in(array, cls), samples=samples)
        return cls(*sides_of_columns(rows, vocabulary, negative, ignore_index))

    @classmethod
    def from_frame(
        cls,
        frame: AnyFrame,
        *,
        sample: str | None = None,
        negative: Literal[0, -1] = 0,
        vocabulary: Sequence[str] | None = None,
    ) -> Self:
        """Take a data frame of 1, 0, -1 and nulls, with a column for each concept.

        Parameters
        ----------
        frame
            A frame of pandas, polars, pyarrow or any other that narwhals knows, as `from_array` takes arrays.
        sample
            The column of the sample identifiers; by default as `LabelSets.from_frame` finds them.
        negative
            Number of an absent label: 0 or -1.
        vocabulary
            The columns of the concepts; by default all others.

        Returns
        -------
        VerifiedLabels
            What the frame says.

        Raises
        ------
        InputError
            If there is another number, or no column for each concept.
        """
        rows = read_frame(frame, sample=sample, vocabulary=vocabulary)
        if not isinstance(rows, Wide):
            raise InputError(
                "a data frame of labels stands where verified labels belong",
                "Give a column for each concept, or VerifiedLabels.from_sets(positive, negative).",
            )
        return cls(*sides_of_columns(rows, vocabulary or None, negative))

    @property
    def vocabulary(self) -> Vocabulary:
        """The concepts."""
        return self.positive.vocabulary

    @property
    def samples(self) -> tuple[str, ...]:
        """Identifiers of the samples."""
        return self.positive.samples

    @property
    def row(self) -> dict[str, int]:
        """Row of each sample."""
        return self.positive.row

    @property
    def known(self) -> sparse.csr_array:
        """Boolean, one row per sample and one column per concept: verified labels."""
        return pattern(self.positive.matrix + self.negative.matrix)

    def __len__(self) -> int:
        """Count the samples."""
        return len(self.positive)

    @front_door
    def expanded(self, hierarchy: AnyHierarchy, *, root: Literal["out", "in"] = "out") -> Self:
        """Add what follows: what lies above labels that are there, and below those that are not.

        Parameters
        ----------
        hierarchy
            The hierarchy of the labels.
        root
            "out": a single root is not added, as in Open Images; "in": a single root is added.

        Returns
        -------
        VerifiedLabels
            The larger set of known labels, over the labels of the hierarchy; concepts that are never labels
            are not added.

        Raises
        ------
        MisalignedError
            If a concept that is used is no label of the hierarchy.
        InputError
            If a label is there, but one above it is not.
        """
        one_of("root", root, ("out", "in"))
        there = ruled_out(self, hierarchy)
        added = upwards = hierarchy.labels_upward
        if root == "out" and len(hierarchy.roots) == 1 and hierarchy.levels > 1:
            kept = np.ones(len(hierarchy.vocabulary))
            kept[hierarchy.roots] = 0.0
            added = pattern(upwards @ sparse.diags_array(kept[hierarchy.labels]).tocsr())
        present = pattern(there.positive.matrix + pattern(there.positive.matrix @ added))
        return type(self)(replace(there.positive, matrix=present), there.negative)

    def _map_matrices(self, change: Callable[[Any], Any]) -> Self:
        return type(self)(change(self.positive), change(self.negative))


def ruled_out(labels: VerifiedLabels, hierarchy: Hierarchy) -> VerifiedLabels:
    """Add the descendants of absent labels, over the labels of the hierarchy."""
    names = hierarchy.label_vocabulary
    there = labels if labels.vocabulary == names else labels.within(names)
    below = below_absent(there.positive, there.negative, hierarchy)
    return VerifiedLabels(there.positive, replace(there.negative, matrix=below))


def _cells(sets: LabelSets, cells: sparse.csr_array) -> list[str]:
    """Names of the sample and the label of the first stored cells."""
    some = zip(row_of_entries(cells)[:MOST_SHOWN].tolist(), cells.indices[:MOST_SHOWN].tolist(), strict=True)
    return [f"{sets.samples[row]}: {sets.vocabulary[column]}" for row, column in some]
