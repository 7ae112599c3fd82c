"""What holds for measures over lowest common ancestors, and what does not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.measures import lowest_common_ancestors as lowest
from ontoeval.measures.hierarchical import Root
from ontoeval.measures.lowest_common_ancestors import (
    LowestCommonAncestorF,
    LowestCommonAncestorPrecision,
    LowestCommonAncestorRecall,
    LowestCommonAncestors,
)
from tests.laws.cases import Case, cases, differing, exists, fewer, per_sample, scores
from tests.oracles import hierarchical, pairs
from tests.strategies import Graph

PRF = (LowestCommonAncestorPrecision, LowestCommonAncestorRecall, LowestCommonAncestorF)
ROOTS: tuple[Root, ...] = ("in", "out", "virtual")


def members(side: oe.LabelSets) -> list[frozenset[str]]:
    """The names in each set."""
    return [
        frozenset(side.vocabulary[column] for column in side.matrix[[row]].indices.tolist())
        for row in range(len(side))
    ]


@pytest.mark.parametrize("root", ROOTS)
@pytest.mark.parametrize("most", [None, 1, 2, 3])
@fewer
@given(case=cases())
def test_the_sets_are_those_of_the_naive_implementation(root: Any, most: int | None, case: Case) -> None:
    edges, concepts = case.graph.edges, frozenset(case.graph.names)
    found = case.batch.derive(LowestCommonAncestors(root=root, max_distance=most))
    expected = [
        pairs.augmented(edges, concepts, *both, root=root, most=most)
        for both in zip(case.truths, case.predictions, strict=True)
    ]
    assert list(zip(members(found.truth), members(found.prediction), strict=True)) == expected


@fewer
@given(case=cases())
def test_samples_score_by_the_ratios_of_these_sets(case: Case) -> None:
    edges, concepts = case.graph.edges, frozenset(case.graph.names)
    expected = [
        hierarchical.ratios(*pairs.augmented(edges, concepts, *both))
        for both in zip(case.truths, case.predictions, strict=True)
    ]
    for which, measure in enumerate(PRF):
        np.testing.assert_allclose(per_sample(case, measure()), [one[which] for one in expected], atol=1e-12)


@fewer
@given(case=cases())
def test_one_sample_at_a_time_gives_the_same_sets(case: Case) -> None:
    view = LowestCommonAncestors(root="virtual", max_distance=2)
    whole = view(case.batch)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lowest, "CELLS", 1)
        blockwise = view(case.batch)
    assert (members(whole.truth), members(whole.prediction)) == (
        members(blockwise.truth),
        members(blockwise.prediction),
    )


def flat(case: Case) -> Case:
    """The same sets without any link."""
    return replace(case, graph=replace(case.graph, edges=()), exclusions=(), requirements=())


def star(case: Case) -> Case:
    """The same sets under one root, which is no label."""
    below = tuple(("top", name) for name in case.graph.names)
    graph = Graph(("top", *case.graph.names), below)
    return replace(
        flat(case), graph=graph, abstract=case.abstract | {"top"}, agreement={**case.agreement, "top": 1.0}
    )


@fewer
@given(case=cases(max_nodes=7))
def test_without_links_or_without_the_root_of_a_star_everything_is_flat(case: Case) -> None:
    for average in ("micro", "macro", "weighted", "samples"):
        expected = list(
            scores(flat(case).batch, [f"{symbol}(average={average!r})" for symbol in "PRF"]).values()
        )
        choices: tuple[tuple[Case, Root], ...] = (
            (flat(case), "in"),
            (flat(case), "out"),
            (star(case), "out"),
        )
        for bare, root in choices:
            found = scores(bare.batch, [one(average=average, root=root) for one in PRF])
            np.testing.assert_allclose(list(found.values()), expected, atol=1e-12)


@fewer
@given(case=cases())
def test_exchanging_the_sides_exchanges_precision_and_recall(case: Case) -> None:
    swapped = replace(case, truths=case.predictions, predictions=case.truths)
    for root in ROOTS:
        precision, recall, f = (per_sample(case, measure(root=root, max_distance=2)) for measure in PRF)
        assert [per_sample(swapped, measure(root=root, max_distance=2)) for measure in PRF] == [
            recall,
            precision,
            f,
        ]


@fewer
@given(case=cases(max_nodes=7))
def test_a_concept_that_nothing_bears_changes_nothing(case: Case) -> None:
    edges = (*case.graph.edges, (case.graph.names[0], "unused"))
    names = (*case.graph.names, "unused")
    more = replace(case, graph=Graph(names, edges), agreement={**case.agreement, "unused": 1.0})
    measures = ["LCaP", "LCaF(root='virtual')", "LCaR(max_distance=2)", "MGIA", "GIE(pairs='all')"]
    assert differing(scores(more.batch, measures), scores(case.batch, measures)) == {}


@fewer
@given(case=cases())
def test_ancestors_of_labels_say_nothing(case: Case) -> None:
    labels = frozenset(case.labels)
    closed = [
        [hierarchical.above(case.graph.edges, names) & labels for names in side]
        for side in (case.truths, case.predictions)
    ]
    measures = [measure(root=root) for measure in PRF for root in ROOTS if root != "out"]
    assert differing(scores(case.sets(*closed), measures), scores(case.batch, measures)) == {}


@fewer
@given(case=cases())
def test_under_a_node_above_all_nothing_that_is_not_empty_scores_0(case: Case) -> None:
    for most in (None, 1, 3):
        found = per_sample(case, LowestCommonAncestorF(root="virtual", max_distance=most))
        for score, truth, prediction in zip(found, case.truths, case.predictions, strict=True):
            assert (score > 0) == (bool(truth) == bool(prediction))


@fewer
@given(case=cases())
def test_a_distance_that_nothing_exceeds_cuts_nothing(case: Case) -> None:
    for root in ROOTS:
        measures = [LowestCommonAncestorF(root=root, max_distance=most) for most in (None, 8, 100_000)]
        assert len(set(map(round_all, (per_sample(case, measure) for measure in measures)))) == 1


def round_all(values: list[float]) -> tuple[float, ...]:
    """Values to twelve digits."""
    return tuple(round(value, 12) for value in values)


def is_tree(case: Case) -> bool:
    """Whether there is one root and no second parent."""
    children = [child for _, child in case.graph.edges]
    return len(children) == len(set(children)) == len(case.graph.names) - 1


@st.composite
def trees(draw: st.DrawFn) -> Case:
    """Cases over a tree: every concept keeps its first parent, or gets the root for one."""
    case = draw(cases())
    first = {child: parent for parent, child in reversed(case.graph.edges)}
    root = case.graph.names[0]
    edges = tuple((first.get(name, root), name) for name in case.graph.names if name != root)
    tree = replace(case, graph=Graph(case.graph.names, edges), exclusions=(), requirements=())
    assert is_tree(tree)
    return tree


@fewer
@given(case=trees())
def test_in_a_tree_all_ancestors_are_at_least_as_much_in_common(case: Case) -> None:
    lowest = per_sample(case, LowestCommonAncestorF())
    all_above = per_sample(case, oe.measures.parse("hF(root='in', average='samples')"))
    assert all(one <= other + 1e-12 for one, other in zip(lowest, all_above, strict=True))


@fewer
@given(case=trees())
def test_in_a_tree_a_label_that_was_missed_never_lowers_the_score(case: Case) -> None:
    before = per_sample(case, LowestCommonAncestorF())
    assume(any(y - z for y, z in zip(case.truths, case.predictions, strict=True)))
    more = tuple(z | set(sorted(y - z)[:1]) for y, z in zip(case.truths, case.predictions, strict=True))
    after = per_sample(replace(case, predictions=more), LowestCommonAncestorF())
    assert all(one <= other + 1e-12 for one, other in zip(before, after, strict=True))


def more_than_over_all_ancestors(case: Case) -> bool:
    """Score more than over all ancestors."""
    lowest = per_sample(case, LowestCommonAncestorF())
    all_above = per_sample(case, oe.measures.parse("hF(root='in', average='samples')"))
    return any(one > other + 1e-9 for one, other in zip(lowest, all_above, strict=True))


def imprecise_above_the_truth(case: Case) -> bool:
    """Score less than full precision where all that is predicted lies above the truth."""
    found = per_sample(case, LowestCommonAncestorPrecision())
    return any(
        score < 1 - 1e-9 and bool(z) and z <= hierarchical.above(case.graph.edges, y)
        for score, y, z in zip(found, case.truths, case.predictions, strict=True)
    )


def raised_by_a_false_label(case: Case) -> bool:
    """Score more with one more false label."""
    before = per_sample(case, LowestCommonAncestorF())
    more = tuple(
        z | set(sorted(set(case.labels) - y - z)[:1])
        for y, z in zip(case.truths, case.predictions, strict=True)
    )
    after = per_sample(replace(case, predictions=more), LowestCommonAncestorF())
    return any(
        z and one < other - 1e-9 for z, one, other in zip(case.predictions, before, after, strict=True)
    )


def unlike_f_in_a_star(case: Case) -> bool:
    """Score other than F where all concepts hang on one root."""
    hung = star(case)
    found, expected = (
        per_sample(hung, LowestCommonAncestorF()),
        per_sample(hung, oe.measures.parse("F(average='samples')")),
    )
    return any(abs(one - other) > 1e-9 for one, other in zip(found, expected, strict=True))


def test_what_one_might_expect_does_not_hold() -> None:
    assert exists(cases(), more_than_over_all_ancestors)
    assert exists(trees(), imprecise_above_the_truth)
    assert exists(cases(), imprecise_above_the_truth)
    assert exists(trees(), raised_by_a_false_label)
    assert exists(cases(max_nodes=6), unlike_f_in_a_star)
