"""Laws of truths of several annotators, and equality with sums over shares written out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from tests.laws.cases import hierarchies, subsets
from tests.strategies import Graph

FLAT, ABOVE = ("P", "R", "F"), ("hP", "hR", "hF")
COUNTED = [f"{name}(average={how!r})" for name in (*FLAT, *ABOVE) for how in ("micro", "macro", "weighted")]
COUNTED += [
    "Hamming",
    "Accuracy",
    "Jaccard(average='micro')",
    "F(beta=2)",
    "F(average='macro', labels='true')",
]
OF_SETS = ["OS", "tF", "LCaF", "F(average='samples')", "hF(average='samples')", "ExactMatch"]


@dataclass(frozen=True)
class Opinions:
    """Label sets of the annotators of each sample, a run, and the links of the concepts."""

    graph: Graph
    sheets: tuple[tuple[frozenset[str], ...], ...]
    run: tuple[frozenset[str], ...]

    @cached_property
    def hierarchy(self) -> oe.Hierarchy:
        return oe.Hierarchy.from_edges(self.graph.edges, concepts=sorted(self.graph.names))

    @property
    def predicted(self) -> dict[str, frozenset[str]]:
        return {f"p{at}": labels for at, labels in enumerate(self.run)}

    def said(self, order: Sequence[int] = range(4)) -> oe.Annotations:
        return oe.Annotations.from_sets(
            {
                f"annotator {name}": {
                    f"p{at}": own[who] for at, own in enumerate(self.sheets) if who < len(own)
                }
                for name, who in enumerate(order)
            },
            vocabulary=sorted(self.graph.names),
        )

    def closed(self, labels: frozenset[str]) -> frozenset[str]:
        above = {parent for parent, child in self.graph.edges if child in labels}
        return labels if above <= labels else self.closed(labels | above)

    def scores(self, truth: Any, measures: Sequence[str], **how: Any) -> dict[str, float]:
        return dict(
            oe.evaluate(truth, self.predicted, hierarchy=self.hierarchy, measures=measures, **how).scores
        )

    def soft(self, shares: Sequence[dict[str, float]], *, close: bool) -> tuple[float, ...]:
        """P, R and F over shares, by sums written out; the root of all is no member of closed sets."""
        names = set(self.graph.names)
        roots = names - {child for _, child in self.graph.edges}
        kept = names - roots if close and len(roots) == 1 < len(names) else names
        runs = [self.closed(labels) if close else labels for labels in self.run]
        hits = sum(share.get(name, 0) for share, run in zip(shares, runs, strict=True) for name in run & kept)
        true = sum(share.get(name, 0) for share in shares for name in kept)
        predicted = sum(len(run & kept) for run in runs)
        both = ((hits, predicted), (hits, true), (2 * hits, true + predicted))
        return tuple(some / whole if whole else np.nan for some, whole in both)

    def shares(self, *, close: bool) -> list[dict[str, float]]:
        sets = [[self.closed(one) if close else one for one in own] for own in self.sheets]
        return [
            {name: sum(name in one for one in own) / len(own) for name in set().union(*own)} for own in sets
        ]


@st.composite
def opinions(draw: st.DrawFn, *, annotators: int = 4, max_nodes: int = 6) -> Opinions:
    graph = draw(hierarchies(max_nodes=max_nodes))
    sizes = draw(st.lists(st.integers(1, annotators), min_size=1, max_size=4))
    sheets = tuple(draw(subsets(graph.names, size)) for size in sizes)
    return Opinions(graph, sheets, draw(subsets(graph.names, len(sizes))))


def same(found: dict[str, float], expected: dict[str, float]) -> None:
    assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


@given(opinions())
def test_annotators_and_their_shares_score_as_sums_over_shares(one: Opinions) -> None:
    said = one.said()
    flat = dict(zip(FLAT, one.soft(one.shares(close=False), close=False), strict=True))
    above = dict(zip(ABOVE, one.soft(one.shares(close=True), close=True), strict=True))
    same(one.scores(said, (*FLAT, *ABOVE)), flat | above)
    same(one.scores(said.shares(), FLAT), flat)
    same(one.scores(said.shares(one.hierarchy), ABOVE), above)


@given(opinions())
def test_of_shares_alone_an_ancestor_has_the_largest_of_its_descendants(one: Opinions) -> None:
    largest = [
        {
            name: max((own[c] for c in own if name in one.closed(frozenset([c]))), default=0)
            for name in one.graph.names
        }
        for own in one.shares(close=False)
    ]
    same(one.scores(one.said().shares(), ABOVE), dict(zip(ABOVE, one.soft(largest, close=True), strict=True)))


@given(opinions(), st.permutations(range(4)))
def test_each_annotator_of_a_sample_is_a_share_of_it_in_any_order(one: Opinions, order: list[int]) -> None:
    rows = {f"p{at}/{who}": own[who] for at, own in enumerate(one.sheets) for who in range(len(own))}
    run = {name: one.predicted[name.split("/")[0]] for name in rows}
    group = {name: name.split("/")[0] for name in rows}
    measures = [*COUNTED, *OF_SETS]
    how: dict[str, Any] = {"hierarchy": one.hierarchy, "measures": measures, "groups": group}
    expected = dict(oe.evaluate(rows, run, classes=one.said().vocabulary.concepts, **how).scores)
    same(one.scores(one.said(), measures), expected)
    np.testing.assert_equal(one.scores(one.said(order), measures), one.scores(one.said(), measures))


@given(opinions(annotators=1))
def test_unanimous_annotators_are_a_truth_of_label_sets(one: Opinions) -> None:
    truth = {f"p{at}": own[0] for at, own in enumerate(one.sheets)}
    crisp = one.scores(
        oe.LabelSets.from_sets(truth, vocabulary=sorted(one.graph.names)), [*COUNTED, *OF_SETS]
    )
    several = Opinions(one.graph, tuple(own * 3 for own in one.sheets), one.run)
    same(several.scores(several.said(), [*COUNTED, *OF_SETS]), crisp)
    counted = several.scores(several.said().shares(), COUNTED)
    np.testing.assert_equal(counted, {key: crisp[key] for key in counted})


@given(opinions(max_nodes=3), st.sampled_from(COUNTED))
def test_no_run_scores_above_the_best_crisp_run_and_of_micro_averages_one_reaches_it(
    one: Opinions, measure: str
) -> None:
    sheets, names = one.sheets[:2], sorted(one.graph.names)
    every = [
        frozenset(name for name, kept in zip(names, marks, strict=True) if kept)
        for marks in product((0, 1), repeat=len(names))
    ]
    truth = Opinions(one.graph, sheets, ()).said()
    how: dict[str, Any] = {"hierarchy": one.hierarchy, "measures": [measure]}
    results = [
        oe.evaluate(truth, {f"p{at}": labels for at, labels in enumerate(run)}, **how)
        for run in product(every, repeat=len(sheets))
    ]
    scores = [found[measure] for found in results]
    for ceiling in results[0].ceilings.values():
        assert results[-1].ceilings == pytest.approx(results[0].ceilings)
        assert ceiling == pytest.approx(np.nanmax(scores), abs=1e-12)


@given(opinions(), st.data())
def test_a_weight_of_two_is_the_sample_twice_and_groups_weigh_the_same(
    one: Opinions, data: st.DataObject
) -> None:
    marks = data.draw(st.lists(st.integers(1, 2), min_size=len(one.run), max_size=len(one.run)))
    twice = [at for at, mark in enumerate(marks) for _ in range(mark)]
    again = Opinions(one.graph, tuple(one.sheets[at] for at in twice), tuple(one.run[at] for at in twice))
    weights = {f"p{at}": float(mark) for at, mark in enumerate(marks)}
    same(one.scores(one.said(), COUNTED, sample_weight=weights), again.scores(again.said(), COUNTED))
    alone = {f"p{at}": str(at) for at in range(len(one.run))}
    same(one.scores(one.said(), COUNTED, groups=alone), one.scores(one.said(), COUNTED))
