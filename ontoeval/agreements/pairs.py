"""Cohen's kappa of every pair of annotators, concept by concept and over all concepts together.

Of a pair four numbers are enough: of how many samples both say something, of how many the first says that the
concept is there, the second, and both. For all pairs at once they are products of matrices annotators × samples,
arrays where these are small, and sparse where there are many annotators of whom most have not met.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.agreements.annotations import Annotations
from ontoeval.agreements.coefficients import cohen
from ontoeval.csr import entries_at

DENSE = 16_000_000
"""Most annotators × samples for which arrays are used."""

Numbers = NDArray[np.float64]
Matrix = Any
"""An array or a sparse array: products, sums and elementwise products are written alike."""


class Counts(NamedTuple):
    """What pairs of annotators say, one number per pair.

    Parameters
    ----------
    both
        Of how many samples both say something.
    first
        Of how many of these the first says that the concept is there.
    second
        The same of the second.
    together
        Of how many both say so.
    """

    both: Numbers
    first: Numbers
    second: Numbers
    together: Numbers

    @property
    def tables(self) -> Numbers:
        """The table of each pair: rows are what the first says, columns what the second says."""
        both, first, second, yes = self
        cells = [[both - first - second + yes, second - yes], [first - yes, yes]]
        return np.moveaxis(np.array(cells), (0, 1), (-2, -1))


class OfConcept(NamedTuple):
    """How pairs of annotators agree on a concept.

    Parameters
    ----------
    counts
        What the pairs say.
    mean
        Mean of Cohen's kappa over the pairs for which it is defined.
    influence
        How much the mean changes with the weight of each sample: its derivatives, whose sum is 0.
    """

    counts: Counts
    mean: float
    influence: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs of annotators who have a sample in common.

    Parameters
    ----------
    positive
        Sheets × concepts: what is said to be there.
    unknown
        Sheets × concepts: of what nothing is known.
    places
        Position of the annotator and of the sample, for each sheet.
    seen
        Annotators × samples: who has seen what.
    met
        Annotators × annotators: how many samples both have seen.
    first
        The annotator of each pair that comes first.
    second
        The other.
    """

    positive: sparse.csc_array
    unknown: sparse.csc_array
    places: tuple[NDArray[np.intp], NDArray[np.intp]]
    seen: Matrix
    met: Matrix
    first: NDArray[np.intp]
    second: NDArray[np.intp]

    @classmethod
    def of(cls, annotations: Annotations, *, dense: int = DENSE) -> Pairs:
        """Find the pairs.

        Parameters
        ----------
        annotations
            Who said what.
        dense
            Most annotators × samples for which arrays are used.

        Returns
        -------
        Pairs
            The pairs, by annotator.

        Examples
        --------
        >>> said = Annotations.from_sets({"Ann": [["a"], []], "Bob": [["a"], []], "Eve": {"5": []}})
        >>> pairs = Pairs.of(said)
        >>> pairs.first, pairs.second, pairs.on(0).mean
        (array([0]), array([1]), 1.0)
        """
        places = annotations.annotator, annotations.sample
        shape = len(annotations.annotators), len(annotations.samples)
        ones = np.ones(len(annotations), dtype=np.float32)
        seen: Matrix = sparse.csr_array((ones, places), shape=shape)
        if shape[0] * shape[1] <= dense:
            seen = seen.toarray()
        met = seen @ seen.T
        first, second = sparse.triu(sparse.csr_array(met), k=1, format="coo").coords
        order = np.lexsort((second, first))
        return cls(
            annotations.positive.tocsc(),
            annotations.unknown.tocsc(),
            places,
            seen,
            met,
            first[order].astype(np.intp),
            second[order].astype(np.intp),
        )

    def on(self, concept: int) -> OfConcept:
        """Compare what the pairs say of a concept.

        Parameters
        ----------
        concept
            Its position.

        Returns
        -------
        OfConcept
            The comparison.
        """
        known, both = self.seen, self.met
        if self.unknown.indptr[concept] < self.unknown.indptr[concept + 1]:
            known = self.seen - self._spread(self.unknown, concept)
            both = known @ known.T
        yes = self._spread(self.positive, concept)
        own = yes @ known.T
        counts = Counts(
            self._at(both, self.first, self.second),
            self._at(own, self.first, self.second),
            self._at(own, self.second, self.first),
            self._at(yes @ yes.T, self.first, self.second),
        )
        kappa = cohen(counts.tables)
        defined = np.isfinite(kappa)
        if not defined.any():
            return OfConcept(counts, np.nan, np.zeros(self.seen.shape[1], dtype=np.float32))
        return OfConcept(counts, float(kappa[defined].mean()), self._influence(counts, kappa, yes, known))

    def _influence(self, counts: Counts, kappa: Numbers, yes: Matrix, known: Matrix) -> NDArray[np.float32]:
        """Differentiate the mean by the weight of each sample: kappa is 2 (nx - ab) / (n (a + b) - 2ab)."""
        defined = np.isfinite(kappa)
        n, a, b, x = (side[defined] for side in counts)
        k = kappa[defined]
        scale = (n * (a + b) - 2 * a * b) * k.size
        slopes = (
            self._square(defined, slope / scale)
            for slope in (2 * n, -2 * b - k * (n - 2 * b), -2 * a - k * (n - 2 * a), 2 * x - k * (a + b))
        )
        by_both, by_first, by_second, by_known = slopes
        said = yes * (by_both @ yes + by_first @ known)
        heard = known * (by_second @ yes + by_known @ known)
        return np.asarray((said + heard).sum(axis=0), dtype=np.float32)

    def _spread(self, sheets: sparse.csc_array, concept: int) -> Matrix:
        """Lay out one concept as annotators × samples."""
        rows = sheets.indices[sheets.indptr[concept] : sheets.indptr[concept + 1]]
        where = self.places[0][rows], self.places[1][rows]
        if isinstance(self.seen, np.ndarray):
            array = np.zeros(self.seen.shape, dtype=np.float32)
            array[where] = 1
            return array
        return sparse.csr_array((np.ones(rows.size, dtype=np.float32), where), shape=self.seen.shape)

    def _at(self, matrix: Matrix, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Numbers:
        found = (
            matrix[rows, columns]
            if isinstance(matrix, np.ndarray)
            else entries_at(sparse.csr_array(matrix), rows, columns)
        )
        return np.asarray(found, dtype=np.float64)

    def _square(self, chosen: NDArray[np.bool_], values: Numbers) -> Matrix:
        """Put one number per chosen pair into a matrix annotators × annotators."""
        where = self.first[chosen], self.second[chosen]
        if isinstance(self.seen, np.ndarray):
            array = np.zeros(self.met.shape, dtype=np.float32)
            array[where] = values
            return array
        return sparse.csr_array((values.astype(np.float32), where), shape=self.met.shape)
