"""Hierarchies in the shapes of single sources: topics, trees of numbers, product taxonomies, levels."""

import pytest

from ontoeval.errors import InputError, ParameterError

TOPICS = """parent: None  child: Root  child-description: Root
parent: Root  child: CCAT  child-description: CORPORATE/INDUSTRIAL
parent: CCAT  child: C15   child-description: PERFORMANCE
parent: C15  child: C151   child-description: ACCOUNTS/EARNINGS
"""


def test_rows_that_say_parent_and_child_are_an_edge_list(read_text):
    ontology = read_text(TOPICS)
    assert set(ontology.graph.edges) == {("Root", "CCAT"), ("CCAT", "C15"), ("C15", "C151")}
    assert ontology.graph.nodes["C151"]["label"] == "ACCOUNTS/EARNINGS"
    assert ontology.report.roots.examples == ("Root",)


def test_tree_numbers_give_a_heading_several_parents(read_text):
    ontology = read_text("Body;A01\nBreast;A01.236\nSkin;A17.815\nNipples;A01.236.500\nNipples;A17.815.250\n")
    edges = {("Body", "Breast"), ("Breast", "Nipples"), ("Skin", "Nipples")}
    assert set(ontology.graph.edges) == edges
    assert ontology.source.format == "tree numbers of MeSH"
    assert ontology.report.unused["tree numbers below one that is missing"].examples == ("Skin",)


@pytest.mark.parametrize(
    ("row", "found"),
    [
        ("Breast", "row 2: this row holds 'Breast', no heading"),
        ("Leg;A01", "row 2: the number A01 stands for"),
    ],
)
def test_a_row_that_is_no_tree_number_is_an_error(row, found, read_text):
    with pytest.raises(InputError, match=found):
        read_text(f"Body;A01\n{row}\n", input_format="mtrees")


PRODUCTS = ["Pets & Supplies", "Pets & Supplies > Birds", "Pets & Supplies > Birds > Food, Seeds", "Toys"]


def test_product_taxonomies_are_lists_of_paths(read_text):
    ontology = read_text("# Version: 2021-09-21\n" + "\n".join(PRODUCTS))
    assert set(ontology.graph) == set(PRODUCTS)
    assert list(ontology.graph.edges) == [(PRODUCTS[0], PRODUCTS[1]), (PRODUCTS[1], PRODUCTS[2])]
    assert ontology.report.read_as == "paths, separated by ' > '"


def test_numbers_of_paths_are_names_and_paths_are_labels(read_text):
    ontology = read_text("".join(f"{number} - {path}\n" for number, path in enumerate(PRODUCTS, 7)))
    assert list(ontology.graph.edges) == [("7", "8"), ("8", "9")]
    assert ontology.resolve("pets & supplies > birds") == "8"


LEVELS = (
    "Kingdom,Phylum,Class,Rows\nAnimalia,Chordata,Mammalia,3\nAnimalia,Chordata,Aves,2\nPlantae,,Pinopsida\n"
)


def test_columns_of_ranks_are_levels(read_text):
    ontology = read_text(LEVELS)
    assert set(ontology.graph.edges) == {
        ("Animalia", "Chordata"),
        ("Chordata", "Mammalia"),
        ("Chordata", "Aves"),
        ("Plantae", "Pinopsida"),
    }
    assert ontology.report.read_as == "levels: the columns 'Kingdom', 'Phylum', 'Class'"


def test_numbered_columns_are_levels_and_any_where_one_says_so(read_text):
    edges = [("animal", "bird"), ("bird", "crow")]
    for titles, options in (("Level 1,Level 2,Level 3", {}), ("a,b,c", {"input_format": "levels"})):
        ontology = read_text(f"{titles}\nanimal,bird,crow\nanimal,bird,bird\n", **options)
        assert list(ontology.graph.edges) == edges


def test_what_stands_below_several_on_levels_is_an_error(read_text):
    with pytest.raises(
        InputError, match=r"'other' stands below 'bird' in one row and below 'fish' in another"
    ):
        read_text("Level 1,Level 2\nbird,other\nfish,other\n")


def test_a_direction_is_refused_where_levels_and_numbers_say_it(read_text):
    for content in (LEVELS, "Body;A01\n"):
        with pytest.raises(ParameterError, match="expected nothing"):
            read_text(content, direction="child-parent")


GRAPHS = {
    "digraph G {\n  animal -> cat;\n}\n": r"a graph of Graphviz \(DOT\)",
    'strict digraph "" {\n"animal" -> "cat";\n}\n': r"a graph of Graphviz \(DOT\)",
    "*Vertices 2\n1 animal\n2 cat\n*Arcs\n1 2\n": "a network of Pajek",
}


@pytest.mark.parametrize("content", GRAPHS)
def test_other_formats_of_graphs_are_refused_by_name(content, read_text):
    with pytest.raises(
        InputError, match=f"this is {GRAPHS[content]}, which is not read. Write the hierarchy"
    ):
        read_text(content)


def test_subjects_and_xml_without_attributes_are_not_taken_for_turtle(read_text):
    with pytest.raises(InputError, match="these are subjects of Annif"):
        read_text("<http://example.org/cat>\tcats\n<http://example.org/dog>\tdogs\n")
    with pytest.raises(InputError, match="its root element is 'ImageNetStructure'"):
        read_text("<ImageNetStructure><synset/></ImageNetStructure>")
