"""Tables of annotations that are no text, as text: every form of annotations is read from it."""

from __future__ import annotations

from io import BytesIO

from ontoeval.io.arrow import arrow
from ontoeval.io.opening import is_parquet
from ontoeval.io.parquet import kinds_of, open_parquet, parquet_explained
from ontoeval.io.tables import Source

_INDEX = "__index_level_0__"
"""What pandas calls the index of a data frame."""


def as_text(source: Source) -> Source:
    """Write Parquet as CSV.

    Parameters
    ----------
    source
        A file.

    Returns
    -------
    Source
        The same table as CSV, its rows counted from 1 as in the file; or the file itself, where it is no
        Parquet, or one that holds lists or anything but texts and numbers.

    Raises
    ------
    InputError
        If the file is broken, or holds far more than its size lets expect.

    Examples
    --------
    >>> as_text(Source("memory", b"id,labels", "")).data
    b'id,labels'
    """
    if not is_parquet(source):
        return source
    kinds = kinds_of(source)
    if not set(kinds.values()) <= {"text", "number"}:
        return source
    names = sorted(kinds, key=lambda name: name != _INDEX)
    out = BytesIO()
    with parquet_explained(source.where):
        table = open_parquet(source, names).read(columns=names)
        texts = [field.name for field in table.schema if arrow("pyarrow.types").is_dictionary(field.type)]
        for name in texts:
            place = table.schema.get_field_index(name)
            table = table.set_column(place, name, table[name].cast(arrow().string()))
        table = table.select(names).rename_columns(["" if name == _INDEX else name for name in names])
        arrow("pyarrow.csv").write_csv(table, out)
    return Source(source.where, out.getvalue(), source.digest, line=0)
