"""Timing: ontoeval and its peers turn by turn in one process, so that a busy machine disturbs all alike."""

from __future__ import annotations

import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import numpy as np

from benchmarks.floor import library

Work = Callable[[], Any]
Prepare = Callable[[Any], Work]
"""Makes the work of some data; what it does before it returns is not timed."""

FLOOR = "C floor"
"""The peer that is a kernel in C."""
MODULES = {
    "scikit-learn": "sklearn",
    "torchmetrics": "torchmetrics",
    "hiclass": "hiclass",
    "ranx": "ranx",
    "cafaeval": "cafaeval",
    "rdflib": "rdflib",
    "obonet": "obonet",
    "pandas": "pandas",
    "pyarrow": "pyarrow",
}
"""The module of each peer."""

LEAST, MOST = 0.05, 10.0
"""Seconds: what is shorter is repeated within a turn; after so many there are no more than three turns."""
FEWEST = 3


class Effort(NamedTuple):
    """How much is measured: a share of the samples, and how many rounds."""

    share: float = 1.0
    turns: int = 7

    def of(self, number: int) -> int:
        """Take the share of a number, at least 2."""
        return max(2, round(self.share * number))


QUICK = Effort(0.1, 3)


@dataclass(frozen=True)
class Command:
    """Python in a fresh process."""

    arguments: tuple[str, ...]

    def __call__(self) -> None:
        """Run it to its end."""
        self._run(sys.executable, *self.arguments)

    def megabytes(self) -> float:
        """See the most memory that it has, with Python and all libraries; nan on Windows."""
        if sys.platform == "win32":
            return float("nan")
        # A small process in between: a process begins with the peak of the one that starts it.
        found = self._run(sys.executable, "-c", _PEAK, sys.executable, *self.arguments)
        return float(found) / (1e6 if sys.platform == "darwin" else 1e3)

    @staticmethod
    def _run(*command: str) -> str:
        here = Path(__file__).parents[1]
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=here).stdout  # noqa: S603


_PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@dataclass(frozen=True)
class Peer:
    """Another program that does the same.

    `samples` is how many it is timed on, `part` which part of the work it does: both are scaled to the whole.
    `differs` says why its numbers are not checked, `tolerance` how far they may lie apart.
    """

    prepare: Prepare
    samples: int | None = None
    part: float = 1.0
    differs: str = ""
    tolerance: float = 1e-9


@dataclass(frozen=True)
class Task:
    """Something that users wait for: its name and data, how ontoeval does it, and peers by name.

    `numbers` are what peers compute too; `needs` names an optional package.
    """

    name: str
    data: Callable[[Effort], Any]
    ours: Prepare
    peers: Mapping[str, Peer] = field(default_factory=dict)
    numbers: Callable[[Any], Any] = np.asarray
    needs: str = ""


class Ratio(NamedTuple):
    """How many times as long as ontoeval a peer takes: median, lowest and highest of the turns."""

    middle: float
    low: float
    high: float
    scaled: bool = False
    checked: bool = True

    @property
    def inverse(self) -> Ratio:
        """How many times as long as the peer ontoeval takes."""
        return self._replace(middle=1 / self.middle, low=1 / self.high, high=1 / self.low)


class Result(NamedTuple):
    """One line of the table; peers that are not installed have no ratio."""

    task: str
    size: str
    seconds: float
    megabytes: float
    ratios: dict[str, Ratio | None]


def installed(peer: str) -> bool:
    """Whether a peer is there."""
    return library() is not None if peer == FLOOR else find_spec(MODULES[peer]) is not None


def measure(task: Task, effort: Effort) -> Result:
    """Check that all compute the same, then time them."""
    data = task.data(effort)
    work, scale = {"ontoeval": task.ours(data)}, {"ontoeval": 1.0}
    for name, peer in task.peers.items():
        if installed(name):
            some = data if peer.samples is None else data.first(peer.samples)
            work[name] = peer.prepare(some)
            scale[name] = 1.0 if some is data else len(data) / len(some)
            scale[name] /= peer.part
            expected, found = task.ours(some)(), work[name]()  # the first calls, which are not timed
            if not peer.differs:
                numbers, bound = np.asarray(task.numbers(expected)), peer.tolerance
                np.testing.assert_allclose(numbers, np.asarray(found), rtol=bound, atol=bound)
    times = _turns(work, effort)
    ours = times.pop("ontoeval")
    ratios: dict[str, Ratio | None] = dict.fromkeys(task.peers)
    for name, theirs in times.items():
        each = [scale[name] * one / other for one, other in zip(theirs, ours, strict=True)]
        checked = not task.peers[name].differs
        ratios[name] = Ratio(median(each), min(each), max(each), scale[name] > 1, checked)
    return Result(task.name, data.size, min(ours), _megabytes(work["ontoeval"]), ratios)


def _turns(work: Mapping[str, Work], effort: Effort) -> dict[str, list[float]]:
    """Time everything in turn; without peers there is no spread to see, and long work is timed once."""
    times: dict[str, list[float]] = {name: [] for name in work}
    fewest, began = FEWEST if len(work) > 1 else 1, time.perf_counter()
    for turn in range(effort.turns):
        if turn >= fewest and time.perf_counter() - began > MOST:
            break
        for name, one in work.items():
            times[name].append(_seconds(one))
    return times


def _seconds(work: Work) -> float:
    """Repeat what is short, and take the mean."""
    began, calls = clock(), 0
    while True:
        work()
        calls += 1
        taken = clock() - began
        if taken >= LEAST:
            return taken / calls


def clock() -> float:
    """Read the processor seconds of this process and of those it waited for; on Windows, the clock."""
    if sys.platform == "win32":
        return time.perf_counter()
    import resource

    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def _megabytes(work: Work) -> float:
    """Run something once more, and see the most memory that it holds at a time."""
    if isinstance(work, Command):
        return work.megabytes()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()
