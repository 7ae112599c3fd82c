"""Told: what a file says of its concepts, by IRI, before anything is chosen or named."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from ontoeval.errors import InputError, listed
from ontoeval.ontology.iris import ABSTRACT, OWL, SKOS
from ontoeval.ontology.names import local_name
from ontoeval.ontology.triples import Text, Triples, is_blank

_MANY_PAIRS = 500_000
"""Exclusions that a file may tell in groups: some kilobytes could fill the memory."""


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
    plain
        Whether the concepts have plain names instead of IRIs. They are kept as written, and wherever
        an IRI is spoken of, the name is meant. None where only the concepts tell: plain names, if
        some are no addresses in the web.
    concepts
        Every concept, as keys in the order met.
    undeclared
        Those that are only used, never declared.
    links
        Pairs of parent and child, with the axiom that states them.
    related
        Links like these by other relations than is-a; they count only where there is no such one.
    relations
        Kinds of links that do not say that one is the other.
    considered
        Identifiers that are given up, each with what may take its place, of which somebody must choose.
    labels
        Labels of each concept, one list per property, the more telling property first.
    abstract
        Concepts that the file marks as abstract.
    deprecated
        Concepts that the file has given up.
    replaced
        Identifiers that are given up, each with the concept that took its place.
    exclusions
        Pairs of concepts that exclude each other, with the axiom.
    pairs
        How many pairs were told to exclude each other, again and again too.
    followed
        How many members of lists were gone through, again and again too.
    requirements
        Requirements, as keys.
    called
        What else the relations of requirements are called: IRIs, labels, other identifiers.
    equivalents
        Pairs of concepts of the file that are said to be equal.
    same
        Concepts that became one with another, which see: `ontoeval.ontology.equivalents`.
    self_links
        Concepts that are said to lie below themselves, where this says nothing.
    unused
        What the file says that is not made use of: a reason, and the concepts it is said of.
    iri
        IRI of the ontology.
    version
        Its version.
    imports
        IRIs of the ontologies that it wants to be read with it, and that were not.
    imported
        IRIs of those that were.
    also
        What else the file has, for the report.
    prefixes
        The prefixes that it binds, each with its namespace.
    """

    vocabulary: str
    plain: bool | None = None
    concepts: dict[str, None] = field(default_factory=dict)
    undeclared: set[str] = field(default_factory=set)
    links: dict[tuple[str, str], str] = field(default_factory=dict)
    related: dict[tuple[str, str], str] = field(default_factory=dict)
    relations: set[str] = field(default_factory=set)
    considered: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    labels: dict[str, list[list[Text]]] = field(default_factory=dict)
    abstract: set[str] = field(default_factory=set)
    deprecated: set[str] = field(default_factory=set)
    replaced: dict[str, str] = field(default_factory=dict)
    exclusions: dict[tuple[str, str], str] = field(default_factory=dict)
    pairs: int = 0
    followed: int = 0
    requirements: dict[ToldRequirement, None] = field(default_factory=dict)
    called: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    equivalents: set[tuple[str, str]] = field(default_factory=set)
    same: dict[str, str] = field(default_factory=dict)
    self_links: set[str] = field(default_factory=set)
    unused: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    iri: str = ""
    version: str = ""
    imports: tuple[str, ...] = ()
    imported: tuple[str, ...] = ()
    also: str = ""
    prefixes: dict[str, str] = field(default_factory=dict)

    def local(self, iri: str) -> str:
        """Name a concept by itself, without regard to others.

        Parameters
        ----------
        iri
            IRI of the concept.

        Returns
        -------
        str
            Its local name, or the plain name that it has.

        Examples
        --------
        >>> Told("OWL classes").local("urn:photo#sky"), Told("JSON", plain=True).local("/m/01bqvp")
        ('sky', '/m/01bqvp')
        """
        return iri if self.plain else local_name(iri)

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

    def add(self, parent: str, child: str, kind: str) -> None:
        """Note a link of a file that declares no concepts, and that it is there again where it is.

        Parameters
        ----------
        parent
            The parent.
        child
            The child.
        kind
            What states the link.

        Examples
        --------
        >>> told = Told("edge list")
        >>> told.add("plants", "trees", "edge list")
        >>> list(told.concepts)
        ['plants', 'trees']
        """
        pair = parent, child
        if pair in self.links:
            self.unused["links that are there again"].append(child)
        else:
            self.links[pair] = kind
            self.concepts.setdefault(parent)
            self.concepts.setdefault(child)

    def use(self, concept: str) -> None:
        """Note a concept that something names: undeclared, if nothing declared it before.

        Parameters
        ----------
        concept
            Its IRI.

        Examples
        --------
        >>> told = Told("OWL classes", concepts={"urn:sky": None})
        >>> told.use("urn:sky")
        >>> told.use("urn:sea")
        >>> list(told.concepts), told.undeclared
        (['urn:sky', 'urn:sea'], {'urn:sea'})
        """
        if concept not in self.concepts:
            self.concepts[concept] = None
            self.undeclared.add(concept)

    def note_replaced(self, old: str, successors: set[str]) -> None:
        """Note what took the place of an identifier: of several, nobody can know which is meant.

        Parameters
        ----------
        old
            The identifier that was given up.
        successors
            What took its place, at least one.

        Examples
        --------
        >>> told = Told("OBO terms")
        >>> told.note_replaced("urn:bath", {"urn:sea", "urn:lake"})
        >>> told.replaced, sorted(told.considered["urn:bath"])
        ({}, ['urn:lake', 'urn:sea'])
        """
        if len(successors) == 1:
            self.replaced[old] = min(successors)
        else:
            self.unused["replaced by several concepts"].append(old)
            self.considered[old] |= successors

    def may_exclude(self, pairs: int) -> bool:
        """Tell whether so many more pairs may exclude each other: single ones always may.

        Parameters
        ----------
        pairs
            How many an axiom comes to.

        Returns
        -------
        bool
            Whether they are not too many, with those that are told.

        Examples
        --------
        >>> Told("OWL classes").may_exclude(499_500), Told("OWL classes").may_exclude(1_999_000)
        (True, False)
        """
        return pairs <= 1 or self.pairs + pairs <= _MANY_PAIRS

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
        first, second = list(first), list(second)
        if not self.may_exclude(len(first) * len(second)):
            self.unused[f"{form} of too many classes"].append(next(iter(first), ""))
            return
        self.pairs += len(first) * len(second)
        for one in first:
            for other in second:
                if one == other:
                    self.unused["exclusions of a class by itself"].append(one)
                else:
                    self.exclusions.setdefault((min(one, other), max(one, other)), form)


def note_annotations(told: Told, triples: Triples, *, label_properties: tuple[str, ...], where: str) -> None:
    """Note what is said in the same way of every kind of concept: labels, marks, and the ontology.

    Parameters
    ----------
    told
        What is filled; its concepts are known.
    triples
        What the file says.
    label_properties
        IRIs of the properties that give labels, the more telling one first.
    where
        The file's name.

    Raises
    ------
    InputError
        If a mark is neither true nor false.

    Examples
    --------
    >>> triples = Triples()
    >>> triples.add("urn:root", ABSTRACT, Text("true"))
    >>> told = Told("OWL classes", concepts={"urn:root": None})
    >>> note_annotations(told, triples, label_properties=(), where="photo.ttl")
    >>> told.abstract
    {'urn:root'}
    """
    for concept in told.concepts:
        told.labels[concept] = [triples.texts(concept, name) for name in label_properties]
    told.abstract = _marked(triples, ABSTRACT, where=where) & set(told.concepts)
    told.deprecated |= _marked(triples, OWL + "deprecated", where=where) & set(told.concepts)
    told.iri = _own(told, triples.of_type(OWL + "Ontology") or triples.of_type(SKOS + "ConceptScheme"))
    versions = sorted(triples.nodes(told.iri, OWL + "versionIRI"))
    versions += sorted(text.text for text in triples.texts(told.iri, OWL + "versionInfo"))
    told.version = " ".join(versions[0].split()) if versions else ""


def _own(told: Told, candidates: Iterable[str]) -> str:
    """Choose among the ontologies that a file speaks of: the one whose IRI most concepts begin with."""
    named = sorted(iri for iri in candidates if not is_blank(iri))
    if len(named) < 2:  # noqa: PLR2004 - nothing to choose
        return "".join(named)
    lengths = {len(iri.rstrip("#/")) for iri in named}
    begun = Counter(concept[:length] for concept in told.concepts for length in lengths)
    return max(named, key=lambda iri: begun[iri.rstrip("#/")])


def _marked(triples: Triples, mark: str, *, where: str) -> set[str]:
    """List what is marked as true."""
    marked, unclear = set(), []
    for subject in triples.having(mark):
        for value in triples.texts(subject, mark):
            if value.text.strip().lower() in {"true", "1"}:
                marked.add(subject)
            elif value.text.strip().lower() not in {"false", "0"}:
                unclear.append(f"{value.text} ({subject})")
    if unclear and mark == ABSTRACT:
        raise InputError(
            f"the mark {ABSTRACT} is neither true nor false: {listed(unclear)}",
            "Write true, or leave the mark out.",
            where=where,
        )
    return marked
