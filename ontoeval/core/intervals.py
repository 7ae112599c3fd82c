"""Intervals of a score, from the scores of bootstrap resamples."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.checks import INTERVALS, IntervalMethod, between
from ontoeval.errors import one_of

Numbers = NDArray[np.float64]

ROUNDING = 1e-12
"""Scores that differ by at most this are equal."""


class Interval(NamedTuple):
    """Bounds of scores."""

    low: Numbers
    high: Numbers


def interval(
    replicates: Numbers,
    scores: Numbers,
    moments: Numbers | None = None,
    *,
    level: float = 0.95,
    method: IntervalMethod = "percentile",
) -> Interval:
    """Compute bootstrap intervals of scores."""
    one_of("interval", method, INTERVALS)
    level = between("level", level)
    defined = np.isfinite(scores) & ((~np.isnan(replicates)).sum(axis=0) > 1)
    tails = np.broadcast_to([[0.5 - level / 2], [0.5 + level / 2]], (2, defined.sum()))
    inside = replicates[:, defined]
    if method == "bca":
        tails = _bca(inside, scores[defined], None if moments is None else moments[:, defined], tails)
    bounds = np.full((2, *scores.shape), np.nan)
    bounds[:, defined] = _quantiles(inside, tails)
    return Interval(bounds[0], bounds[1])


def _bca(replicates: Numbers, scores: Numbers, moments: Numbers | None, tails: Numbers) -> Numbers:
    """Move the tails by bias and skewness: Efron and Tibshirani (1993), equations 14.10, 14.14 and 14.15."""
    from scipy.special import ndtr, ndtri

    # Ties count half, and what differs by rounding only is tied.
    above = scores - replicates
    above[np.abs(above) <= ROUNDING] = 0.0
    below = 0.5 + np.sign(above) / 2
    # All resamples on one side would move the tails to infinity: half a resample is the least that is seen.
    least = 0.5 / (~np.isnan(replicates)).sum(axis=0)
    bias = ndtri(np.clip(np.nanmean(below, axis=0), least, 1 - least))
    acceleration = np.zeros(len(scores)) if moments is None else _acceleration(moments)
    shifted = bias + ndtri(tails)
    moved: Numbers = ndtr(bias + shifted / (1 - acceleration * shifted))
    return moved


def _acceleration(moments: Numbers) -> Numbers:
    number, first, second, third = moments
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = first / number
        squares = second - number * mean**2
        cubes = third - 3 * mean * second + 2 * number * mean**3
        skewed = -cubes / (6 * squares**1.5)
    # A score that no sample changes is not skewed; what rounding leaves of its spread says nothing.
    return np.where((squares > 1e-24 * number) & np.isfinite(skewed), skewed, 0.0)


def _quantiles(values: Numbers, shares: Numbers) -> Numbers:
    """Interpolate linearly between sorted values, column by column, nan left out."""
    ordered = np.sort(values, axis=0)  # nan last
    place = shares * ((~np.isnan(ordered)).sum(axis=0) - 1)
    below = np.floor(place).astype(np.intp)
    column = np.arange(values.shape[1])
    low = ordered[below, column]
    high = ordered[np.minimum(below + 1, len(ordered) - 1), column]
    part = place - below
    # Beside an infinite value there is nothing between: the lower bound is rather too low.
    outer = np.stack([low[0], high[1]])
    with np.errstate(invalid="ignore"):
        between = np.where(np.isfinite(high - low), low + (high - low) * part, outer)
    return np.asarray(np.where(part > 0, between, low))
