"""Progress: how whoever waits learns how far work is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

Progress = Callable[[str, int], AbstractContextManager[Callable[[], None]]]
"""Called with what is done and how many steps it has; what the context gives is called after each step."""


@contextmanager
def silent(description: str, total: int) -> Iterator[Callable[[], None]]:
    """Show nothing."""
    del description, total
    yield lambda: None
