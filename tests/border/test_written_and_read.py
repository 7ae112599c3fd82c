"""Random hierarchies, written in one format and another and read again."""

import csv
import io
import json
from collections import defaultdict
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from tests.strategies import Graph, dags, exclusions, graphs, requirements, trees

CHANCE = st.randoms(use_true_random=False)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return tmp_path_factory.mktemp("written") / "hierarchy"


def content_of(hierarchy: oe.Hierarchy):
    """What a hierarchy says, whatever the words in which its file states a rule."""
    parents = hierarchy.parents.tocoo()
    ends = zip(parents.col.tolist(), parents.row.tolist(), strict=True)
    names = hierarchy.vocabulary.concepts
    edges = sorted((names[parent], names[child]) for parent, child in ends)
    return names, edges, sorted(map(str, (*hierarchy.exclusions, *hierarchy.requirements)))


def content_in(path: Path, text: str, **options):
    path.write_text(text, encoding="utf-8")
    return content_of(oe.read_ontology(path, **options).hierarchy())


def shuffled(items, chance):
    items = list(items)
    chance.shuffle(items)
    return items


def rules_of(excluded, required=()):
    return {
        "exclusions": [oe.core.Exclusion(*pair) for pair in excluded],
        "requirements": [oe.core.Requirement(concept, tuple(sorted(any_of))) for concept, any_of in required],
    }


@given(data=st.data(), graph=graphs(), chance=CHANCE)
def test_a_hierarchy_with_rules_in_node_link_json(path, data, graph, chance):
    excluded = data.draw(exclusions(graph))
    required = data.draw(requirements(graph))
    written: Any = nx.DiGraph()
    written.add_nodes_from(shuffled(graph.names, chance))
    written.add_edges_from(shuffled(graph.edges, chance))
    written.graph["exclusions"] = excluded
    written.graph["requirements"] = [
        {"concept": concept, "any_of": sorted(any_of)} for concept, any_of in required
    ]
    document = nx.node_link_data(written, edges=chance.choice(["links", "edges"]))
    expected = oe.Hierarchy.from_edges(graph.edges, concepts=graph.names, **rules_of(excluded, required))
    assert content_in(path, json.dumps(document), direction="parent-child") == content_of(expected)


@given(data=st.data(), graph=graphs(), chance=CHANCE)
def test_a_hierarchy_with_exclusions_in_obo(path, data, graph, chance):
    excluded = data.draw(exclusions(graph))
    stanzas = defaultdict(list)
    for parent, child in graph.edges:
        stanzas[child].append(f"is_a: {parent} ! {parent}")
    for one, other in excluded:
        stanzas[one].append(f"disjoint_from: {other}")
    content = "ontology: x\n" + "".join(
        f"\n[Term]\nid: {name}\n" + "\n".join(shuffled(stanzas[name], chance)) + "\n"
        for name in shuffled(graph.names, chance)
    )
    expected = oe.Hierarchy.from_edges(graph.edges, concepts=graph.names, **rules_of(excluded))
    assert content_in(path, content) == content_of(expected)


@given(graph=dags(), chance=CHANCE)
def test_relations_in_obo_are_links_where_they_are_asked_for(path, graph, chance):
    stanzas = defaultdict(list)
    for parent, child in graph.edges:
        stanzas[child].append(chance.choice(["is_a:", "relationship: part_of"]) + f" {parent}")
    stanzas[graph.names[-1]].append("relationship: part_of z")  # which is not described
    content = "".join(f"[Term]\nid: {name}\n" + "\n".join([*stanzas[name], ""]) for name in graph.names)
    names = [*graph.names, "z"]
    expected = oe.Hierarchy.from_edges([*graph.edges, ("z", graph.names[-1])], concepts=names)
    assert content_in(path, content, relations=["part_of"]) == content_of(expected)


@given(graph=graphs(), chance=CHANCE, upward=st.booleans(), delimiter=st.sampled_from(",;\t"))
def test_a_hierarchy_in_a_table_with_titles(path, graph, chance, upward, delimiter):
    table = io.StringIO()
    rows = [*graph.edges, *(("", name) for name in graph.names)]
    writer = csv.writer(table, delimiter=delimiter)
    for row in [("parent", "child"), *shuffled(rows, chance)]:
        writer.writerow(row[::-1] if upward else row)
    expected = oe.Hierarchy.from_edges(graph.edges, concepts=graph.names)
    assert content_in(path, table.getvalue()) == content_of(expected)


@given(graph=dags(min_nodes=2, roots=1), chance=CHANCE, upward=st.booleans())
def test_a_hierarchy_in_a_text_without_titles(path, graph, chance, upward):
    rows = [" ".join(edge[::-1] if upward else edge) for edge in shuffled(graph.edges, chance)]
    direction = "child-parent" if upward else "parent-child"
    expected = oe.Hierarchy.from_edges(graph.edges, concepts=graph.names)
    assert content_in(path, "\n".join(rows), direction=direction) == content_of(expected)


@given(graph=graphs(), chance=CHANCE)
def test_a_hierarchy_in_lists_of_nodes(path, graph, chance):
    nodes = {name: {"id": name, "child_ids": [], "parents": []} for name in graph.names}
    for parent, child in graph.edges:
        if chance.random() < 0.5:
            nodes[parent]["child_ids"].append(child)
        else:
            nodes[child]["parents"].append(parent)
    expected = oe.Hierarchy.from_edges(graph.edges, concepts=graph.names)
    content = json.dumps(shuffled(nodes.values(), chance))
    assert content_in(path, content) == content_of(expected)


def nested(graph: Graph, name: str):
    return {
        "name": name,
        "children": [nested(graph, child) for parent, child in graph.edges if parent == name],
    }


def dictionary(graph: Graph, name: str):
    return {child: dictionary(graph, child) for parent, child in graph.edges if parent == name}


@given(graph=trees(min_nodes=2))
def test_trees_in_nested_json_and_as_paths(path, graph):
    expected = oe.Hierarchy.from_edges(graph.edges, concepts=graph.names)
    above = {child: parent for parent, child in graph.edges}
    roots = [name for name in graph.names if name not in above]
    content = json.dumps({"children": [nested(graph, root) for root in roots]})
    assert content_in(path, content, input_format="json") == content_of(expected)
    content = json.dumps({root: dictionary(graph, root) for root in roots})
    assert content_in(path, content) == content_of(expected)
    paths: dict[str, str] = {}
    for name in graph.names:  # parents come first
        paths[name] = f"{paths[above[name]]}/{name}" if name in above else name
    renamed = [(paths[parent], paths[child]) for parent, child in graph.edges]
    expected = oe.Hierarchy.from_edges(renamed, concepts=sorted(paths.values()))
    assert content_in(path, "\n".join(paths.values()), input_format="paths") == content_of(expected)


@given(graph=dags(min_nodes=2))
def test_what_is_nested_wherever_it_has_a_parent_is_one_concept(path, graph):
    above = {child for _, child in graph.edges}
    content = json.dumps({"children": [nested(graph, name) for name in graph.names if name not in above]})
    expected = oe.Hierarchy.from_edges(graph.edges, concepts=graph.names)
    assert content_in(path, content, input_format="json") == content_of(expected)
