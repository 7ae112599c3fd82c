"""Rank-biased overlap: how far the best runs by two measures are the same ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ontoeval.core.checks import between
from ontoeval.core.choices import Best
from ontoeval.core.rankings import Floats, ranks, row_by_row
from ontoeval.errors import InputError, one_of

Ties = Literal["corrected", "average", "given", "refuse"]

PERSISTENCE = 0.9
"""How far down rankings matter by default: of ten runs the first has the most weight, and the last some."""


def rbo(
    first: ArrayLike,
    second: ArrayLike,
    *,
    best: Best | Sequence[Best] = "highest",
    p: float = PERSISTENCE,
    ties: Ties = "corrected",
) -> Floats:
    """Compute rank-biased overlap, extrapolated: the overlap of the best d runs, weighted by p^d.

    (1-p)/p · [Σ X_d/d · p^d + Σ X_s(d-s)/(sd) · p^d] + [(X_l-X_s)/l + X_s/s] · p^l, where X_d runs are among
    the first d of both rankings, of s and l runs [webber2010]_ (eq. 32). A run whose score is nan
    is not in that ranking. Where runs tie, each counts as far as it is among the first d, and X_d/d becomes
    X_d/√(x_d y_d), where x_d and y_d are the overlaps of either ranking with itself: two rankings with the
    same ties have the overlap 1 [corsi2024]_.

    Parameters
    ----------
    first, second
        Scores, runs along the last axis.
    best
        Which scores are best, "highest" or "lowest"; or one for each array.
    p
        How far down the rankings matter: the first 1/(1-p) runs have most of the weight.
    ties
        "corrected" takes runs that tie for equally good, as τ_b does (RBO^b of the paper). "average" takes
        them for runs whose order is not known: the mean over all ways in which both rankings can break
        their ties, each for itself (RBO^a), so that a ranking with ties has an overlap below 1 with itself.
        "given" leaves tied runs in the order in which they are given, "refuse" makes ties an error.

    Returns
    -------
    array
        One value per comparison, in [0, 1].

    Raises
    ------
    InputError
        If runs tie and `ties="refuse"`, or the shapes do not fit.
    ParameterError
        If an option is something else.

    Examples
    --------
    >>> float(rbo([4, 3, 2, 1], [1, 2, 3, 4]).round(6))
    0.783
    >>> [float(rbo([2, 2, 1], [2, 2, 1], ties=ties).round(6)) for ties in ("corrected", "average")]
    [1.0, 0.95]
    """
    one_of("ties", ties, get_args(Ties))
    p = between("p", p)

    def extrapolated(x: Floats, y: Floats) -> Floats:
        depth = np.arange(1.0, x.shape[-1] + 1)
        sides = _among_first(x, ties), _among_first(y, ties)
        overlap = np.sum(sides[0] * sides[1], axis=1)
        whole = np.broadcast_to(depth, overlap.shape)
        lengths = np.stack([np.sum(~np.isnan(side), axis=-1, keepdims=True) for side in (x, y)])
        if ties == "corrected":  # beyond its end a ranking goes on without ties
            alone = (
                np.sum(side * side, axis=1) + np.maximum(depth - length, 0)
                for side, length in zip(sides, lengths, strict=True)
            )
            whole = np.sqrt(np.multiply(*alone))
        short, long = lengths.min(axis=0), lengths.max(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):  # an empty ranking: nan
            # What the shorter ranking does not tell agrees as often as what it tells.
            beyond = _at(overlap / whole, short) / (short > 0) * np.maximum(depth - short, 0)
            agreement = (overlap + beyond) / whole
            terms = np.where(depth <= long, agreement * p**depth, 0)
            value: Floats = (1 - p) / p * terms.sum(axis=-1) + (_at(agreement, long) * p**long)[:, 0]
        return np.clip(value, 0, 1)

    return row_by_row(extrapolated, first, second, best, alike=False)


def _among_first(scores: Floats, ties: Ties) -> Floats:
    """Tell with which probability each run is among the first d: comparisons × runs × depths."""
    first, size = ranks(scores, "min"), np.ones(scores.shape)
    if ties in {"given", "refuse"}:
        ordinal = ranks(scores, "ordinal")
        if ties == "refuse" and np.any(ordinal > first):
            raise InputError("runs tie", "Say what ties are: ties='corrected', 'average' or 'given'.")
        first = ordinal
    else:
        size = 2 * (ranks(scores, "average") - first) + 1
    depth = np.arange(1.0, scores.shape[-1] + 1)
    return np.nan_to_num(np.clip((depth - first[:, :, None] + 1) / size[:, :, None], 0, 1))


def _at(values: Floats, depth: NDArray[np.intp]) -> Floats:
    """Look up the value at a depth, 0 at depth 0."""
    return np.take_along_axis(values, np.maximum(depth - 1, 0), axis=-1) * (depth > 0)
