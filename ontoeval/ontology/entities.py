"""Entities: what the document type declaration of an XML file may declare.

Editors write namespaces as internal entities, so these must work. Whatever reaches outside the
file, or grows when it is used, is refused before it can: a kilobyte of entities inside entities
stands for more text than a computer holds.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sized
from xml.parsers import expat

from ontoeval.errors import InputError, listed

_LONGEST = 1024
"""Characters that one entity may stand for; namespaces are shorter."""

_PREDEFINED = {"lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": '"'}

PROLOG = 65_536
"""Bytes that are looked at in one step on the way to the first element."""

REMEDY = "Write out what the entities stand for (an editor such as Protégé does when it saves)."


MOST_PER_ELEMENT = 500
"""Attributes of an element, and namespaces that it sees: parsers compare each with all."""


class ElementBound:
    """Count attributes and namespaces while a file is parsed, and refuse elements that have very many."""

    def __init__(self, row: Callable[[], int | None], *, where: str) -> None:
        self._row, self._where = row, where
        self._namespaces = 0

    def declare(self, *_: object) -> None:
        """Count a namespace that holds from here on."""
        self._namespaces += 1
        self._check(self._namespaces, "namespaces")

    def forget(self, *_: object) -> None:
        """Count a namespace no more."""
        self._namespaces -= 1

    def check(self, attributes: Sized) -> None:
        """Refuse an element with very many attributes."""
        self._check(len(attributes), "attributes")

    def _check(self, count: int, what: str) -> None:
        if count > MOST_PER_ELEMENT:
            raise InputError(
                f"an element has more than {MOST_PER_ELEMENT} {what}",
                "Convert the file to Turtle or N-Triples.",
                where=self._where,
                row=self._row(),
            )


def guard(parser: expat.XMLParserType, *, where: str) -> dict[str, str]:
    """Make a parser refuse entities that are external, nested or long."""
    entities: dict[str, str] = {}

    def declared(
        name: str,
        parameter: bool,  # noqa: FBT001 - expat decides what it hands over
        value: str | None,
        _base: object,
        _system: object,
        _public: object,
        _note: object,
    ) -> None:
        if value is None:
            problem = "is external: files that reach beyond themselves are not read"
        elif parameter:
            problem = "is a parameter entity, which ontologies do not need"
        elif _PREDEFINED.get(name) == value:
            return
        elif "&" in value or "%" in value:
            problem = "is made of other entities"
        elif len(value) > _LONGEST:
            problem = f"stands for {len(value):,} characters, more than the {_LONGEST:,} that are read"
        else:
            entities.setdefault(name, value)  # the first declaration is the one that holds
            return
        raise InputError(f"the entity {name!r} {problem}", REMEDY, where=where, row=parser.CurrentLineNumber)

    parser.EntityDeclHandler = declared
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    return entities


def check_declared(data: bytes, *, where: str) -> None:
    """Refuse entities whose declaration can only be in another file.

    Where a declaration points to another file, parsers drop entities that they do not know from
    the attributes without a word, and with them half of an IRI.
    """
    if not re.search(rb"<!DOCTYPE\s+[^\s\[>]+\s+(SYSTEM|PUBLIC)\s", data[:PROLOG]):
        return
    declared = {name.decode() for name in re.findall(rb"<!ENTITY\s+([\w.-]+)\s", data)}
    unknown = (
        {name.decode() for name in re.findall(rb"&([A-Za-z_][\w.-]*);", data)} - declared - {*_PREDEFINED}
    )
    if unknown:
        raise InputError(
            f"{listed(sorted(unknown))} would have to be declared in another file, which is not read",
            REMEDY,
            where=where,
        )
