"""Cohen's kappa of whole label sets over a hierarchy.

Two label sets share the bits of a concept as often as both have labels at or below it. Whether a set has at
least k labels there is a yes or no, so that sums over pairs of annotators are those of decisions. Labels with
several parents are split among these, and what reaches a concept is rounded, as for tκ.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ontoeval.annotators.annotations import Annotations
from ontoeval.annotators.concept_agreement import FEWEST, CoefficientEstimate
from ontoeval.annotators.options import AgreementOptions
from ontoeval.annotators.pairwise_kappa import (
    AnnotatorPairs,
    PairCounts,
    affordable,
    mean_of_pairs,
    resampled_counts,
)
from ontoeval.annotators.votes import ConceptMatrices
from ontoeval.concepts.bits import Bits
from ontoeval.concepts.flow import MassLevels, flow_of
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.vocabulary import Vocabulary
from ontoeval.measures.lowest_common_ancestors import most_specific
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.sparse import pattern, ranges, row_of_entries

BITS = Bits(agreement=None)
"""What concepts are worth; the agreement of annotators is what is measured."""

_SHEETS = 100_000
"""Sheets whose labels are counted at a time."""

_LEAST = 1e-12
"""Share of the bits that chance must leave, above what rounding leaves."""


class SetCounts(NamedTuple):
    """Mean bits that pairs of label sets share, are expected to share by chance, and have on each side."""

    shared: Numbers
    chance: Numbers
    whole: Numbers

    @classmethod
    def from_counts(cls, counts: PairCounts, bits: Numbers | float) -> SetCounts:
        """Convert the counts of a mark to bits: of both sides, of each, and of both together."""
        both, first, second, together = counts
        chance = first * second / np.maximum(both, 1)
        return cls(bits * together, bits * chance, bits * (first + second) / 2)

    @property
    def kappa(self) -> Numbers:
        """Kappa; nan where the expected agreement is complete."""
        beyond = self.whole - self.chance
        defined = beyond > _LEAST * self.whole
        return np.where(defined, (self.shared - self.chance) / np.where(defined, beyond, 1.0), np.nan)


class SetKappas(NamedTuple):
    """Kappa of the label sets of pairs of annotators, in how many samples, and its mean over pairs."""

    samples: Places
    pairs: CoefficientEstimate
    mean: CoefficientEstimate
    resampled: bool
    """Whether there are few enough pairs, samples and concepts for intervals."""


class LevelMarks(NamedTuple):
    """Sheets × marks, true where the labels of a sheet reach a level of a concept, and bits of marks."""

    matrix: sparse.csr_array
    bits: Numbers


def marks_of(sets: sparse.csr_array, vocabulary: Vocabulary, hierarchy: Hierarchy | None) -> LevelMarks:
    """Mark the levels that each set reaches at each concept; only the most specific labels count."""
    hierarchy = hierarchy or Hierarchy.flat(vocabulary)
    used = np.unique(sets.indices)
    names = [vocabulary[column] for column in used.tolist()]
    hierarchy = hierarchy.with_labels([*hierarchy.label_vocabulary, *names])
    places = np.zeros(sets.shape[1], dtype=np.intp)
    places[used] = hierarchy.label_vocabulary.positions(names)
    bits, concepts = hierarchy.derive(BITS), len(hierarchy.vocabulary)
    upward = hierarchy.links_upward[hierarchy.labels]
    levels = hierarchy.derive(MassLevels())
    closure = hierarchy.derive(flow_of)[hierarchy.labels]
    parts, sizes = [np.empty(0, dtype=np.intp)], [np.empty(0, dtype=np.intp)]
    for begin in range(0, sets.shape[0], _SHEETS):
        some = sets[begin : begin + _SHEETS]
        shape = some.shape[0], len(hierarchy.labels)
        labels = pattern(sparse.csr_array((some.data, places[some.indices], some.indptr), shape=shape))
        labels = most_specific(labels, upward, hierarchy.labels)
        counts = sparse.csr_array(labels.astype(np.float64) @ closure)
        reached = levels.reached(counts.indices, counts.data)[1]
        times = np.where(bits[counts.indices] > 0, reached, 0).astype(np.intp)
        parts.append(np.repeat(counts.indices, times) + concepts * ranges(np.zeros_like(times), times))
        sizes.append(np.diff(np.append(0, np.cumsum(times))[counts.indptr]))
    columns, ends = np.concatenate(parts), np.append(0, np.cumsum(np.concatenate(sizes)))
    there = np.zeros(columns.max(initial=-1) + 1, dtype=bool)
    there[columns] = True
    kept = np.flatnonzero(there)
    columns = (np.cumsum(there) - 1)[columns]
    shape = sets.shape[0], kept.size
    matrix = sparse.csr_array((np.ones(columns.size, dtype=bool), columns, ends), shape=shape)
    return LevelMarks(matrix, bits[kept % concepts] * levels.steps(kept % concepts, kept // concepts))


def pair_kappas(
    annotations: Annotations, hierarchy: Hierarchy | None, pairs: AnnotatorPairs, options: AgreementOptions
) -> SetKappas:
    """Compute kappa of the label sets of pairs of annotators, of sheets that decide every concept."""
    kept = annotations.chosen(annotations.complete)
    matrix, bits = marks_of(kept.positive, kept.vocabulary, hierarchy)
    unknown, names = sparse.csr_array(matrix.shape, dtype=bool), tuple(map(str, range(bits.size)))
    marked = replace(kept, positive=matrix, unknown=unknown, vocabulary=Vocabulary(names))
    own = AnnotatorPairs.from_matrices(ConceptMatrices.from_annotations(marked))
    own = replace(own, first=pairs.first, second=pairs.second)
    number, marks = pairs.first.size, list(range(bits.size))
    sums = np.zeros((3, number))
    for mark in marks:
        sums += SetCounts.from_counts(own.compare_on_concept(mark, influence=False).counts, bits[mark])
    value = SetCounts(*sums).kappa
    again = np.full((options.resamples, number), np.nan)
    samples = np.array([own.matrices.samples(mark).size for mark in marks], dtype=np.intp)
    resampled = bool(affordable(own, samples, options.resamples).all())
    if resampled:
        parts = np.zeros((3, *again.shape))
        for (begin, end), place, counts in resampled_counts(own, marks, kept.samples, options.bootstrap):
            parts[:, begin:end] += SetCounts.from_counts(counts, bits[place])
        again = SetCounts(*parts).kappa
    mean, mean_again = mean_of_pairs(value), mean_of_pairs(again)
    again[:, own.shared < FEWEST] = np.nan
    if (kept.sheets_of_samples > 1).sum() < FEWEST:
        mean_again[:] = np.nan
    each = CoefficientEstimate(value, *options.bounds(again, value))
    of_all = CoefficientEstimate(mean, *options.bounds(mean_again, mean))
    return SetKappas(own.shared, each, of_all, resampled)


@dataclass(frozen=True, eq=False)
class SidesOfGroups:
    """Marks of two label sets in each row, and the group of each row."""

    first: sparse.csr_array
    second: sparse.csr_array
    bits: Numbers
    group: Places
    number: int

    @cached_property
    def shared(self) -> Numbers:
        """Bits that the two sets of each row share."""
        return np.asarray(self.first.multiply(self.second) @ self.bits, dtype=np.float64)

    @property
    def kappas(self) -> Numbers:
        """Kappa of each group."""
        ones, shape = np.ones(self.group.size), (self.number, self.group.size)
        gathered = sparse.csr_array((ones, (self.group, np.arange(self.group.size))), shape=shape)
        first, second = (gathered @ side.astype(np.float64) for side in (self.first, self.second))
        rows = np.maximum(np.bincount(self.group, minlength=self.number), 1)
        chance = first.multiply(second) @ self.bits / rows
        return SetCounts(np.asarray(gathered @ self.shared), chance, (first + second) @ self.bits / 2).kappa

    def resampled(self, options: AgreementOptions, samples: tuple[str, ...], sample: Places) -> Numbers:
        """Compute kappa in each resample, given the sample of each row."""
        single = sparse.csr_array(np.stack([self.shared, np.ones(self.group.size)], axis=-1))
        sides = (self.first.astype(np.float64), self.second.astype(np.float64), single)
        sheets = sparse.csr_array(sparse.hstack(sides, format="csr"))
        (_, width), sheet, marks = sheets.shape, row_of_entries(sheets), self.bits.size
        columns = sheets.indices + width * self.group[sheet]
        shape = len(samples), width * self.number
        rows = sparse.csr_array((sheets.data, (sample[sheet], columns)), shape=shape)
        sums = options.resampled(samples, rows.__getitem__).reshape(-1, self.number, width)
        first, second, rest = np.split(sums, [marks, 2 * marks], axis=-1)
        shared, times = np.moveaxis(rest, -1, 0)
        chance = np.einsum("rgm,rgm,m->rg", first, second, self.bits) / np.maximum(times, 1)
        return SetCounts(shared, chance, (first + second) @ self.bits / 2).kappa
