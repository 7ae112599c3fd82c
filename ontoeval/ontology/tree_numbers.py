"""Tree numbers: the trees of MeSH, whose numbers say what lies below what."""

from __future__ import annotations

import re

from ontoeval.errors import InputError, listed
from ontoeval.ontology.sources import with_newlines
from ontoeval.ontology.told import Told

_ROW = re.compile(r"\s*+(.+);[ \t]*+([A-Z]\d\d(?:\.\d+)*+)[ \t]*+")
_LOOKED_AT = 20


def is_tree_numbers(head: str) -> bool:
    """Tell whether a file begins like the trees of MeSH."""
    lines = [line for line in head.split("\n")[:_LOOKED_AT] if line.strip()]
    return all(_ROW.fullmatch(line) for line in (lines[:-1] or lines))  # the last may be cut off


def read_tree_numbers(content: str, *, where: str) -> Told:
    """Read rows of a heading and one of its tree numbers, as ``mtrees2026.bin`` has them."""
    told = Told("tree numbers of MeSH", plain=True)
    headings: dict[str, str] = {}
    for row, line in enumerate(with_newlines(content).split("\n"), 1):
        match = _ROW.fullmatch(line)
        if match is None and line.strip():
            raise InputError(
                f"this row holds {line.strip()[:40]!r}, no heading and tree number",
                "Write a row such as: Breast;A01.236",
                where=where,
                row=row,
            )
        if match is None:
            continue
        heading, number = match[1].strip(), match[2]
        if headings.setdefault(number, heading) != heading:
            raise InputError(
                f"the number {number} stands for {listed([headings[number], heading])}",
                "Keep one of the rows.",
                where=where,
                row=row,
            )
        told.concepts.setdefault(heading)
    for number, heading in headings.items():
        above, _, _ = number.rpartition(".")
        if above in headings:
            told.add(headings[above], heading, "tree numbers")
        elif above:
            told.unused["tree numbers below one that is missing"].append(heading)
    return told
