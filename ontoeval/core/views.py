"""Views: what is derived from a value once and kept with it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self, TypeVar

T = TypeVar("T")


class Viewed:
    """A value that keeps what was derived from it."""

    def once(self, view: Callable[[Self], T]) -> T:
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
