"""RDF files: from bytes to triples, with imports, and from triples to concepts."""

from __future__ import annotations

import io
import json
import logging
import re
import warnings
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, repeat
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from ontoeval.core.names import OBO
from ontoeval.errors import InputError, OntoevalError, ParameterError, enumerate_some, located
from ontoeval.ontology.file_formats import BY_RDFLIB, SYNTAXES, Imports
from ontoeval.ontology.owl_skos import HIERARCHICAL, curie_of, read_owl, read_skos
from ontoeval.ontology.raw_ontology import RawOntology, find_relations
from ontoeval.ontology.safety import check_brackets, load_jsonld, plain_xml
from ontoeval.ontology.syntax import body_of, decode_text, recognise
from ontoeval.ontology.triples import (
    ABSTRACT,
    ALTERNATIVE,
    ANNOTATIONS,
    CONSIDER,
    NARROW,
    OWL,
    OWN,
    PREDICATES,
    RDF,
    RDFS,
    REPLACED_BY,
    REPLACES,
    SKOS,
    SKOS_XL,
    SYNONYM,
    SYNONYMS,
    Statement,
    Triples,
    grouped,
    is_blank,
)
from ontoeval.plumbing.files import File, checked_path, read_file
from ontoeval.plumbing.text_checks import ENDS, LONGEST_FIELD, refuse_long

if TYPE_CHECKING:
    from rdflib import Graph

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
    graph: Graph | None = None,
    annotated: bool = False,
) -> tuple[RawOntology, str]:
    """Read the concepts of a file or graph, with its imports; returns also the syntax that it has."""
    where, noted = file.where, ANNOTATIONS if annotated else {}

    def read_import(path: str) -> Triples:
        with located(path):
            imported = body_of(read_file(path))
            form = recognise(imported, where=path)
            if form not in SYNTAXES:
                raise InputError("imports are read from RDF only", "Convert the file to Turtle.")
            return read_triples(imported, form, where=path)[0]

    if graph is None:
        triples, syntax = read_triples(body_of(file), syntax, where=where, exact=exact, noted=noted)
    else:
        add_graph(triples := Triples(noted={name: {} for name in noted}), graph)
    imported, missing = _follow_imports(triples, where, imports, read=read_import)
    found = find_relations(triples, relations, where=where)
    # Of two readings of one file the one that finds more wins, classes where they are as many.
    readings = [read_owl(triples, relations=found), read_skos(triples, relations=found)]
    raw, other = sorted(readings, key=lambda reading: len(reading.concepts), reverse=True)
    _note_annotations(raw, triples)
    for predicate, subjects in triples.noted.items():
        for subject, terms in subjects.items():
            raw.noted.setdefault(ANNOTATIONS[predicate], {}).setdefault(subject, []).extend(terms)
    for iri in sorted(((triples.links.keys() - PREDICATES) | HIERARCHICAL) - raw.followed):
        between = [one for one, other in triples.pairs(iri) if one in raw.concepts and other in raw.concepts]
        if between:
            raw.unused[f"relation {curie_of(iri, triples)}"] += between
    if not raw.concepts:
        raise _nothing_in(missing)
    raw.imported, raw.imports = imported, missing
    raw.also = f"{len(other.concepts):,} {other.vocabulary}" if other.concepts else ""
    return raw, syntax


def _nothing_in(missing: Sequence[str]) -> InputError:
    if missing:
        return InputError(
            f"there are no concepts in it, but it imports what was not read: {enumerate_some(missing)}",
            "Name their files (imports=, --import IRI=FILE), or read one of these files instead.",
        )
    return InputError(
        "there are no concepts in it: no class of OWL or RDF Schema that has a name, and no concept of SKOS",
        "Is it the right file? Properties and individuals are no concepts.",
    )


# Annotations ------------------------------------------------------------------------------------------------

_OBO_ID = re.compile(r"^([A-Za-z][\w.-]*):(\w+)\Z")


def _note_annotations(raw: RawOntology, triples: Triples) -> None:
    """Read labels, marks, replacements, and IRI and version of the ontology, alike for OWL and SKOS."""
    of_skos = raw.vocabulary.startswith("SKOS")
    properties = (SKOS + "prefLabel", RDFS + "label") if of_skos else (RDFS + "label", SKOS + "prefLabel")
    raw.synonyms = grouped(zip(*triples.literals[SYNONYM][:2], strict=True))
    raw.narrow = grouped(zip(*triples.literals[NARROW][:2], strict=True))
    forms = triples.texts(SKOS_XL + "literalForm")
    for name in ("altLabel", "hiddenLabel") if of_skos else ():
        for concept, label in triples.pairs(SKOS_XL + name):
            raw.synonyms.setdefault(concept, []).extend(text for text, _ in forms.get(label, ()))
    raw.abstract = _annotated_true(triples, ABSTRACT) & raw.concepts.keys()
    raw.deprecated |= _annotated_true(triples, OWL + "deprecated") & raw.concepts.keys()
    _note_own_terms(raw, triples)
    _note_labels(raw, triples, properties)
    labels = triples.pairs(SKOS_XL + "prefLabel") if of_skos else ()
    named = {concept for concept, *_ in raw.labels} if labels else set()
    for place, (concept, label) in enumerate(labels, len(properties)):
        if concept in raw.concepts and concept not in named:
            raw.labels += ((concept, *text, place) for text in forms.get(label, ()))
    raw.iri = _ontology_iri(raw, triples.of_type(OWL + "Ontology") or triples.of_type(SKOS + "ConceptScheme"))
    versions = sorted(triples.nodes(raw.iri, OWL + "versionIRI"))
    versions += sorted(text for text, _ in triples.texts(OWL + "versionInfo").get(raw.iri, ()))
    raw.version = " ".join(versions[0].split()) if versions else ""
    successors: defaultdict[str, set[str]] = defaultdict(set)
    pairs = [*_identified(triples, REPLACED_BY)]
    pairs += [(old, new) for new, old in _identified(triples, (*REPLACES, *ALTERNATIVE))]
    for old, new in pairs:
        if old != new:
            successors[old].add(new)
    for old, new in _identified(triples, CONSIDER):
        raw.considered[old].add(new)
    for old in sorted(successors):
        raw.note_replaced(old, successors[old])


def _note_labels(raw: RawOntology, triples: Triples, properties: Iterable[str]) -> None:
    """Read the labels of concepts, each once; those of properties are left out."""
    for place, name in enumerate(properties):
        raw.labels += zip(*triples.literals[name], repeat(place), strict=False)
    named, known = {concept for concept, *_ in raw.labels}, raw.concepts.keys() | raw.same.keys()
    if len(named) < len(raw.labels) or not named <= known:
        raw.labels = [label for label in dict.fromkeys(raw.labels) if label[0] in known]


def _note_own_terms(raw: RawOntology, triples: Triples) -> None:
    """Read names, merged identifiers, rules and agreement in the terms of `OWN`."""

    def literals(name: str) -> list[tuple[str, str]]:
        return sorted(zip(*triples.literals[OWN + name][:2], strict=True))

    raw.own_names.update(literals("name"))
    for iri, text in literals("agreement"):
        try:
            raw.agreement[iri] = float(text)
        except ValueError as error:
            problem = f"the agreement {text!r} of {iri} is no number"
            raise InputError(problem, "Write a number in [0, 1].") from error
    for _, text in literals("prefix"):
        raw.prefixes.setdefault(*text.partition(" ")[::2])
    for kept, iri in triples.pairs(OWN + "equivalent"):
        raw.same[iri] = kept
    for concept, other in triples.pairs(OWN + "excludes"):
        raw.exclude([concept], [other], "oe:excludes")
    relations, required = dict(literals("relation")), _annotated_true(triples, OWN + "precondition")
    for concept, need in triples.pairs(OWN + "requires"):
        any_of = sorted(triples.nodes(need, OWN + "anyOf"))
        raw.require(concept, any_of, relations.get(need, ""), precondition=need in required)


def _identified(triples: Triples, predicates: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Subjects and objects of some predicates; a literal such as GO:0005634 stands for an IRI of OBO."""
    for name in predicates:
        subjects, texts, _ = triples.literals[name]
        named = (_OBO_ID.sub(rf"{OBO}\1_\2", text.strip()) for text in texts)
        for subject, other in chain(triples.pairs(name), zip(subjects, named, strict=True)):
            if subject and other and not is_blank(subject) and not is_blank(other):
                yield subject, other


def _ontology_iri(raw: RawOntology, candidates: Iterable[str]) -> str:
    """Choose one ontology of several: the one whose IRI most concepts begin with."""
    named = sorted(iri for iri in candidates if not is_blank(iri))
    if len(named) < 2:  # noqa: PLR2004 - nothing to choose
        return "".join(named)
    lengths = {len(iri.rstrip("#/")) for iri in named}
    begun = Counter(concept[:length] for concept in raw.concepts for length in lengths)
    return max(named, key=lambda iri: begun[iri.rstrip("#/")])


def _annotated_true(triples: Triples, mark: str) -> set[str]:
    """Subjects whose boolean annotation is true."""
    marked, unclear = set(), []
    for subject, value, _ in zip(*triples.literals[mark], strict=True):
        if value.strip().lower() in {"true", "1"}:
            marked.add(subject)
        elif value.strip().lower() not in {"false", "0"}:
            unclear.append(f"{value} ({subject})")
    if unclear and mark == ABSTRACT:
        raise InputError(
            f"the mark {ABSTRACT} is neither true nor false: {enumerate_some(unclear)}",
            "Write true, or leave the mark out.",
        )
    return marked


# Parsers ----------------------------------------------------------------------------------------------------


def read_triples(
    data: bytes, syntax: str, *, where: str, exact: bool = False, noted: Iterable[str] = ()
) -> tuple[Triples, str]:
    """Read the triples that matter, and those to be noted; returns also the syntax that the file has."""
    candidates = [syntax] if exact else _ALTERNATIVES.get(syntax, [syntax])
    if b"{" not in data:  # without which TriG and N3 are Turtle
        candidates = [candidate for candidate in candidates if candidate not in {"trig", "n3"}] or candidates
    errors = []
    for candidate in candidates:
        try:
            triples = _parse(data, candidate, Triples(noted={name: {} for name in noted}), where=where)
        except OntoevalError as error:
            errors.append(error)
        else:
            return triples, candidate
    # The beginning shows which syntax was intended.
    raise errors[0]


_PLACE = re.compile(r"^Parser error \w+ line[^:]*: ")


def _parse(data: bytes, syntax: str, triples: Triples, *, where: str) -> Triples:
    from pyoxigraph import RdfFormat, parse

    content = _checked(data, syntax, triples.prefixes, where=where)
    if syntax in BY_RDFLIB:
        return _parse_by_rdflib(content, syntax, triples)
    # Without the folder: the same file has the same IRIs wherever it lies.
    base = f"file:///{quote(PurePath(where).name)}"
    # Lenient: IRIs are not validated, and many are slightly wrong.
    form = getattr(RdfFormat, re.sub(r"\W", "_", SYNTAXES[syntax]).upper())  # RDF_XML for RDF/XML
    options = {"format": form, "base_iri": base, "lenient": True}
    try:
        quads = parse(content, **options)
        triples.add_all(_statements(quads, syntax, PREDICATES | SYNONYMS | triples.noted.keys()))
    except (SyntaxError, ValueError, MemoryError) as error:
        is_xml, name = syntax == "rdfxml", SYNTAXES[syntax]
        reason = _PLACE.sub("", getattr(error, "msg", str(error)))
        if isinstance(error, MemoryError):  # its buffer is full
            reason = "a text in it is too long"
        row = getattr(error, "lineno", None)
        if is_xml and content.count(b"\n") == data.count(b"\n"):
            row = _row_of_error(content, options)
        raise InputError(
            f"this is {'XML, but not' if is_xml else 'not valid'} {name}: {reason[:200]}",
            "Is the file complete? Fetch it again, or correct the row.",
            row=row,
        ) from error
    for prefix, namespace in quads.prefixes.items():
        triples.prefixes.setdefault(prefix, namespace)
    return triples


def _parse_by_rdflib(content: bytes, syntax: str, triples: Triples) -> Triples:
    from rdflib import Dataset

    log = logging.getLogger("rdflib.term")
    silent = log.disabled
    graph, log.disabled = Dataset(), True  # it logs each literal whose datatype has no such value
    try:
        with warnings.catch_warnings(action="ignore", category=DeprecationWarning):  # its own, in its parsers
            graph.parse(data=content, format=BY_RDFLIB[syntax], publicID="file:///")
    except Exception as error:
        raise InputError(
            f"this is not valid {SYNTAXES[syntax]}: {str(error)[:200] or type(error).__name__}",
            "Is the file complete? Fetch it again, or convert it to Turtle.",
        ) from error
    finally:
        log.disabled = silent
    add_graph(triples, graph)
    return triples


def add_graph(triples: Triples, graph: Graph) -> None:
    """Add what a graph of rdflib states; formulas of N3 and variables are skipped."""
    from rdflib import BNode, Literal, URIRef

    def term_of(value: object) -> tuple[str, str | None] | None:
        if isinstance(value, Literal):
            return str(value), (value.language or "").lower()
        known = (str(value), None) if isinstance(value, URIRef) else None
        return (f"_:{value}", None) if isinstance(value, BNode) else known

    every: Iterable[Any] = graph.quads() if hasattr(graph, "quads") else graph
    found = ((term_of(one), str(predicate), term_of(value)) for one, predicate, value, *_ in every)
    triples.add_all((one[0], name, *term) for one, name, term in found if one and one[1] is None and term)


def _row_of_error(content: bytes, options: dict[str, Any]) -> int:
    """Row up to which pyoxigraph reads, which names none for RDF/XML: it is given row by row."""
    from pyoxigraph import parse

    class RowByRow(io.BytesIO):
        begin = 0

        def read(self, size: int | None = -1) -> bytes:
            self.begin = self.tell()
            return self.readline(size)

    rows = RowByRow(content)
    with suppress(SyntaxError, ValueError, MemoryError):
        deque(parse(rows, **options), maxlen=0)
    return content.count(b"\n", 0, rows.begin) + 1


def _stated(quads: Iterator[Any]) -> Iterator[Any]:
    """Go through what N3 states: no formulas, no variables, and no literals that have properties."""
    from pyoxigraph import DefaultGraph

    while True:
        try:
            quad = next(quads, None)
        except SyntaxError as error:
            if error.lineno is not None:
                raise
            continue  # the file is right, but what it says is no triple
        if quad is None:
            return
        if type(quad.graph_name) is DefaultGraph:
            yield quad


def _statements(quads: Iterator[Any], syntax: str, kept: Container[str]) -> Iterator[Statement]:
    """Go through what a parser finds; texts that nothing reads are left out."""
    from pyoxigraph import Literal, NamedNode, Triple

    is_xml, last, one = syntax == "rdfxml", None, ""
    for quad in _stated(quads) if syntax == "n3" else quads:
        name, term, subject = quad.predicate.value, quad.object, quad.subject
        if subject != last:
            last, one = subject, subject.value if type(subject) is NamedNode else f"_:{subject.value}"
        if type(term) is NamedNode:
            yield one, name, term.value, None
        elif type(term) is Literal:
            if name in kept:
                is_markup = is_xml and term.datatype.value == RDF + "XMLLiteral"  # which is no label
                yield one, name, "" if is_markup else term.value, (term.language or "").lower()
        elif type(term) is not Triple:  # what is quoted is not stated
            yield one, name, f"_:{term.value}", None


def _checked(data: bytes, syntax: str, prefixes: dict[str, str], *, where: str) -> bytes:
    """Bytes that pyoxigraph may get.

    It expands entities until there is no memory left, follows brackets until there is no stack
    left, and reads on where a file is no XML any more.
    """
    if syntax in {"rdfxml", "trix"}:
        refuse_long(data, "a text", LONGEST_FIELD, (b"<",))
        return plain_xml(data, prefixes)
    if syntax == "jsonld":
        return json.dumps(load_jsonld(data)).encode()  # duplicate prefixes are read as other parsers do
    check_brackets(decode_text(data, where=where))
    refuse_long(data, "a literal", LONGEST_FIELD, (b'"', *ENDS))
    return data


# Imports ----------------------------------------------------------------------------------------------------

_OF_ONE_FILE = {OWL + "imports", OWL + "versionIRI", OWL + "versionInfo"}


def _follow_imports(
    triples: Triples, where: str, imports: Imports | None, *, read: Callable[[str], Triples]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Add the triples of imported files, each once; returns the IRIs that were read, and the others."""
    files = {} if imports is None else _files(imports)
    own = {*triples.of_type(OWL + "Ontology")}
    own.update(*(triples.nodes(iri, OWL + "versionIRI") for iri in list(own)))
    waiting = _imports_of(triples)
    met = {Path(where).resolve()}
    done: dict[str, bool] = {}
    while waiting:
        iri = waiting.pop()
        if iri in done or iri in own:  # circular imports lead back to the first file
            continue
        file = files.get(iri) or files.get(iri.rstrip("#"))
        done[iri] = file is not None
        if file is None or Path(file).resolve() in met:
            continue
        met.add(Path(file).resolve())
        imported = read(file)
        waiting += _imports_of(imported)
        _absorb(triples, imported, scope=str(len(met)))
    read_ones = tuple(sorted(iri for iri, found in done.items() if found))
    return read_ones, tuple(sorted(done.keys() - set(read_ones)))


def _imports_of(triples: Triples) -> list[str]:
    """IRIs of the imports; some files write them as literals."""
    named = {iri for _, iri in triples.pairs(OWL + "imports")}
    return sorted(named.union(map(str.strip, triples.literals[OWL + "imports"][1])), reverse=True)


def _absorb(triples: Triples, imported: Triples, *, scope: str) -> None:
    """Add the triples of another file, with blank nodes renamed."""

    def renamed(node: str) -> str:
        return f"_:{scope}.{node[2:]}" if node.startswith("_:") else node

    for predicate in imported.links.keys() - _OF_ONE_FILE:
        for column, nodes in zip(triples.links[predicate], imported.links[predicate], strict=True):
            column.extend(map(renamed, nodes))
    for predicate in imported.literals.keys() - _OF_ONE_FILE - {NARROW}:
        subjects, *columns = triples.literals[predicate]
        subjects.extend(map(renamed, imported.literals[predicate][0]))
        for column, texts in zip(columns, imported.literals[predicate][1:], strict=True):
            column.extend(texts)
    for kind in imported.types.keys() - {OWL + "Ontology"}:
        triples.types[kind].extend(map(renamed, imported.types[kind]))
    for prefix, namespace in imported.prefixes.items():
        triples.prefixes.setdefault(prefix, namespace)


def _files(imports: Imports) -> dict[str, str]:
    if not isinstance(imports, Mapping):
        raise ParameterError("imports", imports, "a mapping of IRIs to files")
    wrong = [iri for iri in imports if not isinstance(iri, str)]
    if wrong:
        raise ParameterError("imports", wrong[0], "IRIs, each with the path of a file")
    return {iri: checked_path(path) for iri, path in imports.items()}
