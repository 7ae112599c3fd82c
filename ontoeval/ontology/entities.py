"""Entities: what the document type declaration of an XML file may declare.

Editors write namespaces as internal entities, so these must work. Whatever reaches outside the
file, or grows when it is used, is refused before it can: a kilobyte of entities inside entities
stands for more text than a computer holds.
"""

from __future__ import annotations

import re
from xml.parsers import expat

from ontoeval.errors import InputError, listed

_LONGEST = 1024
"""Characters that one entity may stand for; namespaces are shorter."""

_PREDEFINED = {"lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": '"'}

_REMEDY = "Write out what the entities stand for (an editor such as Protégé does when it saves)."


def guard(parser: expat.XMLParserType, *, where: str) -> None:
    """Make a parser refuse entities that are external, nested or long.

    Parameters
    ----------
    parser
        A parser that has not begun.
    where
        The file.

    Raises
    ------
    InputError
        While parsing, if such an entity is declared.

    Examples
    --------
    >>> parser = expat.ParserCreate()
    >>> guard(parser, where="wine.rdf")
    >>> parser.Parse('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>')  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ontoeval.errors.InputError: wine.rdf, row 1: the entity 'x' is external...
    """

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
            return
        raise InputError(f"the entity {name!r} {problem}", _REMEDY, where=where, row=parser.CurrentLineNumber)

    parser.EntityDeclHandler = declared
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)


def check_declared(data: bytes, *, where: str) -> None:
    """Refuse entities whose declaration can only be in another file.

    Where a declaration points to another file, parsers drop entities that they do not know from
    the attributes without a word, and with them half of an IRI.

    Parameters
    ----------
    data
        The file.
    where
        Its name.

    Raises
    ------
    InputError
        If an entity is used that the file does not declare, though it points to another file.

    Examples
    --------
    >>> check_declared(
    ...     b'<!DOCTYPE a SYSTEM "a.dtd"><a about="&base;x"/>', where="a.rdf"
    ... )  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ontoeval.errors.InputError: a.rdf: 'base' would have to be declared in another file...
    """
    if not re.search(rb"<!DOCTYPE\s+[^\s\[>]+\s+(SYSTEM|PUBLIC)\s", data[:65_536]):
        return
    declared = {name.decode() for name in re.findall(rb"<!ENTITY\s+([\w.-]+)\s", data)}
    unknown = (
        {name.decode() for name in re.findall(rb"&([A-Za-z_][\w.-]*);", data)} - declared - {*_PREDEFINED}
    )
    if unknown:
        raise InputError(
            f"{listed(sorted(unknown))} would have to be declared in another file, which is not read",
            _REMEDY,
            where=where,
        )


def root_element(data: bytes, *, where: str) -> tuple[str, str, frozenset[str]]:
    """Find the first element of an XML file, and read no further.

    Parameters
    ----------
    data
        The file.
    where
        Its name.

    Returns
    -------
    namespace : str
        The element's namespace, "" where it has none.
    name : str
        Its local name.
    attributes : frozenset of str
        Namespaces of its attributes.

    Raises
    ------
    InputError
        If the file is not XML up to there, or declares entities that are refused.

    Examples
    --------
    >>> root_element(b'<a:b xmlns:a="urn:x" a:c="1"/>', where="a.xml")
    ('urn:x', 'b', frozenset({'urn:x'}))
    """
    found: list[tuple[str, dict[str, str]]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if not found:
            found.append((name, attributes))

    parser = expat.ParserCreate(namespace_separator=" ")
    guard(parser, where=where)
    parser.StartElementHandler = start
    step = 65_536
    for begin in range(0, len(data), step):
        try:
            parser.Parse(data[begin : begin + step])
        except expat.ExpatError as error:
            if not found:
                raise not_well_formed(expat.ErrorString(error.code), where=where, row=error.lineno) from error
        if found:
            namespace, _, name = found[0][0].rpartition(" ")
            return namespace, name, frozenset(key.rpartition(" ")[0] for key in found[0][1])
    raise not_well_formed("there is no element in it", where=where)


def not_well_formed(problem: str | None, *, where: str, row: int | None = None) -> InputError:
    """Say that a file is not XML, though it begins like it.

    Parameters
    ----------
    problem
        What the parser found.
    where
        The file.
    row
        The row, if known.

    Returns
    -------
    InputError
        The error, to be raised.

    Examples
    --------
    >>> print(not_well_formed("mismatched tag", where="a.owl", row=3))  # doctest: +ELLIPSIS
    a.owl, row 3: this is not well-formed XML: mismatched tag. Is the file complete? ...
    """
    return InputError(
        f"this is not well-formed XML: {problem}",
        "Is the file complete? Fetch it again, or correct the row; characters beyond ASCII must be in the "
        "encoding that its first row declares, by default UTF-8.",
        where=where,
        row=row,
    )
