"""Findings as tables: each of them, and how many there are by rule, by branch and by sample."""

from __future__ import annotations

from ontoeval.audit.finding import SEVERITIES, Finding
from ontoeval.audit.findings import Findings
from ontoeval.report.table import Cell, Column, Table

CONCEPTS = 5
"""How many concepts of a finding a table shows."""


def findings_table(findings: Findings, *, title: str = "Findings") -> Table:
    """Make a table of findings, the worst first.

    Parameters
    ----------
    findings
        The findings.
    title
        What they are about.

    Returns
    -------
    Table
        One row per finding, as they are `gathered`.

    Examples
    --------
    >>> findings_table(Findings([Finding("rare", "note", ("a",), 1)])).rows[0][:4]
    ('note', 'rare', 'a', 1)
    """
    columns = ("severity", "rule", "concepts", "count", "of", "samples", "explanation", "fix")
    return Table(
        title, tuple(map(Column, columns)), tuple(map(_row, findings.gathered)), (in_words(findings),)
    )


def rules_table(findings: Findings) -> Table:
    """Count the findings of each rule.

    Parameters
    ----------
    findings
        The findings.

    Returns
    -------
    Table
        One row per rule and severity.
    """
    columns = ("rule", "severity", "findings", "count")
    return _counts("By rule", columns, findings.by_rule())


def branches_table(findings: Findings) -> Table:
    """Count the findings of each branch of the hierarchy.

    Parameters
    ----------
    findings
        The findings.

    Returns
    -------
    Table
        One row per branch; a finding about concepts of several branches counts in each.
    """
    rows = [{**row, "branch": row["branch"] or "(none)"} for row in findings.by_branch()]
    return _counts("By branch", ("branch", "findings", "count", *SEVERITIES), rows)


def samples_table(findings: Findings) -> Table:
    """List the samples with most errors and warnings.

    Parameters
    ----------
    findings
        The findings.

    Returns
    -------
    Table
        One row per sample.
    """
    return Table("Worst samples", (Column("sample"), Column("findings")), findings.worst)


def in_words(findings: Findings) -> str:
    """Count findings by severity.

    Parameters
    ----------
    findings
        The findings.

    Returns
    -------
    str
        A sentence.

    Examples
    --------
    >>> in_words(Findings([Finding("rare", "note", ("a",), 1)]))
    '1 finding: 0 errors, 0 warnings, 1 note.'
    """
    counts = [sum(finding.severity == level for finding in findings) for level in SEVERITIES]
    each = [_plural(count, level) for count, level in zip(counts, SEVERITIES, strict=True)]
    return f"{_plural(len(findings), 'finding')}: {', '.join(each)}."


def _plural(count: int, what: str) -> str:
    return f"{count:,} {what}{'s' * (count != 1)}"


def _row(finding: Finding) -> tuple[Cell, ...]:
    concepts = ", ".join(finding.concepts[:CONCEPTS])
    more = len(finding.concepts) - CONCEPTS
    return (
        finding.severity,
        finding.rule,
        f"{concepts} and {more:,} more" if more > 0 else concepts,
        finding.count,
        finding.total,
        ", ".join(finding.samples),
        finding.explanation,
        finding.fix or "",
    )


def _counts(title: str, columns: tuple[str, ...], rows: list[dict[str, str | int]]) -> Table:
    return Table(title, tuple(map(Column, columns)), tuple(tuple(row[c] for c in columns) for row in rows))
