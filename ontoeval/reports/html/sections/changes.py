"""Measures by what changes do to them: of labels, of the ontology, and in small cases."""

from __future__ import annotations

import textwrap

import numpy as np

from ontoeval.comparison.sensitivity import Curve, Sensitivity
from ontoeval.comparison.study import Study
from ontoeval.errors import counted
from ontoeval.reports import behaviours
from ontoeval.reports import sensitivity as tables
from ontoeval.reports.html.page import Figure, Section, View
from ontoeval.reports.plots import square
from ontoeval.reports.plots_lines import Line, Panel, small_multiples
from ontoeval.reports.plotted_names import text_of
from ontoeval.reports.table import Table

TAU = "τ_b with the ranking before"
SCORE = "score"

WRAPPED = 26
"""Characters of a line of the name of an axiom."""

WHAT = {
    ("prediction", SCORE): "the truth, changed, as prediction: score",
    ("truth", SCORE): "a changed truth: mean score",
    ("truth", TAU): "a changed truth: ranking of the runs",
    ("ontology", SCORE): "a changed ontology: mean score",
    ("ontology", TAU): "a changed ontology: ranking of the runs",
}
"""What can be looked at: what is changed, and what of it is shown."""


def sensitivity(study: Study) -> Section | None:
    """Show what becomes of measures when labels or the ontology are changed more and more."""
    found = study.sensitivity
    if found is None or not found.curves:
        return None
    table = tables.sensitivity(found)
    views, names = [], []
    for (changed, shown), name in WHAT.items():
        curves = [curve for curve in found.curves if curve.changed == changed]
        # Levels that are taken out are no amounts: they have an axis of their own.
        for kinds in (False, True):
            own = [curve for curve in curves if curve.by_level is kinds]
            if panels := _panels(found, own, shown):
                plot = small_multiples(panels, reading=f"%{{x}}: {shown} %{{y:.4f}}")
                views.append(View(plot, _part(table, own)))
                names.append(f"{name}{', level by level' * kinds}")
    if not views:
        return None
    told = (
        "Each measure has axes of its own: to the right the share of labels that are hit, or of links that "
        "get a node, or the level that is taken out. Curves begin at what is unchanged; a steep one says "
        f"that the measure charges such a change much. On {counted(found.samples, 'sample')}."
    )
    text = " ".join([told, *tables.on_labels(found)])
    figure = Figure("Sensitivity of each measure", views, [("Change", names)], text)
    lead = "What a measure makes of labels that are dropped, added or exchanged, and of another ontology."
    return Section("sensitivity", "Sensitivity", lead, [figure])


def _panels(found: Sensitivity, curves: list[Curve], shown: str) -> list[Panel]:
    """Make a panel for each measure that has a value."""
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
            panels.append(Panel(measure, drawn))
    return panels


def _part(table: Table, curves: list[Curve]) -> Table:
    """Take the rows of some changes."""
    wanted = {(curve.changed, curve.kind) for curve in curves}
    return Table(
        table.title, table.columns, tuple(row for row in table.rows if row[:2] in wanted), table.notes
    )


def behaviour(study: Study) -> Section | None:
    """Show which axioms measures keep on small cases."""
    found = study.behaviour
    if found is None or not found.trials:
        return None
    table = behaviours.shares(found)
    rows = [str(row[0]) for row in table.rows]
    values = np.array(
        [[np.nan if cell is None else cell for cell in row[1:]] for row in table.rows], dtype=float
    )
    measures = [column.title for column in table.columns[1:]]
    plot = square(
        values,
        rows,
        measures,
        scale="quality",
        limits=(0.0, 1.0),
        reading="<b>%{y}</b><br>holds for <b>%{x}</b> in %{z:.1%} of the cases",
        numbers=".0%",
    )
    lines = ["<br>".join(map(text_of, textwrap.wrap(row, WRAPPED))) for row in rows]
    plot.update_yaxes(ticktext=lines).update_layout(height=plot.layout.height + 12 * len(rows))
    text = "Share of the cases in which an axiom holds. Not every axiom is wanted of every measure."
    figures = [
        Figure("Axioms", [View(plot, table)], text=text),
        Figure("Counterexamples", [View(table=behaviours.counterexamples(found))], open_table=True),
    ]
    return Section("behaviour", "Behaviour", "Unit tests of measures, on cases of this hierarchy.", figures)
