"""Means over samples of what is computed for each sample alone."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.batch import Batch, ScoredBatch, sizes
from ontoeval.measures.statistics.counts import Ratio, divide
from ontoeval.measures.statistics.overlap import Overlap
from ontoeval.measures.statistics.sums import Rows


class Quantity(Hashable, Protocol):
    """One number per sample; frozen, so that equal ones are computed once."""

    def __call__(self, batch: Any) -> NDArray[np.float64]:  # noqa: ANN401 - a batch of sets or of scores
        """Compute one number per sample, nan where a sample is to be left out."""
        ...


@dataclass(frozen=True)
class SampleMeans:
    """Means over the samples of one or more quantities."""

    quantities: tuple[Quantity, ...]

    def __call__(self, batch: Batch | ScoredBatch) -> Rows:
        """Put each quantity beside a 1 where it is defined, and two zeros elsewhere."""
        columns = []
        for quantity in self.quantities:
            values = batch.once(quantity)
            defined = ~np.isnan(values) & getattr(batch, "told", True)
            columns += [np.where(defined, values, 0.0), defined.astype(np.float64)]
        return Rows(np.stack(columns, axis=-1))

    def unpack(self, values: NDArray[np.float64]) -> tuple[NDArray[np.float64], ...]:
        """Compute the mean of each quantity."""
        return tuple(
            divide(values[..., 2 * which], values[..., 2 * which + 1])
            for which in range(len(self.quantities))
        )


@dataclass(frozen=True)
class PerSample:
    """A ratio of the counts of each sample."""

    ratio: Ratio
    empty: float | None = 1.0

    def __call__(self, batch: Batch) -> NDArray[np.float64]:
        """Compute the ratio of each sample."""
        counts = Overlap().unpack(batch.once(Overlap()).values)  # type: ignore[arg-type]
        values = np.nan_to_num(self.ratio(counts), nan=0.0)
        both_empty = counts.tp + counts.fp + counts.fn == 0
        return np.where(both_empty, np.nan if self.empty is None else self.empty, values)


@dataclass(frozen=True)
class FullyCorrectSample:
    """1 where truth and prediction are the same set, else 0."""

    def __call__(self, batch: Batch) -> NDArray[np.float64]:
        """Compare the sets."""
        return np.where(sizes(batch.missed) + sizes(batch.false) == 0, 1.0, 0.0)


@dataclass(frozen=True)
class WrongSample:
    """1 where truth and prediction have nothing in common and are not both empty, else 0."""

    def __call__(self, batch: Batch) -> NDArray[np.float64]:
        """Look for common labels."""
        return np.where(sizes(batch.common) == 0, 1.0 - batch.once(FullyCorrectSample()), 0.0)


@dataclass(frozen=True)
class PartlyCorrectSample:
    """1 where truth and prediction differ but have something in common, else 0."""

    def __call__(self, batch: Batch) -> NDArray[np.float64]:
        """Take what is neither right nor wrong."""
        return np.where(sizes(batch.common) > 0, 1.0 - batch.once(FullyCorrectSample()), 0.0)


@dataclass(frozen=True)
class AlphaSample:
    """The α-evaluation of one sample: (1 - (β missed + γ false) / all)^α."""

    alpha: float = 1.0
    beta: float = 1.0
    gamma: float = 1.0

    def __call__(self, batch: Batch) -> NDArray[np.float64]:
        """Score each sample; two empty sets score 1."""
        missed, false = sizes(batch.missed), sizes(batch.false)
        union = missed + false + sizes(batch.common)
        loss = np.nan_to_num(divide(self.beta * missed + self.gamma * false, union))
        return powered(1.0 - loss, self.alpha)


def powered(scores: NDArray[np.float64], alpha: float) -> NDArray[np.float64]:
    """Raise scores to a power, with 0 for all that is 0 but for rounding."""
    scores = np.where(scores < 1e-12, 0.0, np.minimum(scores, 1.0))  # noqa: PLR2004 - see the docstring
    return np.where(scores > 0, scores**alpha, 0.0)
