"""Rows of text: split where all fields are plain, otherwise parsed by the rules of quoting."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, islice
from threading import Lock

import numpy as np

from ontoeval.errors import InputError


def plain_blocks(
    data: bytes, begin: int, delimiter: str, width: int, *, size: int = 2**18
) -> Iterator[tuple[int, list[list[str]]]]:
    """Split rows of text for as long as all of them are plain."""
    if width == 1 or data.find(b'"', begin) >= 0:
        return
    while begin < len(data):
        end = data.find(b"\n", begin + size) + 1 or len(data)
        columns = plain_fields(data[begin:end].removesuffix(b"\n"), delimiter, width)
        if columns is None:
            return
        yield end, columns
        begin = end


def plain_fields(block: bytes, delimiter: str, width: int) -> list[list[str]] | None:
    """Split some rows of text."""
    if b"\r" in block:
        block = (block + b"\n").replace(b"\r\n", b"\n")[:-1]
        if b"\r" in block:
            return None
    signs = np.frombuffer(block, dtype=np.uint8)
    ends = np.append(np.flatnonzero(signs == ord("\n")), signs.size)
    found = np.flatnonzero(signs == ord(delimiter))
    if found.size != (width - 1) * ends.size:
        return None
    # As many as there should be may still be in the wrong rows.
    between = found.reshape(ends.size, width - 1)
    if (between[:, -1] > ends).any() or (between[1:, 0] < ends[:-1]).any():
        return None
    fields = block.decode().replace("\n", delimiter).split(delimiter)
    return [fields[column::width] for column in range(width)]


AT_ONCE = 500
"""How many rows are made at once: more of them at a time keep the garbage collector busy."""

LONGEST_FIELD = 2**24
"""How many characters a field in quotes may have: a quote that is never closed takes no more memory."""

_LIMIT = Lock()

Rows = tuple[Sequence[int], list[list[str]]]
"""The line on which each of some rows begins, and their fields."""

_LINE_END = re.compile(r"\r\n|\r|\n")


def split_rows(lines: Iterator[str], line: int, *, at_once: int = AT_ONCE) -> Iterator[Rows]:
    """Split lines at blanks, which no quotes protect."""
    numbered = ((number, text.split()) for number, text in enumerate(lines, line))
    rows = (row for row in numbered if row[1])
    while some := list(islice(rows, at_once)):
        yield [number for number, _ in some], [fields for _, fields in some]


def parsed_rows(
    lines: Iterator[str], line: int, delimiter: str, where: str, *, at_once: int = AT_ONCE
) -> Iterator[Rows]:
    """Parse lines as CSV."""
    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=True)
    begin, wrong = line, None
    while wrong is None:
        rows: list[list[str]] = []
        try:
            with long_fields():
                rows.extend(islice(reader, at_once))
        except csv.Error as error:
            wrong = error  # what precedes it has been kept
        if not rows and wrong is None:
            return
        after = line + reader.line_num
        numbers: Sequence[int] = range(begin, after)
        if wrong is not None or len(numbers) != len(rows):
            *numbers, after = accumulate(map(_height, rows), initial=begin)
        begin = after
        if any(len(fields) <= 1 for fields in rows):
            kept = [n for n, fields in enumerate(rows) if len(fields) > 1 or "".join(fields).strip()]
            numbers, rows = [numbers[n] for n in kept], [rows[n] for n in kept]
        if rows:
            yield numbers, rows
    if "field limit" in str(wrong):
        most = max(LONGEST_FIELD, csv.field_size_limit())
        raise InputError(
            f"a field of more than {most:,} characters; is a quote not closed?",
            'Close it: "sky;sea". Longer texts belong into a file of their own.',
            where=where,
            row=begin,
        ) from wrong
    raise InputError(
        f"this row breaks the rules of quoting ({wrong}); a quote is not closed, or text follows it",
        'Quote whole fields, and write a quote inside of them twice: "a ""big"" tree".',
        where=where,
        row=begin,
    ) from wrong


@contextmanager
def long_fields() -> Iterator[None]:
    """Let the parser take fields of up to `LONGEST_FIELD` characters.

    Python has one limit for all of a program's tables, which holds again afterwards. A higher one
    that the program has set is left.
    """
    with _LIMIT:
        usual = csv.field_size_limit()
        csv.field_size_limit(max(usual, LONGEST_FIELD))
        try:
            yield
        finally:
            csv.field_size_limit(usual)


def _height(fields: list[str]) -> int:
    """Count the lines that a row takes."""
    return 1 + sum(len(_LINE_END.findall(text)) for text in fields)
