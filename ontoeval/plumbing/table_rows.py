"""Rows of tables of text: lines cut at blanks, or parsed as CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate, islice
from threading import Lock

from ontoeval.errors import InputError
from ontoeval.plumbing.text_checks import LONGEST_FIELD, line_ends, refuse_long_row, too_long

_AT_ONCE = 500
"""Rows per block: more would keep the garbage collector busy."""

_LIMIT = Lock()

NumberedRows = tuple[Sequence[int], list[list[str]]]
"""The line on which each of some rows begins, and their fields."""


def split_rows(lines: Iterator[str], line: int, *, at_once: int = _AT_ONCE) -> Iterator[NumberedRows]:
    """Split lines at blanks, which no quotes protect."""
    numbered = ((number, text.split()) for number, text in enumerate(lines, line))
    rows = (row for row in numbered if row[1])
    while some := list(islice(rows, at_once)):
        yield [number for number, _ in some], [fields for _, fields in some]


def parsed_rows(
    lines: Iterator[str], line: int, delimiter: str, *, at_once: int = _AT_ONCE
) -> Iterator[NumberedRows]:
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
            heights = (1 + sum(line_ends(text.encode()) for text in fields) for fields in rows)
            *numbers, after = accumulate(heights, initial=begin)
            for number, fields in zip(numbers, rows, strict=True):
                refuse_long_row(fields, row=number)
        begin = after
        if any(len(fields) <= 1 for fields in rows):
            kept = [n for n, fields in enumerate(rows) if len(fields) > 1 or "".join(fields).strip()]
            numbers, rows = [numbers[n] for n in kept], [rows[n] for n in kept]
        if rows:
            yield numbers, rows
    if "field limit" in str(wrong):
        most = max(LONGEST_FIELD, csv.field_size_limit())
        raise too_long("a field", most, row=begin) from wrong
    problem = f"this row breaks the rules of quoting ({wrong}); a quote is not closed, or text follows it"
    remedy = 'Quote whole fields, and write a quote inside of them twice: "a ""big"" tree".'
    raise InputError(problem, remedy, row=begin) from wrong


@contextmanager
def long_fields() -> Iterator[None]:
    """Raise the parser's limit to fields of `LONGEST_FIELD` characters.

    Python has one limit for the whole program, which is restored afterwards. It is never lowered.
    """
    with _LIMIT:
        usual = csv.field_size_limit()
        csv.field_size_limit(max(usual, LONGEST_FIELD))
        try:
            yield
        finally:
            csv.field_size_limit(usual)
