"""Presets give the numbers of the programs that they are named after."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.measures.catalogue import citation, measures_of
from ontoeval.measures.presets import PRESETS, preset
from tests.unit.test_hierarchical_measures import TOY


@pytest.mark.parametrize("name", PRESETS)
def test_a_preset_holds_measures_that_can_be_read_and_a_source(name: str) -> None:
    chosen = preset(name)
    assert len(measures_of(chosen.measures)) == len(chosen.measures)
    assert chosen.conventions
    assert citation(chosen.source)


def test_the_preset_of_scikit_learn_gives_its_numbers() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    random = np.random.default_rng(7)
    truth, prediction = random.random((2, 40, 6)) < 0.25
    prediction[:, 4], truth[:, 5], prediction[3], truth[3] = False, False, False, False
    expected: list[float] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of what is undefined
        for average in ("micro", "macro", "weighted", "samples"):
            precision, recall, f, _ = metrics.precision_recall_fscore_support(
                truth, prediction, average=average
            )
            expected += [f, precision, recall]
        expected.append(metrics.jaccard_score(truth, prediction, average="samples"))
    expected += [metrics.hamming_loss(truth, prediction), metrics.accuracy_score(truth, prediction)]
    found = oe.evaluate(truth, prediction, measures=preset("sklearn").measures).scores
    np.testing.assert_allclose(list(found.values()), expected, atol=1e-12)


ONE_PATH = (
    ["A A1 a", "A A1 b", "B B1 d", "B B2", "A A2 c"],
    ["A A1 b", "A A2 c", "B B2", "B B1 e", "A A2 c"],
)
SEVERAL_PATHS = (
    ["A A1 a B B1 d", "A A2 c", "B B1 e B2"],
    ["A A1 b B B1 d", "A A1 a B B2", "B B1 e"],
)


@pytest.mark.parametrize(
    ("sides", "expected"),
    [
        (ONE_PATH, [0.5714285714285714] * 3 + [0.56] + [0.5666666666666667] * 2),
        (
            SEVERAL_PATHS,
            [
                *(2 / 3, 0.6428571428571429, 0.6923076923076923),
                *(0.6468253968253969, 0.6777777777777777, 0.638888888888889),
            ],
        ),
    ],
    ids=["one path", "several paths"],
)
def test_the_preset_of_hiclass_gives_its_numbers(
    sides: tuple[list[str], list[str]], expected: list[float]
) -> None:
    """HiClass 5.0.8: f1, precision and recall, average="micro" and "macro"."""
    truth, prediction = ([labels.split() for labels in side] for side in sides)
    found = oe.evaluate(truth, prediction, hierarchy=TOY, measures=preset("hiclass").measures).scores
    np.testing.assert_allclose(list(found.values()), expected, atol=1e-12)
