"""The multi-label confusion matrix (MLCM) of Heydarian, Doyle and Samavi 2022.

Row ``q`` is NTL (no true label), column ``q`` is NPL (no predicted label).
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray


def first_step(truth: AbstractSet[int], prediction: AbstractSet[int], q: int) -> NDArray[np.float64]:
    """Count the hits, and a sample without labels in (NTL, NPL): Algorithm 2."""
    cells = np.zeros((q + 1, q + 1))
    for r in truth & prediction:
        cells[r, r] += 1
    if not truth and not prediction:
        cells[q, q] += 1
    return cells


def contribution(truth: AbstractSet[int], prediction: AbstractSet[int], q: int) -> NDArray[np.float64]:
    """What one sample adds: Algorithms 2 to 5 of the paper."""
    ntl = npl = q
    t2, p2 = truth - prediction, prediction - truth
    cells = first_step(truth, prediction, q)
    if prediction <= truth:  # category one, Algorithm 3
        for r in t2:
            cells[r, npl] += 1
    elif truth < prediction:  # category two, Algorithm 4
        for r in truth:
            for c in p2:
                cells[r, c] += 1
        if not truth:
            # equation 13 and Algorithm 4 print this row as NPL; the text says NTL
            cells[ntl, list(p2)] += 1
    else:  # category three, Algorithm 5
        for r in t2:
            for c in p2:
                cells[r, c] += 1
    return cells


def contribution_of_the_package(
    truth: AbstractSet[int], prediction: AbstractSet[int], q: int
) -> NDArray[np.float64]:
    """What one sample adds in the published package, retold as a walk over the false labels.

    The first false label meets every missed label and marks it as dealt with. A later false label
    finds no missed label left, takes the case for "all true labels were predicted" and is charged
    to *all* true labels.
    """
    ntl = npl = q
    cells = first_step(truth, prediction, q)
    unchecked = set(truth - prediction)
    for c in sorted(prediction - truth):
        if unchecked:
            for r in unchecked:
                cells[r, c] += 1
            unchecked = set()
        else:
            for r in truth:
                cells[r, c] += 1
            if not truth:
                cells[ntl, c] += 1
    for r in unchecked:  # no false label at all
        cells[r, npl] += 1
    return cells


def matrix(
    truths: Sequence[AbstractSet[int]],
    predictions: Sequence[AbstractSet[int]],
    q: int,
    *,
    variant: str = "paper",
) -> NDArray[np.float64]:
    """Sum the samples' contributions, by the ``"paper"`` or as the ``"package"`` does."""
    one = {"paper": contribution, "package": contribution_of_the_package}[variant]
    total = np.zeros((q + 1, q + 1))
    for truth, prediction in zip(truths, predictions, strict=True):
        total += one(truth, prediction, q)
    return total


def counts(total: NDArray[np.float64]) -> list[tuple[float, float, float, float]]:
    """TP, FP, FN, TN of each class and of the pseudo-class, equations 15, 17, 18 and 16."""
    size = len(total)
    found = []
    for k in range(size):
        tp = total[k, k]
        tn = sum(total[j, j] for j in range(size)) - tp
        fp = sum(total[j, k] for j in range(size)) - tp
        fn = sum(total[k, j] for j in range(size)) - tp
        found.append((float(tp), float(fp), float(fn), float(tn)))
    return found
