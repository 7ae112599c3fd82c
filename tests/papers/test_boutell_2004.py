"""The α-evaluation of Shen, Boutell, Luo and Brown 2004 and Boutell et al. 2004.

The values follow from the formula; the paper's own tables are of data that is not at hand.
"""

from __future__ import annotations

import pytest

import ontoeval as oe
from tests.oracles import worked_examples as examples

VOCABULARY = ("1", "2", "3")


def alpha(prediction: str, **options: float) -> float:
    """Score a prediction where labels 1 and 2 are true."""
    given = ", ".join(f"{name}={value}" for name, value in options.items())
    measure = f"Alpha({given})" if given else "Alpha"
    truth = oe.LabelSets.from_sets([["1", "2"]], vocabulary=VOCABULARY)
    predicted = oe.LabelSets.from_sets([prediction.split()], vocabulary=VOCABULARY)
    return oe.evaluate(truth, predicted, measures=[measure])[measure]


@pytest.mark.parametrize(
    ("prediction", "expected"),
    [
        ("1 2", {0.5: 1, 1: 1, 2: 1}),
        ("1", {0.5: 0.707107, 1: 1 / 2, 2: 1 / 4}),
        ("1 3", {0.5: 0.577350, 1: 1 / 3, 2: 1 / 9}),
        ("1 2 3", {0.5: 0.816497, 1: 2 / 3, 2: 4 / 9}),
        ("3", {0.5: 0, 1: 0, 2: 0}),
    ],
)
def test_forgiveness_is_a_power(prediction: str, expected: dict[float, float]) -> None:
    found = {power: alpha(prediction, alpha=power) for power in expected}
    assert found == pytest.approx(expected, abs=1e-6)


def test_false_labels_may_count_less() -> None:
    assert alpha("1 2 3", gamma=0.5) == pytest.approx(5 / 6, abs=1e-9)
    assert alpha("3", gamma=0.5) == pytest.approx(1 / 6, abs=1e-9)


def test_missed_labels_may_count_less() -> None:
    assert alpha("1", beta=0.5) == pytest.approx(3 / 4, abs=1e-9)
    assert alpha("", beta=0.5) == pytest.approx(1 / 2, abs=1e-9)


def test_without_forgiveness_every_overlap_scores_1() -> None:
    assert [alpha(prediction, alpha=0) for prediction in ("1 2", "1 3", "3", "")] == [1, 1, 0, 0]


def test_two_empty_sets_score_1() -> None:
    empty = oe.LabelSets.from_sets([[]], vocabulary=VOCABULARY)
    assert oe.evaluate(empty, empty, measures=["Alpha"])["Alpha"] == 1


def test_equal_weights_give_jaccard_and_the_score_is_a_mean() -> None:
    truth, prediction = (
        oe.LabelSets.from_sets(map(set, sets), vocabulary=tuple("abcdefg"))
        for sets in (examples.SLIDES_TRUTH, examples.SLIDES_PREDICTION)
    )
    result = oe.evaluate(truth, prediction, measures=["Alpha", "Jaccard", "Alpha(alpha=2)"])
    assert result["Alpha"] == pytest.approx(result["Jaccard"], abs=1e-12) == pytest.approx(0.48, abs=1e-9)
    assert result["Alpha(alpha=2)"] == pytest.approx((1 + 0.64 + 0 + 0.16 + 0.04) / 5, abs=1e-9)


def test_class_recall_and_precision_and_the_accuracy_over_base_classes() -> None:
    """Base-class accuracy is the hits over the larger of the numbers of true and predicted labels: 10/17."""
    truth, prediction = (
        oe.LabelSets.from_sets(map(set, sets), vocabulary=tuple("abcdefg"))
        for sets in (examples.SLIDES_TRUTH, examples.SLIDES_PREDICTION)
    )
    counts = oe.one_vs_rest(truth, prediction)
    assert counts.recall[[0, 2]] == pytest.approx([2 / 3, 1 / 2], abs=1e-9)
    assert counts.precision[[0, 2]] == pytest.approx([2 / 3, 2 / 3], abs=1e-9)
    result = oe.evaluate(truth, prediction, measures=["P", "R"])
    assert min(result["P"], result["R"]) == pytest.approx(10 / 17, abs=1e-9)
