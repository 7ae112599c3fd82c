"""Worker processes, and clusters of Dask: each worker gets a function once, and then items."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future
from contextlib import contextmanager
from functools import partial
from operator import call
from pathlib import Path
from platform import python_version
from secrets import token_hex
from threading import Thread
from time import sleep
from typing import Any, TypeGuard, TypeVar

from ontoeval._version import __version__
from ontoeval.errors import InputError, WorkerError
from ontoeval.plumbing.checks import requires
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


TIMEOUT = 10
"""Seconds until a scheduler must have answered."""


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """Connect to the scheduler at an address such as tcp://host:8786."""
    distributed = requires("distributed", "scale", "Scoring on a cluster (--scheduler)")
    if not re.search(r":[0-9]+(?:/|$)|^wss?://", address):  # Dask would wait, then print a traceback
        raise InputError(
            f"the address of the scheduler has no port: {address!r}", "Add it, such as tcp://host:8786."
        )
    try:
        client = distributed.Client(address, timeout=TIMEOUT, set_as_default=False)
    except (OSError, ValueError) as error:  # a timeout is an OSError
        raise InputError(
            f"no Dask scheduler answers at {address} within {TIMEOUT} s",
            "Start one (dask scheduler) or correct the address, such as tcp://host:8786.",
        ) from error
    with client:
        yield client


def refuse_unfit_workers(client: Client, folder: Path) -> None:
    """Refuse workers with other versions, which might give other numbers, or that do not see a folder."""
    mark = folder / "mark"
    mark.write_text(token_hex(8), encoding="ascii")
    own = _state(mark)
    try:
        found = client.run(_state, mark)
    except ImportError as error:
        raise InputError(
            f"a worker of the cluster cannot import ontoeval ({error})",
            f"Install ontoeval-metrics {__version__} on all workers.",
        ) from error
    if not found:
        raise InputError("the cluster has no workers", "Start some: dask worker tcp://host:8786.")
    for worker, (versions, content) in found.items():
        if (versions, content) != own:
            blind = f" and does not see the folder of the parts, {folder}" * (content != own[1])
            raise InputError(
                f"the worker {worker} has {versions}{blind}; this machine has {own[0]}",
                "Install the same versions, and name a folder that all machines share (--scratch, scratch=).",
            )


def _state(mark: Path) -> tuple[str, str]:
    """Versions, and the content of a file."""
    versions = f"ontoeval {__version__} and Python {python_version().rpartition('.')[0]}"
    return versions, mark.read_text(encoding="ascii") if mark.exists() else ""
