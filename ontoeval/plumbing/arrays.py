"""Types of arrays, by what they hold."""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ontoeval.errors import InputError

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]
Marks = NDArray[np.bool_]


def as_floats(values: object, problem: str, remedy: str = "Give numbers.") -> Numbers:
    """Copy numbers into an array; anything else is refused."""
    try:
        return np.array(cast("ArrayLike", values), dtype=np.float64)
    except (OverflowError, TypeError, ValueError) as error:
        raise InputError(f"{problem} ({error})", remedy) from error


def reaches(scores: NDArray[Any], limits: NDArray[np.floating] | float) -> Marks:
    """Mark the scores that reach thresholds: a threshold in single or half precision is reached as well."""
    limits = np.asarray(limits, dtype=np.float64)
    reached = scores >= limits
    with np.errstate(over="ignore"):
        for kind in (np.float32, np.float16):
            reached |= scores == limits.astype(kind)
    return reached
