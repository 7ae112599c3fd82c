"""The same OBO files read by obonet."""

from pathlib import Path

import pytest

from ontoeval.core.names import OBO
from ontoeval.ontology.obo import read_obo
from ontoeval.ontology.raw_ontology import RawOntology

obonet = pytest.importorskip("obonet")

FILES = [
    "go/go-nucleus.obo",
    "go/goslim_generic.obo",
    "obonet_tests/brenda-subset.obo",
    "obonet_tests/taxrank.obo",
    "owlapi_tests/caro.obo",
    "pronto_tests/go.obo",
    "pronto_tests/hp.obo",
    "pronto_tests/mp.obo",
    "pronto_tests/ms.obo",
    "pronto_tests/uo.obo",
    "so/so.obo",
    "uberon/uberon_hist.obo",
]

ODD = """date: 01:01:2024 12:00
import: more.obo

[Term]
id: X:1
name: top

[Term]
id: X:2 ! with a comment
name: below
is_a: X:1 {xref="A:1", note="b"} ! top
relationship: part_of X:1 {cardinality="1"} ! top
relationship: is_a X:4

[Term]
id: X:3
name: gone
is_a: X:2
is_obsolete: true

[Term]
id: X:5
is_a: X:9 ! nowhere described

[Typedef]
id: part_of
is_a: overlaps
"""

Edges = set[tuple[str, str, str]]


def by_peer(path: Path, **options: bool) -> Edges:
    return set(obonet.read_obo(str(path), **options).edges(keys=True))


def identifier(told: RawOntology, iri: str) -> str:
    """Write an IRI as the file does."""
    found = [
        (len(namespace), prefix) for prefix, namespace in told.prefixes.items() if iri.startswith(namespace)
    ]
    if not found:
        return iri.removeprefix(OBO).rpartition("#")[2]
    length, prefix = max(found)
    return f"{prefix}:{iri[length:]}"


def by_project(told: RawOntology, *, live: bool) -> Edges:
    """Write links and relations as obonet does, child before parent; of terms that are not given up."""
    edges = {(child, parent, "is_a") for (parent, child), kind in told.links.items() if kind == "is_a"}
    edges |= {(need.concept, need.any_of[0], need.relation) for need in told.requirements}
    return {
        (identifier(told, child), identifier(told, parent), relation)
        for child, parent, relation in edges
        if not live or child not in told.deprecated
    }


def by_definition(path: Path) -> Edges:
    """The relations that only intersections state, which obonet does not follow."""
    term, found = "", set()
    for line in path.read_text(encoding="utf-8").splitlines():
        tag, _, value = line.partition(": ")
        words = value.partition(" !")[0].split()
        if tag == "id":
            term = words[0]
        elif tag == "intersection_of" and len(words) == 2:
            found.add((term, words[1], words[0]))
    return found


def compare(path: Path) -> None:
    told = read_obo(path.read_text(encoding="utf-8"))
    for live in (True, False):
        theirs, ours = by_peer(path, ignore_obsolete=live), by_project(told, live=live)
        assert theirs <= ours
        assert ours - theirs <= by_definition(path)


@pytest.mark.parametrize("file", FILES)
def test_published_files_have_the_same_edges(file: str, data: Path) -> None:
    compare(data / "ontologies" / file)


def test_a_file_with_every_oddity_has_the_same_edges(tmp_path: Path) -> None:
    path = tmp_path / "odd.obo"
    path.write_text(ODD, encoding="utf-8")
    compare(path)
    assert ("X:2", "X:4", "is_a") in by_peer(path)


def test_obonet_too_makes_a_node_of_a_parent_that_is_not_described(tmp_path: Path) -> None:
    path = tmp_path / "odd.obo"
    path.write_text(ODD, encoding="utf-8")
    told = read_obo(ODD)
    theirs = set(obonet.read_obo(str(path), ignore_obsolete=False))
    assert {identifier(told, iri) for iri in told.concepts} == theirs
    assert {identifier(told, iri) for iri in told.undeclared} == {"X:4", "X:9"}
