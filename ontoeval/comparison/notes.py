"""What a reader of a comparison should know, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ontoeval.comparison.baselines import USUAL_BASELINES
from ontoeval.core.intervals import ROUNDING
from ontoeval.core.table import DIGITS, written
from ontoeval.errors import counted, listed
from ontoeval.measures.base import fact

if TYPE_CHECKING:
    from ontoeval.comparison.result import Comparison

_FEW = 20
"""Samples below which a bootstrap says little."""

_BIASED = 0.25
"""Standard errors by which resamples may lie beside the score: [efron1993]_ section 10.3."""


def notes_on(comparison: Comparison) -> list[str]:
    """Name duplicates, say what intervals and tests cannot tell, and repeat what each evaluation remarks."""
    notes = [f"These runs predict the same: {', '.join(runs)}." for runs in comparison.duplicates]
    samples = len(comparison.first.samples)
    if samples < _FEW:
        notes.append(f"With {counted(samples, 'sample')} intervals and tests say little.")
    for key, column in zip(comparison.measures, np.isnan(comparison.scores.T), strict=True):
        if column.any():
            runs = [run for run, nowhere in zip(comparison.runs, column, strict=True) if nowhere]
            notes.append(f"{key} is undefined, or infinite, for {listed(runs)}.")
    aimless = [key for key, measure in comparison.measures.items() if fact(measure, "best") is None]
    if aimless and comparison.competing.sum() > 1:
        notes.append(f"No score is known to be the best of {', '.join(aimless)}: the higher one ranks first.")
    notes += [*_on_baselines(comparison), *_on_resamples(comparison), *_on_tests(comparison)]
    if comparison.public:  # the others speak of the truth
        return notes
    return [*notes, *dict.fromkeys(note for one in comparison.evaluations.values() for note in one.notes)]


def against_baselines(comparison: Comparison) -> str:
    """Say whether the runs beat the best baseline by the first measure; nothing where none has a score."""
    best = _best_baseline(comparison)
    if best is None:
        return ""
    name = comparison.runs[best]
    score = f"{next(iter(comparison.measures))} {written(float(comparison.scores[best, 0]), DIGITS)}"
    runs, count = int(comparison.competing.sum()), len(comparison.baselines)
    behind = behind_baselines(comparison)
    if len(behind) == runs:
        return f"{'No run beats' if runs > 1 else 'The run does not beat'} the baseline {name!r} ({score})."
    if behind:
        verb = "does" if len(behind) == 1 else "do"
        return (
            f"{len(behind):,} of {counted(runs, 'run')} {verb} not beat the baseline {name!r} ({score}): "
            f"{listed(behind)}."
        )
    who = {1: "The run beats", 2: "Both runs beat"}.get(runs, f"All {runs:,} runs beat")
    if count == 1:
        return f"{who} the baseline {name!r} ({score})."
    what = "both baselines" if count == 2 else f"all {count:,} baselines"  # noqa: PLR2004
    return f"{who} {what} (best baseline: {name}, {score})."


def behind_baselines(comparison: Comparison) -> list[str]:
    """Name the runs that do not beat the best baseline by the first measure, the best run first."""
    best = _best_baseline(comparison)
    if best is None:
        return []
    beaten = comparison.merits[:, 0] > comparison.merits[best, 0]  # what is undefined beats nothing
    return [
        comparison.runs[run] for run in comparison.order() if comparison.competing[run] and not beaten[run]
    ]


def _best_baseline(comparison: Comparison) -> int | None:
    """Find the best baseline by the first measure that has a score by it."""
    places = [place for place in comparison.order() if not comparison.competing[place]]
    if not places or not comparison.competing.any() or np.isnan(comparison.merits[places[0], 0]):
        return None
    return places[0]


def _on_baselines(comparison: Comparison) -> Iterator[str]:
    """Say why one of the usual baselines is not shown."""
    shown = set(comparison.baselines)
    if not shown or shown == set(USUAL_BASELINES) or not shown <= set(USUAL_BASELINES):
        return
    (lacking,) = set(USUAL_BASELINES) - shown
    if lacking in comparison.evaluations:
        yield f"The baseline {lacking!r} is not shown: a run has this name."
    elif getattr(comparison.first.batch, "known", None) is not None:
        yield f"The baseline {lacking!r} is not shown: it is not defined for verified labels."


def _on_resamples(comparison: Comparison) -> Iterator[str]:
    """Name measures whose resamples lie beside the score: intervals hold the true one less often."""
    own = np.flatnonzero(comparison.competing)
    if not own.size:
        return
    drawn, scores = comparison.replicates[:, own], comparison.scores[own]
    with np.errstate(invalid="ignore", divide="ignore"):
        number = (~np.isnan(drawn)).sum(axis=0)
        mean = np.nansum(drawn, axis=0) / number
        spread = np.sqrt(np.nansum((drawn - mean) ** 2, axis=0) / number)
        beside = np.where(spread > ROUNDING, np.abs(mean - scores) / spread, 0.0)
    beside = np.nan_to_num(beside, posinf=0)
    worst = beside.max(axis=0)
    where = [comparison.runs[own[run]] for run in beside.argmax(axis=0)]
    least = _BIASED + 2 / np.sqrt(len(drawn))  # few resamples lie beside it by chance
    found = [
        f"{key} (by up to {worst[at]:.1f} standard errors, {where[at]})"
        for at, key in enumerate(comparison.measures)
        if worst[at] > least
    ]
    if found:
        yield (
            f"The bootstrap is biased for {', '.join(found)}: these intervals are probably too narrow. The "
            "usual cause is concepts with few true labels."
        )


def _on_tests(comparison: Comparison) -> Iterator[str]:
    """Say where no difference can be significant, and which measures are tested otherwise than asked for."""
    plan, entrants = comparison.plan, int(comparison.competing.sum())
    pairs = entrants * (entrants - 1) // 2
    if plan.test != "none" and pairs:
        factor = pairs if plan.correction == "holm" else 1
        least = factor / (1 + plan.resamples)
        if least >= plan.alpha:
            yield (
                f"No difference can be significant: the least p-value is {least:.3f}. "
                f"Take more than {factor / plan.alpha:,.0f} resamples"
                f"{', or the correction of Tukey.' if factor > 1 else '.'}"
            )
    single = [key for key, measure in comparison.measures.items() if not fact(measure, "mergeable")]
    if single and plan.test == "randomisation" and entrants > 1:
        yield (
            f"{', '.join(single)}: tested by the bootstrap and corrected by Holm, since runs cannot be "
            "exchanged sample by sample."
        )
