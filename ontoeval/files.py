"""Local files as bytes: found and unpacked, never fetched from a network."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from io import BufferedReader, BytesIO
from itertools import islice
from pathlib import Path

from ontoeval.errors import InputError, ParameterError, near
from ontoeval.packed import bound, is_archive_of_arrays, packing, unpacking

FilePath = str | os.PathLike[str]

_PACKED = {".gz", ".bz2", ".xz", ".zip"}
_STEP = 2**20
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")  # one letter would be a drive


@dataclass(frozen=True)
class File:
    """A file that has been read.

    Parameters
    ----------
    where
        The path as it was given.
    data
        What it contains; of a packed file, what was packed.
    digest
        SHA-256 of the file itself, as hexadecimal digits.
    """

    where: str
    data: bytes = field(repr=False)
    digest: str


def read_file(path: FilePath) -> File:
    """Read a local file, and unpack what is packed by gzip, bzip2, xz or zip.

    Parameters
    ----------
    path
        The file. How it is packed is recognised by what it contains.

    Returns
    -------
    File
        Its contents. A zip archive of arrays, as NumPy writes them, stays as it is.

    Raises
    ------
    InputError
        If there is no such file, it is a folder or an address in the web, it ends before its time,
        or it unpacks to more than `bound` allows.
    ParameterError
        If the path is none.

    Examples
    --------
    >>> read_file("http://example.org/photo.ttl")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ontoeval.errors.InputError: http://example.org/photo.ttl: this is an address in the web...
    """
    where = checked(path)
    with _explained(where):
        packed = Path(where).read_bytes()
    digest = sha256(packed).hexdigest()
    kind = packing(packed)
    if not kind or (kind == "zip" and is_archive_of_arrays(packed)):
        return File(where, packed, digest)
    with unpacking(BytesIO(packed), kind, where, bound(len(packed))) as stream:
        return File(where, b"".join(iter(lambda: stream.read(_STEP), b"")), digest)


@contextmanager
def open_file(path: FilePath) -> Iterator[BufferedReader]:
    """Open a local file to be read piece by piece, unpacked like by `read_file`.

    Parameters
    ----------
    path
        The file.

    Yields
    ------
    binary file
        The contents.

    Raises
    ------
    InputError
        As `read_file` does; what is wrong behind the first piece shows when it is read.
    """
    where = checked(path)
    with ExitStack() as stack:
        with _explained(where):
            raw = stack.enter_context(Path(where).open("rb"))
        kind = packing(raw.peek(8))
        if not kind or (kind == "zip" and is_archive_of_arrays(raw)):
            yield raw
            return
        with unpacking(raw, kind, where, bound(os.fstat(raw.fileno()).st_size)) as stream:
            yield stream


def checked(path: FilePath) -> str:
    """Check that a path leads to a file.

    Parameters
    ----------
    path
        The path.

    Returns
    -------
    str
        The path as a text.

    Raises
    ------
    InputError
        If there is no such file, or what lies there is none.
    ParameterError
        If it is no path.
    """
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
    """Call files by their names without suffixes, and by the whole path where these are alike.

    Parameters
    ----------
    paths
        Paths of files.

    Returns
    -------
    list of str
        One name per file, all different unless a path is there twice.

    Examples
    --------
    >>> short_names(["a/run.csv", "b/run.csv.gz", "b/other.csv.gz"])
    ['a/run.csv', 'b/run.csv.gz', 'other']
    """
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
