"""Comparisons of runs as tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from ontoeval.reports.results import DIGITS, best_end
from ontoeval.reports.table import Cell, Column, Estimate, Table

if TYPE_CHECKING:
    from ontoeval.comparison.result import Comparison


def leaderboard(comparison: Comparison) -> Table:
    """Rank runs by the first measure, with intervals and groups."""
    measures, above = comparison.measures, comparison.above_chance
    columns = [Column("rank"), Column("run")]
    for notation, measure in measures.items():
        columns.append(Column(notation, DIGITS, best_end(measure)))
        if above is not None:
            columns.append(Column(f"{notation} above chance", DIGITS))
    letters = [comparison.groups(notation) for notation in measures]
    rows: list[tuple[Cell, ...]] = []
    ranks, order = comparison.ranks[:, 0], comparison.order()
    for run in order:
        name = comparison.runs[run]
        row: list[Cell] = [
            int(ranks[run]) or None,
            f"{name} (baseline)" if name in comparison.baselines else name,
        ]
        for column, marks in enumerate(letters):
            score, low, high = (
                float(table[run, column]) for table in (comparison.scores, comparison.low, comparison.high)
            )
            row.append(Estimate(score, low, high, marks[run]))
            if above is not None:
                row.append(float(above[run, column]))
        rows.append(tuple(row))
    legend = []
    if any(map(any, letters)):
        legend = ["Runs that share a letter do not differ significantly."]
    notes = (*legend, *comparison.lines, *comparison.notes)
    aside = frozenset(
        place for place, run in enumerate(order) if comparison.runs[run] in comparison.baselines
    )
    return Table(
        "Leaderboard", tuple(columns), tuple(rows), notes, 2, aside, head=comparison.against_baselines
    )


def by_part(title: str, tables: Mapping[tuple[str, str], Table]) -> Table:
    """Put tables of slices below each other."""
    first = next(iter(tables.values()))
    notes = list(first.notes)
    for (_, part), table in tables.items():
        notes += [f"{part}: {note}" for note in table.notes if note not in first.notes]
    # The best of all slices is no winner: each leaderboard has its own, of rank 1.
    columns = (Column("by"), Column("part"), *(replace(column, best=None) for column in first.columns))
    rows = tuple((*key, *row) for key, table in tables.items() for row in table.rows)
    return Table(title, columns, rows, tuple(notes), keys=2 + first.keys, head=first.head)


def long_table(comparison: Comparison) -> Table:
    """List scores, one row per run and measure."""
    above = comparison.above_chance
    titles = ["run", "measure", "score", "low", "high", "rank", "group"]
    titles += ["above_chance"] if above is not None else []
    digits = {"score": DIGITS, "low": DIGITS, "high": DIGITS, "above_chance": DIGITS}
    rows: list[tuple[Cell, ...]] = []
    for column, notation in enumerate(comparison.measures):
        marks = comparison.groups(notation)
        for which, run in enumerate(comparison.runs):
            numbers = (table[which, column] for table in (comparison.scores, comparison.low, comparison.high))
            row: list[Cell] = [run, notation, *map(float, numbers)]
            row += [int(comparison.ranks[which, column]) or None, marks[which]]
            row += [float(above[which, column])] if above is not None else []
            rows.append(tuple(row))
    return Table("Scores", tuple(Column(title, digits.get(title)) for title in titles), tuple(rows), keys=2)


def pairs_table(comparison: Comparison) -> Table:
    """List all pairs of runs, without baselines: by how much they differ, and how surely."""
    from ontoeval.core.intervals import interval

    titles = (
        "measure",
        "run",
        "other",
        "difference",
        "low",
        "high",
        "interval",
        "p",
        "adjusted p",
        "significant",
    )
    digits = dict.fromkeys(("difference", "low", "high", "p", "adjusted p"), DIGITS)
    own = np.flatnonzero(comparison.competing)
    first, second = (own[side] for side in np.triu_indices(own.size, 1))
    rows: list[tuple[Cell, ...]] = []
    for column, notation in enumerate(comparison.measures):
        drawn, scores = comparison.replicates[:, :, column], comparison.scores[:, column]
        differences = scores[first] - scores[second]
        low, high = interval(drawn[:, first] - drawn[:, second], differences, level=comparison.plan.level)
        for pair, (a, b) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
            p, adjusted = (float(table[column, a, b]) for table in (comparison.p_values, comparison.adjusted))
            verdict = "" if np.isnan(adjusted) else ("yes" if adjusted < comparison.plan.alpha else "no")
            bounds = (float(differences[pair]), float(low[pair]), float(high[pair]), "percentile")
            rows.append((notation, comparison.runs[a], comparison.runs[b], *bounds, p, adjusted, verdict))
    columns = tuple(Column(title, digits.get(title)) for title in titles)
    said = "The intervals of differences are percentiles." if rows else "There is but one run."
    notes = (*comparison.lines, said, *comparison.notes)
    return Table("Differences of runs", columns, tuple(rows), notes, keys=3)
