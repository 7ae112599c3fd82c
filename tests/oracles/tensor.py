"""The two planes of the confusion tensor of Krstinić et al. 2024.

Both planes are taken after an empty set was given the pseudo-concept ``unknown``, number ``q``.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

from .krstinic import vector, with_unknown


def contribution(
    truth: AbstractSet[int], prediction: AbstractSet[int], size: int, *, variant: str = "unique"
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """What one sample adds to the recall plane and to the precision plane."""
    t1, t2, p2 = truth & prediction, truth - prediction, prediction - truth
    hits = np.diag(vector(t1, size))
    every_truth, every_prediction = vector(truth, size), vector(prediction, size)
    missed, false = vector(t2, size), vector(p2, size)
    if variant == "unique":
        return (
            hits + np.outer(missed, every_prediction) / len(prediction),
            hits + np.outer(every_truth, false) / len(truth),
        )
    if truth == prediction:
        return hits, hits
    if not t2:
        return hits, hits + np.outer(every_truth, false) / len(truth)
    if not p2:
        return hits + np.outer(missed, every_prediction) / len(prediction), hits
    return hits + np.outer(missed, false) / len(p2), hits + np.outer(missed, false) / len(t2)


def planes(
    truths: Sequence[AbstractSet[int]],
    predictions: Sequence[AbstractSet[int]],
    q: int,
    *,
    variant: str = "unique",
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Sum both planes over the samples; ``variant`` is ``"unique"`` or ``"case"``."""
    size = q + 1
    recall, precision = np.zeros((size, size)), np.zeros((size, size))
    for truth, prediction in zip(truths, predictions, strict=True):
        one = contribution(with_unknown(truth, q), with_unknown(prediction, q), size, variant=variant)
        recall += one[0]
        precision += one[1]
    return recall, precision


def counts(recall: NDArray[np.float64], precision: NDArray[np.float64]) -> list[tuple[float, float, float]]:
    """TP, FP and FN of each class: rows of the recall plane, columns of the precision plane."""
    found = []
    for k in range(len(recall)):
        tp = recall[k, k]
        found.append((float(tp), float(precision[:, k].sum() - tp), float(recall[k, :].sum() - tp)))
    return found
