"""Reading an ontology: from a path to an Ontology."""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256

from ontoeval.errors import InputError, ParameterError, one_of
from ontoeval.ontology.assembly import assemble
from ontoeval.ontology.model import Ontology
from ontoeval.ontology.owl import read_owl
from ontoeval.ontology.skos import read_skos
from ontoeval.ontology.sources import Source, read_bytes, without_mark
from ontoeval.ontology.syntax import SYNTAXES, recognise

Names = str | Iterable[str]


def read_ontology(
    source: str | os.PathLike[str],
    *,
    root: Names | None = None,
    language: str = "en",
    abstract: Names = (),
    concepts: Names | None = None,
    input_format: str | None = None,
) -> Ontology:
    """Read an ontology from a local file: OWL, RDF Schema or SKOS in any syntax of RDF.

    A file is read as SKOS where it has more SKOS concepts than classes. Deprecated concepts are
    left out; so are those without link and label, if no `root` is given and the file labels most of
    what it links. Everything left out is counted in the ontology's report.

    Parameters
    ----------
    source
        A path; the syntax is recognised by what the file contains.
    root
        Names of one or several concepts: only they and what lies below them is kept. A concept may
        be named as `Ontology.resolve` understands it, here and below.
    language
        Language of the labels to show. Where it is missing its variants are taken, then labels
        without language, then any, then the local name.
    abstract
        Concepts that are never labels, beside those that the file marks as abstract.
    concepts
        The concepts that are labels, where a list of them is at hand: all others are abstract, and
        marks in the file are not heeded.
    input_format
        The syntax, where it is not to be recognised: "rdfxml", "turtle", "ntriples", "nquads",
        "trig", "n3" or "jsonld".

    Returns
    -------
    Ontology
        The ontology.

    Raises
    ------
    InputError
        If the file cannot be read or has no concepts.
    CycleError
        If a concept is its own ancestor.
    UnknownConceptError
        If an option names what is no concept.
    AmbiguousNameError
        If an option names several concepts at once.
    ParameterError
        If an option has a value that it cannot have.

    Examples
    --------
    >>> from ontoeval import ontologies
    >>> ontology = read_ontology(ontologies.path("photo"), root="water", language="de")
    >>> sorted(ontology.graph), ontology.graph.nodes["water"]["label"]
    (['lake', 'river', 'sea', 'water'], 'Wasser')
    """
    if input_format is not None:
        one_of("input_format", input_format, tuple(SYNTAXES))
    if not isinstance(language, str) or not language.strip():
        raise ParameterError("language", language, 'the tag of a language, such as "en"')
    where = os.fspath(source) if isinstance(source, os.PathLike) else source
    data = read_bytes(source)
    body = without_mark(data)
    syntax = input_format or recognise(body, where=where)
    from ontoeval.ontology.rdf import read_triples  # rdflib takes a while to import

    triples, syntax = read_triples(body, syntax, where=where, exact=input_format is not None)
    # Of two readings of one file the one that finds more wins, classes where they are as many.
    readings = (read_owl(triples, where=where), read_skos(triples, where=where))
    told = max(readings, key=lambda reading: len(reading.concepts))
    if not told.concepts:
        raise InputError(
            "there are no concepts in it: neither classes of OWL or RDF Schema nor SKOS concepts",
            "Is it the right file? Ontologies may be spread over several.",
            where=where,
        )
    other = readings[told is readings[0]]
    return assemble(
        told,
        triples.prefixes,
        Source(where, SYNTAXES[syntax], told.iri, told.version, sha256(data).hexdigest()),
        root=None if root is None else _names(root, "root"),
        language=language.strip(),
        abstract=_names(abstract, "abstract"),
        concepts=None if concepts is None else _names(concepts, "concepts"),
        also=f"{len(other.concepts):,} {other.vocabulary}" if other.concepts else "",
    )


def _names(names: Names, option: str) -> tuple[str, ...]:
    names = (names,) if isinstance(names, str) else tuple(names)
    if not all(isinstance(name, str) for name in names):
        raise ParameterError(option, names, "names of concepts")
    return names
