"""RDF: from the bytes of a file to triples, by whichever parser is there."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import PurePath
from urllib.parse import quote

from ontoeval.errors import OntoevalError
from ontoeval.extras import requires
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
    """Read the triples that matter for a hierarchy.

    Parameters
    ----------
    data
        The file, without a byte order mark of UTF-8.
    syntax
        One of `ontoeval.ontology_formats.SYNTAXES`.
    where
        The file's name.
    exact
        Whether the syntax is certain; otherwise a file that only begins like N-Triples may turn
        out to be Turtle, and the like.
    backend
        What parses it: "rdflib", "oxigraph", or "auto" for the second where it is installed.
    every_link
        Whether links between nodes by any predicate matter.

    Returns
    -------
    triples : Triples
        What the file says, the same by whatever parser.
    syntax : str
        The syntax that it turned out to be written in.

    Raises
    ------
    InputError
        If the file cannot be read; nothing of the parsers' own errors, warnings or logs gets out.
    MissingExtraError
        If a parser is asked for that is not installed.

    Examples
    --------
    >>> line = b"<urn:trees> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <urn:plants> ."
    >>> triples, _ = read_triples(line, "ntriples", where="photo.nt")
    >>> list(triples.pairs("http://www.w3.org/2000/01/rdf-schema#subClassOf"))
    [('urn:trees', 'urn:plants')]
    """
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
    """Tell whether a file is given to pyoxigraph first.

    Parameters
    ----------
    backend
        "rdflib", "oxigraph" or "auto".

    Returns
    -------
    bool
        Whether it is.

    Raises
    ------
    MissingExtraError
        If it is not installed.

    Examples
    --------
    >>> uses_oxigraph("rdflib")
    False
    """
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
