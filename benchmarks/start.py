"""How long one waits for a fresh interpreter that imports the package or runs its command."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from importlib.util import find_spec
from statistics import median
from timeit import timeit

from benchmarks.measuring import Bar, Comparison, Cost, Effort, Peer

FIRST_SCORE = "import ontoeval; ontoeval.evaluate([[1, 0]], [[1, 1]], measures='F')['F']"
FIRST_SCORE_OF_SCIKIT_LEARN = (
    "from sklearn.metrics import f1_score; f1_score([[1, 0]], [[1, 1]], average='micro')"
)


def comparisons(effort: Effort) -> Iterator[Comparison]:
    """Start interpreters; the median counts, and what the bare interpreter needs is counted in."""

    def start(*arguments: str) -> Cost:
        command = [sys.executable, *arguments]
        run = partial(subprocess.run, command, check=True, stdout=subprocess.DEVNULL)
        return Cost(median(timeit(run, number=1) for _ in range(10 if effort.whole else 1)))

    size = "one process"
    bare = Peer("nothing", start("-c", ""))
    yield Comparison("import ontoeval", size, start("-c", "import ontoeval"), bare, Bar(seconds=0.3))
    peer = None
    if find_spec("sklearn") is not None:
        peer = Peer("scikit-learn", start("-c", FIRST_SCORE_OF_SCIKIT_LEARN))
    yield Comparison("import and score", size, start("-c", FIRST_SCORE), peer)
    for option in ("--version", "--help"):
        yield Comparison(f"ontoeval {option}", size, start("-m", "ontoeval", option))
