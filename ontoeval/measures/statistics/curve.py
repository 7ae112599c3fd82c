"""Curves over thresholds: what each sample has right, false and missed where scores are cut off."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from numbers import Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.batch import ScoredBatch
from ontoeval.core.csr import row_of_entries
from ontoeval.errors import InputError, ParameterError
from ontoeval.measures.statistics.counts import Numbers
from ontoeval.measures.statistics.distinct import DistinctRows
from ontoeval.measures.statistics.points import PARTS, Points, SumsAt, parts_of, set_apart, settled
from ontoeval.measures.statistics.scored_sets import ScoredSets
from ontoeval.measures.statistics.steps import sums_from_above
from ontoeval.measures.statistics.sums import RowsInBlocks

Thresholds = float | tuple[float, ...] | str
FINEST = 0.0001
"""The smallest step of a grid."""
GRIDS = {"cafaeval": tuple(np.arange(0.01, 1, 0.01).tolist())}
"""Grids of programs, to their last bit: many steps of cafaeval, such as .57, are a little more than that."""


def thresholds_of(thresholds: Thresholds | Iterable[float]) -> Thresholds:
    """Take a list or an array of thresholds, too."""
    if isinstance(thresholds, str | int | float):
        return thresholds
    try:
        values = tuple(thresholds)
    except TypeError:
        return thresholds  # type: ignore[return-value]
    return tuple(float(v) if isinstance(v, Real) and not isinstance(v, bool) else v for v in values)


def grid_of(thresholds: Thresholds) -> tuple[float, ...] | None:
    """Read how thresholds are given."""
    if isinstance(thresholds, str) and thresholds == "distinct":
        return None
    if isinstance(thresholds, str) and thresholds in GRIDS:
        return GRIDS[thresholds]
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
            f"a step from {FINEST} to below 1, ascending thresholds such as (0.2, 0.5), 'distinct', "
            "or 'cafaeval'",
        )
    # k / 100 is the number that is written so; k times .01 is often the one beside it.
    whole, step = round(1 / float(thresholds)), float(thresholds)
    even = abs(whole * step - 1) < 1e-9  # noqa: PLR2004 - rounding
    grid = np.arange(1, whole) / whole if even else np.arange(1, int(1 / step) + 1) * step
    return tuple(grid.tolist())


def is_unit_grid(thresholds: Thresholds) -> bool:
    """Tell whether thresholds lie between 0 and 1 by convention, so that scores beyond are a mistake."""
    return thresholds != "distinct" and not isinstance(thresholds, tuple)


def _is_number(value: Any) -> bool:  # noqa: ANN401 - whatever was given
    number = isinstance(value, int | float) and not isinstance(value, bool)
    return number and bool(np.isfinite(value))


@dataclass(frozen=True)
class Curve:
    """Sums over samples at each threshold."""

    sets: ScoredSets
    grid: tuple[float, ...] | None
    step: bool = False
    empty: float | None = 1.0
    uncovered: bool = True

    def __call__(self, batch: ScoredBatch) -> RowsInBlocks | DistinctRows:
        """Prepare the rows; they are computed where they are wanted."""
        if self.step:
            refuse_beyond_unit(batch)
        compared = batch.once(self.sets)
        if self.grid is None:
            return DistinctRows(compared, self.empty)
        grid, width = np.array(self.grid), len(PARTS) * len(self.grid) + 1
        on_grid = _OnGrid(compared, grid, self.empty)
        if self.uncovered:
            return RowsInBlocks(len(batch), width, on_grid)
        whole = batch.once(replace(self.sets, weight=None))
        beside = _Reached(on_grid, _largest(whole.prediction.matrix), grid)
        return RowsInBlocks(len(batch), width + grid.size, beside)

    def unpack(self, values: Numbers) -> Points:
        """Name the sums."""
        grid = [] if self.grid is None else [np.array(self.grid)]
        marks = 0 if self.grid is None or self.uncovered else len(self.grid)
        parts, samples = set_apart(values[..., marks:], len(PARTS) + (self.grid is None))
        points = Points(*(*grid, *np.moveaxis(parts, -2, 0), samples))
        if self.uncovered:
            return points
        return points.where((points.covered if self.grid is None else values[..., :marks]) > 0)


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
        amount = None if weights is None else weights[scores.indices[part]]
        hit = batch.hits[part]

        def sums(chosen: NDArray[np.bool_]) -> Numbers:
            own = None if amount is None else amount[chosen]
            return sums_from_above(row[chosen], reached[chosen], own, (end - begin, self.grid.size))

        true = settled(batch.truth.matrix[begin:end], weights)
        return parts_of(SumsAt(sums(hit), sums(~hit), true[:, None]), self.empty)


@dataclass(frozen=True, eq=False)
class _Reached:
    """The same rows, behind marks of the thresholds that some score of the sample reaches."""

    rows: _OnGrid
    largest: Numbers
    grid: Numbers

    def __call__(self, begin: int, end: int) -> Numbers:
        """Compare the largest score of each sample with the thresholds."""
        reached = self.largest[begin:end, None] >= self.grid
        return np.concatenate([reached, self.rows(begin, end)], axis=1)


def _largest(scores: sparse.csr_array) -> Numbers:
    """Find the largest stored number of each row, -inf where there is none."""
    largest = np.full(scores.shape[0], -np.inf)
    np.maximum.at(largest, row_of_entries(scores), scores.data)
    return largest


def refuse_beyond_unit(batch: ScoredBatch) -> None:
    """Refuse scores that a grid between 0 and 1 cannot tell apart."""
    data = batch.prediction.matrix.data
    if data.size and not (data.min() >= 0 and data.max() <= 1):
        raise InputError(
            f"scores from {data.min():g} to {data.max():g}, but a grid of thresholds between 0 and 1",
            "Bring the scores into [0, 1], or choose thresholds='distinct' or thresholds=(…).",
        )
