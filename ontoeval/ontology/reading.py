"""Read an ontology from a file."""

from __future__ import annotations

import os
from codecs import BOM_UTF8
from collections.abc import Iterable, Sequence
from types import MappingProxyType
from typing import Any, get_args

from ontoeval.core.checks import several
from ontoeval.core.files import File, read_file
from ontoeval.core.limits import reading_at_most
from ontoeval.core.ontology_formats import (
    DIRECTIONS,
    FORMATS,
    HIERARCHIES,
    Backend,
    Direction,
    OntologyFormat,
)
from ontoeval.errors import InputError, ParameterError, one_of
from ontoeval.ontology.draft import Draft, choose, gc_paused
from ontoeval.ontology.imports import Imports
from ontoeval.ontology.json_graphs import read_json
from ontoeval.ontology.model import Ontology, compile_draft
from ontoeval.ontology.obo import read_obo
from ontoeval.ontology.paths import read_paths, read_tree_numbers
from ontoeval.ontology.raw_ontology import RawOntology
from ontoeval.ontology.relations import turn_into_links
from ontoeval.ontology.report import Source
from ontoeval.ontology.syntax import recognise, refuse_binary, text, unix_lines
from ontoeval.ontology.tables import read_adjacency, read_edges, read_levels

Names = str | Iterable[str]


def read_ontology(
    source: str | os.PathLike[str],
    *,
    root: Names | None = None,
    language: str | None = None,
    abstract: Names = (),
    concepts: Names | None = None,
    input_format: OntologyFormat | None = None,
    direction: Direction | None = None,
    relations: Names = (),
    imports: Imports | None = None,
    backend: Backend = "auto",
    max_bytes: int | None = None,
) -> Ontology:
    """Read an ontology from a local file: OWL, RDF Schema or SKOS in any syntax of RDF, OBO, JSON, a table.

    A file is read as SKOS where it has more SKOS concepts than classes. Deprecated concepts are
    left out; so are those without link and label, if no `root` is given and the file labels most of
    what it links. Everything left out is counted in the ontology's report.

    Parameters
    ----------
    source
        A path; the syntax is recognised by what the file contains, packed by gzip, bzip2, xz or zip
        or not.
    root
        Names of one or several concepts: only they and what lies below them is kept. A concept may
        be named as `Ontology.resolve` understands it, here and below.
    language
        Language of the labels to show, by default English. Where it is missing its variants are
        taken, then labels without language, then any, then the local name.
    abstract
        Concepts that are never labels, beside those that the file marks as abstract.
    concepts
        The concepts that are labels, where a list of them is at hand: all others are abstract, and
        marks in the file are not heeded.
    input_format
        The syntax, where it is not to be recognised: "rdfxml", "turtle", "ntriples", "nquads",
        "trig", "n3", "jsonld", "obo", "json", "edges", "adjacency", "paths", "levels" or "mtrees".
    direction
        "parent-child" or "child-parent": what comes first in each link of an edge list, an adjacency
        list or node-link JSON that does not say it. By default parents do.
    relations
        Further relations that the hierarchy follows, such as "part_of", by name, label, CURIE or
        IRI: what one leads to is the parent, and the link keeps the relation as its kind.
    imports
        Where the ontologies lie that the file imports: a mapping of their IRIs to paths, or the path
        of a catalogue such as Protégé's ``catalog-v001.xml``. Others are counted, never fetched.
    backend
        What parses RDF: "rdflib"; "oxigraph", many times as fast, which the extra ``fast`` installs;
        or "auto", the fastest that is there. They tell the same.
    max_bytes
        How large the file, and each that it imports, may be, unpacked; by default 2 GiB.

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
    with reading_at_most(max_bytes):
        draft = read_draft(
            source,
            root=root,
            language=language,
            abstract=abstract,
            concepts=concepts,
            input_format=input_format,
            direction=direction,
            relations=relations,
            imports=imports,
            backend=backend,
        )
    return compile_draft(draft)


def read_draft(
    source: str | os.PathLike[str],
    *,
    root: Names | None = None,
    language: str | None = None,
    abstract: Names = (),
    concepts: Names | None = None,
    input_format: OntologyFormat | None = None,
    direction: Direction | None = None,
    relations: Names = (),
    imports: Imports | None = None,
    backend: Backend = "auto",
) -> Draft:
    """Read a file as `read_ontology` does, but stop before cycles would be refused."""
    if input_format is not None:
        one_of("input_format", input_format, tuple(FORMATS))
    if direction is not None:
        one_of("direction", direction, DIRECTIONS)
    one_of("backend", backend, get_args(Backend))
    if language is not None and (not isinstance(language, str) or not language.strip()):
        raise ParameterError("language", language, 'the tag of a language, such as "en"')
    # A format that is named may be of another encoding.
    file = read_file(source, look=_refuse_at_once if input_format is None else lambda _: None)
    marked = _names(abstract, "abstract")
    labels = None if concepts is None else _names(concepts, "concepts")
    with gc_paused():
        return _read(
            file,
            input_format=input_format,
            direction=direction,
            relations=_names(relations, "relations"),
            imports=imports,
            backend=backend,
            root=None if root is None else _names(root, "root"),
            language=(language or "en").strip(),
            abstract=marked,
            concepts=labels,
        )


def _read(
    file: File,
    *,
    input_format: str | None,
    direction: Direction | None,
    relations: Sequence[str],
    imports: Imports | None,
    backend: str,
    **choices: Any,  # noqa: ANN401 - those of `choose`
) -> Draft:
    """Read a file that is no saved ontology."""
    body, where = file.data.removeprefix(BOM_UTF8), file.where
    syntax = input_format or recognise(body, where=where)
    if syntax in HIERARCHIES:
        if imports is not None:
            raise ParameterError("imports", imports, f"nothing, as {FORMATS[syntax]} is read without imports")
        raw = read_hierarchy(unix_lines(text(body, where=where)), syntax, where=where, direction=direction)
        turn_into_links(raw, relations, where=where)
    elif direction is not None:
        raise ParameterError("direction", direction, "nothing, as RDF says itself what lies above")
    else:
        from ontoeval.ontology.rdf import read_rdf  # parsers take a while to import

        raw, syntax = read_rdf(
            body,
            syntax,
            where=where,
            exact=input_format is not None,
            relations=relations,
            imports=imports,
            backend=backend,
        )
    return choose(raw, Source(where, FORMATS[syntax], raw.iri, raw.version, file.digest), **choices)


def _refuse_at_once(head: File) -> None:
    """Refuse a binary file by its beginning."""
    refuse_binary(head.data, where=head.where)


def _names(names: Names, option: str) -> tuple[str, ...]:
    found = tuple(several(names))
    if not all(isinstance(name, str) for name in found):
        raise ParameterError(option, found, "names of concepts")
    return found


_WITH_DIRECTION = MappingProxyType({"edges": read_edges, "adjacency": read_adjacency, "json": read_json})
_WITHOUT = MappingProxyType(
    {
        "obo": read_obo,
        "paths": read_paths,
        "levels": read_levels,
        "mtrees": read_tree_numbers,
    }
)


def read_hierarchy(content: str, form: str, *, where: str, direction: Direction | None = None) -> RawOntology:
    """Read a hierarchy that is not written in RDF."""
    if form in _WITH_DIRECTION:
        raw = _WITH_DIRECTION[form](content, where=where, direction=direction)
    elif direction is not None:
        raise ParameterError("direction", direction, "nothing, as the file says itself what lies above")
    else:
        raw = _WITHOUT[form](content, where=where)
    if not raw.concepts:
        raise InputError("there are no concepts in it", "Is it the right file?", where=where)
    if raw.plain is None:
        raw.plain = not all("://" in concept for concept in raw.concepts)
    return raw
