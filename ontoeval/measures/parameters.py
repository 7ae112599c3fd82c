"""Types of parameters, which are their checks too: `beta: Weight = 1.0` refuses whatever is no weight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from functools import cache, partial
from math import inf
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from ontoeval.core.checks import real_number, unit_interval, unit_interval_or_none, whole_number
from ontoeval.errors import ParameterError, one_of

Check = Callable[[str, Any], Any]
"""Takes name and value of a parameter; returns the value to keep, or raises a `ParameterError`."""


def name_or_none(name: str, value: object, expected: str = "None or a name") -> object:
    """Refuse what is neither None nor a text."""
    if value is not None and not isinstance(value, str):
        raise ParameterError(name, value, expected)
    return value


def number_or_none(name: str, value: object, most: float = inf) -> float | None:
    """Refuse what is neither None nor a number in the range."""
    expected = "None or a number of at least 0" + " and at most 1" * (most == 1)
    return None if value is None else real_number(name, value, most=most, expected=expected)


def whole_or_none(name: str, value: object, least: int) -> int | None:
    """Refuse what is neither None nor a whole number in the range."""
    expected = f"None or a whole number of at least {least}"
    return None if value is None else whole_number(name, value, least, expected=expected)


def frozen(value: object) -> object:
    """Turn lists into tuples, however deep, so that a measure that holds them can be hashed."""
    return tuple(map(frozen, value)) if isinstance(value, list | tuple) else value


MOST_BETA = 1e100
"""Here F is recall to the last digit, and the square of what is larger may be no number."""

AtLeast0 = Annotated[float, real_number]
Above0 = Annotated[float, partial(real_number, above=True)]
UpTo1 = Annotated[float, partial(real_number, most=1)]
Above0UpTo1 = Annotated[float, partial(real_number, most=1, above=True)]
Beta = Annotated[float, partial(real_number, most=MOST_BETA)]
Share = Annotated[float, unit_interval]
ShareOrNone = Annotated[float | None, unit_interval_or_none]
Number = Annotated[int, partial(whole_number, least=1)]
NameOrNone = Annotated[str | None, name_or_none]


def check_parameters(holder: Any) -> None:  # noqa: ANN401 - a dataclass
    """Check the fields of a dataclass by their types: `Annotated` with a check, `Literal`, or `bool`."""
    for name, check in _checks(holder.__class__).items():
        object.__setattr__(holder, name, check(name, getattr(holder, name)))


@cache
def _checks(kind: Any) -> dict[str, Check]:  # noqa: ANN401 - a dataclass
    hints = get_type_hints(kind, include_extras=True)
    found = {field.name: _check_of(hints[field.name]) for field in fields(kind)}
    return {name: check for name, check in found.items() if check is not None}


def _check_of(hint: Any) -> Check | None:  # noqa: ANN401 - any type
    if get_origin(hint) is Annotated:
        check: Check = hint.__metadata__[0]
        return check
    allowed = _allowed(hint)
    return partial(_one_of, allowed=allowed) if allowed else None


def _one_of(name: str, value: object, allowed: tuple[object, ...]) -> object:
    one_of(name, value, allowed)
    return value


def _allowed(hint: Any) -> tuple[object, ...]:  # noqa: ANN401 - any type
    """List what a type allows, if it is `bool` or a `Literal`, or that or None."""
    if hint is bool:
        return (True, False)
    if get_origin(hint) is Literal:
        return get_args(hint)
    parts = get_args(hint) if get_origin(hint) in {Union, UnionType} else ()
    choices = [_allowed(part) for part in parts if part is not type(None)]
    return (None, *choices[0]) if len(choices) == 1 and choices[0] else ()
