"""Values of JSON: taken for no more than they are."""

from __future__ import annotations

import json
from typing import Any

from ontoeval.errors import InputError, listed
from ontoeval.ontology.triples import whole

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
