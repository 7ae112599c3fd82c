"""Products of weights with the rows of several runs, as few and as exact as they can be.

A weighted sum of floating numbers depends on the order of its addends, and so on the library of linear
algebra, on its threads and on the runs beside it. Numbers cut into parts of few digits have exact sums, and
counts have, too. Where a formula adds up concepts, sums and formula are computed block by block.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.measures.base import computed, info
from ontoeval.measures.sums import Rows, Statistic, Summed, Weighted, add_sums
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.sparse import ranges, rows_between, scale_rows
from ontoeval.plumbing.workers import mapped

StatisticSums = dict[Statistic, Numbers]
Weights = Sequence[NDArray[Any]]
"""Weights in each portion: samples × resamples."""
Tables = Sequence[Sequence[Sequence[sparse.csr_array]]]
"""Columns × samples, for parts × runs × portions; a run whose rows are those of the first has its list."""
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
    tables: Tables
    steps: Sequence[sparse.csr_array]
    """For each part the stored columns that a column adds up, where that is a level: those of it and above."""
    scale: Numbers
    """What the columns of the first part are then multiplied by."""
    all_once: dict[int, list[NDArray[Any]]] = field(default_factory=dict)

    def once(self, part: int, ones: Weights) -> list[NDArray[Any]]:
        """Sum the stored columns of each run over all samples."""
        if part not in self.all_once:
            self.all_once[part] = self.sums(part, [ones] * len(self.tables[part]))
        return self.all_once[part]

    def sums(self, part: int, weights: Sequence[Weights]) -> list[NDArray[Any]]:
        """Sum the stored columns of each run with weights of its own; equal rows and weights share a sum."""
        found, known = list[NDArray[Any]](), dict[tuple[int, int], NDArray[Any]]()
        for tables, given in zip(self.tables[part], weights, strict=True):
            if (key := (id(tables), id(given))) not in known:
                some = [table @ each for table, each in zip(tables, given, strict=True)]
                known[key] = some[0] if len(some) == 1 else np.sum(some, axis=0, dtype=np.float64)
            found.append(known[key])
        return found

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
                    found = self.steps[part] @ sums if self.steps else sums
                    factor = 1.0 if part else self.scale
                    np.multiply(found, factor, out=rows[first + part * width :][:width])
                    before[part] = sums
            yield rows.T


class Columns(NamedTuple):
    """Sparse rows of a statistic of all runs, of which the columns in use are kept."""

    blocks: Sequence[Block]
    parts: int
    unused: int

    @classmethod
    def of(cls, rows: Any, tables: Tables, *, divided: bool) -> Columns:  # noqa: ANN401 - with levels or without
        """Choose the columns in use: of levels those that all parts reach, since they are multiplied."""
        width, levels = tables[0][0][0].shape[0], getattr(rows, "levels", None) if divided else None
        ends = np.arange(1, width + 1) if levels is None else levels.ends
        used, filled = np.full(width, not divided), np.zeros((len(tables), width), dtype=bool)
        for portion in (
            portion for of_run in zip(*tables, strict=True) for portion in zip(*of_run, strict=True)
        ):
            reached = np.array([table.indptr[ends] > table.indptr[:-1] for table in portion])
            used |= reached.any(axis=0) if levels is None else reached.all(axis=0)
            filled |= np.array([np.diff(table.indptr) > 0 for table in portion])
        chosen = np.flatnonzero(used)
        stored = [chosen if levels is None else np.flatnonzero(one) for one in filled]
        ones = np.ones(max(table.nnz for parts in tables for runs in parts for table in runs), np.float32)
        kept = [_kept(*some, ones) for some in zip(tables, stored, strict=True)]
        scale = np.ones((width, 1)) if levels is None else levels.scale[:, None]
        blocks, step = [], _WIDTH if divided else chosen.size
        for some in (chosen[at : at + step] for at in range(0, chosen.size, step)):
            bounds = [(np.searchsorted(one, some), np.searchsorted(one, ends[some])) for one in stored]
            cut = [_between(runs, begin[0], end[-1]) for runs, (begin, end) in zip(kept, bounds, strict=True)]
            steps = [] if levels is None else [_steps(*one) for one in bounds]
            blocks.append(Block(some.size, cut, steps, scale[some]))
        return cls(blocks, len(tables), width - chosen.size)

    def scores(
        self, measures: Sequence[Any], dense: Sequence[Numbers], summed: Summing
    ) -> list[list[Numbers]]:
        """Compute measures that add up concepts: arrangements × measures × resamples."""
        zeros = np.zeros((self.parts, dense[0].shape[1]))
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
        return [
            [one.of_sums(numbers.T, *of) for one, of in zip(measures, some, strict=True)]
            for numbers, some in zip(dense, sums, strict=True)
        ]


def _kept(
    runs: Sequence[Sequence[sparse.csr_array]], columns: Places, ones: NDArray[Any]
) -> list[list[sparse.csr_array]]:
    """Keep some columns, the others being empty; a run whose rows are those of the first gets its list."""
    found: list[list[sparse.csr_array]] = []
    for tables in runs:
        some = []
        for table in tables:
            ends = np.append(table.indptr[columns], table.indptr[-1:])
            data = ones[: table.nnz] if table.dtype == bool else table.data
            some.append(sparse.csr_array((data, table.indices, ends), shape=(columns.size, table.shape[1])))
        both = zip(some, found[0] if found else some, strict=True)
        parts = ((getattr(one, name), getattr(first, name)) for one, first in both for name in _ARRAYS)
        found.append(found[0] if found and all(np.array_equal(*part) for part in parts) else some)
    return found


_ARRAYS = "indptr", "indices", "data"


def _between(
    runs: Sequence[Sequence[sparse.csr_array]], begin: int, end: int
) -> list[list[sparse.csr_array]]:
    first = [rows_between(table, begin, end) for table in runs[0]]
    others = (
        [rows_between(table, begin, end) for table in tables] for tables in runs if tables is not runs[0]
    )
    return [first if tables is runs[0] else next(others) for tables in runs]


def _steps(begin: Places, end: Places) -> sparse.csr_array:
    """Columns × stored columns, with ones from the begin to the end of each column."""
    pointers = np.append(0, np.cumsum(end - begin))
    ones, places = np.ones(pointers[-1], dtype=np.float32), ranges(begin - begin[0], end - begin)
    return sparse.csr_array((ones, places, pointers), shape=(begin.size, end[-1] - begin[0]))


class _ExactPart(NamedTuple):
    """Numbers whose weighted sums are exact, and the columns whose sums they add to."""

    columns: Places
    numbers: Numbers


class Portion(NamedTuple):
    """Rows of all runs in a portion of the samples."""

    dense: Sequence[Mapping[Statistic, Summed]]
    places: Mapping[tuple[int, Statistic], slice]
    """Columns of the dense rows that are cut, side by side."""
    parts: Sequence[_ExactPart]
    tables: Mapping[Statistic, Sequence[Sequence[sparse.csr_array]]]
    """Sparse rows: parts × runs."""

    @classmethod
    def of(cls, runs: Sequence[Mapping[Statistic, Summed]], divided: Mapping[Statistic, bool]) -> Portion:
        """Separate sparse rows, and of the dense ones those of few columns."""
        dense, few, places, end = [dict[Statistic, Summed]() for _ in runs], list[Numbers](), {}, 0
        tables: dict[Statistic, list[list[sparse.csr_array]]] = {}
        for run, rows in enumerate(runs):
            for statistic, some in rows.items():
                dense[run][statistic], parts = _split(some, divided=divided[statistic])
                for at, table in enumerate(map(_table, parts)):
                    tables.setdefault(statistic, [[] for _ in parts])[at].append(table)
                values = getattr(dense[run][statistic], "values", None)
                if values is not None and values.shape[1] <= _NARROW and (np.abs(values) < _HUGE).all():
                    few.append(np.asarray(values, dtype=np.float64))
                    places[run, statistic] = slice(end, end := end + values.shape[1])
        return cls(dense, places, list(_exact_parts(np.concatenate(few, axis=1))) if few else [], tables)

    def sums(self, weights: NDArray[Any]) -> list[StatisticSums]:
        """Sum the dense rows of each run with whole numbers as weights: columns × resamples."""
        each, width = (
            weights.astype(np.float64, copy=False),
            max((one.stop for one in self.places.values()), default=0),
        )
        sums = np.zeros((width, each.shape[1]))
        for columns, numbers in self.parts:
            sums[columns] += numbers.T @ each
        return [
            {
                one: sums[self.places[run, one]] if (run, one) in self.places else np.asarray(each.T @ some).T
                for one, some in rows.items()
            }
            for run, rows in enumerate(self.dense)
        ]


def _split(rows: Summed, *, divided: bool) -> tuple[Summed, list[sparse.csr_array]]:
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


def _table(part: sparse.csr_array) -> sparse.csr_array:
    """Turn rows into columns × samples; small whole numbers, whose sums are exact, in single precision."""
    columns = sparse.csc_array(part)
    data = columns.data
    if data.dtype != bool:  # sums of 2^24 / _HEAVIEST samples are exact
        small = (np.abs(data) <= 1).all() and (np.rint(data) == data).all()
        data = data.astype(np.float32 if small else np.float64)
    return sparse.csr_array((data, columns.indices, columns.indptr), shape=columns.shape[::-1])


@dataclass(frozen=True, eq=False)
class RowProducts:
    """Rows of all statistics of several runs, portion by portion."""

    measures: Mapping[str, Any]
    samples: Sequence[int]
    portions: Sequence[Portion]
    columns: Mapping[Statistic, Columns]
    divided: Mapping[Statistic, bool]

    @classmethod
    def of(
        cls,
        measures: Mapping[str, Any],
        samples: Sequence[int],
        runs: Sequence[Sequence[Mapping[Statistic, Summed]]],
    ) -> RowProducts:
        """Prepare the rows of each portion of each run; `samples` has the sizes of the portions."""
        divided: dict[Statistic, bool] = {}
        for measure in measures.values():
            divided[measure.statistic] = divided.get(measure.statistic, True) and info(measure, "by_concept")
        portions = list(mapped(partial(Portion.of, divided=divided), list(zip(*runs, strict=True))))
        columns = {}
        for one, parts in portions[0].tables.items():
            tables = [
                [[portion.tables[one][part][run] for portion in portions] for run in range(len(runs))]
                for part in range(len(parts))
            ]
            rows = getattr(runs[0][0][one], "rows", runs[0][0][one])
            columns[one] = Columns.of(rows, tables, divided=divided[one])
        return cls(measures, samples, [one._replace(tables={}) for one in portions], columns, divided)

    @cached_property
    def precision(self) -> type:
        """Type of the weights of sparse rows."""
        blocks = (block for columns in self.columns.values() for block in columns.blocks)
        tables = (one for block in blocks for runs in block.tables for portions in runs for one in portions)
        return np.float32 if all(table.dtype == np.float32 for table in tables) else np.float64

    @cached_property
    def ones(self) -> list[NDArray[Any]]:
        """Weights of one resample that has each sample once."""
        return [np.ones((number, 1), self.precision) for number in self.samples]

    @cached_property
    def totals(self) -> list[StatisticSums]:
        """StatisticSums of the dense rows of each run."""
        return self.dense(self.ones)

    @property
    def numbers(self) -> int:
        """Numbers of the sums of a resample, and of its weights where they are kept."""
        whole = [columns.blocks[0].width for one, columns in self.columns.items() if not self.divided[one]]
        dense = sum(len(some) for of_run in self.totals for some in of_run.values())
        return dense + (len(self.totals) + 1) * sum(whole) + 2 * sum(self.samples) * bool(self.columns)

    def dense(self, weights: Iterable[NDArray[Any]]) -> list[StatisticSums]:
        """Sum the dense rows of each run with whole numbers as weights: columns × resamples."""
        found: list[StatisticSums] = [{} for _ in self.portions[0].dense]
        for portion, given in zip(self.portions, weights, strict=True):
            for of_run, more in zip(found, portion.sums(given), strict=True):
                add_sums(of_run, more)
        return found

    def scores(self, dense: Mapping[Statistic, Sequence[Numbers]], summed: Summing) -> Numbers:
        """Compute the measures of the sums of arrangements of the runs: resamples × arrangements × measures."""
        number, resamples = next((len(some), some[0].shape[1]) for some in dense.values())
        scores = np.full((resamples, number, len(self.measures)), np.nan)
        for statistic, own in dense.items():
            measures = {
                at: measure
                for at, measure in enumerate(self.measures.values())
                if info(measure, "mergeable") and measure.statistic == statistic
            }
            if statistic in self.columns and self.divided[statistic]:
                found = self.columns[statistic].scores([*measures.values()], own, summed)
                scores[:, :, [*measures]] = np.moveaxis(np.array(found), -1, 0)
                continue
            whole = self.columns.get(statistic)
            totals = (sums.T for sums in own) if whole is None else whole.blocks[0].totals(own, summed)
            for place, some in enumerate(totals):
                for at, measure in measures.items():
                    scores[:, place, at] = computed(measure, some)
        return scores


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
