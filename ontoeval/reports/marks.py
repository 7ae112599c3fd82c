"""Figures as data, by marks and colours: a page draws them by `plots`, a paper by `paper`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ontoeval.plumbing.arrays import Numbers

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


PALETTE = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#171b22", "#8a8f98")
"""Okabe and Ito's palette. In place of their yellow, which paper swallows, there is the colour of ink, and a
grey in place of black; a page in dark colours has the yellow."""

ACCENT, MARK = PALETTE[0], PALETTE[5]
"""Blue and vermilion, which differ for colour-blind readers too."""

TREE = 0.3  # width of the tree beside a matrix, as a part of that of the matrix


@dataclass(frozen=True, eq=False)
class Intervals:
    """Values with their intervals, one row per name, the first on top; baselines are muted."""

    names: Sequence[str]
    values: ArrayLike
    low: ArrayLike
    high: ArrayLike
    _: KW_ONLY
    title: str
    level: float = 0.95
    bounds: str = "interval"
    muted: Sequence[bool] = ()
    chance: float | None = None
    beside: tuple[str, str, ArrayLike] | None = None
    """Names of the values and of further ones, and these."""

    @property
    def sides(self) -> tuple[Numbers, Numbers, Numbers]:
        """The values and their bounds."""
        value, low, high = (np.asarray(side, dtype=float) for side in (self.values, self.low, self.high))
        return value, low, high

    @property
    def ends(self) -> tuple[float, float]:
        """Ends of the axis: what is drawn, and some room."""
        more: list[ArrayLike] = [[] if self.chance is None else [self.chance]]
        more += [] if self.beside is None else [self.beside[2]]
        drawn = np.concatenate([np.asarray(side, dtype=float) for side in (*self.sides, *more)])
        known = drawn[np.isfinite(drawn)]
        low, high = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
        room = max(0.04 * (high - low), 0.01)
        return low - room, high + room

    @property
    def grey(self) -> NDArray[np.bool_]:
        """The rows that are muted."""
        return np.array([*self.muted] or [False] * len(self.names), dtype=bool)


@dataclass(frozen=True, eq=False)
class Ridges:
    """Distributions of the scores of samples: one ridge per run, to its own height, with its mean.

    Muted ones are grey.
    """

    scores: Mapping[str, Numbers]
    _: KW_ONLY
    title: str
    ends: tuple[float, float]
    muted: Sequence[bool]
    bins: int = 40

    def binned(self, name: str) -> tuple[Numbers, Numbers]:
        """Give the edges of intervals of equal width, and the share of the samples in each."""
        values = self.scores[name]
        known = values[np.isfinite(values)]
        found = (known.min(), known.max()) if known.size else (0.0, 1.0)
        both = zip(self.ends, found, strict=True)
        low, high = (float(end if np.isfinite(end) else own) for end, own in both)
        counts, edges = np.histogram(known, bins=self.bins, range=(low, max(high, low + 1e-9)))
        return edges, counts / max(known.size, 1)

    def mean(self, name: str) -> float:
        """Average the known scores."""
        known = self.scores[name][np.isfinite(self.scores[name])]
        return float(known.mean()) if known.size else np.nan


@dataclass(frozen=True, eq=False)
class Matrix:
    """A matrix in colours, its first row above; `tree` joins the rows at the right.

    Numbers are written where they fit; `by_root`, colours follow the square root, and no zeros are written.
    """

    values: Numbers
    rows: Sequence[str]
    columns: Sequence[str]
    _: KW_ONLY
    scale: str
    limits: tuple[float, float] = (0.0, 1.0)
    reading: str = ""
    titles: tuple[str, str] = ("", "")
    numbers: str = ""
    cell_text: str = "z"
    by_root: bool = False
    more: Numbers | None = None
    tree: Numbers | None = None
    wrap: int = 0
    """Characters of a line of the name of a row, where names are folded."""

    def branches(self) -> tuple[list[tuple[Numbers, Numbers]], list[tuple[float, float]]]:
        """Draw the tree: its lines, and its ends with their distances."""
        from scipy.cluster.hierarchy import dendrogram

        if self.tree is None or len(self.rows) == 1:
            return [], []
        found, number = dendrogram(self.tree, no_plot=True), len(self.rows)
        far = float(self.tree[:, 2].max()) or 1.0
        start, unit = number - 0.5 + 0.02 * number, (TREE - 0.04) * number / far
        pairs = zip(found["dcoord"], found["icoord"], strict=True)
        drawn = [(start + unit * np.asarray(across), (np.asarray(along) - 5) / 10) for across, along in pairs]
        return drawn, [(distance, start + unit * distance) for distance in (0.0, far)]


@dataclass(frozen=True, eq=False)
class Bars:
    """Bars, the first above, in one colour per kind, which a legend names."""

    names: Sequence[str]
    values: Sequence[float]
    kinds: Sequence[str]
    _: KW_ONLY
    title: str
    reading: Sequence[str]


class Line(NamedTuple):
    """A line; the same number has the same colour in all figures."""

    name: str
    x: ArrayLike
    y: ArrayLike
    number: int | None = None


@dataclass(frozen=True, eq=False)
class Lines:
    """Lines on titled axes, ranges where they are not those of the data, and a dotted threshold."""

    lines: Sequence[Line]
    _: KW_ONLY
    titles: tuple[str, str]
    reading: str = ""
    ranges: tuple[Sequence[float] | None, Sequence[float] | None] = (None, None)
    threshold: float | None = None
    band: tuple[ArrayLike, ArrayLike] | None = None
    axes: tuple[dict[str, Any], dict[str, Any]] = ({}, {})


@dataclass(frozen=True, eq=False)
class Icicle:
    """A tree of concepts in the order in which it is read from its roots, each coloured by a value."""

    concepts: Sequence[str]
    parents: Sequence[int]
    values: ArrayLike
    _: KW_ONLY
    title: str
    scale: str
    limits: tuple[float, float]
    numbers: str = ".3f"

    @property
    def levels(self) -> NDArray[np.intp]:
        """Number of concepts above each."""
        levels: list[int] = []
        for parent in self.parents:
            levels.append(levels[parent] + 1 if parent >= 0 else 0)
        return np.array(levels, dtype=np.intp)

    @property
    def leaves(self) -> NDArray[np.bool_]:
        """The concepts without children."""
        above = np.asarray(self.parents, dtype=np.intp)
        leaves = np.ones(above.size, dtype=bool)
        leaves[above[above >= 0]] = False
        return leaves
