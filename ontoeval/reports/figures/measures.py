"""Measures: how alike they rank runs, how well and how steadily they tell runs apart, who wins by them."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import numpy as np

from ontoeval.comparison.rank_correlation import DISTANCES
from ontoeval.comparison.reliability import RankAgreement
from ontoeval.comparison.study import Study
from ontoeval.reports.figures.marks import COLOURS, OPEN, bar, cells, legend, line_of, scale
from ontoeval.reports.figures.paper import GREY, MOST, ONE, PALE, TWO, axes, height_of, name_rows, subscripts
from ontoeval.reports.rankings import TITLES

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WRITTEN = 20
"""Up to how many columns numbers are written into cells."""

TREE = 0.35
"""Width of the tree, as a part of that of the matrix."""

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
    norm = import_module("matplotlib.colors").Normalize(*ranking.limits)
    shades, alike = scale("amount"), 1
    if ranking.method in DISTANCES:
        shades, alike = shades.reversed(), 0
    side = min(max(0.3 * len(names), 1.0), TWO - 3.4)
    with axes(ax, side * (1 + TREE) + 2.0, side + 1.9) as on:
        image = cells(
            on, values, names, names, colours=shades, norm=norm, size=side / len(names),
            numbers=".2f" if len(names) <= WRITTEN else "",
        )  # fmt: skip
        on.set_xlim(-0.5, len(names) * (1 + TREE) - 0.5)
        if len(names) > 1:
            _tree(on, ranking)
        title = subscripts(TITLES.get(ranking.method, ranking.method))
        bar(
            on, image, f"{title}: {alike} where both rank alike", location="top", aspect=35, pad=0.03,
            shrink=1 / (1 + TREE), anchor=(0, 0.5), math=True,
        )  # fmt: skip
    return on


def _tree(ax: Axes, ranking: RankAgreement) -> None:
    """Draw the clusters at the right of their measures."""
    found = import_module("scipy.cluster.hierarchy").dendrogram(ranking.tree, no_plot=True)
    number = len(ranking.measures)
    far = float(ranking.tree[:, 2].max()) or 1.0
    start, unit = number * 1.02 - 0.5, number * (TREE - 0.04) / far
    for across, along in zip(found["dcoord"], found["icoord"], strict=True):
        ax.plot(start + unit * np.asarray(across), (np.asarray(along) - 5) / 10, color=GREY, linewidth=0.8)
    for distance, side in ((0.0, "left"), (far, "right")):
        ax.text(start + unit * distance, number - 0.4, f"{distance:.2g}", ha=side, va="top", fontsize=5.5)
    ax.text(start + unit * far / 2, number - 0.4, "distance", ha="center", va="top", fontsize=5.5, color=GREY)


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
    order = found.order.tolist()
    with axes(ax, TWO * 0.72, max(2.3, 0.16 * len(order) + 0.6)) as on:
        lines, names = [], []
        for number, at in enumerate(order):
            curve = found.curves[at][np.isfinite(found.curves[at])]
            lines += on.plot(np.arange(1, curve.size + 1), curve, **line_of(number))
            share = "–" if np.isnan(found.share[at]) else f"{found.share[at]:.0%}"
            names.append(f"{share}  {found.measures[at]}")
        on.axhline(found.alpha, color=GREY, linewidth=0.6, zorder=0)
        on.set_ylim(0, min(1.0, 3 * found.alpha))
        on.set_xlim(0.5, found.width)
        on.locator_params(axis="x", integer=True)
        on.set_xlabel(f"pairs of runs, of {found.pairs:,}, the largest p-value first")
        on.set_ylabel(f"p-value; the line is α = {found.alpha:g}")
        legend(on, lines, names, loc="upper left", bbox_to_anchor=(1.01, 1.02))
    return on


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
    order = found.order
    with axes(ax, ONE, height_of(order.size) + 0.8) as on:
        rows = np.arange(order.size)
        on.hlines(rows, found.low[order], found.high[order], color=COLOURS[0], linewidth=1.1)
        (whole,) = on.plot(found.tau[order], rows, "o", color=COLOURS[0], markersize=3.4)
        (halves,) = on.plot(found.halves[order], rows, "D", color=COLOURS[1], **OPEN)
        name_rows(on, [found.measures[at] for at in order.tolist()])
        on.grid(axis="x", color=PALE, linewidth=0.4)
        on.set_xlabel(subscripts("τ_b of the rankings"))
        legend(on, [whole, halves], ["resamples", "halves"], loc="lower left", ncols=2, bbox_to_anchor=(0, 1))
    return on


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
    with axes(ax, TWO * 0.72, max(2.3, 0.16 * len(order) + 0.6)) as on:
        lines, names = [], []
        for number, at in enumerate(order):
            middle = (found.differences[at][1:] + found.differences[at][:-1]) / 2
            lines += on.plot(
                middle, found.swaps_by_difference[at], marker=".", markersize=4, **line_of(number)
            )
            share = "–" if np.isnan(found.swaps[at]) else f"{found.swaps[at]:.1%}"
            names.append(f"{share}  {found.measures[at]}")
        on.set_ylim(0, None)
        swapped = found.differences[:, 1:][found.swaps_by_difference > 0]
        on.set_xlim(0, 1.5 * swapped.max() if swapped.size else None)
        on.set_xlabel("difference of two runs in one half of the samples")
        on.set_ylabel("share of swaps in the other")
        legend(on, lines, names, loc="upper left", bbox_to_anchor=(1.01, 1.02))
    return on


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
        Share of the bootstrap resamples that a run wins, runs × measures, the most frequent winner above;
        runs that win next to none are left out.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    found = study.winners
    known = np.nan_to_num(found.share)
    order = found.order
    winning = known[order].max(axis=1) >= FEWEST_WINS
    winning[0] = True  # also where no measure is defined
    order = order[winning][:MOST]
    shown, measures = found.share[order], found.measures
    width = min(TWO, 2.0 + 0.36 * len(measures))
    with axes(ax, width, height_of(len(order), 0.19) + 1.4) as on:
        norm = import_module("matplotlib.colors").Normalize(0, 1)
        runs = [found.runs[at] for at in order.tolist()]
        written = len(measures) <= WRITTEN
        image = cells(
            on, shown, runs, measures, colours=scale("amount"), norm=norm, numbers=".0%" if written else "",
            size=min((width - 2.0) / len(measures), height_of(len(order), 0.19) / max(len(order), 1)),
        )  # fmt: skip
        others = len(found.runs) - len(order)
        if others:
            some = f"{others} other run{'s' * (others > 1)}"
            on.set_xlabel(f"{some}: below {FEWEST_WINS:.1%} by every measure")
        if not written:
            bar(on, image, "share of resamples won")
    return on
