"""Sensitivity and behaviour of measures: tables, and the sections of a study."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ontoeval.comparison.axioms import AXIOMS, Behaviour
from ontoeval.comparison.sensitivity import Curve, Sensitivity
from ontoeval.comparison.study import Study
from ontoeval.core.table import Cell, Column, Table
from ontoeval.errors import MOST_SHOWN, pluralise
from ontoeval.reports.formats import table_of
from ontoeval.reports.marks import Line, Matrix, Panels
from ontoeval.reports.page import Figure, Section, View


def sensitivity(found: Sensitivity) -> Table:
    """List what becomes of each measure when labels or the ontology are changed more and more."""
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
        *on_labels(found),
        "score: mean of what is scored. difference, τ_b: from the score, and with the ranking, before.",
        *_skipped(found),
    ]
    return table_of("Sensitivity", titles, rows, own={"amount": None}, notes=notes, keys=4)


def most_changed(found: Sensitivity) -> Table:
    """Show what becomes of each measure where most is changed."""
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
        *on_labels(found),
        *_skipped(found),
    ]
    titles = ("changed", "kind", "amount", "shown", *found.measures)
    return table_of("What changes do", titles, rows, own={"amount": None}, notes=notes, keys=4)


def on_labels(found: Sensitivity) -> list[str]:
    """Note whether sets stay closed, and kinds of change that cannot change all labels that they hit."""
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
    notes.append(f"Of at most {behaviour.cases:,} cases each.")
    return Table("Share of cases in which axioms hold", columns, rows, tuple(notes))


def counterexamples(behaviour: Behaviour) -> Table:
    """Show cases in which axioms do not hold."""
    titles = ("axiom", "measure", "truth", "first", "second", "score of first", "score of second")
    rows = (
        (
            trial.axiom,
            trial.measure,
            "; then ".join(dict.fromkeys([_set(first.truth), _set(second.truth)])),
            _set(first.prediction),
            _set(second.prediction),
            first.score,
            second.score,
        )
        for trial in behaviour.trials
        if trial.example is not None
        for first, second in [trial.example]
    )
    return table_of("Cases in which axioms do not hold", titles, rows, keys=2)


def _set(labels: tuple[str, ...]) -> str:
    """Write a set of labels; a prediction of everything would fill the page."""
    shown, more = ", ".join(labels[:MOST_SHOWN]), len(labels) - MOST_SHOWN
    return f"{shown} and {more:,} more" if more > 0 else shown or "nothing"


TAU = "τ_b with the ranking before"
SCORE = "score"

WRAPPED = 26  # characters of a line of the name of an axiom

WHAT = {
    ("prediction", SCORE): "the truth, changed, as prediction: score",
    ("truth", SCORE): "a changed truth: mean score",
    ("truth", TAU): "a changed truth: ranking of the runs",
    ("ontology", SCORE): "a changed ontology: mean score",
    ("ontology", TAU): "a changed ontology: ranking of the runs",
}
"""Views of a sensitivity: the input that is changed, and the number that is shown."""


def sensitivity_section(study: Study) -> Section | None:
    """Show what becomes of measures when labels or the ontology are changed more and more."""
    found = study.sensitivity
    if found is None or not found.curves:
        return None
    table = sensitivity(found)
    views, names = [], []
    for (changed, shown), name in WHAT.items():
        curves = [curve for curve in found.curves if curve.changed == changed]
        # Levels that are taken out are no amounts: they have an axis of their own.
        for kinds in (False, True):
            own = [curve for curve in curves if curve.by_level is kinds]
            if panels := _panels(found, own, shown):
                plot = Panels(panels, reading=f"%{{x}}: {shown} %{{y:.4f}}")
                wanted = {(curve.changed, curve.kind) for curve in own}
                rows = tuple(row for row in table.rows if row[:2] in wanted)
                views.append(View(plot, replace(table, rows=rows)))
                names.append(f"{name}{', level by level' * kinds}")
    if not views:
        return None
    told = (
        "Each measure has axes of its own: to the right the share of labels that are hit, or of links that "
        "get a node, or the level that is taken out. Curves begin at what is unchanged; a steep one says "
        f"that the measure charges such a change much. On {pluralise(found.samples, 'sample')}."
    )
    text = " ".join([told, *on_labels(found)])
    figure = Figure("Sensitivity of each measure", views, [("Change", names)], text)
    lead = "What a measure makes of labels that are dropped, added or exchanged, and of another ontology."
    return Section("sensitivity", "Sensitivity", lead, [figure])


def _panels(found: Sensitivity, curves: list[Curve], shown: str) -> list[tuple[str, list[Line]]]:
    panels = []
    for place, measure in enumerate(found.measures):
        drawn = []
        for curve in curves:
            values = (curve.scores if shown == SCORE else curve.tau)[:, place]
            start = found.perfect if curve.changed == "prediction" else found.unchanged
            amounts = np.asarray(curve.amounts, dtype=np.float64)
            if not curve.by_level:
                before = float(start[place]) if shown == SCORE else 1.0
                amounts, values = np.append(0.0, amounts), np.append(before, values)
            drawn.append(Line(curve.kind, amounts, values))
        if any(np.isfinite(np.asarray(line.y)).any() for line in drawn):
            panels.append((measure, drawn))
    return panels


def behaviour_section(study: Study) -> Section | None:
    """Show which axioms measures keep on small cases."""
    found = study.behaviour
    if found is None or not found.trials:
        return None
    table = shares(found)
    rows = [str(row[0]) for row in table.rows]
    values = np.array(
        [[np.nan if cell is None else cell for cell in row[1:]] for row in table.rows], dtype=float
    )
    measures = [column.title for column in table.columns[1:]]
    plot = Matrix(
        values,
        rows,
        measures,
        scale="quality",
        reading="<b>%{y}</b><br>holds for <b>%{x}</b> in %{z:.1%} of the cases",
        numbers=".0%",
        wrap=WRAPPED,
    )
    text = "Share of the cases in which an axiom holds. Not every axiom is wanted of every measure."
    figures = [
        Figure("Axioms", [View(plot, table)], text=text),
        Figure("Counterexamples", [View(table=counterexamples(found))], open_table=True),
    ]
    return Section("behaviour", "Behaviour", "Unit tests of measures, on cases of this hierarchy.", figures)
