"""What holds for measures of ancestors, of descendants and of leaves, and what does not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.measures.hierarchical import (
    HierarchicalF,
    HierarchicalPrecision,
    HierarchicalRecall,
    Members,
    Root,
)
from tests.laws.cases import Case, cases, differing, exists, fewer, per_sample, scores
from tests.oracles import hierarchical as oracle

PRF = (HierarchicalPrecision, HierarchicalRecall, HierarchicalF)


@pytest.mark.parametrize("kind", ["labels", "ancestors", "descendants", "leaves"])
@pytest.mark.parametrize("root", ["in", "out"])
@fewer
@given(case=cases())
def test_each_sample_scores_as_in_the_naive_implementation(kind: Members, root: Root, case: Case) -> None:
    edges, concepts = case.graph.edges, frozenset(case.graph.names)
    gone = oracle.common_root(edges, concepts) if root == "out" else frozenset()
    kept = concepts - gone - ({parent for parent, _ in edges} if kind == "leaves" else frozenset())
    assume(kept)
    expected = [
        oracle.ratios(*(oracle.members(edges, side, kind) & kept for side in pair))
        for pair in zip(case.truths, case.predictions, strict=True)
    ]
    for which, measure in enumerate(PRF):
        found = per_sample(case, measure(average="samples", members=kind, root=root))
        np.testing.assert_allclose(found, [one[which] for one in expected], atol=1e-12)


@pytest.mark.parametrize("members", ["labels", "ancestors", "descendants", "leaves"])
@fewer
@given(case=cases())
def test_without_links_everything_is_flat(members: Members, case: Case) -> None:
    flat = replace(case, graph=replace(case.graph, edges=()), exclusions=(), requirements=())
    for average in ("micro", "macro", "weighted", "samples"):
        found = scores(flat.batch, [one(members=members, average=average) for one in PRF])
        # What is no label is never found or missed: among the macro averages it is left out as 0/0.
        expected = scores(flat.batch, [f"{symbol}(average={average!r})" for symbol in "PRF"])
        np.testing.assert_allclose(list(found.values()), list(expected.values()), atol=1e-12)


@fewer
@given(case=cases())
def test_sets_that_are_closed_before_score_alike(case: Case) -> None:
    labels = frozenset(case.labels)
    closed = [
        [oracle.above(case.graph.edges, names) & labels for names in side]
        for side in (case.truths, case.predictions)
    ]
    measures = ["hP", "hR", "hF", "hJaccard", "hF(average='macro')"]
    assert differing(scores(case.sets(*closed), measures), scores(case.batch, measures)) == {}


@fewer
@given(case=cases())
def test_ancestors_up_to_a_distance_lie_between_the_labels_and_all_ancestors(case: Case) -> None:
    for symbol in ("hP", "hR", "hF"):
        of = [
            f"{symbol}({more}average='samples')"
            for more in ("max_distance=0, root='in', ", "max_distance=99, ")
        ]
        flat, whole = f"{symbol[1]}(average='samples')", f"{symbol}(average='samples')"
        pairs = zip(per_sample_of(case, of), per_sample_of(case, [flat, whole]), strict=True)
        assert all(np.allclose(*both, rtol=0, atol=1e-12) for both in pairs)


def per_sample_of(case: Case, notations: list[str]) -> list[list[float]]:
    """The score of each sample, by each measure."""
    return [per_sample(case, oe.measures.parse(one)) for one in notations]


@fewer
@given(case=cases())
def test_precision_is_perfect_exactly_where_all_that_is_predicted_lies_above_the_truth(case: Case) -> None:
    found = per_sample(case, HierarchicalPrecision(average="samples", root="in"))
    for score, truth, prediction in zip(found, case.truths, case.predictions, strict=True):
        if prediction:
            assert (score == 1) == (prediction <= oracle.above(case.graph.edges, truth))


@fewer
@given(case=cases())
def test_with_the_root_scores_are_not_lower(case: Case) -> None:
    assume(all(case.truths))
    assume(all(case.predictions))
    for average in ("micro", "samples"):
        inside, outside = (
            scores(case.batch, [f"hF(root={r!r}, average={average!r})"]) for r in ("in", "out")
        )
        [one], [other] = inside.values(), outside.values()
        assert one >= other - 1e-12 or bool(np.isnan(other)) or other == 1


@fewer
@given(case=cases())
def test_levels_and_branches_compare_their_own_concepts_alone(case: Case) -> None:
    edges = case.graph.edges
    level, branch = max(oracle.depth(edges, name) for name in case.graph.names), case.graph.names[0]
    chosen: list[tuple[dict[str, Any], set[str] | frozenset[str]]] = [
        ({"level": level}, {name for name in case.graph.names if oracle.depth(edges, name) == level}),
        ({"branch": branch}, oracle.below(edges, {branch})),
    ]
    for options, kept in chosen:
        expected = [
            oracle.ratios(*(oracle.above(edges, side) & kept for side in pair))[2]
            for pair in zip(case.truths, case.predictions, strict=True)
        ]
        measure = HierarchicalF(average="samples", root="in", **options)
        np.testing.assert_allclose(per_sample(case, measure), expected, atol=1e-12)


@fewer
@given(case=cases(), weights=st.lists(st.integers(0, 4), min_size=8, max_size=8))
def test_weights_count_members_as_often(case: Case, weights: list[int]) -> None:
    hierarchy = case.hierarchy
    weight = dict(zip(hierarchy.vocabulary, weights, strict=False))
    batch = oe.Batch(
        case.batch.truth, case.batch.prediction, hierarchy.with_weight("w", list(weight.values()))
    )
    found = scores(batch, ["hF(weight='w', root='in')"])
    hits = all_members = 0
    for truth, prediction in zip(case.truths, case.predictions, strict=True):
        y, z = (oracle.above(case.graph.edges, side) for side in (truth, prediction))
        hits += sum(weight[name] for name in y & z)
        all_members += sum(weight[name] for name in y) + sum(weight[name] for name in z)
    expected = 2 * hits / all_members if all_members else np.nan
    np.testing.assert_allclose(list(found.values()), [expected], atol=1e-12)


def test_a_false_label_can_raise_the_score() -> None:
    """Whatever shares ancestors with the truth earns credit (a non-law of measures over ancestors)."""

    def raised(case: Case) -> bool:
        before = per_sample(case, HierarchicalF(average="samples"))[0]
        for label in sorted(set(case.labels) - case.truths[0] - case.predictions[0]):
            more = (case.predictions[0] | {label}, *case.predictions[1:])
            if (
                per_sample(replace(case, predictions=more), HierarchicalF(average="samples"))[0]
                > before + 1e-9
            ):
                return True
        return False

    assert exists(cases(), raised)
