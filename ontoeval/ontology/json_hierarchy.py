"""JSON: the shapes in which hierarchies are published, told apart."""

from __future__ import annotations

from ontoeval.core.json_text import load
from ontoeval.core.ontology_formats import Direction
from ontoeval.errors import InputError, ParameterError
from ontoeval.ontology.json_links import is_node_link, read_node_link
from ontoeval.ontology.json_nested import is_dictionary, is_nested, read_dictionary, read_nested
from ontoeval.ontology.json_nodes import is_categories, is_nodes, read_categories, read_nodes
from ontoeval.ontology.json_values import shown
from ontoeval.ontology.json_wrapped import is_table, loaded_lines, read_table, unwrapped
from ontoeval.ontology.obo_graphs import is_obo_graphs, read_obo_graphs
from ontoeval.ontology.told import Told

_SHAPES = (
    (is_obo_graphs, read_obo_graphs),
    (is_categories, read_categories),
    (is_table, read_table),
    (is_nodes, read_nodes),
    (is_nested, read_nested),
    (is_dictionary, read_dictionary),
)


def read_json(content: str, *, where: str, direction: Direction | None = None) -> Told:
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
