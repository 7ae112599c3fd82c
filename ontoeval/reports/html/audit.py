"""The report of an audit, of a label file or of an ontology."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval._version import __version__
from ontoeval.audit import labels, ontology, shapes
from ontoeval.audit.findings import SEVERITIES, Finding, Findings
from ontoeval.audit.tables import CONCEPTS, corrections, rules_table, totals
from ontoeval.core.csr import pattern
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import counted
from ontoeval.reports.html.page import Figure, Section, View, report_page, template
from ontoeval.reports.html.sections.branches import Shade, branches
from ontoeval.reports.html.sections.shape import shape
from ontoeval.reports.plots import bars
from ontoeval.reports.plotting import QUALITATIVE
from ontoeval.reports.table import Cell, Column, Table, written

MOST = 1_000
"""Findings that a page holds, the first ones."""

CHARACTERS = 600_000
"""How long their texts may be together; a page holds them as a list and as a table."""

ROWS = 50_000
"""Samples that are counted at a time."""

RULES = {**ontology.RULES, **labels.RULES, **{rule.name: rule for rule in shapes.RULES}}

COLOURS = {"error": QUALITATIVE[5], "warning": QUALITATIVE[1], "note": QUALITATIVE[4]}


def audit_report(findings: Findings, *, title: str = "Audit") -> str:
    """Write the report of an audit: one HTML page that needs nothing else."""
    made = [_summary(findings), _branches(findings), _list(findings), _worst(findings), _shape(findings)]
    counts = findings.summary
    facts = [("findings", f"{len(findings):,}")]
    facts += [(f"{level}s", f"{counts[level]:,}") for level in SEVERITIES]
    if "samples" in findings.facts:
        facts.append(("samples", f"{findings.facts['samples']:,}"))
    if "convention" in findings.facts:
        facts.append(("label sets are", findings.facts["convention"]["name"].replace("-", " ")))
    if findings.hierarchy is not None:
        facts.append(("concepts", f"{len(findings.hierarchy.vocabulary):,}"))
    return report_page(
        title,
        [section for section in made if section is not None],
        [f"ontoeval {__version__}", *_told(findings), totals(findings), *corrections(findings)],
        facts=facts,
    )


def _told(findings: Findings) -> list[str]:
    """Say what was audited, and how it was understood."""
    told = []
    for name, value in findings.facts.items():
        if name == "convention":
            told.append(f"convention: {value['name']} ({'asked for' if value['forced'] else 'inferred'})")
            told.append(f"implied ancestors that are there: {value['present']:,} of {value['implied']:,}")
        elif isinstance(value, str | int) and value != "":
            told.append(f"{name.replace('_', ' ')}: {written(value)}")
        elif isinstance(value, list):
            told += map(written, value)
    if findings.hierarchy is not None:
        concepts = counted(len(findings.hierarchy.vocabulary), "concept")
        told.append(f"hierarchy of {concepts} (sha256 {findings.hierarchy.digest[:12]})")
    return told


def _summary(findings: Findings) -> Section:
    found = findings.by_rule()
    plain = rules_table(findings)
    table = Table(
        plain.title,
        (*plain.columns, Column("looks for")),
        tuple((*row, RULES[str(row[0])].description if row[0] in RULES else "") for row in plain.rows),
        ("count: samples that show it; where a rule is not about samples, concepts or links.",),
    )
    views = []
    for what in ("findings", "count"):
        order = sorted(found, key=lambda one: (SEVERITIES.index(one["severity"]), -one[what], one["rule"]))
        plot = bars(
            [one["rule"] for one in order],
            [one[what] for one in order],
            [one["severity"] for one in order],
            title="samples, concepts or links" if what == "count" else what,
            reading=[f"{one['rule']}: {one['findings']:,} findings, count {one['count']:,}" for one in order],
            colours=COLOURS,
        )
        views.append(View(plot, table))
    text = "A finding is told once, however many samples show it." if found else "Nothing was found."
    figure = Figure(
        "Findings by rule", views, [("Length", ("findings", "what shows them"))], text, open_table=True
    )
    convention = findings.facts.get("convention")
    return Section("summary", "Summary", "" if convention is None else _convention(convention), [figure])


def _convention(convention: dict[str, str | int]) -> str:
    words = {
        "closed": "hold the ancestors of their labels",
        "most-specific": "leave the ancestors of their labels out",
        "mixed": "follow no convention on the ancestors of their labels",
    }
    seen = f"{convention['present']:,} of {convention['implied']:,} implied ancestors are there"
    how = "as was said" if convention["forced"] else "as they show themselves"
    return f"Label sets {words[str(convention['name'])]}, {how}: {seen}. They are judged by that."


def _branches(findings: Findings) -> Section | None:
    hierarchy = findings.hierarchy
    if hierarchy is None or not any(
        concept in hierarchy.vocabulary for one in findings for concept in one.concepts
    ):
        return None
    shades: dict[str, Shade] = {}
    for name, levels in (
        ("samples with errors or warnings", SEVERITIES[:2]),
        ("samples with any finding", SEVERITIES),
    ):
        # The samples of a list are those of one of its concepts each.
        chosen = [one for one in findings if one.severity in levels and one.rows.size and not one.lists]
        if chosen:
            shades[name] = Shade(affected(chosen, hierarchy, len(findings.samples)), "amount")
    for level in SEVERITIES:
        chosen = [one for one in findings if one.severity == level]
        if chosen:
            within = _within(chosen, hierarchy)
            shades[f"{level}s"] = Shade(np.asarray(within.sum(axis=0), dtype=np.float64), "amount")
    used = np.zeros(len(hierarchy.vocabulary), dtype=bool)
    used[_within(findings.found, hierarchy).indices] = True
    text = "Click on a concept to see its branch alone. A branch has the findings about any of its concepts"
    text += ", and the samples that show them, each once." if findings.samples else "."
    figure = branches("Findings in their branches", hierarchy, shades, choice="Colour", text=text, used=used)
    return Section("branches", "Branches", "Where in the ontology there is something to do.", [figure])


def _within(found: Sequence[Finding], hierarchy: Hierarchy) -> sparse.csr_array:
    """Mark the concepts that each finding is about, and what lies above them."""
    index = hierarchy.vocabulary.index
    places = [[index[name] for name in dict.fromkeys(one.concepts) if name in index] for one in found]
    begin = np.concatenate([[0], np.cumsum([len(some) for some in places])])
    named = np.array([place for some in places for place in some], dtype=np.intp)
    shape = len(found), len(hierarchy.vocabulary)
    own = sparse.csr_array((np.ones(named.size, dtype=bool), named, begin), shape=shape)
    return pattern(own @ hierarchy.ancestors)


def affected(found: Sequence[Finding], hierarchy: Hierarchy, samples: int) -> NDArray[np.float64]:
    """Count the samples that show any finding about each branch."""
    begin = np.concatenate([[0], np.cumsum([one.rows.size for one in found])])
    rows = np.concatenate([one.rows for one in found])
    shows = sparse.csc_array(
        (np.ones(rows.size, dtype=bool), rows, begin), shape=(samples, len(found))
    ).tocsr()
    within = _within(found, hierarchy)
    counts = np.zeros(len(hierarchy.vocabulary))
    for first in range(0, samples, ROWS):
        part = sparse.csr_array(shows[first : first + ROWS] @ within)
        counts += np.bincount(part.indices, minlength=counts.size)
    return counts


def _list(findings: Findings) -> Section | None:
    if not len(findings):
        return None
    shown = _fitting(findings.found)
    columns = ("severity", "rule", "concepts", "count", "of", "explanation", "fix", "for example")
    rows: list[tuple[Cell, ...]] = [
        (
            one.severity,
            one.rule,
            _some(one.concepts),
            one.count,
            one.total,
            one.explanation,
            one.fix or "",
            ", ".join(one.samples),
        )
        for one in shown
    ]
    lines = [
        {
            "severity": one.severity,
            "rank": SEVERITIES.index(one.severity),
            "rule": one.rule,
            "concepts": one.concepts[:CONCEPTS],
            "more": written(len(one.concepts) - CONCEPTS) if len(one.concepts) > CONCEPTS else "",
            "count": one.count,
            "counted": written(one.count),
            "total": "" if one.total is None else written(one.total),
            "value": one.share if one.total else "",
            "share": f"{one.share:.1%}" if one.total else "",
            "explanation": one.explanation,
            "fix": one.fix,
            "fixable": one.fixable,
            "samples": one.samples,
        }
        for one in shown
    ]
    hidden = len(findings) - len(shown)
    note = f"{hidden:,} more findings are left out: they come later in this order." if hidden else ""
    table = Table("Findings", tuple(map(Column, columns)), tuple(rows), (note,) * bool(note))
    html = template("findings").render(rows=lines, note=note)
    text = "A green line marks what would mend it."
    if any(one.fixable for one in shown):
        text += " (--fix) stands where ontoeval audit --fix does that."
    figure = Figure(
        "All findings" if not hidden else "The first findings", [View(html=html, table=table)], text=text
    )
    return Section(
        "findings",
        "Findings",
        "Certain findings first, then those that rest on a rule of the ontology, then questions, then notes.",
        [figure],
    )


def _fitting(found: Sequence[Finding]) -> Sequence[Finding]:
    """Take the first findings, as many as a page holds."""
    sizes = np.cumsum([len(one.explanation) + len(one.fix or "") + len(_some(one.concepts)) for one in found])
    return found[: max(1, min(MOST, int(np.searchsorted(sizes, CHARACTERS))))]


def _some(concepts: Sequence[str]) -> str:
    more = len(concepts) - CONCEPTS
    return ", ".join(concepts[:CONCEPTS]) + (f" and {more:,} more" if more > 0 else "")


def _worst(findings: Findings) -> Section | None:
    cards, rows = [], []
    for sample, _ in findings.worst:
        row = findings.samples.index(sample)
        shown = [one for one in findings if one.severity != "note" and (one.rows == row).any()]
        cards.append({"sample": sample, "findings": shown})
        rows += [(sample, one.severity, one.rule, _some(one.concepts)) for one in shown]
    if not cards:
        return None
    table = Table(
        "Worst samples", tuple(map(Column, ("sample", "severity", "rule", "concepts"))), tuple(rows)
    )
    html = template("audited").render(cards=cards, most=CONCEPTS)
    text = "Samples that show most errors and warnings."
    return Section("worst", "Worst samples", text, [Figure("What they show", [View(html=html, table=table)])])


def _shape(findings: Findings) -> Section | None:
    if findings.hierarchy is None or "shape" not in findings.facts:
        return None
    return shape(findings, findings.hierarchy)
