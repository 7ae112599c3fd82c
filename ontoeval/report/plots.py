"""Figures of results, for pages and notebooks: plotly draws them.

Names are shown as text: plotly would read some of HTML in them. Positions on axes are numbers, so that no
name is taken for a date or another name.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ontoeval.extras import requires
from ontoeval.report.table import written

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

ACCENT, MUTED, MARK = "#0072B2", "#8a8f98", "#D55E00"
"""Blue and vermilion of Okabe and Ito (2008), which everyone can tell apart, and a grey."""

QUALITATIVE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#8a8f98")
"""Okabe and Ito's palette; black, which a dark page swallows, is a grey."""

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

MARKUP = {ord(sign): f"&#{ord(sign)};" for sign in "&<>%"}
"""What plotly would take for markup, or for a place to fill in."""

LONGEST = 30
"""Characters of a name beside an axis; where the mouse is, the whole name is shown."""

ROW = 26
"""Height of a row in pixels."""

GAPS, MOST_NAMES = 40, 130
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


def text_of(name: str, longest: int | None = None) -> str:
    """Write a name such that plotly shows it as it is.

    Parameters
    ----------
    name
        Any text.
    longest
        Characters after which it is cut.

    Returns
    -------
    str
        The text; what plotly would read as HTML stands for itself, control characters are escapes.

    Examples
    --------
    >>> text_of("<b>"), text_of("a long name", 7)
    ('&#60;b&#62;', 'a long…')
    """
    shown = written(name)
    if longest is not None and len(shown) > longest:
        shown = shown[: longest - 1] + "…"
    return shown.translate(MARKUP)


def intervals(
    runs: Sequence[str],
    scores: ArrayLike,
    low: ArrayLike,
    high: ArrayLike,
    *,
    title: str,
    level: float = 0.95,
    muted: Sequence[bool] | None = None,
    chance: float | None = None,
) -> Figure:
    """Draw scores with their intervals, the best above.

    Parameters
    ----------
    runs
        Names, in the order from above.
    scores
        One score per run; those that are nan are not drawn.
    low
        Lower bounds.
    high
        Upper bounds.
    title
        What was measured.
    level
        Of the intervals.
    muted
        Which runs are only there to compare with, such as baselines.
    chance
        A score to draw a line at.

    Returns
    -------
    Figure
        Points and whiskers, one row per run.
    """
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
                f"<br>{level:.0%} interval %{{customdata[1]:.4f}} to %{{customdata[2]:.4f}}<extra></extra>",
            }
        )
    line = [float(chance)] if chance is not None and np.isfinite(chance) else []
    ends = np.concatenate([at, below, above, line])
    ends = ends[np.isfinite(ends)] if np.isfinite(ends).any() else np.array([0.0, 1.0])
    room = 0.04 * (float(np.ptp(ends)) or 1.0)
    axis = _numbers(title) | {"range": [float(ends.min()) - room, float(ends.max()) + room]}
    return _figure(traces, _rows(runs) | {"xaxis": axis, "shapes": list(map(_line_at, line))})


def distributions(
    scores: Mapping[str, NDArray[np.float64]], *, title: str, bounds: tuple[float, float], bins: int = 40
) -> Figure:
    """Draw how the scores of samples are spread: one ridge per run, with its mean.

    Parameters
    ----------
    scores
        Of each run, one score per sample; nan is left out.
    title
        What was measured.
    bounds
        Range of the measure; an end that is infinite is that of the scores.
    bins
        How many intervals scores are counted in.

    Returns
    -------
    Figure
        Shares of samples, each ridge to its own height.
    """
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
    return _figure(traces, _rows(list(scores), height=44, top=0.95) | {"xaxis": _numbers(title)})


def binned(
    values: NDArray[np.float64], bounds: tuple[float, float], bins: int = 40
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Count scores in intervals of equal width.

    Parameters
    ----------
    values
        Scores; nan is left out.
    bounds
        Range to divide; an end that is infinite is that of the scores.
    bins
        How many intervals.

    Returns
    -------
    edges : ndarray of float
        Ends of the intervals, one more than there are intervals.
    shares : ndarray of float
        Share of the scores in each; each holds its lower end, the last both.

    Examples
    --------
    >>> [part.tolist() for part in binned(np.array([0, 0.2, 1, np.nan]), (0, 1), 2)]
    [[0.0, 0.5, 1.0], [0.6666666666666666, 0.3333333333333333]]
    """
    known = values[np.isfinite(values)]
    ends = [
        float(end if np.isfinite(end) else known[pick]) if known.size else end
        for end, pick in zip(bounds, (known.argmin(), known.argmax()) if known.size else (0, 0), strict=True)
    ]
    low, high = (end if np.isfinite(end) else float(side) for side, end in enumerate(ends))
    counts, edges = np.histogram(known, bins=bins, range=(low, max(high, low + 1e-9)))
    return edges, counts / max(known.size, 1)


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
    by_root: bool = False,
    more: NDArray[np.float64] | None = None,
) -> Figure:
    """Draw a matrix, its first row above.

    Parameters
    ----------
    values
        One row per row; nan is left empty.
    rows
        Names of the rows.
    columns
        Names of the columns.
    scale
        A key of `SCALES`.
    limits
        What its ends stand for.
    reading
        What to say of a cell, as plotly's template: `%{y}` and `%{x}` are the names, `%{z}` is the
        value, `%{customdata[0]}` the first of what else is given.
    titles
        Of the axes, rows first.
    numbers
        How values are written into the cells, such as ".2f"; "" writes none.
    by_root
        Whether colours follow the square roots of values, so that small ones show.
    more
        More to say of each cell, on the last axis.

    Returns
    -------
    Figure
        A heatmap.
    """
    count = len(SCALES[scale])
    stops = [(step / (count - 1)) ** (2 if by_root else 1) for step in range(count)]
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
        **({"texttemplate": f"%{{z:{numbers}}}"} if numbers else {}),
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
    height = max(260, min(1_100, (ROW if len(rows) <= GAPS else 9) * len(rows) + 150))
    return _figure(
        [trace],
        {
            "height": height,
            "xaxis": side
            | _ticks(columns, across)
            | {"title": {"text": titles[1]}, "tickangle": -40 if len(columns) <= GAPS else -90},
            "yaxis": side | _ticks(rows, vertical) | {"title": {"text": titles[0]}, "autorange": "reversed"},
            "coloraxis": {
                "cmin": limits[0],
                "cmax": limits[1],
                "colorscale": [list(pair) for pair in zip(stops, SCALES[scale], strict=True)],
                "colorbar": BAR,
            },
            "meta": {"scale": scale, "widest": height + 260},
        },
    )


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
    """Draw a tree of concepts, each as wide as the leaves below it, coloured by a value.

    Parameters
    ----------
    concepts
        Names.
    parents
        For each concept the position of the one that it is drawn below; -1 for those at the top.
    values
        One number per concept; nan is drawn grey.
    title
        What the values are.
    scale
        A key of `SCALES`.
    limits
        What its ends stand for.
    numbers
        How values are written.

    Returns
    -------
    Figure
        An icicle: roots at the left, a click on a concept shows what is below it alone.
    """
    above = np.asarray(parents, dtype=np.intp)
    shown = np.asarray(values, dtype=np.float64)
    inner = np.zeros(len(concepts), dtype=bool)
    inner[above[above >= 0]] = True
    trace = {
        "type": "icicle",
        "ids": [str(position) for position in range(len(concepts))],
        "labels": [text_of(name, 40) for name in concepts],
        "parents": ["" if one < 0 else str(one) for one in above.tolist()],
        "values": (~inner).astype(int).tolist(),  # what is inside adds up what is below
        "branchvalues": "remainder",
        "sort": False,
        "marker": {"colors": shown.tolist(), "coloraxis": "coloraxis", "line": {"width": 1}},
        "text": [text_of(name) for name in concepts],
        "textinfo": "label",
        "customdata": ["–" if np.isnan(value) else format(value, numbers) for value in shown.tolist()],
        "hovertemplate": f"<b>%{{text}}</b><br>{text_of(title)}: %{{customdata}}<extra></extra>",
        "tiling": {"orientation": "h"},
        "pathbar": {"visible": True, "thickness": 20},
        "maxdepth": 6,
    }
    stops = np.linspace(0, 1, len(SCALES[scale])).tolist()
    layout = {
        "height": max(420, min(1_600, 60 + 17 * int((~inner).sum()))),
        "coloraxis": {
            "cmin": limits[0],
            "cmax": limits[1],
            "colorscale": [list(pair) for pair in zip(stops, SCALES[scale], strict=True)],
            "colorbar": BAR,
        },
        "meta": {"scale": scale},
        "margin": {"l": 0, "r": 0, "t": 24, "b": 0},
    }
    return _figure([trace], layout)


def bars(
    names: Sequence[str], values: Sequence[float], kinds: Sequence[str], *, title: str, reading: Sequence[str]
) -> Figure:
    """Draw bars, the first above, in one colour per kind.

    Parameters
    ----------
    names
        What each bar stands for.
    values
        How long it is.
    kinds
        Of which kind it is.
    title
        What the values are.
    reading
        What to say of each bar.

    Returns
    -------
    Figure
        Horizontal bars with a legend of the kinds.
    """
    traces = [
        {
            "type": "bar",
            "orientation": "h",
            "name": text_of(kind),
            "x": [value for value, own in zip(values, kinds, strict=True) if own == kind],
            "y": [row for row, own in enumerate(kinds) if own == kind],
            "customdata": [text_of(said) for said, own in zip(reading, kinds, strict=True) if own == kind],
            "marker": {"color": QUALITATIVE[number % len(QUALITATIVE)]},
            "width": 0.64,
            "hovertemplate": "%{customdata}<extra></extra>",
        }
        for number, kind in enumerate(sorted(set(kinds)))
    ]
    legend = {"orientation": "h", "y": 1.0, "yanchor": "bottom", "x": 0, "traceorder": "normal"}
    layout = _rows(names, longest=48) | {"xaxis": _numbers(title), "showlegend": True, "legend": legend}
    return _figure(traces, layout | {"barmode": "overlay", "bargap": 0.35})


def unlike(names: Sequence[str]) -> list[str]:
    r"""Write names such that plotly shows them as they are, and no two alike.

    Parameters
    ----------
    names
        Any texts, all different.

    Returns
    -------
    list of str
        Their texts; what looks like one before bears a number.

    Examples
    --------
    >>> unlike(["a" + chr(27), "a" + r"\x1b"])
    ['a\\x1b', 'a\\x1b (2)']
    """
    seen: dict[str, int] = {}
    found = []
    for text in map(text_of, names):
        seen[text] = seen.get(text, 0) + 1
        found.append(text if seen[text] == 1 else f"{text} ({seen[text]})")
    return found


def _ticks(names: Sequence[str], categories: Sequence[str]) -> dict[str, Any]:
    """Name what there is room for: every name, or every second, and so on."""
    step = 1 + (len(names) - 1) // MOST_NAMES
    return {
        "tickvals": list(categories[::step]),
        "ticktext": [text_of(name, LONGEST - 6) for name in names[::step]],
        "tickfont": {"size": 12 if len(names) <= GAPS else 9},
    }


def _rows(
    names: Sequence[str], height: int = ROW, top: float = 0.6, longest: int = LONGEST
) -> dict[str, Any]:
    """Lay out one row per name, the first above."""
    axis = {
        "tickvals": list(range(len(names))),
        "ticktext": [text_of(name, longest) for name in names],
        "range": [len(names) - 0.4, -top],
        "automargin": True,
        "showgrid": False,
        "showline": False,
        "zeroline": False,
        **APART,
    }
    return {"height": 70 + height * max(len(names), 3), "yaxis": axis}


def _numbers(title: str) -> dict[str, Any]:
    return {"title": {"text": text_of(title)}, "zeroline": False, "automargin": True}


def _line_at(place: float) -> dict[str, Any]:
    line = {"color": MUTED, "width": 1.5, "dash": "dot"}
    return {"type": "line", "yref": "paper", "x0": place, "x1": place, "y0": 0, "y1": 1, "line": line}


def _figure(data: list[dict[str, Any]], layout: Mapping[str, Any]) -> Figure:
    requires("plotly", "report", "A figure")
    figure: Figure = import_module("plotly.graph_objects").Figure(data, {**LAYOUT, **layout})
    return figure
