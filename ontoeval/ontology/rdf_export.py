"""Ontologies as graphs of rdflib, in SKOS or OWL, with own terms for what these cannot state."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import chain, compress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args
from urllib.parse import quote

from ontoeval.core.names import fold, local_name
from ontoeval.errors import InputError, ParameterError, enumerate_some, one_of, pluralise
from ontoeval.ontology.annotations import LABELS, ConceptAnnotations
from ontoeval.ontology.file_formats import SYNTAXES
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
from ontoeval.plumbing.sparse import stored_columns

if TYPE_CHECKING:
    from rdflib import Graph

RdfVocabulary = Literal["skos", "owl"]

RdfFacts = Iterator[tuple[str, str, Iterable[Term | bool | float]]]
"""Subject, predicate, and any number of values."""

SUFFIXES = {".ttl": "turtle", ".nt": "nt", ".rdf": "xml", ".owl": "xml", ".xml": "xml", ".jsonld": "json-ld"}
"""Endings of files, each with rdflib's name of the syntax."""

_NO_IRI = re.compile(r'[\x00-\x20<>"{}|\\^`]')
_NO_NAME = re.compile(r"[^\w.~-]")
_NO_XML = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_IRI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_IS_A = ("rdfs:subClassOf", "owl:", "is_a", "union_of", "intersection_of")
_RELATED = (*MATCHES, "related")
_WRITTEN = re.compile(rf"{DEPRECATED}|replaced by several concepts|relation (.*:)?({'|'.join(_RELATED)})")
_ALTERNATIVE = SKOS + "altLabel"
_ANNOTATIONS = {name: SKOS + name for name in ("definition", "notation", *_RELATED)} | {
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
    ) -> None:
        if vocabulary is not None:
            one_of("vocabulary", vocabulary, get_args(RdfVocabulary))
        if not isinstance(base, str) or ":" not in base or _NO_IRI.search(base):
            raise ParameterError("base", base, "the beginning of IRIs, such as https://example.org/photo#")
        self.ontology, self.base = ontology, base
        read_as, self.plain = ontology.report.read_as, not any(ontology.iris)
        self.of_classes, self.of_skos = read_as.startswith(("OWL", "OBO")), read_as.startswith("SKOS")
        self.owl = self.of_classes if vocabulary is None else vocabulary == "owl"
        self.kind = OWL + "Class" if self.owl else SKOS + "Concept"
        self.labels = [RDFS + "label", SKOS + "prefLabel"][:: 1 if self.owl else -1]
        names = ontology.arrays.vocabulary.concepts
        self.nodes = {name: self._iri(iri or name) for name, iri in zip(names, ontology.iris, strict=True)}

    def graph(self, agreement: Mapping[str, float]) -> Graph:
        """Make the graph, with agreement on concepts."""
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
        agreed = ((self.nodes[name], OWN + "agreement", [float(one)]) for name, one in agreement.items())
        for subject, predicate, values in chain(self._facts(), self._concepts(), self._replaced(), agreed):
            for value in values:
                graph.add((node(subject), node(predicate), node(value)))
        return graph

    def _facts(self) -> RdfFacts:
        """List the facts on the ontology as a whole, equal identifiers and rules."""
        ontology, head = self.ontology, self.head
        yield head, TYPE, [OWL + "Ontology" if self.owl else SKOS + "ConceptScheme"]
        yield head, OWL + "versionInfo", [Text(ontology.source.version)] * bool(ontology.source.version)
        # Syntaxes keep one prefix of a namespace, or none.
        yield head, OWN + "prefix", [Text(f"{name} {space}") for name, space in ontology.prefixes.items()]
        yield head, RDFS + "comment", [Text(loss, "en") for loss in self._losses()]
        for iri, (name, label) in ontology.same.items():
            for equal in (OWN + "equivalent", OWL + "equivalentClass" if self.owl else SKOS + "exactMatch"):
                yield self.nodes[name], equal, [self._iri(iri)]
            yield self._iri(iri), RDFS + "label", [Text(label)] * bool(label)
        for rule in ontology.exclusions:
            excludes = OWL + "disjointWith" if self.owl else OWN + "excludes"
            yield self.nodes[rule.first], excludes, [self.nodes[rule.second]]
        for number, need in enumerate(ontology.requirements):
            yield self.nodes[need.concept], OWN + "requires", [f"_:need{number}"]
            yield f"_:need{number}", OWN + "relation", [Text(need.relation)]
            yield f"_:need{number}", OWN + "precondition", [need.precondition]
            yield f"_:need{number}", OWN + "anyOf", [self.nodes[one] for one in need.any_of]

    @cached_property
    def head(self) -> str:
        """IRI of the ontology or scheme."""
        return _NO_IRI.sub(_encoded, self.ontology.source.iri or f"{self.base}ontology")

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
        found = [] if self._source is None else self._source.of(kind).get(iri, [])
        return [self._iri(term) if isinstance(term, str) else term for term in found]

    def _losses(self) -> list[str]:
        """Sentences on what the file held and the statements do not."""
        report = self.ontology.report
        others = Counter(kind for kind in self.ontology.kinds if not kind.startswith(_IS_A))
        links = pluralise(others.total(), "link")
        wrong = [iri for iri in self.ontology.iris if _NO_IRI.search(iri)]
        unused = sorted((report.unused | report.left_out).items())
        kinds = [f"{tally.count:,} {kind}" for kind, tally in unused if not _WRITTEN.fullmatch(kind)]
        sentences = (
            "The source cannot be read again: languages, definitions, notations, mappings are missing.",
            f"{links} of other relations ({enumerate_some(others)}) are written as rdfs:subClassOf.",
            f"IRIs with characters that RDF forbids are percent-encoded: {enumerate_some(wrong)}.",
            f"What reading left out or did not use is not written: {enumerate_some(kinds)}.",
        )
        lost = (self._source is None, self.owl and others and self.of_classes, wrong, kinds)
        return list(compress(sentences, lost))

    def _concepts(self) -> RdfFacts:
        """List the facts on concepts: names, links, marks and annotations."""
        arrays, every = self.ontology.arrays, list(self.nodes.values())
        above = set(arrays.parents.indices.tolist())
        for at, (name, iri) in enumerate(zip(self.nodes, self.ontology.iris, strict=True)):
            concept, parents = every[at], [every[one] for one in stored_columns(arrays.parents, at)]
            yield concept, TYPE, [self.kind]
            yield concept, RDFS + "subClassOf" if self.owl else SKOS + "broader", parents
            if not self.owl:
                yield concept, SKOS + ("inScheme" if parents else "topConceptOf"), [self.head]
            yield concept, OWN + "name", [Text(name)] * (name != local_name(concept))
            yield concept, ABSTRACT, [True] * bool(arrays.abstract[at])
            alone = self.plain or not (parents or at in above)  # reading leaves out what has no label either
            yield from self._labels(concept, name, iri, local_name(iri) or name if alone else "")
            stated = {kind: self._stated(kind, iri) for kind in (*LABELS, *_ANNOTATIONS)}
            written = {fold(term[0]) for terms in stated.values() for term in terms if isinstance(term, Text)}
            others = arrays.vocabulary.names.synonyms.get(name, ())
            yield concept, _ALTERNATIVE, [Text(text) for text in others if fold(text) not in written]
            yield from ((concept, predicate, stated[kind]) for kind, predicate in _ANNOTATIONS.items())

    def _labels(self, concept: str, name: str, iri: str, instead: str) -> RdfFacts:
        """Labels of a concept by language, of the file and of what was merged into the concept."""
        label, kinds = (
            self.ontology.arrays.vocabulary.names.labels.get(name, ""),
            LABELS[:: -1 if self.of_skos else 1],
        )
        texts = [(order, text) for order, kind in enumerate(kinds) for text in self._stated(kind, iri)]
        if label and all(" ".join(text[0].split()) != label for _, text in texts):
            texts.append((0, Text(label)))
        languages = set[str]()
        for order, text in sorted(texts or [(0, Text(instead))] * bool(instead)):
            second = text[1] in languages and not (self.owl or self.of_skos)
            languages.add(text[1])
            # Of each language SKOS has one preferred label.
            yield concept, _ALTERNATIVE if second else self.labels[order], [text]

    def _replaced(self) -> RdfFacts:
        """List deprecated concepts, alternative identifiers, and what replaces both."""
        ontology = self.ontology
        gone = {spelling for spelling, why in ontology.left_out.items() if why == DEPRECATED}
        for old in sorted({*gone, *ontology.replaced, *ontology.considered}):
            iri, new = self._iri(old), ontology.replaced.get(old)
            ends = [self.nodes[one] for one in ((new,) if new else ontology.considered.get(old, ()))]
            successors, obsolete = (self._stated(kind, old) for kind in ("replaced by", "obsolete"))
            if not (self.plain or _IRI.match(old) or successors or obsolete):
                continue
            if not self.plain and old not in gone:
                yield from ((end, OBO_FORMAT + "hasAlternativeId", [iri]) for end in ends)
                continue
            texts = self._stated("preferred label", old) + self._stated("label", old)
            yield iri, TYPE, [self.kind]
            yield iri, OWL + "deprecated", [True]
            yield iri, self.labels[0], texts or [Text(old)] * self.plain
            yield iri, CONSIDER[0] if ends and not new else REPLACED_BY[2], ends or successors


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
    written = graph.serialize(format=syntax, encoding="utf-8")
    # The order in the store is that of hashes, which change from run to run.
    return b"".join(sorted(written.splitlines(keepends=True))) if syntax == "nt" else written
