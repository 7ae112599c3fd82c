"""Comparisons of two rankings: published values, and what has no value."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.comparison.rank_correlation import rbo, tau_ap_b, tau_b
from ontoeval.core import rankings
from ontoeval.errors import InputError, ParameterError

# Three rankings of ten runs and their published values, from the tests of the R package ircor.
X = [
    [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
    [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
    [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
]
Y = [
    [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
    [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
    [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
]
TIED_X = [
    [0.9, 0.4, 0.9, 0.9, 0.7, 0.1, 0.2, 0.4, 0.5, 1],
    [0.3, 0.6, 0.2, 0.9, 0.6, 0.2, 0.7, 0.8, 0.7, 0.4],
    [0.2, 0.6, 0.9, 0.1, 0.5, 0.6, 0.8, 0.4, 1, 0.4],
]
TIED_Y = [
    [0.8, 0.4, 0.8, 1, 0.7, 0.1, 0.4, 0.5, 0.6, 1],
    [0.3, 0.8, 0.7, 0.9, 0.1, 0.1, 0.5, 0.6, 1, 0.6],
    [0.8, 0.3, 0.3, 0.9, 0.6, 0.3, 0.2, 0.9, 0, 0.2],
]
NAN = np.nan


@pytest.mark.parametrize(
    ("correlation", "sides", "expected"),
    [
        (tau_ap_b, (X, Y), [0.8333, 0.2880, -0.668]),
        (tau_ap_b, (TIED_X, TIED_Y), [0.7321, 0.297, -0.7047]),
        (tau_ap_b, (TIED_Y, TIED_X), [0.7321, 0.297, -0.7047]),
        (tau_b, (X, Y), [0.9111, 0.2889, -0.6889]),
        (tau_b, (TIED_X, TIED_Y), [0.9398, 0.3765, -0.6510]),
    ],
)
def test_published_values_of_kendall_and_ap_correlation(correlation: Any, sides: Any, expected: Any) -> None:
    assert correlation(*sides) == pytest.approx(expected, abs=5e-5)


@pytest.mark.parametrize("correlation", oe.comparison.CORRELATIONS.values())
@pytest.mark.parametrize("scores", [[], [NAN, NAN, NAN]])
def test_no_run_at_all_has_no_value(correlation: Any, scores: list[float]) -> None:
    assert np.isnan(correlation(scores, scores))


def test_blocks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    scores = np.random.default_rng(0).normal(size=(2, 7, 9))
    whole = {name: correlation(*scores) for name, correlation in oe.comparison.CORRELATIONS.items()}
    monkeypatch.setattr(rankings, "BLOCK", 100)
    for name, correlation in oe.comparison.CORRELATIONS.items():
        np.testing.assert_array_equal(correlation(*scores), whole[name])


def test_runs_that_pandas_names_in_different_orders_are_not_compared() -> None:
    pandas = pytest.importorskip("pandas")
    first = pandas.Series([0.9, 0.8, 0.7], index=["a", "b", "c"])
    second = pandas.Series([0.7, 0.8, 0.9], index=["c", "b", "a"])
    with pytest.raises(InputError, match=r"in another order: 'a', 'b', 'c'; and 'c', 'b', 'a'\. Put both"):
        tau_b(first, second)
    assert tau_b(first, second.reindex(first.index)) == tau_b(first, first.to_numpy()) == 1
    with pytest.raises(InputError, match="in another order"):
        tau_b(first, second.to_frame().T)


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: rbo([1, 1], [1, 2], p=1), ParameterError, r"p=1.*below 1"),
        (lambda: rbo([1, 1], [1, 2], p="x"), ParameterError, r"p='x'"),  # type: ignore[arg-type]
        (lambda: tau_b([1, 2], [1, 2, 3]), InputError, r"\(2,\) and \(3,\).*one score per run"),
        (lambda: tau_b(1, 2), InputError, r"one score per run"),
        (lambda: tau_b([[1, 2]] * 2, [[1, 2]] * 3), InputError, r"\(2, 2\) and \(3, 2\).*axes before"),
        (lambda: tau_b(["a", "b"], [1, 2]), InputError, r"no array of numbers"),
        (lambda: oe.comparison.correlation_matrix([1, 2]), InputError, r"one measure only.*runs × measures"),
        (
            lambda: oe.comparison.correlation_matrix([[1, 2]], method="tau"),
            ParameterError,
            r"method='tau'.*'tau_b'",
        ),
    ],
)
def test_what_cannot_be_compared_is_an_error(call: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()
