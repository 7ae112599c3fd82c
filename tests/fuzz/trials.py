"""Reading what was made up: what may come out, how long it may take, and what a failure looks like."""

from __future__ import annotations

import faulthandler
import hashlib
import logging
import os
import resource
import sys
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from ontoeval.errors import OntoevalError
from tests.fuzz.readers import Reader

SECONDS = 5.0
"""Of the processor, that reading a file may take in all ways together: no file is larger than 128 KiB."""
STALLED = 60.0
"""Seconds after which the process is given up, with a traceback of where it stands."""
MEMORY = 2**30
"""Bytes by which the process may grow while it reads one file."""
SHRINKING = 30.0
"""Seconds to make a file smaller in."""
BATCH = 200
"""How many files are made up at once. Then the time is looked at."""

_FORBIDDEN = ("socket.connect", "socket.getaddrinfo", "subprocess.Popen", "os.system", "pickle.find_class")
_FOUND = Path(".hypothesis", "fuzz")


class Trespass(BaseException):
    """A reader does what no file may make it do."""


@dataclass
class Failure:
    """What went wrong, and the smallest file that made it so.

    Parameters
    ----------
    error
        The traceback.
    data
        The file.
    """

    error: str
    data: bytes


@dataclass
class Watch:
    """What happens beside reading: nothing may.

    Parameters
    ----------
    on
        Whether a reader reads.
    seen
        What happened.
    """

    on: bool = False
    seen: list[str] = field(default_factory=list)

    def start(self) -> None:
        """Look on from now, for ever."""
        sys.addaudithook(self._audit)
        sys.unraisablehook = lambda event: self.seen.append(f"lost: {event.exc_value!r} in {event.object!r}")
        handler = logging.Handler(logging.WARNING)
        handler.emit = lambda record: self.seen.append(f"logged: {record.getMessage()}")  # type: ignore[method-assign]
        logging.getLogger().addHandler(handler)

    def _audit(self, event: str, arguments: tuple[Any, ...]) -> None:
        if self.on and event in _FORBIDDEN:
            self.seen.append(f"{event}: {arguments!r:.200}")
            raise Trespass(event)

    @contextmanager
    def looking(self) -> Iterator[None]:
        """Look on while a file is read."""
        self.seen.clear()
        grown, begin = _most_memory(), time.process_time()
        self.on = True
        try:
            yield
        finally:
            self.on = False
        seconds, grown = time.process_time() - begin, _most_memory() - grown
        if self.seen:
            raise AssertionError("; ".join(self.seen))
        if seconds > SECONDS:
            raise AssertionError(f"it took {seconds:.1f} seconds of the processor")
        if grown > MEMORY:
            raise AssertionError(f"it took {grown / 2**20:,.0f} MiB of memory")


@dataclass
class Trials:
    """Trials of one reader.

    Parameters
    ----------
    reader
        The reader.
    watch
        What looks on.
    examples
        How many files have been read.
    accepted
        How many of them were read in at least one way.
    failures
        What went wrong, by where.
    process
        The process that reads: several may read at a time.
    """

    reader: Reader
    watch: Watch
    examples: int = 0
    accepted: int = 0
    failures: dict[str, Failure] = field(default_factory=dict)
    process: int = field(default_factory=os.getpid)

    @property
    def folder(self) -> Path:
        """Where files are kept that made it fail."""
        return _FOUND / self.reader.name

    @property
    def input(self) -> Path:
        """Where the file is that is read; if the process dies, it was this one."""
        return self.folder / f"input-{self.process}" / f"a{self.reader.suffix}"

    def read(self, data: bytes) -> int:
        """Read a file in each way, and count the ways in which it was read.

        Parameters
        ----------
        data
            The file.

        Returns
        -------
        int
            How many ways did not refuse it.
        """
        self.input.parent.mkdir(parents=True, exist_ok=True)
        self.input.write_bytes(data)
        faulthandler.dump_traceback_later(STALLED, exit=True)
        read = 0
        try:
            with warnings.catch_warnings(), self.watch.looking():
                warnings.simplefilter("error")
                for call in self.reader.calls:
                    try:
                        call(self.input)
                    except OntoevalError:
                        continue
                    read += 1
        finally:
            faulthandler.cancel_dump_traceback_later()
        return read

    def run(self, seconds: float, *, first: int) -> None:
        """Make up files until the time is over.

        Parameters
        ----------
        seconds
            How long.
        first
            Number of the first batch: the same number makes the same files.
        """
        for data in self.reader.seeds:
            if not self.read(data):
                raise AssertionError(f"{self.reader.name} refuses a seed: {data!r:.300}")
        end, batch = time.monotonic() + seconds, first
        while time.monotonic() < end:
            known = frozenset(self.failures)
            try:
                self._batch(batch, known)
            except Exception:
                if frozenset(self.failures) == known:
                    raise  # it is Hypothesis's own
            for place in frozenset(self.failures) - known:
                self._make_smaller(place)
            batch += 1

    def _batch(self, number: int, known: frozenset[str]) -> None:
        @seed(number)
        @settings(
            database=None,
            deadline=None,  # the processor's time is looked at instead: others may use it too
            max_examples=BATCH,
            phases=[Phase.generate],  # edits are not what shall be small
            suppress_health_check=list(HealthCheck),
        )
        @given(self.reader.inputs)
        def reads_or_refuses(data: bytes) -> None:
            self.examples += 1
            try:
                self.accepted += bool(self.read(data))
            except (Exception, Trespass) as error:
                place = _place(error)
                if place in known:
                    return
                self._keep(place, error, data)
                raise AssertionError(place) from error

        reads_or_refuses()

    def _keep(self, place: str, error: BaseException, data: bytes) -> None:
        found = self.failures.get(place)
        if found is None or (len(data), data) < (len(found.data), found.data):
            self.failures[place] = Failure("".join(traceback.format_exception(error)), data)

    def _make_smaller(self, place: str) -> None:
        """Leave out what the failure does not need, from halves of the file down to single bytes."""
        end = time.monotonic() + SHRINKING
        size = len(self.failures[place].data) // 2
        while size and time.monotonic() < end:
            data = self.failures[place].data
            for begin in range(0, len(data), size):
                rest = data[:begin] + data[begin + size :]
                try:
                    self.read(rest)
                except (Exception, Trespass) as error:  # noqa: BLE001 - as above
                    if _place(error) == place:
                        self._keep(place, error, rest)
                        break
            else:
                size //= 2
            size = min(size, len(self.failures[place].data))

    def report(self) -> Iterator[str]:
        """Say what went wrong, with the bytes and how to read them again.

        Yields
        ------
        str
            Lines.
        """
        for place, failure in self.failures.items():
            path = self.folder / hashlib.sha256(failure.data).hexdigest()[:12]
            path.write_bytes(failure.data)
            yield f"--- {self.reader.name}: {place}"
            yield failure.error.rstrip()
            yield from shown(self.reader.name, path)


def shown(name: str, path: Path) -> Iterator[str]:
    """Show a file that a reader failed on, and how it is read again."""
    data = path.read_bytes()
    yield f"The file, {len(data):,} bytes: {data!r:.2000}"
    yield f"Again: tox -e fuzz -- {name} --replay {path}"


def _place(error: BaseException) -> str:
    """Tell failures apart by their kind and by where they come from."""
    frames = traceback.extract_tb(error.__traceback__)
    ours = [
        frame for frame in frames if "ontoeval" in frame.filename and "fuzz" not in frame.filename
    ] or frames
    return f"{type(error).__name__} in {Path(ours[-1].filename).name}, line {ours[-1].lineno}"


def _most_memory() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
