"""Laws of the confusion rules, laws that they are known not to have, and the naive implementations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

import ontoeval as oe
from ontoeval.confusion import counts_of, matrix_of
from ontoeval.statistics.confusion import COUNTING_RULES, RULES, Confusion, CountsPerConcept
from tests.laws.cases import batch_of, exists, picked
from tests.oracles import krstinic, mlcm, multiclass, tensor
from tests.strategies import Pair, batches, label_set_pairs, multiclass_pairs

Numbers = NDArray[np.float64]

EVERY = [(rule, variant) for rule in RULES if rule != "one-vs-rest" for variant in RULES[rule].variants]
SQUARE = [each for each in EVERY if not each[0].startswith("tensor")]
MULTI = [each for each in EVERY if each[0] != "multiclass"]
PLANES = [each for each in EVERY if each[0].startswith("tensor")]

every_rule = pytest.mark.parametrize(("rule", "variant"), EVERY)
square_rules = pytest.mark.parametrize(("rule", "variant"), SQUARE)
multi_label_rules = pytest.mark.parametrize(("rule", "variant"), MULTI)
variants = pytest.mark.parametrize("variant", ["unique", "case"])
packages = pytest.mark.parametrize("variant", ["paper", "package"])

ONE_SAMPLE = label_set_pairs(max_samples=1)


def matrix(pair: Pair, rule: str, variant: str | None = None) -> Numbers:
    """The matrix of a pair, pseudo-concepts last."""
    return np.asarray(matrix_of(batch_of(pair), Confusion(rule, variant)).matrix)


def pairs(rule: str) -> st.SearchStrategy[Pair]:
    """Pairs that a rule takes."""
    return multiclass_pairs() if rule == "multiclass" else label_set_pairs()


def extended(side: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Append `unknown`, a member of empty sets."""
    return np.column_stack([side, ~side.any(axis=1)])


def off_diagonal(found: Numbers) -> float:
    """Everything that is a confusion."""
    return float(found.sum() - np.trace(found))


def counts(found: Numbers) -> tuple[Numbers, Numbers, Numbers]:
    """TP, FP and FN of a square matrix."""
    tp = found.diagonal()
    return tp, found.sum(axis=0) - tp, found.sum(axis=1) - tp


def close(found: Any, expected: Any) -> bool:
    """Expect equality up to rounding."""
    return np.allclose(found, expected, rtol=0, atol=1e-9, equal_nan=True)


def at_most(one: Any, other: Any) -> bool:
    """Expect no element above another one, but for rounding and what is undefined."""
    return not np.any(np.asarray(one) > np.asarray(other) + 1e-9)


# every rule -------------------------------------------------------------------------------------------------


@every_rule
@given(data=st.data())
def test_a_matrix_is_that_of_the_naive_implementation(rule: str, variant: str, data: st.DataObject) -> None:
    pair = data.draw(pairs(rule))
    sets = (pair.truths, pair.predictions, pair.q)
    expected = {
        "multiclass": lambda: multiclass.matrix(*sets),
        "krstinic": lambda: krstinic.matrix(*sets),
        "mlcm": lambda: mlcm.matrix(*sets, variant=variant),
        "tensor-recall": lambda: tensor.planes(*sets, variant=variant)[0],
        "tensor-precision": lambda: tensor.planes(*sets, variant=variant)[1],
    }[rule]()
    assert close(matrix(pair, rule, variant), expected)


@multi_label_rules
@given(parts=batches())
def test_matrices_of_chunks_add_up(rule: str, variant: str, parts: tuple[Pair, Pair]) -> None:
    first, second = (matrix_of(batch_of(part), Confusion(rule, variant)) for part in parts)
    whole = matrix_of(batch_of(parts[0] + parts[1]), Confusion(rule, variant))
    assert close((first + second).matrix, whole.matrix)
    assert (first + second).rows == whole.rows


@every_rule
@given(data=st.data())
def test_the_order_of_samples_changes_no_matrix_and_repetition_doubles_it(
    rule: str, variant: str, data: st.DataObject
) -> None:
    batch = batch_of(data.draw(pairs(rule)))
    confusion = Confusion(rule, variant)
    order = data.draw(st.permutations(range(len(batch))))
    found = matrix_of(batch, confusion).matrix
    assert close(matrix_of(picked(batch, order), confusion).matrix, found)
    assert close(matrix_of(picked(batch, [*order, *order]), confusion).matrix, 2 * found)


def relabelled(pair: Pair, order: list[int], rule: str, variant: str) -> tuple[Numbers, Numbers]:
    """The matrix of moved columns, and the moved matrix."""
    moved = Pair(
        pair.q,
        tuple(frozenset(order[label] for label in labels) for labels in pair.truths),
        tuple(frozenset(order[label] for label in labels) for labels in pair.predictions),
    )
    found, expected = matrix(moved, rule, variant), matrix(pair, rule, variant)
    places = [*order, *range(pair.q, len(expected))]
    return found[np.ix_(places, places)], expected


@pytest.mark.parametrize(("rule", "variant"), [each for each in EVERY if each[1] != "package"])
@given(data=st.data())
def test_relabelling_moves_rows_and_columns(rule: str, variant: str, data: st.DataObject) -> None:
    pair = data.draw(pairs(rule))
    found, expected = relabelled(pair, data.draw(st.permutations(range(pair.q))), rule, variant)
    assert close(found, expected)


def test_relabelling_changes_what_the_mlcm_package_counts() -> None:
    def changes(pair: Pair) -> bool:
        found, expected = relabelled(pair, list(range(pair.q))[::-1], "mlcm", "package")
        return not close(found, expected)

    few = label_set_pairs(min_q=4, max_samples=2, min_size=2)
    assert exists(few, changes)


@multi_label_rules
@given(pair=multiclass_pairs())
def test_with_one_label_each_every_matrix_is_the_ordinary_one(rule: str, variant: str, pair: Pair) -> None:
    found = matrix(pair, rule, variant)
    assert close(found[: pair.q, : pair.q], matrix(pair, "multiclass"))
    assert not found[pair.q :].any()
    assert not found[:, pair.q :].any()


@every_rule
@given(data=st.data())
def test_a_perfect_prediction_leaves_the_support_on_the_diagonal(
    rule: str, variant: str, data: st.DataObject
) -> None:
    pair = data.draw(pairs(rule))
    right = Pair(pair.q, pair.truths, pair.truths)
    expected = pair.truth if rule == "multiclass" else extended(pair.truth)
    assert close(matrix(right, rule, variant), np.diag(expected.sum(axis=0)))


SUBSETS: dict[str, Callable[[NDArray[np.bool_], NDArray[np.bool_]], bool]] = {
    "tensor-recall": lambda truth, prediction: bool((truth <= prediction).all()),
    "tensor-precision": lambda truth, prediction: bool((prediction <= truth).all()),
}


@multi_label_rules
@given(pair=label_set_pairs(max_samples=2, max_q=3))
def test_nothing_off_the_diagonal_means_that_nothing_is_wrong(rule: str, variant: str, pair: Pair) -> None:
    right = SUBSETS.get(rule, np.array_equal)
    expected = right(extended(pair.truth), extended(pair.prediction))
    assert (off_diagonal(matrix(pair, rule, variant)) < 1e-9) == expected


@square_rules
@given(data=st.data())
def test_a_square_matrix_has_as_many_missed_as_false_labels(
    rule: str, variant: str, data: st.DataObject
) -> None:
    _, fp, fn = counts(matrix(data.draw(pairs(rule)), rule, variant))
    assert fp.sum() == pytest.approx(fn.sum())


@every_rule
@given(data=st.data())
def test_shares_of_a_row_or_column_add_up_to_one(rule: str, variant: str, data: st.DataObject) -> None:
    found = matrix_of(batch_of(data.draw(pairs(rule))), Confusion(rule, variant))
    for by, axis in (("true", 1), ("predicted", 0)):
        sums = found.matrix.sum(axis=axis)
        assert close(found.normalised(by).sum(axis=axis), np.where(sums > 0, 1.0, 0.0))


@every_rule
@given(data=st.data())
def test_the_largest_confusions_are_all_that_is_off_the_diagonal(
    rule: str, variant: str, data: st.DataObject
) -> None:
    found = matrix_of(batch_of(data.draw(pairs(rule))), Confusion(rule, variant))
    top = found.top(1_000)
    masses = [taken.mass for taken in top]
    assert sum(masses) == pytest.approx(off_diagonal(np.asarray(found.matrix)))
    assert masses == sorted(masses, reverse=True)
    for taken in top:
        row, column = found.rows.index(taken.true), found.columns.index(taken.predicted)
        assert found.matrix[row, column] == taken.mass
        assert taken.share == pytest.approx(found.normalised("true")[row, column])


# counts per concept -----------------------------------------------------------------------------------------


@square_rules
@given(data=st.data())
def test_counts_of_the_matrix_are_the_sums_of_the_statistic(
    rule: str, variant: str, data: st.DataObject
) -> None:
    batch = batch_of(data.draw(pairs(rule)))
    statistic = CountsPerConcept(rule, variant)
    summed = statistic.unpack(statistic(batch).total())
    found = matrix_of(batch, Confusion(rule, variant)).counts()
    for part in ("tp", "fp", "fn", "tn"):
        assert close(getattr(found, part), getattr(summed, part)), part
        assert at_most(0, getattr(found, part)), part


@variants
@given(pair=label_set_pairs())
def test_counts_of_the_tensor_are_those_against_the_rest(variant: str, pair: Pair) -> None:
    statistic = CountsPerConcept("tensor", variant)
    summed = statistic.unpack(statistic(batch_of(pair)).total())
    tensor_counts = oe.confusion_tensor(pair.truth, pair.prediction, variant=variant).counts()
    conventional = counts_of(batch_of(pair))
    for part in ("tp", "fp", "fn", "tn"):
        assert close(getattr(tensor_counts, part), getattr(summed, part)), part
        assert close(getattr(tensor_counts, part)[: pair.q], getattr(conventional, part)), part
    assert tensor_counts.concepts[-1] == "unknown"


@pytest.mark.parametrize("rule", COUNTING_RULES)
@given(data=st.data())
def test_decisions_about_a_concept_are_as_many_as_the_rule_has_units(rule: str, data: st.DataObject) -> None:
    pair = data.draw(pairs(rule))
    statistic = CountsPerConcept(rule)
    found = statistic.unpack(statistic(batch_of(pair)).total())
    units = {
        "krstinic": np.maximum(pair.truth.sum(axis=1), 1).sum(),
        "mlcm": found.tp.sum() + found.fp + found.fn,
    }.get(rule, len(pair.truths))
    assert close(sum(found), units)


# Krstinić ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "variant"), [("krstinic", None), ("tensor-recall", "unique"), ("tensor-recall", "case")]
)
@given(pair=label_set_pairs())
def test_rows_sum_to_the_true_labels(rule: str, variant: str | None, pair: Pair) -> None:
    assert close(matrix(pair, rule, variant).sum(axis=1), extended(pair.truth).sum(axis=0))


@given(pair=ONE_SAMPLE)
def test_krstinic_puts_a_sample_into_the_columns_of_predicted_labels(pair: Pair) -> None:
    found = matrix(pair, "krstinic")
    assert not found[:, ~extended(pair.prediction)[0]].any()
    assert found.sum() == pytest.approx(max(len(pair.truths[0]), 1))


@given(pair=label_set_pairs())
def test_krstinic_finds_no_more_than_is_found(pair: Pair) -> None:
    found, conventional = oe.confusion_matrix(pair.truth, pair.prediction).counts(), counts_of(batch_of(pair))
    assert at_most(found.tp[: pair.q], conventional.tp)
    assert at_most(found.recall[: pair.q], conventional.recall)


@given(pair=label_set_pairs())
def test_krstinic_is_the_recall_plane_by_case_unless_too_much_is_predicted(pair: Pair) -> None:
    truth, prediction = extended(pair.truth), extended(pair.prediction)
    too_much = (truth <= prediction).all(axis=1) & (truth != prediction).any(axis=1)
    assume(not too_much.any())
    assert close(matrix(pair, "krstinic"), matrix(pair, "tensor-recall", "case"))


@given(pair=label_set_pairs())
def test_krstinic_columns_sum_to_the_predicted_labels_where_sets_are_of_equal_size(pair: Pair) -> None:
    truth, prediction = extended(pair.truth), extended(pair.prediction)
    alike = truth.sum(axis=1) == prediction.sum(axis=1)
    kept = [row for row in range(len(pair.truths)) if alike[row]]
    some = Pair(pair.q, tuple(pair.truths[r] for r in kept), tuple(pair.predictions[r] for r in kept))
    assert close(matrix(some, "krstinic").sum(axis=0), prediction[kept].sum(axis=0))


# Heydarian --------------------------------------------------------------------------------------------------


@packages
@given(pair=label_set_pairs())
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
@given(pair=label_set_pairs())
def test_mlcm_true_negatives_are_the_hits_of_all_other_concepts(variant: str, pair: Pair) -> None:
    found = oe.confusion_matrix(pair.truth, pair.prediction, rule="mlcm", variant=variant).counts()
    assert found.tn.sum() == pytest.approx(pair.q * found.tp.sum())


@packages
@given(pair=label_set_pairs())
def test_mlcm_micro_precision_recall_and_f_are_equal_over_all_classes(variant: str, pair: Pair) -> None:
    options = f"(rule='mlcm', variant={variant!r})"
    found = list(oe.evaluate(pair.truth, pair.prediction, measures=[f"{m}{options}" for m in "PRF"]).scores.values())
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


@given(pair=label_set_pairs())
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
@given(pair=label_set_pairs())
def test_columns_of_the_precision_plane_sum_to_the_predicted_labels(variant: str, pair: Pair) -> None:
    found = matrix(pair, "tensor-precision", variant)
    assert close(found.sum(axis=0), extended(pair.prediction).sum(axis=0))


@variants
@given(pair=label_set_pairs())
def test_both_planes_have_the_hits_on_their_diagonal(variant: str, pair: Pair) -> None:
    hits = (extended(pair.truth) & extended(pair.prediction)).sum(axis=0)
    for plane in ("tensor-recall", "tensor-precision"):
        assert close(matrix(pair, plane, variant).diagonal(), hits)


@variants
@given(pair=label_set_pairs())
def test_exchanging_truth_and_prediction_turns_one_plane_into_the_other(variant: str, pair: Pair) -> None:
    assert close(matrix(pair, "tensor-recall", variant), matrix(pair.swapped(), "tensor-precision", variant).T)


@given(pair=label_set_pairs())
def test_both_forms_of_the_tensor_agree_unless_hits_misses_and_false_labels_meet(pair: Pair) -> None:
    for truth, prediction in zip(pair.truths, pair.predictions, strict=True):
        assume(not (truth & prediction and truth - prediction and prediction - truth))
    for plane in ("tensor-recall", "tensor-precision"):
        assert close(matrix(pair, plane, "unique"), matrix(pair, plane, "case"))


# laws that do not hold --------------------------------------------------------------------------------------


def _conventional(pair: Pair) -> oe.ConceptCounts:
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
    assert exists(label_set_pairs(), lambda pair: not NON_LAWS[law](pair))


def test_one_sample_may_fill_a_quarter_of_the_mlcm() -> None:
    """Six missed and six false labels are 36 cells, so samples do not weigh alike."""
    pair = Pair(12, (frozenset(range(6)),), (frozenset(range(6, 12)),))
    assert matrix(pair, "mlcm").sum() == 36
