"""Workers: order, failures, memory and interruption, with threads and with an executor."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from time import sleep
from typing import Any

import numpy as np
import pytest

from ontoeval.plumbing.workers import (
    mapped,
    using_workers,
    workers_in_use,
)


def test_one_worker_is_the_calling_thread_and_several_are_others() -> None:
    here = threading.current_thread()
    assert set(mapped(lambda _: threading.current_thread(), range(5))) == {here}
    assert here not in set(mapped(lambda _: threading.current_thread(), range(5), workers=2))
    assert not [one for one in threading.enumerate() if one.name.startswith("ontoeval")]


def test_two_workers_work_at_the_same_time() -> None:
    both = threading.Barrier(2, timeout=30)  # broken, and so an error, if one had to wait for the other
    assert len(list(mapped(lambda _: both.wait(), range(4), workers=2))) == 4


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_the_first_failure_in_order_is_raised_and_the_rest_is_left(workers: int) -> None:
    met = []

    def fails(item: int) -> int:
        met.append(item)
        sleep(0.02 * (item == 2))
        if item >= 2:
            raise ValueError(item)
        return item

    found = mapped(fails, range(1000), workers=workers)
    assert [next(found), next(found)] == [0, 1]
    with pytest.raises(ValueError, match=r"^2$"):
        next(found)
    assert max(met) <= 2 + workers + 1


@pytest.mark.parametrize("workers", [1, 2, 3])
def test_few_items_are_taken_before_their_results_are_wanted(workers: int) -> None:
    taken = []

    def items() -> Iterator[int]:
        for item in range(100):
            taken.append(item)
            yield item

    found: Any = mapped(lambda item: item, items(), workers=workers)
    assert next(found) == 0
    assert len(taken) <= workers + 1
    found.close()
    assert len(taken) <= workers + 1


def test_a_caller_who_stops_leaves_no_thread() -> None:
    for item in mapped(lambda item: item, range(100), workers=2):
        if item == 3:
            break
    del item
    assert not [one for one in threading.enumerate() if one.name.startswith("ontoeval")]


@pytest.mark.parametrize("workers", [1, 2])
def test_what_numpy_does_with_divisions_by_zero_is_the_callers_choice(workers: int) -> None:
    with np.errstate(divide="ignore"):
        found = list(mapped(lambda _: float(np.float64(1) / 0), range(3), workers=workers))
    assert found == [np.inf] * 3
    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        list(mapped(lambda _: np.float64(1) / 0, range(3), workers=workers))


def test_the_number_in_use_reaches_what_is_called_but_not_the_workers_themselves() -> None:
    def threads(_: int) -> tuple[int, int]:
        return workers_in_use(), len({*mapped(lambda _: threading.get_ident(), range(8))})

    with using_workers(3):
        assert workers_in_use() == 3
        with using_workers(None):
            assert set(mapped(threads, range(4))) == {(1, 1)}
            (alone,) = mapped(threads, [0])  # a single item leaves the workers to what it calls
            assert alone[0] == 3
        with using_workers(1):
            assert workers_in_use() == 1
    assert workers_in_use() == 1
