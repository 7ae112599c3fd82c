"""Information content and similarities are those of nxontology, where it computes the same."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

import ontoeval as oe
from ontoeval.concepts.information import weight_by_name
from tests.laws.cases import fewer
from tests.strategies import Graph, graphs

nxontology = pytest.importorskip("nxontology")

KINDS = {"intrinsic_ic": "resnik", "intrinsic_ic_scaled": "seco", "intrinsic_ic_sanchez": "sanchez(own-leaf)"}
MEASURES = {"resnik": "resnik", "lin": "lin", "jiang": "jiang-conrath"}


def theirs(graph: Graph) -> Any:
    """The hierarchy there."""
    ontology = nxontology.NXOntology()
    ontology.graph.add_nodes_from(graph.names)
    ontology.graph.add_edges_from(graph.edges)
    ontology.freeze()
    return ontology


def ours(graph: Graph) -> oe.Hierarchy:
    """The hierarchy here."""
    return oe.Hierarchy.from_edges(graph.edges, concepts=graph.names)


@fewer
@given(graph=graphs(max_nodes=8).filter(lambda graph: len(graph.names) > 1))  # alone a concept is 0/0 there
def test_intrinsic_information_agrees(graph: Graph) -> None:
    their, our = theirs(graph), ours(graph)
    for kind, name in KINDS.items():
        expected = [getattr(their.node_info(concept), kind) for concept in graph.names]
        assert weight_by_name(our, name) == pytest.approx(expected, abs=1e-12)


@fewer
@given(graph=graphs(max_nodes=6).filter(lambda graph: len(graph.names) > 1))
def test_similarities_agree(graph: Graph) -> None:
    """Concepts without a common ancestor are compared as if a root that says nothing lay above them."""
    their, our = theirs(graph), ours(graph)
    for one in graph.names:
        for other in graph.names:
            for kind in ("intrinsic_ic", "intrinsic_ic_sanchez"):
                pair = their.similarity(one, other, ic_metric=kind)
                for name, measure in MEASURES.items():
                    if name == "lin" and not pair.common_ancestors and pair.node_0_ic == pair.node_1_ic == 0:
                        continue  # see the next test
                    found = oe.concepts.similarity(our, one, other, measure=measure, information=KINDS[kind])  # type: ignore[arg-type]
                    assert found == pytest.approx(getattr(pair, name), abs=1e-12), (one, other, measure)
            assert oe.concepts.similarity(our, one, other, measure="batet") == pytest.approx(pair.batet)
            if one != other:
                cost = oe.concepts.cost_between(our, one, other, cost="jiang-conrath(resnik)")
                most = max(their.node_info(concept).intrinsic_ic_scaled for concept in graph.names)
                scaled = their.similarity(one, other, ic_metric="intrinsic_ic").jiang_seco
                assert 1 - cost * most == pytest.approx(scaled)


def test_two_roots_that_say_nothing_are_alike_there_and_apart_here() -> None:
    """Lin's 0/0 is 1 there for any two concepts, here for those that have a common ancestor."""
    graph = Graph(("a", "b", "c"), (("a", "c"), ("b", "c")))
    assert theirs(graph).similarity("a", "b", ic_metric="intrinsic_ic_sanchez").lin == 1
    assert weight_by_name(ours(graph), "sanchez(own-leaf)").tolist() == [0, 0, pytest.approx(0.40546511)]
    assert oe.concepts.similarity(ours(graph), "a", "b", information="sanchez(own-leaf)") == 0
