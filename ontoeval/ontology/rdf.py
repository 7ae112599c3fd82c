"""RDF: from the bytes of a file to triples; the only modules that know rdflib are this and rdfxml."""

from __future__ import annotations

import json
import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath
from typing import Any
from urllib.parse import quote

import rdflib
from rdflib.plugins.parsers.jsonld import to_rdf
from rdflib.plugins.stores.memory import Memory

from ontoeval.errors import InputError, OntoevalError, listed
from ontoeval.ontology import ntriples, rdfxml
from ontoeval.ontology.syntax import SYNTAXES, text
from ontoeval.ontology.triples import Term, Text, Triples

# A file that only begins like the first may be any of the others.
_ALTERNATIVES = {
    "ntriples": ["ntriples", "turtle"],
    "nquads": ["nquads", "trig"],
    "turtle": ["turtle", "trig", "n3"],
}


def read_triples(data: bytes, syntax: str, *, where: str, exact: bool = False) -> tuple[Triples, str]:
    """Read the triples that matter for a hierarchy.

    Parameters
    ----------
    data
        The file, without a byte order mark of UTF-8.
    syntax
        One of `ontoeval.ontology.syntax.SYNTAXES`.
    where
        The file's name.
    exact
        Whether the syntax is certain; otherwise a file that only begins like N-Triples may turn
        out to be Turtle, and the like.

    Returns
    -------
    triples : Triples
        What the file says.
    syntax : str
        The syntax that it turned out to be written in.

    Raises
    ------
    InputError
        If the file cannot be read; nothing of rdflib's own errors, warnings or logs gets out.

    Examples
    --------
    >>> line = b"<urn:trees> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <urn:plants> ."
    >>> triples, _ = read_triples(line, "ntriples", where="photo.nt")
    >>> list(triples.pairs("http://www.w3.org/2000/01/rdf-schema#subClassOf"))
    [('urn:trees', 'urn:plants')]
    """
    candidates = [syntax] if exact else _ALTERNATIVES.get(syntax, [syntax])
    if b"{" not in data:  # without which TriG and N3 are Turtle
        candidates = [candidate for candidate in candidates if candidate not in {"trig", "n3"}] or candidates
    errors = []
    for candidate in candidates:
        store = _Store()
        try:
            with _silence():
                _parse(data, candidate, store, where=where)
        except OntoevalError as error:
            errors.append(error)
        except Exception as error:  # noqa: BLE001 - rdflib raises whatever comes
            errors.append(_refusal(candidate, error, where=where))
        else:
            store.kept.drop_repetitions()
            return store.kept, candidate
    # What it begins like is what its writer meant.
    raise errors[0]


class _Store(Memory):
    """A store of rdflib that hands every triple on instead of keeping it."""

    def __init__(self) -> None:
        super().__init__()
        self.kept = Triples()

    def add(self, triple: Any, context: Any, quoted: bool = False) -> None:  # noqa: ANN401, ARG002, FBT001, FBT002 - rdflib's own signature
        subject, predicate, term = triple
        if not quoted:  # what N3 only quotes, it does not say
            self.kept.add(_node(subject), str(predicate), _term(term))

    def bind(self, prefix: str, namespace: rdflib.URIRef, override: bool = True) -> None:  # noqa: FBT001, FBT002 - likewise
        super().bind(prefix, namespace, override)
        self.kept.prefixes.setdefault(prefix, str(namespace))


def _term(term: rdflib.term.Node) -> Term:
    if isinstance(term, rdflib.Literal):
        return Text(str(term), (term.language or "").lower())
    return _node(term)


def _node(node: rdflib.term.Node) -> str:
    return f"_:{node}" if isinstance(node, rdflib.BNode) else str(node)


def _parse(data: bytes, syntax: str, store: _Store, *, where: str) -> None:
    graph = rdflib.Graph(store=store, bind_namespaces="none")
    # Without the folder: the same file has the same IRIs wherever it lies.
    base = f"file:///{quote(PurePath(where).name)}"
    if syntax == "rdfxml":
        store.kept.prefixes.update(rdfxml.parse(data, graph, base=base, where=where))
    elif syntax == "jsonld":
        document = json.loads(data)
        _refuse_remote_contexts(document, where=where)
        to_rdf(document, graph, base=base)
    elif syntax in {"ntriples", "nquads"}:
        ntriples.parse(text(data, where=where), store.kept, where=where)
    else:
        text(data, where=where)
        graph.parse(data=data, format=syntax, publicID=base)


def _refuse_remote_contexts(document: object, *, where: str) -> None:
    """Refuse contexts that are not in the file itself: rdflib would fetch them, or read them from disk."""
    remote: dict[str, None] = {}
    waiting = [document]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting += item
        elif isinstance(item, dict):
            waiting += item.values()
            for key in ("@context", "@import"):
                contexts = item.get(key)
                listing = contexts if isinstance(contexts, list) else [contexts]
                remote |= dict.fromkeys(context for context in listing if isinstance(context, str))
    if remote:
        raise InputError(
            f"the JSON-LD context {listed(remote)} lies outside the file, and nothing is fetched from there",
            "Write the context into the file, under '@context', or convert the file to Turtle.",
            where=where,
        )


@contextmanager
def _silence() -> Iterator[None]:
    """Keep rdflib from remarking on literals and IRIs that are of no interest here."""
    logger = logging.getLogger("rdflib")
    level = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def _refusal(syntax: str, error: Exception, *, where: str) -> InputError:
    if isinstance(error, RecursionError):
        return InputError(
            "brackets are nested too deeply to be followed",
            "Convert the file to N-Triples, which has no brackets.",
            where=where,
        )
    row: int | None = None
    if isinstance(error, json.JSONDecodeError):
        row, reason = error.lineno, error.msg
    else:
        # rdflib counts the row of Turtle from 0, and shows a piece of the file in its message.
        row = error.lines + 1 if isinstance(getattr(error, "lines", None), int) else None  # type: ignore[attr-defined]
        reason = str(getattr(error, "_why", "")) or str(error) or type(error).__name__
    return InputError(
        f"this is not valid {SYNTAXES[syntax]}: {' '.join(reason.split())[:200]}",
        "Is the file complete? Fetch it again, or correct the row.",
        where=where,
        row=row,
    )
