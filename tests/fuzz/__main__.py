"""Fuzzing of all readers: ``python -m tests.fuzz``, or ``tox -e fuzz``.

Files that are nearly right, and files that are nothing, are given to every reader; out may come a value
or an error of the project's own, soon. Each reader has a process of its own: some die of what they read.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import subprocess
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from subprocess import PIPE

from rich.console import Console

from tests.fuzz import hierarchies, labels, rdf
from tests.fuzz.readers import Reader
from tests.fuzz.trials import Trials, Watch, shown

_CONSOLE = Console(soft_wrap=True, highlight=False, markup=False, emoji=False)


def readers() -> dict[str, Reader]:
    """List all readers by name."""
    found = [reader for module in (rdf, hierarchies, labels) for reader in module.readers()]
    by_name = {reader.name: reader for reader in found}
    assert len(by_name) == len(found), "two readers have the same name"
    return by_name


def main(arguments: list[str] | None = None) -> int:
    """Fuzz, and say what was found."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Fuzz the readers of files.")
    parser.add_argument("names", nargs="*", help="readers, such as 'json-*'; all by default")
    parser.add_argument("--seconds", type=float, default=20.0, help="for each reader (20)")
    parser.add_argument("--minutes", type=float, help="the same in minutes: 10 before a release")
    parser.add_argument("--jobs", type=int, default=2, help="readers at a time (2)")
    parser.add_argument(
        "--seed", type=int, help="the same number makes the same files; without, others each time"
    )
    parser.add_argument("--replay", type=Path, metavar="FILE", help="only read this file, with one reader")
    parser.add_argument("--alone", action="store_true", help=argparse.SUPPRESS)  # the process of one reader
    options = parser.parse_args(arguments)
    known = readers()
    chosen = [name for name in known if any(fnmatch(name, wanted) for wanted in options.names or ["*"])]
    if not chosen or ((options.replay or options.alone) and len(chosen) != 1):
        parser.error(f"name {'one' if chosen else 'some'} of {', '.join(known)}")
    seconds = options.seconds if options.minutes is None else 60 * options.minutes
    first = random.SystemRandom().randrange(10**9) if options.seed is None else options.seed
    if options.replay:
        return _replay(known[chosen[0]], options.replay)
    if options.alone:
        return _alone(known[chosen[0]], seconds, first)
    with ThreadPoolExecutor(options.jobs) as pool:
        one = partial(_in_process, seconds=seconds, first=first)
        failed = sum(pool.map(one, (known[name] for name in chosen)))
    _CONSOLE.print(f"{len(chosen)} readers, {failed} of which fail")
    return min(failed, 1)


def _in_process(reader: Reader, *, seconds: float, first: int) -> bool:
    """Fuzz one reader in a process of its own, and tell whether it failed."""
    name = reader.name
    command = [sys.executable, "-m", "tests.fuzz", name, f"--seconds={seconds}", f"--seed={first}", "--alone"]
    begin = time.monotonic()
    with subprocess.Popen(command, stdout=PIPE, stderr=PIPE, text=True, errors="replace") as done:
        said, complained = done.communicate()
    _CONSOLE.print(f"{name:24} {time.monotonic() - begin:5.0f} s  {said.strip()}")
    if complained.strip():
        _CONSOLE.print(complained[-5_000:].rstrip())
    trials = Trials(reader, Watch(), process=done.pid)
    if trials.input.exists():  # it is removed at the end
        path = trials.folder / f"deadly-{os.urandom(4).hex()}"
        trials.input.replace(path)
        shutil.rmtree(trials.input.parent)
        _CONSOLE.print(f"--- {name}: the process ended before its time, with {done.returncode}")
        for line in shown(name, path):
            _CONSOLE.print(line)
    return done.returncode != 0


def _alone(reader: Reader, seconds: float, first: int) -> int:
    """Fuzz one reader."""
    warnings.simplefilter("ignore")  # of what makes the files up
    trials = Trials(reader, Watch())
    trials.watch.start()
    trials.run(seconds, first=first)
    shutil.rmtree(trials.input.parent)
    _CONSOLE.print(f"{trials.examples:7,} files, {trials.accepted:6,} read, {len(trials.failures)} failures")
    for line in trials.report():
        _CONSOLE.print(line)
    return bool(trials.failures)


def _replay(reader: Reader, path: Path) -> int:
    """Read one file again, without catching what comes."""
    trials = Trials(reader, Watch())
    trials.watch.start()
    ways = trials.read(path.read_bytes())
    _CONSOLE.print(
        f"{reader.name} reads it in {ways} of {len(reader.calls)} ways, and refuses it in the others"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
