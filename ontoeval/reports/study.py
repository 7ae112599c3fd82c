"""Studies of measures: tables, figures, sections and page."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import Unpack

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.criterion import CriterionAgreement
from ontoeval.comparison.rank_correlation import DISTANCES
from ontoeval.comparison.reliability import RankCorrelation
from ontoeval.comparison.result import Comparison
from ontoeval.comparison.study import Study
from ontoeval.core.showing import Page
from ontoeval.core.table import Estimate, Table
from ontoeval.errors import pluralise
from ontoeval.reports.comparison import leaderboard, leaderboard_section
from ontoeval.reports.formats import table_of
from ontoeval.reports.marks import Intervals, Line, Lines, Matrix
from ontoeval.reports.page import About, Figure, FigureView, Section, report_page
from ontoeval.reports.sensitivity import behaviour_section, most_changed, sensitivity, sensitivity_section
from ontoeval.reports.verdicts import CLOSE, TITLES, of_study


def power(study: Study) -> Table:
    """Show for how many pairs of runs each measure finds a significant difference."""
    found = study.power
    columns = {
        "measure": found.measures,
        f"pairs with p < {found.alpha:g}": found.share,
        "corrected for their number": found.adjusted,
        "difference needed": found.needed,
    }
    notes = (
        f"Shares of {pluralise(found.pairs, 'pair')} of runs.",
        "Discriminative power is how consistently a measure separates runs, not whether it is valid.",
        "difference needed: from it on any pair differs significantly, by the bootstrap of differences.",
        *study.comparison.plan_lines,
    )
    return Table.from_columns("Discriminative power", columns, notes=notes)


def significance_levels(study: Study) -> Table:
    """List the p-values of each measure in descending order: its curve of achieved significance levels."""
    rows = (
        (measure, place, p)
        for measure, curve in zip(study.power.measures, study.power.curves.tolist(), strict=True)
        for place, p in enumerate(curve, 1)
    )
    notes = ["Pairs are sorted for each measure by itself. The lower the curve, the more power."]
    return table_of("Achieved significance levels", ("measure", "pair", "p"), rows, notes=notes, keys=2)


def stability(study: Study) -> Table:
    """Show how far rankings depend on the samples."""
    found, level = study.stability, study.comparison.plan.level
    columns = {
        "measure": found.measures,
        "τ_b with resamples": [*map(Estimate, *(one.tolist() for one in (found.tau, found.low, found.high)))],
        "τ_b of halves": found.halves.tolist(),
        "swaps": found.swaps.tolist(),
    }
    notes = (
        f"resamples: mean τ_b with the ranking of all samples; {100 * level:g}% of them lie in the brackets.",
        "halves: of the samples, split at random. They rank less stably than all samples together do.",
        "swaps: share of the pairs of runs that two halves put in different order; a tie in one counts half.",
    )
    return table_of("Stability of rankings", columns, zip(*columns.values(), strict=True), notes=notes)


def swaps(study: Study) -> Table:
    """List how often two halves of the samples disagree on runs that differ by so much."""
    found = study.stability
    differences, swapped = found.differences.tolist(), found.swaps_by_difference.tolist()
    rows = (
        (measure, *cells)
        for measure, bounds, shares in zip(found.measures, differences, swapped, strict=True)
        for cells in zip(bounds[:-1], bounds[1:], shares, strict=True)
    )
    notes = (
        "from, up to: difference of two runs in one half. swaps: how often the other half turns them round.",
        "There are as many swaps in each range, and none in the last.",
    )
    return table_of("Swaps by difference", ("measure", "from", "up to", "swaps"), rows, notes=notes, keys=3)


def winners(study: Study) -> Table:
    """Show which runs are first by each measure, and how surely."""
    found = study.winners
    shares = dict(zip(found.runs, found.share.tolist(), strict=True))
    rows = (
        (measure, ", ".join(first), sum(shares[run][at] for run in first) if first else None)
        for at, (measure, first) in enumerate(zip(found.measures, found.first, strict=True))
    )
    notes = ["Several runs are first where they tie; the share is theirs together."]
    return table_of("Winners", ("measure", "first", "share of resamples won"), rows, notes=notes)


def wins(study: Study) -> Table:
    """Show which share of the resamples each run wins, by each measure."""
    found = study.winners
    note = "Share of the bootstrap resamples of the samples; runs that tie share a win."
    return Table.from_matrix("Resamples won", "run", found.runs, found.measures, found.share, notes=[note])


def winner_changes(study: Study) -> Table:
    """Show how often no run is first by both of two measures."""
    found = study.winners
    note = "Share of resamples in which no run is first by both. Where runs hardly differ, that is chance."
    measures, title = found.measures, "Winner changes"
    return Table.from_matrix(title, "measure", measures, measures, found.changes, notes=[note])


LOW = "They are no confidence intervals: a resample is noisier than the samples, so they tend to lie low."
"""Why the bounds of a correlation are not those of an interval."""


def agreement(study: Study, method: str) -> Table:
    """Show how alike measures rank the runs, those that do so side by side."""
    found = study.agreements[method]
    order, parts = found.order, [part.tolist() for part in (found.values, found.low, found.high)]
    rows = (
        (found.measures[one], *(Estimate(*(part[one][other] for part in parts)) for other in order))
        for one in order
    )
    distance, share = method in DISTANCES, f"{100 * study.comparison.plan.level:g}%"
    notes = [
        f"{0 if distance else 1} is the same ranking.",
        f"In brackets: where {share} of the resamples lie. {LOW.replace('low', 'high') if distance else LOW}",
        "Measures that rank these runs alike may rank others differently; which is right, this does not say.",
    ]
    titles = ("measure", *(found.measures[at] for at in order))
    return table_of(f"Agreement of rankings, {TITLES[method]}", titles, rows, digits=2, notes=notes)


def agreements(study: Study) -> Table:
    """List how alike pairs of measures rank the runs, by all correlations."""
    titles = ("correlation", "measure", "other", "value", "low", "high", "standard error")
    rows = (
        (method, found.measures[one], found.measures[other], *(float(part[one, other]) for part in parts))
        for method, found in study.agreements.items()
        for parts in [(found.values, found.low, found.high, found.error)]
        for one, other in combinations(range(len(found.measures)), 2)
    )
    level = study.comparison.plan.level
    notes = (
        f"low, high: where {100 * level:g}% of the resamples lie: other samples, the same runs.",
        LOW.replace("low", "on the side of less agreement"),
        "standard error: other runs, the same samples (jackknife).",
    )
    return table_of("Agreement of pairs of measures", titles, rows, notes=notes, keys=3)


def criterion(found: CriterionAgreement) -> Table:
    """Show how far each measure orders the runs as the criterion does."""
    low, high = found.accuracy_interval
    rows = (
        (
            found.measures[at],
            Estimate(float(found.accuracy[at]), float(low[at]), float(high[at])),
            float(found.tau[at]),
            float(found.p_values[at]),
        )
        for at in found.order
    )
    soft = "1 less the mean difference of the one-sided p-values by measure and criterion"
    notes = [
        f"accuracy: {soft}, over pairs of {found.units} (soft pairwise accuracy).",
        f"In brackets: {100 * found.interval_level:g}% intervals over {found.units}, samples being fixed.",
    ]
    if np.isfinite(found.p_chance):
        random = "A random order of these is fitted as well by some measure with p ="
        notes.append(f"{random} {found.p_chance:.2g}; the criterion in reverse: p = {found.p_reverse:.2g}.")
    titles = ("measure", "accuracy", "τ_b of the runs", "p against the first")
    return table_of("Agreement with the criterion", titles, rows, notes=notes)


def clusters(study: Study) -> Table:
    """List which measures rank the runs nearly alike."""
    rows = (
        (method, number, ", ".join(together))
        for method, found in study.agreements.items()
        for number, together in enumerate(found.clusters(CLOSE), 1)
    )
    note = (
        f"Average linkage; the mean distance within a cluster is at most {CLOSE:g}: 1 less the correlation, "
        "or Kolmogorov–Smirnov's D itself."
    )
    titles = ("correlation", "cluster", "measures")
    return table_of("Clusters of measures", titles, rows, notes=[note], keys=2)


RARE = 0.001  # below this share swaps are not drawn
MOST = 60  # runs that are drawn: those that win most


def rank_matrix(found: RankCorrelation) -> Matrix:
    """Draw how alike measures rank the runs, those that do so side by side, and joined by a tree."""
    order, name = list(found.order), TITLES.get(found.method, found.method)
    measures = [found.measures[at] for at in order]
    signed = found.limits[0] < 0
    return Matrix(
        found.values[np.ix_(order, order)],
        measures,
        measures,
        scale="direction" if signed else "amount",
        limits=(-1.0, 1.0) if signed else found.limits,
        reading=f"<b>%{{y}}</b><br><b>%{{x}}</b><br>{name} = %{{z:.4f}}",
        numbers=".2f",
        tree=found.tree,
    )


def power_curves(study: Study) -> Lines:
    """Draw the p-values of all pairs of runs, the largest first, and the level of significance."""
    found = study.power
    pairs = np.arange(1, found.pairs + 1)
    order = found.order.tolist()
    return Lines(
        [Line(found.measures[at], pairs, np.resize(found.curves[at], pairs.size), at) for at in order],
        titles=(
            f"pairs of runs ({found.pairs:,}), the largest p first",
            f"p; the line is α = {found.alpha:g}",
        ),
        reading="pair %{x}: p = %{y:.4f}",
        ranges=([0.5, found.width], [0, min(1.0, 4 * found.alpha)]),
        threshold=found.alpha,
    )


def stability_intervals(study: Study) -> Intervals:
    """Draw how alike resamples rank the runs, and how alike two halves of the samples do."""
    found = study.stability
    order = found.order.tolist()
    return Intervals(
        [found.measures[at] for at in order],
        *(side[order] for side in (found.tau, found.low, found.high)),
        title="τ_b of the rankings",
        level=study.comparison.plan.level,
        bounds="of the resamples",
        beside=("resamples", "two halves", found.halves[order]),
    )


def wins_matrix(study: Study, order: NDArray[np.intp]) -> Matrix:
    """Draw the share of the resamples that each of some runs wins."""
    found = study.winners
    return Matrix(
        found.share[order],
        [found.runs[at] for at in order.tolist()],
        found.measures,
        scale="amount",
        reading="<b>%{y}</b> wins %{z:.1%} of the resamples<br>by <b>%{x}</b>",
        numbers=".0%",
    )


def agreement_section(study: Study) -> Section:
    """Show how alike measures rank the runs."""
    names = [TITLES.get(method, method) for method in study.agreements]
    views = [FigureView(rank_matrix(one), agreement(study, key)) for key, one in study.agreements.items()]
    text = (
        "Measures that rank the runs alike stand together; the tree joins them at the mean distance of their "
        "clusters. Measures that agree on these runs may not agree on others. Bounds in the table: where "
        f"{100 * study.comparison.plan.level:g}% of the bootstrap resamples lie. {LOW}"
    )
    lead = "How alike measures rank these runs. Runs that hardly differ lower that, whatever the measures."
    figure = Figure("Correlation of rankings", views, [("Correlation", names)], text)
    return Section("agreement", "Agreement", lead, [figure])


def power_section(study: Study) -> Section:
    """Show for how many pairs of runs each measure finds a significant difference."""
    table = power(study)
    table = replace(table, notes=table.notes[: -len(study.comparison.plan_lines)])  # the leaderboard has them
    view = FigureView(table=table)
    figures = [Figure("Pairs of runs that differ significantly", [view], open_table=True)]
    if study.power.pairs > 1:
        text = (
            "p-values of the pairs of runs, of each measure in its own order: the sooner a curve falls below "
            "the line, the more pairs the measure tells apart."
        )
        view = FigureView(power_curves(study), significance_levels(study))
        figures.append(Figure("Achieved significance levels", [view], text=text))
    return Section("power", "Discriminative power", "How often a measure finds a difference.", figures)


def stability_section(study: Study) -> Section:
    """Show how far rankings depend on the samples."""
    figures = [
        Figure(
            "Rankings of other samples",
            [FigureView(stability_intervals(study), stability(study))],
            text="τ_b with the ranking of all samples, 1 where both rank alike. Dots: mean of the bootstrap "
            f"resamples, and where {100 * study.comparison.plan.level:g}% of them lie. Diamonds: of random "
            "halves with each other, which rank less steadily than all samples do.",
        )
    ]
    swapped = swap_curves(study)
    if swapped.lines:
        text = (
            "How often one half of the samples swaps two runs that differ by more than this in the other "
            "half: where a line is near 0, the order of two runs can be trusted. At the left are all pairs."
        )
        figures.append(Figure("Swaps", [FigureView(swapped, swaps(study))], text=text))
    lead = "Would other samples have ranked the runs alike?"
    return Section("stability", "Stability", lead, figures)


def swap_curves(study: Study) -> Lines:
    """Draw the share of swaps among the pairs of runs that differ by more than so much."""
    found = study.stability
    order = np.argsort(np.nan_to_num(found.swaps, nan=2.0), kind="stable").tolist()
    bounded = [at for at in order if np.isfinite(found.differences[at]).all()]
    lines = [
        Line(found.measures[at], bounds[:-1] / bounds[-1], found.swaps_beyond[at], at)
        for at in bounded
        for bounds in [found.differences[at]]
    ]
    ends = [np.asarray(line.x)[np.nan_to_num(line.y) > RARE] for line in lines]
    last = max((float(some.max()) for some in ends if some.size), default=0.9)
    return Lines(
        lines,
        titles=("difference above, in parts of the largest", "share of swaps"),
        reading="above %{x:.1%} of the largest difference: %{y:.1%} swapped",
        ranges=([0, min(1.0, 1.2 * last) or 0.1], None),
        axes=({"tickformat": ".1~%"}, {"tickformat": ".1~%", "rangemode": "tozero"}),
    )


def winners_section(study: Study) -> Section:
    """Show which runs come first, and how much the choice of the measure decides."""
    found = study.winners
    places = list(next(iter(study.agreements.values())).order)
    names = [found.measures[at] for at in places]
    changed = Matrix(
        found.changes[np.ix_(places, places)],
        names,
        names,
        scale="amount",
        reading="<b>%{y}</b><br><b>%{x}</b><br>no common winner in %{z:.1%} of the resamples",
        numbers=".0%",
    )
    said = "Share of the resamples in which no run is first by both measures."
    text = "Share of the bootstrap resamples that a run wins; runs that tie share a win. Most wins first."
    if len(found.runs) > MOST:
        text += f" Of {len(found.runs):,} runs the {MOST} that win most are drawn."
    figures = [
        Figure("Resamples won", [FigureView(wins_matrix(study, found.order[:MOST]), wins(study))], text=text),
        Figure("Winner changes", [FigureView(changed, winner_changes(study))], text=said),
    ]
    return Section("winners", "Winners", "Who is first, how surely, and by which measure.", figures)


def _leaderboard(comparison: Comparison) -> Table:
    """Make the leaderboard without the runs that predict the same, which the notes of the study name."""
    board = leaderboard(comparison)
    return replace(board, notes=tuple(note for note in board.notes if note not in comparison.same))


LEADERBOARD = "leaderboard"  # name of the table of scores, from which all others are made

MAKERS: Mapping[str, Callable[[Study], Table]] = {
    LEADERBOARD: lambda study: _leaderboard(study.comparison),
    "agreements": agreements,
    "clusters": clusters,
    "power": power,
    "significance-levels": significance_levels,
    "stability": stability,
    "swaps": swaps,
    "winners": winners,
    "wins": wins,
    "winner-changes": winner_changes,
}
"""The function of each table that every study has."""

NOT_ALWAYS = ("sensitivity", "changes", "behaviour", "counterexamples", "criterion")
"""Tables that a study has where changes were tried, where there is a hierarchy, or a criterion."""


AGREEMENT = "agreement-"  # prefix of the names of tables of one correlation


def tables(study: Study) -> dict[str, Table]:
    """Make all tables of a study."""
    found = {f"{AGREEMENT}{method}": agreement(study, method) for method in study.agreements}
    found |= {name: make(study) for name, make in MAKERS.items()}
    if study.sensitivity is not None:
        found["sensitivity"] = sensitivity(study.sensitivity)
        found["changes"] = most_changed(study.sensitivity)
    if study.behaviour is not None:
        found |= study.behaviour.tables()
    if study.criterion is not None:
        found["criterion"] = criterion(study.criterion)
    return found


def briefly(study: Study) -> Table:
    """Put the tables below each other that most people ask for."""
    made = tables(study)
    shown = (f"{AGREEMENT}{next(iter(study.agreements))}", "power", "stability", "winners")
    notes = (*study.notes, f".tables() has {len(made)} tables: {', '.join(made)}.")
    parts = tuple(replace(made[name], notes=()) for name in shown)
    return replace(parts[0], title="Study", notes=notes, parts=parts)


def criterion_section(study: Study) -> Section | None:
    """Show which measures order the runs as the criterion does."""
    found = study.criterion
    if found is None:
        return None
    order, table = list(found.order), criterion(found)
    plot = Intervals(
        [found.measures[at] for at in order],
        *(side[order] for side in (found.accuracy, *found.accuracy_interval)),
        title="soft pairwise accuracy",
        level=found.interval_level,
    )
    lead = "Which measures order the teams as the criterion from outside does."
    return Section("criterion", "Criterion", lead, [Figure("Accuracy", [FigureView(plot, table)])])


SECTIONS: Sequence[Callable[[Study], Section | None]] = (
    criterion_section,
    agreement_section,
    power_section,
    stability_section,
    winners_section,
    sensitivity_section,
    behaviour_section,
)
"""The function of each section after the scores; the recipe ends the page."""


def report(
    study: Study,
    *,
    title: str = "Study of measures",
    teams: Mapping[str, str] | None = None,
    **about: Unpack[About],
) -> Page:
    """Write the report of a study: one HTML page that needs nothing else."""
    made = [leaderboard_section(study.comparison, teams, pairs=False), *(make(study) for make in SECTIONS)]
    facts = [
        ("measures", f"{len(study.entrants.measures):,}"),
        ("runs", f"{len(study.entrants):,}"),
        ("pairs of runs", f"{study.power.pairs:,}"),
        ("samples", f"{study.comparison.first.totals.samples:,}"),
    ]
    recipe = [*study.signature.splitlines(), *study.notes]
    return report_page(title, made, recipe, facts=facts, head=of_study(study), **about)
