"""Calls of public functions: wrong arguments are refused, with the call that works."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, wraps
from inspect import Parameter, signature
from math import inf
from typing import ParamSpec, TypeVar, Unpack, get_args, get_origin, get_type_hints

from ontoeval.errors import InputError, did_you_mean, enumerate_some

P = ParamSpec("P")
R = TypeVar("R")

_VARIABLE = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


def refuse_wrong_arguments(verb: Callable[P, R]) -> Callable[P, R]:
    """Refuse wrong arguments of a public function that takes no hierarchy; see `argument_check`."""
    check = argument_check(verb)

    @wraps(verb)
    def door(*args: P.args, **keywords: P.kwargs) -> R:
        check(args, keywords)
        return verb(*args, **keywords)

    return door


def argument_check(verb: Callable[..., object]) -> Callable[..., None]:
    """Make the check of a public function's arguments.

    Keywords of other libraries, unknown, repeated and lacking ones, and too many unnamed arguments are
    refused.
    """
    parameters = signature(verb).parameters.values()
    kinds = {one.kind for one in parameters}
    named = {one.name: one.default for one in parameters if one.kind not in _VARIABLE}
    unnamed = [one.name for one in parameters if one.kind is Parameter.POSITIONAL_OR_KEYWORD]
    required = [name for name, default in named.items() if default is Parameter.empty]
    most = inf if Parameter.VAR_POSITIONAL in kinds else len(unnamed)

    def check(args: Sequence[object], keywords: Mapping[str, object]) -> None:
        given = unnamed[: len(args)]
        known = [*named, *passed_options(verb)] if Parameter.VAR_KEYWORD in kinds else named
        lacking = [name for name in required if name not in given and name not in keywords]
        twice = [name for name in given if name in keywords]
        if not lacking and not twice and len(args) <= most and all(name in known for name in keywords):
            return
        called = _verb_name(verb, given, args)
        own = ", ".join(name for name in unnamed if name not in _OWN)
        shown = f"{called}({', '.join(filter(None, [_SHOWN.get(called, own), '...']))})"
        if not {"y_true", "y_pred"}.isdisjoint(keywords):
            raise InputError(f"{called} has no y_true and y_pred", f"Write {shown}: the truth comes first.")
        if len(args) > most:
            raise InputError(
                f"{called} takes no {len(args)} unnamed arguments", f"Write {shown} and name the rest."
            )
        refuse_unknown(called, keywords, known, shown)
        what = f"got {enumerate_some(twice)} twice" if twice else f"lacks {enumerate_some(lacking)}"
        raise InputError(f"{called} {what}", f"Write {shown}.")

    return check


def refuse_unknown(called: str, keywords: Iterable[str], known: Collection[str], shown: str) -> None:
    """Refuse keywords that a function does not have, and name the near one, or all that there are."""
    for name in keywords:
        if name not in known:
            near = did_you_mean(name, known) * (name not in _MEANT and name not in _HOW)
            raise InputError(f"{called} has no {name!r}{near}", _instead(name, known, shown))


@cache
def passed_options(verb: Callable[..., object]) -> tuple[str, ...]:
    """Names of the options that a function passes on, as their `TypedDict` has them."""
    options = [get_args(hint)[0] for hint in get_type_hints(verb).values() if get_origin(hint) is Unpack]
    return tuple(name for one in options for name in one.__annotations__)


def _verb_name(verb: Callable[..., object], given: Sequence[str], args: Sequence[object]) -> str:
    """Name a function as it is called: a method by the class of its object, which may have inherited it."""
    if given[:1] not in (["self"], ["cls"]):
        return verb.__qualname__
    kind = args[0] if isinstance(args[0], type) else type(args[0])
    return f"{kind.__name__}.{verb.__name__}"


_OWN = ("self", "cls")

_SHOWN = {"collect": "align(truth, prediction, hierarchy=...), measures"}
"""Unnamed arguments that say more than their names."""

_MEANT: Mapping[str, tuple[str, ...]] = {
    "metrics": ("measures", "measure"),
    "metric": ("measures", "measure"),
    "measure": ("measures",),
    "measures": ("measure",),
    "ontology": ("hierarchy",),
    "hierarchy": ("ontology",),
    "groups": ("group",),
    "sample_weights": ("sample_weight",),
    "weights": ("sample_weight",),
    **dict.fromkeys(("labels", "concepts", "target_names"), ("classes", "vocabulary")),
    "classes": ("vocabulary",),
    "scoring": ("measures", "measure"),
    "n_jobs": ("workers",),
}
"""Parameters that are meant by keywords of other functions and libraries."""

_HOW = {
    **dict.fromkeys(
        ("close", "na", "unknown"), ("convention", "An audit takes the labels as they are: leave it out.")
    ),
    "zero_division": ("measures", """Name it in the measure: measures="F(undefined=0.0)"."""),
    "average": ("measures", """Name it in the measure: measures="F(average='macro')"."""),
    "relations": ("hierarchy", "Read with them: hierarchy=ontoeval.read_ontology(path, relations=[...])."),
    "concept_map": ("hierarchy", "Give the hierarchy the names: hierarchy=hierarchy.with_names(...)."),
}
"""Ways to what is no parameter, by the parameter that they need."""


def _instead(name: str, parameters: Collection[str], shown: str) -> str:
    """Say what to write instead of an unknown keyword."""
    meant = [one for one in _MEANT.get(name, ()) if one in parameters]
    needs, how = _HOW.get(name, ("", ""))
    if meant:
        return f"Write {meant[0]}=."
    if needs in parameters:
        return how
    return f"Write {shown}; it takes {', '.join(repr(one) for one in parameters if one not in _OWN)}."
