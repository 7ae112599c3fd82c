"""Which label sets break which rules of the ontology, and which labels do so."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.constraints import Exclusion, Requirement, Rule
from ontoeval.csr import choose_entries
from ontoeval.errors import ParameterError, UnknownConceptError
from ontoeval.hierarchy import Hierarchy

Exclusions = Literal["declared", "none"] | tuple[tuple[str, str], ...]
Requirements = Literal["declared", "none"] | tuple[str | tuple[str, tuple[str, ...]], ...]

SUSPECT_SHARE = 0.05
"""A rule that more of the truth sets it applies to break is said to be suspect."""


SUSPECT = (
    f"A rule that more than {SUSPECT_SHARE:.0%} of the sets it applies to break probably does not mean "
    "what it is used for: see the score's options `exclusions`, `requirements` and `penalise`."
)


class Breaches(NamedTuple):
    """How often label sets break a rule.

    Parameters
    ----------
    rule
        The rule.
    applies
        Sets that hold a label it speaks of.
    broken
        Sets that break it.
    """

    rule: Rule
    applies: int
    broken: int

    @property
    def suspect(self) -> bool:
        """Whether the rule is broken so often that it probably means something else."""
        return self.broken > SUSPECT_SHARE * self.applies


class Marks(NamedTuple):
    """Which rules speak of which sets, and which sets break them.

    Parameters
    ----------
    applying
        Boolean, samples × rules: the rule speaks of a label of the set.
    broken
        Boolean, samples × rules: the set breaks the rule.
    """

    applying: sparse.csr_array
    broken: sparse.csr_array


@dataclass(frozen=True, eq=False)
class RuleBook:
    """Rules between concepts, spread to the labels below these.

    Both kinds of rules are one: a rule is broken where something on its left is there and
    something on its right is there too (an exclusion) or is not there (a requirement).

    Parameters
    ----------
    rules
        The rules.
    left
        Boolean, labels × rules: the labels at or below the rule's first concept.
    right
        Boolean, labels × rules: the labels at or below its other concept or concepts.
    excludes
        One mark per rule: whether it is an exclusion.

    Examples
    --------
    >>> from ontoeval.labels import LabelSets
    >>> hierarchy = Hierarchy.from_edges(
    ...     [("season", "summer"), ("season", "winter")], exclusions=[Exclusion("summer", "winter")]
    ... )
    >>> sets = LabelSets.from_sets([["summer", "winter"]], vocabulary=hierarchy.label_vocabulary)
    >>> [str(breach.rule) for breach in rule_book(hierarchy).breaches(sets.matrix) if breach.broken]
    ['summer excludes winter']
    """

    rules: tuple[Rule, ...]
    left: sparse.csr_array
    right: sparse.csr_array
    excludes: NDArray[np.bool_]

    def marks(self, sets: sparse.csr_array) -> Marks:
        """Tell which rules speak of a label of each set, and which of them the set breaks.

        Parameters
        ----------
        sets
            Boolean, samples × labels.

        Returns
        -------
        Marks
            Samples × rules, each row in any order.
        """
        counts = sets @ self._sides
        left, right, excludes = counts.data.real > 0, counts.data.imag > 0, self.excludes[counts.indices]
        return Marks(
            choose_entries(counts, left | (right & excludes)),
            choose_entries(counts, left & (right == excludes)),
        )

    def offending(self, sets: sparse.csr_array) -> sparse.csr_array:
        """Tell which labels of each set break a rule: both sides of an exclusion, what requires.

        Parameters
        ----------
        sets
            Boolean, samples × labels.

        Returns
        -------
        csr_array of bool
            Samples × labels, true only where the set has the label.
        """
        return sparse.csr_array((self.marks(sets).broken @ self._blamed.T.tocsr()).multiply(sets), dtype=bool)

    def breaches(self, sets: sparse.csr_array) -> list[Breaches]:
        """Count for each rule the sets that it applies to and those that break it.

        Parameters
        ----------
        sets
            Boolean, samples × labels.

        Returns
        -------
        list of Breaches
            One for each rule.
        """
        applies, broken = (np.asarray(mark.sum(axis=0)) for mark in self.marks(sets))
        return [
            Breaches(rule, int(a), int(b)) for rule, a, b in zip(self.rules, applies, broken, strict=True)
        ]

    def blaming(self, label: int, sets: sparse.csr_array) -> list[Rule]:
        """List the rules that a label breaks in a single set.

        Parameters
        ----------
        label
            Column of the label.
        sets
            Boolean, one sample × labels.

        Returns
        -------
        list of Rule
            The rules that the set breaks and that the label is to blame for.
        """
        both = self.marks(sets).broken.multiply(self._blamed[[label]])
        return [self.rules[which] for which in np.sort(both.nonzero()[1])]

    @cached_property
    def _sides(self) -> sparse.csr_array:
        """Labels × rules: 1 on the left and i on the right, so that one product counts both."""
        return sparse.csr_array(self.left + self.right * np.complex64(1j))

    @cached_property
    def _blamed(self) -> sparse.csr_array:
        """Labels × rules: who is charged for a breach."""
        return sparse.csr_array(self.left + self.right.multiply(self.excludes[None, :]), dtype=bool)


def rule_book(
    hierarchy: Hierarchy, exclusions: Exclusions = "declared", requirements: Requirements = "declared"
) -> RuleBook:
    """Choose the rules that count, and spread them to the labels.

    Parameters
    ----------
    hierarchy
        The hierarchy with what its ontology declares.
    exclusions
        "declared", "none", or pairs of concepts.
    requirements
        "declared": all that are preconditions of labelling; "none"; or a tuple whose members are
        names of properties, standing for the requirements stated with these, or pairs of a
        concept and the concepts of which it requires one.

    Returns
    -------
    RuleBook
        The rules.

    Raises
    ------
    ParameterError
        If a choice is not understood, or no requirement is stated with a property.
    UnknownConceptError
        If a pair names a concept that is not there.

    Examples
    --------
    >>> hierarchy = Hierarchy.from_edges([("a", "b"), ("a", "c")])
    >>> [str(rule) for rule in rule_book(hierarchy, exclusions=(("b", "c"),)).rules]
    ['b excludes c']
    """
    rules: tuple[Rule, ...] = (*_exclusions(hierarchy, exclusions), *_requirements(hierarchy, requirements))
    sides: list[list[tuple[int, int]]] = [[], []]
    for which, rule in enumerate(rules):
        named = (
            ((rule.first,), (rule.second,)) if isinstance(rule, Exclusion) else ((rule.concept,), rule.any_of)
        )
        for side, names in zip(sides, named, strict=True):
            unknown = {name: f"the rule {rule}" for name in names if name not in hierarchy.vocabulary}
            if unknown:
                raise UnknownConceptError(unknown, hierarchy.vocabulary)
            side += [(int(position), which) for position in hierarchy.vocabulary.positions(names)]
    ancestors = hierarchy.label_ancestors
    shape = (len(hierarchy.vocabulary), len(rules))
    below = []
    for side in sides:
        rows, columns = np.array(side, dtype=np.intp).reshape(-1, 2).T
        concepts = sparse.csr_array((np.ones(len(side), dtype=bool), (rows, columns)), shape=shape)
        below.append(sparse.csr_array(ancestors @ concepts, dtype=bool))
    return RuleBook(
        rules, below[0], below[1], np.array([isinstance(rule, Exclusion) for rule in rules], dtype=bool)
    )


@dataclass(frozen=True)
class ChosenRules:
    """The rules that count, as a view of a hierarchy.

    Parameters
    ----------
    exclusions
        See `rule_book`.
    requirements
        See `rule_book`.
    """

    exclusions: Exclusions = "declared"
    requirements: Requirements = "declared"

    def __call__(self, hierarchy: Hierarchy) -> RuleBook:
        """Choose and spread the rules."""
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
