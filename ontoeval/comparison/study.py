"""Study: what many runs tell of the measures that they are scored by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from ontoeval.comparison.behaviours import Behaviour
from ontoeval.comparison.entrants import Entrants
from ontoeval.comparison.power import Power
from ontoeval.comparison.rank_overlap import PERSISTENCE
from ontoeval.comparison.result import Comparison
from ontoeval.comparison.sensitivity import Sensitivity
from ontoeval.comparison.stability import Stability
from ontoeval.comparison.study_rankings import FEWEST_RUNS, RankAgreement
from ontoeval.comparison.winners import Winners
from ontoeval.core.showing import reports
from ontoeval.errors import counted

if TYPE_CHECKING:
    from ontoeval.core.table import Table


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
        return (
            f"Study({counted(len(self.entrants.measures), 'measure')}, {counted(len(self.entrants), 'run')})"
        )

    @cached_property
    def entrants(self) -> Entrants:
        """The runs that the study is about."""
        return Entrants(self.comparison)

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
        return lines

    @property
    def notes(self) -> list[str]:
        """What a reader should know."""
        runs, all_runs = len(self.entrants), len(self.comparison.runs)
        left_out = " Baselines and runs that predict the same as others are left out." * (runs < all_runs)
        notes = [f"{counted(runs, 'run')}.{left_out}"]
        if runs < FEWEST_RUNS:
            notes.append(
                f"With fewer than {FEWEST_RUNS} runs a rank correlation says little about other runs: "
                "see the standard errors of pairs of measures (agreements)."
            )
        return [*notes, *self.comparison.notes]

    def tables(self) -> dict[str, Table]:
        """Make all tables of the study.

        Returns
        -------
        dict of str to Table
            By short names, such as "power"; see `ontoeval.reports.study`.
        """
        return reports("tables")(self)  # type: ignore[no-any-return]

    def report(self, **options: Any) -> str:  # noqa: ANN401 - those of the page
        """Write a report as one HTML page that needs nothing else.

        Parameters
        ----------
        **options
            Those of `ontoeval.reports.study.report`.

        Returns
        -------
        str
            The page.

        Raises
        ------
        MissingExtraError
            If the extra "report" is not installed.
        """
        return reports("report")(self, **options)  # type: ignore[no-any-return]
