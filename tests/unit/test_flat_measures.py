"""Flat measures: what stands for 0/0, pseudo-concepts, and values of single concepts."""

from __future__ import annotations

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.measures.flat import raise_to_power

TRUTH = [[1, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
PREDICTION = [[1, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 0]]
"""The third concept is only predicted, the fourth nowhere; the last sample has neither side."""


def score(notation: str) -> float:
    """Score the example."""
    return oe.evaluate(TRUTH, PREDICTION, measures=notation)[notation]


@pytest.mark.parametrize(
    ("notation", "expected"),
    [
        ("P(average='macro', undefined=0.0)", 2 / 4),
        ("P(average='macro', undefined=1.0)", 3 / 4),
        ("R(average='macro', undefined=0.0)", 1.5 / 4),
        ("F(average='macro')", (2 / 3 + 1 + 0) / 3),
        ("F(average='macro', of='averages')", 2 * (2 / 3) * 0.75 / (2 / 3 + 0.75)),
        ("P(average='samples', empty=0.0)", (1 / 2 + 1) / 3),
        ("P(average='samples', empty=None)", (1 / 2 + 1) / 2),
        ("PartlyCorrect", 2 / 3),
        ("FullyWrong", 0),
        ("F(rule='mlcm')", 3 / 5),
        ("F(rule='mlcm', pseudo_classes='exclude')", 2 * 2 / (2 * 2 + 2 + 1)),
    ],
)
def test_small_numbers_by_hand(notation: str, expected: float) -> None:
    assert score(notation) == pytest.approx(expected, abs=1e-12)


def test_true_negatives_of_krstinic_are_the_rest_of_the_matrix() -> None:
    """One label found and three missed: more false alarms than samples, which so cannot be the whole."""
    result = oe.evaluate(
        [[1, 1, 1, 1]],
        [[1, 0, 0, 0]],
        measures=["Accuracy(rule='krstinic')", "Accuracy(average='macro', rule='krstinic')"],
    )
    # of 4 units the found label has 1 right and 3 wrong, each missed one 1 wrong, `unknown` none
    assert list(result.scores.values()) == pytest.approx([(4 * 5 - 6) / (4 * 5), (1 + 3 * 3) / 16])


def test_what_is_zero_but_for_rounding_is_zero_before_it_is_raised_to_a_power() -> None:
    scores = np.array([1e-13, -1e-16, 1e-9, 1 + 1e-16])
    assert raise_to_power(scores, 0).tolist() == [0, 0, 1, 1]
    assert raise_to_power(scores, 0.01)[:2].tolist() == [0, 0]
    assert raise_to_power(scores, 2).max() == 1
