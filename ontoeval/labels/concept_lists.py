"""Concept lists, and maps from the labels that files use to concepts."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ontoeval.core.files import FilePath
from ontoeval.core.roles import SAMPLE, plain, positions, sample_positions
from ontoeval.errors import InputError, enumerate_some
from ontoeval.labels.sources import Source, read_source


def columns_by_role(
    source: Source, header: list[str], roles: Mapping[str, Collection[str]]
) -> dict[str, int]:
    """Find the position of each column that is needed, by the names that it may have."""
    names = [plain(name) for name in header]
    found: dict[str, int] = {}
    for role, accepted in roles.items():
        places = sample_positions(names) if accepted is SAMPLE else positions(names, accepted)
        if len(places) != 1:
            raise InputError(
                f"{len(places) or 'no'} columns for the {role} among {enumerate_some(header)}",
                f"Let the first line name the columns: {','.join(roles)}.",
                where=source.where,
                row=1,
            )
        found[role] = places[0]
    return found


def rows_by_role(
    source: Source, roles: Mapping[str, Collection[str]]
) -> Iterator[tuple[int, dict[str, str]]]:
    """Go through the rows of a table whose first row names its columns."""
    delimiter = source.delimiter or ","
    position = columns_by_role(source, source.first(delimiter), roles)
    for line, fields in source.below(delimiter).rows(delimiter):
        content = {role: fields[column].strip() for role, column in position.items()}
        for role, text in content.items():
            if not text:
                raise InputError(f"the {role} is empty", "Fill it in.", where=source.where, row=line)
        yield line, content


HEADER = ("concept", "name", "label")
"""What the column of a concept list may be called; the first of these that is there counts."""

_MAP = {"label": {"label", "name", "tag"}, "concept": {"concept", "iri", "uri"}}


@dataclass(frozen=True)
class ConceptList:
    """Concepts as a user lists them."""

    spellings: tuple[str, ...]
    places: tuple[str, ...]
    where: str


def read_concepts(
    source: FilePath | Iterable[str], *, concept_map: FilePath | Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """Read which concepts there are, in their order.

    Parameters
    ----------
    source
        A file with one name per line, or with a header and a column called "concept", "name" or
        "label"; or the names themselves.
    concept_map
        Translates the names: see `read_concept_map`.

    Returns
    -------
    tuple of str
        The names, translated where the map has them, and otherwise as they are written.

    Raises
    ------
    InputError
        If the file cannot be read, a name is empty, or there twice.

    Examples
    --------
    >>> read_concepts(["Sky", "Trees"], concept_map={"Trees": "trees"})
    ('Sky', 'trees')
    """
    translate = {} if concept_map is None else read_concept_map(concept_map)
    return tuple(translate.get(name, name) for name in concept_list(source).spellings)


def concept_list(source: FilePath | Iterable[str]) -> ConceptList:
    """Read a concept list and where its names stand; see `read_concepts`."""
    if isinstance(source, str | os.PathLike):
        file = read_source(source)
        where, numbered = file.where, [(name.strip(), f"row {line:,}") for line, name in _named(file)]
    else:
        where = "the list of concepts"
        numbered = [(str(name).strip(), f"position {number:,}") for number, name in enumerate(source, 1)]
    first: dict[str, str] = {}
    for name, place in numbered:
        if not name:
            raise InputError(f"{place} names no concept", "Fill it in.", where=where)
        if name in first:
            raise InputError(
                f"{name!r} is listed twice, in {first[name]} and {place}", "Keep one.", where=where
            )
        first[name] = place
    if not first:
        raise InputError("there is no concept below the header", "Name at least one.", where=where)
    return ConceptList(tuple(first), tuple(first.values()), where)


def _named(source: Source) -> list[tuple[int, str]]:
    delimiter = source.delimiter
    header = [plain(name) for name in source.first(delimiter or ",")]
    column = next((header.index(name) for name in HEADER if name in header), None)
    if column is not None:
        rows = source.below(delimiter or ",").rows(delimiter or ",")
        return [(line, fields[column]) for line, fields in rows]
    if delimiter == "\t" or (delimiter is not None and _is_table(source, delimiter)):
        raise InputError(
            f"several columns, {enumerate_some(source.first(delimiter))}, and none is called "
            "'concept', 'name' or 'label'",
            "Let the first line name the columns; where each line is one name, let the first be 'concept', "
            "and quote names that hold commas.",
            where=source.where,
            row=1,
        )
    # A plain list needs no quotes: "Male speech, man speaking" is one name.
    return list(source.numbered_lines())


def _is_table(source: Source, delimiter: str) -> bool:
    """Tell whether all rows have as many fields, and not only because of commas within names.

    In a name a blank follows the comma; in a table hardly ever.
    """
    first = next(text for text in source.lines() if text.strip())
    if re.search(rf"{delimiter}\S", first) is None:
        return False
    try:
        widths = {len(fields) for _, fields in source.rows(delimiter)}
    except InputError:  # rows of several widths, or quotes within names
        return False
    return widths != {1}


def read_concept_map(source: FilePath | Mapping[str, str]) -> Mapping[str, str]:
    """Read what the labels of a file stand for.

    Parameters
    ----------
    source
        A CSV or TSV file with the columns "label" and "concept", or a mapping. Several labels may
        stand for one concept.

    Returns
    -------
    mapping of str to str
        For each label the concept: its name, label, CURIE or IRI.

    Raises
    ------
    InputError
        If the file cannot be read, a column is not there, or a label stands for two concepts.

    Examples
    --------
    >>> dict(read_concept_map({"Trees": "http://example.org/photo#trees"}))
    {'Trees': 'http://example.org/photo#trees'}
    """
    if isinstance(source, Mapping):
        return MappingProxyType(dict(source))
    file = read_source(source)
    found: dict[str, str] = {}
    for line, row in rows_by_role(file, _MAP):
        if found.setdefault(row["label"], row["concept"]) != row["concept"]:
            raise InputError(
                f"{row['label']!r} stands for {found[row['label']]!r} and for {row['concept']!r}",
                "Keep one of these rows.",
                where=file.where,
                row=line,
            )
    return MappingProxyType(found)
