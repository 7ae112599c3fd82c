"""What holds for the PhysioNet score, and what does not."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.concepts.costs import costs_by_name
from ontoeval.measures.near_misses import PhysioNet
from tests.laws.cases import Case, cases, exists, fewer


def earned(rewards: Any, labels: list[str], truth: frozenset[str], predicted: frozenset[str]) -> float:
    """What a prediction earns, pair by pair."""
    pairs = [rewards[labels.index(a), labels.index(b)] for a in truth for b in predicted]
    return float(sum(pairs)) / max(len(truth | predicted), 1)


@pytest.mark.parametrize("cost", ["depth-weighted", "links", "flat"])
@fewer
@given(case=cases(), data=st.data())
def test_the_score_is_as_in_the_naive_implementation(cost: str, case: Case, data: st.DataObject) -> None:
    labels = case.labels
    normal = data.draw(st.sampled_from([None, *labels]))
    rewards = 1 - costs_by_name(case.hierarchy, cost).table
    nothing = frozenset({normal} if normal else ())
    sums = [
        sum(earned(rewards, labels, truth, side) for truth, side in zip(case.truths, sides, strict=True))
        for sides in (case.predictions, case.truths, [nothing] * len(case.truths))
    ]
    observed, correct, inactive = sums
    expected = (
        0.0 if np.isclose(correct, inactive, atol=1e-12) else (observed - inactive) / (correct - inactive)
    )
    measure = PhysioNet(cost=cost, normal=normal)
    result = oe.score(oe.collect(case.batch, [measure]))
    np.testing.assert_allclose(list(result.scores.values()), [expected], rtol=1e-9, atol=1e-9)


@fewer
@given(case=cases(), data=st.data())
def test_the_truth_scores_1_and_the_normal_label_0(case: Case, data: st.DataObject) -> None:
    normal = data.draw(st.sampled_from(case.labels))
    measure = PhysioNet(normal=normal, undefined=None)
    sides = case.truths, [{normal}] * len(case.truths)
    right, inactive = (
        oe.score(oe.collect(case.sets(case.truths, side), [measure])).scores.popitem()[1]  # type: ignore[attr-defined]
        for side in sides
    )
    assume(not np.isnan(right))
    assert right == pytest.approx(1)
    assert inactive == pytest.approx(0, abs=1e-9)


@fewer
@given(case=cases())
def test_flat_rewards_are_a_share_of_the_jaccard_index(case: Case) -> None:
    assume(all(case.truths))
    measures = ["PhysioNet(cost='flat')", "Jaccard"]
    found = oe.score(oe.collect(case.batch, measures))
    assert found[measures[0]] == pytest.approx(found["Jaccard"])


def test_rewards_can_make_a_false_label_earn_more_than_the_truth() -> None:
    rewards = np.array([[1, 0.2, 0.9], [0.2, 1, 0.9], [0.9, 0.9, 1]])
    hierarchy = oe.Hierarchy.flat(oe.Vocabulary(("1", "2", "3"))).with_cost("w", 1 - rewards)
    found = oe.evaluate(
        [{"1", "2"}], [{"1", "2", "3"}], hierarchy=hierarchy, measures="PhysioNet(cost='w')"
    ).scores
    # (1 + 1 + 0.4 + 1.8) / 3 against (1 + 1 + 0.4) / 2
    assert list(found.values()) == pytest.approx([4.2 / 3 / 1.2])


def test_a_false_label_can_score_below_nothing() -> None:
    assert exists(
        cases(max_nodes=5),
        lambda case: any(
            value < 0
            for label in case.labels
            for value in oe.score(oe.collect(case.batch, [PhysioNet(normal=label)])).scores.values()
        ),
    )
