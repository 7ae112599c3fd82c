"""Memory and time of large steps, compared with what is available and told before they start."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from time import thread_time
from timeit import repeat

from ontoeval.errors import InputError

SMALL = 64 * 2**20
"""Steps that take fewer bytes are not checked."""

LONG = 10
"""Seconds of processor time of a step from which its time is estimated before it starts."""

_PIECE = 0.0075
"""Seconds that a small piece of work took where the rates of all estimates were measured."""

_UNLIMITED = 2**60  # what version 1 writes where there is no limit is near 2**63


POWERS = "KMGT"
"""First letters of KiB, MiB, GiB and TiB."""


def bytes_in_words(size: int) -> str:
    """Format a number of bytes with a unit."""
    power = min(max(size.bit_length() - 1, 0) // 10, len(POWERS))
    number = f"{size / 1024**power:,.1f}".removesuffix(".0")
    return f"{number} {f'{POWERS[power - 1]}iB' if power else 'bytes'}"


def available(root: Path = Path("/")) -> int | None:
    """Bytes that this process can take: what is free, below the limits of its container; None if unknown."""
    rooms = (_free(root), *_below_group_limits(root), _below_own_limit(root))
    found = [room for room in rooms if room is not None]
    return max(0, min(found)) if found else None


def require(size: float, step: str, remedy: str) -> None:
    """Refuse a step that takes more memory than is available; `step` is its subject, in the singular."""
    if size < SMALL:
        return
    room = available()
    if room is not None and size > room:
        least, there = bytes_in_words(int(size)), bytes_in_words(room)
        raise InputError(f"{step} takes at least {least} of memory, and {there} is available", remedy)


def estimated(work: str, seconds: float, cheaper: str, size: float = 0, *, measured: bool = False) -> str:
    """Title of work; with an estimate if it is long or large, and with what is cheaper."""
    if seconds > LONG / 10 and not measured:  # but by rates of another machine
        times = repeat("set(map(str, range(40_000)))", timer=thread_time, repeat=3, number=1)
        seconds *= min(times) / _PIECE
    room = available()
    if seconds < LONG and (room is None or size < room / 4):
        return work
    time = f"{seconds:,.0f} s" if seconds < 100 else f"{seconds / 60:,.0f} minutes"  # noqa: PLR2004
    memory = f", {bytes_in_words(int(size))} of memory" * (size > 0)
    return f"{work}: about {time} of processor time{memory}.{f' Cheaper: {cheaper}.' * bool(cheaper)}"


def _free(root: Path) -> int | None:
    with suppress(OSError, ValueError, IndexError):
        for line in (root / "proc/meminfo").read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    with suppress(OSError, ValueError, AttributeError):  # no Linux; macOS has no number of free pages
        pages, size = os.sysconf("SC_AVPHYS_PAGES"), os.sysconf("SC_PAGE_SIZE")
        return pages * size if pages > 0 else None
    return None


def _below_group_limits(root: Path) -> list[int]:
    """Room below the limit of each control group that holds this process, of version 2 or 1."""
    rooms = []
    for folder, limit, used in _groups(root):
        with suppress(OSError, ValueError):  # "max" where there is none
            most = int((folder / limit).read_text(encoding="ascii"))
            taken = int((folder / used).read_text(encoding="ascii"))
            if most < _UNLIMITED:
                rooms.append(most - taken + _cached(folder))
    return rooms


def _groups(root: Path) -> list[tuple[Path, str, str]]:
    """List the folders of control groups, from that of the process up, with the names of their files."""
    lines: list[str] = []
    with suppress(OSError):
        lines = (root / "proc/self/cgroup").read_text(encoding="utf-8").splitlines()
    found = []
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if controllers and "memory" not in controllers.split(","):
            continue
        top = root / "sys/fs/cgroup" / ("memory" if controllers else "")
        limit, used = ("limit_in_bytes", "usage_in_bytes") if controllers else ("max", "current")
        own = top / path.lstrip("/")
        # In a container the path is often that outside, and the own group is the top.
        folders = [own, *(folder for folder in own.parents if folder.is_relative_to(top))]
        found += [(folder, f"memory.{limit}", f"memory.{used}") for folder in folders]
    return found


def _cached(folder: Path) -> int:
    """Bytes of files that the system drops when memory is needed."""
    with suppress(OSError, ValueError):
        for line in (folder / "memory.stat").read_text(encoding="ascii").splitlines():
            name, number = line.split()
            if name in {"inactive_file", "total_inactive_file"}:
                return int(number)
    return 0


def _below_own_limit(root: Path) -> int | None:
    """Room below the limit of the process's address space (`ulimit -v`)."""
    try:
        import resource
    except ImportError:  # Windows
        return None
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return None
    with suppress(OSError, ValueError, IndexError):
        pages = int((root / "proc/self/statm").read_text(encoding="ascii").split()[0])
        return limit - pages * resource.getpagesize()
    return None
