"""Rules of the ontology, and the label sets and labels that violate them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.compiled_rules import RuleClasses, RuleMasks, RuleSides
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.rules import Exclusion, Requirement, Rule
from ontoeval.errors import ParameterError, UnknownConceptError
from ontoeval.plumbing.sparse import (
    choose_entries,
    cut_into_runs,
    entries_of_rows,
    pattern_at,
    row_of_entries,
    stored_columns,
)

Exclusions = Literal["declared", "none"] | tuple[tuple[str, str], ...]
Requirements = Literal["declared", "none"] | tuple[str | tuple[str, tuple[str, ...]], ...]

SUSPECT_SHARE = 0.05
"""A rule is suspect where a larger share of the truth sets that it applies to break it."""

SUSPECT = (
    f"A rule that more than {SUSPECT_SHARE:.0%} of the sets it applies to break probably does not mean "
    "what it is used for: see the score's options `exclusions`, `requirements` and `penalise`."
)

FEW = 256
"""Most labels for rules as masks, which take labels × labels bits."""

BLOCK = 4_000_000
"""Numbers of samples × sides in a block."""


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
        """Count, for all rules at once, the sets that each applies to and those that break it."""
        return self._compiled.counts(sets)

    def offending_labels(self, sets: sparse.csr_array, labels: sparse.csr_array) -> NDArray[np.bool_]:
        """Mark the stored labels, each of the set in its row, that break a rule.

        Both sides of an exclusion break it, and the left side of a requirement.
        """
        return self._compiled.offending_labels(sets, labels)

    @cached_property
    def _compiled(self) -> RuleMasks | RuleClasses:
        sides = RuleSides(self.sides, self.left, self.right, self.excludes)
        return RuleMasks.from_sides(sides) if self.sides.shape[0] <= FEW else RuleClasses.from_sides(sides)

    def rows_breaking(self, there: sparse.csc_array, number: int) -> NDArray[np.intp]:
        """Rows of the sets that break a rule."""
        left, right = (stored_columns(there, side[number]) for side in (self.left, self.right))
        rows = np.intersect1d(left, right) if self.excludes[number] else np.setdiff1d(left, right)
        return rows.astype(np.intp)

    def labels_barred(self, sets: sparse.csr_array, labels: NDArray[np.intp]) -> sparse.csr_array:
        """Mark the labels that a set excludes."""
        return sparse.csr_array(sets @ self.sides @ self._exclusive_sides @ self.sides[labels].T)

    def labels_excluded(self, sets: sparse.csr_array, others: sparse.csr_array) -> sparse.csr_array:
        """Mark the labels of other sets that the set of the same row excludes."""
        marks, foes = np.zeros(others.nnz, dtype=bool), self._exclusive_sides
        reached = sets @ (self.sides @ np.diff(foes.indptr))
        for begin, end in cut_into_runs(reached, BLOCK, rows=max(1, BLOCK // max(1, self.sides.shape[1]))):
            barred, part = (sets[begin:end] @ self.sides @ foes).toarray(), others[begin:end]
            entries, lengths = entries_of_rows(self.sides, part.indices)
            hit = barred[np.repeat(row_of_entries(part), lengths), self.sides.indices[entries]]
            marks[others.indptr[begin] + np.repeat(np.arange(part.nnz), lengths)[hit]] = True
        return choose_entries(others, marks)

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
        return RuleSides(self.sides, self.left, self.right, self.excludes).exclusions


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
