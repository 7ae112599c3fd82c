"""Laws of the ontology score, with and without penalties, and the naive implementation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from numpy.typing import NDArray

import ontoeval as oe
from ontoeval.concepts import violations
from ontoeval.concepts.costs import NAMES, costs_by_name
from ontoeval.concepts.violations import rule_book
from ontoeval.core.rules import Rule
from ontoeval.measures.ontology_score import OntologyScore
from tests.laws.cases import Case, cases, exists, fewer
from tests.oracles import ontology_score as naive
from tests.oracles.ontology_score import violators
from tests.strategies import Graph

Numbers = NDArray[np.float64]

OPTIONS: dict[str, st.SearchStrategy[Any]] = {
    "alpha": st.sampled_from([1, 0, 0.5, 2, 3.7]),
    "cost": st.sampled_from(NAMES),
    "agreement": st.sampled_from(["agreement", None]),
    "ties": st.sampled_from(["largest", "smallest"]),
    "empty_prediction": st.sampled_from(["zero", "weighted"]),
    "penalise": st.sampled_from(["false positives", "all predicted", "none"]),
    "exclusions": st.sampled_from(["declared", "none"]),
    "requirements": st.sampled_from(["declared", "none"]),
    "connect_roots": st.booleans(),
}


def options(**fixed: Any) -> st.SearchStrategy[dict[str, Any]]:
    """Every option of the score, some of them fixed."""
    return st.fixed_dictionaries(OPTIONS | {name: st.just(value) for name, value in fixed.items()})


def per_sample(case: Case, **chosen: Any) -> Numbers:
    """Score each sample."""
    return of_batch(case.batch, **chosen)


def of_batch(batch: oe.Batch, **chosen: Any) -> Numbers:
    """Score each sample of a batch, with nothing kept from before."""
    fresh = oe.Batch(batch.truth, batch.prediction, batch.hierarchy)
    measure = OntologyScore(**chosen)
    return oe.evaluation.Evaluation(oe.collect(fresh, [measure]), fresh).per_sample(measure)


def jaccard(case: Case) -> Numbers:
    """The Jaccard index of each sample."""
    return oe.evaluation.Evaluation(oe.collect(case.batch, "Jaccard"), case.batch).per_sample("Jaccard")


def expected_scores(case: Case, chosen: Mapping[str, Any]) -> list[float]:
    """Score each sample by the naive implementation."""
    tree = case.tree(chosen["cost"], connect_roots=chosen["connect_roots"])
    return [
        naive.score(
            truth,
            prediction,
            tree,
            agreement=None if chosen["agreement"] is None else case.agreement,
            alpha=chosen["alpha"],
            ties=chosen["ties"],
            empty_prediction=chosen["empty_prediction"],
            penalise=chosen["penalise"],
            exclusions=case.exclusions if chosen["exclusions"] == "declared" else (),
            requirements=case.requirements if chosen["requirements"] == "declared" else (),
        )
        for truth, prediction in zip(case.truths, case.predictions, strict=True)
    ]


def in_pieces(context: pytest.MonkeyPatch, *, by: str) -> None:
    """Match by one of the two strategies, and look for broken rules, one sample at a time."""
    context.setattr("ontoeval.measures.matching.SMALL", {"table": 10**6, "paths": -1}[by])
    context.setattr("ontoeval.measures.matching.SCRATCH", 1)
    context.setattr("ontoeval.concepts.violations.FEW", {"table": 10**6, "paths": -1}[by])
    context.setattr("ontoeval.concepts.violations.BLOCK", 1)


# equality with the naive implementation ---------------------------------------------------------------------


@pytest.mark.parametrize("cost", NAMES)
@pytest.mark.parametrize("penalise", ["false positives", "all predicted", "none"])
@given(data=st.data(), case=cases(max_nodes=8))
def test_a_score_is_that_of_the_naive_implementation(
    cost: str, penalise: str, data: st.DataObject, case: Case
) -> None:
    chosen = data.draw(options(cost=cost, penalise=penalise))
    assert per_sample(case, **chosen) == pytest.approx(expected_scores(case, chosen), abs=1e-9)


@pytest.mark.parametrize("by", ["table", "paths"])
@given(case=cases(max_nodes=8), chosen=options())
def test_both_ways_of_matching_find_the_same(by: str, case: Case, chosen: dict[str, Any]) -> None:
    with pytest.MonkeyPatch.context() as context:
        in_pieces(context, by=by)
        found = per_sample(replace(case), **chosen)
    assert found == pytest.approx(per_sample(case, **chosen), abs=1e-12)
    assert found == pytest.approx(expected_scores(case, chosen), abs=1e-9)


@st.composite
def families(draw: st.DrawFn) -> Case:
    """Cases in which the children of some concepts exclude each other, all or some of the pairs."""
    case = draw(cases(max_nodes=8))
    children: dict[str, set[str]] = {}
    for parent, child in case.graph.edges:
        children.setdefault(parent, set()).add(child)
    pairs = {pair for some in children.values() for pair in combinations(sorted(some), 2)}
    fewer = draw(st.frozensets(st.sampled_from(sorted(pairs)))) if pairs else pairs
    chosen = draw(st.sampled_from([pairs, fewer]))
    return replace(case, exclusions=tuple(sorted({*chosen, *map(_ordered, case.exclusions)})))


def _ordered(pair: tuple[str, str]) -> tuple[str, str]:
    return (min(pair), max(pair))


@pytest.mark.parametrize(("block", "narrow"), [(1, 0), (violations.BLOCK, 2_000)])
@pytest.mark.parametrize("few", [-1, violations.FEW])
@given(case=families())
def test_broken_rules_are_those_of_the_naive_implementation(
    few: int, block: int, narrow: int, case: Case
) -> None:
    rules, tree = rule_book(case.hierarchy), case.tree()
    sets = case.batch.prediction.matrix
    with pytest.MonkeyPatch.context() as context:
        context.setattr(violations, "FEW", few)
        context.setattr(violations, "BLOCK", block)
        context.setattr(violations, "_NARROW", narrow)
        marks, counts = rules.offending_labels(sets, sets), rules.counts(sets)
        common = case.batch.common
        of_common = rules.offending_labels(sets, common)
    expected = [
        violators(one, tree, exclusions=case.exclusions, requirements=case.requirements)
        for one in case.predictions
    ]
    for stored, marked in ((sets, marks), (common, of_common)):
        named = [(row, case.labels[column]) for row, column in zip(*stored.nonzero(), strict=True)]
        assert marked.tolist() == [label in expected[row] for row, label in named]
    applies = [
        sum(any(one & tree.below[name] for name in _concerned(rule)) for one in case.predictions)
        for rule in rules.rules
    ]
    broken = [
        sum(bool(violators(one, tree, **_alone(rule))) for one in case.predictions) for rule in rules.rules
    ]
    assert counts.tolist() == [applies, broken]


@pytest.mark.parametrize("block", [1, violations.BLOCK])
@given(case=families())
def test_a_set_excludes_what_would_break_an_exclusion_with_one_of_its_labels(block: int, case: Case) -> None:
    tree, batch = case.tree(), case.batch
    with pytest.MonkeyPatch.context() as context:
        context.setattr(violations, "BLOCK", block)
        found = rule_book(case.hierarchy).labels_excluded(batch.truth.matrix, batch.prediction.matrix)
    expected = [
        {
            label
            for label in predicted
            for pair in case.exclusions
            for one, other in (pair, pair[::-1])
            if label in tree.below[one] and truth & tree.below[other]
        }
        for truth, predicted in zip(case.truths, case.predictions, strict=True)
    ]
    named = [(row, case.labels[column]) for row, column in np.argwhere(found.toarray()).tolist()]
    assert set(named) == {(row, label) for row, labels in enumerate(expected) for label in labels}


def _concerned(rule: Rule) -> tuple[str, ...]:
    return (rule.first, rule.second) if isinstance(rule, oe.core.Exclusion) else (rule.concept,)


def _alone(rule: Rule) -> dict[str, Any]:
    if isinstance(rule, oe.core.Exclusion):
        return {"exclusions": [(rule.first, rule.second)]}
    return {"requirements": [(rule.concept, frozenset(rule.any_of))]}


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("connect_roots", [True, False])
@given(case=cases(max_nodes=8))
def test_costs_are_those_of_the_naive_implementation(kind: str, connect_roots: Any, case: Case) -> None:
    tree = case.tree(kind, connect_roots=connect_roots)
    table = costs_by_name(case.hierarchy, kind, connect_roots=connect_roots).table
    expected = [[tree.cost(one, other) for other in case.labels] for one in case.labels]
    assert np.allclose(table, expected, rtol=0, atol=1e-9)
    assert np.array_equal(table, table.T)
    assert np.all((table >= 0) & (table <= 1 + 1e-12))
    assert not table.diagonal().any()
    first, last = case.graph.names[0], case.graph.names[-1]
    single = oe.concepts.cost_between(case.hierarchy, first, last, cost=kind, connect_roots=connect_roots)
    assert single == pytest.approx(tree.cost(first, last), abs=1e-9)


@fewer
@given(case=cases(), chosen=options(cost="depth-weighted"))
def test_a_table_of_the_same_costs_gives_the_same_scores(case: Case, chosen: dict[str, Any]) -> None:
    table = costs_by_name(case.hierarchy, "depth-weighted", connect_roots=chosen["connect_roots"]).table
    given_costs = case.hierarchy.with_cost("given", np.minimum(table, 1))
    batch = oe.Batch(case.batch.truth, case.batch.prediction, given_costs)
    found = of_batch(batch, **{**chosen, "cost": "given"})
    assert found == pytest.approx(per_sample(case, **chosen), abs=1e-9)


@fewer
@given(case=cases(), chosen=options())
def test_rules_given_as_pairs_count_as_declared_ones(case: Case, chosen: dict[str, Any]) -> None:
    declared = {**chosen, "exclusions": "declared", "requirements": "declared"}
    given_rules = {
        "exclusions": case.exclusions,
        "requirements": tuple((name, tuple(sorted(some))) for name, some in case.requirements),
    }
    bare = replace(case, exclusions=(), requirements=())
    assert per_sample(bare, **{**chosen, **given_rules}) == pytest.approx(per_sample(case, **declared))


# laws with and without penalties ----------------------------------------------------------------------------


@given(case=cases(), chosen=options())
def test_scores_lie_between_zero_and_one(case: Case, chosen: dict[str, Any]) -> None:
    found = per_sample(case, **chosen)
    assert np.all((found >= 0) & (found <= 1))


@given(case=cases(), chosen=options(), step=st.floats(0, 3))
def test_scores_never_rise_with_alpha(case: Case, chosen: dict[str, Any], step: float) -> None:
    stricter = per_sample(case, **{**chosen, "alpha": chosen["alpha"] + step})
    assert np.all(stricter <= per_sample(case, **chosen) + 1e-12)


@given(case=cases(), chosen=options(agreement="agreement"), factor=st.sampled_from([0.0, 0.5]))
def test_a_lower_agreement_never_lowers_a_score(case: Case, chosen: dict[str, Any], factor: float) -> None:
    label = case.graph.names[-1]
    lower = replace(case, agreement={**case.agreement, label: factor * case.agreement[label]})
    assert np.all(per_sample(lower, **chosen) >= per_sample(case, **chosen) - 1e-12)


@given(case=cases(), chosen=options())
def test_without_a_weight_agreement_is_full(case: Case, chosen: dict[str, Any]) -> None:
    bare = case.sets(case.truths, case.predictions, agreed=False)
    full = {**chosen, "agreement": None}
    assert (
        of_batch(bare, **{**chosen, "agreement": "agreement"}).tolist() == per_sample(case, **full).tolist()
    )


@given(case=cases(), chosen=options())
def test_perfect_predictions_score_one_unless_the_truth_is_penalised(
    case: Case, chosen: dict[str, Any]
) -> None:
    assume(chosen["penalise"] != "all predicted")
    assert per_sample(replace(case, predictions=case.truths), **chosen).tolist() == [1.0] * len(case.truths)


@given(case=cases(), chosen=options())
def test_alpha_is_a_power(case: Case, chosen: dict[str, Any]) -> None:
    first = per_sample(case, **{**chosen, "alpha": 1})
    assert per_sample(case, **{**chosen, "alpha": 2}) == pytest.approx(first**2, abs=1e-12)
    assert per_sample(case, **{**chosen, "alpha": 0}).tolist() == (first > 0).astype(float).tolist()


@given(case=cases(), chosen=options())
def test_one_root_needs_no_connection(case: Case, chosen: dict[str, Any]) -> None:
    assume(len(case.hierarchy.roots) == 1)
    apart = per_sample(case, **{**chosen, "connect_roots": False})
    assert apart.tolist() == per_sample(case, **{**chosen, "connect_roots": True}).tolist()


# laws without penalties -------------------------------------------------------------------------------------


@given(case=cases(), chosen=options())
def test_no_score_is_below_the_power_of_jaccard(case: Case, chosen: dict[str, Any]) -> None:
    """Costs are at most 1, so are penalties; only penalties of common labels take more away."""
    assume(chosen["penalise"] != "all predicted")
    index = jaccard(case)
    least = np.where(index > 0, index ** chosen["alpha"], 0.0)
    assert np.all(per_sample(case, **chosen) >= least - 1e-12)


def flat_jaccard(case: Case, alpha: float) -> list[float]:
    """The Jaccard index to a power, 0 staying 0."""
    return np.where(jaccard(case) > 0, jaccard(case) ** alpha, 0.0).tolist()  # type: ignore[no-any-return]


@given(case=cases(), chosen=options(cost="flat", agreement=None, penalise="none"))
def test_flat_costs_give_jaccard_and_the_alpha_evaluation(case: Case, chosen: dict[str, Any]) -> None:
    alpha = chosen["alpha"]
    found = per_sample(case, **chosen)
    assert found == pytest.approx(flat_jaccard(case, alpha), abs=1e-12)
    evaluated = oe.evaluation.Evaluation(oe.collect(case.batch, "Jaccard"), case.batch)
    assert found == pytest.approx(evaluated.per_sample(f"Alpha(alpha={alpha})"), abs=1e-12)


@given(case=cases(), chosen=options(agreement=None))
def test_without_edges_every_cost_gives_jaccard(case: Case, chosen: dict[str, Any]) -> None:
    flat = replace(case, graph=Graph(case.graph.names, ()), exclusions=(), requirements=())
    assert per_sample(flat, **chosen) == pytest.approx(flat_jaccard(case, chosen["alpha"]), abs=1e-12)
    vocabulary = case.hierarchy.label_vocabulary
    batch = oe.Batch(case.batch.truth, case.batch.prediction, oe.Hierarchy.flat(vocabulary))
    assert of_batch(batch, **chosen) == pytest.approx(flat_jaccard(case, chosen["alpha"]), abs=1e-12)


@given(case=cases(), chosen=options(agreement=None, penalise="none"))
def test_with_full_agreement_truth_and_prediction_can_be_exchanged(
    case: Case, chosen: dict[str, Any]
) -> None:
    swapped = replace(case, truths=case.predictions, predictions=case.truths)
    assert per_sample(swapped, **chosen) == pytest.approx(per_sample(case, **chosen), abs=1e-12)


@given(data=st.data(), case=cases(), chosen=options(penalise="none"))
def test_one_more_correct_label_never_lowers_a_score(
    data: st.DataObject, case: Case, chosen: dict[str, Any]
) -> None:
    found = [
        data.draw(st.frozensets(st.sampled_from(sorted(truth)))) if truth else truth for truth in case.truths
    ]
    more = tuple(prediction | some for prediction, some in zip(case.predictions, found, strict=True))
    better = per_sample(replace(case, predictions=more), **chosen)
    assert np.all(better >= per_sample(case, **chosen) - 1e-12)


@given(data=st.data(), case=cases(), chosen=options())
def test_an_unused_leaf_that_deepens_nothing_changes_nothing(
    data: st.DataObject, case: Case, chosen: dict[str, Any]
) -> None:
    hierarchy = case.bare_hierarchy
    inner = [
        name
        for name, depth in zip(hierarchy.vocabulary, hierarchy.depth, strict=True)
        if depth + 1 < hierarchy.levels
    ]
    assume(inner)
    parents = data.draw(st.sets(st.sampled_from(inner), min_size=1, max_size=2))
    grown = replace(
        case,
        graph=Graph(
            (*case.graph.names, "leaf"), (*case.graph.edges, *((parent, "leaf") for parent in parents))
        ),
        agreement={**case.agreement, "leaf": 0.5},
        abstract=case.abstract | data.draw(st.sampled_from([frozenset(), frozenset({"leaf"})])),
    )
    assert grown.hierarchy.levels == hierarchy.levels
    assert per_sample(grown, **chosen) == pytest.approx(per_sample(case, **chosen), abs=1e-12)


@given(case=cases(), kind=st.sampled_from(["depth-weighted", "links"]))
def test_concepts_of_separate_trees_cost_one(case: Case, kind: str) -> None:
    table = costs_by_name(case.hierarchy, kind, connect_roots=False).table
    ancestors = case.hierarchy.label_ancestors.toarray().astype(int)
    apart = ancestors @ ancestors.T == 0
    assert np.all(table[apart] == 1)


# laws that do not hold --------------------------------------------------------------------------------------


def _swapped(case: Case) -> Case:
    return replace(case, truths=case.predictions, predictions=case.truths)


def _predicting(case: Case, more: Iterable[str]) -> Case:
    return replace(case, predictions=tuple(prediction | set(more) for prediction in case.predictions))


def _not_true(case: Case) -> list[str]:
    return [label for label in case.labels if label not in frozenset().union(*case.truths)]


NON_LAWS: dict[str, Callable[[Case], bool]] = {
    "with agreements truth and prediction can be exchanged": lambda case: np.allclose(
        per_sample(case, penalise="none"), per_sample(_swapped(case), penalise="none")
    ),
    "with penalties truth and prediction can be exchanged": lambda case: np.allclose(
        per_sample(case, agreement=None), per_sample(_swapped(case), agreement=None)
    ),
    "a score of 0 means that nothing was found": lambda case: np.array_equal(
        per_sample(case, penalise="none") == 0, jaccard(case) == 0
    ),
    "one more false label never raises a score": lambda case: all(
        np.all(
            per_sample(_predicting(case, [label]), penalise="none")
            <= per_sample(case, penalise="none") + 1e-9
        )
        for label in _not_true(case)
    ),
    "with penalties one more correct label never lowers a score": lambda case: all(
        np.all(per_sample(_predicting(case, [label])) >= per_sample(case) - 1e-9)
        for label in frozenset.intersection(*case.truths)
    ),
    "with penalties of all labels a perfect prediction scores 1": lambda case: bool(
        np.all(per_sample(replace(case, predictions=case.truths), penalise="all predicted") == 1)
    ),
    "with penalties of all labels no score is below jaccard": lambda case: bool(
        np.all(per_sample(case, penalise="all predicted") >= jaccard(case) - 1e-9)
    ),
    "the tie rule changes nothing": lambda case: np.allclose(
        per_sample(case, ties="largest"), per_sample(case, ties="smallest")
    ),
    "an empty prediction scores 0 by equation 1": lambda case: np.allclose(
        per_sample(case), per_sample(case, empty_prediction="weighted")
    ),
    "connecting roots changes nothing": lambda case: np.allclose(
        per_sample(case), per_sample(case, connect_roots=False)
    ),
    "weighted and counted links cost the same": lambda case: np.allclose(
        per_sample(case), per_sample(case, cost="links")
    ),
}


@pytest.mark.parametrize("law", NON_LAWS)
def test_a_law_that_does_not_hold_has_a_counterexample(law: str) -> None:
    assert exists(cases(max_samples=1, max_nodes=6), lambda case: not NON_LAWS[law](case))


def test_a_near_miss_dilutes_a_far_miss() -> None:
    """Adding the sibling b of the true label a enlarges the union more than what is charged."""
    edges = [("R", "A"), ("R", "B"), ("A", "A1"), ("A1", "a"), ("A1", "b"), ("B", "B1"), ("B1", "d")]
    hierarchy = oe.Hierarchy.from_edges(edges)
    found = oe.evaluate([["a"]] * 2, [["a", "d"], ["a", "d", "b"]], hierarchy=hierarchy, measures="OS")
    assert found.per_sample("OS").round(6).tolist() == [0.5, 0.619048]
