"""IRIs: the namespaces, predicates and types that ontologies are written with, as far as they are read."""

from __future__ import annotations

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SKOS_XL = "http://www.w3.org/2008/05/skos-xl#"
ISO_THES = "http://purl.org/iso25964/skos-thes#"
GETTY = "http://vocab.getty.edu/ontology#"

BROADER_TRANSITIVE = SKOS + "broaderTransitive"

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

CONSIDER = (_OBO_FORMAT + "consider",)
"""From what was given up to what may take its place."""

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
        *(space + name for space in (ISO_THES, GETTY) for name in ("broaderGeneric", "narrowerGeneric")),
        *(SKOS_XL + name for name in ("prefLabel", "literalForm")),
        *REPLACED_BY,
        *REPLACES,
        *CONSIDER,
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
