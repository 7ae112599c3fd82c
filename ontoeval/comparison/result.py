"""Result of a comparison: scores of runs, with intervals, p-values and groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from string import ascii_lowercase
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.comparison.baselines import BASELINES, ORACLES, USUAL_BASELINES, median_above
from ontoeval.comparison.plan import CHANCE_DRAWS, Plan
from ontoeval.comparison.significance import holm, shifted_test
from ontoeval.core.rankings import ranks
from ontoeval.core.resampling import ROUNDING
from ontoeval.core.showing import Page, Shown, axes_of, page_of, reports, tables_of
from ontoeval.core.table import DIGITS as SHOWN_DIGITS
from ontoeval.core.table import cell_text
from ontoeval.errors import (
    InputError,
    ParameterError,
    did_you_mean,
    enumerate_some,
    pluralise,
    pluralise_all,
)
from ontoeval.evaluation.scoring import Evaluation, notes_of, score
from ontoeval.evaluation.totals import totals_of
from ontoeval.measures.base import AnyMeasure, info, shortfall
from ontoeval.measures.catalogue import find_measure
from ontoeval.measures.flat import F
from ontoeval.measures.transport import TransportKappa
from ontoeval.plumbing.arrays import Marks, Numbers
from ontoeval.plumbing.files import FilePath

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from ontoeval.core.label_scores import LabelScores
    from ontoeval.core.label_sets import LabelSets
    from ontoeval.core.table import Table


DIGITS = 12
"""Decimals of merits: scores that differ by rounding alone tie."""

_FEW = 30
"""Fewest samples of which intervals held the true score in at least 93 of 100 simulations, by any measure."""

_FEW_GROUPS = 10
"""Fewest groups of which intervals nearly hold their level: see `docs/decisions/0027-groups.md`."""

_AT_CHANCE = 0.05
"""Scores nearer to 0 are at chance by a measure that is corrected for it."""

_BIASED = 0.25
"""Standard errors by which the mean of resamples may differ from the score: [efron1993]_ section 10.3."""


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


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Shown):
    """Runs × measures, with intervals and tests; `ontoeval.compare` makes it.

    Parameters
    ----------
    evaluations
        The evaluation of each run by its name, baselines last.
    plan
        How the runs are compared.
    scores
        Runs × measures; nan where a measure is undefined.
    low, high
        Bounds of the intervals, runs × measures.
    replicates
        Scores of each bootstrap resample, the same for all runs: resamples × runs × measures.
    p_values, adjusted
        Raw, and adjusted for the number of pairs: measures × runs × runs, symmetric; nan where nothing was
        tested, as of baselines, or a score is undefined.
    baselines
        Which of the runs are baselines.
    chance
        One score per measure: that of labels at random; None where it was not asked for.
    public
        Whether the truth is secret, so that nothing but scores is shown.
    left_out
        Oracles that were not compared, and why.
    """

    evaluations: Mapping[str, Evaluation]
    plan: Plan
    scores: Numbers
    low: Numbers
    high: Numbers
    replicates: Numbers = field(repr=False)
    p_values: Numbers = field(repr=False)
    adjusted: Numbers = field(repr=False)
    baselines: tuple[str, ...] = ()
    chance: Numbers | None = None
    public: bool = False
    left_out: Mapping[str, str] = field(default_factory=dict)

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
    def best(self) -> str:
        """Name of the best run by the first measure, the first of several that tie; no baseline."""
        order = (self.runs[run] for run in self.order())
        return min(order, key=lambda run: run in self.baselines)

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
    def flat(self) -> Numbers:
        """F of the labels of each run, which knows no hierarchy."""
        return flat_f(self.evaluations.values())

    @property
    def median(self) -> float:
        """Median F of the runs that are above all baselines but oracles by F; nan without any."""
        return median_above(self.flat[self.competing], self.flat[_plain_baselines(self)])

    @cached_property
    def won_by_nonsense(self) -> Mapping[str, tuple[str, ...]]:
        """Measures by which no run is above some oracles, though by F these are below the median of the runs.

        The median is of the runs that are above the other baselines by F. A run with the best value there is
        loses to no oracle.
        """
        if not self.oracles:
            return {}
        best, median = np.fmax.reduce(self.merits[self.competing], axis=0), self.median
        poor = [run for run in self.oracles if self.flat[self.runs.index(run)] < median]
        perfect = [0.0 if info(one, "best") is not None else np.nan for one in self.measures.values()]
        above = {run: (self.merits[self.runs.index(run)] >= best) & (best != perfect) for run in poor}
        won = {key: tuple(run for run in poor if above[run][at]) for at, key in enumerate(self.measures)}
        return {key: oracles for key, oracles in won.items() if oracles}

    @cached_property
    def groups_of_samples(self) -> int | None:
        """Number of groups that are drawn whole; None where samples are drawn."""
        group = self.first.group
        drawn = () if group is None else self.first.samples
        return None if group is None else len({group[sample] for sample in drawn})

    @property
    def drawn_units(self) -> int:
        """Number of what is drawn: groups, or samples."""
        groups = self.groups_of_samples
        return self.first.totals.samples if groups is None else groups

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
        return [int(run) for run in np.argsort(np.where(np.isnan(merit), np.inf, -merit), kind="stable")]

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
        alike: dict[str, list[str]] = {}
        for run, evaluation in self.evaluations.items():
            if evaluation.batch is not None and not (self.public and run in self.baselines):
                alike.setdefault(_digest(evaluation.batch.prediction.matrix), []).append(run)
        return tuple(tuple(runs) for runs in alike.values() if len(runs) > 1)

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
            if one is not None and _same_entries(one.truth.matrix, one.prediction.matrix):
                alike.append(f"{run!r} has the labels of the truth in every sample.")
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
        alike = self.adjusted[column] >= self.plan.alpha
        tested = np.isfinite(self.scores[:, column]) & (self.plan.test != "none") & (len(self.runs) > 1)
        tested &= np.isfinite(self.adjusted[column]).any(axis=1)
        return compact_letters(alike, tested & self.competing, self.order(measure))

    @property
    def signature(self) -> str:
        """The recipe: that of the first run, and how the runs were compared."""
        return "\n".join([*self.first.signature.splitlines(), *self.lines])

    @property
    def lines(self) -> list[str]:
        """How the runs were compared."""
        lines = self.plan_lines if self.competing.sum() > 1 else self.plan_lines[:1]
        if self.baselines:
            named = (f"{kind} ({'oracle: ' * (kind in ORACLES)}{BASELINES[kind]})" for kind in self.baselines)
            lines.append(f"Baselines, without ranks and tests: {', '.join(named)}.")
        if self.first.totals.bootstrap is not None:
            lines.append("Resamples: a Poisson number for each sample; tests are not studentised.")
        if self.chance is not None:
            lines.append(f"Chance is the mean score of {CHANCE_DRAWS} draws of labels at random.")
        return lines

    @property
    def plan_lines(self) -> list[str]:
        """The plan in sentences, with the number of groups that are drawn whole."""
        return self.plan.sentences(self.groups_of_samples)

    @property
    def against_baselines(self) -> str:
        """Sentences on runs and measures beside the baselines; empty without baselines.

        Whether the runs beat the best baseline by the first measure, significantly; which are at chance by
        tκ; by which other measures baselines stand above runs; and which measures are won by nonsense.
        """
        said = [self._against_best, _at_chance(self), _beaten_elsewhere(self), _on_nonsense(self)]
        return " ".join(filter(None, said if self.baselines else []))

    @property
    def _against_best(self) -> str:
        best = _best_baseline(self)
        if best is None or self._on_runs[0]:
            return self._on_runs[0]
        name = self.runs[best]
        score = f"{next(iter(self.measures))} {cell_text(float(self.scores[best, 0]), SHOWN_DIGITS)}"
        runs, count = int(self.competing.sum()), len(self.baselines) - len(self.oracles)
        behind = behind_baselines(self)
        if len(behind) == runs:
            who = "No run beats" if runs > 1 else "The run does not beat"
            return f"{who} the baseline {name!r} ({score})."
        near = _not_significantly_above(self, best, behind)
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
        if count == 1:
            return f"{who} the baseline {name!r} ({score})."
        what = "both baselines" if count == 2 else f"all {count:,} baselines"  # noqa: PLR2004
        return f"{who} {what} (best baseline: {name}, {score})."

    @property
    def notes(self) -> list[str]:
        """What a reader should know: duplicates, limits of intervals and tests, notes of evaluations."""
        notes = [*self.same]
        samples, groups = self.first.totals.samples, self.groups_of_samples
        if groups == 1:
            notes.append("All samples are in one group: intervals and tests need at least two groups.")
        elif groups is not None and groups < _FEW_GROUPS:
            few = f"With {pluralise(groups, 'group')} intervals and tests say little"
            notes.append(f"{few}: fewer than {_FEW_GROUPS} groups are drawn.")
        elif groups is None and samples == 1:
            notes.append("One sample has no intervals and tests: they need at least two.")
        elif groups is None and samples < _FEW:
            notes.append(f"With {pluralise(samples, 'sample')} intervals and tests say little.")
        for key, column in zip(self.measures, np.isnan(self.scores.T), strict=True):
            if column.any():
                runs = [run for run, nowhere in zip(self.runs, column, strict=True) if nowhere]
                notes.append(f"{key} is undefined, or infinite, for {enumerate_some(runs)}.")
        aimless = [key for key, measure in self.measures.items() if info(measure, "best") is None]
        if aimless and self.competing.sum() > 1:
            known = f"No score is known to be the best of {', '.join(aimless)}"
            notes.append(f"{known}: the higher one ranks first.")
        oracles = [f"The oracle {kind!r} is left out: {why}." for kind, why in self.left_out.items()]
        if self.public and oracles:
            oracles = [f"Oracles that are left out: {enumerate_some(self.left_out)}."]
        notes += [*_on_baselines(self), *oracles, *_on_resamples(self), *_on_tests(self)]
        if self.public:  # the others describe the truth
            return notes
        return [*notes, *self._on_runs[1]]

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

    def tables(self) -> dict[str, Table]:
        """Make all tables of the comparison.

        Returns
        -------
        dict of str to Table
            The leaderboard, the scores one by one, and the pairs of runs.
        """
        return tables_of(self)

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

        self._refuse_if_public()
        return frame_of(reports("columns_of")(self._competitors), backend)

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
        self._refuse_if_public()
        reports("write_tidy")(Path(path), self._competitors)

    @property
    def _competitors(self) -> dict[str, Evaluation]:
        """The evaluations of the runs, without those of baselines."""
        return {run: one for run, one in self.evaluations.items() if run not in self.baselines}

    def _refuse_if_public(self) -> None:
        if self.public:
            raise ParameterError("public", self.public, "False: values of samples reveal the truth")

    def to_latex(self) -> str:
        """Write the leaderboard for LaTeX: the best in bold, groups as superscripts, the recipe below.

        Returns
        -------
        str
            A table environment for the booktabs package.
        """
        return reports("to_latex")(self)  # type: ignore[no-any-return]

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
        parts: Mapping[tuple[str, str], Comparison] | None = None,
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
        parts
            Comparisons of parts of the samples or concepts, by what cuts them and the name of the part.
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
        shown = {"parts": parts, "images": images, "folder": folder, "sections": sections}
        return page_of(self, **about, **shown)


def behind_baselines(comparison: Comparison) -> list[str]:
    """Names of the runs that do not beat the best baseline by the first measure, the best run first."""
    best = _best_baseline(comparison)
    if best is None:
        return []
    beaten = comparison.merits[:, 0] > comparison.merits[best, 0]  # what is undefined beats nothing
    return [
        comparison.runs[run] for run in comparison.order() if comparison.competing[run] and not beaten[run]
    ]


def _not_significantly_above(comparison: Comparison, baseline: int, behind: Sequence[str]) -> list[str]:
    """Names of the runs above a baseline that its draw may explain, by the bootstrap of the difference."""
    plan = comparison.plan
    if plan.alpha * (plan.resamples + 1) < 1:  # no p-value could be that small
        return []
    near = []
    for run in comparison.order():
        if comparison.competing[run] and comparison.runs[run] not in behind:
            scores, drawn = (
                comparison.scores[[run, baseline], :1],
                comparison.replicates[:, [run, baseline], :1],
            )
            if shifted_test(scores, drawn)[0, 0, 1] >= plan.alpha:
                near.append(comparison.runs[run])
    return near


def _best_baseline(comparison: Comparison) -> int | None:
    places = _plain_baselines(comparison)
    if not places or not comparison.competing.any() or np.isnan(comparison.merits[places[0], 0]):
        return None
    return places[0]


def _beaten_elsewhere(comparison: Comparison) -> str:
    """Name the baselines that score better than runs by other measures than the first."""
    own, found = comparison.merits[comparison.competing], list[str]()
    for column, key in [*enumerate(comparison.measures)][1:]:
        beaten = [
            f"{comparison.runs[at]!r} {number:,} of {len(own):,}"
            for at in _plain_baselines(comparison)
            if (number := int((own[:, column] < comparison.merits[at, column]).sum()))
        ]
        found += [f"{key} ({', '.join(beaten)})"] * bool(beaten)
    return f"By other measures baselines stand above runs, untested: {', '.join(found)}." * bool(found)


def _on_nonsense(comparison: Comparison) -> str:
    """Name the measures by which oracles beat all runs, with the scores."""
    won, found = comparison.won_by_nonsense, list[str]()
    if not won:
        return ""
    runs, flat = comparison.runs, comparison.flat
    for key, oracles in won.items():
        scores = comparison.scores[:, comparison.column(key)].tolist()
        best = next(run for run in comparison.order(key) if comparison.competing[run])
        named = [f"{run!r} {cell_text(scores[runs.index(run)], SHOWN_DIGITS)}" for run in oracles]
        found.append(f"{key} ({', '.join(named)}; best run {cell_text(scores[best], SHOWN_DIGITS)})")
    shown = sorted(set().union(*won.values()), key=runs.index)
    by_f = [f"{run!r} {cell_text(float(flat[runs.index(run)]), SHOWN_DIGITS)}" for run in shown]
    median = cell_text(comparison.median, SHOWN_DIGITS)
    first = next(iter(comparison.measures))
    advice = f" Rank by another measure than {first}." * (first in won)
    by = f"By F: {', '.join(by_f)}, median of the runs {median}."
    return f"Won by nonsense made of the truth: {', '.join(found)}. {by}{advice}"


def flat_f(evaluations: Iterable[Evaluation]) -> Numbers:
    """F of the labels of each run, which knows no hierarchy; nan of scores without a threshold."""
    sets = (one.sets for one in evaluations)
    return np.array(
        [np.nan if one is None else score(totals_of(one, {"F": F()})).scores["F"] for one in sets]
    )


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
    drawn, scores = comparison.replicates[:, own], comparison.scores[own]
    with np.errstate(invalid="ignore", divide="ignore"):
        number = (~np.isnan(drawn)).sum(axis=0)
        mean = np.nansum(drawn, axis=0) / number
        spread = np.sqrt(np.nansum((drawn - mean) ** 2, axis=0) / number)
        beside = np.where(spread > ROUNDING, np.abs(mean - scores) / spread, 0.0)
    beside = np.nan_to_num(beside, posinf=0)
    worst = beside.max(axis=0)
    where = [comparison.runs[own[run]] for run in beside.argmax(axis=0)]
    least = _BIASED + 2 / np.sqrt(len(drawn))  # few resamples lie beside it by chance
    found = [
        f"{key} (by up to {worst[at]:.1f} standard errors, {where[at]})"
        for at, key in enumerate(comparison.measures)
        if worst[at] > least
    ]
    if found:
        yield (
            f"The bootstrap is biased for {', '.join(found)}: these intervals are probably too narrow. The "
            "usual cause is concepts with few true labels."
        )
    low, high, scores = comparison.low, comparison.high, comparison.scores
    beyond = (low > scores + ROUNDING) | (high < scores - ROUNDING)
    for key, column in zip(comparison.measures, beyond.T, strict=True):
        if column.any():
            runs = enumerate_some(comparison.runs[at] for at in np.flatnonzero(column).tolist())
            yield f"The interval of {key} does not hold its own score for {runs}: do not use it."


def _on_tests(comparison: Comparison) -> Iterator[str]:
    """Where no difference can be significant, and measures tested otherwise than planned."""
    plan, entrants = comparison.plan, int(comparison.competing.sum())
    pairs = entrants * (entrants - 1) // 2
    if plan.test != "none" and pairs:
        factor = pairs if plan.correction == "holm" else 1
        least = factor / (1 + plan.resamples)
        if least >= plan.alpha:
            yield (
                f"No difference can be significant: the least p-value is {min(1.0, least):.3f}. "
                f"Take more than {factor / plan.alpha:,.0f} resamples"
                f"{', or the correction of Tukey.' if factor > 1 else '.'}"
            )
    if plan.correction == "tukey" and (hidden := _hidden_pairs(comparison)):
        yield (
            "Not significant by Tukey's correction, which runs far from the others make careful, but by "
            f"Holm's (--correction holm): {hidden}."
        )
    single = [key for key, measure in comparison.measures.items() if not info(measure, "mergeable")]
    if single and plan.test == "randomisation" and entrants > 1:
        yield (
            f"{', '.join(single)}: tested by the bootstrap and corrected by Holm, since runs cannot be "
            "exchanged sample by sample."
        )


def _hidden_pairs(comparison: Comparison) -> str:
    """Count the pairs, by measure, that differ significantly by Holm's correction but not by Tukey's."""
    alpha, sharper = comparison.plan.alpha, holm(comparison.p_values)
    pairs = np.triu((sharper < alpha) & (comparison.adjusted >= alpha)).sum(axis=(1, 2)).tolist()
    found = [
        f"{pluralise(n, 'pair')} by {key}" for key, n in zip(comparison.measures, pairs, strict=True) if n
    ]
    return ", ".join(found)


def _same_entries(one: sparse.csr_array, other: sparse.csr_array) -> bool:
    """Whether two patterns are equal."""
    return np.array_equal(one.indptr, other.indptr) and np.array_equal(one.indices, other.indices)


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
