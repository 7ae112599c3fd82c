"""Relations: further properties that the hierarchy is to follow, such as part of."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence

from ontoeval.errors import AmbiguousNameError, ParameterError, enumerate_some
from ontoeval.ontology.names import OBO, Namespaces, fold, local_name, obo_id
from ontoeval.ontology.raw_ontology import RawOntology
from ontoeval.ontology.triples import BROADER_TRANSITIVE, OWL, PREDICATES, RDFS, Triples, is_blank

# What many files use without saying what it is called.
_OBO_ID = re.compile(r"[A-Za-z]\w*[:_]\d+")
_KNOWN = {OBO + "BFO_0000050": "part of", OBO + "BFO_0000051": "has part"}


def find_relations(triples: Triples, asked: Sequence[str], *, where: str) -> dict[str, str]:
    """Find the properties that are meant."""
    if not asked:
        return {}
    used = {prop for _, prop in triples.pairs(OWL + "onProperty")}
    used |= triples.objects.keys() - (PREDICATES - {BROADER_TRANSITIVE})
    names: defaultdict[str, set[str]] = defaultdict(set)
    namespaces = Namespaces.of(triples.prefixes)
    for iri in sorted(used):
        if is_blank(iri):
            continue
        labels = [text.text for text in triples.texts(iri, RDFS + "label")] or [_KNOWN.get(iri, "")]
        for name in (iri, f"<{iri}>", local_name(iri), *namespaces.curies(iri), *obo_id(iri), *labels):
            names[_joined(name)].add(iri)
    found: dict[str, str] = {}
    for name in asked:
        meant = sorted(names.get(_joined(name), ()))
        if not meant:
            known = enumerate_some(sorted({local_name(iri) for iri in used if not is_blank(iri)}))
            raise ParameterError(
                "relations", name, f"a property by which {where} links concepts ({known or 'there is none'})"
            )
        if len(meant) > 1:
            raise AmbiguousNameError(name, meant, where=where)
        found[meant[0]] = local_name(meant[0]) if name.strip("<>") == meant[0] else name
    return found


def add_links(raw: RawOntology, triples: Triples, relations: Mapping[str, str]) -> None:
    """Add the links that the file states by some properties between its concepts."""
    raw.relations.update(relations.values())
    for iri, kind in relations.items():
        for child, parent in triples.pairs(iri):
            if child == parent:
                raw.unused[f"{kind} of a concept to itself"].append(child)
            elif child in raw.concepts and parent in raw.concepts:
                raw.link(parent, child, kind)
            else:
                raw.unused[f"{kind} with what is no concept"].append(child)


def link_relations(raw: RawOntology, asked: Sequence[str], *, where: str) -> None:
    """Make links of what a file says by some relations, where these have names and no IRIs."""
    known = {need.relation for need in raw.requirements}
    raw.relations.update(asked)
    names = {relation: {_joined(name) for name in _spellings(raw, relation)} for relation in known}
    for name in asked:
        meant = [relation for relation in sorted(known) if _joined(relation) == _joined(name)]
        meant = meant or [relation for relation in sorted(known) if _joined(name) in names[relation]]
        if len({_joined(relation) for relation in meant}) > 1:
            raise AmbiguousNameError(name, meant, where=where)
        if not meant:
            raise ParameterError(
                "relations",
                name,
                f"a relation by which {where} links concepts "
                f"({enumerate_some(sorted(known)) or 'there is none'})",
            )
        for need in list(raw.requirements):
            if need.relation in meant and len(need.any_of) == 1:
                del raw.requirements[need]
                if need.any_of[0] == need.concept:
                    raw.unused[f"{name} of a concept to itself"].append(need.concept)
                else:
                    for end in (need.any_of[0], need.concept):
                        raw.use(end)  # as what `is_a` names is a concept too
                    raw.link(need.any_of[0], need.concept, name)


def _spellings(raw: RawOntology, relation: str) -> set[str]:
    """List what a relation without an IRI of its own may be called."""
    names = {relation} | raw.called.get(relation, set())
    names |= {OBO + name.replace(":", "_") for name in names if _OBO_ID.fullmatch(name)}
    for iri in [name for name in names if "://" in name]:
        names |= {f"<{iri}>", local_name(iri), *obo_id(iri), *([_KNOWN[iri]] if iri in _KNOWN else ())}
    return names


def _joined(name: str) -> str:
    return fold(name).replace("_", " ")
