"""Rank correlations and tests over data sets beside those of scipy and scikit-posthocs, with ties."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

import ontoeval as oe

PEERS: dict[str, Callable[[Any, Any], Any]] = {
    "tau_b": lambda x, y: stats.kendalltau(x, y).statistic,
    "spearman": lambda x, y: stats.spearmanr(x, y).statistic,
    "weighted_tau": lambda x, y: stats.weightedtau(x, y).statistic,
}


@pytest.mark.parametrize("name", PEERS)
@pytest.mark.parametrize("runs", [2, 5, 30])
@pytest.mark.parametrize("levels", [2, 6, 1000])
def test_correlations_are_those_of_scipy(name: str, runs: int, levels: int) -> None:
    x, y = np.random.default_rng(runs + levels).integers(0, levels, size=(2, 40, runs)).astype(float)
    # scipy warns of constant scores, which have no value here; other tests see to them.
    ranked = (np.ptp(x, axis=1) > 0) & (np.ptp(y, axis=1) > 0)
    x, y = x[ranked], y[ranked]
    expected = [PEERS[name](*pair) for pair in zip(x, y, strict=True)]
    np.testing.assert_allclose(oe.comparison.CORRELATIONS[name](x, y), expected, atol=1e-12)


@st.composite
def tables(draw: st.DrawFn) -> np.ndarray:
    """Scores with ties, data sets × runs, where not all tie on all."""
    runs, data_sets = draw(st.integers(3, 6)), draw(st.integers(2, 9))
    size = runs * data_sets
    scores = np.array([byte % 5 for byte in draw(st.binary(min_size=size, max_size=size))])
    scores = scores.reshape(data_sets, runs)
    assume((np.ptp(scores, axis=1) > 0).any())
    return scores


@given(scores=tables())
def test_the_test_of_friedman_is_that_of_scipy(scores: np.ndarray) -> None:
    test = oe.comparison.friedman(scores)
    assert (test.chi2, test.p) == pytest.approx(stats.friedmanchisquare(*scores.T))


@settings(max_examples=15)  # scikit-posthocs takes its time
@given(scores=tables())
def test_the_tests_of_nemenyi_and_conover_are_those_of_scikit_posthocs(scores: np.ndarray) -> None:
    posthocs = pytest.importorskip("scikit_posthocs")
    test = oe.comparison.friedman(scores)
    np.testing.assert_allclose(test.p_values, posthocs.posthoc_nemenyi_friedman(scores), atol=1e-10)
    with np.errstate(all="ignore"):
        expected = posthocs.posthoc_conover_friedman(scores, p_adjust="holm")
    np.testing.assert_allclose(test.conover(), expected, atol=1e-10)
    single = posthocs.posthoc_siegel_friedman(scores).to_numpy()[0, 1:]
    np.testing.assert_allclose(list(test.against("0", correction=None).values()), single, atol=1e-10)
