"""Laws of explanations: the charges are the score, and each of them can be followed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

import ontoeval as oe
from ontoeval.measures.ontology_score import OntologyScore
from tests.laws.cases import Case, cases, fewer
from tests.laws.test_ontology_score import options, per_sample


def explanations(case: Case, chosen: dict[str, Any]) -> list[oe.evaluation.Explanation]:
    """Explain every sample."""
    batch = case.batch
    return [
        oe.explain(
            batch.truth,
            batch.prediction,
            sample,
            hierarchy=case.bare_hierarchy,
            agreement=case.agreement,
            measure=OntologyScore(**chosen),
        )
        for sample in batch.truth.samples
    ]


@given(case=cases(max_samples=2), chosen=options())
def test_charges_add_up_to_the_score(case: Case, chosen: dict[str, Any]) -> None:
    expected = per_sample(case, **chosen)
    for row, explained in enumerate(explanations(case, chosen)):
        assert explained.score == pytest.approx(expected[row], abs=1e-12)
        truth, prediction = case.truths[row], case.predictions[row]
        assert sorted(charge.label for charge in explained.charges) == sorted(truth | prediction)
        if not prediction and truth and chosen["empty_prediction"] == "zero":
            assert explained.score == 0
            assert str(explained).endswith("nothing is predicted = 0.0000")
        elif not prediction and not truth:
            assert str(explained).endswith("nothing is true or predicted = 1.0000")
        else:
            base = 1 - sum(charge.charge for charge in explained.charges) / len(explained.charges)
            powered = base**explained.alpha if base > 1e-12 else 0.0
            assert explained.score == pytest.approx(powered, abs=1e-9)


@given(case=cases(max_samples=2), chosen=options())
def test_a_charge_is_cost_times_agreement_or_one_for_broken_rules(case: Case, chosen: dict[str, Any]) -> None:
    tree = case.tree(chosen["cost"], connect_roots=chosen["connect_roots"])
    for explained, truth, prediction in zip(
        explanations(case, chosen), case.truths, case.predictions, strict=True
    ):
        for charge in explained.charges:
            kinds = {
                "common": truth & prediction,
                "missed": truth - prediction,
                "false": prediction - truth,
            }
            assert charge.label in kinds[charge.kind]
            if charge.rules:
                assert charge.charge == 1
                assert charge.kind != "missed"
                assert chosen["penalise"] == "all predicted" or charge.kind == "false"
            else:
                assert charge.charge == pytest.approx(charge.cost * charge.agreement)
            if charge.matched is not None:
                assert charge.cost == pytest.approx(tree.cost(charge.label, charge.matched), abs=1e-9)
                assert charge.matched in {"missed": prediction, "false": truth}[charge.kind]


@given(case=cases(max_samples=2), chosen=options(cost="depth-weighted"))
def test_a_path_climbs_to_a_common_ancestor_and_descends(case: Case, chosen: dict[str, Any]) -> None:
    links = set(case.graph.edges)
    roots = {case.hierarchy.vocabulary[root] for root in case.hierarchy.roots}
    links |= {("(root)", root) for root in roots}
    tree = case.tree(connect_roots=chosen["connect_roots"])
    for explained in explanations(case, chosen):
        for charge in explained.charges:
            if not charge.path:
                continue
            assert (charge.path[0], charge.path[-1]) == (charge.label, charge.matched)
            steps = list(zip(charge.path, charge.path[1:], strict=False))
            up = [(child, parent) for child, parent in steps if (parent, child) in links]
            down = [step for step in steps if step in links]
            assert steps == up + down
            lower_ends = [child for child, _ in up] + [child for _, child in down]
            assert charge.cost == pytest.approx(sum(tree.link_cost[child] for child in lower_ends))


@fewer
@given(case=cases(), chosen=options())
def test_broken_rules_are_counted_as_by_the_naive_implementation(case: Case, chosen: dict[str, Any]) -> None:
    from tests.oracles.ontology_score import violators

    measure = OntologyScore(**{**chosen, "exclusions": "declared", "requirements": "declared"})
    found = oe.score(oe.collect(case.batch, [measure])).breaches
    if chosen["penalise"] == "none":
        assert found == []
        return
    tree = case.tree()
    for breach in found:
        if isinstance(breach.rule, oe.core.Exclusion):
            speaks_of = tree.below[breach.rule.first] | tree.below[breach.rule.second]
            rules: dict[str, Any] = {"exclusions": [(breach.rule.first, breach.rule.second)]}
        else:
            speaks_of = tree.below[breach.rule.concept]
            rules = {"requirements": [(breach.rule.concept, frozenset(breach.rule.any_of))]}
        assert breach.applies == sum(bool(truth & speaks_of) for truth in case.truths)
        assert breach.broken == sum(bool(violators(truth, tree, **rules)) for truth in case.truths)
