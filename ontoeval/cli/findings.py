"""What the commands that audit share: how findings are shown, kept, and made to fail."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Annotated

import typer

from ontoeval.cli.exits import Exit, say_no
from ontoeval.cli.option_table import output_option
from ontoeval.cli.terminal import Format, show, tell
from ontoeval.core.choices import Severity
from ontoeval.core.writing import write_all
from ontoeval.errors import InputError, counted

if TYPE_CHECKING:
    from ontoeval.audit.findings import Findings, Rule
    from ontoeval.audit.settings import Accepted, Settings

FailOn = Annotated[
    Severity | None,
    typer.Option(help="End with exit code 1 where a finding is as bad as that, or worse."),
]
Rules = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE",
        help="TOML with a table [rules]: a severity (error, warning, note or off) for rules, and axioms.",
    ),
]
Baseline = Annotated[
    Path | None,
    typer.Option(metavar="FILE", help="Findings that are accepted: only new ones are told."),
]
WriteBaseline = Annotated[
    Path | None,
    output_option(metavar="FILE", help="Write all findings as accepted ones."),
]
Sarif = Annotated[
    Path | None,
    output_option(metavar="FILE", help="Write the findings as SARIF too."),
]
Most = Annotated[
    int, output_option(min=1, metavar="NUMBER", help="How many findings of each kind are shown.")
]


def deliver(
    findings: Findings,
    *,
    source: str,
    rules: Mapping[str, Rule],
    samples: Sequence[str] = (),
    accepted: tuple[Path, Accepted] | None = None,
    write_baseline: Path | None = None,
    sarif: Path | None = None,
    report: Path | None = None,
    files: Mapping[Path, Callable[[Path], None]] = MappingProxyType({}),
    most: int = 5,
    output: Format = "table",
    remarks: Iterable[str] = (),
) -> Findings:
    """Show the findings that no baseline accepts, write all files or none, and return these findings."""
    from ontoeval.audit.sarif import sarif as as_sarif
    from ontoeval.audit.settings import baseline as as_baseline
    from ontoeval.audit.settings import new_findings
    from ontoeval.cli.terminal import out
    from ontoeval.reports import audit
    from ontoeval.reports.findings import findings_in_words
    from ontoeval.reports.formats import as_json

    texts: dict[Path, str | Callable[[Path], None]] = {**files}
    if write_baseline is not None:
        texts[write_baseline] = as_baseline(findings, samples)
    if accepted is not None:
        new = new_findings(findings, accepted[1], samples)
        count = len(findings) - len(new)
        findings = findings.only(new, accepted=count)
        remarks = [*remarks, f"{accepted[0]}: accepts {counted(count, 'finding')}, not told again"]
    if sarif is not None:
        texts[sarif] = as_json(as_sarif(findings, rules, source))
    if report is not None:
        texts[report] = findings.report(title=f"Audit of {Path(source).name}")
    write_all(texts)
    if output == "json":
        out.file.write(as_json(findings.content))
    elif output == "table":
        out.print(findings_in_words(findings, title=f"Audit of {source}", most=most, width=out.width))
        for make in (audit.rules_table, audit.branches_table, audit.samples_table):
            if (table := make(findings)).rows:
                show(table, output)
    else:
        show(audit.findings_table(findings, title=f"Audit of {source}"), output)
    tell(remarks, output)
    return findings


def settings_of(rules: Path | None, known: Mapping[str, Rule]) -> Settings:
    """Read the file of rules, if there is one; it may serve all commands that audit."""
    from ontoeval.audit import labels, ontology, shapes
    from ontoeval.audit.settings import Settings, read_settings

    if rules is None:
        return Settings()
    return read_settings(
        rules, known, {**labels.RULES, **{rule.name: rule for rule in shapes.RULES}, **ontology.RULES}
    )


def accepted_by(baseline: Path | None) -> tuple[Path, Accepted] | None:
    """Read what a baseline accepts, before anything is written."""
    from ontoeval.audit.settings import read_baseline

    return None if baseline is None else (baseline, read_baseline(baseline))


def fail(findings: Findings, fail_on: Severity | None, source: str) -> None:
    """End with exit code 1 where a finding is as bad as `fail_on`, or worse."""
    from ontoeval.reports.audit import totals

    if fail_on is not None and findings.fails(fail_on):
        problem = f"the audit has {totals(findings).rstrip('.')} (--fail-on {fail_on})"
        remedy = "Correct the file, or accept findings with --write-baseline FILE and --baseline FILE."
        say_no(InputError(problem, remedy, where=source))
        raise typer.Exit(Exit.FINDINGS)
