"""Types of arrays, by what they hold."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Places = NDArray[np.intp]
Marks = NDArray[np.bool_]


def reaches(scores: NDArray[Any], limits: NDArray[np.floating] | float) -> Marks:
    """Mark the scores that reach thresholds: a threshold in single or half precision is reached as well."""
    limits = np.asarray(limits, dtype=np.float64)
    reached = scores >= limits
    with np.errstate(over="ignore"):
        for kind in (np.float32, np.float16):
            reached |= scores == limits.astype(kind)
    return reached
