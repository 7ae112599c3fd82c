"""The log of a migration: what became of each concept, and what a human says to it."""

from __future__ import annotations

from collections.abc import Iterable

from ontoeval.audit.migration import Move
from ontoeval.core.files import FilePath
from ontoeval.errors import InputError
from ontoeval.labels.concept_lists import rows_by_role
from ontoeval.labels.sources import read_source
from ontoeval.reports.table import Column, Table

LEFT_OUT, UNDECIDED = "-", "?"
"""What stands in tables for nothing: where that was decided, and where nothing is."""


def read_decisions(source: FilePath) -> dict[str, str]:
    """Read what concepts are to become where somebody must say it."""
    file = read_source(source)
    found: dict[str, str] = {}
    for line, row in rows_by_role(file, {"concept": {"concept"}, "becomes": {"becomes"}}):
        becomes = row["becomes"]
        if becomes != UNDECIDED and found.setdefault(row["concept"], becomes) != becomes:
            raise InputError(
                f"{row['concept']!r} becomes {found[row['concept']]!r} and {becomes!r}",
                "Keep one of these rows.",
                where=file.where,
                row=line,
            )
    return {concept: "" if becomes == LEFT_OUT else becomes for concept, becomes in found.items()}


def moves_table(moves: Iterable[Move], title: str = "Moves") -> Table:
    """Show what became of concepts."""
    columns = ("concept", "label", "becomes", "how", "labels", "notes")
    rows = (
        (move.concept, move.label, move.becomes or nothing, move.how, move.labels, "; ".join(move.notes))
        for move in moves
        for nothing in (UNDECIDED if move.open else LEFT_OUT,)
    )
    return Table(title, tuple(map(Column, columns)), tuple(rows))
