"""The number of workers changes no bit of any result."""

from __future__ import annotations

from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import ontoeval as oe

LINKS = [("a", "b"), ("a", "c"), ("b", "d"), ("b", "e"), ("c", "f")]
MEASURES = ("OS", "tKappa", "tF", "F", "F(average='macro')", "hF", "Jaccard")
SETS = st.lists(st.sets(st.sampled_from("abcdef")).map(sorted), min_size=8, max_size=8)
RUNS = st.lists(SETS, min_size=2, max_size=4, unique_by=str)
SEVERAL = st.integers(2, 4)
WEIGHTS = st.none() | st.lists(st.floats(0.1, 9), min_size=8, max_size=8).map(np.array)


def bits(*tables: Any) -> list[bytes]:
    return [np.asarray(table, dtype=np.float64).tobytes() for table in tables]


def of_comparison(found: oe.comparison.Comparison) -> list[bytes]:
    tables = (found.scores, found.low, found.high, found.replicates, found.p_values, found.adjusted)
    return bits(*tables, [] if found.chance is None else found.chance)


@given(SETS, RUNS, SEVERAL, WEIGHTS)
def test_of_totals_and_scores(truth: Any, runs: Any, workers: int, weights: Any) -> None:
    batch = oe.align(truth, runs[0], hierarchy=LINKS, sample_weight=weights)
    drawn = oe.core.Bootstrap(resamples=600, weights="poisson")  # three chunks
    one, other = (oe.collect(batch, MEASURES, bootstrap=drawn, workers=n) for n in (1, workers))
    assert list(one.addends) == list(other.addends)
    assert bits(*one.addends.values()) == bits(*other.addends.values())
    assert bits(*one.replicates.values()) == bits(*other.replicates.values())
    scores = [
        oe.evaluate(
            truth, runs[0], hierarchy=LINKS, measures=MEASURES, sample_weight=weights, workers=n
        ).scores
        for n in (1, workers)
    ]
    assert bits(list(scores[0].values())) == bits(list(scores[1].values()))


@settings(max_examples=10)
@given(SETS, RUNS, SEVERAL, WEIGHTS)
def test_of_a_comparison(truth: Any, runs: Any, workers: int, weights: Any) -> None:
    named = {str(place): run for place, run in enumerate(runs)}
    how: Any = {"hierarchy": LINKS, "measures": MEASURES, "sample_weight": weights, "chance": True}
    how |= {"resamples": 600}
    one, other = (oe.compare(truth, named, workers=n, **how) for n in (1, workers))
    assert of_comparison(one) == of_comparison(other)
    assert one.signature == other.signature


@settings(max_examples=5)
@given(SETS, RUNS, SEVERAL)
def test_of_a_study(truth: Any, runs: Any, workers: int) -> None:
    named = {str(place): run for place, run in enumerate(runs)}
    how: Any = {"hierarchy": LINKS, "measures": ["OS", "F"], "resamples": 300}
    how |= {"changes": oe.comparison.Changes(kinds=["drop", "add"], rates=[0.2, 0.4])}
    one, other = (oe.study(truth, named, workers=n, **how) for n in (1, workers))
    assert of_comparison(one.comparison) == of_comparison(other.comparison)
    first, second = (
        {name: (table.title, repr(table.rows), table.notes) for name, table in found.tables().items()}
        for found in (one, other)
    )
    assert first == second
    assert one.signature == other.signature


@settings(max_examples=10)
@given(RUNS, SEVERAL)
def test_of_agreement(runs: Any, workers: int) -> None:
    said = {f"annotator {place}": run for place, run in enumerate(runs)}
    one, other = (oe.agreement(said, classes=list("abcdef"), resamples=600, workers=n) for n in (1, workers))
    for name, estimate in one.estimates.concepts.items():
        again = other.estimates.concepts[name]
        assert bits(estimate.value, estimate.low, estimate.high) == bits(again.value, again.low, again.high)
