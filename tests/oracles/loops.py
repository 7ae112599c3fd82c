"""The loops that benchmarks compare with: one sample at a time, on dense 0/1 arrays or on Python sets.

The dense loops do what the authors' programs do, an outer product of size q x q per sample; the
loops over sets touch only the cells that change.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Dense: TypeAlias = NDArray[np.float64]
DenseLoop: TypeAlias = Callable[[Dense, Dense], Dense]
Sets: TypeAlias = Sequence[AbstractSet[int]]
SetLoop: TypeAlias = Callable[[Sets, Sets, int], Dense]


# dense ------------------------------------------------------------------------------------------------------


def extended(rows: Dense) -> Dense:
    """Add the column ``unknown``, 1 where the row is empty."""
    return np.hstack([rows, (rows.sum(axis=1) == 0).astype(float)[:, np.newaxis]])


def dense_multiclass(truth: Dense, prediction: Dense) -> Dense:
    """One outer product per sample."""
    total = np.zeros((truth.shape[1], truth.shape[1]))
    for y, z in zip(truth, prediction, strict=True):
        total += np.outer(y, z)
    return total


def dense_krstinic(truth: Dense, prediction: Dense) -> Dense:
    """Algorithm 1 of Krstinić et al. 2020, with ``unknown``."""
    truth, prediction = extended(truth), extended(prediction)
    total = np.zeros((truth.shape[1], truth.shape[1]))
    for y, z in zip(truth, prediction, strict=True):
        missed, false = np.maximum(y - z, 0), np.maximum(z - y, 0)
        if not missed.any() and not false.any():
            total += np.diag(y)
        elif not missed.any():
            total += (np.outer(y, false) + y.sum() * np.diag(y)) / z.sum()
        elif not false.any():
            total += np.outer(missed, z) / z.sum() + np.diag(z)
        else:
            total += np.outer(missed, false) / false.sum() + np.diag(y * z)
    return total


def dense_mlcm(truth: Dense, prediction: Dense) -> Dense:
    """Algorithms 2 to 5 of Heydarian et al. 2022."""
    q = truth.shape[1]
    total = np.zeros((q + 1, q + 1))
    for y, z in zip(truth, prediction, strict=True):
        missed, false = np.maximum(y - z, 0), np.maximum(z - y, 0)
        total[:q, :q] += np.diag(y * z)
        if not y.any() and not z.any():
            total[q, q] += 1
        elif not false.any():
            total[:q, q] += missed
        elif not y.any():
            total[q, :q] += false
        elif not missed.any():
            total[:q, :q] += np.outer(y, false)
        else:
            total[:q, :q] += np.outer(missed, false)
    return total


def dense_mlcm_package(truth: Dense, prediction: Dense) -> Dense:
    """As the published package: false labels after the first are also charged to the correct ones."""
    total = dense_mlcm(truth, prediction)
    q = truth.shape[1]
    for y, z in zip(truth, prediction, strict=True):
        hits, missed, false = y * z, np.maximum(y - z, 0), np.maximum(z - y, 0)
        if hits.any() and missed.any() and false.any():
            false[np.argmax(false)] = 0
            total[:q, :q] += np.outer(hits, false)
    return total


def _dense_plane(truth: Dense, prediction: Dense, *, case: bool) -> Dense:
    """The recall plane; the precision plane is the transposed recall plane of the exchanged sets."""
    truth, prediction = extended(truth), extended(prediction)
    total = np.zeros((truth.shape[1], truth.shape[1]))
    for y, z in zip(truth, prediction, strict=True):
        missed, false = np.maximum(y - z, 0), np.maximum(z - y, 0)
        targets = false if case and false.any() else z
        total += np.diag(y * z) + np.outer(missed, targets) / targets.sum()
    return total


def dense_recall_unique(truth: Dense, prediction: Dense) -> Dense:
    """Recall plane of the confusion tensor, a missed label spread over all predicted ones."""
    return _dense_plane(truth, prediction, case=False)


def dense_recall_case(truth: Dense, prediction: Dense) -> Dense:
    """Recall plane, a missed label spread over the false ones where there are any."""
    return _dense_plane(truth, prediction, case=True)


def dense_precision_unique(truth: Dense, prediction: Dense) -> Dense:
    """Precision plane, a false label spread over all true ones."""
    return _dense_plane(prediction, truth, case=False).T


def dense_precision_case(truth: Dense, prediction: Dense) -> Dense:
    """Precision plane, a false label spread over the missed ones where there are any."""
    return _dense_plane(prediction, truth, case=True).T


# sets -------------------------------------------------------------------------------------------------------


def _hits(total: Dense, labels: AbstractSet[int], weight: float = 1.0) -> None:
    for label in labels:
        total[label, label] += weight


def _block(total: Dense, rows: AbstractSet[int], columns: AbstractSet[int], weight: float = 1.0) -> None:
    for row in rows:
        for column in columns:
            total[row, column] += weight


def sets_multiclass(truths: Sets, predictions: Sets, q: int) -> Dense:
    """One cell per sample."""
    total = np.zeros((q, q))
    for y, z in zip(truths, predictions, strict=True):
        _block(total, y, z)
    return total


def sets_krstinic(truths: Sets, predictions: Sets, q: int) -> Dense:
    """Algorithm 1 of Krstinić et al. 2020, with ``unknown``."""
    total = np.zeros((q + 1, q + 1))
    for truth, prediction in zip(truths, predictions, strict=True):
        y, z = truth or {q}, prediction or {q}
        missed, false = y - z, z - y
        if missed and false:
            _hits(total, y & z)
            _block(total, missed, false, 1 / len(false))
        elif missed:
            _hits(total, z)
            _block(total, missed, z, 1 / len(z))
        else:
            _hits(total, y, len(y) / len(z))
            _block(total, y, false, 1 / len(z))
    return total


def sets_mlcm(truths: Sets, predictions: Sets, q: int) -> Dense:
    """Algorithms 2 to 5 of Heydarian et al. 2022."""
    total = np.zeros((q + 1, q + 1))
    for y, z in zip(truths, predictions, strict=True):
        missed, false = y - z, z - y
        _hits(total, y & z)
        if false:
            _block(total, missed or y or {q}, false)
        else:
            _block(total, missed if y else {q}, {q})
    return total


def sets_mlcm_package(truths: Sets, predictions: Sets, q: int) -> Dense:
    """As the published package: false labels after the first are also charged to the correct ones."""
    total = sets_mlcm(truths, predictions, q)
    for y, z in zip(truths, predictions, strict=True):
        false = z - y
        if y & z and y - z and false:
            _block(total, y & z, false - {min(false)})
    return total


def _sets_plane(truths: Sets, predictions: Sets, q: int, *, case: bool) -> Dense:
    total = np.zeros((q + 1, q + 1))
    for truth, prediction in zip(truths, predictions, strict=True):
        y, z = truth or {q}, prediction or {q}
        targets = (z - y or z) if case else z
        _hits(total, y & z)
        _block(total, y - z, targets, 1 / len(targets))
    return total


def sets_recall_unique(truths: Sets, predictions: Sets, q: int) -> Dense:
    """Recall plane of the confusion tensor, a missed label spread over all predicted ones."""
    return _sets_plane(truths, predictions, q, case=False)


def sets_recall_case(truths: Sets, predictions: Sets, q: int) -> Dense:
    """Recall plane, a missed label spread over the false ones where there are any."""
    return _sets_plane(truths, predictions, q, case=True)


def sets_precision_unique(truths: Sets, predictions: Sets, q: int) -> Dense:
    """Precision plane, a false label spread over all true ones."""
    return _sets_plane(predictions, truths, q, case=False).T


def sets_precision_case(truths: Sets, predictions: Sets, q: int) -> Dense:
    """Precision plane, a false label spread over the missed ones where there are any."""
    return _sets_plane(predictions, truths, q, case=True).T


DENSE: dict[tuple[str, str | None], DenseLoop] = {
    ("multiclass", None): dense_multiclass,
    ("krstinic", None): dense_krstinic,
    ("mlcm", "paper"): dense_mlcm,
    ("mlcm", "package"): dense_mlcm_package,
    ("tensor-recall", "unique"): dense_recall_unique,
    ("tensor-recall", "case"): dense_recall_case,
    ("tensor-precision", "unique"): dense_precision_unique,
    ("tensor-precision", "case"): dense_precision_case,
}

SETS: dict[tuple[str, str | None], SetLoop] = {
    ("multiclass", None): sets_multiclass,
    ("krstinic", None): sets_krstinic,
    ("mlcm", "paper"): sets_mlcm,
    ("mlcm", "package"): sets_mlcm_package,
    ("tensor-recall", "unique"): sets_recall_unique,
    ("tensor-recall", "case"): sets_recall_case,
    ("tensor-precision", "unique"): sets_precision_unique,
    ("tensor-precision", "case"): sets_precision_case,
}
