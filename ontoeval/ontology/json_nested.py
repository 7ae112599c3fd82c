"""Nested JSON: what lies inside of a concept lies below it."""

from __future__ import annotations

from ontoeval.errors import InputError
from ontoeval.ontology.json_nodes import IDENTIFIERS, LABELS, note_marks
from ontoeval.ontology.json_values import Json, Node, name_in, shown
from ontoeval.ontology.told import Told

_BELOW = ("children", "Subcategory", "subcategories")
_PARTS = ("Part",)  # a hand is no kind of person


def is_nested(document: Json) -> bool:
    """Tell whether this is an object, or a list of some, that holds its children."""
    for node in document if isinstance(document, list) else [document]:
        values = [node.get(key) for key in _BELOW] if isinstance(node, dict) else []
        if any(isinstance(child, dict) for value in values if isinstance(value, list) for child in value):
            return True
    return False


def read_nested(document: Json, *, where: str) -> Told:
    """Read objects that hold their children, as the hierarchy of Open Images and many trees do.

    Parts are no children; they are counted. What is there several times has all the children and
    parents that it has anywhere.
    """
    nodes = _flattened(document, where=where)
    keys = (*IDENTIFIERS, *LABELS)
    named = [node for node, above, _ in nodes if above >= 0 or any(key in node for key in keys)]
    key = next((key for key in keys if all(key in node for node in named)), "name")
    told = Told(f"nested JSON, by {key}")
    names: list[str] = []
    for node, above, form in nodes:
        around = above < 0 and key not in node
        below = f" in {names[above]!r}" if above >= 0 and names[above] else ""
        name = "" if around else name_in(node.get(key), f"{key!r} of an object{below}", where=where)
        names.append(name)
        if around:
            continue
        if name not in told.concepts:
            note_marks(told, name, node, key)
        told.concepts.setdefault(name)
        if form in _PARTS:
            told.unused[f"{form}, which is no is-a"].append(name)
        elif above >= 0 and names[above]:
            told.add(names[above], name, form)
    return told


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


def read_dictionary(document: Json, *, where: str) -> Told:
    """Read an object whose keys are concepts, with objects or lists of what lies below them."""
    told = Told("JSON, a dictionary of names")
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
                told.add(above, name, "nesting")
            told.concepts.setdefault(name)
            waiting.append((name, below))
    return told


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
