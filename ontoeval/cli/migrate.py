"""``ontoeval migrate``: a label file for another version of its ontology."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontoeval.cli.asked import Asked, shipped_or_own
from ontoeval.cli.exits import Exit, say_no
from ontoeval.cli.option_table import ontology_option, output_option
from ontoeval.cli.options import reads_labels
from ontoeval.cli.terminal import Format, progress, show, tell, warn
from ontoeval.core.choices import OutputFormat
from ontoeval.core.writing import apart, check_table_name, write_all
from ontoeval.errors import InputError, ParameterError, counted, listed

if TYPE_CHECKING:
    from ontoeval.audit.migration import Migration, Move
    from ontoeval.cli.inputs import Inputs
    from ontoeval.labels.write import Rows
    from ontoeval.core.table import Table

_DECIDE = (
    "Copy {}, replace each ? in the copy by a concept, or by - to leave its labels out, and pass "
    "--decisions COPY"
)
"""How labels of undecided concepts are kept; the log itself is written again, so it is not read."""


@reads_labels
def migrate(
    labels: Annotated[Path, typer.Argument(metavar="LABELS", help="File of labels.")],
    *,
    inputs: Asked,
    ontology: Annotated[
        str,
        ontology_option("--from", metavar="FILE", help="The version of the ontology that the labels are of."),
    ],
    to: Annotated[
        str,
        ontology_option("--to", metavar="FILE", help="The version that they are to be of."),
    ],
    out: Annotated[Path, output_option("--out", "-o", metavar="FILE", help="Where to write the labels.")],
    log: Annotated[
        Path | None,
        output_option(metavar="FILE", help="Where to write the log; by default their name and .log.csv."),
    ] = None,
    decisions: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="What undecided concepts become: a table concept,becomes, such as a copy of the log with "
            "its question marks replaced; a dash leaves the labels out.",
        ),
    ] = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Write nothing while concepts are undecided; the exit code is 1.")
    ] = False,
    accept_losses: Annotated[
        bool,
        typer.Option(
            "--accept-losses", help="End with exit code 0 though labels of undecided concepts are lost."
        ),
    ] = False,
    output_format: Annotated[
        OutputFormat | None,
        output_option(help="One row per sample, or one per label; by default as the file has it."),
    ] = None,
    output: Annotated[Format, output_option("--format", help="How to print what became of them.")] = "table",
) -> None:
    """Move a label file to another version of its ontology, and list the concepts that need a decision.

    The new file lacks the labels of undecided concepts: then the exit code is 1, unless --accept-losses.
    """
    from ontoeval.audit.corrections import format_like
    from ontoeval.audit.migration import migrate as migrated
    from ontoeval.audit.migration import moves_table, read_decisions
    from ontoeval.labels.write import write_labels
    from ontoeval.reports.formats import to_csv

    if strict and accept_losses:
        raise ParameterError("--accept-losses", value=True, expected="not to be used with --strict")
    check_table_name("--out", out)
    log = log or out.with_name(f"{out.name}.log.csv")
    apart({"--out": out, "--log": log}, (labels, Path(ontology), Path(to), decisions))
    with progress("Reading", 3) as step:
        old = inputs.read()
        step()
        new = replace(inputs, file=shipped_or_own(to)).read()
        step()
        (file,) = old.labels(labels)
        step()
    assert old.ontology is not None  # noqa: S101 - neither of them is optional
    assert new.ontology is not None  # noqa: S101
    decided = None if decisions is None else read_decisions(decisions)
    moved = migrated(file.sets, old.ontology, new.ontology, decisions=decided)
    remarks = old.remarks([file])
    if "threshold" in old.reading:
        remarks.append("Labels that reach the threshold are written, without their scores.")
    if strict and moved.open:
        problem = f"{_lost(moved.open)} would be lost, so nothing was written"
        remedy = f"Run without --strict, then: {_DECIDE.format('the log')}."
        _stop(problem, remedy, labels)
    rows = _rows(moved, old, new, labels)
    usual, separator = format_like(file.format, rows.vocabulary, old.reading.get("separator"))

    def write(path: Path) -> None:
        write_labels(rows, path, output_format=output_format or usual, separator=separator)

    write_all({log: to_csv(moves_table(moved.moves, "Log")), out: write})
    if output == "table":
        show(_summary(moved, f"{labels} -> {out}"), output)
        for title, moves in (("Needs a decision", moved.open), ("To be looked at", moved.noted)):
            if moves:
                show(moves_table(moves, title), output)
    else:
        show(moves_table(moved.moves, "Moves"), output, inputs=remarks, emptied=list(moved.emptied))
    tell([*remarks, f"{out}: {counted(len(moved.sets), 'sample')}; log: {log}"], output)
    _tell_losses(moved, decisions)
    if moved.open:
        problem = f"NOT in the new file, because no decision was made: {_lost(moved.open)}"
        remedy = f"{_DECIDE.format(log)}; or accept the loss with --accept-losses."
        _stop(problem, remedy, out, accepted=accept_losses)


def _tell_losses(moved: Migration, decisions: Path | None) -> None:
    """Name the concepts that were left out by decision, and the samples that have no label left."""
    dropped = [move for move in moved.moves if not (move.becomes or move.open)]
    if dropped:
        warn([f"Left out as {decisions} says: {_lost(dropped)}"])
    if moved.emptied:
        warn([f"No label left in {counted(len(moved.emptied), 'sample')}: {listed(moved.emptied)}"])


def _stop(problem: str, remedy: str, where: Path, *, accepted: bool = False) -> None:
    """Say what is lost, and end with exit code 1 unless that is accepted."""
    if accepted:
        warn([f"{where}: {problem}"])
    else:
        say_no(InputError(problem, remedy, where=where))
        raise typer.Exit(Exit.FINDINGS)


def _lost(moves: Sequence[Move]) -> str:
    """Count the labels of concepts, and name the concepts."""
    labels, concepts = sum(move.labels for move in moves), counted(len(moves), "concept")
    return f"{counted(labels, 'label')} of {concepts} ({listed(move.concept for move in moves)})"


def _rows(moved: Migration, old: Inputs, new: Inputs, labels: Path) -> Rows:
    """Write the concepts that are used as the file writes concepts."""
    import numpy as np

    from ontoeval.audit.labels import resolve_labels
    from ontoeval.core.vocabulary import Vocabulary
    from ontoeval.labels.names import Names
    from ontoeval.labels.write import Rows

    understood = {"concepts", "concept_map", "input_format", "separator"}
    reading = {key: value for key, value in old.reading.items() if key in understood}
    assert old.ontology is not None  # noqa: S101 - neither of them is optional
    if "threshold" in old.reading:
        reading["threshold"] = 0.0  # how concepts are written, scores do not say
    naming = resolve_labels(labels, old.ontology, **reading).naming
    own = {move.becomes: naming[move.concept] for move in moved.moves if move.how.startswith("same")}
    naming = naming.under(Names.given(new.ontology, concept_map=reading.get("concept_map")), own)
    used = np.unique(moved.sets.matrix.indices)
    names = Vocabulary(tuple(naming[moved.sets.vocabulary[column]] for column in used.tolist()))
    return Rows(moved.sets.samples, names, moved.sets.matrix[:, used])


def _summary(moved: Migration, title: str) -> Table:
    from ontoeval.core.table import Column, Table

    counts: dict[str, tuple[int, int]] = {}
    for move in moved.moves:
        concepts, labels = counts.get(move.how, (0, 0))
        counts[move.how] = concepts + 1, labels + move.labels
    rows = tuple((how, *counts[how]) for how in sorted(counts))
    return Table(title, (Column("what became of it"), Column("concepts"), Column("labels")), rows)
