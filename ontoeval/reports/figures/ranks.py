"""Ranks over several data sets: the diagram of critical differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ontoeval.comparison.data_sets import FriedmanTest
from ontoeval.reports.figures.paper import GREY, PLAIN, TWO, axes, label

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINE = 0.17
"""Height of a name, in inches."""

TICKS = 12
"""Most ranks that are written on the line."""


def critical_difference(test: FriedmanTest, *, ax: Axes | None = None) -> Axes:
    """Draw mean ranks over several data sets, bars joining runs that do not differ significantly.

    Parameters
    ----------
    test
        Friedman's test of the runs.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        Mean ranks on a line, the best at the right; above it the critical difference.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.

    References
    ----------
    [demsar2006]_
    """
    order = test.order
    ranks = test.mean_ranks[list(order)].tolist()
    place = {run: at for at, run in enumerate(test.runs[run] for run in order)}
    bars = [(ranks[place[group[0]]], ranks[place[group[-1]]]) for group in test.groups]
    floors = _floors(bars)
    below = 0.5 * (max(floors, default=-1) + 1) + 0.6  # where the names begin, in lines below the axis
    half = (len(order) + 1) // 2
    low, high = 1.0, float(len(order))
    edge = 0.03 * (high - low)
    with axes(ax, TWO, LINE * (below + half + 2.8)) as on:
        on.set_ylim(below + half - 0.4, -2.6)
        on.set_xlim(high, low)
        on.set_axis_off()
        on.plot([low, high], [0, 0], color="black", linewidth=0.8, clip_on=False)
        for tick in range(1, len(order) + 1, -(-len(order) // TICKS)):
            on.plot([tick, tick], [-0.25, 0], color="black", linewidth=0.8, clip_on=False)
            on.text(tick, -0.4, str(tick), ha="center", va="bottom")
        ends = [high, high - test.critical_difference]
        on.plot(ends, [-1.7, -1.7], color="black", linewidth=0.8, marker="|", markersize=5, clip_on=False)
        on.text(
            sum(ends) / 2,
            -1.9,
            f"critical difference {test.critical_difference:.2f}",
            ha="center",
            va="bottom",
        )
        for at, (run, rank) in enumerate(zip(order, ranks, strict=True)):
            best = at < half
            line = below + (at if best else len(order) - 1 - at)
            end = low - edge if best else high + edge
            on.plot([rank, rank, end], [0, line, line], color=GREY, linewidth=0.6, clip_on=False)
            name, mean = label(test.runs[run]), f"{rank:.2f}"
            beside = end + (-edge if best else edge) / 3
            text = f"{name}  {mean}" if best else f"{mean}  {name}"
            on.text(beside, line, text, ha="left" if best else "right", va="center", **PLAIN)
        for (first, last), floor in zip(bars, floors, strict=True):
            line = 0.5 * floor + 0.5
            on.plot([first - edge / 3, last + edge / 3], [line, line], color="black", linewidth=2.2,
                    solid_capstyle="butt", clip_on=False)  # fmt: skip
    return on


def _floors(bars: Sequence[tuple[float, float]]) -> list[int]:
    """Stack bars so that none lies upon another: each as near to the axis as there is room."""
    ends: list[float] = []
    floors = []
    for first, last in bars:
        floor = next((at for at, end in enumerate(ends) if end < first), len(ends))
        ends[floor : floor + 1] = [last]
        floors.append(floor)
    return floors
