"""Terms of OBO, in the ways that they are really written."""

import pytest

from ontoeval.errors import CycleError, InputError, UnknownConceptError

OBO = "http://purl.obolibrary.org/obo/"
PLANTS = """format-version: 1.2
data-version: releases/2024-01-01 ! the first
ontology: plants
import: colours.obo
default-namespace: flora
idspace: WEB http://example.org/web#

[Term]
id: PL:1 ! plant
name: plant
namespace: flora

! a comment
[Term]
id: PL:2
name: tree {source="Linnaeus, !"} ! the label of PL:2
alt_id: PL:22
is_a: PL:1 {is_inferred="true"} ! plant
relationship: has_part WEB:leaf {cardinality="2"} ! leaf
disjoint_from: PL:3

[Term]
id: PL:3
name: flower\\, wild
is_a: PL:1
is_a: PL:1
disjoint_from: PL:2 ! tree

[Term]
id: PL:4
name: apple tree
intersection_of: PL:2 ! tree
intersection_of: bears PL:5 ! apple

[Term]
id: PL:5
name: apple
relationship: is_a PL:9 ! nowhere described
relationship: part_of PL:4

[Term]
id: PL:6
name: flora
union_of: PL:2
union_of: PL:3

[Term]
id: PL:7
name: obsolete shrub
is_a: PL:1
is_obsolete: true
replaced_by: PL:2
consider: PL:3

[Term]
id: WEB:leaf
name: leaf

[Typedef]
id: part_of
name: part of
is_a: overlaps

[Instance]
id: PL:oak
instance_of: PL:2
"""


def test_a_term_lies_below_what_its_clauses_name(read_text):
    assert list(read_text(PLANTS).graph.edges(data="kind")) == [
        ("PL_1", "PL_2", "is_a"),
        ("PL_1", "PL_3", "is_a"),
        ("PL_2", "PL_4", "intersection_of"),
        ("PL_6", "PL_2", "union_of"),
        ("PL_6", "PL_3", "union_of"),
        ("PL_9", "PL_5", "is_a"),
    ]


def test_names_and_iris_are_those_of_the_same_ontology_in_owl(read_text):
    graph = read_text(PLANTS).graph
    assert {name: data["iri"].removeprefix(OBO) for name, data in graph.nodes(data=True)} == {
        **{f"PL_{number}": f"PL_{number}" for number in (1, 2, 3, 4, 5, 6, 9)},
        "leaf": "http://example.org/web#leaf",
    }


@pytest.mark.parametrize("spelling", ["PL:2", "PL_2", f"{OBO}PL_2", f"<{OBO}PL_2>", "tree", "Tree"])
def test_a_term_is_found_by_every_spelling_of_its_identifier(spelling, read_text):
    assert read_text(PLANTS).resolve(spelling) == "PL_2"


def test_an_alternative_and_a_replaced_identifier_lead_to_the_term(read_text):
    ontology = read_text(PLANTS)
    assert ontology.resolve("PL:22") == ontology.resolve("PL:7") == "PL_2"


def test_labels_are_without_comments_qualifiers_and_escapes(read_text):
    labels = dict(read_text(PLANTS).graph.nodes(data="label"))
    assert labels["PL_2"] == "tree"
    assert labels["PL_3"] == "flower, wild"
    assert labels["PL_9"] == "PL_9"


def test_disjointness_is_an_exclusion_said_once(read_text):
    assert [str(rule) for rule in read_text(PLANTS).exclusions] == ["PL_2 excludes PL_3"]


def test_relations_are_requirements_but_no_preconditions(read_text):
    report = read_text(PLANTS).report
    assert report.preconditions == {}
    assert report.other_requirements == {"bears": 1, "has_part": 1, "part_of": 1}


def test_relations_that_are_asked_for_are_links(read_text):
    graph = read_text(PLANTS.replace("bears PL:5", "bears PL:3"), relations=["part of"]).graph
    assert graph.edges["PL_4", "PL_5"]["kind"] == "part of"


def test_what_is_left_out_or_not_described_is_counted(read_text):
    ontology = read_text(PLANTS)
    assert ontology.report.left_out["deprecated"].examples == ("PL_7",)
    assert ontology.report.undeclared.examples == ("PL_9",)
    assert ontology.report.imports.examples == ("colours.obo",)
    assert (ontology.source.format, ontology.source.iri) == ("OBO", f"{OBO}plants.owl")
    assert ontology.source.version == "releases/2024-01-01"


def test_rows_may_end_as_they_do_on_windows(read_text):
    assert read_text(PLANTS.replace("\n", "\r\n")).hierarchy().digest == read_text(PLANTS).hierarchy().digest


def test_a_row_may_go_on_in_the_next(read_text):
    assert list(read_text("[Term]\nid: X:1\n[Term]\nid: X:2\nis_a: \\\nX:1\n").graph.edges) == [
        ("X_1", "X_2")
    ]


def test_terms_without_a_name_are_no_concepts(read_text):
    ontology = read_text(
        "[Term]\nid: _:genid1\nis_anonymous: true\nis_a: X:1\n[Term]\nid: X:1\nis_a: _:genid1! nameless\n"
    )
    assert list(ontology.graph) == ["X_1"]
    assert ontology.report.unused["terms without a name"].count == 1
    assert ontology.report.unused["links of terms without a name"].examples == ("X_1",)


def test_neither_a_header_nor_a_name_is_needed(read_text):
    graph = read_text("[Term]\nid: X:1\n[Term]\nid: X:2\nrelationship: is_a X:1").graph
    assert dict(graph.nodes(data="label")) == {"X_1": "X_1", "X_2": "X_2"}
    assert list(graph.edges) == [("X_1", "X_2")]


@pytest.mark.parametrize(
    ("identifier", "iri"),
    [
        ("GO:0005634", f"{OBO}GO_0005634"),
        ("http://www.ebi.ac.uk/efo/EFO_1", "http://www.ebi.ac.uk/efo/EFO_1"),
        ("plain", f"{OBO}plants#plain"),
        (r"X:with\:colon", f"{OBO}X_with:colon"),
        ('X:1{a="b"}', f"{OBO}X_1"),
    ],
)
def test_identifiers_of_every_kind_stand_for_an_iri(identifier, iri, read_text):
    graph = read_text(f"ontology: plants\n[Term]\nid: {identifier} ! comment\n").graph
    assert [data["iri"] for _, data in graph.nodes(data=True)] == [iri]


def test_what_a_prefix_stands_for_need_be_no_address(read_text):
    graph = read_text("idspace: X urn:x#\n\n[Term]\nid: X:sky\n").graph
    assert dict(graph.nodes(data="iri")) == {"sky": "urn:x#sky"}


def test_what_is_described_twice_is_one_term_and_counted(read_text):
    ontology = read_text("[Term]\nid: X:1\nname: b\n[Term]\nid: X:2\n[Term]\nid: X:1\nname: a\nis_a: X:2\n")
    assert ontology.graph.nodes["X_1"]["label"] == "a"
    assert ontology.report.unused["descriptions of a term that is described before"].examples == ("X_1",)


def test_rows_that_hold_no_clause_are_counted(read_text):
    report = read_text('[Term]\nid: X:1\ndef: "first row\nsecond row" []\n').report
    assert report.unused["lines without a tag"].examples == ('second row" []',)


def test_a_term_below_itself_says_nothing_but_a_cycle_is_an_error(read_text):
    report = read_text("[Term]\nid: X:1\nis_a: X:1\n").report
    assert report.links_left_out["of a concept to itself"].count == 1
    with pytest.raises(CycleError, match="X_1 -> X_2 -> X_1"):
        read_text("[Term]\nid: X:1\nis_a: X:2\n[Term]\nid: X:2\nis_a: X:1\n")


def test_an_identifier_that_several_terms_replace_leads_to_none(read_text):
    ontology = read_text("[Term]\nid: X:1\nalt_id: X:0\n[Term]\nid: X:2\nalt_id: X:0\n")
    assert ontology.report.unused["replaced by several concepts"].count == 1
    with pytest.raises(UnknownConceptError):
        ontology.resolve("X:0")


def test_equal_terms_are_one_but_none_is_added(read_text):
    equal = "[Term]\nid: X:1\nequivalent_to: Z:1\n[Term]\nid: Y:1\nequivalent_to: X:1\n"
    ontology = read_text(equal + "is_a: X:2\n[Term]\nid: X:2\n")
    assert list(ontology.graph.edges) == [("X_2", "X_1")]
    assert ontology.resolve("Y:1") == "X_1"


def test_branches_are_kept_as_in_other_formats(read_text):
    ontology = read_text(PLANTS, root="tree", abstract="PL:2")
    assert set(ontology.graph) == {"PL_2", "PL_4"}
    assert ontology.graph.nodes["PL_2"]["abstract"]


def test_an_obsolete_term_is_named_where_it_is_asked_for(read_text):
    text = PLANTS.replace("replaced_by: PL:2\n", "")
    with pytest.raises(UnknownConceptError, match=r"'PL:7' \(deprecated\)"):
        read_text(text, root="PL:7")


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("is_a:", "'is_a: ', where a term should stand"),
        ("is_a: ! plant", "'is_a: ! plant', where a term should stand"),
        ("relationship: part_of", "'relationship: part_of', where a relation and a term should stand"),
    ],
)
def test_a_clause_that_names_nothing_is_an_error_with_its_row(row, found, read_text):
    with pytest.raises(InputError, match=f"row 3: {found}"):
        read_text(f"[Term]\nid: X:1\n{row}\n")
