"""What holds for perturbed label sets, changed hierarchies and baselines, whatever they are made of."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.comparison.baselines import ORACLES
from ontoeval.comparison.perturbations import CHANGES
from ontoeval.evaluation.groups import relation_of_pairs
from tests.laws.cases import Case, cases, fewer, subsets
from tests.oracles.hierarchical import above

RATES = st.sampled_from([0.0, 0.2, 0.5, 0.9, 1.0])
SEEDS = st.integers(0, 1_000)


def perturbed(case: Case, kind: str, rate: float, seed: int) -> oe.LabelSets:
    return oe.comparison.perturb(case.batch.truth, kind, rate, hierarchy=case.hierarchy, seed=seed)


def sets(labels: oe.LabelSets) -> list[set[str]]:
    return [set(labels.labels_of(sample)) for sample in labels.samples]


@pytest.mark.parametrize("kind", oe.comparison.PERTURBATIONS)
@fewer
@given(case=cases(max_samples=6), rates=st.tuples(RATES, RATES).map(sorted), seed=SEEDS)
def test_what_a_lower_rate_changes_a_higher_one_changes_alike(
    kind: str, case: Case, rates: list[float], seed: int
) -> None:
    low, high = (sets(perturbed(case, kind, rate, seed)) for rate in rates)
    for before, less, more in zip(sets(case.batch.truth), low, high, strict=True):
        # A label that comes where another goes is there in any case: what differs is only ever more.
        assert less - before <= more - before
        # In closed sets a label that went can come back, as an ancestor of what comes.
        back = above(case.graph.edges, more - before) if closed(case) else set()
        assert before - less - back <= before - more


@pytest.mark.parametrize("kind", oe.comparison.PERTURBATIONS)
@fewer
@given(case=cases(max_samples=6), rate=RATES, seed=SEEDS)
def test_a_seed_says_what_is_changed_and_abstract_concepts_are_no_labels(
    kind: str, case: Case, rate: float, seed: int
) -> None:
    changed = perturbed(case, kind, rate, seed)
    assert sets(changed) == sets(perturbed(case, kind, rate, seed))
    assert not {name for row in sets(changed) for name in row} & case.abstract
    assert (changed.samples, changed.vocabulary) == (case.batch.truth.samples, case.batch.truth.vocabulary)


def closed(case: Case) -> bool:
    """Whether all sets hold all ancestors of their labels, and any has one."""
    rows = sets(case.batch.truth)
    return all(upwards(case, row) == row for row in rows) and any(
        most_specific(case, row) != row for row in rows
    )


def upwards(case: Case, labels: set[str]) -> set[str]:
    return set(above(case.graph.edges, labels) - case.abstract)


def most_specific(case: Case, labels: set[str]) -> set[str]:
    return {one for one in labels if not any(one in upwards(case, {other}) for other in labels - {one})}


def expected(case: Case, kind: str, truth: set[str], label: str) -> set[str]:
    """What may take the place of a label, found by looking at every concept."""
    names, edges = case.hierarchy.vocabulary, case.graph.edges
    free = set(case.labels) - truth
    if closed(case) and kind == "parent":
        free = set(case.labels)
    if closed(case) and kind == "random":
        free = {other for other in free if label not in upwards(case, {other})}
    if kind == "drop":
        return {""}
    if kind == "parent":
        found, waiting = set[str](), [label]
        while waiting:
            one = waiting.pop()
            over = {parent for parent, child in edges if child == one}
            found |= over - case.abstract
            waiting += over & case.abstract
        return found & free
    if kind == "sibling":
        others = sorted(free)
        own = np.full(len(others), names.index[label])
        relation, _ = relation_of_pairs(case.hierarchy, own, names.positions(others))
        return {name for name, how in zip(others, relation, strict=True) if how == "sibling"}
    return free


@pytest.mark.parametrize("kind", CHANGES)
@fewer
@given(case=cases(max_samples=6), seed=SEEDS)
def test_labels_become_what_they_may_and_those_that_cannot_stay(kind: str, case: Case, seed: int) -> None:
    truth, changed = sets(case.batch.truth), sets(perturbed(case, kind, 1, seed))
    able = sets(oe.comparison.perturbable(case.batch.truth, kind, hierarchy=case.hierarchy))
    for before, after, can in zip(truth, changed, able, strict=True):
        hit = most_specific(case, before) if closed(case) else before
        ways = {label: expected(case, kind, before, label) for label in hit}
        assert can == {label for label in hit if ways[label]}
        may_come = {way for some in ways.values() for way in some if way}
        if closed(case):
            kept = upwards(case, hit if kind == "add" else hit - can)
            assert upwards(case, after) == after
            assert kept <= after <= kept | upwards(case, may_come)
            assert can & after <= (before if kind == "add" else upwards(case, after - can))
            assert all(after & ways[label] for label in can if kind != "drop")
            continue
        assert before & after == (before if kind == "add" else before - can)
        come = after - before
        assert come <= may_come
        assert all(come & ways[label] for label in can if kind != "drop")


# hierarchies ------------------------------------------------------------------------------------------------


@st.composite
def changes(draw: st.DrawFn, case: Case) -> Any:
    """A changed hierarchy."""
    kind = draw(st.sampled_from(["collapse", "insert", "merge"] if case.hierarchy.levels > 1 else ["insert"]))
    if kind == "collapse":
        return oe.comparison.collapse_level(case.hierarchy, draw(st.integers(1, case.hierarchy.levels - 1)))
    change = oe.comparison.insert_nodes if kind == "insert" else oe.comparison.merge_siblings
    return change(case.hierarchy, draw(RATES), seed=draw(SEEDS))


def broken(labels: set[str], hierarchy: oe.Hierarchy) -> set[str]:
    """The rules that a set breaks, found one by one."""
    edges = links(hierarchy)

    def there(name: str) -> bool:
        return any(name in above(edges, {label}) for label in labels)

    return {
        str(rule) for rule in hierarchy.exclusions if there(rule.first) and there(rule.second)
    } | {
        str(rule) for rule in hierarchy.requirements if there(rule.concept) and not any(map(there, rule.any_of))
    }  # fmt: skip


def links(hierarchy: oe.Hierarchy) -> tuple[tuple[str, str], ...]:
    names = hierarchy.vocabulary
    child, parent = (places.tolist() for places in hierarchy.parents.nonzero())
    return tuple((names[high], names[low]) for high, low in zip(parent, child, strict=True))


@given(case=cases(), data=st.data())
def test_concepts_that_are_left_lie_above_each_other_as_before(case: Case, data: st.DataObject) -> None:
    changed = data.draw(changes(case))
    left = set(changed.hierarchy.vocabulary) & set(case.graph.names)
    after = links(changed.hierarchy)
    for name in left:
        assert above(after, {name}) & left == above(case.graph.edges, {name}) & left


@given(case=cases(), data=st.data())
def test_sets_that_keep_the_rules_keep_them_in_a_changed_hierarchy(case: Case, data: st.DataObject) -> None:
    changed = data.draw(changes(case))
    carried = sets(changed.carry(case.batch.truth))
    for before, after in zip(sets(case.batch.truth), carried, strict=True):
        assert {name for label in before for name in changed.moved.get(label, (label,))} == after
        assert broken(before, case.hierarchy) or not broken(after, changed.hierarchy)


@given(case=cases(), data=st.data())
def test_labels_move_to_what_is_above_or_beside_them(case: Case, data: st.DataObject) -> None:
    changed = data.draw(changes(case))
    assert set(changed.moved).isdisjoint(changed.hierarchy.vocabulary)
    parents = {name: {high for high, low in case.graph.edges if low == name} for name in case.graph.names}
    for gone, into in changed.moved.items():
        assert set(into) <= set(changed.hierarchy.label_vocabulary)
        assert set(into) == parents[gone] or [parents[one] for one in into] == [parents[gone]]


@fewer
@given(case=cases(), rates=st.tuples(RATES, RATES).map(sorted), seed=SEEDS)
def test_a_higher_rate_inserts_and_merges_more(case: Case, rates: list[float], seed: int) -> None:
    less, more = (
        oe.comparison.insert_nodes(case.hierarchy, rate, seed=seed).hierarchy.vocabulary for rate in rates
    )
    assert set(less) <= set(more)
    few, many = (oe.comparison.merge_siblings(case.hierarchy, rate, seed=seed).moved for rate in rates)
    assert few.items() <= many.items()


@fewer
@given(truth=st.integers(0, 6).flatmap(lambda count: subsets("abcdefg", count)))
def test_oracles_keep_what_is_true_or_lies_above_it_and_empty_no_set(
    truth: tuple[frozenset[str], ...],
) -> None:
    hierarchy = oe.Hierarchy.from_edges(
        [("a", "b"), ("a", "c"), ("b", "d"), ("c", "d"), ("c", "e"), ("f", "g")]
    )
    true = oe.LabelSets.from_sets(truth, vocabulary=hierarchy.label_vocabulary)
    siblings, top = (sets(oe.comparison.baseline(true, kind, hierarchy=hierarchy)) for kind in ORACLES)
    assert all(row <= found for row, found in zip(truth, siblings, strict=True))
    closed = sets(true.closed(hierarchy))
    assert all(found == row & set("af") for row, found in zip(closed, top, strict=True))
    assert all(bool(row) == bool(found) for row, found in zip(truth, top, strict=True))


# baselines and annotators -----------------------------------------------------------------------------------


@fewer
@given(truth=st.integers(0, 6).flatmap(lambda count: subsets("abcde", count)), seed=SEEDS)
def test_baselines_know_nothing_of_the_sample(truth: tuple[frozenset[str], ...], seed: int) -> None:
    true = oe.LabelSets.from_sets(truth, vocabulary="abcde")
    blind = [kind for kind in oe.comparison.BASELINES if kind not in ORACLES]
    found = {kind: sets(oe.comparison.baseline(true, kind, seed=seed)) for kind in blind}
    assert found["empty"] == [set()] * len(truth)
    assert found["all"] == [set("abcde")] * len(truth)
    assert all(row == found["prior"][0] for row in found["prior"])
    often = {name for name in "abcde" if sum(name in row for row in truth) >= len(truth) / 2}
    often = often if any(truth) else set()
    assert not truth or found["prior"][0] == often or (not often and len(found["prior"][0]) == any(truth))
    never = set("abcde") - {name for row in truth for name in row}
    always = {name for name in "abcde" if all(name in row for row in truth)}
    assert all(always <= row <= set("abcde") - never for row in found["random"])
    if len(truth) > 1:
        assert sorted(map(sorted, found["permuted"])) == sorted(map(sorted, truth))
    else:
        assert not any(found["permuted"])


@fewer
@given(count=st.integers(2, 9), seed=SEEDS)
def test_no_sample_gets_its_own_truth(count: int, seed: int) -> None:
    own = oe.LabelSets.from_array(np.eye(count, dtype=int))
    assert oe.comparison.baseline(own, "permuted", seed=seed).matrix.diagonal().sum() == 0
