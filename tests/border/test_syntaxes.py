"""One ontology in every syntax that is read."""

import json
import subprocess
import sys
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe

TURTLE = """
@prefix p: <http://example.org/photo#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<http://example.org/photo> a owl:Ontology ; owl:versionInfo "2.1" .
p:plants a owl:Class ; rdfs:label "plants"@en , "Pflanzen"@de .
p:trees a owl:Class ; rdfs:subClassOf p:plants ; rdfs:label "Bäume"@de ; owl:disjointWith p:flowers .
p:flowers a owl:Class ; rdfs:subClassOf p:plants .
p:forest a owl:Class ; rdfs:label "forest" ; rdfs:subClassOf [ a owl:Restriction ; owl:onProperty p:shows ;
    owl:someValuesFrom [ a owl:Class ; owl:unionOf ( p:trees p:plants ) ] ] .
"""

RDF_XML = """<?xml version="1.0"?>
<!DOCTYPE rdf:RDF [
  <!ENTITY p "http://example.org/photo#">
  <!ENTITY owl 'http://www.w3.org/2002/07/owl#'>
]>
<rdf:RDF xmlns:p="&p;" xmlns:owl="&owl;" xml:base="http://example.org/photo"
         xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
         xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#">
  <owl:Ontology rdf:about=""><owl:versionInfo>2.1</owl:versionInfo></owl:Ontology>
  <owl:Class rdf:about="#plants">
    <rdfs:label xml:lang="en">plants</rdfs:label><rdfs:label xml:lang="de">Pflanzen</rdfs:label>
  </owl:Class>
  <owl:Class rdf:ID="trees">
    <rdfs:subClassOf rdf:resource="&p;plants"/><rdfs:label xml:lang="de">Bäume</rdfs:label>
    <owl:disjointWith rdf:resource="#flowers"/>
  </owl:Class>
  <owl:Class rdf:about="&p;flowers"><rdfs:subClassOf rdf:resource="#plants"/></owl:Class>
  <owl:Class rdf:about="#forest" rdfs:label="forest"><rdfs:subClassOf><owl:Restriction>
    <owl:onProperty rdf:resource="#shows"/>
    <owl:someValuesFrom><owl:Class><owl:unionOf rdf:parseType="Collection">
      <rdf:Description rdf:about="#trees"/><rdf:Description rdf:about="#plants"/>
    </owl:unionOf></owl:Class></owl:someValuesFrom>
  </owl:Restriction></rdfs:subClassOf></owl:Class>
</rdf:RDF>
"""

_ROWS = r"""# a comment
<P> <rdf:type> <owl:Ontology> .
<P> <owl:versionInfo> "2.1" .
<P#plants> <rdf:type> <owl:Class> .
<P#plants> <rdfs:label> "plants"@en .
<P#plants> <rdfs:label> "Pflanzen"@de .
<P#trees> <rdf:type> <owl:Class> .
<P#trees> <rdfs:subClassOf> <P#plants> .

<P#trees> <rdfs:label> "B\u00E4ume"@DE .
<P#trees> <owl:disjointWith> <P#flowers> .
<P#flowers> <rdf:type> <owl:Class> .
<P#flowers> <rdfs:subClassOf> <P#plants> .
<P#forest> <rdf:type> <owl:Class> .
<P#forest> <rdfs:label> "forest"^^<http://www.w3.org/2001/XMLSchema#string> .
<P#forest> <rdfs:subClassOf> _:r .
_:r <rdf:type> <owl:Restriction> .
_:r <owl:onProperty> <P#shows> .
_:r <owl:someValuesFrom> _:u .
_:u <owl:unionOf> _:l .
_:l <rdf:first> <P#trees> .
_:l <rdf:rest> _:m .
_:m <rdf:first> <P#plants> .
_:m <rdf:rest> <rdf:nil> .
"""
N_TRIPLES = (
    _ROWS.replace("<P", "<http://example.org/photo")
    .replace("<rdf:", "<http://www.w3.org/1999/02/22-rdf-syntax-ns#")
    .replace("<rdfs:", "<http://www.w3.org/2000/01/rdf-schema#")
    .replace("<owl:", "<http://www.w3.org/2002/07/owl#")
)
N_QUADS = N_TRIPLES.replace(" .\n", " <http://example.org/graph> .\n")

JSON_LD = json.dumps(
    {
        "@context": {
            "p": "http://example.org/photo#",
            "owl": "http://www.w3.org/2002/07/owl#",
            "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
            "below": {"@id": "rdfs:subClassOf", "@type": "@id"},
            "label": {"@id": "rdfs:label", "@container": "@language"},
        },
        "@graph": [
            {"@id": "http://example.org/photo", "@type": "owl:Ontology", "owl:versionInfo": "2.1"},
            {"@id": "p:plants", "@type": "owl:Class", "label": {"en": "plants", "de": "Pflanzen"}},
            {"@id": "p:trees", "@type": "owl:Class", "below": "p:plants", "label": {"de": "Bäume"}}
            | {"owl:disjointWith": {"@id": "p:flowers"}},
            {"@id": "p:flowers", "@type": "owl:Class", "below": "p:plants"},
            {
                "@id": "p:forest",
                "@type": "owl:Class",
                "rdfs:label": "forest",
                "rdfs:subClassOf": {
                    "@type": "owl:Restriction",
                    "owl:onProperty": {"@id": "p:shows"},
                    "owl:someValuesFrom": {
                        "owl:unionOf": {"@list": [{"@id": "p:trees"}, {"@id": "p:plants"}]}
                    },
                },
            },
        ],
    }
)

_HEAD, _, _BODY = TURTLE.partition("<http://example.org/photo>")
TRIG = f"{_HEAD} <http://example.org/graph> {{ <http://example.org/photo>{_BODY} }}"
N3 = TURTLE + "{ p:trees a owl:Class } => { p:nonsense a owl:Class } ."

WRITTEN = {
    "Turtle": TURTLE,
    "RDF/XML": RDF_XML,
    "N-Triples": N_TRIPLES,
    "N-Quads": N_QUADS,
    "JSON-LD": JSON_LD,
    "TriG": TRIG,
    "N3": N3,
}


def content(ontology: oe.Ontology) -> tuple[object, ...]:
    return (
        {name: ontology.graph.nodes[name] for name in ontology.graph},
        sorted(ontology.graph.edges(data="kind")),
        ontology.exclusions,
        ontology.requirements,
        ontology.report,
        (ontology.source.iri, ontology.source.version),
        ontology.hierarchy().digest,
    )


@pytest.fixture
def expected(tmp_path: Path) -> oe.Ontology:
    path = tmp_path / "expected.ttl"
    path.write_text(TURTLE, encoding="utf-8")
    return oe.read_ontology(path)


@pytest.mark.parametrize("suffix", [".owl", ".ttl", ""])
@pytest.mark.parametrize("syntax", WRITTEN)
def test_every_syntax_is_recognised_by_its_content_and_gives_the_same_ontology(
    syntax: str, suffix: str, tmp_path: Path, expected: oe.Ontology
) -> None:
    path = tmp_path / f"photo{suffix}"
    path.write_text(WRITTEN[syntax], encoding="utf-8")
    ontology = oe.read_ontology(path)
    assert ontology.source.format == syntax
    assert content(ontology) == content(expected)


def test_the_ontology_of_all_syntaxes_is_the_one_that_is_meant(expected: oe.Ontology) -> None:
    assert sorted(expected.graph.edges) == [("plants", "flowers"), ("plants", "trees")]
    assert {name: expected.graph.nodes[name]["label"] for name in expected.graph} == {
        "flowers": "flowers",
        "forest": "forest",
        "plants": "plants",
        "trees": "Bäume",
    }
    assert [str(rule) for rule in (*expected.exclusions, *expected.requirements)] == [
        "flowers excludes trees",
        "forest requires plants or trees",
    ]
    assert (expected.source.iri, expected.source.version) == ("http://example.org/photo", "2.1")
    assert len(expected.source.digest) == 64


@pytest.mark.parametrize(
    ("name", "syntax"),
    [
        ("rdfxml", "RDF/XML"),
        ("turtle", "Turtle"),
        ("ntriples", "N-Triples"),
        ("nquads", "N-Quads"),
        ("trig", "TriG"),
        ("n3", "N3"),
        ("jsonld", "JSON-LD"),
    ],
)
def test_the_syntax_can_be_said_instead(
    name: str, syntax: str, tmp_path: Path, expected: oe.Ontology
) -> None:
    path = tmp_path / "photo"
    path.write_text(WRITTEN[syntax], encoding="utf-8")
    assert content(oe.read_ontology(path, input_format=name)) == content(expected)  # type: ignore[arg-type]


@pytest.mark.parametrize("syntax", WRITTEN)
def test_a_byte_order_mark_does_no_harm(syntax: str, tmp_path: Path, expected: oe.Ontology) -> None:
    path = tmp_path / "photo"
    path.write_text(WRITTEN[syntax], encoding="utf-8-sig")
    assert content(oe.read_ontology(path)) == content(expected)


@pytest.mark.parametrize("encoding", ["utf-16", "iso-8859-1"])
def test_xml_may_be_in_the_encoding_that_it_declares(
    encoding: str, tmp_path: Path, expected: oe.Ontology
) -> None:
    path = tmp_path / "photo.owl"
    declared = RDF_XML.replace('version="1.0"', f'version="1.0" encoding="{encoding}"')
    path.write_text(declared, encoding=encoding)
    assert content(oe.read_ontology(path)) == content(expected)


@given(rows=st.permutations(N_TRIPLES.splitlines() + N_TRIPLES.splitlines()[3:12]))
def test_the_order_of_the_triples_says_nothing_and_neither_do_repetitions(
    rows: list[str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("shuffled")
    contents = []
    for written in (N_TRIPLES, "\n".join(rows)):
        path = folder / "photo.nt"
        path.write_text(written, encoding="utf-8")
        contents.append(content(oe.read_ontology(path)))
    assert contents[0] == contents[1]


def test_rows_may_end_as_they_do_on_windows(tmp_path: Path, expected: oe.Ontology) -> None:
    path = tmp_path / "photo.nt"
    path.write_bytes(N_TRIPLES.replace("\n", "\r\n").encode())
    assert content(oe.read_ontology(path)) == content(expected)


def test_turtle_that_begins_like_n_triples_is_turtle(tmp_path: Path) -> None:
    path = tmp_path / "photo.nt"
    rows = "<urn:a> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <urn:b> .\n" * 60
    path.write_text(rows + "@prefix x: <urn:x:> . x:c a <http://www.w3.org/2002/07/owl#Class> .")
    ontology = oe.read_ontology(path)
    assert ontology.source.format == "Turtle"
    assert set(ontology.graph) == {"a", "b", "c"}


def test_the_root_element_of_rdf_xml_may_be_the_only_resource(tmp_path: Path) -> None:
    path = tmp_path / "one.owl"
    path.write_text(
        '<!-- alone --><o:Class xmlns:o="http://www.w3.org/2002/07/owl#" rdf:about="urn:a#sky" '
        'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>'
    )
    assert list(oe.read_ontology(path).graph) == ["sky"]


def test_relative_iris_do_not_depend_on_where_the_file_lies(tmp_path: Path) -> None:
    iris = []
    for folder in ("here", "there"):
        path = tmp_path / folder / "photo.ttl"
        path.parent.mkdir()
        path.write_text("<#sky> a <http://www.w3.org/2002/07/owl#Class> .")
        iris.append(oe.read_ontology(path).graph.nodes["sky"]["iri"])
    assert iris == ["file:///photo.ttl#sky"] * 2


def test_an_entity_may_be_used_a_hundred_thousand_times_within_a_label(tmp_path: Path) -> None:
    path = tmp_path / "photo.owl"
    label = "<rdfs:label>" + "&amp;\n" * 100_000 + "</rdfs:label>"
    path.write_text(RDF_XML.replace('<rdfs:label xml:lang="en">plants</rdfs:label>', label), encoding="utf-8")
    assert len(oe.read_ontology(path).graph.nodes["plants"]["label"]) == 199_999


def test_entities_that_xml_has_anyway_may_be_declared(tmp_path: Path, expected: oe.Ontology) -> None:
    path = tmp_path / "photo.owl"
    declared = RDF_XML.replace("[\n", '[ <!ENTITY lt "&#38;#60;"> <!ENTITY amp "&#38;#38;">\n', 1)
    path.write_text(declared, encoding="utf-8")
    assert content(oe.read_ontology(path)) == content(expected)


def test_xml_inside_of_xml_is_no_label(tmp_path: Path) -> None:
    path = tmp_path / "photo.owl"
    markup = '<rdfs:label rdf:parseType="Literal">' + "<b>plants</b>" * 1000 + "</rdfs:label>"
    written = RDF_XML.replace('<rdfs:label xml:lang="en">plants</rdfs:label>', markup)
    path.write_text(written, encoding="utf-8")
    assert oe.read_ontology(path).graph.nodes["plants"]["label"] == "Pflanzen"


def test_a_chain_of_three_thousand_links_is_read(tmp_path: Path) -> None:
    path = tmp_path / "chain.nt"
    path.write_text(
        "".join(
            f"<urn:c{i}> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <urn:c{i + 1}> .\n"
            for i in range(3000)
        )
    )
    assert oe.read_ontology(path).report.levels == 3000


def test_importing_the_package_loads_neither_rdflib_nor_networkx() -> None:
    program = "import sys, ontoeval.ontology; print({'rdflib', 'networkx'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def test_the_graph_cannot_be_changed(expected: oe.Ontology) -> None:
    with pytest.raises(nx.NetworkXError, match=r"[Ff]rozen"):
        expected.graph.add_edge("sky", "clouds")
