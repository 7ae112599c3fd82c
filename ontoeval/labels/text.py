"""Text out of bytes."""

from __future__ import annotations

import re
from codecs import getincrementaldecoder

from ontoeval.core.encodings import MARK, refuse_inner_mark, to_convert, wide_encoding
from ontoeval.core.files import File
from ontoeval.errors import InputError

EMPTY = "Write at least a header and one row."

_MARK = MARK.encode()
_NO_TEXT = "Convert the file to UTF-8; export spreadsheets and arrays as CSV."
_STEP = 2**20
# Quotes of the wrong kind are meant as JSON, too: its reader says what is wrong with them.
_JSON = re.compile(rb"""\s*+(?:\{\s*+["']|\[\s*+["'\[{]|[{\[]\s*+[}\]]?[ \t]*+(?:\Z|[\r\n]))""")
_LINE_END = re.compile(rb"\r\n|\r|\n")


def text_of(file: File, line: int = 1) -> bytes:
    """Take the text of a file: UTF-8, or UTF-16 that says so in its first bytes."""
    data = _as_utf8(file.data, file.where, line)
    refuse_inner_mark(data, where=file.where, line=line)
    _refuse_nul(data, file.where, line)
    if not data or data.isspace():
        raise InputError("the file is empty", EMPTY, where=file.where)
    return data


def refuse_binary(file: File) -> None:
    """Refuse a file whose beginning no text has; UTF-16, which says so, is text."""
    if not wide_encoding(file.data):
        _refuse_nul(file.data, file.where, 1)


def _refuse_nul(data: bytes, where: str, line: int) -> None:
    nul = data.find(b"\0")
    if nul >= 0:
        row = data.count(b"\n", 0, nul) + line
        raise InputError("a NUL character, which no text contains", _NO_TEXT, where=where, row=row)


def is_json(text: bytes) -> bool:
    """Tell whether a text is meant to be JSON."""
    return _JSON.match(text) is not None


def _as_utf8(data: bytes, where: str, line: int) -> bytes:
    wide = wide_encoding(data)
    if wide == "UTF-32":
        raise to_convert(wide, where=where)
    utf16 = wide == "UTF-16"
    try:
        if utf16:
            data = data.decode("utf-16").encode()
        elif not data.isascii():
            _decode(data)
    except UnicodeDecodeError as error:
        raise InputError(
            f"byte {error.start:,} is not {'UTF-16' if utf16 else 'UTF-8'} ({error.reason})",
            _NO_TEXT,
            where=where,
            row=None if utf16 else line + len(_LINE_END.findall(data, 0, error.start)),
        ) from error
    return data.removeprefix(_MARK) if line == 1 else data


def _decode(data: bytes) -> None:
    """Decode a text piece by piece, so that there is never all of it twice."""
    decoder = getincrementaldecoder("utf-8")()
    try:
        for begin in range(0, len(data), _STEP):
            decoder.decode(data[begin : begin + _STEP], final=begin + _STEP >= len(data))
    except UnicodeDecodeError:
        data.decode()  # says where in the whole file
