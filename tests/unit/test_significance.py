"""Tests of pairs of runs."""

from __future__ import annotations

from itertools import permutations, product

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.comparison.replication import RunRows, replicates
from ontoeval.comparison.significance import bootstrap_test, holm, randomisation, tukey
from ontoeval.core.resampling import Orders, Portion, Swaps

MEASURES = ("F", "F(average='macro', undefined=0.0)", "Jaccard", "Hamming")


def three_runs(samples=5, seed=0):
    rng = np.random.default_rng(seed)
    truth = rng.random((samples, 4)) < 0.5
    runs = [truth ^ (rng.random(truth.shape) < share) for share in (0.1, 0.3, 0.5)]
    return truth, runs


weighted = pytest.mark.parametrize("weights", [None, (0.5, 2, 1, 0.1, 3)])


def rows_of(truth, runs, measures=MEASURES, weights=None):
    given = None if weights is None else weights[: len(truth)]
    evaluations = [oe.evaluate(truth, run, measures=measures, sample_weight=given) for run in runs]
    return [RunRows.from_evaluation(one) for one in evaluations]


def scores(truth, run, weights=None):
    given = None if weights is None else weights[: len(truth)]
    return np.array(list(oe.evaluate(truth, run, measures=MEASURES, sample_weight=given).scores.values()))


@weighted
def test_randomisation_comes_close_to_all_exchanges(weights):
    truth, runs = three_runs()
    found = randomisation(rows_of(truth, runs, weights=weights), Swaps(resamples=5000))
    for a, b in ((0, 1), (0, 2), (1, 2)):
        observed = np.abs(scores(truth, runs[a], weights) - scores(truth, runs[b], weights))
        beyond = np.zeros(len(MEASURES))
        for swaps in product([False, True], repeat=len(truth)):
            mask = np.array(swaps)[:, None]
            one, other = np.where(mask, runs[b], runs[a]), np.where(mask, runs[a], runs[b])
            difference = scores(truth, one, weights) - scores(truth, other, weights)
            beyond += np.abs(difference) >= observed - 1e-12
        assert found[:, a, b] == pytest.approx(beyond / 2 ** len(truth), abs=0.03)
        assert (found[:, a, b] == found[:, b, a]).all()


@pytest.mark.no_cover
@weighted
def test_tukey_comes_close_to_all_orders(weights):
    truth, runs = three_runs(samples=3)
    found = tukey(rows_of(truth, runs, weights=weights), Orders(resamples=5000, runs=3))
    whole = np.array([scores(truth, run, weights) for run in runs])
    beyond = np.zeros((3, 3, len(MEASURES)))
    every = list(product(permutations(range(3)), repeat=len(truth)))
    stacked = np.stack(runs)
    for orders in every:
        moved = stacked[np.array(orders).T, np.arange(len(truth))]
        exchanged = np.array([scores(truth, run, weights) for run in moved])
        span = exchanged.max(axis=0) - exchanged.min(axis=0)
        beyond += span >= np.abs(whole[:, None] - whole[None, :]) - 1e-12
    for a, b in ((0, 1), (0, 2), (1, 2)):
        assert found[:, a, b] == pytest.approx(beyond[a, b] / len(every), abs=0.03)


@pytest.mark.parametrize(("concepts", "labelled"), [(100, 0.2), (500, 0.001)], ids=["dense", "sparse"])
def test_tukey_scores_the_runs_as_the_orders_exchange_them(concepts, labelled):
    rng, orders = np.random.default_rng(0), Orders(resamples=9, runs=3)
    truth = rng.random((400, concepts)) < labelled
    runs = [truth ^ (rng.random(truth.shape) < labelled * share) for share in (0.3, 0.3, 0.3)]
    found = tukey(rows_of(truth, runs), orders)
    whole, stacked = np.array([scores(truth, run) for run in runs]), np.stack(runs)
    beyond = np.zeros((3, 3, len(MEASURES)))
    for drawn in orders.draw(0, 9, Portion(0, 400, list(map(str, range(400))))):
        exchanged = np.array([scores(truth, run) for run in stacked[drawn.argsort(axis=1).T, np.arange(400)]])
        span = exchanged.max(axis=0) - exchanged.min(axis=0)
        beyond += span >= np.abs(whole[:, None] - whole) - 1e-12
    for a, b in ((0, 1), (0, 2), (1, 2)):
        assert found[:, a, b].tolist() == ((1 + beyond[a, b]) / 10).tolist()
    assert beyond.any()
    assert (beyond < 9).any()


def test_with_two_runs_tukey_is_the_randomisation_test():
    truth, runs = three_runs(samples=30)
    rows = rows_of(truth, runs[:2])
    single = randomisation(rows, Swaps(resamples=4000))
    honest = tukey(rows, Orders(resamples=4000, runs=2))
    assert honest[:, 0, 1] == pytest.approx(single[:, 0, 1], abs=0.03)


def test_the_bootstrap_test_is_the_studentised_one_for_means():
    truth, runs = three_runs(samples=40, seed=2)
    bootstrap = oe.core.Bootstrap(resamples=2000)
    rows = rows_of(truth, runs)
    whole = np.array([scores(truth, run) for run in runs])
    found = bootstrap_test(rows, whole, replicates(rows, bootstrap), bootstrap)
    values = [oe.evaluate(truth, run, measures="Jaccard").per_sample("Jaccard") for run in runs]
    difference = values[0] - values[1]
    shifted = difference - difference.mean()
    rng = np.random.default_rng(9)
    again = shifted[rng.integers(0, 40, (4000, 40))]
    t = np.abs(again.mean(axis=1) / again.std(axis=1))
    expected = (t >= np.abs(difference.mean() / difference.std())).mean()
    assert found[2, 0, 1] == pytest.approx(expected, abs=0.03)
    # A difference of whole statistics is shifted.
    drawn = replicates(rows, bootstrap)[:, :2, 0]
    observed = whole[0, 0] - whole[1, 0]
    moved = np.abs(drawn[:, 0] - drawn[:, 1] - observed) >= abs(observed)
    assert found[0, 0, 1] == pytest.approx((1 + moved.sum()) / 2001)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_no_p_value_is_ever_zero(test):
    truth = np.eye(40, 5, dtype=bool) | (np.arange(40)[:, None] % 5 == np.arange(5))
    found = oe.compare(
        truth,
        {"right": truth, "wrong": ~truth},
        measures=["F", "Jaccard"],
        test=test,
        correction="none",
        resamples=100,
    )
    assert found.p_values[:, 0, 1] == pytest.approx(1 / 101)


@pytest.mark.parametrize("test", ["randomisation", "bootstrap"])
def test_equal_runs_have_a_p_value_of_one(test):
    truth, (run, *_) = three_runs(samples=20)
    found = oe.compare(
        truth,
        {"a": run, "b": run},
        measures=MEASURES,
        baselines=(),
        test=test,
        correction="holm",
        resamples=100,
    )
    assert (found.adjusted[:, 0, 1] == 1).all()
    assert found.duplicates == (("a", "b"),)
    assert found.groups("F") == ("a", "a")


def test_holm_adjusts_as_statsmodels_does():
    multitest = pytest.importorskip("statsmodels.stats.multitest")
    rng = np.random.default_rng(4)
    p = np.full((3, 5, 5), np.nan)
    upper = np.triu_indices(5, 1)
    for table in p:
        table[upper] = rng.random(10) ** 3
        table.T[upper] = table[upper]
    for table, adjusted in zip(p, holm(p), strict=True):
        assert adjusted[upper] == pytest.approx(multitest.multipletests(table[upper], method="holm")[1])
        assert (adjusted[upper] == adjusted.T[upper]).all()


def test_holm_leaves_out_what_is_undefined():
    p = np.array([[[np.nan, 0.02, np.nan], [0.02, np.nan, 0.5], [np.nan, 0.5, np.nan]]])
    adjusted = holm(p)[0]
    assert adjusted[0, 1] == pytest.approx(0.04)
    assert np.isnan(adjusted[0, 2])


def test_what_is_undefined_once_runs_are_exchanged_makes_no_difference_significant():
    truth = [["a"], ["b"]] * 6
    runs = {"x": [["a"], []] * 6, "y": [[], ["b"]] * 6}
    strict = "P(average='macro', undefined=None)"
    found = oe.compare(truth, runs, measures=["P", strict], resamples=50, correction="none")
    assert (found.p_values[:, 0, 1] > 0.9).all()


def test_long_data_are_tested_portion_by_portion(monkeypatch):
    truth, runs = three_runs(samples=60)
    whole = rows_of(truth, runs)
    monkeypatch.setattr("ontoeval.comparison.replication.AT_ONCE", 25)
    parts = rows_of(truth, runs)
    assert [len(one.portions) for one in (whole[0], parts[0])] == [1, 3]
    for test in (
        lambda rows: randomisation(rows, Swaps(resamples=3000)),
        lambda rows: tukey(rows, Orders(resamples=3000, runs=3)),
    ):
        assert test(parts)[:, 0, 1] == pytest.approx(test(whole)[:, 0, 1], abs=0.05)
