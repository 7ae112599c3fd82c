"""What the figures share: colours and layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.extras import requires
from ontoeval.reports.plotted_names import short_of, text_of

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
