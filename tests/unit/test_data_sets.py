"""Runs over several data sets: worked values, bars of the diagram, and what cannot be compared."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.errors import InputError, MissingExtraError, ParameterError

SCORES = [
    [0.9, 0.85, 0.6],
    [0.8, 0.75, 0.65],
    [0.7, 0.72, 0.6],
    [0.95, 0.9, 0.7],
    [0.6, 0.55, 0.5],
    [0.85, 0.8, 0.6],
]
TEST = oe.comparison.friedman(SCORES, runs=["a", "b", "c"])
NAN = float("nan")


def test_worked_values() -> None:
    assert TEST.mean_ranks == pytest.approx([1.166667, 1.833333, 3], abs=1e-6)
    assert (TEST.chi2, TEST.p) == pytest.approx((10.333333, 0.0057035), abs=1e-6)
    assert (TEST.f, TEST.f_p) == pytest.approx((31, 5.17e-5), abs=1e-7)
    assert TEST.critical_difference == pytest.approx(1.353136, abs=1e-6)
    expected = [[1, 0.4804, 0.0043], [0.4804, 1, 0.1072], [0.0043, 0.1072, 1]]
    np.testing.assert_allclose(TEST.p_values, expected, atol=5e-5)


@pytest.mark.parametrize(("runs", "expected"), [(3, 2.344), (4, 2.569), (5, 2.728), (10, 3.164)])
def test_published_quantiles_make_the_critical_difference(runs: int, expected: float) -> None:
    scores = np.random.default_rng(0).normal(size=(7, runs))
    quantile = oe.comparison.friedman(scores).critical_difference / np.sqrt(runs * (runs + 1) / 42)
    assert quantile == pytest.approx(expected, abs=5e-4)


def test_a_bar_joins_runs_that_do_not_differ() -> None:
    assert TEST.order == (0, 1, 2)
    assert TEST.groups == (("a", "b"), ("b", "c"))


def test_a_run_that_differs_from_all_others_has_no_bar() -> None:
    scores = np.array([[4.0, 3, 0, 0.1], [3, 4, 0.1, 0]] * 20)
    assert oe.comparison.friedman(scores, runs="abcd").groups == (("a", "b"), ("c", "d"))
    scores[:, 1] = 2
    assert oe.comparison.friedman(scores, runs="abcd").groups == (("c", "d"),)


@given(scores=st.lists(st.lists(st.integers(0, 3), min_size=5, max_size=5), min_size=2, max_size=30))
def test_bars_and_p_values_say_the_same(scores: list[list[int]]) -> None:
    test = oe.comparison.friedman(scores)
    joined = {frozenset((a, b)) for group in test.groups for a in group for b in group if a != b}
    alike = {
        frozenset((test.runs[i], test.runs[j]))
        for i, j in zip(*np.nonzero(test.p_values > test.alpha), strict=True)
        if i != j
    }
    assert joined == alike


def test_losses_rank_the_other_way_round() -> None:
    losses = oe.comparison.friedman(1 - np.array(SCORES), best="lowest")
    np.testing.assert_array_equal(losses.ranks, TEST.ranks)


def test_scores_by_name_are_put_in_order() -> None:
    named = {f"set {row}": dict(zip("abc", scores, strict=True)) for row, scores in enumerate(SCORES)}
    test = oe.comparison.friedman(named)
    assert (test.runs, test.chi2) == (("a", "b", "c"), TEST.chi2)
    turned = oe.comparison.friedman(named, runs=["c", "a", "b"], data_sets=["set 3", "set 0"])
    assert turned.data_sets == ("set 3", "set 0")
    assert turned.mean_ranks.tolist() == [3, 1, 2]


def test_a_data_set_without_a_score_of_every_run_is_left_out() -> None:
    test = oe.comparison.friedman([*SCORES, [NAN, 0.1, 0.2]], runs=["a", "b", "c"])
    assert (test.left_out, len(test.data_sets), test.chi2) == (("6",), 6, TEST.chi2)
    named = {"x": {"a": 3, "b": 2, "c": 1}, "y": {"a": 3, "b": 2}, "z": {"a": 3, "b": 2, "c": 1}}
    assert oe.comparison.friedman(named).left_out == ("y",)


def test_runs_that_tie_everywhere_have_no_statistic_and_one_bar() -> None:
    test = oe.comparison.friedman(np.ones((4, 3)))
    assert np.isnan([test.chi2, test.p, test.f, test.f_p]).all()
    assert test.groups == (("0", "1", "2"),)
    np.testing.assert_array_equal(test.p_values, 1)


def test_data_sets_that_all_rank_alike_make_f_infinite() -> None:
    test = oe.comparison.friedman([[3, 2, 1]] * 4)
    assert (test.chi2, test.f, test.f_p) == (8, np.inf, 0)


@pytest.mark.parametrize(("data_sets", "runs"), [(7, 6), (12, 9), (49, 7)])
def test_rounding_does_not_keep_data_sets_from_ranking_alike(data_sets: int, runs: int) -> None:
    assert oe.comparison.friedman([list(range(runs))] * data_sets).f == np.inf


def test_a_data_frame_names_runs_and_data_sets() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame(SCORES[:3], columns=["a", "b", "c"], index=["x", "y", "z"])
    found = oe.comparison.friedman(frame)
    assert (found.runs, found.data_sets) == (("a", "b", "c"), ("x", "y", "z"))
    assert oe.comparison.friedman(frame, runs="def").runs == ("d", "e", "f")
    without_index = pytest.importorskip("polars").DataFrame(frame)
    found = oe.comparison.friedman(without_index)
    assert (found.runs, found.data_sets) == (("a", "b", "c"), ("0", "1", "2"))


def test_a_control_is_compared_with_each_other_run() -> None:
    pytest.importorskip("scikit_posthocs")
    # z = 1.833333 / sqrt(1/3) and 1.166667 / sqrt(1/3); Holm doubles the smaller p-value.
    assert TEST.against("c") == pytest.approx({"a": 2 * 0.001496164, "b": 0.043308143})
    assert TEST.against("c", correction=None) == pytest.approx({"a": 0.001496164, "b": 0.043308143})


def test_conover_compares_all_pairs() -> None:
    pytest.importorskip("scikit_posthocs")
    raw, adjusted = TEST.conover(correction=None), TEST.conover()
    np.testing.assert_array_equal(adjusted, adjusted.T)
    # Three pairs: Holm multiplies the p-values by 3, 2 and 1 in their order.
    assert adjusted[np.triu_indices(3, 1)] == pytest.approx(raw[np.triu_indices(3, 1)] * [1, 3, 2])
    assert oe.comparison.friedman([[3, 2, 1]] * 4).conover()[0, 1] == 0
    assert np.isnan(oe.comparison.friedman(np.ones((4, 3))).conover()[0, 1])


@pytest.mark.parametrize(("method", "options"), [("conover", {}), ("against", {"control": "a"})])
def test_comparing_pairs_says_which_extra_it_needs(
    method: str, options: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "scikit_posthocs", None)
    with pytest.raises(MissingExtraError, match=r"scikit_posthocs.*ontoeval-metrics\[study\]"):
        getattr(TEST, method)(**options)


@pytest.mark.parametrize(("method", "options"), [("conover", {}), ("against", {"control": "a"})])
def test_an_unknown_correction_is_an_error(method: str, options: Any) -> None:
    with pytest.raises(ParameterError, match=r"correction='x'.*None, 'holm'"):
        getattr(TEST, method)(**options, correction="x")


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: TEST.against("d"), ParameterError, "control='d'.*'a', 'b', 'c'"),
        (lambda: oe.comparison.friedman(SCORES, best="max"), ParameterError, "best='max'.*'highest'"),  # type: ignore[arg-type]
        (lambda: oe.comparison.friedman(SCORES, alpha=5), ParameterError, "alpha=5.*below 1"),
        (lambda: oe.comparison.friedman([[1, 2]] * 5), InputError, "2 runs.*needs 3"),
        (lambda: oe.comparison.friedman([[1, 2, 3]]), InputError, "1 data sets on which all.*needs 2"),
        (lambda: oe.comparison.friedman([[1.0, 2, 3], [1.0, NAN, 3]]), InputError, "every run: '1'.*needs 2"),
        (lambda: oe.comparison.friedman({}), InputError, "0 runs"),
        (lambda: oe.comparison.friedman([1, 2, 3]), InputError, r"shape \(3,\).*one row per data set"),
        (lambda: oe.comparison.friedman([["a"] * 3] * 2), InputError, "no array of numbers"),
        (
            lambda: oe.comparison.friedman(SCORES, runs=["a", "b"]),
            InputError,
            "6 rows of 3 scores, but 6 data sets and 2 runs",
        ),
        (lambda: oe.comparison.friedman(SCORES, runs=["a", "b", "a"]), InputError, "more than one run: 'a'"),
        (
            lambda: oe.comparison.friedman(SCORES, data_sets=["x"] * 6),
            InputError,
            "more than one data set: 'x'",
        ),
        (
            lambda: oe.comparison.friedman({"x": {"a": 1}}, data_sets=["y"]),
            InputError,
            "no scores on 'y'.*on 'x'",
        ),
    ],
)
def test_what_cannot_be_tested_is_an_error(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
