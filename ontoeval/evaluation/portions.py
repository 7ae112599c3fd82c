"""Datasets in portions (chunks of files, partitions of Dask): each is scored alone, and totals are merged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np
from scipy import sparse

from ontoeval.concepts.weighting import with_agreement_of
from ontoeval.core.batch import Batch, ScoredBatch, aligned
from ontoeval.core.choices import Missing
from ontoeval.core.coercion import BY_NAME, Labels, LabelSyntax, coerce_sides, readable
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_scores import LabelScores
from ontoeval.core.label_sets import LabelSets, class_names
from ontoeval.core.resampling import Bootstrap
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import InputError, MeasureError, ParameterError
from ontoeval.evaluation.alignment import SideOptions
from ontoeval.evaluation.defaults import asks_for_scores, usual_measures
from ontoeval.evaluation.totals import Totals, at_threshold, merge, totals_of_both
from ontoeval.measures.base import Measures, info
from ontoeval.measures.catalogue import measures_of
from ontoeval.plumbing.frames import by_names
from ontoeval.plumbing.values import PickledByFields

_NO_CONCEPTS = Vocabulary(())
_SUMS = ("addends", "replicates")


@dataclass(frozen=True, eq=False)
class PortionScoring(PickledByFields):
    """How every portion is scored: all that a worker needs beside the samples, sent to it once."""

    measures: Mapping[str, Any]
    vocabulary: Vocabulary
    hierarchy: Hierarchy | None = None
    reading: LabelSyntax = BY_NAME
    threshold: float | Mapping[str, float] | None = None
    missing: Missing = "refuse"
    bootstrap: Bootstrap | None = None

    @classmethod
    def from_options(
        cls, how: SideOptions, measures: Measures | None, bootstrap: Bootstrap | None = None
    ) -> Self:
        """Check the options once, before any portion is read; all portions have the same concepts."""
        hierarchy, classes = how.hierarchy, how.classes
        if hierarchy is None and classes is None:
            raise InputError(
                "neither a hierarchy nor classes: the labels of one partition do not name all concepts",
                "Pass hierarchy=, or classes= with all concepts.",
            )
        if measures is None:
            measures = usual_measures(hierarchy=hierarchy is not None, scores=False)
        chosen = measures_of(measures)
        single = [notation for notation, measure in chosen.items() if not info(measure, "mergeable")]
        if single:
            raise MeasureError(
                f"{', '.join(single)}: needs all samples at once, not chunks or partitions. Leave this out, "
                "or read the files whole (read_labels, without --chunk)."
            )
        names = None if classes is None else class_names(classes)
        if hierarchy is not None:
            hierarchy = hierarchy if names is None else hierarchy.with_labels(names)
            names = hierarchy.label_vocabulary
        assert names is not None  # noqa: S101 - classes are given where a hierarchy is not
        hierarchy = with_agreement_of(hierarchy, how.agreement, names)
        reading, limit = LabelSyntax(classes, how.separator), by_names("threshold", how.threshold)
        return cls(chosen, names, hierarchy, reading, limit, how.missing, bootstrap)

    @property
    def of_scores(self) -> bool:
        """Whether predictions are read as scores."""
        return asks_for_scores(self.measures, self.threshold)

    def totals(self, truth: Labels, prediction: Labels) -> Totals:
        """Score one portion."""
        return self.of_runs(truth, {"": prediction})[""]

    def of_runs(self, truth: Labels, runs: Mapping[str, Labels]) -> dict[str, Totals]:
        """Score one portion of several runs; its truth is read once."""
        read = [readable(side, self.reading) for side in (truth, *runs.values())]
        sides = coerce_sides(read, self.hierarchy, self.reading, scores=self.of_scores)
        true, *predicted = (side.within(self.vocabulary) for side in sides)
        batches = aligned(true, predicted, self.hierarchy, self.missing)
        return dict(zip(runs, map(self._totals_of_batch, batches), strict=True))

    def _totals_of_batch(self, batch: Batch | ScoredBatch) -> Totals:
        sets = at_threshold(batch, self.threshold)
        found = totals_of_both(batch, sets, self.measures, self.bootstrap)
        for side in filter(None, (batch, sets)):
            side.forget()
        return found

    @cached_property
    def empty(self) -> Totals:
        """Totals of no samples."""
        truth = no_samples(self.vocabulary)
        scores = LabelScores(truth.matrix.astype(np.float64), self.vocabulary, ())
        return self.totals(truth, scores if self.of_scores else truth)

    def without_shared(self, totals: Totals) -> Totals:
        """Leave out what all portions share, so that a worker sends nothing but sums, by their order.

        Statistics of functions would differ: each worker has its own copy of a function of a notebook.
        """
        sums: dict[str, Any] = {name: dict(enumerate(getattr(totals, name).values())) for name in _SUMS}
        return replace(totals, measures={}, vocabulary=_NO_CONCEPTS, hierarchy=None, **sums)

    def with_shared(self, totals: Totals) -> Totals:
        """Add what `without_shared` left out."""
        sums: dict[str, Any] = {
            name: dict(zip(getattr(self.empty, name), getattr(totals, name).values(), strict=True))
            for name in _SUMS
        }
        return replace(self.empty, samples=totals.samples, **sums)


def no_samples(vocabulary: Vocabulary) -> LabelSets:
    """Label sets of no sample."""
    return LabelSets(sparse.csr_array((0, len(vocabulary)), dtype=bool), vocabulary, ())


def refuse_in_parts(**options: object) -> None:
    """Refuse options that scans and Dask collections do not have."""
    for name, value in options.items():
        if value is not None:
            shown = value if isinstance(value, str | float) else "given"
            expected = (
                "None for scans and Dask collections: only labels in memory (ontoeval.read_labels) take it"
            )
            raise ParameterError(name, shown, expected)


def merge_in_tree(parts: Iterable[Totals]) -> Totals:
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
