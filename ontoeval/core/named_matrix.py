"""Matrices with named rows (samples) and columns (concepts): the base of label sets and scores."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from functools import cached_property
from numbers import Real
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from ontoeval.core.values import PickledByFields
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, MisalignedError, UnknownConceptError, enumerate_some, pluralise


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


class NamedMatrix(PickledByFields):
    """Base of label sets and label scores: rows named by samples, columns by concepts."""

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
        if len(self.row) != len(samples):
            twice = [name for row, name in enumerate(samples) if self.row[name] != row]
            raise InputError(f"samples that occur twice: {enumerate_some(twice)}", "Keep one row per sample.")

    @cached_property
    def row(self) -> dict[str, int]:
        """Row of each sample."""
        return dict(zip(self.samples, range(len(self.samples)), strict=True))

    def __len__(self) -> int:
        """Count the samples."""
        return len(self.samples)

    def rows(self, begin: int, end: int) -> Self:
        """Cut out some consecutive samples."""
        return self._remade(self.matrix[begin:end], samples=self.samples[begin:end])

    def take(self, samples: Sequence[str]) -> Self:
        """Pick samples by name; those that are not there come out without any label."""
        empty = sparse.csr_array((1, len(self.vocabulary)), dtype=self.matrix.dtype)
        rows = np.array([self.row.get(name, len(self)) for name in samples], dtype=np.intp)
        picked = sparse.csr_array(sparse.vstack([self.matrix, empty], format="csr")[rows])
        return self._remade(picked, samples=tuple(samples))

    def within(self, vocabulary: Vocabulary) -> Self:
        """Move the columns to where another vocabulary has them."""
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
        return self._remade(matrix, vocabulary=vocabulary)

    def _remade(
        self,
        matrix: sparse.csr_array,
        *,
        vocabulary: Vocabulary | None = None,
        samples: tuple[str, ...] | None = None,
    ) -> Self:
        made: Self = replace(  # type: ignore[type-var] # whatever is named is a dataclass
            self,
            matrix=matrix,
            vocabulary=self.vocabulary if vocabulary is None else vocabulary,
            samples=self.samples if samples is None else samples,
        )
        return made


Named = tuple[sparse.csr_array, Vocabulary, tuple[str, ...]]
"""Parts of a named matrix: the matrix, its concepts and its samples."""


def of_entries(
    labels: Sequence[str],
    row: NDArray[np.intp],
    values: NDArray[Any],
    vocabulary: Vocabulary | Sequence[str] | None,
    samples: Sequence[str],
) -> Named:
    """Matrix of labels with a value each; duplicates are kept."""
    names = Vocabulary.union([labels]) if vocabulary is None else Vocabulary(tuple(vocabulary))
    columns = np.array([names.index.get(label, -1) for label in labels], dtype=np.intp)
    if (columns < 0).any():
        unknown: dict[str, str] = {}
        for entry in np.flatnonzero(columns < 0).tolist():
            unknown.setdefault(labels[entry], f"sample {samples[row[entry]]!r}")
        raise UnknownConceptError(unknown, names)
    order = np.argsort(row, kind="stable")
    shape = len(samples), len(names)
    begin = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=shape[0]))])
    return sparse.csr_array((values[order], columns[order], begin), shape=shape), names, tuple(samples)


def of_matrix(
    matrix: sparse.csr_array,
    vocabulary: Vocabulary | Sequence[str] | None,
    samples: Sequence[str] | None,
) -> Named:
    """Name the rows and columns of a matrix."""
    if vocabulary is None:
        vocabulary = Vocabulary.numbered(matrix.shape[1])
    return (
        matrix,
        vocabulary if isinstance(vocabulary, Vocabulary) else Vocabulary(tuple(vocabulary)),
        tuple(map(str, range(matrix.shape[0]) if samples is None else samples)),
    )


def numbers_in(array: ArrayLike | sparse.sparray | sparse.spmatrix) -> NDArray[Any] | sparse.csr_array:
    """Array of numbers, dense or CSR; anything else is refused."""
    if sparse.issparse(array):
        numbers = array
    else:
        try:
            numbers = np.asarray(array)
        except ValueError as error:
            remedy = "Give one number per sample and concept; labels must be texts."
            raise InputError("rows of different lengths", remedy) from error
        if numbers.dtype == object and all(isinstance(value, Real | Decimal) for value in numbers.flat):
            with suppress(OverflowError):  # an integer of hundreds of digits: refused as an object
                numbers = numbers.astype(np.float64)
    if numbers.ndim != 2 or numbers.dtype.kind not in "biuf":  # noqa: PLR2004
        raise InputError(
            f"an array of shape {numbers.shape} and type {numbers.dtype}",
            "Give numbers, one row per sample and one column per concept.",
        )
    return sparse.csr_array(numbers) if sparse.issparse(array) else numbers


def refuse_misaligned(truth: Any, prediction: Any, remedy: str) -> None:  # noqa: ANN401 - labels of any kind
    """Refuse sides over other concepts or samples, or in another order."""
    ours, theirs = truth.vocabulary, prediction.vocabulary
    if ours != theirs:
        raise MisalignedError("concepts", only(ours, theirs.index), only(theirs, ours.index), remedy=remedy)
    if truth.samples != prediction.samples:
        raise MisalignedError("samples", *only_samples(truth, prediction), remedy=remedy)


def only_samples(truth: Any, prediction: Any) -> tuple[list[str], list[str]]:  # noqa: ANN401 - labels of any kind
    """List the samples that only one side has."""
    return only(truth.samples, prediction.row), only(prediction.samples, truth.row)


def only(names: Any, others: Any) -> list[str]:  # noqa: ANN401 - any collections of names
    """Names that are not among others."""
    return [name for name in names if name not in others]
