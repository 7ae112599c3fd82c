"""Studies: families of measures compared over many runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, TypeVar, Unpack

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.axioms import AXIOMS, Behaviour, behaviour
from ontoeval.comparison.criterion import Criterion, CriterionAgreement, CriterionValues, criterion_agreement
from ontoeval.comparison.plan import Progress, silent
from ontoeval.comparison.rank_correlation import CORRELATIONS, PERSISTENCE
from ontoeval.comparison.reliability import (
    FEWEST_RUNS,
    Entrants,
    Power,
    RankCorrelation,
    Stability,
    Winners,
    power,
    rank_correlation,
    stability,
    winners,
)
from ontoeval.comparison.result import Comparison
from ontoeval.comparison.runs import CompareKeywords, compare
from ontoeval.comparison.sensitivity import Changes, Sensitivity, select_choices, sensitivity
from ontoeval.comparison.traits import Trait, traits
from ontoeval.core.choices import Best
from ontoeval.core.graphs import front_door
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.inputs import Labels, RunsOrPaths
from ontoeval.core.showing import Page, axes_of, page_of
from ontoeval.core.table import Tabled
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, ParameterError, habits, pluralise, pluralise_all
from ontoeval.plumbing.checks import as_list
from ontoeval.plumbing.memory import estimated
from ontoeval.plumbing.workers import checked_workers, mapped, using_workers

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True, eq=False, repr=False)
class Study(Tabled):
    """Measures, studied over many runs; `ontoeval.study` makes it.

    Parameters
    ----------
    comparison
        The runs, with all resamples.
    agreements
        How alike measures rank the runs, by the name of the correlation.
    power
        For how many pairs of runs each measure finds a difference.
    stability
        How far rankings depend on the samples.
    winners
        Which runs are first.
    sensitivity
        Effects of changes of labels and ontology; None where none were tried.
    behaviour
        Axioms that the measures keep on small cases; None without a hierarchy.
    criterion
        How far each measure orders the runs as a criterion from outside does; None without one.
    """

    comparison: Comparison
    agreements: Mapping[str, RankCorrelation]
    power: Power
    stability: Stability
    winners: Winners
    sensitivity: Sensitivity | None
    behaviour: Behaviour | None
    criterion: CriterionAgreement | None = None

    @property
    def _brief(self) -> str:
        return pluralise_all(measure=len(self.entrants.measures), run=len(self.entrants))

    @cached_property
    def entrants(self) -> Entrants:
        """The runs that the study is about."""
        return Entrants(self.comparison)

    @cached_property
    def ahead(self) -> NDArray[np.bool_]:
        """Which runs are significantly better than which others: measures × runs × runs."""
        at, merits = list(self.entrants.positions), self.entrants.merits.T
        apart = self.comparison.adjusted[:, at][:, :, at] < self.comparison.plan.alpha
        return np.asarray(apart & (merits[:, :, None] > merits[:, None]))

    @cached_property
    def traits(self) -> Mapping[str, Trait]:
        """Which errors lower each measure, and how it averages."""
        hierarchy = self.comparison.first.totals.hierarchy
        hierarchy = hierarchy or Hierarchy.flat(Vocabulary(tuple("abcdefghijkl")))
        return traits(self.comparison.measures, hierarchy, _cases(hierarchy), self.comparison.plan.seed)

    @property
    def signature(self) -> str:
        """The recipe: that of the comparison, and how the measures were studied."""
        return "\n".join([self.comparison.signature, *self.lines])

    @property
    def lines(self) -> list[str]:
        """How the measures were studied."""
        seed, samples = f"seed {self.comparison.plan.seed}", len(self.comparison.first.samples)
        methods = [f"rbo with p = {PERSISTENCE}" if one == "rbo" else one for one in self.agreements]
        lines = [f"Rank correlations: {', '.join(methods)}."]
        if self.sensitivity is not None and self.sensitivity.curves:
            found = self.sensitivity
            lines.append(f"Changes: {found.line}; on {found.samples:,} of {samples:,} samples, {seed}.")
            lines += [found.convention] if found.convention else []
        if self.behaviour is not None:
            lines.append(f"Axioms: at most {self.behaviour.cases:,} cases each, {seed}.")
        if self.criterion is not None:
            lines.append(
                f"Criterion: soft pairwise accuracy; {self.criterion.units} permuted, in all ways or "
                f"{self.comparison.plan.resamples:,} times; measures tested by bootstrap of these; {seed}."
            )
        return lines

    @property
    def notes(self) -> list[str]:
        """What a reader should know."""
        runs, compared = len(self.entrants), self.comparison
        notes = [f"{pluralise(runs, 'run')}.{' Baselines are left out.' * bool(compared.baselines)}"]
        if compared.duplicates:
            same = "; ".join(" = ".join(one) for one in compared.duplicates)
            notes.append(f"Runs that predict the same count once: {same}.")
        if runs < FEWEST_RUNS:
            notes.append(
                f"With fewer than {FEWEST_RUNS} runs a rank correlation says little about other runs: "
                "see the standard errors of pairs of measures (agreements)."
            )
        notes += [] if self.criterion is None else self.criterion.notes
        known = compared.same[: len(compared.duplicates)]
        return [*notes, *(note for note in compared.notes if note not in known)]

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw how alike measures rank the runs, by matplotlib; see `ontoeval.figures.agreement`.

        Parameters
        ----------
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
        return axes_of("agreement", self, ax=ax)

    def report(
        self,
        *,
        title: str | None = None,
        description: str | None = None,
        author: str | None = None,
        teams: Mapping[str, str] | None = None,
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

        Returns
        -------
        Page
            The page: a text of HTML; ``.save(path)`` writes the file, and a notebook shows it in a frame.
        """
        return page_of(self, title=title, description=description, author=author, teams=teams)


USUAL_CORRELATIONS = ("tau_b", "tau_ap_b", "spearman", "rbo", "ks")
USUAL_CHANGES = Changes()

CASES, FEWEST_CASES, MOST_MARKS = 200, 20, 400_000
"""Cases of an axiom: the default, the least, and the most cases × labels."""

_Part = TypeVar("_Part")


@front_door
def study(
    truth: Labels,
    runs: RunsOrPaths,
    *,
    correlations: Sequence[str] = USUAL_CORRELATIONS,
    changes: Changes | None = USUAL_CHANGES,
    criterion: Criterion | None = None,
    criterion_best: Best = "highest",
    teams: Mapping[str, str] | None = None,
    progress: Progress = silent,
    workers: int | None = None,
    **options: Unpack[CompareKeywords],
) -> Study:
    """Study families of measures over many runs, as [nowak2010]_ did with 73.

    Parameters
    ----------
    truth
        What `compare` takes.
    runs
        The prediction of each run by its name.
    correlations
        Keys of `ontoeval.comparison.CORRELATIONS`; or one of them.
    changes
        Changes of labels and ontology that are tried; None for none.
    criterion
        What the runs are worth by other means than the truth, such as people's judgements or money: a number
        for each run, as a mapping or a series; or for each run and sample, as a mapping of mappings or a
        frame with a column for each run. What was made from the truth is refused.
    criterion_best
        Whether the "highest" or the "lowest" numbers of the criterion are best.
    teams
        The team of each run. Runs of one team are not independent, so that a criterion is tested by permuting
        teams. A run without one is a team of its own.
    progress, workers
        See `compare`.
    **options
        Those of `compare`. Baselines are not studied; by default there are none.

    Returns
    -------
    Study
        Agreement, power, stability, winners, sensitivity and behaviour of the measures.

    Raises
    ------
    InputError
        If there are fewer than two different runs: nothing could be ranked; or the criterion lacks runs, says
        the same of all, or is a measure's own score of these runs.

    Examples
    --------
    >>> truth = [["a"], ["a", "b"], ["b"], ["c"]] * 5
    >>> runs = {"x": truth, "y": [["a"]] * 20, "z": [["a", "b"]] * 20}
    >>> measures = ["F", "Jaccard", "Hamming"]
    >>> found = study(truth, runs, measures=measures, resamples=50, changes=None)
    >>> found.agreements["tau_b"].values[0].round(2).tolist()
    [1.0, 1.0, 0.82]
    >>> found.winners.first[0]
    ('x',)
    """
    correlations, options = _checked(correlations, changes), {"baselines": (), **options}
    with using_workers(checked_workers(workers)):
        compared = compare(truth, runs, progress=progress, **options)
        outside: dict[str, Any] = {"criterion": criterion, "criterion_best": criterion_best, "teams": teams}
        return study_of(compared, correlations=correlations, changes=changes, progress=progress, **outside)


def study_of(
    comparison: Comparison,
    *,
    correlations: Sequence[str] = USUAL_CORRELATIONS,
    changes: Changes | None = USUAL_CHANGES,
    criterion: Criterion | None = None,
    criterion_best: Best = "highest",
    teams: Mapping[str, str] | None = None,
    progress: Progress = silent,
    workers: int | None = None,
) -> Study:
    """Study the measures of a comparison; see `study`.

    Parameters
    ----------
    comparison
        Of the runs.
    correlations, changes, criterion, criterion_best, teams, progress, workers
        See `study`.

    Returns
    -------
    Study
        The study.

    Raises
    ------
    InputError
        If there are fewer than two different runs.
    ParameterError
        If a correlation is none of those that know ties, the changes are none, or the number of workers is
        no whole number of at least 1.
    """
    correlations, entrants = _checked(correlations, changes), Entrants(comparison)
    workers = checked_workers(workers)
    if len(entrants) < 2:  # noqa: PLR2004 - of one run there is no ranking
        raise InputError(
            "fewer than two different runs", "Give at least two, better fifteen: measures rank them."
        )
    outside = None if criterion is None else CriterionValues.from_input(criterion, criterion_best)
    number = len(correlations) + 4 + bool(outside)
    with using_workers(workers), progress(_study_title(comparison), number) as step:

        def done(part: _Part) -> _Part:
            step()
            return part

        ranked = map(done, mapped(partial(rank_correlation, entrants), correlations))
        found = dict(zip(correlations, ranked, strict=True))
        parts = done(power(entrants)), done(stability(entrants)), done(winners(entrants))
        axioms = done(_behaviour(comparison))
        agreed = None if outside is None else done(criterion_agreement(entrants, outside, teams or {}))
        tried = None if changes is None else sensitivity(entrants, changes, progress)
    return Study(comparison, found, *parts, tried, axioms, agreed)


def _checked(correlations: Sequence[str], changes: Changes | None) -> tuple[str, ...]:
    if changes is not None and not isinstance(changes, Changes):
        raise ParameterError("changes", changes, "None, or ontoeval.comparison.Changes(kinds=..., rates=...)")
    return correlations_of(correlations)


def correlations_of(chosen: Sequence[str], name: str = "correlations") -> tuple[str, ...]:
    """Take each correlation once; refuse unknown ones."""
    known = [habits()["correlations"].get(str(one), one) for one in as_list(chosen)]
    return select_choices(name, known, tuple(CORRELATIONS))


def _behaviour(comparison: Comparison) -> Behaviour | None:
    """Try the measures on small cases over the hierarchy."""
    hierarchy, measures = comparison.first.totals.hierarchy, list(comparison.measures.values())
    if hierarchy is None:
        return None
    return behaviour(measures, hierarchy, cases=_cases(hierarchy), seed=comparison.plan.seed)


def _study_title(comparison: Comparison) -> str:
    """Title of the progress of a study; with an estimate of the axioms, where these take long."""
    totals = comparison.first.totals
    if totals.hierarchy is None:
        return "Studying"
    widths = [sums.size for sums in totals.sums.values()]
    # Seconds and bytes for each number in the rows of both sides of a case.
    seconds = 1.3e-8 * 2 * len(AXIOMS) * _cases(totals.hierarchy) * sum(widths)
    seconds += 1e-8 * comparison.replicates[:, :, 0].size * sum(widths)  # of halves
    return estimated("Studying", seconds, "other measures (measures=, -m)", 100 * max(widths, default=0))


def _cases(hierarchy: Hierarchy) -> int:
    return max(FEWEST_CASES, min(CASES, MOST_MARKS // max(len(hierarchy.labels), 1)))
