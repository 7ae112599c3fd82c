"""The leaderboard: scores with their intervals, and which runs can be told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.result import Comparison
from ontoeval.reports.comparison import long_table, pairs_table
from ontoeval.reports.html.page import Figure, Section, View, template, verdict
from ontoeval.reports.html.sections.chosen import MOST, left_out
from ontoeval.reports.plots import intervals, square
from ontoeval.reports.results import best_end, with_teams
from ontoeval.reports.table import Column, Table, written

DIGITS = 4

CHANCE = ", and how much of the way from chance (labels at random) to the best value it has come."


def leaderboard(
    comparison: Comparison, teams: Mapping[str, str] | None = None, *, pairs: bool = True
) -> Section:
    """Show the scores of all runs."""
    figures = [_table(comparison, teams or {}), _intervals(comparison)]
    if pairs and comparison.competing.sum() > 1:
        figures.append(_pairs(comparison))
    return Section("leaderboard", "Leaderboard", "", figures)


def _table(comparison: Comparison, teams: Mapping[str, str]) -> Figure:
    said = [
        *(["Runs that share a letter do not differ significantly."] if lettered(comparison) else []),
        f"Below each score stands its {100 * comparison.plan.level:g} % interval",
    ]
    said[-1] += "." if comparison.chance is None else CHANCE
    notes = [*comparison.notes, *comparison.lines]
    return Figure("Scores of all runs", [board(comparison, teams, notes=notes)], text=" ".join(said))


def lettered(comparison: Comparison) -> bool:
    """Tell whether runs were tested, and are put into groups."""
    return any(any(comparison.groups(notation)) for notation in comparison.measures)


def board(
    comparison: Comparison, teams: Mapping[str, str], *, notes: Sequence[str] = (), part: str = ""
) -> View:
    """Rank the runs in a table that can be sorted."""
    letters = [comparison.groups(notation) for notation in comparison.measures]
    columns = [
        {
            "title": notation,
            # In words: arrows tell by which column the table is sorted.
            "low": best_end(measure) == "lowest",
            "first": "ascending" if best_end(measure) == "lowest" else "descending",
        }
        for notation, measure in comparison.measures.items()
    ]
    rows = [
        {
            "run": comparison.runs[run],
            "team": teams.get(comparison.runs[run], ""),
            "baseline": comparison.runs[run] in comparison.baselines,
            "cells": [
                _cell(comparison, run, measure, letters[measure][run]) for measure in range(len(columns))
            ],
        }
        for run in comparison.order()
    ]
    html = template("leaderboard").render(columns=columns, rows=rows, notes=notes, part=part)
    return View(html=html, table=with_teams(long_table(comparison), teams))


def _cell(comparison: Comparison, run: int, measure: int, letters: str) -> dict[str, Any]:
    at = run, measure
    score, low, high = float(comparison.scores[at]), float(comparison.low[at]), float(comparison.high[at])
    above = np.nan if comparison.above_chance is None else float(comparison.above_chance[at])
    return {
        "value": "" if np.isnan(score) else repr(score),
        "score": written(score, DIGITS),
        "letters": letters,
        "interval": "" if np.isnan(low) else f"{written(low, 3)} – {written(high, 3)}",
        "above": "" if np.isnan(above) else f"{round(100 * above):,} %".replace("-", "−"),
        "best": comparison.ranks[at] == 1 and comparison.competing.sum() > 1,
    }


def _intervals(comparison: Comparison) -> Figure:
    shown = [("runs alone", comparison.baselines), ("runs and baselines", ())]
    if not comparison.baselines or set(comparison.baselines) == set(comparison.runs):
        shown = shown[1:]
    views = []
    for measure, notation in enumerate(comparison.measures):
        for _, hidden in shown:
            order = [run for run in comparison.order(notation) if comparison.runs[run] not in hidden]
            views.append(_interval(comparison, measure, notation, order))
    text = "Points are scores, whiskers their intervals."
    choices: list[tuple[str, Sequence[str]]] = [("Measure", tuple(comparison.measures))]
    if len(shown) > 1:
        text += " Grey diamonds are baselines."
        choices.append(("Show", [name for name, _ in shown]))
    if comparison.chance is not None:
        text += " The dotted line is chance."
    return Figure("Intervals", views, choices, text)


def _interval(comparison: Comparison, measure: int, notation: str, order: list[int]) -> View:
    names = [comparison.runs[run] for run in order]
    numbers = [part[order, measure] for part in (comparison.scores, comparison.low, comparison.high)]
    plot = intervals(
        names,
        *numbers,
        title=notation,
        level=comparison.plan.level,
        muted=[name in comparison.baselines for name in names],
        chance=None if comparison.chance is None else float(comparison.chance[measure]),
    )
    columns = (Column("run"), *(Column(title, DIGITS) for title in ("score", "low", "high")))
    rows = zip(names, *(part.tolist() for part in numbers), strict=True)
    return View(plot, Table(f"Intervals of {notation}", columns, tuple(rows)))


def _pairs(comparison: Comparison) -> Figure:
    views, alpha = [], comparison.plan.alpha
    known: NDArray[np.bool_] = np.isfinite(comparison.adjusted).max(axis=2)
    tested = bool(known.any())
    pairs = pairs_table(comparison)
    for measure, notation in enumerate(comparison.measures):
        order = [
            run
            for run in comparison.order(notation)
            if comparison.competing[run] and (not tested or known[measure, run])
        ][:MOST]
        names = [comparison.runs[run] for run in order]
        scores = comparison.scores[order, measure]
        p_values = comparison.adjusted[measure][np.ix_(order, order)]
        differences = scores[:, None] - scores[None, :]
        # What may be chance stays empty; without a test every difference is shown.
        shown = np.where(p_values < alpha, differences, np.nan) if tested else differences
        shown_runs = set(names)
        rows = tuple(row[1:] for row in pairs.rows if row[0] == notation and shown_runs.issuperset(row[1:3]))
        table = Table(f"Differences by {notation}", pairs.columns[1:], rows)
        if not np.isfinite(shown).any():
            views.append(_alike(table, notation, comparison.plan.level))
            continue
        largest = float(np.nanmax(np.abs(shown), initial=0.0)) or 1.0
        plot = square(
            shown,
            names,
            names,
            scale="direction",
            limits=(-largest, largest),
            reading="<b>%{y}</b><br>minus <b>%{x}</b><br>%{z:.4f}"
            + ("<br>adjusted p = %{customdata[0]:.4f}" if tested else ""),
            numbers=".3f" if len(names) <= WRITTEN else "",
            more=p_values[:, :, None] if tested else None,
        )
        views.append(View(plot, table))
    text = ""
    if any(not view.html for view in views):
        text = "Score of the row minus score of the column."
        if tested:
            text += f" Empty where the difference is not significant: adjusted p at least {alpha:g}."
    runs = int(comparison.competing.sum())
    text += left_out(min(MOST, runs), runs)
    return Figure("Differences between runs", views, [("Measure", tuple(comparison.measures))], text)


def _alike(table: Table, notation: str, level: float) -> View:
    """Say that no two runs differ, and show by how much they may: the pairs that differ most above."""
    at = [[column.title for column in table.columns].index(title) for title in NUMBERS]
    numbers = np.array([[row[column] for column in at] for row in table.rows], dtype=np.float64)
    numbers = numbers.reshape(-1, len(NUMBERS))
    order = np.argsort(-np.abs(numbers[:, 0]), kind="stable")
    order = order[np.isfinite(numbers[order, 0])]
    if not order.size:
        said = f"There are no two runs with a score by {notation}."
        return View(html=verdict(said), table=table)
    said = (
        f"No two runs differ significantly by {notation}: the smallest adjusted p is "
        f"{np.nanmin(numbers[order, 3]):.3f}. Below are the differences with their {level:.0%} intervals, "
        "each pair by itself, not corrected for their number."
    )
    if order.size > MOST:
        said += f" Of {order.size:,} pairs the {MOST} that differ most are shown."
    plot = intervals(
        [f"{table.rows[pair][0]} − {table.rows[pair][1]}" for pair in order[:MOST].tolist()],
        *numbers[order[:MOST], :3].T,
        title=f"difference by {notation}",
        level=level,
        chance=0.0,
        longest=50,
    )
    return View(plot, table, verdict(said))


NUMBERS = ("difference", "low", "high", "adjusted p")

WRITTEN = 12
"""Up to how many runs the differences are written into the cells."""
