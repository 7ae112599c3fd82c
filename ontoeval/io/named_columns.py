"""Tables whose columns go by name: concept lists, concept maps, one number for each concept."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from itertools import islice

from ontoeval.errors import InputError, listed
from ontoeval.io.tables import Source
from ontoeval.roles import plain


def columns_by_role(
    source: Source, header: list[str], roles: Mapping[str, Collection[str]]
) -> dict[str, int]:
    """Find the columns of a table by their names.

    Parameters
    ----------
    source
        The file, for messages.
    header
        The first row.
    roles
        For each column that is needed, the names it may have, in lower case.

    Returns
    -------
    dict
        The position of each.

    Raises
    ------
    InputError
        If a column is not there, or several are.
    """
    names = [plain(name) for name in header]
    found: dict[str, int] = {}
    for role, accepted in roles.items():
        positions = [position for position, name in enumerate(names) if name in accepted]
        if len(positions) != 1:
            raise InputError(
                f"{len(positions) or 'no'} columns for the {role} among {listed(header)}",
                f"Let the first line name the columns: {','.join(roles)}.",
                where=source.where,
                row=1,
            )
        found[role] = positions[0]
    return found


def rows_by_role(
    source: Source, roles: Mapping[str, Collection[str]]
) -> Iterator[tuple[int, dict[str, str]]]:
    r"""Go through the rows of a table whose first row names its columns.

    Parameters
    ----------
    source
        The file.
    roles
        For each column that is needed, the names it may have, in lower case.

    Yields
    ------
    tuple of int and dict
        The line, and what the columns hold there, without blanks around it.

    Raises
    ------
    InputError
        If a column is not there, or a field is empty.

    Examples
    --------
    >>> source = Source("memory", b"concept,threshold\nsky,0.5\n", "")
    >>> list(rows_by_role(source, {"concept": {"concept"}, "threshold": {"threshold"}}))
    [(2, {'concept': 'sky', 'threshold': '0.5'})]
    """
    delimiter = source.delimiter or ","
    position = columns_by_role(source, source.first(delimiter), roles)
    for line, fields in islice(source.rows(delimiter), 1, None):
        content = {role: fields[column].strip() for role, column in position.items()}
        for role, text in content.items():
            if not text:
                raise InputError(f"the {role} is empty", "Fill it in.", where=source.where, row=line)
        yield line, content
