"""What is drawn alike in all figures: cells, lines, colours and what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from ontoeval.reports.figures.paper import PALE, PLAIN, Numbers, label, name_rows, wrapped
from ontoeval.reports.plotting import SCALES

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.colors import Colormap, Normalize
    from matplotlib.figure import Figure

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""Okabe and Ito's palette; yellow, which paper swallows, is left out."""

DASHES = ("-", "--", (0, (1, 1.2)), "-.", (0, (6, 1.5, 1, 1.5, 1, 1.5)))
"""Lines bear both a colour and dashes, so that neighbours differ in grey; 5 and 7 make 35 that all differ."""

OPEN: dict[str, Any] = {"markerfacecolor": "white", "markersize": 3.2, "markeredgewidth": 0.8}
"""What is there to compare with is drawn hollow."""


def cells(
    ax: Axes,
    values: Numbers,
    rows: Sequence[str],
    columns: Sequence[str],
    *,
    colours: Colormap,
    norm: Normalize,
    size: float,
    numbers: str = "",
) -> Any:  # noqa: ANN401 - what a colour bar is made of
    """Draw a matrix, its first row above."""
    image = ax.imshow(values, cmap=colours, norm=norm, aspect="auto", interpolation="nearest")
    letters = min(6.5, 72 * 0.82 * size)
    name_rows(ax, rows, letters)
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.set_xticks(
        range(len(columns)), labels=list(map(label, columns)), fontsize=letters, rotation=90, **PLAIN
    )
    ax.tick_params(axis="x", length=0)
    ax.spines[:].set_visible(False)
    shades = image.to_rgba(values)
    for (row, column), value in np.ndenumerate(values) if numbers else ():
        shown = "–" if np.isnan(value) else format(value, numbers)
        colour = ink(shades[row, column])
        ax.text(column, row, shown, ha="center", va="center", fontsize=letters - 0.8, color=colour)
    return image


def bar(ax: Axes, image: Any, title: str, *, math: bool = False, **options: Any) -> None:  # noqa: ANN401 - whatever has colours
    """Say what the colours mean."""
    figure = ax.get_figure()
    assert figure is not None  # noqa: S101 - axes have one
    drawn = figure.colorbar(image, ax=ax, **{"aspect": 25, "pad": 0.02, "fraction": 0.04, **options})
    drawn.set_label(title, parse_math=math, usetex=False)
    drawn.outline.set_visible(False)


def scale(name: str) -> Colormap:
    """Make a scale of colours."""
    made = import_module("matplotlib.colors").LinearSegmentedColormap.from_list(name, SCALES[name])
    colours: Colormap = made.with_extremes(bad=PALE)
    return colours


def ink(colour: Sequence[float] | Numbers) -> str:
    """Choose what is read best on a colour."""
    red, green, blue = (part**2.2 for part in colour[:3])
    return "black" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 else "white"  # noqa: PLR2004


def line_of(number: int) -> dict[str, Any]:
    """Choose how a line looks, so that it can be told from the others in grey as well."""
    return {"color": COLOURS[number % len(COLOURS)], "linestyle": DASHES[number % len(DASHES)]}


def legend(on: Axes | Figure, lines: Sequence[Any], names: Sequence[str], **options: Any) -> None:  # noqa: ANN401
    """Name lines beside the axes."""
    # A name that begins with "_" would be left out; so names come later.
    made = on.legend(lines, [str(at) for at in range(len(lines))], handlelength=2.6, **options)
    for text, name in zip(made.get_texts(), names, strict=True):
        text.set(text=wrapped(name, 30), **PLAIN)
