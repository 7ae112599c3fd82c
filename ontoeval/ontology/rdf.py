"""RDF: from the bytes of a file to triples, by whichever parser is there."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import PurePath
from urllib.parse import quote

from ontoeval.core.extras import requires
from ontoeval.errors import OntoevalError
from ontoeval.ontology import bounds
from ontoeval.ontology.syntax import text
from ontoeval.ontology.triples import Triples

# A file that only begins like the first may be any of the others.
_ALTERNATIVES = {
    "ntriples": ["ntriples", "turtle"],
    "nquads": ["nquads", "trig"],
    "turtle": ["turtle", "trig", "n3"],
}


def read_triples(
    data: bytes,
    syntax: str,
    *,
    where: str,
    exact: bool = False,
    backend: str = "auto",
    every_link: bool = False,
) -> tuple[Triples, str]:
    """Read the triples that matter for a hierarchy."""
    fast = uses_oxigraph(backend)
    candidates = [syntax] if exact else _ALTERNATIVES.get(syntax, [syntax])
    if b"{" not in data:  # without which TriG and N3 are Turtle
        candidates = [candidate for candidate in candidates if candidate not in {"trig", "n3"}] or candidates
    errors = []
    for candidate in candidates:
        try:
            triples = _parse(data, candidate, where=where, fast=fast, every_link=every_link)
        except OntoevalError as error:
            errors.append(error)
        else:
            triples.drop_repetitions()
            return triples, candidate
    # What it begins like is what its writer meant.
    raise errors[0]


def uses_oxigraph(backend: str) -> bool:
    """Tell whether a file is given to pyoxigraph first."""
    if backend == "oxigraph":
        requires("pyoxigraph", "fast", 'backend="oxigraph"')
    return backend == "oxigraph" or (backend == "auto" and find_spec("pyoxigraph") is not None)


def _parse(data: bytes, syntax: str, *, where: str, fast: bool, every_link: bool) -> Triples:
    # Without the folder: the same file has the same IRIs wherever it lies.
    base = f"file:///{quote(PurePath(where).name)}"
    document: object = None
    if syntax == "jsonld":
        document = bounds.loaded(data, where=where)
    elif syntax != "rdfxml":
        bounds.check(text(data, where=where), where=where)
    if fast:
        from ontoeval.ontology import oxigraph

        triples = Triples(every_link=every_link)
        if oxigraph.parse(data, syntax, triples, document=document, base=base, where=where):
            return triples
    # What pyoxigraph refuses, rdflib may read; and where it does not either, it says why and where.
    triples = Triples(every_link=every_link)
    if syntax in {"ntriples", "nquads"}:
        from ontoeval.ontology import ntriples

        ntriples.parse(data.decode(), triples, where=where)
    else:
        from ontoeval.ontology import graphs

        graphs.parse(data, syntax, triples, document=document, base=base, where=where)
    return triples
