"""Ontologies as graphs of rdflib, in SKOS or OWL, with own terms for what these cannot state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args
from urllib.parse import quote

import numpy as np

from ontoeval.core.names import OBO, fold, local_name
from ontoeval.core.rules import Requirement
from ontoeval.errors import InputError, ParameterError, enumerate_some, one_of, pluralise
from ontoeval.ontology.annotations import LABELS, ConceptAnnotations
from ontoeval.ontology.file_formats import SYNTAXES
from ontoeval.ontology.owl_skos import is_obo_relation
from ontoeval.ontology.raw_ontology import DEPRECATED
from ontoeval.ontology.triples import (
    ABSTRACT,
    CONSIDER,
    MATCHES,
    OBO_FORMAT,
    OWL,
    OWN,
    RDF,
    RDFS,
    REPLACED_BY,
    SKOS,
    TYPE,
    Term,
    Text,
)
from ontoeval.plumbing.files import digest_of_file

if TYPE_CHECKING:
    from rdflib import Graph

RdfVocabulary = Literal["skos", "owl"]

RdfStatements = Iterator[tuple[str, str, Term | bool | float]]

SUFFIXES = {".ttl": "turtle", ".nt": "nt", ".rdf": "xml", ".owl": "xml", ".xml": "xml", ".jsonld": "json-ld"}
"""Endings of files, each with rdflib's name of the syntax."""

_NO_IRI = re.compile(r'[\x00-\x20<>"{}|\\^`]')
_NO_NAME = re.compile(r"[^\w.~-]")
_NO_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_OF_OBO = re.compile(r"(?:BFO|RO)_\d+")
_IS_A = ("rdfs:subClassOf", "owl:", "is_a", "union_of", "intersection_of")
_RELATED = (*MATCHES, "related")
_ALTERNATIVE = SKOS + "altLabel"
_TEXTS = {name: SKOS + name for name in ("definition", "notation")} | {
    "synonym": _ALTERNATIVE,
    "hidden label": SKOS + "hiddenLabel",
    "narrow synonym": OBO_FORMAT + "hasNarrowSynonym",
}


class RdfExport:
    """The statements of an ontology in one vocabulary, and what these do not hold of its file."""

    def __init__(
        self,
        ontology: Any,  # noqa: ANN401 - an `Ontology`, whose module imports this one
        vocabulary: RdfVocabulary | None,
        base: str,
        agreement: Mapping[str, float],
    ) -> None:
        if vocabulary is not None:
            one_of("vocabulary", vocabulary, get_args(RdfVocabulary))
        if not isinstance(base, str) or ":" not in base or _NO_IRI.search(base):
            raise ParameterError("base", base, "the beginning of IRIs, such as https://example.org/photo#")
        self.ontology, self.base, self.agreement = ontology, base, agreement
        read_as, self.plain = ontology.report.read_as, not any(ontology.iris)
        self.of_classes, self.of_skos = read_as.startswith(("OWL", "OBO")), read_as.startswith("SKOS")
        self.owl = self.of_classes if vocabulary is None else vocabulary == "owl"
        self.kind = OWL + "Class" if self.owl else SKOS + "Concept"
        self.labels = [RDFS + "label", SKOS + "prefLabel"][:: 1 if self.owl else -1]
        self.called = ontology.arrays.vocabulary.names
        names = ontology.arrays.vocabulary.concepts
        self.nodes = {name: self._iri(iri or name) for name, iri in zip(names, ontology.iris, strict=True)}
        self.head = _NO_IRI.sub(_encoded, ontology.source.iri or f"{base}ontology")
        self.properties = [self._property_of(need) for need in ontology.requirements]

    def graph(self) -> Graph:
        """Make the graph."""
        from rdflib import BNode, Graph, URIRef
        from rdflib import Literal as RdfLiteral

        def node(term: object) -> URIRef | BNode | RdfLiteral:
            if isinstance(term, str):
                return BNode(term[2:]) if term.startswith("_:") else URIRef(term)
            if isinstance(term, Text):
                language = term.language if _LANGUAGE.fullmatch(term.language) else None
                return RdfLiteral(term.text, lang=language)
            return RdfLiteral(term)

        graph = Graph(bind_namespaces="none")
        for prefix, space in (("skos", SKOS), ("rdfs", RDFS), ("owl", OWL), ("oe", OWN), ("rdf", RDF)):
            graph.bind(prefix, space)
        for prefix, space in sorted(self.ontology.prefixes.items(), reverse=True):  # the empty one last
            if re.fullmatch(r"(?:[A-Za-z][\w-]*)?", prefix) and not _NO_IRI.search(space):
                graph.bind(prefix, space, override=False)
        for statement in self.statements():
            subject, predicate, value = map(node, statement)
            graph.add((subject, predicate, value))
        return graph

    def statements(self) -> RdfStatements:
        """List all statements."""
        yield self.head, TYPE, OWL + "Ontology" if self.owl else SKOS + "ConceptScheme"
        if version := self.ontology.source.version:
            yield self.head, OWL + "versionInfo", Text(version)
        for prefix, space in self.ontology.prefixes.items():  # syntaxes keep one of a namespace, or none
            yield self.head, OWN + "prefix", Text(f"{prefix} {space}")
        yield from ((self.head, RDFS + "comment", Text(loss, "en")) for loss in self._losses())
        yield from self._places()
        for name, iri in zip(self.nodes, self.ontology.iris, strict=True):
            yield from self._labels(name, iri)
            yield from self._texts(name, iri)
        for name, number in self.agreement.items():
            yield self.nodes[name], OWN + "agreement", float(number)
        equal = OWL + "equivalentClass" if self.owl else SKOS + "exactMatch"
        for iri, (name, label) in self.ontology.same.items():
            yield from ((self.nodes[name], term, self._iri(iri)) for term in (OWN + "equivalent", equal))
            yield from ((self._iri(iri), RDFS + "label", Text(text)) for text in (label,) if text)
        yield from self._replaced()
        for rule in self.ontology.exclusions:
            excludes = OWL + "disjointWith" if self.owl else OWN + "excludes"
            yield self.nodes[rule.first], excludes, self.nodes[rule.second]
        for number, (need, relation) in enumerate(
            zip(self.ontology.requirements, self.properties, strict=True)
        ):
            yield from self._requirement(need, relation, f"_:need{number}")

    def _iri(self, text: str) -> str:
        """IRI of a concept by its IRI, or by a plain name."""
        return self.base + _NO_NAME.sub(_encoded, text) if self.plain else _NO_IRI.sub(_encoded, text)

    @cached_property
    def _source(self) -> ConceptAnnotations | None:
        """Annotations of the file that was read, if it is still the same."""
        source = self.ontology.source
        if source.format not in {*SYNTAXES.values(), "OBO"}:
            return ConceptAnnotations() if source.digest else None
        same = Path(source.path).is_file() and digest_of_file(source.path) == source.digest
        return ConceptAnnotations.from_file(source.path) if same else None

    def _stated(self, kind: str, iri: str) -> list[Term]:
        return [] if self._source is None else self._source.of(kind).get(iri, [])

    def _losses(self) -> Iterator[str]:
        """Sentences on what the file held and the statements do not."""
        report, iris = self.ontology.report, self.ontology.iris
        if self._source is None:
            yield "The source cannot be read again: languages, definitions, notations, mappings are missing."
        others = Counter(kind for kind in self.ontology.kinds if not kind.startswith(_IS_A))
        if self.owl and others and self.of_classes:
            count = pluralise(others.total(), "link")
            yield f"{count} of other relations ({enumerate_some(others)}) are written as rdfs:subClassOf."
        if wrong := [iri for iri in iris if _NO_IRI.search(iri)]:
            yield f"IRIs with characters that RDF forbids are percent-encoded: {enumerate_some(wrong)}."
        if made := sorted({iri for iri in self.properties if iri and not iri.startswith(OBO)}):
            yield f"Relations are known by local names alone, so they get IRIs: {enumerate_some(made)}."
        unused = {kind: tally.count for kind, tally in (report.unused | report.left_out).items()}
        written = re.compile(
            rf"{DEPRECATED}|replaced by several concepts|relation (.*:)?({'|'.join(_RELATED)})"
        )
        unused = {kind: count for kind, count in unused.items() if not written.fullmatch(kind)}
        if unused:
            kinds = enumerate_some(f"{count:,} {kind}" for kind, count in sorted(unused.items()))
            yield f"What reading left out or did not use is not written: {kinds}."

    def _places(self) -> RdfStatements:
        """Concepts with their names, links and marks."""
        arrays, every = self.ontology.arrays, list(self.nodes.values())
        for at, (name, concept) in enumerate(self.nodes.items()):
            above = arrays.parents.indices[slice(*arrays.parents.indptr[at : at + 2])].tolist()
            link = RDFS + "subClassOf" if self.owl else SKOS + "broader"
            yield concept, TYPE, self.kind
            yield from ((concept, link, every[parent]) for parent in above)
            if not self.owl:
                yield concept, SKOS + ("inScheme" if above else "topConceptOf"), self.head
            if name != local_name(concept):
                yield concept, OWN + "name", Text(name)
            if arrays.abstract[at]:
                yield concept, ABSTRACT, True

    def _labels(self, name: str, iri: str) -> RdfStatements:
        """Labels of a concept by language, of the file and of what was merged into the concept."""
        label, kinds = self.called.labels.get(name, ""), LABELS[:: -1 if self.of_skos else 1]
        texts = [(order, text) for order, kind in enumerate(kinds) for text in self._stated(kind, iri)]
        if label and all(" ".join(text[0].split()) != label for _, text in texts):
            texts.append((0, Text(label)))
        if not texts and (self.plain or name in self._alone):  # which reading leaves out
            texts = [(0, Text(local_name(iri) or name))]
        languages = set[str]()
        for order, text in sorted(texts):
            predicate = self.labels[order]
            if not self.owl and not self.of_skos:  # of each language SKOS has one preferred label
                predicate = _ALTERNATIVE if text[1] in languages else SKOS + "prefLabel"
            languages.add(text[1])
            yield self.nodes[name], predicate, text

    @cached_property
    def _alone(self) -> set[str]:
        parents, names = self.ontology.arrays.parents, list(self.nodes)
        linked = np.bincount(np.hstack(parents.nonzero()), minlength=len(names))
        return {names[at] for at in np.flatnonzero(linked == 0)}

    def _texts(self, name: str, iri: str) -> RdfStatements:
        """Synonyms, definitions, notations and mappings of a concept."""
        written = {fold(text[0]) for kind in (*LABELS, *_TEXTS) for text in self._stated(kind, iri)}
        for kind, predicate in _TEXTS.items():
            yield from ((self.nodes[name], predicate, text) for text in self._stated(kind, iri))
        others = (text for text in self.called.synonyms.get(name, ()) if fold(text) not in written)
        yield from ((self.nodes[name], _ALTERNATIVE, Text(text)) for text in others)
        for kind in _RELATED:
            targets = (one for one in self._stated(kind, iri) if isinstance(one, str))
            yield from ((self.nodes[name], SKOS + kind, self._iri(one)) for one in targets)

    def _replaced(self) -> RdfStatements:
        """List deprecated concepts, alternative identifiers, and what replaces both."""
        ontology = self.ontology
        gone = {spelling for spelling, why in ontology.left_out.items() if why == DEPRECATED}
        every = {*gone, *ontology.replaced, *ontology.considered}
        for old in sorted(every if self.plain else filter(self._is_identifier, every)):
            iri, new = self._iri(old), ontology.replaced.get(old)
            ends = [self.nodes[one] for one in ((new,) if new else ontology.considered.get(old, ()))]
            if not self.plain and old not in gone:
                yield from ((end, OBO_FORMAT + "hasAlternativeId", iri) for end in ends)
                continue
            yield iri, TYPE, self.kind
            yield iri, OWL + "deprecated", True
            texts = self._stated("preferred label", old) + self._stated("label", old)
            yield from ((iri, self.labels[0], text) for text in texts or [Text(old)] * self.plain)
            yield from ((iri, REPLACED_BY[2] if new else CONSIDER[0], end) for end in ends)
            for end in () if ends else self._stated("replaced by", old):
                yield iri, REPLACED_BY[2], self._iri(end) if isinstance(end, str) else end

    def _is_identifier(self, spelling: str) -> bool:
        return bool(
            _IRI.match(spelling) or any(self._stated(kind, spelling) for kind in ("obsolete", "replaced by"))
        )

    def _property_of(self, need: Requirement) -> str:
        """Property by which OWL states a requirement so that it is read alike; "" if there is none."""
        space = OBO if _OF_OBO.fullmatch(need.relation) else self.base
        iri = space + _NO_NAME.sub(_encoded, need.relation)
        alike = local_name(iri) == need.relation and need.precondition != is_obo_relation(iri)
        return iri if alike and self.owl else ""

    def _requirement(self, need: Requirement, relation: str, blank: str) -> RdfStatements:
        concept, any_of = self.nodes[need.concept], [self.nodes[one] for one in need.any_of]
        if not relation:
            yield concept, OWN + "requires", blank
            yield blank, OWN + "relation", Text(need.relation)
            yield blank, OWN + "precondition", need.precondition
            yield from ((blank, OWN + "anyOf", one) for one in any_of)
            return
        several = len(any_of) > 1
        yield relation, TYPE, OWL + "ObjectProperty"
        yield concept, RDFS + "subClassOf", blank
        yield blank, TYPE, OWL + "Restriction"
        yield blank, OWL + "onProperty", relation
        yield blank, OWL + "someValuesFrom", f"{blank}u" if several else any_of[0]
        if several:
            items = [*(f"{blank}l{place}" for place in range(len(any_of))), RDF + "nil"]
            yield f"{blank}u", TYPE, OWL + "Class"
            yield f"{blank}u", OWL + "unionOf", items[0]
            for item, rest, one in zip(items, items[1:], any_of, strict=False):
                yield item, RDF + "first", one
                yield item, RDF + "rest", rest


def _encoded(found: re.Match[str]) -> str:
    return quote(found[0], safe="")


def losses_in(graph: Graph) -> list[str]:
    """Sentences that a graph holds on what is lost."""
    from rdflib import URIRef

    return [str(text) for text in graph.objects(None, URIRef(RDFS + "comment"))]


def rdf_bytes(graph: Graph, syntax: str) -> bytes:
    """Write a graph in a syntax of rdflib; refuses characters that XML cannot hold."""
    texts = (str(term) for triple in graph for term in triple) if syntax == "xml" else ()
    if wrong := next(filter(_NO_XML.search, texts), ""):
        raise InputError(f"{wrong!r} holds a character that XML cannot hold", "Write Turtle (.ttl).")
    return graph.serialize(format=syntax, encoding="utf-8")
