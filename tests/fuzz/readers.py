"""What is fuzzed: readers, each with small valid files and the words of its format."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from hypothesis import strategies as st

from tests.fuzz.mutations import Box, mutants


@dataclass(frozen=True)
class Reader:
    """One reader, or several of the same format.

    Parameters
    ----------
    name
        What it reads.
    calls
        The ways to read a file, and to use what comes out.
    seeds
        Valid files: the first way reads each of them.
    tokens
        Words of the format.
    suffix
        What the name of the file ends in, where readers heed it.
    box
        How to get at what a file contains, where that is packed.
    """

    name: str
    calls: tuple[Callable[[Path], object], ...]
    seeds: tuple[bytes, ...]
    tokens: tuple[bytes, ...] = ()
    suffix: str = ""
    box: Box | None = None

    @property
    def inputs(self) -> st.SearchStrategy[bytes]:
        """Files that it may refuse, but not fail on."""
        return mutants(self.seeds, self.tokens, self.box)


def words(text: str) -> tuple[bytes, ...]:
    """Take the words of a format apart, that stand in lines of their own or between blanks."""
    return tuple(word.encode() for word in text.split())


# Packed files -----------------------------------------------------------------------------------------------


def zipped(parts: Mapping[str, bytes]) -> bytes:
    """Pack files into a zip archive."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(zipfile.ZipInfo(name), data)
    return file.getvalue()


def unzipped(data: bytes) -> dict[str, bytes]:
    """Unpack a zip archive."""
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _alone(unpack: Callable[[bytes], bytes], pack: Callable[[bytes], bytes]) -> Box:
    return Box(lambda data: {"": unpack(data)}, lambda parts: pack(b"".join(parts.values())))


PACKERS: Mapping[str, Box] = {
    "gz": _alone(gzip.decompress, lambda data: gzip.compress(data, mtime=0)),
    "bz2": _alone(bz2.decompress, bz2.compress),
    "xz": _alone(lzma.decompress, lzma.compress),
    "zip": Box(unzipped, zipped),
}


def packed(reader: Reader) -> list[Reader]:
    """Let a reader read its seeds packed in each way."""
    return [
        replace(
            reader,
            name=f"{reader.name}.{kind}",
            seeds=tuple(box.closed({"file": seed}) for seed in reader.seeds),
            box=box,
        )
        for kind, box in PACKERS.items()
    ]


# Arrays -----------------------------------------------------------------------------------------------------

_PREAMBLE = 10  # six bytes of magic, two of the version, two of the header's length


def _halves(name: str, data: bytes) -> dict[str, bytes]:
    if not data.startswith(b"\x93NUMPY\x01\x00"):
        return {name: data}
    end = _PREAMBLE + int.from_bytes(data[_PREAMBLE - 2 : _PREAMBLE], "little")
    return {f"{name}:header": data[_PREAMBLE:end], f"{name}:numbers": data[end:]}


def _joined(parts: Mapping[str, bytes]) -> dict[str, bytes]:
    whole: dict[str, bytes] = {}
    for name, data in sorted(parts.items()):  # headers come first
        start, _, half = name.rpartition(":")
        if half == "header":
            header = data[: 2**16 - 1]
            whole[start] = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
        elif half == "numbers" and start in whole:
            whole[start] += data
        else:
            whole[name] = data
    return whole


ARRAY = Box(lambda data: _halves("", data), lambda parts: b"".join(_joined(parts).values()))
"""Header and numbers of one array."""


def as_file(array: object) -> bytes:
    """Save one array."""
    file = io.BytesIO()
    np.save(file, np.asarray(array), allow_pickle=False)
    return file.getvalue()


ARRAY_TOKENS = words(
    "'|b1' '<i8' '>i4' '|u1' '<u8' '<f8' '<f2' '<f16' '<c16' '|S3' '<U3' '|O' '<M8[D]' '<m8[s]' '|V4' '|S0' '<U0' 'a3' '\\d' 3L "
    "[('a','<i8')] [('a','|O')] ('<i8',(2,)) () (0,) (3,) (0,3) (3,0) (1,3) (3,1) (2,3,1) (-1,) (True,) (10**9,) "
    "(1099511627776,1) (99999999999999999999,) False True None 'descr': 'fortran_order': 'shape': labels.npy"
)
