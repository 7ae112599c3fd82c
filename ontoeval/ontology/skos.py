"""SKOS: concepts and their broader concepts."""

from __future__ import annotations

from collections import defaultdict

from ontoeval.ontology.told import Told, note_annotations
from ontoeval.ontology.triples import ISO_THES, RDFS, SKOS, Triples, is_blank

Links = dict[tuple[str, str], str]

_NO_CONCEPTS = (
    *(SKOS + name for name in ("ConceptScheme", "Collection", "OrderedCollection")),
    *(ISO_THES + name for name in ("ConceptGroup", "ThesaurusArray")),
)


def read_skos(triples: Triples, *, where: str) -> Told:
    """Read SKOS concepts: what is declared as one, or lies above or below another.

    Links are ``skos:broader`` and the inverse of ``skos:narrower``, united; the transitive forms
    count, without those that follow from others, only in a file that has nothing else. Schemes and
    collections are no concepts.

    Parameters
    ----------
    triples
        What the file says.
    where
        The file's name.

    Returns
    -------
    Told
        The concepts, and what is said of them.

    Examples
    --------
    >>> triples = Triples()
    >>> triples.add("urn:plants", SKOS + "narrower", "urn:trees")
    >>> read_skos(triples, where="plants.ttl").links
    {('urn:plants', 'urn:trees'): 'skos:narrower'}
    """
    direct = _united(triples, "broader", "narrower")
    transitive = _united(triples, "broaderTransitive", "narrowerTransitive")
    links = direct or _reduced(transitive)
    declared = {iri: None for iri in triples.of_type(SKOS + "Concept") if not is_blank(iri)}
    others = triples.of_type(*_NO_CONCEPTS)
    ends = (end for link in links for end in link)
    told = Told("SKOS concepts")
    told.concepts = declared | {end: None for end in ends if end not in others and not is_blank(end)}
    told.undeclared = set(told.concepts) - set(declared)
    for (parent, child), kind in links.items():
        if parent in told.concepts and child in told.concepts:
            told.link(parent, child, kind)
        else:
            told.unused[f"{kind} with what is no concept"].append(child if child in told.concepts else parent)
    if direct:
        beside = [child for parent, child in transitive if (parent, child) not in direct]
        told.unused["transitive links beside direct ones"] += beside
    note_annotations(told, triples, label_properties=(SKOS + "prefLabel", RDFS + "label"), where=where)
    return told


def _united(triples: Triples, upward: str, downward: str) -> Links:
    links = {(parent, child): f"skos:{upward}" for child, parent in triples.pairs(SKOS + upward)}
    for parent, child in triples.pairs(SKOS + downward):
        links.setdefault((parent, child), f"skos:{downward}")
    return links


def _reduced(links: Links) -> Links:
    """Drop the links that two others make superfluous; cycles are left for those who report them."""
    import networkx as nx

    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_edges_from(links)
    if not nx.is_directed_acyclic_graph(graph):
        return links
    parents = defaultdict(set)
    for parent, child in links:
        parents[child].add(parent)
    return {
        (parent, child): kind
        for (parent, child), kind in links.items()
        if not any(parent in parents[between] for between in parents[child] if between in parents)
    }
