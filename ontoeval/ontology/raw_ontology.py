"""Statements of a file about its concepts, by IRI, before any selection or naming."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from ontoeval.core.names import OBO, Namespaces, fold, local_name, obo_id
from ontoeval.core.rules import Requirement
from ontoeval.errors import AmbiguousNameError, ParameterError, enumerate_some
from ontoeval.ontology.triples import BROADER_TRANSITIVE, OWL, PREDICATES, RDFS, Term, Triples, is_blank

T = TypeVar("T")

REPEATED, BETWEEN_EQUALS = "links that are there again", "links between equal concepts"
"""Kinds of links that are not used."""

DEPRECATED = "deprecated"
"""Reason why deprecated concepts are left out."""

_MANY_PAIRS = 500_000
"""Most exclusions in groups: some kilobytes of a file could fill the memory."""


# Concept, text, language, and place among equally good labels of the concept.
Label = tuple[str, str, str, int]


@dataclass
class RawOntology:
    """The statements of a file, filled by a reader and read-only afterwards."""

    vocabulary: str
    plain: bool | None = None
    turnable: bool = False
    """Whether the source leaves open which end of its links is the parent."""
    concepts: dict[str, None] = field(default_factory=dict)
    undeclared: set[str] = field(default_factory=set)
    links: dict[tuple[str, str], str] = field(default_factory=dict)
    relations: set[str] = field(default_factory=set)
    followed: set[str] = field(default_factory=set)
    considered: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    labels: list[Label] = field(default_factory=list)
    synonyms: dict[str, list[str]] = field(default_factory=dict)
    narrow: dict[str, list[str]] = field(default_factory=dict)
    noted: dict[str, dict[str, list[Term]]] = field(default_factory=dict)
    abstract: set[str] = field(default_factory=set)
    deprecated: set[str] = field(default_factory=set)
    replaced: dict[str, str] = field(default_factory=dict)
    exclusions: dict[tuple[str, str], str] = field(default_factory=dict)
    pairs: int = 0
    requirements: dict[Requirement, None] = field(default_factory=dict)
    called: defaultdict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    equivalents: set[tuple[str, str]] = field(default_factory=set)
    same: dict[str, str] = field(default_factory=dict)
    own_names: dict[str, str] = field(default_factory=dict)
    agreement: dict[str, float] = field(default_factory=dict)
    self_links: set[str] = field(default_factory=set)
    unused: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    iri: str = ""
    version: str = ""
    imports: tuple[str, ...] = ()
    imported: tuple[str, ...] = ()
    also: str = ""
    prefixes: dict[str, str] = field(default_factory=dict)

    def local_name(self, iri: str) -> str:
        """Name of a concept, without regard to others."""
        return iri if self.plain else local_name(iri)

    def link(self, parent: str, child: str, kind: str) -> None:
        """Note a link; the first axiom that states it gives the kind."""
        self.links.setdefault((parent, child), kind)

    def add(self, parent: str, child: str, kind: str) -> None:
        """Note a link and its concepts; repeated links are counted."""
        pair = parent, child
        if pair in self.links:
            self.unused[REPEATED].append(child)
        else:
            self.links[pair] = kind
            self.concepts.setdefault(parent)
            self.concepts.setdefault(child)

    def note_use(self, concept: str) -> None:
        """Note a concept that is named: undeclared, if nothing declared it before."""
        if concept not in self.concepts:
            self.concepts[concept] = None
            self.undeclared.add(concept)

    def note_replaced(self, old: str, successors: set[str]) -> None:
        """Note the replacement of an identifier, or several to choose from."""
        if len(successors) == 1:
            self.replaced[old] = min(successors)
        else:
            self.unused["replaced by several concepts"].append(old)
            self.considered[old] |= successors

    def require(self, concept: str, any_of: Iterable[str], relation: str, *, precondition: bool) -> None:
        """Note a requirement."""
        self.requirements[Requirement(concept, tuple(any_of), relation, precondition)] = None

    def may_exclude(self, pairs: int) -> bool:
        """Whether this number of exclusions may be added; single ones always may."""
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


# Further relations ------------------------------------------------------------------------------------------

# Relations that many files use without declaring a name.
_KNOWN = {OBO + "BFO_0000050": "part of", OBO + "BFO_0000051": "has part"}
_ID_OF_RELATION = re.compile(r"[A-Za-z]\w*[:_]\d+")


def find_relations(triples: Triples, asked: Sequence[str], *, where: str) -> dict[str, str]:
    """Find the properties that the hierarchy is to follow, such as part of."""
    if not asked:
        return {}
    used = {prop for _, prop in triples.pairs(OWL + "onProperty")}
    used |= triples.links.keys() - (PREDICATES - {BROADER_TRANSITIVE})
    properties = sorted(iri for iri in used if not is_blank(iri))
    names: defaultdict[str, set[str]] = defaultdict(set)
    namespaces, texts = Namespaces.from_prefixes(triples.prefixes), triples.texts(RDFS + "label")
    for iri in properties:
        labels = [text for text, _ in texts.get(iri, ())] or [_KNOWN.get(iri, "")]
        for name in (iri, f"<{iri}>", local_name(iri), *namespaces.curies(iri), *obo_id(iri), *labels):
            names[_folded_words(name)].add(iri)
    found: dict[str, str] = {}
    for name in asked:
        meant = sorted(names.get(_folded_words(name), ()))
        iri = _the_one(name, meant, {local_name(known) for known in properties}, where=where)
        found[iri] = local_name(iri) if name.strip("<>") == iri else name
    return found


def link_relations(raw: RawOntology, asked: Sequence[str], *, where: str) -> None:
    """Make links of relations that have names and no IRIs."""
    known = sorted({need.relation for need in raw.requirements})
    raw.relations.update(asked)
    names = {relation: {_folded_words(name) for name in _spellings(raw, relation)} for relation in known}
    for name in asked:
        meant = [relation for relation in known if _folded_words(relation) == _folded_words(name)]
        meant = meant or [relation for relation in known if _folded_words(name) in names[relation]]
        alike = len(set(map(_folded_words, meant))) == 1
        _the_one(name, meant[:1] if alike else meant, known, where=where)
        for need in list(raw.requirements):
            if need.relation in meant and len(need.any_of) == 1:
                del raw.requirements[need]
                if need.any_of[0] == need.concept:
                    raw.unused[f"{name} of a concept to itself"].append(need.concept)
                else:
                    for end in (need.any_of[0], need.concept):
                        raw.note_use(end)  # as the target of `is_a` is a concept too
                    raw.link(need.any_of[0], need.concept, name)


def _the_one(name: str, meant: Sequence[str], known: Iterable[str], *, where: str) -> str:
    """Check that a name means one relation."""
    if len(meant) > 1:
        raise AmbiguousNameError(name, meant, where=where)
    if not meant:
        found = enumerate_some(sorted(known)) or "there is none"
        raise ParameterError("relations", name, f"a relation by which {where} links concepts ({found})")
    return meant[0]


def _spellings(raw: RawOntology, relation: str) -> set[str]:
    """List the names of a relation without an IRI of its own."""
    names = {relation} | raw.called.get(relation, set())
    names |= {OBO + name.replace(":", "_") for name in names if _ID_OF_RELATION.fullmatch(name)}
    for iri in [name for name in names if "://" in name]:
        names |= {f"<{iri}>", local_name(iri), *obo_id(iri), *([_KNOWN[iri]] if iri in _KNOWN else ())}
    return names


def _folded_words(name: str) -> str:
    return fold(name).replace("_", " ")


# Equivalent concepts ----------------------------------------------------------------------------------------


def merge_equivalents(raw: RawOntology) -> RawOntology:
    """Merge equivalent concepts; the one that is kept gets the links, rules and marks of all."""
    kept = _merge_targets(raw) if raw.equivalents else {}
    if not kept:
        return raw

    def one(concept: str) -> str:
        return kept.get(concept, concept)

    place = {concept: number << 32 for number, concept in enumerate(sorted(kept), 1)}
    result = replace(
        raw,
        concepts=dict.fromkeys(map(one, raw.concepts)),
        links={},
        labels=raw.labels + [(kept[a], b, c, place[a] + at) for a, b, c, at in raw.labels if a in kept],
        synonyms=_joined_lists(raw.synonyms, kept),
        abstract=set(map(one, raw.abstract)),
        deprecated=raw.deprecated - kept.keys(),
        exclusions={},
        requirements={},
        self_links=set(map(one, raw.self_links)),
        same=raw.same | kept,
    )
    result.undeclared = {
        one(concept) for concept in raw.undeclared if one(concept) in raw.undeclared
    } & result.concepts.keys()
    for (parent, child), kind in raw.links.items():
        if one(parent) != one(child) or parent == child:
            result.link(one(parent), one(child), kind)
        elif (child, parent) not in raw.links:
            result.unused[BETWEEN_EQUALS].append(child)
    for (first, second), form in raw.exclusions.items():
        result.exclude([one(first)], [one(second)], form)
    for need in raw.requirements:
        any_of = tuple(sorted(set(map(one, need.any_of))))
        if one(need.concept) not in any_of:  # which is meaningless
            result.requirements[replace(need, concept=one(need.concept), any_of=any_of)] = None
    return result


def _merge_targets(raw: RawOntology) -> dict[str, str]:
    """Concept that each merged one becomes: live, declared, of the largest namespace, the first."""
    namespaces = Counter(map(_namespace, raw.concepts))

    def rank(concept: str) -> tuple[bool, bool, int, str]:
        return concept in raw.deprecated, concept in raw.undeclared, -namespaces[_namespace(concept)], concept

    best: dict[str, str] = {}
    for group in _groups(raw):
        best |= dict.fromkeys(group, min(group, key=rank))
    return {one: best[one] for one in raw.concepts if best.get(one, one) != one}


def _groups(raw: RawOntology) -> Iterator[set[str]]:
    """Go through the groups of concepts that are equal, themselves or by a cycle through such."""
    import networkx as nx  # takes a while to import, and is seldom needed

    equal, links = nx.Graph(list(raw.equivalents)), nx.DiGraph(list(raw.links))
    either = nx.compose(links, nx.DiGraph(equal))
    for whole in nx.strongly_connected_components(either):
        if whole.isdisjoint(equal):
            continue
        # A cycle of links alone is a mistake, and stays, to be reported later.
        tangled = not nx.is_directed_acyclic_graph(links.subgraph(whole))
        yield from nx.connected_components(equal.subgraph(whole)) if tangled else [whole]


def _joined_lists(lists: Mapping[str, list[T]], kept: Mapping[str, str]) -> dict[str, list[T]]:
    """Join lists: a concept that is kept gets those of the others as well, behind its own."""
    joined = dict(lists)
    for concept in sorted(kept):
        if concept in joined:
            joined[kept[concept]] = [*joined.get(kept[concept], ()), *joined[concept]]
    return joined


def _namespace(iri: str) -> str:
    return iri[: max(iri.rfind("#"), iri.rfind("/")) + 1]
