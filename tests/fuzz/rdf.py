"""The readers of RDF and of what it imports."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import rdflib

from ontoeval.ontology.file_formats import SYNTAXES
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.reading import read_ontology
from tests.fuzz.readers import Reader, words

PREFIXES = """@prefix : <http://example.org/photo#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix oe: <https://w3id.org/ontoeval/ns#> .
@prefix obo: <http://purl.obolibrary.org/obo/> .
"""
CLASSES = (
    PREFIXES
    + """<http://example.org/photo> a owl:Ontology ; owl:versionInfo "2" ; owl:imports <urn:more> .
:sky a owl:Class ; rdfs:label "Himmel"@de, "sky"@en-GB, "sky" ; owl:equivalentClass :heaven ; owl:disjointWith :sea .
:heaven a owl:Class . :clouds rdfs:subClassOf :sky . :sea a owl:Class ; oe:abstract true .
:ship rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :on ; owl:someValuesFrom [ owl:unionOf ( :sea :sky ) ] ] .
:boat owl:equivalentClass [ owl:intersectionOf ( :ship [ owl:onProperty :on ; owl:someValuesFrom :sea ] ) ] .
:weather owl:disjointUnionOf ( :clouds :sun ) ; owl:complementOf :boat .
[] a owl:AllDisjointClasses ; owl:members ( :clouds :ship ) .
:old a owl:Class ; owl:deprecated true ; obo:IAO_0100001 :sea .
:on a owl:ObjectProperty ; rdfs:label "on" .
"""
)
CONCEPTS = (
    PREFIXES
    + """:photos a skos:ConceptScheme ; skos:hasTopConcept :nature .
:nature a skos:Concept ; skos:prefLabel "Natur"@de, "nature"@en ; skos:narrower :sky , :sea .
:sky a skos:Concept ; skos:broader :nature ; skos:altLabel "heaven"@en ; skos:notation "1.2" ; skos:inScheme :photos .
:sea a skos:Concept ; skos:broaderTransitive :nature ; owl:deprecated "true" .
:things a skos:Collection ; skos:member :sky .
"""
)
MORE = (
    PREFIXES
    + '<urn:more> a owl:Ontology . :sand a owl:Class ; rdfs:subClassOf :land ; rdfs:label """a\nb""" .\n'
)

TOKENS = {
    "turtle": words(
        "@prefix @base PREFIX : <> <a b> <urn:%zz> <http://[> <urn:a> _:b [ ] [] ( ) a . ; , ^^ ^^xsd:int @de @en-- true 1e9 1. .5 "
        "\"\"\" ''' \\u0041 \\uD800 \\U00110000 \\x << >> <<( )>> {| |} ~ :sky :sea owl:Class owl:Thing owl:Nothing rdfs:Class "
        "rdfs:subClassOf owl:equivalentClass owl:unionOf owl:intersectionOf owl:complementOf owl:oneOf owl:members "
        "owl:someValuesFrom owl:allValuesFrom owl:onProperty owl:inverseOf owl:disjointUnionOf owl:imports rdf:nil rdf:first "
        "rdf:rest rdf:type owl:deprecated obo:IAO_0100001 skos:broader skos:narrower skos:broadMatch skos:exactMatch "
        "skos:Concept oe:abstract rdfs:label <http://www.w3.org/2002/07/owl#Class> { } GRAPH => = <= @forAll ?x ! ^ is of"
    ),
    "rdfxml": words(
        "<!DOCTYPE <!ENTITY <!-- --> <![CDATA[ ]]> <?xml ?> &amp; &lt; &#0; &#xD800; &#x110000; &owl; % xmlns= xmlns:a='' xml:base='::' "
        "xml:lang='de' rdf:about='' rdf:about='http://[' rdf:ID='a' rdf:ID='1' rdf:nodeID='b' rdf:nodeID='1' rdf:resource='#a' rdf:resource='' "
        "rdf:datatype='x' rdf:parseType='Collection' rdf:parseType='Resource' rdf:parseType='Literal' rdf:parseType='x' rdf:li "
        "rdf:_1 rdf:bagID='x' rdf:Description <rdf:Description/> <rdf:RDF> </rdf:RDF> <owl:Class> </owl:Class> <rdfs:subClassOf> "
        "</rdfs:subClassOf> <owl:Class/> rdf:type rdf:first rdf:rest <a:b/> <:/> encoding='utf-7' encoding='x' standalone='no' SYSTEM"
    ),
    "jsonld": words(
        '"@id" "@type" "@context" "@graph" "@value" "@language" "@list" "@set" "@reverse" "@base" "@vocab" "@index" "@json" '
        '"@included" "@nest" "@container" "@version" "@import" "@protected" "@propagate" "@none" "@direction" "@prefix" null true 1.1 '
        '1e400 -0 {} [] [[]] "" "\\ud800" "_:b" "_:" ":" "a:b" "http://[" "urn:a" "@" "@x" '
        '{"@id":"urn:a"} {"@value":"x","@language":"de"} {"@list":[1]} {"@context":null} {"@reverse":{}} NaN'
    ),
}


def used(ontology: Ontology) -> None:
    """Look at all that can be had from an ontology."""
    hierarchy = ontology.hierarchy()
    for name in hierarchy.vocabulary.concepts[:20]:
        ontology.resolve(name)
    str(ontology.report), ontology.graph.nodes(data=True), ontology.exclusions, ontology.requirements
    str(hierarchy), hierarchy.digest, hierarchy.depth


def read(path: Path, **options: Any) -> None:
    """Read an ontology, and use it."""
    used(read_ontology(path, **options))


def calls(form: str, **options: Any) -> tuple[Callable[[Path], None], ...]:
    """Read a file as what it is said to be, and as what it is."""
    return (
        partial(read, input_format=form, **options),
        partial(read, **options),
        partial(read, relations=["on"], language="de", **options),
    )


def _written(turtle: str, syntax: str) -> bytes:
    """Write Turtle in another syntax."""
    if syntax in {"turtle", "n3"}:
        return turtle.encode()
    if syntax == "trig":
        rows = turtle.splitlines()
        prefixes = sum(row.startswith("@prefix") for row in rows)
        return "\n".join([*rows[:prefixes], "<urn:graph> {", *rows[prefixes:], "}"]).encode()
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):  # of rdflib in its own parts
        if syntax in {"trix", "hext"}:
            dataset = rdflib.Dataset()
            dataset.parse(data=turtle, format="turtle")
            return dataset.serialize(format=syntax).encode()
    graph = rdflib.Graph().parse(data=turtle, format="turtle")
    if syntax == "nquads":
        return graph.serialize(format="nt").replace(" .\n", " <urn:graph> .\n").encode()
    names = {"rdfxml": "xml", "ntriples": "nt", "jsonld": "json-ld"}
    return graph.serialize(format=names[syntax]).encode()


def _of_rdf() -> Iterator[Reader]:
    for syntax in SYNTAXES:
        turtles = (MORE, CLASSES, CONCEPTS)
        seeds = tuple(_written(turtle, syntax) for turtle in turtles)
        alike = {"trix": "rdfxml", "hext": "jsonld"}.get(syntax, syntax)
        tokens = TOKENS.get(alike, TOKENS["turtle"])
        yield Reader(syntax, calls(syntax), seeds, tokens)


def readers() -> Iterator[Reader]:
    """Name the readers of RDF."""
    yield from _of_rdf()
