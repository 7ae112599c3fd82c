"""Syntax: which syntax a file is written in, told by what it contains, not by its suffix."""

from __future__ import annotations

import re
from pathlib import PurePath

from ontoeval.errors import InputError
from ontoeval.ontology.entities import root_element
from ontoeval.ontology.triples import OWL, RDF

SYNTAXES = {
    "rdfxml": "RDF/XML",
    "turtle": "Turtle",
    "ntriples": "N-Triples",
    "nquads": "N-Quads",
    "trig": "TriG",
    "n3": "N3",
    "jsonld": "JSON-LD",
}
"""What can be read: a short name for each syntax, and its own."""

_HEAD = 65_536  # characters that are looked at, except where a rule says otherwise
_LINES = 50

_COMPRESSED = {b"\x1f\x8b": "gzip", b"PK\x03\x04": "zip", b"BZh": "bzip2", b"\xfd7zXZ": "xz"}
_COMMENTS = re.compile(r"(?:\s+|[#!][^\n]*(?:\n|$))*")
_WEB_PAGE = re.compile(r"(?:<\?xml[^>]*>\s*|<!--.*?-->\s*)*<(?:!doctype\s+)?html\b", re.IGNORECASE | re.DOTALL)
# Turtle begins with an IRI in the same bracket; an element without attributes has no prefix.
_XML = re.compile(r"<(?:[?!]|[A-Za-z_][\w.-]*[\s/>]|[A-Za-z_][\w.-]*:[A-Za-z_][\w.-]*\s)")
_JSON = re.compile(r"\{\s*[\"}]|\[\s*[\"{\[]")
_FUNCTIONAL = re.compile(r"(?:Prefix|Ontology|Document|Import)\s*\(")
_MANCHESTER = re.compile(r"(?:Prefix|Namespace|Ontology|Class|ObjectProperty|DataProperty|Individual)\s*:\s")
_OBO = re.compile(r"\s*(?:format-version|data-version|default-namespace)\s*:|.*?^\[(?:Term|Typedef)\]\s*$", re.M | re.S)
# No name with a prefix can come first, since the prefix has to be bound before.
_TURTLE = re.compile(r"@|(?:prefix|base|graph)\s|[<\[({]|_:\S", re.IGNORECASE)
_NODE = r"(?:<[^<>\s]*>|_:\S+)"
_TRIPLE = rf'{_NODE}\s*<[^<>\s]*>\s*(?:{_NODE}|"(?:[^"\\]|\\.)*"(?:\^\^<[^<>\s]*>|@[\w-]+)?)\s*'
_NTRIPLES = re.compile(rf"\s*{_TRIPLE}\.\s*(?:#.*)?")
_NQUADS = re.compile(rf"\s*{_TRIPLE}{_NODE}?\s*\.\s*(?:#.*)?")


def recognise(data: bytes, *, where: str) -> str:
    """Tell which syntax a file is written in.

    Parameters
    ----------
    data
        The file, without a byte order mark of UTF-8.
    where
        Its name, for messages.

    Returns
    -------
    str
        One of `SYNTAXES`.

    Raises
    ------
    InputError
        If the file is empty, compressed, no text, or written in a syntax that is not read.

    Examples
    --------
    >>> recognise(b"@prefix : <urn:x#> .", where="photo.owl")
    'turtle'
    """
    if not data.strip():
        raise InputError("the file is empty", "Fetch it again, or name another one.", where=where)
    for magic, packer in _COMPRESSED.items():
        if data.startswith(magic):
            raise InputError(f"the file is compressed ({packer})", "Unpack it first.", where=where)
    head = _head(data)
    if _WEB_PAGE.match(head):
        raise InputError(
            "this is a web page (HTML), not an ontology",
            "Save the file that the page shows or links to: behind a link named 'raw' or 'download'.",
            where=where,
        )
    if _XML.match(head):
        return _xml(data, where=where)
    head = text(data, where=where)[:_HEAD]
    if _JSON.match(head.lstrip()):
        return _json(data, where=where)
    head = head[_COMMENTS.match(head).end() :]  # type: ignore[union-attr] - it matches nothing as well
    for pattern, name in ((_FUNCTIONAL, "OWL functional syntax"), (_MANCHESTER, "OWL Manchester syntax")):
        if pattern.match(head):
            raise _to_convert(name, where=where)
    if _OBO.match(head):
        raise InputError(
            "the file is written in OBO, which is not read yet", _conversion(where), where=where
        )
    if not _TURTLE.match(head):
        raise InputError(
            f"the syntax is not recognised; it begins with {head[:40]!r}",
            f"Ontologies are read from {', '.join(SYNTAXES.values())}.",
            where=where,
        )
    lines = [line for line in head.splitlines()[: _LINES + 1][:-1] if line.strip() and line.lstrip()[0] != "#"]
    lines = lines or head.splitlines()[:1]
    if all(map(_NTRIPLES.fullmatch, lines)):
        return "ntriples"
    return "nquads" if all(map(_NQUADS.fullmatch, lines)) else "turtle"


def text(data: bytes, *, where: str) -> str:
    """Decode a file that has to be UTF-8.

    Parameters
    ----------
    data
        The file.
    where
        Its name.

    Returns
    -------
    str
        Its text.

    Raises
    ------
    InputError
        If it is not UTF-8.

    Examples
    --------
    >>> text("Bäume".encode("latin-1"), where="trees.ttl")
    Traceback (most recent call last):
    ontoeval.errors.InputError: trees.ttl, row 1: the byte 0xE4 is not UTF-8...
    """
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise InputError(
            f"the byte 0x{data[error.start]:02X} is not UTF-8",
            f"Convert the file, for example with: iconv -f latin1 -t utf-8 {where}",
            where=where,
            row=data.count(b"\n", 0, error.start) + 1,
        ) from error


def _head(data: bytes) -> str:
    wide = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    return data[:_HEAD].decode("utf-16" if wide else "utf-8", errors="replace").lstrip()


def _xml(data: bytes, *, where: str) -> str:
    namespace, name, attributes = root_element(data, where=where)
    # Any element may be the root of RDF/XML, as long as it describes a resource.
    if (namespace, name) == (RDF, "RDF") or RDF in attributes:
        return "rdfxml"
    if (namespace, name) == (OWL, "Ontology"):
        raise _to_convert("OWL/XML", where=where)
    raise InputError(
        f"this is XML, but not RDF/XML: its root element is {name!r}",
        f"Ontologies are read from {', '.join(SYNTAXES.values())}.",
        where=where,
    )


def _json(data: bytes, *, where: str) -> str:
    if not re.search(rb'"@(context|id|graph|type)"', data):
        raise InputError(
            "this is JSON, but not JSON-LD: no key is '@context', '@id' or '@graph'",
            f"Ontologies are read from {', '.join(SYNTAXES.values())}.",
            where=where,
        )
    return "jsonld"


def _to_convert(name: str, *, where: str) -> InputError:
    return InputError(f"the file is written in {name}, which is not read", _conversion(where), where=where)


def _conversion(where: str) -> str:
    return f"Convert it with: robot convert --input {where} --output {PurePath(where).with_suffix('.ttl')}"
