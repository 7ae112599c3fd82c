"""Vocabularies of RDF: a file read as OWL or RDF Schema, or as SKOS, with what it imports."""

from __future__ import annotations

from collections.abc import Sequence

from ontoeval.core.files import read_file
from ontoeval.core.ontology_formats import SYNTAXES
from ontoeval.errors import InputError, listed
from ontoeval.ontology.imports import Imports, follow
from ontoeval.ontology.owl import read_owl
from ontoeval.ontology.rdf import read_triples
from ontoeval.ontology.relations import find_relations
from ontoeval.ontology.skos import read_skos
from ontoeval.ontology.sources import without_mark
from ontoeval.ontology.syntax import recognise
from ontoeval.ontology.told import Told
from ontoeval.ontology.triples import Triples


def read_rdf(
    body: bytes,
    syntax: str,
    *,
    where: str,
    exact: bool = False,
    relations: Sequence[str] = (),
    imports: Imports | None = None,
    backend: str = "auto",
) -> tuple[Told, str]:
    """Read the concepts of a file in a syntax of RDF."""
    every_link = bool(relations)
    triples, syntax = read_triples(
        body, syntax, where=where, exact=exact, backend=backend, every_link=every_link
    )

    def read_import(path: str) -> Triples:
        file = read_file(path)
        imported = without_mark(file.data)
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
    told, other = readings if len(readings[0].concepts) >= len(readings[1].concepts) else reversed(readings)
    if not told.concepts:
        raise _nothing_in(where, followed.missing)
    told.imported, told.imports = followed
    told.also = f"{len(other.concepts):,} {other.vocabulary}" if other.concepts else ""
    return told, syntax


def _nothing_in(where: str, missing: Sequence[str]) -> InputError:
    if missing:
        return InputError(
            f"there are no concepts in it, but it imports what was not read: {listed(missing)}",
            "Say where that lies (imports=, --import), or name its file instead.",
            where=where,
        )
    return InputError(
        "there are no concepts in it: no class of OWL or RDF Schema that has a name, and no concept of SKOS",
        "Is it the right file? Properties and individuals are no concepts.",
        where=where,
    )
