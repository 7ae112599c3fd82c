"""The formats of ontology files, by the names that `input_format` and ``--ontology-format`` take."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Annotated, Literal, get_args

from ontoeval.options import Opt
from ontoeval.plumbing.files import FilePath

OntologyFormat = Literal[
    "rdfxml",
    "turtle",
    "ntriples",
    "nquads",
    "trig",
    "n3",
    "jsonld",
    "trix",
    "hext",
    "obo",
    "json",
    "edges",
    "paths",
    "levels",
    "mtrees",
    "mulan",
]

Direction = Literal["parent-child", "child-parent"]
"""Order of the two ends of a link, in files that do not state the order."""

Cycles = Literal["refuse", "break"]
"""Treatment of cycles: an error, or each cycle is broken."""

OneOrMoreNames = str | Iterable[str]

Imports = Mapping[str, FilePath]
"""Files by the IRIs by which they are imported."""

SYNTAXES = MappingProxyType(
    {
        "rdfxml": "RDF/XML",
        "turtle": "Turtle",
        "ntriples": "N-Triples",
        "nquads": "N-Quads",
        "trig": "TriG",
        "n3": "N3",
        "jsonld": "JSON-LD",
        "trix": "TriX",
        "hext": "HexTuples",
    }
)
"""The syntaxes of RDF, each with its own name."""

BY_RDFLIB = MappingProxyType({"trix": "trix", "hext": "hext"})
"""The syntaxes that rdflib parses, with its name of each; pyoxigraph parses the others."""

HIERARCHIES = MappingProxyType(
    {
        "obo": "OBO",
        "json": "JSON",
        "edges": "edge list",
        "paths": "list of paths",
        "levels": "table of levels",
        "mtrees": "tree numbers of MeSH",
        "mulan": "nested labels of MULAN",
    }
)
"""The other formats, each with its own name."""

FORMATS = MappingProxyType({**SYNTAXES, **HIERARCHIES})
"""All formats of ontologies."""

DIRECTIONS = get_args(Direction)

ontology_option = partial(Opt, panel="Ontology")


@dataclass(frozen=True)
class OntologyReading:
    """How the file of an ontology is read."""

    root: Annotated[
        OneOrMoreNames | None,
        ontology_option(
            "Use only this branch of the ontology; can be repeated. By default all of it.",
            metavar="CONCEPT",
            kind=tuple[str, ...] | None,
        ),
    ] = None
    relation: Annotated[
        OneOrMoreNames,
        ontology_option(
            "Relation that makes links beside is-a, such as part_of, from a child to its parent; can be "
            "repeated.",
            kind=tuple[str, ...],
        ),
    ] = ()
    language: Annotated[
        str | None,
        ontology_option(
            "Language of the labels by which concepts may be named, such as de; by default English.",
            metavar="TAG",
        ),
    ] = None
    abstract: Annotated[
        OneOrMoreNames,
        ontology_option(
            "Concept that is never a label, in addition to those that the ontology marks; can be repeated.",
            metavar="CONCEPT",
            kind=tuple[str, ...],
        ),
    ] = ()
    ontology_format: Annotated[
        OntologyFormat | None, ontology_option("Format of the ontology file; by default recognised.")
    ] = None
    direction: Annotated[
        Direction | None,
        ontology_option(
            "Whether links of the ontology file begin with the child or with the parent; by default "
            "recognised."
        ),
    ] = None
    cycles: Annotated[
        Cycles,
        ontology_option(
            "Cycles of the ontology: refuse them, or break them by cutting links, which are listed."
        ),
    ] = "refuse"
    concepts: OneOrMoreNames | None = None
    imports: Imports | None = None
    prefixes: Mapping[str, str] | None = None


AS_IT_IS = OntologyReading()
