"""Rows of a statistic, and what a statistic is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.measures.statistics.exact import addends, joined, rounded

BLOCK = 4_000_000
"""Most numbers of sparse rows that are spread out at a time: 32 MB."""


@dataclass(frozen=True, eq=False)
class Rows:
    """One row of numbers per sample, whose sum is all that a formula needs."""

    values: NDArray[np.float64] | sparse.csr_array
    __array_ufunc__ = None  # so that numpy leaves `weights @ rows` to this class

    def __len__(self) -> int:
        """Count the samples."""
        return int(self.values.shape[0])

    def addends(self) -> NDArray[np.float64]:
        """Find few rows that add up to exactly the sum over the samples."""
        return addends(self.values)

    def total(self) -> NDArray[np.float64]:
        """Sum over the samples; one number per column, the same in whatever order the samples are."""
        return rounded(self.addends())

    def __rmatmul__(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Sum over the samples with weights: one total per row of weights."""
        return np.asarray(weights @ self.values, dtype=np.float64)

    def blocks(self) -> Iterator[NDArray[np.float64]]:
        """Go through the rows as dense arrays of bounded size."""
        if not sparse.issparse(self.values):
            yield np.asarray(self.values)
            return
        step = max(1, BLOCK // max(1, self.values.shape[1]))
        for begin in range(0, max(1, len(self)), step):
            yield self.values[begin : begin + step].toarray()


@dataclass(frozen=True, eq=False)
class RowsInBlocks:
    """Rows that would take much memory, and are computed a few at a time where they are wanted."""

    count: int
    width: int
    between: Callable[[int, int], NDArray[np.float64]]
    __array_ufunc__ = None

    def __len__(self) -> int:
        """Count the samples."""
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
        return joined(*(addends(block) for block in self.blocks()))

    def total(self) -> NDArray[np.float64]:
        """Sum over the samples; one number per column, the same in whatever order the samples are."""
        return rounded(self.addends())

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
    """What a statistic makes of a batch: rows, kept or computed where they are wanted."""

    def __len__(self) -> int:
        """Count the samples."""
        ...

    def total(self) -> NDArray[np.float64]:
        """Compute all that a formula needs of all samples together."""
        ...

    def blocks(self) -> Iterator[NDArray[np.float64]]:
        """Go through all that a formula needs of each sample alone."""
        ...


@runtime_checkable
class Weighable(Protocol):
    """What has no rows to be summed, but totals of samples that are there several times or not at all."""

    def weighted(self, counts: NDArray[np.float64]) -> Iterator[NDArray[np.float64]]:
        """Compute what a formula needs of each resample."""
        ...


class Statistic(Protocol):
    """An additive statistic of a batch; equal statistics are computed once."""

    def __call__(self, batch: Any) -> Summed:  # noqa: ANN401 - a batch of sets or of scores
        """Compute one row per sample."""
        ...

    def unpack(self, values: NDArray[np.float64]) -> Any:  # noqa: ANN401 - each statistic names its own parts
        """Name the parts of a row or of a total; leading axes are kept."""
        ...


def addends_of(rows: Summed) -> NDArray[np.float64]:
    """Find few rows that add up to exactly the total, where the rows can tell; else take the total."""
    exact = getattr(rows, "addends", None)
    return rows.total()[None] if exact is None else np.asarray(exact())


def add_sums(
    sums: dict[Statistic, NDArray[np.float64]], more: Mapping[Statistic, NDArray[np.float64]]
) -> None:
    """Add sums of further samples to those there are."""
    for statistic, total in more.items():
        sums[statistic] = sums[statistic] + total if statistic in sums else total
