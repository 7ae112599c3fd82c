"""Agreement of measures as tables: how alike they rank the runs."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from ontoeval.comparison.rank_correlation import DISTANCES
from ontoeval.reports.results import numeric_columns
from ontoeval.reports.table import Cell, Column, Estimate, Table

if TYPE_CHECKING:
    from ontoeval.comparison.reliability import RankAgreement
    from ontoeval.comparison.study import Study

TITLES = {
    "tau_b": "Kendall's τ_b",
    "tau_ap_b": "τ_AP,b",
    "weighted_tau": "weighted τ",
    "spearman": "Spearman's ρ",
    "rbo": "rank-biased overlap",
    "ks": "Kolmogorov–Smirnov's D",
}
"""What correlations are called."""

CLOSE = 0.1
"""Measures are put into one cluster that are no farther apart: a correlation of 0.9."""

LOW = "They are no confidence intervals: a resample is noisier than the samples, so they tend to lie low."
"""Why the bounds of a correlation are not those of an interval."""

_SHORT, _TEXTS = 2, 3


def agreement(study: Study, method: str) -> Table:
    """Show how alike measures rank the runs, those that do so side by side."""
    found = study.agreements[method]
    order = found.order
    rows: list[tuple[Cell, ...]] = [
        (found.measures[one], *(_estimate(found, one, other) for other in order)) for one in order
    ]
    columns = [Column("measure"), *(Column(found.measures[other], _SHORT) for other in order)]
    distance, level = method in DISTANCES, study.comparison.plan.level
    notes = [
        f"{0 if distance else 1} is the same ranking. In brackets: where {level:.0%} of the resamples lie.",
        LOW.replace("low", "high") if distance else LOW,
        "Measures that rank these runs alike may rank others differently; which is right, this does not say.",
    ]
    return Table(f"Agreement of rankings, {TITLES[method]}", tuple(columns), tuple(rows), tuple(notes))


def agreements(study: Study) -> Table:
    """List how alike pairs of measures rank the runs, by all correlations."""
    titles = ("correlation", "measure", "other", "value", "low", "high", "standard error")
    rows: list[tuple[Cell, ...]] = []
    for method, found in study.agreements.items():
        parts = (found.values, found.low, found.high, found.error)
        for one, other in combinations(range(len(found.measures)), 2):
            values = (float(part[one, other]) for part in parts)
            rows.append((method, found.measures[one], found.measures[other], *values))
    level = study.comparison.plan.level
    notes = (
        f"low, high: where {level:.0%} of the resamples lie: other samples, the same runs.",
        LOW.replace("low", "on the side of less agreement"),
        "standard error: other runs, the same samples (jackknife).",
    )
    return Table(
        "Agreement of pairs of measures", numeric_columns(titles, _TEXTS), tuple(rows), notes, keys=_TEXTS
    )


def clusters(study: Study) -> Table:
    """List which measures rank the runs nearly alike."""
    rows = tuple(
        (method, number, ", ".join(together))
        for method, found in study.agreements.items()
        for number, together in enumerate(found.clusters(CLOSE), 1)
    )
    note = (
        f"Average linkage; the mean distance within a cluster is at most {CLOSE:g}: 1 less the correlation, "
        "or Kolmogorov–Smirnov's D itself."
    )
    return Table(
        "Clusters of measures",
        numeric_columns(("correlation", "cluster", "measures"), _TEXTS),
        rows,
        (note,),
        keys=2,
    )


def joins(study: Study) -> Table:
    """List in which order clusters of measures are joined: the tree."""
    rows: list[tuple[Cell, ...]] = []
    for method, found in study.agreements.items():
        members = list(found.measures)
        for first, second, distance, _ in found.tree:
            sides = members[int(first)], members[int(second)]
            members.append(", ".join(sides))
            rows.append((method, *sides, float(distance)))
    titles = ("correlation", "cluster", "is joined with", "distance")
    return Table("Tree of measures", numeric_columns(titles, _TEXTS), tuple(rows), keys=_TEXTS)


def _estimate(found: RankAgreement, one: int, other: int) -> Estimate:
    value, low, high = (float(part[one, other]) for part in (found.values, found.low, found.high))
    return Estimate(value, low, high)
