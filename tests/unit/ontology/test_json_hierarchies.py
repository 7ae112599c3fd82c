"""Hierarchies in JSON, in the shapes in which they are published."""

import json
from typing import Any

import networkx as nx
import pytest

from ontoeval.errors import CycleError, InputError, ParameterError

LINKS = [("animal", "cat"), ("animal", "dog"), ("dog", "poodle")]


@pytest.fixture
def read_json(read_text):
    """Give a function that reads what JSON makes of a value."""

    def read_value(value, **options):
        return read_text(json.dumps(value), **options)

    return read_value


NODES = [{"id": name} for name in ("animal", "cat", "dog", "poodle")]
ENDS = [{"source": parent, "target": child} for parent, child in LINKS]
SHAPES = {
    "links": {"directed": True, "nodes": NODES, "links": ENDS},
    "edges": {"nodes": NODES, "edges": ENDS},
    "numbered links": {
        "nodes": NODES,
        "links": [{"source": i, "target": j} for i, j in ((0, 1), (0, 2), (2, 3))],
    },
    "nodes that name their children": [
        {"id": "animal", "child_ids": ["cat", "dog"]},
        {"id": "cat", "child_ids": []},
        {"id": "dog", "child_ids": ["poodle"]},
        {"id": "poodle"},
    ],
    "nodes that name their parents": [
        {"name": "animal", "parent": None},
        {"name": "cat", "parent": "animal"},
        {"name": "dog", "parents": ["animal"]},
        {"name": "poodle", "parents": ["dog"]},
    ],
    "nested objects": {
        "name": "animal",
        "children": [{"name": "cat", "size": 3}, {"name": "dog", "children": [{"name": "poodle"}]}],
    },
    "a list of nested objects": [
        {
            "LabelName": "animal",
            "Subcategory": [{"LabelName": "cat"}, {"LabelName": "dog", "Subcategory": None}],
        },
        {"LabelName": "dog", "Subcategory": [{"LabelName": "poodle"}]},
    ],
    "nodes with keys": {"nodes": [{"key": node["id"]} for node in NODES], "edges": ENDS},
    "links from and to": {
        "nodes": NODES,
        "edges": [{"from": parent, "to": child} for parent, child in LINKS],
    },
    "a list of nodes in an object": {
        "version": 3,
        "roots": ["animal"],
        "concepts": [
            {"uri": "animal", "narrower": ["cat", "dog"]},
            {"uri": "poodle", "broader": ["dog"]},
        ],
    },
    "a list of links": [{"child": child, "parent": parent} for parent, child in LINKS],
    "nodes of jsTree": [
        {"id": "animal", "parent": "#", "text": "Animal"},
        *({"id": child, "parentId": parent} for parent, child in LINKS),
    ],
    "nested objects in one without a name": {
        "children": [
            {
                "name": "animal",
                "children": [{"name": "cat"}, {"name": "dog", "children": [{"name": "poodle"}]}],
            }
        ]
    },
    "nested dictionaries": {"animal": {"cat": {}, "dog": {"poodle": None}}},
    "a dictionary of lists": {"animal": ["cat", "dog"], "dog": ["poodle"], "cat": []},
    "lists with dictionaries": {"animal": ["cat", {"dog": ["poodle"]}]},
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_gives_the_same_hierarchy(shape, read_json):
    ontology = read_json(SHAPES[shape])
    assert list(ontology.graph.edges) == LINKS
    assert set(dict(ontology.graph.nodes(data="iri")).values()) == {""}
    assert ontology.source.format == "JSON"


def test_what_networkx_writes_is_read_again(read_json, read):
    graph = nx.DiGraph(LINKS)
    graph.add_node("plant", label="Plants", abstract=True)
    for edges in ("links", "edges"):
        ontology = read_json(nx.node_link_data(graph, edges=edges))
        assert list(ontology.graph.edges) == LINKS
        assert ontology.graph.nodes["plant"] == {"iri": "", "label": "Plants", "abstract": True}
    written = read(
        ":trees rdfs:subClassOf :plants ; rdfs:label 'Trees' . :plants oe:abstract true ; rdfs:label 'All' ."
    ).graph
    again = read_json(nx.node_link_data(written, edges="links")).graph
    assert list(again.edges) == list(written.edges)
    assert [again.nodes[name]["label"] for name in again] == [
        written.nodes[name]["label"] for name in written
    ]
    assert [again.nodes[name]["abstract"] for name in again] == [True, False]


def test_the_source_of_a_link_is_the_parent_unless_one_says_otherwise(read_json):
    upward = {"nodes": NODES, "links": [{"source": child, "target": parent} for parent, child in LINKS]}
    ontology = read_json(upward, direction="child-parent")
    assert list(ontology.graph.edges) == LINKS
    assert ontology.report.read_as == "node-link JSON: the source of a link is the child"
    assert list(read_json(upward).graph.edges) == [("cat", "animal"), ("dog", "animal"), ("poodle", "dog")]


def test_keys_that_say_is_a_say_the_direction(read_json):
    graph: Any = nx.MultiDiGraph()
    graph.add_edges_from([("cat", "animal", "is_a"), ("dog", "animal", "is_a"), ("poodle", "dog", "is_a")])
    graph.add_edge("paw", "cat", "part_of")
    document = nx.node_link_data(graph, edges="links")
    ontology = read_json(document)
    assert list(ontology.graph.edges(data="kind")) == [(*link, "is_a") for link in LINKS]
    assert ontology.report.other_requirements == {"part_of": 1}
    assert read_json(document, relations="part of").graph.has_edge("cat", "paw")
    graph = nx.MultiDiGraph(LINKS)  # networkx numbers what has no keys
    assert list(read_json(nx.node_link_data(graph, edges="links")).graph.edges) == LINKS


def test_a_graph_without_direction_needs_one(read_json):
    document = nx.node_link_data(nx.Graph(LINKS), edges="links")
    with pytest.raises(InputError, match=r"is marked as not directed.*name their direction"):
        read_json(document)
    assert list(read_json(document, direction="parent-child").graph.edges) == LINKS


def test_rules_are_read_from_the_attributes_of_the_graph(read_json):
    graph = nx.DiGraph(LINKS)
    graph.graph["exclusions"] = [["cat", "dog"]]
    graph.graph["requirements"] = [
        {"concept": "poodle", "any_of": ["cat", "animal"], "relation": "shows"},
        {"concept": "cat", "any_of": ["dog"], "relation": None, "precondition": False},
    ]
    ontology = read_json(nx.node_link_data(graph, edges="links"))
    assert [str(rule) for rule in ontology.exclusions] == ["cat excludes dog"]
    assert [(str(rule), rule.relation, rule.precondition) for rule in ontology.requirements] == [
        ("cat requires dog", "", False),
        ("poodle requires animal or cat", "shows", True),
    ]


def test_integers_are_names(read_json):
    assert list(
        read_json({"nodes": [{"id": 1}, {"id": 2}], "links": [{"source": 1, "target": 2}]}).graph
    ) == ["1", "2"]
    assert list(read_json([{"id": 1, "children": [2]}]).graph.edges) == [("1", "2")]


def test_what_is_linked_but_no_node_is_counted(read_json):
    assert read_json({"nodes": NODES[:2], "links": ENDS}).report.undeclared.examples == ("dog", "poodle")
    assert read_json([{"id": "animal", "child_ids": ["cat"]}]).report.undeclared.examples == ("cat",)


def test_nodes_without_links_are_kept(read_json):
    assert set(read_json({"nodes": [*NODES, {"id": "lonely"}], "links": ENDS}).graph) >= {"lonely"}


SOUNDS = [
    {
        "id": "/m/0dgw9r",
        "name": "Human sounds",
        "child_ids": ["/m/09l8g", "/m/1"],
        "restrictions": ["abstract"],
    },
    {"id": "/m/09l8g", "name": "Human voice", "child_ids": [], "restrictions": []},
    {"id": "/m/1", "name": "Noise", "child_ids": [], "restrictions": ["blacklist", "abstract"]},
]


def test_restrictions_mark_what_is_abstract_and_are_counted_otherwise(read_json):
    ontology = read_json(SOUNDS)
    assert ontology.report.abstract.examples == ("/m/0dgw9r", "/m/1")
    assert ontology.report.unused["restrictions 'blacklist'"].examples == ("/m/1",)
    assert ontology.resolve("human voice") == "/m/09l8g"
    assert ontology.hierarchy().label_vocabulary.concepts == ("/m/09l8g",)


def test_parts_lie_below_nothing_and_are_counted(read_json):
    hand = {"LabelName": "/m/hand", "Subcategory": [{"LabelName": "/m/fist"}]}
    person = {
        "LabelName": "/m/person",
        "Subcategory": [{"LabelName": "/m/man", "Part": [hand]}],
        "Part": [hand],
    }
    ontology = read_json(person)
    assert list(ontology.graph.edges) == [("/m/hand", "/m/fist"), ("/m/person", "/m/man")]
    assert ontology.report.unused["Part, which is no is-a"].count == 2
    assert ontology.report.unused["links that are there again"].count == 1


def test_what_is_nested_several_times_has_all_children_and_parents(read_json):
    toy = {"name": "toy", "children": [{"name": "doll"}]}
    tree = {
        "name": "thing",
        "children": [{"name": "indoor", "children": [toy]}, {"name": "outdoor", "children": [toy]}],
    }
    ontology = read_json(tree)
    assert set(ontology.graph.predecessors("toy")) == {"indoor", "outdoor"}
    assert ontology.report.unused["links that are there again"].count == 1


def test_nested_objects_are_identified_by_the_most_telling_key_that_all_have(read_json):
    tree = {
        "uri": "http://a.org/1",
        "name": "Sun",
        "children": [{"uri": "http://a.org/2", "name": "Sun spot"}],
    }
    ontology = read_json(tree)
    assert list(ontology.graph.edges) == [("1", "2")]
    assert ontology.resolve("sun spot") == ontology.resolve("http://a.org/2") == "2"
    del tree["uri"]
    assert list(read_json(tree).graph.edges) == [("Sun", "Sun spot")]


CATEGORIES = [
    {"id": 1, "name": "person", "supercategory": "person"},
    {"id": 2, "name": "cat", "supercategory": "animal"},
    {"id": 3, "name": "thing", "supercategory": "none"},
]


@pytest.mark.parametrize("document", [CATEGORIES, {"images": [], "categories": CATEGORIES}])
def test_a_category_in_a_supercategory_of_its_own_name_is_not_the_same(document, read_json):
    ontology = read_json(document)
    assert list(ontology.graph.edges) == [("animal", "cat"), ("person (supercategory)", "person")]
    assert "thing" in ontology.graph
    assert ontology.resolve("person") == "person"


def test_supercategories_may_be_categories_themselves(read_json):
    names = [("animal", "thing"), ("cat", "animal")]
    ontology = read_json([{"name": name, "supercategory": above} for name, above in names])
    assert list(ontology.graph.edges) == [("animal", "cat"), ("thing", "animal")]


GO = "http://purl.obolibrary.org/obo/GO_"
OBO_GRAPHS = {
    "graphs": [
        {
            "id": "http://purl.obolibrary.org/obo/go.owl",
            "meta": {"version": "http://purl.obolibrary.org/obo/go/1/go.owl"},
            "nodes": [
                *({"id": f"{GO}{number}", "lbl": f"term {number}", "type": "CLASS"} for number in range(5)),
                {"id": f"{GO}8", "type": "CLASS", "meta": {"deprecated": True, "basicPropertyValues": [
                    {"pred": "http://purl.obolibrary.org/obo/IAO_0100001", "val": f"{GO}1"}]}},
                {"id": "http://purl.obolibrary.org/obo/BFO_0000050", "lbl": "part of", "type": "PROPERTY"},
            ],
            "edges": [
                {"sub": f"{GO}1", "pred": "is_a", "obj": f"{GO}0"},
                {"sub": f"{GO}2", "pred": "is_a", "obj": f"{GO}9"},
                {"sub": f"{GO}2", "pred": "http://purl.obolibrary.org/obo/BFO_0000050", "obj": f"{GO}1"},
                {"sub": "http://purl.obolibrary.org/obo/BFO_0000050", "pred": "subPropertyOf", "obj": "u:o"},
            ],
            "logicalDefinitionAxioms": [
                {"definedClassId": f"{GO}3", "genusIds": [f"{GO}0"], "restrictions": [
                    {"propertyId": "urn:r", "fillerId": f"{GO}1"}]},
            ],
            "equivalentNodesSets": [{"nodeIds": [f"{GO}4", f"{GO}1"]}],
        }
    ]
}  # fmt: skip


def test_obo_graphs_say_what_obo_says(read_json):
    ontology = read_json(OBO_GRAPHS)
    assert list(ontology.graph.edges(data="kind")) == [
        ("GO_0", "GO_1", "is_a"),
        ("GO_0", "GO_3", "genusIds"),
        ("GO_9", "GO_2", "is_a"),
    ]
    assert ontology.resolve("GO:2") == ontology.resolve("term 2") == "GO_2"
    assert ontology.resolve("GO:8") == ontology.resolve("GO:4") == "GO_1"
    assert ontology.report.undeclared.examples == ("GO_9",)
    assert ontology.report.other_requirements == {"BFO_0000050": 1, "r": 1}
    assert ontology.source.iri.endswith("go.owl")
    assert ontology.source.version.endswith("go/1/go.owl")


def test_of_several_successors_in_obo_graphs_nobody_knows_which_is_meant(read_json):
    says = [{"pred": f"{GO}0100001".replace("GO_", "IAO_"), "val": f"{GO}{number}"} for number in (1, 2)]
    nodes = [{"id": f"{GO}{number}", "type": "CLASS"} for number in (1, 2)]
    old = {"id": f"{GO}3", "type": "CLASS", "meta": {"deprecated": True, "basicPropertyValues": says}}
    ontology = read_json({"graphs": [{"nodes": [*nodes, old]}]})
    assert ontology.report.unused["replaced by several concepts"].count == 1


def test_half_characters_that_escapes_make_are_replaced(read_text):
    graph = read_text(r'[{"id": "\ud83d", "name": "\ud83d sky", "child_ids": []}]').graph
    assert dict(graph.nodes(data="label")) == {"?": "? sky"}


REFUSED = {
    "an empty object": ({}, "it is an empty object"),
    "records of labels": ([{"id": "p1", "labels": ["sky"]}], "it is a list of 1"),
    "a list of lists": ([["a", "b"]], "it is a list of 1"),
    "scores": ({"p1": {"sky": 0.9}}, "below 'sky' stands 0.9"),
    "settings": ({"name": "x", "size": 3}, "an object with the keys 'name', 'size'"),
    "a link without a target": ({"nodes": NODES, "links": [{"source": "cat"}]}, "'target' of link 1 is null"),
    "a link to something else": (
        {"nodes": NODES, "links": [*ENDS, {"source": "cat", "target": ["dog"]}]},
        "'target' of link 4 is a list of 1",
    ),
    "links that are none": ({"nodes": NODES, "links": {"a": 1}}, "'links' is an object with the keys 'a'"),
    "nodes that are none": ({"nodes": ["a"], "links": []}, "'nodes' holds \"a\""),
    "a node without an identifier": (
        {"nodes": [{"id": "a"}, {"colour": "red"}], "links": []},
        "'id' of node 2 is null",
    ),
    "a child that is no name": ([{"id": "a", "child_ids": [True]}], "'child_ids' of 'a' is true"),
    "a nested object without a name": (
        {"name": "a", "children": [{"name": "b"}, {"size": 3}]},
        "'name' of an object in 'a' is null",
    ),
    "nested children that are no list": (
        {"name": "a", "children": [{"name": "b", "children": "c"}]},
        "'children' is \"c\"",
    ),
    "nested children that are no objects": ({"name": "a", "children": [{"name": "b"}, "c"]}, 'holds "c"'),
    "a category without a name": ([{"supercategory": "a"}], "'name' of a category is null"),
    "a category without a name below the ranks of the living": (
        [{"supercategory": "a", "kingdom": "b", "phylum": "c", "class": "d", "name": None}],
        "'name' of a category is null",
    ),
    "an empty name": ({"animal": ["cat", " "]}, "a name below 'animal' is \" \""),
    "a list in a list": ({"animal": [["cat"]]}, "a name below 'animal' is a list of 1"),
    "a rule about what is no node": (
        {"nodes": NODES, "links": ENDS, "graph": {"exclusions": [["cat", "bird"]]}},
        "'exclusions' speak of 'bird', which is no node",
    ),
    "a rule that is no pair": (
        {"nodes": NODES, "links": ENDS, "graph": {"exclusions": [["cat"]]}},
        "'exclusions' hold a list of 1",
    ),
    "rules that are no list": (
        {"nodes": NODES, "links": ENDS, "graph": {"exclusions": "cat"}},
        "'exclusions' hold \"cat\"",
    ),
    "a requirement of nothing": (
        {"nodes": NODES, "links": ENDS, "graph": {"requirements": [{"concept": "cat", "any_of": []}]}},
        "'requirements' hold an object with the keys 'concept', 'any_of'",
    ),
    "a relation that is no name": (
        {
            "nodes": NODES,
            "links": ENDS,
            "graph": {"requirements": [{"concept": "cat", "any_of": ["dog"], "relation": ["shows"]}]},
        },
        "'relation' in 'requirements' is a list of 1",
    ),
    "an edge of OBO Graphs without an end": (
        {"graphs": [{"nodes": [], "edges": [{"sub": "a", "pred": "is_a"}]}]},
        "'obj' of an edge is null",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_hierarchy_is_refused_with_words(case, read_json):
    value, found = REFUSED[case]
    with pytest.raises(InputError) as error:
        read_json(value, input_format="json")
    assert found in str(error.value)


def test_a_cycle_is_an_error(read_json):
    with pytest.raises(CycleError, match="cat -> dog -> cat"):
        read_json({"cat": ["dog"], "dog": ["cat"]})


def test_a_direction_is_refused_where_nesting_says_it(read_json):
    with pytest.raises(ParameterError, match="direction='child-parent': expected nothing"):
        read_json({"animal": ["cat"]}, direction="child-parent")


def test_nodes_that_are_there_again_are_counted_and_given_up_ones_left_out(read_json):
    nodes = [{"id": "a", "child_ids": ["b"]}, {"id": "b"}, {"id": "b"}, {"id": "c", "is_obsolete": "true"}]
    ontology = read_json(nodes)
    assert list(ontology.graph) == ["a", "b"]
    assert ontology.report.unused["nodes that are there again"].examples == ("b",)
    assert ontology.report.left_out["deprecated"].examples == ("c",)


def test_what_obo_graphs_name_need_be_no_address(read_json):
    nodes = [{"id": "urn:x#sky", "type": "CLASS"}]
    assert dict(read_json({"graphs": [{"nodes": nodes}]}).graph.nodes(data="iri")) == {"sky": "urn:x#sky"}


def test_obo_graphs_may_name_one_where_a_list_is_due_and_a_class_above_itself(read_json):
    nodes = [{"id": f"{GO}{number}", "lbl": "term", "type": "CLASS"} for number in range(2)]
    graph = {
        "nodes": nodes,
        "edges": [{"sub": f"{GO}1", "pred": "is_a", "obj": f"{GO}1"}],
        "logicalDefinitionAxioms": [{"definedClassId": f"{GO}1", "genusIds": f"{GO}0"}],
    }
    ontology = read_json({"graphs": [graph]})
    assert list(ontology.graph.edges) == [("GO_0", "GO_1")]
    assert ontology.report.links_left_out["of a concept to itself"].count == 1


def test_an_object_in_each_line_is_read(read_text):
    content = "".join(json.dumps({"id": child, "parent": parent}) + "\n" for parent, child in LINKS)
    assert set(read_text(content).graph.edges) == set(LINKS)
    with pytest.raises(InputError, match="row 2: this is not valid JSON"):
        read_text(content.replace("dog", 'dog", "', 1))


def test_the_ranks_of_the_living_are_levels(read_json):
    worms = {"supercategory": "Worms", "kingdom": "Animalia", "phylum": "Annelida", "class": "Clitellata"}
    ontology = read_json([{"id": 0, "name": "Lumbricus terrestris", **worms}])
    assert list(ontology.graph.edges) == [
        ("Animalia", "Annelida"),
        ("Annelida", "Clitellata"),
        ("Clitellata", "Lumbricus terrestris"),
    ]
    assert ontology.report.unused["supercategory"].count == 1


def test_an_index_of_classes_is_no_hierarchy(read_json):
    with pytest.raises(InputError, match="no hierarchy is recognised"):
        read_json({"0": ["n01440764", "tench"], "1": ["n01443537", "goldfish"]})


def test_links_by_identifiers_or_by_positions_are_not_guessed(read_text):
    nodes = '{"directed": true, "nodes": [{"id": 1}, {"id": 2}, {"id": 3}], "links": %s}'
    links = '[{"source": 0, "target": 1}]'
    with pytest.raises(InputError, match="the links name '0', which is no node"):
        read_text(nodes % links)
    assert list(read_text(nodes % '[{"source": 1, "target": 2}]').graph.edges) == [("1", "2")]
    by_position = nodes.replace(": 1}", ": 11}").replace(": 2}", ": 12}").replace(": 3}", ": 13}")
    assert list(read_text(by_position % links).graph.edges) == [("11", "12")]
