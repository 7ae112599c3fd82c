"""What is measured: seconds and memory of something, beside a peer and a bar."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from timeit import timeit
from typing import NamedTuple

REPEATS = 3
"""How often something is timed at least."""


@dataclass(frozen=True)
class Effort:
    """How much is measured: everything, or a share of the samples, once, to see that it works."""

    share: float = 1.0

    @property
    def whole(self) -> bool:
        """Whether the sizes are those that the bars are meant for."""
        return self.share == 1

    def of(self, number: int) -> int:
        """Take the share of a number of samples."""
        return max(1, round(self.share * number))


class Cost(NamedTuple):
    """What something costs; megabytes are None where nobody looked."""

    seconds: float
    megabytes: float | None = None


class Peer(NamedTuple):
    """What else does the same, and what that costs."""

    name: str
    cost: Cost


@dataclass(frozen=True, kw_only=True)
class Bar:
    """What is to be reached: how many times as fast as the peer, within which time and memory."""

    ratio: float = 0.0
    seconds: float = float("inf")
    megabytes: float = float("inf")

    def __str__(self) -> str:
        """Write the bounds that there are."""
        bounds = (
            f"≥ {self.ratio:g} ×" if self.ratio else "",
            f"≤ {self.seconds:g} s" if self.seconds < float("inf") else "",
            f"≤ {self.megabytes:g} MB" if self.megabytes < float("inf") else "",
        )
        return ", ".join(filter(None, bounds))


@dataclass(frozen=True)
class Comparison:
    """One line of the table; without a cost it says only why nothing was measured."""

    what: str
    size: str
    ours: Cost | None = None
    peer: Peer | None = None
    bar: Bar | None = None

    @property
    def ratio(self) -> float | None:
        """How many times as long as ours the peer takes."""
        return None if self.ours is None or self.peer is None else self.peer.cost.seconds / self.ours.seconds

    @property
    def met(self) -> bool | None:
        """Whether the bar is reached; None where there is none."""
        if self.bar is None or self.ours is None:
            return None
        return (
            (self.ratio or 0.0) >= self.bar.ratio
            and self.ours.seconds <= self.bar.seconds
            and (self.ours.megabytes or 0.0) <= self.bar.megabytes
        )


def seconds(work: Callable[[], object], effort: Effort) -> float:
    """Time something, the garbage collector being off; the best counts."""
    times: list[float] = []
    # What is short is repeated for a second: other programs disturb it most.
    while not times or (effort.whole and (len(times) < REPEATS or sum(times) < 1)):
        times.append(timeit(work, number=1))
    return min(times)


def cost(work: Callable[[], object], effort: Effort) -> Cost:
    """Time something, then run it once more to see the most memory that it holds at a time."""
    best = seconds(work, effort)
    tracemalloc.start()
    try:
        work()
        return Cost(best, tracemalloc.get_traced_memory()[1] / 1e6)
    finally:
        tracemalloc.stop()


def scaled(name: str, work: Callable[[], object], effort: Effort, *, done: int, wanted: int) -> Peer:
    """Time something slow on a few samples, and scale it to all: it does one after the other."""
    return Peer(f"{name}, on {done:,}", Cost(seconds(work, effort) * wanted / done))
