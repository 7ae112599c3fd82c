"""The confusion matrix of Krstinić et al. 2020, equations 11-17 and Algorithm 1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray


def vector(labels: Iterable[int], q: int) -> NDArray[np.float64]:
    """Write a label set as a 0/1 vector."""
    bits = np.zeros(q)
    for label in labels:
        bits[label] = 1
    return bits


def with_unknown(labels: AbstractSet[int], q: int) -> frozenset[int]:
    """Give an empty set the pseudo-concept number ``q``."""
    return frozenset(labels) if labels else frozenset({q})


def contribution(truth: AbstractSet[int], prediction: AbstractSet[int], q: int) -> NDArray[np.float64]:
    """What one sample adds: the four scenarios of section 3.2. Both sets have at least one member."""
    if not truth or not prediction:
        message = "the paper defines the contribution of non-empty sets only"
        raise ValueError(message)
    missed = truth - prediction
    false = prediction - truth
    y, z = vector(truth, q), vector(prediction, q)
    if truth == prediction:  # (i), equation 11
        return np.diag(y)
    if not missed:  # (ii), equation 13
        return (np.outer(y, vector(false, q)) + len(truth) * np.diag(y)) / len(prediction)
    if not false:  # (iii), equation 15
        return np.outer(vector(missed, q), z) / len(prediction) + np.diag(z)
    # (iv), equation 17
    return np.outer(vector(missed, q), vector(false, q)) / len(false) + np.diag(vector(truth & prediction, q))


def matrix(
    truths: Sequence[AbstractSet[int]],
    predictions: Sequence[AbstractSet[int]],
    q: int,
    *,
    unknown: bool = True,
) -> NDArray[np.float64]:
    """Sum the samples' contributions; with ``unknown`` the matrix has one more row and column, always."""
    size = q + 1 if unknown else q
    total = np.zeros((size, size))
    for truth, prediction in zip(truths, predictions, strict=True):
        if unknown:
            total += contribution(with_unknown(truth, q), with_unknown(prediction, q), size)
        else:
            total += contribution(truth, prediction, size)
    return total
