"""A criterion from outside, such as people's judgements: which measure ranks the runs as it does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.rank_correlation import tau_b
from ontoeval.comparison.reliability import Entrants
from ontoeval.core.choices import Best
from ontoeval.core.frames import by_names, is_frame
from ontoeval.core.rankings import directions, of_pairs, signs
from ontoeval.core.resampling import ROUNDING, Interval, Portion, Weighing, chunks, in_order, interval
from ontoeval.core.sample_weights import GroupDraws, SampleGroups
from ontoeval.core.showing import Brief
from ontoeval.errors import InputError, did_you_mean, enumerate_some, pluralise
from ontoeval.evaluation.scoring import score
from ontoeval.evaluation.totals import totals_of
from ontoeval.measures.catalogue import measures_of
from ontoeval.plumbing.arrays import Numbers

Criterion = Mapping[str, float] | Mapping[str, Mapping[str, float]] | Any
"""A number for each run, or for each run and sample: mappings, a series, or a frame with a column per run."""

FEWEST = 10
"""Fewest runs of which agreement with a criterion generalises to other runs."""

_PERMUTED = 25
"""Permutations that are scored at a time."""

_COPY = 2e-3
"""Largest deviation from a line, as a share of the range, of what is taken for a measure's own scores."""

_OF_TRUTH = ("F", "P", "R", "Jaccard", "Hamming", "ExactMatch", "F(average='macro')", "F(average='samples')")
"""Measures by which a criterion may have been made, beside those that are studied."""


@dataclass(frozen=True, eq=False, repr=False)
class CriterionAgreement(Brief):
    """How far each measure orders the pairs of runs as a criterion does.

    Parameters
    ----------
    runs
        The runs that are ranked.
    values
        The criterion of each run, more being better; the mean of the samples, with their weights, where
        it has a number for each.
    measures
        Notations of the measures.
    accuracy
        Share of the pairs of runs that measure and criterion order alike or both tie [deutsch2023]_.
    accuracy_interval
        Its interval over resamples of the samples.
    tau
        Kendall's τ_b with the criterion.
    tau_interval
        Its interval.
    epsilon
        Differences up to this are ties of the measure: the smallest that makes the accuracy the greatest.
    counts
        Pairs by measure: concordant, discordant, tied by the criterion alone, by the measure alone, by both.
    p_values
        Of the difference between each measure and the most accurate one: scores, standardised, are exchanged
        among the measures for each run, and the largest difference of any two counts. nan for the best one.
    p_chance
        Share of the random orders of the criterion that some measure fits as well as the best one fits it.
    interval_level
        Confidence level of the intervals.
    """

    runs: tuple[str, ...]
    values: Numbers
    measures: tuple[str, ...]
    accuracy: Numbers
    accuracy_interval: Interval
    tau: Numbers
    tau_interval: Interval
    epsilon: Numbers
    counts: NDArray[np.intp]
    p_values: Numbers
    p_chance: float
    interval_level: float

    @property
    def _brief(self) -> str:
        return f"{pluralise(len(self.measures), 'measure')}, {pluralise(len(self.runs), 'run')}"

    @property
    def identical(self) -> tuple[str, ...]:
        """Measures that order and tie all pairs of runs as the criterion does."""
        return tuple(name for name, one in zip(self.measures, self.tau, strict=True) if one >= 1 - ROUNDING)

    @property
    def order(self) -> tuple[int, ...]:
        """Positions of the measures, the most accurate first."""
        return _most_accurate_first(self.accuracy, self.tau)


def _most_accurate_first(accuracy: Numbers, tau: Numbers) -> tuple[int, ...]:
    return tuple(np.lexsort((-np.nan_to_num(tau, nan=-2.0), -accuracy)).tolist())


@dataclass(frozen=True, eq=False)
class CriterionValues:
    """A criterion of runs, oriented so that more is better, and its samples if it has numbers for each."""

    by_run: Mapping[str, Numbers]
    samples: tuple[str, ...] | None = field(default=None)

    @classmethod
    def from_input(cls, given: Criterion, best: Best) -> CriterionValues:
        """Read what is given for each run."""
        if is_frame(given) and getattr(given, "ndim", 1) > 1 and hasattr(given, "items"):
            given = dict(given.items())
        given = by_names("criterion", given, of="run")
        if not isinstance(given, Mapping) or not given:
            raise InputError(
                f"the criterion is no mapping: {type(given).__name__}",
                "Give a number for each run, {'run': 0.7}, or for each sample too, {'run': {'sample': 1}}.",
            )
        (factor,) = directions(best, 1)
        each = {str(run): by_names("criterion", one, of="sample") for run, one in given.items()}
        if not any(isinstance(one, Mapping) for one in each.values()):
            return cls({run: factor * _finite([one], run) for run, one in each.items()})
        samples: tuple[str, ...] | None = None
        found: dict[str, Numbers] = {}
        for run, one in each.items():
            if not isinstance(one, Mapping):
                raise InputError(
                    f"the criterion of {run!r} has no samples", "Give all runs samples, or none."
                )
            named = {str(sample): value for sample, value in one.items()}
            samples = samples or in_order(named)
            if set(samples) != set(named):
                other = sorted(set(samples) ^ set(named))
                problem = f"the criterion of {run!r} has other samples than that of {next(iter(each))!r}"
                raise InputError(f"{problem}: {enumerate_some(other)}", "Give all runs the same samples.")
            found[run] = factor * _finite([named[sample] for sample in samples], run)
        return cls(found, samples)

    def of(self, entrants: Entrants) -> Numbers:
        """Take the numbers of the runs that are ranked: samples × runs, or 1 × runs."""
        runs = entrants.comparison.runs
        unknown = [run for run in self.by_run if run not in runs]
        if unknown:
            near = did_you_mean(unknown[0], runs)
            raise InputError(
                f"the criterion has runs that are not compared: {enumerate_some(unknown)}{near}",
                f"The runs are {enumerate_some(entrants.names)}.",
            )
        lacking = [run for run in entrants.names if run not in self.by_run]
        if lacking:
            raise InputError(
                f"the criterion lacks {pluralise(len(lacking), 'run')}: {enumerate_some(lacking)}",
                "Give each run a number, or compare only those that have one.",
            )
        known = entrants.comparison.first.samples
        if self.samples is not None and set(self.samples) != set(known):
            other = sorted(set(self.samples) ^ set(known))
            raise InputError(
                f"the criterion has other samples than the truth: {enumerate_some(other)}",
                "Give each sample of the truth a number, and no other.",
            )
        return np.stack([self.by_run[run] for run in entrants.names], axis=-1)


def _finite(values: list[Any], run: str) -> Numbers:
    try:
        found = np.array(values, dtype=np.float64)
    except (OverflowError, TypeError, ValueError):
        found = np.array([np.nan])
    if not np.isfinite(found).all():
        wrong = next(
            (one for one in values if not isinstance(one, int | float) or not np.isfinite(one)), values
        )
        raise InputError(f"the criterion of {run!r} is {wrong!r}", "Give finite numbers.")
    return found


def criterion_agreement(entrants: Entrants, given: CriterionValues) -> CriterionAgreement:
    """Compare the order of the runs by each measure with that by a criterion."""
    each, plan = given.of(entrants), entrants.comparison.plan
    weights = _sample_weights(entrants) if len(each) > 1 else None
    values, merits = np.average(each, axis=0, weights=weights), entrants.merits.T
    wanted = signs(values[None])[0]
    if not wanted.any():
        raise InputError("the criterion has one value for all runs", "Give one by which runs differ.")
    _refuse_own_scores(entrants, values)
    differences = np.subtract(*of_pairs(merits))
    accuracy, epsilon = calibrated(differences, wanted)
    tied = np.abs(differences) <= epsilon[:, None] + ROUNDING
    ordered = signs(merits)
    kinds = (
        (ordered * wanted > 0) & ~tied,
        (ordered * wanted < 0) & ~tied,
        (wanted == 0) & ~tied,
        (wanted != 0) & tied,
        (wanted == 0) & tied,
    )
    counts = np.stack([kind.sum(axis=-1) for kind in kinds], axis=-1)
    resampled = _resampled(each, entrants)
    again = np.moveaxis(entrants.replicated, 1, -1)
    accuracies = _accuracy_within(again, resampled, epsilon)
    taus, tau = tau_b(again, resampled[:, None]), tau_b(merits, values)
    bounds = [interval(side, own, level=plan.level) for side, own in ((accuracies, accuracy), (taus, tau))]
    best = _most_accurate_first(accuracy, tau)[0]
    p_values, p_chance = _permuted(merits, differences, wanted, values, best, plan.resamples, plan.seed)
    return CriterionAgreement(
        entrants.names,
        values,
        entrants.measures,
        accuracy,
        bounds[0],
        tau,
        bounds[1],
        epsilon,
        counts,
        p_values,
        p_chance,
        plan.level,
    )


def calibrated(differences: Numbers, wanted: NDArray[np.int8]) -> tuple[Numbers, Numbers]:
    """Greatest share of pairs ordered or tied as wanted, along the last axis, and the least ε that gives it.

    Differences of at most ε are ties: a pair that should tie gains by that, and one in the right order loses.
    """
    right = np.sign(differences) * wanted > 0
    size = np.nan_to_num(np.abs(differences), nan=np.inf)
    gain = np.where(np.broadcast_to(wanted == 0, size.shape) & np.isfinite(size), 1, 0) - right
    order = np.argsort(size, axis=-1, kind="stable")
    size, gain = (np.take_along_axis(side, order, axis=-1) for side in (size, gain))
    start = np.zeros((*size.shape[:-1], 1))
    correct = right.sum(axis=-1, keepdims=True) + np.concatenate([start, np.cumsum(gain, axis=-1)], axis=-1)
    least = np.concatenate([start - 1.0, size], axis=-1)
    whole = np.concatenate(
        [least[..., 1:] > np.maximum(least[..., :-1], 0.0) + ROUNDING, start == 0], axis=-1
    )
    best = np.argmax(np.where(whole, correct, -1.0), axis=-1)[..., None]
    found = np.take_along_axis(correct, best, axis=-1)[..., 0] / wanted.shape[-1]
    return found, np.maximum(np.take_along_axis(least, best, axis=-1)[..., 0], 0.0)


def _resampled(each: Numbers, entrants: Entrants) -> Numbers:
    """Average the criterion over each resample of the samples, or of whole groups: resamples × runs."""
    comparison = entrants.comparison
    draws: Weighing = comparison.plan.bootstrap
    samples, group = in_order(comparison.first.samples), comparison.first.group
    if len(each) == 1:
        return np.repeat(each, draws.resamples, axis=0)
    if group is not None:
        draws = GroupDraws(draws, SampleGroups.from_names(group, samples))
    drawn = (draws.draw(*chunk, Portion(0, len(samples), samples)) for chunk in chunks(draws.resamples))
    heavy = (counts * _sample_weights(entrants) for counts in drawn)
    return np.concatenate([weights @ each / weights.sum(axis=1, keepdims=True) for weights in heavy])


def _sample_weights(entrants: Entrants) -> Numbers:
    """Weights of the samples in the order of drawing."""
    batch = entrants.comparison.first.batch
    weights = None if batch is None else batch.in_order.sample_weight
    return np.ones(len(entrants.comparison.first.samples)) if weights is None else weights


def _accuracy_within(merits: Numbers, values: Numbers, epsilon: Numbers) -> Numbers:
    """Accuracy with given ties in each resample: resamples × measures."""
    found = np.empty(merits.shape[:2])
    for at, (one, other) in enumerate(zip(merits, values, strict=True)):
        differences, wanted = np.subtract(*of_pairs(one)), signs(other[None])[0]
        ties = np.abs(differences) <= epsilon[:, None] + ROUNDING
        found[at] = np.where(ties, wanted == 0, np.sign(differences) * wanted > 0).mean(axis=-1)
    return found


def _permuted(
    merits: Numbers,
    differences: Numbers,
    wanted: NDArray[np.int8],
    values: Numbers,
    best: int,
    number: int,
    seed: int,
) -> tuple[Numbers, float]:
    """p-values of the differences to the best measure, and of its agreement with the criterion."""
    rng, spread = np.random.default_rng([seed, len(values)]), merits.std(axis=-1, keepdims=True)
    away = merits - merits.mean(axis=-1, keepdims=True)
    standard = np.divide(away, spread, out=np.zeros_like(merits), where=spread > ROUNDING)
    observed = calibrated(np.subtract(*of_pairs(standard)), wanted)[0]
    ahead = observed[best] - observed
    beyond, as_good = np.zeros(len(merits)), 0
    for begin in range(0, number, _PERMUTED):
        size = min(_PERMUTED, number - begin)
        places = np.argsort(rng.random((size, *merits.shape)), axis=1)
        mixed = np.take_along_axis(standard[None], places, axis=1)
        pairs = np.subtract(*of_pairs(mixed.reshape(-1, mixed.shape[-1])))
        scores = calibrated(pairs, wanted)[0].reshape(size, -1)
        beyond += ((scores.max(axis=1) - scores.min(axis=1))[:, None] >= ahead - ROUNDING).sum(axis=0)
        for _ in range(size):
            shuffled = signs(rng.permutation(values)[None])[0]
            as_good += calibrated(differences, shuffled)[0].max() >= observed[best] - ROUNDING
    p_values = (1 + beyond) / (1 + number)
    p_values[best] = np.nan
    return p_values, float((1 + as_good) / (1 + number))


def _refuse_own_scores(entrants: Entrants, values: Numbers) -> None:
    """Refuse a criterion that is a measure's own score of these runs, since it is made from the truth."""
    if len(values) < 4:  # noqa: PLR2004 - three points may lie on a line by chance
        return
    comparison = entrants.comparison
    known = dict(zip(entrants.measures, entrants.merits.T, strict=True))
    sets = [comparison.evaluations[run].sets for run in entrants.names]
    if all(one is not None for one in sets):
        chosen = measures_of([one for one in _OF_TRUTH if one not in known])
        rows = [list(score(totals_of(one, chosen)).scores.values()) for one in sets if one is not None]
        known |= dict(zip(chosen, np.array(rows).T, strict=True))
    for name, merit in known.items():
        if not np.isfinite(merit).all() or np.ptp(merit) <= ROUNDING:
            continue
        line = np.polynomial.Polynomial.fit(merit, values, 1)(merit)
        if np.abs(line - values).max() <= _COPY * np.ptp(values):
            raise InputError(
                f"the criterion is {name} of these runs, or a linear function of it",
                "It was made from the truth, and so is no evidence for a measure: give judgements or results "
                "from elsewhere.",
            )
