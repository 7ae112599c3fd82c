"""Result of a comparison: scores of runs, with intervals, p-values and groups."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.comparison.baselines import BASELINES, CONSTANT, ORACLES, USUAL_BASELINES
from ontoeval.comparison.plan import CHANCE_DRAWS, Plan
from ontoeval.comparison.significance import FEWEST, Family
from ontoeval.core.graphs import front_door
from ontoeval.core.rankings import ranks
from ontoeval.core.resampling import ROUNDING, Interval, logit_interval
from ontoeval.core.showing import Page, axes_of, page_of, reports
from ontoeval.core.table import DIGITS as SHOWN_DIGITS
from ontoeval.core.table import PValue, Table, Tabled, cell_text
from ontoeval.errors import (
    InputError,
    ParameterError,
    did_you_mean,
    enumerate_some,
    join_with_and,
    pluralise,
    pluralise_all,
)
from ontoeval.evaluation.scoring import Evaluation, notes_in_public, notes_of, signature_of
from ontoeval.evaluation.totals import totals_of
from ontoeval.measures.base import AnyMeasure, info, shortfall
from ontoeval.measures.catalogue import find_measure
from ontoeval.measures.flat import F
from ontoeval.measures.transport import TransportKappa
from ontoeval.plumbing.arrays import Marks, Numbers
from ontoeval.plumbing.files import FilePath

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ontoeval.core.batch import Batch
    from ontoeval.core.hierarchy import Hierarchy
    from ontoeval.core.label_scores import LabelScores
    from ontoeval.core.label_sets import LabelSets


RankedBy = Literal["by default", "named first", "by --rank"]
"""Why the first measure ranks."""

DIGITS = 12
"""Decimals of merits: scores that differ by rounding alone tie."""

_FEW = 30
"""Fewest samples of which intervals held the true score in at least 93 of 100 simulations, by any measure."""

_LITTLE = "intervals may be too narrow, and tests find large differences alone"

_FEW_GROUPS = 10
"""Fewest groups of which intervals nearly hold their level: see `docs/decisions/0027-groups.md`."""

_AT_CHANCE = 0.05
"""Scores nearer to 0 are at chance by a measure that is corrected for it."""

_NEARLY = 0.005
"""Share of wrong labels, of those of truth and run, below which a run may have been made of the truth."""

_BIASED = 0.25
"""Standard errors by which the mean of resamples may differ from the score: [efron1993]_ section 10.3."""

_RARE, _SELDOM = 3, 10
"""Fewest true samples of the median label for an interval of a mean over labels, and for one without note."""


def merits_of(scores: Numbers, measures: Iterable[object]) -> Numbers:
    """Orient scores so that more is better: minus the distance from the best value."""
    turned = np.array(scores, dtype=np.float64)
    for column, measure in enumerate(measures):
        if info(measure, "best") is not None:
            turned[..., column] = -shortfall(measure, turned[..., column])
    return np.asarray(turned.round(DIGITS))


def compact_letters(alike: Marks, tested: Marks, order: Sequence[int]) -> tuple[str, ...]:
    """Compact letter display: a letter for each maximal set of runs that are all alike, best run first."""
    place = {run: at for at, run in enumerate(order) if tested[run]}
    groups = {frozenset(place.values())}
    for run, at in place.items():  # split what is not all alike, and absorb what lies in others
        apart = frozenset(other for one, other in place.items() if other != at and not alike[run, one])
        mixed = {group for group in groups if at in group and group & apart}
        parts = {group - out for group in mixed for out in (apart, {at})}
        groups = groups - mixed | parts
        groups -= {part for part in parts if any(part < group for group in groups)}
    letters = [""] * len(alike)
    for number, places in enumerate(sorted(map(sorted, groups))):
        again, letter = divmod(number, len(ascii_lowercase))  # a to z, then a1 and so on
        for at in places:
            letters[order[at]] += ascii_lowercase[letter] + (str(again) if again else "")
    return tuple(letters)


class BestRun(str):
    """Name of the best run; called with a measure, that of the best by the measure."""

    __slots__ = ("by",)
    by: Callable[[AnyMeasure | None], BestRun]

    def __call__(self, measure: AnyMeasure | None = None) -> BestRun:
        """Name the best run by a measure, by default the first."""
        return self.by(measure)

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        """Leave the comparison behind where the name travels."""
        return str, (str(self),)


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Tabled):
    """Runs × measures, with intervals and tests; `ontoeval.compare` makes it.

    Parameters
    ----------
    evaluations
        The evaluation of each run by its name, baselines last.
    plan
        How the runs are compared.
    scores
        Runs × measures; nan where a measure is undefined.
    errors
        Jackknife standard errors, runs × measures; nan where those of the resamples stand in.
    replicates
        Scores of each bootstrap resample, the same for all runs: resamples × runs × measures.
    p_values, adjusted
        Raw, and adjusted for the number of pairs: measures × runs × runs, symmetric; nan where nothing was
        tested, as of two baselines or runs that predict the same, or a score is undefined.
    baselines
        Which of the runs are baselines.
    chance
        One score per measure: that of labels at random; None where it was not asked for.
    public
        Whether the truth is secret, so that nothing but scores is shown.
    left_out
        Oracles that were not compared, and why.
    ranking
        Why the first measure ranks: "by default", "named first", or "by --rank".
    parts
        The same for each part that ``by=`` cuts, by what cuts it and the name of the part.
    """

    evaluations: Mapping[str, Evaluation]
    plan: Plan
    scores: Numbers
    errors: Numbers = field(repr=False)
    replicates: Numbers = field(repr=False)
    p_values: Numbers = field(repr=False)
    adjusted: Numbers = field(repr=False)
    baselines: tuple[str, ...] = ()
    chance: Numbers | None = None
    public: bool = False
    left_out: Mapping[str, str] = field(default_factory=dict)
    ranking: RankedBy = "named first"
    parts: Mapping[tuple[str, str], Comparison] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Refuse runs that were scored with different sample weights."""
        if len({(one.totals.weights is None, one.totals.weight) for one in self.evaluations.values()}) > 1:
            raise InputError(
                "runs that were scored with different sample weights, or some without",
                "Compare them by one call: ontoeval.compare(truth, runs, sample_weight=...).",
            )

    def __getitem__(self, run: str) -> Evaluation:
        """Look up the evaluation of a run or a baseline."""
        if run not in self.evaluations:
            known = list(self.evaluations)
            problem = f"there is no run {run!r}{did_you_mean(str(run), known)}"
            raise InputError(problem, f"There are: {enumerate_some(known)}. Scores are in comparison[run].")
        return self.evaluations[run]

    @property
    def best(self) -> BestRun:
        """Name of the best run by the first measure, the first of several that tie; no baseline.

        Called with a measure, it names the best by that: ``comparison.best("hF")``.
        """
        return self._best()

    def _best(self, measure: AnyMeasure | None = None) -> BestRun:
        order = (self.runs[run] for run in self.order(measure))
        found = BestRun(min(order, key=lambda run: run in self.baselines))
        found.by = self._best
        return found

    @property
    def low(self) -> Numbers:
        """Lower bounds of the intervals, runs × measures."""
        return self._interval.low

    @property
    def high(self) -> Numbers:
        """Upper bounds of the intervals, runs × measures."""
        return self._interval.high

    @cached_property
    def _interval(self) -> Interval:
        bounds = [info(measure, "bounds") for measure in self.measures.values()]
        given = self.finite, self.replicates, self.errors, bounds
        units = 1 if self.truth_is_empty else self.drawn_units
        found = logit_interval(*given, units=units, level=self.plan.level)
        drawn = len(self.replicates) > 0
        rare = [not drawn or self.true_samples.get(key, np.inf) < _RARE for key in self.measures]
        for side in found:
            side[:, rare] = np.nan
        return found

    @cached_property
    def true_samples(self) -> Mapping[str, float]:
        """Number of true samples of the median label in use, by each measure that is a mean over labels."""
        found, each = dict[str, float](), self.first.totals.samples / self.first.totals.weight
        for key, measure in self.measures.items():
            if getattr(measure, "average", None) == "macro" and hasattr(measure, "true_per_concept"):
                true = measure.true_per_concept(self.first.totals.sums[measure.statistic])
                found[key] = each * float(np.median(true[true > 0])) if true.any() else 0.0
        return found

    @property
    def intervals(self) -> Mapping[str, Mapping[str, tuple[float, float]]]:
        """Bounds of the interval of each run and baseline, by the notation of the measure."""
        bounds = np.stack([self.low, self.high], axis=-1).tolist()
        every = zip(self.runs, bounds, strict=True)
        return {run: dict(zip(self.measures, map(tuple, one), strict=True)) for run, one in every}

    @property
    def _brief(self) -> str:
        counts = {"run": int(self.competing.sum()), "baseline": len(self.baselines)}
        counts["measure"] = len(self.measures)
        return pluralise_all(**{noun: number for noun, number in counts.items() if number})

    @property
    def runs(self) -> tuple[str, ...]:
        """Names of the runs."""
        return tuple(self.evaluations)

    @property
    def first(self) -> Evaluation:
        """The evaluation of the first run, for what is the same for all runs."""
        return next(iter(self.evaluations.values()))

    @property
    def competing(self) -> NDArray[np.bool_]:
        """Which runs compete: all but the baselines; one mark per run."""
        return np.array([run not in self.baselines for run in self.runs])

    @property
    def oracles(self) -> tuple[str, ...]:
        """The baselines that are made of the truth of each sample."""
        return tuple(run for run in self.baselines if run in ORACLES)

    @cached_property
    def won_by_nonsense(self) -> Mapping[str, Mapping[str, tuple[int, int]]]:
        """Measures by which an oracle is above most of the runs that are better by F of closed sets.

        By oracle and measure: how many of the better runs are below it, and how many these are. All is
        computed on closed sets. Runs that predict the same count once; one that is nearly the truth does not
        count, since it is above by any measure.
        """
        found = dict[str, Mapping[str, tuple[int, int]]]()
        flat, scores = self.on_closed_sets[:, -1], self.on_closed_sets[:, :-1]
        merits = merits_of(scores, self.measures.values())
        first = np.isin(self.runs, [runs[0] for runs in self._same_predictions])
        for run, at in ((run, self.runs.index(run)) for run in self.oracles):
            better = self.competing & first & (flat > flat[at]) & (flat <= 1 - _NEARLY)
            counts = zip(self.measures, (merits[better] < merits[at]).sum(axis=0).tolist(), strict=True)
            number = int(better.sum())
            found[run] = {key: (below, number) for key, below in counts if 2 * below > number}
        return {run: won for run, won in found.items() if won}

    @cached_property
    def on_closed_sets(self) -> Numbers:
        """Scores of closed sets, behind them F."""
        return closed_scores(self.evaluations.values(), {**self.measures, "": F()})

    @cached_property
    def groups_of_samples(self) -> int | None:
        """Number of groups that are drawn whole; None where samples are drawn."""
        group = self.first.group
        return None if group is None else len({group[sample] for sample in self.first.samples})

    @cached_property
    def drawn_units(self) -> int:
        """Number of what is drawn: groups, or samples that weigh anything."""
        if self.groups_of_samples is not None:
            return self.groups_of_samples
        weights, sample_of = (getattr(self.first.batch, "sample_weight", None), self.first.sample_of)
        if sample_of is not None and weights is not None:
            rows = zip(self.first.samples, weights, strict=True)
            return len({sample_of[row] for row, weight in rows if weight})
        return self.first.totals.samples if weights is None else int(np.count_nonzero(weights))

    @property
    def truth_is_empty(self) -> bool:
        """Whether no sample has a true label."""
        batch = self.first.batch
        return batch is not None and not batch.truth.matrix.nnz

    @cached_property
    def untested(self) -> str:
        """Why nothing can be tested; empty if it can."""
        units, groups = self.drawn_units, self.groups_of_samples is not None
        if self.truth_is_empty:
            return "no sample has a true label"
        if units == 1:
            return "all samples are in one group" if groups else "there is one sample"
        what = pluralise(units, "group" if groups else "sample")
        return f"there are {what}, and tests need at least {FEWEST}" * (units < FEWEST)

    @cached_property
    def family(self) -> Family:
        """The pairs that are tested: of different runs, and of runs and constant baselines."""
        untested = [run for run in self.baselines if run not in CONSTANT]
        return Family.from_runs(self.runs, self.baselines, untested, self._same_predictions)

    @property
    def measures(self) -> Mapping[str, Any]:
        """The measures by their notations."""
        return self.first.totals.measures

    def column(self, measure: AnyMeasure) -> int:
        """Position of a measure, by any of its notations.

        Parameters
        ----------
        measure
            One of the measures.

        Returns
        -------
        int
            Its position.

        Raises
        ------
        MeasureError
            If it was not compared.
        """
        return list(self.measures).index(find_measure(measure, self.measures, "was not compared"))

    @cached_property
    def ranks(self) -> NDArray[np.intp]:
        """Ranks of the runs, runs × measures: 1 is best, ties share the lowest.

        Baselines, which do not compete, and runs whose score is undefined have 0.
        """
        merits = np.where(self.competing[:, None], self.merits, np.nan)
        return np.nan_to_num(ranks(merits.T, "min").T).astype(np.intp)

    def order(self, measure: AnyMeasure | None = None) -> list[int]:
        """Give the positions of runs and baselines, the best first.

        Parameters
        ----------
        measure
            One of the measures; by default the first, which ranks.

        Returns
        -------
        list of int
            Positions; runs whose score is undefined come last.
        """
        merit = self.merits[:, 0 if measure is None else self.column(measure)]
        return [int(run) for run in np.lexsort((-merit, np.isnan(merit)))]

    @cached_property
    def finite(self) -> Numbers:
        """Scores without infinite ones, which have no differences, intervals, tests or places in figures."""
        return np.where(np.isinf(self.scores), np.nan, self.scores)

    @cached_property
    def merits(self) -> Numbers:
        """Scores oriented so that more is better, runs × measures."""
        return merits_of(self.scores, self.measures.values())

    @property
    def above_chance(self) -> Numbers | None:
        """(score - chance) / (best - chance), runs × measures; nan where chance is best or no value is."""
        if self.chance is None:
            return None
        best = np.array([info(measure, "best") for measure in self.measures.values()], dtype=np.float64)
        with np.errstate(invalid="ignore", divide="ignore"):
            shares = (self.scores - self.chance) / (best - self.chance)
        return np.where(np.isfinite(shares) & np.isfinite(best), shares, np.nan)

    @cached_property
    def duplicates(self) -> tuple[tuple[str, ...], ...]:
        """Groups of runs that predict the same; in public without baselines, which reveal the truth."""
        hidden = self.baselines if self.public else ()
        shown = (tuple(run for run in runs if run not in hidden) for runs in self._same_predictions)
        return tuple(runs for runs in shown if len(runs) > 1)

    @cached_property
    def _same_predictions(self) -> list[list[str]]:
        alike: dict[str, list[str]] = {}
        for run, evaluation in self.evaluations.items():
            if evaluation.batch is not None:
                alike.setdefault(_digest(evaluation.batch.prediction.matrix), []).append(run)
        return list(alike.values())

    @property
    def digests(self) -> dict[str, str]:
        """First digits of a SHA-256 of the labels of each run, and of a truth that is public."""
        batches = {run: one.batch for run, one in self._competitors.items() if one.batch is not None}
        sides = {run: batch.prediction for run, batch in batches.items()}
        if batches and not self.public:
            sides = {"the truth": next(iter(batches.values())).truth, **sides}
        return {name: _digest_of_names(side)[:12] for name, side in sides.items()}

    @cached_property
    def same(self) -> list[str]:
        """Which runs predict the same, and which what is true, in sentences."""
        alike = [f"These runs predict the same: {', '.join(runs)}." for runs in self.duplicates]
        sides = {} if self.public else {run: one.sets for run, one in self._competitors.items()}
        for run, one in sides.items():
            if one is None:
                continue
            labels = one.truth.matrix.nnz + one.prediction.matrix.nnz
            wrong = int(labels - 2 * one.truth.matrix.multiply(one.prediction.matrix).nnz)
            if not wrong:
                alike.append(f"{run!r} has the labels of the truth in every sample.")
            elif wrong < _NEARLY * labels:
                nearly = f"differ in {pluralise(wrong, 'label')} (F above {1 - _NEARLY:g})"
                alike.append(f"{run!r} and the truth {nearly}: check that it was not made of the truth.")
        return alike

    def groups(self, measure: AnyMeasure) -> tuple[str, ...]:
        """Name the groups of runs that do not differ significantly by letters, a for the best [piepho2004]_.

        Parameters
        ----------
        measure
            One of the measures.

        Returns
        -------
        tuple of str
            The letters of each run; runs that share one are not distinguishable. Empty for baselines, where
            nothing was tested, and where the score is undefined.
        """
        column = self.column(measure)
        apart, tested = self.adjusted[column] < self.plan.alpha, self._tested[:, column]
        return compact_letters(~apart, tested, self.order(measure))

    @cached_property
    def _tested(self) -> NDArray[np.bool_]:
        """Which runs were tested with other runs, runs × measures."""
        own = self.competing
        return np.asarray(np.isfinite(self.adjusted[:, :, own]).any(axis=2).T & own[:, None])

    @property
    def exchanges(self) -> int:
        """Number of exchanges, or of resamples, of a test."""
        return self.plan.resamples if self._exact is None else self._exact

    @property
    def _exact(self) -> int | None:
        """Number of all exchanges of two runs, where these are tried; None where some are drawn."""
        every = 2 ** min(self.drawn_units - 1, 64)
        return every if every <= self.plan.resamples and not self.first.totals.bootstrap else None

    @property
    def least_p(self) -> float:
        """Least p-value that a difference can have."""
        return 1 / (self.exchanges + (self._exact is None))

    def p_value(self, run: str, other: str, measure: AnyMeasure | None = None) -> PValue:
        """Look up the adjusted p-value of the difference between two runs; nan where it was not tested.

        Parameters
        ----------
        run, other
            Their names, in any order.
        measure
            One of the measures; by default the first, which ranks.
        """
        first, second = (self.runs.index(one) for one in (run, other) if self[one])  # which refuses others
        column = 0 if measure is None else self.column(measure)
        return self.as_p_value(float(self.adjusted[column, first, second]))

    def as_p_value(self, p: float) -> PValue:
        """Give a p-value the digits that the resamples support.

        Parameters
        ----------
        p
            Between 0 and 1, or nan where nothing was tested.
        """
        return PValue.of(p, self.exchanges if self._exact is None else 10**6)

    @cached_property
    def rank_intervals(self) -> NDArray[np.intp]:
        """Best and worst rank that each run may have, runs × measures × 2; 0 where it was not tested.

        With the confidence 1 - alpha all true ranks by a measure lie within, at once [mogstad2024]_: a run is
        behind those that are significantly or infinitely better, and before those that are significantly
        worse.
        """
        apart, merits = self.adjusted < self.plan.alpha, self.merits.T
        apart &= self.competing[:, None] & self.competing
        better = (apart & (merits[:, None] > merits[:, :, None])).sum(axis=2).T
        worse = (apart & (merits[:, None] < merits[:, :, None])).sum(axis=2).T
        first = np.count_nonzero(self.competing[:, None] & np.isposinf(self.merits), axis=0)
        ends = first + 1 + better, first + np.count_nonzero(self._tested, axis=0) - worse
        return np.where(self._tested[..., None], np.stack(ends, axis=-1), 0)

    @property
    def signature(self) -> str:
        """The recipe: that of the first run, and how the runs were compared."""
        return "\n".join([signature_of(self.first, public=self.public), *self.lines])

    @property
    def lines(self) -> list[str]:
        """How the runs were compared."""
        lines = self.plan_lines
        if self.baselines:
            named = (f"{kind} ({'oracle: ' * (kind in ORACLES)}{BASELINES[kind]})" for kind in self.baselines)
            lines.append(f"Baselines, without ranks: {', '.join(named)}.")
        if self.first.totals.bootstrap is not None:
            lines.append("Resamples: a Poisson number for each sample.")
        if self.chance is not None:
            lines.append(f"Chance is the mean score of {CHANCE_DRAWS} draws of labels at random.")
        return lines

    @property
    def plan_lines(self) -> list[str]:
        """The plan in sentences."""
        if not len(self.replicates):  # there are scores alone
            return []
        plan, groups, parts = self.plan, self.groups_of_samples, self.first.totals.bootstrap is not None
        units = "the samples" if groups is None else f"whole groups ({groups:,})"
        error = "bootstrap" if parts else "jackknife"
        drawn = f"{plan.resamples:,} resamples of {units}, seed {plan.seed}"
        lines = [
            f"{100 * plan.level:g} % intervals: score minus bias, ± t × {error} error, by logits; {drawn}."
        ]
        if np.isfinite(self.adjusted).any():
            tested = [run for run in self.baselines if run in CONSTANT]
            beside = f", and of runs and {join_with_and([repr(run) for run in tested])}" * bool(tested)
            lines.append(
                f"Paired {'bootstrap' if parts else 'randomisation'} test"
                f"{' of whole groups' * (groups is not None)} of the whole measure, "
                f"{self.exchanges:,} times, two-sided; step-down max-T over all pairs of runs"
                f"{beside}; significant below {plan.alpha:g}."
            )
        return lines

    @property
    def against_baselines(self) -> str:
        """Sentences on runs and measures beside the baselines; empty without baselines.

        Whether the runs beat the best constant baseline by the first measure, significantly; which are at
        chance by tκ; by which measures baselines stand above runs; and which measures are won by nonsense.
        """
        if not self.baselines or self.truth_is_empty:
            return ""
        said = [self._against_best, _at_chance(self), _beaten_elsewhere(self), _on_nonsense(self)]
        return " ".join(filter(None, said))

    @property
    def _against_best(self) -> str:
        best = _best_baseline(self)
        if best is None or self._on_runs[0]:
            return self._on_runs[0]
        p, name = self.adjusted[0, best], self.runs[best]
        score = f"{next(iter(self.measures))} {cell_text(float(self.scores[best, 0]), SHOWN_DIGITS)}"
        runs, behind = int(self.competing.sum()), behind_baselines(self)
        if len(behind) == runs:
            who = "No run beats" if runs > 1 else "The run does not beat"
            return f"{who} the baseline {name!r} ({score})."
        above = (self.runs[at] for at in self.order() if self.competing[at] and p[at] >= self.plan.alpha)
        near = [run for run in above if run not in behind]
        if behind:
            verb = "does" if len(behind) == 1 else "do"
            who = f"{len(behind):,} of {pluralise(runs, 'run')} {verb} not beat the baseline"
            more = f" Above it, but not significantly: {enumerate_some(near)}." * bool(near)
            return f"{who} {name!r} ({score}): {enumerate_some(behind)}.{more}"
        if near:
            who = "No run is" if runs > 1 else "The run is not"
            which = ""
            if len(near) < runs:
                who = f"{len(near):,} of {runs:,} runs {'is' if len(near) == 1 else 'are'} not"
                which = f": {enumerate_some(near)}"
            return f"{who} significantly above the baseline {name!r} ({score}){which}."
        who = {1: "The run beats", 2: "Both runs beat"}.get(runs, f"All {runs:,} runs beat")
        return f"{who} the baseline {name!r} ({score})."

    @property
    def notes(self) -> list[str]:
        """What a reader should know: duplicates, limits of intervals and tests, notes of evaluations."""
        notes = [*self.same]
        groups, units = self.groups_of_samples, self.drawn_units
        if self.untested:
            what = "Tests" if np.isfinite(self.low).any() else "Intervals and tests"
            notes.append(f"{what} are left out: {self.untested}.")
        elif groups is not None and groups < _FEW_GROUPS:
            few = f"With {pluralise(groups, 'group')} {_LITTLE}"
            notes.append(f"{few}: fewer than {_FEW_GROUPS} groups are drawn.")
        elif groups is None and units < _FEW:
            notes.append(f"With {pluralise(units, 'sample')} {_LITTLE}.")
        for key, column in zip(self.measures, np.isnan(self.scores.T), strict=True):
            if column.any():
                runs = [run for run, nowhere in zip(self.runs, column, strict=True) if nowhere]
                notes.append(f"{key} is undefined for {enumerate_some(runs)}.")
        aimless = [key for key, measure in self.measures.items() if info(measure, "best") is None]
        if aimless and self.competing.sum() > 1:
            known = f"No score is known to be the best of {', '.join(aimless)}"
            notes.append(f"{known}: the higher one ranks first.")
        oracles = [f"The oracle {kind!r} is left out: {why}." for kind, why in self.left_out.items()]
        if self.public and oracles:
            oracles = [f"Oracles that are left out: {enumerate_some(self.left_out)}."]
        notes += [*_on_baselines(self), *oracles, *_on_resamples(self), *_on_tests(self)]
        own = self._competitors or self.evaluations
        return [*notes, *(notes_in_public(own) if self.public else self._on_runs[1])]

    @cached_property
    def _on_runs(self) -> tuple[str, list[str]]:
        """Notes on the runs; those on single runs come first."""
        return notes_of(self._competitors or self.evaluations)

    def table(self) -> Table:
        """Make the leaderboard: scores, intervals and groups.

        Returns
        -------
        Table
            One row per run, the best by the first measure first.
        """
        return reports("leaderboard")(self)  # type: ignore[no-any-return]

    def to_long(self, backend: str = "pandas") -> Any:  # noqa: ANN401 - a frame of any library
        """Make a tidy data frame: one value per row, of a run, of a concept or of a sample.

        Parameters
        ----------
        backend
            Library of the frame: "pandas", "polars" or "pyarrow".

        Returns
        -------
        DataFrame
            Columns run, measure, parameters, concept, sample and value.

        Raises
        ------
        ParameterError
            If the truth is not public.
        """
        from ontoeval.core.frames import frame_of

        return frame_of(reports("columns_of")(self.disclosed), backend)

    def write_long(self, path: FilePath) -> None:
        """Write the tidy table of `to_long` to a file, a part at a time.

        Parameters
        ----------
        path
            A file whose name ends in .csv or .parquet.

        Raises
        ------
        InputError
            If its name ends otherwise.
        MissingExtraError
            If pyarrow is not installed, and Parquet is asked for.
        ParameterError
            If nothing may be said of the truth but the scores.
        """
        reports("write_tidy")(Path(path), self.disclosed)

    @property
    def _competitors(self) -> dict[str, Evaluation]:
        """The evaluations of the runs, without those of baselines."""
        return {run: one for run, one in self.evaluations.items() if run not in self.baselines}

    @property
    def disclosed(self) -> dict[str, Evaluation]:
        """The evaluations of the runs, for scores of samples and concepts, which reveal the truth."""
        if self.public:
            raise ParameterError("public", self.public, "False: values of samples reveal the truth")
        return self._competitors

    def to_latex(self) -> str:
        """Write the leaderboard for LaTeX: the best in bold, groups as superscripts, the recipe below.

        Returns
        -------
        str
            A table environment for the booktabs package.
        """
        return reports("to_latex")(self)  # type: ignore[no-any-return]

    @front_door
    def plot(self, *, measure: str | None = None, by: str | None = None, ax: Axes | None = None) -> Axes:
        """Draw the scores of the runs with their intervals, by matplotlib; see `ontoeval.figures.scores`.

        Parameters
        ----------
        measure
            Which scores; by default those of the first measure.
        by
            The measure by which runs are ordered; by default the same.
        ax
            Axes to draw on; by default those of a new figure.

        Returns
        -------
        Axes
            A notebook shows them as a picture.

        Raises
        ------
        MissingExtraError
            If the extra "figures" is not installed.
        """
        return axes_of("scores", self, measure=measure, by=by, ax=ax)

    def report(
        self,
        *,
        title: str | None = None,
        description: str | None = None,
        author: str | None = None,
        teams: Mapping[str, str] | None = None,
        images: FilePath | None = None,
        folder: FilePath | None = None,
        sections: Sequence[str] | None = None,
    ) -> Page:
        """Write a report as one HTML page that needs nothing else.

        Parameters
        ----------
        title
            Title of the page.
        description, author
            Words below the title; an empty line begins a new paragraph.
        teams
            The team of each run.
        images
            Pictures of the samples: a folder, or an address with {sample} in it.
        folder
            Folder of the page, from which it finds pictures; by default the current one.
        sections
            Some of `ontoeval.reports.comparison.SECTIONS`; by default all.

        Returns
        -------
        Page
            The page: a text of HTML; ``.save(path)`` writes the file, and a notebook shows it in a frame.

        Raises
        ------
        ParameterError
            If a section shows the truth of samples or concepts, which is not public.
        """
        about = {"title": title, "description": description, "author": author, "teams": teams}
        shown = {"images": images, "folder": folder, "sections": sections}
        return page_of(self, **about, **shown)


def behind_baselines(comparison: Comparison) -> list[str]:
    """Name the runs that do not beat the best constant baseline, best first; none where nothing is tested."""
    best, merits = _best_baseline(comparison), comparison.merits[:, 0]
    if best is None:
        return []
    behind = comparison.competing & ~(merits > merits[best])  # what is undefined beats nothing
    return [comparison.runs[run] for run in comparison.order() if behind[run]]


def _best_baseline(comparison: Comparison) -> int | None:
    own = comparison.competing
    places = [at for at in _plain_baselines(comparison) if comparison.runs[at] in CONSTANT]
    return places[0] if places and np.isfinite(comparison.adjusted[0, places[0], own]).any() else None


def _beaten_elsewhere(comparison: Comparison) -> str:
    """Name the baselines that score better than runs, but for those that the first measure tests."""
    own, found = comparison.merits[comparison.competing], list[str]()
    for column, key in enumerate(comparison.measures):
        beaten = [
            f"{comparison.runs[at]!r} {number:,} of {len(own):,}"
            for at in _plain_baselines(comparison)
            if (number := int((own[:, column] < comparison.merits[at, column]).sum()))
            and (column or comparison.runs[at] not in CONSTANT)
        ]
        found += [f"{key} ({', '.join(beaten)})"] * bool(beaten)
    return f"By score alone, baselines stand above runs: {', '.join(found)}." * bool(found)


_ORACLES_IN_WORDS = {
    "siblings": "Won by nonsense: on closed sets (ancestors added) the truth with all siblings of its labels "
    "('siblings')",
    "top": "On closed sets (ancestors added) a run that names only the top of each true label ('top')",
}


def _on_nonsense(comparison: Comparison) -> str:
    """Name the measures by which oracles are above better runs, and one to rank by instead."""
    if not comparison.oracles or comparison.untested:
        return ""
    won, found = comparison.won_by_nonsense, list[str]()
    for run, measures in won.items():
        by = join_with_and([f"{below:,} of {number:,} by {key}" for key, (below, number) in measures.items()])
        found.append(f"{_ORACLES_IN_WORDS[run]} stands above runs that have a higher F: {by}.")
    if next(iter(comparison.measures)) in won.get("siblings", ()):
        own = comparison.competing
        flat, merits = comparison.on_closed_sets[own, -1], comparison.merits[own].T
        order = np.sign(merits[:, :, None] - merits[:, None]) * np.sign(flat[:, None] - flat)
        alike = zip(comparison.measures, order.sum(axis=(1, 2)).tolist(), strict=True)
        fit = [key for key, sign in alike if sign > 0 and not any(key in one for one in won.values())]
        found += [f"Rank by {key} (--rank)." for key in fit[:1]]
    return " ".join(found)


def _with_all_labels(hierarchy: Hierarchy) -> Hierarchy:
    return replace(hierarchy, abstract=np.zeros_like(hierarchy.abstract))


def closed(sets: Batch) -> Batch:
    """Add all ancestors of the labels, but where it is not known of all labels whether they are true.

    Tables of costs are of labels alone: beside them, ancestors that are no labels are left out.
    """
    own = sets.hierarchy
    if own is None or sets.known is not None or sets.excluded is not None:
        return sets
    every = own.derive(_with_all_labels) if own.abstract.any() and not own.costs else own
    upward, names = own.label_ancestors[:, every.labels], every.label_vocabulary
    sides = (sets.truth, sets.prediction)
    truth, prediction = (side.remade(side.matrix @ upward, vocabulary=names) for side in sides)
    added = truth.matrix.nnz + prediction.matrix.nnz - sets.truth.matrix.nnz - sets.prediction.matrix.nnz
    return replace(sets, truth=truth, prediction=prediction, hierarchy=every) if added else sets


def closed_scores(evaluations: Iterable[Evaluation], measures: Mapping[str, Any]) -> Numbers:
    """Score the closed sets of runs; nan of measures of scores or single labels, and without a threshold."""
    of_sets = {key: one for key, one in measures.items() if info(one, "takes") == "sets"}
    chosen, rows = {key: one for key, one in of_sets.items() if not info(one, "single")}, []
    for one in evaluations:
        whole = None if one.sets is None else one.sets.derive(closed)
        known = one.totals.measures if whole is one.sets else {}
        alike = ((key, name) for key, measure in chosen.items() for name in known if known[name] == measure)
        scores = {key: one.scores[name] for key, name in alike}
        lacking = {key: measure for key, measure in chosen.items() if key not in scores}
        if one.sets is not None and whole is not None and lacking:
            scores |= Evaluation(totals_of(whole, lacking)).scores
            one.sets.forget()  # closed sets of all runs would take much memory
        rows.append([scores.get(key, np.nan) if key in chosen else np.nan for key in measures])
    return np.array(rows)


def _plain_baselines(comparison: Comparison) -> list[int]:
    """Positions of the baselines that are no oracles, the best by the first measure first."""
    aside = set(comparison.baselines) - set(comparison.oracles)
    return [place for place in comparison.order() if comparison.runs[place] in aside]


def _at_chance(comparison: Comparison) -> str:
    """Name the runs that are at chance by tκ, where another measure ranks."""
    kappas = [key for key, measure in comparison.measures.items() if isinstance(measure, TransportKappa)]
    if not kappas or kappas[0] == next(iter(comparison.measures)):
        return ""
    near = comparison.competing & (np.abs(comparison.scores[:, comparison.column(kappas[0])]) < _AT_CHANCE)
    chance = [comparison.runs[run] for run in comparison.order(kappas[0]) if near[run]]
    who = f"{enumerate_some(chance)} {'is' if len(chance) == 1 else 'are'} at chance"
    return f"By {kappas[0]}, {who} (within {_AT_CHANCE:g} of 0)." * bool(chance)


def _on_baselines(comparison: Comparison) -> Iterator[str]:
    """Why one of the usual baselines is not shown."""
    shown = set(comparison.baselines) - set(ORACLES)
    for oracle in ORACLES:
        if shown and oracle in comparison.runs and oracle not in comparison.baselines:
            yield f"The oracle {oracle!r} is not shown: a run has this name."
    if shown and comparison.first.sets is None and comparison.first.totals.hierarchy is not None:
        yield "Oracles are not shown: they need the samples in memory."
    if not shown or shown == set(USUAL_BASELINES) or not shown <= set(USUAL_BASELINES):
        return
    (lacking,) = set(USUAL_BASELINES) - shown
    if lacking in comparison.evaluations:
        yield f"The baseline {lacking!r} is not shown: a run has this name."
    elif getattr(comparison.first.batch, "known", None) is not None:
        yield f"The baseline {lacking!r} is not shown: it is not defined for verified labels."


def _on_resamples(comparison: Comparison) -> Iterator[str]:
    """Measures with a biased bootstrap, whose intervals hold the true score less often."""
    own = np.flatnonzero(comparison.competing)
    if not own.size:
        return
    drawn, scores = comparison.replicates[:, own], comparison.finite[own]
    with np.errstate(invalid="ignore", divide="ignore"):
        number = (~np.isnan(drawn)).sum(axis=0)
        mean = np.nansum(drawn, axis=0) / number
        spread = np.sqrt(np.nansum((drawn - mean) ** 2, axis=0) / number)
        beside = np.where(spread > ROUNDING, np.abs(mean - scores) / spread, 0.0)
    beside = np.nan_to_num(beside, posinf=0)
    worst = beside.max(axis=0)
    where = [comparison.runs[own[run]] for run in beside.argmax(axis=0)]
    least = _BIASED + 2 / np.sqrt(len(drawn))  # few resamples lie beside it by chance
    found = {
        key: f"{key} (by up to {worst[at]:.1f} standard errors, {where[at]})"
        for at, key in enumerate(comparison.measures)
        if worst[at] > least
    }
    if found:
        weights = None if comparison.first.batch is None else comparison.first.batch.sample_weight
        groups, units = comparison.groups_of_samples is not None, comparison.drawn_units
        rare = all(key in comparison.true_samples for key in found)
        why, remedy = ", as some labels are rare" * rare, "Score more samples"
        remedy += " with these labels, or rank by F, which adds up the decisions on all labels" * rare
        if weights is not None and 2 * weights.max() > weights.sum():
            why, remedy = ", as one sample has most of the weight", "Check the weights"
        elif units < (_FEW_GROUPS if groups else _FEW):
            what = "group" if groups else "sample"
            why, remedy = f", as there are {pluralise(units, what)}", f"Score more {what}s"
        yield (
            f"The bootstrap is biased for {', '.join(found.values())}{why}. Intervals are corrected, but "
            f"may hold the true score less often than they should. {remedy}."
        )
    for key, median in comparison.true_samples.items():
        if median < _SELDOM:
            what = "has no interval" if median < _RARE else "has intervals that may be too narrow"
            why = f"its median label has {median:.3g} true sample{'s' * (median != 1)}"
            yield f"{key} {what}: {'its labels are rare' if comparison.public else why}."


def _on_tests(comparison: Comparison) -> Iterator[str]:
    """Where no difference can be significant, and measures tested otherwise than planned."""
    tested, plan = np.isfinite(comparison.adjusted).any(), comparison.plan
    if tested and comparison.least_p >= plan.alpha:
        more = " Take more resamples." * (comparison.exchanges == plan.resamples)
        yield f"No difference can be significant: the least p-value is {comparison.least_p:.3f}.{more}"
    single = [key for key, measure in comparison.measures.items() if not info(measure, "mergeable")]
    if single and tested:
        yield (
            f"{', '.join(single)}: tested by the bootstrap of differences, since runs cannot be exchanged "
            "sample by sample."
        )


def _digest_of_names(labels: LabelSets | LabelScores) -> str:
    """Hash samples, and the labels that they have, whatever other labels there may be."""
    used = sorted((labels.vocabulary[at], at) for at in np.unique(labels.matrix.indices).tolist())
    matrix = labels.matrix[:, [at for _, at in used]]
    matrix.sort_indices()
    return _digest(matrix, *labels.samples, *(name for name, _ in used))


def _digest(matrix: sparse.csr_array, *names: str) -> str:
    places = (part.astype(np.int64) for part in (matrix.indptr, matrix.indices))  # alike, however wide
    parts = (*places, matrix.data)
    content = b"".join(np.ascontiguousarray(part).tobytes() for part in parts)
    return sha256(content + "\0".join(names).encode()).hexdigest()
