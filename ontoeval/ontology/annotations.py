"""Annotations of concepts as a file states them: labels, synonyms, definitions, notations, mappings."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field

from ontoeval.ontology.file_formats import SYNTAXES
from ontoeval.ontology.obo import read_obo
from ontoeval.ontology.raw_ontology import RawOntology
from ontoeval.ontology.syntax import body_of, decode_text, recognise, unix_lines
from ontoeval.ontology.triples import Term, Text
from ontoeval.plumbing.files import FilePath, read_file

LABELS = ("label", "preferred label")
"""Annotations that name a concept."""

TEXTS = (*LABELS, "synonym", "definition")
"""Annotations that people read."""


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
        from ontoeval.ontology.rdf import read_rdf  # takes a while to import

        file = read_file(path)
        body = body_of(file)
        syntax = recognise(body, where=file.where)
        if syntax == "obo":
            content = unix_lines(decode_text(body, where=file.where))
            return cls.from_raw(read_obo(content, annotated=True))
        return cls.from_raw(read_rdf(file, syntax, annotated=True)[0]) if syntax in SYNTAXES else cls()

    @classmethod
    def from_raw(cls, raw: RawOntology) -> ConceptAnnotations:
        """Take what a reader noted."""
        twice = (term for term, names in raw.noted.get("id", {}).items() if len(names) > 1)
        return cls({name: terms for name, terms in raw.noted.items() if name != "id"}, tuple(twice))

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
