"""Tables whose columns go by name: concept lists, concept maps, one number for each concept."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from ontoeval.core.roles import SAMPLE, plain, positions, sample_positions
from ontoeval.errors import InputError, listed
from ontoeval.labels.tables import Source


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
                f"{len(places) or 'no'} columns for the {role} among {listed(header)}",
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
