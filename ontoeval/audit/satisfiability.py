"""Satisfiability: which requirements no label set can meet, beside what the ontology excludes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.rules import Requirement
from ontoeval.core.sparse import choose_entries, entries_at, line, pattern, row_of_entries

_BLOCK = 4_000_000
"""Most pairs of a requirement and a concept that are looked at at a time."""


class Sides(NamedTuple):
    """The concepts of exclusions, each once: `left` and `right` by exclusion; `below` is concepts × these."""

    left: NDArray[np.intp]
    right: NDArray[np.intp]
    below: sparse.csr_array

    @classmethod
    def of(cls, hierarchy: Hierarchy) -> Sides:
        """List the sides of the exclusions of a hierarchy."""
        index = hierarchy.vocabulary.index
        ends = np.array(
            [(index[rule.first], index[rule.second]) for rule in hierarchy.exclusions], dtype=np.intp
        ).reshape(-1, 2)
        columns, numbers = np.unique(ends, return_inverse=True)
        left, right = numbers.reshape(-1, 2).T
        return cls(left, right, pattern(hierarchy.ancestors[:, columns]))

    def needs(self, hierarchy: Hierarchy, rules: Sequence[Requirement]) -> sparse.csr_array:
        """Concepts × sides: the sides of which something must be beside a concept, for what it requires."""
        index, ancestors = hierarchy.vocabulary.index, hierarchy.ancestors
        which, choice = _alternatives(hierarchy, rules)
        concept = np.array([index[rule.concept] for rule in rules], dtype=np.intp)
        shape, every = (len(index), len(rules)), np.arange(len(rules))
        bearer = sparse.csr_array((np.ones(every.size, dtype=bool), (concept, every)), shape=shape)
        several = np.flatnonzero(np.bincount(which, minlength=every.size)[which] > 1)
        left = np.ones(which.size, dtype=bool)
        found, size = self.below, -1
        while found.nnz > size:
            size = found.nnz
            barred = pattern(found[concept[which[several]]] @ self.foes)
            left[several] = np.asarray(barred.multiply(found[choice[several]]).sum(axis=1)).ravel() == 0
            some = np.bincount(which, left, minlength=every.size) > 0
            picked = np.flatnonzero(left | ~some[which])
            ones = np.ones(picked.size, dtype=np.intp)
            either = sparse.csr_array((ones, (which[picked], choice[picked])), shape=shape[::-1])
            # What every alternative needs, is needed.
            needed = sparse.csr_array(either @ found.astype(np.intp))
            needed = choose_entries(needed, needed.data == either.sum(axis=1)[row_of_entries(needed)])
            found = pattern(found + ancestors @ (bearer @ needed))
        return found

    @property
    def foes(self) -> sparse.csr_array:
        """Boolean, sides × sides: which exclude each other."""
        count = self.below.shape[1]
        ends = np.concatenate([self.left, self.right]), np.concatenate([self.right, self.left])
        return pattern(sparse.csr_array((np.ones(ends[0].size, dtype=bool), ends), shape=(count, count)))

    @property
    def clashing(self) -> NDArray[np.bool_]:
        """Mark the concepts that lie below both sides of an exclusion."""
        found: NDArray[np.bool_] = (self.below @ self.foes).multiply(self.below).sum(axis=1) > 0
        return np.asarray(found).ravel()


class Unmeetable(NamedTuple):
    """Concepts × requirements: where no label meets a requirement beside a concept that has it.

    Beside it, what each concept `needs` (concepts × sides) and at or below how many labels it lies (`sizes`).
    """

    unmet: sparse.csr_array
    needs: sparse.csr_array
    sizes: NDArray[np.intp]


def unmeetable(
    hierarchy: Hierarchy, rules: Sequence[Requirement], abstract: NDArray[np.bool_], sides: Sides
) -> Unmeetable:
    """Find the requirements whose every alternative is excluded, or holds nothing that may be a label."""
    index, ancestors = hierarchy.vocabulary.index, hierarchy.ancestors
    needs = sides.needs(hierarchy, rules)
    possible = sparse.csr_array(sparse.diags_array(~abstract & ~sides.clashing, dtype=np.intp))
    labels = sparse.csr_array(possible @ ancestors.astype(np.intp))
    sizes = np.asarray(labels.sum(axis=0)).ravel()
    inherits = sparse.csr_array(ancestors[:, [index[rule.concept] for rule in rules]])
    inherits = choose_entries(inherits, sizes[row_of_entries(inherits)] > 0)
    row = row_of_entries(inherits)
    # Concepts that exclude the same are judged together.
    barred = pattern(needs @ sides.foes)
    bearers = np.unique(row)
    groups: dict[bytes, int] = {}
    group = np.zeros(len(hierarchy.vocabulary), dtype=np.intp)
    for bearer in bearers.tolist():
        group[bearer] = groups.setdefault(line(barred, bearer).tobytes(), len(groups))
    firsts = bearers[np.unique(group[bearers], return_index=True)[1]]
    closed = _closed(barred[firsts], needs, labels, _alternatives(hierarchy, rules))
    unmet = choose_entries(inherits, entries_at(closed, group[row], inherits.indices))
    return Unmeetable(unmet, needs, sizes)


def _alternatives(
    hierarchy: Hierarchy, rules: Sequence[Requirement]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """List what requirements name: for each of it the position of the requirement, and its own."""
    index = hierarchy.vocabulary.index
    ends = [(rule, index[name]) for rule, one in enumerate(rules) for name in dict.fromkeys(one.any_of)]
    which, choice = np.array(ends, dtype=np.intp).reshape(-1, 2).T
    return which, choice


def _closed(
    barred: sparse.csr_array,
    needs: sparse.csr_array,
    labels: sparse.csr_array,
    alternatives: tuple[NDArray[np.intp], NDArray[np.intp]],
) -> sparse.csr_array:
    """Tell for which requirements every label that would do needs one of some sides: groups × these."""
    which, choice = alternatives
    sizes = np.asarray(labels.sum(axis=0)).ravel()[choice]
    begins = np.flatnonzero(np.diff(which, prepend=-1))
    step = max(1, _BLOCK // max(labels.shape[0], choice.size))
    found = []
    for begin in range(0, max(1, barred.shape[0]), step):
        beside = pattern(barred[begin : begin + step] @ needs.T).astype(np.intp)
        every = sparse.csr_array(beside @ labels)[:, choice].toarray() == sizes
        found.append(sparse.csr_array(np.logical_and.reduceat(every, begins, axis=1)))
    return sparse.csr_array(sparse.vstack(found, format="csr"))
