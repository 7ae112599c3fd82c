"""Votes: how many annotators say of each concept of each sample that it is there, or that it is not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.annotators.annotations import Annotations
from ontoeval.core.csr import entries_at, row_of_entries, with_data


@dataclass(frozen=True, eq=False)
class Votes:
    """Counts of annotators, sparse: of most concepts nearly everybody says that they are not there."""

    yes: sparse.csc_array
    unknown: sparse.csc_array
    seen: NDArray[np.intp]

    @classmethod
    def of(cls, annotations: Annotations, sheets: NDArray[np.intp] | None = None) -> Votes:
        """Count the votes."""
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

    def rows(self, rows: NDArray[np.intp]) -> Votes:
        """Keep some samples."""
        yes, unknown = (sparse.csc_array(side[rows]) for side in (self.yes, self.unknown))
        return Votes(yes, unknown, self.seen[rows])

    @cached_property
    def shares(self) -> sparse.csr_array:
        """Samples × concepts: the share that say that it is there, of those who say anything of it."""
        yes = sparse.csr_array(self.yes).astype(np.float64)
        unknown = entries_at(sparse.csr_array(self.unknown), row_of_entries(yes), yes.indices)
        shares = yes.data / (self.seen[row_of_entries(yes)] - unknown)
        return with_data(yes, shares)

    @cached_property
    def used(self) -> NDArray[np.intp]:
        """Concepts of which anybody says that they are there, or only some that they are not."""
        doubted = np.asarray(self.unknown.sum(axis=0)).ravel()
        silent = (doubted == 0) | (doubted == self.seen.sum())
        return np.flatnonzero((np.diff(self.yes.indptr) > 0) | ~silent)

    @cached_property
    def alike(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Concepts on which votes differ, and for each concept the position of one among them.

        Nobody uses most concepts of a large ontology, or nobody was asked: one stands for all of these.
        """
        number = self.yes.shape[1]
        asked = np.diff(self.unknown.indptr) == 0
        others = np.ones(number, dtype=bool)
        others[self.used] = False
        chosen, place = self.used, np.zeros(number, dtype=np.intp)
        place[chosen] = np.arange(chosen.size)
        for some in (np.flatnonzero(others & asked), np.flatnonzero(others & ~asked)):
            place[some] = chosen.size
            chosen = np.concatenate([chosen, some[:1]])
        return chosen, place
