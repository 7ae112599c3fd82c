"""What holds for losses of sets in a hierarchy, and what does not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.measures.losses import (
    DistanceCost,
    EuclideanSetDistance,
    HLoss,
    SymmetricDifferenceLoss,
    ZeroOneLoss,
)
from ontoeval.measures.near_misses import PrecisionWithNearMisses, RecallWithNearMisses
from ontoeval.measures.ontology_score import OntologyScore
from tests.laws.cases import Case, cases, fewer, per_sample, scores
from tests.oracles import losses as oracle
from tests.oracles.hierarchical import common_root
from tests.strategies import Graph

ROOTS: Sequence[Any] = ("out", "in")


def bare(case: Case, edges: Sequence[tuple[str, str]]) -> Case:
    """The same sets over other edges, without rules."""
    return replace(case, graph=Graph(case.graph.names, tuple(edges)), exclusions=(), requirements=())


def as_tree(case: Case) -> Case:
    """Leave one parent to each concept."""
    return bare(case, list({child: (parent, child) for parent, child in case.graph.edges}.values()))


def sides(case: Case) -> zip[tuple[frozenset[str], frozenset[str]]]:
    """True and predicted set of each sample."""
    return zip(case.truths, case.predictions, strict=True)


def gone(case: Case, root: str) -> frozenset[str]:
    """The root that is no member."""
    return common_root(case.graph.edges, case.graph.names) if root == "out" else frozenset()


# H-loss -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("root", ROOTS)
@fewer
@given(case=cases())
def test_the_h_loss_is_that_of_the_naive_implementation(root: Any, case: Case) -> None:
    edges, concepts = case.graph.edges, case.graph.names
    tree = as_tree(case)
    for one, measure, cost in (
        (case, HLoss(root=root), lambda _: 1.0),
        (
            case,
            HLoss(root=root, costs="depth", base=0.5),
            lambda name: oracle.depth_weight(edges, name, 0.5),
        ),
        (
            tree,
            HLoss(root=root, costs="normalised"),
            lambda name: oracle.shared_weight(tree.graph.edges, concepts, name),
        ),
    ):
        expected = [oracle.h_loss(one.graph.edges, y, z, gone(one, root), cost) for y, z in sides(one)]
        np.testing.assert_allclose(per_sample(one, measure), expected, atol=1e-12)


@pytest.mark.parametrize("root", ROOTS)
@fewer
@given(case=cases())
def test_the_h_loss_lies_between_zero_one_and_symmetric_difference(root: Any, case: Case) -> None:
    zero_one, loss, difference = (
        np.array(per_sample(case, measure(root=root)))
        for measure in (ZeroOneLoss, HLoss, SymmetricDifferenceLoss)
    )
    assert np.all(zero_one <= loss)
    assert np.all(loss <= difference)
    assert np.array_equal(loss == 0, zero_one == 0)


@fewer
@given(case=cases())
def test_normalised_h_losses_of_trees_are_at_most_1(case: Case) -> None:
    loss = per_sample(as_tree(case), HLoss(costs="normalised", root="in"))
    assert np.all(np.array(loss) <= 1 + 1e-12)


@fewer
@given(case=cases())
def test_without_links_the_h_loss_is_the_symmetric_difference(case: Case) -> None:
    flat = bare(case, ())
    expected = [len(y ^ z) for y, z in sides(flat)]
    for measure in (HLoss(), HLoss(costs="depth"), SymmetricDifferenceLoss()):
        assert per_sample(flat, measure) == expected
    shares = np.array(expected) / len(flat.graph.names)
    np.testing.assert_allclose(per_sample(flat, HLoss(costs="normalised")), shares)
    assert scores(flat.batch, ["ZeroOne"])["ZeroOne"] == pytest.approx(
        1 - scores(flat.batch, ["ExactMatch"])["ExactMatch"]
    )


def test_finding_a_missed_label_can_raise_the_h_loss() -> None:
    """It unmasks mistakes that lie deeper (a non-law)."""
    hierarchy = oe.Hierarchy.from_edges([("top", "a"), ("top", "d"), ("a", "b"), ("a", "c")])
    result = oe.evaluate([["a", "b", "c"]] * 2, [[], ["a"]], hierarchy=hierarchy, measures=["HLoss"])
    assert result.per_sample("HLoss").tolist() == [1, 2]


# distance of sets -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("root", ROOTS)
@fewer
@given(case=cases(), base=st.sampled_from([0.25, 0.75, 1]))
def test_the_distance_of_sets_is_that_of_the_naive_implementation(root: Any, base: float, case: Case) -> None:
    expected = [oracle.set_distance(case.graph.edges, y, z, base, gone(case, root)) for y, z in sides(case)]
    found = per_sample(case, EuclideanSetDistance(base=base, root=root))
    np.testing.assert_allclose(found, expected, atol=1e-12)


@fewer
@given(case=cases(min_samples=3, max_samples=3))
def test_the_distance_of_sets_obeys_the_triangle_inequality(case: Case) -> None:
    first, second, third = case.truths
    way = case.sets([first, second, first], [second, third, third])
    one, other, direct = oe.evaluation.Evaluation(oe.collect(way, "SetDistance"), way).per_sample(
        "SetDistance"
    )
    assert direct <= one + other + 1e-12


@fewer
@given(case=cases())
def test_without_links_the_distance_of_sets_is_the_root_of_the_difference(case: Case) -> None:
    flat = bare(case, ())
    expected = np.sqrt([len(y ^ z) for y, z in sides(flat)])
    np.testing.assert_allclose(per_sample(flat, EuclideanSetDistance(base=0.5)), expected)


@fewer
@given(case=cases())
def test_with_base_1_the_square_of_the_distance_is_the_difference(case: Case) -> None:
    square = np.square(per_sample(case, EuclideanSetDistance(base=1)))
    np.testing.assert_allclose(square, per_sample(case, SymmetricDifferenceLoss(root="in")))


# distance to the nearest label ------------------------------------------------------------------------------


@pytest.mark.parametrize("ratio", [1.0, 0.5])
@pytest.mark.parametrize("connect_roots", [True, False])
@fewer
@given(case=cases())
def test_distances_to_the_nearest_label_are_those_of_the_naive_implementation(
    ratio: float,
    connect_roots: bool,  # noqa: FBT001 - parametrised
    case: Case,
) -> None:
    names = case.graph.names
    edges = oracle.connected(case.graph.edges, names) if connect_roots else list(case.graph.edges)
    most = oracle.longest(edges, names, ratio)
    expected = [
        sum(
            min([most, *(oracle.path(edges, label, other, ratio) for other in others)])
            for mine, others in ((z - y, y), (y - z, z))
            for label in mine
        )
        for y, z in sides(case)
    ]
    measure = DistanceCost(
        cost="links" if ratio == 1 else f"geometric({ratio})", per="sample", connect_roots=connect_roots
    )
    np.testing.assert_allclose(per_sample(case, measure), expected, atol=1e-12)


@pytest.mark.parametrize("cost", ["links", "depth-weighted", "geometric(0.75)", "flat"])
@fewer
@given(case=cases())
def test_scaled_costs_of_all_labels_are_what_the_ontology_score_lacks(cost: str, case: Case) -> None:
    score = per_sample(case, OntologyScore(cost=cost, penalise="none", agreement=None))
    loss = per_sample(case, DistanceCost(cost=cost, per="label", scaled=True))
    np.testing.assert_allclose(1 - np.array(loss), score, atol=1e-12)


@fewer
@given(case=cases())
def test_a_ratio_of_one_half_is_the_cost_by_depth_of_the_ontology_score(case: Case) -> None:
    found = scores(case.batch, ["OS", "OS(cost='geometric(0.5)')"])
    assert found["OS"] == pytest.approx(found["OS(cost='geometric(0.5)')"])
    found = scores(case.batch, ["OS(cost='links')", "OS(cost='geometric(1)')"])
    assert found["OS(cost='links')"] == pytest.approx(found["OS(cost='geometric(1)')"])


# near misses ------------------------------------------------------------------------------------------------


def divided(right: float, below: float) -> float:
    """A ratio as the measure takes it: nan for 0/0, 0 below 0."""
    if abs(below) < 1e-9:  # but for rounding
        return np.nan
    return max(0.0, right) / below if below > 0 else 0.0


@pytest.mark.parametrize("form", ["distance", "similarity"])
@fewer
@given(case=cases())
def test_near_misses_contribute_as_in_the_naive_implementation(form: Any, case: Case) -> None:
    names, labels = case.graph.names, case.labels
    edges = oracle.connected(case.graph.edges, names)
    most = oracle.longest(edges, names)
    similarity = {
        (one, other): 1 - oracle.path(edges, one, other) / most for one in labels for other in labels
    }
    others = [value for (one, other), value in similarity.items() if one != other]
    mean = sum(others) / len(others) if others else 1.0

    def each(label: str, other: str) -> float:
        if form == "distance":
            return 1 - oracle.path(edges, label, other) / 3
        return (similarity[label, other] - mean) / (1 - mean) if mean < 1 - 1e-12 else 0.0

    sums = oracle.near_misses(labels, case.truths, case.predictions, each)
    for measure, which in ((PrecisionWithNearMisses, 1), (RecallWithNearMisses, 2)):
        micro = measure(form=form, acceptable=3)
        totals = np.sum(list(sums.values()), axis=0)
        total = micro.statistic(case.batch).total()
        np.testing.assert_allclose(micro.formula(total), divided(totals[0], totals[which]), atol=1e-9)
        expected = [divided(one[0], one[which]) for one in sums.values()]
        np.testing.assert_allclose(micro.per_concept(total), expected, atol=1e-9)
        macro = measure(form=form, acceptable=3, average="macro", undefined=0.0)
        np.testing.assert_allclose(macro.formula(total), np.mean(np.nan_to_num(expected)), atol=1e-9)


@pytest.mark.parametrize("average", ["micro", "macro"])
@fewer
@given(case=cases())
def test_without_links_nothing_contributes(average: str, case: Case) -> None:
    flat = bare(case, ())
    expected = list(scores(flat.batch, [f"{one}(average={average!r})" for one in "PR"]).values())
    for form in ("distance", "similarity"):
        near = [f"{one}(average={average!r}, form={form!r})" for one in ("nearP", "nearR")]
        np.testing.assert_allclose(list(scores(flat.batch, near).values()), expected, atol=1e-9)


@fewer
@given(case=cases())
def test_exchanging_truth_and_prediction_exchanges_the_two_ratios_with_near_misses(case: Case) -> None:
    swapped = replace(case, truths=case.predictions, predictions=case.truths)
    for options in ("", "(average='macro')", "(form='similarity')"):
        ours = scores(case.batch, [f"nearP{options}", f"nearR{options}"])
        theirs = scores(swapped.batch, [f"nearR{options}", f"nearP{options}"])
        np.testing.assert_allclose(list(ours.values()), list(theirs.values()), atol=1e-9)
