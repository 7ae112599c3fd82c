"""Graphs: triples by way of rdflib; the only modules that know it are this and rdfxml."""

from __future__ import annotations

import logging
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import rdflib
from rdflib.namespace import NamespaceManager
from rdflib.plugins.parsers.jsonld import to_rdf
from rdflib.plugins.stores.memory import Memory

from ontoeval.core.ontology_formats import SYNTAXES
from ontoeval.errors import InputError, OntoevalError
from ontoeval.ontology import rdfxml
from ontoeval.ontology.bounds import too_deep
from ontoeval.ontology.triples import Term, Text, Triples


def parse(
    data: bytes, syntax: str, triples: Triples, *, document: object = None, base: str, where: str
) -> None:
    """Read triples with rdflib."""
    graph = rdflib.Graph(store=_Store(triples), bind_namespaces="none")
    graph.namespace_manager = _Prefixes(graph, bind_namespaces="none")
    try:
        with _silence():
            if syntax == "rdfxml":
                triples.prefixes.update(rdfxml.parse(data, graph, base=base, where=where))
            elif syntax == "jsonld":
                to_rdf(document, graph, base=base)
            else:
                graph.parse(data=data, format=syntax, publicID=base)
    except OntoevalError:
        raise
    except RecursionError as error:
        raise too_deep(where=where) from error
    except Exception as error:
        raise _refusal(syntax, error, where=where) from error


class _Store(Memory):
    """A store of rdflib that hands every triple on instead of keeping it."""

    def __init__(self, triples: Triples) -> None:
        super().__init__()
        self._triples = triples

    def add(self, triple: Any, context: Any, quoted: bool = False) -> None:  # noqa: ANN401, ARG002, FBT001, FBT002 - rdflib's own signature
        subject, predicate, term = triple
        if not quoted:  # what N3 only quotes, it does not say
            self._triples.add(_node(subject), str(predicate), _term(term))

    def bind(self, prefix: str, namespace: rdflib.URIRef, override: bool = True) -> None:  # noqa: ARG002, FBT001, FBT002 - likewise
        self._triples.prefixes[prefix] = str(namespace)


class _Prefixes(NamespaceManager):
    """Prefixes that are handed on: rdflib compares each with all before, and finds new names for some."""

    def bind(
        self,
        prefix: str | None,
        namespace: Any,  # noqa: ANN401 - rdflib's own signature
        override: bool = True,  # noqa: FBT001, FBT002 - likewise
        replace: bool = False,  # noqa: ARG002, FBT001, FBT002 - likewise
    ) -> None:
        if prefix is not None:  # the vocabulary of JSON-LD, which is no prefix
            self.store.bind(prefix, rdflib.URIRef(str(namespace)), override=override)


def _term(term: rdflib.term.Node) -> Term:
    if isinstance(term, rdflib.Literal):
        return Text(str(term), (term.language or "").lower())
    return _node(term)


def _node(node: rdflib.term.Node) -> str:
    return f"_:{node}" if isinstance(node, rdflib.BNode) else str(node)


@contextmanager
def _silence() -> Iterator[None]:
    """Keep rdflib from remarking on literals and IRIs of no interest here, and from rewriting them."""
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
"""What rdflib says of signs that N3 has and Turtle has not."""


def _refusal(syntax: str, error: Exception, *, where: str) -> InputError:
    # rdflib counts the row of Turtle from 0, and shows a piece of the file in its message.
    row = error.lines + 1 if isinstance(getattr(error, "lines", None), int) else None  # type: ignore[attr-defined]
    reason = str(getattr(error, "_why", "")) or str(error) or type(error).__name__
    if isinstance(error, AttributeError | LookupError | TypeError | AssertionError):
        reason = "a statement is not complete, or something stands where it may not"
    n3 = _OF_N3.search(reason) if syntax == "turtle" else None
    if n3 is not None:
        return InputError(
            f"this is N3, not Turtle, which has no {n3[1]}",
            "Name the format: input_format='n3' (--ontology-format n3).",
            where=where,
            row=row,
        )
    return InputError(
        f"this is not valid {SYNTAXES[syntax]}: {' '.join(reason.split())[:200]}",
        "Is the file complete? Fetch it again, or correct the row.",
        where=where,
        row=row,
    )
