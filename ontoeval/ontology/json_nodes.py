"""Lists of nodes in JSON, each with its children, its parents or its supercategory."""

from __future__ import annotations

from collections.abc import Iterable

from ontoeval.errors import listed
from ontoeval.ontology.json_values import Json, Node, name_if_any, name_in, objects_in
from ontoeval.ontology.levels import FEWEST, RANKS, follow_levels
from ontoeval.ontology.told import Told
from ontoeval.ontology.triples import Text, whole

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


def read_nodes(document: Json, *, where: str) -> Told:
    """Read a list of nodes that name their children, as that of AudioSet, or their parents."""
    told = Told("JSON, a list of nodes")
    nodes = note_nodes(told, objects_in(document, "the file", where=where), where=where)
    for concept, node in nodes:
        for key in _CHILDREN:
            for child in _names(node.get(key), f"{key!r} of {concept!r}", where=where):
                told.add(concept, child, key)
        for key in _PARENTS:
            for parent in _names(node.get(key), f"{key!r} of {concept!r}", where=where):
                if parent != _NO_PARENT:
                    told.add(parent, concept, key)
    told.undeclared = told.concepts.keys() - {concept for concept, _ in nodes}
    return told


def is_categories(document: Json) -> bool:
    """Tell whether this is a list of categories with supercategories, as COCO writes it."""
    listing = document.get("categories") if isinstance(document, dict) else document
    return any(_ABOVE in node for node in _objects(listing))


def read_categories(document: Json, *, where: str) -> Told:
    """Read a list of categories with supercategories, as COCO writes it.

    Where categories also have the ranks of the living, as of iNaturalist, these are the levels
    instead. Where a category has its own name as supercategory, as the class "person" of COCO has, these are
    two concepts, and the upper one is called "person (supercategory)".
    """
    told = Told("JSON, categories with supercategories", plain=True)
    listing = document["categories"] if isinstance(document, dict) else document
    nodes = objects_in(listing, "categories", where=where)
    names = [name_in(node.get("name"), "'name' of a category", where=where) for node in nodes]
    ranks = [rank for rank in RANKS if all(isinstance(node.get(rank), str) for node in nodes)]
    if len(ranks) >= FEWEST:
        rows = [
            [*(node[rank].strip() for rank in ranks), name] for name, node in zip(names, nodes, strict=True)
        ]
        told = Told(f"JSON, categories with the levels {listed([*ranks, 'name'])}", plain=True)
        told.unused[_ABOVE] += names
        follow_levels(told, rows, where=where)
        return told
    pairs = [(name, _super(node, where=where)) for name, node in zip(names, nodes, strict=True)]
    own = {name for name, above in pairs if name == above}
    for name, above in pairs:
        if above:
            told.add(f"{above} ({_ABOVE})" if above in own else above, name, _ABOVE)
        else:
            told.concepts.setdefault(name)
    return told


def note_nodes(told: Told, nodes: list[Node], *, where: str) -> list[tuple[str, Node]]:
    """Note some nodes, with their labels and marks."""
    key = next((key for key in (*IDENTIFIERS, *LABELS) if all(key in node for node in nodes)), "id")
    named = [
        (name_in(node.get(key), f"{key!r} of node {number:,}", where=where), node)
        for number, node in enumerate(nodes, 1)
    ]
    for concept, node in named:
        if concept in told.concepts:
            told.unused["nodes that are there again"].append(concept)
        told.concepts.setdefault(concept)
        note_marks(told, concept, node, key)
    return named


def note_marks(told: Told, concept: str, node: Node, key: str) -> None:
    """Note what a node says of itself: its labels, whether it is abstract, whether it is given up."""
    labels = [
        [Text(whole(value))]
        for name in LABELS
        if name != key and isinstance(value := node.get(name), str) and value
    ]
    if labels:
        told.labels[concept] = labels
    restrictions = node.get("restrictions")
    for mark in restrictions if isinstance(restrictions, list) else ():
        if mark == "abstract":
            told.abstract.add(concept)
        else:
            told.unused[f"restrictions {mark!r}"].append(concept)
    if node.get("abstract") is True:
        told.abstract.add(concept)
    if node.get("deprecated") is True or node.get("is_obsolete") in (True, "true"):
        told.deprecated.add(concept)


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
