"""Prediction sets, as loops over all sets of concepts find them."""

from __future__ import annotations

import itertools

from hypothesis import given

import ontoeval as oe
from tests.laws.cases import Case, cases, fewer
from tests.oracles.hierarchical import above


def leaves(case: Case, members: tuple[str, ...] | frozenset[str]) -> set[str]:
    """The leaves at or below some concepts."""
    parents = {parent for parent, _ in case.graph.edges}
    lowest = [name for name in case.graph.names if name not in parents]
    return {leaf for leaf in lowest if above(case.graph.edges, {leaf}) & set(members)}


@fewer
@given(case=cases(one_label=True, max_nodes=6))
def test_sets_cover_hold_and_need_what_loops_find(case: Case) -> None:
    case = case.as_tree()
    names = ["SetCoverage", "SetCoverage(level=1)", "SetSize", "SetComplexity"]
    others = case.truths[1:] + case.predictions[:1]
    sets = [one | other for one, other in zip(others, case.predictions, strict=True)]
    batch = case.sets(case.truths, sets)
    result = oe.evaluation.Evaluation(oe.collect(batch, names), batch)
    for row, (truth, held) in enumerate(zip(case.truths, sets, strict=True)):
        label, found = min(truth), leaves(case, held)
        upper = above(case.graph.edges, {label})
        depth = dict(zip(case.hierarchy.vocabulary, case.hierarchy.depth.tolist(), strict=True))
        (there,) = [one for one in upper if depth[one] == min(1, depth[label])]
        every = itertools.chain.from_iterable(
            itertools.combinations(case.graph.names, size) for size in range(len(case.graph.names) + 1)
        )
        least = next(len(some) for some in every if leaves(case, some) == found)
        expected = [bool(upper & held), bool(leaves(case, (there,)) & found), len(found), least]
        assert [result.per_sample(name)[row] for name in names] == list(map(float, expected))
