"""What holds for studies of measures."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.comparison.rank_correlation import DISTANCES

MEASURES = ("F", "Hamming", "P", "F(average='macro')")
RESAMPLES = 12
RUNS = st.lists(
    st.lists(st.lists(st.booleans(), min_size=3, max_size=3), min_size=6, max_size=6),
    min_size=2,
    max_size=5,
    unique_by=str,
)
"""Predictions of three concepts for six samples, no two alike."""


@cache
def truth() -> Any:  # an array
    return np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0], [1, 1, 1]], dtype=bool)


def compared(runs: list[Any], **options: Any) -> oe.comparison.Comparison:
    named = {str(place): np.array(run) for place, run in enumerate(runs)}
    return oe.compare(truth(), named, measures=MEASURES, resamples=RESAMPLES, **options)


def studied(comparison: oe.comparison.Comparison) -> oe.comparison.Study:
    return oe.comparison.study_of(comparison, changes=None)


@given(RUNS)
def test_shares_are_shares_and_correlations_keep_their_bounds(runs: list[Any]) -> None:
    found = studied(compared(runs))
    shares = [
        found.power.share,
        found.power.adjusted,
        found.stability.swaps,
        found.stability.swaps_by_difference,
        found.winners.share,
        found.winners.changes,
    ]
    assert all(np.all(np.isnan(share) | ((share >= 0) & (share <= 1 + 1e-12))) for share in shares)
    for method, agreement in found.agreements.items():
        values = agreement.values
        assert np.allclose(values, values.T, equal_nan=True)
        assert np.nanmax(np.abs(values), initial=0) <= 1
        own = np.diagonal(values)
        if method != "rbo":  # which breaks ties in all ways, also of a ranking with itself
            assert np.all(np.isnan(own) | (own == (0 if method in DISTANCES else 1)) | (method == "tau_ap_b"))
        assert sorted(agreement.order) == list(range(len(MEASURES)))
        assert sorted(sum(agreement.clusters(0.1), ())) == sorted(MEASURES)


@given(RUNS)
def test_each_resample_has_a_winner_where_the_measure_is_defined(runs: list[Any]) -> None:
    comparison = compared(runs)
    found = studied(comparison).winners
    total, defined = found.share.sum(axis=0), np.isfinite(comparison.replicates).any(axis=(0, 1))
    assert np.allclose(total[defined], 1)
    assert np.isnan(total[~defined]).all()
    assert np.all(np.diagonal(found.changes)[defined] == 0)


@given(RUNS, st.randoms(use_true_random=False))
def test_the_order_of_the_runs_changes_nothing(runs: list[Any], random: Any) -> None:
    order = list(range(len(runs)))
    random.shuffle(order)
    first, other = (studied(compared(some)) for some in (runs, [runs[place] for place in order]))
    assert np.allclose(first.power.share, other.power.share, equal_nan=True)
    assert np.allclose(first.power.needed, other.power.needed, equal_nan=True)
    assert np.allclose(first.stability.swaps, other.stability.swaps, equal_nan=True)
    assert np.allclose(first.winners.changes, other.winners.changes, equal_nan=True)
    for method, agreement in first.agreements.items():
        assert np.allclose(agreement.values, other.agreements[method].values, equal_nan=True)
        assert np.allclose(agreement.error, other.agreements[method].error, equal_nan=True)


@given(RUNS)
def test_repeated_runs_and_baselines_are_no_evidence(runs: list[Any]) -> None:
    alone = studied(compared(runs))
    more = studied(compared([*runs, runs[0]], baselines=("empty",)))
    assert more.entrants.names == alone.entrants.names
    assert np.array_equal(alone.power.share, more.power.share, equal_nan=True)
    assert np.array_equal(alone.stability.swaps, more.stability.swaps, equal_nan=True)
    assert np.array_equal(alone.winners.share, more.winners.share, equal_nan=True)
    for method, agreement in alone.agreements.items():
        assert np.array_equal(agreement.values, more.agreements[method].values, equal_nan=True)


@given(RUNS)
def test_rounding_changes_no_ranking(runs: list[Any]) -> None:
    comparison = compared(runs)
    noise = 1e-15 * np.random.default_rng(0).standard_normal(comparison.scores.shape)
    first, other = studied(comparison), studied(replace(comparison, scores=comparison.scores + noise))
    for method, agreement in first.agreements.items():
        assert np.array_equal(agreement.values, other.agreements[method].values, equal_nan=True)
    assert first.winners.first == other.winners.first
