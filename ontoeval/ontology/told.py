"""Told: what a file says of its concepts, by IRI, before anything is chosen or named."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from ontoeval.ontology.triples import Text

DEPRECATED = "deprecated"
"""Why a concept is left out that the ontology itself has given up."""


class ToldRequirement(NamedTuple):
    """A requirement between IRIs; see `ontoeval.constraints.Requirement`.

    Parameters
    ----------
    concept
        The concept that requires.
    any_of
        The concepts of which one must be there.
    relation
        Local name of the property, several separated by a bar.
    precondition
        Whether it is meant for labelling.
    """

    concept: str
    any_of: tuple[str, ...]
    relation: str
    precondition: bool


@dataclass
class Told:
    """What one reader fills and the rest only reads.

    Parameters
    ----------
    vocabulary
        How the concepts are written, such as "OWL classes".
    concepts
        Every concept, as keys in the order met.
    undeclared
        Those that are only used, never declared.
    links
        Pairs of parent and child, with the axiom that states them.
    labels
        Labels of each concept, the more telling property first.
    abstract
        Concepts that the file marks as abstract.
    deprecated
        Concepts that the file has given up.
    exclusions
        Pairs of concepts that exclude each other, with the axiom.
    requirements
        Requirements, as keys.
    equivalents
        Pairs of concepts of the file that are said to be equal.
    self_links
        Concepts that are said to lie below themselves, where this says nothing.
    unused
        What the file says that is not made use of: a reason, and the concepts it is said of.
    iri
        IRI of the ontology.
    version
        Its version.
    imports
        IRIs of the ontologies that it wants to be read with it.
    """

    vocabulary: str
    concepts: dict[str, None] = field(default_factory=dict)
    undeclared: set[str] = field(default_factory=set)
    links: dict[tuple[str, str], str] = field(default_factory=dict)
    labels: dict[str, list[Text]] = field(default_factory=dict)
    abstract: set[str] = field(default_factory=set)
    deprecated: set[str] = field(default_factory=set)
    exclusions: dict[tuple[str, str], str] = field(default_factory=dict)
    requirements: dict[ToldRequirement, None] = field(default_factory=dict)
    equivalents: set[tuple[str, str]] = field(default_factory=set)
    self_links: set[str] = field(default_factory=set)
    unused: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    iri: str = ""
    version: str = ""
    imports: tuple[str, ...] = ()

    def link(self, parent: str, child: str, kind: str) -> None:
        """Note an is-a link; the axiom that says it first is remembered.

        Parameters
        ----------
        parent
            IRI of the parent.
        child
            IRI of the child.
        kind
            The axiom.

        Examples
        --------
        >>> told = Told("OWL classes")
        >>> told.link("urn:plants", "urn:trees", "rdfs:subClassOf")
        >>> told.links
        {('urn:plants', 'urn:trees'): 'rdfs:subClassOf'}
        """
        self.links.setdefault((parent, child), kind)

    def exclude(self, first: Iterable[str], second: Iterable[str], form: str) -> None:
        """Note that the concepts of two groups exclude each other.

        Parameters
        ----------
        first
            IRIs.
        second
            IRIs.
        form
            The axiom.

        Examples
        --------
        >>> told = Told("OWL classes")
        >>> told.exclude(["urn:winter"], ["urn:summer"], "owl:disjointWith")
        >>> told.exclusions
        {('urn:summer', 'urn:winter'): 'owl:disjointWith'}
        """
        second = list(second)
        for one in first:
            for other in second:
                if one == other:
                    self.unused["exclusions of a class by itself"].append(one)
                else:
                    self.exclusions.setdefault((min(one, other), max(one, other)), form)
