"""Two versions of a label file or of an ontology: tables of changes and moves, and release notes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from ontoeval.audit.versions import LEFT_OUT, UNDECIDED, Difference, Migration, Move
from ontoeval.core.table import Table
from ontoeval.reports.formats import table_of


def changes_table(difference: Difference, by: Literal["concept", "branch"] = "concept") -> Table:
    """Count what changed of each concept, or in each branch."""
    titles = (by, "before", "after", "added", "removed", "samples")
    changes = difference.by_concept() if by == "concept" else difference.by_branch()
    rows = ((difference.names.text(row.name), *row[1:]) for row in changes)
    return table_of(f"By {by}", titles, rows)


def migration_table(migration: Migration) -> Table:
    """Show what became of the concepts that are used."""
    return moves_table(migration.moves)


def moves_table(moves: Iterable[Move], title: str = "Moves") -> Table:
    """Show what became of concepts."""
    titles = ("concept", "label", "becomes", "how", "labels", "notes")
    rows = (
        (move.concept, move.label, move.becomes or nothing, move.how, move.labels, "; ".join(move.notes))
        for move in moves
        for nothing in (UNDECIDED if move.open else LEFT_OUT,)
    )
    return table_of(title, titles, rows)
