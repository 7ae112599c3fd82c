"""Edge lists: rows that hold a parent and a child."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain

from ontoeval.core.ontology_formats import Direction
from ontoeval.errors import InputError
from ontoeval.ontology.columns import Layout, has_titles, layout
from ontoeval.ontology.rows import LOOKED_AT, Row, delimiter_of, fields_in, rows_of, whole_lines
from ontoeval.ontology.titled import read_titled
from ontoeval.ontology.told import Told

_PAIR = 2
_BULLETS = (["-"], ["*"], ["+"])
_NUMBER = re.compile(r"[+-]?(?:\d++(?:\.\d++)?|\.\d++)(?:[eE][+-]?\d++)?")
_TOPIC = re.compile(
    r"^parent:[ \t]*+(\S++)[ \t]++child:[ \t]*+(\S++)(?:[ \t]++child-description:[ \t]*+([^\n]*+))?$",
    re.MULTILINE,
)
"""A row of the topics of RCV1, which says itself what is in it."""


def read_edges(content: str, *, where: str, direction: Direction | None = None) -> Told:
    """Read rows of a parent and a child, separated by tabs, commas, semicolons or blanks.

    Titles of the columns say which is which; without titles parents come first. A child without a
    parent is a root. Rows that begin with ``#`` are comments.
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
    if not columns.titled and direction is None and _may_be_a_table_of_names(told):
        raise InputError(
            f"each of its {len(told.links):,} rows stands alone: this may be a table of names, or of "
            "children before their parents",
            "If it is a hierarchy, say which end comes first (direction=, --direction): parent-child or "
            "child-parent.",
            where=where,
        )
    return told


def is_edge_list(head: str) -> bool:
    """Tell whether a file begins like an edge list."""
    lines = whole_lines(head)[:LOOKED_AT]
    if lines and _TOPIC.match(lines[0]):
        return True
    delimiter = delimiter_of(lines)
    rows = [fields_in(line, delimiter) for line in lines]
    if any(row[:1] in _BULLETS for row in rows):  # an outline
        return False
    return bool(rows) and (has_titles(rows[0]) or all(len(_clipped(row)) == _PAIR for row in rows))


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
