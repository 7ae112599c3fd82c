"""Rank correlation: how alike two measures rank the same runs.

Every function takes two arrays of scores whose last axis is the runs, and compares them along it. The
axes before it broadcast, so that thousands of bootstrap replicates are compared at once, in blocks.
Scores tie where they are equal. A run whose score is undefined (nan) in either array is left out of that
comparison, except by `rbo`, which takes rankings of different runs. What has no value is nan: fewer than
two runs are left, or all of them tie where the ties are not what is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ontoeval.core.rankings import numbers, of_pairs, ranks, row_by_row, signs
from ontoeval.errors import InputError, one_of
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.checks import open_unit_interval

Correlation = Callable[[ArrayLike, ArrayLike], Numbers]
"""A comparison of two arrays of scores along their last axis."""


def _correlation(statistic: Callable[[Numbers, Numbers], Numbers]) -> Correlation:
    """Make the public function of a statistic of comparisons × runs."""

    @wraps(statistic)
    def compared(x: ArrayLike, y: ArrayLike) -> Numbers:
        return row_by_row(statistic, x, y)

    return compared


@_correlation
def tau_b(x: Numbers, y: Numbers) -> Numbers:
    """Compute Kendall's τ_b: concordant less discordant pairs, by what there would be without ties.

    The values lie in [-1, 1].

    Parameters
    ----------
    x, y
        Scores, of which the highest is best, runs along the last axis.

    Returns
    -------
    array
        One value per comparison.

    Raises
    ------
    InputError
        If the shapes do not fit.

    Examples
    --------
    >>> float(tau_b([0.9, 0.8, 0.7, 0.6], [0.9, 0.7, 0.8, 0.6]).round(6))
    0.666667
    """
    return _weighted(signs(x), signs(y), np.ones(1))


@_correlation
def weighted_tau(x: Numbers, y: Numbers) -> Numbers:
    """Compute Vigna's weighted τ, where a pair counts 1/rank of the one run plus 1/rank of the other.

    The mean of the values with the ranks of either array, in [-1, 1], as `scipy.stats.weightedtau`, which
    compares one pair of arrays at a time [vigna2015]_.

    Parameters
    ----------
    x, y
        Scores, of which the highest is best, runs along the last axis.

    Returns
    -------
    array
        One value per comparison.

    Raises
    ------
    InputError
        If the shapes do not fit.

    Examples
    --------
    >>> float(weighted_tau([0.9, 0.8, 0.7, 0.6], [0.9, 0.7, 0.8, 0.6]).round(6))
    0.733333
    """
    sides = signs(x), signs(y)
    values = []
    for upper, lower in ((x, y), (y, x)):
        order = np.lexsort((-lower, -upper), axis=-1)
        weight = 1 / (1 + np.argsort(order, axis=-1))
        values.append(_weighted(*sides, np.add(*of_pairs(weight))))
    return (values[0] + values[1]) / 2


@_correlation
def tau_ap_b(x: Numbers, y: Numbers) -> Numbers:
    """Compute τ_AP,b, where the top counts more: the mean of τ_AP in both directions [urbano2017]_.

    τ_AP of a truth and an estimate without ties is 2/(n-1) · Σ C(i)/(i-1) - 1, over the runs but the first of
    the estimate, where C(i) counts the runs above place i that are truly above [yilmaz2008]_. The values lie
    in [-1, 1]. Each run is compared with the runs above its group of ties, of which there are p-1; the runs
    of the top group are compared with none. Runs that only the other ranking ties count as discordant: so the
    value is not the opposite where one ranking is reversed.

    Parameters
    ----------
    x, y
        Scores, of which the highest is best, runs along the last axis.

    Returns
    -------
    array
        One value per comparison.

    Raises
    ------
    InputError
        If the shapes do not fit.

    Examples
    --------
    >>> float(tau_ap_b([0.9, 0.8, 0.7, 0.6], [0.8, 0.9, 0.7, 0.7]).round(6))
    0.222222
    """
    return (_one_way(x, y) + _one_way(y, x)) / 2


@_correlation
def spearman(x: Numbers, y: Numbers) -> Numbers:
    """Compute Spearman's ρ: the correlation of the ranks, where ties share the mean of theirs.

    The values lie in [-1, 1].

    Parameters
    ----------
    x, y
        Scores, of which the highest is best, runs along the last axis.

    Returns
    -------
    array
        One value per comparison.

    Raises
    ------
    InputError
        If the shapes do not fit.

    Examples
    --------
    >>> float(spearman([0.9, 0.8, 0.7, 0.6], [0.9, 0.7, 0.8, 0.6]).round(6))
    0.8
    """
    middle = (1 + np.sum(~np.isnan(x), axis=-1, keepdims=True)) / 2
    x, y = (np.nan_to_num(ranks(side, "average") - middle) for side in (x, y))
    return _ratio(np.sum(x * y, axis=-1), np.sqrt(np.sum(x * x, axis=-1) * np.sum(y * y, axis=-1)))


@_correlation
def ks(x: Numbers, y: Numbers) -> Numbers:
    """Compute Kolmogorov–Smirnov's D: the largest difference of ranks, as a share of the runs.

    The largest of ``|F(x_i) - G(y_i)|`` over the runs i, where F and G are the distribution functions of
    the two arrays: F(x_i) is the rank of run i divided by the number of runs. Ties share the mean of
    their ranks. It is a distance in [0, 1): 0 where both rankings are the same. [nowak2010]_ report such a D
    beside Kendall's τ without a formula; this is how it is read here.

    Parameters
    ----------
    x, y
        Scores, of which the highest is best, runs along the last axis.

    Returns
    -------
    array
        One value per comparison.

    Raises
    ------
    InputError
        If the shapes do not fit.

    Examples
    --------
    >>> float(ks([0.9, 0.8, 0.7, 0.6], [0.9, 0.7, 0.6, 0.8]))
    0.5
    """
    apart = np.nan_to_num(np.abs(ranks(x, "average") - ranks(y, "average")))
    runs = np.sum(~np.isnan(x), axis=-1)
    return np.where(runs > 1, apart.max(axis=-1, initial=0) / np.maximum(runs, 1), np.nan)


PERSISTENCE = 0.9
"""Default weight of the depths of rankings: of ten runs the first weighs most, and the last some."""


def rbo(first: ArrayLike, second: ArrayLike, *, p: float = PERSISTENCE) -> Numbers:
    """Compute rank-biased overlap, extrapolated: the overlap of the best d runs, weighted by p^d.

    (1-p)/p · [Σ X_d/d · p^d + Σ X_s(d-s)/(sd) · p^d] + [(X_l-X_s)/l + X_s/s] · p^l, where X_d runs are among
    the first d of both rankings, of s and l runs [webber2010]_ (eq. 32). A run whose score is nan
    is not in that ranking. Runs that tie are equally good, as τ_b has it (RBO^b of [corsi2024]_): each counts
    as far as it is among the first d, and X_d/d becomes X_d/√(x_d y_d), where x_d and y_d are the overlaps of
    either ranking with itself.

    Parameters
    ----------
    first, second
        Scores, of which the highest is best, runs along the last axis.
    p
        How far down the rankings matter: the first 1/(1-p) runs have most of the weight.

    Returns
    -------
    array
        One value per comparison, in [0, 1].

    Examples
    --------
    >>> float(rbo([4, 3, 2, 1], [1, 2, 3, 4]).round(6))
    0.783
    """
    p = open_unit_interval("p", p)

    def extrapolated(x: Numbers, y: Numbers) -> Numbers:
        depth = np.arange(1.0, x.shape[-1] + 1)
        sides = _among_first(x), _among_first(y)
        overlap = np.sum(sides[0] * sides[1], axis=1)
        lengths = np.stack([np.sum(~np.isnan(side), axis=-1, keepdims=True) for side in (x, y)])
        # Beyond its end a ranking goes on without ties.
        alone = (
            np.sum(side * side, axis=1) + np.maximum(depth - length, 0)
            for side, length in zip(sides, lengths, strict=True)
        )
        whole = np.sqrt(np.multiply(*alone))
        short, long = lengths.min(axis=0), lengths.max(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):  # an empty ranking: nan
            # Beyond the shorter ranking, agreement is assumed to go on at the same rate.
            beyond = _value_at_depth(overlap / whole, short) / (short > 0) * np.maximum(depth - short, 0)
            agreement = (overlap + beyond) / whole
            terms = np.where(depth <= long, agreement * p**depth, 0)
            value: Numbers = (1 - p) / p * terms.sum(axis=-1) + (_value_at_depth(agreement, long) * p**long)[
                :, 0
            ]
        return np.clip(value, 0, 1)

    return row_by_row(extrapolated, first, second, alike=False)


def _among_first(scores: Numbers) -> Numbers:
    """Share of each run that is among the first d, ties being equal: comparisons × runs × depths."""
    first = ranks(scores, "min")
    size = 2 * (ranks(scores, "average") - first) + 1
    depth = np.arange(1.0, scores.shape[-1] + 1)
    return np.nan_to_num(np.clip((depth - first[:, :, None] + 1) / size[:, :, None], 0, 1))


def _value_at_depth(values: Numbers, depth: NDArray[np.intp]) -> Numbers:
    """Look up the value at a depth, 0 at depth 0."""
    return np.take_along_axis(values, np.maximum(depth - 1, 0), axis=-1) * (depth > 0)


CORRELATIONS: Mapping[str, Callable[..., Numbers]] = {
    "tau_b": tau_b,
    "tau_ap_b": tau_ap_b,
    "weighted_tau": weighted_tau,
    "spearman": spearman,
    "rbo": rbo,
    "ks": ks,
}
"""Comparisons of two rankings by name."""
DISTANCES = frozenset({"ks"})
"""Which of them are 0, not 1, where both rankings are the same."""


def correlation_matrix(scores: ArrayLike, *, method: str = "tau_b") -> Numbers:
    """Compare the rankings by several measures with each other.

    Parameters
    ----------
    scores
        Scores, of which the highest is best, ... × runs × measures: the table of a comparison, or all its
        replicates.
    method
        One of `ontoeval.comparison.CORRELATIONS`.

    Returns
    -------
    array
        Values, ... × measures × measures.

    Raises
    ------
    InputError
        If there is no axis of runs and one of measures.
    ParameterError
        If there is no such method.

    Examples
    --------
    >>> correlation_matrix([[0.9, 0.8], [0.8, 0.9], [0.7, 0.7]]).round(3).tolist()
    [[1.0, 0.333], [0.333, 1.0]]
    """
    one_of("method", method, tuple(CORRELATIONS))
    compared, table = CORRELATIONS[method], numbers(scores)
    if table.ndim < 2:  # noqa: PLR2004 - runs and measures
        raise InputError("scores of one measure only", "Give an array, runs × measures.")
    lined_up = np.moveaxis(table, -1, -2)
    found = np.empty((*table.shape[:-2], table.shape[-1], table.shape[-1]))
    for row in range(table.shape[-1]):
        values = compared(lined_up[..., [row], :], lined_up[..., row:, :])
        found[..., row, row:] = found[..., row:, row] = values
    return found


def _ratio(part: Numbers, whole: Numbers) -> Numbers:
    """Divide; 0/0 is nan."""
    return np.asarray(np.divide(part, whole, out=np.full(part.shape, np.nan), where=whole > 0))


def _weighted(x: NDArray[np.int8], y: NDArray[np.int8], weight: Numbers) -> Numbers:
    """Sum concordant less discordant pairs, and divide by what there would be without ties."""
    whole = np.sqrt(np.sum(weight * (x != 0), axis=-1) * np.sum(weight * (y != 0), axis=-1))
    return np.clip(_ratio(np.sum(weight * (x * y), axis=-1), whole), -1, 1)


def _one_way(truth: Numbers, estimate: Numbers) -> Numbers:
    """Compute τ_AP,b in one direction, which without ties is τ_AP."""
    rank = ranks(estimate, "min")
    # A pair is counted with its lower run, of which p - 1 are above; pairs that tie there are not concordant.
    lower = np.maximum(np.nan_to_num(np.maximum(*of_pairs(rank))), 2)
    concordant = np.sum((signs(truth) * signs(estimate) > 0) / (lower - 1), axis=-1)
    pivots = np.sum(rank > 1, axis=-1)
    return np.clip(_ratio(2 * concordant, pivots.astype(float)) - 1, -1, 1)
