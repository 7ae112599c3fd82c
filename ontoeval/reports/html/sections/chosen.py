"""Which runs a page shows."""

from __future__ import annotations

from ontoeval.comparison.result import Comparison
from ontoeval.core.batch import Batch

MOST = 30
"""Runs that are shown one by one: the best."""


def label_sets(comparison: Comparison) -> dict[str, Batch]:
    """Find the label sets of the runs."""
    runs = [comparison.runs[run] for run in comparison.order()]
    return {
        run: batch
        for run in runs
        if run not in comparison.baselines and (batch := comparison.evaluations[run].sets) is not None
    }


def left_out(shown: int, there: int) -> str:
    """Say that not all runs are shown."""
    return f" Of {there} runs the best {shown} are shown." if shown < there else ""
