"""Cases: pairs of predictions that are made at random, to try on them what one expects of a measure."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.comparison.perturbed_targets import Pool
from ontoeval.core.batch import Batch
from ontoeval.core.csr import pattern
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.label_sets import LabelSets
from ontoeval.measures.sums import BLOCK

Marks = NDArray[np.bool_]
"""Samples × labels; there are few samples."""

MOST_TRUE = 4
"""How many labels a truth has at most."""


class Sides(NamedTuple):
    """Two batches whose scores are compared, sample by sample."""

    first: Batch
    second: Batch


@dataclass(frozen=True, eq=False)
class Material:
    """What cases are made of."""

    hierarchy: Hierarchy
    rng: np.random.Generator
    count: int

    @property
    def width(self) -> int:
        """How many labels there are."""
        return len(self.hierarchy.labels)

    @cached_property
    def deep(self) -> sparse.csr_array:
        """Boolean, labels × concepts: the ancestors of each label that are no roots."""
        inner = (self.hierarchy.depth > 0).nonzero()[0]
        return pattern(self.hierarchy.label_ancestors[:, inner])

    def in_line(self, marks: Marks) -> Marks:
        """Mark what is above or below one of the marked labels, or one of them."""
        rows, upwards = sparse.csr_array(marks), self.hierarchy.labels_upward
        return np.asarray((rows @ upwards + rows @ upwards.T).toarray(), dtype=bool)

    def pick(self, allowed: Marks) -> NDArray[np.intp]:
        """Draw one of the allowed labels of each row; -1 where there is none."""
        drawn = np.full(len(allowed), -1, dtype=np.intp)
        step = max(1, BLOCK // max(1, self.width))
        for begin in range(0, len(allowed), step):
            part = allowed[begin : begin + step]
            chance = np.where(part, self.rng.random(part.shape), -1.0)
            drawn[begin : begin + step] = np.where(part.any(axis=1), chance.argmax(axis=1), -1)
        return drawn

    def some(self, least: int = 1, count: int | None = None) -> Marks:
        """Make sets of some labels, at least so many and at most `MOST_TRUE`, where there are as many."""
        count = self.count if count is None else count
        sizes = self.rng.integers(least, MOST_TRUE + 1, size=count)
        marks = np.zeros((count, self.width), dtype=bool)
        for size in range(MOST_TRUE):
            marks |= self.one(np.where(size < sizes, self.pick(~marks), -1))
        return marks

    def one(self, columns: NDArray[np.intp]) -> Marks:
        """Mark one label of each row; none where the column is -1."""
        marks = np.zeros((columns.size, self.width), dtype=bool)
        rows = np.flatnonzero(columns >= 0)
        marks[rows, columns[rows]] = True
        return marks

    def partly(self, truth: Marks, kept: Marks) -> Marks:
        """Predict what is kept of the truth, more of it at random, and at times something false."""
        more = truth & (self.rng.random(truth.shape) < 0.5)  # noqa: PLR2004 - as often as not
        false = np.where(self.rng.random(len(truth)) < 0.5, self.pick(~truth), -1)  # noqa: PLR2004
        return kept | more | self.one(false)

    def batch(self, truth: Marks, prediction: Marks, hierarchy: Hierarchy | None = None) -> Batch:
        """Make a batch of marks."""
        hierarchy = self.hierarchy if hierarchy is None else hierarchy
        names = tuple(map(str, range(len(truth))))
        sides = (sparse.csr_array(marks) for marks in (truth, prediction))
        truths, predictions = (LabelSets(side, hierarchy.label_vocabulary, names) for side in sides)
        return Batch(truths, predictions, hierarchy)

    def sides(self, truth: Marks, first: Marks, second: Marks, usable: Marks | None = None) -> Sides:
        """Compare two predictions for one truth, where cases could be made."""
        rows = slice(None) if usable is None else usable
        return Sides(self.batch(truth[rows], first[rows]), self.batch(truth[rows], second[rows]))

    def near_and_far(self, pool: Pool, *, deep: bool, cousins: bool = False) -> Sides:
        """Take one label for a near one, and for one of another branch, or for a cousin."""
        each = pattern(sparse.eye_array(self.width, dtype=bool, format="csr"))
        drawn = pool.draw(self.rng, each)
        able = drawn >= 0
        if deep:
            able[able] = self.deep[able].multiply(self.deep[drawn[able]]).sum(axis=1) > 0
        chosen = np.flatnonzero(able)
        if chosen.size:
            chosen = self.rng.choice(chosen, size=self.count)
        truth, near = self.one(chosen), drawn[chosen]
        far = self.pick((self._cousins if cousins else self._strangers)(chosen) & ~self.in_line(truth))
        return self.sides(truth, self.one(near), self.one(far), far >= 0)

    def _strangers(self, labels: NDArray[np.intp]) -> Marks:
        """Mark what has nothing but roots in common with each label."""
        return ~np.asarray((self.deep[labels] @ self.deep.T).toarray(), dtype=bool)

    def _cousins(self, labels: NDArray[np.intp]) -> Marks:
        over = self.hierarchy.parents[self.hierarchy.labels]
        farther = pattern(over @ self.hierarchy.parents)
        with_parent = np.asarray((over[labels] @ over.T).toarray(), dtype=bool)
        with_grandparent = np.asarray((farther[labels] @ farther.T).toarray(), dtype=bool)
        marks: Marks = with_grandparent & ~with_parent
        return marks
