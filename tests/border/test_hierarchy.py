"""Hierarchies: what is computed of their graph, what they carry, and what they refuse."""

from __future__ import annotations

import copy
import re
from itertools import compress, pairwise, product
from time import process_time
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given
from scipy import sparse

import ontoeval as oe
from ontoeval.errors import CycleError, InputError, UnknownConceptError
from tests.laws.cases import hierarchies
from tests.patience import SECONDS
from tests.strategies import Graph

DIAMOND = [("top", "left"), ("top", "right"), ("left", "low"), ("right", "low"), ("top", "low")]


@given(graph=hierarchies())
def test_ancestors_depths_and_roots_are_those_of_the_graph(graph: Graph) -> None:
    hierarchy = oe.Hierarchy.from_edges(graph.edges, concepts=graph.names)
    directed: nx.DiGraph[str] = nx.DiGraph(graph.edges)
    directed.add_nodes_from(graph.names)
    found = hierarchy.ancestors.toarray()
    for row, name in enumerate(hierarchy.vocabulary):
        above = set(compress(hierarchy.vocabulary, found[row]))
        assert above == nx.ancestors(directed, name) | {name}
        shortest = nx.single_source_shortest_path_length(directed.reverse(), name)
        links = hierarchy.links_upward.toarray()[row]
        assert dict(compress(zip(hierarchy.vocabulary, links, strict=True), found[row])) == shortest
    generations = list(nx.topological_generations(directed))
    expected = {name: depth for depth, names in enumerate(generations) for name in names}
    assert dict(zip(hierarchy.vocabulary, hierarchy.depth.tolist(), strict=True)) == expected
    assert hierarchy.levels == len(generations)
    assert {hierarchy.vocabulary[root] for root in hierarchy.roots} == set(generations[0])
    leaves = [name for name in hierarchy.vocabulary if not directed.out_degree(name)]
    assert [hierarchy.vocabulary[leaf] for leaf in hierarchy.leaves] == leaves


def test_a_chain_whose_ancestors_would_fill_the_memory_is_refused_at_once() -> None:
    hierarchy = oe.Hierarchy.from_edges(pairwise(f"c{number}" for number in range(20_000)))
    begin = process_time()
    with pytest.raises(InputError, match=r"20,000 concepts in 20,000 levels .* more than 2 GB.*--root"):
        _ = hierarchy.ancestors
    assert process_time() - begin < SECONDS


@pytest.mark.no_cover
def test_many_parents_with_the_same_ancestors_are_gathered_part_by_part() -> None:
    # 12 million ways lead up from the lowest layer, to 460 ancestors of each of its concepts.
    layers = [[f"{layer}{at:03}" for at in range(230)] for layer in "abc"]
    links = [pair for above, below in pairwise(layers) for pair in product(above, below)]
    hierarchy = oe.Hierarchy.from_edges(links, concepts=[name for layer in layers for name in layer])
    found = hierarchy.links_upward.toarray()
    assert found[-1, :-1].tolist() == [2] * 230 + [1] * 230 + [0] * 229
    assert np.array_equal(found[460:, :460], found[[-1] * 230, :460])


def test_parallel_edges_are_one_edge() -> None:
    assert oe.Hierarchy.from_edges([("a", "b"), ("a", "b")]).parents.nnz == 1


def test_a_hierarchy_without_concepts_is_one() -> None:
    empty = oe.Hierarchy.from_edges([])
    assert (empty.levels, len(empty.roots), empty.ancestors.shape) == (0, 0, (0, 0))
    assert len(empty.label_vocabulary) == 0


@pytest.mark.no_cover
def test_chains_of_thousands_of_links_are_read_in_seconds() -> None:
    names = [f"c{depth}" for depth in range(3_000)]
    begin = process_time()
    hierarchy = oe.Hierarchy.from_edges(pairwise(names))
    found = oe.evaluate(
        [[names[-1]], [names[-1]], [names[1]]],
        [[names[0]], [names[-2]], [names[0]]],
        hierarchy=hierarchy,
        measures="OS",
    ).per_sample("OS")
    assert process_time() - begin < 30
    assert hierarchy.depth[-1] == 2_999
    assert hierarchy.ancestors.nnz == 3_000 * 3_001 // 2
    # all links together cost 1/2, the last of them nothing that could be told from 0, the first 1/4
    assert found == pytest.approx([0.5, 1, 0.75], abs=1e-9)
    explained = oe.explain([[names[-1]]], [[names[0]]], "0", hierarchy=hierarchy)
    assert [len(charge.path) for charge in explained.charges] == [3_000, 3_000]


def test_cycles_are_an_error_that_shows_at_most_five() -> None:
    cycles = [(f"a{n}", f"b{n}") for n in range(7)]
    edges = [*cycles, *((b, a) for a, b in cycles), ("root", "a0")]
    with pytest.raises(CycleError, match="the hierarchy has 7 cycles, child -> parent: ") as caught:
        oe.Hierarchy.from_edges(edges)
    shown = re.findall(r"[ab]\d -> [ab]\d -> [ab]\d", str(caught.value))
    assert len(shown) == 5
    assert all(cycle[:2] == cycle[-2:] for cycle in shown)
    assert str(caught.value).endswith("A concept cannot be its own ancestor: remove one link of each.")


def test_a_cycle_is_an_error_that_names_its_members() -> None:
    with pytest.raises(CycleError, match="1 cycle, child -> parent: b -> a -> d -> c -> b"):
        oe.Hierarchy.from_edges(
            [("root", "b"), ("a", "b"), ("b", "c"), ("c", "d"), ("d", "a"), ("d", "leaf")]
        )


def test_abstract_concepts_are_no_labels_but_ancestors() -> None:
    hierarchy = oe.Hierarchy.from_edges(DIAMOND, abstract=["top", "left"])
    assert hierarchy.label_vocabulary.concepts == ("right", "low")
    assert hierarchy.label_ancestors.shape == (2, 4)
    assert hierarchy.label_ancestors.sum() == 2 + 4


def test_labels_can_be_chosen_among_those_that_are_not_abstract() -> None:
    hierarchy = oe.Hierarchy.from_edges(DIAMOND, abstract=["top"])
    chosen = hierarchy.with_labels(["low", "left"])
    assert chosen.label_vocabulary.concepts == ("left", "low")
    assert chosen.with_labels(["left", "low"]) is chosen
    with pytest.raises(InputError, match="abstract concepts cannot be labels: 'top'"):
        hierarchy.with_labels(["top", "low"])
    with pytest.raises(UnknownConceptError, match="'lower'"):
        hierarchy.with_labels(["lower"])


def test_a_cost_table_is_cut_to_the_labels() -> None:
    flat = oe.Hierarchy.flat(oe.Vocabulary(("a", "b", "c")))
    table = np.array([[0, 0.1, 0.2], [0.3, 0, 0.4], [0.5, 0.6, 0]])
    chosen = flat.with_cost("given", table).with_labels(["a", "c"])
    assert chosen.costs["given"].tolist() == [[0, 0.2], [0.5, 0]]


def test_weights_and_costs_are_copied_and_frozen() -> None:
    hierarchy = oe.Hierarchy.from_edges([("a", "b")])
    weights, table = np.array([1.0, 2.0]), np.zeros((2, 2))
    heavy = hierarchy.with_weight("w", weights).with_cost("c", table)
    weights[0] = table[0, 1] = 0.5
    assert heavy.weights["w"].tolist() == [1, 2]
    assert heavy.costs["c"].tolist() == [[0, 0], [0, 0]]
    assert hierarchy.weights == {}
    for array in (heavy.weights["w"], heavy.costs["c"], heavy.depth, heavy.abstract):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1
    with pytest.raises(TypeError):
        heavy.weights["other"] = weights  # type: ignore[index]


def test_what_was_derived_from_the_graph_is_kept_with_a_weight() -> None:
    hierarchy = oe.Hierarchy.from_edges(DIAMOND)
    before = hierarchy.ancestors
    assert hierarchy.with_weight("w", np.ones(4)).ancestors is before


@pytest.mark.parametrize(
    ("values", "found"),
    [([1], "shape (1,)"), ([1, -1, 0], "'b: -1'"), ([1, np.inf, 0], "'b: inf'"), ([], "shape (0,)")],
)
def test_weights_that_do_not_fit_are_refused(values: list[float], found: str) -> None:
    hierarchy = oe.Hierarchy.from_edges([("a", "b"), ("a", "c")])
    with pytest.raises(InputError, match=r"the weight 'w' needs 3 finite numbers") as caught:
        hierarchy.with_weight("w", values)
    assert found in str(caught.value)


@pytest.mark.parametrize(
    ("table", "found"),
    [
        ([[0.0]], "has shape (1, 1), but 2 concepts may be labels"),
        ([[0, 1.5], [1, 0]], "entries outside [0, 1]"),
        ([[0.1, 1], [1, 0]], "a diagonal that is not 0"),
        ([[0, np.nan], [1, 0]], "nan between 'b' and 'c'"),
    ],
)
def test_cost_tables_that_do_not_fit_are_refused(table: list[list[float]], found: str) -> None:
    hierarchy = oe.Hierarchy.from_edges([("a", "b"), ("a", "c")], abstract=["a"])
    with pytest.raises(InputError, match="the cost table 'c'") as caught:
        hierarchy.with_cost("c", table)
    assert found in str(caught.value)


def test_parts_that_do_not_fit_are_refused() -> None:
    vocabulary = oe.Vocabulary(("a", "b"))
    with pytest.raises(InputError, match=r"2 concepts do not fit parents of shape \(1, 1\) and 2 marks"):
        oe.Hierarchy(vocabulary, sparse.csr_array((1, 1), dtype=bool), np.zeros(2, dtype=bool))
    with pytest.raises(InputError, match="and 1 marks"):
        oe.Hierarchy(vocabulary, sparse.csr_array((2, 2), dtype=bool), np.zeros(1, dtype=bool))


def test_rules_are_kept_once_and_must_name_concepts() -> None:
    twice = [oe.core.Exclusion("left", "right"), oe.core.Exclusion("right", "left")]
    assert len(oe.Hierarchy.from_edges(DIAMOND, exclusions=twice).exclusions) == 1
    for rules in (
        {"exclusions": [oe.core.Exclusion("left", "nowhere")]},
        {"requirements": [oe.core.Requirement("left", ("right", "nowhere"))]},
        {"abstract": ["nowhere"]},
    ):
        with pytest.raises(UnknownConceptError, match="1 unknown concept: 'nowhere'"):
            oe.Hierarchy.from_edges(DIAMOND, **rules)


@pytest.mark.parametrize(
    "changed",
    [
        {"edges": DIAMOND[:-1]},
        {"concepts": ["lonely"]},
        {"abstract": ["top"]},
        {"exclusions": [oe.core.Exclusion("left", "right")]},
        {"requirements": [oe.core.Requirement("left", ("right",))]},
    ],
)
def test_a_digest_tells_hierarchies_apart(changed: dict[str, Any]) -> None:
    given: dict[str, Any] = {"edges": DIAMOND} | changed
    digest = oe.Hierarchy.from_edges(**given).digest
    assert digest == oe.Hierarchy.from_edges(**given).digest
    assert digest != oe.Hierarchy.from_edges(DIAMOND).digest


def test_labels_lie_above_labels_directly_where_nothing_but_abstract_concepts_is_between() -> None:
    links = [("thing", "plants"), ("plants", "trees"), ("trees", "oaks")]
    hierarchy = oe.Hierarchy.from_edges(links, abstract=["plants"])
    assert hierarchy.labels_upward.toarray().astype(int).tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert hierarchy.labels_above.toarray().astype(int).tolist() == [[0, 0, 0], [1, 0, 0], [1, 1, 0]]
    directly = hierarchy.labels_directly_above.toarray().astype(int)
    assert directly.tolist() == [[0, 0, 0], [1, 0, 0], [0, 1, 0]]


def test_a_digest_tells_nothing_of_weights_that_are_withheld() -> None:
    hierarchy = oe.Hierarchy.from_edges([("a", "b")])
    sets = [oe.LabelSets.from_sets(labels) for labels in ([["a"], ["b"]], [["a"], ["a"]])]
    secret = [oe.concepts.with_information(hierarchy, one, corpus="the truth", withheld=True) for one in sets]
    assert not secret[0].digests
    assert not secret[1].digests
    assert copy.copy(secret[0]).with_labels(["b"]).withheld == {"ic", "ia"}
    assert (
        secret[0]
        .sources["weight 'ic'"]
        .startswith("information content in the truth, 2 samples (digest with")
    )
    known = [oe.concepts.with_information(hierarchy, one, corpus="the truth") for one in sets]
    assert dict(known[0].digests) != dict(known[1].digests)


def test_a_digest_tells_weights_and_costs_apart() -> None:
    hierarchy = oe.Hierarchy.from_edges([("a", "b")])
    made = [
        hierarchy,
        hierarchy.with_weight("agreement", [1, 0.5]),
        hierarchy.with_weight("agreement", [1, 0.25]),
        hierarchy.with_weight("votes", [1, 0.25]),
        hierarchy.with_cost("looks", np.array([[0, 1], [1, 0]])),
        hierarchy.with_cost("looks", np.array([[0, 1], [0.5, 0]])),
    ]
    assert len({tuple(one.digests.items()) for one in made}) == len(made)
    assert {one.digest for one in made} == {hierarchy.digest}


def test_what_is_no_rule_is_refused() -> None:
    for rules in ({"exclusions": [("a", "b")]}, {"requirements": [("a", ("b",))]}):
        with pytest.raises(InputError, match="no rules"):
            oe.Hierarchy.from_edges([("a", "b")], **rules)
