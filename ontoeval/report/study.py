"""Studies of measures as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from ontoeval.rank_correlation import DISTANCES
from ontoeval.report.results import DIGITS
from ontoeval.report.table import Cell, Column, Estimate, Table

if TYPE_CHECKING:
    from ontoeval.studies import RankAgreement, Sensitivity, Study
    from ontoeval.studies.entrants import Numbers

TITLES = {
    "tau_b": "Kendall's τ_b",
    "tau_ap_b": "τ_AP,b",
    "weighted_tau": "weighted τ",
    "spearman": "Spearman's ρ",
    "rbo": "rank-biased overlap",
    "ks": "Kolmogorov–Smirnov's D",
}
"""What correlations are called."""

AGREEMENT = "agreement-"
"""What the names of tables of one correlation begin with."""

CLOSE = 0.1
"""Measures are put into one cluster that are no farther apart: a correlation of 0.9."""

SHORT = 2


def tables(study: Study) -> dict[str, Table]:
    """Make all tables of a study.

    Parameters
    ----------
    study
        Of the measures.

    Returns
    -------
    dict of str to Table
        By short names, which serve as names of files: what is not known is left out.
    """
    found = {f"{AGREEMENT}{method}": agreement(study, method) for method in study.agreements}
    found |= {name: make(study) for name, make in MAKERS.items()}
    if study.sensitivity is not None:
        found["sensitivity"] = sensitivity(study.sensitivity)
    if study.behaviour is not None:
        found |= {"behaviour": study.behaviour.table(), "counterexamples": study.behaviour.counterexamples()}
    return found


def agreement(study: Study, method: str) -> Table:
    """Show how alike measures rank the runs, those that do so side by side.

    Parameters
    ----------
    study
        Of the measures.
    method
        One of its correlations.

    Returns
    -------
    Table
        Measures × measures, with intervals.
    """
    found = study.agreements[method]
    order = found.order
    rows: list[tuple[Cell, ...]] = [
        (found.measures[one], *(_estimate(found, one, other) for other in order)) for one in order
    ]
    columns = [Column("measure"), *(Column(found.measures[other], SHORT) for other in order)]
    same, level = 0 if method in DISTANCES else 1, study.comparison.plan.level
    notes = [
        f"{same} is the same ranking. In brackets: {level:.0%} intervals, other samples, same runs.",
        "Measures that rank these runs alike may rank others differently; which is right, this does not say.",
        *study.notes,
    ]
    return Table(f"Agreement of rankings, {TITLES[method]}", tuple(columns), tuple(rows), tuple(notes))


def agreements(study: Study) -> Table:
    """List how alike pairs of measures rank the runs, by all correlations.

    Parameters
    ----------
    study
        Of the measures.

    Returns
    -------
    Table
        One row per correlation and pair of measures: value, interval, standard error.
    """
    titles = ("correlation", "measure", "other", "value", "low", "high", "standard error")
    rows: list[tuple[Cell, ...]] = []
    for method, found in study.agreements.items():
        parts = (found.values, found.low, found.high, found.error)
        for one, other in combinations(range(len(found.measures)), 2):
            values = (float(part[one, other]) for part in parts)
            rows.append((method, found.measures[one], found.measures[other], *values))
    note = (
        "low, high: other samples, the same runs. standard error: other runs, the same samples (jackknife)."
    )
    return Table("Agreement of pairs of measures", _columns(titles, 3), tuple(rows), (note,))


def clusters(study: Study) -> Table:
    """List which measures rank the runs nearly alike.

    Parameters
    ----------
    study
        Of the measures.

    Returns
    -------
    Table
        One row per correlation and cluster.
    """
    rows = tuple(
        (method, number, ", ".join(together))
        for method, found in study.agreements.items()
        for number, together in enumerate(found.clusters(CLOSE), 1)
    )
    note = (
        f"Average linkage; the mean distance within a cluster is at most {CLOSE:g} (1 less the correlation)."
    )
    return Table("Clusters of measures", _columns(("correlation", "cluster", "measures"), 3), rows, (note,))


def joins(study: Study) -> Table:
    """List in which order clusters of measures are joined: the tree.

    Parameters
    ----------
    study
        Of the measures.

    Returns
    -------
    Table
        One row per correlation and join, the nearest first.
    """
    rows: list[tuple[Cell, ...]] = []
    for method, found in study.agreements.items():
        members = list(found.measures)
        for first, second, distance, _ in found.tree:
            sides = members[int(first)], members[int(second)]
            members.append(", ".join(sides))
            rows.append((method, *sides, float(distance)))
    titles = ("correlation", "cluster", "is joined with", "distance")
    return Table("Tree of measures", _columns(titles, 3), tuple(rows))


def power(study: Study) -> Table:
    """Show for how many pairs of runs each measure finds a significant difference.

    Parameters
    ----------
    study
        Of the measures.

    Returns
    -------
    Table
        One row per measure.
    """
    found = study.power
    titles = (
        "measure",
        f"pairs with p < {found.alpha:g}",
        "corrected for their number",
        "difference needed",
    )
    rows = tuple(zip(found.measures, *map(_floats, (found.share, found.adjusted, found.needed)), strict=True))
    notes = (
        f"Shares of {found.pairs:,} pairs of runs.",
        "It says how consistently a measure tells runs apart, not whether it measures what it should.",
        "difference needed: of no pair do more resamples differ by chance from what was measured.",
        *study.comparison.plan.lines,
    )
    return Table("Discriminative power", _columns(titles, 1), rows, notes)


def significance_levels(study: Study) -> Table:
    """List the p-values of each measure in descending order: its curve of achieved significance levels.

    Parameters
    ----------
    study
        Of the measures.

    Returns
    -------
    Table
        One row per measure and pair of runs.
    """
    rows = tuple(
        (measure, place, p)
        for measure, curve in zip(study.power.measures, study.power.curves.tolist(), strict=True)
        for place, p in enumerate(curve, 1)
    )
    note = "Pairs are sorted for each measure by itself. The lower the curve, the more power."
    return Table("Achieved significance levels", _columns(("measure", "pair", "p"), 2), rows, (note,))


def stability(study: Study) -> Table:
    """Show how far rankings depend on the samples.

    Parameters
    ----------
    study
        Of the measures.

    Returns
    -------
    Table
        One row per measure.
    """
    found, level = study.stability, study.comparison.plan.level
    titles = ("measure", "τ_b with resamples", "τ_b of halves", "swaps")
    rows = tuple(
        (measure, Estimate(mean, low, high), halves, swapped)
        for measure, mean, low, high, halves, swapped in zip(
            found.measures,
            *map(_floats, (found.tau, found.low, found.high, found.halves, found.swaps)),
            strict=True,
        )
    )
    notes = (
        f"resamples: mean τ_b with the ranking of all samples; {level:.0%} of them lie in the brackets.",
        "halves: of the samples, split at random. They rank less stably than all samples together do.",
        "swaps: share of the pairs of runs that two halves put in different order; a tie in one counts half.",
    )
    return Table("Stability of rankings", _columns(titles, 1), rows, notes)


def swaps(study: Study) -> Table:
    """List how often two halves of the samples disagree on runs that differ by so much.

    Parameters
    ----------
    study
        Of the measures.

    Returns
    -------
    Table
        One row per measure and range of differences.
    """
    found = study.stability
    rows = tuple(
        (measure, bounds[place], bounds[place + 1], swapped)
        for measure, bounds, shares in zip(
            found.measures, found.differences.tolist(), found.swaps_by_difference.tolist(), strict=True
        )
        for place, swapped in enumerate(shares)
    )
    note = (
        "from, up to: difference of two runs in one half. swaps: how often the other half turns them round."
    )
    return Table("Swaps by difference", _columns(("measure", "from", "up to", "swaps"), 1), rows, (note,))


def winners(study: Study) -> Table:
    """Show which runs are first by each measure, and how surely.

    Parameters
    ----------
    study
        Of the measures.

    Returns
    -------
    Table
        One row per measure.
    """
    found = study.winners
    place = {run: at for at, run in enumerate(found.runs)}
    rows: list[tuple[Cell, ...]] = []
    for column, (measure, first) in enumerate(zip(found.measures, found.first, strict=True)):
        won = sum(float(found.share[place[run], column]) for run in first) if first else None
        rows.append((measure, ", ".join(first), won))
    titles = ("measure", "first", "share of resamples won")
    note = "Several runs are first where they tie; the share is theirs together."
    return Table("Winners", _columns(titles, 2), tuple(rows), (note,))


def wins(study: Study) -> Table:
    """Show which share of the resamples each run wins, by each measure.

    Parameters
    ----------
    study
        Of the measures.

    Returns
    -------
    Table
        Runs × measures.
    """
    found = study.winners
    rows = tuple((run, *shares) for run, shares in zip(found.runs, found.share.tolist(), strict=True))
    note = "Share of the bootstrap resamples of the samples; runs that tie share a win."
    return Table("Resamples won", _columns(("run", *found.measures), 1), rows, (note,))


def winner_changes(study: Study) -> Table:
    """Show how often no run is first by both of two measures.

    Parameters
    ----------
    study
        Of the measures.

    Returns
    -------
    Table
        Measures × measures.
    """
    found = study.winners
    rows = tuple(
        (measure, *shares) for measure, shares in zip(found.measures, found.changes.tolist(), strict=True)
    )
    note = (
        "Share of the resamples in which no run is first by both: how much the choice of the measure decides."
    )
    return Table("Winner changes", _columns(("measure", *found.measures), 1), rows, (note,))


MAKERS: Mapping[str, Callable[[Study], Table]] = {
    "agreements": agreements,
    "clusters": clusters,
    "joins": joins,
    "power": power,
    "significance-levels": significance_levels,
    "stability": stability,
    "swaps": swaps,
    "winners": winners,
    "wins": wins,
    "winner-changes": winner_changes,
}
"""What makes the tables that every study has."""

NOT_ALWAYS = ("sensitivity", "behaviour", "counterexamples")
"""Tables that a study has where changes were tried, and where there is a hierarchy."""


def sensitivity(found: Sensitivity) -> Table:
    """List what becomes of each measure when labels or the ontology are changed more and more.

    Parameters
    ----------
    found
        Of the measures.

    Returns
    -------
    Table
        One row per change, amount and measure.
    """
    titles = ("changed", "kind", "amount", "measure", "score", "difference", "τ_b")
    rows: list[tuple[Cell, ...]] = []
    for curve in found.curves:
        start = found.perfect if curve.changed == "prediction" else found.unchanged
        for amount, scores, taus in zip(curve.amounts, curve.scores, curve.tau, strict=True):
            for measure, score, before, tau in zip(found.measures, scores, start, taus, strict=True):
                values = (float(score), float(score - before), float(tau))
                rows.append((curve.changed, curve.kind, amount, measure, *values))
    notes = [
        f"On {found.samples:,} samples. prediction: the truth, changed, is scored against the truth.",
        "truth, ontology: all runs are scored against a changed truth, or with a changed ontology.",
        "amount: share of the labels that are hit, or of the links that get a node; or the level taken out.",
        "score: mean of what is scored. difference, τ_b: from the score, and with the ranking, before.",
        *(f"Not tried, {what}: {reason}" for what, reason in found.skipped.items()),
    ]
    return Table("Sensitivity", _columns(titles, 4, counts=("amount",)), tuple(rows), tuple(notes))


def _columns(titles: Sequence[str], texts: int, counts: Sequence[str] = ()) -> tuple[Column, ...]:
    """Make columns, the first ones of texts and counts."""
    return tuple(
        Column(title, None if place < texts or title in counts else DIGITS)
        for place, title in enumerate(titles)
    )


def _estimate(found: RankAgreement, one: int, other: int) -> Estimate:
    value, low, high = (float(part[one, other]) for part in (found.values, found.low, found.high))
    return Estimate(value, low, high)


def _floats(numbers: Numbers) -> list[float]:
    return [float(number) for number in numbers]
