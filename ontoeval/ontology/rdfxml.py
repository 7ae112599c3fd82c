"""RDF/XML, read by rdflib's handler behind a guard of our own.

rdflib's reader takes a time that grows with the square of the longest literal, because it appends
to a text at each line and each entity, and it follows entities wherever they lead. Here text is
gathered first and handed on once, and entities are checked where they are declared.
"""

from __future__ import annotations

import io
import re
from typing import Any
from xml.sax import SAXParseException, handler
from xml.sax.expatreader import ExpatParser
from xml.sax.xmlreader import InputSource

from rdflib import Graph, URIRef
from rdflib.exceptions import ParserError
from rdflib.plugins.parsers.rdfxml import RDFXMLHandler

from ontoeval.errors import InputError
from ontoeval.ontology.entities import ElementBound, check_declared, guard
from ontoeval.ontology.plain_xml import DEEPEST, check_growth, too_deep
from ontoeval.ontology.prolog import not_well_formed

Name = tuple[str | None, str]


def parse(data: bytes, graph: Graph, *, base: str, where: str) -> dict[str, str]:
    """Read RDF/XML into a graph."""
    check_declared(data, where=where)
    check_growth(data, where=where)
    source = InputSource()
    source.setPublicId(base)
    source.setByteStream(io.BytesIO(data))
    reader = _Reader(where, len(data) + 1)
    content = _Handler(graph, where, ElementBound(reader.getLineNumber, where=where))
    reader.setContentHandler(content)
    try:
        reader.parse(source)
    except SAXParseException as error:
        raise not_well_formed(error.getMessage(), where=where, row=error.getLineNumber()) from error
    except ParserError as error:
        reason = re.split(r":\d+:\d+: ", str(error), maxsplit=1)[-1]  # rdflib puts the place first
        raise InputError(
            f"this is XML, but not RDF/XML: {reason}",
            "Correct the row, or ask those who wrote the file to.",
            where=where,
            row=reader.getLineNumber(),
        ) from error
    return content.prefixes


class _Reader(ExpatParser):
    """An XML reader that never leaves the file."""

    def __init__(self, where: str, size: int) -> None:
        # In one piece: expat begins a long element again with each.
        super().__init__(namespaceHandling=1, bufsize=size)
        self._where = where
        self.setFeature(handler.feature_external_ges, False)  # noqa: FBT003 - the name of xml.sax

    def reset(self) -> None:
        super().reset()
        _ = guard(self._parser, where=self._where)  # type: ignore[attr-defined]


class _Forgetful(dict[str, int]):
    """What has been met, and is not held against whom it is met again: what has an ID may go on elsewhere."""

    def __contains__(self, _: object) -> bool:
        return False


class _Handler(RDFXMLHandler):
    """rdflib's handler, with text handed to it in one piece."""

    def __init__(self, graph: Graph, where: str, bound: ElementBound) -> None:
        super().__init__(graph)
        self._bound = bound
        self.prefixes: dict[str, str] = {}
        self._pieces: list[str] = []
        self._where = where
        self.ids = _Forgetful()

    # rdflib keeps all prefixes anew at each, and finds a free name for one that is bound again.
    def startPrefixMapping(self, prefix: str | None, namespace: str | None) -> None:  # noqa: N802 - the name of xml.sax
        self._bound.declare()
        self.prefixes.setdefault(prefix or "", namespace or "")

    def endPrefixMapping(self, prefix: str | None) -> None:  # noqa: N802
        self._bound.forget(prefix)

    def characters(self, content: str) -> None:
        self._pieces.append(content)

    def startElementNS(self, name: Name, qname: str | None, attrs: Any) -> None:  # noqa: ANN401, N802 - rdflib and xml.sax disagree
        self._flush()
        self._bound.check(attrs)
        if len(self.stack) > DEEPEST:
            raise too_deep(where=self._where)
        super().startElementNS(name, qname, attrs)

    def endElementNS(self, name: Name, qname: str | None) -> None:  # noqa: N802
        self._flush()
        super().endElementNS(name, qname)

    def absolutize(self, uri: str) -> URIRef:
        # What rdflib joins with is made for addresses in the web, and forgets a base such as urn:photo.
        if uri.startswith("#"):
            return URIRef(self.current.base.partition("#")[0] + uri)
        return super().absolutize(uri)

    def skippedEntity(self, name: str) -> None:  # noqa: N802
        raise not_well_formed(f"the entity {name!r} is not declared", where=self._where)

    # XML inside of XML is no label; to gather it would take rdflib a time that grows with its square.
    def literal_element_start(self, *_: object) -> None:
        self.next.start = self.literal_element_start
        self.next.char = self.literal_element_char
        self.next.end = self.literal_element_end

    def literal_element_char(self, *_: object) -> None:
        pass

    def literal_element_end(self, *_: object) -> None:
        pass

    def _flush(self) -> None:
        if self._pieces:
            super().characters("".join(self._pieces))
            self._pieces.clear()
