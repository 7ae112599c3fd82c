"""Annotators: each beside the rest, each two of them, and which concepts they confuse."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ontoeval.annotators.agreement import AnnotatorAgreement as Agreement
from ontoeval.annotators.annotator_confusion import annotator_confusion
from ontoeval.annotators.leave_one_out import AnnotatorDetails, annotator_details
from ontoeval.confusion.matrix import ConfusionMatrix
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import InputError
from ontoeval.reports.agreement import annotators as annotators_table
from ontoeval.reports.agreement import pairs as pairs_table
from ontoeval.reports.confusion import top_confusions
from ontoeval.reports.html.page import Figure, Section, View, template, verdict
from ontoeval.reports.html.sections.confusion import CELLS, drawn_matrix
from ontoeval.reports.html.sections.measures import alike_together
from ontoeval.reports.plots import bars, intervals, square
from ontoeval.reports.plotted_names import local
from ontoeval.reports.selection import WIDEST
from ontoeval.reports.table import Column, Table, written
from ontoeval.reports.tree import drawn

CARDS = 30
"""Annotators that have a card, and a row among the intervals: those who agree least."""

DIFFERENCES = 5
"""Concepts that a card names."""

ROWS = 150
"""Annotators in the matrix of pairs: those who have seen most."""

WRITTEN = 16

SHOWN = 20
"""Confusions that are listed."""

CLOSE = 0.05
"""A ratio of labels this far from 1 is neither more nor less."""


def annotators(agreement: Agreement) -> Section:
    """Show each annotator beside the majority of the others."""
    found = annotator_details(agreement.annotations, agreement.options)
    order = np.argsort(found.scores["kappa"].value, kind="stable")[:CARDS].tolist()
    names = [agreement.annotations.annotators[at] for at in order]
    shown = {
        "κ": "kappa",
        "F": "f",
        "precision": "precision",
        "recall": "recall",
        "same decisions": "agreement",
    }
    views = []
    for title, key in shown.items():
        numbers = [side[order] for side in found.scores[key]]
        plot = intervals(names, *numbers, title=title, level=agreement.options.level)
        columns = (Column("annotator"), *(Column(text, 3) for text in (title, "low", "high")))
        rows = tuple(zip(names, *(side.tolist() for side in numbers), strict=True))
        views.append(View(plot, Table(f"{title} of annotators", columns, rows)))
    text = "Those who agree least stand above."
    if len(agreement.annotators) > CARDS:
        text += f" Of {len(agreement.annotators):,} annotators {CARDS} are shown."
    html = template("annotators").render(
        cards=[_card(agreement, found, at) for at in order], level=f"{agreement.options.level:.0%}"
    )
    cards = View(html=html, table=annotators_table(agreement))
    figures = [
        Figure("Agreement with the others", views, [("Score", list(shown))], text),
        Figure("Who says what", [cards], text="Concepts on which an annotator differs from the majority of "
        "the others most often: + where only the annotator sees it, − where only the others do."),
    ]  # fmt: skip
    lead = (
        "Each beside the majority of the others who have seen the same samples; half of them are no majority."
    )
    return Section("annotators", "Annotators", lead, figures)


def _card(agreement: Agreement, found: AnnotatorDetails, at: int) -> dict[str, Any]:
    one = agreement.annotators[at]
    kappa, low, high = (float(side[at]) for side in found.scores["kappa"])
    more, fewer = (side[[at]].toarray().ravel() for side in (found.more, found.fewer))
    order = np.argsort(-(more + fewer), kind="stable")[:DIFFERENCES].tolist()
    ratio = one.recall / one.precision if one.precision else np.nan
    tendency = "as many labels as the others"
    if np.isnan(ratio):
        tendency = "no labels to compare"
    elif abs(ratio - 1) > CLOSE:
        tendency = f"{abs(ratio - 1):.0%} {'more' if ratio > 1 else 'fewer'} labels than the others"
    return {
        "name": one.name,
        "kappa": written(kappa, 2),
        "interval": "" if np.isnan(low) else f"{written(low, 2)} – {written(high, 2)}",
        "facts": [
            ("samples", written(one.samples)),
            ("labels each", written(one.labels, 1)),
            ("precision", written(one.precision, 2)),
            ("recall", written(one.recall, 2)),
        ],
        "tendency": tendency,
        "kind": "over" if ratio > 1 + CLOSE else "under" if ratio < 1 - CLOSE else "even",
        "unknown": f"{one.unknown:.1%} left open" if one.unknown else "",
        "differences": [
            {"concept": agreement.concepts[place], "more": int(more[place]), "fewer": int(fewer[place])}
            for place in order
            if more[place] + fewer[place]
        ],
    }


def pairs(agreement: Agreement) -> Section | None:
    """Show how each two annotators agree."""
    found = agreement.estimates.pairs
    names, number = agreement.annotations.annotators, len(agreement.annotations.annotators)
    kappa = np.full((number, number), np.nan)
    kappa[found.first, found.second] = kappa[found.second, found.first] = agreement.estimates.kappa
    seen = np.bincount(agreement.annotations.annotator, minlength=number)
    kept = np.sort(np.argsort(-seen, kind="stable")[:ROWS])
    shown = kappa[np.ix_(kept, kept)]
    if not np.isfinite(shown).any():
        return None
    order = kept[alike_together(shown)] if kept.size > 1 else kept
    shown = kappa[np.ix_(order, order)]
    low = float(np.clip(np.floor(np.nanmin(shown) * 10) / 10, 0.0, 0.8))
    rows = [names[at] for at in order.tolist()]
    plot = square(
        shown,
        rows,
        rows,
        scale="amount",
        limits=(low, 1.0),
        reading="<b>%{y}</b><br><b>%{x}</b><br>κ = %{z:.3f}",
        numbers=".2f" if len(rows) <= WRITTEN else "",
    )
    text = "Cohen's κ of all decisions that both have taken. Those who agree stand together."
    if number > ROWS:
        text += f" Of {number:,} annotators the {ROWS} who have seen most are shown."
    figure = Figure("Pairs of annotators", [View(plot, pairs_table(agreement))], text=text)
    lead = "Groups of people who see things alike may have been taught alike."
    return Section("pairs", "Pairs", lead, [figure])


def confusions(agreement: Agreement) -> Section | None:
    """Show which concepts annotators take for each other."""
    hierarchy = agreement.hierarchy or Hierarchy.flat(agreement.annotations.vocabulary)
    tree = drawn(hierarchy)
    size = min(len(agreement.concepts), WIDEST) + 1
    worst = sorted(agreement.pairs, key=lambda pair: (np.isnan(pair.kappa), pair.kappa))
    asked: list[tuple[str, str | None, str | None]] = [("everybody", None, None)]
    asked += [(f"{name} and the others", name, None) for name in agreement.annotations.annotators]
    asked += [(f"{pair.first} and {pair.second}", pair.first, pair.second) for pair in worst]
    found: dict[str, ConfusionMatrix] = {}
    for title, first, second in asked[: max(1, CELLS // size**2)]:
        try:
            found[title] = annotator_confusion(
                agreement.annotations, first, second, seed=agreement.options.bootstrap.seed
            )
        except InputError:  # no sheets in common that are complete
            continue
    if not found:
        return None
    views, lists = [], []
    for title, matrix in found.items():
        sides = (
            ("one says", "another says") if title == "everybody" else ("the first says", "the second says")
        )
        views.append(drawn_matrix(matrix, hierarchy, tree, title=f"Confusions, {title}", sides=sides))
        lists.append(_frequent(matrix, sides))
    text = (
        "A label that one annotator gives and the other does not, and what the other gives instead, by the "
        "rule of Krstinić et al.; a row sums to 1. Colours follow the square root, so that small shares show."
    )
    if len(found) < len(asked):
        text += f" Of {len(asked):,} combinations {len(found):,} are shown, those that agree least."
    choices = [("Annotators", list(found))]
    figures = [
        Figure("Most frequent confusions", lists, choices, open_table=False),
        Figure("Confusion matrix", views, choices, text),
    ]
    return Section("confusions", "Confusions", "Which concepts people take for each other.", figures)


def _frequent(matrix: ConfusionMatrix, sides: tuple[str, str]) -> View:
    table = top_confusions(matrix, SHOWN)
    # Neither annotator is the truth.
    table = replace(table, columns=(*map(Column, sides), *table.columns[2:]))
    taken = matrix.top(SHOWN)
    if not taken:
        return View(table=table, html=verdict("No concept was taken for another."))
    names = dict(zip(matrix.rows, local(matrix.rows), strict=True))
    plot = bars(
        [f"{names.get(one.true, one.true)} → {names.get(one.predicted, one.predicted)}" for one in taken],
        [one.mass for one in taken],
        ["confusions"] * len(taken),
        title="how often",
        reading=[f"{one.true} → {one.predicted}: {one.mass:,.2f}" for one in taken],
    )
    return View(plot, table)
