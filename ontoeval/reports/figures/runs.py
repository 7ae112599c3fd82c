"""Runs: their scores with intervals, and how the scores of their samples are spread."""

from __future__ import annotations

import re
from string import ascii_lowercase
from typing import TYPE_CHECKING

import numpy as np

from ontoeval.comparison.result import Comparison
from ontoeval.errors import MeasureError
from ontoeval.measures.base import info
from ontoeval.reports.figures.marks import COLOURS, OPEN
from ontoeval.reports.figures.paper import (
    GREY,
    MOST,
    ONE,
    PALE,
    PLAIN,
    axes,
    height_of,
    name_rows,
    size_of,
    wrapped,
)
from ontoeval.reports.plotting import binned
from ontoeval.reports.results import best_end
from ontoeval.reports.selection import per_sample

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDTH = 26
"""Characters of a line below an axis."""


def scores(
    comparison: Comparison, measure: str | None = None, *, by: str | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the scores of runs with their intervals, the best run above.

    Runs that share a letter, at the right, are not distinguishable; baselines are open diamonds.

    Parameters
    ----------
    comparison
        Of the runs.
    measure
        Which scores; by default those of the first measure.
    by
        The measure by which runs are ordered; by default the same.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        Points and whiskers, one row per run.

    Raises
    ------
    MeasureError
        If the measure was not compared.
    MissingExtraError
        If matplotlib is not installed.
    """
    column = comparison.column(_first(comparison, measure))
    notation = list(comparison.measures)[column]
    order = comparison.order(notation if by is None else by)[:MOST]
    names = [comparison.runs[run] for run in order]
    values, low, high = (part[order, column] for part in (comparison.scores, comparison.low, comparison.high))
    letters = comparison.groups(notation)
    with axes(ax, ONE, height_of(len(names)) + 0.5) as on:
        grey = np.array([name in comparison.baselines for name in names])
        for chosen, colour, look, face in (
            (~grey, COLOURS[0], "o", {"markersize": 2.2}),
            (grey, GREY, "D", OPEN),
        ):
            rows = np.flatnonzero(chosen)
            on.plot(values[rows], rows, look, color=colour, zorder=3, **face)
            on.hlines(rows, low[rows], high[rows], color=colour, linewidth=0.8)
            for ends in (low[rows], high[rows]):
                on.plot(ends, rows, "|", color=colour, markersize=5, markeredgewidth=0.6)
        if comparison.chance is not None and np.isfinite(comparison.chance[column]):
            on.axvline(comparison.chance[column], color=GREY, linewidth=0.7, linestyle=":")
        for row, run in enumerate(order):
            on.text(
                1.02, row, compact(letters[run]), transform=on.get_yaxis_transform(), va="center",
                fontsize=size_of(len(names)), **PLAIN,
            )  # fmt: skip
        name_rows(on, names)
        on.grid(axis="x", color=PALE, linewidth=0.4)
        on.locator_params(axis="x", nbins=4)
        low_is_best = best_end(comparison.measures[notation]) == "lowest"
        on.set_xlabel(wrapped(notation + " ↓" * low_is_best, WIDTH), **PLAIN)
        _say_how_many(on, comparison)
    return on


def distribution(
    comparison: Comparison, measure: str | None = None, *, by: str | None = None, ax: Axes | None = None
) -> Axes:
    """Draw how the scores of samples are spread: one ridge per run, with its mean.

    Parameters
    ----------
    comparison
        Of the runs.
    measure
        Which scores; by default those of the first measure.
    by
        The measure by which runs are ordered; by default the same.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        Shares of samples in 40 intervals, each ridge to its own height.

    Raises
    ------
    MeasureError
        If the measure was not compared, or scores no single samples.
    MissingExtraError
        If matplotlib is not installed.
    """
    column = comparison.column(_first(comparison, measure))
    notation = list(comparison.measures)[column]
    found = per_sample(comparison, notation)
    if not found:
        raise MeasureError(
            f"{notation} scores no single samples. Take a measure that is a mean over samples."
        )
    order = comparison.order(notation if by is None else by)[:MOST]
    names = [comparison.runs[run] for run in order]
    bounds = info(comparison.measures[notation], "bounds")
    with axes(ax, ONE, height_of(len(names), 0.26) + 0.5) as on:
        for row, name in enumerate(names):
            values = found[name]
            edges, shares = binned(values, bounds)
            grey = name in comparison.baselines
            on.stairs(
                row - 0.85 * shares / (shares.max() or 1.0), edges, baseline=row, fill=True,
                facecolor=PALE if grey else "#8fbbd9", edgecolor=GREY if grey else COLOURS[0], linewidth=0.5,
            )  # fmt: skip
            known = values[np.isfinite(values)]
            on.plot(
                known.mean() if known.size else np.nan, row, "d", color=COLOURS[1], markersize=3,
                markeredgecolor="white", markeredgewidth=0.4, clip_on=False,
            )  # fmt: skip
        name_rows(on, names)
        on.set_ylim(len(names) - 0.7, -1.0)
        on.locator_params(axis="x", nbins=4)
        on.set_xlabel(wrapped(f"{notation} of a sample", WIDTH), **PLAIN)
        _say_how_many(on, comparison)
    return on


def compact(letters: str) -> str:
    """Write letters of groups briefly."""
    parts: list[list[str]] = []
    before = -1
    for one in re.findall(r"[a-z]\d*", letters):
        place = len(ascii_lowercase) * int(one[1:] or 0) + ascii_lowercase.index(one[0])
        if place != before + 1 or not parts:
            parts.append([])
        parts[-1].append(one)
        before = place
    return " ".join("".join(part) if len(part) < 3 else f"{part[0]}–{part[-1]}" for part in parts)  # noqa: PLR2004


def _first(comparison: Comparison, measure: str | None) -> str:
    return next(iter(comparison.measures)) if measure is None else measure


def _say_how_many(ax: Axes, comparison: Comparison) -> None:
    if len(comparison.runs) > MOST:
        what = "runs and baselines" if comparison.baselines else "runs"
        ax.set_ylabel(f"the best {MOST} of {len(comparison.runs)} {what}")
