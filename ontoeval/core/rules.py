"""Rules of an ontology for labels: exclusions and requirements.

Both are kept as the ontology states them, between named concepts, and hold for every
descendant as well: where summer excludes winter, so does a child of summer.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ontoeval.errors import InputError


@dataclass(frozen=True, order=True)
class Exclusion:
    """Two concepts that no sample may be labelled with at once; the order does not matter.

    Parameters
    ----------
    first
        A concept.
    second
        Another concept.
    source
        The axiom that states it, such as "owl:disjointWith".

    Raises
    ------
    InputError
        If a concept is to exclude itself.

    Examples
    --------
    >>> print(Exclusion("summer", "winter"))
    summer excludes winter
    """

    first: str
    second: str
    source: str = ""

    def __post_init__(self) -> None:
        """Put the two names in order, so that equal rules are equal."""
        if self.first == self.second:
            raise InputError(
                f"{self.first!r} excludes itself, so no sample could have it",
                "Remove the rule, or name two different concepts.",
            )
        if self.second < self.first:
            vars(self).update(first=self.second, second=self.first)

    def __str__(self) -> str:
        """Write the rule in words."""
        return self.text()

    def text(self, called: Callable[[str], str] = str) -> str:
        """Write the rule in words.

        Parameters
        ----------
        called
            What a concept is called; by default its name.
        """
        return f"{called(self.first)} excludes {called(self.second)}"


@dataclass(frozen=True, order=True)
class Requirement:
    """A concept that may only be used together with one of some others.

    A requirement of several things at once is several requirements.

    Parameters
    ----------
    concept
        The concept that requires.
    any_of
        The concepts of which one, or a descendant of one, must be there.
    relation
        The property that the ontology states it with, such as "hasPersons"; several are
        separated by a bar.
    precondition
        Whether labels must keep the rule. OBO relations such as part_of are no such rules: they describe how
        things are built, not which labels occur together.

    Raises
    ------
    InputError
        If nothing is required.

    Examples
    --------
    >>> print(Requirement("portrait", ("animals", "one_person")))
    portrait requires animals or one_person
    """

    concept: str
    any_of: tuple[str, ...]
    relation: str = ""
    precondition: bool = True

    def __post_init__(self) -> None:
        """Check that something is required."""
        object.__setattr__(self, "any_of", tuple(self.any_of))
        if not self.any_of:
            raise InputError(f"the requirement of {self.concept!r} names no concept", "Name at least one.")

    def __str__(self) -> str:
        """Write the rule in words."""
        return self.text()

    def text(self, called: Callable[[str], str] = str) -> str:
        """Write the rule in words.

        Parameters
        ----------
        called
            What a concept is called; by default its name.
        """
        return f"{called(self.concept)} requires {' or '.join(map(called, self.any_of))}"


Rule = Exclusion | Requirement
