"""The oracles themselves, against the values that the papers print and against one another."""

from __future__ import annotations

import math
from itertools import chain, combinations, product

import numpy as np
import pytest

from tests.oracles import flat, krstinic, mlcm, multiclass, ontology_score, tensor
from tests.oracles import worked_examples as examples
from tests.oracles.ontology_score import Tree, score

K_TRUTH = examples.columns(examples.KRSTINIC_TRUTH)
K_PREDICTION = examples.columns(examples.KRSTINIC_PREDICTION)
H_TRUTH = examples.columns(examples.HEYDARIAN_TRUTH)
H_PREDICTION = examples.columns(examples.HEYDARIAN_PREDICTION)
S_TRUTH = [set(map("abcdefg".index, labels)) for labels in examples.SLIDES_TRUTH]
S_PREDICTION = [set(map("abcdefg".index, labels)) for labels in examples.SLIDES_PREDICTION]
NOWAK = Tree(tuple(examples.NOWAK_EDGES))
NOWAK_AGREEMENT = {node: examples.NOWAK_AGREEMENT.get(node, 1.0) for node in NOWAK.nodes}
TOY = Tree(tuple(examples.TOY_EDGES))


def all_pairs(q: int) -> list[tuple[set[int], set[int]]]:
    """Every pair of label sets over q concepts."""
    subsets: list[set[int]] = [
        set(s) for s in chain.from_iterable(combinations(range(q), size) for size in range(q + 1))
    ]
    return list(product(subsets, subsets))


def test_krstinic_reproduces_table_5() -> None:
    expected = [[6, 2, 2, 2], [5, 28, 3, 0], [8, 6, 10, 0], [6, 0, 3, 9]]
    for unknown in (False, True):
        found = krstinic.matrix(K_TRUTH, K_PREDICTION, 4, unknown=unknown) * 6
        assert found[:4, :4] == pytest.approx(np.array(expected), abs=1e-12)
        assert found.sum() == pytest.approx(90)


def test_krstinic_reproduces_the_normalised_tables_6_and_7() -> None:
    found = krstinic.matrix(K_TRUTH, K_PREDICTION, 4, unknown=False)
    by_column = [
        [0.24, 0.06, 0.11, 0.18],
        [0.20, 0.78, 0.17, 0],
        [0.32, 0.17, 0.56, 0],
        [0.24, 0, 0.17, 0.82],
    ]
    by_row = [[0.50, 0.17, 0.17, 0.17], [0.14, 0.78, 0.08, 0], [0.33, 0.25, 0.42, 0], [0.33, 0, 0.17, 0.50]]
    assert multiclass.column_normalised(found) == pytest.approx(np.array(by_column), abs=0.005)
    assert multiclass.row_normalised(found) == pytest.approx(np.array(by_row), abs=0.005)


def test_krstinic_without_unknown_refuses_empty_sets() -> None:
    with pytest.raises(ValueError, match="non-empty"):
        krstinic.matrix([set()], [{0}], 2, unknown=False)


def test_mlcm_reproduces_table_4j_in_both_variants() -> None:
    expected = [[5, 2, 4, 0], [0, 2, 3, 1], [0, 0, 1, 0], [0, 1, 1, 1]]
    for variant in ("paper", "package"):
        assert mlcm.matrix(H_TRUTH, H_PREDICTION, 3, variant=variant).tolist() == expected


def test_mlcm_reproduces_table_5_and_the_package_adds_a_cell() -> None:
    truth, prediction = {0, 1, 2}, {0, 3, 4}
    expected = np.zeros((6, 6))
    expected[[0, 1, 1, 2, 2], [0, 3, 4, 3, 4]] = 1
    assert mlcm.contribution(truth, prediction, 5).tolist() == expected.tolist()
    expected[0, 4] += 1
    assert mlcm.contribution_of_the_package(truth, prediction, 5).tolist() == expected.tolist()


@pytest.mark.parametrize(("q", "diverging"), [(2, 0), (3, 0), (4, 12), (5, 140)])
def test_the_package_differs_where_hits_misses_and_two_false_labels_meet(q: int, diverging: int) -> None:
    found = 0
    for truth, prediction in all_pairs(q):
        paper = mlcm.contribution(truth, prediction, q)
        package = mlcm.contribution_of_the_package(truth, prediction, q)
        t1, t2, p2 = truth & prediction, truth - prediction, prediction - truth
        extra = np.zeros((q + 1, q + 1))
        if t1 and t2:
            for row in t1:
                for column in sorted(p2)[1:]:
                    extra[row, column] += 1
        assert (package - paper).tolist() == extra.tolist()
        found += bool((package != paper).any())
    assert found == diverging


def test_mlcm_counts_reproduce_tables_7_and_9() -> None:
    small = mlcm.counts(mlcm.matrix(H_TRUTH, H_PREDICTION, 3))
    assert small == [(5, 0, 6, 4), (2, 3, 4, 7), (1, 8, 0, 8), (1, 1, 2, 8)]
    ecg = mlcm.counts(np.array(examples.HEYDARIAN_ECG, dtype=float))
    assert [ecg[0], ecg[9]] == [(58, 17, 23, 453), (0, 107, 0, 511)]
    assert [sum(column) for column in zip(*ecg, strict=True)] == [511, 243, 243, 9 * 511]


PLANES = {
    "unique": (
        [[300, 30, 90, 0], [60, 120, 120, 0], [0, 0, 60, 0], [0, 30, 30, 60]],
        [[300, 120, 210, 0], [0, 120, 90, 0], [0, 0, 60, 0], [0, 60, 60, 60]],
    ),
    "case": (
        [[300, 30, 90, 0], [30, 120, 150, 0], [0, 0, 60, 0], [0, 30, 30, 60]],
        [[300, 120, 180, 0], [0, 120, 120, 0], [0, 0, 60, 0], [0, 60, 60, 60]],
    ),
}


@pytest.mark.parametrize("variant", PLANES)
def test_the_tensor_reproduces_the_heatmaps_of_the_notebook(variant: str) -> None:
    recall, precision = tensor.planes(H_TRUTH, H_PREDICTION, 3, variant=variant)
    assert recall * 60 == pytest.approx(np.array(PLANES[variant][0]))
    assert precision * 60 == pytest.approx(np.array(PLANES[variant][1]))
    assert tensor.counts(recall, precision) == [
        pytest.approx(counts) for counts in ((5, 0, 2), (2, 3, 3), (1, 6, 0), (1, 0, 1))
    ]


def test_krstinic_reproduces_the_heatmap_of_the_notebook() -> None:
    expected = [[240, 50, 130, 0], [30, 100, 170, 0], [0, 0, 60, 0], [0, 30, 30, 60]]
    assert krstinic.matrix(H_TRUTH, H_PREDICTION, 3) * 60 == pytest.approx(np.array(expected))


def test_every_rule_reduces_to_the_ordinary_matrix_for_one_label_per_sample() -> None:
    rng = np.random.default_rng(4)
    truths = [{int(label)} for label in rng.integers(0, 4, 60)]
    predictions = [{int(label)} for label in rng.integers(0, 4, 60)]
    expected = multiclass.matrix(truths, predictions, 4)
    found = [
        krstinic.matrix(truths, predictions, 4),
        mlcm.matrix(truths, predictions, 4),
        *tensor.planes(truths, predictions, 4),
    ]
    for one in found:
        assert one[:4, :4] == pytest.approx(expected)
        assert one.sum() == pytest.approx(60)


def test_multi_class_counts_are_those_of_the_slides() -> None:
    balanced = multiclass.counts(np.array([[9, 1, 0], [3, 6, 1], [1, 2, 7]], dtype=float))
    assert balanced == [(9, 4, 1, 16), (6, 3, 4, 17), (7, 1, 3, 19)]


def test_example_based_measures_of_table_4() -> None:
    found = flat.example_based(K_TRUTH, K_PREDICTION, 4)
    expected = {
        "jaccard": 0.5357142857,
        "precision": 0.6666666667,
        "recall": 0.6785714286,
        "f": 0.6414965986,
        "hamming": 0.3571428571,
        "exact": 0.1428571429,
    }
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-9)


def test_label_based_measures_of_table_4() -> None:
    counts = flat.label_counts(K_TRUTH, K_PREDICTION, 4)
    assert counts == [(1, 4, 1, 1), (5, 0, 1, 1), (2, 1, 2, 2), (2, 0, 1, 4)]
    assert flat.macro(flat.accuracy, counts) == pytest.approx(0.6428571429)
    assert flat.macro(flat.precision, counts) == pytest.approx(0.7166666667)
    assert flat.macro(flat.recall, counts) == pytest.approx(0.625)
    assert flat.macro(flat.f, counts) == pytest.approx(0.6415584416)
    assert {flat.micro(measure, counts) for measure in (flat.precision, flat.recall, flat.f)} == {2 / 3}


def test_measures_of_the_slides_seven_label_example() -> None:
    found = flat.example_based(S_TRUTH, S_PREDICTION, 7)
    expected = {"jaccard": 0.48, "hamming": 12 / 35, "exact": 0.2, "precision": 0.5733333333, "recall": 0.66}
    expected |= {"f": 0.5587301587, "f_of_averages": 0.6136216216}
    assert {name: found[name] for name in expected} == pytest.approx(expected, abs=1e-9)
    counts = flat.label_counts(S_TRUTH, S_PREDICTION, 7)
    assert [one.tp for one in counts] == [2, 2, 2, 2, 1, 0, 1]
    assert [one.fp for one in counts] == [1, 1, 1, 1, 1, 2, 0]
    assert [one.fn for one in counts] == [1, 0, 2, 1, 0, 0, 1]
    # nothing is labelled f: its recall is 0/0, which the quoted macro values count as 0
    assert flat.macro(flat.recall, counts, undefined=0.0) == pytest.approx(0.6190476190)
    assert flat.macro(flat.recall, counts) == pytest.approx(0.6190476190 * 7 / 6)
    assert flat.macro(flat.precision, counts, undefined=0.0) == pytest.approx(0.5952380952)
    assert flat.macro(flat.f, counts, undefined=0.0) == pytest.approx(0.5768707483)
    assert flat.weighted(flat.precision, counts) == pytest.approx(0.7)
    assert flat.weighted(flat.recall, counts) == pytest.approx(2 / 3)
    assert flat.weighted(flat.f, counts) == pytest.approx(0.6590476190)
    assert flat.micro(flat.f, counts) == pytest.approx(0.625)


def test_empty_sets_score_1_together_and_0_alone() -> None:
    pairs: list[tuple[set[int], set[int]]] = [(set(), set()), ({1}, set()), (set(), {1})]
    for measure in (flat.jaccard, flat.precision_of_sample, flat.recall_of_sample, flat.f_of_sample):
        assert [measure(*pair) for pair in pairs] == [1, 0, 0]


def test_a_concept_without_a_value_is_left_out_of_means() -> None:
    counts = [flat.Counts(1, 0, 1, 0), flat.Counts(0, 0, 0, 2)]
    assert math.isnan(flat.recall(counts[1]))
    assert (flat.macro(flat.recall, counts), flat.macro(flat.recall, counts, undefined=0.0)) == (0.5, 0.25)


@pytest.mark.parametrize(
    ("prediction", "options", "expected"),
    [
        ({1}, {"alpha": 0.5}, 0.707107),
        ({1}, {}, 0.5),
        ({1}, {"alpha": 2}, 0.25),
        ({1, 3}, {"alpha": 0.5}, 0.57735),
        ({1, 3}, {}, 1 / 3),
        ({1, 3}, {"alpha": 2}, 1 / 9),
        ({1, 2, 3}, {"alpha": 0.5}, 0.816497),
        ({1, 2, 3}, {}, 2 / 3),
        ({1, 2, 3}, {"alpha": 2}, 4 / 9),
        ({3}, {}, 0),
        ({1, 2, 3}, {"gamma": 0.5}, 0.833333),
        ({3}, {"gamma": 0.5}, 0.166667),
        ({1}, {"beta": 0.5}, 0.75),
        (set(), {"beta": 0.5}, 0.5),
        ({1, 2}, {"alpha": math.inf}, 1),
        ({1}, {"alpha": math.inf}, 0),
        ({1, 3}, {"alpha": 0}, 1),
        ({3}, {"alpha": 0}, 0),
    ],
)
def test_alpha_evaluation(prediction: set[int], options: dict[str, float], expected: float) -> None:
    found = flat.alpha_evaluation({1, 2}, prediction, **options)
    assert found == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("levels", [1, 2, 3, 4, 5])
def test_links_halve_at_each_level_and_add_up_to_one_half(levels: int) -> None:
    chain_of_links = Tree(tuple((str(i), str(i + 1)) for i in range(levels)))
    costs = [chain_of_links.link_cost[str(i + 1)] for i in range(levels)]
    total = 2 ** (levels + 1) - 2
    assert costs == pytest.approx([2 ** (levels - 1 - i) / total for i in range(levels)])
    assert chain_of_links.cost("0", str(levels)) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("one", "other", "fourteenths"),
    [
        ("small_group", "single", 2),
        ("plants", "trees", 1),
        ("mountains", "trees", 5),
        ("single", "trees", 14),
        ("aesthetic", "trees", 13),
    ],
)
def test_costs_of_nowaks_example(one: str, other: str, fourteenths: int) -> None:
    assert NOWAK.cost(one, other) == pytest.approx(fourteenths / 14)
    assert NOWAK.cost(other, one) == pytest.approx(fourteenths / 14)


@pytest.mark.parametrize(
    ("truth", "prediction", "plain", "with_agreement"),
    [
        ({"trees"}, {"plants"}, 0.928571, 0.931429),
        ({"trees"}, {"mountains"}, 0.642857, 0.657143),
        ({"trees", "single"}, {"trees", "small_group"}, 0.904762, 0.914286),
        ({"trees", "single"}, set(), 0, 0),
        (set(), {"trees"}, 0, 0),
        ({"trees"}, {"single"}, 0, 0.04),
        ({"trees", "single"}, {"trees", "single", "small_group"}, 0.952381, 0.957143),
        ({"trees", "mountains"}, {"plants", "aesthetic"}, 0.678571, 0.68),
        (set(), set(), 1, 1),
    ],
)
def test_scores_of_nowaks_example(
    truth: set[str], prediction: set[str], plain: float, with_agreement: float
) -> None:
    assert score(truth, prediction, NOWAK) == pytest.approx(plain, abs=1e-6)
    assert score(truth, prediction, NOWAK, alpha=2) == pytest.approx(plain**2, abs=1e-6)
    found = score(truth, prediction, NOWAK, agreement=NOWAK_AGREEMENT)
    assert found == pytest.approx(with_agreement, abs=1e-6)


def test_the_cross_check_charges_1_and_does_not_weight_it() -> None:
    truth, prediction = {"trees", "single"}, {"trees", "single", "small_group"}
    for agreement in (None, NOWAK_AGREEMENT):
        found = score(truth, prediction, NOWAK, agreement=agreement, exclusions=examples.NOWAK_EXCLUSIONS)
        assert found == pytest.approx(2 / 3)
        everyone = score(
            truth, prediction, NOWAK, exclusions=examples.NOWAK_EXCLUSIONS, penalise="all predicted"
        )
        assert everyone == pytest.approx(1 / 3)


def test_an_empty_prediction_may_be_weighted_literally() -> None:
    found = score({"trees", "single"}, set(), NOWAK, agreement=NOWAK_AGREEMENT, empty_prediction="weighted")
    assert found == pytest.approx(0.07)


@pytest.mark.parametrize(
    ("prediction", "expected"),
    [
        ({"portrait"}, {"portrait"}),
        ({"portrait", "single"}, set()),
        ({"portrait", "trees"}, {"portrait"}),
        ({"portrait", "number"}, set()),
        ({"single"}, set()),
    ],
)
def test_a_requirement_is_met_by_a_descendant(prediction: set[str], expected: set[str]) -> None:
    rule = ("portrait", frozenset({"people", "flowers"}))
    assert ontology_score.violators(prediction, NOWAK, requirements=[rule]) == expected


def test_rules_hold_below_the_concepts_that_they_name() -> None:
    above = [("landscape", "people")]
    assert ontology_score.violators({"trees", "single", "aesthetic"}, NOWAK, exclusions=above) == {
        "trees",
        "single",
    }
    rule = ("representation", frozenset({"plants"}))
    assert ontology_score.violators({"portrait", "single"}, NOWAK, requirements=[rule]) == {"portrait"}


@pytest.mark.parametrize(("truth", "prediction", "expected"), examples.TOY_SCORES)
def test_scores_of_the_toy_tree(truth: str, prediction: str, expected: float) -> None:
    found = score(set(truth.split()), set(prediction.split()), TOY)
    assert found == pytest.approx(expected, abs=1e-6)


def test_several_roots_lie_below_a_virtual_one_or_apart() -> None:
    edges = (("A", "a"), ("A", "b"), ("B", "c"))
    connected, apart = Tree(edges), Tree(edges, connect_roots=False)
    # L = 2: links from the virtual root cost 1/3, those below 1/6
    assert (connected.cost("A", "B"), connected.cost("a", "c"), connected.cost("a", "b")) == pytest.approx(
        (2 / 3, 1, 1 / 3)
    )
    # L = 1: every link costs 1/2
    assert (apart.cost("A", "B"), apart.cost("a", "c"), apart.cost("a", "b")) == (1, 1, 1)
    assert apart.cost("A", "a") == 0.5


def test_concepts_without_links_cost_1() -> None:
    for connect_roots in (True, False):
        isolated = Tree((), ("a", "b"), connect_roots=connect_roots)
        assert (isolated.cost("a", "b"), isolated.cost("a", "a")) == (1, 0)


def test_paths_go_through_common_ancestors_only() -> None:
    # x lies below both a and b, but the way from a to b leads over the root
    diamond = Tree((("root", "a"), ("root", "b"), ("a", "x"), ("b", "x")))
    assert diamond.cost("a", "b") == pytest.approx(2 / 3)
    # links are as deep as their lower end on its longest path, and the cheapest way counts
    ladder = Tree((("root", "a"), ("a", "x"), ("root", "x"), ("root", "b")))
    assert ladder.depth("x") == 2
    assert ladder.cost("x", "root") == pytest.approx(1 / 6)
    assert ladder.cost("x", "b") == pytest.approx(1 / 6 + 1 / 3)


def test_cheapest_paths_are_those_found_by_writing_all_paths_out() -> None:
    rng = np.random.default_rng(9)
    names = "abcdefg"
    for connect_roots in (True, False):
        for _ in range(20):
            chosen = [pair for pair in combinations(names, 2) if rng.random() < 0.35]
            dag = Tree(tuple(chosen), tuple(names), connect_roots=connect_roots)
            for one, other in product(names, names):
                assert dag.cost(one, other) == pytest.approx(dag.cost_by_paths(one, other), abs=1e-12)
                assert dag.cost(one, other) <= 1 + 1e-12
            for node in names:
                above = {path[-1] for path in dag.upward_paths(node)}
                assert {other for other in names if node in dag.below[other]} == above & set(names)
                assert dag.depth(node) == max(len(path) for path in dag.upward_paths(node)) - 1


def test_ties_take_the_largest_agreement() -> None:
    star = Tree((("root", "a"), ("root", "b"), ("root", "c")))
    agreement = {"root": 1.0, "a": 0.5, "b": 0.25, "c": 1.0}
    # c is as far from a as from b: 1 times max(0.5, 0.25)
    assert score({"a", "b"}, {"a", "b", "c"}, star, agreement=agreement) == pytest.approx(1 - 0.5 / 3)


def test_alpha_0_is_1_where_the_score_is_above_0() -> None:
    assert score({"trees"}, {"plants"}, NOWAK, alpha=0) == 1
    assert score({"trees"}, {"single"}, NOWAK, alpha=0) == 0
    assert score({"a"}, {"d"}, TOY, alpha=0) == 0


def test_flat_costs_give_jaccard_to_the_power_of_alpha() -> None:
    flat_tree = Tree(NOWAK.edges, kind="flat")
    truth, prediction = {"trees", "single"}, {"trees", "small_group"}
    assert score(truth, prediction, flat_tree, alpha=2) == pytest.approx(1 / 9)
