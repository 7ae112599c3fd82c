"""Adjacency lists: rows that hold a parent and all its children."""

from __future__ import annotations

from ontoeval.core.ontology_formats import Direction
from ontoeval.ontology.rows import fields_in, rows_of, whole_lines
from ontoeval.ontology.told import Told

_PAIR = 2


def read_adjacency(content: str, *, where: str, direction: Direction | None = None) -> Told:
    """Read rows of a parent and all its children, separated by tabs, commas, semicolons or blanks."""
    downward = direction != "child-parent"
    told = Told(
        f"adjacency list: {'a parent and its children' if downward else 'a child and its parents'} a row"
    )
    for row in rows_of(content, where=where):
        one, *others = [field for field in row.fields if field] or [""]
        told.concepts.setdefault(one)
        for other in others:
            told.add(*((one, other) if downward else (other, one)), "adjacency list")
    return told


def is_adjacency_list(head: str) -> bool:
    """Tell whether a file begins like an adjacency list with tabs."""
    rows = [fields_in(line.rstrip(), "\t") for line in whole_lines(head)]
    below = {name for _, *names in rows for name in names}
    return (
        any(len(row) > _PAIR for row in rows)
        and len(set(map(len, rows))) > 1  # unlike tables, whose rows have a field for each column
        and len({row[0] for row in rows}) == len(rows)
        and any(row[0] in below for row in rows)
        and all(len(set(row)) == len(row) for row in rows)  # unlike tables of numbers
    )
