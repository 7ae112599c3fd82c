"""Edits: a text file with some rows changed, and all others as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice
from typing import NamedTuple

from ontoeval.labels.rows import parsed_rows
from ontoeval.labels.tables import Source


class Edit(NamedTuple):
    """A change of a row."""

    begin: int
    change: Callable[[str], str]


def edited(rows: Source, delimiter: str | None, edits: Iterable[Edit]) -> Iterator[str]:
    """Change some rows of a text."""
    lines, at = rows.lines(), rows.line
    for begin, change in edits:
        yield from islice(lines, begin - at)
        taken = _row(lines, delimiter, rows.where)
        yield change("".join(taken))
        at = begin + len(taken)
    yield from lines


def _row(lines: Iterator[str], delimiter: str | None, where: str) -> list[str]:
    """Take the lines of a row, which is not blank, and none behind it."""
    taken = [next(lines)]
    if delimiter is not None and '"' in taken[0]:

        def more(line: str) -> str:
            taken.append(line)
            return line

        # One row at once: the parser asks for no line behind it.
        next(parsed_rows(chain(taken[:1], map(more, lines)), 0, delimiter, where, at_once=1))
    return taken
