"""Concepts as people write them: identifiers, labels in any case, synonyms and names of their own."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ontoeval as oe

OBO = """format-version: 1.2
ontology: go

[Term]
id: GO:0005575
name: cellular_component

[Term]
id: GO:0005634
name: nucleus
synonym: "cell nucleus" EXACT []
synonym: "karyon \\"K\\"" EXACT [GOC:x]
synonym: "organelle nucleus" BROAD []
synonym: "pronucleus" NARROW []
synonym: "mitochondrion" EXACT []
alt_id: GO:0005600
is_a: GO:0005575

[Term]
id: GO:0005739
name: mitochondrion
synonym: "mitochondria" EXACT [ISBN:1]
synonym: "power house" EXACT []
is_a: GO:0005575

[Term]
id: GO:0009536
name: plastid
synonym: "power house" EXACT []
is_a: GO:0005575

[Term]
id: GO:0000001
name: old thing
synonym: "cell nucleus" EXACT []
is_obsolete: true
"""

OWL = """@prefix : <http://purl.obolibrary.org/obo/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix oboInOwl: <http://www.geneontology.org/formats/oboInOwl#> .
:GO_0005575 a owl:Class ; rdfs:label "cellular_component" .
:GO_0005634 a owl:Class ; rdfs:subClassOf :GO_0005575 ; rdfs:label "nucleus"@en , "Zellkern"@de ;
    oboInOwl:hasExactSynonym "cell nucleus" ; oboInOwl:hasRelatedSynonym "karyon" ;
    oboInOwl:hasNarrowSynonym "pronucleus" .
:GO_0005739 a owl:Class ; rdfs:subClassOf :GO_0005575 ; rdfs:label "mitochondrion" ; skos:altLabel "mitochondria" .
"""

SKOS = """@prefix : <http://example.org/> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xl: <http://www.w3.org/2008/05/skos-xl#> .
:plants a skos:Concept ; skos:prefLabel "plants"@en .
:c1 a skos:Concept ; skos:broader :plants ; skos:prefLabel "spruce"@en , "Fichte"@de ; skos:notation "1.2" ;
    skos:altLabel "European  spruce"@en ; skos:hiddenLabel "sprucce" ; xl:altLabel :x .
:c2 a skos:Concept ; skos:broader :plants ; skos:prefLabel "pine"@en .
:x xl:literalForm "Picea"@la .
"""

NUCLEUS = ["GO_0005634", "GO:0005634", "http://purl.obolibrary.org/obo/GO_0005634", "Nucleus", "Cell Nucleus"]


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str, str], oe.Ontology]:
    def reader(text: str, name: str) -> oe.Ontology:
        (tmp_path / name).write_text(text, encoding="utf-8")
        return oe.read_ontology(tmp_path / name)

    return reader


@pytest.mark.parametrize(
    ("text", "name", "meant"),
    [
        (OBO, "go.obo", {**dict.fromkeys([*NUCLEUS, 'karyon "K"'], "GO_0005634"), "Mitochondrion": "GO_0005739"}),
        (OWL, "go.ttl", {**dict.fromkeys([*NUCLEUS, "zellkern"], "GO_0005634"), "mitochondria": "GO_0005739"}),
        (SKOS, "trees.ttl", dict.fromkeys(["1.2", "European spruce", "sprucce", "fichte", "picea"], "c1")),
    ],
)  # fmt: skip
def test_files_state_what_concepts_are_called(read: Any, text: str, name: str, meant: dict[str, str]) -> None:
    assert read(text, name).resolve_all(meant) == meant


def test_other_synonyms_are_no_names_and_shared_ones_are_refused(read: Any) -> None:
    for ontology, text in ((read(OBO, "go.obo"), "organelle nucleus"), (read(OWL, "go.ttl"), "karyon")):
        with pytest.raises(oe.errors.UnknownConceptError):
            ontology.resolve(text)
    with pytest.raises(
        oe.errors.AmbiguousNameError, match=r"'GO_0005739' \(mitochondrion\), 'GO_0009536' \(plastid\)"
    ):
        read(OBO, "go.obo").resolve("power house")
    with pytest.raises(oe.errors.UnknownConceptError, match="near: 'mitochondria'"):
        oe.evaluate([["mitochondrias"]], [[]], hierarchy=read(OBO, "go.obo"))


GRAPHS = """{"graphs": [{"nodes": [{"id": "http://purl.obolibrary.org/obo/GO_0005634", "lbl": "nucleus",
"type": "CLASS", "meta": {"synonyms": [{"pred": "hasNarrowSynonym", "val": "pronucleus"}]}}]}]}"""


@pytest.mark.parametrize(("text", "name"), [(OBO, "go.obo"), (OWL, "go.ttl"), (GRAPHS, "go.json")])
def test_an_unknown_label_that_is_a_narrow_synonym_names_its_concept(
    read: Any, text: str, name: str, tmp_path: Path
) -> None:
    (tmp_path / "run.csv").write_text("id,labels\na,Pronucleus\nb,nucleus\n", encoding="utf-8")
    with pytest.raises(
        oe.errors.UnknownConceptError, match="'Pronucleus' in row 2, a narrow synonym of 'nucleus'"
    ):
        oe.read_labels(tmp_path / "run.csv", read(text, name))


def test_a_message_suggests_each_concept_once(read: Any, tmp_path: Path) -> None:
    (tmp_path / "run.csv").write_text("id,labels\na,mitochondriu\nb,nucleus\n", encoding="utf-8")
    with pytest.raises(oe.errors.UnknownConceptError, match=r"\(near: '[^']+'\)\. "):
        oe.read_labels(tmp_path / "run.csv", read(OBO, "go.obo"))


ROWS = [["GO_0005634"], ["GO_0005739", "GO_0005634"], []]
SPELT = [["cell nucleus"], ["Mitochondria", "GO:0005634", "NUCLEUS"], []]


def wide(pandas: Any, nucleus: str, other: str) -> Any:
    return pandas.DataFrame({nucleus: [1, 1, 0], other: [0, 1, 0]}, index=["a", "b", "c"])


def forms() -> dict[str, Callable[[Any], tuple[Any, Any]]]:
    pandas = pytest.importorskip("pandas")
    plain = wide(pandas, "GO_0005634", "GO_0005739")
    long = {"image": ["a", "b", "b"], "label": ["nucleus", "mitochondria", "GO:0005634"]}
    ids = ["a", "b", "c"]
    return {
        "lists": lambda _: (ROWS, SPELT),
        "mapping": lambda _: (dict(zip(ids, ROWS, strict=True)), dict(zip(ids, SPELT, strict=True))),
        "columns": lambda _: (plain, wide(pandas, "cell nucleus", "GO:0005739")),
        "long": lambda _: (plain.iloc[:2], pandas.DataFrame(long)),
        "lists in cells": lambda _: (plain, pandas.Series(SPELT, index=ids)),
        "label sets": lambda _: (oe.LabelSets.from_sets(ROWS), oe.LabelSets.from_sets(SPELT)),
        "resolved": lambda h: (oe.LabelSets.from_sets(ROWS, vocabulary=h.label_vocabulary), SPELT),
    }  # fmt: skip


@pytest.mark.parametrize("form", ["lists", "mapping", "columns", "long", "lists in cells", "label sets", "resolved"])  # fmt: skip
def test_labels_in_memory_resolve_as_in_files(read: Any, form: str) -> None:
    hierarchy = read(OBO, "go.obo").hierarchy()
    truth, run = forms()[form](hierarchy)
    result = oe.evaluate(truth, run, hierarchy=hierarchy, measures=["ExactMatch", "OS"])
    assert list(result.scores.values()) == [1, 1]
    assert oe.align(truth, run, hierarchy=hierarchy).truth.vocabulary.names.labels["GO_0005634"] == "nucleus"
    compared = oe.compare(truth, {"a": run}, hierarchy=hierarchy, measures="F", baselines=(), resamples=10)
    assert compared.scores.tolist() == [[1]]
    confused = [oe.confusion_matrix(truth, side, hierarchy=hierarchy).matrix for side in (truth, run)]
    assert str(confused[0]) == str(confused[1])


def test_two_columns_of_one_concept_are_refused_by_their_titles(read: Any) -> None:
    pandas, ontology = pytest.importorskip("pandas"), read(OBO, "go.obo")
    for columns in (("nucleus", "GO:0005634"), ("GO_0005634", "cell nucleus")):
        with pytest.raises(
            oe.errors.InputError, match=r"columns .* and .* are both the concept 'GO_0005634'"
        ):
            oe.evaluate(wide(pandas, *columns), ROWS, hierarchy=ontology)
    scores = oe.LabelScores.from_array(np.ones((3, 2)), vocabulary=["nucleus", "GO:0005634"])
    with pytest.raises(oe.errors.InputError, match="both the concept"):
        oe.evaluate(ROWS, scores, hierarchy=ontology)


def test_weights_costs_and_annotators_are_named_as_people_name_concepts(read: Any) -> None:
    hierarchy = read(OBO, "go.obo").hierarchy()
    weights = {"nucleus": 1, "mitochondria": 2, "GO:0005575": 3, "plastid": 4}
    assert hierarchy.with_weight("w", weights).weights["w"].tolist() == [3, 1, 2, 4]
    with pytest.raises(oe.errors.InputError, match="'nucleus' and 'GO:0005634' are both the concept"):
        hierarchy.with_weight("w", {**weights, "GO:0005634": 1})
    same = oe.concepts.cost_between(hierarchy, "GO_0005634", "GO_0005739")
    assert oe.concepts.cost_between(hierarchy, "nucleus", "GO:0005739") == same
    said = oe.agreement({"Ann": ROWS, "Bob": SPELT}, hierarchy=hierarchy, resamples=20)
    assert said.weights().items() >= {"GO_0005634": 1, "GO_0005739": 1}.items()
    assert oe.LabelSets.from_sets(SPELT).closed(hierarchy).labels_of("0") == ("GO_0005575", "GO_0005634")
    assert str(oe.explain(ROWS, SPELT, "1", hierarchy=hierarchy)) == str(
        oe.explain(ROWS, ROWS, "1", hierarchy=hierarchy)
    )


def test_graphs_of_other_libraries_keep_their_labels(tmp_path: Path) -> None:
    path = tmp_path / "go.obo"
    path.write_text(OBO, encoding="utf-8")
    made = {
        "obonet": lambda library: library.read_obo(path),
        "pronto": lambda library: library.Ontology(path),
        "nxontology.imports": lambda library: library.from_file(path),
    }
    tried = 0
    for name, reader in made.items():
        try:
            library = importlib.import_module(name)
        except ImportError:
            continue
        graph, tried = reader(library), tried + 1
        spelt = ["GO:0005634", "Nucleus", "GO_0005634", NUCLEUS[2], *(["cell nucleus", "GO:0005600"] if tried < 2 else [])]  # fmt: skip
        for text in spelt:
            assert oe.evaluate([["GO:0005634"]], [[text]], hierarchy=graph)["F"] == 1, (name, text)
    if not tried:
        pytest.skip("none of the libraries is installed")


def test_networkx_and_edges_may_have_labels() -> None:
    nx = pytest.importorskip("networkx")
    graph = nx.DiGraph([("p", "t"), ("p", "f")])
    graph.nodes["t"].update(label="trees", iri="http://example.org/T1")
    edges = oe.Hierarchy.from_edges(graph.edges, labels={"t": "trees"})
    for hierarchy, text in ((graph, "Trees"), (graph, "T1"), (edges, "TREES")):
        assert oe.evaluate([["t"]], [[text]], hierarchy=hierarchy)["F"] == 1
    with pytest.raises(oe.errors.UnknownConceptError, match="'x' in `labels`"):
        oe.Hierarchy.from_edges(graph.edges, labels={"x": "trees"})


SSSOM = """#curie_map:
#  GO: http://purl.obolibrary.org/obo/GO_
#  EX: "http://example.org/"
subject_id\tsubject_label\tpredicate_id\tobject_id
MY:1\tkernel\tskos:exactMatch\tGO:0005634
MY:2\tplant\tskos:broadMatch\tGO:0009536
MY:3\t\towl:equivalentClass\tEX:other
"""


def test_own_names_mean_concepts_by_a_map_or_a_file_of_sssom(read: Any, tmp_path: Path) -> None:
    path, labels = tmp_path / "own.sssom.tsv", tmp_path / "labels.csv"
    path.write_text(SSSOM, encoding="utf-8")
    labels.write_text("id,label\n0,kernel\n1,MY:1\n", encoding="utf-8")
    ontology, expected = read(OBO, "go.obo"), {"MY:1": "GO:0005634", "kernel": "GO:0005634"}
    assert dict(oe.labels.read_concept_map(path)) == expected | {"MY:3": "http://example.org/other"}
    file = oe.labels.read_label_file(
        labels, ontology, oe.labels.LabelReading(oe.labels.NameOptions(concept_map=path))
    )
    assert file.sets.labels_of("0") == file.sets.labels_of("1") == ("GO_0005634",)
    assert "left out 1 mapping of terms that are not equal: 'skos:broadMatch (1)'" in file.notes[-1]
    hierarchy = (
        ontology.hierarchy().with_names(oe.labels.read_concept_map(path)).with_names({"plastid": "nucleus"})
    )
    truth = [["GO:0005634"]] * 3
    assert oe.evaluate(truth, [["kernel"], ["MY:1"], ["plastid"]], hierarchy=hierarchy)["F"] == 1
    assert hierarchy.vocabulary.names.written == {"GO_0005634": ("MY:1", "kernel", "plastid")}
    assert hierarchy.digest == ontology.hierarchy().digest
    with pytest.raises(oe.errors.UnknownConceptError, match=r"named for 'http://example.org/other'"):
        oe.evaluate(truth, [["MY:3"]] * 3, hierarchy=hierarchy)
    path.write_text(
        SSSOM.replace("exactMatch", "closeMatch").replace("equivalentClass", "x"), encoding="utf-8"
    )
    with pytest.raises(oe.errors.InputError, match="none of its 3 mappings says that terms are equal"):
        oe.labels.read_concept_map(path)
