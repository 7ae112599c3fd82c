"""``ontoeval audit-ontology``: what is wrong with an ontology file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontoeval.cli.asked import Asked
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
from ontoeval.cli.option_table import output_option
from ontoeval.cli.options import reads_labels
from ontoeval.cli.reports import Report
from ontoeval.cli.terminal import Format, progress, show
from ontoeval.core.writing import apart
from ontoeval.errors import CycleError
from ontoeval.reports.kinds import check_report

if TYPE_CHECKING:
    from ontoeval.core.label_sets import LabelSets
    from ontoeval.ontology.draft import Draft
    from ontoeval.ontology.model import Ontology


@reads_labels
def audit_ontology(
    ontology: Annotated[
        str,
        typer.Argument(metavar="FILE", help="Ontology file, or the name of a shipped one, such as photo."),
    ],
    *,
    inputs: Asked,
    labels: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="File of label sets, such as a truth: find the rules that these break often.",
        ),
    ] = None,
    rules: Rules = None,
    fail_on: FailOn = None,
    baseline: Baseline = None,
    write_baseline: WriteBaseline = None,
    sarif: Sarif = None,
    report: Report = None,
    most: Most = 5,
    output: Annotated[Format, output_option("--format", help="How to print the findings.")] = "table",
) -> None:
    """Find what is wrong with an ontology: its links, rules and names."""
    from ontoeval.audit.ontology import RULES, audit_ontology
    from ontoeval.reports.audit import shape_table

    severities = settings_of(rules, RULES).severities
    read = (Path(ontology), labels, rules, baseline)
    check_report(report)
    apart({"--write-baseline": write_baseline, "--sarif": sarif, "--report": report}, read)
    accepted = accepted_by(baseline)
    remarks: list[str] = []
    with progress("Auditing", 2) as step:
        draft = inputs.draft()
        assert draft is not None  # noqa: S101 - FILE is not optional
        step()
        sets = None
        if labels is not None:
            sets, remarks = _sets(labels, inputs, draft)
        findings = audit_ontology(draft, labels=sets, severities=severities)
        step()
    source = str(inputs.file)
    told = deliver(
        findings,
        source=source,
        rules=RULES,
        samples=() if sets is None else sets.samples,
        accepted=accepted,
        write_baseline=write_baseline,
        sarif=sarif,
        report=report,
        most=most,
        output=output,
        remarks=remarks,
    )
    if output == "table":
        show(shape_table(told), output)
    fail(told, fail_on, source)


def _sets(labels: Path, inputs: Asked, draft: Draft | Ontology) -> tuple[LabelSets | None, list[str]]:
    """Read label sets, if the ontology is one by which any can be read."""
    from ontoeval.ontology.model import Ontology, compile_draft

    try:
        known = Inputs(draft if isinstance(draft, Ontology) else compile_draft(draft), inputs.reading)
    except CycleError:
        return None, [f"{labels}: not looked at, since no label is understood while there are cycles"]
    (file,) = known.labels(labels)
    return file.sets, known.remarks([file])
