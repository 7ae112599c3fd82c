"""Statistics and their rows, which add up exactly in whatever order and parts they are added."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from math import fsum
from typing import Any, Protocol, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.batch import Batch
from ontoeval.plumbing.arrays import Numbers

AT_A_TIME = 1 << 16
"""Numbers that are cut together: half a megabyte, which a processor keeps at hand."""

_LEAST = 128
"""Least number of rows that are cut together: more than there can be addends, 2,098 bits in cuts of 45."""

_HUGE = 2.0**960
"""Numbers from this size on are added as they are: cutting them into parts could overflow."""


def addends(rows: NDArray[Any] | sparse.csr_array) -> Numbers:
    """Find few rows, one at least, whose sum is exactly that of all rows, dense or CSR."""
    width = rows.shape[1]
    if sparse.issparse(rows):
        return addends_at(rows.data, rows.indices, width)
    found = np.asarray(rows, dtype=np.float64)
    step = max(_LEAST, AT_A_TIME // max(1, width))
    while len(found) != 1:
        cut = [_add_exactly(found[at : at + step], _over_rows) for at in range(0, max(1, len(found)), step)]
        found = np.concatenate(cut)
        if len(cut) == 1:
            break
    return found


def join_addends(*several: Numbers) -> Numbers:
    """Merge several arrays of addends into one."""
    return addends(np.concatenate(several))


def addends_at(values: NDArray[Any], columns: NDArray[np.integer], width: int) -> Numbers:
    """Find addends of values that belong to some columns."""
    return _add_exactly(values, lambda some: np.bincount(columns, some, width).astype(np.float64))


def sum_of_addends(some: Numbers) -> Numbers:
    """Add addends up: the number next to the exact sum, column by column."""
    total = _over_rows(some)
    if len(some) > 2:  # noqa: PLR2004 - the sum of two numbers is the number next to it
        several = np.flatnonzero((np.count_nonzero(some, axis=0) > 2) & np.isfinite(total))  # noqa: PLR2004
        total[several] = [fsum(column) for column in some[:, several].T.tolist()]
    return total


def _over_rows(values: Numbers) -> Numbers:
    with np.errstate(over="ignore", invalid="ignore"):  # of what is infinite or nearly so
        return np.asarray(values.sum(axis=0))


def _add_exactly(values: NDArray[Any], add: Callable[[Numbers], Numbers]) -> Numbers:
    """Cut numbers into parts that `add` adds up exactly, and add up each part."""
    rest = np.array(values, dtype=np.float64)
    found = []
    room = 1.5 * 2.0 ** max(1, len(rest) - 1).bit_length()
    largest = _largest(rest)
    if not largest < _HUGE:  # so is nan
        odd = ~(np.abs(rest) < _HUGE)
        found.append(add(np.where(odd, rest, 0.0)))
        rest[odd] = 0.0
        largest = _largest(rest)
    while largest:
        # Of 2^n numbers below 2^e the upper parts are multiples of 2^(e + n - 52): no sum of them needs more
        # than the 53 bits of a number.
        shift = room * 2.0 ** np.frexp(largest)[1]
        upper = rest + shift
        upper -= shift
        found.append(add(upper))
        rest -= upper
        largest = _largest(rest)
    return np.stack(found) if found else add(rest)[None]


def _largest(values: Numbers) -> float:
    return float(max(values.max(initial=0.0), -values.min(initial=0.0)))


BLOCK = 4_000_000
"""Most numbers of sparse rows that are spread out at a time: 32 MB."""


class Additive:
    """Rows that have a sum."""

    __array_ufunc__ = None  # so that numpy leaves `weights @ rows` to this class

    def addends(self) -> Numbers:
        """Find few rows that add up to exactly the sum over the samples, with their weights."""
        raise NotImplementedError

    def total(self) -> Numbers:
        """Sum over the samples; one number per column, the same in whatever order the samples are."""
        return sum_of_addends(self.addends())


@dataclass(frozen=True, eq=False)
class Rows(Additive):
    """One row of numbers per sample, whose sum is all that a formula needs."""

    values: NDArray[np.float64] | sparse.csr_array

    def __len__(self) -> int:
        return int(self.values.shape[0])

    def addends(self) -> NDArray[np.float64]:
        """Find few rows that add up to exactly the sum over the samples."""
        return addends(self.values)

    def split(self, few: int, parts: int) -> tuple[Numbers, list[sparse.csr_array]]:
        """Separate a few dense columns from sparse parts of equal width: columns × samples."""
        values = self.values
        if not sparse.issparse(values):
            return values, []
        table = sparse.csc_array(values)
        starts = np.linspace(few, table.shape[1], parts + 1, dtype=int).tolist()
        return table[:, :few].toarray(), [table[:, slice(*some)].T for some in pairwise(starts)]

    def __rmatmul__(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum over the samples with weights: one total per row of weights."""
        return np.asarray(weights @ self.values, dtype=np.float64)

    def blocks(self) -> Iterator[NDArray[np.float64]]:
        """Go through the rows as dense arrays of bounded size."""
        values = self.values
        if not sparse.issparse(values):
            yield np.asarray(values)
            return
        step = max(1, BLOCK // max(1, values.shape[1]))
        for begin in range(0, max(1, len(self)), step):
            yield values[begin : begin + step].toarray()


class CountedRows(Rows):
    """Rows whose sum is counted without them; they are made where single samples are wanted."""

    def __init__(self, count: int, total: Numbers, make: Callable[[], sparse.csr_array]) -> None:
        self.__dict__.update(_count=count, _total=total, _make=make)  # frozen

    def __len__(self) -> int:
        return int(self.__dict__["_count"])

    @property
    def values(self) -> sparse.csr_array:
        """The rows, one per sample."""
        return sparse.csr_array(self.__dict__["_make"]())

    def addends(self) -> Numbers:
        """Return the sum over the samples, which is exact."""
        return np.asarray(self.__dict__["_total"][None])


@dataclass(frozen=True, eq=False)
class RowsInBlocks(Additive):
    """Rows that would take much memory, and are computed in blocks on demand."""

    count: int
    width: int
    between: Callable[[int, int], NDArray[np.float64]]

    def __len__(self) -> int:
        return self.count

    def _spans(self) -> Iterator[tuple[int, int]]:
        step = max(1, BLOCK // 4 // max(1, self.width))
        for begin in range(0, max(1, self.count), step):
            yield begin, min(begin + step, self.count)

    @property
    def values(self) -> NDArray[np.float64]:
        """All rows at once."""
        return np.concatenate(list(self.blocks()))

    def addends(self) -> NDArray[np.float64]:
        """Find few rows that add up to exactly the sum over the samples."""
        return join_addends(*(addends(block) for block in self.blocks()))

    def __rmatmul__(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum over the samples with weights: one total per row of weights."""
        total = np.zeros((*np.shape(weights)[:-1], self.width))
        for begin, end in self._spans():
            total += weights[..., begin:end] @ self.between(begin, end)
        return total

    def blocks(self) -> Iterator[NDArray[np.float64]]:
        """Go through the rows as dense arrays of bounded size; consecutive rows."""
        for begin, end in self._spans():
            yield self.between(begin, end)


class Summed(Protocol):
    """The result of a statistic: rows, kept or computed on demand."""

    def __len__(self) -> int: ...

    def total(self) -> Numbers:
        """Compute the totals that a formula needs of all samples together."""
        ...

    def blocks(self) -> Iterator[NDArray[np.float64]]:
        """Go through the rows that a formula needs of each sample alone."""
        ...


@runtime_checkable
class Weighable(Protocol):
    """A result without rows that can be summed, but with totals of resamples."""

    def weighted(self, counts: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
        """Compute the totals of each resample."""
        ...


@dataclass(frozen=True, eq=False)
class Weighted(Additive):
    """Rows of samples that do not all count once: each is multiplied by the weight of its sample."""

    rows: Rows | RowsInBlocks
    weights: Numbers

    def __len__(self) -> int:
        return len(self.rows)

    def addends(self) -> Numbers:
        """Find few rows that add up to exactly the weighted sum; a weight of 2 is a repetition to the bit."""
        found = self.rows.values if isinstance(self.rows, Rows) else None
        if sparse.issparse(found):
            split = exact_product(found.data, np.repeat(self.weights, np.diff(found.indptr)))
            return join_addends(*(addends_at(part, found.indices, found.shape[1]) for part in split))
        parts = (part for block, of_block in self._blocks() for part in exact_product(block, of_block))
        return join_addends(*map(addends, parts))

    def __rmatmul__(self, counts: Numbers) -> Numbers:
        """Sum over the samples of resamples, each of which keeps its weight."""
        return np.asarray((counts * self.weights) @ self.rows, dtype=np.float64)

    def blocks(self) -> Iterator[Numbers]:
        """Go through the weighted rows as dense arrays of bounded size."""
        return (exact_product(block, of_block)[0] for block, of_block in self._blocks())

    def _blocks(self) -> Iterator[tuple[Numbers, Numbers]]:
        begin = 0
        for block in self.rows.blocks():
            yield block, self.weights[begin : begin + len(block), None]
            begin += len(block)


@dataclass(frozen=True, eq=False)
class WeightedWhole:
    """A result without rows that can be summed, of samples that do not all count once."""

    rows: Any
    weights: Numbers

    def __len__(self) -> int:
        return len(self.rows)

    def total(self) -> Numbers:
        """Compute the totals that a formula needs of all samples together."""
        return np.asarray(next(self.weighted(np.ones((1, len(self)))))[0])

    def weighted(self, counts: Numbers) -> Iterator[Numbers]:
        """Compute the totals of each resample."""
        return cast("Iterator[Numbers]", self.rows.weighted(counts * self.weights))

    def blocks(self) -> Iterator[Numbers]:
        """Go through the rows that a formula needs of each sample alone, without the weights."""
        return cast("Iterator[Numbers]", self.rows.blocks())


def with_sample_weights(rows: Summed, weights: Numbers | None) -> Any:  # noqa: ANN401 - None if they have no weights
    """Let each sample count for its weight; None where the rows allow none."""
    if weights is None:
        return rows
    if isinstance(rows, Weighable):
        return WeightedWhole(rows, weights)
    return Weighted(rows, weights) if isinstance(rows, Rows | RowsInBlocks) else None


_HALVES = 2.0**27 + 1
"""Splits a number into two of half the digits each."""


def exact_product(values: NDArray[Any], weights: Numbers) -> tuple[Numbers, Numbers]:
    """Multiply by weights: the rounded product, and what rounding took away (Dekker's product)."""
    values = np.where(weights == 0, 0.0, values)  # 0 · inf is 0: what weighs nothing is not there
    with np.errstate(over="ignore", invalid="ignore"):
        product = values * weights
        (high, low), (heavy, light) = _halves(values), _halves(weights)
        rest = ((high * heavy - product) + high * light + low * heavy) + low * light
    return product, np.where(np.isfinite(rest), rest, 0.0)


def _halves(values: Numbers) -> tuple[Numbers, Numbers]:
    large = values * _HALVES
    high = large - (large - values)
    return high, values - high


AnyBatch = Any
"""A batch of sets or of scores, as a statistic needs it."""


class Statistic(Protocol):
    """An additive statistic of a batch; equal statistics are computed once."""

    def __call__(self, batch: AnyBatch) -> Summed:
        """Compute one row per sample."""
        ...


def addends_of(rows: Summed) -> NDArray[np.float64]:
    """Find few rows that add up to exactly the total, where the rows can be split; else take the total."""
    exact = getattr(rows, "addends", None)
    return rows.total()[None] if exact is None else np.asarray(exact())


def add_sums(sums: dict[Statistic, Numbers], more: Mapping[Statistic, Numbers]) -> None:
    """Add sums of further samples to those there are."""
    for statistic, total in more.items():
        sums[statistic] = sums[statistic] + total if statistic in sums else total


View = Callable[[AnyBatch], AnyBatch]
"""Makes another batch of a batch; frozen, so that equal views are made once."""


@dataclass(frozen=True)
class Of:
    """A statistic, taken of a view."""

    statistic: Statistic
    view: View

    def __call__(self, batch: Batch) -> Summed:
        """Compute one row per sample."""
        return cast("Summed", batch.derive(self.view).derive(self.statistic))
