"""OWL and RDF Schema: named classes, what lies above them, and what excludes or requires what."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, combinations

from ontoeval.ontology.expressions import Expressions
from ontoeval.ontology.iris import OWL, RDF, RDFS, SKOS
from ontoeval.ontology.relations import add_links
from ontoeval.ontology.replacements import note_replacements
from ontoeval.ontology.told import Told, note_annotations
from ontoeval.ontology.triples import Triples, is_blank

_SUBCLASS = RDFS + "subClassOf"
_EQUIVALENT = OWL + "equivalentClass"
_OBO_FORMAT = "http://www.geneontology.org/formats/oboInOwl#"  # classes of the format, not of an ontology
_BUILT_IN = (OWL, RDF, RDFS, SKOS, "http://www.w3.org/2001/XMLSchema#", _OBO_FORMAT)
_GIVEN_UP = (OWL + "DeprecatedClass", _OBO_FORMAT + "ObsoleteClass")
_THING, _NOTHING = OWL + "Thing", OWL + "Nothing"
_OF_LANGUAGES = "classes of OWL, RDF, SKOS, XML Schema or the OBO format"
_EMPTY = "owl:Nothing above a class, which then has no instances"


def read_owl(triples: Triples, *, relations: Mapping[str, str] | None = None, where: str) -> Told:
    """Read the named classes of OWL and RDF Schema.

    Beside ``rdfs:subClassOf`` between named classes, a class lies below the named members of an
    intersection that it is equal to or below of, and above the members of a union that it is equal
    to: this follows without a reasoner, and much of what is published is written so.
    """
    told = Told("OWL classes", prefixes=triples.prefixes)
    declared = triples.of_type(OWL + "Class", RDFS + "Class", OWL + "DeprecatedClass")
    told.concepts = {iri: None for iri in declared if _is_class(iri)}
    told.deprecated = set(triples.of_type(OWL + "DeprecatedClass"))
    named = chain(declared, chain.from_iterable(triples.pairs(_SUBCLASS)))
    filtered = {iri for iri in named if iri.startswith(_BUILT_IN)} - {_THING, _NOTHING}
    told.unused[_OF_LANGUAGES] += sorted(filtered)
    expressions = Expressions(triples, told, relations or {}, where)
    _read_subclasses(told, expressions)
    _read_equals(told, expressions)
    _read_disjoint(told, expressions)
    for (parent, child), kind in told.related.items():  # behind all that say that one is the other
        told.link(parent, child, kind)
    below = (child for child in triples.having(_SUBCLASS) if _is_class(child))
    for used in chain(below, chain.from_iterable(told.links)):
        told.use(used)
    add_links(told, triples, relations or {})
    told.deprecated &= set(told.concepts)
    told.equivalents = {pair for pair in told.equivalents if told.concepts.keys() >= set(pair)}
    note_annotations(told, triples, label_properties=(RDFS + "label", SKOS + "prefLabel"), where=where)
    note_replacements(told, triples)
    return told


def _read_subclasses(told: Told, expressions: Expressions) -> None:
    for child, parent in expressions.triples.pairs(_SUBCLASS):
        if is_blank(child):
            told.unused["axioms about a class without a name"].append("" if is_blank(parent) else parent)
        elif parent in _GIVEN_UP:
            told.deprecated.add(child)
        elif parent == _NOTHING:
            told.unused[_EMPTY].append(child)
        elif _is_class(child):
            _below(told, expressions, child, parent, kind="rdfs:subClassOf")


def _read_equals(told: Told, expressions: Expressions) -> None:
    triples = expressions.triples
    for one, other in triples.pairs(_EQUIVALENT):
        # The axiom has no direction; some write the nameless side first.
        named, same = (other, one) if is_blank(one) else (one, other)
        if _NOTHING in {named, same}:
            told.unused[_EMPTY].append(named if same == _NOTHING else same)
        elif _is_class(named) and _is_class(same) and named != same:
            told.equivalents.add((min(named, same), max(named, same)))
        elif _is_class(named) and is_blank(same):
            _equal(told, expressions, named, same)
    # OWL 1 wrote the parts of an expression at the class itself.
    parts = (triples.having(OWL + name) for name in ("intersectionOf", "unionOf", "complementOf"))
    for concept in dict.fromkeys(chain.from_iterable(parts)):
        if _is_class(concept):
            _equal(told, expressions, concept, concept)


def _read_disjoint(told: Told, expressions: Expressions) -> None:
    triples = expressions.triples
    for one, other in triples.pairs(OWL + "disjointWith"):
        _all_disjoint(told, [expressions.named(one), expressions.named(other)], "owl:disjointWith")
    for axiom in triples.of_type(OWL + "AllDisjointClasses"):
        for head in triples.nodes(axiom, OWL + "members"):
            groups = [expressions.named(member) for member in triples.members(head)]
            _all_disjoint(told, groups, "owl:AllDisjointClasses")
    for concept, head in triples.pairs(OWL + "disjointUnionOf"):
        groups = [expressions.named(member) for member in triples.members(head)]
        for member in chain.from_iterable(groups):
            _link(told, concept, member, "owl:disjointUnionOf")
        _all_disjoint(told, groups, "owl:disjointUnionOf")


def _below(told: Told, expressions: Expressions, concept: str, above: str, *, kind: str) -> None:
    """Read that a class lies below another, or below an expression."""
    for part in expressions.conjuncts(above):
        if not is_blank(part):
            _link(told, part, concept, kind if part == above else "owl:intersectionOf")
        else:
            expressions.read_condition(concept, part)


def _equal(told: Told, expressions: Expressions, concept: str, same: str) -> None:
    """Read that a class is an expression; `same` is the class itself where OWL 1 wrote it there."""
    triples = expressions.triples
    unions = triples.nodes(same, OWL + "unionOf")
    members = [
        part for head in unions for member in triples.members(head) for part in expressions.disjuncts(member)
    ]
    if same != concept and all(map(is_blank, members)):
        _below(told, expressions, concept, same, kind="owl:intersectionOf")
        return
    for member in members:
        if is_blank(member):
            told.unused["members of a union without a name"].append(concept)
        else:
            _link(told, concept, member, "owl:unionOf")
    if same != concept:
        return
    for member in chain.from_iterable(map(triples.members, triples.nodes(same, OWL + "intersectionOf"))):
        _below(told, expressions, concept, member, kind="owl:intersectionOf")
    expressions.read_complement(concept, same)


def _all_disjoint(told: Told, groups: list[tuple[str, ...]], form: str) -> None:
    """Read that no two of some groups of classes go together; an expression is an empty group."""
    sizes = [len(group) for group in groups]
    pairs = (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2
    if not told.may_exclude(pairs):
        told.unused[f"{form} of too many classes"].append(next(chain.from_iterable(groups)))
        return
    if not all(sizes):
        told.unused[f"{form} with an expression"].append(next(chain.from_iterable(groups), ""))
    for one, other in combinations(groups, 2):
        told.exclude(one, other, form)


def _link(told: Told, parent: str, child: str, kind: str) -> None:
    if parent == child:
        told.self_links.add(parent)  # every class lies below itself: inference writes it down
    elif _is_class(parent) and _is_class(child):
        told.link(parent, child, kind)


def _is_class(iri: str) -> bool:
    return not is_blank(iri) and not iri.startswith(_BUILT_IN)
