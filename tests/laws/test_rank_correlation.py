"""What holds for comparisons of two rankings."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.comparison.rank_correlation import DISTANCES, rbo, tau_ap_b
from tests.oracles import rank_correlation as oracle

SIGNED = frozenset(oe.comparison.CORRELATIONS) - DISTANCES - {"rbo"}
named = pytest.mark.parametrize("name", oe.comparison.CORRELATIONS)


@st.composite
def pairs(draw: st.DrawFn, *, ties: bool = True, least: int = 2, most: int = 8) -> tuple[Any, Any]:
    """Scores of the same runs by two measures."""
    runs = draw(st.integers(least, most))
    scores = st.lists(st.integers(0, 4 if ties else 50), min_size=runs, max_size=runs, unique=not ties)
    return tuple(np.array(draw(scores), dtype=float) for _ in range(2))  # type: ignore[return-value]


@named
@given(data=st.data())
def test_values_keep_their_bounds(name: str, data: st.DataObject) -> None:
    value = oe.comparison.CORRELATIONS[name](*data.draw(pairs()))
    assert np.isnan(value) or (-1 if name in SIGNED else 0) <= value <= 1


@named
@given(data=st.data())
def test_a_ranking_agrees_with_itself(name: str, data: st.DataObject) -> None:
    scores, _ = data.draw(pairs(ties=name in SIGNED))
    assume(np.ptp(scores) > 0)
    assert oe.comparison.CORRELATIONS[name](scores, scores) == pytest.approx(0 if name in DISTANCES else 1)


@pytest.mark.parametrize("name", sorted(SIGNED))
@given(scores=pairs(ties=False))
def test_the_reverse_disagrees_wholly(name: str, scores: Any) -> None:
    assert oe.comparison.CORRELATIONS[name](scores[0], -scores[0]) == pytest.approx(-1)


@named
@given(data=st.data())
def test_only_the_order_of_the_scores_counts(name: str, data: st.DataObject) -> None:
    x, y = data.draw(pairs())
    np.testing.assert_array_equal(
        oe.comparison.CORRELATIONS[name](x, y), oe.comparison.CORRELATIONS[name](np.exp(x / 9), 3 * y - 7)
    )


@named
@given(data=st.data())
def test_the_order_of_the_runs_does_not_count(name: str, data: st.DataObject) -> None:
    x, y = data.draw(pairs())
    order = np.array(data.draw(st.permutations(range(len(x)))))
    assert oe.comparison.CORRELATIONS[name](x[order], y[order]) == pytest.approx(
        oe.comparison.CORRELATIONS[name](x, y), nan_ok=True
    )


@named
@given(scores=pairs())
def test_it_does_not_matter_which_ranking_comes_first(name: str, scores: Any) -> None:
    x, y = scores
    assert oe.comparison.CORRELATIONS[name](x, y) == pytest.approx(
        oe.comparison.CORRELATIONS[name](y, x), nan_ok=True
    )


@named
@given(data=st.data())
def test_a_run_that_both_leave_undefined_is_left_out(name: str, data: st.DataObject) -> None:
    x, y = data.draw(pairs())
    place = data.draw(st.integers(0, len(x)))
    with_gap = [np.insert(scores, place, np.nan) for scores in (x, y)]
    assert oe.comparison.CORRELATIONS[name](*with_gap) == pytest.approx(
        oe.comparison.CORRELATIONS[name](x, y), nan_ok=True
    )


@pytest.mark.parametrize("name", sorted(set(oe.comparison.CORRELATIONS) - {"rbo"}))
@given(data=st.data())
def test_a_run_that_one_leaves_undefined_is_left_out(name: str, data: st.DataObject) -> None:
    x, y = data.draw(pairs())
    place = data.draw(st.integers(0, len(x)))
    with_gap = np.insert(x, place, np.nan), np.insert(y, place, 2.5)
    assert oe.comparison.CORRELATIONS[name](*with_gap) == pytest.approx(
        oe.comparison.CORRELATIONS[name](x, y), nan_ok=True
    )


@named
@given(data=st.data())
def test_many_comparisons_at_once_are_the_same_as_one_after_the_other(name: str, data: st.DataObject) -> None:
    strategy = pairs(least=4, most=4)
    drawn = [data.draw(strategy) for _ in range(data.draw(st.integers(1, 4)))]
    x, y = (np.stack(side) for side in zip(*drawn, strict=True))
    singly = [oe.comparison.CORRELATIONS[name](*pair) for pair in drawn]
    np.testing.assert_array_equal(oe.comparison.CORRELATIONS[name](x, y), singly)
    across = oe.comparison.CORRELATIONS[name](x[:, None], y)
    assert across.shape == (len(drawn), len(drawn))
    np.testing.assert_array_equal(np.diagonal(across), singly)


@named
@given(data=st.data())
def test_a_matrix_holds_each_comparison(name: str, data: st.DataObject) -> None:
    columns = [side for _ in range(2) for side in data.draw(pairs(least=5, most=5))]
    matrix = oe.comparison.correlation_matrix(np.stack(columns, axis=-1), method=name)
    for row, column in product(range(4), repeat=2):
        np.testing.assert_array_equal(
            matrix[row, column], oe.comparison.CORRELATIONS[name](columns[row], columns[column])
        )


@given(scores=pairs(ties=False))
def test_ap_correlation_b_without_ties_is_the_mean_of_both_directions(scores: Any) -> None:
    x, y = scores
    assert tau_ap_b(x, y) == pytest.approx((oracle.tau_ap(x, y) + oracle.tau_ap(y, x)) / 2)


@given(scores=pairs())
def test_ap_correlation_with_ties_is_that_of_its_paper(scores: Any) -> None:
    assert tau_ap_b(*scores) == pytest.approx(oracle.tau_ap_b(*scores), nan_ok=True)


@given(
    lists=st.tuples(*[st.lists(st.sampled_from("abcdefgh"), min_size=1, unique=True)] * 2),
    p=st.floats(0.05, 0.99),
)
def test_overlap_of_rankings_of_different_runs_is_that_of_its_paper(lists: Any, p: float) -> None:
    first, second = (
        [-members.index(run) if run in members else np.nan for run in "abcdefgh"] for members in lists
    )
    assert rbo(first, second, p=p) == pytest.approx(oracle.rbo(lists[0], lists[1], p))


@given(scores=pairs())
def test_overlap_corrected_for_ties_is_that_of_its_paper(scores: Any) -> None:
    x, y = scores
    assert rbo(x, y) == pytest.approx(oracle.rbo_b(x, y, 0.9))
