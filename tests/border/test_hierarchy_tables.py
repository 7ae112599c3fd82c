"""Hierarchies in tables and JSON: what is recognised is read right, or refused with file and row."""

from __future__ import annotations

import codecs
import gzip
import json
import re
from io import StringIO
from itertools import pairwise
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.errors import InputError, OntoevalError
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


def test_the_taxonomy_of_ncbi_is_read_with_its_names(tmp_path: Path) -> None:
    nodes, names, labels = (tmp_path / name for name in ("nodes.dmp", "names.dmp", "labels.csv"))
    rows = (f"{own}\t|\t{above}\t|\trank\t|\t\t|\t0\t|\n" for own, above in [(1, 1), (2, 1), (9, 1), (12, 2)])
    nodes.write_text("".join(rows))
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


@pytest.mark.parametrize(("chain", "notes"), [("poodle dog animal", 1), ("animal dog poodle", 0)])
def test_a_chain_whose_root_is_used_as_the_most_specific_concept_is_noted(chain: str, notes: int) -> None:
    links, true, predicted = [*pairwise(chain.split())], [["poodle"], ["dog"]], [["dog"], ["animal"]]
    result = oe.evaluate(true, predicted, hierarchy=links, measures="hF")
    told = ["its root 'poodle' is the only label of 1 true set" in note for note in result.cautions]
    assert told == [True] * notes


def test_few_labels_on_a_very_long_chain_are_scored(tmp_path: Path) -> None:
    chain, truth, run = (tmp_path / name for name in ("chain.csv", "truth.csv", "run.csv"))
    chain.write_text("child,parent\n" + "".join(f"n{n + 1},n{n}\n" for n in range(16_000)))
    truth.write_text("id,labels\np1,n3\np2,n15900\np3,n0;n1\n")
    run.write_text("id,labels\np1,n3\np2,n5\np3,n0\n")
    shown = " ".join(call("score", truth, run, "--ontology", chain, "-m", "F").output.split())
    assert "Sets lacking ancestors (hF adds them; for others --close or .closed()): 2 of 3 in" in shown


# Rows, fields and texts of any length ------------------------------------------------------------------------

MIB = 2**20
LONG = "a" * (17 * MIB)
TURTLE = "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n<urn:a> rdfs:subClassOf <urn:b> ;\n"
RDF_XML = (
    '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
    'xmlns:rdfs="http://www.w3.org/2000/01/rdf-schema#"><rdf:Description rdf:about="urn:a"><rdfs:comment>'
)
END = "</rdfs:comment></rdf:Description></rdf:RDF>"
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
    "RDF/XML": (RDF_XML + LONG + END, None),
    "RDF/XML in CDATA": (f"{RDF_XML}<![CDATA[{'a<' * (9 * MIB)}]]>{END}", None),
    "RDF/XML between comments": (RDF_XML + ("a" * MIB + "<!-- -->") * 17 + END, None),
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


TABLES = (  # rows, here between |, with the links that they are and what the report or the refusal says
    ("code,title,kind,part_of|A,a,x,|B,b,y,A|C,c,y,A", "A>B A>C", "'part_of'"),
    ("code,title,kind,level of|A,a,x,|B,b,y,A|C,c,y,A", "A>B A>C", "child 'code', parent 'level of'"),
    ("kod;titel;ober|B;x, y;A|C;x;A|D;z;B|E;z;B|A;z;", "A>B A>C B>D B>E", "child 'kod', parent 'ober'"),
    ("kod,titel,ober|A,a,|B,b,A|C,c,A|D,d,B;C", "A>B A>C B>D C>D", "several parents"),
    (
        "kod,titel,ober|A,a,B|B,b,A|C,c,A",
        "",
        "1 cycle, child -> parent: A -> B -> A.*child 'kod', parent 'ober'",
    ),
    ("kod,titel,a,b|A,t,,|B,t,A,A|C,t,A,A|D,t,B,A", "", "'kod' → 'child', 'a' → 'parent' or 'kod' → .*'b'"),
    ("team,guest,score|A,B,1|B,A,2|A,C,3|C,A,1", "", "'guest' → 'child', 'team' → 'parent' or"),
    (
        "oben,unten|A,B|A,C|B,D|B,E",
        "A>B A>C B>D B>E",
        "'unten', parent 'oben'(.*\n)*used but not declared +1 +A",
    ),
    ("id,parent_id,name|1,0,a|2,1.0,b|3,1.0,c", "1>2 1>3", "'0' as a parent, which stands for none"),
    ("id,parent_id,name|1,1,a|2,1,b|3,1,c", "1>2 1>3", "of a concept to itself"),
    ("nr,obernr,level|1,,1|2,1.0,2|3,1.0,2", "1>2 1>3", "child 'nr', parent 'obernr'"),
    ("nr,name,level|1,a,1|2,b,2|3,c,2|4,d,3", "", "call the column of the concepts 'child'"),
    *((f"t,{x}|a,A,|b,B,A|c,C,A", "", "not rec") for x in "n,replaced_by n,nearest n,to_id en,de".split()),
    ("name,short name,x|a,a,1|ab,a,2|ac,a,3", "", "not recognised"),
    ("photo,camera,site|A,x,1|B,x,2|C,y,2", "", "not recognised"),
    ("id,labels|A,x|B,x|C,A", "", "does not say which column holds the parents"),
    ("item,itemLabel,superclass,superclassLabel|x:1,dog,x:2,pet", "x:2>x:1", "labels in no language +2"),
    ("taxon,belongs to|magpie,crows|rook,crows|owl,owls", "crows>magpie crows>rook owls>owl", "'belongs to'"),
)


@pytest.mark.parametrize(("rows", "links", "words"), TABLES)
def test_columns_of_links_are_found_by_titles_or_by_what_they_hold(rows: str, links: str, words: str) -> None:
    try:
        taxa = oe.read_ontology(StringIO(rows.replace("|", "\n")))
        found, told = " ".join(sorted(map(">".join, taxa.graph.edges))), str(taxa.report)
    except OntoevalError as error:
        found, told = "", str(error)
    assert (found, re.search(words, told) is not None) == (links, True), told


def test_columns_that_were_found_are_told(tmp_path: Path) -> None:
    path, labels = tmp_path / "taxa.csv", tmp_path / "labels.csv"
    path.write_text(TABLES[2][0].replace("|", "\n"))
    labels.write_text("id,labels\np1,D\n")
    note = "columns found by what they hold: child 'kod', parent 'ober'"
    assert note in str(oe.evaluate([["D"]], [["B"]], hierarchy=path, measures="hF").notes)
    for command in (["ontology", path], ["audit", path], ["score", labels, labels, "--ontology", path]):
        assert note in " ".join(call(*command).output.split()).replace(" │ ", " "), command
