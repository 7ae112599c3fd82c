"""Soft labels: shares of annotators, or probabilities, from 0 to 1 for each concept, and how far they differ.

Each function compares arrays along their last axis and keeps the axes before it. Of hard labels, 0 or 1, the
soft counts are the counts of ordinary measures.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ontoeval.errors import InputError, one_of

Numbers = NDArray[np.float64]


class SoftCounts(NamedTuple):
    """Counts of soft labels."""

    tp: Numbers
    fp: Numbers
    fn: Numbers


def soft_counts(
    truth: ArrayLike, prediction: ArrayLike, *, rule: Literal["product", "minimum"] = "product"
) -> SoftCounts:
    """Count soft labels.

    Parameters
    ----------
    truth
        Numbers from 0 to 1.
    prediction
        As many others.
    rule
        What both have of a label: the "product" y z, as if they were independent, or the "minimum".

    Returns
    -------
    SoftCounts
        Sums over the labels.

    Raises
    ------
    InputError
        If shapes differ, or a number is outside [0, 1].
    ParameterError
        If there is no such rule.

    Examples
    --------
    >>> [round(float(count), 2) for count in soft_counts([1, 0.5, 0], [1, 1, 0.5])]
    [1.5, 1.0, 0.0]
    """
    one_of("rule", rule, ("product", "minimum"))
    one, other = _both(truth, prediction)
    common = one * other if rule == "product" else np.minimum(one, other)
    return SoftCounts(
        np.asarray(common.sum(axis=-1)),
        np.asarray((other - common).sum(axis=-1)),
        np.asarray((one - common).sum(axis=-1)),
    )


def soft_jaccard(truth: ArrayLike, prediction: ArrayLike) -> Numbers:
    """Compute Σ min / Σ max of soft labels; 1 where there are none.

    Parameters
    ----------
    truth
        Numbers from 0 to 1.
    prediction
        As many others.

    Returns
    -------
    ndarray of float
        From 0 to 1.

    Examples
    --------
    >>> round(float(soft_jaccard([0.7, 0.2, 0.1], [0.6, 0.4, 0])), 3)
    0.667
    """
    tp, fp, fn = soft_counts(truth, prediction, rule="minimum")
    return _share(tp, tp + fp + fn)


def soft_f(truth: ArrayLike, prediction: ArrayLike) -> Numbers:
    """Compute 2 Σ min / (Σ truth + Σ prediction) of soft labels; 1 where there are none.

    Parameters
    ----------
    truth
        Numbers from 0 to 1.
    prediction
        As many others.

    Returns
    -------
    ndarray of float
        From 0 to 1.

    Examples
    --------
    >>> round(float(soft_f([0.7, 0.2, 0.1], [0.6, 0.4, 0])), 3)
    0.8
    """
    tp, fp, fn = soft_counts(truth, prediction, rule="minimum")
    return _share(2 * tp, 2 * tp + fp + fn)


def total_variation(truth: ArrayLike, prediction: ArrayLike) -> Numbers:
    """Compute half of the sum of differences, for numbers that sum to 1.

    Parameters
    ----------
    truth
        Shares.
    prediction
        Other shares.

    Returns
    -------
    ndarray of float
        From 0 to 1.

    Examples
    --------
    >>> round(float(total_variation([0.7, 0.2, 0.1], [0.6, 0.4, 0])), 3)
    0.2
    """
    one, other = _both(truth, prediction)
    return np.asarray(np.abs(one - other).sum(axis=-1) / 2)


def jensen_shannon(truth: ArrayLike, prediction: ArrayLike) -> Numbers:
    """Compute the Jensen-Shannon divergence in bits, for numbers that sum to 1.

    Parameters
    ----------
    truth
        Shares.
    prediction
        Other shares.

    Returns
    -------
    ndarray of float
        From 0 to 1.

    Examples
    --------
    >>> round(float(jensen_shannon([0.7, 0.2, 0.1], [0.6, 0.4, 0])), 4)
    0.0773
    """
    from scipy.special import entr

    one, other = _both(truth, prediction)
    bits = (entr((one + other) / 2) - (entr(one) + entr(other)) / 2) / np.log(2)
    return np.asarray(np.maximum(bits.sum(axis=-1), 0.0))


def brier(truth: ArrayLike, prediction: ArrayLike) -> Numbers:
    """Sum the squares of the differences.

    Parameters
    ----------
    truth
        Numbers from 0 to 1.
    prediction
        As many others.

    Returns
    -------
    ndarray of float
        At least 0.

    Examples
    --------
    >>> round(float(brier([0.7, 0.2, 0.1], [0.6, 0.4, 0])), 3)
    0.06
    """
    one, other = _both(truth, prediction)
    return np.asarray(((one - other) ** 2).sum(axis=-1))


def cross_entropy(truth: ArrayLike, prediction: ArrayLike) -> Numbers:
    """Compute the cross-entropy -Σ y log z in nats, for numbers that sum to 1.

    Parameters
    ----------
    truth
        Shares.
    prediction
        Other shares.

    Returns
    -------
    ndarray of float
        At least 0; infinite where the prediction rules out what is there.

    Examples
    --------
    >>> round(float(cross_entropy([0.5, 0.5], [0.5, 0.5])), 3), float(cross_entropy([1, 0], [0, 1]))
    (0.693, inf)
    """
    from scipy.special import xlogy

    one, other = _both(truth, prediction)
    return np.asarray(-xlogy(one, other).sum(axis=-1))


def expected_cost(truth: ArrayLike, costs: ArrayLike) -> Numbers:
    """Compute what each answer costs in the mean, where shares say how likely each concept is the true one.

    Parameters
    ----------
    truth
        Shares of the concepts.
    costs
        One row per true concept, one column per answer.

    Returns
    -------
    ndarray of float
        One number per answer.

    Examples
    --------
    >>> expected_cost([0.75, 0.25], [[0, 1], [1, 0]]).tolist()
    [0.25, 0.75]
    """
    one, _ = _both(truth, truth)
    return np.asarray(one @ np.asarray(costs, dtype=np.float64))


def _both(first: ArrayLike, second: ArrayLike) -> tuple[Numbers, Numbers]:
    one, other = (np.asarray(side, dtype=np.float64) for side in (first, second))
    if one.shape != other.shape or not all(np.all((side >= 0) & (side <= 1)) for side in (one, other)):
        raise InputError(
            f"soft labels of shapes {one.shape} and {other.shape}",
            "Give arrays of the same shape with numbers from 0 to 1.",
        )
    return one, other


def _share(part: Numbers, whole: Numbers) -> Numbers:
    return np.asarray(np.where(whole > 0, part / np.where(whole > 0, whole, 1), 1.0))
