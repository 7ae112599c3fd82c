"""Arrays of NumPy: .npy and .npz, parsed without ever unpickling anything."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from math import prod
from tokenize import TokenError
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.lib import format as npy
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.errors import InputError, enumerate_some, located, shortened
from ontoeval.labels.formats import Recognised
from ontoeval.labels.sources import LabelSource
from ontoeval.labels.statements import (
    DecoderOptions,
    Statements,
    columns_of,
    one_row_each,
    refuse_other_numbers,
    statements_of_blocks,
)
from ontoeval.plumbing.column_titles import CONCEPT, CONCEPTS, SAMPLE, normalise_title
from ontoeval.plumbing.files import compression_of, unpack_members

_HEADERS = MappingProxyType({(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0})
"""Readers of the header, by version of the format; they refuse more than 10,000 bytes."""

_SURROGATES = range(0xD800, 0xE000)


def parse_array(data: bytes, remedy: str) -> NDArray[Any]:
    """Parse one array; it shares the memory of `data` and cannot be written."""
    file = BytesIO(data)
    try:
        shape, by_column, dtype = _HEADERS[npy.read_magic(file)](file)
    except (ValueError, KeyError, TypeError, SyntaxError, MemoryError, RecursionError, TokenError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(f"this is no array that NumPy has saved: {reason[:200]}", remedy) from error
    if dtype.hasobject:
        raise InputError(
            "this array holds pickled objects, which could run any program",
            f"They are never loaded. {remedy}",
        )
    begin = file.tell()
    if not dtype.itemsize or len(data) - begin != prod(shape) * dtype.itemsize:
        raise InputError(
            f"the array shall have shape {shortened(str(shape))}, but {len(data) - begin:,} bytes follow",
            "Fetch or save it again: a part is missing or too much.",
        )
    if dtype.kind == "U" and not _are_characters(data[begin:], dtype):
        raise InputError("this array holds texts with code points that are no characters", remedy)
    flat = np.frombuffer(data, dtype=dtype, offset=begin, count=prod(shape))
    try:
        return flat.reshape(shape[::-1]).T if by_column else flat.reshape(shape)
    except ValueError as error:  # sides without numbers may be of any length
        raise InputError(f"no array has the shape {shortened(str(shape))}: {error}", remedy) from error


def _are_characters(data: bytes, dtype: np.dtype[Any]) -> bool:
    """Whether all code points are valid characters; NumPy would make broken texts of invalid ones."""
    numbers = np.frombuffer(data, dtype=np.dtype(np.uint32).newbyteorder(dtype.byteorder))
    surrogates = (numbers >= _SURROGATES.start) & (numbers < _SURROGATES.stop)
    return not (surrogates | (numbers > sys.maxunicode)).any()


_SAMPLES = SAMPLE | {f"{name}s" for name in SAMPLE}
_SPARSE = {"csr": {"indices", "indptr"}, "csc": {"indices", "indptr"}, "coo": {"row", "col"}}

SAVE = (
    "Save numbers, one row per sample and one column per concept: numpy.save, numpy.savez or "
    "scipy.sparse.save_npz; names as arrays of texts, not of objects."
)


def from_arrays(source: LabelSource, _: Recognised, wanted: DecoderOptions) -> Statements:
    """Decode a file of arrays."""
    columns, scores = wanted.columns, wanted.scores
    arrays = _arrays(source)
    table = _table(arrays)
    count, width = table.shape
    if count > len(source.data) + sum(array.nbytes for array in arrays.values()):
        raise InputError(f"{count:,} rows, of which the file holds next to nothing", SAVE)
    own = _names(arrays, CONCEPT | CONCEPTS, width, "concepts")
    names, places = (
        columns_of(columns, width, "an array")
        if own is None
        else (own, [f"column {number:,}" for number in range(1, width + 1)])
    )
    samples = _names(arrays, _SAMPLES, count, "samples") or list(map(str, range(count)))
    lines = range(1, count + 1)
    seen = {"values": width}
    if isinstance(table, np.ndarray):
        found = statements_of_blocks([(lines, samples, table)], names, places, source, wanted)
        others = (name for name, array in arrays.items() if array is not table and not _names_in(name, array))
        return replace(found, seen=seen, ledger=replace(found.ledger, unused=dict.fromkeys(others, 1)))
    kept = table.data.astype(bool) | scores
    row, column, values = table.row[kept], table.col[kept], table.data[kept]
    refuse_other_numbers(
        values, lambda entry: (names[column[entry]], int(row[entry]) + 1), source, scores=scores
    )
    return Statements(
        one_row_each(source, samples, lines, repeats=wanted.repeats),
        tuple(names),
        tuple(places),
        row.astype(np.int32),
        column.astype(np.int32),
        values.astype(np.float64) if scores else None,
        header=True,
        seen=seen,
    )


def _arrays(source: LabelSource) -> dict[str, NDArray[Any]]:
    if not compression_of(source.data):
        return {"": parse_array(source.data, SAVE)}
    found = {}
    for name, data in unpack_members(source.data).items():
        with located(f"{source.where}, {name}"):
            found[name.removesuffix(".npy")] = parse_array(data, SAVE)
    return found


def _table(arrays: Mapping[str, NDArray[Any]]) -> NDArray[Any] | sparse.coo_array:
    if "format" in arrays:
        return _sparse(arrays)
    found = {name: array for name, array in arrays.items() if array.ndim == 2 and array.dtype.kind in "biuf"}  # noqa: PLR2004
    if len(found) != 1:
        shapes = [f"{name or 'array'} {array.shape} of {array.dtype}" for name, array in arrays.items()]
        raise InputError(
            f"{'several tables' if found else 'no table'} of numbers among {enumerate_some(shapes)}", SAVE
        )
    return next(iter(found.values()))


def _sparse(arrays: Mapping[str, NDArray[Any]]) -> sparse.coo_array:
    kind = bytes(arrays["format"].tobytes()).rstrip(b"\0").decode("ascii", "replace")
    try:
        parts = [arrays[name] for name in ("data", *sorted(_SPARSE[kind], reverse=kind == "coo"))]
        shape = tuple(arrays["shape"].tolist())
        if kind == "coo":
            return sparse.coo_array((parts[0], (parts[1], parts[2])), shape=shape)
        make = sparse.csr_array if kind == "csr" else sparse.csc_array
        matrix = make((parts[0], parts[1], parts[2]), shape=shape)
        matrix.check_format(full_check=True)
        return sparse.coo_array(matrix)
    except (KeyError, TypeError, ValueError) as error:
        raise InputError(
            f"this is no sparse matrix that scipy has saved: {str(error)[:200]}", SAVE
        ) from error


def _names_in(
    name: str, array: NDArray[Any], accepted: frozenset[str] = CONCEPT | CONCEPTS | _SAMPLES
) -> bool:
    """Whether an array names concepts or samples."""
    return array.ndim == 1 and array.dtype.kind in "US" and normalise_title(name) in accepted


def _names(
    arrays: Mapping[str, NDArray[Any]], accepted: frozenset[str], count: int, role: str
) -> Sequence[str] | None:
    found = {name: array for name, array in arrays.items() if _names_in(name, array, accepted)}
    if not found:
        return None
    (name, array), *others = found.items()
    if others or len(array) != count:
        raise InputError(
            f"{len(array):,} {role} in {name!r}, but the table has {count:,}"
            if not others
            else f"{role} in {enumerate_some(found)}",
            f"Save one array of {count:,} texts for the {role}.",
        )
    return [text.decode("utf-8", "replace") if isinstance(text, bytes) else text for text in array.tolist()]
