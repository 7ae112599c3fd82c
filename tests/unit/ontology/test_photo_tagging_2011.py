"""The official ontology of the ImageCLEF 2011 photo annotation task, which is not part of the project."""

import csv

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.concepts.costs import costs_by_name

BRANCHES = ("ContentElement", "Impression", "Quality", "Representation", "SceneDescription")


@pytest.fixture(scope="module")
def path(data):
    return data / "imageclef2011" / "photo_tagging_2011.owl"


@pytest.fixture(scope="module")
def concepts(data):
    with (data / "imageclef2011" / "concept_map.csv").open(encoding="utf-8") as file:
        return [row["concept"] for row in csv.DictReader(file)]


@pytest.fixture(scope="module")
def ontology(path, concepts):
    return oe.read_ontology(path, root=BRANCHES, concepts=concepts)


def test_the_branches_hold_125_classes_of_which_99_are_labels(ontology):
    graph = ontology.graph
    assert len(graph) == 125
    assert len(ontology.hierarchy().label_vocabulary) == 99
    assert sum(degree == 0 for _, degree in graph.out_degree) == 95
    assert graph.number_of_edges() == 120
    assert ontology.report.roots.examples == BRANCHES


def test_six_inner_nodes_are_labels(ontology):
    graph = ontology.graph
    inner = {
        name for name, abstract in graph.nodes(data="abstract") if not abstract and graph.out_degree(name)
    }
    assert {name.rpartition(".")[2] for name in inner} == {
        "Animals",
        "Art",
        "Plants",
        "Sky",
        "Vehicles",
        "Water",
    }


def test_the_deepest_concepts_lie_five_links_below_a_virtual_root_and_only_below_persons(ontology):
    hierarchy = ontology.hierarchy()
    assert hierarchy.levels == 5
    deepest = [hierarchy.vocabulary[position] for position in np.flatnonzero(hierarchy.depth == 4)]
    assert all(name.startswith("PicturedObjects.Persons.") for name in deepest)


def test_there_are_32_pairs_of_disjoint_classes_and_28_between_labels(path, ontology):
    everything = oe.read_ontology(path)
    assert everything.report.exclusions == {"owl:complementOf": 1, "owl:disjointWith": 32}
    labels = ontology.hierarchy().label_vocabulary
    pairs = [rule for rule in ontology.exclusions if rule.first in labels and rule.second in labels]
    assert sum(rule.source == "owl:disjointWith" for rule in pairs) == 28
    assert [str(rule) for rule in pairs if rule.source == "owl:complementOf"] == [
        "Quality.Aesthetics.HighGradeOverallQuality excludes Quality.Blurring.OutOfFocus"
    ]


def test_the_preconditions_are_those_of_portraits_landscapes_and_snow(ontology):
    short = {
        (rule.concept.rpartition(".")[2], tuple(name.rpartition(".")[2] for name in rule.any_of))
        for rule in ontology.requirements
    }
    assert short == {
        ("Portrait", ("Animals", "Single", "SmallGroup")),
        *((place, ("Outdoor",)) for place in ("BeachHolidays", "Desert", "LandscapeNature", "SnowSkiing")),
        *((place, ("LandscapeElements",)) for place in ("BeachHolidays", "Desert", "LandscapeNature")),
    }
    assert all(rule.precondition for rule in ontology.requirements)
    assert len(ontology.requirements) == 8


def test_classes_outside_the_branches_are_counted(ontology):
    assert ontology.report.left_out["outside the branches"].count == 12
    assert ontology.report.rules_left_out["exclusions"].count == 2
    assert ontology.report.rules_left_out["requirements"].count == 5


@pytest.mark.parametrize(
    ("one", "other", "links"),
    [
        ("PicturedObjects.Persons.Number.Single", "PicturedObjects.Persons.Number.SmallGroup", 2),
        ("LandscapeElements.Plants.Trees", "LandscapeElements.Plants", 2),
        ("LandscapeElements.Plants.Trees", "LandscapeElements.Plants.Flowers", 4),
        ("LandscapeElements.Plants.Trees", "LandscapeElements.Mountains", 10),
        ("PicturedObjects.Persons.Number.Single", "PicturedObjects.Persons.Age.Adult", 6),
        ("Representation.Portrait", "Representation.MacroImage", 16),
        ("Representation.Portrait", "PicturedObjects.Persons.Number.Single", 55),
    ],
)
def test_costs_are_the_known_ones_over_62(one, other, links, ontology):
    hierarchy = ontology.hierarchy()
    table = costs_by_name(hierarchy, "depth-weighted").table
    row, column = hierarchy.label_vocabulary.positions([one, other])
    assert table[row, column] * 62 == pytest.approx(links)


def test_the_largest_cost_is_59_over_62(ontology):
    assert costs_by_name(ontology.hierarchy(), "depth-weighted").table.max() * 62 == pytest.approx(59)
