"""RDF files: from bytes to triples, and from triples to concepts."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import PurePath
from urllib.parse import quote

from ontoeval.core.checks import requires
from ontoeval.core.files import File, read_file
from ontoeval.core.ontology_formats import SYNTAXES
from ontoeval.errors import InputError, OntoevalError, enumerate_some
from ontoeval.ontology import safe_rdf
from ontoeval.ontology.imports import Imports, follow
from ontoeval.ontology.owl import read_owl
from ontoeval.ontology.raw_ontology import RawOntology
from ontoeval.ontology.relations import find_relations
from ontoeval.ontology.skos import read_skos
from ontoeval.ontology.syntax import recognise, text
from ontoeval.ontology.triples import Triples, parse_rows

# A file that only begins like the first may be any of the others.
_ALTERNATIVES = {
    "ntriples": ["ntriples", "turtle"],
    "nquads": ["nquads", "trig"],
    "turtle": ["turtle", "trig", "n3"],
}


def read_rdf(
    file: File,
    syntax: str,
    *,
    exact: bool = False,
    relations: Sequence[str] = (),
    imports: Imports | None = None,
    backend: str = "auto",
) -> tuple[RawOntology, str]:
    """Read the concepts of a file, with its imports; returns also the syntax that it has."""
    every_link, where = bool(relations), file.where
    triples, syntax = read_triples(
        file.data.removeprefix(BOM_UTF8),
        syntax,
        where=where,
        exact=exact,
        backend=backend,
        every_link=every_link,
    )

    def read_import(path: str) -> Triples:
        imported = read_file(path).data.removeprefix(BOM_UTF8)
        form = recognise(imported, where=path)
        if form not in SYNTAXES:
            raise InputError("imports are read from RDF only", "Convert the file to Turtle.", where=path)
        return read_triples(imported, form, where=path, backend=backend, every_link=every_link)[0]

    followed = follow(triples, where, imports, read=read_import)
    if followed.read:
        triples.drop_repetitions()
    found = find_relations(triples, relations, where=where)
    # Of two readings of one file the one that finds more wins, classes where they are as many.
    readings = [reader(triples, relations=found, where=where) for reader in (read_owl, read_skos)]
    raw, other = sorted(readings, key=lambda reading: len(reading.concepts), reverse=True)
    if not raw.concepts:
        raise _nothing_in(where, followed.missing)
    raw.imported, raw.imports = followed
    raw.also = f"{len(other.concepts):,} {other.vocabulary}" if other.concepts else ""
    return raw, syntax


def _nothing_in(where: str, missing: Sequence[str]) -> InputError:
    if missing:
        return InputError(
            f"there are no concepts in it, but it imports what was not read: {enumerate_some(missing)}",
            "Say where that lies (imports=, --import), or name its file instead.",
            where=where,
        )
    return InputError(
        "there are no concepts in it: no class of OWL or RDF Schema that has a name, and no concept of SKOS",
        "Is it the right file? Properties and individuals are no concepts.",
        where=where,
    )


def read_triples(
    data: bytes,
    syntax: str,
    *,
    where: str,
    exact: bool = False,
    backend: str = "auto",
    every_link: bool = False,
) -> tuple[Triples, str]:
    """Read the triples that matter for a hierarchy; returns also the syntax that the file has."""
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
    """Whether pyoxigraph gets a file first."""
    if backend == "oxigraph":
        requires("pyoxigraph", "fast", 'backend="oxigraph"')
    return backend == "oxigraph" or (backend == "auto" and find_spec("pyoxigraph") is not None)


def _parse(data: bytes, syntax: str, *, where: str, fast: bool, every_link: bool) -> Triples:
    # Without the folder: the same file has the same IRIs wherever it lies.
    base = f"file:///{quote(PurePath(where).name)}"
    document: object = None
    if syntax == "jsonld":
        document = safe_rdf.loaded(data, where=where)
    elif syntax != "rdfxml":
        safe_rdf.check(text(data, where=where), where=where)
    if fast:
        from ontoeval.ontology import oxigraph_parser

        triples = Triples(every_link=every_link)
        if oxigraph_parser.parse(data, syntax, triples, document=document, base=base, where=where):
            return triples
    # What pyoxigraph refuses, rdflib may read; and where it does not either, it says why and where.
    triples = Triples(every_link=every_link)
    if syntax in {"ntriples", "nquads"}:
        parse_rows(data.decode(), triples, where=where)
    else:
        from ontoeval.ontology import rdflib_parser

        rdflib_parser.parse(data, syntax, triples, document=document, base=base, where=where)
    return triples
