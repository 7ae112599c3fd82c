"""Findings as tables: each of them, and how many there are by rule, by branch and by sample."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from ontoeval.audit.findings import SEVERITIES, Finding, Findings
from ontoeval.errors import counted
from ontoeval.reports.table import Cell, Column, Table

CONCEPTS = 5
"""How many concepts of a finding a table shows."""


BRANCH = 30
"""How many characters of a branch a table shows: it shares its line with counts."""

CHANGED = "corrected_samples"
"""The fact that tells how many samples a correction has changed."""


def findings_table(findings: Findings, *, title: str = "Findings") -> Table:
    """Make a table of findings in their order."""
    columns = ("severity", "rule", "concepts", "count", "of", "samples", "explanation", "fix")
    return Table(title, tuple(map(Column, columns)), tuple(map(_row, findings.gathered)), (totals(findings),))


def rules_table(findings: Findings) -> Table:
    """Count the findings of each rule."""
    columns = ("rule", "severity", "findings", "count")
    return _counts("By rule", columns, findings.by_rule())


def branches_table(findings: Findings) -> Table:
    """Count the findings of each branch of the hierarchy."""
    rows = []
    for row in findings.by_branch():
        name = findings.called.get(row["branch"], row["branch"]) or "(none)"
        rows.append({**row, "branch": name if len(name) <= BRANCH else f"{name[: BRANCH - 1]}…"})
    return _counts("By branch", ("branch", "findings", "count", *SEVERITIES), rows)


def samples_table(findings: Findings) -> Table:
    """List the samples with most errors and warnings."""
    return Table("Worst samples", (Column("sample"), Column("findings")), findings.worst)


def totals(findings: Iterable[Finding]) -> str:
    """Count findings by severity."""
    counts = Counter(finding.severity for finding in findings)
    each = [counted(counts[level], level) for level in SEVERITIES]
    return f"{counted(counts.total(), 'finding')}: {', '.join(each)}."


def corrections(findings: Findings) -> list[str]:
    """Say what a correction would mend, or has mended, and what it leaves."""
    changed = findings.facts.get(CHANGED)
    mended = [finding for finding in findings if finding.fixable]
    left = [finding for finding in findings if not finding.fixable or finding.undecided.size]
    if not mended and changed is None:
        return []
    if changed is None:
        marks = np.zeros(1 + max(finding.rows.max(initial=0) for finding in mended), dtype=bool)
        for one in mended:
            marks[np.setdiff1d(one.rows, one.undecided) if one.undecided.size else one.rows] = True
        changed = int(marks.sum())
        told = f"--fix would correct {counted(len(mended), 'finding')}"
    else:
        told = f"Corrected: {counted(len(mended), 'finding')}"
    counts = Counter(finding.severity for finding in left)
    each = [counted(counts[level], level) for level in SEVERITIES if counts[level]]
    return [f"{told} in {counted(changed, 'sample')}; left for a human: {', '.join(each) or 'nothing'}."]


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
