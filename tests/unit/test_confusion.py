"""Confusion matrices as values: names, shares, largest entries, counts, sums."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe
from ontoeval.errors import InputError, ParameterError
from ontoeval.measures.confusion_rules import RULES
from tests.oracles.worked_examples import rows

TRUTH = [["sky"], ["sky", "sea"], ["sea"], []]
PREDICTION = [["sky"], ["sea", "sand"], ["sky"], ["sand"]]


def matrix(**options: Any) -> oe.confusion.ConfusionMatrix:
    """The matrix of the example."""
    return oe.confusion_matrix(TRUTH, PREDICTION, **options)


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule not in {"multiclass", "one-vs-rest"}])
def test_pseudo_concepts_come_last_whether_they_are_needed_or_not(rule: str) -> None:
    pseudo = {"mlcm": ("NTL", "NPL"), "transport": ("unmatched", "unmatched")}.get(
        rule, ("unknown", "unknown")
    )
    for truth, prediction in ((TRUTH, PREDICTION), ([["sky"]], [["sky"]])):
        found = oe.confusion_matrix(truth, prediction, rule=rule)
        assert (found.rows[-1], found.columns[-1]) == pseudo
        assert (
            found.rows[:-1]
            == found.columns[:-1]
            == tuple(sorted({label for labels in [*truth, *prediction] for label in labels}))
        )
        assert found.matrix.shape == (len(found.rows), len(found.columns))


def test_matrices_of_one_kind_add_up_and_others_do_not() -> None:
    one = matrix(rule="mlcm")
    assert rows((one + one).matrix) == rows(2 * one.matrix)
    for other in (
        matrix(rule="mlcm", variant="package"),
        matrix(rule="krstinic"),
        oe.confusion_matrix([["fog"]], [["fog"]], rule="mlcm"),
    ):
        with pytest.raises(
            InputError, match="confusion matrices over different concepts or by different rules"
        ):
            _ = one + other


def test_rightly_nothing_is_no_confusion() -> None:
    found = oe.confusion_matrix([[]], [[]], rule="mlcm")
    assert found.matrix.sum() == 1
    assert found.top() == []
    stored = sparse.csr_array((np.zeros(1), np.array([1]), np.array([0, 1, 1])), shape=(2, 2))
    assert oe.confusion.ConfusionMatrix(stored, ("a", "b"), ("a", "b"), "multiclass").top() == []


def test_counts_name_pseudo_concepts_and_follow_the_rule() -> None:
    mlcm = matrix(rule="mlcm").counts()
    assert mlcm.concepts == ("sand", "sea", "sky", "NTL/NPL")
    # hits: sky in the first, sea in the second sample
    assert (mlcm.tp.tolist(), mlcm.tn.tolist()) == ([0, 1, 1, 0], [2, 1, 1, 2])
    assert mlcm.fn.tolist() == [0, 1, 1, 1]
    assert mlcm.fp.tolist() == [2, 0, 1, 0]
    krstinic = matrix(rule="krstinic").counts()
    assert krstinic.concepts[-1] == "unknown"
    assert sum(part[0] for part in (krstinic.tp, krstinic.fp, krstinic.fn, krstinic.tn)) == 5


def test_counts_give_the_usual_ratios() -> None:
    found = oe.one_vs_rest(TRUTH, PREDICTION)
    assert found.concepts == ("sand", "sea", "sky")
    assert found.support.tolist() == [0, 2, 2]
    assert found.precision.tolist() == [0, 1, 0.5]
    assert found.recall == pytest.approx([np.nan, 0.5, 0.5], nan_ok=True)
    assert found.f().tolist() == pytest.approx([0, 2 / 3, 0.5])
    assert found.f(2) == pytest.approx([0, 5 / 9, 0.5])
    assert found.accuracy.tolist() == [0.5, 0.75, 0.5]


@pytest.mark.parametrize(
    ("truth", "message"),
    [
        ([["a", "b"], ["a"], []], r"has '0 \(2 labels\)', '2 \(0 labels\)'. Use a multi-label rule"),
        ([["a", "b"]] * 7, r"'4 \(2 labels\)' and 2 more"),
    ],
)
def test_the_ordinary_matrix_needs_one_label_each(truth: list[list[str]], message: str) -> None:
    with pytest.raises(InputError, match=message):
        oe.confusion_matrix(truth, [["a"]] * len(truth), rule="multiclass")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "krstinich"}, r"rule='krstinich': .*\(near: 'krstinic'\)"),
        ({"rule": "mlcm", "variant": "unique"}, "variant='unique': expected one of 'paper', 'package'"),
    ],
)
def test_unknown_rules_and_variants_are_refused(options: dict[str, str], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        matrix(**options)


@pytest.mark.parametrize(
    ("numbers", "names", "message"),
    [
        ([[1, 2]], ("a",), r"a matrix of shape \(1, 2\) for 1 rows and 1 columns"),
        ([[-1]], ("a",), "negative or undefined entries"),
        ([[np.nan]], ("a",), "negative or undefined entries"),
        (sparse.csr_array([[-1.0]]), ("a",), "negative or undefined entries"),
    ],
)
def test_numbers_that_are_no_matrix_are_refused(numbers: Any, names: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        oe.confusion.ConfusionMatrix(numbers, names, names, "mlcm")


def test_matrices_of_many_concepts_stay_sparse() -> None:
    truth = sparse.csr_array((np.ones(3), np.array([0, 1, 2_000]), np.array([0, 2, 3])), shape=(2, 2_001))
    prediction = sparse.csr_array((np.ones(2), np.array([0, 5]), np.array([0, 1, 2])), shape=(2, 2_001))
    for rule in ("krstinic", "mlcm", "tensor-recall", "tensor-precision"):
        found = oe.confusion_matrix(truth, prediction, rule=rule)
        dense = oe.confusion_matrix(truth[:, [0, 1, 2_000, 5]], prediction[:, [0, 1, 2_000, 5]], rule=rule)
        assert sparse.issparse(found.matrix)
        assert isinstance(dense.matrix, np.ndarray)
        kept = [0, 1, 2_000, 5, 2_001]
        for axis in (0, 1):
            assert found.matrix.sum(axis=axis)[kept].tolist() == dense.matrix.sum(axis=axis).tolist()
        if not rule.startswith("tensor"):
            assert found.counts().tp[kept].tolist() == dense.counts().tp.tolist()
            assert found.counts().fn[kept].tolist() == dense.counts().fn.tolist()
        for by in ("true", "predicted"):
            assert sparse.issparse(found.normalised(by).matrix)
            assert found.normalised(by).matrix.sum() == pytest.approx(dense.normalised(by).matrix.sum())
        assert [taken.mass for taken in found.top()] == [taken.mass for taken in dense.top()]
        assert (found + found).matrix.sum() == 2 * found.matrix.sum()
    counts = oe.confusion_tensor(truth, prediction).counts()
    expected = oe.one_vs_rest(truth, prediction)
    for name in ("tp", "fp", "fn", "tn"):
        assert getattr(counts, name)[:-1].tolist() == getattr(expected, name).tolist()
