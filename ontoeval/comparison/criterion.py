"""A criterion from outside, such as people's judgements: which measure ranks the runs as it does."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import permutations
from math import factorial
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.rank_correlation import tau_b
from ontoeval.comparison.reliability import Entrants
from ontoeval.comparison.significance import Family, bootstrap_test
from ontoeval.core.choices import Best
from ontoeval.core.frames import by_names, is_frame
from ontoeval.core.resampling import (
    ROUNDING,
    Interval,
    Portion,
    Swaps,
    Weighing,
    chunks,
    in_order,
    logit_interval,
)
from ontoeval.core.sample_weights import GroupDraws, SampleGroups
from ontoeval.core.showing import Brief
from ontoeval.errors import InputError, did_you_mean, enumerate_some, join_with_and, one_of, pluralise
from ontoeval.evaluation.scoring import score
from ontoeval.evaluation.totals import totals_of
from ontoeval.measures.catalogue import measures_of
from ontoeval.measures.counts import divide
from ontoeval.plumbing.arrays import Numbers

Criterion = Mapping[str, float] | Mapping[str, Mapping[str, float]] | Any
"""A number for each run, or for each run and sample: mappings, a series, or a frame with a column per run."""

FEWEST, HINT = 10, 4
"""Fewest teams of which agreement with a criterion generalises to other runs, and of which it is tested."""

_AT_ONCE = 1_000_000
"""Differences of pairs of teams that are computed at a time: 8 MB."""

_COPY = 2e-3
"""Largest deviation from a line, as a share of the range, of what is taken for a measure's own scores."""

_OF_TRUTH = ("F", "P", "R", "Jaccard", "Hamming", "ExactMatch", "F(average='macro')", "F(average='samples')")
"""Measures by which a criterion may have been made, beside those that are studied."""


@dataclass(frozen=True, eq=False, repr=False)
class CriterionAgreement(Brief):
    """How far each measure orders the pairs of teams as a criterion does.

    Parameters
    ----------
    runs
        The runs that are ranked.
    teams
        The team of each run; without one the run itself.
    values
        The criterion of each run, more being better; the mean of the samples, with their weights, where
        it has a number for each.
    measures
        Notations of the measures.
    accuracy
        Soft pairwise accuracy: 1 less the mean over pairs of teams of the difference between two p-values,
        one-sided, that the first team is better by the measure and by the criterion [thompson2024]_. The p of
        two teams is the mean over the pairs of their runs; that of a criterion without samples is 0, ½ or 1.
    accuracy_interval
        Its interval over resamples of the teams.
    tau
        Kendall's τ_b of the runs with the criterion.
    p_values
        Of the difference between each measure and the most accurate one, by the bootstrap of teams, by
        step-down max-T over all pairs of measures. nan for the best one.
    p_chance
        Share of the random orders of the teams that some measure fits as well as the best one fits the
        criterion; nan of fewer than 4 teams, and where runs were not tested.
    p_reverse
        The same of the criterion in reverse order.
    interval_level
        Confidence level of the intervals.
    """

    runs: tuple[str, ...]
    teams: tuple[str, ...]
    values: Numbers
    measures: tuple[str, ...]
    accuracy: Numbers
    accuracy_interval: Interval
    tau: Numbers
    p_values: Numbers
    p_chance: float
    p_reverse: float
    interval_level: float

    @property
    def _brief(self) -> str:
        return f"{pluralise(len(self.measures), 'measure')}, {pluralise(len(self.runs), 'run')}"

    @property
    def units(self) -> str:
        """What is permuted, in words."""
        number = len(set(self.teams))
        return pluralise(number, "team" if self.teams != self.runs else "run")

    @property
    def notes(self) -> list[str]:
        """Limits of the agreement."""
        notes, number = list[str](), len(set(self.teams))
        if self.teams == self.runs:
            notes.append("Criterion: each run is a team of its own. Runs of one team are not independent.")
        if HINT <= number < FEWEST:
            notes.append(f"Agreement with a criterion over {self.units} says little about other runs.")
        if exact := [key for key, one in zip(self.measures, self.tau, strict=True) if one >= 1 - ROUNDING]:
            alike = f"The criterion orders the runs exactly as {join_with_and(exact)}"
            notes.append(f"{alike}: if it was made from the truth, it is no evidence.")
        return notes

    @property
    def order(self) -> tuple[int, ...]:
        """Positions of the measures, the most accurate first."""
        return tuple(np.lexsort((-np.nan_to_num(self.tau, nan=-2.0), -self.accuracy)).tolist())


@dataclass(frozen=True, eq=False)
class CriterionValues:
    """A criterion of runs, oriented so that more is better, and its samples if it has numbers for each."""

    by_run: Mapping[str, Numbers]
    samples: tuple[str, ...] | None = None

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
        one_of("best", best, get_args(Best))
        factor = 1.0 if best == "highest" else -1.0
        each = {str(run): by_names("criterion", one, of="sample") for run, one in given.items()}
        if not any(isinstance(one, Mapping) for one in each.values()):
            return cls({run: factor * _finite([one], run) for run, one in each.items()})
        samples, found = None, dict[str, Numbers]()
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
        _refuse_unknown("criterion has", self.by_run, entrants)
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


def _refuse_unknown(what: str, named: Iterable[str], entrants: Entrants) -> None:
    runs = entrants.comparison.runs
    if unknown := [run for run in named if run not in runs]:
        problem = f"the {what} runs that are not compared: {enumerate_some(unknown)}"
        known = f"The runs are {enumerate_some(entrants.names)}."
        raise InputError(f"{problem}{did_you_mean(unknown[0], runs)}", known)


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


def criterion_agreement(
    entrants: Entrants, given: CriterionValues, teams: Mapping[str, str]
) -> CriterionAgreement:
    """Compare the order of the teams by each measure with that by a criterion."""
    each, plan = given.of(entrants), entrants.comparison.plan
    values, apart = _certainty(each, entrants)
    if not np.ptp(values):
        raise InputError("the criterion has one value for all runs", "Give one by which runs differ.")
    _refuse_own_scores(entrants, values)
    _refuse_unknown("teams have", teams, entrants)
    named = tuple(teams.get(run) or run for run in entrants.names)
    marks = np.array([[run == team for team in dict.fromkeys(named)] for run in named], dtype=np.float64)
    number = marks.shape[1]
    first, second = np.triu_indices(number, 1)
    at, merits = list(entrants.positions), entrants.merits.T
    sure = _one_sided(entrants.comparison.p_values[:, at][:, :, at], merits[:, :, None] - merits[:, None])
    measures = _of_teams(sure, marks)[:, first, second]
    wanted = _of_teams(apart, marks)
    away = np.abs(measures - wanted[first, second])
    accuracy, nowhere = _accuracy(away), np.full(len(away), np.nan)
    bounds, p_values, p_chance, p_reverse = Interval(nowhere, nowhere), nowhere, np.nan, np.nan
    rng = np.random.default_rng([plan.seed, number])
    if number >= HINT and np.isfinite(accuracy).any():
        drawn = rng.multinomial(number, [1 / number] * number, size=plan.resamples)
        weights = (drawn[:, first] * drawn[:, second]).astype(np.float64)
        replicates = 1 - divide(weights @ np.nan_to_num(away).T, weights @ np.isfinite(away).T)
        ends = [(0.0, 1.0)] * len(away)
        bounds = logit_interval(accuracy, replicates, nowhere, ends, units=number, level=plan.level)
        family = Family.from_runs(entrants.measures, (), (), ())
        _, adjusted = bootstrap_test(family, accuracy[:, None], replicates[..., None])
        p_values = family.table(adjusted)[0, np.nanargmax(accuracy)]
        every = factorial(number) <= plan.resamples
        mixed = np.array(list(permutations(range(number)))) if every else np.arange(number)
        if not every:
            mixed = rng.permuted(np.tile(mixed, (plan.resamples, 1)), axis=1)
        p_chance, p_reverse = (_chance(measures, one, mixed, whole=every) for one in (wanted, 1 - wanted))
    measured = entrants.measures, accuracy, bounds, tau_b(merits, values), p_values
    return CriterionAgreement(entrants.names, named, values, *measured, p_chance, p_reverse, plan.level)


def _one_sided(p: Numbers | float, apart: Numbers) -> Numbers:
    """How sure it is that a run is better: 1 less the one-sided p-value, one half where two runs tie."""
    return np.asarray(0.5 + np.sign(apart) * (1 - p) / 2)


def _certainty(each: Numbers, entrants: Entrants) -> tuple[Numbers, Numbers]:
    """Compute the criterion of each run, and how sure it is that a run is better: runs × runs.

    Numbers of samples, or of whole groups, are exchanged as the tests of measures do.
    """
    comparison, plan = entrants.comparison, entrants.comparison.plan
    samples, group, batch = in_order(comparison.first.samples), comparison.first.group, comparison.first.batch
    given = None if batch is None or len(each) == 1 else batch.in_order.sample_weight
    weights = np.ones(len(each)) if given is None else given
    parts = each * (weights / weights.sum())[:, None]
    values = parts.sum(axis=0)
    apart = values[:, None] - values
    apart[np.abs(apart) <= ROUNDING] = 0.0
    if len(each) == 1:
        return values, _one_sided(0.0, apart)
    swaps: Weighing = Swaps(resamples=plan.resamples, seed=plan.seed)
    if group is not None:
        swaps = GroupDraws(swaps, SampleGroups.from_names(group, samples))
    beyond = np.ones_like(apart)
    for chunk in chunks(plan.resamples):
        mixed = (1 - 2 * swaps.draw(*chunk, Portion(0, len(samples), samples))) @ parts
        for one in mixed:
            beyond += np.abs(one[:, None] - one) >= np.abs(apart) - ROUNDING
    return values, _one_sided(beyond / (1 + plan.resamples), apart)


def _of_teams(apart: Numbers, marks: Numbers) -> Numbers:
    """Average over the pairs of runs of two teams: ... × teams × teams."""
    return divide(marks.T @ np.nan_to_num(apart) @ marks, marks.T @ np.isfinite(apart) @ marks)


def _accuracy(away: Numbers) -> Numbers:
    """1 less the mean of the defined differences along the last axis."""
    return 1 - divide(np.nansum(away, axis=-1), np.isfinite(away).sum(axis=-1))


def _chance(measures: Numbers, wanted: Numbers, orders: NDArray[np.intp], *, whole: bool) -> float:
    """Share of the orders of the teams that some measure fits as well as the best one fits the given one."""
    first, second = np.triu_indices(len(wanted), 1)
    best = np.nanmax(_accuracy(np.abs(measures - wanted[first, second]))) - ROUNDING
    count = 0.0
    for some in np.array_split(orders, 1 + len(orders) * measures.size // _AT_ONCE):
        mixed = wanted[some[:, first], some[:, second]]
        count += float((np.nanmax(_accuracy(np.abs(measures - mixed[:, None])), axis=1) >= best).sum())
    return (count + (not whole)) / (len(orders) + (not whole))


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
