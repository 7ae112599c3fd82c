"""Rules between labels as arrays: masks of few labels, or classes of concepts that exclude the same."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.masks import (
    bit_counts,
    byte_table,
    bytes_of,
    combine_bytes,
    masks_of,
    unpack_words,
    words_of,
)
from ontoeval.plumbing.sparse import (
    cells_of,
    choose_entries,
    cut_into_runs,
    entries_at,
    entries_of_rows,
    number_equal_rows,
    pattern,
    pattern_at,
    ranges,
    row_of_entries,
    rows_between,
)

BLOCK = 16_000_000
"""Bytes of scratch space for samples × labels, sides, classes or rules at a time."""


class RuleSides(NamedTuple):
    """Rules as pairs of sides, each of which is the labels at or below some concepts."""

    labels: sparse.csr_array
    """Labels × sides."""
    left: NDArray[np.intp]
    right: NDArray[np.intp]
    excludes: NDArray[np.bool_]

    @property
    def exclusions(self) -> sparse.csr_array:
        """Sides × sides, true where they exclude each other."""
        pairs = self.left[self.excludes], self.right[self.excludes]
        count = self.labels.shape[1]
        one_way = pattern_at(*pairs, (count, count))
        return pattern(one_way + one_way.T)

    @property
    def required(self) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Left and right sides of requirements: a label of the left one requires one of the right."""
        return self.left[~self.excludes], self.right[~self.excludes]

    def counts(self, on_side: NDArray[np.integer], broken: NDArray[np.integer]) -> NDArray[np.intp]:
        """Two rows of counts by rule: the sets that each applies to, and the sets that break it."""
        either = on_side[self.left] + on_side[self.right] - broken
        return np.stack([np.where(self.excludes, either, on_side[self.left]), broken]).astype(np.intp)


@dataclass(frozen=True, eq=False)
class RuleMasks:
    """Rules of few labels, as tables of masks for the bytes of a set.

    `blame` has the labels that the labels in a byte exclude and, behind these, those on which the unmet
    requirements in a byte are; `table` the sides of labels; `ends` the left and right sides of requirements.
    """

    sides: RuleSides
    blame: NDArray[np.uint64]
    table: NDArray[np.uint64]
    ends: tuple[NDArray[np.uint64], NDArray[np.uint64]]

    @classmethod
    def from_sides(cls, sides: RuleSides) -> RuleMasks:
        """Compile rules."""
        members = sides.labels.toarray()
        clashes = (sides.labels @ sides.exclusions @ sides.labels.T).toarray()
        left, right = (members[:, side] for side in sides.required)
        excluded = np.pad(words_of(clashes), ((0, -len(members) % 64), (0, 0)))
        masks = np.vstack([excluded, words_of(left.T)]), words_of(members), words_of(left), words_of(right)
        blame, table, *ends = (byte_table(one, np.bitwise_or, 0) for one in masks)
        return cls(sides, blame, table, (ends[0], ends[1]))

    def offending_labels(self, sets: sparse.csr_array, labels: sparse.csr_array) -> NDArray[np.bool_]:
        """Mark the stored labels that break a rule in the set of the same row."""
        marks, count = np.zeros(labels.nnz, dtype=bool), labels.shape[1]
        for begin, end in self._blocks(sets):
            masks = masks_of(rows_between(sets, begin, end))
            left, right = (combine_bytes(one, bytes_of(masks, count), np.bitwise_or) for one in self.ends)
            clashing = np.hstack([masks, left & ~right]).view(np.uint8)[:, : len(self.blame)]
            blamed = unpack_words(combine_bytes(self.blame, clashing.T.astype(np.intp), np.bitwise_or), count)
            part = rows_between(labels, begin, end)
            blamed.ravel().take(cells_of(part), out=marks[slice(*labels.indptr[[begin, end]])])
        return marks

    def counts(self, sets: sparse.csr_array) -> NDArray[np.intp]:
        """Count, for all rules at once, the sets that each applies to and those that break it."""
        left, right, excludes = self.sides.left, self.sides.right, self.sides.excludes
        on_side, both = np.zeros(self.sides.labels.shape[1], np.intp), np.zeros(left.size, np.intp)
        for begin, end in self._blocks(sets):
            masks = bytes_of(masks_of(rows_between(sets, begin, end)), sets.shape[1])
            marks = unpack_words(combine_bytes(self.table, masks, np.bitwise_or), on_side.size)
            there = np.packbits(np.ascontiguousarray(marks.T), axis=1)
            on_side += bit_counts(there)
            both += bit_counts(there[left] & there[right])
        return self.sides.counts(on_side, np.where(excludes, both, on_side[left] - both))

    def _blocks(self, sets: sparse.csr_array) -> Iterator[tuple[int, int]]:
        numbers = sets.shape[1] + self.sides.labels.shape[1] + self.sides.left.size
        return cut_into_runs(np.full(sets.shape[0], numbers), BLOCK)


@dataclass(frozen=True, eq=False)
class RuleClasses:
    """Rules of many labels, with classes of sides that exclude the same sides.

    Where all children of a concept exclude each other, they are one class. Labels meet at the sides above
    them, so no pair of descendants is ever written out.
    """

    sides: RuleSides
    classes: NDArray[np.intp]
    """Class of each side, ascending; the classes with the fewest labels come first."""
    inner: NDArray[np.bool_]
    """Whether the sides of each class exclude each other."""
    facing: sparse.csr_array
    """Classes × later classes, true where they exclude each other."""
    blame: sparse.csr_array
    """For each label its classes and, in further columns, its requirements."""

    @classmethod
    def from_sides(cls, given: RuleSides) -> RuleClasses:
        """Compile rules."""
        classes, inner = _classes(given)
        order = np.argsort(classes, kind="stable")
        place, classes = np.argsort(order), classes[order]
        labels = pattern(given.labels[:, order])
        sides = RuleSides(labels, place[given.left], place[given.right], given.excludes)
        ends = np.arange(classes.size + 1)
        members = sparse.csr_array(
            (np.ones(classes.size, dtype=bool), classes, ends), shape=(classes.size, inner.size)
        )
        exclusions = sides.exclusions
        first = np.flatnonzero(np.diff(classes, prepend=-1))
        facing = pattern(sparse.triu(exclusions[first] @ members, k=1))
        blame = sparse.hstack([labels @ members, labels[:, sides.required[0]]], format="csr")
        return cls(sides, classes, inner, facing, pattern(blame))

    def offending_labels(self, sets: sparse.csr_array, labels: sparse.csr_array) -> NDArray[np.bool_]:
        """Mark the stored labels that break a rule in the set of the same row."""
        marks = np.zeros(labels.nnz, dtype=bool)
        for begin, end, met in self._classes_in_blocks(sets):
            clashing = choose_entries(met.classes, met.clashes)
            broken = sparse.csr_array(sparse.hstack([clashing, self._unmet(met)], format="csr"))
            row = row_of_entries(labels[begin:end])
            chosen = np.flatnonzero(np.diff(broken.indptr)[row])
            stored = labels.indptr[begin] + chosen
            common = self.blame[labels.indices[stored]].multiply(broken[row[chosen]])
            marks[stored] = np.diff(sparse.csr_array(common).indptr) > 0
        return marks

    def counts(self, sets: sparse.csr_array) -> NDArray[np.intp]:
        """Count, for all rules at once, the sets that each applies to and those that break it."""
        sides, excludes = self.sides, self.sides.excludes
        on_side, broken = np.zeros(self.classes.size, np.intp), np.zeros(sides.left.size, np.intp)
        shape = on_side.size, on_side.size
        both = sparse.csr_array(shape, dtype=np.intp)
        for _, _, met in self._classes_in_blocks(sets):
            on_side += np.bincount(met.sides.indices, minlength=on_side.size)
            broken[~excludes] += np.bincount(self._unmet(met).indices, minlength=int((~excludes).sum()))
            for one, other in met.clashing_sides():
                pairs = sparse.coo_array((np.ones(one.size, np.intp), (one, other)), shape)
                both = both + pairs.tocsr()
        ends = np.sort([sides.left[excludes], sides.right[excludes]], axis=0)
        broken[excludes] = entries_at(sparse.csr_array(both), *ends)
        return sides.counts(on_side, broken)

    def _unmet(self, met: _Met) -> sparse.csr_array:
        left, right = self.sides.required
        return sparse.csr_array(met.sides[:, left] > met.sides[:, right])

    def _classes_in_blocks(self, sets: sparse.csr_array) -> Iterator[tuple[int, int, _Met]]:
        """Find the classes that meet in each set, and those that clash, some sets at a time."""
        classes = self.inner.size
        rows = max(1, BLOCK // max(1, classes))
        marks = np.zeros((min(rows, sets.shape[0]), classes), dtype=bool).ravel()
        reached = self.sides.labels @ (1 + np.diff(self.facing.indptr)[self.classes])
        for begin, end in cut_into_runs(sets @ reached, BLOCK // 4, rows=rows):
            yield begin, end, self._meeting_classes(sets[begin:end], marks)

    def _meeting_classes(self, sets: sparse.csr_array, marks: NDArray[np.bool_]) -> _Met:
        there = sparse.csr_array(sets @ self.sides.labels)
        there.sort_indices()
        of_side = self.classes[there.indices]
        first = np.diff(of_side, prepend=-1) != 0
        first[there.indptr[:-1][np.diff(there.indptr) > 0]] = True
        starts = np.flatnonzero(first)
        ones, indptr = np.ones(starts.size, dtype=bool), np.searchsorted(starts, there.indptr)
        classes = sparse.csr_array((ones, of_side[starts], indptr), shape=(sets.shape[0], self.inner.size))
        size = np.diff(starts, append=there.nnz)
        within = np.flatnonzero(self.inner[classes.indices] & (size > 1))

        before = row_of_entries(classes) * self.inner.size
        cells = before + classes.indices
        marks[cells] = True
        entries, lengths = entries_of_rows(self.facing, classes.indices)
        one = np.repeat(np.arange(cells.size), lengths)
        wanted = before[one] + self.facing.indices[entries]
        hit = np.flatnonzero(marks.take(wanted))
        marks[cells] = False
        across = one[hit], np.searchsorted(cells, wanted[hit])
        return _Met(there, classes, starts, size, within, across)


class _Met(NamedTuple):
    """Sides that sets have, their classes, and which of these clash."""

    sides: sparse.csr_array
    classes: sparse.csr_array
    starts: NDArray[np.intp]
    size: NDArray[np.intp]
    within: NDArray[np.intp]
    across: tuple[NDArray[np.intp], NDArray[np.intp]]

    @property
    def clashes(self) -> NDArray[np.bool_]:
        """Whether each class of a set clashes with itself or another."""
        clashes = np.zeros(self.starts.size, dtype=bool)
        for ends in (self.within, *self.across):
            clashes[ends] = True
        return clashes

    def clashing_sides(self) -> Iterator[tuple[NDArray[np.integer], NDArray[np.integer]]]:
        """List the pairs of sides that clash, each once with the lower number first, in blocks."""
        one, other = (np.append(self.within, ends) for ends in self.across)
        for begin, end in cut_into_runs(self.size[one] * self.size[other], BLOCK // 16):
            first, second = one[begin:end], other[begin:end]
            times = np.repeat(self.size[second], self.size[first])
            left = np.repeat(ranges(self.starts[first], self.size[first]), times)
            right = ranges(np.repeat(self.starts[second], self.size[first]), times)
            ordered = np.flatnonzero(left < right)
            yield self.sides.indices[left[ordered]], self.sides.indices[right[ordered]]


def _classes(sides: RuleSides) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Find the class of each side, and whether the sides of each class exclude each other.

    These differ only in that none excludes itself; no side has equals of both kinds. A clash is looked
    for from the class with fewer labels, which fewer sets have.
    """
    exclusions, count = sides.exclusions, sides.labels.shape[1]
    itself = sparse.eye_array(count, dtype=bool, format="csr")
    closed, open_ = (number_equal_rows(rows) for rows in (pattern(exclusions + itself), exclusions))
    inner = np.bincount(closed, minlength=count)[closed] > 1
    chosen, number = np.unique(np.where(inner, closed, count + open_), return_inverse=True)
    labels = np.bincount(number, weights=sides.labels.astype(np.intp).sum(axis=0), minlength=chosen.size)
    order = np.argsort(labels, kind="stable")
    return np.argsort(order)[number], chosen[order] < count
