"""Holm's procedure: p-values adjusted for their number."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def holm(p_values: Numbers) -> Numbers:
    """Adjust the p-values of all pairs of runs for their number, by Holm's procedure."""
    adjusted = np.full(p_values.shape, np.nan)
    first, second = np.triu_indices(p_values.shape[-1], 1)
    adjusted[:, first, second] = adjusted[:, second, first] = holm_of(p_values[:, first, second])
    return adjusted


def holm_of(p_values: Numbers) -> Numbers:
    """Adjust families of p-values by Holm's procedure."""
    order = np.argsort(p_values, axis=-1)  # nan last
    defined = np.isfinite(p_values).sum(axis=-1, keepdims=True)
    factors = np.maximum(defined - np.arange(p_values.shape[-1]), 1)
    raised = np.maximum.accumulate(np.take_along_axis(p_values, order, axis=-1) * factors, axis=-1)
    adjusted = np.empty_like(p_values)
    np.put_along_axis(adjusted, order, np.minimum(raised, 1.0), axis=-1)
    return adjusted
