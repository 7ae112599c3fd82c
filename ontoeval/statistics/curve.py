"""Curves over thresholds: what each sample has right, false and missed where scores are cut off."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.batch import ScoredBatch
from ontoeval.csr import row_of_entries
from ontoeval.errors import InputError, ParameterError
from ontoeval.statistics.counts import Numbers
from ontoeval.statistics.distinct import DistinctRows
from ontoeval.statistics.points import PARTS, Points, SumsAt, parts_of, set_apart, settled
from ontoeval.statistics.scored_sets import ScoredSets
from ontoeval.statistics.sums import RowsInBlocks

Thresholds = float | tuple[float, ...] | str
FINEST = 0.0001
"""The smallest step of a grid."""


def grid_of(thresholds: Thresholds) -> tuple[float, ...] | None:
    """Read how thresholds are given.

    Parameters
    ----------
    thresholds
        A step, such as 0.01 for .01, .02, … below 1; or the thresholds themselves, ascending; or
        "distinct" for every score that occurs.

    Returns
    -------
    tuple of float, or None for "distinct"
        The thresholds.

    Raises
    ------
    ParameterError
        If they are none of these, or not ascending.

    Examples
    --------
    >>> grid_of(0.25)
    (0.25, 0.5, 0.75)
    """
    if thresholds == "distinct":
        return None
    if isinstance(thresholds, tuple):
        if not all(_is_number(value) for value in thresholds) or not thresholds:
            raise ParameterError("thresholds", thresholds, "finite numbers, one at least")
        if any(second <= first for first, second in pairwise(thresholds)):
            raise ParameterError("thresholds", thresholds, "ascending numbers, none twice")
        return tuple(map(float, thresholds))
    if not (_is_number(thresholds) and FINEST <= thresholds < 1):  # type: ignore[operator]
        raise ParameterError(
            "thresholds",
            thresholds,
            f"a step from {FINEST} to below 1, ascending thresholds such as (0.2, 0.5), or 'distinct'",
        )
    # k / 100 is the number that is written so; k times .01 is often the one beside it.
    whole, step = round(1 / float(thresholds)), float(thresholds)
    even = abs(whole * step - 1) < 1e-9  # noqa: PLR2004 - rounding
    grid = np.arange(1, whole) / whole if even else np.arange(1, int(1 / step) + 1) * step
    return tuple(grid.tolist())


def _is_number(value: Any) -> bool:  # noqa: ANN401 - whatever was given
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and bool(np.isfinite(value))


@dataclass(frozen=True)
class Curve:
    """Sums over samples at each threshold.

    Parameters
    ----------
    sets
        What is compared.
    grid
        The thresholds; None for all distinct scores, of which no sums can be merged.
    step
        Whether the grid was made of a step, and scores outside [0, 1] so are a mistake.
    empty
        What a sample without anything true is given while nothing is predicted, see `Points`. None
        leaves such samples out altogether.

    See Also
    --------
    Points : What it consists of.
    """

    sets: ScoredSets
    grid: tuple[float, ...] | None
    step: bool = False
    empty: float | None = 1.0

    def __call__(self, batch: ScoredBatch) -> RowsInBlocks | DistinctRows:
        """Prepare the rows; they are computed where they are wanted."""
        if self.step:
            _refuse_beyond_unit(batch)
        compared = batch.once(self.sets)
        if self.grid is None:
            return DistinctRows(compared, self.empty)
        return RowsInBlocks(
            len(batch), len(PARTS) * len(self.grid) + 1, _OnGrid(compared, np.array(self.grid), self.empty)
        )

    def unpack(self, values: Numbers) -> Points:
        """Name the sums."""
        if self.grid is None:
            parts, samples = set_apart(values, len(PARTS) + 1)
            return Points(*(*np.moveaxis(parts, -2, 0), samples))
        parts, samples = set_apart(values, len(PARTS))
        return Points(*(np.array(self.grid), *np.moveaxis(parts, -2, 0), samples))


@dataclass(frozen=True, eq=False)
class _OnGrid:
    """Rows on a grid of thresholds."""

    batch: ScoredBatch
    grid: Numbers
    empty: float | None

    def __call__(self, begin: int, end: int) -> Numbers:
        """Count scores by the number of thresholds that they reach, then sum from the highest down."""
        batch = self.batch
        scores, weights = batch.prediction.matrix, batch.weights
        part = slice(scores.indptr[begin], scores.indptr[end])
        reached = np.searchsorted(self.grid, scores.data[part], side="right")
        row = row_of_entries(scores[begin:end])
        bins = self.grid.size + 1
        place, amount = row * bins + reached, None if weights is None else weights[scores.indices[part]]
        hit = batch.hits[part]

        def sums(chosen: NDArray[np.bool_]) -> Numbers:
            counted = np.bincount(
                place[chosen],
                weights=None if amount is None else amount[chosen],
                minlength=(end - begin) * bins,
            )
            by_row = counted.reshape(-1, bins).astype(np.float64)
            return np.cumsum(by_row[:, :0:-1], axis=1)[:, ::-1]

        true = settled(batch.truth.matrix[begin:end], weights)
        return parts_of(SumsAt(sums(hit), sums(~hit), true[:, None]), self.empty)


def _refuse_beyond_unit(batch: ScoredBatch) -> None:
    data = batch.prediction.matrix.data
    if data.size and not (data.min() >= 0 and data.max() <= 1):
        raise InputError(
            f"scores from {data.min():g} to {data.max():g}, but a grid of thresholds between 0 and 1",
            "Bring the scores into [0, 1], or choose thresholds='distinct' or thresholds=(…).",
        )
