"""Laws of every confusion rule and variant, and the naive implementations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import ontoeval as oe
from ontoeval.confusion.matrix import matrix_of
from ontoeval.confusion.one_vs_rest import counts_of
from ontoeval.measures.confusion_rules import COUNTING_RULES, Confusion, CountsPerConcept
from tests.laws.cases import batch_of, exists, pairs, picked
from tests.laws.matrices import (
    EVERY,
    MULTI,
    SQUARE,
    Numbers,
    at_most,
    close,
    counts,
    extended,
    matrix,
    off_diagonal,
    pairs_for,
)
from tests.oracles import krstinic, mlcm, multiclass, tensor
from tests.oracles.transport_matrix import transport_matrix
from tests.strategies import Pair, batches, multiclass_pairs

every_rule = pytest.mark.parametrize(("rule", "variant"), EVERY)
square_rules = pytest.mark.parametrize(("rule", "variant"), SQUARE)
multi_label_rules = pytest.mark.parametrize(("rule", "variant"), MULTI)
variants = pytest.mark.parametrize("variant", ["unique", "case"])


# every rule -------------------------------------------------------------------------------------------------


@every_rule
@given(data=st.data())
def test_a_matrix_is_that_of_the_naive_implementation(rule: str, variant: str, data: st.DataObject) -> None:
    pair = data.draw(pairs_for(rule))
    sets = (pair.truths, pair.predictions, pair.q)
    if rule == "transport":  # tests/laws/test_transport_matrix.py tries it over hierarchies
        every = range(pair.q)
        flat = [{str(label) for label in one} for side in (pair.truths, pair.predictions) for one in side]
        above, size = {str(label): {str(label)} for label in every}, {str(label): 1.0 for label in every}
        found = np.zeros((pair.q + 1, pair.q + 1))
        for truth, prediction in zip(flat[: len(flat) // 2], flat[len(flat) // 2 :], strict=True):
            alone = transport_matrix(truth, prediction, above, size, unrelated=variant.partition(" ")[0])
            for places, mass in alone.items():
                row, column = (pair.q if place == "unmatched" else int(place) for place in places)
                found[row, column] += mass
        assert close(matrix(pair, rule, variant), found)
        return
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
def test_the_samples_of_each_cell_sum_to_its_entry(rule: str, variant: str, data: st.DataObject) -> None:
    pair = data.draw(pairs_for(rule))
    found = matrix_of(batch_of(pair), Confusion(rule, variant))
    row, column = (data.draw(st.integers(0, len(names) - 1)) for names in (found.rows, found.columns))
    masses = found.samples(found.rows[row], found.columns[column])
    sets = zip(pair.truths, pair.predictions, strict=True)
    alone = [matrix(Pair(pair.q, (true,), (predicted,)), rule, variant) for true, predicted in sets]
    own = {str(at): one[row, column] for at, one in enumerate(alone) if one[row, column] > 0}
    assert masses == pytest.approx(own)
    assert [*masses.values()] == sorted(masses.values(), reverse=True)


@every_rule
@given(data=st.data())
def test_the_order_of_samples_changes_no_matrix_and_repetition_doubles_it(
    rule: str, variant: str, data: st.DataObject
) -> None:
    batch = batch_of(data.draw(pairs_for(rule)))
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
    pair = data.draw(pairs_for(rule))
    found, expected = relabelled(pair, data.draw(st.permutations(range(pair.q))), rule, variant)
    assert close(found, expected)


def test_relabelling_changes_what_the_mlcm_package_counts() -> None:
    def changes(pair: Pair) -> bool:
        found, expected = relabelled(pair, list(range(pair.q))[::-1], "mlcm", "package")
        return not close(found, expected)

    few = pairs(min_q=4, max_samples=2)
    assert exists(few, changes)


@pytest.mark.parametrize(("rule", "variant"), [each for each in MULTI if "related" not in each[1]])
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
    pair = data.draw(pairs_for(rule))
    right = Pair(pair.q, pair.truths, pair.truths)
    expected = pair.truth if rule == "multiclass" else extended(pair.truth)
    assert close(matrix(right, rule, variant), np.diag(expected.sum(axis=0)))


SUBSETS: dict[str, Callable[[NDArray[np.bool_], NDArray[np.bool_]], bool]] = {
    "tensor-recall": lambda truth, prediction: bool((truth <= prediction).all()),
    "tensor-precision": lambda truth, prediction: bool((prediction <= truth).all()),
}


@multi_label_rules
@given(pair=pairs(max_samples=2, max_q=3))
def test_nothing_off_the_diagonal_means_that_nothing_is_wrong(rule: str, variant: str, pair: Pair) -> None:
    right = SUBSETS.get(rule, np.array_equal)
    expected = right(extended(pair.truth), extended(pair.prediction))
    assert (off_diagonal(matrix(pair, rule, variant)) < 1e-9) == expected


@square_rules
@given(data=st.data())
def test_a_square_matrix_has_as_many_missed_as_false_labels(
    rule: str, variant: str, data: st.DataObject
) -> None:
    _, fp, fn = counts(matrix(data.draw(pairs_for(rule)), rule, variant))
    assert fp.sum() == pytest.approx(fn.sum())


@every_rule
@given(data=st.data())
def test_shares_of_a_row_or_column_add_up_to_one(rule: str, variant: str, data: st.DataObject) -> None:
    found = matrix_of(batch_of(data.draw(pairs_for(rule))), Confusion(rule, variant))
    shares: list[tuple[Literal["true", "predicted"], int]] = [("true", 1), ("predicted", 0)]
    for by, axis in shares:
        sums = found.matrix.sum(axis=axis)
        assert close(found.normalised(by).matrix.sum(axis=axis), np.where(sums > 0, 1.0, 0.0))


@every_rule
@given(data=st.data())
def test_the_largest_confusions_are_all_that_is_off_the_diagonal(
    rule: str, variant: str, data: st.DataObject
) -> None:
    found = matrix_of(batch_of(data.draw(pairs_for(rule))), Confusion(rule, variant))
    top = found.top(1_000)
    masses = [taken.mass for taken in top]
    every = np.asarray(found.matrix)
    assert sum(masses) == pytest.approx(off_diagonal(every[:-1, :-1] if rule == "transport" else every))
    assert masses == sorted(masses, reverse=True)
    for taken in top:
        row, column = found.rows.index(taken.true), found.columns.index(taken.predicted)
        assert found.matrix[row, column] == taken.mass
        assert taken.share == pytest.approx(found.normalised("true").matrix[row, column])


# counts per concept -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rule", "variant"), [each for each in SQUARE if each[0] != "transport"])
@given(data=st.data())
def test_counts_of_the_matrix_are_the_sums_of_the_statistic(
    rule: str, variant: str, data: st.DataObject
) -> None:
    batch = batch_of(data.draw(pairs_for(rule)))
    statistic = CountsPerConcept(rule, variant)
    summed = statistic.unpack(statistic(batch).total())
    found = matrix_of(batch, Confusion(rule, variant)).counts()
    for part in ("tp", "fp", "fn", "tn"):
        assert close(getattr(found, part), getattr(summed, part)), part
        assert at_most(0, getattr(found, part)), part


@variants
@given(pair=pairs())
def test_counts_of_the_tensor_are_those_against_the_rest(variant: Any, pair: Pair) -> None:
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
    pair = data.draw(pairs_for(rule))
    statistic = CountsPerConcept(rule)
    found = statistic.unpack(statistic(batch_of(pair)).total())
    units = {
        "krstinic": np.maximum(pair.truth.sum(axis=1), 1).sum(),
        "mlcm": found.tp.sum() + found.fp + found.fn,
    }.get(rule, len(pair.truths))
    assert close(sum(found), units)
