"""SKOS: concepts and their broader concepts."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy import sparse

from ontoeval.core.hierarchy import generations
from ontoeval.ontology.raw_ontology import RawOntology, note_annotations
from ontoeval.ontology.relations import add_links
from ontoeval.ontology.triples import (
    BROADER_TRANSITIVE,
    GETTY,
    ISO_THES,
    RDFS,
    SKOS,
    SKOS_XL,
    Triples,
    is_blank,
)

Links = dict[tuple[str, str], str]

_NO_CONCEPTS = (
    *(SKOS + name for name in ("ConceptScheme", "Collection", "OrderedCollection")),
    *(ISO_THES + name for name in ("ConceptGroup", "ThesaurusArray")),
)


def read_skos(triples: Triples, *, relations: Mapping[str, str], where: str) -> RawOntology:
    """Read SKOS concepts: what is declared as one, or lies above or below another.

    Links are ``skos:broader`` and the inverse of ``skos:narrower``, united, with the generic forms
    that ISO 25964 and Getty's vocabularies have for is-a; the transitive forms count, without those
    that follow from others, only in a file that has nothing else. Schemes and collections are no
    concepts. Labels of SKOS-XL are taken for concepts that have no other.
    """
    direct = _united(triples, "broader", "narrower")
    for prefix, space in (("iso-thes", ISO_THES), ("gvp", GETTY)):
        generic = _united(triples, "broaderGeneric", "narrowerGeneric", space=space, prefix=prefix)
        direct = direct | {link: kind for link, kind in generic.items() if link not in direct}
    transitive = _united(triples, "broaderTransitive", "narrowerTransitive")
    links = direct or _reduced(transitive)
    declared = {iri: None for iri in triples.of_type(SKOS + "Concept") if not is_blank(iri)}
    others = triples.of_type(*_NO_CONCEPTS)
    ends = (end for link in links for end in link)
    raw = RawOntology("SKOS concepts", prefixes=triples.prefixes)
    raw.concepts = declared | {end: None for end in ends if end not in others and not is_blank(end)}
    raw.undeclared = set(raw.concepts) - set(declared)
    for (parent, child), kind in links.items():
        if parent in raw.concepts and child in raw.concepts:
            raw.link(parent, child, kind)
        else:
            raw.unused[f"{kind} with what is no concept"].append(child if child in raw.concepts else parent)
    relations = dict(relations)
    asked = relations.pop(BROADER_TRANSITIVE, "")
    if direct and asked:
        for link in _reduced(transitive | direct).keys() & transitive.keys():
            if raw.concepts.keys() >= set(link):
                raw.link(*link, asked)
    elif direct:
        beside = [child for parent, child in transitive if (parent, child) not in direct]
        raw.unused["transitive links beside direct ones"] += beside
    add_links(raw, triples, relations)
    note_annotations(raw, triples, label_properties=(SKOS + "prefLabel", RDFS + "label"), where=where)
    _note_labels_of_xl(raw, triples)
    return raw


def _united(
    triples: Triples, upward: str, downward: str, *, space: str = SKOS, prefix: str = "skos"
) -> Links:
    links = {(parent, child): f"{prefix}:{upward}" for child, parent in triples.pairs(space + upward)}
    for parent, child in triples.pairs(space + downward):
        links.setdefault((parent, child), f"{prefix}:{downward}")
    return links


def _note_labels_of_xl(raw: RawOntology, triples: Triples) -> None:
    """Note labels that are resources of their own."""
    for concept, label in triples.pairs(SKOS_XL + "prefLabel"):
        if concept in raw.concepts and not any(raw.labels[concept][:2]):
            raw.labels[concept].append(triples.texts(label, SKOS_XL + "literalForm"))


def _reduced(links: Links) -> Links:
    """Drop the links that two others make superfluous; cycles are left for those who report them."""
    concepts = {end: None for link in links for end in link}
    position = {concept: number for number, concept in enumerate(concepts)}
    ends = [(position[child], position[parent]) for parent, child in links]
    children, above = np.array(ends, dtype=np.intp).reshape(-1, 2).T
    shape = (len(concepts), len(concepts))
    parents = sparse.csr_array((np.ones(len(links), dtype=np.float32), (children, above)), shape=shape)
    if sum(map(len, generations(parents))) < len(concepts):
        return links
    twice = parents.multiply(parents @ parents).tocoo()
    superfluous = set(zip(twice.row.tolist(), twice.col.tolist(), strict=True))
    return {
        link: kind for (link, kind), end in zip(links.items(), ends, strict=True) if end not in superfluous
    }
