"""Labels counted at their ancestors: one product of both sides with the closure, which measures share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.masks import byte_table, bytes_of, combine_bytes, words_of
from ontoeval.core.batch import Batch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.plumbing.arrays import Numbers
from ontoeval.plumbing.sparse import choose_entries, row_of_entries, with_data

BITS = 20
"""Bits of a whole number that hold a count: fewer than a million labels to a sample."""
MASK = (1 << BITS) - 1
TRUE, PREDICTED = 1 << 2 * BITS, 1 << 3 * BITS
"""Marks of the concepts that are true, and predicted, labels themselves."""

IN_WORDS = 256
"""Concepts whose labels are united as bits: those with the most labels below; the rest are counted."""


@dataclass(frozen=True)
class Closure:
    """Concepts × ancestors, a 1 for each pair, as a view of a batch.

    In large hierarchies only the rows of the labels in use are filled.
    """

    marked: bool = False
    """Whether each concept moreover bears the mark of a label itself."""

    def __call__(self, batch: Batch) -> sparse.csr_array:
        """Share the closure among batches, unless it is that of their own labels."""
        hierarchy = batch.required_hierarchy("A measure of ancestors")
        if not hierarchy.large:
            return hierarchy.derive(_WholeClosure(self.marked))
        return _coded_closure(batch.derive(_ancestors_in_use), self.marked)


def concepts_in_use(batch: Batch) -> NDArray[np.intp]:
    """Positions of the concepts that label any sample on either side."""
    used = np.zeros(len(batch.truth.vocabulary), dtype=bool)
    for side in (batch.truth, batch.whole_prediction):
        used[side.matrix.indices] = True
    return batch.required_hierarchy("A measure of ancestors").labels[used]


def _ancestors_in_use(batch: Batch) -> sparse.csr_array:
    return batch.required_hierarchy("A measure of ancestors").ancestors_of(concepts_in_use(batch))


@dataclass(frozen=True)
class _WholeClosure:
    """The closure of all concepts, as a view of a hierarchy."""

    marked: bool

    def __call__(self, hierarchy: Hierarchy) -> sparse.csr_array:
        return _coded_closure(hierarchy.ancestors, self.marked)


def _coded_closure(closure: sparse.csr_array, marked: bool) -> sparse.csr_array:  # noqa: FBT001 - of two views
    numbers = np.ones(closure.nnz, dtype=np.int64)
    if marked:
        numbers[closure.indices == row_of_entries(closure)] += TRUE
    return with_data(closure, numbers)


@dataclass(frozen=True)
class AncestorCounts:
    """How many labels of each sample lie at or below each concept: samples × concepts, rows not sorted.

    A number holds the count of true labels, that of predicted ones `BITS` higher, and the marks of labels.
    """

    def __call__(self, batch: Batch) -> sparse.csr_array:
        """Count both sides in one product."""
        hierarchy = batch.required_hierarchy("A measure of ancestors")
        return sum_at_ancestors(
            as_concept_columns(both_sides(batch), hierarchy), batch.derive(Closure(marked=True))
        )


def both_sides(batch: Batch) -> sparse.csr_array:
    """Code true and predicted labels as numbers whose sums hold both counts."""
    true, predicted = (side.matrix.astype(np.int64) for side in (batch.truth, batch.prediction))
    return sparse.csr_array(true + predicted * (1 << BITS))


def sum_at_ancestors(labels: sparse.csr_array, closure: sparse.csr_array) -> sparse.csr_array:
    """Sum the numbers of labels at their ancestors; the order of a row depends on no other."""
    return sparse.csr_array(with_short_positions(labels) @ closure)


def with_short_positions(matrix: sparse.csr_array) -> sparse.csr_array:
    """Store positions in 32 bits where they fit: products take half the time."""
    if max(matrix.nnz, *matrix.shape) > np.iinfo(np.int32).max:
        return matrix
    places = (array.astype(np.int32, copy=False) for array in (matrix.indices, matrix.indptr))
    return sparse.csr_array((matrix.data, *places), shape=matrix.shape)


def as_concept_columns(labels: sparse.csr_array, hierarchy: Hierarchy) -> sparse.csr_array:
    """Put the columns of labels where their concepts are."""
    if not hierarchy.abstract.any():
        return labels
    columns, shape = hierarchy.labels[labels.indices], (labels.shape[0], len(hierarchy.vocabulary))
    return sparse.csr_array((labels.data, columns, labels.indptr), shape=shape)


def cells_by_side(counts: sparse.csr_array, weights: Numbers | None = None) -> Numbers:
    """Count the concepts of no side, truth alone, prediction alone and both; or sum their weights."""
    cells = 4 * row_of_entries(counts) + sides_of(counts)
    of_entry = None if weights is None else weights[counts.indices]
    return np.bincount(cells, of_entry, 4 * counts.shape[0]).reshape(-1, 4).astype(np.float64)


def sides_of(counts: sparse.csr_array) -> NDArray[np.int8]:
    """1 for what is true, 2 for what is predicted, 3 for both, of each entry."""
    true, predicted = counts.data & MASK > 0, counts.data & (MASK << BITS) > 0
    return true.view(np.int8) + 2 * predicted.view(np.int8)


class _Split(NamedTuple):
    """Labels × ancestors, those with the most labels below as bits and the rest as a matrix."""

    often: NDArray[np.intp]
    words: NDArray[np.uint64]
    """Words × labels: the words of one place are read together."""
    rest: sparse.csr_array


@dataclass(frozen=True)
class _SplitClosure:
    """The closure of the labels in two parts, as a view of a hierarchy."""

    def __call__(self, hierarchy: Hierarchy) -> _Split:
        above = hierarchy.label_ancestors
        often = np.argsort(-np.bincount(above.indices, minlength=above.shape[1]), kind="stable")[:IN_WORDS]
        rare = np.ones(above.shape[1], dtype=bool)
        rare[often] = False
        rest = choose_entries(above, rare[above.indices])
        words = np.ascontiguousarray(words_of(above[:, often].toarray()).T)
        return _Split(often, words, rest.astype(np.int64))


def sums_by_side(batch: Batch, weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum the weights of the ancestors of each sample, with the columns of `cells_by_side`.

    Bits are united several times as fast as concepts are counted.
    """
    often, words, rest = batch.required_hierarchy("A measure of ancestors").derive(_SplitClosure())
    true, predicted = (unite_bits(words, side.matrix) for side in (batch.truth, batch.prediction))
    sides = (true & ~predicted, predicted & ~true, true & predicted)
    found = [np.zeros(len(batch)), *(sums_of_bits(side, weights[often]) for side in sides)]
    if not rest.nnz:
        return np.stack(found, axis=-1)
    counts = sum_at_ancestors(both_sides(batch), rest)
    return np.stack(found, axis=-1) + cells_by_side(counts, None if (weights == 1).all() else weights)


def unite_bits(words: NDArray[np.uint64], labels: sparse.csr_array) -> NDArray[np.uint64]:
    """Unite the bits of the labels of each sample."""
    some = np.flatnonzero(np.diff(labels.indptr))
    found = np.zeros((len(words), labels.shape[0]), dtype=np.uint64)
    for word, bits in zip(words, found, strict=True):
        bits[some] = np.bitwise_or.reduceat(word[labels.indices], labels.indptr[some])
    return found


def sums_of_bits(words: NDArray[np.uint64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Sum the weights of the bits that are set in each column of words."""
    if np.isin(weights, (0, 1)).all() and hasattr(np, "bitwise_count"):  # new in NumPy 2
        return np.asarray(
            np.bitwise_count(words & words_of(weights[None] > 0).T).sum(axis=0, dtype=np.float64)
        )
    places = bytes_of(np.ascontiguousarray(words.T), weights.size)
    return combine_bytes(byte_table(weights, np.add, 0.0), places, np.add)
