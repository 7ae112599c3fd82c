"""Rescoring: the runs, or what takes their place, scored again where something is changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.changed_hierarchy import ChangedHierarchy
from ontoeval.comparison.entrants import Entrants
from ontoeval.core.batch import Batch, ScoredBatch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.resampling import in_order
from ontoeval.errors import OntoevalError
from ontoeval.evaluation.evaluating import evaluate
from ontoeval.measures.base import info

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Setting:
    """What is scored, by what."""

    measures: Mapping[str, Any]
    truth: LabelSets
    predictions: Sequence[LabelSets | LabelScores]
    hierarchy: Hierarchy | None
    threshold: float | Mapping[str, float] | None

    @property
    def of_sets(self) -> bool:
        """Whether the predictions are label sets."""
        return isinstance(self.predictions[0], LabelSets)

    def carried(self, change: ChangedHierarchy) -> Setting:
        """Move everything to a changed hierarchy."""
        sets = [change.carry(cast("LabelSets", one)) for one in self.predictions]
        return replace(self, truth=change.carry(self.truth), predictions=sets, hierarchy=change.hierarchy)

    def scores(self, title: str, skipped: dict[str, str]) -> Numbers:
        """Score all predictions."""
        fitting = {
            key: one
            for key, one in self.measures.items()
            if not self.of_sets or info(one, "takes") != "scores"
        }
        table = np.full((len(self.predictions), len(self.measures)), np.nan)
        if fitting:
            columns = [column for column, key in enumerate(self.measures) if key in fitting]
            table[:, columns] = self._scores_by(fitting, title, skipped)
        return table

    def _scores_by(self, measures: Mapping[str, Any], title: str, skipped: dict[str, str]) -> Numbers:
        threshold = None if self.of_sets else self.threshold
        by = {"hierarchy": self.hierarchy, "measures": measures.values(), "threshold": threshold}
        try:
            found = [evaluate(self.truth, prediction, **by) for prediction in self.predictions]  # type: ignore[arg-type]
        except OntoevalError as error:
            if len(measures) > 1:  # the others may be fit for it
                each = [self._scores_by({key: one}, title, skipped) for key, one in measures.items()]
                return np.concatenate(each, axis=1)
            skipped[f"{next(iter(measures))}, {title}"] = str(error)
            return np.full((len(self.predictions), 1), np.nan)
        return np.array([list(one.scores.values()) for one in found])


def setting_of(entrants: Entrants, samples: int) -> Setting | None:
    """Take some samples of the runs."""
    chosen = [entrants.comparison.evaluations[run] for run in entrants.names]
    first = chosen[0]
    batches = [cast("Batch | ScoredBatch", one.batch) for one in chosen]
    if getattr(batches[0], "known", None) is not None:  # what is not known would count as changed
        return None
    names = in_order(batches[0].truth.samples)
    rng = np.random.default_rng(entrants.comparison.plan.seed)
    taken = tuple(names[at] for at in np.sort(rng.permutation(len(names))[:samples]))
    predictions = [batch.prediction.take(taken) for batch in batches]
    truth = batches[0].truth.take(taken)
    return Setting(first.totals.measures, truth, predictions, first.totals.hierarchy, first.threshold)
