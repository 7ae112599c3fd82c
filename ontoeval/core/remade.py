"""Remade: what is copied, or sent to another process, as the parts it was made of."""

from __future__ import annotations

from dataclasses import fields
from types import MappingProxyType
from typing import Any, cast


class Remade:
    """A frozen dataclass that is copied and pickled as its fields.

    What was derived from them is derived again where it is needed, and the copy is as frozen as the original:
    NumPy forgets on the way that an array cannot be written.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        """Tell `copy` and `pickle` to call the constructor."""
        parts = (getattr(self, field.name) for field in fields(cast("Any", self)))
        return type(self), tuple(dict(part) if isinstance(part, MappingProxyType) else part for part in parts)
