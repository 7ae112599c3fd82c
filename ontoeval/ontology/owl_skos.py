"""OWL, RDF Schema and SKOS: classes with their axioms and expressions, and broader concepts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, combinations, filterfalse, product
from math import prod

import numpy as np
from scipy import sparse

from ontoeval.core.dag import generations
from ontoeval.core.names import Namespaces, local_name
from ontoeval.errors import InputError
from ontoeval.ontology.raw_ontology import RawOntology
from ontoeval.ontology.triples import (
    BROADER_TRANSITIVE,
    GETTY,
    ISO_THES,
    OWL,
    RDF,
    RDFS,
    SKOS,
    Triples,
    is_blank,
)

LinkKinds = dict[tuple[str, str], str]
# Properties that lead to a parent, or from one: the kind of their links, and whether upwards.
Ways = dict[str, tuple[str, bool]]

_SUBCLASS = RDFS + "subClassOf"
_CLASSES = {_SUBCLASS: ("rdfs:subClassOf", True)}
_AND, _OR, _NOT = OWL + "intersectionOf", OWL + "unionOf", OWL + "complementOf"
_THING, _NOTHING = OWL + "Thing", OWL + "Nothing"
_OBO_FORMAT = "http://www.geneontology.org/formats/oboInOwl#"  # classes of the format, not of an ontology
_BUILT_IN = (OWL, RDF, RDFS, SKOS, "http://www.w3.org/2001/XMLSchema#", _OBO_FORMAT)
_GIVEN_UP = (OWL + "DeprecatedClass", _OBO_FORMAT + "ObsoleteClass")
_OF_LANGUAGES = "classes of OWL, RDF, SKOS, XML Schema or the OBO format"
_EMPTY = "owl:Nothing above a class, which then has no instances"
_OBO = ("http://purl.obolibrary.org/obo/", "http://purl.org/obo/owl/", "http://www.obofoundry.org/ro/")
# The relations of the OBO Relation Ontology, which many files use under namespaces of their own.
_OBO_RELATIONS = frozenset(
    {
        *(f"{proper}part_of" for proper in ("", "proper_", "integral_")),
        *(f"has_{proper}part" for proper in ("", "proper_", "integral_")),
        *("located_in", "location_of", "contained_in", "adjacent_to", "preceded_by", "precedes"),
        *("derives_from", "derives_into", "develops_from", "transformation_of"),
        *("has_participant", "participates_in"),
        *("regulates", "positively_regulates", "negatively_regulates"),
    }
)
_MANY = 64  # most requirements from one axiom, multiplied out
_MOST_FOLLOWED, _OFTEN = 200_000, 20  # members of lists: a list can be named by thousands of classes


def read_owl(triples: Triples, *, relations: Mapping[str, str]) -> RawOntology:
    """Read named classes of OWL and RDF Schema, with links that follow without a reasoner."""
    raw = RawOntology("OWL classes", prefixes=triples.prefixes)
    declared = triples.of_type(OWL + "Class", RDFS + "Class", OWL + "DeprecatedClass")
    links = _links_of(triples, superclasses := _with_kinds(triples, _CLASSES))
    strange = {iri for iri in {*declared, *chain.from_iterable(links)} if not _is_class(iri)}
    raw.concepts = {iri: None for iri in declared if iri not in strange}
    raw.deprecated = set(triples.of_type(OWL + "DeprecatedClass"))
    raw.unused[_OF_LANGUAGES] += sorted({iri for iri in strange if not is_blank(iri)} - {_THING, _NOTHING})
    reader = _OwlReader(triples, raw, relations)
    reader.read_subclasses(links, strange)
    reader.read_equals()
    reader.read_disjoint()
    for (parent, child), kind in reader.related.items():  # after the is-a links
        raw.link(parent, child, kind)
    raw.followed |= superclasses.keys() | relations.keys() | _OF_CLASSES
    ends = chain(triples.subjects_with(_SUBCLASS), chain.from_iterable(raw.links))
    for used in filter(_is_class, filterfalse(raw.concepts.__contains__, ends)):
        raw.note_use(used)
    _add_links(raw, triples, relations)
    raw.deprecated &= raw.concepts.keys()
    raw.equivalents = {pair for pair in raw.equivalents if raw.concepts.keys() >= set(pair)}
    return raw


@dataclass
class _OwlReader:
    """Fills a raw ontology from axioms and class expressions."""

    triples: Triples
    raw: RawOntology
    relations: Mapping[str, str]
    related: LinkKinds = field(default_factory=dict)
    followed: int = 0

    def read_subclasses(self, links: LinkKinds, strange: Container[str]) -> None:
        for link, kind in links.items():
            parent, child = link
            if parent not in strange and child not in strange and parent != child:
                self.raw.links.setdefault(link, kind)
            elif is_blank(child):
                above = "" if is_blank(parent) else parent
                self.raw.unused["axioms about a class without a name"].append(above)
            elif parent in _GIVEN_UP:
                self.raw.deprecated.add(child)
            elif parent == _NOTHING:
                self.raw.unused[_EMPTY].append(child)
            elif _is_class(child):
                self._add_superclass(child, parent, kind=kind)

    def read_equals(self) -> None:
        for one, other in self.triples.pairs(OWL + "equivalentClass"):
            # The axiom has no direction; some files write the nameless side first.
            named, same = (other, one) if is_blank(one) else (one, other)
            if _NOTHING in {named, same}:
                self.raw.unused[_EMPTY].append(named if same == _NOTHING else same)
            elif _is_class(named) and _is_class(same) and named != same:
                self.raw.equivalents.add((min(named, same), max(named, same)))
            elif _is_class(named) and is_blank(same):
                self._read_equivalent(named, same)
        # In OWL 1 the parts of an expression stand at the class itself.
        for concept in dict.fromkeys(chain.from_iterable(map(self.triples.subjects_with, (_AND, _OR, _NOT)))):
            if _is_class(concept):
                self._read_equivalent(concept, concept)

    def read_disjoint(self) -> None:
        for one, other in self.triples.pairs(OWL + "disjointWith"):
            self._all_disjoint([self._union_members(one), self._union_members(other)], "owl:disjointWith")
        for axiom in self.triples.of_type(OWL + "AllDisjointClasses"):
            for head in self.triples.nodes(axiom, OWL + "members"):
                groups = [self._union_members(member) for member in self.triples.members(head)]
                self._all_disjoint(groups, "owl:AllDisjointClasses")
        for concept, head in self.triples.pairs(OWL + "disjointUnionOf"):
            groups = [self._union_members(member) for member in self.triples.members(head)]
            for member in chain.from_iterable(groups):
                self._link(concept, member, "owl:disjointUnionOf")
            self._all_disjoint(groups, "owl:disjointUnionOf")

    def _add_superclass(self, concept: str, above: str, *, kind: str) -> None:
        for part in self._flat_members(above, _AND):
            if not is_blank(part):
                self._link(part, concept, kind if part == above else "owl:intersectionOf")
            elif self.triples.nodes(part, _NOT):
                self._read_complement(concept, part)
            elif not self._is_related(concept, part):
                self._read_requirements(concept, part)

    def _read_equivalent(self, concept: str, same: str) -> None:
        """Read that a class is an expression; `same` is the class itself where OWL 1 wrote it there."""
        unions = [self.triples.members(head) for head in self.triples.nodes(same, _OR)]
        members = [part for member in chain.from_iterable(unions) for part in self._flat_members(member, _OR)]
        if same != concept and all(map(is_blank, members)):
            self._add_superclass(concept, same, kind="owl:intersectionOf")
            return
        for member in members:
            if is_blank(member):
                self.raw.unused["members of a union without a name"].append(concept)
            else:
                self._link(concept, member, "owl:unionOf")
        if same == concept:
            for head in self.triples.nodes(same, _AND):
                for member in self.triples.members(head):
                    self._add_superclass(concept, member, kind="owl:intersectionOf")
            self._read_complement(concept, same)

    def _all_disjoint(self, groups: list[tuple[str, ...]], form: str) -> None:
        """Read that groups of classes exclude each other; an expression is an empty group."""
        sizes = [len(group) for group in groups]
        pairs = (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2
        first = next(chain.from_iterable(groups), "")
        if not self.raw.may_exclude(pairs):
            self.raw.unused[f"{form} of too many classes"].append(first)
            return
        if not all(sizes):
            self.raw.unused[f"{form} with an expression"].append(first)
        for one, other in combinations(groups, 2):
            self.raw.exclude(one, other, form)

    def _link(self, parent: str, child: str, kind: str) -> None:
        if parent == child:
            self.raw.self_links.add(parent)  # inferred files state that every class is below itself
        elif _is_class(parent) and _is_class(child):
            self.raw.link(parent, child, kind)

    def _union_members(self, node: str) -> tuple[str, ...]:
        """Classes of a union, or a class itself; nothing where a member is an expression."""
        members = tuple(dict.fromkeys(self._flat_members(node, _OR))) if is_blank(node) else (node,)
        return () if any(map(is_blank, members)) else members

    def _read_requirements(self, concept: str, node: str) -> None:
        members = list(self._flat_members(node, _OR))
        if not members:  # an empty union has no instances
            self.raw.unused["unions of nothing above a class"].append(concept)
            return
        relations = [self._relations(member) for member in members]
        if not all(relations):
            kind = "unions of classes above a class" if len(members) > 1 else "expressions of another kind"
            self.raw.unused[kind].append(concept)
            return
        needs = [self._required_alternatives(member) for member in members]
        if not 0 < prod(map(len, needs)) <= _MANY:
            self.raw.unused["restrictions of another kind"].append(concept)
            return
        used = sorted(set(chain.from_iterable(relations)))
        relation = "|".join(name for name, _ in used)
        precondition = not any(is_obo_relation(iri) for _, iri in used)
        # (A and B) or C is (A or C) and (B or C): each is a requirement of its own.
        for choice in product(*needs):
            any_of = tuple(sorted(set(chain.from_iterable(choice))))
            if _THING not in any_of:  # which holds in any case
                self.raw.require(concept, any_of, relation, precondition=precondition)

    def _read_complement(self, concept: str, node: str) -> None:
        """Read that a class excludes the complement of an expression."""
        for other in self.triples.nodes(node, _NOT):
            targets, relations = self._union_members(other), self._relations(other)
            if relations and not any(is_obo_relation(iri) for _, iri in relations):
                # A class that forbids crowds excludes them, as a class that demands crowds requires them.
                needs = self._required_alternatives(other)
                targets = needs[0] if len(needs) == 1 else ()
            if targets:
                self.raw.exclude([concept], targets, "owl:complementOf")
            else:
                self.raw.unused["complements of expressions"].append(concept)

    def _flat_members(self, node: str, operator: str) -> Iterator[str]:
        """Members of an expression and of those of the same kind inside of it."""
        waiting, met = [node], {node}
        while waiting:
            current = waiting.pop()
            # Equivalents of a class are read with the class itself, not where the class is used.
            heads = self.triples.nodes(current, operator) if is_blank(current) else []
            if not heads:
                yield current
            for head in heads:
                members = self.triples.members(head)
                self.followed += len(members)
                if self.followed > _MOST_FOLLOWED + _OFTEN * len(self.triples.links[RDF + "first"][0]):
                    raise InputError(
                        f"long lists of classes are used by many others: {self.followed:,} members so far",
                        "Give each list a class of its own, which the others name.",
                    )
                new = [member for member in members if member not in met]
                met.update(new)
                waiting += reversed(new)

    def _is_related(self, concept: str, node: str) -> bool:
        """Note the links of a restriction on a property that the hierarchy follows; False if it is none."""
        properties = self._relations(node) if self.relations else []
        kinds = [self.relations.get(iri) for name, iri in properties if name == local_name(iri)]
        if len(properties) != 1 or not kinds or not kinds[0]:
            return False
        fillers = self.triples.nodes(node, OWL + "someValuesFrom")
        parents = [part for filler in fillers for part in self._flat_members(filler, _AND)]
        if not parents or any(map(is_blank, parents)):
            return False
        for parent in parents:
            if parent == concept:
                self.raw.unused[f"{kinds[0]} of a concept to itself"].append(concept)
            elif parent != _THING:
                self.related.setdefault((parent, concept), kinds[0])
        return True

    def _relations(self, restriction: str) -> list[tuple[str, str]]:
        """List the properties of a restriction, with their names: none where it is no restriction."""
        found = []
        for node in self.triples.nodes(restriction, OWL + "onProperty") if is_blank(restriction) else ():
            inverted = self.triples.nodes(node, OWL + "inverseOf")[:1] if is_blank(node) else []
            iri = inverted[0] if inverted else node
            found.append((("inverse of " if inverted else "") + local_name(iri), iri))
        return found

    def _required_alternatives(self, restriction: str) -> list[tuple[str, ...]]:
        """List what a restriction requires, each as alternatives; empty where that form does not fit."""
        fillers = self.triples.nodes(restriction, OWL + "someValuesFrom")
        needs = [self._union_members(part) for filler in fillers for part in self._flat_members(filler, _AND)]
        return needs if all(needs) else []


def is_obo_relation(iri: str) -> bool:
    """Whether a property is a relation of the OBO ontologies, such as part of."""
    name = local_name(iri)
    return iri.startswith(_OBO) or name in _OBO_RELATIONS or name.startswith(("BFO_", "RO_"))


def _is_class(iri: str) -> bool:
    return not is_blank(iri) and not iri.startswith(_BUILT_IN)


def _add_links(raw: RawOntology, triples: Triples, relations: Mapping[str, str]) -> None:
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


def _with_kinds(triples: Triples, ways: Ways) -> Ways:
    """Add the properties that the file declares as kinds of some, and of these in turn."""
    narrower = defaultdict(list)
    for kind, above in triples.pairs(RDFS + "subPropertyOf"):
        if not kind.startswith(_BUILT_IN):  # such as skos:broadMatch, which leads to other files
            narrower[above].append(kind)
    found, waiting = dict(ways), list(ways)
    while waiting:
        above = waiting.pop()
        new = [kind for kind in narrower[above] if kind not in found]
        name, up = found[above]
        found |= {kind: (f"{name.partition(' ')[0]} ({curie_of(kind, triples)})", up) for kind in new}
        waiting += new
    return found


def curie_of(iri: str, triples: Triples) -> str:
    """Name of a property, with the prefix of the file."""
    namespaces = Namespaces.from_prefixes({name: space for name, space in triples.prefixes.items() if name})
    return next(iter(namespaces.curies(iri)), local_name(iri))


# SKOS -------------------------------------------------------------------------------------------------------


def _ways(space: str, prefix: str, *forms: str) -> Ways:
    both = [(way, form) for form in forms for way in ("broader", "narrower")]
    return {f"{space}{way}{form}": (f"{prefix}:{way}{form}", way == "broader") for way, form in both}


_KINDS = ("Generic", "Partitive", "Instantial")
_DIRECT = _ways(SKOS, "skos", "") | _ways(ISO_THES, "iso-thes", *_KINDS)
_DIRECT |= _ways(GETTY, "gvp", *_KINDS, "Preferred", "NonPreferred", "")
_TRANSITIVE = _ways(SKOS, "skos", "Transitive")
_OF_CLASSES = {_SUBCLASS, OWL + "equivalentClass", OWL + "disjointWith"}
# Predicates that make links or rules, in one of the languages.
HIERARCHICAL = _OF_CLASSES | _DIRECT.keys() | _TRANSITIVE.keys()
_NO_CONCEPTS = (
    *(SKOS + name for name in ("ConceptScheme", "Collection", "OrderedCollection")),
    *(ISO_THES + name for name in ("ConceptGroup", "ThesaurusArray")),
)


def read_skos(triples: Triples, *, relations: Mapping[str, str]) -> RawOntology:
    """Read SKOS concepts: declared ones, and those above or below another.

    Links are ``broader`` and the inverse of ``narrower``, with their kinds: those of ISO 25964 and Getty, and
    sub-properties that the file declares. The transitive forms count, reduced, only in a file that has
    nothing else.
    """
    ways = _with_kinds(triples, _DIRECT)
    direct, transitive = _links_of(triples, ways), _links_of(triples, _TRANSITIVE)
    links = direct or _without_implied(transitive)
    declared = {iri: None for iri in triples.of_type(SKOS + "Concept") if not is_blank(iri)}
    others = triples.of_type(*_NO_CONCEPTS)
    raw = RawOntology("SKOS concepts", prefixes=triples.prefixes)
    ends = dict.fromkeys(chain.from_iterable(links))
    others |= declared
    raw.concepts = declared | {end: None for end in ends if end not in others and not is_blank(end)}
    raw.undeclared = raw.concepts.keys() - declared
    strange = ends.keys() - raw.concepts
    for (parent, child), kind in links.items() if strange else ():
        if parent in strange or child in strange:
            raw.unused[f"{kind} with what is no concept"].append(parent if child in strange else child)
    raw.links = {link: kind for link, kind in links.items() if strange.isdisjoint(link)} if strange else links
    relations = dict(relations)
    asked = relations.pop(BROADER_TRANSITIVE, "")
    if direct and asked:
        for link in _without_implied(transitive | direct).keys() & transitive.keys():
            if raw.concepts.keys() >= set(link):
                raw.link(*link, asked)
    elif direct:
        raw.unused["transitive links beside direct ones"] += [link[1] for link in transitive.keys() - direct]
    _add_links(raw, triples, relations)
    raw.followed |= ways.keys() | _TRANSITIVE.keys() | relations.keys()
    return raw


def _links_of(triples: Triples, ways: Ways) -> LinkKinds:
    """Links by some properties; the first that states a link gives the kind."""
    links: LinkKinds = {}
    for iri, (kind, up) in ways.items():
        new = dict.fromkeys(zip(*triples.links[iri][:: -1 if up else 1], strict=True), kind)
        links = links | new | links if links and new else links or new
    return links


def _without_implied(links: LinkKinds) -> LinkKinds:
    """Drop the links that two others imply; cycles stay, to be reported later."""
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
    pairs = zip(links.items(), ends, strict=True)
    return {link: kind for (link, kind), end in pairs if end not in superfluous}
