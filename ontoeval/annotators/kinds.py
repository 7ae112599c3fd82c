"""Kinds of answers: few pairs of numbers that stand for what is said of all concepts of all samples."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.annotators.votes import Votes

Numbers = NDArray[np.float64]
Rows = Callable[[Numbers], Numbers]


class Split(NamedTuple):
    """The samples of some concepts by kind, for sums that weigh samples."""

    samples: sparse.csr_array
    apart: sparse.csr_array


@dataclass(frozen=True, eq=False)
class Kinds:
    """What annotators say of concepts, as kinds of answers; where all say that a concept is not there, none.

    Sums over samples of anything that only hangs on how many say yes and no are then as fast as what is said
    is rare. In the ontology of which annotators choose their labels, that is nearly everything.
    """

    kind: sparse.csc_array
    seen: NDArray[np.intp]
    counts: Numbers
    silence: Numbers

    @classmethod
    def of(cls, votes: Votes) -> Kinds:
        """Sort votes."""
        base = int(votes.seen.max(initial=0)) + 1
        told = sparse.csc_array(votes.yes.astype(np.int64) * base + votes.unknown.astype(np.int64))
        key = told.data * base + votes.seen[told.indices]
        distinct, kind = np.unique(key, return_inverse=True)
        rest, seen = np.divmod(distinct, base)
        yes, unknown = np.divmod(rest, base)
        return cls(
            sparse.csc_array((kind, told.indices, told.indptr), shape=told.shape),
            votes.seen,
            np.stack([seen - unknown - yes, yes], axis=-1).astype(np.float64),
            silent(seen),
        )

    @property
    def compared(self) -> int:
        """In how many samples two annotators or more decide on any concept."""
        told = self.kind.indices[(self.counts.sum(axis=-1) > 1)[self.kind.data]]
        silence = np.bincount(self.kind.indices, minlength=self.seen.size) < self.kind.shape[1]
        some = np.bincount(told, minlength=self.seen.size) > 0
        return int((some | (silence & (self.seen > 1))).sum())

    def sums(self, columns: NDArray[np.intp], rows: Rows) -> Numbers:
        """Sum over samples."""
        some = self.kind[:, columns]
        table = sparse.csr_array(
            (np.ones(some.nnz), (_column_of_entries(some), some.data)), shape=(columns.size, len(self.counts))
        )
        sizes, times = np.unique(self.seen, return_counts=True)
        # Of silence rows are whole numbers, so that nothing is lost by taking them away again.
        return np.asarray(times @ rows(silent(sizes)) + table @ (rows(self.counts) - rows(self.silence)))

    def split(self, columns: NDArray[np.intp], rows: Rows) -> Split:
        """Tell which samples of some concepts are of which kind."""
        some, apart = self.kind[:, columns], rows(self.counts) - rows(self.silence)
        concept, kind, which = self._distinct(some)
        width = apart.shape[1]
        samples = sparse.csr_array(
            (np.ones(some.nnz), (some.indices, which)), shape=(self.seen.size, kind.size)
        )
        places = (concept[:, None] * width + np.arange(width)).ravel()
        return Split(
            samples,
            sparse.csr_array(
                (apart[kind].ravel(), places, np.arange(kind.size + 1) * width),
                shape=(kind.size, columns.size * width),
            ),
        )

    def sizes(self, columns: NDArray[np.intp]) -> NDArray[np.intp]:
        """Count the kinds of each concept."""
        concept, _, _ = self._distinct(self.kind[:, columns])
        return np.bincount(concept, minlength=columns.size)

    def _distinct(
        self, some: sparse.csc_array
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """Tell the concept and the kind of each pair of these that occurs, and which pair each entry is."""
        number = max(len(self.counts), 1)
        pairs, which = np.unique(_column_of_entries(some) * number + some.data, return_inverse=True)
        concept, kind = np.divmod(pairs, number)
        return concept, kind, which


def silent(seen: NDArray[np.intp]) -> Numbers:
    """Spread out how many say no and yes where all say no."""
    return np.stack([seen, np.zeros_like(seen)], axis=-1).astype(np.float64)


def _column_of_entries(matrix: sparse.csc_array) -> NDArray[np.intp]:
    return np.repeat(np.arange(matrix.shape[1]), np.diff(matrix.indptr))
