"""Comparison of runs by their totals alone, with the totals of all resamples."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ontoeval.comparison.baselines import CONSTANT, chosen_baselines, usual_labels
from ontoeval.comparison.plan import Plan
from ontoeval.comparison.result import Comparison
from ontoeval.comparison.significance import bootstrap_test
from ontoeval.core.resampling import Bootstrap
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import ParameterError
from ontoeval.evaluation.scoring import Evaluation
from ontoeval.evaluation.totals import Totals
from ontoeval.measures.base import compute
from ontoeval.plumbing.arrays import Marks, Numbers
from ontoeval.plumbing.memory import bytes_in_words


def poisson(plan: Plan) -> Bootstrap:
    """Bootstrap with Poisson weights, so that parts are resampled one by one."""
    return replace(plan.bootstrap, weights="poisson")


MOST_BYTES = 2**31
"""Most bytes of the sums of all resamples of all runs: 2 GiB."""


def constant_baselines(chosen: Sequence[str] | None, runs: Collection[str]) -> tuple[str, ...]:
    """Take the baselines that need no samples in memory; others are refused where they are named."""
    kinds = chosen_baselines(chosen, runs)
    if chosen is None:
        return tuple(kind for kind in kinds if kind in CONSTANT)
    if other := next((kind for kind in kinds if kind not in CONSTANT), None):
        expected = f"one of {', '.join(map(repr, CONSTANT))} in parts: others need all samples at once"
        raise ParameterError("baselines", other, expected)
    return kinds


def constant_labels(kind: str, vocabulary: Vocabulary, shares: Numbers | None) -> Marks:
    """Mark the labels that a baseline predicts; of prior by the share of true sets that have each label."""
    if shares is not None and kind == "prior":
        return usual_labels(shares, vocabulary.concepts)
    return np.full(len(vocabulary), kind != "empty")


def refuse_many_resamples(empty: Totals, resamples: int, runs: int) -> None:
    """Refuse resamples whose sums need too much memory, before anything is read."""
    each = 8 * runs * sum(some.shape[1] for some in empty.addends.values())
    if each * resamples > MOST_BYTES:
        expected = (
            f"at most {MOST_BYTES // each:,}, whose sums for all runs and concepts take "
            f"{bytes_in_words(MOST_BYTES)} of memory; or leave out measures that are means over concepts"
        )
        raise ParameterError("resamples", resamples, expected)


def comparison_of_totals(
    evaluations: Mapping[str, Evaluation], plan: Plan, *, baselines: tuple[str, ...] = ()
) -> Comparison:
    """Compare runs whose totals were collected with the resamples of `poisson`, baselines last."""
    totals = [evaluation.totals for evaluation in evaluations.values()]
    scores = np.array([list(evaluation.scores.values()) for evaluation in evaluations.values()])
    each = ([(one, measure) for measure in one.measures.values()] for one in totals)
    scored = [[compute(measure, one.replicates[measure.statistic]) for one, measure in run] for run in each]
    drawn = np.moveaxis(np.array(scored), -1, 0).copy()
    shape = scores.shape[1], len(scores), len(scores)
    errors, nowhere = np.full(scores.shape, np.nan), np.full(shape, np.nan)
    found = Comparison(evaluations, plan, scores, errors, drawn, nowhere, nowhere, baselines)
    if plan.test == "none" or found.untested or not found.family.pairs:
        return found
    raw, adjusted = map(found.family.table, bootstrap_test(found.family, found.finite, drawn))
    return replace(found, p_values=raw, adjusted=adjusted)
