"""Comparison of runs by their totals alone, with the totals of all resamples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ontoeval.comparison.plan import Plan, plan_of
from ontoeval.comparison.result import Comparison
from ontoeval.comparison.significance import holm, shifted_test
from ontoeval.core.resampling import Bootstrap, interval
from ontoeval.errors import ParameterError
from ontoeval.evaluation.scoring import Evaluation
from ontoeval.evaluation.totals import Totals
from ontoeval.measures.base import compute


def plan_of_totals(plan: Plan | None, options: Mapping[str, Any]) -> Plan:
    """Make a plan that needs no samples in memory; by default its test is the bootstrap test."""
    plan = plan_of(Plan, plan, options if plan is not None else {"test": "bootstrap", **options})
    for option, samples, instead in (
        ("test", "randomisation", "bootstrap"),
        ("interval", "bca", "percentile"),
    ):
        if getattr(plan, option) == samples:
            raise ParameterError(option, samples, f"{instead!r}, which needs no samples in memory")
    return plan


def poisson(plan: Plan) -> Bootstrap:
    """Bootstrap with Poisson weights, so that chunks and partitions are resampled one by one."""
    return replace(plan.bootstrap, weights="poisson")


def comparison_of_totals(
    totals: Mapping[str, Totals],
    plan: Plan,
    *,
    threshold: float | Mapping[str, float] | None = None,
    baselines: tuple[str, ...] = (),
) -> Comparison:
    """Compare runs whose totals were collected with the resamples of `poisson`, baselines last."""
    evaluations = {run: Evaluation(one, threshold=threshold) for run, one in totals.items()}
    scores = np.array([list(evaluation.scores.values()) for evaluation in evaluations.values()])
    each = ([(one, measure) for measure in one.measures.values()] for one in totals.values())
    scored = [[compute(measure, one.replicates[measure.statistic]) for one, measure in run] for run in each]
    drawn = np.moveaxis(np.array(scored), -1, 0).copy()
    samples = next(iter(totals.values())).samples
    low, high = interval(drawn, scores, level=plan.level, samples=samples)
    p_values = np.full((scores.shape[1], len(scores), len(scores)), np.nan)
    own = len(scores) - len(baselines)
    if plan.test == "bootstrap" and own > 1:  # baselines do not compete
        p_values[:, :own, :own] = shifted_test(scores[:own], drawn[:, :own])
    adjusted = holm(p_values) if plan.correction == "holm" else p_values
    return Comparison(evaluations, plan, scores, low, high, drawn, p_values, adjusted, baselines)
