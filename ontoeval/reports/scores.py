"""Scores of runs, without intervals and tests: tables, and the page of one run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Unpack

from ontoeval.core.showing import Page
from ontoeval.core.table import Table
from ontoeval.evaluation.scoring import Evaluation
from ontoeval.reports import comparison
from ontoeval.reports.comparison import WHOLE, by_part
from ontoeval.reports.evaluation import leaderboard, scored, without_run
from ontoeval.reports.page import About
from ontoeval.reports.verdicts import untested_comparison


def tables(evaluation: Evaluation) -> dict[str, Table]:
    """Make all tables of an evaluation."""
    return {"scores": scored(evaluation)} | ({"parts": board(evaluation)} if evaluation.parts else {})


def board(evaluation: Evaluation) -> Table:
    """List the scores of one run; of parts a row for each, with its size."""
    if (parts := boards_of_parts({"": evaluation})) is None:
        return scored(evaluation)
    table = without_run(parts, [column.title for column in parts.columns].index("run"))
    return replace(table, title=scored(evaluation).title)


def boards_of_parts(results: Mapping[str, Evaluation]) -> Table | None:
    """Put the leaderboards of everything and of the parts below each other; None without parts."""
    parts = {
        key: {run: one.parts[key] for run, one in results.items()}
        for key in next(iter(results.values())).parts
    }
    boards = {key: leaderboard(own) for key, own in {("", WHOLE): results, **parts}.items()}
    sides = (next(iter(own.values())) for own in (results, *parts.values()))
    return by_part("Leaderboards", boards, *sides) if parts else None


def report(evaluation: Evaluation, *, title: str = "Scores of a run", **about: Unpack[About]) -> Page:
    """Write the page of one run."""
    return comparison.report(untested_comparison({"run": evaluation}, "by default"), title=title, **about)
