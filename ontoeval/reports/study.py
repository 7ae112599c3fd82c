"""Studies of measures as tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from ontoeval.reports.comparison import leaderboard
from ontoeval.reports.rankings import agreement, agreements, clusters, joins
from ontoeval.reports.results import numeric_columns
from ontoeval.reports.sensitivity import most_changed, sensitivity
from ontoeval.reports.table import Cell, Estimate, Table

if TYPE_CHECKING:
    from ontoeval.comparison.reliability import Numbers
    from ontoeval.comparison.study import Study

AGREEMENT = "agreement-"
"""What the names of tables of one correlation begin with."""


def tables(study: Study) -> dict[str, Table]:
    """Make all tables of a study."""
    found = {f"{AGREEMENT}{method}": agreement(study, method) for method in study.agreements}
    found |= {name: make(study) for name, make in MAKERS.items()}
    if study.sensitivity is not None:
        found["sensitivity"] = sensitivity(study.sensitivity)
        found["changes"] = most_changed(study.sensitivity)
    if study.behaviour is not None:
        found |= {"behaviour": study.behaviour.table(), "counterexamples": study.behaviour.counterexamples()}
    return found


def power(study: Study) -> Table:
    """Show for how many pairs of runs each measure finds a significant difference."""
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
        "difference needed: from it on any pair differs significantly, by the bootstrap of differences.",
        *study.comparison.plan.lines,
    )
    return Table("Discriminative power", numeric_columns(titles, 1), rows, notes)


def significance_levels(study: Study) -> Table:
    """List the p-values of each measure in descending order: its curve of achieved significance levels."""
    rows = tuple(
        (measure, place, p)
        for measure, curve in zip(study.power.measures, study.power.curves.tolist(), strict=True)
        for place, p in enumerate(curve, 1)
    )
    note = "Pairs are sorted for each measure by itself. The lower the curve, the more power."
    return Table(
        "Achieved significance levels", numeric_columns(("measure", "pair", "p"), 2), rows, (note,), keys=2
    )


def stability(study: Study) -> Table:
    """Show how far rankings depend on the samples."""
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
    return Table("Stability of rankings", numeric_columns(titles, 1), rows, notes)


def swaps(study: Study) -> Table:
    """List how often two halves of the samples disagree on runs that differ by so much."""
    found = study.stability
    rows = tuple(
        (measure, bounds[place], bounds[place + 1], swapped)
        for measure, bounds, shares in zip(
            found.measures, found.differences.tolist(), found.swaps_by_difference.tolist(), strict=True
        )
        for place, swapped in enumerate(shares)
    )
    notes = (
        "from, up to: difference of two runs in one half. swaps: how often the other half turns them round.",
        "There are as many swaps in each range, and none in the last.",
    )
    return Table(
        "Swaps by difference", numeric_columns(("measure", "from", "up to", "swaps"), 1), rows, notes, keys=3
    )


def winners(study: Study) -> Table:
    """Show which runs are first by each measure, and how surely."""
    found = study.winners
    place = {run: at for at, run in enumerate(found.runs)}
    rows: list[tuple[Cell, ...]] = []
    for column, (measure, first) in enumerate(zip(found.measures, found.first, strict=True)):
        won = sum(float(found.share[place[run], column]) for run in first) if first else None
        rows.append((measure, ", ".join(first), won))
    titles = ("measure", "first", "share of resamples won")
    note = "Several runs are first where they tie; the share is theirs together."
    return Table("Winners", numeric_columns(titles, 2), tuple(rows), (note,))


def wins(study: Study) -> Table:
    """Show which share of the resamples each run wins, by each measure."""
    found = study.winners
    rows = tuple((run, *shares) for run, shares in zip(found.runs, found.share.tolist(), strict=True))
    note = "Share of the bootstrap resamples of the samples; runs that tie share a win."
    return Table("Resamples won", numeric_columns(("run", *found.measures), 1), rows, (note,))


def winner_changes(study: Study) -> Table:
    """Show how often no run is first by both of two measures."""
    found = study.winners
    rows = tuple(
        (measure, *shares) for measure, shares in zip(found.measures, found.changes.tolist(), strict=True)
    )
    note = (
        "Share of the resamples in which no run is first by both: how much the choice of the measure decides."
    )
    return Table("Winner changes", numeric_columns(("measure", *found.measures), 1), rows, (note,))


LEADERBOARD = "leaderboard"
"""What the table of the scores is called, of which all others are made."""

MAKERS: Mapping[str, Callable[[Study], Table]] = {
    LEADERBOARD: lambda study: leaderboard(study.comparison),
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

NOT_ALWAYS = ("sensitivity", "changes", "behaviour", "counterexamples")
"""Tables that a study has where changes were tried, and where there is a hierarchy."""


def _floats(numbers: Numbers) -> list[float]:
    return [float(number) for number in numbers]
