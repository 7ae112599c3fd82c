"""Parts: the runs on some of the samples, or by some of the labels alone."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ontoeval.comparison.result import Comparison
from ontoeval.errors import counted
from ontoeval.reports.html.page import Figure, Section, View
from ontoeval.reports.html.sections.chosen import MOST, left_out
from ontoeval.reports.html.sections.leaderboard import DIGITS, WRITTEN, board, lettered
from ontoeval.reports.plots import square
from ontoeval.reports.table import Cell, Column, Table

CELLS = 2_000
"""Scores of parts that a page holds."""

WHOLE = "all"

Parts = Mapping[tuple[str, str], Comparison]
"""Comparisons of parts, by what they are cut by and what they are called."""


def parts(comparison: Comparison, cut: Parts, teams: Mapping[str, str]) -> Section | None:
    """Show the runs part by part."""
    if not cut:
        return None
    most = max(1, CELLS // comparison.scores.size)
    shown = dict(list(cut.items())[:most])
    said = f" Of {len(cut):,} parts the first {most:,} are shown." if len(shown) < len(cut) else ""
    boards = [
        board(one, teams, notes=[note for note in one.notes if note not in comparison.notes], part=_size(one))
        for one in shown.values()
    ]
    text = "Each part has ranks, intervals and tests of its own."
    if any(map(lettered, shown.values())):
        text += " Runs that share a letter do not differ significantly there."
    names = [f"{by}: {part}" for by, part in shown]
    return Section(
        "parts",
        "Parts",
        "The same runs on some of the samples, or by some of the labels, alone: the best of all need not be "
        "the best of each.",
        [
            _side_by_side(comparison, shown, said),
            Figure("Leaderboards of parts", boards, [("Part", names)], text + said),
        ],
    )


def _size(comparison: Comparison) -> str:
    totals = comparison.first.totals
    samples, labels = totals.samples, len(totals.vocabulary)
    return f"{counted(samples, 'sample')}, {counted(labels, 'label')}"


def _side_by_side(comparison: Comparison, shown: Parts, said: str) -> Figure:
    ranked = [comparison.runs[run] for run in comparison.order()]
    own = [run for run in ranked if run not in comparison.baselines] or ranked
    runs, level = own[:MOST], f"{comparison.plan.level:.0%}"
    cuts = list(dict.fromkeys(by for by, _ in shown))
    views = []
    for by in cuts:
        compared = {WHOLE: comparison} | {part: one for (key, part), one in shown.items() if key == by}
        for column, notation in enumerate(comparison.measures):
            numbers = np.array(
                [
                    [
                        [side[one.runs.index(run), column] for side in (one.scores, one.low, one.high)]
                        for one in compared.values()
                    ]
                    for run in runs
                ]
            )
            merits = np.array(
                [[one.merits[one.runs.index(run), column] for one in compared.values()] for run in runs]
            )
            known = np.isfinite(merits)
            middle = np.where(known, merits, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
            above = np.where(known, merits - middle, np.nan)
            largest = float(np.nanmax(np.abs(above), initial=0.0)) or 1.0
            plot = square(
                above,
                runs,
                list(compared),
                scale="direction",
                limits=(-largest, largest),
                reading=f"<b>%{{y}}</b><br><b>%{{x}}</b><br>%{{customdata[0]:.4f}}<br>{level} interval "
                "%{customdata[1]:.4f} to %{customdata[2]:.4f}<br>better than the mean by %{z:.4f}",
                numbers=".3f" if len(compared) <= WRITTEN else "",
                told="customdata[0]",
                more=numbers,
            )
            rows: list[tuple[Cell, ...]] = [
                (part, _size(one), run, *numbers[row, place].tolist())
                for place, (part, one) in enumerate(compared.items())
                for row, run in enumerate(runs)
            ]
            columns = (*map(Column, ("part", "of", "run")), *(Column(side, DIGITS) for side in SIDES))
            views.append(View(plot, Table(f"{notation} by {by}", columns, tuple(rows))))
    text = (
        "One column per part, and one of everything. Numbers are scores; blue runs are better than the mean "
        "of their column, orange ones are worse. Compare the runs of a column, not columns: by a mean over "
        "samples, parts of few labels score high, since most samples bear none of them. Undefined scores "
        f"are left empty.{said}"
    )
    text += left_out(len(runs), len(own))
    return Figure("Scores by part", views, [("By", cuts), ("Measure", tuple(comparison.measures))], text)


SIDES = ("score", "low", "high")
