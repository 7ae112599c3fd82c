"""Cohen's kappa of every pair of annotators, of one concept or of all, and its mean in resamples.

Of a pair four numbers are enough: of how many samples both decide, in how many the first says yes, the
second, and both. For all pairs they are products of matrices annotators × samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.annotators.options import PORTION
from ontoeval.annotators.votes import ConceptMatrices, DenseOrSparse
from ontoeval.core.resampling import CHUNK, Bootstrap, chunks, portions_of
from ontoeval.measures.counts import divide
from ontoeval.plumbing.arrays import Marks, Numbers, Places
from ontoeval.plumbing.sparse import entries_at
from ontoeval.plumbing.workers import mapped

EXACT = 250_000_000
"""Most products of weights and answers of pairs that are summed for one concept."""

CONCEPTS = 40
"""How many times as many for all concepts: some seconds."""

_FORMULA = 50
"""As many samples of a pair cost as much as the formula of its kappa."""

_SHARED = 20
"""Relative cost of the sums that all concepts share."""


class PairCounts(NamedTuple):
    """Counts of samples, one number per pair on the last axis."""

    both: Numbers
    first: Numbers
    second: Numbers
    together: Numbers

    @property
    def kappa(self) -> Numbers:
        """Cohen's kappa of each pair, nan where both always say the same."""
        both, first, second, yes = self
        expected = first * (both - second) + second * (both - first)
        wrong = both * (first + second - 2 * yes)
        return np.where(expected > 0, 1 - wrong / np.where(expected > 0, expected, 1), np.nan)


def mean_of_pairs(kappa: Numbers) -> Numbers:
    """Mean kappa of the pairs, on the last axis, for which it is defined."""
    return divide(np.nan_to_num(kappa).sum(axis=-1), np.isfinite(kappa).sum(axis=-1))


@dataclass(frozen=True, eq=False)
class AnnotatorPairs:
    """The pairs of annotators who have a sample in common, and in how many samples all annotators met."""

    matrices: ConceptMatrices
    met: DenseOrSparse
    first: Places
    second: Places

    @classmethod
    def from_matrices(cls, matrices: ConceptMatrices) -> AnnotatorPairs:
        """Find the pairs."""
        met = matrices.seen @ matrices.seen.T
        first, second = sparse.triu(sparse.csr_array(met), k=1, format="coo").coords
        order = np.lexsort((second, first))
        return cls(matrices, met, first[order].astype(np.intp), second[order].astype(np.intp))

    @property
    def shared(self) -> Places:
        """How many samples each pair has in common."""
        return self._values_of_pairs(self.met).astype(np.intp)

    def compare_on_concept(self, concept: int) -> PairCounts:
        """Compare the answers of the pairs on a concept."""
        yes, known = self.matrices.yes_answers(concept), self.matrices.known_answers(concept)
        both = self.met if known is self.matrices.seen else known @ known.T
        own = yes @ known.T
        return PairCounts(*map(self._values_of_pairs, (both, own, own.T, yes @ yes.T)))

    def _values_of_pairs(self, matrix: DenseOrSparse) -> Numbers:
        if isinstance(matrix, np.ndarray):
            return np.asarray(matrix[self.first, self.second], dtype=np.float64)
        return np.asarray(entries_at(sparse.csr_array(matrix), self.first, self.second), dtype=np.float64)


def affordable(pairs: AnnotatorPairs, samples: Places, resamples: int) -> Marks:
    """Choose the concepts whose mean is computed anew in each resample, from their `ConceptMatrices.samples`.

    Only samples in which anybody says yes, or is undecided, count; concepts with fewest come first.
    """
    matrices = pairs.matrices
    shared = 0 if matrices.complete else matrices.seen.shape[1] / _SHARED
    cost = (np.maximum(samples, _FORMULA) + shared) * float(max(resamples, CHUNK)) * pairs.first.size
    order = np.argsort(cost, kind="stable")
    chosen = cost <= EXACT
    chosen[order] &= np.cumsum(cost[order]) <= CONCEPTS * EXACT
    return chosen


def resampled_means(
    pairs: AnnotatorPairs, concepts: Sequence[int], samples: tuple[str, ...], bootstrap: Bootstrap
) -> Numbers:
    """Compute the mean kappa of concepts in each resample: resamples × concepts."""
    again = np.empty((bootstrap.resamples, len(concepts)))
    wanted = np.unique(np.concatenate([np.empty(0, dtype=np.intp), *map(pairs.matrices.samples, concepts)]))
    for begin, end in chunks(bootstrap.resamples) if concepts else ():
        drawn = _draw_resamples(pairs, bootstrap, (begin, end), samples, wanted)
        again[begin:end] = np.stack(
            [*mapped(partial(_resampled_mean, pairs, wanted, *drawn), concepts)], axis=1
        )
    return again


def _draw_resamples(
    pairs: AnnotatorPairs,
    bootstrap: Bootstrap,
    chunk: tuple[int, int],
    samples: tuple[str, ...],
    wanted: Places,
) -> tuple[Numbers, NDArray[np.float32]]:
    """Draw how many samples each pair meets in, and the weights of some samples, in a chunk of resamples."""
    complete = pairs.matrices.complete
    met, weights = np.zeros((chunk[1] - chunk[0], 1 if complete else pairs.first.size)), []
    for where, portion in portions_of(samples, PORTION):
        drawn = bootstrap.draw(*chunk, portion)
        met += drawn.sum(axis=1, keepdims=True) if complete else drawn @ _seen_by_pairs(pairs, where)
        own = wanted[(wanted >= where.start) & (wanted < where.stop)]
        weights.append(drawn[:, own - where.start].astype(np.float32))
    return met, np.concatenate(weights, axis=1)


def _seen_by_pairs(pairs: AnnotatorPairs, where: slice | Places) -> NDArray[np.float32]:
    """Mark the samples that both annotators of a pair have seen: samples × pairs."""
    seen = _columns_as_rows(pairs.matrices.seen, where)
    return seen[:, pairs.first] * seen[:, pairs.second]


def _resampled_mean(
    pairs: AnnotatorPairs, wanted: Places, met: Numbers, weights: NDArray[np.float32], concept: int
) -> Numbers:
    """Compute the mean kappa of a concept in each resample, from the samples that are not all no."""
    rows = pairs.matrices.samples(concept)
    weights = weights[:, np.searchsorted(wanted, rows)]
    seen, whole = pairs.matrices.seen, pairs.matrices.known_answers(concept)
    yes, known = _columns_as_rows(pairs.matrices.yes_answers(concept), rows), _columns_as_rows(whole, rows)
    one, other = pairs.first, pairs.second
    if whole is not seen:
        met = met - weights @ (_seen_by_pairs(pairs, rows) - known[:, one] * known[:, other])
    products = yes[:, one] * known[:, other], known[:, one] * yes[:, other], yes[:, one] * yes[:, other]
    counts = PairCounts(met, *((weights @ product).astype(np.float64) for product in products))
    return mean_of_pairs(counts.kappa)


def _columns_as_rows(matrix: DenseOrSparse, columns: slice | Places) -> NDArray[np.float32]:
    """Take some columns as rows of an array."""
    some = matrix[:, columns]
    return np.ascontiguousarray((some if isinstance(some, np.ndarray) else some.toarray()).T)
