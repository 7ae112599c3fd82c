"""Rankings of runs by scores: signs of pairs, ranks, and comparing many rankings at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ontoeval.errors import InputError, enumerate_some
from ontoeval.plumbing.arrays import Numbers, as_floats

BLOCK = 1 << 19
"""Pairs of runs per block."""


def numbers(scores: ArrayLike) -> Numbers:
    """Scores as an array of floats."""
    return as_floats(scores, "scores that are no array of numbers", "Give one number per run.")


def row_by_row(
    statistic: Callable[[Numbers, Numbers], Numbers],
    first: ArrayLike,
    second: ArrayLike,
    *,
    alike: bool = True,
) -> Numbers:
    """Compare two arrays along their last axis, in blocks that bound the memory."""
    names, others = _names(first), _names(second)
    if names is not None and others is not None and names != others:
        raise InputError(
            f"runs by other names, or in another order: {enumerate_some(names)}; and "
            f"{enumerate_some(others)}",
            "Put both into the same order, such as second.reindex(first.index), or give arrays.",
        )
    sides = [numbers(first), numbers(second)]
    if min(side.ndim for side in sides) == 0 or sides[0].shape[-1] != sides[1].shape[-1]:
        raise InputError(_shapes(sides), "Give both one score per run, along the last axis.")
    try:
        x, y = np.broadcast_arrays(*sides)
    except ValueError as error:
        raise InputError(_shapes(sides), "The axes before that of the runs must be equal, or 1.") from error
    shape, runs = x.shape[:-1], x.shape[-1]
    x, y = (side.reshape(prod(shape), runs) for side in (x, y))
    result = np.full(len(x), np.nan)
    step = max(1, BLOCK // max(1, runs * runs // 2))
    for start in range(0, len(x) if runs else 0, step):
        block = slice(start, start + step)
        left, right = x[block], y[block]
        if alike:
            gone = np.isnan(left) | np.isnan(right)
            left, right = np.where(gone, np.nan, left), np.where(gone, np.nan, right)
        result[block] = statistic(left, right)
    return result.reshape(shape)


def _names(scores: object) -> list[str] | None:
    """Names of the runs in an object of pandas; None for others (lists have a method `index`)."""
    index = getattr(scores, "columns", getattr(scores, "index", None)) if hasattr(scores, "iloc") else None
    return None if index is None else list(map(str, index))


def _shapes(sides: Sequence[Numbers]) -> str:
    return f"arrays of the shapes {sides[0].shape} and {sides[1].shape}"


def of_pairs(values: Numbers) -> tuple[Numbers, Numbers]:
    """Values of both runs of every pair."""
    left, right = np.triu_indices(values.shape[-1], 1)
    # `values[:, left]` would have another memory layout, so that sums would depend on the block.
    return values.take(left, axis=1), values.take(right, axis=1)


def signs(scores: Numbers) -> NDArray[np.int8]:
    """Sign of each pair of runs: 1 where the first is better, -1 where the second is."""
    left, right = of_pairs(scores)
    return (left > right).astype(np.int8) - (left < right).astype(np.int8)


def ranks(scores: Numbers, method: Literal["average", "min"]) -> Numbers:
    """Rank runs, the highest score first; nan where a score is nan."""
    # Pairs are compared, since scipy.stats, which has this, takes longer to import than a command to run.
    others, own = scores[..., None, :], scores[..., :, None]
    place, alike = 1.0 + (others > own).sum(axis=-1), others == own
    if method == "average":
        place += (alike.sum(axis=-1) - 1) / 2
    return np.where(np.isnan(scores), np.nan, place)
