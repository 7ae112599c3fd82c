"""Frozen values: pickled as their fields, and keeping what was derived from them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from types import MappingProxyType
from typing import Any, Self, TypeVar, cast


class PickledByFields:
    """A frozen dataclass that is copied and pickled as its fields.

    What was derived from them is derived again where it is needed, and the copy is as frozen as the original:
    NumPy forgets on the way that an array cannot be written.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Tell `copy` and `pickle` to call the constructor."""
        parts = (getattr(self, field.name) for field in fields(cast("Any", self)))
        return type(self), tuple(dict(part) if isinstance(part, MappingProxyType) else part for part in parts)


T = TypeVar("T")


class Cached:
    """A value that keeps what was derived from it."""

    def derive(self, view: Callable[[Self], T]) -> T:
        """Derive a view, the first time that one equal to it is asked for.

        Parameters
        ----------
        view
            A hashable function of the value, such as a frozen dataclass: views are shared because
            they are declared equal, never because their results look equal.

        Returns
        -------
        object
            What the view returned.
        """
        kept: dict[Any, Any] = self.__dict__.setdefault("_views", {})
        if view not in kept:
            kept[view] = view(self)
        return kept[view]  # type: ignore[no-any-return]
