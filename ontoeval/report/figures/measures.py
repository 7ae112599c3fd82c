"""Measures: how alike they rank runs, how well and how steadily they tell runs apart, who wins by them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from ontoeval.errors import InputError, one_of
from ontoeval.rank_correlation import DISTANCES
from ontoeval.report.figures.drawing import (
    COLOURS,
    GREY,
    MOST,
    ONE,
    PALE,
    PLAIN,
    TWO,
    axes,
    bar,
    cells,
    height_of,
    legend,
    line_of,
    name_rows,
    wrapped,
)
from ontoeval.studies import Curve, RankAgreement, Study

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WRITTEN = 20
"""Up to how many columns numbers are written into cells."""

FEWEST_WINS = 0.005
"""Share of the resamples that a run wins by some measure, to be shown."""


def agreement(ranking: RankAgreement, *, ax: Axes | None = None) -> Axes:
    """Draw how alike measures rank the runs, those that rank alike together, with their tree.

    Parameters
    ----------
    ranking
        One of the agreements of a study: ``study.agreements["tau_b"]``.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        The matrix; the tree, at its right, joins measures at the mean distance of their clusters.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    order = list(ranking.order)
    names = [ranking.measures[at] for at in order]
    values = ranking.values[np.ix_(order, order)]
    distance = ranking.method in DISTANCES
    low = min(0.0, float(np.floor(np.nanmin(values, initial=0.0) * 10) / 10))
    side = min(max(0.28 * len(names), 1.2), TWO - 3.0)
    with axes(ax, side + 3.0, side + 1.5) as ax:
        norm = import_module("matplotlib.colors").Normalize(low, max(1.0, float(np.nanmax(values, initial=1.0))))
        written = ".2f" if len(names) <= WRITTEN else ""
        image = cells(ax, values, names, names, colours="amount", norm=norm, numbers=written)
        if len(names) > 1:
            _tree(ax, ranking)
        title = f"{ranking.method}: {'0' if distance else '1'} where both rank alike"
        bar(ax, image, title, location="top", aspect=40, fraction=0.03)
    return ax


def _tree(ax: Axes, ranking: RankAgreement) -> None:
    """Draw the clusters at the right of their measures."""
    found = import_module("scipy.cluster.hierarchy").dendrogram(ranking.tree, no_plot=True)
    beside = ax.inset_axes((1.02, 0.0, 0.28, 1.0))
    for across, along in zip(found["dcoord"], found["icoord"], strict=True):
        beside.plot(across, (np.asarray(along) - 5) / 10, color=GREY, linewidth=0.8)
    beside.set_ylim(ax.get_ylim())
    beside.set_xlim(0, None)
    beside.set_yticks([])
    beside.spines["left"].set_visible(False)
    beside.locator_params(axis="x", nbins=2)
    beside.set_xlabel("distance")


def power(study: Study, *, ax: Axes | None = None) -> Axes:
    """Draw achieved significance levels: the p-values of all pairs of runs, the largest first.

    The sooner a curve falls below the line, the more pairs its measure tells apart. It says how consistent a
    measure is, not whether it is valid.

    Parameters
    ----------
    study
        Of the measures.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        One curve per measure, and in the legend the share of pairs below the line.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.

    References
    ----------
    [sakai2006]_
    """
    found = study.power
    order = np.argsort(-np.nan_to_num(found.share, nan=-1.0), kind="stable").tolist()
    with axes(ax, TWO * 0.72, max(2.3, 0.16 * len(order) + 0.6)) as ax:
        lines, names = [], []
        for number, at in enumerate(order):
            curve = found.curves[at][np.isfinite(found.curves[at])]
            lines += ax.plot(np.arange(1, curve.size + 1), curve, **line_of(number))
            share = "–" if np.isnan(found.share[at]) else f"{found.share[at]:.0%}"
            names.append(f"{share}  {found.measures[at]}")
        ax.axhline(found.alpha, color=GREY, linewidth=0.6, zorder=0)
        ax.set_ylim(0, min(1.0, 3 * found.alpha))
        ax.set_xlim(0.5, max(found.pairs, 1) + 0.5)
        ax.locator_params(axis="x", integer=True)
        ax.set_xlabel("pairs of runs, the largest p-value first")
        ax.set_ylabel(f"p-value; the line is α = {found.alpha:g}")
        legend(ax, lines, names, loc="upper left", bbox_to_anchor=(1.01, 1.02))
    return ax


def stability(study: Study, *, ax: Axes | None = None) -> Axes:
    """Draw how alike other samples rank the runs, the steadiest measure above.

    Parameters
    ----------
    study
        Of the measures.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        Dots are the mean τ_b with the ranking of bootstrap resamples, with the middle of them; open diamonds
        the mean τ_b between random halves.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    found = study.stability
    order = np.argsort(-np.nan_to_num(found.tau, nan=-2.0), kind="stable")
    with axes(ax, ONE, height_of(order.size) + 0.8) as ax:
        rows = np.arange(order.size)
        ax.hlines(rows, found.low[order], found.high[order], color=COLOURS[0], linewidth=1.1)
        (whole,) = ax.plot(found.tau[order], rows, "o", color=COLOURS[0], markersize=3.4)
        (halves,) = ax.plot(
            found.halves[order], rows, "D", color=COLOURS[1], markerfacecolor="white", markersize=3.2
        )
        name_rows(ax, [found.measures[at] for at in order.tolist()])
        ax.grid(axis="x", color=PALE, linewidth=0.4)
        ax.set_xlabel("τ_b of the rankings", **PLAIN)
        legend(ax, [whole, halves], ["resamples", "halves"], loc="lower left", ncols=2, bbox_to_anchor=(0, 1))
    return ax


def swaps(study: Study, *, ax: Axes | None = None) -> Axes:
    """Draw how often two halves of the samples put a pair of runs in different orders.

    Parameters
    ----------
    study
        Of the measures.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        One curve per measure: the share of swaps by the difference of the runs in the first half, as a part
        of the largest.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.

    References
    ----------
    [voorhees2002]_
    """
    found = study.stability
    order = np.argsort(np.nan_to_num(found.swaps, nan=2.0), kind="stable").tolist()
    with axes(ax, TWO * 0.72, max(2.3, 0.16 * len(order) + 0.6)) as ax:
        lines, names = [], []
        for number, at in enumerate(order):
            middle = (found.differences[at][1:] + found.differences[at][:-1]) / 2
            lines += ax.plot(
                middle, found.swaps_by_difference[at], marker=".", markersize=4, **line_of(number)
            )
            share = "–" if np.isnan(found.swaps[at]) else f"{found.swaps[at]:.1%}"
            names.append(f"{share}  {found.measures[at]}")
        ax.set_ylim(0, None)
        ax.set_xlim(0, None)
        ax.set_xlabel("difference of two runs in one half of the samples")
        ax.set_ylabel("share of swaps in the other")
        legend(ax, lines, names, loc="upper left", bbox_to_anchor=(1.01, 1.02))
    return ax


def winners(study: Study, *, ax: Axes | None = None) -> Axes:
    """Draw how surely each run wins by each measure.

    Parameters
    ----------
    study
        Of the measures.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        Share of the bootstrap resamples that a run wins, runs × measures, the most frequent winner above; runs
        that win next to none are left out.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    found = study.winners
    order = np.argsort(-found.share.mean(axis=1), kind="stable")
    order = order[found.share[order].max(axis=1) >= FEWEST_WINS][:MOST]
    shown, measures = found.share[order], found.measures
    with axes(ax, min(TWO, 2.2 + 0.3 * len(measures)), height_of(len(order), 0.19) + 1.6) as ax:
        norm = import_module("matplotlib.colors").Normalize(0, 1)
        runs = [found.runs[at] for at in order.tolist()]
        written = ".0%" if len(measures) <= WRITTEN else ""
        image = cells(ax, shown, runs, measures, colours="amount", norm=norm, numbers=written)
        others = len(found.runs) - len(order)
        if others:
            ax.set_xlabel(f"{others} more run{'s' * (others > 1)} never or hardly ever first")
        bar(ax, image, "share of resamples won", location="top", aspect=40, fraction=0.03)
    return ax


def sensitivity(study: Study, changed: str, kind: str, *, ax: Axes | None = None) -> Axes:
    """Draw what a change does to all measures, the more of it the farther to the right.

    Parameters
    ----------
    study
        Of the measures.
    changed
        "prediction": scores of a truth that was changed; "truth" or "ontology": τ_b with the ranking of the
        runs by what is unchanged.
    kind
        How it was changed.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        One curve per measure.

    Raises
    ------
    InputError
        If no changes were tried.
    ParameterError
        If this one was not.
    MissingExtraError
        If matplotlib is not installed.
    """
    if study.sensitivity is None:
        raise InputError("no changes were tried", "Make the study with changes=True.")
    curves = {(curve.changed, curve.kind): curve for curve in study.sensitivity.curves}
    one_of("changed", changed, tuple(dict.fromkeys(one for one, _ in curves)))
    one_of("kind", kind, tuple(other for one, other in curves if one == changed))
    with axes(ax, TWO * 0.72, max(2.3, 0.16 * len(study.sensitivity.measures) + 0.6)) as new:
        lines = draw_curve(new, curves[changed, kind])
        if ax is None:
            legend(new, lines, study.sensitivity.measures, loc="upper left", bbox_to_anchor=(1.01, 1.02))
    return new


def draw_curve(ax: Axes, curve: Curve) -> list[object]:
    """Draw one change without naming the measures.

    Parameters
    ----------
    ax
        Axes.
    curve
        The change.

    Returns
    -------
    list of Line2D
        One line per measure.
    """
    predicted = curve.changed == "prediction"
    values = curve.scores if predicted else curve.tau
    lines: list[object] = []
    for number in range(values.shape[1]):
        lines += ax.plot(curve.amounts, values[:, number], marker=".", markersize=3.5, **line_of(number))
    ax.set_xticks(curve.amounts, labels=[f"{amount:g}" for amount in curve.amounts])
    ax.set_title(wrapped(curve.kind, 26), **PLAIN)
    ax.set_ylabel("score" if predicted else "τ_b", **PLAIN)
    return lines
