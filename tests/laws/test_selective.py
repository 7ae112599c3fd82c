"""Risk over coverage, and level-wise predictions, as loops find them."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import replace
from math import log
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from tests.laws.cases import Case, cases, fewer, scores
from tests.laws.scored import ScoredCase
from tests.laws.test_operating import results, single_cases, singles
from tests.oracles.hierarchical import above
from tests.strategies import Graph


def leaves_below(case: ScoredCase, concept: str) -> set[str]:
    """The concepts without children at or below one."""
    parents = {parent for parent, _ in case.graph.edges}
    return {one for one in case.graph.names if one not in parents and concept in case.above(one)}


def way_up(
    case: ScoredCase, own: Mapping[str, float], how: str
) -> tuple[list[tuple[float, str]], str | None]:
    """What a sample climbs from its best leaf, or from its best label without one; each with its score."""

    def score(concept: str) -> float:
        below = [value for label, value in own.items() if concept in case.above(label)]
        return {"sum": sum(below), "max": max(below, default=0.0), "none": own.get(concept, 0.0)}[how]

    leaves = [one for one in case.labels if own.get(one, 0) > 0 and leaves_below(case, one) == {one}]
    some = leaves or [one for one in case.labels if own.get(one, 0) > 0]
    if not some:
        return [], None
    start = max(some, key=lambda one: own[one])  # the first of equal ones
    here, reached, way = start, 0.0, []
    while True:
        reached = max(reached, round(score(here), 12))
        way.append((reached, here))
        parents = [one for one in sorted(case.graph.names) if (one, here) in case.graph.edges]
        if not parents:
            return way, start
        here = max(parents, key=lambda one: round(score(one), 12))


def point(case: ScoredCase, threshold: float, how: str) -> tuple[float, float]:
    """Mean coverage and risk at a threshold."""
    every = set().union(*(leaves_below(case, name) for name in case.graph.names))
    coverage, risk = 0.0, 0.0
    for truth, own in zip(singles(case), case.scores, strict=True):
        way, start = way_up(case, own, how)
        if threshold <= 0 and (start is None or leaves_below(case, start) != {start}):
            coverage, risk = coverage + 1, risk + (start != truth)
            continue
        stop = next((concept for reached, concept in way if reached >= threshold), None)
        if stop is not None:
            coverage += 1 - log(len(leaves_below(case, stop))) / log(len(every))
            risk += stop not in case.above(truth)
    return coverage / len(case.truths), risk / len(case.truths)


def area_of_points(points: list[tuple[float, float]]) -> float:
    """Trapezoids between points, of which the last of several with the same coverage counts."""
    last = {round(coverage, 9): (coverage, risk) for coverage, risk in points}
    corners = list(last.values())
    return sum((b - a) * (r + s) / 2 for (a, r), (b, s) in itertools.pairwise(corners))


@pytest.mark.parametrize("how", ["sum", "max", "none"])
@fewer
@given(case=single_cases(max_nodes=6))
def test_the_area_of_hierarchical_risk_is_that_of_loops(how: Any, case: ScoredCase) -> None:
    every = set().union(*(leaves_below(case, name) for name in case.graph.names))
    names = f"hAURC(propagate='{how}')", f"hAURC(propagate='{how}', begin='reached')"
    zero, reached = results(case.batch, [oe.measures.parse(name) for name in names]).values()
    if len(every) == 1:
        assert np.isnan(zero)
        assert np.isnan(reached)
        return
    thresholds = {score for own in case.scores for score, _ in way_up(case, own, how)[0]}
    points = [point(case, one, how) for one in [*sorted(thresholds, reverse=True), 0.0]]
    assert zero == pytest.approx(area_of_points([(0.0, 0.0), *points]), abs=1e-9)
    from_1 = [point(case, one, how) for one in [1.0, *sorted(thresholds - {1.0}, reverse=True), 0.0]]
    coverages = [coverage for coverage, _ in from_1]
    if max(coverages) - min(coverages) > 1e-8:
        assert reached == pytest.approx(area_of_points(from_1), abs=1e-9)
    else:
        assert np.isnan(reached)


@fewer
@given(case=single_cases())
def test_without_links_hierarchical_risk_is_the_generalised_one(case: ScoredCase) -> None:
    distinct = tuple(
        {name: s + 0.001 * place for place, (name, s) in enumerate(own.items())} for own in case.scores
    )
    flat = replace(case, graph=replace(case.graph, edges=()), scores=distinct)
    if len(flat.graph.names) > 1:
        hierarchical, flat_one = results(flat.batch, [*map(oe.measures.parse, ("hAURC", "AUGRC"))]).values()
        assert hierarchical == pytest.approx(flat_one)


@fewer
@given(case=single_cases(), data=st.data())
def test_only_the_order_of_confidences_counts_for_generalised_risk(case: ScoredCase, data: Any) -> None:
    power = data.draw(st.sampled_from([0.5, 2, 3]))
    other = tuple({name: score**power for name, score in own.items()} for own in case.scores)
    measure = [oe.measures.parse("AUGRC")]
    assert results(replace(case, scores=other).batch, measure) == pytest.approx(results(case.batch, measure))
    best = [max(own, key=lambda one: own[one], default=None) for own in case.scores]
    errors = np.mean([first != truth for first, truth in zip(best, singles(case), strict=True)])
    confidences = [sorted(own.values())[-2:] for own in case.scores]
    if all(len(set(two)) == len(two) for two in confidences):  # no ties within a sample
        found = results(case.batch, measure)["AUGRC"]
        assert errors**2 / 2 - 1e-12 <= found <= errors - errors**2 / 2 + 1e-12


# level by level ---------------------------------------------------------------------------------------------


def depth_of(graph: Graph, concept: str) -> int:
    """Links on the longest path from a root."""
    parents = [parent for parent, child in graph.edges if child == concept]
    return 1 + max(depth_of(graph, one) for one in parents) if parents else 0


def top_of(graph: Graph) -> set[str]:
    """The root above everything, if there is one and more than it."""
    roots = {name for name in graph.names if not any(child == name for _, child in graph.edges)}
    return roots if len(roots) == 1 and graph.edges else set()


@given(case=cases())
def test_levels_and_consistency_are_those_of_loops(case: Case) -> None:
    graph = case.graph
    case = replace(case, abstract=frozenset())
    top = top_of(graph)
    levels = range(1 + max(depth_of(graph, name) for name in graph.names))
    right: dict[int, list[bool]] = {level: [] for level in levels}
    whole, odd, off_path = [], [], []
    for truth, found in zip(case.truths, case.predictions, strict=True):
        closed = set(above(graph.edges, truth)) - top
        marks = []
        for level in levels:
            if here := {one for one in closed if depth_of(graph, one) == level}:
                marks.append(here == {one for one in found - top if depth_of(graph, one) == level})
                right[level].append(marks[-1])
        whole += [all(marks)] if marks else []
        parents = {label: {a for a, b in graph.edges if b == label} for label in found}
        odd.append(any(some and not some & (found | top) for some in parents.values()))
        depths = [depth_of(graph, label) for label in found]
        off_path.append(odd[-1] or len(set(depths)) < len(depths))
    measured = scores(case.batch, map(oe.measures.parse, ("LevelAccuracy", "HCA", "Inconsistency")))
    means = [np.mean(marks) for marks in right.values() if marks]
    expected = [np.mean(some) if some else np.nan for some in (means, whole, odd)]
    np.testing.assert_allclose(np.array([*measured.values()]), np.array(expected))
    paths = scores(case.batch, [oe.measures.parse("Inconsistency(by='paths')")])
    assert list(paths.values()) == pytest.approx([np.mean(off_path)])


@given(case=cases(one_label=True))
def test_leaves_are_right_at_all_levels_where_no_ancestor_differs(case: Case) -> None:
    leaves = sorted(set(case.graph.names) - {parent for parent, _ in case.graph.edges})
    case = replace(
        case,
        abstract=frozenset(case.graph.names) - frozenset(leaves),
        truths=tuple(frozenset([leaves[ord(min(one)) % len(leaves)]]) for one in case.truths),
        predictions=tuple(frozenset([leaves[ord(max(one)) % len(leaves)]]) for one in case.predictions),
        exclusions=(),
        requirements=(),
    ).as_tree()
    both = map(oe.measures.parse, ("LevelAccuracy(members='ancestors', over='paths')", "ZeroOne"))
    hca, loss = scores(case.batch, both).values()
    assert hca == pytest.approx(1 - loss)
