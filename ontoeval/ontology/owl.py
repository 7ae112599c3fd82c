"""OWL and RDF Schema: named classes, class expressions, disjointness."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, combinations, product
from math import prod
from typing import NamedTuple

from ontoeval.errors import InputError
from ontoeval.ontology.names import local_name
from ontoeval.ontology.raw_ontology import RawOntology, note_annotations
from ontoeval.ontology.relations import add_links
from ontoeval.ontology.triples import OWL, RDF, RDFS, SKOS, Triples, is_blank

_SUBCLASS = RDFS + "subClassOf"
_EQUIVALENT = OWL + "equivalentClass"
_OBO_FORMAT = "http://www.geneontology.org/formats/oboInOwl#"  # classes of the format, not of an ontology
_BUILT_IN = (OWL, RDF, RDFS, SKOS, "http://www.w3.org/2001/XMLSchema#", _OBO_FORMAT)
_GIVEN_UP = (OWL + "DeprecatedClass", _OBO_FORMAT + "ObsoleteClass")
_THING, _NOTHING = OWL + "Thing", OWL + "Nothing"
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
_MANY = 64  # requirements that one axiom may come to when it is multiplied out
_MOST_FOLLOWED, _OFTEN = 200_000, 20  # members of lists: a list can be named by thousands of classes

Alternatives = tuple[str, ...]


def read_owl(triples: Triples, *, relations: Mapping[str, str], where: str) -> RawOntology:
    """Read the named classes of OWL and RDF Schema.

    Beside ``rdfs:subClassOf`` between named classes, a class lies below the named members of an
    intersection that it is equal to or below of, and above the members of a union that it is equal
    to: this follows without a reasoner, and much of what is published is written so.
    """
    raw = RawOntology("OWL classes", prefixes=triples.prefixes)
    declared = triples.of_type(OWL + "Class", RDFS + "Class", OWL + "DeprecatedClass")
    raw.concepts = {iri: None for iri in declared if _is_class(iri)}
    raw.deprecated = set(triples.of_type(OWL + "DeprecatedClass"))
    named = chain(declared, chain.from_iterable(triples.pairs(_SUBCLASS)))
    filtered = {iri for iri in named if iri.startswith(_BUILT_IN)} - {_THING, _NOTHING}
    raw.unused[_OF_LANGUAGES] += sorted(filtered)
    reader = _Reader(triples, raw, relations, where)
    reader.read_subclasses()
    reader.read_equals()
    reader.read_disjoint()
    for (parent, child), kind in raw.related.items():  # behind all that say that one is the other
        raw.link(parent, child, kind)
    below = (child for child in triples.having(_SUBCLASS) if _is_class(child))
    for used in chain(below, chain.from_iterable(raw.links)):
        raw.use(used)
    add_links(raw, triples, relations)
    raw.deprecated &= set(raw.concepts)
    raw.equivalents = {pair for pair in raw.equivalents if raw.concepts.keys() >= set(pair)}
    note_annotations(raw, triples, label_properties=(RDFS + "label", SKOS + "prefLabel"), where=where)
    return raw


class _Relation(NamedTuple):
    """The property of a restriction."""

    iri: str
    inverse: bool

    def __str__(self) -> str:
        return ("inverse of " if self.inverse else "") + local_name(self.iri)


@dataclass(frozen=True)
class _Reader:
    """Fills a raw ontology from axioms and class expressions."""

    triples: Triples
    raw: RawOntology
    relations: Mapping[str, str]
    where: str

    def read_subclasses(self) -> None:
        """Read what lies above named classes."""
        for child, parent in self.triples.pairs(_SUBCLASS):
            if is_blank(child):
                self.raw.unused["axioms about a class without a name"].append(
                    "" if is_blank(parent) else parent
                )
            elif parent in _GIVEN_UP:
                self.raw.deprecated.add(child)
            elif parent == _NOTHING:
                self.raw.unused[_EMPTY].append(child)
            elif _is_class(child):
                self._below(child, parent, kind="rdfs:subClassOf")

    def read_equals(self) -> None:
        """Read what named classes are equivalent to."""
        for one, other in self.triples.pairs(_EQUIVALENT):
            # The axiom has no direction; some write the nameless side first.
            named, same = (other, one) if is_blank(one) else (one, other)
            if _NOTHING in {named, same}:
                self.raw.unused[_EMPTY].append(named if same == _NOTHING else same)
            elif _is_class(named) and _is_class(same) and named != same:
                self.raw.equivalents.add((min(named, same), max(named, same)))
            elif _is_class(named) and is_blank(same):
                self._equal(named, same)
        # OWL 1 wrote the parts of an expression at the class itself.
        parts = (self.triples.having(OWL + name) for name in ("intersectionOf", "unionOf", "complementOf"))
        for concept in dict.fromkeys(chain.from_iterable(parts)):
            if _is_class(concept):
                self._equal(concept, concept)

    def read_disjoint(self) -> None:
        """Read which classes are disjoint."""
        for one, other in self.triples.pairs(OWL + "disjointWith"):
            self._all_disjoint([self.named(one), self.named(other)], "owl:disjointWith")
        for axiom in self.triples.of_type(OWL + "AllDisjointClasses"):
            for head in self.triples.nodes(axiom, OWL + "members"):
                groups = [self.named(member) for member in self.triples.members(head)]
                self._all_disjoint(groups, "owl:AllDisjointClasses")
        for concept, head in self.triples.pairs(OWL + "disjointUnionOf"):
            groups = [self.named(member) for member in self.triples.members(head)]
            for member in chain.from_iterable(groups):
                self._link(concept, member, "owl:disjointUnionOf")
            self._all_disjoint(groups, "owl:disjointUnionOf")

    def _below(self, concept: str, above: str, *, kind: str) -> None:
        """Read that a class lies below another, or below an expression."""
        for part in self.conjuncts(above):
            if not is_blank(part):
                self._link(part, concept, kind if part == above else "owl:intersectionOf")
            else:
                self.read_condition(concept, part)

    def _equal(self, concept: str, same: str) -> None:
        """Read that a class is an expression; `same` is the class itself where OWL 1 wrote it there."""
        unions = self.triples.nodes(same, OWL + "unionOf")
        members = [
            part
            for head in unions
            for member in self.triples.members(head)
            for part in self.disjuncts(member)
        ]
        if same != concept and all(map(is_blank, members)):
            self._below(concept, same, kind="owl:intersectionOf")
            return
        for member in members:
            if is_blank(member):
                self.raw.unused["members of a union without a name"].append(concept)
            else:
                self._link(concept, member, "owl:unionOf")
        if same != concept:
            return
        for member in chain.from_iterable(
            map(self.triples.members, self.triples.nodes(same, OWL + "intersectionOf"))
        ):
            self._below(concept, member, kind="owl:intersectionOf")
        self.read_complement(concept, same)

    def _all_disjoint(self, groups: list[tuple[str, ...]], form: str) -> None:
        """Read that no two of some groups of classes go together; an expression is an empty group."""
        sizes = [len(group) for group in groups]
        pairs = (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2
        if not self.raw.may_exclude(pairs):
            self.raw.unused[f"{form} of too many classes"].append(next(chain.from_iterable(groups)))
            return
        if not all(sizes):
            self.raw.unused[f"{form} with an expression"].append(next(chain.from_iterable(groups), ""))
        for one, other in combinations(groups, 2):
            self.raw.exclude(one, other, form)

    def _link(self, parent: str, child: str, kind: str) -> None:
        if parent == child:
            self.raw.self_links.add(parent)  # every class lies below itself: inference writes it down
        elif _is_class(parent) and _is_class(child):
            self.raw.link(parent, child, kind)

    def conjuncts(self, node: str) -> Iterator[str]:
        """Members of an intersection, nested ones too."""
        return self._leaves(node, OWL + "intersectionOf")

    def disjuncts(self, node: str) -> Iterator[str]:
        """Members of a union, nested ones too."""
        return self._leaves(node, OWL + "unionOf")

    def named(self, node: str) -> Alternatives:
        """Classes of a union, or a class itself; nothing where a member is an expression."""
        members = tuple(dict.fromkeys(self.disjuncts(node))) if is_blank(node) else (node,)
        return () if any(map(is_blank, members)) else members

    def read_condition(self, concept: str, node: str) -> None:
        """Read an expression that a class lies below: what it excludes or requires."""
        if self.triples.nodes(node, OWL + "complementOf"):
            self.read_complement(concept, node)
            return
        if self._is_link(concept, node):
            return
        members = list(self.disjuncts(node))
        if not members:  # a union of nothing has no instances
            self.raw.unused["unions of nothing above a class"].append(concept)
            return
        relations = [self._relations(member) for member in members]
        if not all(relations):
            kind = "unions of classes above a class" if len(members) > 1 else "expressions of another kind"
            self.raw.unused[kind].append(concept)
            return
        needs = [self._needs(member) for member in members]
        if not 0 < prod(map(len, needs)) <= _MANY:
            self.raw.unused["restrictions of another kind"].append(concept)
            return
        used = dict.fromkeys(chain.from_iterable(relations))
        precondition = not any(is_obo_relation(relation.iri) for relation in used)
        # (A and B) or C is (A or C) and (B or C): each is a requirement of its own.
        for choice in product(*needs):
            any_of = tuple(sorted(set(chain.from_iterable(choice))))
            if OWL + "Thing" not in any_of:  # which is there in any case
                self.raw.require(concept, any_of, "|".join(sorted(map(str, used))), precondition=precondition)

    def read_complement(self, concept: str, node: str) -> None:
        """Read that a class excludes what an expression is the complement of."""
        for other in self.triples.nodes(node, OWL + "complementOf"):
            targets = self.named(other)
            relations = self._relations(other)
            if relations and not any(is_obo_relation(relation.iri) for relation in relations):
                # What may show no crowd excludes crowds, as what must show one requires them.
                needs = self._needs(other)
                targets = needs[0] if len(needs) == 1 else ()
            if targets:
                self.raw.exclude([concept], targets, "owl:complementOf")
            else:
                self.raw.unused["complements of expressions"].append(concept)

    def _leaves(self, node: str, operator: str) -> Iterator[str]:
        """Members of an expression and of those of the same kind inside of it."""
        waiting, met = [node], {node}
        while waiting:
            current = waiting.pop()
            # What a class is equal to is said where the class is read, not where it is used.
            heads = self.triples.nodes(current, operator) if is_blank(current) else []
            if not heads:
                yield current
            for head in heads:
                members = self.triples.members(head)
                self.raw.followed += len(members)
                if self.raw.followed > _MOST_FOLLOWED + _OFTEN * len(self.triples.having(RDF + "first")):
                    raise InputError(
                        f"long lists of classes are used by many others: {self.raw.followed:,} "
                        "members so far",
                        "Give each list a class of its own, which the others name.",
                        where=self.where,
                    )
                new = [member for member in members if member not in met]
                met.update(new)
                waiting += reversed(new)

    def _is_link(self, concept: str, node: str) -> bool:
        """Note the links of a restriction on a property that the hierarchy follows; False if it is none."""
        properties = self._relations(node) if self.relations else []
        if len(properties) != 1 or properties[0].inverse or properties[0].iri not in self.relations:
            return False
        fillers = self.triples.nodes(node, OWL + "someValuesFrom")
        parents = [part for filler in fillers for part in self.conjuncts(filler)]
        if not parents or any(map(is_blank, parents)):
            return False
        kind = self.relations[properties[0].iri]
        for parent in parents:
            if parent == concept:
                self.raw.unused[f"{kind} of a concept to itself"].append(concept)
            elif parent != OWL + "Thing":
                self.raw.related.setdefault((parent, concept), kind)
        return True

    def _relations(self, restriction: str) -> list[_Relation]:
        """List the properties of a restriction: none where it is no restriction."""
        if not is_blank(restriction):
            return []
        return [
            _Relation(self._inverted(node) or node, inverse=bool(self._inverted(node)))
            for node in self.triples.nodes(restriction, OWL + "onProperty")
        ]

    def _inverted(self, node: str) -> str:
        """Name the property that a nameless one is the inverse of."""
        return next(iter(self.triples.nodes(node, OWL + "inverseOf")), "") if is_blank(node) else ""

    def _needs(self, restriction: str) -> list[Alternatives]:
        """List what a restriction requires, each as alternatives; nothing where it cannot be said so."""
        fillers = self.triples.nodes(restriction, OWL + "someValuesFrom")
        needs = [self.named(part) for filler in fillers for part in self.conjuncts(filler)]
        return needs if all(needs) else []


def is_obo_relation(iri: str) -> bool:
    """Whether a property is a relation of the OBO ontologies, such as part of.

    These say how things are built; a picture of a wheel need not be labelled with a car.
    """
    name = local_name(iri)
    return iri.startswith(_OBO) or name in _OBO_RELATIONS or name.startswith(("BFO_", "RO_"))


def _is_class(iri: str) -> bool:
    return not is_blank(iri) and not iri.startswith(_BUILT_IN)
