"""Holm's procedure: p-values adjusted for their number."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def holm(p_values: Numbers) -> Numbers:
    """Adjust the p-values of all pairs of runs for their number, by Holm's procedure.

    Parameters
    ----------
    p_values
        Measures × runs × runs, symmetric; those of each measure are a family.

    Returns
    -------
    ndarray of float
        The same shape; at least as large.

    References
    ----------
    [holm1979]_

    Examples
    --------
    >>> p = np.array([[[np.nan, 0.01, 0.04], [0.01, np.nan, 0.03], [0.04, 0.03, np.nan]]])
    >>> holm(p)[0].round(2)
    array([[ nan, 0.03, 0.06],
           [0.03,  nan, 0.06],
           [0.06, 0.06,  nan]])
    """
    adjusted = np.full(p_values.shape, np.nan)
    first, second = np.triu_indices(p_values.shape[-1], 1)
    adjusted[:, first, second] = adjusted[:, second, first] = holm_of(p_values[:, first, second])
    return adjusted


def holm_of(p_values: Numbers) -> Numbers:
    """Adjust families of p-values by Holm's procedure.

    Parameters
    ----------
    p_values
        One family in each row; undefined ones (nan) do not count.

    Returns
    -------
    ndarray of float
        The same shape; at least as large.

    Examples
    --------
    >>> holm_of(np.array([[0.01, 0.04, 0.03]]))
    array([[0.03, 0.06, 0.06]])
    """
    order = np.argsort(p_values, axis=-1)  # nan last
    defined = np.isfinite(p_values).sum(axis=-1, keepdims=True)
    factors = np.maximum(defined - np.arange(p_values.shape[-1]), 1)
    raised = np.maximum.accumulate(np.take_along_axis(p_values, order, axis=-1) * factors, axis=-1)
    adjusted = np.empty_like(p_values)
    np.put_along_axis(adjusted, order, np.minimum(raised, 1.0), axis=-1)
    return adjusted
