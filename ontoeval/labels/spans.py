"""Where values stand in the bytes of a label file, and these bytes with other values."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property, partial
from typing import Any, NamedTuple

from ontoeval.plumbing.json_text import Json

LINE_END = re.compile(rb"\r\n|\r|\n")

_WORDS = re.compile(rb"\S+")
_SIGN = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[][{}]|[^][{}",:\s]++')


class Edit(NamedTuple):
    """Bytes that are replaced by a text."""

    begin: int
    end: int
    text: str


def spliced(data: bytes, edits: Iterable[Edit]) -> Iterator[str]:
    """Replace some bytes of a text, the first ones first."""
    at = 0
    for begin, end, text in edits:
        yield data[at:begin].decode()
        yield text
        at = end
    yield data[at:].decode()


Quote = Callable[[str], str | None]  # writes a text, if it can stand there

write_json = partial(json.dumps, ensure_ascii=False)


class Placed:
    """A value of a file, the bytes where it stands, what holds it, and how another is written there."""

    begin: int
    end: int
    holder: Any
    quote: Quote
    between = ", "
    """Sign between the items of a list."""
    listed: Mapping[str, Placed] | None = None
    """The labels that may stand there, where a file lists these."""


_KINDS: dict[type, Any] = {kind: type(kind.__name__, (Placed, kind), {}) for kind in (str, int, list, dict)}


def placed(value: Json, begin: int, end: int = 0, holder: object = None, quote: Quote = write_json) -> Any:  # noqa: ANN401 - of any kind
    """Note where a text, a number, a list or an object stands."""
    found = _KINDS[type(value)](value)
    found.begin, found.end, found.holder, found.quote = begin, end, holder, quote
    return found


def placed_json(content: Json, text: bytes, at: Callable[[int], int], cell: Placed | None = None) -> Json:
    """Note where the values of JSON stand; `at` gives the byte of a file for one of the text."""
    signs = _SIGN.finditer(text)
    quote = write_json if cell is None else lambda label: write_json(label).replace('"', '""')

    def place(value: Json, holder: object) -> Json:
        sign = next(signs)
        if type(value) not in _KINDS:
            return value
        found = placed(value, at(sign.start()), at(sign.end()), holder, quote)
        if isinstance(value, dict):
            for key in value:
                next(signs)
                found[key] = place(value[key], found)
        elif isinstance(value, list):
            found[:] = [place(held, found) for held in value]
        if isinstance(value, dict | list):
            found.end = at(next(signs).end())
        return found

    return place(content, cell)


class RawRow:
    """A row of a table as it is written."""

    def __init__(self, data: bytes, begin: int, delimiter: str | None) -> None:
        self.data, self.begin, self.delimiter = data, begin, delimiter

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each field begins and ends, with its quotes and without blanks before it."""
        if self.delimiter is None:
            end = LINE_END.search(self.data, self.begin)
            found = _WORDS.finditer(self.data, self.begin, len(self.data) if end is None else end.start())
            return [word.span() for word in found]
        sign = self.delimiter.encode()
        field = re.compile(rb' *+("(?:[^"]++|"")*+"|[^%b\r\n]*+)' % sign)
        spans, match = [], field.match(self.data, self.begin)
        while match is not None:
            spans.append(match.span(1))
            place = match.end() + 1
            match = field.match(self.data, place) if self.data[place - 1 : place] == sign else None
        return spans

    @cached_property
    def end(self) -> int:
        """Where the next row begins."""
        found = LINE_END.search(self.data, self.spans[-1][1])
        return len(self.data) if found is None else found.end()

    def value(self, column: int) -> str:
        """Read a field."""
        begin, end = self.spans[column]
        raw = self.data[begin:end].decode()
        return raw[1:-1].replace('""', '"') if self._quoted(column) else raw

    def edits(self, values: Mapping[int, str]) -> Iterator[Edit]:
        """Write other fields."""
        for column in sorted(values):
            yield Edit(*self.spans[column], self.field(column, values[column]))

    def with_values(self, values: Mapping[int, str]) -> str:
        """Write the row with other fields."""
        row = RawRow(self.data[self.begin : self.end], 0, self.delimiter)
        return "".join(spliced(row.data, row.edits(values)))

    def field(self, column: int, value: str) -> str:
        """Write a field as it is written here, in quotes where it must be."""
        marked = self.delimiter and any(sign in value for sign in (self.delimiter, '"', "\r", "\n"))
        return '"' + value.replace('"', '""') + '"' if marked or self._quoted(column) else value

    def _quoted(self, column: int) -> bool:
        return self.delimiter is not None and self.data.startswith(b'"', self.spans[column][0])
