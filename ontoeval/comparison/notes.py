"""What a reader of a comparison should know, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from ontoeval.errors import counted, listed
from ontoeval.intervals import ROUNDING
from ontoeval.measures.base import fact

if TYPE_CHECKING:
    from ontoeval.comparison.result import Comparison

_FEW = 20
"""Samples below which a bootstrap says little."""

_BIASED = 0.25
"""Standard errors by which resamples may lie beside the score: [efron1993]_ section 10.3."""


def notes_on(comparison: Comparison) -> list[str]:
    """Name duplicates, say what intervals and tests cannot tell, and repeat what each evaluation remarks.

    Parameters
    ----------
    comparison
        Of the runs.

    Returns
    -------
    list of str
        Sentences.

    Examples
    --------
    >>> from ontoeval import compare
    >>> notes_on(compare([[1, 0]] * 9, {"mine": [[1, 0]] * 9}, measures="F", resamples=99))
    ['With 9 samples intervals and tests say little.']
    """
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
    notes += [*_on_resamples(comparison), *_on_tests(comparison)]
    if comparison.public:  # the others speak of the truth
        return notes
    return [*notes, *dict.fromkeys(note for one in comparison.evaluations.values() for note in one.notes)]


def _on_resamples(comparison: Comparison) -> Iterator[str]:
    """Name measures whose resamples lie beside the score: intervals hold the true one less often."""
    drawn, scores = comparison.replicates, comparison.scores
    with np.errstate(invalid="ignore", divide="ignore"):
        number = (~np.isnan(drawn)).sum(axis=0)
        mean = np.nansum(drawn, axis=0) / number
        spread = np.sqrt(np.nansum((drawn - mean) ** 2, axis=0) / number)
        beside = np.where(spread > ROUNDING, np.abs(mean - scores) / spread, 0.0)
    beside = np.nan_to_num(beside, posinf=0)
    worst = beside.max(axis=0)
    where = [comparison.runs[run] for run in beside.argmax(axis=0)]
    least = _BIASED + 2 / np.sqrt(len(drawn))  # few resamples lie beside it by chance
    found = [
        f"{key} ({worst[at]:.1f}: {where[at]})"
        for at, key in enumerate(comparison.measures)
        if worst[at] > least
    ]
    if found:
        yield (
            "Resamples lie up to so many standard errors beside the score: "
            f"{', '.join(found)}. Such intervals hold the true score less often than they say; "
            "concepts with few true labels do this."
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
    if single and plan.test == "randomisation" and len(comparison.runs) > 1:
        yield (
            f"{', '.join(single)}: tested by the bootstrap and corrected by Holm, since runs cannot be "
            "exchanged sample by sample."
        )
