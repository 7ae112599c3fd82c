"""Hierarchies written as paths or tree numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ontoeval.errors import InputError, ParameterError, enumerate_some
from ontoeval.ontology.raw_ontology import RawOntology
from ontoeval.ontology.triples import Text

_BETWEEN = " > "  # of product taxonomies
_NUMBERED = re.compile(r"(\d+) - (.+)")
_LOOKED_AT = 50
_HEADING = re.compile(r"\s*+(.+);[ \t]*+([A-Z]\d\d(?:\.\d+)*+)[ \t]*+")
_LONGEST = 2**28  # characters of all names together: a file of some megabytes could fill the memory


def are_paths(head: str) -> bool:
    """Whether a file begins like a list of paths whose parts are separated by ``>``."""
    lines = [path for line in head.split("\n") if (path := line.strip()) and not line.startswith("#")]
    numbered = [_NUMBERED.fullmatch(line) for line in lines[:_LOOKED_AT]]
    paths = [match[2] if match else line for line, match in zip(lines, numbered, strict=False)]
    first = [path.split(_BETWEEN)[0] for path in paths if _BETWEEN in path]
    if len(set(first)) == len(first):  # every row begins with something else, as rows of tables do
        return False
    *looked_at, last = paths
    return all(_BETWEEN in path or path in first for path in (looked_at or [last]))


def read_paths(content: str, *, where: str) -> RawOntology:
    """Read a path in each row, from the root down, its parts separated by ``/`` or by ``>`` with blanks."""
    rows = enumerate(content.split("\n"), 1)
    paths = {line.strip(): row for row, line in rows if line.strip() and not line.startswith("#")}
    separator = _BETWEEN if any(_BETWEEN in path for path in paths) else "/"
    numbered = [_NUMBERED.fullmatch(path) for path in paths]
    found = {match[2]: match[1] for match in numbered if match}
    if separator == "/" or len(found) < len(paths):
        return from_paths(paths, separator=separator, where=where, rows=paths)
    rows_of = {match[2]: paths[match[0]] for match in numbered if match}
    return _by_number(from_paths(rows_of, separator=separator, where=where, rows=rows_of), found)


def _by_number(raw: RawOntology, numbers: Mapping[str, str]) -> RawOntology:
    """Name concepts by the numbers of their paths, where they have some."""
    names = {path: numbers.get(path, path) for path in raw.concepts}
    return RawOntology(
        f"{raw.vocabulary}, by number",
        plain=True,
        concepts=dict.fromkeys(names.values()),
        links={(names[parent], names[child]): kind for (parent, child), kind in raw.links.items()},
        labels={name: [[Text(path)]] for path, name in names.items() if name != path},
    )


def from_paths(
    paths: Iterable[str], *, separator: str, where: str = "", rows: Mapping[str, int] | None = None
) -> RawOntology:
    """Make every beginning of a path a concept, below the beginning that is a part shorter."""
    if not isinstance(separator, str) or not separator:
        raise ParameterError("separator", separator, "the sign between the parts of a path, such as '/'")
    if isinstance(paths, str):
        raise ParameterError("paths", paths, "several paths, such as a list of them")
    raw = RawOntology(f"paths, separated by {separator!r}", plain=True)
    length = 0
    for path in paths:
        row = (rows or {}).get(path)
        if not isinstance(path, str):
            raise ParameterError("paths", path, "texts")
        concept, found = path, separator
        while found and concept not in raw.concepts:  # upwards, until what is known
            raw.concepts[concept] = None
            length += len(concept)
            above, found, part = concept.rpartition(separator)
            if not part.strip() or (found and not above.strip()):
                raise _refused(f"a part of the path {path[:80]!r} is empty", where, row)
            if length > _LONGEST:
                raise _refused(
                    f"the path that begins with {path[:40]!r} is too deep to be followed", where, row
                )
            if found:
                raw.link(above, concept, "path")
            concept = above
    if not raw.concepts:
        raise _refused("there are no paths", where, None)
    return raw


def _refused(problem: str, where: str, row: int | None) -> InputError:
    return InputError(problem, "Write paths such as plants/trees, from the root down.", where=where, row=row)


# Tree numbers of MeSH ---------------------------------------------------------------------------------------


def is_tree_numbers(head: str) -> bool:
    """Whether a file begins like the trees of MeSH."""
    lines = [line for line in head.split("\n")[:20] if line.strip()]
    return all(_HEADING.fullmatch(line) for line in (lines[:-1] or lines))  # the last may be cut off


def read_tree_numbers(content: str, *, where: str) -> RawOntology:
    """Read rows of a heading and one of its tree numbers, as ``mtrees2026.bin`` has them."""
    raw = RawOntology("tree numbers of MeSH", plain=True)
    headings: dict[str, str] = {}
    for row, line in enumerate(content.split("\n"), 1):
        match = _HEADING.fullmatch(line)
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
                f"the number {number} stands for {enumerate_some([headings[number], heading])}",
                "Keep one of the rows.",
                where=where,
                row=row,
            )
        raw.concepts.setdefault(heading)
    for number, heading in headings.items():
        above, _, _ = number.rpartition(".")
        if above in headings:
            raw.add(headings[above], heading, "tree numbers")
        elif above:
            raw.unused["tree numbers below one that is missing"].append(heading)
    return raw
