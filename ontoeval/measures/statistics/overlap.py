"""Overlap: how many labels of each sample are right, false, missed and rightly left out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.batch import Batch
from ontoeval.measures.statistics.counts import Counts
from ontoeval.measures.statistics.sums import Rows


@dataclass(frozen=True)
class Overlap:
    """Counts of decisions, or sums of their weights, over the concepts of each sample."""

    def __call__(self, batch: Batch) -> Rows:
        """Count TP, FP, FN and TN of each sample."""
        tp, fp, fn = (batch.amount(part) for part in (batch.common, batch.false, batch.missed))
        if batch.known is not None:
            whole = batch.amount(batch.known)
        else:
            one = len(batch.truth.vocabulary) if batch.weights is None else batch.weights.sum()
            whole = np.full(len(batch), float(one))
        # Of weights a rounding error could be left.
        return Rows(np.stack([tp, fp, fn, np.maximum(whole - tp - fp - fn, 0.0)], axis=-1))

    def unpack(self, values: NDArray[np.float64]) -> Counts:
        """Name the four counts."""
        return Counts(*np.moveaxis(values, -1, 0))
