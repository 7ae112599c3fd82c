"""An array of NumPy: .npy, parsed without ever unpickling anything."""

from __future__ import annotations

from dataclasses import replace
from io import BytesIO
from math import prod
from tokenize import TokenError
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray

from ontoeval.errors import InputError, shortened
from ontoeval.labels.formats import Recognised
from ontoeval.labels.sources import LabelSource
from ontoeval.labels.statements import DecoderOptions, Statements, columns_of, statements_of_blocks

_HEADERS = MappingProxyType({(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0})
"""Readers of the header, by version of the format; they refuse more than 10,000 bytes."""

SAVE = (
    "Save numbers, one row per sample and one column per concept: numpy.save(path, array), or of a sparse "
    "matrix its array.toarray()."
)


def parse_array(data: bytes) -> NDArray[Any]:
    """Parse one array; it shares the memory of `data` and cannot be written."""
    file = BytesIO(data)
    try:
        shape, by_column, dtype = _HEADERS[npy.read_magic(file)](file)
    except (ValueError, KeyError, TypeError, SyntaxError, MemoryError, RecursionError, TokenError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"this is no array that NumPy has saved: {reason[:200]}", SAVE) from error
    if dtype.hasobject:
        problem = "this array holds pickled objects, which could run any program"
        raise InputError(problem, f"They are never loaded. {SAVE}")
    begin = file.tell()
    if not dtype.itemsize or len(data) - begin != prod(shape) * dtype.itemsize:
        raise InputError(
            f"the array shall have shape {shortened(str(shape))}, but {len(data) - begin:,} bytes follow",
            "Fetch or save it again: a part is missing or too much.",
        )
    flat = np.frombuffer(data, dtype=dtype, offset=begin, count=prod(shape))
    try:
        return flat.reshape(shape[::-1]).T if by_column else flat.reshape(shape)
    except ValueError as error:  # sides without numbers may be of any length
        raise InputError(f"no array has the shape {shortened(str(shape))}: {error}", SAVE) from error


def from_array(source: LabelSource, _: Recognised, wanted: DecoderOptions) -> Statements:
    """Decode a file of an array."""
    table = parse_array(source.data)
    if table.ndim != 2 or table.dtype.kind not in "biuf":  # noqa: PLR2004 - samples × concepts
        kind = f"{table.dtype} of the shape {shortened(str(table.shape))}"
        raise InputError(f"this is no table of numbers, but an array of {kind}", SAVE)
    count, width = table.shape
    if count > len(source.data):
        raise InputError(f"{count:,} rows, of which the file holds next to nothing", SAVE)
    names, places = columns_of(wanted.columns, width, "an array")
    samples = list(map(str, range(count)))
    found = statements_of_blocks([(range(1, count + 1), samples, table)], names, places, source, wanted)
    return replace(found, seen={"values": width})
