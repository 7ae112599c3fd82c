"""Measures of rankings beside those of scikit-learn, on dense scores with ties."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import ontoeval as oe
from tests.laws.cases import fewer

metrics = pytest.importorskip("sklearn.metrics")


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
