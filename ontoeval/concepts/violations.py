"""Rules of the ontology, and the label sets and labels that violate them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, NamedTuple

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
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.rules import Exclusion, Requirement, Rule
from ontoeval.errors import ParameterError, UnknownConceptError
from ontoeval.plumbing.sparse import (
    cells_of,
    choose_entries,
    cut_into_runs,
    entries_at,
    entries_of_rows,
    pattern,
    pattern_at,
    row_of_entries,
    rows_between,
    without_entries,
)

Exclusions = Literal["declared", "none"] | tuple[tuple[str, str], ...]
Requirements = Literal["declared", "none"] | tuple[str | tuple[str, tuple[str, ...]], ...]

SUSPECT_SHARE = 0.05
"""A rule is suspect where a larger share of the truth sets that it applies to break it."""

SUSPECT = (
    f"A rule that more than {SUSPECT_SHARE:.0%} of the sets it applies to break probably does not mean "
    "what it is used for: see the score's options `exclusions`, `requirements` and `penalise`."
)

BLOCK = 4_000_000
"""Numbers of samples × sides in a block."""

FEW = 256
"""Most labels whose rules are looked up in tables of bits, which take labels × labels bits."""

_NARROW = 2_000
"""Most sides of which a table of all pairs is held: 16 MB."""


class Breaches(NamedTuple):
    """Counts of the label sets that a rule applies to, and of those that break it."""

    rule: Rule
    applies: int
    broken: int

    @property
    def suspect(self) -> bool:
        """Whether the rule is broken so often that it probably has another meaning."""
        return self.broken > SUSPECT_SHARE * self.applies


@dataclass(frozen=True, eq=False)
class RuleBook:
    """Rules between concepts, extended to the labels below them.

    A rule has two sides, each the labels at or below some concepts. Where its left side occurs, it is broken
    if its right side occurs too (an exclusion) or does not (a requirement). Rules share sides, on which all
    work is done: a hundred concepts that exclude each other are a hundred sides, but thousands of rules.
    """

    rules: tuple[Rule, ...]
    sides: sparse.csr_array
    left: NDArray[np.intp]
    right: NDArray[np.intp]
    excludes: NDArray[np.bool_]

    def breaches(self, sets: sparse.csr_array) -> list[Breaches]:
        """Count for each rule the sets that it applies to and those that break it."""
        return [
            Breaches(rule, int(applies), int(broken))
            for rule, applies, broken in zip(self.rules, *self.counts(sets), strict=True)
        ]

    def counts(self, sets: sparse.csr_array) -> NDArray[np.intp]:
        """Two rows of counts by rule: the sets that each applies to, and the sets that break it."""
        left, right = self.left, self.right
        if sets.shape[1] <= FEW:
            on_side, both = self._count_bits(sets)
        else:
            met = (sets @ self.sides).astype(np.int32)
            on_side = np.bincount(met.indices, minlength=self.sides.shape[1])
            both = entries_at(sparse.csr_array(met.T @ met), left, right)
        broken = np.where(self.excludes, both, on_side[left] - both)
        either = on_side[left] + on_side[right] - broken
        return np.stack([np.where(self.excludes, either, on_side[left]), broken])

    def _count_bits(self, sets: sparse.csr_array) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Count the sets that meet each side, and those that meet both sides of each rule."""
        (count, sides), table = self.sides.shape, self._tables[-1]
        on_side, both = np.zeros(sides, np.intp), np.zeros(self.left.size, np.intp)
        for begin, end in self._blocks(sets):
            masks = bytes_of(masks_of(rows_between(sets, begin, end)), count)
            marks = unpack_words(combine_bytes(table, masks, np.bitwise_or), sides)
            there = np.packbits(np.ascontiguousarray(marks.T), axis=1)
            on_side += bit_counts(there)
            both += bit_counts(there[self.left] & there[self.right])
        return on_side, both

    def _blocks(self, sets: sparse.csr_array) -> Iterator[tuple[int, int]]:
        width = sum(self.sides.shape) + self.left.size
        return cut_into_runs(np.full(sets.shape[0], width), BLOCK)

    def offending_labels(self, sets: sparse.csr_array, labels: sparse.csr_array) -> NDArray[np.bool_]:
        """Mark the stored labels, each of the set in its row, that break a rule.

        Both sides of an exclusion break it, and the left side of a requirement.
        """
        if labels.shape[1] <= FEW:
            return self._offending_bits(sets, labels)
        marks, unmet = self._excluded(sets, labels), self._unmet(sets @ self.sides)
        row = row_of_entries(labels)
        chosen = np.flatnonzero(np.diff(unmet.indptr)[row])
        blame = pattern(self.sides[:, self.left[~self.excludes]])[labels.indices[chosen]]
        marks[chosen] |= np.diff(sparse.csr_array(blame.multiply(unmet[row[chosen]])).indptr) > 0
        return marks

    def _offending_bits(self, sets: sparse.csr_array, labels: sparse.csr_array) -> NDArray[np.bool_]:
        """Mark what breaks a rule by a look at each byte of a set, in half the time of the products."""
        marks, count, (blame, *ends) = np.zeros(labels.nnz, dtype=bool), labels.shape[1], self._tables[:3]
        for begin, end in self._blocks(sets):
            masks, part = masks_of(rows_between(sets, begin, end)), rows_between(labels, begin, end)
            left, right = (combine_bytes(one, bytes_of(masks, count), np.bitwise_or) for one in ends)
            broken = np.hstack([masks, left & ~right]).view(np.uint8)[:, : len(blame)]
            blamed = unpack_words(combine_bytes(blame, broken.T.astype(np.intp), np.bitwise_or), count)
            blamed.ravel().take(cells_of(part), out=marks[slice(*labels.indptr[[begin, end]])])
        return marks

    @cached_property
    def _tables(self) -> list[NDArray[np.uint64]]:
        """Labels blamed for each byte of labels, then of unmet requirements; sides of these; all sides."""
        excluded = (self.sides @ self._exclusive_sides @ self.sides.T).toarray()
        left, right = (self.sides[:, side[~self.excludes]].toarray() for side in (self.left, self.right))
        whole = np.pad(words_of(excluded), ((0, -len(excluded) % 64), (0, 0)))
        blame = np.vstack([whole, words_of(left.T)])
        masks = blame, words_of(left), words_of(right), words_of(self.sides.toarray())
        return [byte_table(one, np.bitwise_or, 0) for one in masks]

    def labels_barred(self, sets: sparse.csr_array, labels: NDArray[np.intp]) -> sparse.csr_array:
        """Mark the labels that a set excludes."""
        return sparse.csr_array(sets @ self.sides @ self._exclusive_sides @ self.sides[labels].T)

    def labels_excluded(self, sets: sparse.csr_array, others: sparse.csr_array) -> sparse.csr_array:
        """Mark the labels of other sets that the set of the same row excludes."""
        return choose_entries(others, self._excluded(sets, others))

    def _excluded(self, sets: sparse.csr_array, others: sparse.csr_array) -> NDArray[np.bool_]:
        """Mark the stored labels that the set of the same row excludes."""
        marks, foes, count = np.zeros(others.nnz, dtype=bool), self._exclusive_sides, self.sides.shape[1]
        reached = sets @ (self.sides @ np.diff(foes.indptr))
        rivals: Any = foes.toarray().astype(np.float32) if count <= _NARROW else foes
        for begin, end in cut_into_runs(reached, BLOCK, rows=max(1, BLOCK // max(1, count))):
            found, part = sets[begin:end] @ self.sides @ rivals, others[begin:end]
            barred = found > 0 if count <= _NARROW else found.toarray()
            entries, lengths = entries_of_rows(self.sides, part.indices)
            hit = barred[np.repeat(row_of_entries(part), lengths), self.sides.indices[entries]]
            marks[others.indptr[begin] + np.repeat(np.arange(part.nnz), lengths)[hit]] = True
        return marks

    def _unmet(self, met: sparse.csr_array) -> sparse.csr_array:
        """Mark the requirements whose left side a set meets, but not the right one: sets × requirements."""
        left, right = (pattern(met[:, side[~self.excludes]]) for side in (self.left, self.right))
        return without_entries(left, right)

    def rules_broken_by(self, label: int, labels: sparse.csr_array) -> list[Rule]:
        """List the rules that a label breaks in a single set."""
        there = (labels @ self.sides).toarray()[0]
        own = self.sides[[label]].toarray()[0]
        broken = there[self.left] & (there[self.right] == self.excludes)
        blamed = own[self.left] | (own[self.right] & self.excludes)
        return [self.rules[which] for which in np.flatnonzero(broken & blamed)]

    @cached_property
    def _exclusive_sides(self) -> sparse.csr_array:
        """Sides × sides, true where they exclude each other."""
        count, pairs = self.sides.shape[1], (self.left[self.excludes], self.right[self.excludes])
        one_way = pattern_at(*pairs, (count, count))
        return pattern(one_way + one_way.T)


def rule_book(
    hierarchy: Hierarchy, exclusions: Exclusions = "declared", requirements: Requirements = "declared"
) -> RuleBook:
    """Choose the rules that count, and extend them to the labels."""
    rules: tuple[Rule, ...] = (*_exclusions(hierarchy, exclusions), *_requirements(hierarchy, requirements))
    position: dict[tuple[str, ...], int] = {}
    ends = []
    for rule in rules:
        named = (
            ((rule.first,), (rule.second,)) if isinstance(rule, Exclusion) else ((rule.concept,), rule.any_of)
        )
        unknown = {
            name: f"the rule {rule}" for side in named for name in side if name not in hierarchy.vocabulary
        }
        if unknown:
            raise UnknownConceptError(unknown, hierarchy.vocabulary)
        ends.append([position.setdefault(side, len(position)) for side in named])
    members = [
        (int(p), side) for names, side in position.items() for p in hierarchy.vocabulary.positions(names)
    ]
    rows, columns = np.array(members, dtype=np.intp).reshape(-1, 2).T
    concepts = pattern_at(rows, columns, (len(hierarchy.vocabulary), len(position)))
    left, right = np.array(ends, dtype=np.intp).reshape(-1, 2).T
    excludes = np.array([isinstance(rule, Exclusion) for rule in rules], dtype=bool)
    sides = sparse.csr_array(hierarchy.label_ancestors_among(rows) @ concepts, dtype=bool)
    return RuleBook(rules, sides, left, right, excludes)


@dataclass(frozen=True)
class ChosenRules:
    """The rules that count, as a view of a hierarchy."""

    exclusions: Exclusions = "declared"
    requirements: Requirements = "declared"

    def __call__(self, hierarchy: Hierarchy) -> RuleBook:
        """Choose and extend the rules."""
        return rule_book(hierarchy, self.exclusions, self.requirements)


def _exclusions(hierarchy: Hierarchy, chosen: Exclusions) -> tuple[Exclusion, ...]:
    if chosen == "declared":
        return hierarchy.exclusions
    if chosen == "none":
        return ()
    if isinstance(chosen, str) or not all(_is_pair(pair) and isinstance(pair[1], str) for pair in chosen):
        raise ParameterError("exclusions", chosen, '"declared", "none" or pairs of concepts')
    return tuple(Exclusion(first, second, "given") for first, second in chosen)


def _requirements(hierarchy: Hierarchy, chosen: Requirements) -> tuple[Requirement, ...]:
    if chosen == "declared":
        return tuple(rule for rule in hierarchy.requirements if rule.precondition)
    if chosen == "none":
        return ()
    rules: list[Requirement] = []
    if isinstance(chosen, str):
        raise ParameterError("requirements", chosen, '"declared", "none", or a tuple')
    for item in chosen:
        if isinstance(item, str):
            stated = [rule for rule in hierarchy.requirements if item in rule.relation.split("|")]
            if not stated:
                known = sorted({rule.relation for rule in hierarchy.requirements})
                raise ParameterError("requirements", item, f"a property that states some: {known}")
            rules += stated
        elif _is_pair(item) and not isinstance(item[1], str):
            rules.append(Requirement(item[0], tuple(item[1]), "given"))
        else:
            expected = "names of properties, or pairs of a concept and a tuple of concepts"
            raise ParameterError("requirements", item, expected)
    return tuple(rules)


def _is_pair(item: object) -> bool:
    return isinstance(item, tuple | list) and len(item) == 2 and isinstance(item[0], str)  # noqa: PLR2004
