"""Tables of annotations that are no text, as text: every form of annotations is read from it."""

from __future__ import annotations

from io import BytesIO

from ontoeval.labels.arrow import arrow
from ontoeval.labels.opening import is_parquet
from ontoeval.labels.parquet import kinds_of, open_parquet, parquet_explained
from ontoeval.labels.tables import Source

_INDEX = "__index_level_0__"
"""What pandas calls the index of a data frame."""


def as_text(source: Source) -> Source:
    """Write Parquet as CSV."""
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
