"""Products of weights with the rows of several runs, as few and as exact as they can be.

A weighted sum of floating numbers depends on the order of its addends, and so on the library of linear
algebra, on its threads and on the runs beside it. Numbers cut into parts of few digits have exact sums, and
counts have, too. Where a formula adds up concepts, sums and formula are computed block by block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.measures.base import compute, info
from ontoeval.measures.sums import Rows, Statistic, Summed, Weighted
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.sparse import ranges, scale_rows
from ontoeval.plumbing.workers import mapped

Weights = Sequence[NDArray[Any]]
"""Weights in each portion: samples × resamples."""
Summing = Callable[["Block", int], Iterable[NDArray[Any]]]
"""Gives the sums of a part of a block for each arrangement of the runs: columns × resamples."""

_NARROW = 32
"""Most columns of a statistic that share a product with those of others."""

_HEAVIEST = 32
"""Upper bound of the mean weight of a portion: resamples draw a sample once on average."""

_HUGE = 2.0**900
"""Largest number that is cut."""

_WIDTH = 512
"""Columns of a block: half a megabyte of counts, which a processor keeps at hand."""


@dataclass(frozen=True, eq=False)
class Block:
    """Some columns of the sparse rows of a statistic, which have parts of equal width."""

    width: int
    tables: Sequence[Sequence[Sequence[sparse.csr_array]]]
    """Stored columns × samples, of parts × runs × portions; runs with equal rows share a list."""
    steps: Sequence[sparse.csr_array]
    """For each part the stored columns that a column adds up, if that is a level: those of it and above."""
    scale: Numbers
    """What the columns of the first part are then multiplied by."""

    def sums(self, part: int, weights: Sequence[Weights]) -> list[NDArray[Any]]:
        """Sum the stored columns of each run with weights of its own; equal rows and weights share a sum."""
        found, known = list[NDArray[Any]](), dict[tuple[int, int], NDArray[Any]]()
        for tables, given in zip(self.tables[part], weights, strict=True):
            if (key := (id(tables), id(given))) not in known:
                pairs = zip(tables, given, strict=True)
                some = [table @ each.astype(table.dtype, copy=False) for table, each in pairs]
                known[key] = some[0] if len(some) == 1 else np.sum(some, axis=0, dtype=np.float64)
            found.append(known[key])
        return found

    @cached_property
    def once(self) -> list[list[NDArray[Any]]]:
        """Sums of the stored columns of each part and run over all samples."""
        ones = [np.ones((table.shape[1], 1), table.dtype) for table in self.tables[0][0]]
        return [self.sums(part, [ones] * len(runs)) for part, runs in enumerate(self.tables)]

    def is_shared(self, part: int) -> bool:
        """Whether all runs have the same rows, as those of the truth are."""
        return all(tables is self.tables[part][0] for tables in self.tables[part])

    def totals(self, dense: Sequence[Numbers], summed: Summing) -> Iterator[Numbers]:
        """Go through arrangements of the runs: the totals that formulas take, of these columns alone."""
        first, width, parts = len(dense[0]), self.width, range(len(self.tables))
        rows, before = np.empty((first + len(parts) * width, dense[0].shape[1])), [np.empty(0)] * len(parts)
        for numbers, *each in zip(dense, *(summed(self, part) for part in parts), strict=True):
            rows[:first] = numbers
            for part, sums in zip(parts, each, strict=True):
                if sums is not before[part]:
                    before[part], place = sums, rows[first + part * width :][:width]
                    found = self.steps[part] @ sums if self.steps else sums
                    np.multiply(found, 1.0 if part else self.scale, out=place)
            yield rows.T


class _ExactPart(NamedTuple):
    """Numbers whose weighted sums are exact, and the columns whose sums they add to."""

    columns: Places
    numbers: Numbers


@dataclass(frozen=True, eq=False)
class Columns:
    """Rows of a statistic of all runs: dense ones, and blocks of the sparse columns in use."""

    dense: Sequence[Sequence[Summed]]
    """Of portions × runs."""
    exact: Sequence[Sequence[_ExactPart] | None]
    """The dense rows of all runs side by side, for each portion, where these have few columns."""
    blocks: Sequence[Block]
    parts: int = 0
    divided: bool = False
    unused: int = 0
    """How many columns no run uses, of those that formulas add up."""

    @classmethod
    def from_rows(cls, runs: Sequence[Sequence[Summed]], *, divided: bool) -> Columns:
        """Separate dense and sparse rows; `runs` has those of each portion."""
        split = [[_split(rows, divided=divided) for rows in portions] for portions in runs]
        dense = [[rows for rows, _ in of_portion] for of_portion in zip(*split, strict=True)]
        exact, number = [_exact_parts(rows) for rows in dense], len(split[0][0][1])
        if not number:
            return cls(dense, exact, [Block(0, [], [], np.ones(1))])
        tables = [[[_transposed(some[at]) for _, some in of_run] for of_run in split] for at in range(number)]
        # Choose the columns in use: of levels those that all parts reach, since they are multiplied.
        rows, width = getattr(runs[0][0], "rows", runs[0][0]), tables[0][0][0].shape[0]
        levels = getattr(rows, "levels", None) if divided else None
        ends = np.arange(1, width + 1) if levels is None else levels.ends
        used, stored = np.full(width, not divided), np.zeros((number, width), dtype=bool)
        for parts in (parts for of_run in zip(*tables, strict=True) for parts in zip(*of_run, strict=True)):
            reached = np.array([table.indptr[ends] > table.indptr[:-1] for table in parts])
            used |= reached.any(axis=0) if levels is None else reached.all(axis=0)
            stored |= np.array([np.diff(table.indptr) > 0 for table in parts])
        ones = np.ones(max(table.nnz for of_part in tables for run in of_part for table in run), np.float32)
        alike = [[all(map(_equal, run, of_part[0])) for run in of_part] for of_part in tables]
        chosen, blocks, step = np.flatnonzero(used), list[Block](), _WIDTH if divided else width
        for at in range(0, chosen.size, step):
            some, cut, steps = chosen[at : at + step], list[list[list[sparse.csr_array]]](), []
            for of_part, filled, same in zip(tables, stored, alike, strict=True):
                places, end = some, ends[some[-1]]
                if levels is not None:
                    there = np.flatnonzero(filled[some[0] : end]) + some[0]
                    lowest = there[np.searchsorted(there, some)]
                    # Levels between two columns in use are stored as one.
                    places = np.unique(np.append(lowest, ends[some]))[:-1]
                    steps.append(_steps(places, lowest, ends[some]))
                first, *rest = ([_chosen(one, places, end, ones) for one in run] for run in of_part)
                cut.append(
                    [first, *(first if equal else run for equal, run in zip(same[1:], rest, strict=True))]
                )
            blocks.append(
                Block(some.size, cut, steps, np.ones(1) if levels is None else levels.scale[some, None])
            )
        return cls(dense, exact, blocks, number, divided, width - chosen.size)

    def dense_sums(self, portion: int, weights: Numbers) -> list[Numbers]:
        """Sum the dense rows of each run in a portion with whole numbers as weights: columns × resamples."""
        rows, parts = self.dense[portion], self.exact[portion]
        if parts is None:
            return [np.asarray(weights.T @ one).T for one in rows]  # type: ignore[operator]
        sums = np.zeros((sum(one.values.shape[1] for one in rows), weights.shape[1]))  # type: ignore[attr-defined]
        for columns, numbers in parts:
            sums[columns] += numbers.T @ weights
        return np.split(sums, len(rows))

    def scores(self, measures: Sequence[Any], dense: Sequence[Numbers], summed: Summing) -> Numbers:
        """Compute the measures of arrangements of the runs: resamples × arrangements × measures."""
        scores = np.empty((dense[0].shape[1], len(dense), len(measures)))
        if not self.divided:
            for place, values in enumerate(self.blocks[0].totals(dense, summed)):
                scores[:, place] = np.stack([compute(one, values) for one in measures], axis=-1)
            return scores
        zeros = np.zeros((self.parts, len(scores)))
        nothing = [np.concatenate([numbers, zeros]).T for numbers in dense]
        sums = [
            [[self.unused * term[..., 0] for term in one.terms(some)] for one in measures] for some in nothing
        ]
        for block in self.blocks:
            for before, values in zip(sums, block.totals(dense, summed), strict=True):
                for measure, of_measure in zip(measures, before, strict=True):
                    for total, term in zip(of_measure, measure.terms(values), strict=True):
                        term[..., 0] += total  # sums go on in the order of the concepts
                        total[:] = term.sum(axis=-1)
        for place, (numbers, totals) in enumerate(zip(dense, sums, strict=True)):
            found = (one.of_sums(numbers.T, *some) for one, some in zip(measures, totals, strict=True))
            scores[:, place] = np.stack([*found], axis=-1)
        return scores


def _equal(one: sparse.csr_array, other: sparse.csr_array) -> bool:
    return all(
        np.array_equal(getattr(one, name), getattr(other, name)) for name in ("indptr", "indices", "data")
    )


def _chosen(table: sparse.csr_array, columns: Places, end: int, ones: NDArray[Any]) -> sparse.csr_array:
    """Take columns before an end, each with what lies between it and the next."""
    ends = table.indptr[np.append(columns, end)]
    entries, shape = slice(ends[0], ends[-1]), (columns.size, table.shape[1])
    data = ones[: ends[-1] - ends[0]] if table.dtype == bool else table.data[entries]
    return sparse.csr_array((data, table.indices[entries], ends - ends[0]), shape=shape)


def _steps(stored: Places, begin: Places, end: Places) -> sparse.csr_array:
    """Columns × stored ones, with a 1 for those from the begin to the end of each column."""
    first, last = np.searchsorted(stored, [begin, end])
    ends = np.append(0, np.cumsum(last - first))
    ones = np.ones(ends[-1], dtype=np.float32)
    return sparse.csr_array((ones, ranges(first, last - first), ends), shape=(begin.size, stored.size))


def _split(rows: Summed, *, divided: bool) -> tuple[Summed, Sequence[sparse.csr_array]]:
    """Dense numbers of each sample, and sparse parts of equal width, where these are more than few."""
    if isinstance(rows, Weighted):
        dense, parts = _split(rows.rows, divided=divided)
        scaled = [scale_rows(part, rows.weights) for part in parts]
        return (Weighted(dense, rows.weights), scaled) if parts else (rows, [])  # type: ignore[arg-type]
    if not isinstance(rows, Rows):
        return rows, []
    numbers, parts = rows.parts
    if parts and sum(part.shape[1] for part in parts) <= _NARROW:
        return Rows(sparse.csr_array(rows.values).toarray()), []
    if parts and not divided:
        return Rows(np.empty((len(rows), 0))), [sparse.csr_array(rows.values)]
    return Rows(numbers), parts


def _transposed(part: sparse.csr_array) -> sparse.csr_array:
    """Turn rows into columns × samples; small whole numbers, whose sums are exact, in single precision."""
    columns = sparse.csc_array(part)
    data = columns.data
    if data.dtype != bool:  # sums of 2^24 / _HEAVIEST samples are exact
        small = (np.abs(data) <= 1).all() and (np.rint(data) == data).all()
        data = data.astype(np.float32 if small else np.float64)
    return sparse.csr_array((data, columns.indices, columns.indptr), shape=columns.shape[::-1])


@dataclass(frozen=True, eq=False)
class RowProducts:
    """Rows of all statistics of several runs, in portions of so many samples."""

    measures: Mapping[str, Any]
    samples: Sequence[int]
    columns: Mapping[Statistic, Columns]

    @classmethod
    def from_rows(
        cls,
        measures: Mapping[str, Any],
        samples: Sequence[int],
        runs: Sequence[Sequence[Mapping[Statistic, Summed]]],
    ) -> RowProducts:
        """Prepare the rows of each portion of each run."""
        divided: dict[Statistic, bool] = {}
        for measure in measures.values():
            divided[measure.statistic] = divided.get(measure.statistic, True) and info(measure, "adds_concepts")

        def prepared(one: Statistic) -> Columns:
            return Columns.from_rows([[rows[one] for rows in run] for run in runs], divided=divided[one])

        return cls(measures, samples, dict(zip(runs[0][0], mapped(prepared, list(runs[0][0])), strict=True)))

    @property
    def blocks(self) -> list[Block]:
        """Blocks of sparse columns."""
        return [block for columns in self.columns.values() for block in columns.blocks if block.width]

    @cached_property
    def precision(self) -> type:
        """Type of the weights of sparse rows."""
        weighted = any(isinstance(one.dense[0][0], Weighted) for one in self.columns.values())
        return np.float64 if weighted else np.float32

    @cached_property
    def once(self) -> dict[Statistic, list[Numbers]]:
        """Sums of the dense rows of each run over all samples."""
        return self.dense(np.ones((number, 1)) for number in self.samples)

    @property
    def numbers(self) -> int:
        """Numbers of the sums of a resample, and of its weights where they are kept."""
        dense = sum(len(of_run) for runs in self.once.values() for of_run in runs)
        whole = max((block.width * len(block.tables[0]) for block in self.blocks), default=0)
        return dense + whole + 2 * sum(self.samples) * bool(self.blocks)

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


def _exact_parts(runs: Sequence[Summed]) -> list[_ExactPart] | None:
    """Cut columns into parts whose sums are exact with whole numbers as weights; None where they are many."""
    each = [getattr(rows, "values", None) for rows in runs]
    if any(one is None or one.shape[1] > _NARROW or not (np.abs(one) < _HUGE).all() for one in each):
        return None
    found, rest = list[_ExactPart](), np.concatenate(each, axis=1, dtype=np.float64)
    room = 1.5 * 2.0 ** (_HEAVIEST * max(1, len(rest))).bit_length()
    columns = np.arange(rest.shape[1])
    while columns.size:
        # Upper parts of numbers below 2^e are multiples of 2^(e + n - 52); weights sum to less than 2^n.
        shift = room * 2.0 ** np.frexp(np.abs(rest).max(axis=0, initial=0.0))[1]
        upper = rest + shift
        upper -= shift
        found.append(_ExactPart(columns, upper))
        rest = rest - upper
        left = np.flatnonzero(rest.any(axis=0))
        columns, rest = columns[left], rest[:, left]
    return found
