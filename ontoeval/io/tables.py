"""Text files as rows of fields, each with the number of its line."""

from __future__ import annotations

import csv
import re
from codecs import getincrementaldecoder
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from io import BytesIO, TextIOWrapper
from itertools import accumulate, islice

from ontoeval.errors import InputError
from ontoeval.files import File, FilePath, read_file
from ontoeval.io.plain import plain_blocks

DELIMITERS = {",": "CSV", "\t": "TSV", ";": "CSV with semicolons", None: "text"}
"""What a file is called by what stands between its fields; None stands for any blanks."""

EMPTY = "Write at least a header and one row."

_FIRST_RECORD = re.compile(rb'(?: *[\r\n]+)*((?:"(?:[^"]|"")*"|[^"\r\n])*)')
_QUOTED = re.compile(rb'"(?:[^"]|"")*"')
_LINE_END = re.compile(r"\r\n|\r|\n")
_NO_TEXT = "Convert the file to UTF-8; export spreadsheets and arrays as CSV."

_ROWS = 500
"""How many rows are made at once: more of them at a time keep the garbage collector busy."""
_STEP = 2**20

Row = tuple[int, list[str]]
Rows = tuple[Sequence[int], list[list[str]]]


@dataclass(frozen=True)
class Batch:
    """Some consecutive rows of a table.

    Parameters
    ----------
    lines
        The line on which each row begins.
    columns
        The fields, one sequence per column.
    """

    lines: Sequence[int]
    columns: Sequence[Sequence[str]]


@dataclass(frozen=True)
class Source:
    """A text file that has been read, or a part of it.

    Parameters
    ----------
    where
        The path as it was given, for messages.
    data
        The text as UTF-8, whatever the file was written in.
    digest
        SHA-256 of the file's bytes, as hexadecimal digits.
    begin
        The byte at which the rows begin.
    line
        The number of the line there.
    """

    where: str
    data: bytes = field(repr=False)
    digest: str
    begin: int = 0
    line: int = 1

    @classmethod
    def of(cls, file: File) -> Source:
        """Take the text of a file: UTF-8, or UTF-16 that says so in its first bytes.

        Parameters
        ----------
        file
            The file.

        Returns
        -------
        Source
            Its text.

        Raises
        ------
        InputError
            If it is empty, or no text.
        """
        data = _as_utf8(file.data, file.where)
        nul = data.find(b"\0")
        if nul >= 0:
            row = data.count(b"\n", 0, nul) + 1
            raise InputError("a NUL character, which no text contains", _NO_TEXT, where=file.where, row=row)
        if not data or data.isspace():
            raise InputError("the file is empty", EMPTY, where=file.where)
        return cls(file.where, data, file.digest)

    def rows(self, delimiter: str | None) -> Iterator[Row]:
        r"""Go through the rows that are not blank.

        Parameters
        ----------
        delimiter
            What stands between the fields; None for any blanks, which no quotes protect.

        Yields
        ------
        tuple of int and list of str
            The line on which the row begins, counted from 1, and its fields.

        Raises
        ------
        InputError
            If quotes are wrong, or a row has more or fewer fields than the first.

        Examples
        --------
        >>> list(Source("memory", b'id,labels\np1,"sky\nsea"\n', "").rows(","))
        [(1, ['id', 'labels']), (2, ['p1', 'sky\nsea'])]
        """
        width = 0
        for lines, rows in self._some(delimiter):
            width = width or len(rows[0])
            self._refuse_ragged(lines, rows, width, delimiter)
            yield from zip(lines, rows, strict=True)

    def batches(self, delimiter: str | None, width: int) -> Iterator[Batch]:
        r"""Go through the rows that are not blank, many at a time.

        Parameters
        ----------
        delimiter
            What stands between the fields; None for any blanks, which no quotes protect.
        width
            How many fields a row has.

        Yields
        ------
        Batch
            Some rows.

        Raises
        ------
        InputError
            If quotes are wrong, or a row has more or fewer fields.

        Examples
        --------
        >>> next(Source("memory", b"p1,sky\n\np2,sea\n", "").batches(",", 2)).columns
        [('p1', 'p2'), ('sky', 'sea')]
        """
        begin, line = self.begin, self.line
        if delimiter is not None:
            for end, columns in plain_blocks(self.data, begin, delimiter, width):
                yield Batch(range(line, line + len(columns[0])), columns)
                begin, line = end, line + len(columns[0])
        for lines, rows in replace(self, begin=begin, line=line)._some(delimiter):
            self._refuse_ragged(lines, rows, width, delimiter)
            yield Batch(lines, list(zip(*rows, strict=True)))

    def first(self, delimiter: str | None) -> list[str]:
        """Give the first row that is not blank.

        Parameters
        ----------
        delimiter
            What stands between the fields, as for `rows`.

        Returns
        -------
        list of str
            Its fields.

        Raises
        ------
        InputError
            If all rows are blank.
        """
        found = next(self._some(delimiter, 1), None)
        if found is None:
            raise InputError("the file is empty", EMPTY, where=self.where)
        return found[1][0]

    def below(self, delimiter: str | None) -> Source:
        r"""Leave out the first row that is not blank.

        Parameters
        ----------
        delimiter
            What stands between the fields, as for `rows`.

        Returns
        -------
        Source
            The rows below it.

        Examples
        --------
        >>> below = Source("memory", b"id,labels\np1,sky\n", "").below(",")
        >>> below.begin, below.line
        (10, 2)
        """
        taken = [0, 0]

        def counted() -> Iterator[str]:
            for line in self.lines():
                taken[0] += len(line.encode())
                taken[1] += 1
                yield line

        # The parser asks for one line after the other, and for none behind the row that it makes.
        next(self._some(delimiter, 1, counted()), None)
        return replace(self, begin=self.begin + taken[0], line=self.line + taken[1])

    def lines(self) -> Iterator[str]:
        """Go through the lines, with their ends."""
        raw = BytesIO(self.data)
        raw.seek(self.begin)
        return iter(TextIOWrapper(raw, encoding="utf-8", newline=""))

    @property
    def delimiter(self) -> str | None:
        """A tab if the first row has one outside quotes, else the first of comma and semicolon."""
        record = _FIRST_RECORD.match(self.data, self.begin)
        outside = _QUOTED.sub(b"", record[1] if record else b"").decode("ascii", "ignore")
        if "\t" in outside:
            return "\t"
        return next((sign for sign in outside if sign in {",", ";"}), None)

    def _some(
        self, delimiter: str | None, at_once: int = _ROWS, lines: Iterator[str] | None = None
    ) -> Iterator[Rows]:
        """Go through the rows that are not blank, some at a time."""
        lines = self.lines() if lines is None else lines
        return self._split(lines, at_once) if delimiter is None else self._parsed(lines, at_once, delimiter)

    def _split(self, lines: Iterator[str], at_once: int) -> Iterator[Rows]:
        numbered = ((line, text.split()) for line, text in enumerate(lines, self.line))
        rows = (row for row in numbered if row[1])
        while some := list(islice(rows, at_once)):
            yield [line for line, _ in some], [fields for _, fields in some]

    def _parsed(self, lines: Iterator[str], at_once: int, delimiter: str) -> Iterator[Rows]:
        reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
        line, wrong = self.line, None
        while wrong is None:
            rows: list[list[str]] = []
            try:
                rows.extend(islice(reader, at_once))
            except csv.Error as error:
                wrong = error  # what precedes it has been kept, and comes first
            begins: Sequence[int] = range(line, self.line + reader.line_num)
            if wrong is not None or len(begins) != len(rows):
                *begins, line = accumulate(map(_height, rows), initial=line)
            else:
                line = begins.stop
            if not rows and wrong is None:
                return
            if any(len(fields) <= 1 for fields in rows):
                kept = [n for n, fields in enumerate(rows) if len(fields) > 1 or "".join(fields).strip()]
                begins, rows = [begins[n] for n in kept], [rows[n] for n in kept]
            if rows:
                yield begins, rows
        raise InputError(
            f"this row breaks the rules of quoting ({wrong}); a quote is not closed, or text follows it",
            'Quote whole fields, and write a quote inside of them twice: "a ""big"" tree".',
            where=self.where,
            row=line,
        ) from wrong

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


def _height(fields: list[str]) -> int:
    """Count the lines that a row takes."""
    return 1 + sum(len(_LINE_END.findall(text)) for text in fields)


def _as_utf8(data: bytes, where: str) -> bytes:
    # A mark of two bytes says UTF-16, one of three is allowed in UTF-8.
    utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        if utf16:
            return data.decode("utf-16").encode()
        if not data.isascii():
            _decode(data)
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte {error.start:,} is not {'UTF-16' if utf16 else 'UTF-8'} ({error.reason})",
            _NO_TEXT,
            where=where,
        ) from error
    return data.removeprefix(b"\xef\xbb\xbf")


def _decode(data: bytes) -> None:
    """Decode a text piece by piece, so that there is never all of it twice."""
    decoder = getincrementaldecoder("utf-8")()
    try:
        for begin in range(0, len(data), _STEP):
            decoder.decode(data[begin : begin + _STEP], final=begin + _STEP >= len(data))
    except UnicodeDecodeError:
        data.decode()  # says where in the whole file


def read_source(path: FilePath) -> Source:
    """Read a text file.

    Parameters
    ----------
    path
        The file, packed or not.

    Returns
    -------
    Source
        Its text.

    Raises
    ------
    InputError
        If there is no such file, it is empty, or it is no text.
    """
    return Source.of(read_file(path))
