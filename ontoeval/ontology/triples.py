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
    """A literal."""

    text: str
    language: str = ""


Term = str | Text


def is_blank(node: str) -> bool:
    """Tell whether a node has no name."""
    return node.startswith("_:")


@dataclass(frozen=True)
class Triples:
    """The triples of a file, by predicate and subject."""

    objects: dict[str, dict[str, list[Term]]] = field(default_factory=dict)
    prefixes: dict[str, str] = field(default_factory=dict)
    every_link: bool = False

    def add(self, subject: str, predicate: str, term: Term) -> None:
        """Keep a triple, if its predicate and type are of interest."""
        if predicate not in PREDICATES:
            if not self.every_link or isinstance(term, Text):
                return
        elif predicate == TYPE and term not in TYPES:
            return
        term = Text(whole(term.text), term.language) if isinstance(term, Text) else whole(term)
        self.objects.setdefault(predicate, {}).setdefault(whole(subject), []).append(term)

    def drop_repetitions(self) -> None:
        """Keep each triple once, as a graph does: files that were put together repeat some."""
        for subjects in self.objects.values():
            for terms in subjects.values():
                if len(terms) > 1:
                    terms[:] = dict.fromkeys(terms)

    def having(self, predicate: str) -> Mapping[str, list[Term]]:
        """List the subjects that have a predicate, with their objects."""
        return self.objects.get(predicate, {})

    def nodes(self, subject: str, predicate: str) -> list[str]:
        """List the objects of a subject that are nodes."""
        return [term for term in self.having(predicate).get(subject, ()) if isinstance(term, str)]

    def texts(self, subject: str, predicate: str) -> list[Text]:
        """List the objects of a subject that are literals."""
        return [term for term in self.having(predicate).get(subject, ()) if isinstance(term, Text)]

    def pairs(self, predicate: str) -> Iterator[tuple[str, str]]:
        """Go through the triples of a predicate whose objects are nodes."""
        for subject in self.having(predicate):
            for node in self.nodes(subject, predicate):
                yield subject, node

    def of_type(self, *types: str) -> dict[str, None]:
        """List the subjects that are of one of some types."""
        wanted = set(types)
        return {subject: None for subject, terms in self.having(TYPE).items() if wanted.intersection(terms)}

    def members(self, node: str) -> list[str]:
        """List the members of an RDF list that are nodes."""
        members: list[str] = []
        met: set[str] = set()  # a list that bites its tail must not be followed for ever
        while node and node != RDF + "nil" and node not in met:
            met.add(node)
            members += self.nodes(node, RDF + "first")
            node = next(iter(self.nodes(node, RDF + "rest")), "")
        return members


def whole(text: str) -> str:
    """Replace halves of characters, which an escape can make and no file can be written with."""
    return text if text.isascii() else text.encode(errors="replace").decode()
