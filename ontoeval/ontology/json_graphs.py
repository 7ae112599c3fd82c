"""Hierarchies in JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from ontoeval.core.json_text import load
from ontoeval.core.ontology_formats import Direction
from ontoeval.errors import InputError, ParameterError, listed
from ontoeval.ontology.names import local_name
from ontoeval.ontology.raw_ontology import RawOntology, RawRequirement
from ontoeval.ontology.tables import CHILDREN, FEWEST, RANKS, follow_levels, has_titles, layout, read_titled
from ontoeval.ontology.triples import Text, whole

Json = Any
"""Whatever JSON holds."""

Node = dict[str, Any]
"""An object of JSON."""


def shown(value: object) -> str:
    """Describe a value in a few words."""
    if isinstance(value, dict):
        return f"an object with the keys {listed(value)}" if value else "an empty object"
    if isinstance(value, list):
        return f"a list of {len(value):,}"
    return json.dumps(value, ensure_ascii=False)[:60]


def name_in(value: object, what: str, *, where: str) -> str:
    """Take the name of a concept: a text or a whole number."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str) and value.strip():
        return whole(value.strip())
    raise InputError(f"{what} is {shown(value)}", "Name concepts by texts or whole numbers.", where=where)


def name_if_any(value: object, what: str, *, where: str) -> str:
    """Take a name as `name_in` does, or an empty text where there is none."""
    return "" if value in (None, "") else name_in(value, what, where=where)


def object_in(value: object) -> Node:
    """Take an object, or an empty one where there is none."""
    return value if isinstance(value, dict) else {}


def objects_in(value: object, what: str, *, where: str) -> list[Node]:
    """Take a list of objects."""
    if not isinstance(value, list):
        raise InputError(f"{what!r} is {shown(value)}", "Write a list of objects.", where=where)
    for item in value:
        if not isinstance(item, dict):
            raise InputError(f"{what!r} holds {shown(item)}", "Write a list of objects.", where=where)
    return value


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
) -> RawOntology:
    """Read node-link JSON: the source of a link is the parent, its target the child.

    Where links have keys and some of these are "is_a", as obonet makes them, sources are children,
    and other keys are relations. Under "graph" the file may state ``exclusions``, a list of pairs,
    and ``requirements``, a list of objects with ``concept`` and ``any_of``.
    """
    if document.get("directed") is False and direction is None:
        raise InputError(
            "this graph says that it is not directed, so parents cannot be raw from children",
            "If its links lead from one to the other all the same, name their direction: parent-child or "
            "child-parent.",
            where=where,
        )
    form = "links" if "links" in document else "edges"
    links = objects_in(document[form], form, where=where)
    related = _have_relations(links)
    upward = direction == "child-parent" or (direction is None and related)
    raw = RawOntology(f"node-link JSON: the source of a link is the {'child' if upward else 'parent'}")
    described = note_nodes(raw, objects_in(document["nodes"], "nodes", where=where), where=where)
    nodes = [name for name, _ in described]
    for (source, target), link in zip(_ends(links, nodes, where=where), links, strict=True):
        parent, child = (target, source) if upward else (source, target)
        if not related or link["key"].casefold() in _IS_A:
            raw.add(parent, child, link["key"] if related else form)
        else:
            need = RawRequirement(child, (parent,), link["key"], precondition=False)
            raw.requirements[need] = None
    raw.undeclared = raw.concepts.keys() - set(nodes)
    _read_rules(document.get("graph"), raw, where=where)
    return raw


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


def _read_rules(graph: object, raw: RawOntology, *, where: str) -> None:
    """Read exclusions and requirements among the attributes of the graph."""
    attributes = object_in(graph)
    exclusions = attributes.get("exclusions", [])
    for pair in exclusions if isinstance(exclusions, list) else [exclusions]:
        if not isinstance(pair, list) or len(pair) != _PAIR:
            raise _no_rule("exclusions", pair, '["summer", "winter"]', where=where)
        one, other = (_known(name, "exclusions", raw, where=where) for name in pair)
        raw.exclude([one], [other], "exclusions")
    for rule in objects_in(attributes.get("requirements", []), "requirements", where=where):
        any_of = rule.get("any_of")
        if not isinstance(any_of, list) or not any_of:
            example = '{"concept": "portrait", "any_of": ["person", "animal"]}'
            raise _no_rule("requirements", rule, example, where=where)
        concept, *others = (
            _known(name, "requirements", raw, where=where) for name in (rule.get("concept"), *any_of)
        )
        need = RawRequirement(
            concept,
            tuple(sorted(others)),
            name_if_any(rule.get("relation"), "'relation' in 'requirements'", where=where),
            rule.get("precondition") is not False,
        )
        raw.requirements[need] = None


def _known(value: object, what: str, raw: RawOntology, *, where: str) -> str:
    name = name_in(value, f"a concept in {what!r}", where=where)
    if name not in raw.concepts:
        raise InputError(
            f"{what!r} speak of {name!r}, which is no node", "Correct it, or add the node.", where=where
        )
    return name


def _no_rule(what: str, value: object, example: str, *, where: str) -> InputError:
    return InputError(f"{what!r} hold {shown(value)}", f"Write each as {example}.", where=where)


IDENTIFIERS = ("id", "uri", "iri", "LabelName", "key")
"""Keys of what identifies a node, the most telling first."""

LABELS = ("label", "name", "title", "text")
"""Keys of what it is called, which identifies it where nothing else does."""

_CHILDREN = ("child_ids", "childIds", "children", "narrower")
_PARENTS = ("parent_ids", "parentIds", "parents", "parent_id", "parentId", "parent", "broader")
_NO_PARENT = "#"  # which jsTree writes
_ABOVE = "supercategory"
_NO_NAMES = frozenset({"", "none"})  # supercategories that are none


def is_nodes(document: Json) -> bool:
    """Tell whether this is a list of nodes that name their children or parents."""
    values = [node.get(key) for node in _objects(document) for key in (*_CHILDREN, *_PARENTS)]
    return any(value is not None for value in values) and not any(map(_objects, values))


def read_nodes(document: Json, *, where: str) -> RawOntology:
    """Read a list of nodes that name their children, as that of AudioSet, or their parents."""
    raw = RawOntology("JSON, a list of nodes")
    nodes = note_nodes(raw, objects_in(document, "the file", where=where), where=where)
    for concept, node in nodes:
        for key in _CHILDREN:
            for child in _names(node.get(key), f"{key!r} of {concept!r}", where=where):
                raw.add(concept, child, key)
        for key in _PARENTS:
            for parent in _names(node.get(key), f"{key!r} of {concept!r}", where=where):
                if parent != _NO_PARENT:
                    raw.add(parent, concept, key)
    raw.undeclared = raw.concepts.keys() - {concept for concept, _ in nodes}
    return raw


def is_categories(document: Json) -> bool:
    """Tell whether this is a list of categories with supercategories, as COCO writes it."""
    listing = document.get("categories") if isinstance(document, dict) else document
    return any(_ABOVE in node for node in _objects(listing))


def read_categories(document: Json, *, where: str) -> RawOntology:
    """Read a list of categories with supercategories, as COCO writes it.

    Where categories also have the ranks of the living, as of iNaturalist, these are the levels
    instead. Where a category has its own name as supercategory, as the class "person" of COCO has, these are
    two concepts, and the upper one is called "person (supercategory)".
    """
    raw = RawOntology("JSON, categories with supercategories", plain=True)
    listing = document["categories"] if isinstance(document, dict) else document
    nodes = objects_in(listing, "categories", where=where)
    names = [name_in(node.get("name"), "'name' of a category", where=where) for node in nodes]
    ranks = [rank for rank in RANKS if all(isinstance(node.get(rank), str) for node in nodes)]
    if len(ranks) >= FEWEST:
        rows = [
            [*(node[rank].strip() for rank in ranks), name] for name, node in zip(names, nodes, strict=True)
        ]
        raw = RawOntology(f"JSON, categories with the levels {listed([*ranks, 'name'])}", plain=True)
        raw.unused[_ABOVE] += names
        follow_levels(raw, rows, where=where)
        return raw
    pairs = [(name, _super(node, where=where)) for name, node in zip(names, nodes, strict=True)]
    own = {name for name, above in pairs if name == above}
    for name, above in pairs:
        if above:
            raw.add(f"{above} ({_ABOVE})" if above in own else above, name, _ABOVE)
        else:
            raw.concepts.setdefault(name)
    return raw


def note_nodes(raw: RawOntology, nodes: list[Node], *, where: str) -> list[tuple[str, Node]]:
    """Note some nodes, with their labels and marks."""
    key = next((key for key in (*IDENTIFIERS, *LABELS) if all(key in node for node in nodes)), "id")
    named = [
        (name_in(node.get(key), f"{key!r} of node {number:,}", where=where), node)
        for number, node in enumerate(nodes, 1)
    ]
    for concept, node in named:
        if concept in raw.concepts:
            raw.unused["nodes that are there again"].append(concept)
        raw.concepts.setdefault(concept)
        note_marks(raw, concept, node, key)
    return named


def note_marks(raw: RawOntology, concept: str, node: Node, key: str) -> None:
    """Note what a node says of itself: its labels, whether it is abstract, whether it is given up."""
    labels = [
        [Text(whole(value))]
        for name in LABELS
        if name != key and isinstance(value := node.get(name), str) and value
    ]
    if labels:
        raw.labels[concept] = labels
    restrictions = node.get("restrictions")
    for mark in restrictions if isinstance(restrictions, list) else ():
        if mark == "abstract":
            raw.abstract.add(concept)
        else:
            raw.unused[f"restrictions {mark!r}"].append(concept)
    if node.get("abstract") is True:
        raw.abstract.add(concept)
    if node.get("deprecated") is True or node.get("is_obsolete") in (True, "true"):
        raw.deprecated.add(concept)


def _names(value: object, what: str, *, where: str) -> Iterable[str]:
    """List the nodes that a value names: none, one or several."""
    if value is None or value == "":
        return []
    return [name_in(item, what, where=where) for item in (value if isinstance(value, list) else [value])]


def _super(node: Node, *, where: str) -> str:
    name = name_if_any(node.get(_ABOVE), f"{_ABOVE!r} of {node['name']!r}", where=where)
    return "" if name.casefold() in _NO_NAMES else name


def _objects(value: object) -> list[Node]:
    """List the objects in a list; nothing where it is none."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


_BELOW = ("children", "Subcategory", "subcategories")
_PARTS = ("Part",)  # a hand is no kind of person


def is_nested(document: Json) -> bool:
    """Tell whether this is an object, or a list of some, that holds its children."""
    for node in document if isinstance(document, list) else [document]:
        values = [node.get(key) for key in _BELOW] if isinstance(node, dict) else []
        if any(isinstance(child, dict) for value in values if isinstance(value, list) for child in value):
            return True
    return False


def read_nested(document: Json, *, where: str) -> RawOntology:
    """Read objects that hold their children, as the hierarchy of Open Images and many trees do.

    Parts are no children; they are counted. What is there several times has all the children and
    parents that it has anywhere.
    """
    nodes = _flattened(document, where=where)
    keys = (*IDENTIFIERS, *LABELS)
    named = [node for node, above, _ in nodes if above >= 0 or any(key in node for key in keys)]
    key = next((key for key in keys if all(key in node for node in named)), "name")
    raw = RawOntology(f"nested JSON, by {key}")
    names: list[str] = []
    for node, above, form in nodes:
        around = above < 0 and key not in node
        below = f" in {names[above]!r}" if above >= 0 and names[above] else ""
        name = "" if around else name_in(node.get(key), f"{key!r} of an object{below}", where=where)
        names.append(name)
        if around:
            continue
        if name not in raw.concepts:
            note_marks(raw, name, node, key)
        raw.concepts.setdefault(name)
        if form in _PARTS:
            raw.unused[f"{form}, which is no is-a"].append(name)
        elif above >= 0 and names[above]:
            raw.add(names[above], name, form)
    return raw


def is_dictionary(document: Json) -> bool:
    """Tell whether this is an object whose keys may be concepts."""
    return (
        isinstance(document, dict)
        and bool(document)
        and all(value is None or isinstance(value, dict | list) for value in document.values())
        and not _is_index(document)
    )


def _is_index(document: Node) -> bool:
    """Tell whether keys count from 0 and stand for as many texts each, as in lists of ImageNet's classes."""
    lengths = {len(value) if isinstance(value, list) else 0 for value in document.values()}
    return list(document) == list(map(str, range(len(document)))) and len(lengths) == 1 and lengths != {0}


def read_dictionary(document: Json, *, where: str) -> RawOntology:
    """Read an object whose keys are concepts, with objects or lists of what lies below them."""
    raw = RawOntology("JSON, a dictionary of names")
    waiting: list[tuple[str, Json]] = [("", document)]
    while waiting:
        above, value = waiting.pop()
        if isinstance(value, dict):
            found = list(value.items())
        elif isinstance(value, list):
            found = [(item, None) for item in value if not isinstance(item, dict)]
            found += [pair for item in value if isinstance(item, dict) for pair in item.items()]
        elif value is None:
            continue
        else:
            raise InputError(
                f"below {above!r} stands {shown(value)}",
                "Write what lies below a concept as an object or a list of names.",
                where=where,
            )
        for key, below in found:
            name = name_in(key, f"a name below {above!r}" if above else "a name", where=where)
            if above:
                raw.add(above, name, "nesting")
            raw.concepts.setdefault(name)
            waiting.append((name, below))
    return raw


def _flattened(document: Json, *, where: str) -> list[tuple[Node, int, str]]:
    """List all objects, each with the number of the one that holds it, -1 at the top, and the key."""
    nodes: list[tuple[Node, int, str]] = []
    waiting = [(node, -1, "") for node in (document if isinstance(document, list) else [document])]
    while waiting:
        node, above, form = waiting.pop()
        if not isinstance(node, dict):
            raise InputError(
                f"among the {form or 'objects'} stands {shown(node)}", "Write objects.", where=where
            )
        for key in (*_BELOW, *_PARTS):
            value = node.get(key)
            if value is not None and not isinstance(value, list):
                raise InputError(f"{key!r} is {shown(value)}", "Write a list of objects.", where=where)
            waiting += [(child, len(nodes), key) for child in value or ()]
        nodes.append((node, above, form))
    return nodes


_CHILD_TITLES = frozenset(CHILDREN)
_LINES = re.compile(r"\s*\{[^\r\n]*\}[ \t]*[\r\n]+[ \t]*\{[^\r\n]*\}")


def loaded_lines(content: str, *, where: str) -> Json | None:
    """Load JSON Lines, with an object in each line."""
    if not _LINES.match(content):
        return None
    lines = enumerate(content.splitlines(), 1)
    records = [load(line, where=where, row=row) for row, line in lines if line.strip()]
    return records if is_nodes(records) or is_table(records) else None


def unwrapped(document: Json) -> Json:
    """Bring what other programs write into the shapes that are read."""
    for form in (_graph, _elements, _the_list):
        found = form(document)
        if found is not None:
            return found
    return document


def is_table(document: Json) -> bool:
    """Tell whether this is a list of records with the keys of an edge list."""
    if not isinstance(document, list) or not document:
        return False
    flat = all(
        isinstance(record, dict) and not any(isinstance(value, list | dict) for value in record.values())
        for record in document
    )
    return (
        flat
        and has_titles(list(document[0]))
        and (not _CHILD_TITLES.isdisjoint(map(str.casefold, document[0])) or not is_nodes(document))
    )


def read_table(document: Json, *, where: str) -> RawOntology:
    """Read records whose keys say what is above what."""
    titles = list(dict.fromkeys(key for record in document for key in record))
    columns = layout(titles, None, where=where, row=1)
    raw = RawOntology(f"JSON, a list of links: {columns.said}")
    rows = [
        ["" if record.get(title) is None else whole(str(record[title]).strip()) for title in titles]
        for record in document
    ]
    for number, row in enumerate(rows, 1):
        name_in(row[columns.child], f"{titles[columns.child]!r} of record {number:,}", where=where)
    read_titled(raw, rows, columns, where=where)
    return raw


def _graph(document: Json) -> Json | None:
    """Unwrap JSON Graph Format, adjacency data of networkx, and results of SPARQL."""
    graph = object_in(object_in(document).get("graph"))
    if isinstance(graph.get("nodes"), dict):
        graph = {**graph, "nodes": [{"id": name, **object_in(node)} for name, node in graph["nodes"].items()]}
    if is_node_link(graph):
        return {**graph, "graph": {}}
    bindings = object_in(object_in(document).get("results")).get("bindings")
    if isinstance(bindings, list):
        rows = map(object_in, bindings)
        return [{key: object_in(cell).get("value", "") for key, cell in row.items()} for row in rows]
    nodes, adjacency = object_in(document).get("nodes"), object_in(document).get("adjacency")
    if not isinstance(nodes, list) or not isinstance(adjacency, list):
        return None
    links = [
        {"source": object_in(node).get("id"), "target": object_in(below).get("id")}
        for node, all_below in zip(nodes, adjacency, strict=False)
        for below in (all_below if isinstance(all_below, list) else [])
    ]
    return {"directed": document.get("directed"), "nodes": nodes, "links": links}


def _elements(document: Json) -> Json | None:
    """Tell the links of Cytoscape from its nodes, which may lie in others instead."""
    elements = document.get("elements") if isinstance(document, dict) else document
    if isinstance(elements, dict) and isinstance(elements.get("nodes"), list):
        links = elements.get("edges")
        elements = [*elements["nodes"], *(links if isinstance(links, list) else [])]
    data = [object_in(item).get("data") for item in elements] if isinstance(elements, list) else []
    if not data or not all(isinstance(item, dict) for item in data):
        return None
    found = [object_in(item) for item in data]
    nodes = [item for item in found if "source" not in item]
    links = [item for item in found if "source" in item]
    return nodes if not links and is_nodes(nodes) else {"nodes": nodes, "links": links}


def _the_list(document: Json) -> Json | None:
    """Take the list of nodes that is the only one in an object without others."""
    if not isinstance(document, dict) or any(
        is_form(document) for is_form in (is_node_link, is_categories, is_nested)
    ):
        return None
    lists = [value for value in document.values() if is_nodes(value)]
    nested = any(isinstance(value, dict) for value in document.values())
    return lists[0] if len(lists) == 1 and not nested else None


_OBO_IS_A = "is_a"
_REPLACED_BY = "http://purl.obolibrary.org/obo/IAO_0100001"
_OF_PROPERTIES = frozenset({"subPropertyOf", "inverseOf", "type"})


def is_obo_graphs(document: Json) -> bool:
    """Tell whether this is OBO Graphs JSON."""
    graphs = document.get("graphs") if isinstance(document, dict) else None
    return isinstance(graphs, list) and any(isinstance(graph, dict) and "nodes" in graph for graph in graphs)


def read_obo_graphs(document: Json, *, where: str) -> RawOntology:
    """Read the classes of OBO Graphs JSON, as `ontoeval.ontology.obo.read_obo` reads the terms of OBO."""
    raw = RawOntology("OBO Graphs", plain=False)
    for graph in objects_in(document["graphs"], "graphs", where=where):
        reader = _Reader(raw, where)
        reader.read_head(graph)
        others = reader.read_nodes(reader.parts(graph, "nodes"))
        for edge in reader.parts(graph, "edges"):
            ends = [reader.name(edge, "edge", key) for key in ("sub", "pred", "obj")]
            if others.isdisjoint(ends[::2]) and ends[1] not in _OF_PROPERTIES:
                reader.relate(*ends, kind=_OBO_IS_A)
        for axiom in reader.parts(graph, "logicalDefinitionAxioms"):
            concept = reader.name(axiom, "axiom", "definedClassId")
            for genus in reader.names(axiom, "genusIds"):
                reader.relate(concept, _OBO_IS_A, genus, kind="genusIds")
            for part in reader.parts(axiom, "restrictions"):
                relation, filler = (
                    reader.name(part, "restriction", key) for key in ("propertyId", "fillerId")
                )
                reader.relate(concept, relation, filler, kind=_OBO_IS_A)
        for equal in reader.parts(graph, "equivalentNodesSets"):
            known = raw.concepts.keys() & reader.names(equal, "nodeIds")
            raw.equivalents |= set(pairwise(sorted(known)))
    return raw


@dataclass(frozen=True)
class _Reader:
    """Notes what a graph says."""

    raw: RawOntology
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
        self.raw.iri = self.raw.iri or whole(str(graph.get("id") or ""))
        self.raw.version = self.raw.version or whole(str(meta.get("version") or ""))

    def read_nodes(self, nodes: list[Node]) -> set[str]:
        """Read the classes, and list what is none."""
        raw = self.raw
        others = set()
        for node in nodes:
            concept, meta = self.name(node, "object of nodes", "id"), object_in(node.get("meta"))
            if node.get("type") != "CLASS":
                others |= {concept} if node.get("type") else set()
                if isinstance(node.get("lbl"), str):
                    raw.called[local_name(concept)] |= {concept, whole(node["lbl"])}
                continue
            raw.concepts.setdefault(concept)
            if isinstance(node.get("lbl"), str):
                raw.labels[concept] = [[Text(whole(node["lbl"]))]]
            if meta.get("deprecated") is True:
                raw.deprecated.add(concept)
            values = self.parts(meta, "basicPropertyValues")
            successors = {
                whole(str(value.get("val"))) for value in values if value.get("pred") == _REPLACED_BY
            }
            if successors:
                raw.note_replaced(concept, successors)
        return others

    def relate(self, concept: str, relation: str, other: str, *, kind: str) -> None:
        """Note a link, or another relation."""
        raw = self.raw
        if relation != _OBO_IS_A:
            need = RawRequirement(concept, (other,), local_name(relation), precondition=False)
            raw.requirements[need] = None
            raw.called[need.relation].add(relation)
            return
        for end in (other, concept):
            raw.use(end)
        if concept == other:
            raw.self_links.add(concept)
        else:
            raw.link(other, concept, kind)


_SHAPES = (
    (is_obo_graphs, read_obo_graphs),
    (is_categories, read_categories),
    (is_table, read_table),
    (is_nodes, read_nodes),
    (is_nested, read_nested),
    (is_dictionary, read_dictionary),
)


def read_json(content: str, *, where: str, direction: Direction | None = None) -> RawOntology:
    """Read a hierarchy in JSON, whatever its shape."""
    document = loaded_lines(content, where=where)
    if document is None:
        document = load(
            content,
            where=where,
            flatter="Write the hierarchy as an edge list: a table with the columns parent and child.",
        )
    document = unwrapped(document)
    if is_node_link(document):
        return read_node_link(document, where=where, direction=direction)
    if direction is not None:
        raise ParameterError("direction", direction, "nothing, as this JSON says itself what lies above")
    for is_shape, read in _SHAPES:
        if is_shape(document):
            return read(document, where=where)
    raise InputError(
        f"no hierarchy is recognised in this JSON: it is {shown(document)}",
        "Hierarchies are read from node-link JSON, lists of nodes with 'child_ids', 'parents' or "
        "'supercategory', nested objects with 'children' or 'Subcategory', nested dictionaries of names, and "
        "OBO Graphs. A table with the columns parent and child does as well.",
        where=where,
    )
