"""Shapes: what SHACL says of label sets, which are written as triples for it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from io import BytesIO
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

from ontoeval.audit.findings import Finding, rules_of
from ontoeval.audit.resolved_labels import ResolvedLabels
from ontoeval.core.checks import Severity, requires
from ontoeval.core.files import FilePath, read_file
from ontoeval.core.sparse import row_of_entries
from ontoeval.errors import InputError

RULES = rules_of("shapes")

NAMESPACE = "https://w3id.org/ontoeval/ns#"
"""Where `Sample` and `label` are, in which label sets are written."""

FEATURE = "Checking with shapes (--shapes)"

_SAMPLE = "urn:ontoeval:sample:"
_CONCEPT = "urn:ontoeval:concept:"
_TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_BELOW = "<http://www.w3.org/2000/01/rdf-schema#subClassOf>"
_CLASS = "<http://www.w3.org/2002/07/owl#Class>"
_SH = "http://www.w3.org/ns/shacl#"
_LEVELS: dict[str, Severity] = {f"{_SH}Violation": "error", f"{_SH}Warning": "warning", f"{_SH}Info": "note"}

_QUERIES = {f"{_SH}{name}" for name in ("select", "ask", "construct", "update", "jsCode", "jsLibrary")}
_ELSEWHERE = re.compile(r"\b(?:service|from|load|with|using)\b|\\u", re.IGNORECASE)
"""Words of a query that may fetch something from a network, or hide such a word."""


def find(labels: ResolvedLabels, path: FilePath) -> Iterator[Finding]:
    """Check label sets with a file of shapes."""
    pyshacl = requires("pyshacl", "shacl", FEATURE)
    shapes = _shapes(path)
    data = _graph("".join(triples(labels)).encode(), "nt")
    try:
        _, report, _ = pyshacl.validate(data, shacl_graph=shapes, inference="none", do_owl_imports=False)
    except Exception as error:
        raise InputError(f"the shapes cannot be used: {error}", "Correct them.", where=path) from error
    yield from _findings(labels, report)


def triples(labels: ResolvedLabels) -> Iterator[str]:
    """Write label sets as N-Triples.

    Every sample is an `oe:Sample`, named ``urn:ontoeval:sample:`` and its identifier with what IRIs
    cannot hold as %-codes. It has an `oe:label` for each of its labels: the concept's IRI, or
    ``urn:ontoeval:concept:`` and its name where it has none. Concepts are classes, each below its
    parents, so that shapes can follow ``oe:label/rdfs:subClassOf*``.
    """
    hierarchy, sets = labels.hierarchy, labels.sets.matrix
    iris = _iris(labels)
    for iri in iris:
        yield f"{iri} {_TYPE} {_CLASS} .\n"
    links = zip(row_of_entries(hierarchy.parents).tolist(), hierarchy.parents.indices.tolist(), strict=True)
    for child, parent in links:
        yield f"{iris[child]} {_BELOW} {iris[parent]} .\n"
    samples = [f"<{_SAMPLE}{quote(sample, safe='')}>" for sample in labels.raw.samples]
    for sample in samples:
        yield f"{sample} {_TYPE} <{NAMESPACE}Sample> .\n"
    places = hierarchy.labels[sets.indices].tolist()
    for row, place in zip(row_of_entries(sets).tolist(), places, strict=True):
        yield f"{samples[row]} <{NAMESPACE}label> {iris[place]} .\n"


def _iris(labels: ResolvedLabels) -> list[str]:
    names, ontology = labels.hierarchy.vocabulary, labels.names.ontology
    own = [""] * len(names)
    if ontology is not None:
        own = [ontology.iris[at] for at in ontology.hierarchy().vocabulary.positions(names).tolist()]
    return [
        f"<{_escaped(iri)}>" if iri else f"<{_CONCEPT}{quote(name, safe='')}>"
        for iri, name in zip(own, names, strict=True)
    ]


def _escaped(iri: str) -> str:
    """Escape what an IRI must not hold, so that a name cannot end it."""
    return re.sub(r'[\x00-\x20<>"{}|^`\\]', lambda sign: f"\\u{ord(sign[0]):04X}", iri)


def _shapes(path: FilePath) -> Any:  # noqa: ANN401 - a graph of rdflib
    """Parse the shapes, and refuse queries that could reach beyond what is checked."""
    file = read_file(path)
    try:
        graph = _graph(file.data, "turtle")
    except Exception as error:
        raise InputError(f"these are no shapes in Turtle: {error}", "Correct them.", where=path) from error
    predicates = {str(predicate) for _, predicate, _ in graph}
    if not any(predicate.startswith(_SH) for predicate in predicates):
        raise InputError("there is no shape of SHACL", "Is it the right file?", where=path)
    for _, predicate, value in graph:
        if str(predicate) in _QUERIES and _ELSEWHERE.search(str(value)):
            raise InputError(
                "a query of the shapes names other data (SERVICE, FROM)",
                "Take it out: nothing is fetched from a network.",
                where=path,
            )
    return graph


def _graph(data: bytes, syntax: str) -> Any:  # noqa: ANN401 - a graph of rdflib
    load = requires("pyshacl.rdfutil", "shacl", FEATURE).load_from_source
    # Bytes, since a text could be taken for an address, and what lies there be fetched.
    return load(BytesIO(data), rdf_format=syntax, multigraph=False, do_owl_imports=False)


def _findings(labels: ResolvedLabels, report: Iterable[Any]) -> Iterator[Finding]:
    """Group the results of a report by what they say."""
    told: defaultdict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for about, predicate, value in report:
        told[str(about)][str(predicate)].append(str(value))
    names = dict(zip((iri[1:-1] for iri in _iris(labels)), labels.hierarchy.vocabulary, strict=True))
    groups: defaultdict[tuple[Severity, str, str, tuple[str, ...]], set[int]] = defaultdict(set)
    for result in told.values():
        focus = result.get(f"{_SH}focusNode", [""])[0]
        if not focus:
            continue
        level = _LEVELS.get(result.get(f"{_SH}resultSeverity", [""])[0], "error")
        message = "; ".join(sorted(result.get(f"{_SH}resultMessage", ["does not fit"])))
        about = (*result.get(f"{_SH}value", ()), focus)
        concepts = tuple(sorted({names[iri] for iri in about if iri in names}))
        # Blank nodes have another name each time, so that only a shape with an IRI is known by it.
        shape = next((one for one in result.get(f"{_SH}sourceShape", ()) if ":" in one), "")
        marked = groups[level, shape, message, concepts]
        if focus.startswith(_SAMPLE):
            marked.add(labels.sets.row[unquote(focus.removeprefix(_SAMPLE))])
    for (level, shape, message, concepts), found in sorted(groups.items()):
        rows = np.array(sorted(found), dtype=np.intp)
        yield Finding(
            "shape",
            level,
            concepts,
            rows.size or 1,
            labels.some(rows),
            len(labels.raw.samples),
            f"A shape says: {message}",
            rows=rows,
            key=("shape", shape, message, *concepts),
        )
