"""Figures of a paper: sizes, style, and marks drawn by matplotlib."""

from __future__ import annotations

import re
import sys
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, partial
from importlib import import_module
from io import BytesIO
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from ontoeval.core.table import cell_text, shorten_names
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.checks import requires
from ontoeval.reports.marks import (
    ACCENT,
    MARK,
    PALETTE,
    SCALES,
    TREE,
    Icicle,
    Intervals,
    Lines,
    Matrix,
    Ridges,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.cm import ScalarMappable
    from matplotlib.collections import Collection
    from matplotlib.colors import Colormap
    from matplotlib.figure import Figure


ONE, TWO = 3.4, 7.1  # width of a figure in one and in two columns of a paper, in inches
TALLEST = 8.8  # height of a page, in inches
ROW = 0.17  # height of a row where there is room, in inches
LEAF = 0.125  # height of a leaf of the icicle where there is room, in inches
SCREEN = 130  # dots per inch in a notebook
MOST = 80  # rows that a page holds
LONGEST = 28  # characters of a name beside an axis

PALE, GREY = "#c8ccd2", "#6b7078"

PLAIN: dict[str, Any] = {"parse_math": False, "usetex": False}
"""Names are texts: what looks like a formula in them is none."""

FALLBACKS = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans SC", "Noto Sans JP", "WenQuanYi Zen Hei",
    "Hiragino Sans", "PingFang SC", "Microsoft YaHei", "Yu Gothic", "Malgun Gothic", "Noto Sans Devanagari",
    "Noto Sans Thai", "Nirmala UI", "Arial Unicode MS", "Noto Emoji",
)  # fmt: skip
"""Fonts for the signs that matplotlib's own has not; those that are installed are used."""

STYLE: dict[str, Any] = {
    "axes.axisbelow": True,
    "axes.edgecolor": GREY,
    "axes.labelsize": 7,
    "axes.linewidth": 0.6,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.titlesize": 7.5,
    "figure.constrained_layout.h_pad": 0.03,
    "figure.constrained_layout.w_pad": 0.03,
    "figure.dpi": 150,
    "font.size": 7,
    "hatch.linewidth": 0.5,
    "legend.fontsize": 6.5,
    "legend.frameon": False,
    "lines.linewidth": 1.1,
    "pdf.fonttype": 42,  # letters, not outlines: they can be searched and set anew
    "savefig.dpi": 300,
    "svg.fonttype": "none",
    "svg.hashsalt": "ontoeval",  # otherwise names in the file are random
    "xtick.color": GREY,
    "xtick.labelcolor": "black",
    "xtick.labelsize": 6.5,
    "xtick.major.size": 2.5,
    "xtick.major.width": 0.6,
    "ytick.color": GREY,
    "ytick.labelcolor": "black",
    "ytick.labelsize": 6.5,
    "ytick.major.size": 2.5,
    "ytick.major.width": 0.6,
}


@contextmanager
def style() -> Iterator[None]:
    """Use the style of these figures inside the block."""
    context = requires("matplotlib.style", "figures", "A figure").context
    with context({**STYLE, "font.family": [*_families()]}, after_reset=True):
        yield


@contextmanager
def drawing() -> Iterator[None]:
    """Write figures to files in this style; where no font has a sign, a box stands for it without a word."""
    with style(), warnings.catch_warnings():
        # An SVG holds the sign all the same.
        warnings.filterwarnings("ignore", r"Glyph \d+|Matplotlib currently does not support")
        yield


@cache
def _families() -> tuple[str, ...]:
    known = set(import_module("matplotlib.font_manager").fontManager.get_font_names())
    return ("DejaVu Sans", *(family for family in FALLBACKS if family in known), "sans-serif")


@contextmanager
def axes(ax: Axes | None, width: float, height: float) -> Iterator[Axes]:
    """Give axes to draw on: those that are given, or those of a new figure."""
    if ax is not None:
        yield ax
        return
    with style():
        pyplot = sys.modules.get("matplotlib.pyplot")
        if pyplot is None:
            figure = new_figure(width, height)
        else:
            with pyplot.rc_context({"figure.max_open_warning": 0}):  # files are drawn beside open figures
                figure = pyplot.figure(**_shape(width, height))
        on: Any = figure.subplots()
        if pyplot is None:  # which shows figures itself, and saves the last one
            on._repr_png_ = partial(png_of, figure)  # how notebooks show an object
        yield on


def png_of(figure: Figure) -> bytes:
    """Draw a figure for a notebook."""
    content = BytesIO()
    with drawing():
        figure.savefig(content, format="png", dpi=SCREEN)
    return content.getvalue()


def new_figure(width: float, height: float) -> Figure:
    """Make a figure outside of pyplot, which no window or notebook shows."""
    return cast("Figure", import_module("matplotlib.figure").Figure(**_shape(width, height)))


def _shape(width: float, height: float) -> dict[str, Any]:
    return {"figsize": (width, height), "layout": "constrained"}


def subscripts(text: str) -> str:
    """Write what follows "_" as a subscript; for texts of these figures only, not for names."""
    return re.sub(r"_([\w,]+)", r"$_{\1}$", text)


def label(name: str, longest: int = LONGEST) -> str:
    """Write a name as one short line."""
    return shorten_names([name], longest)[0]


def wrapped(text: str, width: int) -> str:
    """Write a text over several lines."""
    return "\n".join(textwrap.wrap(cell_text(text), width, max_lines=3, placeholder="…"))


def height_of(rows: int, row: float = ROW) -> float:
    """Choose how high rows stand together."""
    return min(max(rows, 2) * row, TALLEST - 0.7)


def size_of(rows: int, row: float = ROW) -> float:
    """Choose how large names are, so that those of neighbouring rows do not touch."""
    return float(min(6.5, 72 * 0.82 * height_of(rows, row) / max(rows, 2)))


def name_rows(ax: Axes, names: Sequence[str], size: float | None = None) -> None:
    """Name the rows of axes, the first above."""
    letters = size_of(len(names)) if size is None else size
    ax.set_yticks(range(len(names)), labels=shorten_names(names, LONGEST), fontsize=letters, **PLAIN)
    ax.set_ylim(len(names) - 0.4, -0.6)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)


DASHES = ("-", "--", (0, (1, 1.2)), "-.", (0, (6, 1.5, 1, 1.5, 1, 1.5)))
"""Lines have both a colour and dashes, so that neighbours differ in grey; 5 and 8 make 40 that all differ."""

OPEN: dict[str, Any] = {"markerfacecolor": "white", "markersize": 3.2, "markeredgewidth": 0.8}
"""Hollow markers of values to compare with."""


def draw_intervals(ax: Axes, mark: Intervals) -> list[Any]:
    """Draw points with whiskers, and hollow diamonds to compare with: those of each kind."""
    at, low, high = mark.sides
    drawn = []
    for chosen, colour, look, face in (
        (~mark.grey, ACCENT, "o", {"markersize": 2.2}),
        (mark.grey, GREY, "D", OPEN),
    ):
        rows = np.flatnonzero(chosen)
        if not rows.size:
            continue
        drawn += ax.plot(at[rows], rows, look, color=colour, zorder=3, **face)
        ax.hlines(rows, low[rows], high[rows], color=colour, linewidth=0.8)
        for ends in (low[rows], high[rows]):
            ax.plot(ends, rows, "|", color=colour, markersize=5, markeredgewidth=0.6)
    if mark.beside is not None:
        drawn[1:] = ax.plot(np.asarray(mark.beside[2]), range(at.size), "D", color=MARK, **OPEN)
    if mark.chance is not None and np.isfinite(mark.chance):
        ax.axvline(mark.chance, color=GREY, linewidth=0.7, linestyle=":")
    name_rows(ax, mark.names)
    ax.grid(axis="x", color=PALE, linewidth=0.4)
    ax.set_xlim(*mark.ends)
    ax.locator_params(axis="x", nbins=3)
    return drawn


def draw_ridges(ax: Axes, mark: Ridges) -> None:
    """Draw a ridge per run with its mean, muted runs in grey."""
    for row, (name, grey) in enumerate(zip(mark.scores, mark.muted, strict=True)):
        edges, shares = mark.binned(name)
        ax.stairs(
            row - 0.85 * shares / (shares.max() or 1.0), edges, baseline=row, fill=True,
            facecolor=PALE if grey else "#8fbbd9", edgecolor=GREY if grey else ACCENT, linewidth=0.5,
        )  # fmt: skip
        ax.plot(
            mark.mean(name), row, "d", color=MARK, markersize=3, markeredgecolor="white",
            markeredgewidth=0.4, clip_on=False,
        )  # fmt: skip
    name_rows(ax, list(mark.scores))
    ax.set_ylim(len(mark.scores) - 0.7, -1.0)
    ax.locator_params(axis="x", nbins=4)


def draw_matrix(ax: Axes, mark: Matrix, size: float) -> ScalarMappable:
    """Draw a matrix of cells of this size in inches, and its tree: what a colour bar is made of."""
    colours, kinds = colour_scale(mark.scale), import_module("matplotlib.colors")
    norm = kinds.PowerNorm(0.5, *mark.limits) if mark.by_root else kinds.Normalize(*mark.limits)
    image = ax.imshow(mark.values, cmap=colours, norm=norm, aspect="auto", interpolation="nearest")
    letters, columns = min(6.5, 72 * 0.82 * size), list(map(label, mark.columns))
    name_rows(ax, mark.rows, letters)
    ax.set_ylim(len(mark.rows) - 0.5, -0.5)
    ax.set_xticks(range(len(columns)), labels=columns, fontsize=letters, rotation=90, **PLAIN)
    ax.tick_params(axis="x", length=0)
    ax.spines[:].set_visible(False)
    shades, digit = image.to_rgba(mark.values), 0.58 * (letters - 0.8) / 72
    cells = np.ndenumerate(mark.values)
    texts = {at: "–" if np.isnan(value) else format(value, mark.numbers) for at, value in cells}
    fits = mark.numbers and digit * max(map(len, texts.values())) <= size
    for (row, column), text in texts.items() if fits else ():
        if not (mark.by_root and float(text) == 0):
            colour = text_colour(shades[row, column])
            ax.text(column, row, text, ha="center", va="center", fontsize=letters - 0.8, color=colour)
    if mark.tree is not None:
        _draw_tree(ax, mark)
    return image


def _draw_tree(ax: Axes, mark: Matrix) -> None:
    number = len(mark.rows)
    ax.set_xlim(-0.5, number * (1 + TREE) - 0.5)
    lines, ends = mark.branches()
    for across, along in lines:
        ax.plot(across, along, color=GREY, linewidth=0.8)
    for (distance, x), side in zip(ends, ("left", "right"), strict=bool(ends)):
        ax.text(x, number - 0.4, f"{distance:.2g}", ha=side, va="top", fontsize=5.5)
    if ends:
        middle = (ends[0][1] + ends[1][1]) / 2
        ax.text(middle, number - 0.4, "\ndistance", ha="center", va="top", fontsize=5.5, color=GREY)


def draw_lines(ax: Axes, mark: Lines, **look: Any) -> list[Any]:  # noqa: ANN401 - of matplotlib's lines
    """Draw lines that can be told apart in greyscale, too."""
    drawn: list[Any] = []
    for number, line in enumerate(mark.lines):
        own = number if line.number is None else line.number
        drawn += ax.plot(np.asarray(line.x), np.asarray(line.y), **line_of(own), **look)
    if mark.threshold is not None:
        ax.axhline(mark.threshold, color=GREY, linewidth=0.6, zorder=0)
    across, along = mark.titles
    ax.set_xlabel(across)
    ax.set_ylabel(subscripts(along))
    ax.set(**{f"{end}lim": ends for end, ends in zip("xy", mark.ranges, strict=True) if ends})
    return drawn


def line_of(number: int) -> dict[str, Any]:
    """Choose colour and dashes of a line, so that lines differ in grey as well."""
    return {"color": PALETTE[number % len(PALETTE)], "linestyle": DASHES[number % len(DASHES)]}


def draw_icicle(ax: Axes, mark: Icicle) -> ScalarMappable:
    """Draw a rectangle per concept, as high as its leaves; concepts stand in the order of the tree."""
    level, leaves = mark.levels, mark.leaves.astype(float)
    below = leaves.copy()
    for concept in range(len(below) - 1, -1, -1):
        if mark.parents[concept] >= 0:
            below[mark.parents[concept]] += below[concept]
    top = np.cumsum(leaves) - leaves
    bottom, rows, depth = top + below, int(leaves.sum()), int(level.max()) + 1
    places = list(zip(level.tolist(), top.tolist(), bottom.tolist(), strict=True))
    collection: Collection = import_module("matplotlib.collections").PolyCollection(
        [[(x, a), (x + 1, a), (x + 1, b), (x, b)] for x, a, b in places],
        cmap=colour_scale(mark.scale),
        edgecolors="white",
        linewidths=0.6,
    )
    values = np.asarray(mark.values, dtype=float)
    collection.set_array(np.ma.masked_invalid(values))
    collection.set_clim(*mark.limits)
    ax.add_collection(collection)
    size = size_of(rows, LEAF) * 0.95
    longest = max(4, int(0.9 * ax.bbox.width / ax.figure.dpi * 72 / depth / (0.6 * size)))
    colours = [text_colour(collection.cmap(collection.norm(value))) for value in values]
    names = shorten_names(mark.concepts, longest)
    for name, colour, (x, a, b) in zip(names, colours, places, strict=True):
        ax.text(x + 0.03, (a + b) / 2, name, va="center", fontsize=size, color=colour, **PLAIN)
    ax.set_xlim(0, depth)
    ax.set_ylim(rows, 0)
    ax.set_axis_off()
    return collection


def colour_bar(ax: Axes, image: ScalarMappable, title: str, *, math: bool = False, **options: Any) -> None:  # noqa: ANN401 - of matplotlib's colour bars
    """Add a colour bar."""
    figure = cast("Figure", ax.get_figure())
    drawn = figure.colorbar(image, ax=ax, **{"aspect": 25, "pad": 0.02, "fraction": 0.04, **options})
    drawn.set_label(title, parse_math=math, usetex=False)
    drawn.outline.set_visible(False)


def colour_scale(name: str) -> Colormap:
    """Make a scale of colours."""
    made = import_module("matplotlib.colors").LinearSegmentedColormap.from_list(name, SCALES[name])
    return cast("Colormap", made.with_extremes(bad=PALE))


def text_colour(colour: Sequence[float] | Numbers) -> str:
    """Choose what is read best on a colour."""
    red, green, blue = (part**2.2 for part in colour[:3])
    return "black" if 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.18 else "white"  # noqa: PLR2004


def legend(on: Axes | Figure, lines: Sequence[Any], names: Sequence[str], **options: Any) -> None:  # noqa: ANN401
    """Name lines beside the axes."""
    # A name that begins with "_" would be left out; so names come later.
    made = on.legend(lines, [str(at) for at in range(len(lines))], handlelength=2.6, **options)
    for text, name in zip(made.get_texts(), names, strict=True):
        text.set(text=wrapped(name, 30), **PLAIN)
