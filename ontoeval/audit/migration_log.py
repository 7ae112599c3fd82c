"""The log of a migration: what became of each concept, and what a human says to it."""

from __future__ import annotations

from ontoeval.core.files import FilePath
from ontoeval.errors import InputError
from ontoeval.labels.named_columns import rows_by_role
from ontoeval.labels.tables import read_source

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
