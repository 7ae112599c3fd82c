"""Random hierarchies with rules, written in every syntax of RDF by rdflib, and read again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import rdflib
from hypothesis import given, settings
from hypothesis import strategies as st
from rdflib import OWL, RDF, RDFS, SKOS
from rdflib.collection import Collection

import ontoeval as oe
from ontoeval.ontology.file_formats import OntologyFormat
from tests.strategies import Graph, exclusions, graphs, requirements

PHOTO = rdflib.Namespace("http://example.org/photo#")
SYNTAXES: dict[str, OntologyFormat] = {
    "turtle": "turtle",
    "longturtle": "turtle",
    "pretty-xml": "rdfxml",
    "xml": "rdfxml",
    "nt": "ntriples",
    "json-ld": "jsonld",
    "n3": "n3",
    "trig": "trig",
    "nquads": "nquads",
}
Rules = tuple[tuple[tuple[str, str], ...], tuple[tuple[str, frozenset[str]], ...]]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("written") / "photo"


def listed(graph: rdflib.Graph, names: list[str]) -> rdflib.BNode:
    """Write a list of classes."""
    head = rdflib.BNode()
    Collection(graph, head, [PHOTO[name] for name in names])
    return head


def classes(graph: Graph, excluded: Rules, forms: tuple[bool, ...]) -> rdflib.Graph:
    """Write a hierarchy as classes of OWL; `forms` chooses between the axioms that say the same."""
    written = rdflib.Graph()
    as_intersection, as_list, alone = forms
    for name in graph.names:
        written.add((PHOTO[name], RDF.type, OWL.Class))
    for parent, child in graph.edges:
        if as_intersection:
            expression = rdflib.BNode()
            written.add((PHOTO[child], OWL.equivalentClass, expression))
            written.add((expression, OWL.intersectionOf, listed(written, [parent])))
        else:
            written.add((PHOTO[child], RDFS.subClassOf, PHOTO[parent]))
    for pair in excluded[0]:
        if as_list:
            axiom = rdflib.BNode()
            written.add((axiom, RDF.type, OWL.AllDisjointClasses))
            written.add((axiom, OWL.members, listed(written, sorted(pair))))
        else:
            written.add((PHOTO[pair[0]], OWL.disjointWith, PHOTO[pair[1]]))
    for concept, any_of in excluded[1]:
        restriction, filler = rdflib.BNode(), rdflib.BNode()
        written.add((PHOTO[concept], RDFS.subClassOf, restriction))
        written.add((restriction, OWL.onProperty, PHOTO.shows))
        if len(any_of) == 1 and alone:
            written.add((restriction, OWL.someValuesFrom, PHOTO[min(any_of)]))
        else:
            written.add((restriction, OWL.someValuesFrom, filler))
            written.add((filler, OWL.unionOf, listed(written, sorted(any_of))))
    return written


def concepts(graph: Graph, directions: list[bool]) -> rdflib.Graph:
    """Write a hierarchy as concepts of SKOS, each link from below or from above."""
    written = rdflib.Graph()
    for name in graph.names:
        written.add((PHOTO[name], RDF.type, SKOS.Concept))
    for (parent, child), upward in zip(graph.edges, directions, strict=False):
        if upward:
            written.add((PHOTO[child], SKOS.broader, PHOTO[parent]))
        else:
            written.add((PHOTO[parent], SKOS.narrower, PHOTO[child]))
    return written


def content_of(hierarchy: oe.Hierarchy) -> tuple[object, ...]:
    parents = hierarchy.parents.tocoo()
    ends = sorted(zip(parents.col.tolist(), parents.row.tolist(), strict=True))
    rules = (*hierarchy.exclusions, *hierarchy.requirements)
    return hierarchy.vocabulary.concepts, ends, sorted(map(str, rules))


def text_of(written: rdflib.Graph, syntax: str) -> str:
    """Write a graph; in N-Quads and TriG with a name."""
    if syntax == "nquads":
        return written.serialize(format="nt").replace(" .\n", " <urn:graph> .\n")
    if syntax == "trig":
        rows = written.serialize(format="turtle").splitlines()
        prefixes = [row for row in rows if row.startswith("@prefix")]
        return "\n".join([*prefixes, "<urn:graph> {", *rows[len(prefixes) :], "}"])
    return written.serialize(format=syntax)


def read_back(path: Path, written: rdflib.Graph, syntax: str) -> list[oe.Ontology]:
    """Read a file whose syntax is found out, and where it is as certain, with its syntax named."""
    path.write_text(text_of(written, syntax), encoding="utf-8")
    ontologies = [oe.read_ontology(path)]
    if syntax in {"turtle", "pretty-xml", "nt", "json-ld"}:
        found = SYNTAXES[syntax]
        ontologies.append(oe.read_ontology(path, input_format=found))
        assert {ontology.source.format for ontology in ontologies} == {ontologies[-1].source.format}
    return ontologies


@pytest.mark.filterwarnings("ignore:Assertions on")  # rdflib's writer of RDF/XML, of every list
@pytest.mark.parametrize("syntax", SYNTAXES)
@settings(max_examples=15)
@given(data=st.data(), graph=graphs(max_nodes=8))
def test_classes_with_rules_are_the_same_in_every_syntax(
    path: Path, syntax: str, data: st.DataObject, graph: Graph
) -> None:
    excluded = data.draw(exclusions(graph))
    required = data.draw(requirements(graph))
    forms = data.draw(st.tuples(*[st.booleans()] * 3))
    expected = oe.Hierarchy.from_edges(
        graph.edges,
        concepts=graph.names,
        exclusions=[oe.core.Exclusion(*pair) for pair in excluded],
        requirements=[oe.core.Requirement(concept, tuple(sorted(any_of))) for concept, any_of in required],
    )
    for ontology in read_back(path, classes(graph, (excluded, required), forms), syntax):
        assert content_of(ontology.hierarchy()) == content_of(expected)
        assert {need.relation for need in ontology.requirements} <= {"shows"}


@pytest.mark.parametrize("syntax", ["turtle", "pretty-xml", "nt", "json-ld"])
@settings(max_examples=15)
@given(data=st.data(), graph=graphs(max_nodes=8))
def test_skos_concepts_are_the_same_in_every_syntax(
    path: Path, syntax: str, data: st.DataObject, graph: Graph
) -> None:
    count = len(graph.edges)
    directions = data.draw(st.lists(st.booleans(), min_size=count, max_size=count))
    expected = oe.Hierarchy.from_edges(graph.edges, concepts=graph.names)
    for ontology in read_back(path, concepts(graph, directions), syntax):
        assert content_of(ontology.hierarchy()) == content_of(expected)


@given(graph=graphs(max_nodes=8))
def test_all_transitive_links_of_a_hierarchy_are_the_hierarchy_without_its_shortcuts(
    path: Path, graph: Graph
) -> None:
    written = rdflib.Graph()
    for name in graph.names:
        written.add((PHOTO[name], RDF.type, SKOS.Concept))
        for below in graph.below(name) - {name}:
            written.add((PHOTO[below], SKOS.broaderTransitive, PHOTO[name]))
    path.write_bytes(written.serialize(format="turtle", encoding="utf-8"))
    read, whole = (
        oe.read_ontology(path).hierarchy(),
        oe.Hierarchy.from_edges(graph.edges, concepts=graph.names),
    )
    assert np.array_equal(read.ancestors.toarray(), whole.ancestors.toarray())
    assert read.parents.nnz <= whole.parents.nnz
