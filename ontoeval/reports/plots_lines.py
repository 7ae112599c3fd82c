"""Figures of lines, for pages and notebooks: curves of several things, alone or in small multiples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ontoeval.reports.plotted_names import text_of
from ontoeval.reports.plotting import MUTED, QUALITATIVE, axis_of, figure_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

DASHES = ("solid", "dash", "dot", "dashdot")
"""Where there are more lines than colours."""

WIDE, TALL, GAP = 1_100, 130, (48, 62)
"""Width that small multiples are laid out for, height of one, and what is between them, in pixels."""


class Line(NamedTuple):
    """A line."""

    name: str
    x: ArrayLike
    y: ArrayLike


class Panel(NamedTuple):
    """One of small multiples."""

    title: str
    lines: Sequence[Line]


def lines(
    shown: Sequence[Line],
    *,
    titles: tuple[str, str],
    reading: str,
    ranges: tuple[Sequence[float] | None, Sequence[float] | None] = (None, None),
    threshold: float | None = None,
    band: tuple[ArrayLike, ArrayLike] | None = None,
) -> Figure:
    """Draw lines."""
    traces = [_trace(line, number, reading) for number, line in enumerate(shown)]
    if band is not None:
        x, (low, high) = np.asarray(shown[0].x, dtype=np.float64), map(_numbers, band)
        outline = {
            "type": "scatter",
            "mode": "none",
            "x": [*x.tolist(), *x[::-1].tolist()],
            "y": [*low.tolist(), *high[::-1].tolist()],
            "fill": "toself",
            "fillcolor": "rgba(0,114,178,0.18)",
            "hoverinfo": "skip",
            "showlegend": False,
        }
        traces.insert(0, outline)
    axes = [
        axis_of(title) | ({} if ends is None else {"range": list(ends)})
        for title, ends in zip(titles, ranges, strict=True)
    ]
    layout = {
        "xaxis": axes[0],
        "yaxis": axes[1],
        "height": 400 + 8 * len(shown),
        "showlegend": len(shown) > 1,
        "legend": _LEGEND,
        "shapes": [] if threshold is None else [_across(threshold)],
    }
    return figure_of(traces, layout)


def small_multiples(shown: Sequence[Panel], *, reading: str, columns: int = 4) -> Figure:
    """Draw panels side by side, each with axes of its own."""
    names = list(dict.fromkeys(line.name for panel in shown for line in panel.lines))
    traces: list[dict[str, Any]] = []
    layout: dict[str, Any] = {"annotations": [], "showlegend": True, "legend": _LEGEND}
    named: set[str] = set()
    rows = -(-len(shown) // columns)
    high = rows * (TALL + GAP[1])
    for place, panel in enumerate(shown):
        own = "" if place == 0 else str(place + 1)
        for line in panel.lines:
            trace = _trace(line, names.index(line.name), f"{text_of(panel.title)}<br>{reading}")
            group = {"legendgroup": trace["name"], "showlegend": line.name not in named}
            traces.append(trace | group | {"xaxis": f"x{own}", "yaxis": f"y{own}"})
            named.add(line.name)
        row, column = divmod(place, columns)
        left, bottom = column / columns, 1 - (row * (TALL + GAP[1]) + TALL + GAP[1] / 2) / high
        across = [left, left + 1 / columns - GAP[0] / WIDE]
        upwards = [bottom, bottom + TALL / high]
        layout[f"xaxis{own}"] = axis_of("") | {"domain": across, "anchor": f"y{own}", "nticks": 4}
        layout[f"xaxis{own}"]["tickangle"] = 0
        layout[f"yaxis{own}"] = axis_of("") | {"domain": upwards, "anchor": f"x{own}", "nticks": 4}
        layout["annotations"].append(_heading(panel.title, own))
    layout["meta"] = {"panels": len(shown), "tall": TALL, "gap": list(GAP)}
    return figure_of(traces, layout | {"height": high + 60})


_LEGEND: Mapping[str, Any] = {
    "orientation": "h",
    "y": 1.02,
    "yanchor": "bottom",
    "x": 0,
    "traceorder": "normal",
}


def _trace(line: Line, number: int, reading: str) -> dict[str, Any]:
    colour = QUALITATIVE[number % len(QUALITATIVE)]
    y = _numbers(line.y)
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": text_of(line.name),
        "x": _numbers(line.x).tolist(),
        "y": [None if np.isnan(value) else value for value in y.tolist()],
        "line": {
            "color": colour,
            "width": 1.8,
            "dash": DASHES[number // len(QUALITATIVE) % len(DASHES)],
        },
        "marker": {"color": colour, "size": 5 if y.size <= FEW else 1},
        "hovertemplate": f"<b>{text_of(line.name)}</b><br>{reading}<extra></extra>",
    }


FEW = 20
"""Up to how many points of a line are marked."""


def _numbers(values: ArrayLike) -> NDArray[np.float64]:
    return np.asarray(values, dtype=np.float64)


def _across(place: float) -> dict[str, Any]:
    line = {"color": MUTED, "width": 1.5, "dash": "dot"}
    return {"type": "line", "xref": "paper", "y0": place, "y1": place, "x0": 0, "x1": 1, "line": line}


def _heading(title: str, own: str) -> dict[str, Any]:
    return {
        "text": f"<b>{text_of(title, 34)}</b>",
        "xref": f"x{own} domain",
        "yref": f"y{own} domain",
        "x": 0,
        "y": 1,
        "xanchor": "left",
        "yanchor": "bottom",
        "showarrow": False,
        "font": {"size": 12},
    }
