"""The tree of concepts as an icicle, coloured by a value."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ontoeval.reports.plotted_names import SEPARATORS, text_of
from ontoeval.reports.plotting import PALE, colours_of, figure_of

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

LEVELS, ROW, SMALLEST = 6, 20, 10
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
    height = max(420, min(2_600, 60 + ROW * int((~inner).sum())))
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
