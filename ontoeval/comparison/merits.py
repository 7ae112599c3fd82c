"""Merits: scores turned so that more is better."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from ontoeval.measures.base import info, shortfall

Numbers = NDArray[np.float64]

DIGITS = 12
"""Decimals to which merits are told apart: what differs by rounding alone is a tie."""


def merits_of(scores: Numbers, measures: Iterable[object]) -> Numbers:
    """Turn scores so that more is better: minus the distance from the best value."""
    turned = np.array(scores, dtype=np.float64)
    for column, measure in enumerate(measures):
        if info(measure, "best") is not None:
            turned[..., column] = -shortfall(measure, turned[..., column])
    return np.asarray(turned.round(DIGITS))


def best_of(measure: object) -> float:
    """Look up the best value of a measure."""
    best = info(measure, "best")
    return float("nan") if best is None else float(best)
