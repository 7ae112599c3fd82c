"""How the scores of single samples are spread."""

from __future__ import annotations

from ontoeval.comparison.result import Comparison
from ontoeval.measures.base import info
from ontoeval.reports.html.page import Figure, Section, View
from ontoeval.reports.plots import distributions
from ontoeval.reports.plotting import binned
from ontoeval.reports.selection import per_sample
from ontoeval.reports.table import Cell, Column, Table

BINS = 40


def spread(comparison: Comparison) -> Section | None:
    """Show how the scores of samples are spread, run by run."""
    views, notations = [], []
    order = [comparison.runs[run] for run in comparison.order()]
    named = {run: f"{run} (baseline)" if run in comparison.baselines else run for run in order}
    for notation, measure in comparison.measures.items():
        scores = per_sample(comparison, notation)
        if not scores:
            continue
        bounds = info(measure, "bounds")
        runs = {named[run]: scores[run] for run in order}
        plot = distributions(runs, title=f"{notation} of a sample", bounds=bounds, bins=BINS)
        rows: list[tuple[Cell, ...]] = []
        for run, values in runs.items():
            edges, shares = (part.round(6) for part in binned(values, bounds, BINS))
            rows += [
                (run, low, high, share)
                for low, high, share in zip(
                    edges[:-1].tolist(), edges[1:].tolist(), shares.tolist(), strict=True
                )
                if share
            ]
        columns = (Column("run"), *(Column(title, 4) for title in ("from", "to", "share of samples")))
        views.append(View(plot, Table(f"{notation} of samples", columns, tuple(rows))))
        notations.append(notation)
    if not views:
        return None
    text = (
        f"Each ridge holds the scores of all samples, counted in {BINS} intervals and drawn to its own "
        "height; the diamond is their mean."
    )
    figure = Figure("Distribution per run", views, [("Measure", tuple(notations))], text)
    return Section(
        "samples",
        "Scores of samples",
        "Equal means can hide unequal runs: a few bad misses, or many small ones.",
        [figure],
    )
