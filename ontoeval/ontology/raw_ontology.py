"""What a file states about its concepts, by IRI, before anything is selected or named."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import NamedTuple

import numpy as np
from scipy import sparse

from ontoeval.errors import InputError, enumerate_some
from ontoeval.ontology.names import OBO, local_name
from ontoeval.ontology.triples import (
    ABSTRACT,
    ALTERNATIVE,
    CONSIDER,
    OWL,
    REPLACED_BY,
    REPLACES,
    SKOS,
    Text,
    Triples,
    is_blank,
)

_OBO_ID = re.compile(r"^([A-Za-z][\w.-]*):(\w+)\Z")

_MANY_PAIRS = 500_000
"""Exclusions that a file may tell in groups: some kilobytes could fill the memory."""


class RawRequirement(NamedTuple):
    """A requirement between IRIs; see `ontoeval.core.rules.Requirement`."""

    concept: str
    any_of: tuple[str, ...]
    relation: str
    precondition: bool


@dataclass
class RawOntology:
    """The statements of a file; a reader fills it, the rest only reads it."""

    vocabulary: str
    plain: bool | None = None
    concepts: dict[str, None] = field(default_factory=dict)
    undeclared: set[str] = field(default_factory=set)
    links: dict[tuple[str, str], str] = field(default_factory=dict)
    related: dict[tuple[str, str], str] = field(default_factory=dict)
    relations: set[str] = field(default_factory=set)
    considered: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    labels: dict[str, list[list[Text]]] = field(default_factory=dict)
    abstract: set[str] = field(default_factory=set)
    deprecated: set[str] = field(default_factory=set)
    replaced: dict[str, str] = field(default_factory=dict)
    exclusions: dict[tuple[str, str], str] = field(default_factory=dict)
    pairs: int = 0
    followed: int = 0
    requirements: dict[RawRequirement, None] = field(default_factory=dict)
    called: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    equivalents: set[tuple[str, str]] = field(default_factory=set)
    same: dict[str, str] = field(default_factory=dict)
    self_links: set[str] = field(default_factory=set)
    unused: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    iri: str = ""
    version: str = ""
    imports: tuple[str, ...] = ()
    imported: tuple[str, ...] = ()
    also: str = ""
    prefixes: dict[str, str] = field(default_factory=dict)

    def local(self, iri: str) -> str:
        """Name of a concept, without regard to others."""
        return iri if self.plain else local_name(iri)

    def link(self, parent: str, child: str, kind: str) -> None:
        """Note a link; the first axiom that states it gives the kind."""
        self.links.setdefault((parent, child), kind)

    def add(self, parent: str, child: str, kind: str) -> None:
        """Note a link and its concepts; repeated links are counted."""
        pair = parent, child
        if pair in self.links:
            self.unused["links that are there again"].append(child)
        else:
            self.links[pair] = kind
            self.concepts.setdefault(parent)
            self.concepts.setdefault(child)

    def use(self, concept: str) -> None:
        """Note a concept that is named: undeclared, if nothing declared it before."""
        if concept not in self.concepts:
            self.concepts[concept] = None
            self.undeclared.add(concept)

    def note_replaced(self, old: str, successors: set[str]) -> None:
        """Note the replacement of an identifier; of several, somebody must choose one."""
        if len(successors) == 1:
            self.replaced[old] = min(successors)
        else:
            self.unused["replaced by several concepts"].append(old)
            self.considered[old] |= successors

    def require(self, concept: str, any_of: Iterable[str], relation: str, *, precondition: bool) -> None:
        """Note a requirement."""
        self.requirements[RawRequirement(concept, tuple(any_of), relation, precondition)] = None

    def may_exclude(self, pairs: int) -> bool:
        """Whether so many more exclusions may be noted; single ones always may."""
        return pairs <= 1 or self.pairs + pairs <= _MANY_PAIRS

    def exclude(self, first: Iterable[str], second: Iterable[str], form: str) -> None:
        """Note that each concept of one group excludes each of the other."""
        first, second = list(first), list(second)
        if not self.may_exclude(len(first) * len(second)):
            self.unused[f"{form} of too many classes"].append(next(iter(first), ""))
            return
        self.pairs += len(first) * len(second)
        for one in first:
            for other in second:
                if one == other:
                    self.unused["exclusions of a class by itself"].append(one)
                else:
                    self.exclusions.setdefault((min(one, other), max(one, other)), form)


# Annotations of RDF -----------------------------------------------------------------------------------------


def note_annotations(
    raw: RawOntology, triples: Triples, *, label_properties: tuple[str, ...], where: str
) -> None:
    """Read labels, marks, replacements, and IRI and version of the ontology, alike for OWL and SKOS."""
    for concept in raw.concepts:
        raw.labels[concept] = [triples.texts(concept, name) for name in label_properties]
    raw.abstract = _marked(triples, ABSTRACT, where=where) & set(raw.concepts)
    raw.deprecated |= _marked(triples, OWL + "deprecated", where=where) & set(raw.concepts)
    raw.iri = _ontology_iri(raw, triples.of_type(OWL + "Ontology") or triples.of_type(SKOS + "ConceptScheme"))
    versions = sorted(triples.nodes(raw.iri, OWL + "versionIRI"))
    versions += sorted(text.text for text in triples.texts(raw.iri, OWL + "versionInfo"))
    raw.version = " ".join(versions[0].split()) if versions else ""
    _note_replacements(raw, triples)


def _note_replacements(raw: RawOntology, triples: Triples) -> None:
    """Read replaced and alternative identifiers."""
    found: defaultdict[str, set[str]] = defaultdict(set)
    pairs = [*_identified(triples, REPLACED_BY)]
    pairs += [(old, new) for new, old in _identified(triples, (*REPLACES, *ALTERNATIVE))]
    for old, new in pairs:
        if old != new:
            found[old].add(new)
    for old, new in _identified(triples, CONSIDER):
        raw.considered[old].add(new)
    for old in sorted(found):
        raw.note_replaced(old, found[old])


def _identified(triples: Triples, predicates: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Subjects and objects of some predicates; a literal such as GO:0005634 stands for an IRI of OBO."""
    for subject, terms in chain.from_iterable(triples.having(name).items() for name in predicates):
        for term in terms:
            other = _OBO_ID.sub(rf"{OBO}\1_\2", term.text.strip()) if isinstance(term, Text) else term
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


def _marked(triples: Triples, mark: str, *, where: str) -> set[str]:
    """Subjects of a mark that is true."""
    marked, unclear = set(), []
    for subject in triples.having(mark):
        for value in triples.texts(subject, mark):
            if value.text.strip().lower() in {"true", "1"}:
                marked.add(subject)
            elif value.text.strip().lower() not in {"false", "0"}:
                unclear.append(f"{value.text} ({subject})")
    if unclear and mark == ABSTRACT:
        raise InputError(
            f"the mark {ABSTRACT} is neither true nor false: {enumerate_some(unclear)}",
            "Write true, or leave the mark out.",
            where=where,
        )
    return marked


# Equivalent concepts ----------------------------------------------------------------------------------------


def merge_equivalents(raw: RawOntology) -> RawOntology:
    """Merge concepts that are stated to be equivalent.

    The one that is kept is live rather than deprecated, declared rather than only used, of the
    namespace that most concepts have, and first in the alphabet. It gets the links, rules and marks
    of all. A cycle that runs through concepts which are equal says that all on it are.
    """
    kept = _kept(raw)
    if not kept:
        return raw

    def one(concept: str) -> str:
        return kept.get(concept, concept)

    result = replace(
        raw,
        concepts=dict.fromkeys(map(one, raw.concepts)),
        links={},
        labels=_labels(raw, kept),
        abstract=set(map(one, raw.abstract)),
        deprecated=raw.deprecated - kept.keys(),
        exclusions={},
        requirements={},
        self_links=set(map(one, raw.self_links)),
        same=kept,
    )
    result.undeclared = {
        one(concept) for concept in raw.undeclared if one(concept) in raw.undeclared
    } & result.concepts.keys()
    for (parent, child), kind in raw.links.items():
        if one(parent) != one(child) or parent == child:
            result.link(one(parent), one(child), kind)
    for (first, second), form in raw.exclusions.items():
        result.exclude([one(first)], [one(second)], form)
    for need in raw.requirements:
        any_of = tuple(sorted(set(map(one, need.any_of))))
        if one(need.concept) not in any_of:  # which would say nothing
            result.requirements[need._replace(concept=one(need.concept), any_of=any_of)] = None
    return result


def _kept(raw: RawOntology) -> dict[str, str]:
    """Concept that each merged one becomes."""
    groups = _groups(raw)
    namespaces = Counter(map(_namespace, raw.concepts)) if groups else Counter[str]()

    def rank(concept: str) -> tuple[bool, bool, int, str]:
        return concept in raw.deprecated, concept in raw.undeclared, -namespaces[_namespace(concept)], concept

    kept: dict[str, str] = {}
    for group in groups:
        best = min(group, key=rank)
        kept.update((concept, best) for concept in group if concept != best)
    return kept


def _groups(raw: RawOntology) -> list[list[str]]:
    """List the groups of concepts that are equal, themselves or by a cycle through such."""
    if not raw.equivalents:
        return []
    concepts = list(raw.concepts)
    position = {concept: number for number, concept in enumerate(concepts)}

    def components(pairs: Iterable[tuple[str, str]]) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        # As costly to import as NumPy, and seldom needed.
        from scipy.sparse.csgraph import connected_components

        known = [(position[a], position[b]) for a, b in pairs if a in position and b in position]
        ends = np.array(known, dtype=np.intp).reshape(-1, 2)
        shape = (len(concepts), len(concepts))
        graph = sparse.csr_array((np.ones(len(ends), dtype=bool), (ends[:, 0], ends[:, 1])), shape=shape)
        return np.asarray(connected_components(graph, directed=True, connection="strong")[1])

    both = [*raw.equivalents, *((b, a) for a, b in raw.equivalents)]
    equal, linked, either = components(both), components(raw.links), components([*raw.links, *both])
    # A cycle of links alone is a mistake, and stays one for those who report it.
    tangled = set(either[np.bincount(linked)[linked] > 1].tolist())
    involved = set(either[[position[a] for a, _ in raw.equivalents]].tolist())
    groups: dict[tuple[str, int], list[str]] = {}
    for concept, own, whole in zip(concepts, equal.tolist(), either.tolist(), strict=True):
        if whole in involved:
            key = ("equal", own) if whole in tangled else ("cycle", whole)
            groups.setdefault(key, []).append(concept)
    return [group for group in groups.values() if len(group) > 1]


def _labels(raw: RawOntology, kept: Mapping[str, str]) -> dict[str, list[list[Text]]]:
    """Labels after merging: a concept that is kept gets those of the others as well, behind its own."""
    labels = dict(raw.labels)
    for concept in sorted(kept):
        if concept in labels:
            labels[kept[concept]] = [*labels.get(kept[concept], ()), *labels[concept]]
    return labels


def _namespace(iri: str) -> str:
    return iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]
