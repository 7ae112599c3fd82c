"""Frozen values: pickled by their fields, with cached views."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from threading import RLock
from types import MappingProxyType
from typing import Any, Self, TypeVar, cast


class PickledByFields:
    """A frozen dataclass that is copied and pickled as its fields.

    Cached views are not copied. The constructor makes arrays read-only again, pickling by NumPy does not.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Return the constructor and its arguments, for `copy` and `pickle`."""
        parts = (getattr(self, field.name) for field in fields(cast("Any", self)))
        return type(self), tuple(dict(part) if isinstance(part, MappingProxyType) else part for part in parts)


T = TypeVar("T")


def copy_unchecked(value: T, **changes: object) -> T:
    """Copy a frozen dataclass with other fields that need no check, since they are parts of checked ones."""
    made = object.__new__(type(value))
    parts = {field.name: getattr(value, field.name) for field in fields(cast("Any", value))}
    made.__dict__.update(parts | changes)
    return made


class Cached:
    """A value that caches the views derived from it."""

    def derive(self, view: Callable[[Self], T]) -> T:
        """Return the result of a hashable view, such as a frozen dataclass, computed once for equal views."""
        kept: dict[Callable[[Self], T], T] = self.__dict__.setdefault("_views", {})
        if view not in kept:
            with self.__dict__.setdefault("_computing", RLock()):  # another thread may compute it already
                if view not in kept:
                    kept[view] = view(self)
        return kept[view]

    def keep(self, view: Callable[[Self], T], result: T) -> None:
        """Cache the result of a view that came with another one.

        Parameters
        ----------
        view
            The cached function of this value.
        result
            What it returns.
        """
        self.__dict__.setdefault("_views", {}).setdefault(view, result)

    def forget(self) -> None:
        """Drop the cached views, which take more memory than the value itself."""
        self.__dict__.pop("_views", None)
