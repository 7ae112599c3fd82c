"""Rank correlations beside those of scipy, with ties."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
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
