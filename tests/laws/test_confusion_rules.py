"""Laws of single confusion rules, and laws that they are known not to have."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import assume, given

import ontoeval as oe
from ontoeval.confusion.one_vs_rest import counts_of
from tests.laws.cases import batch_of, exists, pairs
from tests.laws.matrices import Numbers, at_most, close, counts, extended, matrix
from tests.strategies import Pair

variants = pytest.mark.parametrize("variant", ["unique", "case"])
packages = pytest.mark.parametrize("variant", ["paper", "package"])

ONE_SAMPLE = pairs(max_samples=1)


# Krstinić ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "variant"), [("krstinic", None), ("tensor-recall", "unique"), ("tensor-recall", "case")]
)
@given(pair=pairs())
def test_rows_sum_to_the_true_labels(rule: str, variant: str | None, pair: Pair) -> None:
    assert close(matrix(pair, rule, variant).sum(axis=1), extended(pair.truth).sum(axis=0))


@given(pair=ONE_SAMPLE)
def test_krstinic_puts_a_sample_into_the_columns_of_predicted_labels(pair: Pair) -> None:
    found = matrix(pair, "krstinic")
    assert not found[:, ~extended(pair.prediction)[0]].any()
    assert found.sum() == pytest.approx(max(len(pair.truths[0]), 1))


@given(pair=pairs())
def test_krstinic_finds_no_more_than_is_found(pair: Pair) -> None:
    found, conventional = oe.confusion_matrix(pair.truth, pair.prediction).counts(), counts_of(batch_of(pair))
    assert at_most(found.tp[: pair.q], conventional.tp)
    assert at_most(found.recall[: pair.q], conventional.recall)


@given(pair=pairs())
def test_krstinic_is_the_recall_plane_by_case_unless_too_much_is_predicted(pair: Pair) -> None:
    truth, prediction = extended(pair.truth), extended(pair.prediction)
    too_much = (truth <= prediction).all(axis=1) & (truth != prediction).any(axis=1)
    assume(not too_much.any())
    assert close(matrix(pair, "krstinic"), matrix(pair, "tensor-recall", "case"))


@given(pair=pairs())
def test_krstinic_columns_sum_to_the_predicted_labels_where_sets_are_of_equal_size(pair: Pair) -> None:
    truth, prediction = extended(pair.truth), extended(pair.prediction)
    alike = truth.sum(axis=1) == prediction.sum(axis=1)
    kept = [row for row in range(len(pair.truths)) if alike[row]]
    some = Pair(pair.q, tuple(pair.truths[r] for r in kept), tuple(pair.predictions[r] for r in kept))
    assert close(matrix(some, "krstinic").sum(axis=0), prediction[kept].sum(axis=0))


# Heydarian --------------------------------------------------------------------------------------------------


@packages
@given(pair=pairs())
def test_mlcm_counts_hits_and_empty_pairs_and_inflates_the_rest(variant: str, pair: Pair) -> None:
    found = matrix(pair, "mlcm", variant)
    tp, fp, fn = counts(found)
    conventional = counts_of(batch_of(pair))
    assert close(tp[:-1], conventional.tp)
    assert tp[-1] == (~pair.truth.any(axis=1) & ~pair.prediction.any(axis=1)).sum()
    assert at_most(conventional.fn, fn[:-1])
    assert at_most(conventional.fp, fp[:-1])
    assert at_most(conventional.support, found.sum(axis=1)[:-1])
    assert found.sum() >= len(pair.truths)


@packages
@given(pair=pairs())
def test_mlcm_true_negatives_are_the_hits_of_all_other_concepts(variant: str, pair: Pair) -> None:
    found = oe.confusion_matrix(pair.truth, pair.prediction, rule="mlcm", variant=variant).counts()
    assert found.tn.sum() == pytest.approx(pair.q * found.tp.sum())


@packages
@given(pair=pairs())
def test_mlcm_micro_precision_recall_and_f_are_equal_over_all_classes(variant: str, pair: Pair) -> None:
    options = f"(rule='mlcm', variant={variant!r})"
    found = list(
        oe.evaluate(pair.truth, pair.prediction, measures=[f"{m}{options}" for m in "PRF"]).scores.values()
    )
    assert found == pytest.approx([found[0]] * 3, abs=1e-12)


@given(pair=ONE_SAMPLE)
def test_mlcm_fills_cells_by_the_category_of_the_sample(pair: Pair) -> None:
    truth, prediction = pair.truths[0], pair.predictions[0]
    common, missed, false = len(truth & prediction), len(truth - prediction), len(prediction - truth)
    if not truth:
        expected = max(false, 1)
    elif not false:
        expected = len(truth)
    elif not missed:
        expected = len(truth) * (1 + false)
    else:
        expected = common + missed * false
    assert matrix(pair, "mlcm").sum() == expected


@given(pair=pairs())
def test_the_mlcm_package_only_adds_where_hits_misses_and_two_false_labels_meet(pair: Pair) -> None:
    more = matrix(pair, "mlcm", "package") - matrix(pair, "mlcm", "paper")
    extra = sum(
        len(truth & prediction) * (len(prediction - truth) - 1)
        for truth, prediction in zip(pair.truths, pair.predictions, strict=True)
        if truth & prediction and truth - prediction and prediction - truth
    )
    assert at_most(0, more)
    assert more.sum() == extra


# the tensor -------------------------------------------------------------------------------------------------


@variants
@given(pair=pairs())
def test_columns_of_the_precision_plane_sum_to_the_predicted_labels(variant: str, pair: Pair) -> None:
    found = matrix(pair, "tensor-precision", variant)
    assert close(found.sum(axis=0), extended(pair.prediction).sum(axis=0))


@variants
@given(pair=pairs())
def test_both_planes_have_the_hits_on_their_diagonal(variant: str, pair: Pair) -> None:
    hits = (extended(pair.truth) & extended(pair.prediction)).sum(axis=0)
    for plane in ("tensor-recall", "tensor-precision"):
        assert close(matrix(pair, plane, variant).diagonal(), hits)


@variants
@given(pair=pairs())
def test_exchanging_truth_and_prediction_turns_one_plane_into_the_other(variant: str, pair: Pair) -> None:
    assert close(
        matrix(pair, "tensor-recall", variant), matrix(pair.swapped(), "tensor-precision", variant).T
    )


@given(pair=pairs())
def test_both_forms_of_the_tensor_agree_unless_hits_misses_and_false_labels_meet(pair: Pair) -> None:
    for truth, prediction in zip(pair.truths, pair.predictions, strict=True):
        assume(not (truth & prediction and truth - prediction and prediction - truth))
    for plane in ("tensor-recall", "tensor-precision"):
        assert close(matrix(pair, plane, "unique"), matrix(pair, plane, "case"))


# laws that do not hold --------------------------------------------------------------------------------------


def _conventional(pair: Pair) -> oe.confusion.ConceptCounts:
    return counts_of(batch_of(pair))


def _precision(pair: Pair) -> Numbers:
    return oe.confusion_matrix(pair.truth, pair.prediction).counts().precision[: pair.q]


def _swaps(pair: Pair, rule: str) -> bool:
    """Tell whether the rows and columns of the last concept may be exchanged with truth and prediction."""
    return close(matrix(pair.swapped(), rule), matrix(pair, rule).T)


NON_LAWS: dict[str, Callable[[Pair], bool]] = {
    "krstinic: columns sum to the predicted labels": lambda pair: close(
        matrix(pair, "krstinic").sum(axis=0), extended(pair.prediction).sum(axis=0)
    ),
    "krstinic: the diagonal counts the hits": lambda pair: close(
        matrix(pair, "krstinic").diagonal()[: pair.q], _conventional(pair).tp
    ),
    "krstinic: precision is at most the conventional one": lambda pair: at_most(
        _precision(pair), _conventional(pair).precision
    ),
    "krstinic: precision is at least the conventional one": lambda pair: at_most(
        _conventional(pair).precision, _precision(pair)
    ),
    "krstinic: truth and prediction can be exchanged": lambda pair: _swaps(pair, "krstinic"),
    "mlcm: rows sum to the support": lambda pair: close(
        matrix(pair, "mlcm").sum(axis=1)[: pair.q], _conventional(pair).support
    ),
    "mlcm: the cells are as many as the true labels": lambda pair: close(
        matrix(pair, "mlcm").sum(), extended(pair.truth).sum()
    ),
    "mlcm: truth and prediction can be exchanged": lambda pair: _swaps(pair, "mlcm"),
    "tensor: both forms are equal": lambda pair: close(
        matrix(pair, "tensor-recall", "unique"), matrix(pair, "tensor-recall", "case")
    ),
    "tensor: there are as many missed as false labels": lambda pair: close(
        extended(pair.truth).sum(), extended(pair.prediction).sum()
    ),
    "tensor: columns of the recall plane sum to the predicted labels": lambda pair: close(
        matrix(pair, "tensor-recall").sum(axis=0), extended(pair.prediction).sum(axis=0)
    ),
}


@pytest.mark.parametrize("law", NON_LAWS)
def test_a_law_that_does_not_hold_has_a_counterexample(law: str) -> None:
    assert exists(pairs(), lambda pair: not NON_LAWS[law](pair))


def test_one_sample_may_fill_a_quarter_of_the_mlcm() -> None:
    """Six missed and six false labels are 36 cells, so samples do not weigh alike."""
    pair = Pair(12, (frozenset(range(6)),), (frozenset(range(6, 12)),))
    assert matrix(pair, "mlcm").sum() == 36
