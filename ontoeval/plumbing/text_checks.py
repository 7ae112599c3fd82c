"""Checks of text and of the rows of tables, alike for label files and hierarchies."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder
from collections.abc import Iterator, Sequence
from shlex import quote

from ontoeval.errors import InputError, enumerate_some
from ontoeval.plumbing.files import STEP

# Encodings --------------------------------------------------------------------------------------------------

MARK = "\ufeff"
"""The byte order mark, which may begin a file in UTF-8."""

_WIDE = {b"\xff\xfe\0\0": "UTF-32", b"\0\0\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_INSIDE = re.compile(rb"\xef\xbb\xbf(?<![^\r\n]\xef\xbb\xbf)")  # at the beginning of a line
_LINE_END = re.compile(rb"\r\n|\r|\n")


def wide_encoding(data: bytes) -> str:
    """UTF-16 or UTF-32, by the byte order mark at the beginning; "" for all else."""
    return next((name for mark, name in _WIDE.items() if data.startswith(mark)), "")


def to_convert(encoding: str, *, where: str) -> InputError:
    """Error for a file in another encoding, with the command that converts the file to UTF-8."""
    remedy = f"Convert the file, for example with: iconv -f {encoding.lower()} -t utf-8 {quote(where)}"
    return InputError(f"the file is in {encoding}", remedy)


def refuse_inner_mark(data: bytes, *, line: int = 1) -> None:
    """Refuse UTF-8 with a byte order mark at the beginning of a line: files were joined there."""
    mark = _INSIDE.search(data)
    if mark is not None:
        raise InputError(
            "a byte order mark (U+FEFF) begins this row, so another file begins here",
            "Join files without their marks and headers, or remove the mark.",
            row=line_ends(data, mark.start()) + line,
        )


def line_ends(data: bytes, end: int | None = None) -> int:
    """Count the ends of lines, of which a carriage return and a newline are one."""
    end = len(data) if end is None else end
    return len(_LINE_END.findall(data, 0, end)) if b"\r" in data else data.count(b"\n", 0, end)


def lines_of(text: str) -> Iterator[str]:
    """Split a text at its line feeds, a piece at a time: lines take several times the memory of a text."""
    begin = 0
    while begin <= len(text):
        end = text.find("\n", begin + STEP)
        end = len(text) if end < 0 else end
        yield from text[begin:end].split("\n")
        begin = end + 1


def utf8_of(data: bytes, *, where: str, line: int = 1) -> bytes:
    """Text of a file or of its lines from `line` on, as UTF-8: from UTF-8, or UTF-16 with its mark."""
    wide = wide_encoding(data)
    if wide == "UTF-32":
        raise to_convert(wide, where=where)
    try:
        if wide:
            data = data.decode("utf-16").encode()
        elif not data.isascii():
            _decode(data)
    except UnicodeDecodeError as error:
        raise InputError(
            f"the byte 0x{data[error.start]:02X} is not {wide or 'UTF-8'}",
            f"Convert the file to UTF-8 (iconv -f {wide.lower() or 'latin1'} -t utf-8 {quote(where)}).",
            row=None if wide else line + line_ends(data, error.start),
        ) from error
    data = data.removeprefix(MARK.encode()) if line == 1 else data
    refuse_inner_mark(data, line=line)
    refuse_nul(data, line=line)
    return data


def _decode(data: bytes) -> None:
    """Decode a text piece by piece, so that memory never holds all of it twice."""
    decoder = getincrementaldecoder("utf-8")()
    try:
        for begin in range(0, len(data), STEP):
            decoder.decode(data[begin : begin + STEP], final=begin + STEP >= len(data))
    except UnicodeDecodeError:
        data.decode()  # reports the place in the whole file


def refuse_nul(data: bytes, *, line: int = 1) -> None:
    """Refuse NUL characters: most often of another kind of file, or UTF-16 without its mark."""
    nul = data.find(b"\0")
    if nul >= 0:
        raise InputError(
            "a NUL character, which no text contains",
            "Convert the file to UTF-8; export spreadsheets and arrays as CSV.",
            row=line_ends(data, nul) + line,
        )


# Bounds -----------------------------------------------------------------------------------------------------

LONGEST_ROW = 2**26
"""Most bytes of a row of text."""

LONGEST_FIELD = 2**24
"""Most characters of a field, or of a literal; bounds the memory that an unclosed quote takes."""

ENDS = (b"\n", b"\r")
"""Ends of rows."""


def refuse_long(data: bytes, what: str, most: int, ends: Sequence[bytes] = ENDS, *, line: int = 1) -> None:
    """Refuse a text with more than `most` bytes between two of some signs."""
    begin = 0
    while len(data) - begin > most:
        begin, start = 1 + max(data.rfind(sign, begin, begin + most + 1) for sign in ends), begin
        if not begin:
            raise too_long(what, most, row=line_ends(data, start) + line)


def too_long(what: str, most: int, *, row: int | None) -> InputError:
    """Error for a row or a text beyond the bounds, which hold whatever memory there is."""
    return InputError(
        f"{what} of more than {most // 2**20} MiB, the most that is read",
        "Close quotes, end each row with a newline, and keep long texts in a file of their own.",
        row=row,
    )


def refuse_long_row(fields: Sequence[str], *, row: int) -> None:
    """Refuse a row of a table beyond the bounds, which may go over several lines."""
    lengths = list(map(len, fields))
    for what, length, most in (
        ("field", max(lengths, default=0), LONGEST_FIELD),
        ("row", sum(lengths), LONGEST_ROW),
    ):
        if length > most:
            raise too_long(f"a {what}", most, row=row)


# Rows -------------------------------------------------------------------------------------------------------


def repeated_header(header: Sequence[str], *, begins: bool = True) -> tuple[str, str]:
    """Problem and remedy of a row with the fields of a header, in any order: files were joined."""
    return (
        f"this row {'repeats the' if begins else 'is a'} header: {enumerate_some(header)}",
        "Remove the row: of files that are joined, only the first keeps its header.",
    )


def ragged(found: int, width: int, delimiter: str | None) -> tuple[str, str]:
    """Problem and remedy of a row with another number of fields than the first."""
    return (
        f"{found} field{'s' * (found != 1)} where the first row has {width}",
        "Give every row one name without blanks and one value for each concept."
        if delimiter is None
        else f"Give every row {width} fields, and put fields that contain {delimiter!r} in double quotes.",
    )
