"""RDF triples without any RDF library, and the vocabularies that are read."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple, TypeVar

from ontoeval.core.names import OBO

T = TypeVar("T")

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

SYNONYM, NARROW = SKOS + "altLabel", OBO_FORMAT + "hasNarrowSynonym"
SYNONYMS = frozenset(
    {
        *(SKOS + name for name in ("altLabel", "hiddenLabel", "notation")),
        OBO_FORMAT + "hasExactSynonym",
        NARROW,
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


# Subject, predicate, and a literal with its language, which may be empty, or a node with None.
Statement = tuple[str, str, str, str | None]
Nodes = tuple[list[str], list[str]]  # subjects and nodes
Literals = tuple[list[str], list[str], list[str]]  # subjects, texts and languages
_TEXTS = PREDICATES | {SYNONYM, NARROW}


def grouped(pairs: Iterable[tuple[str, T]]) -> dict[str, list[T]]:
    """List the second parts of some pairs by the first."""
    found = defaultdict[str, list[T]](list)
    for one, other in pairs:
        found[one].append(other)
    return found


@dataclass(frozen=True)
class Triples:
    """The triples of a file that matter, as columns by predicate; those of synonyms are in one."""

    links: defaultdict[str, Nodes] = field(default_factory=lambda: defaultdict(lambda: ([], [])))
    literals: dict[str, Literals] = field(default_factory=lambda: {name: ([], [], []) for name in _TEXTS})
    types: dict[str, list[str]] = field(default_factory=lambda: {name: [] for name in TYPES})
    prefixes: dict[str, str] = field(default_factory=dict)
    noted: dict[str, dict[str, dict[Term, None]]] = field(default_factory=dict)
    _nodes: dict[str, dict[str, list[str]]] = field(default_factory=dict)

    def add_all(self, statements: Iterable[Statement]) -> None:
        """Keep triples of valid texts, if their predicates and types are of interest."""
        one, noted, same = "", self.noted, dict[str, str]().setdefault  # equal names become one text
        literals = self.literals | dict.fromkeys(SYNONYMS - {NARROW}, self.literals[SYNONYM])
        for subject, predicate, term, language in statements:
            if subject != one:
                one = same(subject, subject)
            if predicate in noted and not is_blank(one):
                found = term if language is None else Text(term, language)
                noted[predicate].setdefault(one, {})[found] = None
            if language is not None:
                if predicate in literals:
                    subjects, texts, languages = literals[predicate]
                    subjects.append(one)
                    texts.append(term)
                    languages.append(same(language, language))
            elif predicate == TYPE:
                if term in self.types:
                    self.types[term].append(one)
            elif predicate in PREDICATES or not is_blank(one):
                subjects, nodes = self.links[predicate]
                subjects.append(one)
                nodes.append(same(term, term))

    def pairs(self, predicate: str) -> dict[tuple[str, str], None]:
        """List the subjects and nodes of a predicate, each pair once: merged files repeat some."""
        return dict.fromkeys(zip(*self.links[predicate], strict=True))

    def subjects_with(self, predicate: str) -> dict[str, None]:
        """List the subjects that have a predicate."""
        return dict.fromkeys(chain(self.links[predicate][0], self.literals[predicate][0]))

    def nodes(self, subject: str, predicate: str) -> list[str]:
        """List the objects of a subject that are nodes."""
        if predicate not in self._nodes:
            self._nodes[predicate] = grouped(self.pairs(predicate))
        return self._nodes[predicate].get(subject, [])

    def texts(self, predicate: str) -> dict[str, list[tuple[str, str]]]:
        """List the texts and languages that each subject has, each once."""
        literals = dict.fromkeys(zip(*self.literals[predicate], strict=True))
        return grouped((one, (text, language)) for one, text, language in literals)

    def of_type(self, *types: str) -> dict[str, None]:
        """List the subjects that are of one of some types."""
        return dict.fromkeys(chain.from_iterable(map(self.types.__getitem__, types)))

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
