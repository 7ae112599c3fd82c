"""``ontoeval diff`` and ``migrate``: two versions of a label file or of an ontology."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from ontoeval.benchmarks.inputs import FileKind, Reader, files_of, reader_of
from ontoeval.benchmarks.scoring_options import Output, output_option
from ontoeval.cli.audit import LABELS, KindAsked, RefusedOptions, kind_of
from ontoeval.cli.commands import Given, end_with_findings, made_of
from ontoeval.errors import MOST_SHOWN, InputError, ParameterError, enumerate_some, pluralise, shortened
from ontoeval.labels.reading_options import LabelReading, NameOptions, ReadingOptions
from ontoeval.options import Opt
from ontoeval.plumbing.writing import check_table_name, refuse_overlaps, write_all

if TYPE_CHECKING:
    from ontoeval.audit.patches import Patch
    from ontoeval.audit.resolved_labels import ResolvedLabels
    from ontoeval.audit.versions import Difference, Migration, Move
    from ontoeval.core.label_sets import LabelSets
    from ontoeval.core.table import Table
    from ontoeval.labels.writers import LabelRows

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
    from ontoeval.reports.versions import changes_table

    reader = reader_of(reading)
    if rows == "branch" and reader.hierarchy is None:
        raise ParameterError("--rows", rows, "an --ontology beside it, whose branches these are")
    with progress("Reading", 2) as step:
        files = reader.labels(before, after, step=step)
    old, new = (file.sets for file in files)
    changes = difference(old, new, reader.hierarchy and reader.hierarchy.with_labels(old.vocabulary))
    remarks = reader.remarks(files)
    names = changes.names
    by_sample = (
        (sample, *(names.join(side(sample), "; ") for side in (changes.added, changes.removed)))
        for sample in changes.changed
    )
    tables = {
        "branch": changes_table(changes, "branch"),
        "concept": changes_table(changes),
        "sample": table_of("By sample", ("sample", "added", "removed"), by_sample),
    }
    if output == "table":
        show(_changes_table(changes, f"{before} -> {after}"), output)
        for table in tables.values():
            if table.rows:
                show(_limit_rows(table, most), output)
    else:
        summary = {
            "samples_added": list(changes.samples_added),
            "samples_removed": list(changes.samples_removed),
            "samples_shared": len(changes.samples),
            "samples_changed": len(changes.changed),
            "inputs": remarks,
        }
        show(tables[rows], output, **summary)
    tell(remarks, output)
    if changes.samples_added or changes.samples_removed or changes.changed:
        end_with_findings()


def _changes_table(changes: Difference, title: str) -> Table:
    from ontoeval.reports.formats import table_of

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
    from ontoeval.audit.ontology_changes import ontology_difference
    from ontoeval.cli.terminal import emit, progress, show, tell
    from ontoeval.labels.name_resolution import Names
    from ontoeval.reports.versions import ontology_changes_by_kind, ontology_changes_table, release_notes

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
            names, sets = subject.names, _spelt_sets(subject)
            remarks += [f"{labels}: {line}" for line in (subject.raw.form, *subject.raw.notes)]
        difference = ontology_difference(names, new.required_ontology, sets)
        step()
    if output == "table":
        tell([difference.summary, *difference.notes], output)
        for table in ontology_changes_by_kind(difference):
            show(_limit_rows(table, most), output)
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

    Of labels: samples, and labels by concept and by branch. Of ontologies: concepts, labels, lost names,
    parents and rules of labels; Markdown is written as release notes. The exit code is 1 where they differ,
    else 0.
    """
    return kind_of(given, kind, "before", "after")


def _limit_rows(table: Table, most: int) -> Table:
    hidden = len(table.rows) - most
    notes = (*table.notes, f"{hidden:,} more rows are not shown (--most).") if hidden > 0 else table.notes
    return replace(table, rows=table.rows[:most], notes=notes)


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
        bool, Opt("End with exit code 0 even if labels of undecided concepts, or absent ones, are lost.")
    ] = False,
    output: Output = "table",
) -> None:
    """Move a label file to another version of its ontology, and list the labels that need a decision.

    The new file lacks undecided labels: then the exit code is 1, unless --accept-losses.
    """
    from ontoeval.audit.labels import AuditOptions, resolve_labels
    from ontoeval.audit.versions import moved_labels, read_decisions
    from ontoeval.cli.terminal import progress, show, tell, warn
    from ontoeval.reports.formats import to_csv
    from ontoeval.reports.versions import moves_table

    del ontology  # among the options of reading; here it is no longer optional
    unchanged.refuse("labels are moved as they are, and unknown ones listed")
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
    moved = moved_labels(_spelt_sets(subject), subject.names, new.required_ontology, decided)
    remarks = [f"{labels}: {line}" for line in (subject.raw.form, *subject.raw.notes)] + old.remarks([])
    if old.reading.threshold is not None:
        remarks.append("Labels that reach the threshold are written, without their scores.")
    if strict and moved.open:
        problem = f"{_lost_labels(moved.open)} would be lost, so nothing was written"
        remedy = f"Run without --strict, then: {_DECIDE.format('the log')}."
        end_with_findings(InputError(problem, remedy, where=labels))
    write, more = _writer(out, moved, subject, new, old.reading)
    write_all({log: to_csv(moves_table(moved.moves, "Log")), out: write})
    if output == "table":
        show(_summary(moved, f"{labels} -> {out}"), output)
        for title, moves in (("Needs a decision", moved.open), ("To be looked at", moved.noted)):
            if moves:
                show(moves_table(moves, title), output)
    else:
        show(moves_table(moved.moves, "Moves"), output, inputs=remarks, emptied=list(moved.emptied))
    tell([*remarks, f"{out}: {pluralise(len(moved.sets), 'sample')}; log: {log}", *more], output)
    warn(_list_left_out(moved, decisions))
    absent, accept = subject.raw.negated, "accept the loss with --accept-losses."
    remedy = f"{_DECIDE.format(log)}; or {accept}" if moved.open else accept.capitalize()
    lost = [f", because no decision was made: {_lost_labels(moved.open)}"] * bool(moved.open)
    lost += [f": {pluralise(absent, 'label')} marked as absent"] * bool(absent)
    for what in lost:
        if not accept_losses:
            end_with_findings(InputError(f"NOT in the new file{what}", remedy, where=out))
        warn([f"{out}: NOT in the new file{what}"])


def _spelt_sets(subject: ResolvedLabels) -> LabelSets:
    """Take the labels of a file as they are spelt; refuse samples that have several rows."""
    import numpy as np

    from ontoeval.core.label_sets import LabelSets
    from ontoeval.core.vocabulary import Vocabulary

    raw = subject.raw
    if again := [raw.samples[row] for row in np.flatnonzero(raw.has_several_rows).tolist()]:
        problem = f"{pluralise(len(again), 'sample')} with several rows: {enumerate_some(again)}"
        raise InputError(problem, "Keep one row of each sample.", where=raw.source)
    return LabelSets(raw.matrix, Vocabulary(raw.spellings), raw.samples)


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


def _rows_to_write(moved: Migration, subject: ResolvedLabels, new: Reader) -> LabelRows:
    """Write the concepts that are used as the file writes concepts."""
    import numpy as np

    from ontoeval.core.vocabulary import Vocabulary
    from ontoeval.labels.name_resolution import Names
    from ontoeval.labels.writers import LabelRows

    naming, translated = subject.naming, subject.names.concept_map
    own = {move.becomes: move.concept for move in moved.moves if move.how == "new" and not translated}
    own |= {move.becomes: naming[move.concept] for move in moved.moves if move.how.startswith("same")}
    naming = naming.with_names(Names.from_options(new.ontology, NameOptions(concept_map=translated)), own)
    used = np.unique(moved.sets.matrix.indices)
    names = Vocabulary(tuple(naming[moved.sets.vocabulary[column]] for column in used.tolist()))
    return LabelRows(moved.sets.samples, names, moved.sets.matrix[:, used])


def _writer(
    out: Path, moved: Migration, subject: ResolvedLabels, new: Reader, reading: LabelReading
) -> tuple[Callable[[Path], None], list[str]]:
    """Write the text of the file with other labels; or where that cannot be, a new file, with a remark."""
    from ontoeval.audit.corrections import format_like
    from ontoeval.labels.writers import write_labels

    rows, form = _rows_to_write(moved, subject, new), subject.raw.form
    patch = _patch(moved, rows, subject, reading)
    check_table_name("--out", out, tabs=patch is not None and patch.tabs)
    if patch is not None:
        return patch.write, []
    usual, separator = format_like(form, rows.vocabulary, reading.layout.separator)
    lost = form is not None and form.delimiter is not None
    remark = f"{out} is written anew: columns beside samples and labels are not in it."
    return partial(write_labels, rows, output_format=usual, separator=separator), [remark] * lost


def _patch(moved: Migration, rows: LabelRows, subject: ResolvedLabels, reading: LabelReading) -> Patch | None:
    """Change the labels within the text of the file; None where it must be written anew."""
    import numpy as np

    from ontoeval.audit.patches import patch_of

    raw, names = subject.raw, subject.names.concept_map
    if raw.negated or reading.threshold is not None:
        return None
    written = dict(zip(np.unique(moved.sets.matrix.indices).tolist(), rows.vocabulary, strict=True))
    index = moved.sets.vocabulary.index
    becomes = {move.concept: written[index[move.becomes]] for move in moved.moves if move.becomes}
    called = {}
    for text, meaning in zip(raw.spellings, subject.meanings, strict=True):
        for key in (names.get(text, text), *meaning.concepts):
            if key in becomes:
                called[text] = becomes[key]
                break
    every = np.arange(len(raw.rows))
    return patch_of(raw, rows, every, every, np.zeros(every.size, bool), called, reading.layout.separator)


def _summary(moved: Migration, title: str) -> Table:
    from ontoeval.reports.formats import table_of

    concepts, labels = Counter(move.how for move in moved.moves), Counter[str]()
    for move in moved.moves:
        labels[move.how] += move.labels
    rows = ((how, concepts[how], labels[how]) for how in sorted(concepts))
    return table_of(title, ("what became of it", "concepts", "labels"), rows)
