"""What holds for the best ranks and for what is inferred, where each sample has one true label."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.measures.base import info, laws_of
from ontoeval.measures.operating_curve import (
    HierarchicalArea,
    Inferred,
    OperatingArea,
    OperatingCurve,
    RecallAtCorrect,
    pareto_area,
    pareto_intercept,
)
from ontoeval.measures.risk_coverage import GeneralizedRiskCoverage, HierarchicalRiskCoverage
from ontoeval.measures.single_labels import HierarchicalDistanceAt
from tests.laws.cases import differing, fewer
from tests.laws.scored import ScoredCase, scored_cases
from tests.oracles import inference as oracle
from tests.oracles import losses

POINTS: list[Any] = [
    HierarchicalDistanceAt(),
    HierarchicalDistanceAt(k=3),
    HierarchicalDistanceAt(k=2, over="mistakes"),
    HierarchicalDistanceAt(k=2, over="nearest"),
    OperatingArea(),
    OperatingArea(propagate="max", by="depth"),
    OperatingArea(propagate="none", against="precision"),
    OperatingArea(thresholds=0.25),
    OperatingArea(thresholds=(0.0, 0.3)),
    RecallAtCorrect(),
    RecallAtCorrect(least=0.5, propagate="max"),
    RecallAtCorrect(least=0.5, thresholds=0.1),
    HierarchicalRiskCoverage(),
    HierarchicalRiskCoverage(begin="reached"),
    HierarchicalRiskCoverage(propagate="max"),
    HierarchicalRiskCoverage(propagate="none"),
    GeneralizedRiskCoverage(),
    HierarchicalArea(),
    HierarchicalArea(propagate="max", root="in"),
    HierarchicalArea(propagate="max", empty=0.5),
]


@st.composite
def single_cases(draw: st.DrawFn, *, max_nodes: int = 7) -> ScoredCase:
    """One true label for each sample, and scores that sum to 1 at most."""
    case = draw(scored_cases(max_nodes=max_nodes))
    scores = tuple({label: score / 8 for label, score in some.items()} for some in case.scores)
    truths = tuple(frozenset([draw(st.sampled_from(case.labels))]) for _ in case.truths)
    return replace(case, truths=truths, scores=scores)


def results(batch: oe.core.ScoredBatch, measures: list[Any] = POINTS) -> dict[str, float]:
    """The scores of measures."""
    return dict(oe.score(oe.collect(batch, measures)).scores)


def singles(case: ScoredCase) -> list[str]:
    """The true labels."""
    return [min(truth) for truth in case.truths]


def samples_of(case: ScoredCase, rows: list[int]) -> oe.core.ScoredBatch:
    """Some samples, in any order, repeated at will."""
    return case.of([case.truths[row] for row in rows], [case.scores[row] for row in rows])


def test_the_points_are_of_all_measures_that_need_scores_and_one_true_label() -> None:
    wanted = {
        type(one.measure)
        for one in oe.CATALOGUE
        if info(one.measure, "single") and info(one.measure, "takes") == "scores"
    }
    assert {type(measure) for measure in POINTS} == wanted


@fewer
@given(case=single_cases())
def test_a_sample_scores_in_a_batch_as_it_would_alone(case: ScoredCase) -> None:
    result = oe.evaluation.Evaluation(oe.collect(case.batch, POINTS), case.batch)
    per_sample = {name: result.per_sample(name) for name in result}
    alone = [results(samples_of(case, [row])) for row in range(len(case.truths))]
    assert differing(per_sample, {name: [one[name] for one in alone] for name in per_sample}) == {}
    for name, values in per_sample.items():
        low, high = info(oe.measures.parse(name), "bounds")
        assert all(low <= value <= high for value in [*values, result[name]] if not np.isnan(value))


@fewer
@given(case=single_cases())
def test_samples_twice_and_other_names_change_nothing(case: ScoredCase) -> None:
    expected = results(case.batch)
    assert differing(results(samples_of(case, [*range(len(case.truths))] * 2)), expected, 1e-9) == {}
    by_name = [measure for measure in POINTS if "relabelling" in laws_of(measure)]
    expected = results(case.batch, by_name)
    assert differing(results(case.renamed().batch, by_name), expected, 1e-9) == {}


@fewer
@given(case=single_cases())
def test_the_truth_with_full_scores_is_perfect(case: ScoredCase) -> None:
    found = results(case.of(case.truths, [dict.fromkeys(truth, 1.0) for truth in case.truths]))
    for name, value in found.items():
        assert np.isnan(value) or value == pytest.approx(info(oe.measures.parse(name), "best")), name


@fewer
@given(case=single_cases())
def test_grids_can_be_merged_and_all_scores_cannot(case: ScoredCase) -> None:
    on_grid = [measure for measure in POINTS if info(measure, "mergeable")]
    parts = [oe.collect(chunk, on_grid) for chunk in case.batch.chunks(1)]
    assert differing(dict(oe.score(oe.merge(*parts)).scores), results(case.batch, on_grid), 0.0) == {}
    if len(case.truths) > 1:
        both = [oe.collect(chunk, "OperatingArea") for chunk in case.batch.chunks(1)]
        with pytest.raises(oe.OntoevalError, match="needs all samples at once"):
            oe.merge(*both)


# the best ranks ---------------------------------------------------------------------------------------------


def ranked(scores: Mapping[str, float], most: int) -> dict[str, float]:
    """The share of the first ranks that each label has over all orders of tied ones."""
    found = {}
    for label, score in scores.items():
        above = sum(other > score for other in scores.values())
        tied = sum(other == score for other in scores.values())
        found[label] = min(1.0, max(0.0, (most - above) / tied))
    return {label: share for label, share in found.items() if share}


def oracle_root(case: ScoredCase) -> str:
    """What lies above everything."""
    roots = [name for name in case.graph.names if not losses.parents(case.graph.edges, name)]
    return roots[0] if len(roots) == 1 else losses.ABOVE_ALL


@pytest.mark.parametrize("most", [1, 2, 5])
@fewer
@given(case=single_cases())
def test_distances_of_the_best_ranks_are_those_of_the_naive_implementation(
    most: int, case: ScoredCase
) -> None:
    edges, names = case.graph.edges, case.graph.names
    means: list[float] = []
    wrong: list[float] = []
    least: list[float] = []
    top = oracle_root(case)
    for truth, scores in zip(singles(case), case.scores, strict=True):
        shares = ranked(scores, most)
        heights = {label: losses.severity(edges, names, truth, label) for label in shares}
        worst = float(losses.height(losses.connected(edges, names), top))
        whole = sum(shares.values())
        means.append(sum(shares[label] * heights[label] for label in shares) / whole if shares else worst)
        wrong.append(sum(shares[label] for label in shares if label != truth) / whole if shares else 1)
        least.append(min(heights.values(), default=worst))
    measures = [HierarchicalDistanceAt(k=most, over=over) for over in ("ranks", "mistakes", "nearest")]
    severity = sum(means) / sum(wrong) if sum(wrong) else 0.0
    found = list(results(case.batch, measures).values())
    np.testing.assert_allclose(
        np.array(found), np.array([np.mean(means), severity, np.mean(least)]), atol=1e-12
    )


@fewer
@given(case=single_cases())
def test_without_links_the_first_rank_is_wrong_as_often_as_the_one_error_says(case: ScoredCase) -> None:
    scored = tuple(some or {case.labels[0]: 0.5} for some in case.scores)
    flat = replace(case, graph=replace(case.graph, edges=()), scores=scored)
    found = results(flat.batch, ["hDistanceAt", "OneError"])
    assert found["hDistanceAt"] == pytest.approx(found["OneError"])


# what is inferred -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("by", ["leaves", "depth"])
@pytest.mark.parametrize("how", ["sum", "max", "none"])
@fewer
@given(case=single_cases(max_nodes=6))
def test_operating_curves_are_those_of_the_naive_implementation(by: Any, how: Any, case: ScoredCase) -> None:
    edges, names = case.graph.edges, sorted(case.graph.names)
    grid = (0.0, 0.03, 0.0625, 0.1, 0.2)
    curve = OperatingCurve(Inferred(by, how), grid)
    found = curve.unpack(curve(case.batch).total())
    for place, threshold in enumerate(grid):
        expected = oracle.point(edges, names, singles(case), case.scores, threshold, by, how)
        values = [found.mean(part)[place] for part in ("correct", "recall", "precision")]
        np.testing.assert_allclose(values, expected, atol=1e-9)
    # At all scores: no threshold lies between two that follow one another.
    whole = OperatingCurve(Inferred(by, how), None)
    points = whole.unpack(whole(case.batch).total())
    assert np.all(np.diff(points.thresholds) < 0)
    for place in range(points.thresholds.size):
        below = np.append(points.thresholds, 0.0)[place + 1]
        below = (below + min(points.thresholds[place], 2.0)) / 2
        expected = oracle.point(edges, names, singles(case), case.scores, below, by, how)
        values = [points.mean(part)[place] for part in ("correct", "recall", "precision")]
        np.testing.assert_allclose(values, expected, atol=1e-9)


numbers = st.lists(st.tuples(*[st.integers(0, 8).map(lambda n: n / 8)] * 2), min_size=1, max_size=6)


@given(points=numbers)
def test_areas_are_sums_of_rectangles(points: list[tuple[float, float]]) -> None:
    first, second = np.array(points).T
    assert pareto_area(first, second) == pytest.approx(oracle.area(points))
    assert pareto_area(first, second) == pytest.approx(pareto_area(second, first))


@given(points=numbers, least=st.integers(0, 9).map(lambda n: n / 8))
def test_intercepts_are_the_best_point_that_reaches_so_far(
    points: list[tuple[float, float]], least: float
) -> None:
    first, second = np.array(points).T
    expected = max((b for a, b in points if a >= least), default=0.0)
    assert pareto_intercept(first, second, least) == expected


PARETO = ([0.1, 0.2, 0.8], [0.9, 0.5, 0.3])
IRRELEVANT = ([0.05, 0.1, 0.15, 0.2, 0.7, 0.8], [0.8, 0.9, 0.5, 0.5, 0.1, 0.3])


@pytest.mark.parametrize("points", [PARETO, IRRELEVANT])
def test_reference_values_of_areas_and_intercepts(points: tuple[list[float], list[float]]) -> None:
    first, second = map(np.array, points)
    assert pareto_area(first, second) == pytest.approx(0.32)
    assert pareto_area(second, first) == pytest.approx(0.32)
    wanted = [-1.0, 0.0, 0.05, 0.1, 0.15, 0.2, 0.5, 0.7, 0.8, 0.9, 1.0, 2.0]
    found = [float(pareto_intercept(first, second, least)) for least in wanted]
    assert found == [0.9, 0.9, 0.9, 0.9, 0.5, 0.5, 0.3, 0.3, 0.3, 0.0, 0.0, 0.0]
