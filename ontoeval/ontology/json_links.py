"""Node-link JSON, as networkx and others write graphs."""

from __future__ import annotations

from ontoeval.core.ontology_formats import Direction
from ontoeval.errors import InputError, listed
from ontoeval.ontology.json_nodes import note_nodes
from ontoeval.ontology.json_values import Json, Node, name_if_any, name_in, object_in, objects_in, shown
from ontoeval.ontology.told import Told, ToldRequirement

_IS_A = frozenset({"is_a", "isa", "subclassof", "rdfs:subclassof"})
_PAIR = 2


def is_node_link(document: Json) -> bool:
    """Tell whether this is node-link JSON."""
    return isinstance(document, dict) and "nodes" in document and bool(document.keys() & {"links", "edges"})


def read_node_link(
    document: Json,
    *,
    where: str,
    direction: Direction | None = None,
) -> Told:
    """Read node-link JSON: the source of a link is the parent, its target the child.

    Where links have keys and some of these are "is_a", as obonet makes them, sources are children,
    and other keys are relations. Under "graph" the file may state ``exclusions``, a list of pairs,
    and ``requirements``, a list of objects with ``concept`` and ``any_of``.
    """
    if document.get("directed") is False and direction is None:
        raise InputError(
            "this graph says that it is not directed, so parents cannot be told from children",
            "If its links lead from one to the other all the same, name their direction: parent-child or "
            "child-parent.",
            where=where,
        )
    form = "links" if "links" in document else "edges"
    links = objects_in(document[form], form, where=where)
    related = _have_relations(links)
    upward = direction == "child-parent" or (direction is None and related)
    told = Told(f"node-link JSON: the source of a link is the {'child' if upward else 'parent'}")
    described = note_nodes(told, objects_in(document["nodes"], "nodes", where=where), where=where)
    nodes = [name for name, _ in described]
    for (source, target), link in zip(_ends(links, nodes, where=where), links, strict=True):
        parent, child = (target, source) if upward else (source, target)
        if not related or link["key"].casefold() in _IS_A:
            told.add(parent, child, link["key"] if related else form)
        else:
            need = ToldRequirement(child, (parent,), link["key"], precondition=False)
            told.requirements[need] = None
    told.undeclared = told.concepts.keys() - set(nodes)
    _read_rules(document.get("graph"), told, where=where)
    return told


def _have_relations(links: list[Node]) -> bool:
    """Tell whether the links have keys that say what they mean."""
    keys = [link.get("key") for link in links]
    texts = [key.casefold() for key in keys if isinstance(key, str)]
    return len(texts) == len(keys) and not _IS_A.isdisjoint(texts)


def _ends(links: list[Node], nodes: list[str], *, where: str) -> list[list[str]]:
    """List source and target of each link."""
    titles = ("from", "to") if links and all("from" in link for link in links) else ("source", "target")
    ends = [
        [name_in(link.get(end), f"{end!r} of link {number:,}", where=where) for end in titles]
        for number, link in enumerate(links, 1)
    ]
    known = set(nodes)
    # Versions of networkx before 2 and of d3 before 4 number the nodes instead of naming them.
    numbers = {str(number): name for number, name in enumerate(nodes)}
    met = {end for pair in ends for end in pair}
    if met <= known or not met <= numbers.keys():
        return ends
    if not known.isdisjoint(met):
        raise InputError(
            f"the links name {listed(sorted(met - known))}, which is no node: by identifiers it is missing, "
            "while positions, which count from 0, would fit",
            "Add the node, or name the nodes by texts.",
            where=where,
        )
    return [[numbers[end] for end in pair] for pair in ends]


def _read_rules(graph: object, told: Told, *, where: str) -> None:
    """Read exclusions and requirements among the attributes of the graph."""
    attributes = object_in(graph)
    exclusions = attributes.get("exclusions", [])
    for pair in exclusions if isinstance(exclusions, list) else [exclusions]:
        if not isinstance(pair, list) or len(pair) != _PAIR:
            raise _no_rule("exclusions", pair, '["summer", "winter"]', where=where)
        one, other = (_known(name, "exclusions", told, where=where) for name in pair)
        told.exclude([one], [other], "exclusions")
    for rule in objects_in(attributes.get("requirements", []), "requirements", where=where):
        any_of = rule.get("any_of")
        if not isinstance(any_of, list) or not any_of:
            example = '{"concept": "portrait", "any_of": ["person", "animal"]}'
            raise _no_rule("requirements", rule, example, where=where)
        concept, *others = (
            _known(name, "requirements", told, where=where) for name in (rule.get("concept"), *any_of)
        )
        need = ToldRequirement(
            concept,
            tuple(sorted(others)),
            name_if_any(rule.get("relation"), "'relation' in 'requirements'", where=where),
            rule.get("precondition") is not False,
        )
        told.requirements[need] = None


def _known(value: object, what: str, told: Told, *, where: str) -> str:
    name = name_in(value, f"a concept in {what!r}", where=where)
    if name not in told.concepts:
        raise InputError(
            f"{what!r} speak of {name!r}, which is no node", "Correct it, or add the node.", where=where
        )
    return name


def _no_rule(what: str, value: object, example: str, *, where: str) -> InputError:
    return InputError(f"{what!r} hold {shown(value)}", f"Write each as {example}.", where=where)
