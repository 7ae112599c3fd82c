"""Comparisons of runs: tables, sections about scores, and the page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.rank_correlation import tau_b
from ontoeval.comparison.result import Comparison, behind_baselines
from ontoeval.comparison.seeds import scores_of_systems
from ontoeval.core.showing import Page
from ontoeval.core.table import (
    DIGITS,
    Cell,
    Column,
    Estimate,
    Rank,
    Table,
    cell_text,
    is_number,
    score_of_cell,
)
from ontoeval.errors import MOST_SHOWN, ParameterError, enumerate_some, join_with_and, one_of, pluralise
from ontoeval.measures.base import best_end, info
from ontoeval.plumbing.files import FilePath
from ontoeval.reports import formats
from ontoeval.reports.catalogue import measure_lines
from ontoeval.reports.concepts import concepts_section
from ontoeval.reports.confusion import confusion_section
from ontoeval.reports.evaluation import with_recipe_notes, with_teams
from ontoeval.reports.explanation import pictures, worst_section
from ontoeval.reports.formats import table_of
from ontoeval.reports.marks import Intervals, Matrix, Ridges
from ontoeval.reports.page import About, Figure, FigureView, Section, report_page, template, verdict
from ontoeval.reports.samples import SamplePool
from ontoeval.reports.selection import MOST, alike_together, label_sets, note_left_out, per_sample
from ontoeval.reports.verdicts import of_comparison, question

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
    ceilings = [] if comparison.public else comparison.first.of_ceilings
    notes = tuple(dict.fromkeys((*ceilings, *legend, *comparison.lines, *comparison.notes)))
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


def _run_label(comparison: Comparison, run: int) -> str:
    name = comparison.runs[run]
    return f"{name} ({kind})" if (kind := _kind(comparison, name)) else name


def _kind(comparison: Comparison, run: str) -> str:
    """Name the kind of a row that is no run."""
    return "oracle" if run in comparison.oracles else "baseline" * (run in comparison.baselines)


def _numbers(comparison: Comparison, run: int, column: int) -> tuple[float, float, float]:
    at = run, column
    return float(comparison.scores[at]), float(comparison.low[at]), float(comparison.high[at])


def by_part(title: str, tables: Mapping[tuple[str, str], Table]) -> Table:
    """Put tables of slices below each other, except those without any number."""
    tables = {key: one for key, one in tables.items() if key == ("", WHOLE) or _has_numbers(one)}
    first = next(iter(tables.values()))
    notes = list(first.notes)
    for (_, part), table in tables.items():
        new = [f"{part}: {note}" * (note != RANKS) or note for note in table.notes if note not in first.notes]
        notes += [note for note in new if note not in notes]
    # The best of all slices is no winner: each leaderboard has its own, of rank 1.
    alike = zip(*(table.columns for table in tables.values()), strict=True)
    below = [(one[0], tuple(rank for column in one for rank in column.ranks)) for one in alike]
    own = (replace(column, best=None, ranks=ranks) for column, ranks in below)
    columns = (Column("by"), Column("part"), *own)
    rows = tuple((*key, *row) for key, table in tables.items() for row in table.rows)
    named = [replace(one, title=f"{by}: {part}" if by else part) for (by, part), one in tables.items()]
    parts = (named[0], *map(_without_aside, named[1:]))
    return Table(
        title,
        columns,
        rows,
        tuple(notes),
        keys=2 + first.keys,
        head=first.head,
        parts=parts * (len(first.rows) > 1),
    )


def _has_numbers(table: Table) -> bool:
    return any(is_number(score_of_cell(cell)) for row in table.rows for cell in row[table.keys :])


def _without_aside(table: Table) -> Table:
    """Leave out baselines and oracles, unless there is nothing else."""
    kept = [at for at in range(len(table.rows)) if at not in table.aside] or [*range(len(table.rows))]
    columns = (replace(one, ranks=tuple(one.ranks[at] for at in kept if one.ranks)) for one in table.columns)
    rows = tuple(table.rows[at] for at in kept)
    return replace(table, columns=tuple(columns), rows=rows, aside=frozenset())


def boards_of_parts(comparison: Comparison) -> Table:
    """Put the leaderboards of everything and of the parts below each other."""
    parts = {("", WHOLE): comparison, **comparison.parts}
    board = by_part("Leaderboards", {key: leaderboard(one) for key, one in parts.items()})
    behind = [part for (_, part), one in comparison.parts.items() if behind_baselines(one)]
    if not behind:
        return board
    lead = f"In {len(behind):,} of {pluralise(len(comparison.parts), 'part')}"
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
    return formats.to_latex(
        with_recipe_notes(leaderboard(comparison), comparison.signature, comparison.measures.values())
    )


def long_table(comparison: Comparison) -> Table:
    """List scores, one row per run and measure."""
    above = comparison.above_chance
    ends = ("best_rank", "worst_rank")
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

    titles = ("measure", "run", "other", *NUMBERS[:3], "p", "adjusted p", "significant")
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
        p, adjusted = ([comparison.p_value(one) for one in table.tolist()] for table in tests)
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
    figures = [_table(comparison, teams or {}), _intervals(comparison)]
    if pairs and comparison.competing.sum() > 1:
        figures.append(_pairs(comparison))
    return Section("leaderboard", "Leaderboard", "", figures)


def _table(comparison: Comparison, teams: Mapping[str, str]) -> Figure:
    grouped = has_groups(comparison)
    sentence = f"{SHARED} " * grouped
    sentence += f"Below each score stands its {100 * comparison.plan.level:g} % interval"
    sentence += ", and the run's rank by this measure, with the ranks that it may have in brackets" * grouped
    sentence += "." if comparison.chance is None else CHANCE
    notes = [*comparison.notes, *comparison.lines]
    return Figure("Scores of all runs", [sortable_board(comparison, teams, notes=notes)], text=sentence)


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
    columns = [
        {
            "title": notation,
            # In words, as arrows mark the column by which the table is sorted.
            "low": best_end(measure) == "lowest",
        }
        for notation, measure in comparison.measures.items()
    ]
    rows = [
        {
            "run": comparison.runs[run],
            "team": teams.get(comparison.runs[run], ""),
            "aside": _kind(comparison, comparison.runs[run]),
            "cells": [
                _cell(comparison, run, measure)
                | {"letters": letters[measure][run], "rank": tested[run, measure] and ranks[measure][run]}
                for measure in range(len(columns))
            ],
        }
        for run in comparison.order()
    ]
    html = template("leaderboard").render(columns=columns, rows=rows, lines=lines, notes=notes, part=part)
    return FigureView(html=html, table=with_teams(long_table(comparison), teams))


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
    text = "Points are scores, whiskers their intervals."
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
            numbers=".3f" if len(names) <= WRITTEN else "",
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
    """Show differences that are not significant with their intervals, the largest above."""
    at = [[column.title for column in table.columns].index(title) for title in NUMBERS]
    numbers = np.array([[row[column] for column in at] for row in table.rows], dtype=np.float64)
    numbers = numbers.reshape(-1, len(NUMBERS))
    order = np.argsort(-np.abs(numbers[:, 0]), kind="stable")
    order = order[np.isfinite(numbers[order, 0])]
    if not order.size:
        sentence = f"There are no two runs with a score by {notation}."
        return FigureView(html=verdict(sentence), table=table)
    level, least = comparison.plan.level, comparison.p_value(np.nanmin(numbers[order, 3]))
    sentence = (
        f"No two runs differ significantly by {notation}: the smallest adjusted p is "
        f"{least.text}. Below are the differences with their {level:.0%} intervals, "
        "each pair by itself, not corrected for their number."
    )
    if order.size > MOST:
        sentence += f" Of {order.size:,} pairs the {MOST} that differ most are shown."
    plot = Intervals(
        [f"{table.rows[pair][0]} − {table.rows[pair][1]}" for pair in order[:MOST].tolist()],
        *numbers[order[:MOST], :3].T,
        title=f"difference by {notation}",
        level=level,
        chance=0.0,
        longest=50,
    )
    return FigureView(plot, table, verdict(sentence))


SIDES = ("score", "low", "high")
NUMBERS = ("difference", "low", "high", "adjusted p")

WRITTEN = 12  # up to how many runs the differences are written into the cells
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
    tested = bool(len(comparison.replicates))
    known, *new = ([*(one.notes if tested else one.same)] for one in (comparison, *shown.values()))
    new = [[note for note in notes if note not in known] for notes in new]
    both = zip(shown.values(), new, strict=True)
    boards = [sortable_board(one, teams, notes=notes, part=_size(one)) for one, notes in both]
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


def _size(comparison: Comparison) -> str:
    totals = comparison.first.totals
    return f"{pluralise(totals.samples, 'sample')}, {pluralise(len(totals.vocabulary), 'label')}"


def _side_by_side(comparison: Comparison, shown: PartComparisons, sentence: str) -> Figure:
    ranked = [comparison.runs[run] for run in comparison.order()]
    own = [run for run in ranked if run not in comparison.baselines] or ranked
    runs, level = own[:MOST], f"{comparison.plan.level:.0%}"
    interval = f"{level} interval %{{customdata[1]:.4f}} to %{{customdata[2]:.4f}}<br>"
    interval *= bool(len(comparison.replicates))
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
                numbers=".3f" if len(compared) <= WRITTEN else "",
                cell_text="customdata[0]",
                more=numbers,
            )
            table = (
                (part, _size(one), run, *numbers[row, place].tolist())
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
    for notation, measure in comparison.measures.items():
        scores = per_sample(comparison, notation)
        if not scores:
            continue
        runs = {_run_label(comparison, run): scores[comparison.runs[run]] for run in comparison.order()}
        plot = Ridges(runs, title=f"{notation} of a sample", ends=info(measure, "bounds"))
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


FEWEST = 3  # runs that an order needs before two of them can agree a little

WRITTEN_MEASURES = 16


def measures_section(comparison: Comparison) -> Section | None:
    """Show how alike measures order the runs."""
    own = comparison.competing.sum()
    if own < FEWEST or len(comparison.measures) == 1:
        return None
    merits = comparison.merits[comparison.competing].T
    taus = tau_b(merits[:, None], merits[None])
    order = alike_together(taus)
    names = [list(comparison.measures)[at] for at in order]
    taus = taus[np.ix_(order, order)]
    said = one_value("Kendall's τ-b", names, taus)
    plot = Matrix(
        taus,
        names,
        names,
        scale="direction",
        limits=(-1.0, 1.0),
        reading="<b>%{y}</b><br><b>%{x}</b><br>τ-b = %{z:.4f}",
        numbers=".2f" if len(names) <= WRITTEN_MEASURES else "",
    )
    table = Table.from_matrix("Kendall's τ-b of measures", "measure", names, names, taus)
    text = (
        f"Kendall's τ-b over {own} runs: 1 where two measures order them alike, -1 where one is the "
        "other's reverse. Measures that agree stand together."
    )
    return Section(
        "measures",
        "Agreement of measures",
        "How alike measures rank these runs. Runs that hardly differ lower that, whatever the measures.",
        [Figure("Rank correlation", [FigureView(None if said else plot, table, said)], text=text)],
    )


def one_value(what: str, names: Sequence[str], values: NDArray[np.float64]) -> str:
    """Write a sentence in place of a matrix of two names, or of one value beside the diagonal; else ""."""
    found = {f"{value:.2f}" for value in values[~np.eye(len(names), dtype=bool)].tolist()}
    if len(found) > 1:
        return ""
    every = "any two of " * (len(names) > 2)  # noqa: PLR2004 - a pair
    return verdict(f"{what} of {every}{join_with_and(names)} is {found.pop().replace('nan', 'undefined')}.")


def _digests(comparison: Comparison) -> list[str]:
    """Line of the recipe by which others see that they have the same labels; none of merged totals."""
    found = ", ".join(f"{name} {digest}" for name, digest in comparison.digests.items())
    return [f"SHA-256 of samples, concepts and labels: {found}."] * bool(found)


SECTIONS = ("leaderboard", "parts", "samples", "concepts", "confusion", "worst", "measures")
"""Sections of a page in their order; the recipe ends every page."""

PUBLIC = ("leaderboard", "parts", "measures")
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
        "measures": partial(measures_section, comparison),
    }
    made, head = [makers[key]() for key in sections], of_comparison(comparison)
    if systems:
        view = FigureView(table=scores_of_systems(comparison, systems))
        made.insert(0, Section("systems", "Systems", "", [Figure("Systems", [view], open_table=True)]))
        said = "Systems are compared in the first table. Below it runs, which are their seeds, are compared."
        head = f"{said} {comparison.against_baselines}"
    # Baselines are no winners: they have no rank.
    winners = [comparison.runs[run] for run in comparison.order() if comparison.ranks[run, 0] == 1]
    by = next(iter(comparison.measures))
    facts = [
        *[("first place", ", ".join(winners[:MOST_SHOWN]))]
        * (bool(winners) and not (systems or question(comparison))),
        ("ranked by", f"{by}, {comparison.ranking}"),
        ("runs", f"{comparison.competing.sum():,}"),
        ("measures", f"{len(comparison.measures):,}"),
        ("samples", f"{comparison.first.totals.samples:,}"),
        ("labels", f"{len(comparison.first.totals.vocabulary):,}"),
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
