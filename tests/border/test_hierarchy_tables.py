"""Hierarchies in tables and JSON: what is recognised is read right, or refused with file and row."""

from __future__ import annotations

import codecs
import gzip
import json
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.errors import InputError
from tests.commands import call


@pytest.mark.parametrize(
    "content",
    [
        "parent,child\nWald,Bäume\n",
        '{"Wald": ["Bäume"]}',
        "format-version: 1.2\n\n[Term]\nid: Wald\n\n[Term]\nid: Bäume\nis_a: Wald\n",
        "@prefix : <urn:x#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n:Bäume rdfs:subClassOf :Wald .",
    ],
)
def test_a_hierarchy_in_utf_16_is_read_as_in_utf_8(content: str, tmp_path: Path) -> None:
    encodings = {"utf-8": b"", "utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}
    for encoding, mark in encodings.items():
        path = tmp_path / encoding
        path.write_bytes(mark + content.encode(encoding))
        assert list(oe.read_ontology(path).graph.edges) == [("Wald", "Bäume")]


TAXA = (
    "taxonID\tparentNameUsageID\tacceptedNameUsageID\tscientificName\ttaxonRank\ttaxonomicStatus\n"
    "1\t\t\tFelidae\tfamily\taccepted\n"
    "2\t1\t2\tPuma concolor\tspecies\taccepted\n"
    "3\t1\t2\tFelis concolor\tspecies\tsynonym\n"
    "4\t3\t\tPuma concolor couguar\tsubspecies\taccepted\n"
    "5\t\t\tFelis nulla\tspecies\tHETEROTYPIC_SYNONYM\n"
    "6\t1\t99\tFelis perdita\tspecies\tsynonym\n"
    "7\t1\t8\tFelis priscus\tspecies\tsynonym\n"
    "8\t1\t3\tFelis dubia\tspecies\tsynonym\n"
    "9\t\t10\tFelis una\tspecies\tsynonym\n"
    "10\t\t9\tFelis altera\tspecies\tsynonym\n"
)


def test_synonyms_of_darwin_core_are_names_of_the_accepted_concept(tmp_path: Path) -> None:
    path = tmp_path / "taxon.tsv"
    path.write_text(TAXA, encoding="utf-8")
    taxa = oe.read_ontology(path)
    assert sorted(taxa.graph.edges) == [("1", "2"), ("2", "4")]
    names = ("2", "3", "7", "8", "Puma concolor", "Felis concolor", "Felis priscus", "Felis dubia")
    assert {taxa.resolve(name) for name in names} == {"2"}
    unused = {reason: tally.examples for reason, tally in taxa.report.unused.items()}
    assert unused == {
        "columns": ("taxonRank",),
        "names whose accepted one is missing": ("10", "6", "9"),
        "names without an accepted one: HETEROTYPIC_SYNONYM": ("5",),
    }
    score = oe.evaluate([["Puma concolor"]], [["Felis concolor"]], hierarchy=taxa, measures="F")
    assert score["F"] == 1


def test_labels_of_wikidata_name_children_and_parents(tmp_path: Path) -> None:
    path = tmp_path / "query.csv"
    entity = "http://www.wikidata.org/entity/"
    path.write_text(
        f"item,itemLabel,superclass,superclassLabel\n{entity}Q144,dog,{entity}Q39201,pet\n", encoding="utf-8"
    )
    pets = oe.read_ontology(path)
    assert list(pets.graph.edges) == [("Q39201", "Q144")]
    assert (pets.resolve("dog"), pets.resolve("pet")) == ("Q144", "Q39201")


def test_the_taxonomy_of_ncbi_is_read_with_its_names(tmp_path: Path) -> None:
    nodes, names, labels = (tmp_path / name for name in ("nodes.dmp", "names.dmp", "labels.csv"))
    nodes.write_text(
        "".join(
            f"{own}\t|\t{above}\t|\trank\t|\t\t|\t0\t|\n" for own, above in [(1, 1), (2, 1), (9, 1), (12, 2)]
        )
    )
    names.write_text(
        "1\t|\troot\t|\t\t|\tscientific name\t|\n"
        "2\t|\tBacteria\t|\tBacteria <bacteria>\t|\tscientific name\t|\n"
        "9\t|\tBacteria\t|\tBacteria <walking sticks>\t|\tscientific name\t|\n"
    )
    labels.write_text("id,labels\np1,Bacteria <bacteria>;12\n")
    taxa = oe.read_ontology(nodes)
    assert sorted(taxa.graph.edges) == [("1", "2"), ("1", "9"), ("2", "12")]
    found = oe.read_labels(labels, taxa, concept_map=names)
    assert found.labels_of("p1") == ("12", "2")
    assert "Bacteria" not in oe.labels.read_concept_map(names), "a name of two taxa names neither"


@pytest.mark.parametrize(
    ("links", "notes"),
    [([("poodle", "dog"), ("dog", "animal")], 1), ([("animal", "dog"), ("dog", "poodle")], 0)],
)
def test_a_chain_whose_root_is_used_as_the_most_specific_concept_is_noted(
    links: list[tuple[str, str]], notes: int
) -> None:
    result = oe.evaluate([["poodle"], ["dog"]], [["dog"], ["animal"]], hierarchy=links, measures="hF")
    assert len(result.notes) == notes
    assert not notes or "its root 'poodle' is the only label of 1 true set" in result.notes[0]


def test_few_labels_on_a_very_long_chain_are_scored(tmp_path: Path) -> None:
    chain, truth, run = (tmp_path / name for name in ("chain.csv", "truth.csv", "run.csv"))
    chain.write_text("child,parent\n" + "".join(f"n{n + 1},n{n}\n" for n in range(16_000)))
    truth.write_text("id,labels\np1,n3\np2,n15900\np3,n0;n1\n")
    run.write_text("id,labels\np1,n3\np2,n5\np3,n0\n")
    done = call("score", truth, run, "--ontology", chain, "-m", "F")
    assert done.exit_code == 0, done.output
    shown = " ".join(done.output.split())
    assert "Sets that are not closed upwards (--close adds the ancestors): 2 of 3 in" in shown


# Rows, fields and texts of any length ------------------------------------------------------------------------

MIB = 2**20
LONG = "a" * (17 * MIB)
TURTLE = "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n<urn:a> rdfs:subClassOf <urn:b> ;\n"
RDF_XML = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    'xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"><rdf:Description rdf:about="urn:a"><rdfs:comment>'
)
ONTOLOGIES: dict[str, tuple[str, str | None]] = {
    "a field": (f"parent,child\na,{LONG}\n", None),
    "a field in quotes": (f'parent,child\na,"{LONG}"\n', None),
    "a row of levels": ("level1,level2\na," + "b" * 65 * MIB + "\n", None),
    "a path": (f"a/b\na/{LONG}\n", "paths"),
    "OBO": (f"format-version: 1.2\n[Term]\nid: X:1\ndef: {LONG}\n", None),
    "Turtle": (TURTLE + f'rdfs:comment "{LONG}" .\n', None),
    "Turtle with escapes": (TURTLE + 'rdfs:comment "' + ("a" * MIB + '\\"') * 17 + '" .\n', None),
    "Turtle in three quotes": (TURTLE + 'rdfs:comment """' + ("a" * MIB + '"\n') * 17 + '""" .\n', None),
    "N-Triples": (f'<urn:a> <http://www.w3.org/2000/01/rdf-schema#comment> "{LONG}" .\n', None),
    "RDF/XML": (
        RDF_XML + f"{LONG}</rdfs:comment></rdf:Description></rdf:RDF>",
        None,
    ),
    "RDF/XML in CDATA": (
        RDF_XML + f"<![CDATA[{'a<' * (9 * MIB)}]]></rdfs:comment></rdf:Description></rdf:RDF>",
        None,
    ),
    "RDF/XML between comments": (
        RDF_XML + f"{('a' * MIB + '<!-- -->') * 17}</rdfs:comment></rdf:Description></rdf:RDF>",
        None,
    ),
    "JSON": (json.dumps({"a": ["b", LONG]}), None),
    "JSON with escapes": ('{"a": ["' + ("a" * MIB + '\\"') * 17 + '"]}', None),
    "JSON-LD": (json.dumps({"@id": "urn:a", "urn:comment": LONG}), None),
}


@pytest.mark.parametrize("case", ONTOLOGIES)
def test_an_ontology_with_a_text_beyond_the_bound_is_refused(case: str, tmp_path: Path) -> None:
    content, form = ONTOLOGIES[case]
    path = tmp_path / "long"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"long, row \d: a \w+ of more than (16|64) MiB"):
        oe.read_ontology(path, input_format=form)  # type: ignore[arg-type] # they are all formats


LABELS = {
    "a field": f"id,labels\np1,sky\np2,{LONG}\n",
    "a field of many labels": "id,labels\np1,sky\np2," + "sky;" * (5 * MIB) + "sea\n",
    "a field between blanks": f"p1 1 0\np2 1 {LONG}\n",
    "a row": "id,a,b,c,d,e\np1,1,0,1,0,1\np2" + (",1" + "0" * 13 * MIB) * 5 + "\n",
    "a row in several lines": "id,a,b,c,d,e\np1,1,0,1,0,1\np2" + (',"1' + "\n0" * 7 * MIB + '"') * 5 + "\n",
    "ARFF": f"@relation x\n@attribute text string\n@attribute class hierarchical a,b\n@data\n'{LONG},',a\n",
    "JSON": json.dumps({"p1": ["sky"], "p2": [LONG]}),
    "JSON Lines": f'{{"id": "p1", "labels": ["sky"]}}\n{{"id": "p2", "labels": ["{LONG}"]}}\n',
}


@pytest.mark.parametrize("case", LABELS)
@pytest.mark.parametrize("packed", [False, True])
def test_labels_beyond_the_bounds_are_refused(case: str, packed: bool, tmp_path: Path) -> None:  # noqa: FBT001 - a case
    path = tmp_path / "long"
    data = LABELS[case].encode()
    path.write_bytes(gzip.compress(data, 1) if packed else data)
    options = {"input_format": "imageclef", "concepts": ["a", "b"]} if "blanks" in case else {}
    with pytest.raises(InputError, match=r"long, row \d: a \w+ of more than (16|64) MiB"):
        oe.read_labels(path, **options)  # type: ignore[arg-type] # as the reader has them
