"""Local files as bytes: found and unpacked, never fetched from a network."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import file_digest, sha256
from io import BufferedReader, BytesIO
from itertools import islice
from pathlib import Path
from typing import IO

from ontoeval.core.limits import STEP, in_words, limits, read_all, too_large
from ontoeval.core.packed import is_archive_of_arrays, packing, unpacking
from ontoeval.errors import InputError, OntoevalError, ParameterError, near

FilePath = str | os.PathLike[str]

_PACKED = {".gz", ".bz2", ".xz", ".zip"}
_LONGEST_MARK = 10
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")  # one letter would be a drive


@dataclass(frozen=True)
class File:
    """A file that has been read."""

    where: str
    data: bytes = field(repr=False)
    digest: str


def read_file(path: FilePath, *, look: Callable[[File], object] = lambda _: None) -> File:
    """Read a local file, and unpack what is packed by gzip, bzip2, xz or zip.

    `look` is shown the first MiB, and refuses what need not be read any further. A zip archive of arrays, as
    NumPy writes them, stays packed.
    """
    where = checked(path)
    with ExitStack() as stack, _explained(where):
        raw = stack.enter_context(_opened(where))
        size = 0 if isinstance(raw, BytesIO) else os.fstat(raw.fileno()).st_size
        kind = packing(raw.read(_LONGEST_MARK))
        raw.seek(0)
        if kind == "zip" and is_archive_of_arrays(raw):
            kind = ""
        stream: IO[bytes] = stack.enter_context(unpacking(raw, kind, where)) if kind else raw
        head = stream.read(STEP)
        look(File(where, head, ""))
        if not kind and size > limits().max_bytes:
            raise too_large(where, what=f"this file has {in_words(size)}, more than", size=size)
        what = f"this {kind} file unpacks to more than" if kind else "this file has more than"
        data = read_all(stream, where, begin=head, what=what)
        if kind:
            raw.seek(0)
        return File(where, data, (file_digest(raw, "sha256") if kind else sha256(data)).hexdigest())


def digest_of_file(path: FilePath) -> str:
    """Compute the SHA-256 of a file of any size."""
    where = checked(path)
    with _explained(where), _opened(where) as raw:
        return file_digest(raw, "sha256").hexdigest()


@contextmanager
def open_file(path: FilePath) -> Iterator[BufferedReader]:
    """Open a local file of any size to be read piece by piece, unpacked like by `read_file`."""
    where = checked(path)
    with ExitStack() as stack:
        with _explained(where):
            raw = stack.enter_context(Path(where).open("rb"))
            kind = packing(raw.peek(_LONGEST_MARK))
            if kind == "zip" and not raw.seekable():
                raw = BufferedReader(BytesIO(read_all(raw, where)))
        if not kind or (kind == "zip" and is_archive_of_arrays(raw)):
            yield raw
            return
        with unpacking(raw, kind, where) as stream:
            yield stream


@contextmanager
def _opened(where: str) -> Iterator[BufferedReader | BytesIO]:
    """Open a file; of a pipe, which can be read only once, what the command has read of it before."""
    status = Path(where).stat()
    if stat.S_ISREG(status.st_mode):
        with Path(where).open("rb") as raw:
            yield raw
        return
    known, key = limits().pipes, (status.st_dev, status.st_ino)
    pipes = {} if known is None else known
    if key not in pipes:
        with Path(where).open("rb") as raw:
            pipes[key] = read_all(raw, where)
    yield BytesIO(pipes[key])


def checked(path: FilePath) -> str:
    """Check that a path leads to a file."""
    if not isinstance(path, str | os.PathLike) or isinstance(os.fspath(path), bytes):
        raise ParameterError("source", path, "the path of a local file, as a text or a Path")
    where = os.fspath(path)
    if _URL.match(where):
        raise InputError(
            "this is an address in the web, and nothing is fetched from there",
            "Download the file, then give its path.",
            where=where,
        )
    with _explained(where):
        mode = Path(where).stat().st_mode
    if stat.S_ISDIR(mode):
        raise InputError("this is a folder", "Name one file in it.", where=where)
    if not stat.S_ISREG(mode) and not stat.S_ISFIFO(mode):
        raise InputError("this is no ordinary file", "Name a file.", where=where)
    return where


def short_names(paths: Sequence[FilePath]) -> list[str]:
    """Call files by their names without suffixes, and by the whole path where these are alike."""
    called = [Path(path) for path in paths]
    stems = [(path.with_suffix("") if path.suffix.lower() in _PACKED else path).stem for path in called]
    return [
        stem if stems.count(stem) == 1 else path.as_posix() for stem, path in zip(stems, called, strict=True)
    ]


@contextmanager
def _explained(where: str) -> Iterator[None]:
    """Say in words why a file cannot be opened."""
    path = Path(where)
    try:
        yield
    except OntoevalError:
        raise
    except FileNotFoundError as error:
        beside = (
            [entry.name for entry in islice(path.parent.iterdir(), 1_000)] if path.parent.is_dir() else []
        )
        raise InputError(
            f"there is no such file{near(path.name, sorted(beside))}", "Correct the path.", where=where
        ) from error
    except (OSError, ValueError) as error:  # a ValueError where the path holds a zero byte
        reason = getattr(error, "strerror", None) or str(error)
        raise InputError(
            f"the file cannot be read: {reason}", "Check the path and its permissions.", where=where
        ) from error
