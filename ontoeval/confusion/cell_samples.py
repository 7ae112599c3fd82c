"""Samples behind the cells of a confusion matrix."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.batch import Batch
from ontoeval.evaluation.groups import cells_of_groups
from ontoeval.measures.confusion_rules import Links
from ontoeval.plumbing.arrays import Places


class ConceptPairMasses(NamedTuple):
    """Mass by true and predicted concept and by sample: a row per pair that has mass, a column per sample."""

    row: NDArray[np.intp]
    column: NDArray[np.intp]
    mass: sparse.csr_array


@dataclass(frozen=True, eq=False)
class Origin:
    """The samples that a matrix is the sum of, what they add, and the groups its concepts were summed by."""

    batch: Batch
    links: Links
    groups: tuple[tuple[sparse.csr_array, sparse.csr_array], ...] = ()

    def grouped(self, rows: sparse.csr_array, columns: sparse.csr_array) -> Origin:
        """Sum rows and columns by groups, as `ConfusionMatrix.aggregated` does."""
        return replace(self, groups=(*self.groups, (rows, columns)))

    def pairs(self) -> ConceptPairMasses:
        """Find the mass that each sample puts into each pair of concepts, before these are grouped."""
        sample, row, column, mass = map(np.concatenate, zip(*self.links.entries(), strict=True))
        width = int(column.max(initial=0)) + 1
        codes, which = np.unique(row * width + column, return_inverse=True)
        shape = codes.size, len(self.batch)
        return ConceptPairMasses(
            *np.divmod(codes, width), sparse.coo_array((mass, (which, sample)), shape=shape).tocsr()
        )

    def of_cells(
        self, rows: Places, columns: Places, pairs: ConceptPairMasses | None = None
    ) -> sparse.csr_array:
        """Mass that each sample puts into some distinct cells: a row per cell, a column per sample."""
        row, column, mass = self.pairs() if pairs is None else pairs
        which, share = np.arange(row.size), np.ones(row.size)
        for sides in self.groups:
            found, row, column, part = cells_of_groups(row, column, *sides)
            which, share = which[found], share[found] * part
        width = int(max(column.max(initial=0), columns.max(initial=0))) + 1
        codes, wanted = row * width + column, rows * width + columns
        order = np.argsort(wanted)
        place = np.searchsorted(wanted, codes, sorter=order)
        here = np.flatnonzero(place < wanted.size)
        here = here[wanted[order[place[here]]] == codes[here]]
        cells = order[place[here]], which[here]
        chosen = sparse.coo_array((share[here], cells), shape=(wanted.size, mass.shape[0]))
        return sparse.csr_array(chosen.tocsr() @ mass)
