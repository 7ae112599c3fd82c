"""Products of weights with the rows of several runs, as few and as exact as they can be.

A weighted sum of floating numbers depends on the order of its addends, and so on the library of linear
algebra, on its threads and on the runs beside it. Numbers cut into parts of few digits have exact sums, and
counts have, too. Where a formula adds up concepts, sums and formula are computed block by block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, product
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.measures.base import compute, info
from ontoeval.measures.sums import Rows, Statistic, Summed, Weighted
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.sparse import ranges, rows_between

Summing = Callable[["ColumnBlock"], Iterable[Iterable[NDArray[Any]]]]
"""Gives the sums of each part of a block for each arrangement of the runs: columns × resamples."""

_Exact = tuple[Places, Numbers]
"""Columns, and numbers whose weighted sums are exact and add to the sums of these."""

_NARROW = 32
"""Most columns of a statistic that share a product with those of others."""

_HEAVIEST = 32
"""Upper bound of the mean weight of a portion: resamples draw a sample once on average."""

_SHORT = 2**15
"""Weights that sum to less can be added in 16 bits, and of a portion otherwise in single precision."""

_UNCUT = 2.0**900
"""Numbers from this size on are not cut into parts, whose bounds have room for the weights of a portion."""

_ALONE = 2**18
"""Most multiplications for which OpenBLAS wakes no second thread, which would wait in a loop afterwards."""

_TOGETHER = 64
"""Most columns, and most resamples, of a step."""

_WIDTH = 512
"""Columns of a block: half a megabyte of counts, which a processor keeps at hand."""


@dataclass(frozen=True, eq=False)
class ColumnBlock:
    """Some columns of the sparse rows of a statistic, which have parts of equal width."""

    width: int
    tables: Sequence[sparse.csr_array]
    """Columns × samples of each portion: all different tables of runs and parts, one below the other."""
    places: Sequence[Sequence[int]]
    """Which of the tables each run has, of each part."""
    above: sparse.csr_array | None = None
    """Where columns are levels: adds to the sum of each level those of the levels above it."""
    scale: Any = 1.0
    """Factors of the sums of the first part."""

    def sums(self, weights: Sequence[NDArray[Any]]) -> list[list[NDArray[Any]]]:
        """Sum the columns of each part and run; equal rows share a sum."""
        some = [table @ each for table, each in zip(self.tables, weights, strict=True)]
        total = some[0] if len(some) == 1 else np.sum(some, axis=0, dtype=np.float64)
        sums = np.split(total, 1 + max(chain(*self.places)))
        return [[sums[at] for at in part] for part in self.places]

    def totals(self, dense: Sequence[Numbers], summed: Summing) -> Iterator[Numbers]:
        """Go through arrangements of the runs: the totals that formulas take, of these columns alone."""
        first, parts, before = len(dense[0]), range(len(self.places)), dict[int, NDArray[Any]]()
        rows = np.empty((first + len(parts) * self.width, dense[0].shape[1]))
        for numbers, *each in zip(dense, *(summed(self) if parts else ()), strict=True):
            rows[:first] = numbers
            for part, sums in zip(parts, each, strict=True):
                if sums is not before.get(part):
                    before[part], place = sums, rows[first + part * self.width :][: self.width]
                    place[:] = sums if self.above is None else self.above @ sums
                    if not part and self.above is not None:
                        place *= self.scale
            yield rows.T


@dataclass(frozen=True, eq=False)
class Columns:
    """Rows of a statistic of all runs: dense ones, and blocks of the sparse columns in use."""

    dense: Sequence[Sequence[Summed]]
    """Of portions × runs."""
    exact: Sequence[Sequence[_Exact] | None]
    """The dense rows of all runs side by side, for each portion, where these have few columns."""
    blocks: Sequence[ColumnBlock]
    divided: bool
    """Whether all formulas add up concepts."""
    unused: int = 0
    """How many columns no run uses, of those that formulas add up."""

    @classmethod
    def from_rows(cls, runs: Sequence[Sequence[Summed]], layout: tuple[int, int] | None) -> Columns:
        """Separate dense and sparse rows; `runs` has those of each portion."""
        split = [[_split(rows, *layout or (0, 1)) for rows in portions] for portions in runs]
        dense = [[rows for rows, _ in of_portion] for of_portion in zip(*split, strict=True)]
        exact = [_exact_parts(rows) for rows in dense]
        number, divided = len(split[0][0][1]), layout is not None
        if not number:
            return cls(dense, exact, [ColumnBlock(0, [], [])], divided=False)
        parts = [[[some[at] for _, some in of_run] for of_run in split] for at in range(number)]
        rows, width = getattr(runs[0][0], "rows", runs[0][0]), parts[0][0][0].shape[0]
        levels = getattr(rows, "ends", None) if divided else None
        ends = np.arange(1, width + 1) if levels is None else levels
        # Choose the columns in use; levels of a concept that one side does not reach add nothing.
        in_use = np.full(width, not divided)
        for run in zip(*parts, strict=True):
            reached = [sum(table.indptr[ends] - table.indptr[:-1] for table in some) > 0 for some in run]
            in_use |= np.any(reached, axis=0) if levels is None else np.all(reached, axis=0)
        used = np.flatnonzero(in_use)
        # The highest level in use stands for those above.
        upto = np.where(np.append(np.diff(ends[used]) > 0, [True] * bool(used.size)), ends[used], used + 1)
        chosen, last = _adding(used, upto, width), np.searchsorted(used, ends[used])
        for some in parts:
            some[1:] = [some[0] if all(map(_equal, run, some[0])) else run for run in some[1:]]
        different = {id(run): run for some in parts for run in some}
        places = [[[*different].index(id(run)) for run in some] for some in parts]
        cut = [
            [(chosen @ one).sorted_indices() for one in portion]
            for portion in zip(*different.values(), strict=True)
        ]
        blocks, step = list[ColumnBlock](), _WIDTH if divided else width
        for at in range(0, used.size, step):
            columns = np.arange(at, min(at + step, used.size))
            end = last[columns[-1]]
            tables = [
                sparse.vstack([rows_between(one, at, end) for one in some], format="csr") for some in cut
            ]
            steps = None if levels is None else _adding(columns - at, last[columns] - at, end - at)
            scale = 1.0 if levels is None else rows.scale[used[columns], None]  # type: ignore[union-attr]
            blocks.append(ColumnBlock(columns.size, tables, places, steps, scale))
        return cls(dense, exact, blocks, divided, width - used.size)

    def dense_sums(self, portion: int, weights: Numbers) -> list[Numbers]:
        """Sum the dense rows of each run in a portion with whole numbers as weights: columns × resamples."""
        rows, parts = self.dense[portion], self.exact[portion]
        if parts is None:
            return [np.asarray(weights.T @ one).T for one in rows]  # type: ignore[operator]
        sums = np.zeros((sum(one.values.shape[1] for one in rows), weights.shape[1]))  # type: ignore[attr-defined]
        for columns, numbers in parts:
            sums[columns] += _product_on_one_thread(numbers, weights)
        return np.split(sums, len(rows))

    def scores(self, measures: Sequence[Any], dense: Sequence[Numbers], summed: Summing) -> Numbers:
        """Compute the measures of arrangements of the runs: resamples × arrangements × measures."""
        if not self.divided:
            totals = self.blocks[0].totals(dense, summed)
            found = [[compute(one, values) for one in measures] for values in totals]
            return np.moveaxis(np.array(found), -1, 0)
        zeros = np.zeros((measures[0].concept_columns[1], dense[0].shape[1]))
        nothing = [np.concatenate([numbers, zeros]).T for numbers in dense]
        sums = [[self.unused * np.array(one.terms(some))[..., 0] for one in measures] for some in nothing]
        for block in self.blocks:
            for before, values in zip(sums, block.totals(dense, summed), strict=True):
                for measure, of_measure in zip(measures, before, strict=True):
                    for total, term in zip(of_measure, measure.terms(values), strict=True):
                        term[..., 0] += total  # sums go on in the order of the concepts
                        total[:] = term.sum(axis=-1)
        pairs = ((table.T, zip(measures, some, strict=True)) for table, some in zip(dense, sums, strict=True))
        found = [[one.of_sums(numbers, *some) for one, some in run] for numbers, run in pairs]
        return np.moveaxis(np.array(found), -1, 0)


def samples_by_resamples(weights: NDArray[Any], *, counted: bool) -> NDArray[Any]:
    """Transpose weights, in a short type in which sums of marks are exact if marks are counted."""
    short = np.int16 if weights.sum(axis=1).max(initial=0) < _SHORT else np.float32
    return np.asarray(weights.T, short if counted else np.float64, "C")


def _product_on_one_thread(numbers: Numbers, weights: Numbers) -> Numbers:
    """Multiply columns by weights, whose sums are exact, in steps too small for a second thread."""
    total = np.zeros((numbers.shape[1], weights.shape[1]))
    for row, column in product(*(range(0, size, _TOGETHER) for size in total.shape)):
        part = slice(row, row + _TOGETHER), slice(column, column + _TOGETHER)
        step = _ALONE // max(1, min(_TOGETHER, numbers.shape[1]) * _TOGETHER)
        for begin in range(0, len(numbers), step):
            some = slice(begin, begin + step)
            total[part] += numbers[some, part[0]].T @ weights[some, part[1]]
    return total


def _equal(one: sparse.csr_array, other: sparse.csr_array) -> bool:
    pairs = ((getattr(one, name), getattr(other, name)) for name in ("indptr", "indices", "data"))
    return all(np.array_equal(*pair) for pair in pairs)


def _adding(begin: Places, end: Places, width: int) -> sparse.csr_array:
    """Rows that add up the columns from the begin to the end of each."""
    ends, added = np.append(0, np.cumsum(end - begin)), ranges(begin, end - begin)
    entries = np.ones(added.size, np.int8), added.astype(np.int32), ends.astype(np.int32)
    return sparse.csr_array(entries, shape=(begin.size, width))


def _split(rows: Summed, few: int, number: int) -> tuple[Summed, list[sparse.csr_array]]:
    """Dense rows of a few columns, and sparse parts: columns × samples, if there are more than few."""
    inner = rows.rows if isinstance(rows, Weighted) else rows
    if not isinstance(inner, Rows):
        return rows, []
    numbers, parts = inner.split(few, number)
    if parts and sum(part.shape[0] for part in parts) <= _NARROW:
        numbers, parts = inner.split(sparse.csr_array(inner.values).shape[1], 0)
    for part in parts:
        data = part.data if inner is rows else part.data * rows.weights[part.indices]  # type: ignore[attr-defined]
        small = data.dtype == bool or ((np.abs(data) <= 1).all() and (np.rint(data) == data).all())
        part.data = data.astype(np.int8 if small else np.float64)
    return Rows(numbers) if inner is rows else Weighted(Rows(numbers), rows.weights), parts  # type: ignore[attr-defined]


@dataclass(frozen=True, eq=False)
class RowProducts:
    """Rows of all statistics of several runs, in portions of so many samples."""

    measures: Mapping[str, Any]
    samples: Sequence[int]
    columns: Mapping[Statistic, Columns]

    @classmethod
    def from_runs(cls, runs: Sequence[Any]) -> RowProducts:
        """Prepare the rows of each portion of some runs, see `RunRows`."""
        measures, columns = runs[0].measures, {}
        for statistic in runs[0].rows[0]:
            fits = (one for one in measures.values() if one.statistic == statistic)
            layouts = [info(one, "concept_columns") for one in fits]
            rows = [[part[statistic] for part in run.rows] for run in runs]
            columns[statistic] = Columns.from_rows(rows, None if None in layouts else layouts[0])
        return cls(measures, [len(portion.samples) for _, portion in runs[0].portions], columns)

    @property
    def blocks(self) -> list[ColumnBlock]:
        """Blocks of sparse columns."""
        return [block for columns in self.columns.values() for block in columns.blocks if block.width]

    @property
    def counted(self) -> bool:
        """Whether all sparse rows are marks."""
        return all(table.dtype == np.int8 for block in self.blocks for table in block.tables)

    @property
    def exact(self) -> bool:
        """Whether weighted sums are exact, so that their differences are, too."""
        dense = chain(*(columns.exact for columns in self.columns.values()))
        return self.counted and all(some is not None for some in dense)

    @cached_property
    def once(self) -> dict[Statistic, list[Numbers]]:
        """Sums of the dense rows of each run over all samples."""
        return self.dense(np.ones((number, 1)) for number in self.samples)

    @property
    def held(self) -> int:
        """Numbers of the sums of a resample, and of its weights where they are kept."""
        widest = [block.width * len(block.places[0]) + 2 * sum(self.samples) for block in self.blocks]
        return max(widest, default=0) + sum(map(len, chain(*self.once.values())))

    def dense(self, weights: Iterable[NDArray[Any]]) -> dict[Statistic, list[Numbers]]:
        """Sum the dense rows of each run with whole numbers as weights: columns × resamples."""
        found: dict[Statistic, list[Numbers]] = {}
        for portion, given in enumerate(weights):
            each = given.astype(np.float64, copy=False)
            for one, columns in self.columns.items():
                more = columns.dense_sums(portion, each)
                found[one] = [*map(np.add, found[one], more)] if portion else more
        return found

    def scores(self, dense: Mapping[Statistic, Sequence[Numbers]], summed: Summing) -> Numbers:
        """Compute the measures of arrangements of the runs: resamples × arrangements × measures."""
        number, resamples = next((len(some), some[0].shape[1]) for some in dense.values())
        scores = np.full((resamples, number, len(self.measures)), np.nan)
        for statistic, own in dense.items():
            fits = [info(one, "mergeable") and one.statistic == statistic for one in self.measures.values()]
            chosen = [one for one, fit in zip(self.measures.values(), fits, strict=True) if fit]
            scores[:, :, fits] = self.columns[statistic].scores(chosen, own, summed)
        return scores


def _exact_parts(runs: Sequence[Summed]) -> list[_Exact] | None:
    """Cut columns into parts whose sums are exact with whole numbers as weights; None where they are many."""
    each: list[Any] = [getattr(rows, "values", None) for rows in runs]
    if any(one is None or one.shape[1] > _NARROW or not (np.abs(one) < _UNCUT).all() for one in each):
        return None
    found, rest = list[_Exact](), np.concatenate(each, axis=1, dtype=np.float64)
    room = 1.5 * 2.0 ** (_HEAVIEST * max(1, len(rest))).bit_length()
    columns = np.arange(rest.shape[1])
    while columns.size:
        # Upper parts of numbers below 2^e are multiples of 2^(e + n - 52); weights sum to less than 2^n.
        shift = room * 2.0 ** np.frexp(np.abs(rest).max(axis=0, initial=0.0))[1]
        upper = rest + shift
        upper -= shift
        found.append((columns, upper))
        rest = rest - upper
        left = np.flatnonzero(rest.any(axis=0))
        columns, rest = columns[left], rest[:, left]
    return found
