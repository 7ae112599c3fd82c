"""Tables of annotations as rows, whatever they are written in: text, Parquet, or records of JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from types import NoneType

from ontoeval.core.json_text import load
from ontoeval.errors import InputError
from ontoeval.labels.annotation_text import as_text
from ontoeval.labels.annotator_columns import Columns
from ontoeval.labels.opening import is_array, is_parquet
from ontoeval.labels.records import Object, records_in
from ontoeval.labels.tables import DELIMITERS, RowBlock, Source
from ontoeval.labels.text import is_json

WRITE = (
    'Write records such as {"sample": "p1", "annotator": "Ann", "labels": ["sky", "sea"]}, with a "value" or '
    "without; or a table, such as CSV."
)
"""How several annotators are written in JSON."""


@dataclass(frozen=True, eq=False)
class AnnotationRows:
    """A table of annotations."""

    where: str
    kind: str
    header: tuple[str, ...]
    read: Callable[[Columns], Iterable[RowBlock]]
    exact: bool = False

    @classmethod
    def of(cls, source: Source) -> AnnotationRows | None:
        """Take a file for a table."""
        if is_json(source.data):
            return _of_json(source)
        table = as_text(source)
        delimiter = table.delimiter if is_text(table) else None
        if delimiter is None:
            return None
        header = tuple(field.strip() for field in table.first(delimiter))
        return cls(
            source.where,
            DELIMITERS[delimiter] if table is source else "Parquet",
            header,
            lambda _: table.below(delimiter).batches(delimiter, len(header)),
        )


def is_text(source: Source) -> bool:
    """Tell whether a file is text that may hold a table."""
    return not (source.files or is_array(source) or is_parquet(source) or is_json(source.data))


def _of_json(source: Source) -> AnnotationRows | None:
    """Take records for rows, and their keys for columns."""
    found = _records(source)
    if found is None:
        return None
    kind, lines, records = found
    header = tuple(dict.fromkeys(key for record in records for key in record))

    def read(columns: Columns) -> Iterable[RowBlock]:
        return [_unfolded(records, lines, header, columns, source.where)]

    return AnnotationRows(source.where, kind, header, read, exact=True)


def _records(source: Source) -> tuple[str, Sequence[int], Sequence[Object]] | None:
    """Find the kind of JSON, and the records with their lines; of one object, with their numbers."""
    numbered = list(source.numbered_lines())
    if len(numbered) > 1 and _is_object(numbered[0][1], source.where):
        found = [load(line, where=source.where, row=number) for number, line in numbered]
        lines = [number for number, _ in numbered]
        return ("JSON Lines", lines, found) if all(isinstance(one, dict) for one in found) else None
    content = load(source.data, where=source.where)
    records = records_in(content)
    if records is None and isinstance(content, dict):
        # A mapping from samples to labels holds lists alone; with a text or a number it is a single record.
        records = [content] if any(isinstance(value, str | int) for value in content.values()) else None
    return None if records is None else ("JSON", range(1, len(records) + 1), records)


def _is_object(line: str, where: str) -> bool:
    try:
        return isinstance(load(line, where=where), dict)
    except InputError:
        return False


def _unfolded(
    records: Sequence[Object], lines: Sequence[int], header: Sequence[str], columns: Columns, where: str
) -> RowBlock:
    """Give each label of a list a row of its own; a list without any says that nothing is there."""
    concept = None if columns.concept is None else header[columns.concept]
    labels = [[""] if concept is None else _listed(record.get(concept)) for record in records]
    lengths = list(map(len, labels))
    line = [number for number, length in zip(lines, lengths, strict=True) for _ in range(length)]
    fields: list[list[str]] = []
    for column, key in enumerate(header):
        if column == columns.concept:
            values = list(chain.from_iterable(labels))
        else:
            each = zip(records, lengths, strict=True)
            values = [record.get(key) for record, length in each for _ in range(length)]
        if column in columns.unused:
            fields.append(
                ["" if isinstance(value, list | dict | NoneType) else str(value) for value in values]
            )
            continue
        wrong: tuple[type, ...] = (list, dict)
        if column in {columns.sample, columns.annotator, columns.concept}:
            wrong = (*wrong, bool)  # it is no name, though Python would write it as one
        if column == columns.concept:
            wrong = (*wrong, NoneType)
        odd = next((row for row, value in enumerate(values) if isinstance(value, wrong)), None)
        if odd is not None:
            held = json.dumps(values[odd])[:80]
            raise InputError(f"{key!r} holds {held}", WRITE, where=where, row=line[odd])
        fields.append(["" if value is None else str(value) for value in values])
    return RowBlock(line, fields)


def _listed(value: object) -> list[object]:
    return (value or [""]) if isinstance(value, list) else [value]
