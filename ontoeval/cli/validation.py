"""``ontoeval validate``: runs checked without the truth, as entrants can."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ontoeval.cli.exits import Exit
from ontoeval.cli.options import RUNS, Output, output_option
from ontoeval.cli.reading import reader_of
from ontoeval.cli.runs import Runs, runs_of
from ontoeval.core.checks import Axioms, Missing
from ontoeval.errors import pluralise
from ontoeval.labels.options import ReadingOptions
from ontoeval.options import Opt

if TYPE_CHECKING:
    from ontoeval.audit.findings import Findings
    from ontoeval.core.table import Table


def validate(
    runs: Annotated[tuple[Path, ...], RUNS],
    reading: ReadingOptions,
    *,
    samples: Annotated[
        Path | None,
        Opt(
            "The samples that there are: an identifier in each line, a table with a column of them, or "
            "any label file."
        ),
    ] = None,
    missing: Annotated[
        Missing, Opt("Runs of other samples: refuse them, or (empty) only remark on them.")
    ] = "refuse",
    scores: Annotated[
        bool,
        Opt("Runs are measured by their scores: they need no --threshold, and no label sets."),
    ] = False,
    axioms: Annotated[
        Axioms,
        Opt(
            "Rules of the ontology that runs are compared with: exclusions and requirements (all), "
            "exclusions, or none (off). A broken rule refuses no run."
        ),
    ] = "all",
    top: Annotated[
        int,
        output_option(
            "How many findings of each kind are printed at most for a run; other formats hold all.",
            flags=("--top", "--most"),
            least=1,
        ),
    ] = 5,
    output: Output = "table",
) -> None:
    """Check runs as far as that is possible without the truth; all that is wrong, not only the first.

    The exit code is 1 where a run would be refused, and 0 where there are only remarks.
    """
    from ontoeval.audit.validation import validate as validated
    from ontoeval.cli.terminal import out, progress, show, tell
    from ontoeval.labels.reading import read_samples
    from ontoeval.reports.audit import findings_in_words

    reader = reader_of(reading)
    found = runs_of(runs, beside=[samples], input_format=reading.input_format)
    wanted = None if samples is None else read_samples(samples)
    results: dict[str, Findings] = {}
    with progress("Checking", len(found.paths)) as step:
        for name, path in zip(found.names, found.paths, strict=True):
            results[name] = validated(
                path,
                reader.ontology,
                samples=wanted,
                missing=missing,
                scores=scores,
                axioms=axioms,
                **reader.reading,
            )
            step()
    refused = {name: findings.fails("error") for name, findings in results.items()}
    lines = [*found.remarks, *map(_said, results.values())]
    if output == "table":
        for name, findings in results.items():
            title = f"{name} would be {'refused' if refused[name] else 'accepted'}"
            out.print(findings_in_words(findings, title=title, most=top, width=out.width))
        out.print()
    else:
        contents = [
            {"run": name, "refused": refused[name], **findings.content} for name, findings in results.items()
        ]
        show(_table(found, results), output, inputs=lines, runs=contents)
    tell(lines, output)
    if any(refused.values()):
        raise typer.Exit(Exit.FINDINGS)


def _said(findings: Findings) -> str:
    """Give the verdict on a run in one line."""
    facts = findings.facts
    read = f": {facts['format']}; {pluralise(facts['samples'], 'sample')}" if "format" in facts else ""
    errors = sum(finding.severity == "error" for finding in findings)
    verdict = f"would be refused, {pluralise(errors, 'error')}" if errors else "would be accepted"
    return f"{facts['run']}{read}; {verdict}"


def _table(runs: Runs, results: dict[str, Findings]) -> Table:
    from ontoeval.core.table import Column, Table
    from ontoeval.errors import enumerate_some

    columns = ("run", "severity", "rule", "concepts", "count", "samples", "explanation", "fix")
    rows = tuple(
        (
            name,
            finding.severity,
            finding.rule,
            ", ".join(finding.concepts),
            finding.count,
            enumerate_some(finding.samples),
            finding.explanation,
            finding.fix or "",
        )
        for name in runs.names
        for finding in results[name].found
    )
    return Table("What is wrong with the runs", tuple(map(Column, columns)), rows)
