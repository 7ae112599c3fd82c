"""Allowed values of options that several rooms share; the module loads without numpy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal, get_args

from ontoeval.errors import ParameterError, one_of

Best = Literal["highest", "lowest"]
"""Whether the highest or the lowest scores are best."""

Missing = Literal["refuse", "empty"]
"""Treatment of samples that only one side has."""

Threshold = float | Mapping[str, float] | Iterable[float]
"""Least score that makes a label: one for all concepts, or one for each, by name or in their order."""

ScoreRepeats = Literal["refuse", "max", "first"]
"""Duplicate scores of a (sample, concept) pair in one file: refuse them, or keep one."""

IntervalMethod = Literal["percentile", "bca"]
"""Bootstrap intervals of agreement: percentiles, or bias-corrected ones."""

OutsideRule = Literal["ancestor", "drop"]
"""What a label outside of `only` counts as: its nearest ancestors inside, or nothing."""

BRANCH, LEVEL = "branch", "level"
"""Parts of the labels that a hierarchy has."""


def check_outside(outside: str, only: object) -> None:
    """Refuse a rule for labels outside where all labels count."""
    one_of("outside", outside, get_args(OutsideRule))
    if outside != "ancestor" and only is None:
        raise ParameterError("outside", outside, "only= (--only) beside it, which says which labels count")
