"""Sensitivity: what becomes of scores and rankings when labels, or the ontology, are changed by so much."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from ontoeval.batch import Batch, ScoredBatch
from ontoeval.comparison import Comparison
from ontoeval.comparison.merits import merits_of
from ontoeval.errors import OntoevalError
from ontoeval.evaluation import evaluate
from ontoeval.hierarchy import Hierarchy
from ontoeval.labels import LabelSets
from ontoeval.measures.base import fact
from ontoeval.perturbation import ChangedHierarchy, collapse_level, insert_nodes, perturb
from ontoeval.rank_correlation import tau_b
from ontoeval.scores import LabelScores
from ontoeval.statistics.counts import divide
from ontoeval.statistics.matching import AGREEMENT
from ontoeval.studies.changes import Changes
from ontoeval.studies.entrants import Entrants, settled

Numbers = NDArray[np.float64]
Changed = Literal["prediction", "truth", "ontology"]

NEEDS_HIERARCHY = frozenset({"sibling", "parent"})
"""Perturbations that a hierarchy tells what they are."""


@dataclass(frozen=True, eq=False)
class Curve:
    """What becomes of all measures when something is changed more and more.

    Parameters
    ----------
    changed
        "prediction": the truth itself is taken for a prediction, and changed; "truth": all runs are scored
        against a changed truth; "ontology": all runs are scored with another hierarchy.
    kind
        How it is changed: a key of `ontoeval.perturbation.PERTURBATIONS`, "insert nodes" or "collapse level".
    amounts
        By how much: rates, or levels.
    scores
        Mean scores of what was measured, amounts × measures.
    tau
        τ_b with the ranking by what is unchanged, amounts × measures; nan for predictions.
    """

    changed: Changed
    kind: str
    amounts: tuple[float, ...]
    scores: Numbers
    tau: Numbers


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
    """

    measures: tuple[str, ...]
    samples: int
    unchanged: Numbers
    perfect: Numbers
    curves: tuple[Curve, ...]
    skipped: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class _Setting:
    """What is scored, by what."""

    measures: Mapping[str, Any]
    truth: LabelSets
    predictions: Sequence[LabelSets | LabelScores]
    hierarchy: Hierarchy | None
    threshold: float | Mapping[str, float] | None

    def scores(self, title: str, skipped: dict[str, str]) -> Numbers:
        """Score all predictions, predictions × measures; nan where a measure does not fit what is given."""
        of_sets = isinstance(self.predictions[0], LabelSets)
        fitting = {key: one for key, one in self.measures.items() if not (of_sets and _of_scores(one))}
        table = np.full((len(self.predictions), len(self.measures)), np.nan)
        if fitting:
            columns = [column for column, key in enumerate(self.measures) if key in fitting]
            table[:, columns] = self._scores_by(fitting, None if of_sets else self.threshold, title, skipped)
        return table

    def _scores_by(
        self,
        measures: Mapping[str, Any],
        threshold: float | Mapping[str, float] | None,
        title: str,
        skipped: dict[str, str],
    ) -> Numbers:
        by = {"hierarchy": self.hierarchy, "measures": measures.values(), "threshold": threshold}
        try:
            found = [evaluate(self.truth, prediction, **by) for prediction in self.predictions]  # type: ignore[arg-type]
        except OntoevalError as error:
            if len(measures) > 1:  # the others may be fit for it
                each = [
                    self._scores_by({key: one}, threshold, title, skipped) for key, one in measures.items()
                ]
                return np.concatenate(each, axis=1)
            skipped[f"{next(iter(measures))}, {title}"] = str(error)
            return np.full((len(self.predictions), 1), np.nan)
        return np.array([list(one.scores.values()) for one in found])


def _of_scores(measure: object) -> bool:
    return bool(fact(measure, "takes") == "scores")


def sensitivity(
    comparison: Comparison, changes: Changes | None = None, *, step: Callable[[], None] = lambda: None
) -> Sensitivity:
    """Change predictions, truth and ontology, and score again.

    Parameters
    ----------
    comparison
        Of the runs; baselines are left out, and of runs that predict the same all but the first.
    changes
        What is changed, and by how much.
    step
        Called after each change, of which there are at most `trials`.

    Returns
    -------
    Sensitivity
        The curves.
    """
    changes = changes or Changes()
    seed = comparison.plan.seed
    setting = _setting(comparison, changes.samples)
    if setting is None:
        undefined = np.full(len(comparison.measures), np.nan)
        reason = {"all": "of some labels it is not known whether they are true"}
        return Sensitivity(tuple(comparison.measures), 0, undefined, undefined, (), reason)
    skipped: dict[str, str] = {}
    start = setting.scores("unchanged", skipped)
    perfect = replace(setting, predictions=[setting.truth]).scores("the truth as prediction", skipped)
    merits = _merits(start, setting)
    curves: list[Curve] = []
    trials = (make(setting, changes, seed, skipped) for make in (_trials_of_labels, _trials_of_ontology))
    for changed, kind, amounts, change in chain.from_iterable(trials):
        tables = []
        for amount in amounts:
            tables.append(change(amount).scores(f"{changed}: {kind}", skipped))
            step()
        tau = np.full((len(amounts), len(setting.measures)), np.nan)
        if changed != "prediction":
            turned = np.stack([_merits(table, setting) for table in tables])
            tau = tau_b(np.moveaxis(turned, 1, -1), merits.T)
        means = np.stack([_column_means(table) for table in tables])
        curves.append(Curve(changed, kind, tuple(amounts), means, tau))
    if comparison.public:  # errors may speak of the truth
        skipped = dict.fromkeys(skipped, "it cannot be scored so")
    return Sensitivity(
        tuple(setting.measures),
        len(setting.truth),
        _column_means(start),
        perfect[0],
        tuple(curves),
        skipped,
    )


_Trial = tuple[Changed, str, Sequence[float], Callable[[float], _Setting]]


def _trials_of_labels(
    setting: _Setting, changes: Changes, seed: int, skipped: dict[str, str]
) -> Iterator[_Trial]:
    """Go through the changes of labels, with what makes the changed setting."""
    hierarchy = setting.hierarchy
    agreed = hierarchy is not None and AGREEMENT in hierarchy.weights

    def perturbed(kind: str, rate: float) -> LabelSets:
        return perturb(setting.truth, kind, rate, hierarchy=hierarchy, seed=seed)

    def predicted(kind: str, rate: float) -> _Setting:
        return replace(setting, predictions=[perturbed(kind, rate)])

    def true(kind: str, rate: float) -> _Setting:
        return replace(setting, truth=perturbed(kind, rate))

    for kind in changes.kinds:
        if kind in NEEDS_HIERARCHY and hierarchy is None:
            skipped[kind] = "it needs a hierarchy"
        elif kind == "annotator" and not agreed:
            skipped[kind] = "it needs the annotators' agreement"
        else:
            yield "prediction", kind, changes.rates, partial(predicted, kind)
            yield "truth", kind, changes.rates, partial(true, kind)


def _trials_of_ontology(
    setting: _Setting, changes: Changes, seed: int, skipped: dict[str, str]
) -> Iterator[_Trial]:
    """Go through the changes of the ontology, with what makes the changed setting."""
    hierarchy = setting.hierarchy
    if hierarchy is None:
        skipped["ontology"] = "there is none"
        return
    if not all(isinstance(one, LabelSets) for one in setting.predictions):
        skipped["ontology"] = "scores of labels cannot be carried to another hierarchy"
        return

    def carried(change: ChangedHierarchy) -> _Setting:
        sets = [change.carry(cast("LabelSets", one)) for one in setting.predictions]
        truth = change.carry(setting.truth)
        return replace(setting, truth=truth, predictions=sets, hierarchy=change.hierarchy)

    def inserted(rate: float) -> _Setting:
        return carried(insert_nodes(hierarchy, rate, seed=seed))

    def collapsed(level: float) -> _Setting:
        return carried(collapse_level(hierarchy, int(level)))

    yield "ontology", "insert nodes", changes.rates, inserted
    if hierarchy.levels > 1:
        yield "ontology", "collapse level", range(1, hierarchy.levels), collapsed


def _setting(comparison: Comparison, samples: int) -> _Setting | None:
    """Take some samples of the runs; none where what is not known would count as changed."""
    chosen = [comparison.evaluations[run] for run in Entrants(comparison).names]
    first = chosen[0]
    batches = [cast("Batch | ScoredBatch", one.batch) for one in chosen]
    if getattr(batches[0], "known", None) is not None:
        return None
    names = batches[0].truth.samples
    rng = np.random.default_rng(comparison.plan.seed)
    taken = tuple(names[at] for at in np.sort(rng.permutation(len(names))[:samples]))
    predictions = [batch.prediction.take(taken) for batch in batches]
    truth = batches[0].truth.take(taken)
    return _Setting(first.totals.measures, truth, predictions, first.totals.hierarchy, first.threshold)


def _merits(table: Numbers, setting: _Setting) -> Numbers:
    return settled(merits_of(table, setting.measures.values()))


def _column_means(table: Numbers) -> Numbers:
    """Average over the runs, undefined scores left out."""
    defined = np.isfinite(table)
    return divide(np.where(defined, table, 0.0).sum(axis=0), defined.sum(axis=0))
