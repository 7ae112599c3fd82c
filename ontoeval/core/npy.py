"""Arrays of NumPy in files, parsed without ever unpickling anything."""

from __future__ import annotations

import sys
from ast import literal_eval
from io import BytesIO
from math import prod
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from ontoeval.errors import InputError, shortened

_LENGTHS = MappingProxyType({(1, 0): 2, (2, 0): 4})
"""Bytes of the length of the header, by version of the format."""

_LONGEST = 10_000
_KEYS = {"descr", "fortran_order", "shape"}
_SURROGATES = range(0xD800, 0xE000)


def parse_array(data: bytes, where: str, remedy: str) -> NDArray[Any]:
    """Parse one array; it shares the memory of `data` and cannot be written."""
    file = BytesIO(data)
    try:
        shape, by_column, dtype = _header(file)
    except (ValueError, KeyError, TypeError, SyntaxError, MemoryError, RecursionError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(
            f"this is no array that NumPy has saved: {reason[:200]}", remedy, where=where
        ) from error
    if dtype.hasobject:
        raise InputError(
            "this array holds pickled objects, which could run any program",
            f"They are never loaded. {remedy}",
            where=where,
        )
    begin = file.tell()
    if not dtype.itemsize or len(data) - begin != prod(shape) * dtype.itemsize:
        raise InputError(
            f"the array shall have shape {shortened(str(shape))}, but {len(data) - begin:,} bytes follow",
            "Fetch or save it again: a part is missing or too much.",
            where=where,
        )
    if dtype.kind == "U" and not _are_characters(data[begin:], dtype):
        raise InputError("this array holds texts with numbers that are no characters", remedy, where=where)
    flat = np.frombuffer(data, dtype=dtype, offset=begin, count=prod(shape))
    try:
        return flat.reshape(shape[::-1]).T if by_column else flat.reshape(shape)
    except ValueError as error:  # sides without numbers may be of any length
        raise InputError(
            f"no array has the shape {shortened(str(shape))}: {error}", remedy, where=where
        ) from error


def _header(file: BytesIO) -> tuple[tuple[int, ...], bool, np.dtype[Any]]:
    """Parse the header; NumPy itself takes seconds for blanks in a wrong header."""
    length = int.from_bytes(file.read(_LENGTHS[npy.read_magic(file)]), "little")
    text = file.read(min(length, _LONGEST)).decode("latin-1")
    if len(text) < length:
        raise ValueError("its header is too long, or cut off")
    header = literal_eval(text.strip())
    if not isinstance(header, dict) or set(header) != _KEYS:
        raise ValueError("its header has other keys")
    shape, by_column = header["shape"], header["fortran_order"]
    sizes = shape if isinstance(shape, tuple) else (None,)
    if not all(type(size) is int and size >= 0 for size in sizes) or not isinstance(by_column, bool):
        raise ValueError("its header has other values")
    return shape, by_column, npy.descr_to_dtype(header["descr"])


def _are_characters(data: bytes, dtype: np.dtype[Any]) -> bool:
    """Whether all code points are valid characters; NumPy would make broken texts of others."""
    numbers = np.frombuffer(data, dtype=np.dtype(np.uint32).newbyteorder(dtype.byteorder))
    surrogates = (numbers >= _SURROGATES.start) & (numbers < _SURROGATES.stop)
    return not (surrogates | (numbers > sys.maxunicode)).any()
