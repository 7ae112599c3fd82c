"""Local files as bytes: unpacked, bounded in size, never fetched from a network."""

from __future__ import annotations

import bz2
import gzip
import lzma
import os
import re
import stat
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from hashlib import file_digest, sha256
from io import BufferedReader, BytesIO, RawIOBase
from itertools import islice
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ontoeval.errors import InputError, OntoevalError, ParameterError, did_you_mean, enumerate_some, located
from ontoeval.plumbing.memory import POWERS, bytes_in_words, require

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

MAX_BYTES = 2 * 2**30
"""Default bound of the size of one file: 2 GiB."""

_NEEDED = 1.25
"""Least bytes for each byte of a file that is read at once: of text beside labels; labels take 4 to 10."""

_IN_PARTS = "Score label files in parts (--parts auto), or use a machine with more memory."

STEP = 2**20
"""Bytes per read."""
_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*(?:([KMGT])(?:i?B)?)?", re.IGNORECASE)


@dataclass(frozen=True)
class _Limits:
    """Bound of file sizes, and contents of the pipes of one command: a pipe can be read only once."""

    max_bytes: int = MAX_BYTES
    pipes: dict[tuple[int, int], bytes] | None = None


_LIMITS: ContextVar[_Limits | None] = ContextVar("limits", default=None)


def size_limits() -> _Limits:
    """Size bound and pipes of the innermost `reading_at_most`."""
    return _LIMITS.get() or _Limits()


@contextmanager
def reading_at_most(max_bytes: int | None, *, keep_pipes: bool = False) -> Iterator[None]:
    """Bound the size of every file that the block reads; None keeps the outer bound."""
    if max_bytes is not None and (type(max_bytes) is not int or max_bytes < 1):
        raise ParameterError("max_bytes", max_bytes, "a whole number of bytes, at least 1")
    outer = size_limits()
    token = _LIMITS.set(_Limits(max_bytes or outer.max_bytes, {} if keep_pipes else outer.pipes))
    try:
        yield
    finally:
        _LIMITS.reset(token)


def bytes_of(text: str) -> int:
    """Parse a size such as "4GiB", "500 MiB" or "4096"; all units are powers of 1,024."""
    found = _SIZE.fullmatch(text.strip())
    unit = 1024 ** (POWERS.index(found[2].upper()) + 1 if found and found[2] else 0)
    size = int(float(found[1]) * unit) if found else 0
    if not size:
        raise ParameterError("--max-size", text, "a size such as 4GiB or 500MiB")
    return size


def read_all(stream: IO[bytes], *, what: str = "this file has more than", begin: bytes = b"") -> bytes:
    """Read a stream up to the size bound; `begin` was read before."""
    most = size_limits().max_bytes
    content = BytesIO()
    piece = begin
    while True:
        content.write(piece)
        if content.tell() > most:
            raise too_large(what)
        piece = stream.read(STEP)
        if not piece:
            return content.getvalue()


def too_large(what: str, *, size: int = 0) -> InputError:
    """Error for a file beyond the bound, with the option that raises the bound."""
    most = size_limits().max_bytes
    enough = 1 << max(2 * most - 1, size, 1023).bit_length()
    return InputError(
        f"{what} the {bytes_in_words(most)} that are read into memory",
        "If the machine has several times as much memory as the file is large, raise the bound: "
        f"--max-size {bytes_in_words(enough).replace(' ', '')}, in Python max_bytes={enough}.",
    )


_MARKS = {
    "gzip": re.compile(rb"\x1f\x8b"),
    "bzip2": re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"),
    "xz": re.compile(rb"\xfd7zXZ"),
    "zip": re.compile(rb"PK(\x03\x04|\x05\x06)"),
}
_UNPACKERS: dict[str, Callable[..., Any]] = {"gzip": gzip.open, "bzip2": bz2.BZ2File, "xz": lzma.LZMAFile}
_BROKEN = (OSError, ValueError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, RuntimeError)


def compression_of(data: bytes) -> str:
    """Compression of a file by its magic number; "" where there is none."""
    return next((kind for kind, mark in _MARKS.items() if mark.match(data)), "")


@contextmanager
def unpack_stream(raw: IO[bytes], kind: str) -> Iterator[BufferedReader]:
    """Unpack while reading; broken files and archives of several files are refused."""
    with _unpacking_explained(kind):
        opened = _UNPACKERS[kind](raw) if kind in _UNPACKERS else _the_one_member(raw)
    with opened:
        yield BufferedReader(_Explained(opened, kind), STEP)


class _Explained(RawIOBase):
    """Unpacked bytes as a raw stream that raises InputError for broken files."""

    def __init__(self, stream: IO[bytes], kind: str) -> None:
        super().__init__()
        self._stream, self._kind = stream, kind

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        with _unpacking_explained(self._kind):
            piece = self._stream.read(len(view))
        view[: len(piece)] = piece
        return len(piece)


def _the_one_member(raw: IO[bytes]) -> IO[bytes]:
    archive = zipfile.ZipFile(raw)
    # macOS packs a second file beside each, with attributes only.
    names = [n for n in archive.namelist() if not n.endswith("/") and not n.startswith("__MACOSX/")]
    if "[Content_Types].xml" in names:
        raise InputError(
            "this is a spreadsheet or another document of an office program", "Export the table as CSV."
        )
    if len(names) > 1 and all(name.endswith(".npy") for name in names):
        raise InputError(
            f"this archive holds {len(names):,} arrays of NumPy: {enumerate_some(names)}",
            "Save the one of samples and concepts with numpy.save, or give the arrays in Python.",
        )
    if any(name.endswith("/data.pkl") for name in names):
        load = f"torch.load('{getattr(raw, 'name', 'path')}')"
        remedy = f"In Python pass {load} in place of the path; for the command line write .npy or CSV."
        raise InputError("this is a file of torch.save", remedy)
    if len(names) != 1:
        raise InputError(
            f"this zip archive holds {len(names):,} files{': ' * bool(names)}{enumerate_some(names)}",
            "Pack one file alone, or unpack it and name the one that is meant.",
        )
    return archive.open(names[0])


@contextmanager
def _unpacking_explained(kind: str) -> Iterator[None]:
    """Raise errors of unpacking as InputError."""
    try:
        yield
    except InputError:
        raise
    except EOFError as error:
        remedy = "Fetch or pack it again: a part is missing."
        raise InputError(f"this {kind} file is cut off", remedy) from error
    except _BROKEN as error:
        raise InputError(
            f"this {kind} file cannot be unpacked: {error}", "Fetch or pack it again."
        ) from error


FilePath = str | os.PathLike[str]

_PACKED = {".gz", ".bz2", ".xz", ".zip"}
_LONGEST_MARK = 10
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:/")  # a single letter would be a drive


@dataclass(frozen=True)
class File:
    """A file that has been read."""

    where: str
    data: bytes = field(repr=False)
    digest: str


def read_file(path: FilePath, *, look: Callable[[File], object] = lambda _: None) -> File:
    """Read a local file, and unpack what is packed by gzip, bzip2, xz or zip.

    `look` gets the first MiB and may refuse the file before the rest is read.
    """
    where = checked_path(path)
    with ExitStack() as stack, _explained(where):
        raw = stack.enter_context(_opened(where))
        size = 0 if isinstance(raw, BytesIO) else os.fstat(raw.fileno()).st_size
        kind = compression_of(raw.read(_LONGEST_MARK))
        raw.seek(0)
        stream: IO[bytes] = stack.enter_context(unpack_stream(raw, kind)) if kind else raw
        head = stream.read(STEP)
        look(File(where, head, ""))
        if not kind and size > size_limits().max_bytes:
            raise too_large(f"this file has {bytes_in_words(size)}, more than", size=size)
        require(_NEEDED * size, f"{where}: reading {bytes_in_words(size)} at once", _IN_PARTS)
        what = f"this {kind} file unpacks to more than" if kind else "this file has more than"
        data = read_all(stream, begin=head, what=what)
        if kind:
            raw.seek(0)
        return File(where, data, (file_digest(raw, "sha256") if kind else sha256(data)).hexdigest())


def digest_of_file(path: FilePath) -> str:
    """Compute the SHA-256 of a file of any size."""
    where = checked_path(path)
    with _explained(where), _opened(where) as raw:
        return file_digest(raw, "sha256").hexdigest()


@contextmanager
def open_file(path: FilePath) -> Iterator[BufferedReader]:
    """Open a local file of any size for reading piece by piece, unpacked as by `read_file`."""
    where = checked_path(path)
    with located(where), ExitStack() as stack:
        with _explained(where):
            raw = stack.enter_context(Path(where).open("rb"))
            kind = compression_of(raw.peek(_LONGEST_MARK))
            if kind == "zip" and not raw.seekable():
                raw = BufferedReader(BytesIO(read_all(raw)))
            if kind:
                raw = stack.enter_context(unpack_stream(raw, kind))
        yield raw


@contextmanager
def _opened(where: str) -> Iterator[BufferedReader | BytesIO]:
    """Open a file, or the kept content of a pipe, which can be read only once."""
    status = Path(where).stat()
    if stat.S_ISREG(status.st_mode):
        with Path(where).open("rb") as raw:
            yield raw
        return
    known, key = size_limits().pipes, (status.st_dev, status.st_ino)
    pipes = {} if known is None else known
    if key not in pipes:
        with Path(where).open("rb") as raw:
            pipes[key] = read_all(raw)
    yield BytesIO(pipes[key])


def checked_path(path: FilePath) -> str:
    """Path as a text; refuse anything but a local file or pipe."""
    if not isinstance(path, str | os.PathLike) or isinstance(os.fspath(path), bytes):
        raise ParameterError("source", path, "the path of a local file, as a text or a Path")
    where = os.fspath(path)
    with _explained(where):
        if _URL.match(where):
            raise InputError(
                "this is an address in the web, and nothing is fetched from there",
                "Download the file, then give its path.",
            )
        mode = Path(where).stat().st_mode
        if stat.S_ISDIR(mode):
            raise InputError("this is a folder", "Name one file in it.")
        if not stat.S_ISREG(mode) and not stat.S_ISFIFO(mode):
            raise InputError("this is no ordinary file", "Name a file.")
    return where


def real_path(path: FilePath) -> Path:
    """Absolute path without links; of links in a circle it is the path itself, which no reader opens."""
    return Path(os.path.realpath(path))


_NUMBER = re.compile(r"(\d+)")
_PART = re.compile(r"part[-.]\d.*\.parquet")


def is_dataset(path: FilePath) -> bool:
    """Whether a folder is one data set of Parquet files, as Spark and Dask write it: by its names."""
    folder = Path(path)
    if not folder.is_dir():
        return False
    marks = {"_SUCCESS", "_metadata", "_common_metadata"}
    return folder.suffix == ".parquet" or any(
        entry.name in marks or _PART.fullmatch(entry.name) for entry in folder.iterdir()
    )


def dataset_files(folder: Path, names: str = "*.parquet") -> tuple[str, ...]:
    """List the files of a data set, by default those of Parquet, in their order: part.2 before part.10."""
    found: list[tuple[list[tuple[int, str]], str]] = []
    for path in folder.rglob(names):
        inner = path.relative_to(folder)
        if path.is_file() and not any(part.startswith(("_", ".")) for part in inner.parts):
            parts = _NUMBER.split(inner.as_posix())
            found.append(([(int(text) if text.isdigit() else -1, text) for text in parts], str(path)))
    return tuple(path for _, path in sorted(found))


def short_names(paths: Sequence[FilePath]) -> list[str]:
    """File names without suffixes; whole paths where names are equal."""
    called = [Path(path) for path in paths]
    stems = [(path.with_suffix("") if path.suffix.lower() in _PACKED else path).stem for path in called]
    return [
        stem if stems.count(stem) == 1 else path.as_posix() for stem, path in zip(stems, called, strict=True)
    ]


@contextmanager
def _explained(where: str) -> Iterator[None]:
    """Raise errors of opening a file as InputError; name the file in those that name no place."""
    path = Path(where)
    with located(where):
        try:
            yield
        except OntoevalError:
            raise
        except FileNotFoundError as error:
            entries = islice(path.parent.iterdir(), 1_000) if path.parent.is_dir() else ()
            hint = did_you_mean(path.name, sorted(entry.name for entry in entries))
            raise InputError(f"there is no such file{hint}", "Correct the path.") from error
        except (OSError, ValueError) as error:  # a ValueError where the path holds a zero byte
            reason = getattr(error, "strerror", None) or str(error)
            remedy = "Check the path and its permissions."
            raise InputError(f"the file cannot be read: {reason}", remedy) from error
