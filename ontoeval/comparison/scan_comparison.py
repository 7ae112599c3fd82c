"""Comparison of runs that are scans, part by part: intervals and tests from resamples that merge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.baselines import chosen_baselines, usual_labels
from ontoeval.comparison.plan import Plan, Progress
from ontoeval.comparison.resampled_totals import comparison_of_totals, poisson
from ontoeval.comparison.result import Comparison
from ontoeval.core.memory import in_words
from ontoeval.core.processes import Workers
from ontoeval.core.scans import Scan
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, ParameterError
from ontoeval.evaluation.portions import PortionScoring
from ontoeval.evaluation.sample_join import in_parts, in_percent, shares_of, totals_of_scans

Numbers = NDArray[np.float64]

CONSTANT = ("empty", "all", "prior")
"""Baselines that predict the same labels for every sample."""

MOST_BYTES = 2**31
"""Most bytes of the sums of all resamples of all runs: 2 GiB."""


def compare_scans(
    scoring: PortionScoring,
    scans: Sequence[Scan],
    names: Sequence[str],
    plan: Plan,
    baselines: Sequence[str] | None,
    workers: Workers | None,
    progress: Progress,
) -> tuple[Comparison, list[Counter[str]]]:
    """Compare runs with the truth, the first scan; also what was not read as written, see `ScanTotals`."""
    if not names:
        raise InputError("no run to compare", "Give at least one.")
    kinds = _baselines(baselines, names)
    scoring = replace(scoring, bootstrap=poisson(plan))
    _check_memory(scoring, len(names) + len(kinds))
    with progress(f"Comparing, % of {in_parts(scans[0])}", 100) as percent:
        step = in_percent(percent, scans[0].size, passes=1 + ("prior" in kinds))
        shares = shares_of(scoring, scans[0], workers, step) if "prior" in kinds else None
        constant = [_columns(kind, scoring.vocabulary, shares) for kind in kinds]
        found = totals_of_scans(scoring, scans, workers, step, constant)
    totals = dict(zip((*names, *kinds), found.totals, strict=True))
    return comparison_of_totals(totals, plan, baselines=kinds), found.counts


def _baselines(chosen: Sequence[str] | None, runs: Sequence[str]) -> tuple[str, ...]:
    kinds = chosen_baselines(chosen, runs)
    if chosen is None:
        return tuple(kind for kind in kinds if kind in CONSTANT)
    if other := next((kind for kind in kinds if kind not in CONSTANT), None):
        raise ParameterError(
            "baselines", other, f"one of {', '.join(map(repr, CONSTANT))} for scans: others need all samples"
        )
    return kinds


def _columns(kind: str, labels: Vocabulary, shares: Numbers | None) -> NDArray[np.intp]:
    """Columns of the labels that a baseline predicts."""
    every = np.arange(len(labels))
    if shares is not None and kind == "prior":
        return every[usual_labels(shares, labels.concepts)]
    return every[: 0 if kind == "empty" else None]


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
            f"{in_words(MOST_BYTES)} of memory; or leave out measures that are means over concepts",
        )
