"""Hierarchies outside of RDF: the reader of each format."""

from __future__ import annotations

from types import MappingProxyType

from ontoeval.core.ontology_formats import Direction
from ontoeval.errors import InputError, ParameterError
from ontoeval.ontology.adjacency import read_adjacency
from ontoeval.ontology.arff import read_arff
from ontoeval.ontology.edges import read_edges
from ontoeval.ontology.json_hierarchy import read_json
from ontoeval.ontology.levels import read_levels
from ontoeval.ontology.obo import read_obo
from ontoeval.ontology.paths import read_paths
from ontoeval.ontology.told import Told
from ontoeval.ontology.tree_numbers import read_tree_numbers

_WITH_DIRECTION = MappingProxyType({"edges": read_edges, "adjacency": read_adjacency, "json": read_json})
_WITHOUT = MappingProxyType(
    {
        "obo": read_obo,
        "paths": read_paths,
        "levels": read_levels,
        "mtrees": read_tree_numbers,
        "arff": read_arff,
    }
)


def read_hierarchy(content: str, form: str, *, where: str, direction: Direction | None = None) -> Told:
    """Read a hierarchy that is not written in RDF."""
    if form in _WITH_DIRECTION:
        told = _WITH_DIRECTION[form](content, where=where, direction=direction)
    elif direction is not None:
        raise ParameterError("direction", direction, "nothing, as the file says itself what lies above")
    else:
        told = _WITHOUT[form](content, where=where)
    if not told.concepts:
        raise InputError("there are no concepts in it", "Is it the right file?", where=where)
    if told.plain is None:
        told.plain = not all("://" in concept for concept in told.concepts)
    return told
