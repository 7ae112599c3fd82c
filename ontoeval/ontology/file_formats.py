"""The formats of ontology files, by the names that `input_format` and ``--ontology-format`` take."""

from __future__ import annotations

from types import MappingProxyType
from typing import Literal, get_args

OntologyFormat = Literal[
    "rdfxml",
    "turtle",
    "ntriples",
    "nquads",
    "trig",
    "n3",
    "jsonld",
    "obo",
    "json",
    "edges",
    "adjacency",
    "paths",
    "levels",
    "mtrees",
]

Direction = Literal["parent-child", "child-parent"]
"""Order of the two ends of a link, in files that do not state the order."""

Cycles = Literal["refuse", "break"]
"""Treatment of cycles: an error, or each cycle is broken."""

SYNTAXES = MappingProxyType(
    {
        "rdfxml": "RDF/XML",
        "turtle": "Turtle",
        "ntriples": "N-Triples",
        "nquads": "N-Quads",
        "trig": "TriG",
        "n3": "N3",
        "jsonld": "JSON-LD",
    }
)
"""The syntaxes of RDF, each with its own name."""

HIERARCHIES = MappingProxyType(
    {
        "obo": "OBO",
        "json": "JSON",
        "edges": "edge list",
        "adjacency": "adjacency list",
        "paths": "list of paths",
        "levels": "table of levels",
        "mtrees": "tree numbers of MeSH",
    }
)
"""The other formats, each with its own name."""

FORMATS = MappingProxyType({**SYNTAXES, **HIERARCHIES})
"""All formats of ontologies."""

DIRECTIONS = get_args(Direction)
