"""How an option is declared once, as an annotated field of a frozen dataclass, and read from flat values."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, is_dataclass
from pathlib import Path
from types import UnionType
from typing import Any, Literal, NamedTuple, TypeGuard, TypeVar, Union, get_args, get_origin, get_type_hints

_Group = TypeVar("_Group")

_METAVARS: dict[object, str] = {Path: "FILE", str: "NAME", int: "NUMBER", float: "NUMBER"}

REQUIRED = inspect.Parameter.empty
"""The default of a required option."""

PICTURES = (".pdf", ".png", ".svg")
"""Endings of files of figures."""


@dataclass(frozen=True)
class Opt:
    """Help and bounds of an option; name, type and default are those of its field."""

    help: str
    _: KW_ONLY
    metavar: str | None = None
    flags: tuple[str, ...] = ()
    panel: str | None = None
    least: int | None = None
    kind: Any = None
    """Type of the option on the command line and in TOML, where the field takes more."""
    convert: Callable[[str], object] | None = None
    """Makes a value of the field of a text."""
    positional: bool = False
    hidden: bool = False
    brief: bool = False
    """Whether the option is a main one where a command has many."""


class Option(NamedTuple):
    """A declared option."""

    kind: Any
    default: Any
    opt: Opt

    @property
    def item(self) -> object:
        """The type of one value."""
        bare = _without_none(self.kind)
        return get_args(bare)[0] if self.several else bare

    @property
    def several(self) -> bool:
        """Whether the option can be repeated."""
        return get_origin(_without_none(self.kind)) is tuple

    @property
    def metavar(self) -> str | None:
        """Placeholder of the value in the help; None for flags and choices."""
        return self.opt.metavar or _METAVARS.get(self.item)

    @property
    def choices(self) -> tuple[str, ...]:
        """The allowed texts; empty where any text is allowed."""
        return get_args(self.item) if get_origin(self.item) is Literal else ()


def flat(group: type) -> dict[str, Option]:
    """List the options of a group and of the groups in it; a field without `Opt` is none."""
    hints, found = get_type_hints(group, include_extras=True), dict[str, Option]()
    for name, field in inspect.signature(group).parameters.items():
        if is_group(kind := hints[name]):
            found |= flat(kind)
        elif (option := declared(kind, field.default)) is not None:
            found[name] = option
    return found


def declared(annotation: object, default: object) -> Option | None:
    """Find the option of an annotation, if it is one."""
    if get_origin(annotation) is None or not hasattr(annotation, "__metadata__"):
        return None
    kind, opt, *_ = get_args(annotation)
    return Option(opt.kind or kind, default, opt)


def filled(group: type[_Group], given: Mapping[str, Any]) -> _Group:
    """Make a group, and its nested groups, from the values of options."""
    hints, values = get_type_hints(group, include_extras=True), dict[str, Any]()
    for name in inspect.signature(group).parameters:
        option = declared(hints[name], None)
        convert = None if option is None else option.opt.convert
        if is_group(kind := hints[name]):
            values[name] = filled(kind, given)
        elif name in given:
            value = given[name]
            values[name] = convert(value) if convert and isinstance(value, str) else value
    return group(**values)


def values_of(group: object) -> dict[str, Any]:
    """List the values of the options of a group, and of the groups in it, that are no defaults."""
    found: dict[str, Any] = {}
    for name, annotation in get_type_hints(type(group), include_extras=True).items():
        value, default = getattr(group, name), getattr(type(group), name, REQUIRED)
        if is_group(annotation):
            found |= values_of(value)
        elif declared(annotation, default) is not None and value != default:
            found[name] = value
    return found


def is_group(kind: object) -> TypeGuard[type[Any]]:
    """Whether an annotation is a group of options."""
    return isinstance(kind, type) and is_dataclass(kind)


def options_of(command: Callable[..., None]) -> dict[str, Option]:
    """List the options of a command, and of its groups; one of its own replaces that of a group."""
    own = inspect.signature(command, eval_str=True).parameters
    found = {name: declared(one.annotation, one.default) for name, one in own.items()}
    mine = {name: option for name, option in found.items() if option is not None}
    groups = (one.annotation for one in own.values() if is_group(one.annotation))
    return mine | {name: option for kind in groups for name, option in flat(kind).items()} | mine


def flag(name: str) -> str:
    """Name of an option on the command line; its `Opt` may override this."""
    return f"--{name.replace('_', '-')}"


def _without_none(kind: object) -> object:
    """Remove None from an annotation."""
    if get_origin(kind) not in {Union, UnionType}:
        return kind
    return next(one for one in get_args(kind) if one is not type(None))
