"""Findings in words: for people at a terminal, who read sentences and not columns of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ontoeval.audit.finding import Finding, Severity
from ontoeval.audit.findings import Findings
from ontoeval.audit.tables import in_words
from ontoeval.errors import listed
from ontoeval.report.table import written

if TYPE_CHECKING:
    from rich.console import RenderableType

INDENT = 4
"""How far sentences stand below the line that says what they are about."""

MENDED = "→ "
"""What stands before that which would mend it."""

WIDEST = 110
"""Longer lines are hard to read, however wide a terminal is."""

_STYLES: dict[Severity, str] = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}


def findings_in_words(
    findings: Findings, *, title: str = "Findings", most: int = 50, width: int = 80
) -> RenderableType:
    """Write findings for a terminal: of each a line with how bad it is and its count, and sentences below.

    Parameters
    ----------
    findings
        The findings.
    title
        What they are about.
    most
        How many to show at most, the worst first.
    width
        Characters in a line.

    Returns
    -------
    RenderableType
        What rich prints.

    Examples
    --------
    >>> from rich.console import Console
    >>> rare = Finding("rare", "note", ("a",), 1, ("p1",), 8, "It is rare.")
    >>> Console().print(findings_in_words(Findings([rare]), title="Audit"))
    <BLANKLINE>
    Audit
    <BLANKLINE>
      note  rare  1 of 8
        It is rare.
        For example 'p1'.
    <BLANKLINE>
      1 finding: 0 errors, 0 warnings, 1 note.
    """
    from rich.console import Group
    from rich.constrain import Constrain
    from rich.padding import Padding
    from rich.text import Text

    width = min(width, WIDEST)
    shown = findings.found[:most]
    counts = [_count(finding) for finding in shown]
    longest = [
        max(map(len, texts), default=0)
        for texts in ([one.severity for one in shown], [one.rule for one in shown], counts)
    ]
    parts: list[RenderableType] = [Text(f"\n{written(title)}", style="bold")]
    for finding, count in zip(shown, counts, strict=True):
        head = Text("\n  ")
        head.append(finding.severity.ljust(longest[0]), style=_STYLES[finding.severity])
        head.append(f"  {finding.rule.ljust(longest[1])}", style="bold")
        head.append(f"  {count.rjust(longest[2])}")
        sentences = Text("\n").join(
            Text(written(text), style="green" * text.startswith(MENDED))
            for text in _sentences(finding, width - INDENT)
        )
        parts += [head, Padding(sentences, (0, 0, 0, INDENT))]
    hidden = len(findings) - most
    more = f"{hidden:,} more finding{' is' if hidden == 1 else 's are'} not shown (--most)."
    notes = [more] if hidden > 0 else []
    parts.append(Padding(Text("\n".join(["", *notes, in_words(findings)]), style="yellow"), (0, 0, 0, 2)))
    return Constrain(Group(*parts), width)


def _count(finding: Finding) -> str:
    return f"{finding.count:,}" if finding.total is None else f"{finding.count:,} of {finding.total:,}"


def _sentences(finding: Finding, width: int) -> list[str]:
    """Say what is wrong, what would mend it, and where it is seen: as many samples as fit into a line."""
    told = [finding.explanation or finding.rule]
    if finding.fix:
        told.append(MENDED + finding.fix)
    examples = [
        f"For example {listed(finding.samples[:number], total=finding.count)}."
        for number in range(1, len(finding.samples) + 1)
    ]
    return [*told, *([example for example in examples if len(example) <= width] or examples[:1])[-1:]]
