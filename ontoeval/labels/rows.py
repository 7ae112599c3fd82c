"""Rows of text: parsed by the rules of quoting, or split at blanks; with their lines, some at a time."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, islice
from threading import Lock

from ontoeval.errors import InputError

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
