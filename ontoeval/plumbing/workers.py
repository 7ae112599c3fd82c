"""Workers: threads that work on several items at a time.

NumPy and SciPy release the interpreter lock in sorts, products, `take` and arithmetic of arrays, so threads
work at the same time without copies of the data. Results come in the order of the items, so that a sum of
results has the same bits for any number of workers. Public functions take the number as `workers=`; inner
functions ask `workers_in_use`, so that the number is no parameter of the functions in between.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from typing import Any, TypeVar

from ontoeval.plumbing.checks import whole_number

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")

_IN_USE = ContextVar("workers", default=1)


def checked_workers(workers: object) -> int | None:
    """Refuse a number of workers that is no whole number of at least 1; None is that of the caller."""
    return None if workers is None else whole_number("workers", workers, 1)


@contextmanager
def using_workers(workers: int | None) -> Iterator[None]:
    """Let `mapped` have a number of workers in a block; None leaves the number as it is outside."""
    token = _IN_USE.set(workers_in_use() if workers is None else workers)
    try:
        yield
    finally:
        _IN_USE.reset(token)


def workers_in_use() -> int:
    """Return the number of workers that a public function was asked for: 1 in a worker itself."""
    return _IN_USE.get()


def available_processors() -> int:
    """Count the processors that this process may use."""
    allowed = getattr(os, "sched_getaffinity", None)  # Linux only
    return len(allowed(0)) if allowed is not None else os.cpu_count() or 1


def mapped(
    function: Callable[[_Item], _Result], items: Iterable[_Item], *, workers: int | None = None
) -> Iterator[_Result]:
    """Apply a function to items, and yield the results in order; one worker is the calling thread itself.

    An item is taken only when a worker will soon be free, so items and results in memory are few. Of several
    failures the first in order is raised.
    """
    workers = workers_in_use() if workers is None else workers
    if workers == 1 or (isinstance(items, Sized) and len(items) == 1):
        yield from map(function, items)  # which may itself have several workers
    else:
        import numpy as np  # not needed to start the program

        def applied(item: _Item, settings: Mapping[str, Any]) -> _Result:
            with np.errstate(**settings):
                return function(item)

        with ThreadPoolExecutor(workers, "ontoeval") as threads:

            def submit(item: _Item) -> Future[_Result]:
                context = copy_context()
                context.run(_IN_USE.set, 1)
                # Before numpy 2, numpy.errstate is the thread's, and not part of the context.
                return threads.submit(context.run, applied, item, np.geterr())

            yield from in_order(submit, items, workers=workers)


def in_order(
    submit: Callable[[_Item], Future[_Result]], items: Iterable[_Item], *, workers: int
) -> Iterator[_Result]:
    """Keep one item more in flight than there are workers; cancel the others when the caller stops."""
    waiting = deque[Future[_Result]]()
    try:
        for item in items:
            waiting.append(submit(item))
            if len(waiting) > workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        for future in waiting:
            future.cancel()
