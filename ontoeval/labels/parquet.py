"""Parquet files: opened, if what is read of them stays within bounds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from ontoeval.core.limits import limits, too_large
from ontoeval.errors import InputError, OntoevalError
from ontoeval.labels.arrow import Kind, arrow, is_text, kind_of
from ontoeval.labels.footer import values_in
from ontoeval.labels.formats import Recognised
from ontoeval.labels.tables import Source

_BYTES = 8
"""What a value takes once it has been read."""
_TAIL = 8
"""The last bytes of a file: the length of its footer, and a mark."""


def kinds_of(source: Source) -> dict[str, Kind]:
    """Tell what the columns of a Parquet file hold."""
    with parquet_explained(source.where):
        schema = open_parquet(source).schema_arrow
    if len(set(schema.names)) < len(schema.names):
        raise InputError("two columns have one name", "Rename one.", where=source.where)
    return {field.name: kind_of(field.type) for field in schema}


def tables_of(source: Source, form: Recognised, rows: int | None = None) -> Iterator[Any]:
    """Read the columns of a Parquet file that are needed."""
    names = [name for name in form.header if name not in form.unused]
    with parquet_explained(source.where):
        file = open_parquet(source, names)
        if rows is None:
            yield file.read(columns=names)
        else:
            pyarrow = arrow()
            for batch in file.iter_batches(batch_size=rows, columns=names):
                yield pyarrow.Table.from_batches([batch])


def open_parquet(source: Source, names: list[str] | None = None) -> Any:  # noqa: ANN401 - a ParquetFile
    """Open a Parquet file whose values fit into the memory that a file may take; texts come numbered."""
    raw = _raw(source)
    open_it = partial(arrow("pyarrow.parquet").ParquetFile, raw)
    if names is None:
        return open_it()
    size = raw.size()
    length = int.from_bytes(raw.read_at(4, max(size - _TAIL, 0)), "little")
    values = values_in(raw.read_at(length, max(size - _TAIL - length, 0)), names)
    if _BYTES * values > limits().max_bytes:
        what = f"this Parquet file of {size:,} bytes says that it holds {values:,} values, more than"
        raise too_large(source.where, what=what)
    # Not within lists: pyarrow cannot put those of several row groups together.
    texts = [field.name for field in open_it().schema_arrow if is_text(field.type) and field.name in names]
    return open_it(read_dictionary=texts)


def _raw(source: Source) -> Any:  # noqa: ANN401 - a file of pyarrow
    """Open the bytes that have been read, or map the file into memory if none have."""
    return arrow().BufferReader(source.data) if source.data else arrow().memory_map(source.where)


@contextmanager
def parquet_explained(where: str) -> Iterator[None]:
    """Say in words what pyarrow cannot do."""
    try:
        yield
    except OntoevalError:
        raise
    except (arrow().ArrowException, OSError, ValueError, KeyError) as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise InputError(
            f"this Parquet file cannot be read: {reason[:200]}", "Fetch or write it again.", where=where
        ) from error
