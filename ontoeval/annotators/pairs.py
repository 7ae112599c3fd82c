"""Cohen's kappa of every pair of annotators, concept by concept and over all concepts together.

Of a pair four numbers are enough: of how many samples both say something, of how many the first says that
the concept is there, the second, and both. For all pairs they are products of matrices annotators × samples.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.annotators.coefficients import cohen
from ontoeval.annotators.layout import Layout, Matrix
from ontoeval.core.csr import entries_at

Numbers = NDArray[np.float64]


class Counts(NamedTuple):
    """What pairs of annotators say, one number per pair."""

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

    @property
    def mean(self) -> Numbers:
        """Mean of Cohen's kappa over the pairs, on the last axis, for which it is defined."""
        both, first, second, yes = self
        expected = first * (both - second) + second * (both - first)
        wrong = both * (first + second - 2 * yes)
        defined = expected > 0
        kappa = np.where(defined, 1 - wrong / np.where(defined, expected, 1), 0.0)
        number = defined.sum(axis=-1)
        return np.where(number > 0, kappa.sum(axis=-1) / np.maximum(number, 1), np.nan)


class OfConcept(NamedTuple):
    """How pairs of annotators agree on a concept."""

    counts: Counts
    mean: float
    influence: NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs of annotators who have a sample in common."""

    layout: Layout
    met: Matrix
    first: NDArray[np.intp]
    second: NDArray[np.intp]

    @classmethod
    def of(cls, layout: Layout) -> Pairs:
        """Find the pairs."""
        met = layout.seen @ layout.seen.T
        first, second = sparse.triu(sparse.csr_array(met), k=1, format="coo").coords
        order = np.lexsort((second, first))
        return cls(layout, met, first[order].astype(np.intp), second[order].astype(np.intp))

    @property
    def shared(self) -> NDArray[np.intp]:
        """How many samples each pair has in common."""
        return self._at(self.met, self.first, self.second).astype(np.intp)

    def on(self, concept: int, *, influence: bool = True) -> OfConcept:
        """Compare what the pairs say of a concept."""
        yes, known = self.layout.yes(concept), self.layout.known(concept)
        both = self.met if known is self.layout.seen else known @ known.T
        own = self._with(yes, known, known.T)
        counts = Counts(
            self._at(both, self.first, self.second),
            self._at(own, self.first, self.second),
            self._at(own, self.second, self.first),
            self._at(yes @ yes.T, self.first, self.second),
        )
        mean = float(counts.mean)
        if not influence or np.isnan(mean):
            return OfConcept(counts, mean, np.zeros(yes.shape[1], dtype=np.float32))
        return OfConcept(counts, mean, self._influence(counts, yes, known))

    def _influence(self, counts: Counts, yes: Matrix, known: Matrix) -> NDArray[np.float32]:
        """Differentiate the mean by the weight of each sample: kappa is 2 (nx - ab) / (n (a + b) - 2ab)."""
        kappa = cohen(counts.tables)
        defined = np.isfinite(kappa)
        n, a, b, x = (side[defined] for side in counts)
        k = kappa[defined]
        scale = (n * (a + b) - 2 * a * b) * k.size
        where = self.first[defined], self.second[defined]
        by_both, by_first, by_second, by_known = (
            self.layout.matrix(*where, slope / scale, self.met.shape)
            for slope in (2 * n, -2 * b - k * (n - 2 * b), -2 * a - k * (n - 2 * a), 2 * x - k * (a + b))
        )
        said = yes * (by_both @ yes + self._with(by_first, known, known))
        heard = known * (by_second @ yes + self._with(by_known, known, known))
        return np.asarray((said + heard).sum(axis=0), dtype=np.float32)

    def _with(self, matrix: Matrix, known: Matrix, turned: Matrix) -> Matrix:
        """Multiply by who says anything of what: where that is everybody of everything, sums are as much."""
        if known is self.layout.seen and self.layout.complete:
            return np.asarray(matrix.sum(axis=1))[:, None] * np.ones((1, turned.shape[1]), dtype=np.float32)
        return matrix @ turned

    def _at(self, matrix: Matrix, rows: NDArray[np.intp], columns: NDArray[np.intp]) -> Numbers:
        found = matrix[rows, columns] if isinstance(matrix, np.ndarray) else entries_at(matrix, rows, columns)
        return np.asarray(found, dtype=np.float64)
