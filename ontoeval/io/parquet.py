"""Parquet files: opened, if what is read of them stays within bounds."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any

from ontoeval.errors import InputError, OntoevalError
from ontoeval.io.arrow import Kind, arrow, kind_of
from ontoeval.io.formats import Recognised
from ontoeval.io.tables import Source
from ontoeval.packed import bound

_BYTES = 8
"""What a value takes once it has been read."""


def kinds_of(source: Source) -> dict[str, Kind]:
    """Tell what the columns of a Parquet file hold.

    Parameters
    ----------
    source
        The file.

    Returns
    -------
    dict
        The kind of each column.

    Raises
    ------
    InputError
        If the file is broken, or two columns have one name.
    MissingExtraError
        If pyarrow is not installed.
    """
    with parquet_explained(source.where):
        schema = open_parquet(source).schema_arrow
    if len(set(schema.names)) < len(schema.names):
        raise InputError("two columns have one name", "Rename one.", where=source.where)
    return {field.name: kind_of(field.type) for field in schema}


def tables_of(source: Source, form: Recognised, rows: int | None = None) -> Iterator[Any]:
    """Read the columns of a Parquet file that are needed.

    Parameters
    ----------
    source
        The file.
    form
        Which columns these are.
    rows
        How many rows at once; by default all.

    Yields
    ------
    pyarrow.Table
        Some rows.

    Raises
    ------
    InputError
        If the file is broken, or holds far more than its size lets expect.
    """
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
    """Open a Parquet file, if what is read of it will not be far more than its size lets expect.

    Parameters
    ----------
    source
        The file.
    names
        The columns that will be read.

    Returns
    -------
    pyarrow.parquet.ParquetFile
        The file; texts come numbered by a dictionary.

    Raises
    ------
    InputError
        If it holds too much.
    """
    open_again = partial(arrow("pyarrow.parquet").ParquetFile, _raw(source))
    file = open_again()
    if names is None:
        return file
    meta = file.metadata
    groups = [meta.row_group(number) for number in range(meta.num_row_groups)]
    leaves = [
        leaf for leaf in range(meta.num_columns) if file.schema.column(leaf).path.split(".")[0] in names
    ]
    values = sum(group.column(leaf).num_values for group in groups for leaf in leaves)
    size = _raw(source).size()
    if _BYTES * values > bound(size):
        raise InputError(
            f"this Parquet file of {size:,} bytes says that it holds {values:,} values",
            "Read it in another program if you trust it, and write it in several files.",
            where=source.where,
        )
    texts = [path for leaf in leaves if (path := _text_path(file.schema.column(leaf)))]
    return open_again(read_dictionary=texts)


def _raw(source: Source) -> Any:  # noqa: ANN401 - a file of pyarrow
    """Open the bytes that have been read, or map the file into memory if none have."""
    return arrow().BufferReader(source.data) if source.data else arrow().memory_map(source.where)


def _text_path(leaf: Any) -> str:  # noqa: ANN401 - a column of Parquet's own schema
    # Not in lists: pyarrow cannot put those of several row groups together.
    if "." in leaf.path:
        return ""
    is_text = leaf.physical_type == "BYTE_ARRAY" and str(leaf.logical_type.type) == "STRING"
    return str(leaf.path) if is_text else ""


@contextmanager
def parquet_explained(where: str) -> Iterator[None]:
    """Say in words what pyarrow cannot do.

    Parameters
    ----------
    where
        The file.

    Yields
    ------
    None
        Within it, what pyarrow raises becomes an error that names the file.

    Raises
    ------
    InputError
        If pyarrow raises something.
    """
    try:
        yield
    except OntoevalError:
        raise
    except (arrow().ArrowException, OSError, ValueError, KeyError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise InputError(
            f"this Parquet file cannot be read: {first}", "Fetch or write it again.", where=where
        ) from error
