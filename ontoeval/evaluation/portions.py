"""Datasets in portions: each is scored alone, where its samples are, and the totals are merged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from ontoeval.concepts.weighting import weighted
from ontoeval.core.batch import Batch, ScoredBatch, align
from ontoeval.core.checks import Missing
from ontoeval.core.coercion import BY_NAME, Labels, Reading, labels_and_prediction
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import class_names
from ontoeval.core.resampling import Bootstrap
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, MeasureError
from ontoeval.evaluation.scoring import asks_for_scores, usual_measures
from ontoeval.evaluation.totals import Totals, collect, merge
from ontoeval.measures.base import Measures, info
from ontoeval.measures.catalogue import measures_of


@dataclass(frozen=True, eq=False)
class PortionScoring:
    """How every portion is scored: all that a worker needs beside the samples, sent to it once."""

    measures: Mapping[str, Any]
    vocabulary: Vocabulary
    hierarchy: Hierarchy | None = None
    reading: Reading = BY_NAME
    threshold: float | Mapping[str, float] | None = None
    missing: Missing = "refuse"
    bootstrap: Bootstrap | None = None

    @classmethod
    def of(
        cls,
        *,
        hierarchy: Hierarchy | None = None,
        agreement: Mapping[str, float] | None = None,
        measures: Measures | None = None,
        threshold: float | Mapping[str, float] | None = None,
        missing: Missing = "refuse",
        classes: Sequence[str] | None = None,
        separator: str | None = None,
        bootstrap: Bootstrap | None = None,
    ) -> Self:
        """Check the options once, before any portion is read; all portions have the same concepts."""
        if hierarchy is None and classes is None:
            raise InputError(
                "portions without a list of their concepts: each would have others",
                "Pass hierarchy=, or classes= with all concepts.",
            )
        if measures is None:
            measures = usual_measures(hierarchy=hierarchy is not None, scores=False)
        chosen = measures_of(measures)
        single = [notation for notation, measure in chosen.items() if not info(measure, "mergeable")]
        if single:
            raise MeasureError(
                f"{', '.join(single)}: needs all samples at once, so portions cannot be merged."
            )
        names = None if classes is None else class_names(classes)
        if hierarchy is not None:
            hierarchy = hierarchy if names is None else hierarchy.with_labels(names)
            names = hierarchy.label_vocabulary
        assert names is not None  # noqa: S101 - classes are given where a hierarchy is not
        hierarchy = weighted(hierarchy, agreement, names)
        return cls(chosen, names, hierarchy, Reading(classes, separator), threshold, missing, bootstrap)

    def totals(self, truth: Labels, prediction: Labels) -> Totals:
        """Score one portion."""
        scores = self.threshold is not None or asks_for_scores(tuple(self.measures), None)
        sides = labels_and_prediction(truth, prediction, self.hierarchy, self.reading, scores=scores)
        true, predicted = (side.within(self.vocabulary) for side in sides)
        batch: Batch | ScoredBatch = align(true, predicted, hierarchy=self.hierarchy, missing=self.missing)
        if self.threshold is not None and isinstance(batch, ScoredBatch):
            batch = batch.at(self.threshold)
        return collect(batch, self.measures, bootstrap=self.bootstrap)


def merged(parts: Iterable[Totals]) -> Totals:
    """Merge totals in a tree that depends on their number alone, so that workers change no bit."""
    waiting: list[tuple[int, Totals]] = []  # complete subtrees, larger ones first, by their depth
    for part in parts:
        depth = 0
        while waiting and waiting[-1][0] == depth:
            part = merge(waiting.pop()[1], part)  # noqa: PLW2901 - the subtree grows
            depth += 1
        waiting.append((depth, part))
    while len(waiting) > 1:
        last = waiting.pop()[1]
        waiting.append((0, merge(waiting.pop()[1], last)))
    return merge(*(part for _, part in waiting))
