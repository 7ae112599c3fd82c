"""Verdicts: the first sentences of a page, computed from its result."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.criterion import HINT, CriterionAgreement
from ontoeval.comparison.plan import Plan
from ontoeval.comparison.rank_correlation import DISTANCES
from ontoeval.comparison.reliability import FEWEST_RUNS
from ontoeval.comparison.result import Comparison, RankedBy, compact_letters
from ontoeval.comparison.traits import ERRORS
from ontoeval.core.table import DIGITS, cell_text
from ontoeval.errors import enumerate_some, join_with_and, pluralise
from ontoeval.measures.base import info

if TYPE_CHECKING:
    from ontoeval.annotators.agreement import AnnotatorAgreement
    from ontoeval.comparison.study import Study
    from ontoeval.evaluation.scoring import Evaluation

LEAST = 3  # concepts that are named as those on which annotators agree least


def of_comparison(comparison: Comparison) -> str:
    """Which run is best, by how much, whether that is significant, and whether a baseline stands above."""
    if comparison.truth_is_empty:
        return "No sample has a true label: no run is named the best."
    return " ".join(filter(None, [best_run(comparison), comparison.against_baselines]))


def best_run(comparison: Comparison) -> str:
    """Which run is best by the first measure, by how much, and whether that is significant."""
    notation, measure = next(iter(comparison.measures.items()))
    ranks = comparison.ranks[:, 0]
    order = [run for run in comparison.order() if ranks[run]]
    if not order:
        return f"{notation} is undefined for every run." if comparison.competing.any() else ""
    runs, scores, merits = comparison.runs, comparison.scores[:, 0], comparison.merits[:, 0]
    best_score = f"{notation} {cell_text(float(scores[order[0]]), DIGITS)}"
    if len(order) == 1:
        low, high = (float(side[order[0], 0]) for side in (comparison.low, comparison.high))
        ends = f"{cell_text(low, DIGITS)} to {cell_text(high, DIGITS)}"
        bounds = f" ({100 * comparison.plan.level:g}% interval {ends})" * bool(np.isfinite(low))
        totals = comparison.first.totals
        over = f"{pluralise(totals.samples, 'sample')} and {pluralise(len(totals.vocabulary), 'concept')}"
        return f"The run {runs[order[0]]!r} has {best_score} over {over}{bounds}."
    if asked := question(comparison):
        return asked
    first = [run for run in order if ranks[run] == 1]
    best = "best" if info(measure, "best") is not None else "highest"
    may_be = [repr(runs[run]) for run in order if comparison.rank_intervals[run, 0, 0] == 1]
    more = f" May be first: {join_with_and(may_be)}." * (len(may_be) > len(first))
    if len(first) > 1:
        tied = f"{enumerate_some(runs[run] for run in first)} tie"
        return f"{tied} as the {best} of {len(order):,} runs ({best_score}).{more}"
    second = [run for run in order if ranks[run] == ranks[order[1]]]
    lead = float(merits[order[0]] - merits[order[1]])
    ahead = cell_text(lead, DIGITS) if round(lead, DIGITS) else f"less than {10.0**-DIGITS:.{DIGITS}f}"
    leads = f"is the {best}" if len(may_be) == 1 else f"scores {best}"
    return (
        f"{runs[order[0]]!r} {leads} of {len(order):,} runs ({best_score}), {ahead} ahead of "
        f"{enumerate_some(runs[run] for run in second)}; {_tested(comparison, order[0], second)}.{more}"
    )


def untested_comparison(
    evaluations: Mapping[str, Evaluation], ranking: RankedBy, *, public: bool = False
) -> Comparison:
    """Put runs side by side, with neither resamples nor tests."""
    scores = np.array([list(one.scores.values()) for one in evaluations.values()])
    runs, measures = scores.shape
    nowhere = np.full(scores.shape, np.nan)
    untested, drawn = np.full((measures, runs, runs), np.nan), np.empty((0, runs, measures))
    plan = Plan(test="none")
    found = Comparison(evaluations, plan, scores, nowhere, drawn, untested, untested, public=public)
    cut = {key: {run: own.parts[key] for run, own in evaluations.items()} for key in found.first.parts}
    parts = {key: untested_comparison(own, ranking, public=public) for key, own in cut.items()}
    return replace(found, ranking=ranking, parts=parts)


def of_scores(evaluations: Mapping[str, Evaluation], ranking: RankedBy) -> str:
    """Which of several runs scores best, or that the default measures disagree; and how to test it."""
    found = untested_comparison(evaluations, ranking)
    if found.truth_is_empty:
        return ""
    return best_run(found).replace("was not tested", "was not tested (ontoeval compare tests it)", 1)


HALVES = ("P", "R")
"""Measures by default that charge one kind of error alone: which run they put first is no question."""


def question(comparison: Comparison) -> str:
    """Which runs the default measures put first, and by which surely; empty if one run is first by all."""
    if comparison.ranking != "by default":
        return ""
    found = dict[tuple[int, ...], list[str]]()
    for column, key in enumerate(comparison.measures):
        first = np.flatnonzero(comparison.ranks[:, column] == 1).tolist()
        if first and key not in HALVES:
            found.setdefault(tuple(first), []).append(key)
    if not found or set.intersection(*map(set, found)):
        return ""
    named, surely = {run for first in found for run in first}, list[str]()
    for runs, keys in found.items():
        pairs = np.ix_(runs, [run for run in named if run not in runs])
        p = [comparison.adjusted[comparison.column(key)][pairs] for key in keys]
        surely += [key for key, one in zip(keys, p, strict=True) if (one < comparison.plan.alpha).all()]
    each = [
        f"{enumerate_some(comparison.runs[run] for run in first)} by {join_with_and(keys)}"
        for first, keys in found.items()
    ]
    by = f"is significant by {join_with_and(surely) if surely else 'none of these'}"
    if not np.isfinite(comparison.adjusted).any():
        by = "was not tested"
    return (
        f"The default measures put different runs first: {'; '.join(each)}. The difference {by}. Choose the "
        "measure that ranks before you publish (--rank)."
    )


def _tested(comparison: Comparison, best: int, others: Sequence[int]) -> str:
    """Whether a run differs significantly from all of some others, in words."""
    p, alpha = float(np.max(comparison.adjusted[0, best, others])), comparison.plan.alpha
    if np.isnan(p):
        return "the difference was not tested"
    text = comparison.as_p_value(p).text
    level = f"< {alpha:g}" if p < alpha <= float(text.strip("<> ")) else f"= {text}"
    level = re.sub("= (?=[<>])", "", level)
    return f"the difference is {'not ' * (p >= alpha)}significant (adjusted p {level})"


def of_agreement(agreement: AnnotatorAgreement) -> str:
    """How far annotators agree, and on which concepts least."""
    number, level = len(agreement.annotations.annotators), f"{100 * agreement.options.level:g}%"
    mean, values = agreement.estimates.mean["alpha"], agreement.estimates.concepts["alpha"].value
    order = [at for at in np.argsort(values, kind="stable").tolist() if np.isfinite(values[at])]
    low = [at for at in order[:LEAST] if values[at] < 1 - SAME]
    share = float(agreement.estimates.mean["majority"].value)
    who = pluralise(number, "annotator")
    if not order or not np.isfinite(mean.value):
        sentence = f"Krippendorff's α of {who} is undefined"
        more = f"; {share:.1%} of the decisions agree with the majority" if np.isfinite(share) else ""
        return f"{sentence}{more}."
    bounds = f", {level} interval {mean.low:.3f} to {mean.high:.3f}" if np.isfinite(mean.low) else ""
    sentence = (
        f"{who} agree with a mean α of {mean.value:.3f} over {pluralise(len(order), 'concept')}{bounds} "
        "(1 is agreement throughout, 0 what chance would bring)"
    )
    named = [f"{agreement.names.display_name(agreement.concepts[at])!r} ({values[at]:.3f})" for at in low]
    return f"{sentence}; least on {', '.join(named)}." if named and len(order) > LEAST else f"{sentence}."


def of_outliers(agreement: AnnotatorAgreement) -> list[str]:
    """Name the outliers among annotators, how far they differ, and on which concepts."""
    found, shown = agreement.outliers, agreement.outliers[:LEAST]
    sentences = []
    for one in shown:
        named = [
            f"{agreement.names.display_name(concept)!r} ({share:.0%} of {decisions:,}, the others {rest:.0%})"
            for concept, decisions, share, rest in one.concepts[:LEAST]
        ]
        sentences.append(
            f"{one.name!r} is an outlier: κ with the majority of the rest is {one.kappa:.3f} on "
            f"{pluralise(one.samples, 'sample')}, that of the others {one.others:.3f} on the same samples"
            + (f"; decisions that differ: {', '.join(named)}" if named else "")
        )
    if len(found) > LEAST:
        sentences.append(f"more outliers: {enumerate_some(one.name for one in found[LEAST:])}")
    right = "the answers do not show whether an outlier or the others are right: look at the samples"
    return [*sentences, *[right] * bool(found)]


TITLES = {
    "tau_b": "Kendall's τ_b",
    "tau_ap_b": "τ_AP,b",
    "weighted_tau": "weighted τ",
    "spearman": "Spearman's ρ",
    "rbo": "rank-biased overlap",
    "ks": "Kolmogorov–Smirnov's D",
}
"""Names of correlations."""

SAME = 1e-12  # scores that differ by no more are one number

CLOSE = 0.1  # measures are put into one cluster that are no farther apart: a correlation of 0.9


def of_study(study: Study) -> str:
    """Which measures to report, how alike they rank, which tells most runs apart, and a caveat, in lines."""
    fit = [one for one in study.entrants.measures if study.traits[one].lowered_by == ERRORS]
    outside = "" if study.criterion is None else _by_criterion(study.criterion, study.comparison)
    found = " ".join(filter(None, [*_identical(study), _rankings(study), _told_apart(study, fit)]))
    return "\n".join(filter(None, [outside, _choice(study, fit), found, _caveat(study, fit)]))


def _by_criterion(found: CriterionAgreement, comparison: Comparison) -> str:
    """Which measure orders the teams as a criterion does, if any does more than by chance."""
    first, alpha = found.order[0], comparison.plan.alpha
    if np.isnan(found.p_chance):
        few = f"a test needs at least {HINT} teams, and has {found.units}"
        why = few if len(set(found.teams)) < HINT else comparison.untested or "runs were not tested"
        return f"Agreement with the criterion was not tested: {why}."
    name, accuracy = found.measures[first], f"soft pairwise accuracy {found.accuracy[first]:.2f}"
    if found.p_chance >= alpha:
        chance = f"fits a random order of {found.units} as well with p = {found.p_chance:.2g}."
        said = f"No measure is shown to order the runs as the criterion does: the best one, {name} "
        p = f"p = {found.p_reverse:.2g}"
        reverse = f" In reverse the criterion is fitted ({p}): are low numbers best (--criterion-best)?"
        return f"{said}({accuracy}), {chance}" + reverse * (found.p_reverse < alpha)
    accuracy += f", p = {found.p_chance:.2g} over {found.units}"
    accuracy += ": no more than a hint" * (len(set(found.teams)) == HINT)
    alike = [found.measures[at] for at in found.order[1:] if not found.p_values[at] < alpha]
    agrees = "has the highest agreement" if len(found.measures) > 1 else "agrees, more than by chance,"
    rest = ", significantly higher than all others" * (len(found.measures) > 1)
    if alike:
        rest = f", but does not differ significantly from {enumerate_some(alike)}"
    return f"{name} {agrees} with the criterion ({accuracy}){rest}."


def _equal(study: Study) -> NDArray[np.bool_]:
    """Whether two measures give a run the same number, measures × measures × runs."""
    scores = study.comparison.scores[list(study.entrants.positions)].T
    return np.isclose(scores[:, None], scores, rtol=0, atol=SAME, equal_nan=True)


def _identical(study: Study) -> Iterator[str]:
    """Name measures that are one number for all runs, or for most, which is no evidence of agreement."""
    measures, equal = study.entrants.measures, _equal(study)
    for one, same in enumerate(equal):
        if same[:one].all(axis=-1).any():  # named before
            continue
        twins = [measures[at] for at in np.flatnonzero(same.all(axis=-1)).tolist()]
        pairs = [(twins, same[one])] * (len(twins) > 1)
        most = (2 * same.sum(axis=-1) > same.shape[-1]) & ~same.all(axis=-1)
        pairs += [([measures[one], measures[at]], same[at]) for at in np.flatnonzero(most) if at > one]
        for names, alike in pairs:
            runs = [study.entrants.names[at] for at in np.flatnonzero(alike).tolist()]
            total = "both" if alike.size == 2 else f"all {alike.size:,}"  # noqa: PLR2004 - a pair
            which = total if alike.all() else f"{len(runs):,} of {alike.size:,}"
            part = len({study.traits[name].scores for name in names}) > 1  # where sets are not closed
            closed = part and _closed(study.comparison, runs)
            why = ", whose sets hold all ancestors of their labels" * closed
            yield (
                f"{join_with_and(names)} are one number for {which} runs{why}: "
                "this is no agreement of measures."
            )


def _closed(comparison: Comparison, runs: Sequence[str]) -> bool:
    """Whether the sets of runs and truth are closed, as far as that may be known."""
    hierarchy, batches = comparison.first.totals.hierarchy, [comparison.evaluations[run].sets for run in runs]
    if hierarchy is None or comparison.public:
        return False
    sets = [side for one in batches if one is not None for side in (one.truth, one.prediction)]
    return not any(side.unclosed(hierarchy).any() for side in sets)


def _rankings(study: Study) -> str:
    """Describe how alike measures rank the runs, by the first correlation that is no distance."""
    found = [one for method, one in study.agreements.items() if method not in DISTANCES]
    values = found[0].values[~np.eye(len(study.entrants.measures), dtype=bool)] if found else np.zeros(0)
    if not values.size or not np.isfinite(values).all():
        return ""
    ends = (f"{value:.2f}" for value in np.sort(values)[[0, -1]].tolist())
    bounds, runs = " to ".join(dict.fromkeys(ends)), pluralise(len(study.entrants), "run")
    return f"{TITLES[found[0].method]} of two rankings of the {runs} is {bounds}; chance, too, lowers it."


def _told_apart(study: Study, fit: Sequence[str]) -> str:
    """Say which of the measures that errors lower tell most pairs of runs apart, and which may do as well."""
    found, at = study.power, [study.power.measures.index(one) for one in fit]
    shares = np.nan_to_num(found.adjusted[at])
    most, level = float(shares.max(initial=0)), f"(adjusted p < {found.alpha:g})"
    if not most:
        return ""
    share = f"{most:.1%} of".replace("100.0% of", "all") + f" {found.pairs:,} pairs of runs"
    share = share if found.pairs > 1 else "the two runs"
    if most < found.alpha:
        return f"Hardly any runs differ significantly: at most {share} {level}."
    first = shares.tolist().index(most)
    beside = np.flatnonzero(most - shares <= 2 * found.errors[at[first], at]).tolist()
    near = join_with_and([fit[place] for place in beside if place != first])
    among = ", of the measures that missed and false labels lower," * (len(fit) < len(found.measures))
    if near or len(fit) == 1:
        more = f"; within two standard errors of that: {near}" * bool(near)
        return f"{fit[first]}{among} tells {share} apart {level}{more}."
    return f"{fit[first]}{among} tells most runs apart, by over two standard errors: {share} {level}."


def _choice(study: Study, fit: Sequence[str]) -> str:
    """Which measures to report, where some order runs oppositely, both significantly; else why none."""
    measures, names, ahead = study.entrants.measures, study.entrants.names, study.ahead
    if len(measures) == 1:
        return ""
    won = [[names.index(run) for run in runs] for runs in study.winners.first]
    alike, found = np.ones((len(measures),) * 2, dtype=bool), dict[bool, str]()
    for one, other in combinations([measures.index(each) for each in fit], 2):
        opposite = ahead[one] & ahead[other].T
        if opposite.any():
            alike[one, other] = alike[other, one] = False
            decides = bool(opposite[np.ix_(won[one], won[other])].all())  # of all that tie
            pair = (won[one][0], won[other][0]) if decides else np.argwhere(opposite)[0]
            a, b = (repr(names[run]) for run in pair)
            said = f"by {measures[one]} {a} is significantly ahead of {b}, by {measures[other]} {b} of {a}"
            found.setdefault(decides, said)
    if found:
        letters = compact_letters(alike, np.isin(measures, fit), range(len(measures)))
        marks = [set(re.findall(r"[a-z]\d*", one)) for one in letters]
        groups = (
            join_with_and([name for name, own in zip(measures, marks, strict=True) if letter in own])
            for letter in sorted(set().union(*marks))
        )
        what = "The choice decides who is first" if True in found else "Some measures order runs oppositely"
        said = f"{what}: {found.get(True) or found[False]}."
        advice = f"{said} Report one measure of each group: {'; '.join(groups)}."
    else:
        advice = f"This study recommends no measure: {_why_none(study, fit)}."
    if unfit := [one for one in measures if one not in fit]:
        charged = {one: study.traits[one].lowered_by for one in unfit}
        kinds = {one: join_with_and([kind for kind in ERRORS if kind not in charged[one]]) for one in unfit}
        named = join_with_and([f"{one} ({kind})" for one, kind in kinds.items()])
        why = "since a second missed or false label of a sample hardly counts"
        advice += f" Not to be chosen, {why}: {named}."
    return advice


def _why_none(study: Study, fit: Sequence[str]) -> str:
    """Why no measure is recommended."""
    if len(fit) < 2:  # noqa: PLR2004 - of one there is no choice
        return f"{f'only {fit[0]}' if fit else 'none'} of these is lowered by missed and by false labels"
    if not np.isfinite(study.power.adjusted).any():
        return study.comparison.untested or "runs were not tested"
    if not study.ahead.any():
        return f"no two runs differ significantly (adjusted p < {study.power.alpha:g})"
    return f"no two of {join_with_and(fit)} order a pair of runs oppositely, both significantly"


def _caveat(study: Study, fit: Sequence[str]) -> str:
    """Say that no measure is valid by any of this, and how many axioms measures keep."""
    caveat, counts = "That measures agree and tell runs apart does not make them valid", list[str]()
    for one in fit or study.entrants.measures:
        own = [trial for trial in study.behaviour.trials if trial.measure == one] if study.behaviour else []
        kept, tried = sum(trial.holds for trial in own), sum(trial.cases > 0 for trial in own)
        counts += [f"{kept} of {tried} by {one}"] * bool(own)
    if counts:
        axioms = "axioms that hold in all cases tried, and not by ties, are"
        caveat = f"{caveat}: {axioms} {join_with_and(counts)} (see Behaviour)"
    if len(study.entrants) < FEWEST_RUNS:
        caveat = f"{caveat}; and with fewer than {FEWEST_RUNS} runs, others may be ranked otherwise"
    return f"{caveat}."
