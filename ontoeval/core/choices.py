"""Allowed values of options that several rooms share; the module loads without numpy."""

from __future__ import annotations

from typing import Literal

Best = Literal["highest", "lowest"]
"""Whether the highest or the lowest scores are best."""

Missing = Literal["refuse", "empty"]
"""Treatment of samples that only one side has."""

ScoreRepeats = Literal["refuse", "max", "first"]
"""Duplicate scores of a (sample, concept) pair in one file: refuse them, or keep one."""

IntervalMethod = Literal["percentile", "bca"]
"""Bootstrap intervals of agreement: percentiles, or bias-corrected ones."""
