"""Figures of a page: marks as the JSON that plotly draws.

Names are shown as text: plotly would read some of HTML in them. Positions on axes are numbers, so that no
name is taken for a date or another name.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from functools import singledispatch
from itertools import chain, count, cycle
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ontoeval.core.table import cell_text, shorten_names
from ontoeval.reports.marks import (
    ACCENT,
    MARK,
    PALETTE,
    SCALES,
    TREE,
    Bars,
    Icicle,
    Intervals,
    Line,
    Lines,
    Matrix,
    Ridges,
)

MARKUP = {ord(sign): f"&#{ord(sign)};" for sign in "&<>%$"}
"""Characters that plotly reads as markup, as a placeholder, or as a formula."""


def text_of(name: str) -> str:
    """Write a name such that plotly shows it as it is."""
    return cell_text(name).translate(MARKUP)


def short_of(names: Iterable[str], longest: int) -> list[str]:
    """Shorten names, or both names of pairs joined by an arrow or a minus, and write them for plotly."""
    parts = [re.split("( → | − )", cell_text(name)) for name in names]
    sides = [part for one in parts for part in one[::2]]
    short = iter(shorten_names(sides, longest if len(sides) == len(parts) else (longest - 3) // 2))
    joined = ("".join(part if at % 2 else next(short) for at, part in enumerate(one)) for one in parts)
    return [one.translate(MARKUP) for one in joined]


def distinct_names(names: Sequence[str]) -> list[str]:
    """Write names such that plotly shows them as they are, and no two alike."""
    found: dict[str, None] = {}
    for text in map(text_of, names):
        candidates = chain([text], (f"{text} ({number})" for number in count(2)))
        found[next(one for one in candidates if one not in found)] = None
    return list(found)


JsonObject = dict[str, Any]

MUTED, PALE = PALETTE[7], "#dfe3e8"

BLUE, GREY = "0,114,178", "138,143,152"  # of areas
DASHES = ("solid", "dash", "dot", "dashdot")  # where there are more lines than colours
LONGEST = 30  # characters of a name beside an axis; where the mouse is, the whole name is shown
ROW = 26  # height of a row in pixels

GAPS, MOST_NAMES, STANDOFF = 40, 90, 14
"""Rows up to which cells are set apart, names that an axis bears, and pixels between these and its title."""

LEVELS, LEAF_ROW, SMALLEST = 6, 20, 10
"""Levels of an icicle that are drawn at a time, height of a leaf, and size of the smallest names, in pixels:
names that have no room in it are left out."""

FEW = 20  # up to how many points of a line are marked

APART = {"ticks": "outside", "ticklen": 6, "tickcolor": "rgba(0,0,0,0)"}
"""Sets names apart from what they name."""

BARE = {"showgrid": False, "showline": False, "automargin": True, **APART}  # an axis of names

BLANK = 0.005  # of a matrix nearly all of zeros smaller numbers are not written

BAR = {
    "thickness": 10, "outlinewidth": 0, "lenmode": "pixels", "len": 220, "y": 1, "yanchor": "top", "ypad": 0,
}  # fmt: skip

LAYOUT = {
    "font": {"family": "system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif", "size": 13},
    "hoverlabel": {"align": "left", "namelength": -1},
    "margin": {"l": 8, "r": 16, "t": 8, "b": 8},
    "paper_bgcolor": "rgba(0,0,0,0)",
    "plot_bgcolor": "rgba(0,0,0,0)",
    "showlegend": False,
}

LEGEND = {"orientation": "h", "yanchor": "bottom", "x": 0, "traceorder": "normal"}


@singledispatch
def as_plotly(mark: object) -> JsonObject:
    """Draw a mark."""
    raise NotImplementedError(type(mark))


@as_plotly.register
def _intervals(mark: Intervals) -> JsonObject:
    at, below, above = mark.sides
    traces = []
    for chosen, colour, symbol in ((~mark.grey, ACCENT, "circle"), (mark.grey, MUTED, "diamond-open")):
        rows = np.flatnonzero(chosen & np.isfinite(at)).tolist()
        bounds = {"array": (above - at)[rows].tolist(), "arrayminus": (at - below)[rows].tolist()}
        traces.append(
            _points(
                at[rows].tolist(),
                rows,
                colour,
                symbol,
                error_x={"symmetric": False, "thickness": 1.8, "width": 5, "color": colour} | bounds,
                customdata=[[text_of(mark.names[r]), float(below[r]), float(above[r])] for r in rows],
                hovertemplate=f"<b>%{{customdata[0]}}</b><br>%{{x:.4f}}<br>{100 * mark.level:g}% "
                f"{mark.bounds} %{{customdata[1]:.4f}} to %{{customdata[2]:.4f}}<extra></extra>",
            )
        )
    layout = _row_axis(mark.names) | {"xaxis": _axis(mark.title) | {"range": list(mark.ends)}}
    if mark.chance is not None and np.isfinite(mark.chance):
        layout["shapes"] = [_across("x", mark.chance)]
    if mark.beside is not None:
        own, other, values = mark.beside
        numbers, hover = _nan_as_none(values), f"{other}: %{{x:.4f}}<extra></extra>"
        rows = list(range(len(numbers)))
        traces.append(_points(numbers, rows, MARK, "diamond-open", name=other, hovertemplate=hover))
        traces[0] |= {"name": own, "showlegend": True}
        layout |= {"showlegend": True, "legend": {**LEGEND, "y": 1}}
    return _figure(traces, layout)


@as_plotly.register
def _ridges(mark: Ridges) -> JsonObject:
    traces: list[JsonObject] = []
    for row, (run, muted) in enumerate(zip(mark.scores, mark.muted, strict=True)):
        edges, share = mark.binned(run)
        # Ridges stand on their lines, each to its own height; the axis runs downwards.
        steps = row - 0.82 * np.repeat(share, 2) / (share.max(initial=0) or 1.0)
        traces += [
            {
                "type": "scatter",
                "mode": "lines",
                "x": [*np.repeat(edges, 2)[1:-1].tolist(), float(edges[-1]), float(edges[0])],
                "y": [*np.round(steps, 3).tolist(), row, row],
                "fill": "toself",
                "fillcolor": f"rgba({GREY if muted else BLUE},0.28)",
                "line": {"color": MUTED if muted else ACCENT, "width": 1.2},
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
    traces.append(
        _points(
            _nan_as_none([mark.mean(run) for run in mark.scores]),
            list(range(len(mark.scores))),
            MARK,
            "diamond",
            customdata=[text_of(run) for run in mark.scores],
            hovertemplate="<b>%{customdata}</b><br>mean %{x:.4f}<extra></extra>",
        )
    )
    return _figure(traces, _row_axis(list(mark.scores), height=44, top=0.95) | {"xaxis": _axis(mark.title)})


@as_plotly.register
def _matrix(mark: Matrix) -> JsonObject:
    vertical, across = distinct_names(mark.rows), distinct_names(mark.columns)
    trace = {
        "type": "heatmap",
        "z": mark.values.T.tolist(),  # column by column, as tables are: a page holds what both show once
        "transpose": True,
        "x": across,
        "y": vertical,
        "coloraxis": "coloraxis",
        "hoverongaps": False,
        "xgap": int(len(across) <= GAPS),
        "ygap": int(len(vertical) <= GAPS),
        "hovertemplate": f"{mark.reading}<extra></extra>",
        **({"texttemplate": f"%{{{mark.cell_text}:{mark.numbers}}}"} if mark.numbers else {}),
        **({} if mark.more is None else {"customdata": mark.more.tolist()}),
    }
    height = max(260, min(1_300, (ROW if len(vertical) <= GAPS else 12) * len(vertical) + 150))
    layout = _colours(mark.scale, mark.limits, by_root=mark.by_root) | {"height": height}
    layout["meta"]["widest"] = height + 260
    # By a distance of their own titles keep clear of the longest name.
    down, right = ({"text": text_of(title), "standoff": STANDOFF} for title in mark.titles)
    side = {"type": "category", "tickmode": "array", **BARE}
    layout["xaxis"] = (
        side | _ticks(mark.columns, across) | {"title": right, "range": [-0.5, len(across) - 0.5]}
    )
    layout["xaxis"]["tickangle"] = -40 if len(across) <= GAPS else -90
    layout["yaxis"] = (
        side | _ticks(mark.rows, vertical) | {"title": down, "range": [len(vertical) - 0.5, -0.5]}
    )
    if mark.wrap:
        lines = [map(text_of, textwrap.wrap(row, mark.wrap)) for row in mark.rows]
        layout["yaxis"]["ticktext"] = ["<br>".join(line) for line in lines]
        layout["height"] += 12 * len(lines)
    _add_tree(mark, layout)
    return _figure([trace], layout)


def _add_tree(mark: Matrix, layout: JsonObject) -> None:
    lines, ends = mark.branches()
    if not lines:
        return
    corners = [" L".join(f"{x:.4f},{y:.4f}" for x, y in zip(*line, strict=True)) for line in lines]
    line = {"color": MUTED, "width": 1.3}
    layout["shapes"] = [{"type": "path", "path": f"M{path}", "line": line} for path in corners]
    number, widest = len(mark.rows), layout["meta"]["widest"]
    layout["annotations"] = [
        {"x": x, "y": number - 0.5, "text": f"{distance:.2g}", "showarrow": False, "yanchor": "top",
         "font": {"size": 10}, "yshift": -2}
        for distance, x in ends
    ]  # fmt: skip
    layout["xaxis"]["range"] = [-0.5, number * (1 + TREE) - 0.5]
    layout["yaxis"]["autorange"] = False
    layout["meta"]["widest"] = widest + int(TREE * widest)


@as_plotly.register
def _bars(mark: Bars) -> JsonObject:
    kinds, values = mark.kinds, mark.values
    traces = []
    for kind, colour in zip(sorted({*kinds}), cycle(PALETTE), strict=False):
        rows = [row for row, own in enumerate(kinds) if own == kind]
        trace = {
            "type": "bar",
            "orientation": "h",
            "name": text_of(kind),
            "x": [values[row] for row in rows],
            "y": rows,
            "customdata": [text_of(mark.reading[row]) for row in rows],
            "marker": {"color": colour},
            "width": 0.64,
            "hovertemplate": "%{customdata}<extra></extra>",
        }
        traces.append(trace)
    layout = _row_axis(mark.names, longest=48) | {
        "xaxis": _axis(mark.title),
        "showlegend": len(traces) > 1,
        "legend": {**LEGEND, "y": 1.0},
        "barmode": "overlay",
        "bargap": 0.35,
    }
    return _figure(traces, layout)


@as_plotly.register
def _lines(mark: Lines) -> JsonObject:
    traces = [_line(line, number, mark.reading) for number, line in enumerate(mark.lines)]
    if mark.band is not None:
        x, (low, high) = (
            np.asarray(mark.lines[0].x, dtype=float),
            (np.asarray(b, dtype=float) for b in mark.band),
        )
        outline = {
            "type": "scatter",
            "mode": "none",
            "x": [*x.tolist(), *x[::-1].tolist()],
            "y": [*low.tolist(), *high[::-1].tolist()],
            "fill": "toself",
            "fillcolor": f"rgba({BLUE},0.18)",
            "hoverinfo": "skip",
            "showlegend": False,
        }
        traces.insert(0, outline)
    axes = [
        _axis(title) | ({} if ends is None else {"range": list(ends)}) | more
        for title, ends, more in zip(mark.titles, mark.ranges, mark.axes, strict=True)
    ]
    layout = {
        "xaxis": axes[0],
        "yaxis": axes[1],
        "height": 400 + 8 * len(mark.lines),
        "showlegend": len(mark.lines) > 1,
        "legend": {**LEGEND, "y": 1.02},
    }
    if mark.threshold is not None:
        layout["shapes"] = [_across("y", mark.threshold)]
    return _figure(traces, layout)


@as_plotly.register
def _icicle(mark: Icicle) -> JsonObject:
    concepts, leaves, levels = list(mark.concepts), mark.leaves, int(mark.levels.max(initial=-1)) + 1
    above, shown = np.asarray(mark.parents, dtype=np.intp), np.asarray(mark.values, dtype=float)
    if np.count_nonzero(above < 0) > 1:  # plotly would add a root without a value
        concepts, leaves, levels = ["(all)", *concepts], np.concatenate([[False], leaves]), levels + 1
        above, shown = np.concatenate([[-1], above + 1]), np.concatenate([[np.nan], shown])
    trace = {
        "type": "icicle",
        "ids": [str(position) for position in range(len(concepts))],
        "labels": short_of(concepts, 40),
        "parents": ["" if one < 0 else str(one) for one in above.tolist()],
        "values": leaves.astype(int).tolist(),  # what is inside adds up what is below
        "branchvalues": "remainder",
        "sort": False,
        "marker": {
            "colors": [PALE if np.isnan(value) else value for value in shown.tolist()],
            "coloraxis": "coloraxis",
            "line": {"width": 1},
        },
        "text": [text_of(name) for name in concepts],
        "textinfo": "label",
        "customdata": ["–" if np.isnan(value) else format(value, mark.numbers) for value in shown.tolist()],
        "hovertemplate": f"<b>%{{text}}</b><br>{text_of(mark.title)}: %{{customdata}}<extra></extra>",
        "tiling": {"orientation": "h"},
        "pathbar": {"visible": True, "thickness": 20},
        "leaf": {"opacity": 1},
        "maxdepth": LEVELS,
    }
    layout = _colours(mark.scale, mark.limits) | {
        "height": max(420, min(2_600, 60 + LEAF_ROW * int(leaves.sum()))),
        "margin": {"l": 0, "r": 0, "t": 24, "b": 0},
        "uniformtext": {"minsize": SMALLEST, "mode": "hide"},
    }
    layout["meta"]["levels"] = min(LEVELS, levels)
    return _figure([trace], layout)


def _figure(data: list[JsonObject], layout: Mapping[str, Any]) -> JsonObject:
    return {"data": data, "layout": {**LAYOUT, **layout}}


def _points(
    x: Sequence[float | None], y: Sequence[float], colour: str, symbol: str, **more: object
) -> JsonObject:
    marker = {"color": colour, "size": 9, "symbol": symbol}
    return {"type": "scatter", "mode": "markers", "x": x, "y": y, "marker": marker, **more}


def _line(line: Line, number: int, reading: str) -> JsonObject:
    number = number if line.number is None else line.number
    colour, y = PALETTE[number % len(PALETTE)], np.asarray(line.y, dtype=float)
    dash = DASHES[number // len(PALETTE) % len(DASHES)]
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": text_of(line.name),
        "x": np.asarray(line.x, dtype=float).tolist(),
        "y": _nan_as_none(y),
        "line": {"color": colour, "width": 1.8, "dash": dash},
        "marker": {"color": colour, "size": 5 if y.size <= FEW else 1},
        "hovertemplate": f"<b>{text_of(line.name)}</b><br>{reading}<extra></extra>",
    }


def _ticks(names: Sequence[str], categories: Sequence[str]) -> JsonObject:
    """Name what there is room for on an axis: every name, or every second, and so on."""
    step = max(1, -(-len(names) // MOST_NAMES))
    return {
        "tickvals": list(categories[::step]),
        "ticktext": short_of(names[::step], LONGEST - 6),
        "tickfont": {"size": 12 if len(names) <= GAPS else 10},
    }


def _row_axis(
    names: Sequence[str], height: int = ROW, top: float = 0.6, longest: int = LONGEST
) -> JsonObject:
    axis = {
        "tickvals": list(range(len(names))),
        "ticktext": short_of(names, longest),
        "range": [len(names) - 0.4, -top],
        "zeroline": False,
        **BARE,
    }
    return {"height": 70 + height * max(len(names), 3), "yaxis": axis}


def _axis(title: str) -> JsonObject:
    return {"title": {"text": text_of(title)}, "zeroline": False, "automargin": True}


def _colours(scale: str, limits: tuple[float, float], *, by_root: bool = False) -> JsonObject:
    colours = SCALES[scale]
    stops = [(step / (len(colours) - 1)) ** (2 if by_root else 1) for step in range(len(colours))]
    axis = {
        "cmin": limits[0],
        "cmax": limits[1],
        "colorscale": [list(pair) for pair in zip(stops, colours, strict=True)],
        "colorbar": BAR,
    }
    return {"coloraxis": axis, "meta": {"scale": scale, "blank": BLANK * by_root}}


def _across(axis: str, place: float) -> JsonObject:
    other = "y" if axis == "x" else "x"
    ends = {f"{axis}0": place, f"{axis}1": place, f"{other}0": 0, f"{other}1": 1}
    line = {"color": MUTED, "width": 1.5, "dash": "dot"}
    return {"type": "line", f"{other}ref": "paper", **ends, "line": line}


def _nan_as_none(values: ArrayLike) -> list[float | None]:
    return [None if np.isnan(value) else value for value in np.asarray(values, dtype=float).tolist()]
