"""Read an ontology from a file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, cast, get_args

from ontoeval.errors import InputError, ParameterError, located, one_of
from ontoeval.ontology import ontologies
from ontoeval.ontology.file_formats import (
    DIRECTIONS,
    FORMATS,
    HIERARCHIES,
    Cycles,
    Direction,
    Imports,
    OneOrMoreNames,
    OntologyFormat,
    OntologyReading,
)
from ontoeval.ontology.json_graphs import LINES, read_json
from ontoeval.ontology.model import Draft, Ontology, compile_draft, gc_paused, select_concepts
from ontoeval.ontology.obo import read_obo
from ontoeval.ontology.raw_ontology import RawOntology, link_relations
from ontoeval.ontology.report import Source
from ontoeval.ontology.syntax import body_of, decode_text, recognise, refuse_binary, unix_lines
from ontoeval.ontology.tables import (
    holds_links,
    names_parents,
    read_edges,
    read_levels,
    read_nested_labels,
    read_paths,
    read_tree_numbers,
    refuse_turned,
)
from ontoeval.plumbing.checks import as_list
from ontoeval.plumbing.files import File, read_file, reading_at_most
from ontoeval.plumbing.text_checks import LONGEST_FIELD, LONGEST_ROW, refuse_long

_HEAD = 65_536  # characters that show what a file is

OntologySource = str | os.PathLike[str] | IO[str] | IO[bytes] | Any
"""A path or a name, an open file, or an `rdflib.Graph`."""


def read_ontology(
    source: OntologySource,
    *,
    root: OneOrMoreNames | None = None,
    language: str | None = None,
    abstract: OneOrMoreNames = (),
    concepts: OneOrMoreNames | None = None,
    input_format: OntologyFormat | None = None,
    direction: Direction | None = None,
    relations: OneOrMoreNames = (),
    imports: Imports | None = None,
    cycles: Cycles = "refuse",
    prefixes: Mapping[str, str] | None = None,
    max_bytes: int | None = None,
) -> Ontology:
    """Read an ontology from a local file: OWL, RDF Schema or SKOS in any syntax of RDF, OBO, JSON, a table.

    A file is read as SKOS where it has more SKOS concepts than classes. Deprecated concepts are left
    out; so are those without link and label, if no `root` is given and most linked ones have labels.

    Parameters
    ----------
    source
        A path, packed by gzip, bzip2, xz or zip or not. The content decides the syntax, not the suffix. Or
        the name of a shipped ontology, such as "photo", where no file has this name; an open file, or
        ``io.StringIO(text)``; or an `rdflib.Graph`.
    root
        Concepts: only they and their descendants are kept. Here and below, concepts are named in any
        way that `Ontology.resolve` understands.
    language
        Language of labels, by default English; then its variants, none, any, and the local name.
    abstract
        Concepts that are never labels, beside those that the file marks as abstract.
    concepts
        The concepts that are labels: all others are abstract, whatever the file marks.
    input_format
        The syntax, if not to be recognised: "rdfxml", "turtle", "ntriples", "nquads", "trig", "n3", "jsonld",
        "trix", "hext", "obo", "json", "edges", "paths", "levels", "mtrees" or "mulan".
    direction
        "parent-child" (default) or "child-parent": which end of a link comes first, without titles.
    relations
        Further relations that lead to parents, such as "part_of", by name, label, CURIE or IRI.
    imports
        Local copies of imported ontologies, never fetched: a mapping of their IRIs to paths.
    cycles
        "refuse", or "break": cut each link that leads back up in a depth-first walk from the roots, in
        alphabetical order; `Ontology.report` lists them.
    prefixes
        Namespaces beside those of the source: with ``{"EX": "http://example.org/ex_"}`` EX:12 names a
        concept. Of a converter of the package curies it is the ``prefix_map``.
    max_bytes
        Largest size of the file, and of each that it imports, unpacked; by default 2 GiB.

    Raises
    ------
    InputError
        If the file cannot be read or has no concepts.
    CycleError
        If a concept is its own ancestor, and cycles are refused.
    UnknownConceptError, AmbiguousNameError
        If an option names no concept, or several.

    Examples
    --------
    >>> from ontoeval import ontologies
    >>> ontology = read_ontology(ontologies.path("photo"), root="water", language="de")
    >>> sorted(ontology.graph), ontology.graph.nodes["water"]["label"]
    (['lake', 'river', 'sea', 'water'], 'Wasser')
    """
    links = relations, language, abstract, input_format, direction, cycles
    reading = OntologyReading(root, *links, concepts, imports, prefixes)
    with reading_at_most(max_bytes):
        return compile_draft(read_draft(source, reading))


def ontology_file(name: str) -> str | Path:
    """Find a file, or a shipped ontology by a plain word that is no file's name."""
    if "\n" in name:
        raise InputError(
            "a text of several lines stands where a path belongs",
            "Give io.StringIO(text), which is read as a file.",
        )
    shipped = name and "/" not in name and "." not in name and not Path(name).exists()
    return ontologies.path(name) if shipped else name


def read_draft(source: OntologySource, reading: OntologyReading, *, annotated: bool = False) -> Draft:
    """Read a file as `read_ontology` does, for audits with annotations, but do not refuse cycles yet."""
    input_format, direction, language = reading.ontology_format, reading.direction, reading.language
    if input_format is not None:
        one_of("input_format", input_format, tuple(FORMATS))
    if direction is not None:
        one_of("direction", direction, DIRECTIONS)
    one_of("cycles", reading.cycles, get_args(Cycles))
    if language is not None and (not isinstance(language, str) or not language.strip()):
        raise ParameterError("language", language, 'the tag of a language, such as "en"')
    # A format that is named may be of another encoding.
    source = ontology_file(source) if isinstance(source, str) else source
    graph: Any = source if hasattr(source, "triples") else None
    in_memory = hasattr(source, "read") or graph is not None
    look = _refuse_at_once if input_format is None else lambda _: None
    path = cast("str | os.PathLike[str]", source)
    file = _file_in_memory(source) if in_memory else read_file(path, look=look)
    where = file.where
    never, followed = _names(reading.abstract, "abstract"), _names(reading.relation, "relations")
    labels = None if reading.concepts is None else _names(reading.concepts, "concepts")
    roots = None if reading.root is None else _names(reading.root, "root")
    with gc_paused(), located(where):
        body = body_of(file)
        syntax = "a graph of rdflib" if graph is not None else input_format or recognise(body, where=where)
        if syntax in HIERARCHIES:
            if reading.imports is not None:
                expected = f"no value, as {FORMATS[syntax]} is read without imports"
                raise ParameterError("imports", reading.imports, expected)
            if syntax != "json":  # a row of the others is one field, or of the tables has several
                several = syntax in {"edges", "levels"}
                refuse_long(body, "a row", LONGEST_ROW if several else LONGEST_FIELD)
            content = unix_lines(decode_text(body, where=where))
            raw = read_hierarchy(content, syntax, direction=direction, annotated=annotated)
            if raw.turnable:
                refuse_turned(raw)
            link_relations(raw, followed, where=where)
        elif direction is not None:
            raise ParameterError("direction", direction, "no value, as RDF names the parents itself")
        else:
            from ontoeval.ontology.rdf import read_rdf  # takes a while to import

            exact = input_format is not None
            raw, syntax = read_rdf(
                file,
                syntax,
                exact=exact,
                relations=followed,
                imports=reading.imports,
                graph=graph,
                annotated=annotated,
            )
        bound: dict[str, object] = dict(getattr(source, "namespaces", dict)())  # a graph is read without them
        bound |= reading.prefixes or {}
        raw.prefixes |= {prefix: str(space) for prefix, space in bound.items()}
        origin = Source(where, FORMATS.get(syntax, syntax), raw.iri, raw.version, file.digest)
        tag = (language or "en").strip()
        draft = select_concepts(raw, origin, root=roots, language=tag, abstract=never, concepts=labels)
    draft.cycles = reading.cycles
    return draft


def _file_in_memory(source: Any) -> File:  # noqa: ANN401 - an open file, or a graph of rdflib
    """Take what an open file holds; a graph of rdflib has no bytes."""
    if hasattr(source, "triples"):
        return File("a graph in memory", b"", "")
    content = source.read()
    data = content.encode() if isinstance(content, str) else bytes(content)
    return File(str(getattr(source, "name", "a text in memory")), data, sha256(data).hexdigest())


def read_hierarchy(
    content: str, form: str, *, direction: Direction | None = None, annotated: bool = False
) -> RawOntology:
    """Read a hierarchy that is not written in RDF; rows end with a line feed."""
    if form in _WITH_DIRECTION:
        raw = _WITH_DIRECTION[form](content, direction=direction)
    elif direction is not None:
        raise ParameterError("direction", direction, "no value, as the file names the parents itself")
    else:
        raw = read_obo(content, annotated=annotated) if form == "obo" else _WITHOUT[form](content)
    if not raw.concepts:
        raise InputError("there are no concepts in it", "Is it the right file?")
    if raw.plain is None:
        raw.plain = not all("://" in concept for concept in raw.concepts)
    return raw


_WITH_DIRECTION = {"edges": read_edges, "json": read_json}
_WITHOUT = {
    "paths": read_paths,
    "levels": read_levels,
    "mtrees": read_tree_numbers,
    "mulan": read_nested_labels,
}


def recognise_file(
    path: str | os.PathLike[str], input_format: OntologyFormat | None = None
) -> tuple[str, bool]:
    """Syntax of a file, and whether its contents show a hierarchy: bare pairs of names do not."""
    if input_format is not None:
        return input_format, True
    file = read_file(path, look=_refuse_at_once)
    with located(file.where):
        body = body_of(file)
        syntax = recognise(body, where=file.where)
        if syntax not in {"json", "edges"}:
            return syntax, True
        content = unix_lines(decode_text(body, where=file.where))
        if syntax == "edges":
            return syntax, names_parents(content[:_HEAD]) or holds_links(content)
        lines = LINES.match(content) is not None
        read_hierarchy(content[: content.rfind("\n", 0, _HEAD) + 1 or None] if lines else content, syntax)
        return syntax, True


def _refuse_at_once(head: File) -> None:
    refuse_binary(head.data, where=head.where)


def _names(names: OneOrMoreNames, option: str) -> tuple[str, ...]:
    found = tuple(as_list(names))
    if not all(isinstance(name, str) for name in found):
        raise ParameterError(option, found, "names of concepts")
    return found
