"""Shapes: check label sets, written as triples, with SHACL."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from io import BytesIO
from typing import Any
from urllib.parse import quote, unquote

import numpy as np

from ontoeval.audit.findings import Finding
from ontoeval.audit.resolved_labels import ResolvedLabels
from ontoeval.errors import InputError
from ontoeval.plumbing.checks import Severity, requires
from ontoeval.plumbing.files import FilePath, read_file
from ontoeval.plumbing.sparse import row_of_entries

NAMESPACE = "https://w3id.org/ontoeval/ns#"
"""Namespace of `Sample` and `label`."""

FEATURE = "Checking with shapes (--shapes)"

_SAMPLE, _CONCEPT = "urn:ontoeval:sample:", "urn:ontoeval:concept:"
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
    file = read_file(path)
    with _refusing("these are no shapes in Turtle", path):
        shapes = _graph(file.data, "turtle")
    if not any(str(predicate).startswith(_SH) for _, predicate, _ in shapes):
        raise InputError("there is no shape of SHACL", "Is it the right file?", where=path)
    if any(str(kind) in _QUERIES and _ELSEWHERE.search(str(query)) for _, kind, query in shapes):
        problem = "a query of the shapes names other data (SERVICE, FROM)"
        raise InputError(problem, "Take it out: nothing is fetched from a network.", where=path)
    data = _graph("".join(triples(labels)).encode(), "nt")
    with _refusing("the shapes cannot be used", path):
        _, report, _ = pyshacl.validate(data, shacl_graph=shapes, inference="none", do_owl_imports=False)
    yield from _findings(labels, report)


@contextmanager
def _refusing(problem: str, path: FilePath) -> Iterator[None]:
    """Turn exceptions of pySHACL and of the parsers into InputError."""
    try:
        yield
    except Exception as error:
        raise InputError(f"{problem}: {error}", "Correct them.", where=path) from error


def triples(labels: ResolvedLabels) -> Iterator[str]:
    """Write label sets as N-Triples.

    Every sample is an `oe:Sample`, named ``urn:ontoeval:sample:`` and its identifier with what IRIs
    cannot hold as %-codes. It has an `oe:label` for each of its labels: the concept's IRI, or
    ``urn:ontoeval:concept:`` and its name where it has none. Concepts are classes, each below its
    parents, so that shapes can follow ``oe:label/rdfs:subClassOf*``.
    """
    parents, sets = labels.hierarchy.parents, labels.sets.matrix
    iris = [f"<{iri}>" for iri in _iris(labels)]
    yield from (f"{iri} {_TYPE} {_CLASS} .\n" for iri in iris)
    for child, parent in zip(row_of_entries(parents).tolist(), parents.indices.tolist(), strict=True):
        yield f"{iris[child]} {_BELOW} {iris[parent]} .\n"
    samples = [f"<{_SAMPLE}{quote(sample, safe='')}>" for sample in labels.raw.samples]
    yield from (f"{sample} {_TYPE} <{NAMESPACE}Sample> .\n" for sample in samples)
    places = labels.hierarchy.labels[sets.indices].tolist()
    for row, place in zip(row_of_entries(sets).tolist(), places, strict=True):
        yield f"{samples[row]} <{NAMESPACE}label> {iris[place]} .\n"


def _iris(labels: ResolvedLabels) -> list[str]:
    """List the IRIs of concepts, with signs escaped that could end one."""
    names, ontology = labels.hierarchy.vocabulary, labels.names.ontology
    own = [""] * len(names)
    if ontology is not None:
        own = [ontology.iris[at] for at in ontology.hierarchy().vocabulary.positions(names).tolist()]
    return [
        re.sub(r'[\x00-\x20<>"{}|^`\\]', lambda sign: f"\\u{ord(sign[0]):04X}", iri)
        or f"{_CONCEPT}{quote(name, safe='')}"
        for iri, name in zip(own, names, strict=True)
    ]


def _graph(data: bytes, syntax: str) -> Iterable[Any]:
    load = requires("pyshacl.rdfutil", "shacl", FEATURE).load_from_source
    # Bytes, since a text could be taken for an address, and what lies there be fetched.
    graph: Iterable[Any] = load(BytesIO(data), rdf_format=syntax, multigraph=False, do_owl_imports=False)
    return graph


def _findings(labels: ResolvedLabels, report: Iterable[Any]) -> Iterator[Finding]:
    """Group the results of a report by message."""
    results: defaultdict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    for about, predicate, value in report:
        results[str(about)][str(predicate).removeprefix(_SH)].append(str(value))
    names = dict(zip(_iris(labels), labels.hierarchy.vocabulary, strict=True))
    groups: defaultdict[tuple[Severity, str, str, tuple[str, ...]], set[int]] = defaultdict(set)
    for result in results.values():
        if "focusNode" not in result:
            continue
        focus = result["focusNode"][0]
        level = _LEVELS.get(result.get("resultSeverity", [""])[0], "error")
        message = "; ".join(sorted(result.get("resultMessage", ["does not fit"])))
        concepts = tuple(sorted({names[iri] for iri in (*result.get("value", ()), focus) if iri in names}))
        # Blank nodes have another name each time, so that only a shape with an IRI is known by it.
        shape = next((one for one in result.get("sourceShape", ()) if ":" in one), "")
        marked = groups[level, shape, message, concepts]
        if focus.startswith(_SAMPLE):
            marked.add(labels.sets.row[unquote(focus.removeprefix(_SAMPLE))])
    for (level, shape, message, concepts), found in sorted(groups.items()):
        rows = np.array(sorted(found), dtype=np.intp)
        fields = {"concepts": concepts, "severity": level, "key": ("shape", shape, message, *concepts)}
        finding = labels.finding("shape", rows, {"message": message}, **fields)
        yield finding if rows.size else replace(finding, count=1)
