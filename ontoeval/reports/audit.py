"""Audits: tables of findings and of the ontology, sentences on a terminal, sections and page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from operator import itemgetter
from typing import TYPE_CHECKING, Unpack

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval._version import __version__
from ontoeval.audit import labels, ontology
from ontoeval.audit.choices import Severity
from ontoeval.audit.findings import EXAMPLES, SEVERITIES, Finding, Findings
from ontoeval.audit.resolved_labels import ancestors_seen
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.names import ConceptNames
from ontoeval.core.showing import Page
from ontoeval.core.table import Cell, Column, Table, cell_text
from ontoeval.errors import enumerate_some, pluralise
from ontoeval.plumbing.files import FilePath
from ontoeval.plumbing.sparse import pattern
from ontoeval.reports.concepts import Shade, branches, tree_to_draw
from ontoeval.reports.explanation import Pictures, pictures
from ontoeval.reports.formats import table_of
from ontoeval.reports.page import About, Figure, FigureView, Section, report_page, template

if TYPE_CHECKING:
    from rich.console import RenderableType

CONCEPTS = 5  # most concepts of a finding that a table shows
CHANGED = "corrected_samples"  # the fact with the number of samples that a correction has changed


def findings_table(findings: Findings, *, title: str = "Findings", every: bool = False) -> Table:
    """Make a table of findings in their order; with `every` one of all their concepts, samples and cases."""
    titles = ("severity", "rule", "concepts", "count", "of", "samples", "explanation", "fix")
    found = list(findings.gathered)
    if every:
        found = [replace(one, samples=findings.samples_of(one)) for one in found]
    rows = (row for one in found for row in _rows(one, findings.names, every=every))
    return table_of(title, titles, rows, notes=[totals(findings)])


def briefly(findings: Findings) -> Table:
    """Make a table of findings, or say which checks were passed."""
    if len(findings):
        return findings_table(findings)
    checked = [f"Checked: {', '.join(findings.checks)}."] * bool(findings.checks)
    return Table("Findings", (), (), (*checked, *findings.facts.get("notes", [])), head=of_findings(findings))


def rules_table(findings: Findings) -> Table:
    """Count the findings of each rule."""
    titles = ("rule", "severity", "findings", "count")
    return table_of("By rule", titles, map(itemgetter(*titles), findings.by_rule))


def samples_table(findings: Findings) -> Table:
    """List the samples with most errors and warnings."""
    return table_of("Worst samples", ("sample", "findings"), findings.worst)


def shape_table(findings: Findings) -> Table:
    """Show the shape of an ontology that was audited."""
    rows = dict(findings.facts["shape"])
    # Of the largest numbers what the concept is called that has them.
    largest = {"depth": "deepest", "children": "most children", "parents": "most parents"}
    where = {of: rows.pop(name) for of, name in largest.items()}
    columns = (Column("what"), Column("value", mixed=True), Column("where"))
    return Table("Shape", columns, tuple((name, value, where.get(name, "")) for name, value in rows.items()))


def every_finding(findings: Findings) -> Table:
    """Make a table of all findings, with all their concepts."""
    rows = (next(_rows(one, findings.names, every=True)) for one in findings)
    return replace(findings_table(findings), rows=tuple(rows))


def totals(findings: Iterable[Finding]) -> str:
    """Count findings by severity."""
    counts = Counter(finding.severity for finding in findings)
    each = [pluralise(counts[level], level) for level in SEVERITIES]
    return f"{pluralise(counts.total(), 'finding')}: {', '.join(each)}."


def corrections(findings: Findings) -> list[str]:
    """Count what a correction would change, or has changed, and what it leaves."""
    changed = findings.facts.get(CHANGED)
    corrected = [finding for finding in findings if finding.fixable]
    left = [finding for finding in findings if not finding.fixable or finding.undecided.size]
    if not corrected and changed is None:
        return []
    if changed is None:
        marks = np.zeros(1 + max(finding.rows.max(initial=0) for finding in corrected), dtype=bool)
        for one in corrected:
            marks[np.setdiff1d(one.rows, one.undecided) if one.undecided.size else one.rows] = True
        changed = int(marks.sum())
        text = f"--fix would correct {pluralise(len(corrected), 'finding')}"
    else:
        text = f"Corrected: {pluralise(len(corrected), 'finding')}"
    counts = Counter(finding.severity for finding in left)
    each = [pluralise(counts[level], level) for level in SEVERITIES if counts[level]]
    return [f"{text} in {pluralise(changed, 'sample')}; left for a human: {', '.join(each) or 'nothing'}."]


def _row(finding: Finding, names: ConceptNames) -> tuple[Cell, ...]:
    return (
        finding.severity,
        finding.rule,
        _list_concepts(finding.concepts, names),
        finding.count,
        finding.total,
        ", ".join(finding.samples),
        finding.explanation,
        finding.fix or "",
    )


def _rows(finding: Finding, names: ConceptNames, *, every: bool) -> Iterator[tuple[Cell, ...]]:
    row = _row(finding, names)
    yield (*row[:2], names.join(finding.concepts), *row[3:]) if every else row
    for case in finding.content["cases"] if every and len(finding.cases) > EXAMPLES else ():
        yield (*row[:2], names.join(case["concepts"]), None, None, "", case["case"], "")


def _list_concepts(concepts: Sequence[str], names: ConceptNames) -> str:
    more = len(concepts) - CONCEPTS
    return names.join(concepts[:CONCEPTS], more=f" and {more:,} more" if more > 0 else "")


MOST = 1_000  # findings that a page holds, the first ones
CHARACTERS = 600_000  # most characters of their texts
ROWS = 50_000  # samples that are counted at a time

RULES = {**ontology.RULES, **labels.RULES}


def tables(findings: Findings) -> dict[str, Table]:
    """Make all tables of an audit."""
    made = {
        "findings": findings_table(findings),
        "rules": rules_table(findings),
        "samples": samples_table(findings),
    }
    return made | ({"shape": shape_table(findings)} if "shape" in findings.facts else {})


def report(
    findings: Findings,
    *,
    title: str = "Audit",
    images: FilePath | None = None,
    folder: FilePath = ".",
    **about: Unpack[About],
) -> Page:
    """Write the report of an audit: one HTML page that needs nothing else."""
    found = pictures(images, folder)
    made = [
        _summary(findings),
        _branches(findings),
        _list(findings, found),
        _worst_samples_section(findings),
        _shape(findings),
    ]
    made.insert(4 if len(findings) else 0, _passed_checks(findings))
    counts = findings.summary
    facts = [("findings", f"{len(findings):,}"), *((f"{one}s", f"{counts[one]:,}") for one in SEVERITIES)]
    if "samples" in findings.facts:
        facts.append(("samples", f"{findings.facts['samples']:,}"))
    if "convention" in findings.facts:
        facts.append(("label sets are", findings.facts["convention"]["name"].replace("-", " ")))
    if findings.hierarchy is not None:
        facts.append(("concepts", f"{len(findings.hierarchy.vocabulary):,}"))
    return report_page(
        title,
        made,
        [f"ontoeval {__version__}", *_inputs(findings), totals(findings), *corrections(findings)],
        facts=facts,
        head=" ".join([of_findings(findings), *corrections(findings)]),
        pictures=found.sources,
        **about,
    )


def of_findings(findings: Findings) -> str:
    """How many errors in how many samples, or how many checks were passed."""
    among = ""
    if findings.samples:
        among = f" in {pluralise(len(findings.samples), 'sample')}"
    elif findings.hierarchy is not None:
        among = f" among {pluralise(len(findings.hierarchy.vocabulary), 'concept')}"
    accepted = findings.facts.get("accepted", 0)
    known = f" {pluralise(accepted, 'accepted finding')} left out." * bool(accepted)
    counts = Counter(finding.severity for finding in findings)
    if not counts:
        if accepted or not findings.checks:
            return f"Nothing {'new ' * bool(accepted)}was found{among}.{known}"
        return f"Passed {pluralise(len(findings.checks), 'check')}: nothing was found{among}."
    rest = " and ".join(pluralise(counts[level], level) for level in SEVERITIES[1:])
    errors = [finding for finding in findings if finding.severity == "error"]
    if not errors:
        return f"No errors{among}; {rest}.{known}"
    rows = np.unique(np.concatenate([finding.rows for finding in errors])).size
    where = f" in {rows:,} of {pluralise(len(findings.samples), 'sample')}" if rows else among
    rule, most = Counter(finding.rule for finding in errors).most_common(1)[0]
    by = f", {'all' if most == len(errors) else f'{most:,}'} by the rule {rule!r}" if len(errors) > 1 else ""
    return f"{pluralise(len(errors), 'error')}{where}{by}; {rest}.{known}"


def _inputs(findings: Findings) -> list[str]:
    """List the inputs of the audit and how they were read."""
    texts = []
    for name, value in findings.facts.items():
        if name == "convention":
            texts.append(f"convention: {value['name']} ({'asked for' if value['forced'] else 'inferred'})")
            texts.append(f"implied ancestors that are there: {value['present']:,} of {value['implied']:,}")
        elif isinstance(value, str | int) and value != "":
            texts.append(f"{name.replace('_', ' ')}: {cell_text(value)}")
        elif isinstance(value, list):
            texts += map(cell_text, value)
    if findings.hierarchy is not None:
        concepts = pluralise(len(findings.hierarchy.vocabulary), "concept")
        texts.append(f"hierarchy of {concepts} (sha256 {findings.hierarchy.digest[:12]})")
    return texts


def _summary(findings: Findings) -> Section | None:
    if not len(findings):
        return None
    plain = rules_table(findings)
    table = replace(
        plain,
        columns=(*plain.columns, Column("looks for")),
        rows=tuple((*row, RULES[str(row[0])].description if row[0] in RULES else "") for row in plain.rows),
        notes=("count: samples that show it; where a rule is not about samples, concepts or links.",),
    )
    text = "Each finding is listed once, however many samples show it."
    figure = Figure("Findings by rule", [FigureView(table=table)], text=text, open_table=True)
    convention = findings.facts.get("convention")
    return Section("summary", "Summary", "" if convention is None else _convention(convention), [figure])


def _passed_checks(findings: Findings) -> Section | None:
    """List the checks that found nothing."""
    broken = {finding.rule for finding in findings}
    passed = [rule for rule in findings.checks if rule not in broken]
    if not passed or findings.facts.get("accepted"):  # what was accepted is not among the findings
        return None
    rows = [(rule, RULES[rule].severity, RULES[rule].description) for rule in passed]
    table = table_of("Checks passed", ("check", "severity", "looks for"), rows)
    title = f"{len(passed):,} of {len(findings.checks):,} checks found nothing"
    figure = Figure(title, [FigureView(table=table)], open_table=not len(findings))
    convention = findings.facts.get("convention")
    text = "" if convention is None or len(findings) else _convention(convention)
    return Section("passed", "Checks passed", text, [figure])


def _convention(convention: dict[str, str | int]) -> str:
    words = {
        "closed": "hold the ancestors of their labels",
        "most-specific": "leave the ancestors of their labels out",
        "mixed": "follow no convention on the ancestors of their labels",
    }
    seen = ancestors_seen(int(convention["present"]), int(convention["implied"]))
    how = "as the option demands" if convention["forced"] else "as inferred from the file"
    return f"Label sets {words[str(convention['name'])]}, {how}: {seen}. They are judged by that."


def _branches(findings: Findings) -> Section | None:
    hierarchy = findings.hierarchy
    if hierarchy is None or not len(hierarchy.parents.data):  # without links there is nothing to draw
        return None
    shades: dict[str, Shade] = {}
    shown = {"samples with errors or warnings": SEVERITIES[:2], "samples with any finding": SEVERITIES}
    for name, levels in shown.items():
        # The samples of a list are those of one of its concepts each.
        chosen = [one for one in findings if one.severity in levels and one.rows.size and not one.lists]
        if chosen:
            shades[name] = Shade(affected_by_branch(chosen, hierarchy, len(findings.samples)), "amount")
    for level in SEVERITIES:
        within = _marked_branches([one for one in findings if one.severity == level], hierarchy)
        if within.nnz:
            shades[f"{level}s"] = Shade(np.asarray(within.sum(axis=0), dtype=np.float64), "amount")
    used = np.zeros(len(hierarchy.vocabulary), dtype=bool)
    used[_marked_branches(findings.found, hierarchy).indices] = True
    title, text = "Findings in their branches", " A branch has the findings about any of its concepts"
    text += ", and the samples that show them, each once." if findings.samples else "."
    if not used.any():
        used[:], title, text = True, "Concepts in their hierarchy", ""
        shades = {"concepts in the branch": Shade(tree_to_draw(hierarchy).sums(np.ones(used.size)), "amount")}
    text = f"Click on a concept to see its branch alone.{text}"
    figure = branches(title, hierarchy, shades, choice="Colour", text=text, used=used)
    return Section("branches", "Branches", "", [figure])


def _marked_branches(found: Sequence[Finding], hierarchy: Hierarchy) -> sparse.csr_array:
    """Mark the concepts that each finding is about, and what lies above them."""
    index = hierarchy.vocabulary.index
    places = [[index[name] for name in dict.fromkeys(one.concepts) if name in index] for one in found]
    begin = np.concatenate([[0], np.cumsum([len(some) for some in places])])
    named = np.array([place for some in places for place in some], dtype=np.intp)
    shape = len(found), len(hierarchy.vocabulary)
    own = sparse.csr_array((np.ones(named.size, dtype=bool), named, begin), shape=shape)
    return pattern(own @ hierarchy.ancestors)


def affected_by_branch(found: Sequence[Finding], hierarchy: Hierarchy, samples: int) -> NDArray[np.float64]:
    """Count the samples that show any finding about each branch."""
    begin = np.concatenate([[0], np.cumsum([one.rows.size for one in found])])
    rows = np.concatenate([one.rows for one in found])
    shows = sparse.csc_array((np.ones(rows.size, bool), rows, begin), shape=(samples, len(found))).tocsr()
    within = _marked_branches(found, hierarchy)
    counts = np.zeros(len(hierarchy.vocabulary))
    for first in range(0, samples, ROWS):
        part = sparse.csr_array(shows[first : first + ROWS] @ within)
        counts += np.bincount(part.indices, minlength=counts.size)
    return counts


def _list(findings: Findings, images: Pictures) -> Section | None:
    if not len(findings):
        return None
    found = findings.found
    texts = ((one.explanation, one.fix or "", *one.concepts[:CONCEPTS]) for one in found)
    sizes = np.cumsum([sum(map(len, some)) for some in texts])
    shown = found[: max(1, min(MOST, int(np.searchsorted(sizes, CHARACTERS))))]
    hidden = len(findings) - len(shown)
    note = f"{hidden:,} more findings are left out: they come later in this order." if hidden else ""
    html = template("findings").render(
        rows=shown,
        note=note,
        severities=SEVERITIES,
        most=CONCEPTS,
        names=findings.names,
        pictures={sample: images.find(sample) for one in shown for sample in one.samples},
        host=images.host,
    )
    text = "A green line marks what would mend it; with (--fix), ontoeval audit --fix does that."
    title = "The first findings" if hidden else "All findings"
    lead = (
        "Certain findings first, then those that rest on a rule of the ontology, then questions, then notes."
    )
    return Section("findings", "Findings", lead, [Figure(title, [FigureView(html=html)], text=text)])


def _worst_samples_section(findings: Findings) -> Section | None:
    cards = []
    for sample, _ in findings.worst:
        row = findings.samples.index(sample)
        shown = [one for one in findings if one.severity != "note" and (one.rows == row).any()]
        cards.append({"sample": sample, "findings": shown})
    if not cards:
        return None
    html = template("audited").render(cards=cards, most=CONCEPTS, names=findings.names)
    text = "Samples that show most errors and warnings, with their number."
    return Section("worst", "Worst samples", text, [Figure("What they show", [FigureView(html=html)])])


def _shape(findings: Findings) -> Section | None:
    """Show how deep an ontology is, and how it fans out."""
    if "shape" not in findings.facts:
        return None
    figures = [Figure("Numbers", [FigureView(table=shape_table(findings))], open_table=True)]
    return Section("shape", "Shape", "How deep the ontology is, and how it fans out.", figures)


INDENT = 4  # blanks before the sentences below the line of a rule
REMEDY_MARK = "→ "  # mark of a sentence that names the remedy
WIDEST = 110  # longer lines are hard to read, however wide a terminal is

_STYLES: dict[Severity, str] = {"error": "bold red", "warning": "bold yellow", "note": "bold cyan"}


def findings_in_words(
    findings: Findings, *, title: str = "Findings", most: int = 5, width: int = 80
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
    parts: list[RenderableType] = [Text(f"\n{cell_text(title)}", style="bold")]
    for some, every, (severity, rule, count) in zip(groups, kinds, heads, strict=True):
        head = Text("\n  ")
        head.append(severity.ljust(longest[0]), style=_STYLES[some[0].severity])
        head.append(f"  {rule.ljust(longest[1])}", style="bold")
        head.append(f"  {count.rjust(longest[2])}")
        head.append(mark * some[0].fixable, style="green")
        texts = _sentences(some[0], width - INDENT) if len(every) == 1 else _common(every)
        marked = (Text(cell_text(one), style="green" * one.startswith(REMEDY_MARK)) for one in texts)
        sentences = Text("\n").join(marked)
        below: list[RenderableType] = [sentences] if texts else []
        if len(every) > 1:
            below.append(_finding_lines(some, every, width - INDENT))
        if len(every) > len(some):
            more = f"… and {pluralise(len(every) - len(some), 'more finding')} of this kind"
            below.append(Text(more, style="dim"))
        parts += [head, *(Padding(part, (0, 0, 0, INDENT)) for part in below)]
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
        kind = finding.severity, finding.rule, finding.fixable, finding.common
        groups.setdefault(kind, []).append(finding)
    return list(groups.values())


def _count(finding: Finding) -> str:
    return f"{finding.count:,}" if finding.total is None else f"{finding.count:,} of {finding.total:,}"


def _common(found: Sequence[Finding]) -> list[str]:
    """Give the explanation that findings share, and their remedy if it is the same."""
    texts, fix = (*found[0].common, "", "")[:2]
    fixes = {finding.fix for finding in found}
    if not found[0].common and len(fixes) == 1:
        fix = found[0].fix or ""
    return [*filter(None, [texts]), *([REMEDY_MARK + fix] if fix else [])]


def _finding_lines(found: Sequence[Finding], every: Sequence[Finding], width: int) -> RenderableType:
    """Write a line for each finding: its count, what it is about, and a sample as an example."""
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2, 0, 0))
    counts = list(map(_count, found))
    grid.add_column(justify="right", overflow="fold")
    grid.add_column(overflow="fold")
    room = width - max(map(len, counts)) - 2
    shared = len({finding.fix for finding in every}) == 1
    texts = [cell_text(_own(finding, shared=shared)) for finding in found]
    examples = [cell_text(enumerate_some(finding.samples[:1])) for finding in found]
    aligned = max((len(text) for text in texts if len(text) + 2 + max(map(len, examples)) <= room), default=0)
    for count, text, example in zip(counts, texts, examples, strict=True):
        end = "\n" if max(aligned, len(text)) + 2 + len(example) > room else "  "
        line = Text(text.ljust(aligned) if example else text)
        grid.add_row(Text(count), line.append((end + example) * bool(example), style="dim"))
    return grid


def _own(finding: Finding, *, shared: bool) -> str:
    if finding.common:
        return finding.own
    fix = [REMEDY_MARK + finding.fix] if finding.fix and not shared else []
    return " ".join([finding.explanation, *fix])


def _sentences(finding: Finding, width: int) -> list[str]:
    """Give the explanation, the remedy, and as many samples as fit into a line."""
    texts = [finding.explanation or finding.rule]
    if finding.fix:
        texts.append(REMEDY_MARK + finding.fix)
    examples = [
        f"For example {enumerate_some(finding.samples[:number], total=finding.count)}."
        for number in range(1, len(finding.samples) + 1)
    ]
    return [*texts, *([example for example in examples if len(example) <= width] or examples[:1])[-1:]]
