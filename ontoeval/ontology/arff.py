"""ARFF: the hierarchy that files of Clus, and of those who follow it, declare for their class."""

from __future__ import annotations

import re

from ontoeval.errors import InputError
from ontoeval.ontology.paths import follow
from ontoeval.ontology.raw_ontology import Told

_BEGIN = re.compile(r"(?:\s*+%[^\n]*+)*+\s*+@relation\b", re.IGNORECASE)
_DECLARED = re.compile(
    r"^[ \t]*+@attribute[ \t]++(?:'[^'\n]*+'|\"[^\"\n]*+\"|\S++)[ \t]++hierarchical[ \t]++([^\n]++)",
    re.IGNORECASE | re.MULTILINE,
)
_PAIR = 2


def is_arff(head: str) -> bool:
    """Tell whether a file is ARFF."""
    return _BEGIN.match(head) is not None


def read_arff(content: str, *, where: str) -> Told:
    """Read the hierarchy of a hierarchical attribute.

    Where each item has two parts, and what is a parent in one is a child in another, they are links,
    as of the Gene Ontology; else they are paths, as of FunCat.
    """
    found = _DECLARED.findall(content)
    if len(found) != 1:
        raise InputError(
            f"{len(found) or 'no'} attributes of this ARFF file are hierarchical",
            "Name a file that declares one: @attribute class hierarchical a,a/b. Otherwise write the "
            "hierarchy as a table with the columns parent and child.",
            where=where,
        )
    items = [item.strip() for item in found[0].split(",") if item.strip()]
    if not items:
        raise InputError(
            "the hierarchical attribute declares no class",
            "Write its classes behind it: @attribute class hierarchical a,a/b.",
            where=where,
        )
    pairs = [tuple(item.split("/")) for item in items]
    if any(len(pair) != _PAIR for pair in pairs):
        return follow(items, separator="/", where=where)
    if {parent for parent, _ in pairs}.isdisjoint(child for _, child in pairs):
        raise InputError(
            f"whether {items[0]!r} is a link or a path cannot be told: no item is deeper, none is shorter",
            "Write the hierarchy as a table with the columns parent and child.",
            where=where,
        )
    told = Told("hierarchical attribute, of links", plain=True)
    for parent, child in pairs:
        told.add(parent, child, "hierarchical attribute")
    return told
