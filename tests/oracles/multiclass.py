"""The ordinary confusion matrix of data with one label per sample (Krstinić et al. 2020, section 3.1)."""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray


def matrix(
    truths: Sequence[AbstractSet[int]], predictions: Sequence[AbstractSet[int]], q: int
) -> NDArray[np.float64]:
    """Count samples by their true (row) and predicted (column) label."""
    total = np.zeros((q, q))
    for truth, prediction in zip(truths, predictions, strict=True):
        (row,) = truth
        (column,) = prediction
        total[row, column] += 1
    return total


def counts(total: NDArray[np.float64]) -> list[tuple[float, float, float, float]]:
    """TP, FP, FN, TN of each class, read off a square matrix."""
    everything = total.sum()
    found = []
    for k in range(len(total)):
        tp = total[k, k]
        fp = total[:, k].sum() - tp
        fn = total[k, :].sum() - tp
        found.append((float(tp), float(fp), float(fn), float(everything - tp - fp - fn)))
    return found


def row_normalised(total: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide each row by its sum; rows that sum to 0 are nan."""
    shares = np.full(total.shape, np.nan)
    for row in range(total.shape[0]):
        mass = total[row, :].sum()
        if mass > 0:
            shares[row, :] = total[row, :] / mass
    return shares


def column_normalised(total: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide each column by its sum; columns that sum to 0 are nan."""
    return row_normalised(total.T).T
