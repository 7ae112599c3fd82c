"""Study: how families of measures compare, over many runs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ontoeval.behaviours import Behaviour, behaviour
from ontoeval.comparison import Comparison, compare
from ontoeval.errors import InputError, one_of
from ontoeval.rank_correlation import CORRELATIONS
from ontoeval.studies.entrants import entrants
from ontoeval.studies.power import Power, power
from ontoeval.studies.rankings import FEWEST_RUNS, RankAgreement, rank_agreement
from ontoeval.studies.sensitivity import RATES, Sensitivity, sensitivity
from ontoeval.studies.stability import Stability, stability
from ontoeval.studies.winners import Winners, winners

if TYPE_CHECKING:
    from ontoeval.report.table import Table

DEFAULT_CORRELATIONS = ("tau_b", "tau_ap_b", "spearman", "rbo", "ks")


@dataclass(frozen=True, eq=False, repr=False)
class Study:
    """What many runs tell of the measures that they are scored by.

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
        What changes of labels and ontology do; None where it was not asked for.
    behaviour
        Which axioms the measures keep on small cases; None without a hierarchy.

    See Also
    --------
    study : Compute it.
    """

    comparison: Comparison
    agreements: Mapping[str, RankAgreement]
    power: Power
    stability: Stability
    winners: Winners
    sensitivity: Sensitivity | None
    behaviour: Behaviour | None

    def __repr__(self) -> str:
        """Say what is studied."""
        return f"Study({len(self.comparison.measures)} measures, {len(entrants(self.comparison))} runs)"

    @property
    def notes(self) -> list[str]:
        """What a reader should know."""
        runs = len(entrants(self.comparison))
        notes = [f"{runs} runs: baselines and runs that predict the same as others are left out."]
        if runs < FEWEST_RUNS:
            notes.append(
                f"With fewer than {FEWEST_RUNS} runs a rank correlation says little about other runs: "
                "see its standard error."
            )
        return [*notes, *self.comparison.notes]

    def tables(self) -> dict[str, Table]:
        """Make all tables of the study.

        Returns
        -------
        dict of str to Table
            By short names, such as "agreement" and "power".
        """
        from ontoeval.report.study import tables

        return tables(self)


def study(
    truth: Any,  # noqa: ANN401 - what `compare` takes
    runs: Mapping[str, Any],
    *,
    correlations: Sequence[str] = DEFAULT_CORRELATIONS,
    kinds: Sequence[str] | None = None,
    rates: Sequence[float] = RATES,
    samples: int = 1000,
    changes: bool = True,
    step: Callable[[], None] = lambda: None,
    **options: Any,  # noqa: ANN401 - those of `compare`
) -> Study:
    """Study families of measures over many runs: what Nowak et al. (2010) did with 73.

    Parameters
    ----------
    truth
        What `compare` takes.
    runs
        The prediction of each run by its name.
    correlations
        How rankings are compared: keys of `ontoeval.rank_correlation.CORRELATIONS`.
    kinds
        Which perturbations are tried: keys of `ontoeval.perturbation.PERTURBATIONS`; by default all.
    rates
        How much is changed.
    samples
        Most samples on which changes are tried.
    changes
        Whether changes are tried at all.
    step
        Called after each piece of work.
    **options
        Those of `compare`: hierarchy, agreement, measures, and how to resample and test.

    Returns
    -------
    Study
        Agreement, power, stability, winners, sensitivity and behaviour of the measures.

    Raises
    ------
    InputError
        If there are fewer than two different runs: nothing could be ranked.

    References
    ----------
    [nowak2010]_

    Examples
    --------
    >>> truth = [["a"], ["a", "b"], ["b"], ["c"]] * 5
    >>> runs = {"x": truth, "y": [["a"]] * 20, "z": [["a", "b"]] * 20}
    >>> found = study(truth, runs, measures=["F", "Jaccard", "Hamming"], resamples=50, changes=False)
    >>> found.agreements["tau_b"].values[0].round(2).tolist(), found.winners.first[0]
    ([1.0, 1.0, 1.0], ('x',))
    """
    for method in correlations:
        one_of("correlations", method, tuple(CORRELATIONS))
    return study_of(
        compare(truth, runs, step=step, **options),
        correlations=correlations,
        kinds=kinds,
        rates=rates,
        samples=samples,
        changes=changes,
        step=step,
    )


def study_of(
    comparison: Comparison,
    *,
    correlations: Sequence[str] = DEFAULT_CORRELATIONS,
    kinds: Sequence[str] | None = None,
    rates: Sequence[float] = RATES,
    samples: int = 1000,
    changes: bool = True,
    step: Callable[[], None] = lambda: None,
) -> Study:
    """Study the measures of a comparison; see `study`.

    Parameters
    ----------
    comparison
        Of the runs.
    correlations
        How rankings are compared.
    kinds
        Which perturbations are tried.
    rates
        How much is changed.
    samples
        Most samples on which changes are tried.
    changes
        Whether changes are tried at all.
    step
        Called after each piece of work.

    Returns
    -------
    Study
        The study.

    Raises
    ------
    InputError
        If there are fewer than two different runs.
    """
    if len(entrants(comparison)) < 2:  # noqa: PLR2004 - of one run there is no ranking
        raise InputError(
            "fewer than two different runs", "Give at least two, better fifteen: measures rank them."
        )
    hierarchy = next(iter(comparison.evaluations.values())).totals.hierarchy
    found = sensitivity(comparison, kinds=kinds, rates=rates, samples=samples, step=step) if changes else None
    tried = None
    if hierarchy is not None:
        tried = behaviour(list(comparison.measures.values()), hierarchy, seed=comparison.plan.seed)
        step()
    return Study(
        comparison,
        {method: rank_agreement(comparison, method) for method in correlations},
        power(comparison),
        stability(comparison),
        winners(comparison),
        found,
        tried,
    )
