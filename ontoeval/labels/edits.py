"""Edits of delimited rows: changed fields, all other text kept as written."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple

from ontoeval.labels.sources import Source, parsed_rows

_WORDS = re.compile(r"\S+")


@dataclass(frozen=True)
class RawRow:
    """A row of a table as it is written."""

    text: str
    delimiter: str | None

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each field begins and ends, with its quotes and without blanks before it."""
        if self.delimiter is None:
            return [found.span() for found in _WORDS.finditer(self.text)]
        field = re.compile(rf' *+("(?:[^"]++|"")*+"|[^{self.delimiter}\r\n]*+)')
        spans, found = [], field.match(self.text)
        while found is not None:
            spans.append(found.span(1))
            place = found.end() + 1
            found = field.match(self.text, place) if self.text[place - 1 : place] == self.delimiter else None
        return spans

    def value(self, column: int) -> str:
        """Read a field."""
        begin, end = self.spans[column]
        raw = self.text[begin:end]
        return raw[1:-1].replace('""', '"') if self._quoted(raw) else raw

    def replaced(self, values: Mapping[int, str]) -> str:
        """Write other fields."""
        parts, place = [], 0
        for column, (begin, end) in enumerate(self.spans):
            if column in values:
                parts += [self.text[place:begin], self._field(values[column], self.text[begin:end])]
                place = end
        return "".join([*parts, self.text[place:]])

    def without(self, columns: Iterable[int]) -> str:
        """Remove fields, and the delimiters before them."""
        parts, place = [], 0
        for column in columns:
            parts.append(self.text[place : self.spans[column - 1][1]])
            place = self.spans[column][1]
        return "".join([*parts, self.text[place:]])

    @property
    def end(self) -> str:
        """End of its last line; "" at the end of a file."""
        return self.text[len(self.text.rstrip("\r\n")) :]

    def _quoted(self, raw: str) -> bool:
        return self.delimiter is not None and raw.startswith('"')

    def _field(self, value: str, before: str) -> str:
        signs = (self.delimiter or "", '"', "\r", "\n")
        if self._quoted(before) or (self.delimiter and any(sign in value for sign in signs)):
            return '"' + value.replace('"', '""') + '"'
        return value


class Edit(NamedTuple):
    """A change of a row."""

    begin: int
    change: Callable[[str], str]


def edited(rows: Source, delimiter: str | None, edits: Iterable[Edit]) -> Iterator[str]:
    """Change some rows of a text."""
    lines, at = rows.lines(), rows.line
    for begin, change in edits:
        yield from islice(lines, begin - at)
        taken = _row(lines, delimiter, rows.where)
        yield change("".join(taken))
        at = begin + len(taken)
    yield from lines


def _row(lines: Iterator[str], delimiter: str | None, where: str) -> list[str]:
    """Take the lines of one row, which is not blank."""
    taken = [next(lines)]
    if delimiter is not None and '"' in taken[0]:

        def more(line: str) -> str:
            taken.append(line)
            return line

        # One row at once: the parser asks for no line behind it.
        next(parsed_rows(chain(taken[:1], map(more, lines)), 0, delimiter, where, at_once=1))
    return taken
