"""Published ontologies, which are not part of the project: what was counted in them by other means."""

import pytest

import ontoeval as oe
from ontoeval.errors import CycleError

# file, links that are told, links that follow from the syntax, roots
COUNTED = [
    ("wine_food/wine.rdf", 15, 64, 7),
    ("wine_food/food.owl", 35, 26, 4),
    ("pizza/pizza.owl", 84, 14, 2),
    ("owlapi_tests/family.owl", 0, 7, 7),
    ("owlapi_tests/koala.owl", 11, 3, 6),
    ("owlapi_tests/caro_2_merged.owl", 64, 35, 25 - 2),  # two have neither link nor label
    ("go/go-nucleus.owl", 221 - 2, 50, 4),  # two classes are one, and link it to the same parents
    ("so/so.owl", 2510 - 1, 22, 346 - 342),  # all but four of its roots, and one of its links, are deprecated
    ("uat_skos/UAT.rdf", 2645, 0, 11),
    ("skosmos_tests/yso.ttl", 5843, 0, 3),
    ("physh_skos/physh.ttl", 3629, 0, 464),
    ("physh_skos/physh_skos_compat.ttl", 4422, 0, 5),
]


@pytest.mark.parametrize(("file", "told", "added", "roots"), COUNTED)
def test_links_and_roots_are_as_many_as_were_counted(file, told, added, roots, data):
    report = oe.read_ontology(data / "ontologies" / file).report
    by_told = sum(
        count for axiom, count in report.links.items() if axiom.startswith(("rdfs:subClassOf", "skos:"))
    )
    assert (by_told, sum(report.links.values()) - by_told) == (told, added)
    assert report.roots.count == roots


@pytest.mark.parametrize(("file", "several"), [("uat_skos/UAT.rdf", 332), ("physh_skos/physh.ttl", 230)])
def test_concepts_with_several_parents_are_as_many_as_were_counted(file, several, data):
    assert oe.read_ontology(data / "ontologies" / file).report.several_parents.count == several


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("bfo2020/bfo-core.owl", "bfo2020/bfo-core.ttl"),
        ("go/go-nucleus.owl", "go/go-nucleus.owl.ttl"),
        ("schemaorg/schemaorg-current-https.jsonld", "schemaorg/schemaorg-current-https.ttl"),
        ("yso_skos/yso-archaeology.rdf", "yso_skos/yso-archaeology.ttl"),
    ],
)
def test_two_syntaxes_of_one_ontology_are_equal(one, other, data):
    first, second = (oe.read_ontology(data / "ontologies" / file) for file in (one, other))
    assert [first.graph.nodes[name] for name in first.graph] == [
        second.graph.nodes[name] for name in second.graph
    ]
    assert list(first.graph) == list(second.graph)
    assert list(first.graph.edges(data="kind")) == list(second.graph.edges(data="kind"))
    assert first.report == second.report
    assert first.hierarchy().digest == second.hierarchy().digest


def test_equivalents_in_foreign_vocabularies_are_not_added(data):
    graph = oe.read_ontology(data / "ontologies/schemaorg/schemaorg-current-https.ttl").graph
    assert not any(graph.nodes[name]["iri"].startswith("http://xmlns.com/foaf") for name in graph)


def test_relations_of_obo_are_no_preconditions_and_alternative_identifiers_are_deprecated(data):
    report = oe.read_ontology(data / "ontologies/so/so.owl").report
    assert report.preconditions == {}
    assert report.other_requirements["part_of"] == 185
    assert report.left_out["deprecated"].count == 343


def test_a_published_cycle_is_found(data):
    with pytest.raises(
        CycleError, match=r"cycle.ttl: the hierarchy has 2 cycles.*ta2 -> ta2; ta3 -> ta4 -> ta3"
    ):
        oe.read_ontology(data / "ontologies/skosmos_tests/cycle.ttl")


def test_british_and_american_labels_are_both_there(data):
    file = data / "ontologies/uat_skos/UAT.rdf"
    american, british = (oe.read_ontology(file, language=tag).graph for tag in ("en", "en-GB"))
    changed = [name for name in american if american.nodes[name]["label"] != british.nodes[name]["label"]]
    assert len(changed) == 42
