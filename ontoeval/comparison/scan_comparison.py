"""Comparison of runs that are scans, part by part: intervals and tests from resamples that merge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.baselines import chosen_baselines, usual_labels
from ontoeval.comparison.plan import Plan, Progress, plan_of
from ontoeval.comparison.result import Comparison
from ontoeval.comparison.significance import holm, shifted_test
from ontoeval.core.files import in_words
from ontoeval.core.processes import Workers
from ontoeval.core.resampling import Bootstrap, interval
from ontoeval.core.scans import Scan
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, ParameterError
from ontoeval.evaluation.portions import PortionScoring
from ontoeval.evaluation.sample_join import in_parts, in_percent, nothing_over, shares_of, totals_of_scans
from ontoeval.evaluation.scoring import Evaluation
from ontoeval.evaluation.totals import Totals
from ontoeval.measures.base import computed

Numbers = NDArray[np.float64]

CONSTANT = ("empty", "all", "prior")
"""Baselines that predict the same labels for every sample."""

MOST_BYTES = 2**31
"""Most bytes of the sums of all resamples of all runs: 2 GiB."""


@dataclass(frozen=True, kw_only=True)
class MergeablePlan(Plan):
    """A plan whose resamples are drawn sample by sample, so that parts are resampled apart and merged."""

    def __post_init__(self) -> None:
        """Refuse what needs all samples at once."""
        super().__post_init__()
        if self.interval == "bca":
            raise ParameterError("interval", self.interval, "'percentile' for scans: bca needs all samples")
        if self.test == "randomisation":
            raise ParameterError(
                "test", self.test, "'bootstrap' or 'none' for scans: random exchanges need all samples"
            )

    @property
    def bootstrap(self) -> Bootstrap:
        """How samples are resampled: a Poisson number for each, of its name and the seed alone."""
        return Bootstrap(resamples=self.resamples, seed=self.seed, weights="poisson")

    @property
    def lines(self) -> list[str]:
        """The plan in sentences, for recipes."""
        first, *others = super().lines
        drawn = "Samples were read part by part: a resample takes each a Poisson number of times (mean 1)."
        shifted = "The test shifts the distribution of the difference to 0, not studentised."
        return [first, drawn, *others, *([shifted] if others else [])]


def plan_for_scans(plan: Plan | None, options: Mapping[str, Any]) -> MergeablePlan:
    """Take a plan, or make one; the test by default is the bootstrap's."""
    if plan is not None:
        _ = plan_of(Plan, plan, options)
        return MergeablePlan(**{field.name: getattr(plan, field.name) for field in fields(Plan)})
    return plan_of(MergeablePlan, None, {"test": "bootstrap", **options})


def compare_scans(
    scoring: PortionScoring,
    scans: Sequence[Scan],
    names: Sequence[str],
    plan: MergeablePlan,
    baselines: Sequence[str] | None,
    workers: Workers,
    progress: Progress,
) -> Comparison:
    """Compare runs with the truth, the first scan."""
    if not names:
        raise InputError("no run to compare", "Give at least one.")
    kinds = _baselines(baselines, names)
    scoring = replace(scoring, bootstrap=plan.bootstrap)
    _check_memory(scoring, len(names) + len(kinds))
    with progress(f"Comparing, % of {in_parts(scans[0])}", 100) as percent:
        step = in_percent(percent, scans[0].size, passes=1 + ("prior" in kinds))
        shares = shares_of(scoring, scans[0], workers, step) if "prior" in kinds else None
        constant = [_columns(kind, scoring.vocabulary, shares) for kind in kinds]
        found = totals_of_scans(scoring, scans, workers, step, constant)
    totals = dict(zip((*names, *kinds), found.totals, strict=True))
    return _compared(totals, plan, kinds)


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
    nothing = nothing_over(scoring.vocabulary)
    empty = replace(scoring, bootstrap=None).totals(nothing, nothing)
    each = 8 * runs * sum(some.shape[1] for some in empty.addends.values())
    assert scoring.bootstrap is not None  # noqa: S101 - comparisons resample
    if each * scoring.bootstrap.resamples > MOST_BYTES:
        raise ParameterError(
            "resamples",
            scoring.bootstrap.resamples,
            f"at most {MOST_BYTES // each:,}, whose sums for all runs and concepts take "
            f"{in_words(MOST_BYTES)} of memory; or leave out measures that are means over concepts",
        )


def _compared(totals: Mapping[str, Totals], plan: MergeablePlan, kinds: tuple[str, ...]) -> Comparison:
    evaluations = {name: Evaluation(one) for name, one in totals.items()}
    scores = np.array([list(one.scores.values()) for one in evaluations.values()])
    drawn = np.stack([_replicates(one) for one in totals.values()], axis=1)
    low, high = interval(drawn, scores, level=plan.level)
    p_values, adjusted = (np.full((scores.shape[1], len(scores), len(scores)), np.nan) for _ in range(2))
    own = len(scores) - len(kinds)
    if plan.test != "none" and own > 1:  # baselines, which come last, do not compete
        p = shifted_test(scores[:own], drawn[:, :own])
        p_values[:, :own, :own] = p
        adjusted[:, :own, :own] = holm(p) if plan.correction == "holm" else p
    return Comparison(evaluations, plan, scores, low, high, drawn, p_values, adjusted, kinds)


def _replicates(totals: Totals) -> Numbers:
    """Scores of every resample: resamples × measures."""
    each = (computed(one, totals.replicates[one.statistic]) for one in totals.measures.values())
    return np.stack(list(each), axis=-1)
