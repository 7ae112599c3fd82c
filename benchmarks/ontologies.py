"""Reading ontologies: published ones and a large thesaurus, beside the libraries that parse their formats."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import networkx as nx

import ontoeval as oe
from benchmarks.measuring import Bar, Comparison, Effort, Peer, cost
from benchmarks.published import MESH, SO_OBO, SO_OWL, published

BARS = {
    "thesaurus, SKOS in Turtle": Bar(seconds=1),
    "so.owl": Bar(seconds=0.3),
}


def comparisons(effort: Effort) -> Iterator[Comparison]:
    """Read from the file to the compiled hierarchy; peers only parse."""
    concepts = effort.of(28_000)
    with tempfile.TemporaryDirectory() as folder:
        turtle = Path(folder, "thesaurus.ttl")
        turtle.write_text(thesaurus(concepts), encoding="utf-8")
        yield from _of_rdf("thesaurus, SKOS in Turtle", turtle, f"{concepts:,} concepts", effort)
    owl, obo, mesh = published(SO_OWL), published(SO_OBO), published(MESH)
    if isinstance(owl, Path):
        yield from _of_rdf("so.owl", owl, "2,404 concepts", effort)
        yield from _beside("so.owl", owl, "2,404 concepts", effort, {"pronto": _with_pronto})
    else:
        yield Comparison("so.owl", owl)
    if isinstance(obo, Path):
        yield from _beside(
            "so.obo", obo, "2,404 concepts", effort, {"obonet": _with_obonet, "pronto": _with_pronto}
        )
    else:
        yield Comparison("so.obo", obo)
    if isinstance(mesh, Path):
        peers: dict[str, Callable[[Path], object]] = {
            "networkx": _with_networkx,
            "nxontology": _with_nxontology,
        }
        yield from _beside("MeSH, edge list", mesh, "27,900 concepts", effort, peers, Bar(seconds=0.5))
    else:
        yield Comparison("MeSH, edge list", mesh)


def thesaurus(concepts: int) -> str:
    """Write a SKOS thesaurus in two languages, whose every third concept has two broader ones."""
    lines = [
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .",
        "@prefix : <https://example.org/thesaurus/> .",
    ]
    for number in range(concepts):
        broader = {(number - 1) // 6} if number else set()
        if number > 6 and number % 3 == 0:  # noqa: PLR2004
            broader.add((number - 1) // 7)
        lines.append(
            f":c{number:06} a skos:Concept ;\n"
            + "".join(f"    skos:broader :c{above:06} ;\n" for above in sorted(broader))
            + f'    skos:altLabel "the {number} one"@en ;\n'
            + f'    skos:prefLabel "concept {number}"@en, "Begriff {number}"@de .\n'
        )
    return "\n".join(lines)


def _of_rdf(what: str, file: Path, size: str, effort: Effort) -> Iterator[Comparison]:
    peer = Peer("rdflib alone", cost(partial(_with_rdflib, file), effort))
    yield Comparison(what, size, cost(partial(_hierarchy, file), effort), peer, BARS[what])


def _beside(
    what: str,
    file: Path,
    size: str,
    effort: Effort,
    peers: dict[str, Callable[[Path], object]],
    bar: Bar | None = None,
) -> Iterator[Comparison]:
    ours = cost(partial(_hierarchy, file), effort)
    for name, read in peers.items():
        if find_spec(name) is None:
            yield Comparison(what, f"skipped: {name} is not installed")
            continue
        try:
            theirs = cost(partial(read, file), effort)
        except SyntaxError:
            yield Comparison(what, f"skipped: {name} refuses the file")
        else:
            yield Comparison(what, size, ours, Peer(name, theirs), bar)


def _hierarchy(file: Path) -> oe.Hierarchy:
    return oe.read_ontology(file).hierarchy()


def _with_rdflib(file: Path) -> object:
    from rdflib import Graph

    return Graph().parse(file)


def _with_obonet(file: Path) -> object:
    return import_module("obonet").read_obo(str(file))


def _with_pronto(file: Path) -> object:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it tells of every line that it does not use
        return import_module("pronto").Ontology(str(file))


def _edges(file: Path) -> list[tuple[str, str]]:
    return [(line.split()[0], line.split()[1]) for line in file.read_text(encoding="utf-8").splitlines()]


def _with_networkx(file: Path) -> object:
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_edges_from(_edges(file))
    return [graph.in_degree(node) for node in nx.topological_sort(graph)]


def _with_nxontology(file: Path) -> object:
    ontology = import_module("nxontology").NXOntology()
    ontology.graph.add_edges_from(_edges(file))
    ontology.freeze()
    return ontology.n_nodes
