"""Products of weights with the rows of several runs, as few and as exact as they can be.

A weighted sum of floating numbers depends on the order of its addends, and so on the library of linear
algebra, on its threads and on the runs beside it. Numbers cut into parts of few digits have exact sums.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.measures.sums import Rows, Statistic, Summed
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.sparse import row_of_entries

StatisticSums = dict[Statistic, Numbers]

_NARROW = 32
"""Most columns of a statistic, beside marks, that share a product with those of others."""

_HEAVIEST = 32
"""Upper bound of the mean weight of a portion: resamples draw a sample once on average."""

_HUGE = 2.0**900
"""Largest number that is cut."""


class _Shared(NamedTuple):
    """A statistic of a run: its columns among the shared sums, and what these are multiplied by."""

    run: int
    statistic: Statistic
    columns: Places
    scale: Numbers


class _ExactPart(NamedTuple):
    """Numbers whose weighted sums are exact, and the columns whose sums they add to."""

    columns: Places
    numbers: Numbers


@dataclass(frozen=True, eq=False)
class RowProducts:
    """Rows of a portion of the samples, of all statistics of several runs, side by side."""

    runs: int
    parts: Sequence[_ExactPart]
    marks: Sequence[sparse.csr_array]
    shared: Sequence[_Shared]
    others: Sequence[tuple[int, Statistic, Summed]]

    @classmethod
    def from_rows(cls, runs: Sequence[Mapping[Statistic, Summed]]) -> RowProducts:
        """Separate columns with exact sums: few columns, and marks; equal marks are multiplied once."""
        split, others = [], []
        for run, rows in enumerate(runs):
            for statistic, some in rows.items():
                columns = _Columns.from_rows(some)
                if columns is None:
                    others.append((run, statistic, some))
                else:
                    split.append((run, statistic, columns))
        width = sum(columns.few.shape[1] for *_, columns in split)
        begin, known, marks, shared = 0, dict[bytes, int](), [], []
        for run, statistic, columns in split:
            end = begin + columns.few.shape[1]
            of_marks, new = _distinct(columns.marks, known)
            marks += [new] if new.shape[1] else []
            places = np.empty(columns.scale.size, dtype=np.intp)
            places[columns.is_mark], places[~columns.is_mark] = width + of_marks, np.arange(begin, end)
            shared.append(_Shared(run, statistic, places, columns.scale))
            begin = end
        few = [columns.few for *_, columns in split]
        parts = list(_exact_parts(np.concatenate(few, axis=1))) if width else []
        return cls(len(runs), parts, marks, shared, others)

    def sums(self, weights: Numbers) -> list[StatisticSums]:
        """Sum the rows of each run with whole numbers as weights, resamples × samples."""
        found: list[StatisticSums] = [{} for _ in range(self.runs)]
        if self.shared:
            each = np.concatenate([self._of_parts(weights), *self._of_marks(weights)], axis=1)
            for run, statistic, columns, scale in self.shared:
                found[run][statistic] = each[:, columns] * scale
        # Sparse rows are multiplied from the other side, where this order of the weights is needed.
        weights = np.asfortranarray(weights) if self.others else weights
        for run, statistic, rows in self.others:
            found[run][statistic] = np.asarray(weights @ cast("Any", rows))
        return found

    def _of_parts(self, weights: Numbers) -> Numbers:
        width = self.parts[0].columns.size if self.parts else 0
        sums = np.zeros((len(weights), width))
        for columns, numbers in self.parts:
            sums[:, columns] += weights @ numbers
        return sums

    def _of_marks(self, weights: Numbers) -> list[Numbers]:
        # Numbers of single precision hold the sums of 2^24 / _HEAVIEST samples, and are faster.
        single = np.asfortranarray(weights, dtype=np.float32) if self.marks else weights
        return [single @ marks for marks in self.marks]


@dataclass(frozen=True, eq=False)
class _Columns:
    """Columns of a statistic: marks, each one number in some samples and 0 elsewhere, and a few more."""

    is_mark: NDArray[np.bool_]
    scale: Numbers
    marks: sparse.csc_array
    few: Numbers

    @classmethod
    def from_rows(cls, rows: Summed) -> _Columns | None:
        """Separate the columns; None where more than a few are no marks."""
        values = rows.values if isinstance(rows, Rows) else None
        if values is None or not (sparse.issparse(values) or values.shape[1] <= _NARROW):
            return None
        width = values.shape[1]
        is_mark, scale = np.zeros(width, dtype=bool), np.ones(width)
        columns: Any = values
        if sparse.issparse(values):
            columns = sparse.csc_array(values)
            filled, column_of = np.diff(columns.indptr) > 0, row_of_entries(columns.T)
            scale[filled] = columns.data[columns.indptr[:-1][filled]]
            is_mark = np.isfinite(scale)
            is_mark[column_of[columns.data != scale[column_of]]] = False
            scale[~is_mark] = 1.0
        marks: Any = columns[:, is_mark]
        few: Any = columns[:, ~is_mark]
        if few.shape[1] > _NARROW:
            return None
        few = np.asarray(few if columns is values else few.toarray(), dtype=np.float64)
        return cls(is_mark, scale, sparse.csc_array(marks), few) if (np.abs(few) < _HUGE).all() else None


def _distinct(marks: sparse.csc_array, known: dict[bytes, int]) -> tuple[Places, sparse.csr_array]:
    """Find the number of each column among all known ones, and those that are new."""
    before, samples = len(known), marks.indices.astype(np.int32)
    spans = list(pairwise(marks.indptr.tolist()))
    numbers = [known.setdefault(samples[begin:end].tobytes(), len(known)) for begin, end in spans]
    places = np.array(numbers, dtype=np.intp)
    _, first = np.unique(places, return_index=True)
    new = marks[:, first[places[first] >= before]].astype(np.float32)
    new.data[:] = 1.0
    return places, sparse.csr_array(new)


def _exact_parts(values: Numbers) -> Iterator[_ExactPart]:
    """Cut columns into parts whose sums are exact with whole numbers as weights."""
    room = 1.5 * 2.0 ** (_HEAVIEST * max(1, len(values))).bit_length()
    columns, rest = np.arange(values.shape[1]), values
    while columns.size:
        # Upper parts of numbers below 2^e are multiples of 2^(e + n - 52); weights sum to less than 2^n.
        shift = room * 2.0 ** np.frexp(np.abs(rest).max(axis=0, initial=0.0))[1]
        upper = rest + shift
        upper -= shift
        yield _ExactPart(columns, upper)
        rest = rest - upper
        left = np.flatnonzero(rest.any(axis=0))
        columns, rest = columns[left], rest[:, left]
