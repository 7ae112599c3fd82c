"""Verdicts: the first sentences of a page, computed from its result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

import numpy as np

from ontoeval.annotators.agreement import AnnotatorAgreement
from ontoeval.audit.findings import SEVERITIES, Findings
from ontoeval.comparison.rank_correlation import DISTANCES
from ontoeval.comparison.reliability import FEWEST_RUNS, RankCorrelation
from ontoeval.comparison.result import Comparison
from ontoeval.comparison.study import Study
from ontoeval.core.table import DIGITS, written
from ontoeval.errors import enumerate_some, listed, pluralise
from ontoeval.measures.base import info

LEAST = 3  # concepts that are named as those on which annotators agree least


def of_comparison(comparison: Comparison) -> str:
    """Which run is best, by how much, whether that is significant, and whether a baseline stands above."""
    return " ".join(filter(None, [best_run(comparison), comparison.against_baselines]))


def best_run(comparison: Comparison) -> str:
    """Which run is best by the first measure, by how much, and whether that is significant."""
    notation, measure = next(iter(comparison.measures.items()))
    ranks = comparison.ranks[:, 0]
    order = [run for run in comparison.order() if ranks[run]]
    if not order:
        return f"{notation} is undefined for every run." if comparison.competing.any() else ""
    runs, scores, merits = comparison.runs, comparison.scores[:, 0], comparison.merits[:, 0]
    best_score = f"{notation} {written(float(scores[order[0]]), DIGITS)}"
    if len(order) == 1:
        low, high = (float(side[order[0], 0]) for side in (comparison.low, comparison.high))
        bounds = f"{comparison.plan.level:.0%} interval {written(low, DIGITS)} to {written(high, DIGITS)}"
        return f"The run {runs[order[0]]!r} has {best_score}" + (f" ({bounds})." if np.isfinite(low) else ".")
    first = [run for run in order if ranks[run] == 1]
    best = "best" if info(measure, "best") is not None else "highest"
    if len(first) > 1:
        tied = f"{enumerate_some(runs[run] for run in first)} tie"
        return f"{tied} as the {best} of {len(order):,} runs ({best_score})."
    second = [run for run in order if ranks[run] == ranks[order[1]]]
    ahead = written(float(merits[order[0]] - merits[order[1]]), DIGITS)
    ahead = f"less than {10.0**-DIGITS:.{DIGITS}f}" if not float(ahead.replace(",", "")) else ahead
    return (
        f"{runs[order[0]]!r} is the {best} of {len(order):,} runs ({best_score}), {ahead} ahead of "
        f"{enumerate_some(runs[run] for run in second)}; {_tested(comparison, order[0], second)}."
    )


def _tested(comparison: Comparison, best: int, others: Sequence[int]) -> str:
    """Whether a run differs significantly from all of some others."""
    p, alpha = float(np.max(comparison.adjusted[0, best, others])), comparison.plan.alpha
    if np.isnan(p):
        return "the difference was not tested"
    kind = "p" if comparison.plan.correction == "none" else "adjusted p"
    verb = "is" if p < alpha else "is not"
    level = f"= {p:.3g}" if p >= alpha or float(f"{p:.3g}") < alpha else f"< {alpha:g}"
    return f"the difference {verb} significant ({kind} {level})"


def of_findings(findings: Findings) -> str:
    """How many errors in how many samples, or how many checks were passed."""
    among = ""
    if findings.samples:
        among = f" in {pluralise(len(findings.samples), 'sample')}"
    elif findings.hierarchy is not None:
        among = f" among {pluralise(len(findings.hierarchy.vocabulary), 'concept')}"
    accepted = findings.facts.get("accepted", 0)
    known = f" {pluralise(accepted, 'accepted finding')} left out." * bool(accepted)
    counts = Counter(finding.severity for finding in findings)
    if not counts:
        if accepted or not findings.checks:
            return f"Nothing {'new ' * bool(accepted)}was found{among}.{known}"
        return f"Passed {pluralise(len(findings.checks), 'check')}: nothing was found{among}."
    rest = " and ".join(pluralise(counts[level], level) for level in SEVERITIES[1:])
    errors = [finding for finding in findings if finding.severity == "error"]
    if not errors:
        return f"No errors{among}; {rest}.{known}"
    rows = np.unique(np.concatenate([finding.rows for finding in errors])).size
    where = f" in {rows:,} of {pluralise(len(findings.samples), 'sample')}" if rows else among
    rule, most = Counter(finding.rule for finding in errors).most_common(1)[0]
    by = f", {'all' if most == len(errors) else f'{most:,}'} by the rule {rule!r}" if len(errors) > 1 else ""
    return f"{pluralise(len(errors), 'error')}{where}{by}; {rest}.{known}"


def of_agreement(agreement: AnnotatorAgreement) -> str:
    """How far annotators agree, and on which concepts least."""
    number, level = len(agreement.annotations.annotators), f"{agreement.options.level:.0%}"
    mean, values = agreement.estimates.mean["alpha"], agreement.estimates.concepts["alpha"].value
    order = [at for at in np.argsort(values, kind="stable").tolist() if np.isfinite(values[at])]
    share = float(agreement.estimates.mean["majority"].value)
    who = pluralise(number, "annotator")
    if not order or not np.isfinite(mean.value):
        sentence = f"Krippendorff's α of {who} is undefined"
        known = np.isfinite(share)
        return (
            f"{sentence}; {share:.1%} of the decisions agree with the majority." if known else f"{sentence}."
        )
    bounds = f", {level} interval {mean.low:.3f} to {mean.high:.3f}" if np.isfinite(mean.low) else ""
    sentence = (
        f"{who} agree with a mean α of {mean.value:.3f} over {pluralise(len(order), 'concept')}{bounds} "
        "(1 is agreement throughout, 0 what chance would bring)"
    )
    named = [f"{agreement.names.shown(agreement.concepts[at])!r} ({values[at]:.3f})" for at in order[:LEAST]]
    return f"{sentence}; least on {', '.join(named)}." if len(order) > LEAST else f"{sentence}."


TITLES = {
    "tau_b": "Kendall's τ_b",
    "tau_ap_b": "τ_AP,b",
    "weighted_tau": "weighted τ",
    "spearman": "Spearman's ρ",
    "rbo": "rank-biased overlap",
    "ks": "Kolmogorov–Smirnov's D",
}
"""Names of correlations."""

CLOSE = 0.1  # measures are put into one cluster that are no farther apart: a correlation of 0.9


def of_study(study: Study) -> str:
    """Which measures agree, which tells most runs apart, which to report, and with what caveat, in lines."""
    groups = _groups(study)
    chosen = [_most_telling(study, group)[0] for group in groups]
    found = " ".join(filter(None, [_alike(study, groups), _told_apart(study)]))
    return "\n".join(filter(None, [found, _choice(study, groups, chosen), _caveat(study, chosen)]))


def _ranking(study: Study) -> RankCorrelation | None:
    """Find the first correlation, which is no distance."""
    methods = [method for method in study.agreements if method not in DISTANCES]
    return study.agreements[methods[0]] if methods and len(study.entrants.measures) > 1 else None


def _groups(study: Study) -> list[tuple[str, ...]]:
    """Group the measures that rank the runs alike, the largest first; one without correlations is alone."""
    found = _ranking(study)
    if found is None:
        return []
    groups: list[tuple[str, ...]] = []
    for group in found.clusters(CLOSE):
        groups += (
            [group] if len(group) == 1 or np.isfinite(_least(found, group)) else [(one,) for one in group]
        )
    place = {measure: at for at, measure in enumerate(found.measures)}
    ordered = [tuple(sorted(group, key=place.__getitem__)) for group in groups]
    return sorted(ordered, key=lambda group: (-len(group), place[group[0]]))


def _alike(study: Study, groups: Sequence[tuple[str, ...]]) -> str:
    found = _ranking(study)
    if found is None:
        return ""
    name, runs = TITLES[found.method], pluralise(len(study.entrants), "run")
    together = [group for group in groups if len(group) > 1]
    if not together:
        pairs = [(_least(found, pair), pair) for pair in combinations(found.measures, 2)]
        known = [pair for pair in pairs if np.isfinite(pair[0])]
        if not known:
            return ""
        most, pair = max(known, key=lambda one: one[0])
        return f"No measures rank the {runs} alike: nearest are {' and '.join(pair)} ({name} {most:.2f})."
    least = np.floor(100 * min(_least(found, group) for group in together) + 1e-9) / 100
    bound = f"{name} at least {least:.2f} between any two"
    if len(groups) == 1:
        return f"All {len(found.measures):,} measures rank the {runs} alike ({bound} of them)."
    first, *others = map(listed, together)
    more = "".join(f"; so do {group}" for group in others)
    alone = [group[0] for group in groups if len(group) == 1]
    rest = f"; {listed(alone)} {'ranks' if len(alone) == 1 else 'each rank'} them otherwise" if alone else ""
    which = f"{bound} {'of them' if len(together) == 1 else 'of a group'}"
    return f"Of {len(found.measures):,} measures, {first} rank the {runs} alike ({which}){more}{rest}."


def _least(found: RankCorrelation, measures: Sequence[str]) -> float:
    """Find the lowest correlation between any two of some measures."""
    at = [found.measures.index(measure) for measure in measures]
    return float(np.min(found.values[np.ix_(at, at)][~np.eye(len(at), dtype=bool)]))


def _told_apart(study: Study) -> str:
    found = study.power
    shares = found.adjusted
    if not found.pairs or not np.isfinite(shares).any():
        return ""
    most = float(np.nanmax(shares))
    kind = "p" if study.comparison.plan.correction == "none" else "adjusted p"
    of = f"({kind} < {found.alpha:g})"
    if not most:
        return f"No measure tells any of {pluralise(found.pairs, 'pair')} of runs apart {of}."
    first = [measure for measure, share in zip(found.measures, shares.tolist(), strict=True) if share == most]
    pairs = f"{most:.1%} of {pluralise(found.pairs, 'pair')}"
    if 1 < len(first) == len(found.measures):
        return f"All {len(first):,} measures tell {pairs} of runs apart {of}."
    verb = "tells" if len(first) == 1 else "tell"
    return f"{listed(first)} {verb} most pairs of runs apart: {pairs} {of}."


def _most_telling(study: Study, measures: Iterable[str]) -> list[str]:
    """Find the measures that tell most pairs apart, and of several those that rank most steadily."""
    names, measures = study.entrants.measures, list(measures)
    shares, taus = (np.nan_to_num(side) for side in (study.power.adjusted, study.stability.tau))
    keys = [(shares[names.index(one)], taus[names.index(one)]) for one in measures]
    return [one for one, key in zip(measures, keys, strict=True) if key == max(keys)]


def _choice(study: Study, groups: Sequence[tuple[str, ...]], chosen: Sequence[str]) -> str:
    """Which measures to report, and whether that decides who wins."""
    if not groups:
        return ""
    if len(groups) == 1:
        alike = _most_telling(study, groups[0])
        if len(alike) > 1:
            return (
                f"One of them is enough: {listed(alike)} tell equally many pairs apart, and rank as steadily."
            )
        return (
            f"One of them is enough: {chosen[0]} tells most pairs apart and, of several, ranks most steadily."
        )
    if len(groups) == len(study.entrants.measures):
        advice = "None can stand for another: report those that charge the errors which matter."
    else:
        which = "the one that tells most pairs apart or, of several, ranks most steadily"
        advice = f"One measure of each group is enough, {which}: {listed(chosen)}."
    winners: dict[str, list[str]] = {}
    for measure in chosen:
        first = study.winners.first[study.winners.measures.index(measure)]
        winners.setdefault(listed([repr(run) for run in first]), []).append(measure)
    winners.pop(listed([]), None)
    if len(winners) == 1:
        return f"{advice} All of these put {next(iter(winners))} first."
    by = [f"{runs} by {listed(measures)}" for runs, measures in winners.items()]
    return f"{advice} The choice decides who is first: {'; '.join(by)}." if by else advice


def _caveat(study: Study, chosen: Sequence[str]) -> str:
    """Say that no measure is valid by any of this, and how many axioms the chosen ones keep."""
    caveat = "That measures agree and tell runs apart does not make them valid"
    lines = {} if study.behaviour is None else {str(line["measure"]): line for line in study.behaviour.rows()}
    kept: dict[str, tuple[int, int]] = {}
    for measure in chosen or study.entrants.measures:
        shares = [share for axiom, share in lines.get(measure, {}).items() if axiom != "measure"]
        known = [share for share in shares if isinstance(share, float) and np.isfinite(share)]
        if known:
            kept[measure] = sum(share == 1 for share in known), len(known)
    if kept:
        counts = [f"{number} of {of} by {measure}" for measure, (number, of) in kept.items()]
        caveat = f"{caveat}: axioms that hold in all cases tried are {listed(counts)} (see Behaviour)"
    if len(study.entrants) < FEWEST_RUNS:
        caveat = f"{caveat}; and with fewer than {FEWEST_RUNS} runs, others may be ranked otherwise"
    return f"{caveat}."
