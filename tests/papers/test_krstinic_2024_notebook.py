"""Worked values of the notebook of Krstinić, Kuzmanić Skelin, Slapničar and Braović 2024.

Multi-Label Confusion Tensor, IEEE Access 12. Its synthetic data set is that of Heydarian et al.
2022, Table 1: nine instances, three labels. It compares the tensor (T) with the conventional counts
(C), with Krstinić et al. 2020 (K) and with Heydarian et al. 2022 (H). Its movie posters are not at
hand.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import pytest

import ontoeval as oe
from tests.oracles import worked_examples as examples
from tests.oracles.worked_examples import printed

TRUTH = examples.array(examples.columns(examples.HEYDARIAN_TRUTH), 3)
PREDICTION = examples.array(examples.columns(examples.HEYDARIAN_PREDICTION), 3)

HEATMAPS_TIMES_60 = {
    ("tensor-recall", "unique"): [[300, 30, 90, 0], [60, 120, 120, 0], [0, 0, 60, 0], [0, 30, 30, 60]],
    ("tensor-precision", "unique"): [[300, 120, 210, 0], [0, 120, 90, 0], [0, 0, 60, 0], [0, 60, 60, 60]],
    ("tensor-recall", "case"): [[300, 30, 90, 0], [30, 120, 150, 0], [0, 0, 60, 0], [0, 30, 30, 60]],
    ("tensor-precision", "case"): [[300, 120, 180, 0], [0, 120, 120, 0], [0, 0, 60, 0], [0, 60, 60, 60]],
    ("krstinic", None): [[240, 50, 130, 0], [30, 100, 170, 0], [0, 0, 60, 0], [0, 30, 30, 60]],
    ("mlcm", "paper"): [[300, 120, 240, 0], [0, 120, 180, 60], [0, 0, 60, 0], [0, 60, 60, 60]],
}


@pytest.mark.parametrize(("rule", "variant"), list(HEATMAPS_TIMES_60))
def test_the_six_heatmaps_of_the_synthetic_data(rule: str, variant: str | None) -> None:
    """Every entry is a multiple of 1/60 or of a coarser part."""
    found = oe.confusion_matrix(TRUTH, PREDICTION, rule=rule, variant=variant).matrix
    assert found * 60 == pytest.approx(np.array(HEATMAPS_TIMES_60[rule, variant]), abs=1e-9)


@pytest.mark.parametrize("variant", ["unique", "case"])
def test_the_tensor_is_its_two_planes(variant: Literal["unique", "case"]) -> None:
    tensor = oe.confusion_tensor(TRUTH, PREDICTION, variant=variant)
    for plane, rule in ((tensor.recall_plane, "tensor-recall"), (tensor.precision_plane, "tensor-precision")):
        assert plane.matrix * 60 == pytest.approx(np.array(HEATMAPS_TIMES_60[rule, variant]), abs=1e-9)
        assert plane.rows[-1] == plane.columns[-1] == "unknown"


def test_the_unique_planes_are_the_default() -> None:
    for rule in ("tensor-recall", "tensor-precision"):
        found = oe.confusion_matrix(TRUTH, PREDICTION, rule=rule).matrix
        assert found * 60 == pytest.approx(np.array(HEATMAPS_TIMES_60[rule, "unique"]), abs=1e-9)


def comparison() -> dict[str, oe.confusion.ConceptCounts]:
    """Counts per class by the notebook's four ways of counting."""
    return {
        "C": oe.one_vs_rest(TRUTH, PREDICTION),
        "T": oe.confusion_tensor(TRUTH, PREDICTION).counts(),
        "K": oe.confusion_matrix(TRUTH, PREDICTION, rule="krstinic").counts(),
        "H": oe.confusion_matrix(TRUTH, PREDICTION, rule="mlcm").counts(),
    }


@pytest.mark.parametrize(
    ("way", "recall", "precision"),
    [
        ("C", [0.71, 0.40, 1.00], [1.00, 0.40, 0.14]),
        ("T", [0.71, 0.40, 1.00, 0.50], [1.00, 0.40, 0.14, 1.00]),
        ("K", [0.57, 0.33, 1.00, 0.50], [0.89, 0.56, 0.15, 1.00]),
        ("H", [0.45, 0.33, 1.00, 0.33], [1.00, 0.40, 0.11, 0.50]),
    ],
)
def test_the_comparison_table_of_recall_and_precision(
    way: str, recall: list[float], precision: list[float]
) -> None:
    """The notebook's C has a fourth row as well, since it counts on data that `unknown` was added to."""
    counts = comparison()[way]
    assert counts.recall == printed(recall)
    assert counts.precision == printed(precision)


@pytest.mark.parametrize("variant", ["unique", "case"])
def test_counts_of_the_tensor_are_the_conventional_ones(variant: Literal["unique", "case"]) -> None:
    tensor, plain = oe.confusion_tensor(TRUTH, PREDICTION, variant=variant).counts(), comparison()["C"]
    for part in ("tp", "fp", "fn", "tn"):
        assert getattr(tensor, part)[:3] == pytest.approx(getattr(plain, part), abs=1e-9)
    assert (tensor.tp[3], tensor.fp[3], tensor.fn[3]) == pytest.approx((1, 0, 1), abs=1e-9)


def test_diagonals_of_the_normalised_planes_are_recall_and_precision() -> None:
    tensor = oe.confusion_tensor(TRUTH, PREDICTION)
    counts = tensor.counts()
    assert tensor.recall_plane.normalised("true").matrix.diagonal() == pytest.approx(counts.recall)
    assert tensor.precision_plane.normalised("predicted").matrix.diagonal() == pytest.approx(counts.precision)


@pytest.mark.parametrize(
    ("measure", "expected"),
    [("R", 0.6535714285714286), ("P", 0.6357142857142857)],
)
def test_macro_averages_count_unknown_as_a_class(measure: str, expected: float) -> None:
    named = f"{measure}(average='macro', rule='tensor', pseudo_classes='include')"
    assert oe.evaluate(TRUTH, PREDICTION, measures=[named])[named] == pytest.approx(expected, abs=1e-9)


def test_macro_averages_over_the_labels_alone_are_the_conventional_ones() -> None:
    for measure in ("P", "R", "F"):
        pair = [f"{measure}(average='macro', rule='tensor')", f"{measure}(average='macro')"]
        result = oe.evaluate(TRUTH, PREDICTION, measures=pair)
        assert result[pair[0]] == pytest.approx(result[pair[1]], abs=1e-12)


def test_micro_averages_sum_over_labels_and_unknown() -> None:
    """TP 5 + 2 + 1 + 1, FN 2 + 3 + 0 + 1, FP 0 + 3 + 6 + 0; the notebook's heading says macro."""
    measures = ["R(rule='tensor')", "P(rule='tensor')", "F(rule='tensor')"]
    result = oe.evaluate(TRUTH, PREDICTION, measures=measures)
    assert [result[m] for m in measures] == pytest.approx([9 / 15, 9 / 18, 18 / 33], abs=1e-9)
