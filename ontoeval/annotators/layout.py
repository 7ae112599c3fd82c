"""One concept at a time, laid out as annotators × samples: arrays where these are small, else sparse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.annotators.annotations import Annotations
from ontoeval.core.csr import line

DENSE = 16_000_000
"""Most annotators × samples for which arrays are used."""

Matrix = Any
"""An array or a sparse array: products, sums and elementwise products of both are written alike."""


@dataclass(frozen=True, eq=False)
class Layout:
    """Annotations, concept by concept."""

    positive: sparse.csc_array
    unknown: sparse.csc_array
    places: tuple[NDArray[np.intp], NDArray[np.intp]]
    seen: Matrix

    @property
    def complete(self) -> bool:
        """Whether every annotator has seen every sample."""
        return bool(self.places[0].size == self.seen.shape[0] * self.seen.shape[1])

    @classmethod
    def of(cls, annotations: Annotations, *, dense: int = DENSE) -> Layout:
        """Lay annotations out."""
        places = annotations.annotator, annotations.sample
        shape = len(annotations.annotators), len(annotations.samples)
        ones = np.ones(len(annotations), dtype=np.float32)
        seen: Matrix = sparse.csr_array((ones, places), shape=shape)
        small = shape[0] * shape[1] <= dense
        return cls(
            annotations.positive.tocsc(),
            annotations.unknown.tocsc(),
            places,
            seen.toarray() if small else seen,
        )

    def yes(self, concept: int) -> Matrix:
        """Tell who says of which samples that a concept is there."""
        return self._spread(self.positive, concept)

    def known(self, concept: int) -> Matrix:
        """Tell who says anything of a concept in which samples."""
        if not line(self.unknown, concept).size:
            return self.seen
        return self.seen - self._spread(self.unknown, concept)

    def samples(self, concept: int) -> NDArray[np.intp]:
        """Find the samples in which not all who have seen them say that a concept is not there."""
        sheets = [line(side, concept) for side in (self.positive, self.unknown)]
        return np.flatnonzero(
            np.bincount(self.places[1][np.concatenate(sheets)], minlength=self.seen.shape[1])
        )

    def _spread(self, sheets: sparse.csc_array, concept: int) -> Matrix:
        rows = line(sheets, concept)
        return self.matrix(self.places[0][rows], self.places[1][rows], np.ones(rows.size), self.seen.shape)

    def matrix(
        self,
        rows: NDArray[np.intp],
        columns: NDArray[np.intp],
        values: NDArray[np.float64],
        shape: tuple[int, int],
    ) -> Matrix:
        """Put values into a matrix of the kind that this layout uses."""
        if isinstance(self.seen, np.ndarray):
            array = np.zeros(shape, dtype=np.float32)
            array[rows, columns] = values
            return array
        return sparse.csr_array((values.astype(np.float32), (rows, columns)), shape=shape)
