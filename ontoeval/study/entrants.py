"""Entrants: the runs of a comparison that a study is about."""

from __future__ import annotations

from ontoeval.comparison import Comparison


def entrants(comparison: Comparison) -> list[int]:
    """Choose the runs without baselines, and without those that predict the same as one before.

    Identical runs would agree with each other by any measure, and seem to be evidence.

    Parameters
    ----------
    comparison
        Of the runs.

    Returns
    -------
    list of int
        Positions of runs.
    """
    again = {run for runs in comparison.duplicates for run in runs[1:]}
    left_out = again | set(comparison.baselines)
    return [place for place, run in enumerate(comparison.runs) if run not in left_out]
