"""What holds for measures of paired labels, and what does not."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given

import ontoeval as oe
from ontoeval.measures import matching, pairing
from ontoeval.measures.pairing import GraphInducedAccuracy, GraphInducedError
from tests.laws.cases import Case, cases, exists, fewer, per_sample
from tests.laws.test_lowest import flat
from tests.oracles import pairs

PAIRS: tuple[pairing.Pairs, ...] = ("cover", "nearest", "all")


def distances(case: Case, *, connect_roots: bool) -> dict[tuple[str, str], float]:
    """Links between any two concepts."""
    edges, names = case.graph.edges, case.graph.names
    roots = frozenset(names) - {child for _, child in edges}
    above = roots if connect_roots and len(roots) > 1 else frozenset()
    return {(one, other): pairs.links(edges, one, other, above) for one in names for other in names}


@pytest.mark.parametrize("connect_roots", [False, True])
@pytest.mark.parametrize("most", [1, 3, 5])
@fewer
@given(case=cases(max_samples=2, max_nodes=6))
def test_samples_score_as_the_cheapest_of_all_pairings(
    *, connect_roots: bool, most: float, case: Case
) -> None:
    distance = distances(case, connect_roots=connect_roots)
    accuracy: list[float] = []
    cover: list[float] = []
    for truth, prediction in zip(case.truths, case.predictions, strict=True):
        cover.append(pairs.cover_cost(distance, truth, prediction, most))
        accuracy.append(1 - cover[-1] / (most * max(1, len(truth ^ prediction))))
    options: dict[str, Any] = {"max_distance": most, "connect_roots": connect_roots}
    np.testing.assert_allclose(per_sample(case, GraphInducedAccuracy(**options)), accuracy, atol=1e-12)
    found = per_sample(case, GraphInducedError(pairs="cover", **options))
    np.testing.assert_allclose(found, cover, atol=1e-12)


@pytest.mark.parametrize("connect_roots", [False, True])
@fewer
@given(case=cases())
def test_nearest_and_all_pairs_cost_what_is_written_down(*, connect_roots: bool, case: Case) -> None:
    distance, most = distances(case, connect_roots=connect_roots), 3
    near: list[float] = []
    every: list[float] = []
    for truth, prediction in zip(case.truths, case.predictions, strict=True):
        from_missed = [min([most, *(distance[y, z] for z in prediction)]) for y in truth - prediction]
        from_false = [min([most, *(distance[y, z] for y in truth)]) for z in prediction - truth]
        near.append(sum(from_missed) + sum(from_false))
        lonely = most * len(truth | prediction) * (not truth or not prediction)
        every.append(lonely + sum(min(most, distance[y, z]) for y in truth for z in prediction))
    options: dict[str, Any] = {"max_distance": most, "connect_roots": connect_roots}
    np.testing.assert_allclose(per_sample(case, GraphInducedError(**options)), near, atol=1e-12)
    found = per_sample(case, GraphInducedError(pairs="all", **options))
    np.testing.assert_allclose(found, every, atol=1e-12)


@fewer
@given(case=cases())
def test_large_hierarchies_and_many_samples_take_other_ways_to_the_same(case: Case) -> None:
    measures = [GraphInducedAccuracy(), *(GraphInducedError(pairs=one) for one in PAIRS)]
    before = [per_sample(case, measure) for measure in measures]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(matching, "SMALL", 0)
        patch.setattr(pairing, "SCRATCH", 1)
        again = replace(case)
        after = [per_sample(again, measure) for measure in measures]
    assert before == after


@fewer
@given(case=cases())
def test_a_cover_costs_no_more_than_nearest_pairs_and_no_less_than_half(case: Case) -> None:
    nearest, cover = (
        np.array(per_sample(case, GraphInducedError(pairs=one))) for one in ("nearest", "cover")
    )
    assert np.all(cover <= nearest + 1e-12)
    assert np.all(cover >= nearest / 2 - 1e-12)


@fewer
@given(case=cases())
def test_without_links_only_identical_sets_are_accurate(case: Case) -> None:
    bare = flat(case)
    assert per_sample(bare, GraphInducedAccuracy()) == per_sample(bare, oe.measures.parse("ExactMatch"))
    difference = [5.0 * len(y ^ z) for y, z in zip(case.truths, case.predictions, strict=True)]
    assert per_sample(bare, GraphInducedError()) == difference


@fewer
@given(case=cases())
def test_a_larger_distance_costs_more(case: Case) -> None:
    found = [np.array(per_sample(case, GraphInducedError(max_distance=most))) for most in (1, 2, 5, 9)]
    assert all(np.all(one <= other) for one, other in pairwise(found))


def test_links_lead_through_common_ancestors_only() -> None:
    hierarchy = oe.Hierarchy.from_edges([("a", "below"), ("b", "below")])
    result = oe.evaluate(
        [["a"]], [["b"]], hierarchy=hierarchy, measures=["GIE", "MGIA", "GIE(connect_roots=True)"]
    )
    assert list(result.scores.values()) == [10, 0, 4]


def test_a_false_label_can_raise_the_accuracy() -> None:
    def raised(case: Case) -> bool:
        before = per_sample(case, GraphInducedAccuracy())
        more = tuple(
            z | set(sorted(set(case.labels) - y - z)[:1])
            for y, z in zip(case.truths, case.predictions, strict=True)
        )
        after = per_sample(replace(case, predictions=more), GraphInducedAccuracy())
        return any(one < other - 1e-9 for one, other in zip(before, after, strict=True))

    assert exists(cases(), raised)
