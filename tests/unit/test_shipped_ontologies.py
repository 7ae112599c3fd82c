"""The shipped ontologies say what their README says: read by rdflib alone, and by the package."""

import re
from functools import cache
from hashlib import sha256
from itertools import combinations, product
from pathlib import Path

import networkx as nx
import pytest
from rdflib import OWL, RDF, RDFS, BNode, Graph, Literal, Namespace, URIRef
from rdflib.collection import Collection
from rdflib.namespace import DCTERMS
from rdflib.term import Node

import ontoeval as oe

FOLDER = Path(__file__).parents[2] / "ontologies"
README = (FOLDER / "README.md").read_text(encoding="utf-8")
NAMES = ["diamond", "nowak-2009-figure-1", "photo"]
OE = Namespace("https://w3id.org/ontoeval/ns#")
CC0 = URIRef("https://creativecommons.org/publicdomain/zero/1.0/")

SEASON = {"spring", "summer", "autumn", "winter"}
SETTING = {"indoor", "outdoor"}
DAY_PHASE = {"day", "twilight", "night"}
PEOPLE_COUNT = {"no_people", "one_person", "small_group", "big_group"}
EXPOSURE = {"neutral_exposure", "overexposed", "underexposed"}
SHARPNESS = {"sharp", "partly_blurred", "motion_blur", "out_of_focus"}
ACROSS = {"out_of_focus", "high_overall_quality"}
PHOTO_GROUPS = [SEASON, SETTING, DAY_PHASE, PEOPLE_COUNT, EXPOSURE, SHARPNESS, ACROSS]

EXCLUSIONS = {
    "diamond": [{"land_vehicle", "aircraft"}, {"car", "bicycle"}],
    "nowak-2009-figure-1": [{"single", "small_group"}],
    "photo": PHOTO_GROUPS,
}
REQUIREMENTS = {
    "diamond": set(),
    "nowak-2009-figure-1": {("portrait", frozenset({"single", "small_group"}))},
    "photo": {
        ("beach_holiday", frozenset({"outdoor"})),
        ("beach_holiday", frozenset({"water"})),
        ("city_life", frozenset({"buildings", "vehicles"})),
        ("landscape", frozenset({"landscape_element"})),
        ("landscape", frozenset({"outdoor"})),
        ("portrait", frozenset({"animals", "one_person", "small_group"})),
        ("snow", frozenset({"outdoor"})),
    },
}
COSTS = [
    ("photo", "one_person", "small_group", 2 / 30),
    ("photo", "trees", "plants", 2 / 30),
    ("photo", "trees", "flowers", 4 / 30),
    ("photo", "trees", "mountains", 10 / 30),
    ("photo", "summer", "winter", 4 / 30),
    ("photo", "trees", "small_group", 29 / 30),
    ("nowak-2009-figure-1", "single", "small_group", 2 / 14),
    ("nowak-2009-figure-1", "plants", "trees", 1 / 14),
    ("nowak-2009-figure-1", "mountains", "trees", 5 / 14),
    ("nowak-2009-figure-1", "aesthetic", "trees", 13 / 14),
    ("nowak-2009-figure-1", "single", "trees", 14 / 14),
    ("diamond", "amphibious_car", "sailing_boat", 3 / 14),
    ("diamond", "amphibious_car", "bicycle", 5 / 14),
    ("diamond", "seaplane", "helicopter", 4 / 14),
    ("diamond", "seaplane", "amphibious_car", 3 / 14),
    ("diamond", "car", "watercraft", 10 / 14),
]

every_ontology = pytest.mark.parametrize("name", NAMES)


@cache
def triples(name: str) -> Graph:
    return Graph().parse(FOLDER / f"{name}.ttl", format="turtle")


def local(node: Node) -> str:
    assert isinstance(node, URIRef)
    return str(node).rpartition("#")[2]


def classes(name: str) -> set[URIRef]:
    return {node for node in triples(name).subjects(RDF.type, OWL.Class) if isinstance(node, URIRef)}


def members(name: str, collection: Node | None) -> list[Node]:
    assert collection is not None
    return list(Collection(triples(name), collection))


@cache
def links(name: str) -> "nx.DiGraph[str]":
    """Draw the told links from parent to child."""
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(local(node) for node in classes(name))
    for child, parent in triples(name).subject_objects(RDFS.subClassOf):
        if isinstance(parent, URIRef):
            graph.add_edge(local(parent), local(child))
    return graph


def depths(name: str) -> dict[str, int]:
    """Count the links of the longest path from the root."""
    return {
        node: depth for depth, nodes in enumerate(nx.topological_generations(links(name))) for node in nodes
    }


def abstract(name: str) -> set[str]:
    return {local(node) for node in triples(name).subjects(OE.abstract, Literal(lexical_or_value=True))}


def excluded_pairs(name: str) -> set[frozenset[str]]:
    graph = triples(name)
    groups = [members(name, union) for union in graph.objects(None, OWL.disjointUnionOf)]
    groups += [
        members(name, graph.value(axiom, OWL.members))
        for axiom in graph.subjects(RDF.type, OWL.AllDisjointClasses)
    ]
    groups += [[one, other] for one, other in graph.subject_objects(OWL.disjointWith)]
    groups += [
        [concept, other]
        for above, other in graph.subject_objects(OWL.complementOf)
        for concept in graph.subjects(RDFS.subClassOf, above)
    ]
    return {frozenset(map(local, pair)) for group in groups for pair in combinations(group, 2)}


def named_fillers(name: str, node: Node) -> list[str]:
    """List the names in a restriction, a union of restrictions, or a union of names."""
    graph = triples(name)
    if isinstance(node, URIRef):
        return [local(node)]
    filler = graph.value(node, OWL.someValuesFrom)
    if filler is not None:
        return named_fillers(name, filler)
    union = graph.value(node, OWL.unionOf)
    return (
        []
        if union is None
        else [one for member in members(name, union) for one in named_fillers(name, member)]
    )


def told_requirements(name: str) -> set[tuple[str, frozenset[str]]]:
    above = triples(name).subject_objects(RDFS.subClassOf)
    found = [
        (local(concept), frozenset(named_fillers(name, node)))
        for concept, node in above
        if isinstance(node, BNode)
    ]
    return {(concept, fillers) for concept, fillers in found if fillers}


def pairs(groups: list[set[str]]) -> set[frozenset[str]]:
    return {frozenset(pair) for group in groups for pair in combinations(group, 2)}


def test_the_readme_gives_the_checksum_of_every_ontology():
    stated = {file: digest for digest, file in re.findall(r"^([0-9a-f]{64})  (\S+)$", README, re.MULTILINE)}
    assert stated == {file.name: sha256(file.read_bytes()).hexdigest() for file in FOLDER.glob("*.ttl")}
    assert set(stated) == {f"{name}.ttl" for name in NAMES}


@every_ontology
def test_the_readme_counts_what_is_in_the_file(name):
    row = re.search(rf"^\| `{name}\.ttl` \|(.*)\|$", README, re.MULTILINE)
    assert row is not None
    counts = [
        str(len(classes(name)) - len(abstract(name))),
        str(len(abstract(name))),
        str(max(depths(name).values())),
        "yes" if nx.is_arborescence(links(name)) else "no",
        str(len(excluded_pairs(name))),
        str(len(told_requirements(name))),
    ]
    assert [cell.strip() for cell in row[1].split("|")] == counts


@every_ontology
def test_an_ontology_states_its_title_origin_and_licence(name):
    graph = triples(name)
    header = URIRef(f"https://w3id.org/ontoeval/{name}")
    assert (header, RDF.type, OWL.Ontology) in graph
    assert graph.value(header, DCTERMS.license) == CC0
    assert graph.value(header, DCTERMS.title) is not None
    assert str(graph.value(header, DCTERMS.provenance)).startswith("Written by the ontoeval project")


@every_ontology
def test_the_mark_of_abstract_classes_is_declared_and_explained(name):
    assert (OE.abstract, RDF.type, OWL.AnnotationProperty) in triples(name)
    assert triples(name).value(OE.abstract, RDFS.comment) is not None


@every_ontology
def test_every_class_has_an_english_label_of_its_own(name):
    labels = [
        [label for label in triples(name).objects(node, RDFS.label) if getattr(label, "language", "") == "en"]
        for node in classes(name)
    ]
    assert all(len(of_one) == 1 for of_one in labels)
    assert len({of_one[0] for of_one in labels}) == len(labels)


@every_ontology
def test_an_ontology_hangs_together_below_one_abstract_root(name):
    (root,) = (node for node, above in links(name).in_degree() if above == 0)
    assert root in abstract(name)
    assert set(links(name)) == {root} | nx.descendants(links(name), root)


@every_ontology
def test_no_leaf_is_abstract(name):
    assert not {node for node, below in links(name).out_degree() if below == 0} & abstract(name)


@every_ontology
def test_exclusions_are_those_meant(name):
    assert excluded_pairs(name) == pairs(EXCLUSIONS[name])


@every_ontology
def test_no_class_lies_below_two_that_are_disjoint(name):
    below = {node: {node} | nx.descendants(links(name), node) for node in links(name)}
    assert not [set(pair) for pair in excluded_pairs(name) if set.intersection(*(below[one] for one in pair))]


@every_ontology
def test_requirements_are_those_meant(name):
    assert told_requirements(name) == REQUIREMENTS[name]


def test_only_people_counts_lie_four_links_deep_in_the_photo_ontology():
    # So the largest cost is 15/30 + 14/30: no two deepest concepts lie in different branches.
    assert {node for node, depth in depths("photo").items() if depth == 4} == PEOPLE_COUNT


def test_inner_nodes_of_the_photo_ontology_may_be_labels():
    inner = {node for node, below in links("photo").out_degree() if below}
    assert inner - abstract("photo") == {"plants", "sky", "water", "animals", "vehicles"}


def test_disjoint_siblings_of_the_photo_ontology_are_whole_groups():
    for group in PHOTO_GROUPS[:-1]:
        parents = {parent for concept in group for parent in links("photo").predecessors(concept)}
        assert [set(links("photo").successors(parent)) for parent in parents] == [group]


def test_the_photo_ontology_uses_every_form_of_axiom_that_a_reader_has_to_know():
    forms = {
        OWL.disjointWith,
        OWL.members,
        OWL.disjointUnionOf,
        OWL.complementOf,
        OWL.unionOf,
        OWL.someValuesFrom,
        OWL.equivalentClass,
    }
    assert forms <= set(triples("photo").predicates())


def test_the_diamond_has_concepts_with_two_parents():
    graph = links("diamond")
    two = {node: set(graph.predecessors(node)) for node, above in graph.in_degree() if above > 1}
    assert two == {"seaplane": {"aircraft", "watercraft"}, "amphibious_car": {"car", "watercraft"}}
    assert depths("diamond")["amphibious_car"] == 3


@every_ontology
def test_the_package_reads_the_links_and_marks_that_rdflib_reads(name):
    graph = oe.read_ontology(oe.ontologies.path(name)).graph
    assert set(graph.edges) == set(links(name).edges)
    assert {node for node, mark in graph.nodes(data="abstract") if mark} == abstract(name)


@every_ontology
def test_the_package_reads_the_rules_that_rdflib_reads(name):
    ontology = oe.read_ontology(oe.ontologies.path(name))
    assert {frozenset((rule.first, rule.second)) for rule in ontology.exclusions} == excluded_pairs(name)
    required = {(rule.concept, frozenset(rule.any_of)) for rule in ontology.requirements}
    assert required == told_requirements(name)


@pytest.mark.parametrize(("name", "one", "other", "cost"), COSTS)
def test_concepts_lie_as_far_apart_as_they_were_meant_to(name, one, other, cost):
    hierarchy = oe.read_ontology(oe.ontologies.path(name)).hierarchy()
    assert oe.concepts.cost_between(hierarchy, one, other) == pytest.approx(cost)
    assert oe.concepts.cost_between(hierarchy, other, one) == pytest.approx(cost)


def test_no_two_photo_concepts_lie_further_apart_than_29_thirtieths():
    hierarchy = oe.read_ontology(oe.ontologies.path("photo")).hierarchy()
    concepts = set(links("photo")) - abstract("photo")
    farthest = max(
        oe.concepts.cost_between(hierarchy, one, other) for one, other in product(PEOPLE_COUNT, concepts)
    )
    assert farthest == pytest.approx(29 / 30)
