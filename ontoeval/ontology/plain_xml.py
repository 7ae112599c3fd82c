"""Plain XML: what parsers are given, with entities written out and within bounds."""

from __future__ import annotations

import re
from collections import Counter
from xml.parsers import expat

from ontoeval.errors import InputError
from ontoeval.ontology.entities import PROLOG, REMEDY, ElementBound, guard
from ontoeval.ontology.prolog import beginning

_MOST_ADDED = 64 * 2**20
"""Characters by which entities may lengthen a file."""

DEEPEST = 5_000
"""Elements that may stand inside each other: parsers look at all of them for each."""

_REFERENCE = re.compile(rb"&([^&;#<>\s]{1,256});")

_UTF_8 = frozenset({"utf-8", "us-ascii", "ascii"})


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
    parser = expat.ParserCreate(namespace_separator=" ")
    entities = guard(parser, where=where)
    doctype: list[int] = []
    encodings: list[str | None] = []
    bound = ElementBound(lambda: parser.CurrentLineNumber, where=where)
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
    """Say that elements stand inside each other too deeply."""
    return InputError(
        f"elements are nested more than {DEEPEST:,} deep",
        "Convert the file to N-Triples, where nothing is nested.",
        where=where,
        row=row,
    )
