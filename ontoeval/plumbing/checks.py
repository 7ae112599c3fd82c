"""Checks of options, and optional packages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from importlib import import_module
from math import inf, isfinite, nan
from numbers import Integral, Real
from types import ModuleType
from typing import Any

from ontoeval.errors import MissingExtraError, ParameterError


def whole_number(
    name: str, value: object, least: int = 0, *, most: int | None = None, expected: str = ""
) -> int:
    """Refuse anything but a whole number within its bounds."""
    # True is an int in Python, but users mean no number by it.
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
    """Refuse anything but a finite number within its bounds."""
    found = nan
    if isinstance(value, Real) and not isinstance(value, bool):
        with suppress(OverflowError):  # a whole number beyond all floats
            found = float(value)
    if not (isfinite(found) and least <= found <= most) or (above and found == least):
        end = "" if most == inf else f" and at most {most:g}"
        start = f"above {least:g}" if above else f"of at least {least:g}"
        raise ParameterError(name, value, expected or f"a number {start}{end}")
    return found


def unit_interval(name: str, value: object, *, expected: str = "a number in [0, 1]") -> float:
    """Refuse anything but a number from 0 to 1."""
    return real_number(name, value, most=1, expected=expected)


def unit_interval_or_none(name: str, value: object) -> float | None:
    """Refuse anything but None or a number from 0 to 1."""
    return None if value is None else unit_interval(name, value, expected="None or a number in [0, 1]")


def open_unit_interval(name: str, value: object) -> float:
    """Refuse anything but a number between 0 and 1, both excluded, such as a confidence level."""
    if not (isinstance(value, Real) and not value <= 0 and value < 1):
        raise ParameterError(name, value, "a number above 0 and below 1")
    return float(value)


def refuse_non_mapping(name: str, value: object) -> None:
    """Refuse anything but a mapping from names to numbers."""
    if not isinstance(value, Mapping):
        raise ParameterError(name, value, "a mapping from names to numbers, such as a dict")


def as_list(values: object) -> list[Any]:
    """List the values of an iterable; a text, or anything that is not iterable, is a list of one."""
    return list(values) if isinstance(values, Iterable) and not isinstance(values, str) else [values]


def requires(package: str, extra: str, feature: str) -> ModuleType:
    """Import an optional package; the error names the extra that installs it."""
    try:
        return import_module(package)
    except ImportError as error:
        raise MissingExtraError(package, extra, feature) from error
