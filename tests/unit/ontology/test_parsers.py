"""Two parsers, one result: rdflib and pyoxigraph tell the same of every file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import ontoeval as oe
from ontoeval.errors import OntoevalError
from ontoeval.ontology.file_formats import SYNTAXES
from ontoeval.ontology.rdf import read_triples
from ontoeval.ontology.syntax import recognise
from ontoeval.ontology.triples import OWL, RDF, RDFS, SKOS, Triples
from tests.parsers import PARSERS, parsing_with, read_with

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
    "quotes in an entity": (
        "rdfxml",
        f"<!DOCTYPE r [<!ENTITY q '\"'>]>{XML}"
        + SKY.format('<rdfs:label xml:lang="e&q;n">a&q;</rdfs:label>'),
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
    "Latin-1": (
        "rdfxml",
        f'<?xml version="1.0" encoding="ISO-8859-1"?>{XML}{LABEL.format("Bäume")}'.encode("latin1"),
    ),
    "UTF-16": (
        "rdfxml",
        f'<?xml version="1.0" encoding="UTF-16"?>{XML}{LABEL.format("Bäume")}'.encode("utf-16"),
    ),
    "relative IRIs": (
        "rdfxml",
        XML.replace('xml:base="urn:a"', 'xml:base="http://example.org/a/b"')
        + '<owl:Class rdf:ID="sea"/><owl:Class rdf:about="../lake"/><owl:Class rdf:about=""/></rdf:RDF>',
    ),
    "a base that is no address": (
        "rdfxml",
        XML + '<owl:Class rdf:ID="sea"/><owl:Class rdf:about="#lake"/></rdf:RDF>',
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
    "half a character": ("turtle", TURTLE + r':a rdfs:label "\uD83D" .'),
    "blanks in an IRI": ("turtle", TURTLE + "<urn:a b> a owl:Class ."),
    "quoted triples": ("turtle", TURTLE + "<< :a :b :c >> rdfs:label 'no' . :a a owl:Class ."),
    "a graph with a name": ("trig", TURTLE + ":g { :a a owl:Class . } :b a owl:Class ."),
    "rules": ("n3", TURTLE + "{ :a a owl:Class } => { :b a owl:Class } . :c a owl:Class ."),
    "N-Quads": ("nquads", f'<urn:a> <{RDF}type> <{OWL}Class> <urn:g> .\n_:b <{RDFS}label> "x"@EN .\n'),
    "N-Triples": (
        "ntriples",
        f'<urn:\\u00e4> <{RDF}type> <{OWL}Class> . # note\n<urn:a> <{RDFS}label> "\\t" .',
    ),
    "truncated Turtle": ("turtle", TURTLE + ":sky a owl:Class ;\n rdfs:label "),
    "truncated XML": ("rdfxml", XML + "<owl:Class>"),
    "truncated N-Triples": ("ntriples", "<urn:a> <urn:b> <urn:c> .\n<urn:a> <urn:b"),
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
    "JSON-LD in UTF-16": ("jsonld", json.dumps({"@id": "urn:a", RDFS + "label": "ä"}).encode("utf-16")),
    "JSON-LD of numbers": ("jsonld", json.dumps({"@id": "urn:a", RDFS + "label": [1, 25, True, None]})),
}


def said(triples: Triples) -> list[str]:
    """Every triple, nameless nodes without what a parser calls them."""

    def shown(node: object) -> object:
        return "_" if isinstance(node, str) and node.startswith("_:") else node

    return sorted(
        repr((predicate, shown(subject), shown(term)))
        for predicate, subjects in triples.objects.items()
        for subject, terms in subjects.items()
        for term in terms
    )


def outcome(data: bytes, syntax: str, parser: str, *, exact: bool) -> object:
    try:
        with parsing_with(parser):
            triples, found = read_triples(data, syntax, where="photo.owl", exact=exact)
    except OntoevalError as error:
        return str(error)
    return said(triples), triples.prefixes, found


@pytest.mark.parametrize("case", CASES)
def test_both_parsers_tell_the_same_or_refuse_it_in_the_same_words(case: str) -> None:
    syntax, content = CASES[case]
    data = content.encode() if isinstance(content, str) else content
    outcomes = [outcome(data, syntax, parser, exact=True) for parser in PARSERS]
    assert outcomes[0] == outcomes[1]


@pytest.mark.no_cover
def test_both_parsers_tell_the_same_of_every_published_file(data: Path) -> None:
    compared = 0
    for path in sorted((data / "ontologies").rglob("*")):
        if not path.is_file():
            continue
        content = path.read_bytes().removeprefix(b"\xef\xbb\xbf")
        try:
            syntax = recognise(content, where=path.name)
        except OntoevalError:
            continue
        if syntax in SYNTAXES and len(content) < 500_000:  # the rest is compared whole below
            first, second = (outcome(content, syntax, parser, exact=False) for parser in PARSERS)
            assert first == second, path
            compared += 1
    assert compared > 350


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "file",
    ["so/so.owl", "uat_skos/UAT.rdf", "schemaorg/schemaorg-current-https.jsonld", "physh_skos/physh.ttl"],
)
def test_both_parsers_make_the_same_ontology_of_a_large_file(file: str, data: Path) -> None:
    first, second = (read_with(parser, data / "ontologies" / file) for parser in PARSERS)
    assert whole(first) == whole(second)


def whole(ontology: oe.Ontology) -> dict[str, Any]:
    """Everything that an ontology consists of."""
    parts = ("iris", "labels", "kinds", "source", "report", "prefixes", "left_out", "replaced", "same")
    return {name: getattr(ontology, name) for name in parts} | {"digest": ontology.hierarchy().digest}


def test_skos_with_many_concepts_is_the_same_by_both(tmp_path: Path) -> None:
    path = tmp_path / "thesaurus.ttl"
    rows = [
        f'<urn:c{n}> <{SKOS}broader> <urn:c{n // 3}> ; <{SKOS}prefLabel> "{n}"@en .' for n in range(1, 500)
    ]
    path.write_text("\n".join(rows), encoding="utf-8")
    assert whole(read_with("rdflib", path)) == whole(read_with("oxigraph", path))


TWICE = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:owl="http://www.w3.org/2002/07/owl#">
<owl:Class rdf:ID="a"/><owl:Class rdf:ID="a"/></rdf:RDF>"""
VOCABULARY = """{"@context": {"@vocab": "http://a.org/x#"}, "@id": "http://a.org/x#a",
"@type": "http://www.w3.org/2002/07/owl#Class"}"""
REBOUND = "@prefix p: <urn:x#> . @prefix p: <urn:y#> . p:a a <http://www.w3.org/2002/07/owl#Class> ."


@pytest.mark.parametrize("content", [TWICE, VOCABULARY, REBOUND], ids=["an ID", "a vocabulary", "a prefix"])
def test_what_is_read_by_one_is_read_by_both_with_the_same_names(content: str, tmp_path: Path) -> None:
    path = tmp_path / "photo.owl"
    path.write_text(content)
    found = []
    for parser in PARSERS:
        ontology = read_with(parser, path)
        found.append([ontology.spellings.find(name) for name in ("a", ":a", "p:a")])
    assert found[0] == found[1]
    assert found[0][0] == ("a",)
