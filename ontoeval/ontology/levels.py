"""Levels: tables with a column for each level of a hierarchy, such as kingdom, phylum, class and order."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from ontoeval.errors import InputError, listed
from ontoeval.ontology.columns import has_titles
from ontoeval.ontology.rows import rows_of
from ontoeval.ontology.told import Told

RANKS = ("domain", "kingdom", "phylum", "class", "order", "family", "genus", "species")
"""The levels of the living, from the top."""

FEWEST = 3
"""Ranks that are no coincidence: many tables have a column "class"."""

_NUMBERED = re.compile(r"(level|tier|lvl|l|cat|category|layer)[ _-]?(\d)")


def levels_in(titles: Sequence[str]) -> list[int]:
    """Find the columns that hold the levels of a hierarchy."""
    names = [title.strip().casefold() for title in titles]
    ranks = [names.index(rank) for rank in RANKS if rank in names]
    if len(ranks) >= FEWEST:
        return ranks
    found = [(number, match) for number, name in enumerate(names) if (match := _NUMBERED.fullmatch(name))]
    digits = [int(match[2]) for _, match in found]
    same = len({match[1] for _, match in found}) == 1
    in_turn = digits[:1] in ([0], [1]) and digits == list(range(digits[0], digits[0] + len(digits)))
    return [number for number, _ in found] if len(found) > 1 and same and in_turn else []


def is_level_table(head: str) -> bool:
    """Tell whether a file begins like a table of levels."""
    try:
        first = next(rows_of(head, where=""), None)
    except InputError:
        return False
    return first is not None and bool(levels_in(first.fields)) and not has_titles(first.fields)


def read_levels(content: str, *, where: str) -> Told:
    """Read rows in which what stands in one column lies below what stands in the column before."""
    rows = rows_of(content, where=where)
    first = next(rows, None)
    titles = first.fields if first else []
    columns = levels_in(titles) or list(range(len(titles)))
    told = Told(f"levels: the columns {listed(titles[column] for column in columns)}")
    missing = [""] * len(titles)  # what is empty at the end is often left away
    lines = ([*row.fields, *missing] for row in rows)
    follow_levels(told, ([fields[column] for column in columns] for fields in lines), where=where)
    return told


def follow_levels(told: Told, rows: Iterable[Sequence[str]], *, where: str) -> None:
    """Link what stands in each row, from the top to the bottom."""
    above: dict[str, str] = {}
    for names in rows:
        parent = ""
        for name in names:
            if not name or name == parent:
                continue
            if above.setdefault(name, parent) != parent:
                both = [known or "nothing" for known in (above[name], parent)]
                raise InputError(
                    f"{name!r} stands below {both[0]!r} in one row and below {both[1]!r} in another",
                    "Give it a name of its own in each place, or write a table with the columns parent and "
                    "child if it has several parents.",
                    where=where,
                )
            told.concepts.setdefault(name)
            if parent:
                told.link(parent, name, "levels")
            parent = name
