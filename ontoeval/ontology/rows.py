"""Rows of tables: fields that tabs, commas, semicolons or blanks separate, in quotes or not."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import islice
from typing import NamedTuple

from ontoeval.errors import InputError
from ontoeval.ontology.columns import has_titles
from ontoeval.ontology.sources import with_newlines

LOOKED_AT = 50
"""Rows that tell how a file is written."""

_DELIMITERS = ("\t", ",", ";")  # else blanks


class Row(NamedTuple):
    """A row that is neither blank nor a comment."""

    number: int
    fields: Sequence[str]


def rows_of(content: str, *, where: str) -> Iterator[Row]:
    """Go through the rows that are neither blank nor comments."""
    content = with_newlines(content)
    delimiter = delimiter_of(_lines(content, most=LOOKED_AT))
    if delimiter is not None and '"' in content:
        yield from _quoted_rows(content, delimiter, where=where)
    else:
        for number, line in enumerate(content.split("\n"), 1):
            fields = fields_in(line, delimiter)
            if any(fields) and not line.startswith("#"):
                yield Row(number, fields)


def _quoted_rows(content: str, delimiter: str, *, where: str) -> Iterator[Row]:
    """Go through rows with quotes; Python's own reader has one limit to fields for all that use it."""
    pattern = re.compile(rf' *+(?:"((?:[^"]++|"")*+)" *+|((?!")[^{delimiter}\n]*+))({delimiter}|\n|\Z)')
    fields: list[str] = []
    position, begin, row = 0, 1, 1
    while position < len(content):
        if not fields and content[position] == "#":  # whose quotes mean nothing
            position = (content.find("\n", position) + 1) or len(content)
            begin = row = row + 1
            continue
        match = pattern.match(content, position)
        if match is None:
            raise InputError(
                "the quotes are wrong: one is not closed, or text follows it",
                'Quote whole fields, and write a quote inside of them twice: "a ""big"" tree".',
                where=where,
                row=row,
            )
        quoted, bare, end = match.groups()
        fields.append((bare if quoted is None else quoted.replace('""', '"')).strip())
        position = match.end()
        row += match[0].count("\n")
        if end != delimiter or position == len(content):
            if any(fields):
                yield Row(begin, fields if end != delimiter else [*fields, ""])
            fields, begin = [], row


def fields_in(line: str, delimiter: str | None) -> list[str]:
    """Take a row apart."""
    if delimiter is None:
        return line.split()
    fields = next(csv.reader([line], delimiter=delimiter)) if '"' in line else line.split(delimiter)
    return [field.strip() for field in fields]


def delimiter_of(lines: Sequence[str]) -> str | None:
    """Find what separates the fields: what stands in every row, or between titles."""
    for delimiter in _DELIMITERS:
        if lines and (all(delimiter in line for line in lines) or has_titles(lines[0].split(delimiter))):
            return delimiter
    return None


def whole_lines(head: str) -> list[str]:
    """List the rows of a beginning that are whole; its last may be cut off."""
    lines = _lines(head)
    return lines if len(lines) == 1 or head.endswith("\n") else lines[:-1]


def _lines(content: str, *, most: int | None = None) -> list[str]:
    """List the rows that are neither blank nor comments."""
    lines = (line for line in StringIO(content) if line.strip() and not line.startswith("#"))
    return list(islice(lines, most))
