"""Sensitivity: what becomes of scores and rankings when labels, or the ontology, are changed by so much."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

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
from ontoeval.perturbation import PERTURBATIONS, ChangedHierarchy, collapse_level, insert_nodes, perturb
from ontoeval.rank_correlation import tau_b
from ontoeval.statistics.matching import AGREEMENT
from ontoeval.study.entrants import entrants

Numbers = NDArray[np.float64]
Changed = Literal["prediction", "truth", "ontology"]

RATES = (0.05, 0.1, 0.2, 0.4)
"""How much is changed by default."""

NEEDS_HIERARCHY = frozenset({"sibling", "parent"})


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
    curves
        One for each kind of change.
    skipped
        Changes that cannot be made, each with the reason.
    """

    measures: tuple[str, ...]
    samples: int
    unchanged: Numbers
    curves: tuple[Curve, ...]
    skipped: Mapping[str, str]


@dataclass(frozen=True, eq=False)
class _Runs:
    """Runs that are scored again and again."""

    measures: Mapping[str, Any]
    truth: LabelSets
    predictions: Sequence[Any]
    hierarchy: Hierarchy | None
    threshold: float | Mapping[str, float] | None

    def scores(self, truth: LabelSets, predictions: Sequence[Any], hierarchy: Hierarchy | None) -> Numbers:
        """Score predictions, runs × measures; nan where a measure does not fit what is given."""
        scored = not isinstance(predictions[0], LabelSets)
        kinds = {"sets", "scores"} if self.threshold is not None else {"scores" if scored else "sets"}
        if not scored:
            kinds = {"sets"}
        chosen = {key: one for key, one in self.measures.items() if fact(one, "takes") in kinds}
        table = np.full((len(predictions), len(self.measures)), np.nan)
        columns = [column for column, key in enumerate(self.measures) if key in chosen]
        for row, prediction in enumerate(predictions):
            found = evaluate(
                truth,
                prediction,
                hierarchy=hierarchy,
                measures=chosen.values(),
                threshold=self.threshold if scored else None,
            )
            table[row, columns] = list(found.scores.values())
        return table

    def against(self, truth: LabelSets, hierarchy: Hierarchy | None) -> Numbers:
        """Score all runs."""
        return self.scores(truth, self.predictions, hierarchy)


def sensitivity(
    comparison: Comparison,
    *,
    kinds: Sequence[str] | None = None,
    rates: Sequence[float] = RATES,
    samples: int = 1000,
    step: Callable[[], None] = lambda: None,
) -> Sensitivity:
    """Change predictions, truth and ontology, and score again.

    Parameters
    ----------
    comparison
        Of the runs; baselines are left out, and of runs that predict the same all but the first.
    kinds
        Keys of `ontoeval.perturbation.PERTURBATIONS`; by default all that can be done here.
    rates
        How much is changed.
    samples
        Most samples that are looked at: of more, the first of a seeded order.
    step
        Called after each change.

    Returns
    -------
    Sensitivity
        The curves.
    """
    runs = _runs(comparison, samples)
    start = runs.against(runs.truth, runs.hierarchy)
    merits = merits_of(start, runs.measures.values())
    skipped: dict[str, str] = {}
    curves: list[Curve] = []
    for changed, kind, amounts, score in _changes(runs, kinds, rates, comparison.plan.seed, skipped):
        tables = []
        try:
            for amount in amounts:
                tables.append(score(amount))
                step()
        except OntoevalError as error:
            skipped[f"{changed}: {kind}"] = str(error)
            continue
        means = np.array([_column_means(table) for table in tables])
        tau = np.full(means.shape, np.nan)
        if changed != "prediction":
            turned = np.array([merits_of(table, runs.measures.values()) for table in tables])
            tau = tau_b(np.moveaxis(turned, 1, -1), merits.T)
        curves.append(Curve(changed, kind, tuple(amounts), means, tau))
    return Sensitivity(tuple(runs.measures), len(runs.truth), _column_means(start), tuple(curves), skipped)


def _changes(
    runs: _Runs, kinds: Sequence[str] | None, rates: Sequence[float], seed: int, skipped: dict[str, str]
) -> Iterator[tuple[Changed, str, Sequence[float], Callable[[float], Numbers]]]:
    """Go through all that can be changed, with what scores it."""
    truth, hierarchy = runs.truth, runs.hierarchy
    agreed = hierarchy is not None and AGREEMENT in hierarchy.weights

    def perturbed(kind: str, rate: float) -> LabelSets:
        return perturb(truth, kind, rate, hierarchy=hierarchy, seed=seed)

    for kind in PERTURBATIONS if kinds is None else kinds:
        if kind in NEEDS_HIERARCHY and hierarchy is None:
            skipped[kind] = "it needs a hierarchy"
        elif kind == "annotator" and not agreed:
            skipped[kind] = "it needs the annotators' agreement"
        else:
            yield (
                "prediction",
                kind,
                rates,
                lambda rate, kind=kind: runs.scores(  # type: ignore[misc]
                    truth, [perturbed(kind, rate)], hierarchy
                ),
            )
            yield (
                "truth",
                kind,
                rates,
                lambda rate, kind=kind: runs.against(  # type: ignore[misc]
                    perturbed(kind, rate), hierarchy
                ),
            )
    if hierarchy is None:
        skipped["ontology"] = "there is none"
        return
    if any(not isinstance(prediction, LabelSets) for prediction in runs.predictions):
        skipped["ontology"] = "scores of labels cannot be carried to another hierarchy"
        return

    def moved(change: ChangedHierarchy) -> Numbers:
        carried = [change.carry(prediction) for prediction in runs.predictions]
        return runs.scores(change.carry(truth), carried, change.hierarchy)

    yield "ontology", "insert nodes", rates, lambda rate: moved(insert_nodes(hierarchy, rate, seed=seed))
    levels = range(1, hierarchy.levels)
    yield "ontology", "collapse level", levels, lambda level: moved(collapse_level(hierarchy, int(level)))


def _runs(comparison: Comparison, samples: int) -> _Runs:
    """Take some samples of the runs."""
    evaluations = list(comparison.evaluations.values())
    chosen = [evaluations[place] for place in entrants(comparison)]
    first = chosen[0]
    batches = [one.batch for one in chosen if isinstance(one.batch, Batch | ScoredBatch)]
    names = batches[0].truth.samples
    rng = np.random.default_rng(comparison.plan.seed)
    taken = tuple(names[at] for at in np.sort(rng.permutation(len(names))[:samples]))
    predictions = [batch.prediction.take(taken) for batch in batches]
    truth = batches[0].truth.take(taken)
    return _Runs(first.totals.measures, truth, predictions, first.totals.hierarchy, first.threshold)


def _column_means(table: Numbers) -> Numbers:
    """Average over the runs, undefined scores left out."""
    defined = np.isfinite(table)
    count = defined.sum(axis=0)
    return np.asarray(np.where(defined, table, 0.0).sum(axis=0) / np.where(count, count, np.nan))
