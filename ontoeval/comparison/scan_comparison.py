"""Comparison of scans or Dask collections: intervals and tests from resamples of parts, which merge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ontoeval.comparison.baselines import chosen_baselines, usual_labels
from ontoeval.comparison.plan import Plan, Progress
from ontoeval.comparison.resampled_totals import comparison_of_totals, poisson
from ontoeval.comparison.result import Comparison
from ontoeval.core.coercion import Labels
from ontoeval.core.scans import Scan, percent_steps
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import ParameterError
from ontoeval.evaluation.dask_collections import totals_of_partitions
from ontoeval.evaluation.portions import PortionScoring
from ontoeval.evaluation.sample_join import shares_of, totals_of_scans
from ontoeval.plumbing.arrays import Marks, Numbers
from ontoeval.plumbing.memory import bytes_in_words
from ontoeval.plumbing.processes import Workers

CONSTANT = ("empty", "all", "prior")
"""Baselines that predict the same labels for every sample."""

MOST_BYTES = 2**31
"""Most bytes of the sums of all resamples of all runs: 2 GiB."""


def compare_parts(
    scoring: PortionScoring,
    truth: Labels,
    runs: Mapping[str, Any],
    plan: Plan,
    baselines: Sequence[str] | None,
    workers: Workers | None,
    progress: Progress,
) -> tuple[Comparison, list[Counter[str]]]:
    """Compare runs with the truth; also count deviations of the files, see `ScanTotals`."""
    scoring = replace(scoring, bootstrap=poisson(plan))
    if not isinstance(truth, Scan):
        if baselines:
            raise ParameterError("baselines", baselines[0], "() for Dask collections, which have none")
        totals = totals_of_partitions(scoring, truth, runs)
        return comparison_of_totals(totals, plan, threshold=scoring.threshold), []
    kinds = _baselines(baselines, runs)
    _check_memory(scoring, len(runs) + len(kinds))
    with progress("Comparing, %", 100) as percent:
        step = percent_steps(percent, truth.size, passes=1 + ("prior" in kinds))
        shares = shares_of(scoring, truth, workers, step) if "prior" in kinds else None
        constant = [_marks(kind, scoring.vocabulary, shares) for kind in kinds]
        found = totals_of_scans(scoring, [truth, *runs.values()], workers, step, constant)
    totals = dict(zip((*runs, *kinds), found.totals, strict=True))
    return comparison_of_totals(totals, plan, baselines=kinds), found.counts


def _baselines(chosen: Sequence[str] | None, runs: Collection[str]) -> tuple[str, ...]:
    kinds = chosen_baselines(chosen, runs)
    if chosen is None:
        return tuple(kind for kind in kinds if kind in CONSTANT)
    if other := next((kind for kind in kinds if kind not in CONSTANT), None):
        raise ParameterError(
            "baselines", other, f"one of {', '.join(map(repr, CONSTANT))} for scans: others need all samples"
        )
    return kinds


def _marks(kind: str, labels: Vocabulary, shares: Numbers | None) -> Marks:
    """Mark the labels that a baseline predicts."""
    if shares is not None and kind == "prior":
        return usual_labels(shares, labels.concepts)
    return np.full(len(labels), kind != "empty")


def _check_memory(scoring: PortionScoring, runs: int) -> None:
    """Refuse resamples whose sums need too much memory, before anything is read."""
    empty = replace(scoring, bootstrap=None).empty
    each = 8 * runs * sum(some.shape[1] for some in empty.addends.values())
    assert scoring.bootstrap is not None  # noqa: S101 - comparisons resample
    if each * scoring.bootstrap.resamples > MOST_BYTES:
        raise ParameterError(
            "resamples",
            scoring.bootstrap.resamples,
            f"at most {MOST_BYTES // each:,}, whose sums for all runs and concepts take "
            f"{bytes_in_words(MOST_BYTES)} of memory; or leave out measures that are means over concepts",
        )
