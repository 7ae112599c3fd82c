"""Checks of options and of optional packages; what options can be, by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib import import_module
from math import inf, isfinite, nan
from numbers import Integral, Real
from typing import Any, Literal, get_args

from ontoeval.errors import MissingExtraError, ParameterError


def whole_number(
    name: str, value: object, least: int = 0, *, most: int | None = None, expected: str = ""
) -> int:
    """Refuse what is no whole number, or too small or large."""
    # True is an int to Python, and no number to those who write it.
    if (
        isinstance(value, bool)
        or not isinstance(value, Integral)
        or value < least
        or not (most is None or value <= most)
    ):
        end = "" if most is None else f" and at most {most}"
        raise ParameterError(name, value, expected or f"a whole number of at least {least}{end}")
    return int(value)


def real_number(
    name: str, value: object, least: float = 0, most: float = inf, *, above: bool = False, expected: str = ""
) -> float:
    """Refuse what is no finite number, or too small or large."""
    found = nan
    if isinstance(value, Real) and not isinstance(value, bool):
        with suppress(OverflowError):  # of whole numbers beyond all floats
            found = float(value)
    if not (isfinite(found) and least <= found <= most) or (above and found == least):
        end = "" if most == inf else f" and at most {most:g}"
        start = f"above {least:g}" if above else f"of at least {least:g}"
        raise ParameterError(name, value, expected or f"a number {start}{end}")
    return found


def unit_interval(name: str, value: object, *, expected: str = "a number in [0, 1]") -> float:
    """Refuse what is no number from 0 to 1."""
    return real_number(name, value, most=1, expected=expected)


def unit_interval_or_none(name: str, value: object) -> float | None:
    """Refuse what is neither None nor a number from 0 to 1."""
    return None if value is None else unit_interval(name, value, expected="None or a number in [0, 1]")


def between(name: str, value: object) -> float:
    """Refuse what does not lie between 0 and 1, such as a level."""
    if not (isinstance(value, Real) and 0 < value < 1):  # type: ignore[operator]
        raise ParameterError(name, value, "a number above 0 and below 1")
    return float(value)


def refuse_non_mapping(name: str, value: object) -> None:
    """Refuse what does not give numbers by names."""
    if not isinstance(value, Mapping):
        raise ParameterError(name, value, "a mapping from names to numbers, such as a dict")


def as_list(values: Any) -> list[Any]:  # noqa: ANN401 - several of anything, or one
    """Take one value for a list of one: a text is one, and so is whatever cannot be gone through."""
    return list(values) if isinstance(values, Iterable) and not isinstance(values, str) else [values]


Best = Literal["highest", "lowest"]
"""Which scores are best."""

Missing = Literal["refuse", "empty"]
"""What is done with samples that only one side has."""

Unknown = Literal["error", "drop"]
"""What is done with labels that are no concepts."""

OutputFormat = Literal["wide", "long"]
"""How label files are written: a row for each sample, or one for each of its labels."""

IntervalMethod = Literal["percentile", "bca"]
"""Bootstrap intervals: percentiles, or bias-corrected and accelerated."""

TestMethod = Literal["randomisation", "bootstrap", "none"]
"""Paired tests of two runs."""

Correction = Literal["tukey", "holm", "none"]
"""Corrections for the number of pairs."""

INTERVALS, TESTS, CORRECTIONS = (get_args(one) for one in (IntervalMethod, TestMethod, Correction))

Coefficient = Literal["majority", "pairwise", "unanimous", "fleiss", "randolph", "ac1", "alpha", "cohen"]
"""Coefficients of agreement: those of all annotators at once, and the mean of Cohen's over their pairs."""

ConsensusMethod = Literal["majority", "consistent", "dawid-skene"]
"""What annotators say together: what most say, this made to fit the ontology, or what a model has."""

Ties = Literal["absent", "present"]
"""What becomes of a label that half of the annotators see."""

Uncertain = Literal["missing", "absent", "present"]
"""What an annotator's "perhaps" stands for."""

Repeats = Literal["refuse", "merge"]
"""Whether what an annotator says again is an error or counts once."""

ScoreRepeats = Literal["refuse", "max", "first"]
"""What is done with the scores of a (sample, concept) pair that has several in one file."""

ColumnsAre = Literal["annotators", "concepts"]
"""What the columns of a table of annotations are that nothing else tells of."""

Severity = Literal["error", "warning", "note"]
"""How bad a finding is, the worst first."""

Axioms = Literal["all", "exclusions", "off"]
"""Which rules of the ontology label sets are to keep: exclusions and requirements, exclusions, or none."""

ConventionName = Literal["closed", "most-specific", "mixed"]
"""Whether label sets hold the ancestors of their labels: all, none, or some."""

ConventionAsked = Literal["infer", ConventionName]
"""A convention, or that it is to be inferred."""


def requires(package: str, extra: str, feature: str) -> Any:  # noqa: ANN401 - a module, whatever it offers
    """Import an optional package, or say which extra brings it."""
    try:
        return import_module(package)
    except ImportError as error:
        raise MissingExtraError(package, extra, feature) from error
