"""Sensitivity and behaviour of measures: tables, and the sections of a study."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.axioms import AXIOMS, Behaviour
from ontoeval.comparison.result import merits_of
from ontoeval.comparison.sensitivity import Curve, Sensitivity
from ontoeval.comparison.study import Study
from ontoeval.core.table import Cell, Column, Table
from ontoeval.errors import MOST_SHOWN, pluralise
from ontoeval.reports.formats import table_of
from ontoeval.reports.marks import Line, Lines, Matrix
from ontoeval.reports.page import Figure, FigureView, Section


def sensitivity(found: Sensitivity) -> Table:
    """List the values of each measure at growing changes of labels or of the ontology."""
    titles = ("changed", "kind", "amount", "measure", "score", "difference", "τ_b")
    rows = (
        (curve.changed, curve.kind, amount, measure, float(score), float(score - before), float(tau))
        for curve in found.curves
        for start in [found.perfect if curve.changed == "prediction" else found.unchanged]
        for amount, scores, taus in zip(curve.amounts, curve.scores, curve.tau, strict=True)
        for measure, score, before, tau in zip(found.measures, scores, start, taus, strict=True)
    )
    count = pluralise(found.samples, "sample")
    notes = [
        f"On {count}. prediction: the truth, changed, is scored against the truth.",
        "truth, ontology: all runs are scored against a changed truth, or with a changed ontology.",
        "amount: share of the labels that are hit, or of the links that get a node; or the level taken out.",
        *label_notes(found),
        "score: mean of what is scored. difference, τ_b: from the score, and with the ranking, before.",
        *_skipped(found),
    ]
    return table_of("Sensitivity", titles, rows, own={"amount": None}, notes=notes, keys=4)


def most_changed(found: Sensitivity) -> Table:
    """Show each measure at the largest amount of each change."""
    rows: list[tuple[Cell, ...]] = []
    for curve in found.curves:
        shown, values = ("score", curve.scores) if curve.changed == "prediction" else ("τ_b", curve.tau)
        largest = slice(None) if curve.by_level else slice(-1, None)
        for amount, row in list(zip(curve.amounts, values.tolist(), strict=True))[largest]:
            rows.append((curve.changed, curve.kind, amount, shown, *row))
    count = pluralise(found.samples, "sample")
    notes = [
        f"On {count}, at the largest rate; the table sensitivity has all, and scores.",
        "prediction: the score of the truth, changed. truth, ontology: τ_b with the ranking before.",
        *label_notes(found),
        *_skipped(found),
    ]
    titles = ("changed", "kind", "amount", "shown", *found.measures)
    return table_of("What changes do", titles, rows, own={"amount": None}, notes=notes, keys=4)


def label_notes(found: Sensitivity) -> list[str]:
    """Note whether sets stay closed, and which changes cannot change all labels that are drawn."""
    said = [found.convention] if found.convention else []
    shares = [f"{kind} {share:.2%}" for kind, share in found.able.items() if share < 1]
    if shares:
        said.append(
            f"Of the labels that are hit only some can be changed, the others stay: {', '.join(shares)}."
        )
    return said


def _skipped(found: Sensitivity) -> list[str]:
    return [f"Not tried, {what}: {reason.removesuffix('.')}." for what, reason in found.skipped.items()]


def tables(behaviour: Behaviour) -> dict[str, Table]:
    """Make both tables of a behaviour."""
    return {"behaviour": shares(behaviour), "counterexamples": counterexamples(behaviour)}


def shares(behaviour: Behaviour) -> Table:
    """Show in what share of the cases each axiom holds for each measure."""
    lines = behaviour.rows()
    axioms = list(lines[0])[1:] if lines else []
    columns = (Column("axiom"), *(Column(str(line["measure"]), 2) for line in lines))
    rows = tuple((axiom, *(line[axiom] for line in lines)) for axiom in axioms)
    notes = [f"{axiom}: {AXIOMS[axiom].text}." for axiom in axioms]
    notes += [f"No case of this kind in the hierarchy: {axiom}." for axiom in behaviour.without_cases]
    notes += [
        f"{measure} was not tried: {reason.removesuffix('.')}."
        for measure, reason in behaviour.skipped.items()
    ]
    notes += [f"{one}: each case is scored with about nine others." for one in behaviour.together]
    notes.append(f"Of at most {behaviour.cases:,} cases each.")
    return Table("Share of cases in which axioms hold", columns, rows, tuple(notes))


def counterexamples(behaviour: Behaviour) -> Table:
    """Show cases in which axioms do not hold."""
    titles = ("axiom", "measure", "truth", "first", "second", "score of first", "score of second")
    rows = (
        (
            trial.axiom,
            trial.measure,
            "; then ".join(dict.fromkeys([_write_set(first.truth), _write_set(second.truth)])),
            _write_set(first.prediction),
            _write_set(second.prediction),
            first.score,
            second.score,
        )
        for trial in behaviour.trials
        if trial.example is not None
        for first, second in [trial.example]
    )
    return table_of("Cases in which axioms do not hold", titles, rows, keys=2)


def _write_set(labels: tuple[str, ...]) -> str:
    """Write a set of labels; a prediction of everything would fill the page."""
    shown, more = ", ".join(labels[:MOST_SHOWN]), len(labels) - MOST_SHOWN
    return f"{shown} and {more:,} more" if more > 0 else shown or "nothing"


TAU = "τ_b with the ranking before"
SCORE = "score"

WRAPPED = 26  # characters of a line of the name of an axiom

QUALITY = "change of quality"
FEW = 0.5  # share of the labels that a kind can change, below which its lines name it

WHAT = {
    ("prediction", SCORE): "a changed truth as prediction: quality",
    ("truth", SCORE): "a changed truth: mean quality",
    ("truth", TAU): "a changed truth: ranking of the runs",
    ("ontology", SCORE): "a changed ontology: mean quality",
    ("ontology", TAU): "a changed ontology: ranking of the runs",
}
"""Views of a sensitivity: the input that is changed, and what is shown."""


def sensitivity_section(study: Study) -> Section | None:
    """Show the values of measures at growing changes of labels or of the ontology."""
    found = study.sensitivity
    if found is None or not found.curves:
        return None
    table, views = sensitivity(found), dict[str, FigureView]()
    for (changed, shown), name in WHAT.items():
        for curve in found.curves:
            plot = change_lines(study, curve, shown)
            lines = [line for line in plot.lines if np.isfinite(line.y).any()]
            if curve.changed == changed and lines:
                rows = tuple(row for row in table.rows if row[:2] == (changed, curve.kind))
                own = replace(table, rows=rows)
                views[f"{name}; {kind_of(study, curve)}"] = FigureView(replace(plot, lines=lines), own)
    if not views:
        return None
    told = (
        "Across: the share of the labels that are changed, or of the links that get one more node between "
        "their ends, or the level that is taken out. Up: τ_b, or the change of quality (the score, of a loss "
        "its negative), divided by the measure's largest one: −1 is its largest loss, and a line near 0 "
        f"forgives that change. The table has the scores. On {pluralise(found.samples, 'sample')}."
    )
    text = " ".join([told, *label_notes(found)])
    figure = Figure("Sensitivity of each measure", [*views.values()], [("Change", [*views])], text)
    lead = "What a measure makes of labels that are dropped, added or exchanged, and of another ontology."
    return Section("sensitivity", "Sensitivity", lead, [figure])


def change_lines(study: Study, curve: Curve, shown: str) -> Lines:
    """Draw what a change does to the quality of each measure, in parts of its largest, or to its ranking."""
    found = study.sensitivity
    assert found is not None  # noqa: S101 - it has this curve
    amounts = np.asarray(curve.amounts, dtype=np.float64)
    values = _qualities(study, found, curve) if shown == SCORE else curve.tau
    if not curve.by_level:  # what is unchanged scores and ranks alike
        before = np.where(np.isnan(values).all(axis=0), np.nan, 0.0 if shown == SCORE else 1.0)
        amounts, values = np.append(0.0, amounts), np.vstack([before, values])
    across = "level" if curve.by_level else "share changed"
    titles = across, f"{QUALITY}, largest = 1" if shown == SCORE else TAU
    lines = [Line(name, amounts, values[:, at], at) for at, name in enumerate(found.measures)]
    return Lines(lines, titles=titles, reading=f"%{{x}}: {QUALITY if shown == SCORE else shown} %{{y:.4f}}")


def kind_of(study: Study, curve: Curve) -> str:
    """Name a kind of change, and the labels that it can change where these are few."""
    able = 1.0 if study.sensitivity is None else study.sensitivity.able.get(curve.kind, 1.0)
    return f"{curve.kind} (of {able:.1%})" if able < FEW and curve.changed != "ontology" else curve.kind


def _qualities(study: Study, found: Sensitivity, curve: Curve) -> NDArray[np.float64]:
    """Change of the quality of each measure, as a share of its largest change on this side."""
    measures = study.comparison.measures.values()
    start = found.perfect if curve.changed == "prediction" else found.unchanged
    alike = [one.scores for one in found.curves if one.changed == curve.changed]
    changes = [merits_of(scores, measures) - merits_of(start, measures) for scores in (curve.scores, *alike)]
    largest = np.fmax.reduce(np.abs(np.vstack(changes[1:])))
    return np.asarray(changes[0] / np.where(largest > 0, largest, 1.0))


def behaviour_matrix(found: Behaviour) -> Matrix:
    """Arrange the shares of the cases in which axioms hold: axioms × measures."""
    table = shares(found)
    return Matrix(
        np.array([[np.nan if cell is None else cell for cell in row[1:]] for row in table.rows], dtype=float),
        [str(row[0]) for row in table.rows],
        [column.title for column in table.columns[1:]],
        scale="quality",
        reading="<b>%{y}</b><br>holds for <b>%{x}</b> in %{z:.1%} of the cases",
        numbers=".0%",
        wrap=WRAPPED,
    )


def behaviour_section(study: Study) -> Section | None:
    """Show which axioms measures keep on small cases."""
    found = study.behaviour
    if found is None or not found.trials:
        return None
    table, plot = shares(found), behaviour_matrix(found)
    text = "Share of the cases in which an axiom holds. Not every axiom is wanted of every measure."
    cases = "One case for each axiom that a measure breaks: two predictions that should be scored otherwise."
    figures = [
        Figure("Axioms", [FigureView(plot, table)], text=text),
        Figure("Counterexamples", [FigureView(table=counterexamples(found))], text=cases, open_table=True),
    ]
    lead = "What should hold of a score, tried on small cases of this hierarchy."
    return Section("behaviour", "Behaviour", lead, figures)
