"""Sensitivity: what becomes of scores and rankings when labels, or the ontology, are changed by so much."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.entrants import Entrants
from ontoeval.comparison.merits import merits_of
from ontoeval.comparison.rank_correlation import tau_b
from ontoeval.comparison.rescoring import setting_of
from ontoeval.comparison.study_changes import Changes
from ontoeval.comparison.trials import COLLAPSED, Changed, able_shares, convention, not_tried, trials_of
from ontoeval.measures.counts import mean_of_defined

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Curve:
    """What becomes of all measures when something is changed more and more.

    Parameters
    ----------
    changed
        "prediction": the truth itself is taken for a prediction, and changed; "truth": all runs are scored
        against a changed truth; "ontology": all runs are scored with another hierarchy.
    kind
        How it is changed: a key of `ontoeval.PERTURBATIONS`, "insert nodes" or "collapse level".
    amounts
        By how much: rates, or levels.
    scores
        Mean scores of what was measured, amounts × measures.
    tau
        Correlations τ_b with the ranking by what is unchanged, amounts × measures; nan for predictions.
    """

    changed: Changed
    kind: str
    amounts: tuple[float, ...]
    scores: Numbers
    tau: Numbers

    @property
    def by_level(self) -> bool:
        """Whether the amounts are levels, which are no more and no less of a change."""
        return self.kind == COLLAPSED


@dataclass(frozen=True, eq=False)
class Sensitivity:
    """Curves of all measures.

    Parameters
    ----------
    measures
        Notations of the measures.
    samples
        How many samples were looked at.
    unchanged
        Mean scores of the runs without any change.
    perfect
        Scores of the truth taken for a prediction: where the curves of predictions begin.
    curves
        One for each kind of change.
    skipped
        Changes that cannot be made, and measures that do not fit what they make, each with the reason.
    able
        Which share of the labels each kind of change can change at all, if it hits them: what is hit and has,
        for example, no sibling stays. Nothing of kinds that hit decisions or are not tried, nor where
        nothing may be said of the truth.
    convention
        Whether the truth is closed, and stays so when it is changed, in a sentence; empty without a
        hierarchy.
    """

    measures: tuple[str, ...]
    samples: int
    unchanged: Numbers
    perfect: Numbers
    curves: tuple[Curve, ...]
    skipped: Mapping[str, str]
    able: Mapping[str, float] = field(default_factory=dict)
    convention: str = ""

    @property
    def line(self) -> str:
        """What was changed, and by how much."""
        kinds: dict[str, dict[str, None]] = {}
        for curve in self.curves:
            kinds.setdefault(", ".join(map(str, curve.amounts)), {})[curve.kind] = None
        return "; ".join(f"{', '.join(some)} at {amounts}" for amounts, some in kinds.items())


def sensitivity(
    entrants: Entrants, changes: Changes, *, step: Callable[[], None] = lambda: None
) -> Sensitivity:
    """Change predictions, truth and ontology, and score again."""
    comparison = entrants.comparison
    setting = setting_of(entrants, changes.samples)
    if setting is None:
        undefined = np.full(len(comparison.measures), np.nan)
        reason = {"all": "of some labels it is not known whether they are true"}
        return Sensitivity(tuple(comparison.measures), 0, undefined, undefined, (), reason)

    def merits(scores: Numbers) -> Numbers:
        return merits_of(scores, setting.measures.values())

    cannot, failed = not_tried(setting, changes), dict[str, str]()
    able = able_shares(setting, set(changes.kinds) - set(cannot))
    cannot |= {kind: "it can change none of the labels" for kind, share in able.items() if not share}
    start = setting.scores("unchanged", failed)
    perfect = replace(setting, predictions=[setting.truth]).scores("the truth as prediction", failed)
    curves = []
    for trial in trials_of(setting, changes, comparison.plan.seed, cannot):
        tables = []
        for amount in trial.amounts:
            tables.append(trial.change(amount).scores(f"{trial.changed}: {trial.kind}", failed))
            step()
        tau = np.full((len(tables), len(setting.measures)), np.nan)
        if trial.changed != "prediction":
            ranked = np.stack([merits(table) for table in tables])
            tau = tau_b(np.moveaxis(ranked, 1, -1), merits(start).T)
        means = np.stack([mean_of_defined(table) for table in tables])
        curves.append(Curve(trial.changed, trial.kind, tuple(trial.amounts), means, tau))
    if comparison.public:  # errors may speak of the truth
        failed = dict.fromkeys(failed, "it cannot be scored so")
    return Sensitivity(
        tuple(setting.measures),
        len(setting.truth),
        mean_of_defined(start),
        perfect[0],
        tuple(curves),
        cannot | failed,
        {} if comparison.public else {kind: share for kind, share in able.items() if share},
        convention(setting, public=comparison.public),
    )
