"""Krippendorff's alpha of whole label sets: exact where few of them differ, else from a sample of pairs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.annotators.alpha import alpha_from, observed
from ontoeval.annotators.annotations import Annotations
from ontoeval.annotators.sets import SetDistance
from ontoeval.core.choices import IntervalMethod
from ontoeval.core.intervals import interval
from ontoeval.core.resampling import Bootstrap, chunks, portions_of

Numbers = NDArray[np.float64]

MOST_SETS = 5_000
"""Up to so many distinct sets alpha is exact."""

PAIRS = 200_000
"""How many pairs are drawn where there are more."""

PORTION = 20_000
"""Samples whose weights are drawn at a time."""


class SetAlpha(NamedTuple):
    """Alpha of label sets."""

    distance: str
    value: float
    low: float
    high: float
    sheets: int
    distinct: int
    pairs: int | None = None
    standard_error: float = 0.0


def alphas(
    annotations: Annotations,
    distances: tuple[SetDistance, ...],
    *,
    bootstrap: Bootstrap,
    level: float = 0.95,
    method: IntervalMethod = "percentile",
    most_sets: int = MOST_SETS,
    pairs: int = PAIRS,
) -> tuple[SetAlpha, ...]:
    """Compute alpha by several distances."""
    if not distances:
        return ()
    annotations = annotations.in_order()
    whole = annotations.chosen(annotations.complete)
    kept = whole.chosen(whole.sheets_of_samples[whole.sample] > 1)
    which, first = distinct_rows(kept.positive)
    if not len(kept):
        return tuple(SetAlpha(distance.kind, np.nan, np.nan, np.nan, 0, 0) for distance in distances)
    draw: _Draw | None = None
    found = []
    for distance in distances:
        parts: _All | _Drawn
        if first.size <= most_sets and distance.tabled(kept.positive):
            parts = _All.of(kept, which, first, distance)
        else:
            draw = draw or _Draw.of(kept, pairs, bootstrap.seed)
            parts = _Drawn.of(kept, draw, distance)
        replicates = np.concatenate(
            [parts.resampled(weights) for weights in _resamples(bootstrap, annotations.samples)]
        )
        if np.ptp(kept.sample) == 0:  # of a single sample nothing else can be drawn
            replicates[:] = np.nan
        low, high = interval(replicates[:, None], np.array([parts.value]), level=level, method=method)
        found.append(
            SetAlpha(
                distance.kind,
                parts.value,
                float(low[0]),
                float(high[0]),
                len(kept),
                first.size,
                parts.pairs,
                parts.standard_error,
            )
        )
    return tuple(found)


_Weights = Iterator[tuple[slice, Numbers]]
"""Weights of some resamples, for one portion of the samples after the other."""


def _resamples(bootstrap: Bootstrap, samples: tuple[str, ...]) -> Iterator[_Weights]:
    portions = portions_of(samples, PORTION)
    for begin, end in chunks(bootstrap.resamples):
        yield ((place, bootstrap.draw(begin, end, portion)) for place, portion in portions)


@dataclass(frozen=True, eq=False)
class _All:
    """All pairs: how often each sample has each distinct set, and the distances between these."""

    counts: sparse.csr_array
    seen: Numbers
    table: Numbers
    pairs: None = None
    standard_error: float = 0.0

    @classmethod
    def of(
        cls, kept: Annotations, which: NDArray[np.intp], first: NDArray[np.intp], distance: SetDistance
    ) -> _All:
        table = distance.table(kept.positive[first], kept.vocabulary)
        shape = len(kept.samples), first.size
        counts = sparse.csr_array((np.ones(len(kept)), (kept.sample, which)), shape=shape)
        counts.sum_duplicates()
        return cls(counts, observed(counts, table), table)

    @property
    def value(self) -> float:
        number = np.asarray(self.counts.sum(axis=0), dtype=np.float64)
        return float(alpha_from(np.asarray(self.seen.sum()), number, self.table))

    def resampled(self, weights: _Weights) -> Numbers:
        parts = [(drawn @ self.seen[place], drawn @ self.counts[place]) for place, drawn in weights]
        differing, sums = (np.sum(side, axis=0) for side in zip(*parts, strict=True))
        return alpha_from(differing, sums, self.table)


class _Draw(NamedTuple):
    """Pairs of sheets that were drawn: of the same sample, and any two."""

    within: tuple[NDArray[np.intp], NDArray[np.intp]]
    across: tuple[NDArray[np.intp], NDArray[np.intp]]

    @classmethod
    def of(cls, kept: Annotations, pairs: int, seed: int) -> _Draw:
        rng = np.random.default_rng([seed, len(kept)])
        one, other = rng.integers(0, len(kept), (2, pairs))
        size = kept.sheets_of_samples[kept.sample[one]]
        start = (np.cumsum(kept.sheets_of_samples) - kept.sheets_of_samples)[kept.sample[one]]
        # The other sheet is any but the first: one of those that follow it, counted around the end.
        partner = start + (one - start + 1 + (rng.random(pairs) * (size - 1)).astype(np.intp)) % size
        return cls((one, partner), (other, (other + 1 + rng.integers(0, len(kept) - 1, pairs)) % len(kept)))


@dataclass(frozen=True, eq=False)
class _Drawn:
    """Pairs that were drawn: sums of their distances, and their number, by the samples that they are of."""

    within: Numbers
    across: Numbers
    sums: tuple[Numbers, Numbers]
    products: tuple[sparse.csr_array, sparse.csr_array]

    @classmethod
    def of(cls, kept: Annotations, draw: _Draw, distance: SetDistance) -> _Drawn:
        within, across = (
            distance.between(kept.positive[one], kept.positive[other], kept.vocabulary) for one, other in draw
        )
        number = len(kept.samples)
        unit = kept.sample[draw.within[0]]
        where = kept.sample[draw.across[0]], kept.sample[draw.across[1]]
        sums = np.bincount(unit, weights=within, minlength=number).astype(np.float64)
        counts = np.bincount(unit, minlength=number).astype(np.float64)
        shape = number, number
        distances = sparse.csr_array((across, where), shape=shape)
        ones = sparse.csr_array((np.ones(across.size), where), shape=shape)
        return cls(within, across, (sums, counts), (distances, ones))

    @property
    def pairs(self) -> int:
        return self.within.size

    @property
    def value(self) -> float:
        expected = self.across.mean()
        return float(1 - self.within.mean() / expected) if expected else np.nan

    @property
    def standard_error(self) -> float:
        seen, expected = self.within.mean(), self.across.mean()
        if not expected:
            return 0.0
        spread = self.within.var() / expected**2 + (seen / expected**2) ** 2 * self.across.var()
        return float(np.sqrt(spread / self.pairs))

    def resampled(self, weights: _Weights) -> Numbers:
        whole = np.concatenate([drawn for _, drawn in weights], axis=1)
        seen, number = (whole @ side for side in self.sums)
        expected, products = (((whole @ side) * whole).sum(axis=1) for side in self.products)
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.where(expected > 0, 1 - seen * products / (number * expected), np.nan)


def distinct_rows(matrix: sparse.csr_array) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Find out which rows of a matrix have the same entries."""
    sizes = np.diff(matrix.indptr)
    number = np.zeros(matrix.shape[0], dtype=np.int64)
    begun, known = matrix.indptr[:-1].astype(np.intp), 1
    rows = np.flatnonzero(sizes > 0)
    step = 0
    while rows.size:
        # Rows that agree in all labels so far have the same number: the next label tells them apart.
        keys = number[rows] * matrix.shape[1] + matrix.indices[begun[rows] + step]
        _, again = np.unique(keys, return_inverse=True)
        number[rows] = known + again
        known += int(again.max()) + 1
        step += 1
        rows = rows[sizes[rows] > step]
    _, first, which = np.unique(number, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty_like(order)
    place[order] = np.arange(order.size)
    return place[which], first[order]
