"""Two versions of a label file or of an ontology: tables of changes and moves, and release notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from ontoeval.audit.corrections import Change, Correction
from ontoeval.audit.ontology_changes import OntologyChange, OntologyDifference
from ontoeval.audit.versions import LEFT_OUT, UNDECIDED, Difference, Migration, Move
from ontoeval.core.names import DisplayedName
from ontoeval.core.table import Table, cell_text
from ontoeval.errors import MOST_SHOWN, pluralise, shortened
from ontoeval.reports.formats import in_markdown, table_of


def corrections_table(correction: Correction) -> Table:
    """List all changes of a correction."""
    return table_of("Changes", Change._fields, correction.changes)


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


def ontology_changes_table(difference: OntologyDifference) -> Table:
    """List all changes between two versions of an ontology."""
    titles = OntologyChange._fields[: None if difference.samples is not None else -1]
    rows = (change[: len(titles)] for change in difference.changes)
    return table_of("Changes", titles, rows, notes=[difference.summary, *difference.notes])


def ontology_changes_by_kind(difference: OntologyDifference) -> Iterator[Table]:
    """Make a table of the changes of each kind, without empty columns."""
    titles = OntologyChange._fields
    for kind in difference.counts:
        changes = difference.of(kind)
        used = [at for at in range(1, len(titles)) if any(row[at] not in {"", None} for row in changes)]
        rows = ([change[at] for at in used] for change in changes)
        yield table_of(_heading(kind), (titles[at] for at in used), rows)


def release_notes(difference: OntologyDifference) -> str:
    """Write the changes between two versions of an ontology as Markdown."""
    versions = (
        f"{source.path or 'an ontology'}{f' ({source.version})' * bool(source.version)}"
        for source in (difference.old, difference.new)
    )
    lines = [f"# Changes from {' to '.join(map(_as_markdown, versions))}"]
    lines += map(_as_markdown, (difference.summary, *difference.notes))
    for kind in difference.counts:
        changes = difference.of(kind)
        lines += [f"## {_heading(kind)} ({len(changes):,})", "\n".join(map(_item, changes))]
    return "\n\n".join(lines) + "\n"


def _heading(kind: str) -> str:
    if kind == "unnamed":
        return "Lost names"
    return f"Changed {kind}s" if kind in {"identifier", "rule"} else f"{kind.capitalize()} concepts"


def _item(change: OntologyChange) -> str:
    """Write a change as an item of a list."""
    concept, before, after, note = map(_as_markdown, change[1:5])
    text = f"**{concept}**" if concept else ""
    if change.change == "rule" and note:
        text, note = f"{note}: {before or after}", ""
    elif after:
        text += f": {before} → {after}" if before else f" → {after}"
    samples = "" if change.samples is None else f" ({pluralise(change.samples, 'sample')})"
    return f"- {text.removeprefix(': ')}{': ' if note else ''}{note}{samples}"


def _as_markdown(text: str) -> str:
    if isinstance(text, DisplayedName):
        text = text.showing("both").display_name
    return in_markdown(cell_text(text))


def difference_table(changes: Difference, title: str) -> Table:
    """Count the samples and labels that changed."""
    rows: Sequence[tuple[str, int, Sequence[str]]] = (
        ("samples in both", len(changes.samples), ()),
        ("of these with other labels", len(changes.changed), changes.changed),
        ("samples added", len(changes.samples_added), changes.samples_added),
        ("samples removed", len(changes.samples_removed), changes.samples_removed),
        ("labels added to samples in both", sum(row.added for row in changes.by_concept()), ()),
        ("labels removed from them", sum(row.removed for row in changes.by_concept()), ()),
    )
    some = (
        (what, count, ", ".join(map(shortened, which[:MOST_SHOWN])) + ", …" * (len(which) > MOST_SHOWN))
        for what, count, which in rows
    )
    return table_of(title, ("what", "count", "which"), some)


def limit_rows(table: Table, most: int) -> Table:
    """Keep the first rows, and note how many more there are."""
    hidden = len(table.rows) - most
    notes = (*table.notes, f"{hidden:,} more rows are not shown (--most).") if hidden > 0 else table.notes
    return replace(table, rows=table.rows[:most], notes=notes)


def moves_summary(moved: Migration, title: str) -> Table:
    """Count what became of concepts and labels."""
    concepts, labels = Counter(move.how for move in moved.moves), Counter[str]()
    for move in moved.moves:
        labels[move.how] += move.labels
    rows = ((how, concepts[how], labels[how]) for how in sorted(concepts))
    return table_of(title, ("what became of it", "concepts", "labels"), rows)
