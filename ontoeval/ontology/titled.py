"""Tables in which titles say which column holds the parents: what their cells stand for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

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
    """Note the links of a table; a cell that is no concept as a whole may hold several parents."""
    if rows and _are_instructions(rows[0]):
        rows = rows[1:]
    children = {fields[columns.child] for fields in rows}
    known = children | {cell for fields in rows if not _has_separator(cell := fields[columns.parent])}
    for fields in rows:
        child, cell = fields[columns.child], fields[columns.parent]
        told.concepts.setdefault(child)
        if cell in children:
            parents = [cell]
        elif cell.casefold() in _NONE:
            parents = []
        else:
            parts = _parts(cell, known, several=columns.several, where=where)
            parents = [part for part in parts if part in children or part.casefold() not in _NONE]
            if len(parts) == 1 and _has_separator(cell):
                told.unused[f"signs in {cell!r} that could separate parents"].append(child)
        if cell and not parents:
            told.unused[f"{cell!r} as a parent, which stands for none"].append(child)
        for parent in parents:
            told.add(parent, child, "edge list")
        label = fields[columns.label] if columns.label >= 0 else ""
        if label and told.labels.setdefault(child, [[Text(label)]]) != [[Text(label)]]:
            told.unused["labels of a concept that has another"].append(child)
        if columns.obsolete >= 0 and fields[columns.obsolete].casefold() in _YES:
            told.deprecated.add(child)
    _refuse_labels_as_parents(told, where=where)
    _refuse_another_column(told, rows, columns, where=where)


def _has_separator(cell: str) -> bool:
    """Tell whether a cell has a sign that could separate parents."""
    return any(sign in cell for sign in _SEPARATORS)


def _parts(cell: str, known: Collection[str], *, several: bool, where: str) -> list[str]:
    """Take a cell apart that is no concept of the table as a whole."""
    for sign in _SEPARATORS:
        parts = [part for part in map(str.strip, cell.split(sign)) if part]
        if sign not in cell or not parts:
            continue
        met = [part for part in parts if part in known]
        alike = len({"://" in part for part in parts}) == 1  # an address may have a comma
        if sign == "|" or len(met) == len(parts) or (several and alike):
            return parts
        if met:
            new = next(part for part in parts if part not in known)
            raise InputError(
                f"{cell!r} may be one parent or several: {met[0]!r} is in the table, {new!r} is not",
                "Separate several parents by |. If it is one, give it a row of its own, as a child without a "
                "parent.",
                where=where,
            )
    return [cell] if cell else []


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
