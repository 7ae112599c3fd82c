"""Statements of an ontology: each is a link, a name, or named and counted, in the report and in the audit."""

from __future__ import annotations

from pathlib import Path

import pytest

import ontoeval as oe

HEAD = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix isothes: <http://purl.org/iso25964/skos-thes#> .
@prefix gvp: <http://vocab.getty.edu/ontology#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix : <http://example.org/> .
@prefix e: <http://example.org/> .
"""
CONCEPTS = "".join(f':{name} a skos:Concept ; skos:prefLabel "{name}"@en .\n' for name in "abc")
CLASSES = "".join(f":{name} a owl:Class .\n" for name in "abc")


def read(tmp_path: Path, text: str, name: str = "o.ttl") -> oe.Ontology:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    return oe.read_ontology(path)


def unused(ontology: oe.Ontology) -> dict[str, int]:
    return {kind: tally.count for kind, tally in ontology.report.unused.items()}


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (":b isothes:broaderPartitive :a .", "iso-thes:broaderPartitive"),
        (":b isothes:broaderInstantial :a .", "iso-thes:broaderInstantial"),
        (":a isothes:narrowerPartitive :b .", "iso-thes:narrowerPartitive"),
        (":b gvp:broaderPreferred :a .", "gvp:broaderPreferred"),
        (":b gvp:broaderNonPreferred :a .", "gvp:broaderNonPreferred"),
        (":b gvp:broader :a .", "gvp:broader"),
        (":in rdfs:subPropertyOf skos:broader . :b :in :a .", "skos:broader (e:in)"),
        (":has rdfs:subPropertyOf skos:narrower . :a :has :b .", "skos:narrower (e:has)"),
        (
            ":in rdfs:subPropertyOf :within . :within rdfs:subPropertyOf isothes:broaderPartitive . :b :in :a .",
            "iso-thes:broaderPartitive (e:in)",
        ),
    ],
)
def test_kinds_of_broader_are_links(text: str, kind: str, tmp_path: Path) -> None:
    found = read(tmp_path, HEAD + CONCEPTS + ":c skos:broader :a .\n" + text)
    assert sorted(found.graph.edges) == [("a", "b"), ("a", "c")]
    assert dict(found.report.links) == {"skos:broader": 1, kind: 1}
    assert unused(found) == {}


def test_kinds_of_subclasses_are_links(tmp_path: Path) -> None:
    found = read(tmp_path, f"{HEAD}{CLASSES}:in rdfs:subPropertyOf rdfs:subClassOf . :b :in :a . :c :in :b .")
    assert sorted(found.graph.edges) == [("a", "b"), ("b", "c")]
    assert dict(found.report.links) == {"rdfs:subClassOf (e:in)": 2}


def test_what_skos_itself_declares_makes_no_links(tmp_path: Path) -> None:
    told = "skos:broadMatch rdfs:subPropertyOf skos:broader . :b skos:broadMatch :a . :c skos:broader :a .\n"
    found = read(tmp_path, HEAD + CONCEPTS + told)
    assert list(found.graph.edges) == [("a", "c")]
    assert unused(found) == {"relation skos:broadMatch": 1}


@pytest.mark.parametrize("circle", ["skos:broader", ":in", ":on"])
def test_kinds_of_broader_in_a_circle_end(circle: str, tmp_path: Path) -> None:
    told = (
        f":in rdfs:subPropertyOf skos:broader , :on . :on rdfs:subPropertyOf :in , {circle} . :b :on :a .\n"
    )
    assert list(read(tmp_path, HEAD + CONCEPTS + told).graph.edges) == [("a", "b")]


@pytest.mark.parametrize("suffix", ["ttl", "nt"])
def test_relations_that_make_no_links_are_counted_by_name(suffix: str, tmp_path: Path) -> None:
    told = """:b skos:broader :a . :c skos:broader :a .
        :b skos:related :c . :c skos:related :b . :b skos:related :c .
        :a :partOf :b ; :partOf :elsewhere ; rdfs:seeAlso <http://example.com/> ; rdfs:comment "x" .
        :a skos:topConceptOf :scheme . :scheme a skos:ConceptScheme ; :partOf :a ."""
    path = tmp_path / "o.ttl"
    path.write_text(HEAD + CONCEPTS + told, encoding="utf-8")
    if suffix == "nt":
        graph = pytest.importorskip("rdflib").Graph().parse(path)
        path = tmp_path / "o.nt"
        graph.serialize(path, format="nt", encoding="utf-8")
    found = oe.read_ontology(path)
    related, part = ("skos:related", "e:partOf") if suffix == "ttl" else ("related", "partOf")
    assert unused(found) == {f"relation {part}": 1, f"relation {related}": 2}
    assert found.report.unused[f"relation {part}"].examples == ("a",)
    assert oe.audit_ontology(path).facts["shape"][f"not used: relation {related}"] == 2
    with_parts = oe.read_ontology(path, relations="partOf", cycles="break")
    assert unused(with_parts) == {"partOf with what is no concept": 2, f"relation {related}": 2}


def test_links_of_the_other_language_are_counted(tmp_path: Path) -> None:
    told = ":b rdfs:subClassOf :a . :c rdfs:subClassOf :a . :c skos:broader :b .\n"
    assert unused(read(tmp_path, HEAD + CLASSES + told)) == {"relation skos:broader": 1}


TERMS = """format-version: 1.2

[Term]
id: X:1
name: root

[Term]
id: X:3
name: three
is_a: X:1
"""


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ('synonym: "dr"ei" EXACT []', 'dr"ei'),
        ('synonym: "3,3\',3"-x" EXACT [A:1 "EXACT"]', "3,3',3\"-x"),
        ('synonym: "a \\"b\\" c" EXACT []', 'a "b" c'),
        ('synonym: "tres" exact []', "tres"),
        ('exact_synonym: "tres" []', "tres"),
        ('exact_synonym: "tres" [A:1 "x"]', "tres"),
    ],
)
def test_synonyms_of_all_versions_of_obo_are_names(line: str, name: str, tmp_path: Path) -> None:
    found = read(tmp_path, TERMS + line, "o.obo")
    assert unused(found) == {}
    assert oe.evaluate([[name]], [["X_3"]], hierarchy=found, measures="F")["F"] == 1
    assert "not used" not in str(oe.audit_ontology(tmp_path / "o.obo").facts["shape"])


@pytest.mark.parametrize("line", ['narrow_synonym: "tres" []', 'synonym: "tres" narrow []'])
def test_narrow_synonyms_of_all_versions_of_obo_are_known(line: str, tmp_path: Path) -> None:
    found = read(tmp_path, TERMS + line, "o.obo")
    assert unused(found) == {}
    assert dict(found.arrays.vocabulary.names.narrow) == {"tres": "X_3"}


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("synonym: 'tres' EXACT []", "synonyms that are not understood"),
        ('synonym: "" EXACT []', "synonyms that are not understood"),
        ("exact_synonym: tres []", "synonyms that are not understood"),
        ("IS_A: X:1", "tag 'IS_A'"),
        ("is_part: X:1", "tag 'is_part'"),
        ("union_of: X:4 X:5\n\n[Term]\nid: X:4", "union_of beyond the first term"),
        ("alt_id: X:7, X:8", "alt_id beyond the first term"),
    ],
)
def test_what_is_not_understood_of_obo_is_counted(line: str, kind: str, tmp_path: Path) -> None:
    found = read(tmp_path, TERMS + line, "o.obo")
    assert unused(found) == {kind: 1}
    assert oe.audit_ontology(tmp_path / "o.obo").facts["shape"][f"not used: {kind}"] == 1
    if "alt_id" in line:
        assert dict(found.replaced)["X:7"] == "X_3"


@pytest.mark.parametrize(
    "line",
    [
        'synonym: "tres" RELATED []',
        'synonym: "tres" []',
        'related_synonym: "tres" []',
        'xref_analog: "A:1"',
        "def: x",
    ],
)
def test_what_is_understood_and_names_nothing_is_not_counted(line: str, tmp_path: Path) -> None:
    assert unused(read(tmp_path, TERMS + line, "o.obo")) == {}
