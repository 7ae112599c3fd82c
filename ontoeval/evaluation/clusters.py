"""Clusters of Dask: connecting to a scheduler, and the versions of its workers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from platform import python_version
from typing import Any

from ontoeval._version import __version__
from ontoeval.errors import InputError, WorkerError
from ontoeval.plumbing.checks import requires
from ontoeval.plumbing.processes import Client

TIMEOUT = 10
"""Seconds until a scheduler must have answered."""


@contextmanager
def connected(address: str) -> Iterator[Any]:
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


@contextmanager
def losses_explained() -> Iterator[None]:
    """Explain a task that killed one worker after the other."""
    try:
        yield
    except Exception as error:
        if type(error).__name__ != "KilledWorker":
            raise
        raise WorkerError(
            "one partition killed several workers, one after the other, probably for lack of memory. Make "
            "partitions or chunks smaller (npartitions=, chunk=, --chunk), or give the workers more memory."
        ) from error


def refuse_other_versions(client: Client) -> None:
    """Refuse workers with other versions of ontoeval or Python, which might give other numbers."""
    try:
        found = client.run(_versions)
    except ImportError as error:
        raise InputError(
            f"a worker of the cluster cannot import ontoeval ({error})",
            f"Install ontoeval-metrics {__version__} on all workers.",
        ) from error
    own = _versions()
    if not found:
        raise InputError("the cluster has no workers", "Start some: dask worker tcp://host:8786.")
    for worker, other in found.items():
        if other != own:
            raise InputError(
                f"the worker {worker} has {other}, this machine {own}", "Install the same versions."
            )


def _versions() -> str:
    return f"ontoeval {__version__} and Python {python_version().rpartition('.')[0]}"
