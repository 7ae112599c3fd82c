"""Encodings: what the first bytes of a file say of its text, and byte order marks inside of the text."""

from __future__ import annotations

import re
from shlex import quote

from ontoeval.errors import InputError

MARK = "\ufeff"
"""The byte order mark, with which UTF-8 may begin."""

_WIDE = {b"\xff\xfe\0\0": "UTF-32", b"\0\0\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
_INSIDE = re.compile(rb"\xef\xbb\xbf(?<![^\r\n]\xef\xbb\xbf)")  # at the beginning of a line
_LINE_END = re.compile(rb"\r\n|\r|\n")


def wide_encoding(data: bytes) -> str:
    """Tell UTF-16 and UTF-32 by the byte order mark with which they begin; "" for all else."""
    return next((name for mark, name in _WIDE.items() if data.startswith(mark)), "")


def to_convert(encoding: str, *, where: str) -> InputError:
    """Say that a file is to be converted to UTF-8, and how."""
    remedy = f"Convert the file, for example with: iconv -f {encoding.lower()} -t utf-8 {quote(where)}"
    return InputError(f"the file is in {encoding}", remedy, where=where)


def refuse_inner_mark(data: bytes, *, where: str, line: int = 1) -> None:
    """Refuse a text of UTF-8 whose lines begin with a byte order mark: there another file begins."""
    mark = _INSIDE.search(data)
    if mark is not None:
        raise InputError(
            "a byte order mark (U+FEFF) begins this row, so another file begins here",
            "Join files without their marks and headers, or remove the mark.",
            where=where,
            row=len(_LINE_END.findall(data, 0, mark.start())) + line,
        )
