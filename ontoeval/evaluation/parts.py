"""Parts of a dataset that was cut by sample: each is scored alone, and the totals are added."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from heapq import nsmallest
from itertools import chain
from typing import Any, NamedTuple, Self

import numpy as np
from scipy import sparse

from ontoeval.core.label_sets import LabelSets, only_samples
from ontoeval.core.resampling import Bootstrap
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.errors import MOST_SHOWN, MeasureError, enumerate_some
from ontoeval.evaluation.alignment import AlignedRuns, SideOptions
from ontoeval.evaluation.totals import AT_ONCE, Totals, merge, totals_of, unclosed_of
from ontoeval.measures.base import Measures, info
from ontoeval.measures.catalogue import measures_of
from ontoeval.measures.presets import usual_measures
from ontoeval.plumbing.arrays import Marks, Numbers
from ontoeval.plumbing.sparse import whole_columns
from ontoeval.plumbing.values import PickledByFields


class UnmatchedSamples(NamedTuple):
    """Samples that only one side has: how many, and all of them or a few."""

    number: int
    names: tuple[str, ...]

    @classmethod
    def of_all(cls, names: Sequence[str]) -> Self:
        """Keep all names."""
        return cls(len(names), tuple(names))

    def reduced(self) -> Self:
        """Keep the first names, by length and name, as many as messages show."""
        few = nsmallest(MOST_SHOWN, self.names, key=lambda name: (len(name), name))
        return self._replace(names=tuple(few))

    @property
    def shown(self) -> str:
        """The names that a message shows."""
        return enumerate_some(self.names, total=self.number)


def differences_of(lacking: UnmatchedSamples, beyond: UnmatchedSamples) -> str:
    """Say which samples only one side has."""
    sides = zip(("truth", "prediction"), (lacking, beyond), strict=True)
    parts = [f"{some.number:,} only in the {side} ({some.shown})" for side, some in sides if some.number]
    return f"truth and prediction differ in their samples: {'; '.join(parts)}"


class PartTotals(NamedTuple):
    """Of each run its totals, the samples that only one side has, and how many sets lack ancestors."""

    totals: Sequence[Totals]
    unmatched: Sequence[tuple[UnmatchedSamples, ...]]
    unclosed: Sequence[Sequence[int]] = ()
    counts: Sequence[int] = ()
    """What the slice of labels counts, if there is one."""


@dataclass(frozen=True, eq=False)
class PartScoring(PickledByFields):
    """How every part is scored: all that a worker needs beside the label sets."""

    how: SideOptions
    measures: Mapping[str, Any]
    vocabulary: Vocabulary
    bootstrap: Bootstrap | None = None
    constant: tuple[Marks, ...] = ()
    """Marks of the labels of further runs, which are the same for every sample, as of a baseline."""

    @classmethod
    def from_options(cls, how: SideOptions, measures: Measures | None, vocabulary: Vocabulary) -> Self:
        """Take the usual measures by default; refuse those of which parts cannot be added."""
        usual = usual_measures(how.hierarchy, scores=False)
        return cls(how, measures_in_parts(usual if measures is None else measures), vocabulary)

    def __call__(self, truth: LabelSets, runs: Sequence[LabelSets]) -> PartTotals:
        """Score a part, a few samples at a time, so that resamples are drawn once for all runs."""
        only = [([], []) if run.samples == truth.samples else only_samples(truth, run) for run in runs]
        unmatched = [tuple(UnmatchedSamples.of_all(names).reduced() for names in one) for one in only]
        if self.how.missing == "refuse" and any(map(any, only)):
            return PartTotals([], unmatched)
        how = replace(self.how, missing="empty")
        given = AlignedRuns.from_labels(truth, {str(number): run for number, run in enumerate(runs)}, how)
        batches = [*given.batches.values()]
        same = [given.first.truth.remade(whole_columns(len(truth), marks)) for marks in self.constant]
        batches += [given.first.predicting(one) for one in same]
        totals: list[Totals] = []
        for begin in range(0, max(len(truth), 1), AT_ONCE):
            portions = [batch.rows(begin, begin + AT_ONCE) for batch in batches]
            found = [totals_of(one, self.measures, self.bootstrap) for one in portions]
            totals = [merge(*both) for both in zip(totals, found, strict=True)] if totals else found
        unclosed = [unclosed_of(one) for one in given.batches.values()]
        return PartTotals([*map(_without_shared, totals)], unmatched, unclosed, given.counts)

    def label_counts(self, truth: LabelSets) -> tuple[int, Numbers]:
        """Count the samples of a part, and those with each label."""
        sets = AlignedRuns.from_labels(truth, {"": truth}, self.how).first.truth
        return len(sets), np.bincount(sets.matrix.indices, minlength=len(sets.vocabulary)).astype(np.float64)

    def merged(self, parts: Iterable[PartTotals]) -> PartTotals:
        """Add parts in their order, on which the last digits of resamples depend."""
        totals, every = list[Totals](), list[PartTotals]()
        for part in parts:
            both = zip(totals, part.totals, strict=False)
            totals = [merge(*one) for one in both] if totals else [*part.totals]
            every.append(part._replace(totals=()))
        _, pairs, lacking, counts = (zip(*one, strict=False) for one in zip(*every, strict=True))
        unmatched = [(*map(_joined, zip(*both, strict=True)),) for both in pairs]
        unclosed = [np.sum(run, axis=0).tolist() for run in lacking]
        return PartTotals([*map(self._with_shared, totals)], unmatched, unclosed, [*map(sum, counts)])

    @cached_property
    def none(self) -> AlignedRuns:
        """No samples, aligned."""
        none = no_samples(self.vocabulary)
        return AlignedRuns.from_labels(none, {"": none}, self.how)

    @cached_property
    def empty(self) -> Totals:
        """Totals of no samples."""
        return totals_of(self.none.first, self.measures, self.bootstrap)

    def _with_shared(self, totals: Totals) -> Totals:
        """Add what `_without_shared` left out."""
        sums: dict[str, Any] = {
            name: dict(zip(getattr(self.empty, name), getattr(totals, name).values(), strict=True))
            for name in _SUMS
        }
        return replace(self.empty, samples=totals.samples, **sums)


def measures_in_parts(measures: Measures) -> Mapping[str, Any]:
    """Find measures by their notations; refuse those of which parts cannot be added."""
    chosen = measures_of(measures)
    whole = [one for one, its in chosen.items() if not info(its, "mergeable")]
    if unfit := whole or [one for one, its in chosen.items() if info(its, "takes") == "scores"]:
        needs = "all samples at once" if whole else "whole files of scores"
        remedy = "Leave this out, or read the files whole (without --parts)."
        raise MeasureError(f"{', '.join(unfit)}: needs {needs}, not parts. {remedy}")
    return chosen


_SUMS = ("addends", "replicates")
_NO_CONCEPTS = Vocabulary(())


def no_samples(vocabulary: Vocabulary) -> LabelSets:
    """Label sets of no sample."""
    return LabelSets(sparse.csr_array((0, len(vocabulary)), dtype=np.bool_), vocabulary, ())


def _joined(parts: Sequence[UnmatchedSamples]) -> UnmatchedSamples:
    """Add up what one side lacks in all parts."""
    names = tuple(chain.from_iterable(part.names for part in parts))
    return UnmatchedSamples(sum(part.number for part in parts), names).reduced()


def _without_shared(totals: Totals) -> Totals:
    """Leave out what all parts share, so that a worker sends nothing but sums, by their order.

    Statistics of functions would differ: each worker has its own copy of a function of a notebook.
    """
    sums: dict[str, Any] = {name: dict(enumerate(getattr(totals, name).values())) for name in _SUMS}
    return replace(totals, measures={}, vocabulary=_NO_CONCEPTS, hierarchy=None, **sums)
