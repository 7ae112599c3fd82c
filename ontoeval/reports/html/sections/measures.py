"""Whether the measures agree about the runs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import leaves_list, linkage
from scipy.spatial.distance import squareform

from ontoeval.comparison.rank_correlation import tau_b
from ontoeval.comparison.result import Comparison
from ontoeval.reports.html.page import Figure, Section, View
from ontoeval.reports.plots import square
from ontoeval.reports.table import Column, Table

FEWEST = 3
"""Runs that an order needs before two of them can agree a little."""

WRITTEN = 16


def agreement_of_measures(comparison: Comparison) -> Section | None:
    """Show how alike measures order the runs."""
    own = comparison.competing.sum()
    if own < FEWEST or len(comparison.measures) == 1:
        return None
    merits = comparison.merits[comparison.competing].T
    taus = tau_b(merits[:, None], merits[None])
    order = alike_together(taus)
    names = [list(comparison.measures)[at] for at in order]
    taus = taus[np.ix_(order, order)]
    plot = square(
        taus,
        names,
        names,
        scale="direction",
        limits=(-1.0, 1.0),
        reading="<b>%{y}</b><br><b>%{x}</b><br>τ-b = %{z:.4f}",
        numbers=".2f" if len(names) <= WRITTEN else "",
    )
    columns = (Column("measure"), *(Column(name, 4) for name in names))
    table = Table(
        "Kendall's τ-b of measures",
        columns,
        tuple((name, *row) for name, row in zip(names, taus.tolist(), strict=True)),
    )
    text = (
        f"Kendall's τ-b over {own} runs: 1 where two measures order them alike, -1 where one is the "
        "other's reverse. Measures that agree stand together."
    )
    return Section(
        "measures",
        "Agreement of measures",
        "Where two measures agree one of them is enough; where they do not, the choice decides who wins.",
        [Figure("Rank correlation", [View(plot, table)], text=text)],
    )


def alike_together(taus: NDArray[np.float64]) -> list[int]:
    """Order what was compared so that those that agree are neighbours; what is undefined is far from all."""
    distances = 1 - np.nan_to_num(taus)
    np.fill_diagonal(distances, 0.0)
    tree = linkage(squareform(distances, checks=False), "average", optimal_ordering=True)
    return [int(leaf) for leaf in leaves_list(tree)]
