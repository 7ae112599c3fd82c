"""Measures of rankings beside those of scikit-learn, on dense scores with ties."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.concepts import LabelFrequencies
from ontoeval.measures.first_k import (
    GainAt,
    HitAt,
    PrecisionAt,
    PropensityGainAt,
    PropensityPrecisionAt,
    RecallAt,
    ReciprocalRank,
)
from tests.laws.cases import fewer

metrics = pytest.importorskip("sklearn.metrics")
GOLD = json.loads(
    Path(__file__).parents[1].joinpath("oracles", "reference_gold.json").read_text(encoding="utf-8")
)["first_k"]
FIRST: dict[str, Any] = {
    "P": PrecisionAt(),
    "R": RecallAt(),
    "Rmin": RecallAt(of="reach"),
    "nDCG": GainAt(),
    "RR": ReciprocalRank(),
    **dict.fromkeys(("hit", "hits", "Success"), HitAt()),
    "PSP": PropensityPrecisionAt(),
    "PSnDCG": PropensityGainAt(),
}
"""Measures of the first k by what programs call them."""


def first_k(case: dict[str, Any], printed: str, unscored: Any) -> Iterator[tuple[str, float, float]]:
    """Name, ours, and what a program printed."""
    rows = case["own_tied_scores" if "tied" in printed else "scores"]
    scores = np.array([[score or 0.0 for score in row] for row in rows])
    labels = max([scores.shape[1], *(1 + label for some in case["truth"] for label in some)])
    truth = np.zeros((len(scores), labels), dtype=bool)
    for row, some in zip(truth, case["truth"], strict=True):
        row[some] = True
    scores = np.pad(scores, ((0, 0), (0, labels - scores.shape[1])))
    for key, expected in case[printed].items():
        name, _, k = key.partition("@")
        measure: Any = replace(FIRST[name], k=int(k) if k else None, unscored=unscored)
        if name.startswith("PS"):
            counts = {str(at): number for at, number in enumerate(case["training_frequency"])}
            measure = replace(measure, corpus=LabelFrequencies(counts, case["training_samples"]))
        elif printed == "pyxclib":
            measure = replace(measure, empty_truth=0.0)
        yield key, next(iter(oe.evaluate(truth, scores, measures=measure).scores.values())), expected


@pytest.mark.parametrize("case", [*GOLD["cases"], *GOLD["listed"]["cases"]])
def test_the_first_k_are_those_of_trec_eval_pyxclib_and_of_all_orders_of_ties(case: dict[str, Any]) -> None:
    listed = "listed" if case in GOLD["listed"]["cases"] else ""
    for printed in (name for name, values in case.items() if isinstance(values, dict)):
        unscored = "out" if printed in {"out", "trec_eval"} and listed else "last"
        for key, found, expected in first_k(case, printed, unscored):
            assert found == pytest.approx(expected, abs=2e-7 if "xclib" in printed else 1e-9), (printed, key)


@st.composite
def tables(draw: st.DrawFn) -> tuple[np.ndarray, np.ndarray]:
    """A truth, and scores with few levels."""
    shape = draw(st.integers(1, 7)), draw(st.integers(2, 5))
    size = shape[0] * shape[1]
    truth = np.array([byte % 2 for byte in draw(st.binary(min_size=size, max_size=size))]).reshape(shape)
    levels = draw(st.integers(2, 40))
    scores = np.array([byte % levels / levels for byte in draw(st.binary(min_size=size, max_size=size))])
    return truth, scores.reshape(shape)


def ours(truth: np.ndarray, scores: np.ndarray, *notations: str) -> list[float]:
    """Evaluate measures."""
    result = oe.evaluate(truth, oe.LabelScores.from_array(scores), measures=list(notations))
    return [result[notation] for notation in notations]


@given(table=tables())
def test_rankings_of_samples_are_those_of_scikit_learn(table: tuple[np.ndarray, np.ndarray]) -> None:
    truth, scores = table
    expected = [
        metrics.coverage_error(truth, scores),
        metrics.label_ranking_loss(truth, scores),
        metrics.label_ranking_average_precision_score(truth, scores),
    ]
    assert ours(truth, scores, "Coverage(minus_one=False)", "RankingLoss", "LRAP") == pytest.approx(expected)


@fewer
@given(table=tables())
def test_averages_of_concepts_are_those_of_scikit_learn(table: tuple[np.ndarray, np.ndarray]) -> None:
    truth, scores = table
    both = (truth.sum(axis=0) > 0) & (truth.sum(axis=0) < len(truth))
    assume(both.any())
    truth, scores = truth[:, both], scores[:, both]
    for average in ("macro", "weighted", "micro"):
        expected = [
            metrics.average_precision_score(truth, scores, average=average),
            metrics.roc_auc_score(truth, scores, average=average),
        ]
        notations = [f"{symbol}(average={average!r})" for symbol in ("AP", "AUC")]
        assert ours(truth, scores, *notations) == pytest.approx(expected)


@given(table=tables())
def test_the_equal_error_rate_lies_on_the_roc_curve_of_scikit_learn(
    table: tuple[np.ndarray, np.ndarray],
) -> None:
    truth, scores = table[0].ravel(), table[1].ravel()
    assume(0 < truth.sum() < truth.size)
    fpr, tpr, _ = metrics.roc_curve(truth, scores, drop_intermediate=False)
    (rate,) = ours(*table, "EER(average='micro')")
    gap = (1 - tpr) - fpr  # falls from 1 to -1
    after = int(np.argmax(gap <= 0))
    share = gap[after - 1] / (gap[after - 1] - gap[after])
    assert rate == pytest.approx(fpr[after - 1] + share * (fpr[after] - fpr[after - 1]))


def test_samples_with_every_label_or_none_are_perfect_as_in_scikit_learn() -> None:
    truth, scores = np.array([[1, 1], [0, 0]]), np.array([[0.2, 0.9], [0.2, 0.9]])
    assert metrics.label_ranking_loss(truth, scores) == ours(truth, scores, "RankingLoss")[0] == 0
    assert metrics.label_ranking_average_precision_score(truth, scores) == ours(truth, scores, "LRAP")[0] == 1
    assert metrics.coverage_error(truth, scores) == ours(truth, scores, "Coverage(minus_one=False)")[0] == 1


@given(table=tables(), data=st.data())
def test_weighted_rankings_are_those_of_scikit_learn(
    table: tuple[np.ndarray, np.ndarray], data: st.DataObject
) -> None:
    truth, scores = table
    assume(((truth.sum(axis=0) > 0) & (truth.sum(axis=0) < len(truth))).all())
    weights = np.array(data.draw(st.lists(st.floats(0.01, 100), min_size=len(truth), max_size=len(truth))))
    names = ["AUC", "AP", "AUC(average='micro')", "AP(average='micro')", "RankingLoss", "LRAP"]
    found = oe.evaluate(truth, oe.LabelScores.from_array(scores), measures=names, sample_weight=weights)
    expected = [
        *(metrics.roc_auc_score(truth, scores, average=one, sample_weight=weights) for one in ["macro"]),
        metrics.average_precision_score(truth, scores, average="macro", sample_weight=weights),
        metrics.roc_auc_score(truth, scores, average="micro", sample_weight=weights),
        metrics.average_precision_score(truth, scores, average="micro", sample_weight=weights),
        metrics.label_ranking_loss(truth, scores, sample_weight=weights),
        metrics.label_ranking_average_precision_score(truth, scores, sample_weight=weights),
    ]
    assert [found[name] for name in names] == pytest.approx(expected)
