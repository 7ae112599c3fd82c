"""RDF triples without any RDF library, and the vocabularies that are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ontoeval.core.names import OBO

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SKOS_XL = "http://www.w3.org/2008/05/skos-xl#"
ISO_THES = "http://purl.org/iso25964/skos-thes#"
GETTY = "http://vocab.getty.edu/ontology#"

BROADER_TRANSITIVE = SKOS + "broaderTransitive"

OWN = "https://w3id.org/ontoeval/ns#"
"""Namespace of the terms for what OWL and SKOS cannot state."""

ABSTRACT = OWN + "abstract"
"""The annotation property that marks a concept as abstract: true for concepts that are never labels."""

OWN_TERMS = frozenset(
    {ABSTRACT}
    | {OWN + name for name in ("name", "prefix", "equivalent", "excludes", "agreement")}
    | {OWN + name for name in ("requires", "anyOf", "relation", "precondition")}
)
"""Terms that `Ontology.to_rdf` writes; all of them are read."""

TYPE = RDF + "type"

OBO_FORMAT = "http://www.geneontology.org/formats/oboInOwl#"
_DUBLIN_CORE = "http://purl.org/dc/terms/"

REPLACED_BY = (
    "http://purl.obolibrary.org/obo/IAO_0100001",
    OBO_FORMAT + "replacedBy",
    _DUBLIN_CORE + "isReplacedBy",
    "https://schema.org/supersededBy",
    "http://schema.org/supersededBy",
)
"""From a deprecated term to its replacement."""

CONSIDER = (OBO_FORMAT + "consider",)
"""From a deprecated term to possible replacements."""

REPLACES = (_DUBLIN_CORE + "replaces",)
"""From a replacement to the deprecated term."""

ALTERNATIVE = (OBO_FORMAT + "hasAlternativeId",)
"""From a concept to identifiers that were merged into it."""

_NARROW = OBO_FORMAT + "hasNarrowSynonym"
SYNONYMS = frozenset(
    {
        *(SKOS + name for name in ("altLabel", "hiddenLabel", "notation")),
        OBO_FORMAT + "hasExactSynonym",
        _NARROW,
    }
)
"""Predicates of synonyms."""

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
        *(space + name for space in (ISO_THES, GETTY) for name in ("broaderGeneric", "narrowerGeneric")),
        *(SKOS_XL + name for name in ("prefLabel", "altLabel", "hiddenLabel", "literalForm")),
        *REPLACED_BY,
        *REPLACES,
        *CONSIDER,
        *ALTERNATIVE,
        *OWN_TERMS,
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
"""The types that are kept: those of individuals and properties do not matter for the hierarchy."""


MATCHES = ("exactMatch", "closeMatch", "broadMatch", "narrowMatch", "relatedMatch")
"""Mappings of SKOS to concepts of other files."""

ANNOTATIONS = {
    RDFS + "label": "label",
    SKOS + "prefLabel": "preferred label",
    SKOS + "altLabel": "synonym",
    SKOS + "hiddenLabel": "hidden label",
    OBO_FORMAT + "hasNarrowSynonym": "narrow synonym",
    OBO_FORMAT + "hasExactSynonym": "synonym",
    SKOS + "definition": "definition",
    OBO + "IAO_0000115": "definition",
    SKOS + "notation": "notation",
    SKOS + "broader": "broader",
    SKOS + "related": "related",
    SKOS + "topConceptOf": "top",
    SKOS + "inScheme": "scheme",
    **{SKOS + name: name for name in MATCHES},
    OBO_FORMAT + "hasAlternativeId": "alternative id",
    OBO + "IAO_0100001": "replaced by",
    RDFS + "subClassOf": "parent",
    OWL + "deprecated": "obsolete",
}
"""Annotations that an audit looks at, by the predicate."""


# Triples ----------------------------------------------------------------------------------------------------


class Text(NamedTuple):
    """A literal."""

    text: str
    language: str = ""


Term = str | Text
"""An IRI, a blank node with a leading ``_:``, or a literal."""


def is_blank(node: str) -> bool:
    """Whether a node is blank."""
    return node.startswith("_:")


@dataclass(frozen=True)
class Triples:
    """The triples of a file, by predicate and subject; of synonyms, which are many, the texts alone.

    Of other predicates there are the triples of nodes, as a list of subjects and one of objects.
    """

    objects: dict[str, dict[str, list[Term]]] = field(default_factory=dict)
    others: dict[str, tuple[list[str], list[str]]] = field(default_factory=dict)
    synonyms: dict[str, list[str]] = field(default_factory=dict)
    narrow: dict[str, list[str]] = field(default_factory=dict)
    prefixes: dict[str, str] = field(default_factory=dict)
    noted: dict[str, dict[str, list[Term]]] = field(default_factory=dict)

    def add_all(self, triples: Iterable[tuple[str, str, Term]]) -> None:
        """Keep triples of valid texts, if their predicates and types are of interest."""
        subjects: dict[str, list[Any]]
        kept: Any
        same = dict[str, str]().setdefault  # equal names become one text
        for subject, predicate, term in triples:
            if predicate in self.noted and not is_blank(subject):
                self.noted[predicate].setdefault(subject, []).append(term)
            if predicate in PREDICATES:
                if predicate == TYPE and term not in TYPES:
                    continue
                subjects = self.objects.setdefault(predicate, {})
                kept = same(term, term) if type(term) is str else term
            elif type(term) is str:
                if not is_blank(subject):
                    ones, nodes = self.others.setdefault(predicate, ([], []))
                    ones.append(same(subject, subject))
                    nodes.append(same(term, term))
                continue
            elif predicate in SYNONYMS:
                subjects = self.narrow if predicate == _NARROW else self.synonyms
                kept = term[0]
            else:
                continue
            if (one := same(subject, subject)) in subjects:
                subjects[one].append(kept)
            else:
                subjects[one] = [kept]

    def drop_repetitions(self) -> None:
        """Keep each triple once, as a graph does: merged files repeat some."""
        for subjects in (*self.objects.values(), *self.noted.values()):
            for terms in subjects.values():
                if len(terms) > 1 and len(different := dict.fromkeys(terms)) < len(terms):
                    terms[:] = different

    def subjects_with(self, predicate: str) -> Mapping[str, list[Term]]:
        """List the subjects that have a predicate, with their objects."""
        return self.objects.get(predicate, {})

    def nodes(self, subject: str, predicate: str) -> list[str]:
        """List the objects of a subject that are nodes."""
        return [term for term in self.subjects_with(predicate).get(subject, ()) if type(term) is str]

    def texts(self, subject: str, predicate: str) -> list[Text]:
        """List the objects of a subject that are literals."""
        return [term for term in self.subjects_with(predicate).get(subject, ()) if type(term) is Text]

    def pairs(self, predicate: str) -> Iterator[tuple[str, str]]:
        """Go through the triples of a predicate whose objects are nodes."""
        for subject, terms in self.subjects_with(predicate).items():
            yield from [(subject, term) for term in terms if type(term) is str]
        yield from dict.fromkeys(zip(*self.others.get(predicate, ()), strict=True))

    def of_type(self, *types: str) -> dict[str, None]:
        """List the subjects that are of one of some types."""
        wanted = set(types)
        return {
            subject: None
            for subject, terms in self.subjects_with(TYPE).items()
            if not wanted.isdisjoint(terms)
        }

    def members(self, node: str) -> list[str]:
        """List the members of an RDF list that are nodes."""
        members: list[str] = []
        met: set[str] = set()  # a circular list must not be followed for ever
        while node and node != RDF + "nil" and node not in met:
            met.add(node)
            members += self.nodes(node, RDF + "first")
            node = next(iter(self.nodes(node, RDF + "rest")), "")
        return members


def valid_text(text: str) -> str:
    """Replace lone surrogates, which an escape can make and no file can hold."""
    return text if text.isascii() else text.encode(errors="replace").decode()


# N-Triples and N-Quads --------------------------------------------------------------------------------------

_IRI = r'<[^<>"\s]*+>'
_BLANK = r'_:[^\s<>"]*[^\s<>".]'
_LITERAL = rf'"[^"\\]*+(?:\\.[^"\\]*+)*+"(?:\^\^{_IRI}|@[A-Za-z0-9-]+)?'
# Possessive throughout: each row is scanned once.
ROW = re.compile(
    rf"\s*+(?:{_IRI}|{_BLANK})\s*+{_IRI}\s*+(?:{_IRI}|{_BLANK}|{_LITERAL})"
    rf"\s*+(?P<graph>{_IRI}|{_BLANK})?\s*+\.\s*+(?:#.*)?"
)
"""A row of N-Triples or N-Quads that is not empty and no comment."""
