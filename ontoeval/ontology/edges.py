"""Edge lists: rows that hold a parent and a child, or a parent and all its children."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from io import StringIO
from itertools import chain, islice
from typing import NamedTuple

from ontoeval.errors import InputError
from ontoeval.ontology.columns import Layout, has_titles, layout
from ontoeval.ontology.sources import with_newlines
from ontoeval.ontology.titled import read_titled
from ontoeval.ontology.told import Told
from ontoeval.ontology_formats import Direction

_DELIMITERS = ("\t", ",", ";")  # else blanks
_PAIR = 2
_BULLETS = (["-"], ["*"], ["+"])
_NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d++)?|\.\d++)(?:[eE][+-]?\d++)?")
_TOPIC = re.compile(
    r"^parent:[ \t]*+(\S++)[ \t]++child:[ \t]*+(\S++)(?:[ \t]++child-description:[ \t]*+([^\n]*+))?$",
    re.MULTILINE,
)
"""A row of the topics of RCV1, which says itself what is in it."""

_LOOKED_AT = 50  # rows that tell how a file is written


class Row(NamedTuple):
    """A row that is neither blank nor a comment.

    Parameters
    ----------
    number
        Its number in the file, counted from 1.
    fields
        What it holds, without blanks around it.
    """

    number: int
    fields: Sequence[str]


def read_edges(content: str, *, where: str, direction: Direction | None = None) -> Told:
    r"""Read rows of a parent and a child, separated by tabs, commas, semicolons or blanks.

    Titles of the columns say which is which; without titles parents come first. A child without a
    parent is a root. Rows that begin with ``#`` are comments.

    Parameters
    ----------
    content
        The file.
    where
        Its name.
    direction
        What comes first where columns have no titles.

    Returns
    -------
    Told
        The concepts.

    Raises
    ------
    InputError
        If a row is no link, or it cannot be told which end is the parent.
    ParameterError
        If the titles say something else than `direction`.

    Examples
    --------
    >>> read_edges("child,parent\ncat,animal\n", where="animals.csv").links
    {('animal', 'cat'): 'edge list'}
    """
    topics = _TOPIC.match(content) is not None
    rows = rows_of(_TOPIC.sub(r"\1\t\2\t\3", content) if topics else content, where=where)
    first = next(rows, None)
    if first is None:
        return Told("edge list")
    if topics:
        rows, first = chain([first], rows), Row(0, ("parent", "child", "name"))
    columns = layout(_clipped(first.fields), direction, where=where, row=first.number)
    told = Told(f"edge list: {columns.said}")
    if columns.titled:
        read_titled(told, [_fields_of(row, columns, where=where) for row in rows], columns, where=where)
    else:
        for row in chain([first], rows):
            fields = _fields_of(row, columns, where=where)
            parent, child = fields[columns.parent], fields[columns.child]
            if parent:
                told.add(parent, child, "edge list")
            else:
                told.concepts.setdefault(child)
    told.plain = told.has_plain_names()
    if not columns.titled and direction is None and _may_be_a_table_of_names(told):
        raise InputError(
            f"each of its {len(told.links):,} rows stands alone: this may be a table of names, or of "
            "children before their parents",
            "If it is a hierarchy, say which end comes first (direction=, --direction): parent-child or "
            "child-parent.",
            where=where,
        )
    return told


def read_adjacency(content: str, *, where: str, direction: Direction | None = None) -> Told:
    r"""Read rows of a parent and all its children, separated by tabs, commas, semicolons or blanks.

    Parameters
    ----------
    content
        The file.
    where
        Its name.
    direction
        "child-parent" where each row holds a child and its parents.

    Returns
    -------
    Told
        The concepts.

    Raises
    ------
    InputError
        If a row cannot be read.

    Examples
    --------
    >>> list(read_adjacency("Root\tanimal\tplant\nanimal\tcat\n", where="taxonomy.txt").links)
    [('Root', 'animal'), ('Root', 'plant'), ('animal', 'cat')]
    """
    downward = direction != "child-parent"
    told = Told(
        f"adjacency list: {'a parent and its children' if downward else 'a child and its parents'} a row"
    )
    for row in rows_of(content, where=where):
        one, *others = [field for field in row.fields if field] or [""]
        told.concepts.setdefault(one)
        for other in others:
            told.add(*((one, other) if downward else (other, one)), "adjacency list")
    told.plain = told.has_plain_names()
    return told


def is_edge_list(head: str) -> bool:
    r"""Tell whether a file begins like an edge list.

    Parameters
    ----------
    head
        Its beginning.

    Returns
    -------
    bool
        Whether titles name parents and children, or all rows hold two fields.

    Examples
    --------
    >>> is_edge_list("animal cat\nanimal dog\n"), is_edge_list("Once upon a time\n")
    (True, False)
    """
    lines = _complete(head)[:_LOOKED_AT]
    if lines and _TOPIC.match(lines[0]):
        return True
    delimiter = _delimiter(lines)
    rows = [_split(line, delimiter) for line in lines]
    if any(row[:1] in _BULLETS for row in rows):  # an outline
        return False
    return bool(rows) and (has_titles(rows[0]) or all(len(_clipped(row)) == _PAIR for row in rows))


def is_adjacency_list(head: str) -> bool:
    r"""Tell whether a file begins like an adjacency list with tabs.

    Parameters
    ----------
    head
        Its beginning.

    Returns
    -------
    bool
        Whether rows have different lengths, none begins like another, and what begins one row
        follows in another.

    Examples
    --------
    >>> is_adjacency_list("Root\tanimal\tplant\nanimal\tcat\n")
    True
    """
    rows = [_split(line.rstrip(), "\t") for line in _complete(head)]
    below = {name for _, *names in rows for name in names}
    return (
        any(len(row) > _PAIR for row in rows)
        and len(set(map(len, rows))) > 1  # unlike tables, whose rows have a field for each column
        and len({row[0] for row in rows}) == len(rows)
        and any(row[0] in below for row in rows)
        and all(len(set(row)) == len(row) for row in rows)  # unlike tables of numbers
    )


def rows_of(content: str, *, where: str) -> Iterator[Row]:
    r"""Go through the rows that are neither blank nor comments.

    Parameters
    ----------
    content
        The file.
    where
        Its name.

    Yields
    ------
    Row
        A row.

    Raises
    ------
    InputError
        If quotes are wrong.

    Examples
    --------
    >>> [row.fields for row in rows_of("# links\nanimal,cat\n", where="animals.csv")]
    [['animal', 'cat']]
    """
    content = with_newlines(content)
    delimiter = _delimiter(_lines(content, most=_LOOKED_AT))
    if delimiter is not None and '"' in content:
        yield from _quoted_rows(content, delimiter, where=where)
    else:
        for number, line in enumerate(content.split("\n"), 1):
            fields = _split(line, delimiter)
            if any(fields) and not line.startswith("#"):
                yield Row(number, fields)


def _quoted_rows(content: str, delimiter: str, *, where: str) -> Iterator[Row]:
    """Go through rows with quotes; Python's own reader has one limit to fields for all that use it."""
    pattern = re.compile(rf' *+(?:"((?:[^"]++|"")*+)" *+|((?!")[^{delimiter}\n]*+))({delimiter}|\n|\Z)')
    fields: list[str] = []
    position, begin, row = 0, 1, 1
    while position < len(content):
        if not fields and content[position] == "#":  # whose quotes mean nothing
            position = (content.find("\n", position) + 1) or len(content)
            begin = row = row + 1
            continue
        match = pattern.match(content, position)
        if match is None:
            raise InputError(
                "the quotes are wrong: one is not closed, or text follows it",
                'Quote whole fields, and write a quote inside of them twice: "a ""big"" tree".',
                where=where,
                row=row,
            )
        quoted, bare, end = match.groups()
        fields.append((bare if quoted is None else quoted.replace('""', '"')).strip())
        position = match.end()
        row += match[0].count("\n")
        if end != delimiter or position == len(content):
            if any(fields):
                yield Row(begin, fields if end != delimiter else [*fields, ""])
            fields, begin = [], row


def _fields_of(row: Row, columns: Layout, *, where: str) -> Sequence[str]:
    """Give the fields of a row that states a link, or names a root."""
    fields = row.fields
    if len(fields) != columns.width:
        fields = _clipped(fields, columns.width)
        if columns.titled:  # what is empty at the end is often left away
            fields = [*fields, *[""] * (columns.width - len(fields))]
    may_be_root = columns.titled or columns.child < columns.parent
    if (
        len(fields) != columns.width
        or not fields[columns.child]
        or not (fields[columns.parent] or may_be_root)
    ):
        due = f"{columns.width} fields are due" if columns.titled else "a parent and a child are due"
        raise InputError(
            f"{len(list(filter(None, row.fields))):,} fields where {due}: {' '.join(row.fields[:9])[:40]!r}",
            "Correct the row.",
            where=where,
            row=row.number,
        )
    return fields


def _may_be_a_table_of_names(told: Told) -> bool:
    """Tell whether no parent has two children and none is the child of another."""
    parents = [parent for parent, _ in told.links]
    children = {child for parent, child in told.links if child != parent}
    return len(told.links) > 1 and len(set(parents)) == len(parents) and children.isdisjoint(parents)


def _clipped(fields: Sequence[str], width: int = _PAIR) -> Sequence[str]:
    """Drop what trails behind the fields: empty ones, and the attributes and weights of networkx."""
    rest = fields[width:]
    if not any(rest) or (width == _PAIR and (rest[0].startswith("{") or _has_weight(fields))):
        return fields[:width]
    return fields


def _has_weight(fields: Sequence[str]) -> bool:
    """Tell whether two names and a number stand in a row."""
    return [_NUMBER.fullmatch(field) is not None for field in fields] == [False, False, True]


def _split(line: str, delimiter: str | None) -> list[str]:
    if delimiter is None:
        return line.split()
    fields = next(csv.reader([line], delimiter=delimiter)) if '"' in line else line.split(delimiter)
    return [field.strip() for field in fields]


def _delimiter(lines: Sequence[str]) -> str | None:
    """Find what separates the fields: what stands in every row, or between titles."""
    for delimiter in _DELIMITERS:
        if lines and (all(delimiter in line for line in lines) or has_titles(lines[0].split(delimiter))):
            return delimiter
    return None


def _complete(head: str) -> list[str]:
    """List the rows of a beginning; its last may be cut off."""
    lines = _lines(head)
    return lines if len(lines) == 1 or head.endswith("\n") else lines[:-1]


def _lines(content: str, *, most: int | None = None) -> list[str]:
    """List the rows that are neither blank nor comments."""
    lines = (line for line in StringIO(content) if line.strip() and not line.startswith("#"))
    return list(islice(lines, most))
