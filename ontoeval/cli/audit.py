"""``ontoeval audit``: what is wrong with a label file, and a corrected copy of it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, cast

import typer

from ontoeval.cli.findings import (
    Baseline,
    FailOn,
    Most,
    Rules,
    Sarif,
    WriteBaseline,
    accepted_by,
    deliver,
    fail,
    settings_of,
)
from ontoeval.cli.inputs import Inputs
from ontoeval.cli.option_table import OPTIONS, labels_option, output_option
from ontoeval.cli.options import reads_labels
from ontoeval.cli.reports import Report
from ontoeval.cli.terminal import Format, progress
from ontoeval.core.choices import Axioms, ConventionAsked, ScoreRepeats, Unknown
from ontoeval.core.writing import apart, check_table_name
from ontoeval.errors import ParameterError, counted, listed
from ontoeval.reports.kinds import check_report

if TYPE_CHECKING:
    from collections.abc import Callable

    from ontoeval.audit.corrections import Correction
    from ontoeval.audit.resolved_labels import ResolvedLabels
    from ontoeval.ontology.model import Ontology


@reads_labels
def audit(  # noqa: PLR0913 - as many as there are options
    labels: Annotated[Path, typer.Argument(metavar="LABELS", help="File of labels.")],
    *,
    inputs: Inputs,
    ontology: Annotated[str, OPTIONS["ontology"]],
    convention: Annotated[
        ConventionAsked,
        typer.Option(
            help="Whether samples have the ancestors of their labels (closed), lack them (most-specific), or "
            "either (mixed); by default inferred for each ancestor."
        ),
    ] = "infer",
    axioms: Annotated[
        Axioms | None,
        typer.Option(
            help="Which rules of the ontology labels are to keep: exclusions and requirements (all), "
            "exclusions, or none (off). [default: all, or what --rules says]"
        ),
    ] = None,
    negative: Annotated[
        Literal["0", "-1"] | None,
        labels_option(help="The file holds verified labels, and this number says that one is absent."),
    ] = None,
    fix: Annotated[
        Path | None,
        output_option(metavar="FILE", help="Write a corrected copy, and beside it the log of changes."),
    ] = None,
    log: Annotated[
        Path | None,
        output_option(
            metavar="FILE", help="Where to write the log; by default the copy's name and .log.csv."
        ),
    ] = None,
    shapes: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Shapes of SHACL, as Turtle, that samples are to fit."),
    ] = None,
    threshold: Annotated[
        str | None,
        labels_option(metavar="NUMBER", help="Scores become labels from here on."),
    ] = None,
    unknown: Annotated[Unknown, typer.Option(hidden=True)] = "error",
    close: Annotated[bool, typer.Option("--close", hidden=True)] = False,
    repeats: Annotated[ScoreRepeats | None, typer.Option(hidden=True)] = None,
    rules: Rules = None,
    fail_on: FailOn = None,
    baseline: Baseline = None,
    write_baseline: WriteBaseline = None,
    sarif: Sarif = None,
    report: Report = None,
    most: Most = 5,
    output: Annotated[Format, output_option("--format", help="How to print the findings.")] = "table",
) -> None:
    """Find what is wrong with a label file, as the ontology sees it."""
    from ontoeval.audit import shapes as shacl
    from ontoeval.audit.corrections import corrected
    from ontoeval.audit.labels import RULES, label_findings, resolve_labels
    from ontoeval.reports.audit import CHANGED

    del ontology, threshold  # they are in the inputs; here the first is no longer optional
    for option, given in (("--unknown", unknown != "error"), ("--close", close), ("--repeats", repeats)):
        if given:
            raise ParameterError(option, "given", "nothing: an audit takes the labels as they are")
    if log is not None and fix is None:
        raise ParameterError("--log", str(log), "a --fix beside it")
    if fix is not None:
        check_table_name("--fix", fix, tabs=True)
        log = log or fix.with_name(f"{fix.name}.log.csv")
    known = {**RULES, **{rule.name: rule for rule in shacl.RULES}}
    settings = settings_of(rules, known)
    check_report(report)
    outputs = {"--fix": fix, "--log": log, "--write-baseline": write_baseline, "--sarif": sarif}
    outputs["--report"] = report
    apart(outputs, (labels, rules, baseline, shapes, *inputs.files))
    accepted = accepted_by(baseline)
    with progress("Auditing", 2) as step:
        subject = resolve_labels(
            labels,
            cast("Ontology", inputs.ontology),
            convention=convention,
            axioms=axioms or settings.axioms or "all",
            negative=None if negative is None else (0 if negative == "0" else -1),
            keep=fix is not None,
            **inputs.reading,
        )
        step()
        others = () if shapes is None else tuple(shacl.find(subject, shapes))
        findings = label_findings(subject, severities=settings.severities, others=others)
        step()
    remarks = [f"{labels}: {subject.raw.form}; {subject.convention}"]
    files: dict[Path, Callable[[Path], None]] = {}
    if fix is not None and log is not None:
        correction = corrected(
            subject,
            severities=settings.severities,
            accepted=accepted[1] if accepted else {},
            separator=inputs.reading.get("separator"),
        )
        check_table_name("--fix", fix, tabs=correction.tabs)
        files = correction.files(fix, log)
        findings = findings.only(findings, **{CHANGED: correction.changes.changed})
        remarks.append(_corrected(correction, subject, fix, log))
    told = deliver(
        findings,
        source=str(labels),
        rules=known,
        samples=subject.raw.samples,
        accepted=accepted,
        write_baseline=write_baseline,
        sarif=sarif,
        report=report,
        files=files,
        most=most,
        output=output,
        remarks=remarks,
    )
    fail(told, fail_on, str(labels))


def _corrected(correction: Correction, subject: ResolvedLabels, fix: Path, log: Path) -> str:
    """Say what the corrected copy is."""
    form, patch = subject.raw.form, correction.patch
    gone = patch.gone if patch is not None else () if form is None else form.unused
    how = f"written anew as {correction.output_format} CSV" if patch is None else "all else as it was"
    told = f"{fix}: corrected copy, {how}, {counted(len(correction.changes), 'change')}: {log}"
    if gone:
        told += f"; columns that are not in it: {listed(gone)}"
    return told + "; it takes the place of the file that was there" * fix.exists()
