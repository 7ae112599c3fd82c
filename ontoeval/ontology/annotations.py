"""Annotations of concepts as a file states them: labels, synonyms, definitions, notations, mappings."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field

from ontoeval.core.names import OBO, synonym_of
from ontoeval.ontology.file_formats import SYNTAXES
from ontoeval.ontology.obo import Clause, OboReader, stanzas
from ontoeval.ontology.raw_ontology import RawOntology
from ontoeval.ontology.syntax import body_of, decode_text, recognise, unix_lines
from ontoeval.ontology.triples import OBO_FORMAT, OWL, RDFS, SKOS, Term, Text, Triples, is_blank
from ontoeval.plumbing.files import FilePath, read_file

MATCHES = ("exactMatch", "closeMatch", "broadMatch", "narrowMatch", "relatedMatch")
"""Mappings of SKOS to concepts of other files."""

_PROPERTIES = {
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

_TAGS = {
    "name": "label",
    "def": "definition",
    "alt_id": "alternative id",
    "replaced_by": "replaced by",
    "is_a": "parent",
    "intersection_of": "definition part",
    "is_obsolete": "obsolete",
    "synonym": "synonym",
    "id": "id",
}

_WITH_COMMENT = {"is_a", "relationship", "intersection_of", "disjoint_from"}
_COMMENT = re.compile(r"\s!\s+([^!]*\S)\s*\Z")

_IDENTIFIERS = {"alternative id", "replaced by", "parent", "id"}
"""Annotations whose values are terms of the file."""

LABELS = ("label", "preferred label")
"""Annotations that name a concept."""

TEXTS = (*LABELS, "synonym", "definition")
"""Annotations that people read."""


@dataclass(frozen=True)
class _AnnotationTriples(Triples):
    """The triples of annotations, instead of those that make a hierarchy."""

    def add(self, subject: str, predicate: str, term: Term) -> None:
        """Keep a triple of an annotation, as it is."""
        if predicate in _PROPERTIES and not is_blank(subject):
            self.objects.setdefault(predicate, {}).setdefault(subject, []).append(term)


@dataclass(frozen=True)
class ConceptAnnotations:
    """Values by the name of an annotation and the IRI of a concept; terms that are described repeatedly.

    A comment of OBO has the IRI of the term that it names in place of a language.
    """

    values: Mapping[str, Mapping[str, list[Term]]] = field(default_factory=dict)
    twice: tuple[str, ...] = ()

    @classmethod
    def from_file(cls, path: FilePath) -> ConceptAnnotations:
        """Read RDF or OBO; other formats have no annotations."""
        file = read_file(path)
        body = body_of(file)
        syntax = recognise(body, where=file.where)
        if syntax == "obo":
            return cls._of_obo(unix_lines(decode_text(body, where=file.where)))
        if syntax not in SYNTAXES:
            return cls()
        from ontoeval.ontology.rdf import read_triples

        triples, _ = read_triples(body, syntax, where=file.where, every_link=True, kind=_AnnotationTriples)
        found: defaultdict[str, dict[str, list[Term]]] = defaultdict(dict)
        for predicate, subjects in triples.objects.items():
            for subject, terms in subjects.items():
                found[_PROPERTIES[predicate]].setdefault(subject, []).extend(terms)
        return cls(found)

    @classmethod
    def _of_obo(cls, content: str) -> ConceptAnnotations:
        raw = RawOntology("", plain=False)
        reader, found = OboReader(raw), defaultdict[str, dict[str, list[Term]]](dict)
        for _, kind, clauses in stanzas(content, raw):
            if not kind:
                reader.read_head(clauses)
            if kind != "Term":
                continue
            term = next((reader.iri_of(clause.words()[0]) for clause in clauses if clause.tag == "id"), "")
            for clause in clauses:
                name, value = _annotation(clause, reader)
                if value:
                    found[name].setdefault(term, []).append(value if name in _IDENTIFIERS else Text(value))
                if clause.tag in _WITH_COMMENT and (comment := _COMMENT.search(clause.value)):
                    named = reader.iri_of(clause.words()[-1])
                    found["comment"].setdefault(term, []).append(Text(comment[1], named))
        twice = tuple(term for term, names in found.pop("id", {}).items() if len(names) > 1)
        return cls(found, twice)

    def __bool__(self) -> bool:
        return any(self.values.values())

    def only(self, concepts: Container[str]) -> ConceptAnnotations:
        """Leave out what is said of others, such as properties."""
        kept = {
            name: {concept: terms for concept, terms in values.items() if concept in concepts}
            for name, values in self.values.items()
        }
        return ConceptAnnotations(kept, self.twice)

    def of(self, name: str) -> Mapping[str, list[Term]]:
        """Values of an annotation by the concept."""
        return self.values.get(name, {})

    def texts(self, *names: str) -> Iterator[tuple[str, str, Text]]:
        """Go through the texts of some annotations: name, concept and text."""
        for name in names:
            for concept, terms in self.of(name).items():
                yield from ((name, concept, term) for term in terms if isinstance(term, Text))

    def pairs(self, name: str) -> Iterator[tuple[str, str]]:
        """Go through the concepts and what an annotation points them to."""
        for concept, terms in self.of(name).items():
            yield from ((concept, str(term)) for term in terms)


def _annotation(clause: Clause, reader: OboReader) -> tuple[str, str]:
    """Name of the annotation that a clause of OBO makes, and its value; "" where it makes none."""
    name = _TAGS.get(clause.tag, "")
    if name in _IDENTIFIERS:
        return name, reader.iri_of(next(iter(clause.words()), ""))
    if name == "synonym":
        exact = synonym_of(clause.value)
        return (name, exact) if exact else ("narrow synonym", synonym_of(clause.value, "NARROW"))
    if name == "definition":
        return name, clause.value.removeprefix('"').rpartition('"')[0]
    return name, (clause.value if name == "label" else clause.text()) if name else ""
