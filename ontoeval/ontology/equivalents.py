"""Equivalents: concepts that a file says are one and the same become one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

import numpy as np
from scipy import sparse

from ontoeval.ontology.told import Told
from ontoeval.ontology.triples import Text

Pair = tuple[str, str]


def merged(told: Told) -> Told:
    """Make one concept of those that are said to be equal.

    The one that is kept is live rather than deprecated, declared rather than only used, of the
    namespace that most concepts have, and first in the alphabet. It gets the links, rules and marks
    of all. A cycle that runs through concepts which are equal says that all on it are.
    """
    kept = _kept(told)
    if not kept:
        return told

    def one(concept: str) -> str:
        return kept.get(concept, concept)

    result = replace(
        told,
        concepts=dict.fromkeys(map(one, told.concepts)),
        links={},
        labels=_labels(told, kept),
        abstract=set(map(one, told.abstract)),
        deprecated=told.deprecated - kept.keys(),
        exclusions={},
        requirements={},
        self_links=set(map(one, told.self_links)),
        same=kept,
    )
    result.undeclared = {
        one(concept) for concept in told.undeclared if one(concept) in told.undeclared
    } & result.concepts.keys()
    for (parent, child), kind in told.links.items():
        if one(parent) != one(child) or parent == child:
            result.link(one(parent), one(child), kind)
    for (first, second), form in told.exclusions.items():
        result.exclude([one(first)], [one(second)], form)
    for need in told.requirements:
        any_of = tuple(sorted(set(map(one, need.any_of))))
        if one(need.concept) not in any_of:  # which would say nothing
            result.requirements[need._replace(concept=one(need.concept), any_of=any_of)] = None
    return result


def _kept(told: Told) -> dict[str, str]:
    """Say for each concept that goes which one is kept."""
    namespaces = Counter(map(_namespace, told.concepts))

    def rank(concept: str) -> tuple[bool, bool, int, str]:
        given_up = concept in told.deprecated
        return given_up, concept in told.undeclared, -namespaces[_namespace(concept)], concept

    kept: dict[str, str] = {}
    for group in _groups(told):
        best = min(group, key=rank)
        kept.update((concept, best) for concept in group if concept != best)
    return kept


def _groups(told: Told) -> list[list[str]]:
    """List the groups of concepts that are equal, themselves or by a cycle through such."""
    if not told.equivalents:
        return []
    concepts = list(told.concepts)
    position = {concept: number for number, concept in enumerate(concepts)}

    def components(pairs: Iterable[Pair]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        # As costly to import as NumPy, and seldom needed.
        from scipy.sparse.csgraph import connected_components

        known = [(position[a], position[b]) for a, b in pairs if a in position and b in position]
        ends = np.array(known, dtype=np.intp).reshape(-1, 2)
        shape = (len(concepts), len(concepts))
        graph = sparse.csr_array((np.ones(len(ends), dtype=bool), (ends[:, 0], ends[:, 1])), shape=shape)
        return np.asarray(connected_components(graph, directed=True, connection="strong")[1])

    both = [*told.equivalents, *((b, a) for a, b in told.equivalents)]
    equal, linked, either = components(both), components(told.links), components([*told.links, *both])
    # A cycle of links alone is a mistake, and stays one for those who report it.
    tangled = set(either[np.bincount(linked)[linked] > 1].tolist())
    involved = set(either[[position[a] for a, _ in told.equivalents]].tolist())
    groups: dict[tuple[str, int], list[str]] = {}
    for concept, own, whole in zip(concepts, equal.tolist(), either.tolist(), strict=True):
        if whole in involved:
            key = ("equal", own) if whole in tangled else ("cycle", whole)
            groups.setdefault(key, []).append(concept)
    return [group for group in groups.values() if len(group) > 1]


def _labels(told: Told, kept: Mapping[str, str]) -> dict[str, list[list[Text]]]:
    """Give what is kept the labels of the others as well, behind its own; the others keep theirs too."""
    labels = dict(told.labels)
    for concept in sorted(kept):
        if concept in labels:
            labels[kept[concept]] = [*labels.get(kept[concept], ()), *labels[concept]]
    return labels


def _namespace(iri: str) -> str:
    return iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]
