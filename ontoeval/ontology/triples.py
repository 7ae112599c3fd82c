"""Triples: what the readers of ontologies need of an RDF file, free of any RDF library.

IRIs and blank nodes are plain texts, blank nodes with a leading ``_:``; literals keep their
text and language.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ontoeval.ontology.iris import PREDICATES, RDF, TYPE, TYPES


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
    >>> from ontoeval.ontology.iris import RDFS
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
        >>> from ontoeval.ontology.iris import RDFS
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
        >>> from ontoeval.ontology.iris import RDFS
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
        >>> from ontoeval.ontology.iris import RDFS
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
        >>> from ontoeval.ontology.iris import RDFS
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
        >>> from ontoeval.ontology.iris import RDFS
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
        >>> from ontoeval.ontology.iris import RDFS
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
        >>> from ontoeval.ontology.iris import OWL
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
