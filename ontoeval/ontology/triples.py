"""Triples: what the readers of ontologies need of an RDF file, free of any RDF library.

IRIs and blank nodes are plain texts, blank nodes with a leading ``_:``; literals keep their
text and language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
ISO_THES = "http://purl.org/iso25964/skos-thes#"

ABSTRACT = "https://w3id.org/ontoeval/ns#abstract"
"""The annotation property that marks a concept as abstract: true on what is never a label."""

TYPE = RDF + "type"

_OBO_FORMAT = "http://www.geneontology.org/formats/oboInOwl#"
_DUBLIN_CORE = "http://purl.org/dc/terms/"

REPLACED_BY = (
    "http://purl.obolibrary.org/obo/IAO_0100001",
    _OBO_FORMAT + "replacedBy",
    _DUBLIN_CORE + "isReplacedBy",
    "https://schema.org/supersededBy",
    "http://schema.org/supersededBy",
)
"""From what was given up to what took its place."""

REPLACES = (_DUBLIN_CORE + "replaces",)
"""The other way round."""

ALTERNATIVE = (_OBO_FORMAT + "hasAlternativeId",)
"""From a concept to identifiers that were merged into it."""

PREDICATES = frozenset(
    {
        TYPE,
        RDF + "first",
        RDF + "rest",
        RDFS + "subClassOf",
        RDFS + "label",
        *(OWL + name for name in ("equivalentClass", "intersectionOf", "unionOf", "complementOf")),
        *(OWL + name for name in ("disjointWith", "disjointUnionOf", "members")),
        *(OWL + name for name in ("onProperty", "someValuesFrom", "inverseOf")),
        *(OWL + name for name in ("deprecated", "versionIRI", "versionInfo", "imports")),
        *(SKOS + name for name in ("prefLabel", "broader", "narrower")),
        *(SKOS + name for name in ("broaderTransitive", "narrowerTransitive")),
        *REPLACED_BY,
        *REPLACES,
        *ALTERNATIVE,
        ABSTRACT,
    }
)
"""The predicates that are kept; the rest of a file, often most of it, is dropped as it is read."""

TYPES = frozenset(
    {
        RDFS + "Class",
        *(OWL + name for name in ("Class", "DeprecatedClass", "Ontology", "AllDisjointClasses")),
        *(SKOS + name for name in ("Concept", "ConceptScheme", "Collection", "OrderedCollection")),
        *(ISO_THES + name for name in ("ConceptGroup", "ThesaurusArray")),
    }
)
"""The types that are kept: those of individuals and properties say nothing of the hierarchy."""


class Text(NamedTuple):
    """A literal.

    Parameters
    ----------
    text
        What it says.
    language
        Its language tag in lower case, "" where it has none.
    """

    text: str
    language: str = ""


Term = str | Text


def is_blank(node: str) -> bool:
    """Tell whether a node has no name.

    Parameters
    ----------
    node
        An IRI or a blank node.

    Returns
    -------
    bool
        Whether it is a blank node.

    Examples
    --------
    >>> is_blank("_:b1"), is_blank("http://example.org/sky")
    (True, False)
    """
    return node.startswith("_:")


@dataclass(frozen=True)
class Triples:
    """The triples of a file, by predicate and subject.

    Parameters
    ----------
    objects
        For each predicate, for each subject, the objects in the order of the file.
    prefixes
        The prefixes that the file binds, each with its namespace.
    every_link
        Whether links between nodes are kept whatever their predicate.

    Examples
    --------
    >>> triples = Triples()
    >>> triples.add("urn:trees", RDFS + "label", Text("trees"))
    >>> triples.texts("urn:trees", RDFS + "label")
    [Text(text='trees', language='')]
    """

    objects: dict[str, dict[str, list[Term]]] = field(default_factory=dict)
    prefixes: dict[str, str] = field(default_factory=dict)
    every_link: bool = False

    def add(self, subject: str, predicate: str, term: Term) -> None:
        """Keep a triple, if its predicate and type are of interest.

        Parameters
        ----------
        subject
            An IRI or a blank node.
        predicate
            An IRI.
        term
            The object.

        Examples
        --------
        >>> triples = Triples()
        >>> triples.add("urn:trees", RDFS + "seeAlso", "urn:plants")
        >>> triples.objects
        {}
        """
        if predicate not in PREDICATES:
            if not self.every_link or isinstance(term, Text):
                return
        elif predicate == TYPE and term not in TYPES:
            return
        term = Text(whole(term.text), term.language) if isinstance(term, Text) else whole(term)
        self.objects.setdefault(predicate, {}).setdefault(whole(subject), []).append(term)

    def drop_repetitions(self) -> None:
        """Keep each triple once, as a graph does: files that were put together repeat some.

        Examples
        --------
        >>> triples = Triples()
        >>> triples.add("urn:trees", RDFS + "subClassOf", "urn:plants")
        >>> triples.add("urn:trees", RDFS + "subClassOf", "urn:plants")
        >>> triples.drop_repetitions()
        >>> triples.nodes("urn:trees", RDFS + "subClassOf")
        ['urn:plants']
        """
        for subjects in self.objects.values():
            for terms in subjects.values():
                if len(terms) > 1:
                    terms[:] = dict.fromkeys(terms)

    def having(self, predicate: str) -> Mapping[str, list[Term]]:
        """List the subjects that have a predicate, with their objects.

        Parameters
        ----------
        predicate
            An IRI.

        Returns
        -------
        Mapping
            Objects by subject.

        Examples
        --------
        >>> list(Triples().having(RDFS + "label"))
        []
        """
        return self.objects.get(predicate, {})

    def nodes(self, subject: str, predicate: str) -> list[str]:
        """List the objects of a subject that are nodes.

        Parameters
        ----------
        subject
            An IRI or a blank node.
        predicate
            An IRI.

        Returns
        -------
        list of str
            IRIs and blank nodes, in the order of the file.

        Examples
        --------
        >>> triples = Triples()
        >>> triples.add("urn:trees", RDFS + "subClassOf", "urn:plants")
        >>> triples.nodes("urn:trees", RDFS + "subClassOf")
        ['urn:plants']
        """
        return [term for term in self.having(predicate).get(subject, ()) if isinstance(term, str)]

    def texts(self, subject: str, predicate: str) -> list[Text]:
        """List the objects of a subject that are literals.

        Parameters
        ----------
        subject
            An IRI or a blank node.
        predicate
            An IRI.

        Returns
        -------
        list of Text
            Literals, in the order of the file.

        Examples
        --------
        >>> Triples().texts("urn:trees", RDFS + "label")
        []
        """
        return [term for term in self.having(predicate).get(subject, ()) if isinstance(term, Text)]

    def pairs(self, predicate: str) -> Iterator[tuple[str, str]]:
        """Go through the triples of a predicate whose objects are nodes.

        Parameters
        ----------
        predicate
            An IRI.

        Yields
        ------
        tuple of str
            Subject and object.

        Examples
        --------
        >>> list(Triples().pairs(RDFS + "subClassOf"))
        []
        """
        for subject in self.having(predicate):
            for node in self.nodes(subject, predicate):
                yield subject, node

    def of_type(self, *types: str) -> dict[str, None]:
        """List the subjects that are of one of some types.

        Parameters
        ----------
        *types
            IRIs.

        Returns
        -------
        dict
            The subjects as keys, in the order of the file.

        Examples
        --------
        >>> triples = Triples()
        >>> triples.add("urn:trees", TYPE, OWL + "Class")
        >>> list(triples.of_type(OWL + "Class"))
        ['urn:trees']
        """
        wanted = set(types)
        return {subject: None for subject, terms in self.having(TYPE).items() if wanted.intersection(terms)}

    def members(self, node: str) -> list[str]:
        """List the members of an RDF list that are nodes.

        Parameters
        ----------
        node
            The head of the list.

        Returns
        -------
        list of str
            The members in order.

        Examples
        --------
        >>> triples = Triples()
        >>> triples.add("_:list", RDF + "first", "urn:trees")
        >>> triples.members("_:list")
        ['urn:trees']
        """
        members: list[str] = []
        met: set[str] = set()  # a list that bites its tail must not be followed for ever
        while node and node != RDF + "nil" and node not in met:
            met.add(node)
            members += self.nodes(node, RDF + "first")
            node = next(iter(self.nodes(node, RDF + "rest")), "")
        return members


def whole(text: str) -> str:
    r"""Replace halves of characters, which an escape can make and no file can be written with.

    Parameters
    ----------
    text
        Any text.

    Returns
    -------
    str
        The text with a question mark for each.

    Examples
    --------
    >>> whole("\ud83d sky")
    '? sky'
    """
    return text if text.isascii() else text.encode(errors="replace").decode()
