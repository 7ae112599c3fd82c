"""Ranked lists: labels of a sample, or samples of a concept, sorted once by score.

A level is what scores the same in a list. Ranks are given for levels that hold something true; of all others
only their size matters. What has no score stands below everything that has one, tied with all else without.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.batch import ScoredBatch
from ontoeval.core.sparse import row_of_entries
from ontoeval.measures.counts import Numbers

Axis = Literal["samples", "concepts", "all"]


class Ranks(NamedTuple):
    """Lists of things with a score, some of which are true, level by level of those with something true."""

    row: NDArray[np.intp]
    rank: Numbers
    hits: Numbers
    level: Numbers
    level_hits: Numbers
    scored: Numbers
    true: Numbers
    found: Numbers
    length: Numbers

    def sum_of_hits(self, values: Numbers) -> Numbers:
        """Sum, list by list, over what is true and has a score, what is computed of each level."""
        return np.bincount(self.row, values * self.level_hits, self.true.size).astype(np.float64)

    @property
    def lost(self) -> Numbers:
        """Number of true things of each list without a score."""
        return self.true - self.found


@dataclass(frozen=True)
class Ranking:
    """The lists of a batch: the labels of each sample, the samples of each concept, or all in one."""

    axis: Axis = "samples"

    def __call__(self, batch: ScoredBatch) -> Ranks:
        """Rank each list."""
        levels = batch.derive(Sorting(self.axis))
        return levels.ranks(np.ones((1, levels.down.shape[1])))


class Levels(NamedTuple):
    """Lists sorted by score: which samples are on each level. Each matrix has one column per sample."""

    row: NDArray[np.intp]
    down: sparse.csr_array
    level: sparse.csr_array
    hits: sparse.csr_array
    true: sparse.csr_array
    width: int

    def ranks(self, counts: Numbers) -> Ranks:
        """Rank each list, as if samples were there several times or not at all."""
        resamples, lists = len(counts), self.true.shape[0]
        levels = np.cumsum(np.bincount(self.row, minlength=lists))  # up to the end of each list
        down, level, level_hits, true = (
            np.ascontiguousarray((matrix @ counts.T).T)
            for matrix in (self.down, self.level, self.hits, self.true)
        )
        rank = _sums_to(down)
        above, scored = _of_lists(rank, levels + np.arange(1, lists + 1))
        hits = _sums_to(level_hits)
        above_hits, found = _of_lists(hits, levels)
        place = np.arange(self.row.size) + self.row + 1
        here = level_hits > 0
        row = np.arange(resamples)[:, None] * lists + self.row
        return Ranks(
            row[here],
            (rank[:, place] - above[:, self.row])[here],
            (hits[:, 1:] - above_hits[:, self.row])[here],
            level[here],
            level_hits[here],
            scored.ravel(),
            true.ravel(),
            found.ravel(),
            np.repeat(counts.sum(axis=1) * self.width, lists),
        )


@dataclass(frozen=True)
class Sorting:
    """Sorts the lists of a batch by score."""

    axis: Axis

    def __call__(self, batch: ScoredBatch) -> Levels:
        """Sort the scores of each list, and find the levels with something true."""
        scores, truth = batch.prediction.matrix, batch.truth.matrix.astype(np.float64)
        concepts = scores.shape[1]
        sample, row = row_of_entries(scores), np.zeros(scores.nnz, dtype=np.intp)
        match self.axis:
            case "samples":
                sample, row, width = row, sample, concepts
                true = sparse.csr_array(truth.sum(axis=1)[:, None])
            case "concepts":
                row, width = scores.indices.astype(np.intp), 1
                true = sparse.csr_array(truth.T)
            case "all":
                width = concepts
                true = sparse.csr_array(truth.sum(axis=1)[None, :])
        order = np.lexsort((-scores.data, row))
        return _levels(row[order], scores.data[order], batch.hits[order], sample[order], true, width)


def _levels(
    row: NDArray[np.intp],
    scores: Numbers,
    hit: NDArray[np.bool_],
    sample: NDArray[np.intp],
    true: sparse.csr_array,
    width: int,
) -> Levels:
    lists, samples = true.shape
    new = np.ones(row.size, dtype=bool)
    new[1:] = (row[1:] != row[:-1]) | (scores[1:] != scores[:-1])
    begin = np.flatnonzero(new)
    sizes, level_of = np.diff(begin, append=row.size), np.cumsum(new) - 1
    hits = np.bincount(level_of[hit], minlength=begin.size)
    kept = np.flatnonzero(hits)

    def matrix(chosen: NDArray[np.intp], end: NDArray[np.intp]) -> sparse.csr_array:
        places = np.ones(chosen.size), chosen, np.concatenate([[0], end])
        return sparse.csr_array(places, shape=(end.size, samples))

    end = np.sort(np.concatenate([(begin + sizes)[kept], np.cumsum(np.bincount(row, minlength=lists))]))
    return Levels(
        row[begin[kept]],
        matrix(sample, end),
        matrix(sample[hits[level_of] > 0], np.cumsum(sizes[kept])),
        matrix(sample[hit], np.cumsum(hits[kept])),
        true,
        width,
    )


def _sums_to(values: Numbers) -> Numbers:
    """Sum along each row up to each place, the first of which is before everything."""
    sums = np.zeros((values.shape[0], values.shape[1] + 1))
    np.cumsum(values, axis=1, out=sums[:, 1:])
    return sums


def _of_lists(sums: Numbers, end: NDArray[np.intp]) -> tuple[Numbers, Numbers]:
    """Take the sums before each list, and within it."""
    at_end = sums[:, end]
    at_begin = sums[:, np.concatenate([[0], end[:-1]])]
    return at_begin, at_end - at_begin
