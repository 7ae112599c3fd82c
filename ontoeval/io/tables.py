"""Text files as rows of fields, each with the number of its line."""

from __future__ import annotations

import csv
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import sha256
from io import BytesIO, TextIOWrapper
from itertools import islice
from pathlib import Path

from ontoeval.errors import InputError, near

DELIMITERS = {",": "CSV", "\t": "TSV", ";": "CSV with semicolons", None: "text"}
"""What a file is called by what stands between its fields; None stands for any blanks."""

_FIRST_RECORD = re.compile(rb'(?: *[\r\n]+)*((?:"(?:[^"]|"")*"|[^"\r\n])*)')
_QUOTED = re.compile(rb'"(?:[^"]|"")*"')

EMPTY = "Write at least a header and one row."

FilePath = str | os.PathLike[str]
Row = tuple[int, list[str]]


@dataclass(frozen=True)
class Source:
    """A text file that has been read.

    Parameters
    ----------
    where
        The path as it was given, for messages.
    data
        The text as UTF-8, whatever the file was written in.
    digest
        SHA-256 of the file's bytes, as hexadecimal digits.
    """

    where: str
    data: bytes = field(repr=False)
    digest: str

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
        rows = self._split() if delimiter is None else self._parsed(delimiter)
        width = 0
        for line, fields in rows:
            if len(fields) != width:
                if width:
                    raise self._ragged(line, len(fields), width, delimiter)
                width = len(fields)
            yield line, fields

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
        row = next(self.rows(delimiter), None)
        if row is None:
            raise InputError("the file is empty", EMPTY, where=self.where)
        return row[1]

    def lines(self) -> Iterator[str]:
        """Go through the lines, with their ends."""
        return iter(TextIOWrapper(BytesIO(self.data), encoding="utf-8", newline=""))

    @property
    def delimiter(self) -> str | None:
        """A tab if the first row has one outside quotes, else the first of comma and semicolon."""
        record = _FIRST_RECORD.match(self.data)
        outside = _QUOTED.sub(b"", record[1] if record else b"").decode("ascii", "ignore")
        if "\t" in outside:
            return "\t"
        return next((sign for sign in outside if sign in {",", ";"}), None)

    def _split(self) -> Iterator[Row]:
        for line, text in enumerate(self.lines(), 1):
            if fields := text.split():
                yield line, fields

    def _parsed(self, delimiter: str) -> Iterator[Row]:
        reader = csv.reader(self.lines(), delimiter=delimiter, strict=True)
        line = 1
        try:
            for fields in reader:
                if len(fields) > 1 or (fields and fields[0].strip()):
                    yield line, fields
                line = reader.line_num + 1
        except csv.Error as error:
            raise InputError(
                f"this row breaks the rules of quoting ({error}); a quote is not closed, or text follows it",
                'Quote whole fields, and write a quote inside of them twice: "a ""big"" tree".',
                where=self.where,
                row=line,
            ) from error

    def _ragged(self, line: int, found: int, width: int, delimiter: str | None) -> InputError:
        remedy = (
            "Give every row one name without blanks and one value for each concept."
            if delimiter is None
            else f"Give every row {width} fields, and put fields that contain {delimiter!r} in double quotes."
        )
        return InputError(
            f"{found} field{'s' * (found != 1)} where the first row has {width}",
            remedy,
            where=self.where,
            row=line,
        )


def read_source(path: FilePath) -> Source:
    """Read a text file: UTF-8, or UTF-16 that says so in its first bytes.

    Parameters
    ----------
    path
        The file.

    Returns
    -------
    Source
        Its text.

    Raises
    ------
    InputError
        If there is no such file, it is empty, or it is no text.
    """
    where = os.fspath(path)
    try:
        data = Path(path).read_bytes()
    except FileNotFoundError as error:
        folder = Path(path).parent
        beside = [file.name for file in islice(folder.iterdir(), 1_000)] if folder.is_dir() else []
        raise InputError(
            f"there is no such file{near(Path(path).name, beside)}", "Correct the path.", where=where
        ) from error
    except OSError as error:
        raise InputError(
            f"the file cannot be read: {error.strerror or error}", "Name a file that can be.", where=where
        ) from error
    digest = sha256(data).hexdigest()
    # A mark of two bytes says UTF-16, one of three is allowed in UTF-8.
    utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = data.decode("utf-16" if utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte {error.start:,} is not {'UTF-16' if utf16 else 'UTF-8'} ({error.reason})",
            "Convert the file to UTF-8; export spreadsheets and arrays as CSV.",
            where=where,
        ) from error
    if "\0" in text:
        row = text.count("\n", 0, text.index("\0")) + 1
        raise InputError(
            "a NUL character, which no text contains",
            "Convert the file to UTF-8; export spreadsheets and arrays as CSV.",
            where=where,
            row=row,
        )
    if not text.strip():
        raise InputError("the file is empty", EMPTY, where=where)
    return Source(where, text.encode() if utf16 else data.removeprefix(b"\xef\xbb\xbf"), digest)
