"""Label files with some rows that cannot be read: all of these rows, and what the others say."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from ontoeval.errors import InputError
from ontoeval.labels.formats import BY_ROWS, PARQUET, Recognised
from ontoeval.labels.recognition import parse
from ontoeval.labels.sources import Source
from ontoeval.labels.statements import Statements, Wanted

MOST = 100
"""How many rows are left out at most before the rest of a file is given up."""

_PORTION = 500
"""How many lines are parsed again for each row that is left out."""

_WORK = 5_000_000
"""How many lines are parsed at most, again and again, where a file has no portions."""

_LINE = re.compile(rb"\r\n|\r|\n")

_Mended = tuple[Source, Statements | None, InputError | None]
"""What is left of some rows, what they say, and what is wrong that lies in no row."""


def parse_what_can_be(
    rows: Source, form: Recognised, wanted: Wanted
) -> tuple[Statements | None, list[InputError]]:
    """Parse a file without the rows that are refused.

    Whatever reads the format refuses one row after the other; each is blanked, and the rows around it
    are parsed again. So all rows are judged by the very rules by which the file is read.
    """
    try:
        return parse(rows, form, wanted), []
    except InputError as error:
        if form.delimiter == PARQUET or rows.files:
            return None, [_in_row(error, rows.where)]
    refused: list[InputError] = []
    times = max(1, _WORK // len(_starts(rows)))
    # What separates the labels and the scores in a field shows in the whole of a file alone.
    if form.format in BY_ROWS and (form.format != "wide" or form.score is None):
        rows, times = _mended_in_portions(rows, form, wanted, refused), MOST
    if len(refused) >= MOST:
        return None, [*refused, _given_up()]
    _, entries, wrong = _mended(rows, form, wanted, refused, times)
    return entries, [*refused, *([] if wrong is None else [wrong])]


def _mended_in_portions(rows: Source, form: Recognised, wanted: Wanted, refused: list[InputError]) -> Source:
    """Leave out the rows that are refused in portions: of themselves, then beside others of their sample."""
    parts = [rows.data[: rows.begin]]
    begins: dict[str, int] = {}
    again: set[int] = set()
    for portion in _portions(rows, form):
        left, entries, _ = _mended(portion, form, wanted, refused, MOST)
        if len(refused) >= MOST:
            return rows
        parts.append(left.data)
        if entries is None or entries.several_rows or entries.starts is None:
            continue
        for sample, line in zip(entries.samples, map(int, entries.starts), strict=True):
            first = begins.setdefault(sample, line)
            if first != line and len(again) < 2 * MOST:
                again |= {first, line}
    rows = replace(rows, data=b"".join(parts))
    met = len(refused)
    if again:
        _mended(_alone(rows, form, sorted(again)), form, wanted, refused, MOST)
        starts = _starts(rows)
        for error in refused[met:]:
            rows = _blanked(rows, form, starts, error.row or 0)
    return rows


def _mended(rows: Source, form: Recognised, wanted: Wanted, refused: list[InputError], times: int) -> _Mended:
    """Leave out one refused row after the other."""
    starts = _starts(rows)
    while not refused or rows.data[rows.begin :].strip():
        try:
            return rows, parse(rows, form, wanted), None
        except InputError as error:
            wrong = _in_row(error, rows.where)
        if wrong.row is None or wrong.row < rows.line:
            return rows, None, wrong
        refused.append(wrong)
        rows = _blanked(rows, form, starts, wrong.row)
        times -= 1
        if len(refused) >= MOST or not times:
            return rows, None, _given_up()
    return rows, None, None


def _portions(rows: Source, form: Recognised) -> Iterator[Source]:
    """Cut rows into portions."""
    starts, begin = _starts(rows), 0
    while begin < len(starts) - 1:
        end = begin
        while end < min(begin + _PORTION, len(starts) - 1):
            end = _end(rows, form, starts, end)
        yield replace(rows, data=rows.data[starts[begin] : starts[end]], begin=0, line=rows.line + begin)
        begin = end


def _alone(rows: Source, form: Recognised, lines: Sequence[int]) -> Source:
    """Keep some rows on their lines, and nothing between them."""
    starts, parts, at = _starts(rows), [], 0
    for begin in (line - rows.line for line in lines):
        end = _end(rows, form, starts, begin)
        parts += [b"\n" * (begin - at), rows.data[starts[begin] : starts[end]]]
        at = end
    return replace(rows, data=b"".join(parts), begin=0)


def _blanked(rows: Source, form: Recognised, starts: Sequence[int], line: int) -> Source:
    """Leave out the row that begins on a line, and keep its line ends."""
    begin = line - rows.line
    end = _end(rows, form, starts, begin)
    blank = re.sub(rb"[^\r\n]", b" ", rows.data[starts[begin] : starts[end]])
    return replace(rows, data=rows.data[: starts[begin]] + blank + rows.data[starts[end] :])


def _starts(rows: Source) -> list[int]:
    """Find where each line begins, and the last ends."""
    ends = (match.end() for match in _LINE.finditer(rows.data, rows.begin))
    return [rows.begin, *ends, len(rows.data)]


def _end(rows: Source, form: Recognised, starts: Sequence[int], begin: int) -> int:
    """Find the line behind the row that begins on a line; one with wrong quotes has no more than its line."""
    if form.delimiter is None or rows.data.find(b'"', starts[begin], starts[begin + 1]) < 0:
        return begin + 1
    try:
        below = replace(rows, begin=starts[begin], line=begin).below(form.delimiter)
    except InputError:
        return begin + 1
    return below.line


def _in_row(error: InputError, where: str) -> InputError:
    """Tell the row of an error that names it with the file, as those about records do."""
    named = re.match(rf"{re.escape(where)}, row ([\d,]+): ", str(error))
    row = int(named[1].replace(",", "")) if named else error.row
    return InputError(error.problem, error.remedy, where=where, row=row)


def _given_up() -> InputError:
    return InputError("what follows was not looked at", "Correct these rows first.")
