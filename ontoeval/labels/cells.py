"""Cells of tables: numbers, lists in brackets, and several labels in one field."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import isfinite, nan

import numpy as np
from numpy.typing import NDArray

TRUTH_VALUES = {"true": 1.0, "false": 0.0}  # words that columns of 0 and 1 may hold instead


_ABSENT = frozenset({"not", "excluded", "absent"})
_PRESENT = re.compile(  # words, and the relations of GAF 2.2
    "|present|enables|contributes_to|involved_in|located_in|part_of|is_active_in|colocalizes_with"
    "|acts_upstream_of(_or_within)?(_(positive|negative)_effect)?"
)


def is_negated(text: str) -> bool | None:
    """Whether a qualifier marks a label as absent; None where a word of it is unknown."""
    words = {word.strip().lower() for word in text.split("|")}
    return None if not all(map(_PRESENT.fullmatch, words - _ABSENT)) else not words.isdisjoint(_ABSENT)


def parse_number(text: str) -> float | None:
    """Read a finite number."""
    try:
        value = float(text)
    except ValueError:
        return None
    # Python's own notation allows underscores between digits; in a table an underscore is a slip.
    return value if isfinite(value) and "_" not in text else None


def parse_numbers(texts: Sequence[str], words: Mapping[str, float] | None = None) -> NDArray[np.float64]:
    """Read many numbers."""
    if "_" not in "".join(texts):
        try:
            values = np.fromiter(map(float, texts), dtype=np.float64, count=len(texts))
        except ValueError:
            pass  # a word, or an error
        else:
            if not words or np.isfinite(values).all():
                return values  # Python reads some words, such as nan, as numbers
    known: dict[str, float] = {}
    for text in set(texts):
        value = (words or {}).get(text.strip().lower(), parse_number(text))
        known[text] = nan if value is None else value
    return np.fromiter(map(known.__getitem__, texts), dtype=np.float64, count=len(texts))
