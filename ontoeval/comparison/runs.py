"""Comparison of runs over the same samples and concepts, with intervals and paired tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.baselines import ORACLES, baseline, chosen_baselines, left_out, median_above
from ontoeval.comparison.perturbations import Seed
from ontoeval.comparison.plan import CHANCE_DRAWS, Plan, PlanOptions, Progress, plan_of, silent, steps
from ontoeval.comparison.replication import RunRows, Step, jackknife_moments, replicates
from ontoeval.comparison.resampled_totals import plan_of_totals
from ontoeval.comparison.result import Comparison, flat_f
from ontoeval.comparison.scan_comparison import compare_parts
from ontoeval.comparison.significance import bootstrap_test, holm, randomisation, tukey
from ontoeval.core.batch import Batch
from ontoeval.core.coercion import (
    Labels,
    LabelSyntax,
    both_sides,
    labels_and_prediction,
    lines_on_reading,
    readable,
    sets_of,
    takes_names,
)
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.resampling import Orders, Swaps, interval
from ontoeval.core.sample_weights import SampleWeight
from ontoeval.core.verified import VerifiedLabels
from ontoeval.core.vocabulary import common_vocabulary
from ontoeval.errors import InputError
from ontoeval.evaluation.defaults import asks_for_scores
from ontoeval.evaluation.portions import refuse_in_parts
from ontoeval.evaluation.sample_join import is_in_parts, scoring_of_parts
from ontoeval.evaluation.scoring import Evaluation, evaluate
from ontoeval.measures.base import Measures, info
from ontoeval.plumbing.checks import Missing
from ontoeval.plumbing.processes import Workers
from ontoeval.plumbing.sparse import without
from ontoeval.plumbing.workers import checked_workers, mapped, using

Numbers = NDArray[np.float64]

CHANCE = "random"
"""The baseline whose score is that of chance: labels at random, as often as in the truth."""


class CompareKeywords(PlanOptions, total=False):
    """Keywords of `compare`."""

    hierarchy: Hierarchy | None
    agreement: Mapping[str, float] | None
    measures: Measures | None
    threshold: float | Mapping[str, float] | None
    missing: Missing
    sample_weight: SampleWeight | None
    known: Labels | None
    plan: Plan | None
    baselines: Sequence[str] | None
    chance: bool
    classes: Sequence[str] | None
    separator: str | None


@front_door
def compare(  # noqa: PLR0913 - each is an option
    truth: Labels,
    runs: Mapping[str, Labels],
    *,
    hierarchy: AnyHierarchy | None = None,
    agreement: Mapping[str, float] | None = None,
    measures: Measures | None = None,
    threshold: float | Mapping[str, float] | None = None,
    missing: Missing = "refuse",
    sample_weight: SampleWeight | None = None,
    known: Labels | None = None,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
    plan: Plan | None = None,
    baselines: Sequence[str] | None = None,
    chance: bool = False,
    progress: Progress = silent,
    workers: Workers | None = None,
    **options: Unpack[PlanOptions],
) -> Comparison:
    """Compare runs by measures, with bootstrap intervals and paired tests.

    Parameters
    ----------
    truth
        What `evaluate` takes.
    runs
        The prediction of each run by its name; what `evaluate` takes, all of the same kind.
    hierarchy, agreement, measures, threshold, missing, sample_weight, known, classes, separator
        See `evaluate`. Resamples draw samples, each with its weight, and tests exchange weighted samples.
    plan
        How to compare.
    baselines
        Keys of `ontoeval.comparison.BASELINES`, shown beside the runs but not ranked, grouped or tested; ()
        for none. By default "prior" and "permuted", except those that are the name of a run; for verified
        labels and scans "prior" alone, and for Dask collections none. Of label sets with a hierarchy, the
        oracles "siblings" and "top", too, but where one changes fewer than half of the sets, empties more
        than a tenth, or its F is not below the median of the runs, which a note then says.
    chance
        Whether to compute how far above chance (random labels) each score lies.
    progress
        Progress callback: called with a description and a number of steps, it returns a context manager
        whose value is called after each step.
    workers
        Number of threads that work at the same time, on runs and on chunks of resamples; by default 1. The
        results are the same to the last bit. Each thread takes memory for a chunk of resamples. For scans
        (`ontoeval.scan_labels`) the number of processes, an executor of `concurrent.futures`, or a client of
        a Dask cluster. Dask collections take none: Dask has the workers.
    **options
        Fields of `Plan`, in place of a plan: ``resamples=1000, seed=0, interval="bca"``.

    Raises
    ------
    InputError
        If there is no run, or a run has the name of a baseline.
    MisalignedError
        If samples or concepts differ.
    ParameterError
        If the number of workers is no whole number of at least 1, or an option of the plan is wrong.

    Examples
    --------
    >>> truth = [[1, 0], [1, 1], [0, 1], [1, 0]] * 10
    >>> runs = {"same": truth, "all": [[1, 1]] * 40}
    >>> found = compare(truth, runs, measures="F", baselines=(), resamples=200)
    >>> found.scores.round(3).tolist(), found.groups("F"), found.adjusted[0, 0, 1].round(3).item()
    ([[1.0], [0.769]], ('a', 'b'), 0.005)
    """
    _check_names(runs)
    how: dict[str, Any] = {"hierarchy": hierarchy, "agreement": agreement, "measures": measures}
    how |= {"threshold": threshold, "missing": missing, "sample_weight": sample_weight}
    if is_in_parts(truth, runs):
        refuse_in_parts(chance=chance or None)
        how |= {"known": known, "classes": classes, "separator": separator}
        scoring = scoring_of_parts(truth, runs, workers=workers, **how)
        plan = plan_of_totals(plan, options)
        return compare_parts(scoring, truth, runs, plan, baselines, workers, progress)[0]
    plan, workers = plan_of(Plan, plan, options), checked_workers(workers)
    scores = asks_for_scores(measures, threshold)
    sides, reading = _sides(truth, runs, hierarchy, LabelSyntax(classes, separator), scores=scores)
    true, predicted = next(iter(sides.values()))
    oracles = hierarchy is not None and not isinstance(predicted, LabelScores)
    verified = isinstance(true, VerifiedLabels)
    kinds = chosen_baselines(baselines, runs, verified=verified, oracles=oracles)
    if known is not None:
        how["known"] = sets_of(known, hierarchy, LabelSyntax(classes, separator))

    rows: dict[Evaluation, RunRows] = {}

    def scored(both: tuple[Labels, Labels]) -> Evaluation:
        found = evaluate(*both, **how)
        found = replace(found, reading=(*reading, *found.reading))
        rows[found] = RunRows.from_evaluation(found)  # at once, since views take much memory
        return found

    number = steps(plan, len(sides), baselines=len(kinds), chance=chance)
    with using(workers), progress("Comparing", number) as step:

        def all_scored(several: Iterable[tuple[Labels, Labels]]) -> Iterator[Evaluation]:
            for found in mapped(scored, several):
                step()
                yield found

        evaluations = dict(zip(sides, all_scored(sides.values()), strict=True))
        first = next(iter(evaluations.values()))

        def beside(kind: str, seed: Seed) -> tuple[Labels, Labels]:
            # Beside known terms the first run lacks the samples of which everything true was known.
            return true, _baseline(kind, first, seed).take(true.samples)

        made = dict(zip(kinds, all_scored(beside(kind, plan.seed) for kind in kinds), strict=True))
        refused = _refused(made, evaluations) if baselines is None else {}
        kinds = tuple(kind for kind in kinds if kind not in refused)
        evaluations |= {kind: made[kind] for kind in kinds}
        level = None
        if chance:
            seeds = (np.random.default_rng([plan.seed, draw]) for draw in range(CHANCE_DRAWS))
            draws = all_scored(beside(CHANCE, seed) for seed in seeds)
            level = np.mean([list(drawn.scores.values()) for drawn in draws], axis=0)
        return replace(
            _compared(
                evaluations, list(map(rows.__getitem__, evaluations.values())), plan, kinds, level, step
            ),
            left_out=refused,
        )


def _refused(made: Mapping[str, Evaluation], runs: Mapping[str, Evaluation]) -> dict[str, str]:
    """Why oracles are left out."""
    sides = {kind: one.sets for kind, one in made.items() if kind in ORACLES and one.sets is not None}
    if not sides:
        return {}
    plain = [one for kind, one in made.items() if kind not in ORACLES]
    median = median_above(flat_f(runs.values()), flat_f(plain))
    found = {kind: left_out(sets, float(flat_f([made[kind]])[0]), median) for kind, sets in sides.items()}
    return {kind: why for kind, why in found.items() if why}


def _check_names(runs: Mapping[str, Labels]) -> None:
    if not isinstance(runs, Mapping):
        kind = type(runs).__name__
        raise InputError(f"runs without names: a {kind}", 'Give a mapping, such as {"my run": prediction}.')
    if not runs:
        raise InputError("no run to compare", "Give at least one.")


def _sides(
    truth: Labels, runs: Mapping[str, Labels], hierarchy: Hierarchy | None, how: LabelSyntax, *, scores: bool
) -> tuple[dict[str, tuple[Any, Any]], tuple[str, ...]]:
    """Read truth and runs over the same concepts: means over concepts need the same ones for all runs."""
    truth = readable(truth, how)
    runs = {run: readable(prediction, how) for run, prediction in runs.items()}
    reading = lines_on_reading(truth, runs, hierarchy)
    frames: list[Any] = [prediction for prediction in runs.values() if takes_names(truth, prediction)]
    if frames:
        if len({(frame.samples, frame.concepts) for frame in frames}) > 1:
            raise InputError(
                "the truth is an array without names, beside data frames that differ in rows or columns",
                "Give the truth names: LabelSets.from_array(array, vocabulary=[...], samples=[...]).",
            )
        truth, _ = both_sides(truth, frames[0])
    sides = {
        run: labels_and_prediction(truth, prediction, hierarchy, how, scores=scores)
        for run, prediction in runs.items()
    }
    if hierarchy is not None:
        return dict(sides), reading
    shared = common_vocabulary(side.vocabulary for both in sides.values() for side in both)
    over = {run: (true.within(shared), predicted.within(shared)) for run, (true, predicted) in sides.items()}
    return over, reading


def _baseline(kind: str, evaluation: Evaluation, seed: Seed) -> LabelSets | LabelScores:
    """Make a baseline of the truth; with scores, where runs have some."""
    batch = evaluation.batch
    assert batch is not None  # noqa: S101 - evaluations of samples have them
    truth: LabelSets | VerifiedLabels = batch.truth
    if isinstance(batch, Batch) and batch.known is not None:
        absent = without(batch.known, batch.truth.matrix)
        truth = VerifiedLabels(batch.truth, LabelSets(absent, batch.truth.vocabulary, batch.truth.samples))
    weights = batch.sample_weight
    named = None if weights is None else dict(zip(truth.samples, weights.tolist(), strict=True))
    sets = baseline(truth, kind, hierarchy=batch.hierarchy, seed=seed, sample_weight=named)
    if not isinstance(batch.prediction, LabelScores):
        return sets
    limits = evaluation.threshold
    highest = max(limits.values(), default=1.0) if isinstance(limits, Mapping) else limits or 1.0
    return LabelScores(sets.matrix.astype(np.float64) * max(highest, 1.0), sets.vocabulary, sets.samples)


def _compared(
    evaluations: Mapping[str, Evaluation],
    rows: Sequence[RunRows],
    plan: Plan,
    baselines: tuple[str, ...],
    chance: Numbers | None,
    step: Step,
) -> Comparison:
    scores = np.array([list(evaluation.scores.values()) for evaluation in evaluations.values()])
    drawn = replicates(rows, plan.bootstrap, step)
    moments = None
    if plan.interval == "bca":
        moments = np.stack(list(mapped(jackknife_moments, rows)), axis=1)
    samples = next(iter(evaluations.values())).totals.samples
    low, high = interval(drawn, scores, moments, level=plan.level, method=plan.interval, samples=samples)
    p_values, adjusted = (np.full((scores.shape[1], len(rows), len(rows)), np.nan) for _ in range(2))
    own = len(rows) - len(baselines)
    if plan.test != "none" and own > 1:  # baselines, which come last, do not compete
        p_values[:, :own, :own], adjusted[:, :own, :own] = _tested(
            rows[:own], scores[:own], drawn[:, :own], plan, step
        )
    return Comparison(evaluations, plan, scores, low, high, drawn, p_values, adjusted, baselines, chance)


def _tested(
    rows: Sequence[RunRows],
    scores: Numbers,
    drawn: Numbers,
    plan: Plan,
    step: Step,
) -> tuple[Numbers, Numbers]:
    """Raw and adjusted p-values of all pairs; measures that cannot be summed are tested by the bootstrap."""
    single = np.array([not info(measure, "mergeable") for measure in rows[0].measures.values()])
    shifted = None
    if plan.test == "bootstrap" or single.any():
        shifted = bootstrap_test(rows, scores, drawn, plan.bootstrap, step)
    if plan.test == "bootstrap":
        p_values = shifted
    else:
        p_values = randomisation(rows, Swaps(resamples=plan.resamples, seed=plan.seed), step)
        if shifted is not None:
            p_values[single] = shifted[single]
    assert p_values is not None  # noqa: S101 - one of both was computed
    if plan.correction == "none":
        return p_values, p_values
    adjusted = holm(p_values)
    if plan.correction == "tukey" and not single.all():
        orders = Orders(resamples=plan.resamples, seed=plan.seed, runs=len(rows))
        adjusted[~single] = tukey(rows, orders, step)[~single]
    return p_values, adjusted
