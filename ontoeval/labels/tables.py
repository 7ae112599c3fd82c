"""Text files as rows of fields, each with the number of its line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from io import BytesIO, TextIOWrapper

from ontoeval.core.files import FilePath, read_file
from ontoeval.errors import InputError, listed
from ontoeval.labels.plain import plain_blocks
from ontoeval.labels.rows import Rows, parsed_rows, split_rows
from ontoeval.labels.text import EMPTY, refuse_binary, text_of

DELIMITERS = {",": "CSV", "\t": "TSV", ";": "CSV with semicolons", None: "text"}
"""What a file is called by what stands between its fields; None stands for any blanks."""

_FIRST_RECORD = re.compile(rb'(?: *+[\r\n]++)*+((?:"(?:[^"]++|"")*+"|[^"\r\n]++)*+)')
_QUOTED = re.compile(rb'"(?:[^"]++|"")*+"')
_BLANK = re.compile(rb"(?: *+[\r\n]++)++")
_LINE_ENDS = ((b"\n", 1), (b"\r", 1), (b"\r\n", -1))
_SIGN = re.compile(rb"[,;]")

Row = tuple[int, list[str]]


@dataclass(frozen=True)
class RowBlock:
    """Some consecutive rows of a table."""

    lines: Sequence[int]
    columns: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Source:
    """A file that has been read, or a part of it."""

    where: str
    data: bytes = field(repr=False)
    digest: str
    begin: int = 0
    line: int = 1
    files: tuple[Source, ...] = ()
    mark: str = ""
    header: tuple[str, ...] = ()

    def rows(self, delimiter: str | None) -> Iterator[Row]:
        """Go through the rows that are not blank."""
        width = len(self.header)
        for lines, rows in self._some(delimiter):
            width = width or len(rows[0])
            self._refuse_ragged(lines, rows, width, delimiter)
            self._refuse_header(lines, list(zip(*rows, strict=True)))
            yield from zip(lines, rows, strict=True)

    def batches(self, delimiter: str | None, width: int) -> Iterator[RowBlock]:
        """Go through the rows that are not blank, many at a time."""
        rest = self
        if delimiter is not None:
            for end, columns in plain_blocks(self.data, self.begin, delimiter, width):
                after = rest.line + len(columns[0])
                self._refuse_header(range(rest.line, after), columns)
                yield RowBlock(range(rest.line, after), columns)
                rest = replace(rest, begin=end, line=after)
        yield from rest._parsed(delimiter, width)  # noqa: SLF001 - it is the same class

    def _parsed(self, delimiter: str | None, width: int) -> Iterator[RowBlock]:
        for lines, rows in self._some(delimiter):
            self._refuse_ragged(lines, rows, width, delimiter)
            columns = list(zip(*rows, strict=True))
            self._refuse_header(lines, columns)
            yield RowBlock(lines, columns)

    def first(self, delimiter: str | None) -> list[str]:
        """Give the first row that is not blank."""
        return self._below(delimiter)[0]

    def below(self, delimiter: str | None) -> Source:
        """Leave out the first row that is not blank."""
        return self._below(delimiter)[1]

    def _below(self, delimiter: str | None) -> tuple[list[str], Source]:
        # Several rules look at it, and it may be the whole file.
        if delimiter not in self._first_rows:
            self._first_rows[delimiter] = self._first(delimiter)
        return self._first_rows[delimiter]

    @cached_property
    def _first_rows(self) -> dict[str | None, tuple[list[str], Source]]:
        return {}

    def _first(self, delimiter: str | None) -> tuple[list[str], Source]:
        """Parse the first row that is not blank, and tell what follows it."""
        blank = _BLANK.match(self.data, self.begin)
        if blank is not None and blank.end() > self.begin:
            # There may be millions of them.
            ends = sum(times * self.data.count(end, *blank.span()) for end, times in _LINE_ENDS)
            return replace(self, begin=blank.end(), line=self.line + ends)._first(delimiter)  # noqa: SLF001
        taken = []

        def counted() -> Iterator[str]:
            for line in self.lines():
                taken.append(len(line.encode()))
                yield line

        # One row at once: the parser asks for none of the lines behind it.
        if delimiter is None:
            rows = split_rows(counted(), self.line, at_once=1)
        else:
            rows = parsed_rows(counted(), self.line, delimiter, self.where, at_once=1)
        found = next(rows, None)
        if found is None:
            raise InputError("the file is empty", EMPTY, where=self.where)
        fields = found[1][0]
        begin, line = self.begin + sum(taken), self.line + len(taken)
        return fields, replace(self, begin=begin, line=line, header=tuple(fields))

    def lines(self) -> Iterator[str]:
        """Go through the lines, with their ends."""
        raw = BytesIO(self.data)
        raw.seek(self.begin)
        return iter(TextIOWrapper(raw, encoding="utf-8", newline=""))

    def numbered_lines(self) -> Iterator[tuple[int, str]]:
        """Go through the lines that are not blank, as Unicode means it, with their ends."""
        return ((number, line) for number, line in enumerate(self.lines(), self.line) if line.strip())

    @cached_property
    def delimiter(self) -> str | None:
        """A tab if the first row has one outside quotes, else the first of comma and semicolon."""
        record = _FIRST_RECORD.match(self.data, self.begin)
        outside = _QUOTED.sub(b"", record[1] if record else b"")
        if b"\t" in outside:
            return "\t"
        sign = _SIGN.search(outside)
        return None if sign is None else sign[0].decode()

    def _some(self, delimiter: str | None) -> Iterator[Rows]:
        lines = self.lines()
        if delimiter is None:
            return split_rows(lines, self.line)
        return parsed_rows(lines, self.line, delimiter, self.where)

    @cached_property
    def _header_names(self) -> frozenset[str]:
        return frozenset((*self.header, *map(str.strip, self.header)))

    def _refuse_header(self, lines: Sequence[int], columns: Sequence[Sequence[str]]) -> None:
        """Refuse a row with the fields of the header, in any order: files were joined."""
        if self._header_names.isdisjoint(columns[0]):
            return
        header = sorted(map(str.strip, self.header))
        for number, name in enumerate(columns[0]):
            if name in self._header_names and sorted(column[number].strip() for column in columns) == header:
                raise InputError(
                    f"this row repeats the header: {listed(self.header)}",
                    "Remove the row: of files that are joined, only the first keeps its header.",
                    where=self.where,
                    row=lines[number],
                )

    def _refuse_ragged(
        self, lines: Sequence[int], rows: list[list[str]], width: int, delimiter: str | None
    ) -> None:
        if set(map(len, rows)) == {width}:
            return
        line, found = next(
            (line, len(fields)) for line, fields in zip(lines, rows, strict=True) if len(fields) != width
        )
        remedy = (
            "Give every row one name without blanks and one value for each concept."
            if delimiter is None
            else f"Give every row {width} fields, and put fields that contain {delimiter!r} in double quotes."
        )
        raise InputError(
            f"{found} field{'s' * (found != 1)} where the first row has {width}",
            remedy,
            where=self.where,
            row=line,
        )


def read_source(path: FilePath) -> Source:
    """Read a text file."""
    file = read_file(path, look=refuse_binary)
    return Source(file.where, text_of(file), file.digest)
