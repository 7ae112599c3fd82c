"""Packed files: gzip, bzip2, xz and zip, unpacked while they are read."""

from __future__ import annotations

import bz2
import gzip
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader, BytesIO, RawIOBase
from typing import IO, TYPE_CHECKING

from ontoeval.core.limits import STEP, read_all
from ontoeval.errors import InputError, listed

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

_MARKS = {
    "gzip": re.compile(rb"\x1f\x8b\x08"),
    "bzip2": re.compile(rb"BZh[1-9](1AY&SY|\x17rE8P\x90)"),
    "xz": re.compile(rb"\xfd7zXZ\x00"),
    "zip": re.compile(rb"PK(\x03\x04|\x05\x06)"),
}
_BROKEN = (OSError, ValueError, zlib.error, lzma.LZMAError, zipfile.BadZipFile, RuntimeError)


def packing(data: bytes) -> str:
    """Tell by its first bytes how a file is packed."""
    return next((kind for kind, mark in _MARKS.items() if mark.match(data)), "")


@contextmanager
def unpacking(raw: IO[bytes], kind: str, where: str) -> Iterator[BufferedReader]:
    """Unpack while reading; what is broken, or an archive of several files, is an error."""
    with _sound(kind, where):
        opened = _unpacker(raw, kind, where)
    with opened:
        yield BufferedReader(_Explained(opened, kind, where), STEP)


def is_archive_of_arrays(archive: bytes | IO[bytes]) -> bool:
    """Tell whether a zip archive holds arrays of NumPy and nothing else."""
    try:
        with zipfile.ZipFile(BytesIO(archive) if isinstance(archive, bytes) else archive) as opened:
            names = opened.namelist()
    except _BROKEN:
        names = []
    if not isinstance(archive, bytes):
        archive.seek(0)
    return bool(names) and all(name.endswith(".npy") for name in names)


def members(archive: bytes, where: str) -> dict[str, bytes]:
    """Unpack all members of a zip archive; each may be as large as a file, and so may all together."""
    found: dict[str, bytes] = {}
    taken = 0
    with _sound("zip", where), zipfile.ZipFile(BytesIO(archive)) as opened:
        for name in opened.namelist():
            with opened.open(name) as member:
                stream = BufferedReader(_Explained(member, "zip", where), STEP)
                found[name] = read_all(stream, where, what="this zip file unpacks to more than", taken=taken)
            taken += len(found[name])
    return found


class _Explained(RawIOBase):
    """What comes out of a packed file; what is wrong with it is said in words."""

    def __init__(self, stream: IO[bytes], kind: str, where: str) -> None:
        super().__init__()
        self._stream, self._kind, self._where = stream, kind, where

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int:
        view = memoryview(buffer).cast("B")
        with _sound(self._kind, self._where):
            piece = self._stream.read(len(view))
        view[: len(piece)] = piece
        return len(piece)


def _unpacker(raw: IO[bytes], kind: str, where: str) -> IO[bytes]:
    match kind:
        case "gzip":
            return gzip.open(raw)  # type: ignore[return-value] # it reads bytes, as asked
        case "bzip2":
            return bz2.BZ2File(raw)
        case "xz":
            return lzma.LZMAFile(raw)
        case _:
            return _the_one_member(raw, where)


def _the_one_member(raw: IO[bytes], where: str) -> IO[bytes]:
    archive = zipfile.ZipFile(raw)
    # macOS packs a second file beside each, which holds nothing but its marks.
    names = [n for n in archive.namelist() if not n.endswith("/") and not n.startswith("__MACOSX/")]
    if "[Content_Types].xml" in names:
        raise InputError(
            "this is a spreadsheet or another document of an office program",
            "Export the table as CSV.",
            where=where,
        )
    if len(names) != 1:
        raise InputError(
            f"this zip archive holds {len(names):,} files{': ' * bool(names)}{listed(names)}",
            "Pack one file alone, or unpack it and name the one that is meant.",
            where=where,
        )
    return archive.open(names[0])


@contextmanager
def _sound(kind: str, where: str) -> Iterator[None]:
    """Say in words what is wrong with a packed file."""
    try:
        yield
    except InputError:
        raise
    except EOFError as error:
        raise InputError(
            f"this {kind} file ends before its time",
            "Fetch or pack it again: a part is missing.",
            where=where,
        ) from error
    except _BROKEN as error:
        raise InputError(
            f"this {kind} file cannot be unpacked: {error}", "Fetch or pack it again.", where=where
        ) from error
