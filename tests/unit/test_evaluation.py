"""Evaluation: from label sets to scores, and the recipe that they carry."""

from __future__ import annotations

import pytest

import ontoeval as oe
from ontoeval.errors import MeasureError

EDGES = [("thing", "sky"), ("thing", "sea"), ("sea", "coast")]
HIERARCHY = oe.Hierarchy.from_edges(EDGES)
TRUTH = [["sky"], ["sea", "coast"], []]
PREDICTION = [["sky"], ["coast"], ["sea"]]


# agreement --------------------------------------------------------------------------------------------------


def test_any_weight_of_the_hierarchy_may_stand_for_agreement() -> None:
    weighted = HIERARCHY.with_weight("votes", [1, 0.5, 0.5, 0.5]).with_weight("heavy", [1, 2, 1, 1])
    found = oe.evaluate(TRUTH, PREDICTION, hierarchy=weighted, measures="OS(agreement='votes')")
    assert found["OS(agreement='votes')"] > oe.evaluate(TRUTH, PREDICTION, hierarchy=weighted)["OS"]
    with pytest.raises(oe.OntoevalError, match=r"agreement='vote': expected one of .*'votes'"):
        oe.evaluate(TRUTH, PREDICTION, hierarchy=weighted, measures="OS(agreement='vote')")
    with pytest.raises(
        MeasureError, match="The weight 'heavy' has values up to 2, but an agreement is at most 1"
    ):
        oe.evaluate(TRUTH, PREDICTION, hierarchy=weighted, measures="OS(agreement='heavy')")


# the recipe -------------------------------------------------------------------------------------------------


def test_rules_that_the_truth_often_breaks_are_noted() -> None:
    strict = oe.Hierarchy.from_edges(
        EDGES,
        exclusions=[oe.core.Exclusion("sea", "sky")],
        requirements=[oe.core.Requirement("coast", ("sky",))],
    )
    truth = [["sky"]] * 19 + [["sky", "coast"]]
    result = oe.evaluate(truth, truth, hierarchy=strict, measures=["OS", "OS(alpha=2)", "F"])
    assert [(str(b.rule), b.applies, b.broken) for b in result.breaches] == [
        ("sea excludes sky", 20, 1),
        ("coast requires sky", 1, 0),
    ]
    assert result.cautions == []
    worse = oe.evaluate([*truth, ["sea", "sky"]], [*truth, []], hierarchy=strict, measures=["OS"])
    assert worse.cautions[0] == "The truth breaks 'sea excludes sky' in 2 of 21 sets."
    assert worse.cautions[1].startswith(
        "A rule that more than 5% of the sets it applies to break probably does not"
    )
    assert len(worse.cautions) == 2
    for silent in ("OS(penalise='none')", "OS(exclusions='none')", "F"):
        assert oe.evaluate([["sea", "sky"]], [[]], hierarchy=strict, measures=silent).cautions == []
