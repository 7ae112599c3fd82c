"""Of every file that rdflib reads the package reads the same, with pyoxigraph."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest
import rdflib

from ontoeval.errors import OntoevalError
from ontoeval.ontology.file_formats import SYNTAXES
from ontoeval.ontology.rdf import read_triples
from ontoeval.ontology.syntax import recognise
from ontoeval.ontology.triples import OWL, PREDICATES, RDF, RDFS, Triples

pytestmark = pytest.mark.filterwarnings("ignore:.*:DeprecationWarning:rdflib")

XML = f'<rdf:RDF xmlns:rdf="{RDF}" xmlns:owl="{OWL}" xmlns:rdfs="{RDFS}" xmlns:a="urn:a#" xml:base="urn:a">\n'
SKY = '<owl:Class rdf:about="urn:a#sky">{}</owl:Class></rdf:RDF>'
LABEL = SKY.format("<rdfs:label>{}</rdfs:label>")
TURTLE = f"@prefix : <urn:a#> .\n@prefix owl: <{OWL}> .\n@prefix rdfs: <{RDFS}> .\n"

CASES: dict[str, tuple[str, str | bytes]] = {
    "entities": (
        "rdfxml",
        f"<!DOCTYPE r [<!ENTITY a \"urn:a#\"><!ENTITY b 'B'>]>{XML}{LABEL.format('&a;&b;&lt;')}",
    ),
    "entities declared twice": (
        "rdfxml",
        f'<!DOCTYPE r [<!ENTITY a "1"><!ENTITY a "2">]>{XML}{LABEL.format("&a;")}',
    ),
    "an entity that is an element": (
        "rdfxml",
        f'<!DOCTYPE r [<!ENTITY a "<rdfs:label>sky</rdfs:label>">]>{XML}{SKY.format("&a;")}',
    ),
    "entities in CDATA": (
        "rdfxml",
        f'<!DOCTYPE r [<!ENTITY a "1">]>{XML}{LABEL.format("<![CDATA[&a;]]>&a;&amp;a;")}',
    ),
    "a declaration in a comment": (
        "rdfxml",
        f"<!-- <!DOCTYPE r [<!ENTITY a '1'>]> -->{XML}{LABEL.format('sky')}",
    ),
    "a comment in a declaration": (
        "rdfxml",
        f'<!DOCTYPE r [<!-- ]> --><!ENTITY a "1">]><!-- > -->{XML}{LABEL.format("&a;")}',
    ),
    "XML inside of XML": (
        "rdfxml",
        XML + SKY.format('<rdfs:label rdf:parseType="Literal"><b>sky</b></rdfs:label>'),
    ),
    "relative IRIs": (
        "rdfxml",
        XML.replace('xml:base="urn:a"', 'xml:base="http://example.org/a/b"')
        + '<owl:Class rdf:ID="sea"/><owl:Class rdf:about="../lake"/><owl:Class rdf:about=""/></rdf:RDF>',
    ),
    "no base": ("rdfxml", XML.replace(' xml:base="urn:a"', "") + '<owl:Class rdf:ID="sea"/></rdf:RDF>'),
    "two fragments": ("rdfxml", XML + '<owl:Class rdf:about="urn:a#b#c"/></rdf:RDF>'),
    "a prefix bound again": ("turtle", TURTLE + ":a a owl:Class . @prefix : <urn:b#> . :a a owl:Class ."),
    "language tags": ("turtle", TURTLE + ':a rdfs:label "a"@EN-gb , "b"@de , "c" .'),
    "numbers and truths": (  # versions of rdflib differ in how they write 1E3
        "turtle",
        TURTLE
        + ":a rdfs:label 7 , 1.50 , true , '01'^^<urn:t> , '007'^^<http://www.w3.org/2001/XMLSchema#integer> .",
    ),
    "lists and nameless nodes": ("turtle", TURTLE + ":a owl:intersectionOf ( :b [ owl:complementOf :c ] ) ."),
    "escapes": ("turtle", TURTLE + r':a rdfs:label "\u00e4\n\"" , "\U0001F600" . :b\-c a owl:Class .'),
    "a literal over rows": ("turtle", TURTLE + ':a rdfs:label """one\ntwo "" three""" .'),
    "blanks in an IRI": ("turtle", TURTLE + "<urn:a b> a owl:Class ."),
    "a graph with a name": ("trig", TURTLE + ":g { :a a owl:Class . } :b a owl:Class ."),
    "rules of variables": (
        "n3",
        TURTLE + "{ ?x a :b . :q a owl:Class } => { ?x a :d } . :c a owl:Class .",
    ),
    "rules": ("n3", TURTLE + "{ :a a owl:Class } => { :b a owl:Class } . :c a owl:Class ."),
    "N-Quads": ("nquads", f'<urn:a> <{RDF}type> <{OWL}Class> <urn:g> .\n_:b <{RDFS}label> "x"@EN .\n'),
    "N-Triples": (
        "ntriples",
        f'<urn:\\u00e4> <{RDF}type> <{OWL}Class> . # note\n<urn:a> <{RDFS}label> "\\t" .',
    ),
    "an IRI that is none": ("turtle", TURTLE + ":a rdfs:subClassOf <http://[> ."),
    "JSON-LD": (
        "jsonld",
        json.dumps(
            {
                "@context": {
                    "owl": OWL,
                    "rdfs": RDFS,
                    "a": "urn:a#",
                    "label": {"@id": RDFS + "label", "@language": "EN"},
                },
                "@graph": [
                    {
                        "@id": "a:sky",
                        "@type": "owl:Class",
                        "label": "sky",
                        "rdfs:subClassOf": {"@id": "a:nature"},
                    },
                    {"@id": "a:sea", "owl:intersectionOf": {"@list": [{"@id": "a:b"}, {"@id": "a:c"}]}},
                ],
            }
        ),
    ),
    "JSON-LD with a key twice": ("jsonld", f'{{"@id": "urn:a", "{RDFS}label": "one", "{RDFS}label": "two"}}'),
    "JSON-LD of numbers": ("jsonld", json.dumps({"@id": "urn:a", RDFS + "label": [1, 25, True, None]})),
}

ALONE: dict[str, tuple[str, str | bytes, str]] = {
    "quotes in an entity": (
        "rdfxml",
        f"<!DOCTYPE r [<!ENTITY q '\"'>]>{XML}"
        + SKY.format('<rdfs:label xml:lang="e&q;n">a&q;</rdfs:label>'),
        "'a\"', 'e\"n'",
    ),
    "Latin-1": (
        "rdfxml",
        f'<?xml version="1.0" encoding="ISO-8859-1"?>{XML}{LABEL.format("Bäume")}'.encode("latin1"),
        "Bäume",
    ),
    "UTF-16": (
        "rdfxml",
        f'<?xml version="1.0" encoding="UTF-16"?>{XML}{LABEL.format("Bäume")}'.encode("utf-16"),
        "Bäume",
    ),
    "a base that is no address": (
        "rdfxml",
        XML + '<owl:Class rdf:ID="sea"/><owl:Class rdf:about="#lake"/></rdf:RDF>',
        "urn:a#lake",
    ),
    "JSON-LD in UTF-16": ("jsonld", json.dumps({"@id": "urn:a", RDFS + "label": "ä"}).encode("utf-16"), "ä"),
}
"""What rdflib does not read, or otherwise than the standard has it; each with what is found."""


def said(triples: Triples) -> list[str]:
    """Every triple, nameless nodes without what a parser calls them."""

    def shown(node: object) -> object:
        return "_" if isinstance(node, str) and node.startswith("_:") else node

    columns: list[tuple[str, Sequence[list[str]]]]
    columns = [(name, triples.links[name]) for name in PREDICATES]
    columns += [(name, triples.literals[name]) for name in PREDICATES]
    columns += [(kind, (ones,)) for kind, ones in triples.types.items()]
    rows = {(name, *map(shown, row)) for name, ends in columns for row in zip(*ends, strict=True)}
    return sorted(map(repr, rows))


def with_rdflib(data: bytes, syntax: str) -> Triples:
    """Read a file by rdflib alone, where no entity, literal or bracket is out of bounds."""
    names = {"rdfxml": "xml", "ntriples": "nt", "jsonld": "json-ld"}
    graph = rdflib.Dataset(default_union=True)
    graph.parse(data=data, format=names.get(syntax, syntax), publicID="file:///photo.owl")
    triples = Triples()
    statements = graph.triples((None, None, None))
    triples.add_all((node(subject), str(predicate), *found(term)) for subject, predicate, term in statements)
    return triples


def found(term: rdflib.term.Node) -> tuple[str, str | None]:
    if not isinstance(term, rdflib.Literal):
        return node(term), None
    is_markup = term.datatype == rdflib.RDF.XMLLiteral
    return "" if is_markup else str(term), (term.language or "").lower()


def node(term: rdflib.term.Node) -> str:
    return f"_:{term}" if isinstance(term, rdflib.BNode) else str(term)


@pytest.fixture(autouse=True)
def literals_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)


@pytest.mark.parametrize("case", CASES)
def test_the_package_reads_what_rdflib_reads(case: str) -> None:
    syntax, content = CASES[case]
    data = content.encode() if isinstance(content, str) else content
    triples, _ = read_triples(data, syntax, where="photo.owl", exact=True)
    assert said(triples) == said(with_rdflib(data, syntax))


@pytest.mark.parametrize("case", ALONE)
def test_the_package_reads_encodings_quotes_and_bases_that_rdflib_does_not(case: str) -> None:
    syntax, content, part = ALONE[case]
    data = content.encode() if isinstance(content, str) else content
    triples, _ = read_triples(data, syntax, where="photo.owl", exact=True)
    assert part in " ".join(said(triples))


@pytest.mark.no_cover
def test_the_package_reads_what_rdflib_reads_of_every_published_file(data: Path) -> None:
    compared = 0
    for path in sorted((data / "ontologies").rglob("*")):
        if not path.is_file():
            continue
        content = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
        try:
            syntax = recognise(content, where=path.name)
        except OntoevalError:
            continue
        if syntax in SYNTAXES and len(content) < 500_000:
            try:
                triples, syntax = read_triples(content, syntax, where="photo.owl")
            except OntoevalError:
                with pytest.raises(Exception):  # noqa: B017, PT011 - whatever rdflib raises
                    with_rdflib(content, syntax)
                continue
            assert said(triples) == said(with_rdflib(content, syntax)), path
            compared += 1
    assert compared > 350
