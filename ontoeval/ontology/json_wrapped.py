"""JSON that wraps a hierarchy up: other programs' ways to write nodes and links, and JSON Lines."""

from __future__ import annotations

import re

from ontoeval.core.json_text import load
from ontoeval.ontology.columns import CHILDREN, has_titles, layout
from ontoeval.ontology.json_links import is_node_link
from ontoeval.ontology.json_nested import is_nested
from ontoeval.ontology.json_nodes import is_categories, is_nodes
from ontoeval.ontology.json_values import Json, name_in, object_in
from ontoeval.ontology.titled import read_titled
from ontoeval.ontology.told import Told
from ontoeval.ontology.triples import whole

_CHILDREN = frozenset(CHILDREN)
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
        and (not _CHILDREN.isdisjoint(map(str.casefold, document[0])) or not is_nodes(document))
    )


def read_table(document: Json, *, where: str) -> Told:
    """Read records whose keys say what is above what."""
    titles = list(dict.fromkeys(key for record in document for key in record))
    columns = layout(titles, None, where=where, row=1)
    told = Told(f"JSON, a list of links: {columns.said}")
    rows = [
        ["" if record.get(title) is None else whole(str(record[title]).strip()) for title in titles]
        for record in document
    ]
    for number, row in enumerate(rows, 1):
        name_in(row[columns.child], f"{titles[columns.child]!r} of record {number:,}", where=where)
    read_titled(told, rows, columns, where=where)
    return told


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
