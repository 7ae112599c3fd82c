"""Clusters of Dask: connecting to a scheduler, and what all its workers must have."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from platform import python_version
from secrets import token_hex

from ontoeval._version import __version__
from ontoeval.errors import InputError
from ontoeval.plumbing.checks import requires
from ontoeval.plumbing.processes import Client

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
