"""Edits: a text file with some rows changed, and all others as they are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from ontoeval.io.tables import Source

_WORDS = re.compile(r"\S+")
_LINE_END = re.compile(r"\r\n|\r|\n")


class Edit(NamedTuple):
    """A change of some lines.

    Parameters
    ----------
    begin
        The number of the first.
    end
        That of the first behind them.
    change
        Makes of them what is to be there.
    """

    begin: int
    end: int
    change: Callable[[str], str]


def edited(rows: Source, edits: Iterable[Edit]) -> Iterator[str]:
    r"""Change some lines of a text.

    Parameters
    ----------
    rows
        The text.
    edits
        The changes, in the order of the lines.

    Yields
    ------
    str
        Some lines, with their ends: all that is not changed as it was.

    Examples
    --------
    >>> text = Source("memory", b"id,labels\np1,sky\r\np2,sea", "")
    >>> "".join(edited(text, [Edit(2, 3, str.upper)]))
    'id,labels\nP1,SKY\r\np2,sea'
    """
    lines, at = rows.lines(), rows.line
    for begin, end, change in edits:
        yield from islice(lines, begin - at)
        yield change("".join(islice(lines, end - begin)))
        at = end
    yield from lines


@dataclass(frozen=True)
class RawRow:
    r"""A row of a table as it is written.

    Parameters
    ----------
    text
        The row; blank lines may follow.
    delimiter
        What stands between the fields; None for blanks.

    Examples
    --------
    >>> row = RawRow('p1 ,"a ""big"" tree", x\n', ",")
    >>> row.value(1), row.replaced({1: "trees", 2: "a,b"})
    ('a "big" tree', 'p1 ,"trees", "a,b"\n')
    """

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
        """Read a field.

        Parameters
        ----------
        column
            Its position.

        Returns
        -------
        str
            What it holds.
        """
        begin, end = self.spans[column]
        raw = self.text[begin:end]
        return raw[1:-1].replace('""', '"') if self._quoted(raw) else raw

    def replaced(self, values: Mapping[int, str]) -> str:
        """Write other fields.

        Parameters
        ----------
        values
            What some fields are to hold, by their position.

        Returns
        -------
        str
            The row, as it was but for these.
        """
        parts, place = [], 0
        for column, (begin, end) in enumerate(self.spans):
            if column in values:
                parts += [self.text[place:begin], self._field(values[column], self.text[begin:end])]
                place = end
        return "".join([*parts, self.text[place:]])

    def _quoted(self, raw: str) -> bool:
        return self.delimiter is not None and raw.startswith('"')

    def _field(self, value: str, before: str) -> str:
        signs = (self.delimiter or "", '"', "\r", "\n")
        if self._quoted(before) or (self.delimiter and any(sign in value for sign in signs)):
            return '"' + value.replace('"', '""') + '"'
        return value


def height(fields: Iterable[str]) -> int:
    r"""Count the lines that a row takes.

    Parameters
    ----------
    fields
        Its fields.

    Returns
    -------
    int
        One, and one for each line end in them.

    Examples
    --------
    >>> height(["p1", "sky\nsea"])
    2
    """
    return 1 + sum(len(_LINE_END.findall(text)) for text in fields)
