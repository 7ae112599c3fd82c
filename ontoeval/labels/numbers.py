"""Numbers as people and programs write them into tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, nan

import numpy as np
from numpy.typing import NDArray

TRUTH_VALUES = {"true": 1.0, "false": 0.0}
"""Words that columns of 0 and 1 may hold instead."""


def number(text: str) -> float | None:
    """Read a finite number."""
    try:
        value = float(text)
    except ValueError:
        return None
    # Python's own notation allows underscores between digits; tables that hold one hold a slip.
    return value if isfinite(value) and "_" not in text else None


def numbers(texts: Sequence[str], words: Mapping[str, float] | None = None) -> NDArray[np.float64]:
    """Read many numbers."""
    if "_" not in "".join(texts):
        try:
            values = np.fromiter(map(float, texts), dtype=np.float64, count=len(texts))
        except ValueError:
            pass  # one of them is a word, or a mistake
        else:
            if not words or np.isfinite(values).all():
                return values  # otherwise one may be a word that Python takes for a number, such as nan
    known: dict[str, float] = {}
    for text in set(texts):
        value = (words or {}).get(text.strip().lower(), number(text))
        known[text] = nan if value is None else value
    return np.fromiter(map(known.__getitem__, texts), dtype=np.float64, count=len(texts))
