"""Comparisons of runs: tables, sections about scores, and the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.result import Comparison, behind_baselines
from ontoeval.comparison.seeds import scores_of_systems
from ontoeval.core.showing import Page
from ontoeval.core.table import (
    DIGITS,
    Cell,
    Column,
    Estimate,
    Rank,
    RunName,
    Table,
    cell_text,
    is_number,
    score_of_cell,
)
from ontoeval.errors import ParameterError, enumerate_some, one_of, pluralise
from ontoeval.evaluation.scoring import LACKING, Evaluation, notes_in_public, notes_on_undefined
from ontoeval.measures.base import best_end, info
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.files import FilePath
from ontoeval.reports import formats
from ontoeval.reports.catalogue import measure_lines
from ontoeval.reports.concepts import concepts_section
from ontoeval.reports.confusion import confusion_section
from ontoeval.reports.evaluation import leaderboard as scores_of
from ontoeval.reports.evaluation import scored, with_recipe_notes, with_teams
from ontoeval.reports.explanation import pictures, worst_section
from ontoeval.reports.formats import table_of
from ontoeval.reports.marks import Intervals, Matrix, Ridges
from ontoeval.reports.page import About, Figure, FigureView, Section, report_page, template, verdict
from ontoeval.reports.samples import SamplePool
from ontoeval.reports.selection import MOST, label_sets, note_left_out, per_sample
from ontoeval.reports.verdicts import of_comparison

SHARED = "Runs that share a letter do not differ significantly."
RANKS = "In brackets: the ranks that a run may have. Those of all runs by a measure hold at once."


def leaderboard(comparison: Comparison) -> Table:
    """Rank runs by the first measure, with intervals and groups."""
    measures, above, order = comparison.measures, comparison.above_chance, comparison.order()
    ranks, columns = [_ranks(comparison, at) for at in range(len(measures))], [Column("rank"), Column("run")]
    for (notation, measure), of_measure in zip(measures.items(), ranks, strict=True):
        places = tuple(of_measure[run] for run in order)
        columns.append(Column(notation, DIGITS, best_end(measure), ranks=places))
        columns += [] if above is None else [Column(f"{notation} above chance", DIGITS, ranks=places)]
    letters = [comparison.groups(notation) for notation in measures]
    rows: list[tuple[Cell, ...]] = []
    for run in order:
        cells: list[Cell] = [ranks[0][run], _run_label(comparison, run)]
        for column, marks in enumerate(letters):
            cells.append(Estimate(*_numbers(comparison, run, column), marks[run]))
            cells += [] if above is None else [float(above[run, column])]
        rows.append(tuple(cells))
    legend = [SHARED] * any(map(any, letters))
    legend += [RANKS] * any("(" in rank.text for of_measure in ranks for rank in of_measure if rank)
    ahead: list[str] = []
    if not comparison.public:
        ahead = [*comparison.first.of_ceilings, *notes_on_undefined(comparison.disclosed)]
    notes = tuple(dict.fromkeys((*ahead, *legend, *comparison.lines, *comparison.notes)))
    aside = frozenset(np.flatnonzero(~comparison.competing[order]).tolist())
    head = of_comparison(comparison) if comparison.competing.sum() > 1 else comparison.against_baselines
    return Table("Leaderboard", tuple(columns), tuple(rows), notes, 2, aside, head=head)


def _ranks(comparison: Comparison, column: int) -> list[Rank | None]:
    """Ranks of the runs by a measure, with those that each may have in brackets, if there are others."""
    found = list[Rank | None]()
    ends = comparison.rank_intervals[:, column].tolist()
    for rank, (best, worst) in zip(comparison.ranks[:, column].tolist(), ends, strict=True):
        cell = Rank(rank)
        cell.ends = best, worst
        cell.text = f"{rank} ({best}–{worst})" if best < worst else str(rank)
        found.append(cell if rank else None)
    return found


def _run_label(comparison: Comparison, run: int) -> RunName:
    """Name a run, and what kind a row is that is no run."""
    name = RunName(comparison.runs[run])
    name.kind = "oracle" if name in comparison.oracles else "baseline" * (name in comparison.baselines)
    return name


def _numbers(comparison: Comparison, run: int, column: int) -> tuple[float, float, float]:
    at = run, column
    return float(comparison.scores[at]), float(comparison.low[at]), float(comparison.high[at])


def by_part(title: str, tables: Mapping[tuple[str, str], Table], *sides: Evaluation) -> Table:
    """Put tables of slices below each other with their sizes, except those without any number."""
    of = dict(zip(tables, (one.totals for one in sides), strict=True))
    titles = ["samples", "concepts"][: 1 + (len({len(one.vocabulary) for one in of.values()}) > 1)]
    tables = {key: one for key, one in tables.items() if key == ("", WHOLE) or _has_numbers(one)}
    first = next(iter(tables.values()))
    notes = list(first.notes)
    for key, table in tables.items():
        told = [note for note in table.notes if note not in first.notes and not note.startswith(LACKING)]
        new = [note if note == RANKS else f"{': '.join(key)}: {note}" for note in told]
        notes += [note for note in new if note not in notes]
    # The best of all slices is no winner: each leaderboard has its own, of rank 1.
    alike = zip(*(table.columns for table in tables.values()), strict=True)
    below = [(one[0], tuple(rank for column in one for rank in column.ranks)) for one in alike]
    own = (replace(column, best=None, ranks=ranks) for column, ranks in below)
    columns = (Column("by"), Column("part"), *map(Column, titles), *own)
    sizes: Mapping[object, tuple[Cell, ...]]
    sizes = {key: (of[key].samples, len(of[key].vocabulary))[: len(titles)] for key in tables}
    rows = tuple((*key, *sizes[key], *row) for key, one in tables.items() for row in one.best_first)
    head = "{} ({})".format
    named = [replace(t, title=head(": ".join(filter(None, k)), of[k].counts)) for k, t in tables.items()]
    return Table(
        title,
        columns,
        rows,
        tuple(notes),
        keys=2 + len(titles) + first.keys,
        head=first.head,
        parts=(named[0], *map(_without_aside, named[1:])) * (len(first.rows) > 1),
    )


def _has_numbers(table: Table) -> bool:
    return any(is_number(score_of_cell(cell)) for row in table.rows for cell in row[table.keys :])


def _without_aside(table: Table) -> Table:
    """Leave out baselines and oracles, unless there is nothing else."""
    kept = [at for at in range(len(table.rows)) if at not in table.aside] or [*range(len(table.rows))]
    columns = (replace(one, ranks=tuple(one.ranks[at] for at in kept if one.ranks)) for one in table.columns)
    rows = tuple(table.rows[at] for at in kept)
    return replace(table, columns=tuple(columns), rows=rows, aside=frozenset())


def board(comparison: Comparison) -> Table:
    """Rank the runs, also by the parts, if there are any."""
    return (boards_of_parts if comparison.parts else leaderboard)(comparison)


def tables_by_part(title: str, comparison: Comparison, table: Callable[[Comparison], Table]) -> Table:
    """Make a table of the whole and of each part, one below the other."""
    parts = {("", WHOLE): comparison, **comparison.parts}
    tables = {key: table(one) for key, one in parts.items()}
    return by_part(title, tables, *(one.first for one in parts.values()))


def boards_of_parts(comparison: Comparison) -> Table:
    """Put the leaderboards of everything and of the parts below each other."""
    board = tables_by_part("Leaderboards", comparison, leaderboard)
    parts = {": ".join(key): one for key, one in comparison.parts.items()}
    tested = {part: one for part, one in parts.items() if np.isfinite(one.adjusted[0]).any()}
    behind = [part for part, one in tested.items() if behind_baselines(one)]
    if not behind:
        return board
    lead = f"In {len(behind):,} of {pluralise(len(tested), 'tested part')}"
    where = f"{lead} some runs do not beat the best baseline: {enumerate_some(behind)}."
    return replace(board, head=f"{board.head} {where}".strip())


def tables(comparison: Comparison) -> dict[str, Table]:
    """Make all tables of a comparison."""
    return {
        "leaderboard": leaderboard(comparison),
        "scores": long_table(comparison),
        "pairs": pairs_table(comparison),
        **({"parts": boards_of_parts(comparison)} if comparison.parts else {}),
    }


def to_latex(comparison: Comparison) -> str:
    """Write the leaderboard for LaTeX, with the recipe in its caption."""
    measures = comparison.measures.values()
    return formats.to_latex(with_recipe_notes(leaderboard(comparison), comparison.signature, measures))


def long_table(comparison: Comparison) -> Table:
    """List scores, one row per run and measure."""
    above = comparison.above_chance
    ends = ("best rank", "worst rank")
    titles = ["run", "measure", *SIDES, "rank", *ends, "group", *["above_chance"] * (above is not None)]
    rows: list[tuple[Cell, ...]] = []
    for column, notation in enumerate(comparison.measures):
        marks = comparison.groups(notation)
        for which, run in enumerate(comparison.runs):
            rank = int(comparison.ranks[which, column]) or None
            own = [] if above is None else [float(above[which, column])]
            may_be = (end or None for end in comparison.rank_intervals[which, column].tolist())
            numbers = _numbers(comparison, which, column)
            rows.append((run, notation, *numbers, rank, *may_be, marks[which], *own))
    return table_of("Scores", titles, rows, keys=2)


def pairs_table(comparison: Comparison) -> Table:
    """List all pairs of runs, without baselines: by how much they differ, and how surely."""
    from ontoeval.core.resampling import logit_interval

    titles = ("measure", "run", "other", "difference", "low", "high", "p", "adjusted p", "significant")
    own = np.flatnonzero(comparison.competing)
    first, second = (own[side] for side in np.triu_indices(own.size, 1))
    names = [[comparison.runs[run] for run in side.tolist()] for side in (first, second)]
    rows, level, units = list[tuple[Cell, ...]](), comparison.plan.level, comparison.drawn_units
    shown = np.where(np.isnan(comparison.low), np.nan, 0.0)
    for column, (notation, measure) in enumerate(comparison.measures.items()):
        drawn, scores = comparison.replicates[:, :, column], comparison.finite[:, column]
        differences = scores[first] - scores[second]
        again, nowhere = drawn[:, first] - drawn[:, second], np.full(first.size, np.nan)
        lowest, highest = info(measure, "bounds")
        ends = [(lowest - highest, highest - lowest)] * first.size
        found = logit_interval(differences, again, nowhere, ends, units=units, level=level)
        bounds = [side + shown[first, column] + shown[second, column] for side in found]
        tests = (table[column, first, second] for table in (comparison.p_values, comparison.adjusted))
        p, adjusted = ([comparison.as_p_value(one) for one in table.tolist()] for table in tests)
        alpha = comparison.plan.alpha
        verdicts = ["" if np.isnan(one) else "yes" if one < alpha else "no" for one in adjusted]
        numbers = (side.tolist() for side in (differences, *bounds))
        cells = zip(*names, *numbers, p, adjusted, verdicts, strict=True)
        rows += [(notation, *row) for row in cells]
    how = "Intervals of differences: less bias, ± t × bootstrap error."
    notes = (*comparison.lines, how if rows else "There is but one run.", *comparison.notes)
    return table_of("Differences of runs", titles, rows, notes=notes, keys=3)


CHANCE = ", and how much of the way from chance (labels at random) to the best value it has come."


def leaderboard_section(
    comparison: Comparison, teams: Mapping[str, str] | None = None, *, pairs: bool = True
) -> Section:
    """Show the scores of all runs."""
    figures = [_table(comparison, teams or {})]
    if _is_resampled(comparison):
        figures.append(_intervals(comparison))
        if pairs and comparison.competing.sum() > 1:
            figures.append(_pairs(comparison))
    return Section("leaderboard", "Leaderboard", "", figures)


def _table(comparison: Comparison, teams: Mapping[str, str]) -> Figure:
    if not _is_resampled(comparison):
        others = notes_in_public(comparison.evaluations)
        notes = [*comparison.same, *(others if comparison.public else _plain_scores(comparison).notes)]
        return Figure("Scores of all runs", [sortable_board(comparison, teams, notes=notes)])
    grouped, notes = has_groups(comparison), [*comparison.notes, *comparison.lines]
    sentence = f"{SHARED} " * grouped
    sentence += f"Below each score stands its {100 * comparison.plan.level:g}% interval"
    sentence += ", and the run's rank by this measure, with the ranks that it may have in brackets" * grouped
    sentence += "." if comparison.chance is None else CHANCE
    return Figure("Scores of all runs", [sortable_board(comparison, teams, notes=notes)], text=sentence)


def _plain_scores(comparison: Comparison) -> Table:
    """Scores of runs without intervals, with the notes on them."""
    one = len(comparison.runs) == 1
    return scored(comparison.first) if one else scores_of(comparison.evaluations)


def _is_resampled(comparison: Comparison) -> bool:
    """Whether there are intervals and tests, not only scores."""
    return bool(len(comparison.replicates))


def has_groups(comparison: Comparison) -> bool:
    """Check for groups of runs that do not differ significantly."""
    return any(any(comparison.groups(notation)) for notation in comparison.measures)


def sortable_board(
    comparison: Comparison, teams: Mapping[str, str], *, notes: Sequence[str] = (), part: str = ""
) -> FigureView:
    """Rank the runs in a table that can be sorted."""
    letters = [comparison.groups(notation) for notation in comparison.measures]
    tested = comparison.rank_intervals[:, :, 0] > 0
    ranks = [_ranks(comparison, column) for column in range(len(letters))]
    lines = [] if part else measure_lines(comparison.measures, comparison.first.totals.hierarchy)
    # In words, as arrows mark the column by which the table is sorted.
    ends = {notation: best_end(measure) for notation, measure in comparison.measures.items()}
    columns = [{"title": notation, "low": end == "lowest"} for notation, end in ends.items()]
    rows = [
        {
            "run": comparison.runs[run],
            "team": teams.get(comparison.runs[run], ""),
            "aside": _run_label(comparison, run).kind,
            "cells": [
                _cell(comparison, run, measure)
                | {"letters": letters[measure][run], "rank": tested[run, measure] and ranks[measure][run]}
                for measure in range(len(columns))
            ],
        }
        for run in comparison.order()
    ]
    html = template("leaderboard").render(columns=columns, rows=rows, lines=lines, notes=notes, part=part)
    plain = not _is_resampled(comparison)
    table = replace(_plain_scores(comparison), notes=()) if plain else long_table(comparison)
    return FigureView(html=html, table=with_teams(table, teams))


def _cell(comparison: Comparison, run: int, measure: int) -> dict[str, Any]:
    score, low, high = _numbers(comparison, run, measure)
    above = np.nan if comparison.above_chance is None else float(comparison.above_chance[run, measure])
    return {
        "value": "" if np.isnan(score) else repr(score).replace("inf", "Infinity"),
        "score": cell_text(score, DIGITS),
        "interval": "" if np.isnan(low) else f"{cell_text(low, 3)} – {cell_text(high, 3)}",
        "above": "" if np.isnan(above) else f"{round(100 * above):,} %".replace("-", "−"),
        "best": comparison.ranks[run, measure] == 1 and comparison.competing.sum() > 1,
    }


def _intervals(comparison: Comparison) -> Figure:
    shown = [("runs alone", comparison.baselines), ("runs and baselines", ())]
    if not comparison.baselines or set(comparison.baselines) == set(comparison.runs):
        shown = shown[1:]
    views = []
    for notation in comparison.measures:
        for _, hidden in shown:
            order = [run for run in comparison.order(notation) if comparison.runs[run] not in hidden]
            plot = score_intervals(comparison, notation, order)
            columns = {"run": plot.names, **dict(zip(SIDES, plot.sides, strict=True))}
            views.append(FigureView(plot, Table.from_columns(f"Intervals of {notation}", columns)))
    text = f"Points are scores, whiskers their {100 * comparison.plan.level:g}% intervals; the best first."
    choices: list[tuple[str, Sequence[str]]] = [("Measure", tuple(comparison.measures))]
    if len(shown) > 1:
        text += " Grey diamonds are baselines and oracles."
        choices.append(("Show", [name for name, _ in shown]))
    if comparison.chance is not None:
        text += " The dotted line is chance."
    return Figure("Intervals", views, choices, text)


def score_intervals(comparison: Comparison, notation: str, order: Sequence[int]) -> Intervals:
    """Draw the scores of some runs by one measure, baselines muted, and chance."""
    column = comparison.column(notation)
    names = [comparison.runs[run] for run in order]
    return Intervals(
        names,
        *(part[order, column] for part in (comparison.finite, comparison.low, comparison.high)),
        title=notation,
        level=comparison.plan.level,
        muted=[name in comparison.baselines for name in names],
        chance=None if comparison.chance is None else float(comparison.chance[column]),
    )


def _pairs(comparison: Comparison) -> Figure:
    views, alpha = [], comparison.plan.alpha
    known = comparison.rank_intervals[:, :, 0].T > 0
    tested = bool(known.any())
    pairs = pairs_table(comparison)
    for measure, notation in enumerate(comparison.measures):
        own = comparison.competing & (known[measure] | (not tested))
        order = [run for run in comparison.order(notation) if own[run]][:MOST]
        names = [comparison.runs[run] for run in order]
        scores = comparison.finite[order, measure]
        p_values = comparison.adjusted[measure][np.ix_(order, order)]
        differences = scores[:, None] - scores[None, :]
        # What may be chance stays empty; without a test every difference is shown.
        shown = np.where(p_values < alpha, differences, np.nan) if tested else differences
        rows = tuple(row[1:] for row in pairs.rows if row[0] == notation and {*names}.issuperset(row[1:3]))
        table = Table(f"Differences by {notation}", pairs.columns[1:], rows)
        if not np.isfinite(shown).any():
            views.append(_insignificant_view(comparison, table, notation))
            continue
        plot = Matrix(
            shown,
            names,
            names,
            scale="direction",
            limits=_symmetric(shown),
            reading="<b>%{y}</b><br>minus <b>%{x}</b><br>%{z:.4f}"
            + ("<br>adjusted p = %{customdata[0]:.2r}" if tested else ""),
            numbers=".3f",
            more=p_values[:, :, None] if tested else None,
        )
        views.append(FigureView(plot, table))
    text = "Score of the row minus score of the column."
    text += f" Empty where the difference is not significant: adjusted p at least {alpha:g}." * tested
    text *= any(not view.html for view in views)
    runs = int(comparison.competing.sum())
    text += note_left_out(min(MOST, runs), runs)
    return Figure("Differences between runs", views, [("Measure", tuple(comparison.measures))], text)


def _insignificant_view(comparison: Comparison, table: Table, notation: str) -> FigureView:
    """Say that no runs differ significantly, above the table with the differences."""
    at = [column.title for column in table.columns].index("adjusted p")
    tested = np.array([row[at] for row in table.rows], dtype=np.float64)
    if np.isnan(tested).all():
        return FigureView(html=verdict(f"There are no two runs with a score by {notation}."), table=table)
    sentence = (
        f"No two runs differ significantly by {notation}: the smallest adjusted p is "
        f"{comparison.as_p_value(np.nanmin(tested)).text}. The table has the differences with their "
        f"{100 * comparison.plan.level:g}% intervals, each pair by itself, not corrected for their number."
    )
    return FigureView(html=verdict(sentence), table=table)


SIDES = ("score", "low", "high")

CELLS = 2_000  # scores of parts that a page holds

WHOLE = "all"

PartComparisons = Mapping[tuple[str, str], Comparison]
"""Comparisons of parts, by what they are cut by and what they are called."""


def parts_section(comparison: Comparison, teams: Mapping[str, str]) -> Section | None:
    """Show the runs part by part."""
    if not (cut := comparison.parts):
        return None
    most = max(1, CELLS // comparison.scores.size)
    shown = dict(list(cut.items())[:most])
    sentence = f" Of {len(cut):,} parts the first {most:,} are shown." if len(shown) < len(cut) else ""
    tested = _is_resampled(comparison)
    known, *new = ([*(one.notes if tested else one.same)] for one in (comparison, *shown.values()))
    new = [[note for note in notes if note not in known and not note.startswith(LACKING)] for notes in new]
    both = zip(shown.values(), new, strict=True)
    boards = [sortable_board(one, teams, notes=notes, part=one.first.totals.counts) for one, notes in both]
    text = f"Each part has ranks{', intervals and tests' * tested} of its own."
    if any(map(has_groups, shown.values())):
        text += " Runs that share a letter do not differ significantly there."
    names = [f"{by}: {part}" for by, part in shown]
    return Section(
        "parts",
        "Parts",
        "The same runs on some of the samples, or by some of the labels, alone: the best of all need not be "
        "the best of each.",
        [
            _side_by_side(comparison, shown, sentence),
            Figure("Leaderboards of parts", boards, [("Part", names)], text + sentence),
        ],
    )


def _side_by_side(comparison: Comparison, shown: PartComparisons, sentence: str) -> Figure:
    ranked = [comparison.runs[run] for run in comparison.order()]
    own = [run for run in ranked if run not in comparison.baselines] or ranked
    runs, level = own[:MOST], f"{100 * comparison.plan.level:g}%"
    interval = f"{level} interval %{{customdata[1]:.4f}} to %{{customdata[2]:.4f}}<br>"
    interval *= _is_resampled(comparison)
    cuts = list(dict.fromkeys(by for by, _ in shown))
    views = []
    for by in cuts:
        compared = {WHOLE: comparison} | {part: one for (key, part), one in shown.items() if key == by}
        places = [(one, [one.runs.index(run) for run in runs]) for one in compared.values()]
        for column, notation in enumerate(comparison.measures):
            sides = [[part[rows, column] for part in (one.finite, one.low, one.high)] for one, rows in places]
            numbers = np.array(sides).transpose(2, 0, 1)
            merits = np.array([one.merits[rows, column] for one, rows in places]).T
            known = np.isfinite(merits)
            middle = np.where(known, merits, 0.0).sum(axis=0) / np.maximum(known.sum(axis=0), 1)
            above = np.where(known, merits - middle, np.nan)
            plot = Matrix(
                above,
                runs,
                list(compared),
                scale="direction",
                limits=_symmetric(above),
                reading=f"<b>%{{y}}</b><br><b>%{{x}}</b><br>%{{customdata[0]:.4f}}<br>{interval}"
                "better than the mean by %{z:.4f}",
                numbers=".3f",
                cell_text="customdata[0]",
                more=numbers,
            )
            table = (
                (part, one.first.totals.counts, run, *numbers[row, place].tolist())
                for place, (part, one) in enumerate(compared.items())
                for row, run in enumerate(runs)
            )
            titles = ("part", "of", "run", *SIDES)
            views.append(FigureView(plot, table_of(f"{notation} by {by}", titles, table)))
    text = (
        "One column per part, and one of everything. Numbers are scores; blue runs are better than the mean "
        "of their column, orange ones are worse. Compare the runs of a column, not columns: by a mean over "
        "samples, parts of few labels score high, since most samples bear none of them. Undefined scores "
        f"are left empty.{sentence}"
    )
    text += note_left_out(len(runs), len(own))
    return Figure("Scores by part", views, [("By", cuts), ("Measure", tuple(comparison.measures))], text)


def _symmetric(values: NDArray[np.float64]) -> tuple[float, float]:
    largest = float(np.nanmax(np.abs(values), initial=0.0)) or 1.0
    return -largest, largest


def samples_section(comparison: Comparison) -> Section | None:
    """Show how the scores of samples are spread, run by run."""
    views = {}
    for notation in comparison.measures:
        scores = per_sample(comparison, notation)
        if not scores:
            continue
        order = comparison.order()
        runs = {cell_text(_run_label(comparison, run)): scores[comparison.runs[run]] for run in order}
        plot = ridges_of(comparison, notation, runs, order)
        rows: list[tuple[Cell, ...]] = []
        for run in runs:
            edges, shares = (part.round(6).tolist() for part in plot.binned(run))
            rows += [(run, *cells) for cells in zip(edges[:-1], edges[1:], shares, strict=True) if cells[-1]]
        titles = ("run", "from", "to", "share of samples")
        views[notation] = FigureView(plot, table_of(f"{notation} of samples", titles, rows))
    if not views:
        return None
    text = (
        f"Each ridge holds the scores of all samples, counted in {Ridges.bins} intervals and drawn to its "
        "own height; the diamond is their mean."
    )
    figure = Figure("Distribution per run", [*views.values()], [("Measure", [*views])], text)
    lead = "Equal means can hide unequal runs: a few bad misses, or many small ones."
    return Section("samples", "Scores of samples", lead, [figure])


def ridges_of(
    comparison: Comparison, notation: str, scores: Mapping[str, Numbers], order: Sequence[int]
) -> Ridges:
    """Draw how the scores of the samples of some runs are spread; baselines are muted."""
    ends = info(comparison.measures[notation], "bounds")
    muted = [not comparison.competing[run] for run in order]
    return Ridges(scores, title=f"{notation} of a sample", ends=ends, muted=muted)


def _digests(comparison: Comparison) -> list[str]:
    """Line of the recipe by which others see that they have the same labels; none of merged totals."""
    found = ", ".join(f"{name} {digest}" for name, digest in comparison.digests.items())
    return [f"SHA-256 of samples, concepts and labels: {found}."] * bool(found)


SECTIONS = ("leaderboard", "parts", "samples", "concepts", "confusion", "worst")
"""Sections of a page in their order; the recipe ends every page."""

PUBLIC = ("leaderboard", "parts")
"""Sections that tell no label of the truth, nor how many samples have how many."""


def report(
    comparison: Comparison,
    *,
    title: str = "Comparison of runs",
    teams: Mapping[str, str] | None = None,
    images: FilePath | None = None,
    folder: FilePath = ".",
    sections: Sequence[str] | None = None,
    systems: Mapping[str, str] | None = None,
    **about: Unpack[About],
) -> Page:
    """Write the page of a comparison, of systems first; a truth that is not public limits the sections."""
    if sections is None:
        sections = PUBLIC if comparison.public else SECTIONS
    if comparison.public and (hidden := [section for section in sections if section not in PUBLIC]):
        raise ParameterError("sections", hidden, f"none but {', '.join(PUBLIC)}: others reveal the truth")
    for key in sections:
        one_of("sections", key, SECTIONS)
    found = pictures(images, folder)
    samples = SamplePool(label_sets(comparison), found)
    makers: dict[str, Callable[[], Section | None]] = {
        "leaderboard": partial(leaderboard_section, comparison, teams),
        "parts": partial(parts_section, comparison, teams or {}),
        "samples": partial(samples_section, comparison),
        "concepts": partial(concepts_section, comparison, samples),
        "confusion": partial(confusion_section, comparison, samples),
        "worst": partial(worst_section, comparison, found),
    }
    made, head = [makers[key]() for key in sections], of_comparison(comparison)
    if systems:
        view = FigureView(table=scores_of_systems(comparison, systems))
        figure = Figure("Means over seeds", [view], open_table=True)
        made.insert(0, Section("systems", "Systems", "", [figure]))
        said = "Systems are compared in the first table. Below it runs, which are their seeds, are compared."
        head = f"{said} {comparison.against_baselines}"
    several = [
        ("ranked by", f"{next(iter(comparison.measures))} ({comparison.ranking})"),
        ("runs", f"{comparison.competing.sum():,}"),
    ]
    facts = [
        *(several if len(comparison.runs) > 1 else ()),
        ("measures", f"{len(comparison.measures):,}"),
        ("samples", f"{comparison.first.totals.samples:,}"),
        ("concepts", f"{len(comparison.first.totals.vocabulary):,}"),
    ]
    return report_page(
        title,
        made,
        [*comparison.signature.splitlines(), *_digests(comparison)],
        facts=facts,
        head=head,
        pictures=found.sources,
        samples=samples.content(),
        **about,
    )
