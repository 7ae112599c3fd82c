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
    """Describe a value in a few words.

    Parameters
    ----------
    value
        Anything that JSON holds.

    Returns
    -------
    str
        The value, or what kind of value it is.

    Examples
    --------
    >>> shown("cat"), shown(["cat", "dog"]), shown({"id": "cat"}), shown(None)
    ('"cat"', 'a list of 2', "an object with the keys 'id'", 'null')
    """
    if isinstance(value, dict):
        return f"an object with the keys {listed(value)}" if value else "an empty object"
    if isinstance(value, list):
        return f"a list of {len(value):,}"
    return json.dumps(value, ensure_ascii=False)[:60]


def name_in(value: object, what: str, *, where: str) -> str:
    """Take the name of a concept: a text or a whole number.

    Parameters
    ----------
    value
        The value.
    what
        What it is, for messages.
    where
        The file's name.

    Returns
    -------
    str
        The name, without blanks around it.

    Raises
    ------
    InputError
        If it is something else, or empty.

    Examples
    --------
    >>> name_in(" cat", "id", where="animals.json"), name_in(7, "id", where="animals.json")
    ('cat', '7')
    """
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str) and value.strip():
        return whole(value.strip())
    raise InputError(f"{what} is {shown(value)}", "Name concepts by texts or whole numbers.", where=where)


def name_if_any(value: object, what: str, *, where: str) -> str:
    """Take a name as `name_in` does, or an empty text where there is none.

    Parameters
    ----------
    value
        The value; null and an empty text are no name.
    what
        What it is, for messages.
    where
        The file's name.

    Returns
    -------
    str
        The name, without blanks around it.

    Raises
    ------
    InputError
        If it is something else.

    Examples
    --------
    >>> name_if_any("animal", "supercategory", where="coco.json")
    'animal'
    >>> name_if_any(None, "supercategory", where="coco.json")
    ''
    """
    return "" if value in (None, "") else name_in(value, what, where=where)


def object_in(value: object) -> Node:
    """Take an object, or an empty one where there is none.

    Parameters
    ----------
    value
        The value.

    Returns
    -------
    dict
        The object.

    Examples
    --------
    >>> object_in({"id": "cat"}), object_in(None)
    ({'id': 'cat'}, {})
    """
    return value if isinstance(value, dict) else {}


def objects_in(value: object, what: str, *, where: str) -> list[Node]:
    """Take a list of objects.

    Parameters
    ----------
    value
        The value.
    what
        What it is, for messages.
    where
        The file's name.

    Returns
    -------
    list of dict
        The objects.

    Raises
    ------
    InputError
        If it is something else.

    Examples
    --------
    >>> objects_in([{"id": "cat"}], "nodes", where="animals.json")
    [{'id': 'cat'}]
    """
    if not isinstance(value, list):
        raise InputError(f"{what!r} is {shown(value)}", "Write a list of objects.", where=where)
    for item in value:
        if not isinstance(item, dict):
            raise InputError(f"{what!r} holds {shown(item)}", "Write a list of objects.", where=where)
    return value
