"""Class expressions: what OWL says of a class without naming another one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import chain, product
from math import prod
from typing import NamedTuple

from ontoeval.errors import InputError
from ontoeval.ontology.iris import OWL, RDF
from ontoeval.ontology.names import local_name
from ontoeval.ontology.told import Told, ToldRequirement
from ontoeval.ontology.triples import Triples, is_blank

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


class _Relation(NamedTuple):
    """The property of a restriction."""

    iri: str
    inverse: bool

    def __str__(self) -> str:
        return ("inverse of " if self.inverse else "") + local_name(self.iri)


@dataclass(frozen=True)
class Expressions:
    """The class expressions of a file."""

    triples: Triples
    told: Told
    relations: Mapping[str, str] = field(default_factory=dict)
    where: str = ""

    def conjuncts(self, node: str) -> Iterator[str]:
        """Take an intersection apart, those inside of it too."""
        return self._leaves(node, OWL + "intersectionOf")

    def disjuncts(self, node: str) -> Iterator[str]:
        """Take a union apart, those inside of it too."""
        return self._leaves(node, OWL + "unionOf")

    def named(self, node: str) -> Alternatives:
        """List the classes that make up a class or a union."""
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
            self.told.unused["unions of nothing above a class"].append(concept)
            return
        relations = [self._relations(member) for member in members]
        if not all(relations):
            kind = "unions of classes above a class" if len(members) > 1 else "expressions of another kind"
            self.told.unused[kind].append(concept)
            return
        needs = [self._needs(member) for member in members]
        if not 0 < prod(map(len, needs)) <= _MANY:
            self.told.unused["restrictions of another kind"].append(concept)
            return
        used = dict.fromkeys(chain.from_iterable(relations))
        precondition = not any(is_obo_relation(relation.iri) for relation in used)
        # (A and B) or C is (A or C) and (B or C): each is a requirement of its own.
        for choice in product(*needs):
            any_of = tuple(sorted(set(chain.from_iterable(choice))))
            if OWL + "Thing" not in any_of:  # which is there in any case
                need = ToldRequirement(concept, any_of, "|".join(sorted(map(str, used))), precondition)
                self.told.requirements[need] = None

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
                self.told.exclude([concept], targets, "owl:complementOf")
            else:
                self.told.unused["complements of expressions"].append(concept)

    def _leaves(self, node: str, operator: str) -> Iterator[str]:
        """Go through the members of an expression and of those of the same kind inside of it."""
        waiting, met = [node], {node}
        while waiting:
            current = waiting.pop()
            # What a class is equal to is said where the class is read, not where it is used.
            heads = self.triples.nodes(current, operator) if is_blank(current) else []
            if not heads:
                yield current
            for head in heads:
                members = self.triples.members(head)
                self.told.followed += len(members)
                if self.told.followed > _MOST_FOLLOWED + _OFTEN * len(self.triples.having(RDF + "first")):
                    raise InputError(
                        f"long lists of classes are used by many others: {self.told.followed:,} "
                        "members so far",
                        "Give each list a class of its own, which the others name.",
                        where=self.where,
                    )
                new = [member for member in members if member not in met]
                met.update(new)
                waiting += reversed(new)

    def _is_link(self, concept: str, node: str) -> bool:
        """Note the links that a restriction of a property makes which the hierarchy follows."""
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
                self.told.unused[f"{kind} of a concept to itself"].append(concept)
            elif parent != OWL + "Thing":
                self.told.related.setdefault((parent, concept), kind)
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
    """Tell whether a property is a relation of the OBO ontologies, such as part of.

    These say how things are built; a picture of a wheel need not be labelled with a car.
    """
    name = local_name(iri)
    return iri.startswith(_OBO) or name in _OBO_RELATIONS or name.startswith(("BFO_", "RO_"))
