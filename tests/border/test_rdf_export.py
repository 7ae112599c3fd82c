"""Ontologies written as RDF, and read again."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
import warnings
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.errors import InputError
from tests.commands import call, refusal
from tests.strategies import Graph, exclusions, graphs, requirements

SYNTAXES = ("turtle", "nt", "xml", "json-ld")
ODD = ("big cat", "Größe", "a/b", "50%", "a#b", "c:d", "T:002", 'say "a"', "<b>", "{c}", "e_f", "urn:x")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written")


PREFIXES = """@prefix : <http://example.org/photo#> .
@prefix oe: <https://w3id.org/ontoeval/ns#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix obo: <http://purl.obolibrary.org/obo/> .
@prefix dct: <http://purl.org/dc/terms/> .
"""


def as_csv(graph: Graph) -> str:
    text = StringIO()
    rows = csv.writer(text)
    rows.writerows([("child", "parent"), *((child, parent) for parent, child in graph.edges)])
    rows.writerows((name, "") for name in graph.names)
    return text.getvalue()


def as_json(graph: Graph, excluded: tuple[tuple[str, str], ...], required: Any) -> str:
    needs = [{"concept": one, "any_of": sorted(others)} for one, others in required]
    nodes = [{"id": name, "abstract": number % 3 == 1} for number, name in enumerate(graph.names)]
    links = [{"source": parent, "target": child} for parent, child in graph.edges]
    marks = {"exclusions": list(map(list, excluded)), "requirements": needs}
    return json.dumps({"directed": True, "graph": marks, "nodes": nodes, "links": links})


def as_obo(graph: Graph, excluded: tuple[tuple[str, str], ...]) -> str:
    lines = ["format-version: 1.2", "ontology: t", ""]
    for number, name in enumerate(graph.names):
        lines += ["[Term]", f"id: T:{name}", f"name: the {name}", f'synonym: "{name} too" EXACT []']
        lines += [f"alt_id: T:{number}{number}"] * (number % 2)
        lines += [f"is_a: T:{parent}" for parent, child in graph.edges if child == name]
        lines += [f"disjoint_from: T:{other}" for one, other in excluded if one == name]
        lines += [f"relationship: part_of T:{graph.names[0]}", f"relationship: has_look T:{name}", ""]
    lines += ["[Term]", "id: T:old", "name: old", "is_obsolete: true", f"replaced_by: T:{graph.names[0]}"]
    return "\n".join(lines)


def as_turtle(graph: Graph, excluded: tuple[tuple[str, str], ...], *, skos: bool) -> str:
    kind, link = ("skos:Concept", "skos:broader") if skos else ("owl:Class", "rdfs:subClassOf")
    text = PREFIXES + "@prefix p: <http://example.org/photo#> . @prefix q: <http://example.org/other#> .\n"
    for name in graph.names:
        text += f':{name} a {kind} ; rdfs:label "{name.upper()}"@de , "of {name}"@en-GB ; skos:altLabel "{name}s"@en .\n'
    text += "".join(f":{child} {link} :{parent} .\n" for parent, child in graph.edges)
    text += "" if skos else "".join(f":{one} owl:disjointWith :{other} .\n" for one, other in excluded)
    first, last = graph.names[0], graph.names[-1]
    text += f"q:{first} a {kind} ; {link} :{last} . :gone a {kind} ; owl:deprecated true ; dct:isReplacedBy :{last} .\n"
    if not skos:
        text += f":{first} owl:equivalentClass :same . :same a owl:Class ; rdfs:label 'the same' . "
        text += f":{last} rdfs:subClassOf [ owl:onProperty :shows ; owl:someValuesFrom :{first} ] .\n"
    return text


@st.composite
def hierarchies(draw: st.DrawFn) -> str:
    form = draw(st.sampled_from(["csv", "json", "obo", "skos", "owl"]))
    graph = draw(graphs(max_nodes=8))
    excluded, required = draw(exclusions(graph)), draw(requirements(graph))
    if form == "obo":
        return as_obo(graph, excluded)
    if form in {"skos", "owl"}:
        return as_turtle(graph, excluded, skos=form == "skos")
    new = dict(zip(graph.names, draw(st.permutations(ODD)), strict=False))
    odd = Graph(tuple(new.values()), tuple((new[one], new[other]) for one, other in graph.edges))
    if form == "json":
        renamed = [(new[one], {new[other] for other in others}) for one, others in required]
        return as_json(odd, tuple((new[one], new[other]) for one, other in excluded), renamed)
    return as_csv(odd)


@pytest.mark.parametrize("syntax", SYNTAXES)
@settings(max_examples=25)
@given(text=hierarchies(), vocabulary=st.sampled_from([None, "skos", "owl"]))
def test_what_was_written_reads_back_the_same(folder: Path, syntax: str, text: str, vocabulary: Any) -> None:
    path = folder / "ontology"
    path.write_text(text, encoding="utf-8")
    ontology = oe.read_ontology(path)
    graph = ontology.to_rdf(vocabulary)
    for read in (oe.read_ontology(graph), oe.read_ontology(BytesIO(graph.serialize(format=syntax).encode()))):
        assert read.hierarchy().canonical == ontology.hierarchy().canonical
        assert read.hierarchy().digest == ontology.hierarchy().digest
        assert read.labels == ontology.labels
        assert ontology.names.items() <= read.names.items()
        assert ontology.replaced.items() <= read.replaced.items()


RICH = (
    PREFIXES
    + """
<http://example.org/photo> a skos:ConceptScheme ; owl:versionInfo "2.1" .
:animal a skos:Concept ; skos:prefLabel "animal"@en , "Tier"@de ; skos:definition "What breathes."@en ;
  skos:notation "A" ; skos:hiddenLabel "aminal"@en ; oe:abstract true .
:cat a skos:Concept ; skos:broader :animal ; skos:prefLabel "cat"@en ; skos:altLabel "Katze"@de ;
  skos:exactMatch <http://www.wikidata.org/entity/Q146> ; skos:related :mouse .
:mouse a skos:Concept ; skos:broader :animal ; skos:prefLabel "mouse"@en .
:old a skos:Concept ; owl:deprecated true ; skos:prefLabel "puss"@en ; dct:isReplacedBy :cat .
:two a skos:Concept ; owl:deprecated true ; skos:prefLabel "both"@en ; dct:isReplacedBy :cat , :mouse .
"""
)


def test_texts_keep_language_and_kind_as_long_as_the_file_is_there(tmp_path: Path) -> None:
    path = tmp_path / "rich.ttl"
    path.write_text(RICH, encoding="utf-8")
    ontology = oe.read_ontology(path)
    graph, given = ontology.to_rdf(), rdflib.Graph().parse(path)
    added = {rdflib.SKOS.inScheme, rdflib.SKOS.topConceptOf}
    prefix = rdflib.URIRef("https://w3id.org/ontoeval/ns#prefix")
    considered = rdflib.URIRef("http://www.geneontology.org/formats/oboInOwl#consider")
    lost, new = (
        set(given) - set(graph),
        {one for one in set(graph) - set(given) if one[1] not in {*added, prefix}},
    )
    assert {(s.n3(), o.n3()) for s, _, o in lost} == {(s.n3(), o.n3()) for s, p, o in new if p == considered}
    assert {p for _, p, _ in new} == {considered}
    as_classes = ontology.to_rdf("owl")
    cat = rdflib.URIRef("http://example.org/photo#cat")
    assert (cat, rdflib.RDFS.label, rdflib.Literal("cat", lang="en")) in as_classes
    assert (cat, rdflib.SKOS.altLabel, rdflib.Literal("Katze", lang="de")) in as_classes
    path.write_text(RICH + ":dog a skos:Concept .", encoding="utf-8")
    comments = list(map(str, ontology.to_rdf().objects(None, rdflib.RDFS.comment)))
    assert comments == [
        "The source cannot be read again: languages, definitions, notations, mappings are missing."
    ]


def test_agreement_is_written_and_read_as_a_weight() -> None:
    ontology = oe.read_ontology(StringIO("child,parent\ncat,animal\ndog,animal\n"), abstract="animal")
    given = oe.read_agreement({"cat": 0.5, "dog": 1}, ontology)
    read = oe.read_ontology(ontology.to_rdf(agreement=given))
    assert dict(zip(read.hierarchy().vocabulary, read.hierarchy().weights["agreement"], strict=True)) == {
        "animal": 1,
        "cat": 0.5,
        "dog": 1,
    }
    truth, run = [["cat"], ["dog"]], [["dog"], ["dog"]]
    scores = [
        oe.evaluate(truth, run, hierarchy=read, measures="OS")["OS"],
        oe.evaluate(truth, run, hierarchy=ontology, agreement=given, measures="OS")["OS"],
    ]
    assert scores[0] == scores[1]
    text = PREFIXES + ':cat a skos:Concept ; oe:agreement "much" .'
    with pytest.raises(
        InputError, match=r"the agreement 'much' of http://example.org/photo#cat is no number"
    ):
        oe.read_ontology(StringIO(text))


def test_what_cannot_be_the_same_is_refused() -> None:
    text = PREFIXES + "skos:a a skos:Concept ; skos:broader skos:b . skos:b a skos:Concept ."
    ontology = oe.read_ontology(StringIO(text))
    assert oe.read_ontology(ontology.to_rdf()).hierarchy().digest == ontology.hierarchy().digest
    with pytest.raises(InputError, match=r"no concepts in it|it would be another ontology"):
        ontology.to_rdf("owl")


def test_the_command_writes_by_the_ending_and_names_losses(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    digest = oe.read_ontology("photo").hierarchy().digest
    for name, first in [("p.ttl", "@prefix"), ("p.owl", "<?xml"), ("p.jsonld", "["), ("p.nt", "<http")]:
        done = call("ontology", "photo", "--out", name)
        assert done.stdout == f"{name}: 68 concepts, 67 links, 339 triples\n"
        assert Path(name).read_text(encoding="utf-8").startswith(first)
        assert oe.read_ontology(name).hierarchy().digest == digest
    done = call("ontology", "photo", "-o", "s.ttl", "--as", "skos")
    assert done.stdout == "s.ttl: 68 concepts, 67 links, 407 triples\n"
    assert oe.read_ontology("s.ttl").hierarchy().digest == digest
    for words, problem in [
        ("photo -o p.txt", "expected a file that ends in .ttl"),
        ("p.ttl -o p.ttl", "expected another name: a file that is read lies there"),
        ("photo --as owl", "--out FILE beside it"),
        ("photo -o p.ttl --tree", "expected --out alone"),
        ("photo -o p.ttl --canonical", "expected --canonical alone"),
    ]:
        assert problem in refusal(["ontology", *words.split()], capsys, monkeypatch)


TRIX = """<TriX xmlns="http://www.w3.org/2004/03/trix/trix-1/"><graph>
<triple><uri>http://e.org/cat</uri><uri>http://www.w3.org/2004/02/skos/core#broader</uri><uri>http://e.org/animal</uri></triple>
<triple><uri>http://e.org/cat</uri><uri>http://www.w3.org/2004/02/skos/core#prefLabel</uri>
<plainLiteral xml:lang="de">Katze</plainLiteral></triple>
<triple><uri>http://e.org/cat</uri><uri>http://e.org/weight</uri>
<typedLiteral datatype="http://www.w3.org/2001/XMLSchema#int">heavy</typedLiteral></triple></graph></TriX>
"""
HEXTUPLES = """["http://e.org/cat","http://www.w3.org/2004/02/skos/core#broader","http://e.org/animal","globalId","",""]
["http://e.org/cat","http://www.w3.org/2004/02/skos/core#prefLabel","Katze","http://www.w3.org/1999/02/22-rdf-syntax-ns#langString","de",""]
"""


@pytest.mark.parametrize(("text", "name"), [(TRIX, "TriX"), (HEXTUPLES, "HexTuples")])
def test_syntaxes_that_rdflib_alone_knows_are_read(
    text: str, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    ontology = oe.read_ontology(StringIO(text))
    assert (ontology.source.format, ontology.labels) == (name, ("animal", "Katze"))
    assert list(ontology.graph.edges) == [("animal", "cat")]
    assert not caplog.records
    for syntax in ("trix", "hext"):
        given = rdflib.Dataset()
        with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
            for triple in ontology.to_rdf():
                given.add(triple)
            written = given.serialize(format=syntax)
        again = oe.read_ontology(StringIO(written))
        assert again.hierarchy().digest == ontology.hierarchy().digest


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            '<!DOCTYPE a [<!ENTITY b "&c;&c;"><!ENTITY c "ha">]>' + TRIX,
            "the entity 'b' is made of other entities",
        ),
        (TRIX.replace("<graph>", "<graph>" * 6000), "nested more than 5,000 deep"),
        (TRIX.replace("</triple>", "", 1), "not well-formed XML"),
        (TRIX.replace("<uri>http://e.org/weight</uri>", ""), "this is not valid TriX"),
        (HEXTUPLES + '["http://e.org/cat"]\n', "this is not valid HexTuples"),
        (HEXTUPLES + "[" * 5000, "brackets are nested too deeply"),
        (HEXTUPLES.replace("Katze", "K" * 17_000_000), "a literal"),
    ],
)
def test_what_rdflib_reads_is_checked_before(text: str, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        oe.read_ontology(StringIO(text))


def test_a_graph_in_memory_is_read_without_a_text() -> None:
    class Unwritable(rdflib.Graph):
        def serialize(self, *_: Any, **__: Any) -> Any:
            raise AssertionError

    graph = Unwritable().parse(data=RICH, format="turtle")
    ontology = oe.read_ontology(graph)
    assert (ontology.source.format, ontology.source.path) == ("a graph of rdflib", "a graph in memory")
    assert ontology.hierarchy().digest == oe.read_ontology(StringIO(RICH)).hierarchy().digest
    dataset = rdflib.Dataset()
    dataset.graph(rdflib.URIRef("urn:g")).parse(data=RICH, format="turtle")
    assert oe.read_ontology(dataset).hierarchy().digest == ontology.hierarchy().digest
    with warnings.catch_warnings(action="ignore", category=DeprecationWarning):
        formulas = rdflib.Graph().parse(
            data=RICH + "{ :cat skos:broader :x } => { :y skos:broader :x } .", format="n3"
        )
    assert oe.read_ontology(formulas).hierarchy().digest == ontology.hierarchy().digest


def test_rdflib_is_imported_where_it_is_used_alone() -> None:
    program = "import sys, ontoeval as oe; o = oe.read_ontology('photo'); print('rdflib' in sys.modules); o.to_rdf(); "
    program += "print('rdflib' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]
