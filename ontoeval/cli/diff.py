"""``ontoeval diff``: what changed between two label files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from ontoeval.cli.exits import Exit
from ontoeval.cli.inputs import Inputs
from ontoeval.cli.option_table import output_option
from ontoeval.cli.options import reads_labels
from ontoeval.cli.terminal import Format, progress, show, tell
from ontoeval.errors import ParameterError

if TYPE_CHECKING:
    from ontoeval.audit.differences import Change, Difference
    from ontoeval.core.table import Table


@reads_labels
def diff(
    labels_a: Annotated[Path, typer.Argument(metavar="BEFORE", help="File of the labels before.")],
    labels_b: Annotated[Path, typer.Argument(metavar="AFTER", help="File of the labels after.")],
    *,
    inputs: Inputs,
    by: Annotated[
        Literal["concept", "branch", "sample"],
        typer.Option(help="What the rows are of CSV, JSON and the like; a table has all three."),
    ] = "concept",
    most: Annotated[
        int, output_option(min=1, metavar="NUMBER", help="How many rows a table shows at most.")
    ] = 20,
    output: Annotated[Format, output_option("--format", help="How to print the changes.")] = "table",
) -> None:
    """Tell what changed from one label file to another: samples, and labels by concept and by branch.

    The exit code is 1 where they differ, and 0 where every sample has the same labels.
    """
    from ontoeval.audit.differences import difference

    if by == "branch" and inputs.hierarchy is None:
        raise ParameterError("--by", by, "an --ontology beside it, whose branches these are")
    with progress("Reading", 2) as step:
        files = inputs.labels(labels_a, labels_b, step=step)
    before, after = (file.sets for file in files)
    changes = difference(before, after, inputs.hierarchy and inputs.hierarchy.with_labels(before.vocabulary))
    remarks = inputs.remarks(files)
    tables = {"branch": _branches(changes), "concept": _concepts(changes), "sample": _samples(changes)}
    if output == "table":
        show(_summary(changes, f"{labels_a} -> {labels_b}"), output)
        for table in tables.values():
            if table.rows:
                show(_first(table, most), output)
    else:
        summary = {
            "samples_added": list(changes.samples_added),
            "samples_removed": list(changes.samples_removed),
            "samples_shared": len(changes.samples),
            "samples_changed": len(changes.changed),
            "inputs": remarks,
        }
        show(tables[by], output, **summary)
    tell(remarks, output)
    if changes.samples_added or changes.samples_removed or changes.changed:
        raise typer.Exit(Exit.FINDINGS)


def _summary(changes: Difference, title: str) -> Table:
    from ontoeval.core.table import Column, Table
    from ontoeval.errors import MOST_SHOWN, shortened

    rows = (
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
    return Table(title, (Column("what"), Column("count"), Column("which")), tuple(some))


def _concepts(changes: Difference) -> Table:
    return _counted("By concept", "concept", changes.by_concept())


def _branches(changes: Difference) -> Table:
    return _counted("By branch", "branch", changes.by_branch())


def _counted(title: str, what: str, changes: tuple[Change, ...]) -> Table:
    from ontoeval.core.table import Column, Table

    titles = (what, "before", "after", "added", "removed", "samples")
    return Table(title, tuple(map(Column, titles)), tuple((*change,) for change in changes))


def _samples(changes: Difference) -> Table:
    from ontoeval.core.table import Column, Table

    rows = tuple(
        (sample, "; ".join(changes.added(sample)), "; ".join(changes.removed(sample)))
        for sample in changes.changed
    )
    return Table("By sample", tuple(map(Column, ("sample", "added", "removed"))), rows)


def _first(table: Table, most: int) -> Table:
    from dataclasses import replace

    hidden = len(table.rows) - most
    notes = (*table.notes, f"{hidden:,} more rows are not shown (--most).") if hidden > 0 else table.notes
    return replace(table, rows=table.rows[:most], notes=notes)
