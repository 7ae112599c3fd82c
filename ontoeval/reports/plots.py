"""What the figures share: colours and layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import cycle
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ontoeval.core.extras import requires
from ontoeval.reports.names import SEPARATORS, short_of, text_of, unlike

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

ACCENT, MUTED, MARK, PALE = "#0072B2", "#8a8f98", "#D55E00", "#dfe3e8"
"""Blue and vermilion of Okabe and Ito (2008), which everyone can tell apart, and two greys."""

QUALITATIVE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#171b22", "#8a8f98")
"""Okabe and Ito's palette. In place of their yellow, which paper swallows, there is the colour of ink, and a
grey in place of black; a page in dark colours has the yellow."""

SCALES = {
    # How much there is: from the colour of paper to that of ink.
    "amount": ["#f7f8fa", "#c9dcec", "#8fbbd9", "#4a90c0", "#1f639b", "#0b3c6b", "#062244"],
    # How good it is: cividis, the same to all eyes.
    "quality": ["#00224e", "#123570", "#3b496c", "#575d6d", "#707173",
                "#8a8678", "#a59c74", "#c3b369", "#e1cc55", "#fee838"],
    # Which of two directions: orange, paper, blue.
    "direction": ["#8c4a00", "#c97f1e", "#ecc384", "#f7f8fa", "#9cc3e2", "#3583bb", "#0b4a80"],
}  # fmt: skip
"""Colour scales for eyes of all kinds. A page in dark colours has its own of the same names."""

LONGEST = 30
"""Characters of a name beside an axis; where the mouse is, the whole name is shown."""

ROW = 26
"""Height of a row in pixels."""

GAPS, MOST_NAMES = 40, 90
"""Up to how many rows cells are set apart, and how many names an axis bears."""

APART: Mapping[str, Any] = {"ticks": "outside", "ticklen": 6, "tickcolor": "rgba(0,0,0,0)"}
"""Sets names apart from what they name."""

BAR: Mapping[str, Any] = {
    "thickness": 10, "outlinewidth": 0, "lenmode": "pixels", "len": 220, "y": 1, "yanchor": "top", "ypad": 0,
}  # fmt: skip

LAYOUT: Mapping[str, Any] = {
    "font": {"family": "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif", "size": 13},
    "hoverlabel": {"align": "left", "namelength": -1},
    "margin": {"l": 8, "r": 16, "t": 8, "b": 8},
    "paper_bgcolor": "rgba(0,0,0,0)",
    "plot_bgcolor": "rgba(0,0,0,0)",
    "showlegend": False,
}  # fmt: skip


def binned(
    values: NDArray[np.float64], bounds: tuple[float, float], bins: int = 40
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Count scores in intervals of equal width."""
    known = values[np.isfinite(values)]
    found = (known.min(), known.max()) if known.size else (0.0, 1.0)
    low, high = (float(end if np.isfinite(end) else own) for end, own in zip(bounds, found, strict=True))
    counts, edges = np.histogram(known, bins=bins, range=(low, max(high, low + 1e-9)))
    return edges, counts / max(known.size, 1)


def ticks_of(names: Sequence[str], categories: Sequence[str]) -> dict[str, Any]:
    """Name what there is room for on an axis: every name, or every second, and so on."""
    step = max(1, -(-len(names) // MOST_NAMES))
    return {
        "tickvals": list(categories[::step]),
        "ticktext": [text_of(name, LONGEST - 6) for name in names[::step]],
        "tickfont": {"size": 12 if len(names) <= GAPS else 10},
    }


def rows_of(
    names: Sequence[str], height: int = ROW, top: float = 0.6, longest: int = LONGEST
) -> dict[str, Any]:
    """Lay out one row per name, the first above."""
    axis = {
        "tickvals": list(range(len(names))),
        "ticktext": [short_of(name, longest) for name in names],
        "range": [len(names) - 0.4, -top],
        "automargin": True,
        "showgrid": False,
        "showline": False,
        "zeroline": False,
        **APART,
    }
    return {"height": 70 + height * max(len(names), 3), "yaxis": axis}


def axis_of(title: str) -> dict[str, Any]:
    """Lay out an axis of numbers."""
    return {"title": {"text": text_of(title)}, "zeroline": False, "automargin": True}


def colours_of(scale: str, limits: tuple[float, float], *, by_root: bool = False) -> dict[str, Any]:
    """Lay out a scale of colours."""
    colours = SCALES[scale]
    stops = [(step / (len(colours) - 1)) ** (2 if by_root else 1) for step in range(len(colours))]
    axis = {
        "cmin": limits[0],
        "cmax": limits[1],
        "colorscale": [list(pair) for pair in zip(stops, colours, strict=True)],
        "colorbar": BAR,
    }
    return {"coloraxis": axis, "meta": {"scale": scale}}


def figure_of(data: list[dict[str, Any]], layout: Mapping[str, Any]) -> Figure:
    """Make a figure."""
    requires("plotly", "report", "A figure")
    figure: Figure = import_module("plotly.graph_objects").Figure(data, {**LAYOUT, **layout})
    return figure


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


LEVELS, LEAF_ROW, SMALLEST = 6, 20, 10
"""Levels that are drawn at a time, height of a leaf, and size of the smallest names, in pixels: names that
have no room in it are left out."""


def icicle(
    concepts: Sequence[str],
    parents: Sequence[int],
    values: ArrayLike,
    *,
    title: str,
    scale: str,
    limits: tuple[float, float],
    numbers: str = ".3f",
) -> Figure:
    """Draw a tree of concepts, each as wide as the leaves below it, coloured by a value."""
    above = np.asarray(parents, dtype=np.intp)
    shown = np.asarray(values, dtype=np.float64)
    if np.count_nonzero(above < 0) > 1:  # plotly would add a root that says nothing of itself
        concepts = ["(all)", *concepts]
        above, shown = np.concatenate([[-1], above + 1]), np.concatenate([[np.nan], shown])
    inner = np.zeros(len(concepts), dtype=bool)
    inner[above[above >= 0]] = True
    colours = [PALE if np.isnan(value) else value for value in shown.tolist()]
    trace = {
        "type": "icicle",
        "ids": [str(position) for position in range(len(concepts))],
        "labels": [text_of(name, 40) for name in _within(concepts, above.tolist())],
        "parents": ["" if one < 0 else str(one) for one in above.tolist()],
        "values": (~inner).astype(int).tolist(),  # what is inside adds up what is below
        "branchvalues": "remainder",
        "sort": False,
        "marker": {"colors": colours, "coloraxis": "coloraxis", "line": {"width": 1}},
        "text": [text_of(name) for name in concepts],
        "textinfo": "label",
        "customdata": ["–" if np.isnan(value) else format(value, numbers) for value in shown.tolist()],
        "hovertemplate": f"<b>%{{text}}</b><br>{text_of(title)}: %{{customdata}}<extra></extra>",
        "tiling": {"orientation": "h"},
        "pathbar": {"visible": True, "thickness": 20},
        "leaf": {"opacity": 1},
        "maxdepth": LEVELS,
    }
    height = max(420, min(2_600, 60 + LEAF_ROW * int((~inner).sum())))
    margin = {"l": 0, "r": 0, "t": 24, "b": 0}
    layout = colours_of(scale, limits) | {"height": height, "margin": margin}
    layout["uniformtext"] = {"minsize": SMALLEST, "mode": "hide"}
    layout["meta"]["levels"] = min(LEVELS, _levels(above))
    return figure_of([trace], layout)


def _levels(above: NDArray[np.intp]) -> int:
    """Count the concepts on the longest way to the top."""
    levels, here = 0, np.arange(above.size)
    while here.size:
        here = above[here]
        here = here[here >= 0]
        levels += 1
    return levels


def _within(concepts: Sequence[str], above: Sequence[int]) -> list[str]:
    """Leave out of each name the name of the concept that it stands in, which is there to be seen."""
    shown = []
    for name, parent in zip(concepts, above, strict=True):
        start = concepts[parent] if parent >= 0 else ""
        rest = name.removeprefix(start)
        shown.append(rest[1:] if start and rest[1:] and rest[0] in SEPARATORS and rest != name else name)
    return shown


WIDTH = 0.3
"""Of the tree, as a part of that of the matrix."""

FEWEST = 2


def beside(figure: Figure, tree: NDArray[np.float64], number: int) -> Figure:
    """Draw the tree of what a matrix compares at its right."""
    if number < FEWEST:
        return figure
    from scipy.cluster.hierarchy import dendrogram

    found = dendrogram(tree, no_plot=True)
    far = float(tree[:, 2].max()) or 1.0
    start, unit = number - 0.5 + 0.02 * number, (WIDTH - 0.04) * number / far
    for across, along in zip(found["dcoord"], found["icoord"], strict=True):
        corners = [
            f"{start + unit * distance:.4f},{(place - 5) / 10:.4f}"
            for distance, place in zip(across, along, strict=True)
        ]
        figure.add_shape(type="path", path=f"M{' L'.join(corners)}", line={"color": MUTED, "width": 1.3})
    for distance in (0.0, far):
        figure.add_annotation(
            x=start + unit * distance, y=number - 0.5, text=f"{distance:.2g}", showarrow=False, yanchor="top",
            font={"size": 10}, yshift=-2,
        )  # fmt: skip
    figure.update_xaxes(range=[-0.5, number * (1 + WIDTH) - 0.5])
    figure.update_yaxes(range=[number - 0.5, -0.5], autorange=False)
    widest = figure.layout.meta["widest"]
    figure.update_layout(meta={**figure.layout.meta, "widest": widest + int(WIDTH * widest)})
    return figure
