"""Guards that XML passes before a parser sees it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sized
from xml.parsers import expat

from ontoeval.errors import InputError, enumerate_some

# Editors write namespaces as internal entities, so these must work. What reaches outside the file, or grows
# when it is used, is refused before it can: a kilobyte of entities inside entities fills any memory.

_LONGEST = 1024
"""Characters that one entity may stand for; namespaces are shorter."""

_PREDEFINED = {"lt": "<", "gt": ">", "amp": "&", "apos": "'", "quot": '"'}

PROLOG = 65_536
"""Bytes that are looked at in one step on the way to the first element."""

REMEDY = "Write out what the entities stand for (an editor such as Protégé does when it saves)."


MOST_PER_ELEMENT = 500
"""Attributes of an element, and namespaces that it sees: parsers compare each with all."""


_MOST_ADDED = 64 * 2**20
"""Characters by which entities may lengthen a file."""

DEEPEST = 5_000
"""Elements that may stand inside each other: parsers look at all of them for each."""

_REFERENCE = re.compile(rb"&([^&;#<>\s]{1,256});")

_UTF_8 = frozenset({"utf-8", "us-ascii", "ascii"})


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


def _guarded_parser(where: str) -> tuple[expat.XMLParserType, dict[str, str], ElementBound]:
    parser = expat.ParserCreate(namespace_separator=" ")
    return parser, guard(parser, where=where), ElementBound(lambda: parser.CurrentLineNumber, where=where)


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
            f"{enumerate_some(sorted(unknown))} would have to be declared in another file, which is not read",
            REMEDY,
            where=where,
        )


def root_element(data: bytes, *, where: str) -> tuple[str, str, frozenset[str]]:
    """Find the first element of an XML file, and read no further."""
    (element, attributes), _ = beginning(data, where=where)
    namespace, _, name = element.rpartition(" ")
    return namespace, name, frozenset(key.rpartition(" ")[0] for key in attributes)


def beginning(data: bytes, *, where: str) -> tuple[tuple[str, dict[str, str]], dict[str, str]]:
    """Read an XML file up to its first element."""
    found: list[tuple[str, dict[str, str]]] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        bound.check(attributes)
        if not found:
            found.append((name, attributes))

    parser, entities, bound = _guarded_parser(where)
    # Newer expat waits for far more data before it parses a long element again; here pieces double anyway.
    getattr(parser, "SetReparseDeferralEnabled", lambda _: None)(False)  # noqa: FBT003 - its only argument
    parser.StartElementHandler = start
    parser.StartNamespaceDeclHandler, parser.EndNamespaceDeclHandler = bound.declare, bound.forget
    begin, step = 0, PROLOG
    while begin < len(data):
        try:
            parser.Parse(data[begin : begin + step])
        except expat.ExpatError as error:
            if not found:
                raise not_well_formed(expat.ErrorString(error.code), where=where, row=error.lineno) from error
        except InputError:
            raise
        except (LookupError, ValueError) as error:  # an encoding that there is not, or that expat cannot read
            raise not_well_formed(str(error), where=where) from error
        if found:
            return found[0], entities
        # A parser begins an element again with each piece.
        begin, step = begin + step, 2 * step
    raise not_well_formed("there is no element in it", where=where)


def not_well_formed(problem: str | None, *, where: str, row: int | None = None) -> InputError:
    """Error: a file is not XML, though it begins like it."""
    if problem == "not well-formed (invalid token)":  # what the parser says of most mistakes
        problem = "a sign that cannot stand there"
    return InputError(
        f"this is not well-formed XML: {problem}",
        "Is the file complete? Fetch it again, or correct the row; characters beyond ASCII must be in the "
        "encoding that its first row declares, by default UTF-8.",
        where=where,
        row=row,
    )


def check_growth(data: bytes, *, where: str) -> None:
    """Refuse a file that its entities would make much longer."""
    if b"<!ENTITY" not in data[:PROLOG]:
        return
    _, entities = beginning(data, where=where)
    # One look at the file, however many entities there are.
    used = Counter(match[1] for match in _REFERENCE.finditer(data))
    added = sum(used[name.encode()] * len(value) for name, value in entities.items())
    if added > _MOST_ADDED:
        raise InputError(
            f"its entities would lengthen the file by {added / 2**20:,.0f} MiB", REMEDY, where=where
        )


def plain_xml(data: bytes, prefixes: dict[str, str], *, where: str) -> bytes | None:
    """Write out the entities of an XML file and drop their declarations; None where that cannot be done."""
    check_growth(data, where=where)
    parser, entities, bound = _guarded_parser(where)
    doctype: list[int] = []
    encodings: list[str | None] = []
    depth = deepest = 0

    def begin(_name: str, attributes: dict[str, str]) -> None:
        nonlocal depth, deepest
        depth += 1
        deepest = max(deepest, depth)
        bound.check(attributes)

    def declare(prefix: str | None, uri: str | None) -> None:
        bound.declare()
        prefixes.setdefault(prefix or "", uri or "")

    def end(_name: str) -> None:
        nonlocal depth
        depth -= 1

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.StartNamespaceDeclHandler = declare
    parser.EndNamespaceDeclHandler = bound.forget
    parser.XmlDeclHandler = lambda _version, encoding, _standalone: encodings.append(encoding)
    parser.StartDoctypeDeclHandler = lambda *_: doctype.append(parser.CurrentByteIndex)
    parser.EndDoctypeDeclHandler = lambda: doctype.append(parser.CurrentByteIndex)
    try:
        parser.Parse(data, True)  # noqa: FBT003 - the last piece
    except (expat.ExpatError, LookupError, ValueError):  # what is refused, rdflib's reader refuses as well
        return None
    if deepest > DEEPEST:
        raise too_deep(where=where)
    if b"\0" in data[:4]:
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


def too_deep(*, where: str, row: int | None = None) -> InputError:
    """Error: elements are nested too deeply."""
    return InputError(
        f"elements are nested more than {DEEPEST:,} deep",
        "Convert the file to N-Triples, where nothing is nested.",
        where=where,
        row=row,
    )
