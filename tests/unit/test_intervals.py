"""Bootstrap intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy
from scipy import stats

import ontoeval as oe
from ontoeval.comparison.replication import RunRows, jackknife_moments
from ontoeval.core.resampling import interval
from ontoeval.errors import ParameterError

SCIPY = tuple(map(int, scipy.__version__.split(".")[:2]))


def moments_of(sample, statistic):
    """What `jackknife_moments` gives, from the definition."""
    away = np.array([statistic(np.delete(sample, which)) for which in range(len(sample))]) - statistic(sample)
    return np.array([[len(sample)], [away.sum()], [(away**2).sum()], [(away**3).sum()]])


@pytest.mark.parametrize("statistic", [np.mean, np.median, lambda x, axis=-1: np.var(x, axis=axis)])
@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_they_are_those_of_scipy(statistic, level, method):
    sample = np.random.default_rng(3).exponential(size=37)
    seeded: Any = {"rng" if SCIPY >= (1, 15) else "random_state": 1}
    found = stats.bootstrap(
        (sample,), statistic, confidence_level=level, method=method, n_resamples=499, **seeded
    )
    replicates = np.asarray(found.bootstrap_distribution)[:, None]
    bounds = interval(
        replicates,
        np.array([statistic(sample)]),
        moments_of(sample, statistic),
        level=level,
        method=method,
    )
    assert (bounds.low[0], bounds.high[0]) == pytest.approx(tuple(found.confidence_interval), abs=1e-9)


def test_the_jackknife_leaves_out_one_sample_after_the_other():
    rng = np.random.default_rng(1)
    truth, prediction = rng.random((12, 5)) < 0.5, rng.random((12, 5)) < 0.5
    measures = ["F", "F(average='macro')", "Jaccard"]
    evaluation = oe.evaluate(truth, prediction, measures=measures)
    rows = RunRows.from_evaluation(evaluation)
    moments = jackknife_moments(rows)
    for column, measure in enumerate(measures):
        away = np.array(
            [
                oe.evaluate(np.delete(truth, at, 0), np.delete(prediction, at, 0), measures=measure)[measure]
                - evaluation[measure]
                for at in range(12)
            ]
        )
        assert moments[:, column] == pytest.approx([12, away.sum(), (away**2).sum(), (away**3).sum()])


def test_undefined_resamples_are_left_out_and_an_undefined_score_has_no_interval():
    replicates = np.array([[0.0, np.nan, 0.5], [1.0, 0.5, 0.5], [np.nan, np.nan, 0.5], [0.5, np.nan, 0.5]])
    bounds = interval(replicates, np.array([0.5, 0.5, np.nan]), level=0.5)
    assert bounds.low[0] == 0.25
    assert bounds.high[0] == 0.75
    assert np.isnan([bounds.low[1], bounds.high[1], bounds.low[2], bounds.high[2]]).all()


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_a_constant_score_has_an_interval_of_no_width(method):
    bounds = interval(
        np.full((50, 1), 0.25), np.array([0.25]), np.array([[9.0], [0], [0], [0]]), method=method
    )
    assert (bounds.low[0], bounds.high[0]) == (0.25, 0.25)


def test_bca_stays_within_the_resamples_where_all_lie_on_one_side():
    replicates = np.linspace(0.2, 0.4, 100)[:, None]
    bounds = interval(replicates, np.array([0.5]), method="bca")
    assert 0.2 <= bounds.low[0] <= bounds.high[0] <= 0.4


def test_infinite_scores_of_resamples_lie_at_the_ends():
    replicates = np.concatenate([np.full(30, -np.inf), np.linspace(0, 1, 70)])[:, None]
    for method in ("percentile", "bca"):
        bounds = interval(replicates, np.array([0.5]), method=method)
        assert bounds.low[0] == -np.inf
        assert 0.9 < bounds.high[0] <= 1


@pytest.mark.parametrize("level", [0, 1, 95, float("nan")])
def test_a_level_that_is_no_share_is_refused(level):
    with pytest.raises(ParameterError, match="level="):
        interval(np.zeros((3, 1)), np.zeros(1), level=level)


def test_an_unknown_method_is_refused():
    with pytest.raises(ParameterError, match="interval='basic'"):
        interval(np.zeros((3, 1)), np.zeros(1), method="basic")  # type: ignore[arg-type]


def test_what_rounding_splits_is_tied():
    rng = np.random.default_rng(0)
    replicates = rng.integers(0, 9, (500, 1)) / 8
    split = replicates + rng.choice([-1e-16, 0, 1e-16], replicates.shape)
    score = np.array([0.5])
    exact, rounded = (interval(drawn, score, method="bca") for drawn in (replicates, split))
    assert np.concatenate(rounded) == pytest.approx(np.concatenate(exact), abs=1e-12)
