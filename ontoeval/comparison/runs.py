"""Comparison of runs over the same samples and concepts, with intervals and paired tests."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from time import process_time
from typing import TYPE_CHECKING, Unpack

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.baselines import CONSTANT, ORACLES, baseline_of, chosen_baselines, why_left_out
from ontoeval.comparison.perturbations import Seed
from ontoeval.comparison.plan import CHANCE_DRAWS, Plan, PlanOptions, Progress, plan_of, silent
from ontoeval.comparison.products import RowProducts
from ontoeval.comparison.replication import RunRows, StepCallback, held_by, jackknife_errors, replicates
from ontoeval.comparison.result import Comparison, closed, closed_scores
from ontoeval.comparison.significance import bootstrap_test, randomisation
from ontoeval.core.batch import Batch, ScoredBatch
from ontoeval.core.choices import Missing, OutsideRule, Threshold
from ontoeval.core.graphs import AnyHierarchy, front_door
from ontoeval.core.inputs import Labels, RunsOrPaths, runs_by_name
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.resampling import Bootstrap, Weighing, chunks, swaps_of
from ontoeval.core.sample_weights import SampleGroup, SampleWeight
from ontoeval.errors import InputError, ParameterError
from ontoeval.evaluation.alignment import AlignedRuns, SideOptions
from ontoeval.evaluation.scoring import EvaluateKeywords, evaluate_aligned, usual_for
from ontoeval.evaluation.totals import KeptRows
from ontoeval.measures.base import Measures, info
from ontoeval.measures.catalogue import asks_for_scores, measures_of
from ontoeval.measures.flat import F
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.memory import estimated
from ontoeval.plumbing.workers import checked_workers, mapped, using_workers

if TYPE_CHECKING:
    from ontoeval.evaluation.slices import OnlySpec, PartSpec

CHANCE = "random"
"""The baseline whose score is that of chance: labels at random, as often as in the truth."""

_FEW = 64
"""Most resamples that are tried to estimate how long all of them take."""


class CompareKeywords(EvaluateKeywords, PlanOptions, total=False):
    """Keywords of `compare`."""

    measures: Measures | None
    plan: Plan | None
    baselines: Sequence[str] | None
    chance: bool


@front_door
def compare(  # noqa: PLR0913 - each is an option
    truth: Labels,
    runs: RunsOrPaths,
    *,
    hierarchy: AnyHierarchy | None = None,
    agreement: Mapping[str, float] | None = None,
    measures: Measures | None = None,
    threshold: Threshold | None = None,
    missing: Missing = "refuse",
    sample_weight: SampleWeight | None = None,
    groups: SampleGroup | None = None,
    by: PartSpec | None = None,
    only: OnlySpec | None = None,
    outside: OutsideRule = "ancestor",
    known: Labels | None = None,
    classes: Sequence[str] | None = None,
    separator: str | None = None,
    ignore_index: float | None = None,
    plan: Plan | None = None,
    baselines: Sequence[str] | None = None,
    chance: bool = False,
    progress: Progress = silent,
    workers: int | None = None,
    **options: Unpack[PlanOptions],
) -> Comparison:
    """Compare runs by measures, with bootstrap intervals and paired tests.

    Parameters
    ----------
    truth
        What `evaluate` takes.
    runs
        The prediction of each run by its name; what `evaluate` takes, all of the same kind. Or the path of a
        folder of runs, a pattern such as ``runs/*.csv``, or a list of paths, whose files name the runs.
    hierarchy, agreement, measures, threshold, missing, sample_weight, groups, by, only, outside
        See `evaluate`. Resamples draw samples, each with its weight, and tests exchange weighted samples.
        With groups both take whole groups, and intervals and tests of one group are undefined. Parts have
        intervals, tests and baselines of their own, see `Comparison.parts`.
    known, classes, separator, ignore_index
        See `evaluate`.
    plan
        How to compare.
    baselines
        Keys of `ontoeval.comparison.BASELINES`, shown beside the runs but not ranked or grouped; () for none.
        Runs are tested against "empty", "all" and "prior", too. By default "prior" and "permuted", except
        those that are the name of a run; for verified labels "prior" alone. With a hierarchy and measures of
        sets, the oracles "siblings" and "top", too, unless a measure needs one true label in each sample, but
        where one changes fewer than half of the sets, empties more than a tenth, or its F is not below the
        median of the runs, which a note then says.
    chance
        Whether to compute how far above chance (random labels) each score lies.
    progress
        Progress callback: called with a description and a number of steps, it returns a context manager
        whose value is called after each step.
    workers
        Number of threads that work at the same time, on runs and on chunks of resamples; by default 1. The
        results are the same to the last bit. Each thread takes memory for a chunk of resamples.
    **options
        Fields of `Plan`, in place of a plan: ``resamples=1000, seed=1``.

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
    >>> found.scores.round(3).tolist(), found.groups("F")
    ([[1.0], [0.769]], ('a', 'b'))
    >>> found.adjusted[0, 0, 1].round(3).item()
    0.005
    """
    runs = runs_by_name(truth, runs)
    check_names(runs)
    of_sides = sample_weight, classes, separator, agreement, threshold, known, groups, ignore_index, by
    how = SideOptions(hierarchy, missing, *of_sides, only, outside, soft=True)
    plan, workers = plan_of(Plan, plan, options), checked_workers(workers)
    chosen = None if measures is None else measures_of(measures)
    given = AlignedRuns.from_labels(truth, runs, how, scores=asks_for_scores(chosen))
    wanted = chosen or usual_for(given)
    # Oracles are label sets of several labels.
    fit = all(info(one, "takes") == "sets" and not info(one, "single") for one in wanted.values())
    oracles = hierarchy is not None and fit
    verified = getattr(given.first, "known", None) is not None or given.sample_of is not None
    kinds = chosen_baselines(baselines, runs, verified=verified, oracles=oracles)
    if given.sample_of is not None and not {*CONSTANT}.issuperset(kinds):
        expected = (
            f"some of {', '.join(CONSTANT)}: others would predict for each annotator, not for each sample"
        )
        raise ParameterError("baselines", list(kinds), expected)

    def compared(given: AlignedRuns, kinds: tuple[str, ...], progress: Progress) -> Comparison:
        def scored(batch: Batch | ScoredBatch) -> RunRows:  # at once, since views take much memory
            kept = KeptRows()
            return RunRows.from_evaluation(evaluate_aligned(given, batch, wanted, kept), kept)

        number = len(given.batches) + len(kinds) + CHANCE_DRAWS * chance - 1
        with using_workers(workers):
            begin, first = process_time(), scored(given.first)
            # The oracle of siblings has some five times as many labels.
            seconds = (process_time() - begin) * (number + 4 * ("siblings" in kinds))
        title = estimated("Comparing", seconds, "other measures (measures=, -m)", measured=True)
        with using_workers(workers), progress(title, number) as step:

            def all_scored(batches: Iterable[Batch | ScoredBatch]) -> Iterator[RunRows]:
                for found in mapped(scored, batches):
                    step()
                    yield found

            def beside(kind: str, seed: Seed) -> Batch | ScoredBatch:
                return given.first.predicting(_baseline(kind, given, seed))

            others = all_scored(islice(given.batches.values(), 1, None))
            rows = dict(zip(given.batches, chain([first], others), strict=True))
            made = dict(zip(kinds, all_scored(beside(kind, plan.seed) for kind in kinds), strict=True))
            refused = dict(_why_oracles_left_out(made, rows)) if baselines is None else {}
            kinds = tuple(kind for kind in kinds if kind not in refused)
            rows |= {kind: made[kind] for kind in kinds}
            level = None
            if chance:
                seeds = (np.random.default_rng([plan.seed, draw]) for draw in range(CHANCE_DRAWS))
                draws = all_scored(beside(CHANCE, seed) for seed in seeds)
                level = np.mean([list(drawn.evaluation.scores.values()) for drawn in draws], axis=0)
        with using_workers(workers):
            found = _compared(rows, plan, kinds, level, progress)
        found = replace(found, left_out=refused)
        return replace(found, ranking="by default") if chosen is None else found

    whole, parts = compared(given, kinds, progress), dict[tuple[str, str], Comparison]()
    with progress("Comparing parts", len(given.slices)) if given.slices else silent("", 0) as step:
        for key, part in given.parts:
            one = compared(part, kinds, silent)
            # What is told of the whole is not told again.
            told = {kind: why for kind, why in one.left_out.items() if kind not in whole.left_out}
            parts[key] = replace(one, left_out=told)
            step()
    return replace(whole, parts=parts)


def _why_oracles_left_out(
    made: Mapping[str, RunRows], runs: Mapping[str, RunRows]
) -> Iterator[tuple[str, str]]:
    """Why oracles are left out."""
    oracles = {kind: made[kind].evaluation for kind in made if kind in ORACLES}
    if oracles:
        best = closed_scores((one.evaluation for one in runs.values()), {"F": F()}).max()
    for kind, one in oracles.items():
        whole = None if one.sets is None else one.sets.derive(closed)
        own = closed_scores([one], {"F": F()}).item()
        if whole is not None and (why := why_left_out(whole, own, best)):
            yield kind, why


def check_names(runs: Mapping[str, Labels]) -> None:
    """Refuse no runs at all."""
    if not runs:
        raise InputError("no run to compare", "Give at least one.")


def _baseline(kind: str, given: AlignedRuns, seed: Seed) -> LabelSets | LabelScores:
    """Make a baseline of the truth; with scores, where runs have some."""
    sets = baseline_of(given.first, kind, seed)
    if isinstance(given.first, Batch):
        return sets
    limits = given.threshold
    highest = max(limits.values(), default=1.0) if isinstance(limits, Mapping) else limits or 1.0
    return LabelScores(sets.matrix.astype(np.float64) * max(highest, 1.0), sets.vocabulary, sets.samples)


def _unsummed(rows: Sequence[RunRows]) -> NDArray[np.bool_]:
    """Which measures have no sums."""
    return np.array([not info(measure, "mergeable") for measure in rows[0].measures.values()])


def _compared(
    runs: Mapping[str, RunRows],
    plan: Plan,
    baselines: tuple[str, ...],
    chance: Numbers | None,
    progress: Progress,
) -> Comparison:
    evaluations, rows = {run: one.evaluation for run, one in runs.items()}, list(runs.values())
    scores = np.array([list(evaluation.scores.values()) for evaluation in evaluations.values()])
    errors, nowhere = np.full(scores.shape, np.nan), np.full((scores.shape[1], len(rows), len(rows)), np.nan)
    drawn = np.empty((0, *scores.shape))
    found = Comparison(evaluations, plan, scores, errors, drawn, nowhere, nowhere, baselines, chance)
    swaps, single = swaps_of(rows[0].units, plan.resamples, plan.seed), _unsummed(rows)
    tested = plan.test != "none" and not found.untested and bool(found.family.pairs)
    steps = [len(list(chunks(resamples))) for resamples in (plan.resamples, swaps.resamples)]
    number = steps[0] * int(bool(not single.all()) + single.sum() * len(rows))
    number += steps[1] * (tested and not single.all()) + len(rows) - 1
    products = RowProducts.from_runs(rows)
    jackknife = partial(jackknife_errors, most=plan.resamples)
    few, begin = max(1, min(_FEW, plan.resamples // 32)), process_time()
    replicates(rows, Bootstrap(resamples=few, seed=plan.seed), products=products)
    if tested and not single.all():
        randomisation(rows, found.family, swaps_of(rows[0].units, few, plan.seed))
    seconds = (process_time() - begin) * plan.resamples / few
    begin, errors[0] = process_time(), jackknife(rows[0])
    seconds += (process_time() - begin) * (len(rows) - 1)
    cheaper = "fewer resamples (resamples=, --resamples), other measures (measures=, -m)"
    cheaper += ", test='none' (--test none)" * tested
    held = held_by(products, rows, plan.resamples)
    title = estimated("Resampling", seconds, cheaper, held, measured=True)
    with progress(title, number) as step:
        drawn = replicates(rows, plan.bootstrap, step, products)
        del products  # the tests need memory of their own
        for at, error in enumerate(mapped(jackknife, rows[1:]), 1):
            errors[at] = error
            step()
        found = replace(found, replicates=drawn)
        if tested:
            raw, adjusted = _p_values(rows, found, swaps, step)
            found = replace(found, p_values=raw, adjusted=adjusted)
    if found.drawn_units == 1:  # one sample or group, always drawn, has no spread
        drawn.fill(np.nan)
    return found


def _p_values(
    rows: Sequence[RunRows], found: Comparison, swaps: Weighing, step: StepCallback
) -> tuple[Numbers, Numbers]:
    """Raw and adjusted p-values of all pairs; measures that cannot be summed are tested by the bootstrap."""
    single, family = _unsummed(rows), found.family
    tables = np.full((2, len(family.pairs), len(single)), np.nan)
    if not single.all():
        tables[:] = randomisation(rows, family, swaps, step)
    if single.any():
        tables[:, :, single] = bootstrap_test(family, found.finite[:, single], found.replicates[:, :, single])
    raw, adjusted = map(family.table, tables)
    return raw, adjusted
