"""Progress that tests count."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Bars:
    """Progress that is counted: the steps that are announced, and those that are done."""

    def __init__(self) -> None:
        self.announced, self.done = 0, 0

    @contextmanager
    def __call__(self, description: str, total: int) -> Iterator[Callable[[], None]]:
        self.announced += total
        yield self.step
        assert self.done == self.announced, description

    def step(self) -> None:
        self.done += 1
