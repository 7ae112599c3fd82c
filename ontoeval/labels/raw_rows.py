"""Raw rows: rows of a table as they are written, with some fields replaced."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

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
        """Leave fields out, and what stands before them."""
        parts, place = [], 0
        for column in columns:
            parts.append(self.text[place : self.spans[column - 1][1]])
            place = self.spans[column][1]
        return "".join([*parts, self.text[place:]])

    @property
    def end(self) -> str:
        """What ends its last line; nothing at the end of a file."""
        return self.text[len(self.text.rstrip("\r\n")) :]

    def _quoted(self, raw: str) -> bool:
        return self.delimiter is not None and raw.startswith('"')

    def _field(self, value: str, before: str) -> str:
        signs = (self.delimiter or "", '"', "\r", "\n")
        if self._quoted(before) or (self.delimiter and any(sign in value for sign in signs)):
            return '"' + value.replace('"', '""') + '"'
        return value
