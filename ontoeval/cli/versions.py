"""``ontoeval diff`` and ``migrate``: two versions of a label file or of an ontology."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from ontoeval.benchmarks.inputs import FileKind, files_of, reader_of
from ontoeval.benchmarks.scoring_options import Output, output_option
from ontoeval.cli.audit import LABELS, KindAsked, RefusedOptions, kind_of
from ontoeval.cli.commands import Given, made_of
from ontoeval.cli.exit_codes import end_with_findings
from ontoeval.errors import InputError, ParameterError, enumerate_some, pluralise
from ontoeval.labels.reading_options import ReadingOptions
from ontoeval.options import Opt
from ontoeval.plumbing.writing import check_table_name, ending, refuse_overlaps, write_all

if TYPE_CHECKING:
    from ontoeval.audit.versions import Migration, Move

_DECIDE = (
    "Copy {}, replace each ? in the copy by a concept, or by - to leave its labels out, and pass "
    "--decisions COPY"
)
"""How labels of undecided concepts are kept; the log itself is written again, so it is not read."""


_BEFORE = Opt("Label file or ontology before the change.", metavar="BEFORE", positional=True)
_AFTER = Opt("Label file or ontology after the change.", metavar="AFTER", positional=True)


def diff_labels(
    before: Annotated[Path, _BEFORE],
    after: Annotated[Path, _AFTER],
    reading: ReadingOptions,
    *,
    rows: Annotated[
        Literal["concept", "branch", "sample"],
        LABELS("Rows of --format csv, json and so on; a table has all three.", brief=True),
    ] = "concept",
    most: Annotated[int, output_option("How many rows a table shows at most.", least=1, brief=True)] = 20,
    output: Output = "table",
) -> None:
    """Compare two label files: samples, and labels by concept and by branch."""
    from ontoeval.audit.versions import difference
    from ontoeval.cli.terminal import progress, show, tell
    from ontoeval.reports.formats import table_of
    from ontoeval.reports.versions import changes_table, difference_table, limit_rows

    # Labels that are no concepts may be what changed: they are shown in a table of their own.
    names = replace(reading.labels.names, unknown="drop")
    reader = reader_of(replace(reading, labels=replace(reading.labels, names=names)))
    if rows == "branch" and reader.hierarchy is None:
        raise ParameterError("--rows", rows, "an --ontology beside it, whose branches these are")
    with progress("Reading", 2) as step:
        files = reader.labels(before, after, step=step)
    old, new = (file.sets for file in files)
    changes = difference(old, new, reader.hierarchy and reader.hierarchy.with_labels(old.vocabulary))
    remarks = reader.remarks(files)
    shown = changes.names
    by_sample = (
        (sample, *(shown.join(side(sample), "; ") for side in (changes.added, changes.removed)))
        for sample in changes.changed
    )
    dropped = [file.dropped for file in files]
    unknown = [(text, *(one.get(text, 0) for one in dropped)) for text in {**dropped[0], **dropped[1]}]
    tables = {
        "branch": changes_table(changes, "branch"),
        "concept": changes_table(changes),
        "unknown": table_of("No concepts", ("label", "before", "after"), unknown),
        "sample": table_of("By sample", ("sample", "added", "removed"), by_sample),
    }
    if output == "table":
        show(difference_table(changes, f"{before} -> {after}"), output)
        for table in tables.values():
            if table.rows:
                show(limit_rows(table, most), output)
    else:
        summary = {
            "samples_added": list(changes.samples_added),
            "samples_removed": list(changes.samples_removed),
            "samples_shared": len(changes.samples),
            "samples_changed": len(changes.changed),
            "unknown": {text: counts for text, *counts in unknown},
            "inputs": remarks,
        }
        show(tables[rows], output, **summary)
    tell(remarks, output)
    # In which samples labels that are no concepts changed is not known.
    others = bool(unknown) and files[0].digest != files[1].digest
    if changes.samples_added or changes.samples_removed or changes.changed or others:
        end_with_findings()


def diff_ontology(
    before: Annotated[Path, _BEFORE],
    after: Annotated[Path, _AFTER],
    reading: ReadingOptions,
    unchanged: RefusedOptions,
    *,
    labels: Annotated[
        Path | None,
        Opt(
            "File of labels, of either version of an ontology: count the samples that each change touches.",
            panel="Ontology",
            brief=True,
        ),
    ] = None,
    most: Annotated[int, output_option("How many rows a table shows at most.", least=1)] = 20,
    output: Output = "table",
) -> None:
    """Compare two versions of an ontology: concepts, labels, lost names, parents and rules of labels."""
    from ontoeval.audit.labels import AuditOptions, resolve_labels
    from ontoeval.audit.migration import spelt_sets
    from ontoeval.audit.ontology_changes import ontology_difference
    from ontoeval.cli.terminal import emit, progress, show, tell
    from ontoeval.labels.name_resolution import Names
    from ontoeval.reports.versions import (
        limit_rows,
        ontology_changes_by_kind,
        ontology_changes_table,
        release_notes,
    )

    del before  # among the options of reading
    unchanged.refuse("labels are counted as they are")
    with progress("Comparing", 3) as step:
        old = reader_of(reading)
        step()
        new = reader_of(replace(reading, ontology=str(after)))
        step()
        names, sets = Names.from_options(old.ontology), None
        remarks = list(dict.fromkeys([*old.remarks([]), *new.remarks([])]))
        if labels is not None:
            subject = resolve_labels(labels, old.required_ontology, AuditOptions(reading=old.reading))
            names, sets = subject.names, spelt_sets(subject)
            remarks += [f"{labels}: {line}" for line in (subject.raw.form, *subject.raw.ledger.notes)]
        difference = ontology_difference(names, new.required_ontology, sets)
        step()
    if output == "table":
        tell([difference.summary, *difference.notes], output)
        for table in ontology_changes_by_kind(difference):
            show(limit_rows(table, most), output)
    elif output == "markdown":
        emit(release_notes(difference))
    else:
        facts = {"concepts": difference.sizes, "shared": difference.shared, "counts": difference.counts}
        show(ontology_changes_table(difference), output, **facts, inputs=remarks)
        remarks = [*difference.notes * (output == "csv"), *remarks]
    tell(remarks, output)
    if difference.changes:
        end_with_findings()


@made_of(labels=diff_labels, ontology=diff_ontology)
def diff(given: Given, *, kind: KindAsked = None) -> FileKind:
    """Compare two label files, or two versions of an ontology.

    Of labels: samples, and labels by concept and by branch; those that are no concepts are counted apart. Of
    ontologies: concepts, labels, lost names, parents and rules of labels; Markdown is written as release
    notes. The exit code is 1 where they differ, else 0.
    """
    return kind_of(given, kind, "before", "after")


def migrate(
    labels: Annotated[Path, Opt("Label file.", metavar="LABELS", positional=True)],
    reading: ReadingOptions,
    unchanged: RefusedOptions,
    *,
    ontology: Annotated[
        str,
        Opt(
            "Old version of the ontology, whose concepts the labels name.",
            metavar="FILE",
            flags=("--from",),
            panel="Ontology",
            brief=True,
        ),
    ],
    to: Annotated[str, Opt("New version of the ontology.", metavar="FILE", panel="Ontology", brief=True)],
    out: Annotated[
        Path, output_option("Write the migrated labels to this file.", flags=("--out", "-o"), brief=True)
    ],
    log: Annotated[
        Path | None,
        output_option("Write the log of changes to this file; by default the name of --out and .log.csv."),
    ] = None,
    decisions: Annotated[
        Path | None,
        Opt(
            "Decisions on undecided concepts: a table concept,becomes, such as a copy of the log with "
            "its question marks replaced; a dash leaves the labels out."
        ),
    ] = None,
    strict: Annotated[
        bool, Opt("Write nothing while concepts are undecided; the exit code is 1.", brief=True)
    ] = False,
    accept_losses: Annotated[
        bool,
        Opt(
            "Write a table of labels alone where the format of the file cannot be kept, and end with exit "
            "code 0 even if labels of undecided concepts are lost."
        ),
    ] = False,
    output: Output = "table",
) -> None:
    """Move a label file to another version of its ontology, and list the labels that need a decision.

    The new file lacks undecided labels: then the exit code is 1, unless --accept-losses.
    """
    from ontoeval.audit.labels import AuditOptions, resolve_labels
    from ontoeval.audit.migration import migrated_copy, spelt_sets
    from ontoeval.audit.versions import moved_labels, read_decisions
    from ontoeval.cli.terminal import progress, show, tell, warn
    from ontoeval.reports.formats import to_csv
    from ontoeval.reports.versions import moves_summary, moves_table

    del ontology  # among the options of reading; here it is no longer optional
    unchanged.refuse("labels are moved as they are, and unknown ones listed")
    if ending(out) != ending(labels) or not out.name:
        check_table_name("--out", out, tabs=True)
    log = log or out.with_name(f"{out.name}.log.csv")
    refuse_overlaps({"--out": out, "--log": log}, (labels, Path(to), decisions, *files_of(reading).values()))
    with progress("Reading", 3) as step:
        old = reader_of(reading)
        step()
        new = reader_of(replace(reading, ontology=to))
        step()
        options = AuditOptions(reading=old.reading)
        subject = resolve_labels(labels, old.required_ontology, options, keep=True)
        step()
    decided = {} if decisions is None else read_decisions(decisions)
    moved = moved_labels(spelt_sets(subject), subject.names, new.required_ontology, decided)
    remarks = [f"{labels}: {line}" for line in (subject.raw.form, *subject.raw.ledger.notes)] + old.remarks(
        []
    )
    if old.reading.threshold is not None:
        remarks.append("Labels that reach the threshold are written, without their scores.")
    if strict and moved.open:
        problem = f"{_lost_labels(moved.open)} would be lost, so nothing was written"
        remedy = f"Run without --strict, then: {_DECIDE.format('the log')}."
        end_with_findings(InputError(problem, remedy, where=labels))
    copy = migrated_copy(moved, subject, new.required_ontology, old.reading)
    write = copy.checked("--out", out, accept_losses=accept_losses)
    write_all({log: to_csv(moves_table(moved.moves, "Log")), out: write})
    if output == "table":
        show(moves_summary(moved, f"{labels} -> {out}"), output)
        for title, moves in (("Needs a decision", moved.open), ("To be looked at", moved.noted)):
            if moves:
                show(moves_table(moves, title), output)
    else:
        show(moves_table(moved.moves, "Moves"), output, inputs=remarks, emptied=list(moved.emptied))
    how = f", {copy.how}" * (copy.patch is None)
    tell([*remarks, f"{out}: {pluralise(len(moved.sets), 'sample')}{how}; log: {log}"], output)
    warn(_list_left_out(moved, decisions))
    if moved.open:
        what = f"NOT in the new file, because no decision was made: {_lost_labels(moved.open)}"
        if not accept_losses:
            remedy = f"{_DECIDE.format(log)}; or accept the loss with --accept-losses."
            end_with_findings(InputError(what, remedy, where=out))
        warn([f"{out}: {what}"])


def _list_left_out(moved: Migration, decisions: Path | None) -> Iterator[str]:
    """List concepts that were left out by decision, and samples that have no label left."""
    if dropped := [move for move in moved.moves if not (move.becomes or move.open)]:
        yield f"Left out by {decisions}: {_lost_labels(dropped)}"
    if moved.emptied:
        yield f"No label left in {pluralise(len(moved.emptied), 'sample')}: {enumerate_some(moved.emptied)}"


def _lost_labels(moves: Sequence[Move]) -> str:
    """Count labels, and name their concepts."""
    labels, concepts = sum(move.labels for move in moves), pluralise(len(moves), "concept")
    return f"{pluralise(labels, 'label')} of {concepts} ({enumerate_some(move.concept for move in moves)})"
