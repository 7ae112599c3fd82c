"""Work that measures share is done once: calls of each view and statistic in a call of the package."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import numpy as np
import pytest

import ontoeval as oe

RNG = np.random.default_rng(3)
TREE = oe.Hierarchy.from_edges([(f"c{(child - 1) // 3}", f"c{child}") for child in range(1, 60)])
GRAPH = oe.Hierarchy.from_edges(
    [(f"c{(child - 1) // 3}", f"c{child}") for child in range(1, 60)]
    + [(f"c{child // 4}", f"c{child}") for child in range(8, 60, 5)]
)
SAMPLES = 6_000
"""More labels than measures of transport count at a time."""

MEASURES = ("hF", "OS", "F", "F(average='macro')", "LCaF", "tF", "tKappa")


def sides(number: int) -> list[oe.LabelSets]:
    """Label sets whose samples do not lie in the order of drawing."""
    names = [f"s{place}" for place in RNG.permutation(SAMPLES)]
    marks = (RNG.random((SAMPLES, 60)) < 0.2 for _ in range(number))
    return [oe.LabelSets.from_array(one, vocabulary=TREE.label_vocabulary, samples=names) for one in marks]


TRUTH, FIRST, SECOND = sides(3)


@contextmanager
def counting() -> Iterator[Counter[Any]]:
    """Count the calls of the views and statistics of batches, by what they are and what they are of."""
    calls: Counter[Any] = Counter()

    def look(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_name == "__call__":
            given = frame.f_locals
            # Small cases, by which a page states what a measure does not see, are no work of the call.
            if isinstance(batch := given.get("batch"), oe.Batch) and len(batch) >= SAMPLES / 100:
                both = (hash(side.matrix.indices.tobytes()) for side in (batch.truth, batch.prediction))
                calls[given["self"], len(batch), *both] += 1

    sys.setprofile(look)
    try:
        yield calls
    finally:
        sys.setprofile(None)


def repeated(work: Callable[[], object]) -> list[str]:
    """What a call computes twice of the same samples."""
    with counting() as calls:
        work()
    assert len(calls) > 1
    return [f"{times} x {what}" for (what, *_), times in calls.items() if times > 1]


@pytest.mark.parametrize("hierarchy", [TREE, GRAPH], ids=["tree", "several parents"])
@pytest.mark.parametrize("measures", [MEASURES, MEASURES[::-1]], ids=["first to last", "last to first"])
def test_measures_share_what_they_need(measures: tuple[str, ...], hierarchy: oe.Hierarchy) -> None:
    assert repeated(lambda: oe.evaluate(TRUTH, FIRST, hierarchy=hierarchy, measures=measures)) == []


@pytest.mark.parametrize("hierarchy", [TREE, GRAPH], ids=["tree", "several parents"])
def test_a_comparison_of_samples_in_any_order_looks_at_each_run_once(hierarchy: oe.Hierarchy) -> None:
    runs = {"first": FIRST, "second": SECOND}
    options: dict[str, Any] = {"measures": MEASURES, "resamples": 3}
    assert repeated(lambda: oe.compare(TRUTH, runs, hierarchy=hierarchy, **options)) == []


def test_a_page_looks_at_nothing_again() -> None:
    def work() -> None:
        oe.evaluate(TRUTH, FIRST, hierarchy=GRAPH, measures=MEASURES).report()

    assert repeated(work) == []


def test_a_page_of_a_comparison_looks_at_nothing_twice() -> None:
    found = oe.compare(TRUTH, {"first": FIRST, "second": SECOND}, hierarchy=GRAPH, resamples=3)
    with counting() as calls:
        found.report()
    twice = {type(what).__name__ for (what, *_), times in calls.items() if times > 1}
    # hF is F of closed sets, at which the verdict on nonsense looks.
    assert twice <= {"Overlap", "PerSample", "SampleMeans"}
    assert max(calls.values(), default=1) <= 2
