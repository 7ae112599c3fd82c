"""Findings as sentences on a terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ontoeval.audit.findings import Finding, Findings
from ontoeval.core.checks import Severity
from ontoeval.core.table import written
from ontoeval.errors import enumerate_some, pluralise
from ontoeval.reports.audit import CHANGED, corrections, totals

if TYPE_CHECKING:
    from rich.console import RenderableType

INDENT = 4
"""Blanks before the sentences below the line of a rule."""

MENDED = "→ "
"""Mark of a sentence that names the remedy."""

MOST = 5
"""Findings of each kind that are shown by default."""

WIDEST = 110
"""Longer lines are hard to read, however wide a terminal is."""

_STYLES: dict[Severity, str] = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}


def findings_in_words(
    findings: Findings,
    *,
    title: str = "Findings",
    most: int = MOST,
    width: int = 80,
) -> RenderableType:
    """Write findings for a terminal: the first `most` of each kind under one head, the rest counted."""
    from rich.console import Group
    from rich.constrain import Constrain
    from rich.padding import Padding
    from rich.text import Text

    width = min(width, WIDEST)
    kinds = _groups(findings.found)
    groups = [some[:most] for some in kinds]
    counts = [_count(some[0]) if len(some) == 1 else pluralise(len(some), "finding") for some in kinds]
    heads = [(some[0].severity, some[0].rule, count) for some, count in zip(groups, counts, strict=True)]
    longest = [max(map(len, texts)) for texts in zip(*heads, strict=True)]
    mark = "  corrected" if CHANGED in findings.facts else "  --fix"
    parts: list[RenderableType] = [Text(f"\n{written(title)}", style="bold")]
    for some, every, (severity, rule, count) in zip(groups, kinds, heads, strict=True):
        head = Text("\n  ")
        head.append(severity.ljust(longest[0]), style=_STYLES[some[0].severity])
        head.append(f"  {rule.ljust(longest[1])}", style="bold")
        head.append(f"  {count.rjust(longest[2])}")
        head.append(mark * some[0].fixable, style="green")
        told = _sentences(some[0], width - INDENT) if len(every) == 1 else _common(every)
        sentences = Text("\n").join(
            Text(written(text), style="green" * text.startswith(MENDED)) for text in told
        )
        parts += [head, *([Padding(sentences, (0, 0, 0, INDENT))] if told else [])]
        if len(every) > 1:
            parts.append(Padding(_each(some, every, width - INDENT), (0, 0, 0, INDENT)))
        if len(every) > len(some):
            more = f"… and {pluralise(len(every) - len(some), 'more finding')} of this kind"
            parts.append(Padding(Text(more, style="dim"), (0, 0, 0, INDENT)))
    hidden = len(findings) - sum(map(len, groups))
    more = (
        f"{pluralise(hidden, 'finding')} not shown. Show more of each kind with --most NUMBER, or all with "
        "--format csv."
    )
    notes = [*([more] if hidden else []), totals(findings), *corrections(findings)]
    parts.append(Padding(Text("\n".join(["", *notes]), style="yellow"), (0, 0, 0, 2)))
    return Constrain(Group(*parts), width)


def _groups(found: Sequence[Finding]) -> list[list[Finding]]:
    """Group the findings of one kind, in the order of the first of each group."""
    groups: dict[tuple[object, ...], list[Finding]] = {}
    for finding in found:
        groups.setdefault(_kind(finding), []).append(finding)
    return list(groups.values())


def _kind(finding: Finding) -> tuple[object, ...]:
    return finding.severity, finding.rule, finding.fixable, finding.common


def _count(finding: Finding) -> str:
    return f"{finding.count:,}" if finding.total is None else f"{finding.count:,} of {finding.total:,}"


def _common(found: Sequence[Finding]) -> list[str]:
    """Give the explanation that findings share, and their remedy if it is the same."""
    told, fix = (*found[0].common, "", "")[:2]
    fixes = {finding.fix for finding in found}
    if not found[0].common and len(fixes) == 1:
        fix = found[0].fix or ""
    return [*filter(None, [told]), *([MENDED + fix] if fix else [])]


def _each(found: Sequence[Finding], every: Sequence[Finding], width: int) -> RenderableType:
    """Write a line for each finding: its count, what it is about, and as an example a sample or two."""
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2, 0, 0))
    counts = list(map(_count, found))
    grid.add_column(justify="right", overflow="fold")
    grid.add_column(overflow="fold")
    room = width - max(map(len, counts)) - 2
    shared = len({finding.fix for finding in every}) == 1
    texts = [written(_own(finding, shared=shared)) for finding in found]
    two, one = ([written(enumerate_some(finding.samples[:number])) for finding in found] for number in (2, 1))
    for examples in (two, one):
        widest = max(map(len, examples))
        aligned = max((len(text) for text in texts if len(text) + 2 + widest <= room), default=0)
        if aligned == max(map(len, texts)):
            break
    for count, text, example in zip(counts, texts, examples, strict=True):
        line = Text(text.ljust(aligned) if example else text)
        below = max(aligned, len(text)) + 2 + len(example) > room
        line.append(f"\n{example}" if below and example else f"  {example}" * bool(example), style="dim")
        grid.add_row(Text(count), line)
    return grid


def _own(finding: Finding, *, shared: bool) -> str:
    """Describe one finding among others of its kind."""
    if finding.common:
        return finding.own
    return " ".join([finding.explanation, *([MENDED + finding.fix] if finding.fix and not shared else [])])


def _sentences(finding: Finding, width: int) -> list[str]:
    """Give the explanation, the remedy, and as many samples as fit into a line."""
    told = [finding.explanation or finding.rule]
    if finding.fix:
        told.append(MENDED + finding.fix)
    examples = [
        f"For example {enumerate_some(finding.samples[:number], total=finding.count)}."
        for number in range(1, len(finding.samples) + 1)
    ]
    return [*told, *([example for example in examples if len(example) <= width] or examples[:1])[-1:]]
