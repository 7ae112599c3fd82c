"""How a scoring job spreads over more workers than there are here: a replay of measured task times."""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from ontoeval.evaluation.dask_collections import FAN_IN


@dataclass(frozen=True, kw_only=True)
class Costs:
    """Measured costs of a job, in seconds and bytes."""

    part: float
    """Seconds of one partition: reading and all measures."""
    merge: float
    """Seconds of merging two totals."""
    size: int
    """Bytes of the totals of one partition."""
    task: float
    """Seconds of the scheduler for each task; it sends one after the other."""
    bandwidth: float = 1e9
    """Bytes that a worker receives in a second: 10 Gbit."""
    start: float = 0.0
    """Seconds until a worker has the hierarchy."""


def makespan(parts: int, workers: int, costs: Costs) -> float:
    """Replay a job: partitions go to the next free worker, and totals are merged a few at a time."""
    free = [costs.start] * workers
    heapify(free)
    sent = 0.0
    ready: list[float] = []

    def run(earliest: float, seconds: float) -> float:
        nonlocal sent
        sent = max(sent, earliest) + costs.task
        end = max(heappop(free), sent) + seconds
        heappush(free, end)
        return end

    ready = [run(0.0, costs.part) for _ in range(parts)]
    while len(ready) > 1:
        groups = [ready[at : at + FAN_IN] for at in range(0, len(ready), FAN_IN)]
        received = costs.size / costs.bandwidth + costs.merge
        ready = [run(max(group), (len(group) - 1) * received) for group in groups]
    return ready[0]
