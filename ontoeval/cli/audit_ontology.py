"""``ontoeval audit-ontology``: what is wrong with an ontology file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ontoeval.cli.asked import Asked
from ontoeval.cli.findings import (
    FINDINGS,
    Baseline,
    FailOn,
    Most,
    Rules,
    Sarif,
    WriteBaseline,
    apart,
    deliver,
    fail,
)
from ontoeval.cli.inputs import Inputs
from ontoeval.cli.options import LABELS, reads_labels
from ontoeval.cli.terminal import Format, progress, show


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
            rich_help_panel=LABELS,
        ),
    ] = None,
    rules: Rules = None,
    fail_on: FailOn = None,
    baseline: Baseline = None,
    write_baseline: WriteBaseline = None,
    sarif: Sarif = None,
    most: Most = 50,
    output: Annotated[
        Format, typer.Option("--format", help="How to print the findings.", rich_help_panel=FINDINGS)
    ] = "table",
) -> None:
    """Find what is wrong with an ontology: its links, rules and names."""
    from ontoeval.audit.ontology import RULES, audit_ontology
    from ontoeval.audit.ontology_shape import shape_table
    from ontoeval.audit.settings import read_severities
    from ontoeval.ontology import Ontology

    severities = None if rules is None else read_severities(rules, RULES)
    read = (Path(ontology), labels, rules, baseline)
    apart({"--write-baseline": write_baseline, "--sarif": sarif}, read)
    remarks: list[str] = []
    with progress("Auditing", 2) as step:
        draft = inputs.draft()
        assert draft is not None  # noqa: S101 - FILE is not optional
        step()
        sets = None
        if labels is not None:
            draft = draft if isinstance(draft, Ontology) else draft.ontology()
            known = Inputs(draft, inputs.reading)
            (file,) = known.labels(labels)
            sets, remarks = file.sets, known.remarks([file])
        findings = audit_ontology(draft, labels=sets, severities=severities)
        step()
    source = str(inputs.file)
    told = deliver(
        findings,
        source=source,
        rules=RULES,
        samples=() if sets is None else sets.samples,
        baseline=baseline,
        write_baseline=write_baseline,
        sarif=sarif,
        most=most,
        output=output,
        remarks=remarks,
    )
    if output == "table":
        show(shape_table(told), output)
    fail(told, fail_on, source)
