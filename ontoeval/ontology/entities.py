"""Entities: what the document type declaration of an XML file may declare.

Editors write namespaces as internal entities, so these must work. Whatever reaches outside the
file, or grows when it is used, is refused before it can: a kilobyte of entities inside entities
stands for more text than a computer holds.
"""

from __future__ import annotations

import re
from collections import Counter
from xml.parsers import expat

from ontoeval.errors import InputError, listed

_LONGEST = 1024
"""Characters that one entity may stand for; namespaces are shorter."""

_MOST_ADDED = 64 * 2**20
"""Characters by which entities may lengthen a file."""

DEEPEST = 5_000
"""Elements that may stand inside each other: parsers look at all of them for each."""

_MOST_ATTRIBUTES = 1_000
"""Attributes of one element that pyoxigraph is given: it compares each with all."""

_REFERENCE = re.compile(rb"&([^&;#<>\s]{1,256});")

_PREDEFINED = {"lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": '"'}

_PROLOG = 65_536
"""Bytes that are looked at in one step on the way to the first element."""

_UTF_8 = frozenset({"utf-8", "us-ascii", "ascii"})

_REMEDY = "Write out what the entities stand for (an editor such as Protégé does when it saves)."


def guard(parser: expat.XMLParserType, *, where: str) -> dict[str, str]:
    """Make a parser refuse entities that are external, nested or long.

    Parameters
    ----------
    parser
        A parser that has not begun.
    where
        The file.

    Returns
    -------
    dict
        What each entity stands for; filled while parsing.

    Raises
    ------
    InputError
        While parsing, if such an entity is declared.

    Examples
    --------
    >>> parser = expat.ParserCreate()
    >>> _ = guard(parser, where="wine.rdf")
    >>> parser.Parse('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>')  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ontoeval.errors.InputError: wine.rdf, row 1: the entity 'x' is external...
    """
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
        raise InputError(f"the entity {name!r} {problem}", _REMEDY, where=where, row=parser.CurrentLineNumber)

    parser.EntityDeclHandler = declared
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    return entities


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
    if not re.search(rb"<!DOCTYPE\s+[^\s\[>]+\s+(SYSTEM|PUBLIC)\s", data[:_PROLOG]):
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


def check_growth(data: bytes, *, where: str) -> None:
    """Refuse a file that its entities would make much longer.

    Parameters
    ----------
    data
        The file.
    where
        Its name.

    Raises
    ------
    InputError
        If it would become too long, or is not XML up to its first element.

    Examples
    --------
    >>> check_growth(b'<!DOCTYPE a [<!ENTITY x "urn:x#">]><a b="&x;c"/>', where="a.owl")
    """
    if b"<!ENTITY" not in data[:_PROLOG]:
        return
    _, entities = _prolog(data, where=where)
    # One look at the file, however many entities there are.
    used = Counter(match[1] for match in _REFERENCE.finditer(data))
    added = sum(used[name.encode()] * len(value) for name, value in entities.items())
    if added > _MOST_ADDED:
        raise InputError(
            f"its entities would lengthen the file by {added / 2**20:,.0f} MiB", _REMEDY, where=where
        )


def plain_xml(data: bytes, prefixes: dict[str, str], *, where: str) -> bytes | None:
    """Write out the entities of an XML file and drop their declarations.

    Parameters
    ----------
    data
        The file.
    prefixes
        The prefixes that it binds are added to these.
    where
        Its name.

    Returns
    -------
    bytes or None
        The same in plain XML; None where it is no well-formed XML in UTF-8, an element has very many
        attributes, or entities stand for more than text.

    Raises
    ------
    InputError
        If it declares entities that are refused.

    Examples
    --------
    >>> plain_xml(b'<!DOCTYPE a [<!ENTITY x "urn:x#">]><a b="&x;c"/>', {}, where="a.owl")
    b'<a b="urn:x#c"/>'
    """
    check_growth(data, where=where)
    parser = expat.ParserCreate(namespace_separator=" ")
    entities = guard(parser, where=where)
    doctype: list[int] = []
    encodings: list[str | None] = []
    depth = deepest = most = 0

    def begin(_name: str, attributes: dict[str, str]) -> None:
        nonlocal depth, deepest, most
        depth += 1
        deepest = max(deepest, depth)
        most = max(most, len(attributes))

    def end(_name: str) -> None:
        nonlocal depth
        depth -= 1

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.StartNamespaceDeclHandler = lambda prefix, uri: prefixes.setdefault(prefix or "", uri or "")
    parser.XmlDeclHandler = lambda _version, encoding, _standalone: encodings.append(encoding)
    parser.StartDoctypeDeclHandler = lambda *_: doctype.append(parser.CurrentByteIndex)
    parser.EndDoctypeDeclHandler = lambda: doctype.append(parser.CurrentByteIndex)
    try:
        parser.Parse(data, True)  # noqa: FBT003 - the last piece
    except (expat.ExpatError, LookupError, ValueError):
        return None
    if deepest > DEEPEST:
        raise too_deep(where=where)
    if most > _MOST_ATTRIBUTES or b"\0" in data[:4]:
        return None
    if not _UTF_8.issuperset(encoding.lower() for encoding in encodings if encoding):
        return None
    if not doctype:
        return data
    if any(set(value) & set("<\"'") for value in entities.values()) or (entities and b"<![CDATA[" in data):
        return None
    # expat says where the declarations begin, not where what holds them does.
    first, last = data.rindex(b"<!DOCTYPE", 0, doctype[0] + len(b"<!DOCTYPE")), doctype[1]
    head, body = data[:first], data[data.index(b">", last) + 1 :]
    values = {name.encode(): value.encode() for name, value in entities.items()}
    return head + _REFERENCE.sub(lambda match: values.get(match[1], match[0]), body)


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
    (element, attributes), _ = _prolog(data, where=where)
    namespace, _, name = element.rpartition(" ")
    return namespace, name, frozenset(key.rpartition(" ")[0] for key in attributes)


def too_deep(*, where: str, row: int | None = None) -> InputError:
    """Say that elements stand inside each other too deeply.

    Parameters
    ----------
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
    >>> print(too_deep(where="a.owl"))
    a.owl: elements are nested more than 5,000 deep. Convert the file to N-Triples, where nothing is nested.
    """
    return InputError(
        f"elements are nested more than {DEEPEST:,} deep",
        "Convert the file to N-Triples, where nothing is nested.",
        where=where,
        row=row,
    )


def _prolog(data: bytes, *, where: str) -> tuple[tuple[str, dict[str, str]], dict[str, str]]:
    """Read an XML file up to its first element: that one, and what entities stand for."""
    found: list[tuple[str, dict[str, str]]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if not found:
            found.append((name, attributes))

    parser = expat.ParserCreate(namespace_separator=" ")
    entities = guard(parser, where=where)
    parser.StartElementHandler = start
    for begin in range(0, len(data), _PROLOG):
        try:
            parser.Parse(data[begin : begin + _PROLOG])
        except expat.ExpatError as error:
            if not found:
                raise not_well_formed(expat.ErrorString(error.code), where=where, row=error.lineno) from error
        except (LookupError, ValueError) as error:  # an encoding that there is not, or that expat cannot read
            raise not_well_formed(str(error), where=where) from error
        if found:
            return found[0], entities
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
