"""The shipped ontologies say what their README says, and hold the rules and costs that are meant."""

import re
from hashlib import sha256
from itertools import combinations
from pathlib import Path

import networkx as nx
import pytest

import ontoeval as oe

FOLDER = Path(__file__).parents[2] / "ontologies"
README = (FOLDER / "README.md").read_text(encoding="utf-8")
NAMES = ["diamond", "nowak-2009-figure-1", "photo"]

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


def read(name: str) -> oe.Ontology:
    return oe.read_ontology(oe.ontologies.path(name))


def excluded(name: str) -> set[frozenset[str]]:
    return {frozenset(pair) for group in EXCLUSIONS[name] for pair in combinations(group, 2)}


def test_the_readme_gives_the_checksum_of_every_ontology():
    stated = {file: digest for digest, file in re.findall(r"^([0-9a-f]{64})  (\S+)$", README, re.MULTILINE)}
    assert stated == {file.name: sha256(file.read_bytes()).hexdigest() for file in FOLDER.glob("*.ttl")}
    assert set(stated) == {f"{name}.ttl" for name in NAMES}


@every_ontology
def test_the_readme_counts_what_is_in_the_file(name):
    row = re.search(rf"^\| `{name}\.ttl` \|(.*)\|$", README, re.MULTILINE)
    assert row is not None
    graph = read(name).graph
    abstract = sum(bool(mark) for _, mark in graph.nodes(data="abstract"))
    assert [cell.strip() for cell in row[1].split("|")] == [
        str(len(graph) - abstract),
        str(abstract),
        str(nx.dag_longest_path_length(graph)),
        "yes" if nx.is_arborescence(graph) else "no",
        str(len(excluded(name))),
        str(len(REQUIREMENTS[name])),
    ]


@every_ontology
def test_the_rules_are_those_meant(name):
    ontology = read(name)
    assert {frozenset((rule.first, rule.second)) for rule in ontology.exclusions} == excluded(name)
    assert {(rule.concept, frozenset(rule.any_of)) for rule in ontology.requirements} == REQUIREMENTS[name]


@pytest.mark.parametrize(("name", "one", "other", "cost"), COSTS)
def test_concepts_lie_as_far_apart_as_they_were_meant_to(name, one, other, cost):
    hierarchy = read(name).hierarchy()
    assert oe.concepts.cost_between(hierarchy, one, other) == pytest.approx(cost)
    assert oe.concepts.cost_between(hierarchy, other, one) == pytest.approx(cost)
