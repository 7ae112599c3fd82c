"""Worker processes: each gets a function once, and then items."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from functools import partial
from operator import call
from threading import Thread
from time import sleep
from typing import Any, TypeGuard, TypeVar

from ontoeval.errors import WorkerError
from ontoeval.plumbing.workers import checked_workers, in_order, workers_in_use

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

Client = Any
"""A client of a cluster of Dask, which need not be installed."""

Workers = int | Client
"""A number of processes, or a client of a cluster of Dask."""


@contextmanager
def in_processes(
    function: Callable[[_Item], _Result], workers: Workers | None
) -> Iterator[Callable[[Iterable[_Item]], Iterator[_Result]]]:
    """Apply a function to items in worker processes, in order, few at a time; or in this process.

    loky starts fresh processes: scripts need no ``if __name__ == "__main__"``, functions may be defined in a
    notebook, and a killed process raises an error.
    """
    workers = workers_in_use() if workers is None else workers
    if is_client(workers):
        # The function is one key, which is made again where a worker was lost.
        held = workers.submit(_same, function, pure=False)
        submit = partial(workers.submit, call, held, pure=False)
        yield partial(_in_order, submit, workers=2 * sum(workers.nthreads().values()))
    elif checked_workers(workers) == 1:
        yield partial(map, function)
    else:
        from loky import ProcessPoolExecutor

        own = function, os.getpid()
        with ProcessPoolExecutor(workers, initializer=_hold_function, initargs=own) as processes:
            try:
                yield partial(_in_order, partial(processes.submit, _applied), workers=workers)
            except BaseException:
                processes.shutdown(kill_workers=True)
                raise


def is_client(value: object) -> TypeGuard[Client]:
    """Whether a value is a client of a cluster of Dask, which need not be imported."""
    return type(value).__module__.partition(".")[0] == "distributed" and hasattr(value, "scheduler_info")


def _in_order(
    submit: Callable[[_Item], Future[_Result]], items: Iterable[_Item], *, workers: int
) -> Iterator[_Result]:
    """Give results in order; a process that ended by itself is explained."""
    try:
        yield from in_order(submit, items, workers=workers)
    except Exception as error:
        lost = isinstance(error, BrokenExecutor | MemoryError) or type(error).__name__ == "KilledWorker"
        if not lost:
            raise
        raise WorkerError(
            "a worker process ended unexpectedly, probably for lack of memory. Use fewer workers "
            "(--workers), or more and smaller parts (--parts)."
        ) from error


_LOOK = 1.0
"""Seconds between looks for the parent."""

_HELD: list[Callable[[Any], Any]] = []


def _hold_function(function: Callable[[Any], Any], parent: int) -> None:
    _HELD[:] = [function]
    Thread(target=_end_with, args=(parent,), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process once its parent is gone: nobody else would end the workers of a killed program."""
    while os.getppid() == parent:
        sleep(_LOOK)
    os._exit(1)


def _applied(item: Any) -> Any:  # noqa: ANN401 - what the function takes and gives
    return _HELD[0](item)


def _same(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return function
