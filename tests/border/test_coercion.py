"""Label sets from whatever is handed over."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ontoeval as oe


@pytest.mark.parametrize(
    ("truth", "prediction"),
    [
        ([np.array([1, 0]), np.array([0, 1])], [np.array([1, 0]), np.array([1, 0])]),
        ([[np.True_, np.False_], [np.False_, np.True_]], [[True, False], [True, False]]),
        (np.array([[1, 0], [0, 1]]), [[1.0, 0.0], [1.0, 0.0]]),
        ([["a"], ["b"]], [("a",), {"a"}]),
        (iter([["a"], ["b"]]), {"0": ["a"], "1": ["a"]}),
        ([iter("a"), iter("b")], [["a"], np.array(["a"])]),
    ],
    ids=["rows that are arrays", "numpy's booleans", "floats", "any collections", "an iterator", "iterators"],
)
def test_the_same_sets_in_other_clothes_score_the_same(truth: Any, prediction: Any) -> None:
    assert oe.evaluate(truth, prediction, measures=["F", "Hamming"]).scores == {"F": 0.5, "Hamming": 0.5}


def test_samples_without_labels_are_sets_too() -> None:
    assert oe.evaluate([[], []], [[], []], measures="ExactMatch")["ExactMatch"] == 1


def test_a_concept_called_like_a_pseudo_concept_keeps_its_own_row() -> None:
    matrix = oe.confusion_matrix([["unknown"], []], [["b"], ["b"]])
    assert matrix.rows == ("b", "unknown", "unknown (no label)")
    assert np.asarray(matrix.matrix).tolist() == [[0, 0, 0], [1, 0, 0], [1, 0, 0]]
