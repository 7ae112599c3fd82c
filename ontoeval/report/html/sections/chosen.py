"""Which runs a page shows."""

from __future__ import annotations

from ontoeval.batch import Batch
from ontoeval.comparison import Comparison

MOST = 30
"""Runs that are shown one by one: the best."""


def label_sets(comparison: Comparison) -> dict[str, Batch]:
    """Find the label sets of the runs.

    Parameters
    ----------
    comparison
        The comparison.

    Returns
    -------
    dict of str to Batch
        The best run first, no baselines; empty where there are only scores.
    """
    runs = [comparison.runs[run] for run in comparison.order()]
    return {
        run: batch
        for run in runs
        if run not in comparison.baselines and (batch := comparison.evaluations[run].sets) is not None
    }


def left_out(shown: int, there: int) -> str:
    """Say that not all runs are shown.

    Parameters
    ----------
    shown
        How many are.
    there
        How many there are.

    Returns
    -------
    str
        A sentence with a blank before it; nothing where all are shown.

    Examples
    --------
    >>> left_out(30, 73)
    ' Of 73 runs the best 30 are shown.'
    """
    return f" Of {there} runs the best {shown} are shown." if shown < there else ""
