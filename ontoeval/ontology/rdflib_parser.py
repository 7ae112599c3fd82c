"""Parse RDF with rdflib."""

from __future__ import annotations

import io
import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from xml.sax import SAXParseException, handler
from xml.sax.expatreader import ExpatParser
from xml.sax.xmlreader import InputSource

import rdflib
from rdflib import Graph, URIRef
from rdflib.exceptions import ParserError
from rdflib.namespace import NamespaceManager
from rdflib.plugins.parsers.jsonld import to_rdf
from rdflib.plugins.parsers.rdfxml import RDFXMLHandler
from rdflib.plugins.stores.memory import Memory

from ontoeval.errors import InputError, OntoevalError
from ontoeval.ontology.file_formats import SYNTAXES
from ontoeval.ontology.safety import (
    DEEPEST_ELEMENT,
    ElementBound,
    check_entities,
    guard,
    not_well_formed,
    too_deep_bracket,
    too_deep_element,
)
from ontoeval.ontology.triples import Term, Text, Triples, valid_text


def parse(data: bytes, syntax: str, triples: Triples, *, document: object = None, base: str) -> None:
    """Read triples with rdflib."""
    graph = rdflib.Graph(store=_Store(triples), bind_namespaces="none")
    graph.namespace_manager = _Prefixes(graph, bind_namespaces="none")
    try:
        with _silence():
            if syntax == "rdfxml":
                triples.prefixes.update(parse_xml(data, graph, base=base))
            elif syntax == "jsonld":
                to_rdf(document, graph, base=base)
            else:
                graph.parse(data=data, format=syntax, publicID=base)
    except OntoevalError:
        raise
    except RecursionError as error:
        raise too_deep_bracket() from error
    except Exception as error:
        raise _refusal(syntax, error) from error


class _Store(Memory):
    """A store of rdflib that hands every triple on instead of keeping it."""

    def __init__(self, triples: Triples) -> None:
        super().__init__()
        self._triples = triples

    def add(self, triple: tuple[rdflib.term.Node, ...], context: object, quoted: bool = False) -> None:  # noqa: ARG002, FBT001, FBT002 - rdflib's own signature
        subject, predicate, term = triple
        if not quoted:  # N3 quotes this triple without asserting it
            self._triples.add(_node(subject), str(predicate), _term(term))

    def bind(self, prefix: str, namespace: rdflib.URIRef, override: bool = True) -> None:  # noqa: ARG002, FBT001, FBT002 - likewise
        self._triples.prefixes[prefix] = str(namespace)


class _Prefixes(NamespaceManager):
    """Collects prefixes as written: rdflib compares each with all before, and renames some."""

    def bind(
        self,
        prefix: str | None,
        namespace: object,
        override: bool = True,  # noqa: FBT001, FBT002 - likewise
        replace: bool = False,  # noqa: ARG002, FBT001, FBT002 - likewise
    ) -> None:
        if prefix is not None:  # the vocabulary of JSON-LD, which is no prefix
            self.store.bind(prefix, rdflib.URIRef(str(namespace)), override=override)


def _term(term: rdflib.term.Node) -> Term:
    if isinstance(term, rdflib.Literal):
        return Text(valid_text(str(term)), (term.language or "").lower())
    return _node(term)


def _node(node: rdflib.term.Node) -> str:
    return valid_text(f"_:{node}" if isinstance(node, rdflib.BNode) else str(node))


@contextmanager
def _silence() -> Iterator[None]:
    """Stop rdflib from warning about literals and IRIs that are not read, and from normalising them."""
    logger = logging.getLogger("rdflib")
    level, normalise = logger.level, rdflib.NORMALIZE_LITERALS
    logger.setLevel(logging.CRITICAL + 1)
    rdflib.NORMALIZE_LITERALS = False  # a label 007 is not 7
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)
        rdflib.NORMALIZE_LITERALS = normalise


_OF_N3 = re.compile(r"Found (?:in )?('.*?'(?: or '.*?')?)[^']*turtle mode", re.IGNORECASE)
"""rdflib's message for N3 syntax that Turtle lacks."""


def _refusal(syntax: str, error: Exception) -> InputError:
    # rdflib counts the row of Turtle from 0, and shows a piece of the file in its message.
    row = lines + 1 if isinstance(lines := getattr(error, "lines", None), int) else None
    reason = str(getattr(error, "_why", "")) or str(error) or type(error).__name__
    if isinstance(error, AttributeError | LookupError | TypeError | AssertionError):
        reason = "a statement is not complete, or something stands where it may not"
    n3 = _OF_N3.search(reason) if syntax == "turtle" else None
    if n3 is not None:
        return InputError(
            f"this is N3, not Turtle, which has no {n3[1]}",
            "Name the format: input_format='n3' (--ontology-format n3).",
            row=row,
        )
    return InputError(
        f"this is not valid {SYNTAXES[syntax]}: {' '.join(reason.split())[:200]}",
        "Is the file complete? Fetch it again, or correct the row.",
        row=row,
    )


Name = tuple[str | None, str]


# RDF/XML ----------------------------------------------------------------------------------------------------

# rdflib's reader takes a time that grows with the square of the longest literal, because it appends to a text
# at each line and each entity, and it follows entities wherever they lead. Here text is gathered first and
# handed on once, and entities are checked where they are declared.


def parse_xml(data: bytes, graph: Graph, *, base: str) -> dict[str, str]:
    """Read RDF/XML into a graph."""
    check_entities(data)
    source = InputSource()
    source.setPublicId(base)
    source.setByteStream(io.BytesIO(data))
    reader = _XmlReader(len(data) + 1)
    content = _Handler(graph, ElementBound(reader.getLineNumber))
    reader.setContentHandler(content)
    try:
        reader.parse(source)
    except SAXParseException as error:
        raise not_well_formed(error.getMessage(), row=error.getLineNumber()) from error
    except ParserError as error:
        reason = re.split(r":\d+:\d+: ", str(error), maxsplit=1)[-1]  # rdflib puts the place first
        raise InputError(
            f"this is XML, but not RDF/XML: {reason}",
            "Correct the row, or ask those who wrote the file to.",
            row=reader.getLineNumber(),
        ) from error
    return content.prefixes


class _XmlReader(ExpatParser):
    """An XML reader that never leaves the file."""

    def __init__(self, size: int) -> None:
        # In one piece: expat begins a long element again with each.
        super().__init__(namespaceHandling=1, bufsize=size)
        self.setFeature(handler.feature_external_ges, False)  # noqa: FBT003 - the name of xml.sax

    def reset(self) -> None:
        super().reset()
        _ = guard(self._parser)  # type: ignore[attr-defined]


class _NoKeys(dict[str, int]):
    """A dict that never reports a key, so that rdflib accepts repeated rdf:IDs."""

    def __contains__(self, _: object) -> bool:
        return False


class _Handler(RDFXMLHandler):
    """rdflib's handler, with text handed to it in one piece."""

    def __init__(self, graph: Graph, bound: ElementBound) -> None:
        super().__init__(graph)
        self._bound = bound
        self.prefixes: dict[str, str] = {}
        self._pieces: list[str] = []
        self.ids = _NoKeys()

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
        if len(self.stack) > DEEPEST_ELEMENT:
            raise too_deep_element()
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
        raise not_well_formed(f"the entity {name!r} is not declared")

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
