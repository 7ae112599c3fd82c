"""Bootstrap intervals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy
from scipy import stats

import ontoeval as oe
from ontoeval.core.resampling import interval, logit_interval
from ontoeval.errors import ParameterError

SCIPY = tuple(map(int, scipy.__version__.split(".")[:2]))


@pytest.mark.parametrize("statistic", [np.mean, np.median, lambda x, axis=-1: np.var(x, axis=axis)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_percentiles_are_those_of_scipy(statistic, level):
    sample = np.random.default_rng(3).exponential(size=37)
    seeded: Any = {"rng" if SCIPY >= (1, 15) else "random_state": 1}
    found = stats.bootstrap(
        (sample,), statistic, confidence_level=level, method="percentile", n_resamples=499, **seeded
    )
    replicates = np.asarray(found.bootstrap_distribution)[:, None]
    bounds = interval(replicates, np.array([statistic(sample)]), level=level)
    assert (bounds.low[0], bounds.high[0]) == pytest.approx(tuple(found.confidence_interval), abs=1e-9)


def test_an_interval_is_the_logit_of_the_score_minus_its_bias_and_t_jackknife_errors():
    rng = np.random.default_rng(1)
    truth, prediction = rng.random((12, 5)) < 0.5, rng.random((12, 5)) < 0.6
    measures = ["F", "F(average='macro')", "Jaccard"]
    found = oe.compare(truth, {"run": prediction}, measures=measures, baselines=())
    for column, measure in enumerate(measures):
        sides = ((np.delete(truth, at, 0), np.delete(prediction, at, 0)) for at in range(12))
        without = [oe.evaluate(*side, measures=measure)[measure] for side in sides]
        error = np.sqrt(11 / 12 * ((np.array(without) - np.mean(without)) ** 2).sum())
        middle = 2 * found.scores[0, column] - found.replicates[:, 0, column].mean()
        far = stats.t.ppf(0.975, 11) * error / (middle * (1 - middle))
        odds = middle / (1 - middle) * np.exp([-far, far])
        shown = found.low[0, column], found.high[0, column]
        assert shown == pytest.approx(tuple(odds / (1 + odds)))


def ends(score, drawn, error=np.nan, bounds=(0.0, 1.0), units=20):
    """Bounds of the interval of one score."""
    given = np.array([score]), np.array(drawn, dtype=float)[:, None], np.array([error]), [bounds]
    low, high = logit_interval(*given, units=units, level=0.95)
    return float(low[0]), float(high[0])


def test_without_bounds_or_error_an_interval_is_plain_or_of_the_resamples():
    drawn = np.random.default_rng(0).normal(5.2, 1, 1000)
    t = stats.t.ppf(0.975, 19)
    plain = 2 * 5 - drawn.mean()
    assert ends(5, drawn, 0.5, (-np.inf, np.inf)) == pytest.approx((plain - t * 0.5, plain + t * 0.5))
    spread = drawn.std(ddof=1)
    assert ends(5, drawn, bounds=(-np.inf, np.inf)) == pytest.approx((plain - t * spread, plain + t * spread))
    low, high = ends(1, np.full(50, 1.5), 2, (0, np.inf))
    assert (low, high) == (0, pytest.approx(0.5 + t * 2))


def test_other_bounds_are_those_of_the_logit():
    drawn = np.random.default_rng(0).normal(0.8, 0.05, 100)
    half = ends(0.3, drawn / 2, 0.04, (0, 0.5))
    assert half == pytest.approx(tuple(np.array(ends(0.6, drawn, 0.08)) / 2))


@pytest.mark.parametrize("score", [0.0, 0.02, 0.5, 0.999, 1.0])
@pytest.mark.parametrize("bias", [-0.4, 0.0, 0.4])
@pytest.mark.parametrize("error", [0.0, 1e-13, 0.01, 0.3])
def test_an_interval_holds_its_score_and_stays_within_the_bounds(score, bias, error):
    low, high = ends(score, [score + bias] * 9, error)
    assert 0 <= low <= score <= high <= 1
    assert (low == high) == (error < 1e-12) or score in {0, 1}


def test_one_unit_has_no_interval():
    assert np.isnan(ends(0.5, [0.5, 0.5], 0.1, units=1)).all()


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_a_constant_score_has_an_interval_of_no_width(method):
    bounds = interval(np.full((50, 1), 0.25), np.array([0.25]), method=method)
    assert (bounds.low[0], bounds.high[0]) == (0.25, 0.25)


@pytest.mark.parametrize("level", [0, 1, 95, float("nan")])
def test_a_level_that_is_no_share_is_refused(level):
    with pytest.raises(ParameterError, match="level="):
        interval(np.zeros((3, 1)), np.zeros(1), level=level)


def test_what_rounding_splits_is_tied():
    rng = np.random.default_rng(0)
    replicates = rng.integers(0, 9, (500, 1)) / 8
    split = replicates + rng.choice([-1e-16, 0, 1e-16], replicates.shape)
    score = np.array([0.5])
    exact, rounded = (interval(drawn, score, method="bca") for drawn in (replicates, split))
    assert np.concatenate(rounded) == pytest.approx(np.concatenate(exact), abs=1e-12)
