"""What holds for measures of one true and one predicted label."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.measures import LabelCost, LabelCosts
from tests.laws.cases import Case, cases, exists, fewer, scores
from tests.oracles import losses as oracle
from tests.oracles.hierarchical import above
from tests.strategies import Graph


def per_sample(case: Case, *measures: str) -> list[Any]:
    """The scores of each sample by each measure."""
    result = oe.evaluation.Evaluation(oe.collect(case.batch, list(measures)), case.batch)
    return [result.per_sample(measure) for measure in measures]


def labels(case: Case) -> list[tuple[str, str]]:
    """The true and the predicted label of each sample."""
    return [(min(y), min(z)) for y, z in zip(case.truths, case.predictions, strict=True)]


@fewer
@given(case=cases(one_label=True))
def test_heights_are_those_of_the_naive_implementation(case: Case) -> None:
    edges, names = case.graph.edges, case.graph.names
    expected = [oracle.severity(edges, names, *pair) for pair in labels(case)]
    found, severity = per_sample(case, "hDistance", "Severity")
    np.testing.assert_array_equal(found, expected)
    np.testing.assert_array_equal(severity, expected)


@pytest.mark.parametrize("by", ["leaves", "depth"])
@fewer
@given(case=cases(one_label=True))
def test_information_is_that_of_the_naive_implementation(by: str, case: Case) -> None:
    edges, names = case.graph.edges, case.graph.names
    found = np.array(
        per_sample(
            case, *(f"{one}(by={by!r})" for one in ("iP", "iR", "iF", "Excess", "Deficient", "iDistance"))
        )
    )
    for which, (truth, prediction) in enumerate(labels(case)):
        true, predicted = (oracle.information(edges, names, one, by) for one in (truth, prediction))
        common = oracle.shared(edges, names, truth, prediction, by)
        precision = common / predicted if predicted else 1.0
        recall = common / true if true else 1.0
        both = 2 * precision * recall / (precision + recall) if precision + recall else 0.0
        excess, deficient = predicted - common, true - common
        expected = [precision, recall, both, excess, deficient, excess + deficient]
        np.testing.assert_allclose(found[:, which], expected, atol=1e-12)


@fewer
@given(case=cases(one_label=True))
def test_correct_is_what_lies_above_or_below(case: Case) -> None:
    edges = case.graph.edges
    expected = [y in above(edges, {z}) or z in above(edges, {y}) for y, z in labels(case)]
    np.testing.assert_array_equal(per_sample(case, "Correct")[0], expected)


@fewer
@given(case=cases(one_label=True))
def test_without_links_everything_is_the_exact_match(case: Case) -> None:
    flat = replace(case, graph=Graph(case.graph.names, ()), exclusions=(), requirements=())
    exact = scores(flat.batch, ["ExactMatch"])["ExactMatch"]
    for measure in ("iP", "iR", "iF", "Correct", "iF(by='depth')"):
        assert scores(flat.batch, [measure])[measure] == pytest.approx(exact)
    assert scores(flat.batch, ["hDistance"])["hDistance"] == pytest.approx(1 - exact)


@fewer
@given(case=cases(one_label=True))
def test_exchanging_truth_and_prediction_exchanges_what_is_said_of_them(case: Case) -> None:
    swapped = replace(case, truths=case.predictions, predictions=case.truths)
    ours = per_sample(case, "iP", "iR", "Excess", "Deficient")
    theirs = per_sample(swapped, "iR", "iP", "Deficient", "Excess")
    np.testing.assert_array_equal(ours, theirs)


@fewer
@given(case=cases(one_label=True))
def test_what_is_correct_has_full_precision_or_full_recall(case: Case) -> None:
    correct, precision, recall = per_sample(case, "Correct", "iP", "iR")
    assert np.all(np.maximum(precision, recall)[correct == 1] == 1)


def test_full_precision_may_be_wrong() -> None:
    """In a DAG a concept can have just the leaves of one of its parents below it (a non-law)."""

    def wrong(case: Case) -> bool:
        correct, precision = per_sample(case, "Correct", "iP")
        return bool(np.any((precision == 1) & (correct == 0)))

    assert exists(cases(one_label=True), wrong)


def test_more_mistakes_can_have_a_lower_severity() -> None:
    """It is a mean over mistakes: more of them that are easy to avoid lower it (a non-law)."""

    def lower(case: Case) -> bool:
        if len(case.truths) != 2 or case.truths[1] != case.predictions[1]:
            return False
        before = scores(case.batch, ["Severity"])["Severity"]
        return any(
            scores(replace(case, predictions=(case.predictions[0], frozenset({label}))).batch, ["Severity"])[
                "Severity"
            ]
            < before
            for label in sorted(set(case.labels) - case.truths[1])
        )

    assert exists(cases(one_label=True, min_samples=2, max_samples=2), lower)


CELLS = st.sampled_from(["*", "unknown", "group", "c0", "c1", "c2", "c3"])
TABLES = st.lists(st.tuples(CELLS, CELLS, st.integers(0, 9)), max_size=8)
ONE_OR_NONE = st.lists(st.sampled_from(["", "c0", "c1", "c2", "c3", "unknown"]), min_size=4, max_size=4)


@fewer
@given(table=TABLES, group=st.sets(st.sampled_from(["c0", "c1", "c2"])), truth=ONE_OR_NONE, run=ONE_OR_NONE)
def test_the_last_row_that_fits_a_pair_is_its_cost(
    table: list[tuple[str, str, int]], group: set[str], truth: list[str], run: list[str]
) -> None:
    def cost(true: str, predicted: str) -> float:
        for first, second, charged in reversed(table):
            fits = all(
                cell in {"*", label} or (cell == "group" and label in group)
                for cell, label in ((first, true), (second, predicted))
            )
            if fits and (true != predicted or first == second == true):
                return charged
        return float(true != predicted)

    expected = [cost(true or "unknown", one or "unknown") for true, one in zip(truth, run, strict=True)]
    sides = ([[label] if label else [] for label in side] for side in (truth, run))
    measure = LabelCost(table=LabelCosts(table, {"group": group}))
    classes = ["c0", "c1", "c2", "c3", *(["unknown"] if "unknown" in truth + run else [])]
    found = oe.evaluate(*sides, measures=measure, classes=classes)
    assert found.per_sample(measure).tolist() == expected


@fewer
@given(case=cases(one_label=True))
def test_costs_by_links_are_those_of_paths_through_a_common_ancestor(case: Case) -> None:
    edges = oracle.connected(case.graph.edges, case.graph.names)
    expected = [0 if y == z else oracle.path(edges, y, z) for y, z in labels(case)]
    np.testing.assert_array_equal(per_sample(case, "Cost(between='links')")[0], expected)
