"""Pages of scored runs, without intervals and tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Unpack

import numpy as np

from ontoeval.comparison.result import Comparison, RankedBy
from ontoeval.core.showing import Page
from ontoeval.core.table import DIGITS, Table, cell_text
from ontoeval.errors import pluralise
from ontoeval.evaluation.scoring import Evaluation, signature_of
from ontoeval.reports.catalogue import measure_lines
from ontoeval.reports.comparison import (
    WHOLE,
    by_part,
    measures_section,
    parts_section,
    samples_section,
    sortable_board,
)
from ontoeval.reports.concepts import concepts_section
from ontoeval.reports.confusion import confusion_section
from ontoeval.reports.evaluation import leaderboard, scored
from ontoeval.reports.explanation import worst_section
from ontoeval.reports.page import About, Figure, FigureView, Section, report_page, template
from ontoeval.reports.verdicts import best_run, untested_comparison


def tables(evaluation: Evaluation) -> dict[str, Table]:
    """Make all tables of an evaluation."""
    parts = boards_of_parts({"run": evaluation})
    return {"scores": scored(evaluation)} | ({} if parts is None else {"parts": parts})


def boards_of_parts(results: Mapping[str, Evaluation]) -> Table | None:
    """Put the leaderboards of everything and of the parts below each other; None without parts."""
    parts = {
        key: {run: one.parts[key] for run, one in results.items()}
        for key in next(iter(results.values())).parts
    }
    boards = {key: leaderboard(own) for key, own in {("", WHOLE): results, **parts}.items()}
    return by_part("Leaderboards", boards) if parts else None


def report(evaluation: Evaluation, *, title: str = "Scores of a run", **about: Unpack[About]) -> Page:
    """Write the page of one run."""
    return page_of_runs({"run": evaluation}, title=title, **about)


def page_of_runs(
    evaluations: Mapping[str, Evaluation],
    *,
    title: str = "Scores of runs",
    teams: Mapping[str, str] | None = None,
    public: bool = False,
    ranking: RankedBy = "by default",
    **about: Unpack[About],
) -> Page:
    """Write the page of runs by their names; a truth that is not public limits the sections."""
    runs = untested_comparison(evaluations, ranking, public=public)
    first = runs.first
    parts = [_scores(runs, teams or {}), parts_section(runs, teams or {}), measures_section(runs)]
    if first.batch is not None:
        parts.insert(2, samples_section(runs))
        if not public:
            parts += [concepts_section(runs), confusion_section(runs), worst_section(runs)]
    facts = [
        *([("ranked by", f"{next(iter(runs.measures))}, {ranking}")] * (len(evaluations) > 1)),
        *([("runs", f"{len(evaluations):,}")] * (len(evaluations) > 1)),
        ("measures", f"{len(runs.measures):,}"),
        ("samples", f"{first.totals.samples:,}"),
        ("labels", f"{len(first.totals.vocabulary):,}"),
    ]
    recipe = signature_of(first, public=public).splitlines()
    return report_page(title, parts, recipe, facts=facts, head=_verdict(runs), **about)


def _scores(runs: Comparison, teams: Mapping[str, str]) -> Section:
    """Show the scores of all runs."""
    if len(runs.runs) == 1:
        table = scored(runs.first)
        lines = measure_lines(runs.measures, runs.first.totals.hierarchy)
        about = FigureView(html=template("measures").render(lines=lines))
        view = FigureView(table=replace(table, notes=()) if runs.public else table)
        figures = [Figure("Scores by measure", [view], open_table=True), Figure("Measures", [about])]
        return Section("scores", "Scores", "", figures)
    table = leaderboard(runs.evaluations)
    found = () if runs.public else table.notes  # they are on the truth
    view = FigureView(html=sortable_board(runs, teams, notes=[*runs.same, *found]).html, table=table)
    return Section("scores", "Scores", "", [Figure("Scores of all runs", [view])])


def _verdict(runs: Comparison) -> str:
    """Which run is best; of one run its first score."""
    if len(runs.runs) > 1 or runs.against_baselines:
        return runs.against_baselines or best_run(runs)
    totals, notation = runs.first.totals, next(iter(runs.measures))
    over = f"{pluralise(totals.samples, 'sample')} and {pluralise(len(totals.vocabulary), 'concept')}"
    score = float(runs.scores[0, 0])
    return f"{notation} is {'undefined' if np.isnan(score) else cell_text(score, DIGITS)} over {over}."
