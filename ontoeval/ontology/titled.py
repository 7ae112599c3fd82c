"""Tables in which titles say which column holds the parents: what their cells stand for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ontoeval.errors import InputError, listed
from ontoeval.ontology.columns import Layout
from ontoeval.ontology.iris import OWL
from ontoeval.ontology.told import Told
from ontoeval.ontology.triples import Text

_NONE = frozenset(
    {"null", "nan", "none", "nil", "na", "n/a", "#n/a", "-", "-1", "\\n"}
    | {f"{OWL}thing", f"{OWL}deprecatedclass"}
)
"""What stands in the place of a parent where there is none, in lower case, if it is no concept."""

_YES = frozenset({"true", "yes", "1", "t", "y"})
_SEPARATORS = ("|", ";", ",")
_INSTRUCTIONS = ("SC ", "A ", "AL ", "AT ", "EC ")


def read_titled(told: Told, rows: Sequence[Sequence[str]], columns: Layout, *, where: str) -> None:
    """Note the links that the rows of a table state.

    A cell may hold several parents, separated by ``|``, ``;`` or ``,``, where these are in the table
    or the title is in the plural. Words such as NULL and nan, which programs write into empty cells,
    are no parents unless they are concepts of the table.

    Parameters
    ----------
    told
        What is filled.
    rows
        The fields of each row.
    columns
        What the columns hold.
    where
        The file's name.

    Raises
    ------
    InputError
        If the parents stand in another column than that of the children.

    Examples
    --------
    >>> columns = Layout(parent=1, child=0, label=-1, width=2, titled=True, said="")
    >>> told = Told("edge list")
    >>> read_titled(told, [["pet", "nan"], ["cat", "pet|animal"], ["animal", ""]], columns, where="")
    >>> list(told.links), list(told.concepts)
    ([('pet', 'cat'), ('animal', 'cat')], ['pet', 'cat', 'animal'])
    """
    if rows and _are_instructions(rows[0]):
        rows = rows[1:]
    children = {fields[columns.child] for fields in rows}
    for fields in rows:
        child, cell = fields[columns.child], fields[columns.parent]
        parents = _parents_in(cell, children, several=columns.several)
        if cell and not parents:
            told.unused[f"{cell!r} as a parent, which stands for none"].append(child)
        told.concepts.setdefault(child)
        for parent in parents:
            told.add(parent, child, "edge list")
        if columns.label >= 0 and fields[columns.label]:
            told.labels[child] = [[Text(fields[columns.label])]]
        if columns.obsolete >= 0 and fields[columns.obsolete].casefold() in _YES:
            told.deprecated.add(child)
    _refuse_labels_as_parents(told, where=where)
    _refuse_another_column(told, rows, columns, where=where)


def _parents_in(cell: str, children: Iterable[str], *, several: bool) -> list[str]:
    """List the parents that a cell names."""
    if not cell or cell in children:
        return [cell] if cell else []
    if cell.casefold() in _NONE:
        return []
    for sign in _SEPARATORS:
        parts = [part.strip() for part in cell.split(sign)]
        parts = [part for part in parts if part]
        known = [part for part in parts if part in children]
        if sign in cell and (len(known) == len(parts) or (sign == "|" and (several or known))):
            return [part for part in parts if part in children or part.casefold() not in _NONE]
    return [cell]


def _are_instructions(fields: Sequence[str]) -> bool:
    """Tell whether this is the row of a template of ROBOT that says what the columns become."""
    return "ID" in fields and any(field.startswith(_INSTRUCTIONS) for field in fields)


def _refuse_labels_as_parents(told: Told, *, where: str) -> None:
    """Refuse parents that are given by label while children have identifiers."""
    labels = {text.text for groups in told.labels.values() for group in groups for text in group}
    named = [parent for parent, _ in told.links if parent in labels and parent not in told.labels]
    if named:
        raise InputError(
            f"the parents {listed(dict.fromkeys(named))} are labels, while the children have identifiers",
            "Give the parents by their identifiers, or remove one of the columns.",
            where=where,
        )


def _refuse_another_column(told: Told, rows: Sequence[Sequence[str]], columns: Layout, *, where: str) -> None:
    """Refuse parents none of which is in the column of the children, while another column has all."""
    parents = {parent for parent, _ in told.links}
    if (
        not columns.by_label
        or not parents
        or not parents.isdisjoint(fields[columns.child] for fields in rows)
    ):
        return
    for number in set(range(columns.width)) - {columns.parent, columns.child}:
        if parents <= {fields[number] for fields in rows}:
            raise InputError(
                f"the parents, such as {listed(sorted(parents)[:1])}, are named by column {number + 1}, the "
                f"children by column {columns.child + 1}",
                'Call the columns "parent" and "child" that name both in the same way.',
                where=where,
            )
