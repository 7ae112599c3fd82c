"""A sample of weight 2 is the same as two samples, whatever is computed of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.comparison.replication import repeat_samples
from ontoeval.confusion.matrix import matrix_of, tensor_of
from ontoeval.confusion.one_vs_rest import counts_of
from ontoeval.measures.base import info
from ontoeval.measures.confusion_rules import RULES, Confusion
from tests.laws.cases import ONE_LABEL_POINTS, cases, fewer
from tests.laws.scored import SCORE_POINTS, scored_cases
from tests.laws.test_operating import POINTS as OPERATING_POINTS
from tests.laws.test_operating import single_cases
from tests.laws.test_statistics import MEASURES, fit, in_graphs_and_trees

Batches = tuple[Any, Any]


def doubled(data: st.DataObject, batch: Any) -> Batches:
    """The batch with whole weights, and with each sample as often."""
    times = st.lists(st.integers(0, 3), min_size=len(batch), max_size=len(batch)).filter(any)
    weights = np.array(data.draw(times))
    return batch.weighted(weights), repeat_samples(batch, np.repeat(np.arange(len(batch)), weights))


def check(batches: Batches, measures: list[Any]) -> None:
    """Expect the same scores; those of sums to the last bit."""
    # What else is so at the best of several thresholds is no function of rounded sums.
    measures = [one for one in measures if info(one, "mergeable") or getattr(one, "part", "F") in {"F", "S"}]
    first, second = (oe.score(oe.collect(batch, measures)) for batch in batches)
    assert first.totals.weight == second.totals.samples
    for name, measure in first.totals.measures.items():
        if info(measure, "mergeable"):
            ours, theirs = (one.totals.sums[measure.statistic] for one in (first, second))
            np.testing.assert_array_equal(ours, theirs, err_msg=name)
        np.testing.assert_allclose(first[name], second[name], rtol=0, atol=1e-12, err_msg=name)


@in_graphs_and_trees
@fewer
@given(data=st.data(), case=cases())
def test_measures_of_sets(links: str, data: st.DataObject, case: Any) -> None:
    check(doubled(data, fit(case, links).batch), MEASURES[links])


@fewer
@given(data=st.data(), case=cases(one_label=True))
def test_measures_of_one_label_each(data: st.DataObject, case: Any) -> None:
    check(doubled(data, case.batch), [one for points in ONE_LABEL_POINTS.values() for one in points])


@pytest.mark.parametrize("symbol", SCORE_POINTS)
@fewer
@given(data=st.data(), case=scored_cases())
def test_measures_of_scores(symbol: str, data: st.DataObject, case: Any) -> None:
    check(doubled(data, case.batch), SCORE_POINTS[symbol])


@fewer
@given(data=st.data(), case=single_cases())
def test_measures_of_what_is_inferred(data: st.DataObject, case: Any) -> None:
    check(doubled(data, case.batch), OPERATING_POINTS)


def fractions(count: int) -> st.SearchStrategy[list[float]]:
    """Weights of any size, one of them above 0."""
    one = st.floats(0, 1e9, allow_subnormal=False)
    return st.lists(one, min_size=count, max_size=count).filter(any)


@fewer
@given(data=st.data(), case=cases(min_samples=2))
def test_parts_and_orders_have_the_same_sums(data: st.DataObject, case: Any) -> None:
    batch = case.batch
    weighted = batch.weighted(np.array(data.draw(fractions(len(batch)))))
    order = data.draw(st.permutations(batch.truth.samples))
    measures = MEASURES["graph"]
    whole = oe.collect(weighted, measures)
    merged = oe.merge(*(oe.collect(chunk, measures) for chunk in weighted.chunks(1)))
    for one in (merged, oe.collect(weighted.take(order), measures)):
        assert one.weight == whole.weight
        for statistic in dict.fromkeys(measure.statistic for measure in measures):
            np.testing.assert_array_equal(one.sums[statistic], whole.sums[statistic])


@fewer
@given(data=st.data(), case=scored_cases(max_samples=6))
def test_ranks_of_weighted_samples_do_not_depend_on_their_order(data: st.DataObject, case: Any) -> None:
    batch = case.batch
    weighted = batch.weighted(np.array(data.draw(fractions(len(batch)))))
    moved = weighted.take(data.draw(st.permutations(batch.truth.samples)))
    first, second = (oe.score(oe.collect(one, ["AUC", "AP", "EER"])).scores for one in (weighted, moved))
    np.testing.assert_array_equal(list(first.values()), list(second.values()))
    assert all(np.isnan(list(first.values())) | (np.array(list(first.values())) <= 1 + 1e-12))


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule != "one-vs-rest"])
@fewer
@given(data=st.data())
def test_confusion_rules(rule: str, data: st.DataObject) -> None:
    batch = data.draw(cases(one_label=rule == "multiclass")).batch
    for variant in RULES[rule].variants:
        weighted, again = doubled(data, batch)
        matrices = [matrix_of(one, Confusion(rule, variant)) for one in (weighted, again)]
        assert matrices[0].weight == len(again)
        first, second = (np.asarray(one.matrix) for one in matrices)
        np.testing.assert_allclose(first, second, rtol=0, atol=1e-9)


@fewer
@given(data=st.data(), case=cases())
def test_counts_of_concepts(data: st.DataObject, case: Any) -> None:
    batches = doubled(data, case.batch)
    tensors = [tensor_of(one) for one in batches]
    np.testing.assert_array_equal(tensors[0].samples, tensors[1].samples)
    for ours, theirs in ([counts_of(one) for one in batches], [one.counts() for one in tensors]):
        for part in ("tp", "fp", "fn", "tn"):
            np.testing.assert_array_equal(getattr(ours, part), getattr(theirs, part))
