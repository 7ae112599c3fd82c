"""Measures by how they rank runs: alike, apart, steadily, and who comes first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.reliability import RankAgreement
from ontoeval.comparison.study import Study
from ontoeval.reports import rankings
from ontoeval.reports import study as tables
from ontoeval.reports.html.page import Figure, Section, View
from ontoeval.reports.plots import bars, intervals, square
from ontoeval.reports.plots_lines import Line, lines
from ontoeval.reports.plots_trees import beside
from ontoeval.reports.plotting import ACCENT, MARK
from ontoeval.reports.table import Table

WRITTEN = 20
"""Up to how many columns numbers are written into cells."""

RARE = 0.001
"""Below this share swaps are not drawn."""

MOST = 60
"""Runs that are drawn: those that win most."""


def agreement(study: Study) -> Section:
    """Show how alike measures rank the runs."""
    names = [rankings.TITLES.get(method, method) for method in study.agreements]
    views = [
        View(_matrix(found, name), rankings.agreement(study, method))
        for (method, found), name in zip(study.agreements.items(), names, strict=True)
    ]
    text = (
        "Measures that rank the runs alike stand together; the tree joins them at the mean distance of their "
        "clusters. Measures that agree on these runs may not agree on others. The numbers tell where the "
        f"middle of the resamples lies. {rankings.LOW}"
    )
    clusters = _only(rankings.clusters(study), tuple(study.agreements))
    figures = [
        Figure("Correlation of rankings", views, [("Correlation", names)], text),
        Figure(
            "Clusters", [View(table=table) for table in clusters], [("Correlation", names)], open_table=True
        ),
    ]
    lead = "Where two measures agree one of them is enough; where they do not, the choice decides who wins."
    return Section("agreement", "Agreement", lead, figures)


def _matrix(found: RankAgreement, name: str) -> Any:  # noqa: ANN401 - a figure of plotly
    order = list(found.order)
    measures = [found.measures[at] for at in order]
    values = found.values[np.ix_(order, order)]
    limits = found.limits
    plot = square(
        values,
        measures,
        measures,
        scale="direction" if limits[0] < 0 else "amount",
        limits=(-1.0, 1.0) if limits[0] < 0 else limits,
        reading=f"<b>%{{y}}</b><br><b>%{{x}}</b><br>{name} = %{{z:.4f}}",
        numbers=".2f" if len(measures) <= WRITTEN else "",
    )
    return beside(plot, found.tree, len(measures))


def _only(table: Table, methods: tuple[str, ...]) -> list[Table]:
    """Take the rows of each correlation apart."""
    return [
        Table(
            table.title,
            table.columns[1:],
            tuple(row[1:] for row in table.rows if row[0] == method),
            table.notes,
        )
        for method in methods
    ]


def power(study: Study) -> Section:
    """Show for how many pairs of runs each measure finds a significant difference."""
    found = study.power
    order = found.order.tolist()
    plain, corrected = (
        bars(
            [found.measures[at] for at in order],
            [_shown(side[at]) for at in order],
            ["measures"] * len(order),
            title=title,
            reading=[
                f"{found.measures[at]}: {_shown(side[at]):.1%} of {found.pairs:,} pairs" for at in order
            ],
        )
        for side, title in (
            (found.share, f"share of pairs with p < {found.alpha:g}"),
            (found.adjusted, "share after the correction"),
        )
    )
    for plot in (plain, corrected):
        plot.update_xaxes(range=[0, 1.01], tickformat=".0%")
    table = tables.power(study)
    curves = [
        Line(found.measures[at], np.arange(1, found.pairs + 1), np.resize(found.curves[at], found.pairs))
        for at in order
    ]
    drawn = lines(
        curves,
        titles=(f"pairs of runs, of {found.pairs:,}", "p-value"),
        reading="pair %{x}: p = %{y:.4f}",
        ranges=([0.5, found.width], [0, min(1.0, 4 * found.alpha)]),
        threshold=found.alpha,
    )
    figures = [
        Figure(
            "Pairs of runs told apart",
            [View(plain, table), View(corrected, table)],
            [("Show", ("every test by itself", "corrected for their number"))],
            "How consistently a measure tells runs apart: not whether it measures what it should.",
        ),
        Figure(
            "Achieved significance levels",
            [View(drawn, tables.significance_levels(study))],
            text="All p-values of a measure, the largest first: the sooner a curve falls below the dotted "
            "line, the more pairs the measure tells apart.",
        ),
    ]
    return Section("power", "Discriminative power", "How often a measure finds a difference.", figures)


def _shown(value: float) -> float:
    return 0.0 if np.isnan(value) else float(value)


def stability(study: Study) -> Section:
    """Show how far rankings depend on the samples."""
    found = study.stability
    order = found.order.tolist()
    names = [found.measures[at] for at in order]
    plot = intervals(
        names,
        *(side[order] for side in (found.tau, found.low, found.high)),
        title="τ_b of the rankings",
        level=study.comparison.plan.level,
        bounds="of the resamples",
    )
    halves = found.halves[order]
    ends = np.concatenate([halves, found.low[order], found.high[order]])
    plot.add_scatter(
        x=[None if np.isnan(value) else value for value in halves.tolist()],
        y=list(range(len(names))),
        mode="markers",
        name="two halves",
        marker={"color": MARK, "size": 9, "symbol": "diamond-open"},
        hovertemplate="two halves: %{x:.4f}<extra></extra>",
    )
    plot.update_traces(name="resamples", showlegend=True, selector={"marker.color": ACCENT})
    plot.update_layout(showlegend=True, legend={"orientation": "h", "y": 1, "yanchor": "bottom", "x": 0})
    known = ends[np.isfinite(ends)]
    if known.size:
        plot.update_xaxes(range=[float(known.min()) - 0.02, float(known.max()) + 0.02])
    curves = [
        Line(found.measures[at], _middles(found.differences[at]), found.swaps_by_difference[at])
        for at in order
        if np.isfinite(found.differences[at]).all()
    ]
    swapped = lines(
        curves,
        titles=("difference, as a part of the largest", "share of swaps"),
        reading="at %{x:.0%} of the largest difference: %{y:.1%} swapped",
        ranges=([0, _last(curves)], None),
    )
    swapped.update_xaxes(tickformat=".0%")
    swapped.update_yaxes(tickformat=".0%", rangemode="tozero")
    figures = [
        Figure(
            "Rankings of other samples",
            [View(plot, tables.stability(study))],
            text="Dots: bootstrap resamples, and where the middle of them lies. Diamonds: random halves, "
            "which rank less steadily than all samples do.",
        )
    ]
    if curves:
        text = "How often one half of the samples turns two runs round that differ by so much in the other."
        figures.append(Figure("Swaps", [View(swapped, tables.swaps(study))], text=text))
    lead = "Would other samples have ranked the runs alike?"
    return Section("stability", "Stability", lead, figures)


def _last(curves: Sequence[Line]) -> float:
    """Tell up to which difference there are swaps worth drawing."""
    ends = [np.asarray(line.x)[np.nan_to_num(line.y) > RARE] for line in curves]
    return min(1.0, max((float(some.max()) for some in ends if some.size), default=0.9) + 0.1)


def _middles(bounds: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.asarray((bounds[1:] + bounds[:-1]) / 2 / bounds[-1])


def winners(study: Study) -> Section:
    """Show which runs come first, and how much the choice of the measure decides."""
    found = study.winners
    order = found.order[:MOST]
    runs = [found.runs[at] for at in order.tolist()]
    written = ".0%" if len(found.measures) <= WRITTEN else ""
    won = square(
        found.share[order],
        runs,
        found.measures,
        scale="amount",
        limits=(0.0, 1.0),
        reading="<b>%{y}</b> wins %{z:.1%} of the resamples<br>by <b>%{x}</b>",
        numbers=written,
    )
    places = list(next(iter(study.agreements.values())).order)
    names = [found.measures[at] for at in places]
    changed = square(
        found.changes[np.ix_(places, places)],
        names,
        names,
        scale="amount",
        limits=(0.0, 1.0),
        reading="<b>%{y}</b><br><b>%{x}</b><br>no common winner in %{z:.1%} of the resamples",
        numbers=written,
    )
    text = "Share of the bootstrap resamples that a run wins; runs that tie share a win."
    if len(found.runs) > MOST:
        text += f" Of {len(found.runs):,} runs the {MOST} that win most are drawn."
    figures = [
        Figure("First by each measure", [View(table=tables.winners(study))], open_table=True),
        Figure("Resamples won", [View(won, tables.wins(study))], text=text),
        Figure(
            "Winner changes",
            [View(changed, tables.winner_changes(study))],
            text="Share of the resamples in which no run is first by both measures.",
        ),
    ]
    return Section("winners", "Winners", "Who is first, how surely, and by which measure.", figures)
