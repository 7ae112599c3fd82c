"""How runs can be compared, by the names that options take."""

from __future__ import annotations

from typing import Literal, get_args

IntervalMethod = Literal["percentile", "bca"]
"""Bootstrap intervals: percentiles, or bias-corrected and accelerated."""

TestMethod = Literal["randomisation", "bootstrap", "none"]
"""Paired tests of two runs."""

Correction = Literal["tukey", "holm", "none"]
"""Corrections for the number of pairs."""

INTERVALS, TESTS, CORRECTIONS = (get_args(one) for one in (IntervalMethod, TestMethod, Correction))
