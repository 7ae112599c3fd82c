"""The tree of clusters beside a matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ontoeval.reports.plotting import MUTED

if TYPE_CHECKING:
    from plotly.graph_objects import Figure

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
