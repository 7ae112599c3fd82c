"""Verdicts: the first sentences of a page, computed from its result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from ontoeval.annotators.agreement import AnnotatorAgreement
from ontoeval.audit.findings import SEVERITIES, Findings
from ontoeval.comparison.result import Comparison
from ontoeval.core.table import DIGITS, written
from ontoeval.errors import enumerate_some, pluralise
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
    named = [f"{agreement.concepts[at]!r} ({values[at]:.3f})" for at in order[:LEAST]]
    return f"{sentence}; least on {', '.join(named)}." if len(order) > LEAST else f"{sentence}."
