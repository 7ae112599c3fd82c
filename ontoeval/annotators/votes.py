"""Annotators' answers as counts per sample and concept, as few patterns, and as matrices per concept."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from ontoeval.annotators.annotations import Annotations
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.sparse import entries_at, row_of_entries, stored_columns, with_data

RowFunction = Callable[[Numbers], Numbers]
"""From how many annotators answer no and yes, one row per unit, to rows of whatever is summed."""

DenseOrSparse = Any
"""An array or a sparse array: products, sums and elementwise products of both are written alike."""

DENSE = 16_000_000
"""Most annotators × samples for which arrays are used: with 100 annotators they are four times as fast."""


@dataclass(frozen=True, eq=False)
class Votes:
    """Counts of annotators, samples × concepts, sparse: nearly all answers are no."""

    yes: sparse.csc_array
    unknown: sparse.csc_array
    seen: Places

    @classmethod
    def from_annotations(cls, annotations: Annotations, sheets: Places | None = None) -> Votes:
        """Count the votes of all sheets, or of some."""
        chosen = np.arange(len(annotations)) if sheets is None else sheets
        seen = np.bincount(annotations.sample[chosen], minlength=len(annotations.samples))
        begin = np.concatenate([[0], np.cumsum(seen)])
        ones = np.ones(chosen.size, dtype=np.int32)
        gathered = sparse.csr_array((ones, chosen, begin), shape=(seen.size, len(annotations)))
        yes, unknown = (
            sparse.csc_array(gathered @ side.astype(np.int32))
            for side in (annotations.positive, annotations.unknown)
        )
        return cls(yes, unknown, seen)

    def select_samples(self, rows: Places) -> Votes:
        """Keep some samples."""
        yes, unknown = (sparse.csc_array(side[rows]) for side in (self.yes, self.unknown))
        return Votes(yes, unknown, self.seen[rows])

    @cached_property
    def yes_shares(self) -> sparse.csr_array:
        """Samples × concepts: the share of yes among the annotators who answer."""
        yes = sparse.csr_array(self.yes).astype(np.float64)
        unknown = entries_at(sparse.csr_array(self.unknown), row_of_entries(yes), yes.indices)
        return with_data(yes, yes.data / (self.seen[row_of_entries(yes)] - unknown))

    @cached_property
    def used_concepts(self) -> Places:
        """Concepts with any yes, or with answers from some sheets only."""
        doubted = np.asarray(self.unknown.sum(axis=0)).ravel()
        silent = (doubted == 0) | (doubted == self.seen.sum())
        return np.flatnonzero((np.diff(self.yes.indptr) > 0) | ~silent)

    @cached_property
    def distinct_concepts(self) -> tuple[Places, Places]:
        """Concepts on which votes differ, and for each concept the position of one among them.

        Most concepts of a large ontology are unused or unasked: one represents all of these.
        """
        others = np.ones(self.yes.shape[1], dtype=bool)
        others[self.used_concepts] = False
        asked = np.diff(self.unknown.indptr) == 0
        chosen, place = self.used_concepts, np.zeros(others.size, dtype=np.intp)
        place[chosen] = np.arange(chosen.size)
        for some in (np.flatnonzero(others & asked), np.flatnonzero(others & ~asked)):
            place[some] = chosen.size
            chosen = np.concatenate([chosen, some[:1]])
        return chosen, place


class PatternRows(NamedTuple):
    """Factors of a weighted sum: weights @ samples @ rows is the part of the answers other than no."""

    samples: sparse.csr_array
    rows: sparse.csr_array


@dataclass(frozen=True, eq=False)
class Patterns:
    """The distinct (no, yes) counts of the answers, and which of them each sample and concept has.

    Where every answer is no, nothing is stored: sums over samples are as fast as a yes is rare.
    """

    pattern: sparse.csc_array
    seen: Places
    counts: Numbers
    all_no: Numbers

    @classmethod
    def from_votes(cls, votes: Votes) -> Patterns:
        """Find the distinct counts."""
        base = int(votes.seen.max(initial=0)) + 1
        told = sparse.csc_array(votes.yes.astype(np.int64) * base + votes.unknown.astype(np.int64))
        distinct, pattern = np.unique(told.data * base + votes.seen[told.indices], return_inverse=True)
        rest, seen = np.divmod(distinct, base)
        yes, unknown = np.divmod(rest, base)
        patterns = sparse.csc_array((pattern, told.indices, told.indptr), shape=told.shape)
        counts = np.stack([seen - unknown - yes, yes], axis=-1).astype(np.float64)
        return cls(patterns, votes.seen, counts, only_no(seen))

    @property
    def count_compared(self) -> int:
        """In how many samples two annotators or more decide on any concept."""
        told = self.pattern.indices[(self.counts.sum(axis=-1) > 1)[self.pattern.data]]
        silence = np.bincount(self.pattern.indices, minlength=self.seen.size) < self.pattern.shape[1]
        some = np.bincount(told, minlength=self.seen.size) > 0
        return int((some | (silence & (self.seen > 1))).sum())

    def sums(self, columns: Places, rows: RowFunction) -> Numbers:
        """Sum the rows of some concepts over the samples."""
        split = self.split(columns, rows)
        sizes, times = np.unique(self.seen, return_counts=True)
        apart = split.samples.sum(axis=0) @ split.rows
        # Rows of all-no units are whole numbers, so that nothing is lost by taking them away again.
        return np.asarray(times @ rows(only_no(sizes)) + apart.reshape(columns.size, -1))

    def split(self, columns: Places, rows: RowFunction) -> PatternRows:
        """Make the factors of weighted sums over samples, for some concepts."""
        apart = rows(self.counts) - rows(self.all_no)
        some, concept, pattern, which = self._distinct(columns)
        width = apart.shape[1]
        samples = sparse.csr_array(
            (np.ones(some.nnz), (some.indices, which)), shape=(self.seen.size, pattern.size)
        )
        places = (concept[:, None] * width + np.arange(width)).ravel()
        ends = np.arange(pattern.size + 1) * width
        shape = pattern.size, columns.size * width
        return PatternRows(samples, sparse.csr_array((apart[pattern].ravel(), places, ends), shape=shape))

    def count_patterns(self, columns: Places) -> Places:
        """Count the patterns of each concept."""
        return np.bincount(self._distinct(columns)[1], minlength=columns.size)

    def _distinct(self, columns: Places) -> tuple[sparse.csc_array, Places, Places, Places]:
        """Find the distinct pairs of concept and pattern, and the pair of each entry."""
        some, number = self.pattern[:, columns], max(len(self.counts), 1)
        column = np.repeat(np.arange(columns.size), np.diff(some.indptr))
        pairs, which = np.unique(column * number + some.data, return_inverse=True)
        return some, *np.divmod(pairs, number), which


def only_no(seen: Places) -> Numbers:
    """Count no and yes where every answer is no."""
    return np.stack([seen, np.zeros_like(seen)], axis=-1).astype(np.float64)


@dataclass(frozen=True, eq=False)
class ConceptMatrices:
    """Answers on one concept at a time, annotators × samples: arrays where these are small, else sparse."""

    positive: sparse.csc_array
    unknown: sparse.csc_array
    places: tuple[Places, Places]
    seen: DenseOrSparse

    @classmethod
    def from_annotations(cls, annotations: Annotations, *, dense: int = DENSE) -> ConceptMatrices:
        """Index the answers by annotator, sample and concept."""
        places = annotations.annotator, annotations.sample
        shape = len(annotations.annotators), len(annotations.samples)
        ones = np.ones(len(annotations), dtype=np.float32)
        seen = sparse.csr_array((ones, places), shape=shape)
        small = shape[0] * shape[1] <= dense
        sides = annotations.positive.tocsc(), annotations.unknown.tocsc()
        return cls(*sides, places, seen.toarray() if small else seen)

    @property
    def complete(self) -> bool:
        """Whether every annotator has seen every sample."""
        return bool(self.places[0].size == self.seen.shape[0] * self.seen.shape[1])

    def yes_answers(self, concept: int) -> DenseOrSparse:
        """Annotators × samples: yes to a concept."""
        return self._sheet_matrix(self.positive, concept)

    def known_answers(self, concept: int) -> DenseOrSparse:
        """Annotators × samples: any answer; `seen` itself where nothing is unknown."""
        if not stored_columns(self.unknown, concept).size:
            return self.seen
        return self.seen - self._sheet_matrix(self.unknown, concept)

    def samples(self, concept: int) -> Places:
        """Find the samples in which an annotator says yes or is undecided."""
        sheets = np.concatenate([stored_columns(side, concept) for side in (self.positive, self.unknown)])
        return np.flatnonzero(np.bincount(self.places[1][sheets], minlength=self.seen.shape[1]))

    def _sheet_matrix(self, sheets: sparse.csc_array, concept: int) -> DenseOrSparse:
        rows = stored_columns(sheets, concept)
        ends = self.places[0][rows], self.places[1][rows]
        if isinstance(self.seen, np.ndarray):
            array = np.zeros(self.seen.shape, dtype=np.float32)
            array[ends] = 1
            return array
        return sparse.csr_array((np.ones(rows.size, dtype=np.float32), ends), shape=self.seen.shape)
