"""Figures of results, for pages and notebooks: plotly draws them.

Names are shown as text: plotly would read some of HTML in them. Positions on axes are numbers, so that no
name is taken for a date or another name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ontoeval.reports.plotted_names import text_of, unlike
from ontoeval.reports.plotting import (
    ACCENT,
    APART,
    GAPS,
    LONGEST,
    MARK,
    MUTED,
    QUALITATIVE,
    ROW,
    axis_of,
    binned,
    colours_of,
    figure_of,
    rows_of,
    ticks_of,
)

if TYPE_CHECKING:
    from plotly.graph_objects import Figure


STANDOFF = 14
"""Between the names of an axis and its title, in pixels."""


def intervals(
    runs: Sequence[str],
    scores: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    *,
    title: str,
    level: float = 0.95,
    bounds: str = "interval",
    muted: Sequence[bool] | None = None,
    chance: float | None = None,
    longest: int = LONGEST,
) -> Figure:
    """Draw scores with their intervals, the best above."""
    at, below, above = (np.asarray(values, dtype=np.float64) for values in (scores, low, high))
    grey = np.zeros(len(runs), dtype=bool) if muted is None else np.asarray(muted, dtype=bool)
    traces = []
    for chosen, colour, symbol in ((~grey, ACCENT, "circle"), (grey, MUTED, "diamond-open")):
        rows = np.flatnonzero(chosen & np.isfinite(at)).tolist()
        error = {"symmetric": False, "thickness": 1.8, "width": 5, "color": colour}
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "x": at[rows].tolist(),
                "y": rows,
                "error_x": error
                | {"array": (above - at)[rows].tolist(), "arrayminus": (at - below)[rows].tolist()},
                "marker": {"color": colour, "size": 9, "symbol": symbol},
                "customdata": [[text_of(runs[r]), float(below[r]), float(above[r])] for r in rows],
                "hovertemplate": "<b>%{customdata[0]}</b><br>%{x:.4f}"
                f"<br>{level:.0%} {bounds} %{{customdata[1]:.4f}} to %{{customdata[2]:.4f}}<extra></extra>",
            }
        )
    line = [float(chance)] if chance is not None and np.isfinite(chance) else []
    ends = np.concatenate([at, below, above, line])
    ends = ends[np.isfinite(ends)] if np.isfinite(ends).any() else np.array([0.0, 1.0])
    room = 0.04 * (float(np.ptp(ends)) or 1.0)
    axis = axis_of(title) | {"range": [float(ends.min()) - room, float(ends.max()) + room]}
    shapes = list(map(_line_at, line))
    return figure_of(traces, rows_of(runs, longest=longest) | {"xaxis": axis, "shapes": shapes})


def distributions(
    scores: Mapping[str, NDArray[np.float64]], *, title: str, bounds: tuple[float, float], bins: int = 40
) -> Figure:
    """Draw how the scores of samples are spread: one ridge per run, with its mean."""
    counted = {run: binned(values, bounds, bins) for run, values in scores.items()}
    traces: list[dict[str, Any]] = []
    for row, (run, (edges, share)) in enumerate(counted.items()):
        # Ridges stand on their lines, each to its own height; the axis runs downwards.
        steps = row - 0.82 * np.repeat(share, 2) / (share.max(initial=0) or 1.0)
        traces += [
            {
                "type": "scatter",
                "mode": "lines",
                "x": [*np.repeat(edges, 2)[1:-1].tolist(), float(edges[-1]), float(edges[0])],
                "y": [*np.round(steps, 3).tolist(), row, row],
                "fill": "toself",
                "fillcolor": "rgba(0,114,178,0.28)",
                "line": {"color": ACCENT, "width": 1.2},
                "hoverinfo": "skip",
            },
            {
                "type": "scatter",
                "mode": "markers",
                "x": ((edges[1:] + edges[:-1]) / 2).tolist(),
                "y": [row - 0.2] * share.size,
                "marker": {"opacity": 0, "size": 14, "symbol": "square"},
                "customdata": share.tolist(),
                "hovertemplate": f"<b>{text_of(run)}</b><br>%{{customdata:.1%}} of samples "
                "near %{x:.3g}<extra></extra>",
            },
        ]
    means = [float(np.nanmean(values)) if np.isfinite(values).any() else None for values in scores.values()]
    traces.append(
        {
            "type": "scatter",
            "mode": "markers",
            "x": means,
            "y": list(range(len(means))),
            "marker": {"color": MARK, "size": 9, "symbol": "diamond"},
            "customdata": [text_of(run) for run in scores],
            "hovertemplate": "<b>%{customdata}</b><br>mean %{x:.4f}<extra></extra>",
        }
    )
    return figure_of(traces, rows_of(list(scores), height=44, top=0.95) | {"xaxis": axis_of(title)})


def square(
    values: NDArray[np.float64],
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    scale: str,
    limits: tuple[float, float],
    reading: str,
    titles: tuple[str, str] = ("", ""),
    numbers: str = "",
    told: str = "z",
    by_root: bool = False,
    more: NDArray[np.float64] | None = None,
) -> Figure:
    """Draw a matrix, its first row above."""
    vertical, across = unlike(rows), unlike(columns)
    trace = {
        "type": "heatmap",
        "z": values.T.tolist(),  # column by column, as tables are: a page holds what both show once
        "transpose": True,
        "x": across,
        "y": vertical,
        "coloraxis": "coloraxis",
        "hoverongaps": False,
        "xgap": int(len(columns) <= GAPS),
        "ygap": int(len(rows) <= GAPS),
        "hovertemplate": f"{reading}<extra></extra>",
        **({"texttemplate": f"%{{{told}:{numbers}}}"} if numbers else {}),
        **({} if more is None else {"customdata": more.tolist()}),
    }
    side = {
        "type": "category",
        "showgrid": False,
        "showline": False,
        "tickmode": "array",
        "automargin": True,
        **APART,
    }
    height = max(260, min(1_300, (ROW if len(rows) <= GAPS else 12) * len(rows) + 150))
    layout = colours_of(scale, limits, by_root=by_root)
    layout["meta"]["widest"] = height + 260
    # By a distance of their own titles keep clear of the longest name.
    down, right = ({"text": text_of(title), "standoff": STANDOFF} for title in titles)
    layout["xaxis"] = side | ticks_of(columns, across) | {"title": right, "range": [-0.5, len(columns) - 0.5]}
    layout["xaxis"]["tickangle"] = -40 if len(columns) <= GAPS else -90
    layout["yaxis"] = side | ticks_of(rows, vertical) | {"title": down, "range": [len(rows) - 0.5, -0.5]}
    return figure_of([trace], layout | {"height": height})


def bars(
    names: Sequence[str],
    values: Sequence[float],
    kinds: Sequence[str],
    *,
    title: str,
    reading: Sequence[str],
    colours: Mapping[str, str] | None = None,
) -> Figure:
    """Draw bars, the first above, in one colour per kind."""
    present = set(kinds)
    if colours is None:
        colours = dict(zip(sorted(present), cycle(QUALITATIVE), strict=False))
    colours = {kind: colour for kind, colour in colours.items() if kind in present}
    traces = [
        {
            "type": "bar",
            "orientation": "h",
            "name": text_of(kind),
            "x": [value for value, own in zip(values, kinds, strict=True) if own == kind],
            "y": [row for row, own in enumerate(kinds) if own == kind],
            "customdata": [text_of(said) for said, own in zip(reading, kinds, strict=True) if own == kind],
            "marker": {"color": colour},
            "width": 0.64,
            "hovertemplate": "%{customdata}<extra></extra>",
        }
        for kind, colour in colours.items()
    ]
    legend = {"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0, "traceorder": "normal"}
    few = all(isinstance(value, int) for value in values) and max(values, default=0) <= 6  # noqa: PLR2004
    layout = rows_of(names, longest=48) | {
        "xaxis": axis_of(title) | ({"dtick": 1} if few else {}),  # counts have no halves
        "showlegend": len(colours) > 1,
        "legend": legend,
    }
    return figure_of(traces, layout | {"barmode": "overlay", "bargap": 0.35})


def _line_at(place: float) -> dict[str, Any]:
    line = {"color": MUTED, "width": 1.5, "dash": "dot"}
    return {"type": "line", "yref": "paper", "x0": place, "x1": place, "y0": 0, "y1": 1, "line": line}
