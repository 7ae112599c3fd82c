"""Selections from a comparison for pages and figures: runs, scores of samples, and orders."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.batch import Batch

if TYPE_CHECKING:
    from ontoeval.comparison.result import Comparison


def per_sample(comparison: Comparison, notation: str) -> dict[str, NDArray[np.float64]]:
    """Score the samples of all runs by one measure; comparisons of totals hold none."""
    measure = comparison.measures[notation]
    if comparison.first.batch is None or getattr(measure, "average", "") in {"macro", "weighted"}:
        return {}
    scores = {run: one.per_sample(notation) for run, one in comparison.evaluations.items()}
    return scores if any(np.isfinite(values).any() for values in scores.values()) else {}


MOST = 30  # runs that are shown one by one: the best


def label_sets(comparison: Comparison) -> dict[str, Batch]:
    """Find the label sets of the runs."""
    runs = [comparison.runs[run] for run in comparison.order()]
    return {
        run: batch
        for run in runs
        if run not in comparison.baselines and (batch := comparison.evaluations[run].sets) is not None
    }


def note_left_out(shown: int, there: int) -> str:
    """Note the runs that are not shown."""
    return f" Of {there} runs the best {shown} are shown." if shown < there else ""


def alike_together(taus: NDArray[np.float64]) -> list[int]:
    """Order items so that similar ones are neighbours; undefined similarities count as far."""
    from scipy.cluster.hierarchy import leaves_list, linkage
    from scipy.spatial.distance import squareform

    distances = 1 - np.nan_to_num(taus)
    np.fill_diagonal(distances, 0.0)
    tree = linkage(squareform(distances, checks=False), "average", optimal_ordering=True)
    return [int(leaf) for leaf in leaves_list(tree)]
