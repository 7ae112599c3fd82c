"""OBO Graphs: what OBO says, as JSON."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from ontoeval.ontology.json_values import Json, Node, name_in, object_in, objects_in
from ontoeval.ontology.names import local_name
from ontoeval.ontology.told import Told, ToldRequirement
from ontoeval.ontology.triples import Text, whole

_IS_A = "is_a"
_REPLACED_BY = "http://purl.obolibrary.org/obo/IAO_0100001"
_OF_PROPERTIES = frozenset({"subPropertyOf", "inverseOf", "type"})


def is_obo_graphs(document: Json) -> bool:
    """Tell whether this is OBO Graphs JSON."""
    graphs = document.get("graphs") if isinstance(document, dict) else None
    return isinstance(graphs, list) and any(isinstance(graph, dict) and "nodes" in graph for graph in graphs)


def read_obo_graphs(document: Json, *, where: str) -> Told:
    """Read the classes of OBO Graphs JSON, as `ontoeval.ontology.obo.read_obo` reads the terms of OBO."""
    told = Told("OBO Graphs", plain=False)
    for graph in objects_in(document["graphs"], "graphs", where=where):
        reader = _Reader(told, where)
        reader.read_head(graph)
        others = reader.read_nodes(reader.parts(graph, "nodes"))
        for edge in reader.parts(graph, "edges"):
            ends = [reader.name(edge, "edge", key) for key in ("sub", "pred", "obj")]
            if others.isdisjoint(ends[::2]) and ends[1] not in _OF_PROPERTIES:
                reader.relate(*ends, kind=_IS_A)
        for axiom in reader.parts(graph, "logicalDefinitionAxioms"):
            concept = reader.name(axiom, "axiom", "definedClassId")
            for genus in reader.names(axiom, "genusIds"):
                reader.relate(concept, _IS_A, genus, kind="genusIds")
            for part in reader.parts(axiom, "restrictions"):
                relation, filler = (
                    reader.name(part, "restriction", key) for key in ("propertyId", "fillerId")
                )
                reader.relate(concept, relation, filler, kind=_IS_A)
        for equal in reader.parts(graph, "equivalentNodesSets"):
            known = told.concepts.keys() & reader.names(equal, "nodeIds")
            told.equivalents |= set(pairwise(sorted(known)))
    return told


@dataclass(frozen=True)
class _Reader:
    """Notes what a graph says."""

    told: Told
    where: str

    def parts(self, item: Node, key: str) -> list[Node]:
        """List the objects under a key, which may be missing."""
        return objects_in(item.get(key) or [], key, where=self.where)

    def name(self, item: Node, what: str, key: str) -> str:
        """Take a name that must be there."""
        return name_in(item.get(key), f"{key!r} of an {what}", where=self.where)

    def names(self, item: Node, key: str) -> list[str]:
        """Take the names under a key, which may be missing."""
        value = item.get(key) or []
        if not isinstance(value, list):
            value = [value]
        return [name_in(name, f"a name in {key!r}", where=self.where) for name in value]

    def read_head(self, graph: Node) -> None:
        """Read what the ontology says of itself."""
        meta = object_in(graph.get("meta"))
        self.told.iri = self.told.iri or whole(str(graph.get("id") or ""))
        self.told.version = self.told.version or whole(str(meta.get("version") or ""))

    def read_nodes(self, nodes: list[Node]) -> set[str]:
        """Read the classes, and list what is none."""
        told = self.told
        others = set()
        for node in nodes:
            concept, meta = self.name(node, "object of nodes", "id"), object_in(node.get("meta"))
            if node.get("type") != "CLASS":
                others |= {concept} if node.get("type") else set()
                if isinstance(node.get("lbl"), str):
                    told.called[local_name(concept)] |= {concept, whole(node["lbl"])}
                continue
            told.concepts.setdefault(concept)
            if isinstance(node.get("lbl"), str):
                told.labels[concept] = [[Text(whole(node["lbl"]))]]
            if meta.get("deprecated") is True:
                told.deprecated.add(concept)
            values = self.parts(meta, "basicPropertyValues")
            successors = {
                whole(str(value.get("val"))) for value in values if value.get("pred") == _REPLACED_BY
            }
            if successors:
                told.note_replaced(concept, successors)
        return others

    def relate(self, concept: str, relation: str, other: str, *, kind: str) -> None:
        """Note a link, or another relation."""
        told = self.told
        if relation != _IS_A:
            need = ToldRequirement(concept, (other,), local_name(relation), precondition=False)
            told.requirements[need] = None
            told.called[need.relation].add(relation)
            return
        for end in (other, concept):
            told.use(end)
        if concept == other:
            told.self_links.add(concept)
        else:
            told.link(other, concept, kind)
