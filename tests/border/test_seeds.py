"""Seeds of one system, and folds."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.comparison import corrected_t_test, scores_of_systems
from ontoeval.errors import InputError, ParameterError

RNG = np.random.default_rng(3)
TRUTH = RNG.random((40, 4)) < 0.4
RUNS = {f"{name}{seed}": TRUTH ^ (RNG.random((40, 4)) < 0.2) for name in "ab" for seed in range(3)}
SYSTEMS = {run: run[0] for run in RUNS}
HOW: dict[str, Any] = {"measures": ["F", "Jaccard"], "baselines": (), "test": "none"}


def test_means_and_spreads_are_over_the_seeds_of_a_system() -> None:
    compared = oe.compare(TRUTH, RUNS, **HOW)
    table = scores_of_systems(compared, SYSTEMS)
    assert [row[:3] for row in table.rows] == [(one, key, 3) for one in "ab" for key in ("F", "Jaccard")]
    rows: Any = table.rows
    for row in rows:
        own = [run for run in RUNS if run[0] == row[0]]
        scores = [compared.evaluations[run][row[1]] for run in own]
        assert row[3:5] == pytest.approx((np.mean(scores), np.std(scores, ddof=1)))
        assert row[5] < row[3] < row[6]
    assert table.rows == scores_of_systems(compared, SYSTEMS).rows
    assert len(scores_of_systems(compared, {"b2": "b"}).rows) == 2


@pytest.mark.parametrize("seeds", [1, 3])
def test_seeds_that_predict_the_same_have_the_interval_of_their_run(seeds: int) -> None:
    runs = {f"run-{seed}": RUNS["a0"] for seed in range(seeds)}
    compared = oe.compare(TRUTH, runs, group=[at % 12 for at in range(40)], **HOW)
    table = scores_of_systems(compared, dict.fromkeys(runs, "one"))
    bounds = np.array([row[5:7] for row in table.rows], dtype=np.float64)
    assert bounds == pytest.approx(np.stack([compared.low[0], compared.high[0]], axis=1), abs=0.02)
    few = "Fewer than 3 seeds, so that intervals are too narrow: 'one'."
    assert (few in table.notes) == (seeds < 3)


def test_without_a_spread_of_samples_the_interval_is_that_of_means_of_one_seed_less() -> None:
    # All samples are alike: P is 1, 1/2, 1/3 and 1/4 in every resample.
    truth = [["a"]] * 30
    runs = {str(more): [["a", *"bcd"[:more]]] * 30 for more in range(4)}
    compared = oe.compare(truth, runs, measures="P", baselines=(), test="none", resamples=8000, level=0.8)
    row = scores_of_systems(compared, dict.fromkeys(runs, "one")).rows[0]
    error = np.std([np.mean(some) for some in product([1, 1 / 2, 1 / 3, 1 / 4], repeat=3)])
    mean = np.mean([1, 1 / 2, 1 / 3, 1 / 4])
    far = 1.311 * error / (mean * (1 - mean))  # t of 30 samples
    odds = mean / (1 - mean) * np.exp([-far, far])
    assert row[5:7] == pytest.approx(odds / (1 + odds), abs=0.005)


@pytest.mark.parametrize(
    ("systems", "message"),
    [
        ({}, "no run is named"),
        ({"c9": "c"}, "runs that were not compared: 'c9'"),
        (["a0"], "systems=.*a mapping from names"),
    ],
)
def test_systems_that_cannot_be_are_refused(systems: Any, message: str) -> None:
    compared = oe.compare(TRUTH, RUNS, resamples=20, **HOW)
    with pytest.raises((InputError, ParameterError), match=message):
        scores_of_systems(compared, systems)


def test_the_corrected_test_scales_the_paired_one() -> None:
    stats = pytest.importorskip("scipy.stats")
    first, second = RNG.random((2, 10))
    plain = stats.ttest_rel(first, second)
    statistic = plain.statistic / np.sqrt(1 + 10 * 100 / 900)
    expected = 2 * stats.t.sf(abs(statistic), 9)
    assert corrected_t_test(first, second, train=900, test=100) == pytest.approx(expected)
    assert expected > plain.pvalue


def test_folds_without_a_spread_have_no_p_value() -> None:
    assert np.isnan(corrected_t_test([0.5, 0.6], [0.4, 0.5], train=8, test=2))


@pytest.mark.parametrize(
    ("scores", "sizes"),
    [
        (([0.5], [0.4]), (8, 2)),
        (([0.5, 0.6], [0.4]), (8, 2)),
        (([0.5, float("nan")], [0.4, 0.5]), (8, 2)),
        (([0.5, 0.6], [0.4, 0.2]), (0, 2)),
        (([0.5, 0.6], [0.4, 0.2]), (8, 0.2)),
    ],
)
def test_folds_that_cannot_be_tested_are_refused(scores: Any, sizes: Any) -> None:
    with pytest.raises((InputError, ParameterError)):
        corrected_t_test(*scores, train=sizes[0], test=sizes[1])
