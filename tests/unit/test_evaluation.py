"""Evaluation: from label sets to scores, and the recipe that they carry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import InputError, MeasureError, ParameterError, UnknownConceptError
from ontoeval.measures.counts import Overlap

EDGES = [("thing", "sky"), ("thing", "sea"), ("sea", "coast")]
HIERARCHY = oe.Hierarchy.from_edges(EDGES)
TRUTH = [["sky"], ["sea", "coast"], []]
PREDICTION = [["sky"], ["coast"], ["sea"]]


@dataclass(frozen=True)
class AllAtOnce:
    """A measure whose parts cannot be summed."""

    mergeable = False
    statistic = Overlap()

    def formula(self, values: Any) -> Any:
        """Whatever."""
        return values[..., 0]


def test_with_a_hierarchy_its_labels_are_the_vocabulary() -> None:
    assert oe.evaluate(TRUTH, PREDICTION, hierarchy=HIERARCHY).totals.vocabulary == HIERARCHY.vocabulary
    arrays = oe.evaluate(np.eye(4), np.eye(4), hierarchy=HIERARCHY, measures="OS")
    assert arrays["OS"] == 1
    with pytest.raises(InputError, match=r"3 columns beside a hierarchy of 4 concepts.*classes=\[...\]"):
        oe.evaluate(np.eye(3), np.eye(3), hierarchy=HIERARCHY)


def test_arrays_of_different_widths_are_refused() -> None:
    for truth, prediction in (([[1, 0]], [[1]]), ([[1]], [[1, 0]])):
        with pytest.raises(InputError, match="does not fit 1 sample and"):
            oe.evaluate(truth, prediction)


def test_rows_may_be_arrays() -> None:
    numbers, names = [np.array([1, 0]), np.array([0, 1])], [np.array(["a"]), np.array(["b"])]
    assert oe.evaluate(numbers, numbers).totals.vocabulary == oe.Vocabulary(("0", "1"))
    assert oe.evaluate(names, names).totals.vocabulary.concepts == ("a", "b")


def test_totals_have_no_samples() -> None:
    result = oe.evaluate(TRUTH, PREDICTION)
    totals = oe.score(result.totals)
    assert dict(totals.scores) == dict(result.scores)
    assert totals.samples == ()
    with pytest.raises(MeasureError, match=r"Totals hold no samples. For scores of single samples"):
        totals.per_sample("F")


def test_measures_of_the_same_statistic_share_it() -> None:
    totals = oe.evaluate(TRUTH, PREDICTION, measures=["P", "R", "F", "Hamming", "F(average='macro')"]).totals
    assert len(totals.sums) == 2
    scores = ["OS", "OS(alpha=2)"]
    shared = oe.evaluate(TRUTH, PREDICTION, hierarchy=HIERARCHY, measures=scores).totals
    assert len({type(statistic).__name__ for statistic in shared.sums}) == 2


def test_a_measure_that_needs_all_samples_is_computed_of_all_but_never_summed() -> None:
    whole = oe.evaluate(TRUTH, PREDICTION, measures=[AllAtOnce()])
    assert whole[f"{__name__}:AllAtOnce"] == 2
    assert oe.score(oe.merge(whole.totals)).scores == whole.scores
    with pytest.raises(MeasureError, match=r"AllAtOnce: needs all samples at once"):
        oe.merge(whole.totals, whole.totals)


def totals(measures: Sequence[str] = ("F",), **options: Any) -> oe.evaluation.Totals:
    """Totals of the example."""
    return oe.evaluate(TRUTH, PREDICTION, measures=measures, **options).totals


def test_totals_of_other_measures_concepts_or_hierarchies_are_not_added() -> None:
    with pytest.raises(InputError, match="no totals to merge"):
        oe.merge()
    other = oe.evaluate([["a"]], [["a"]], measures="F").totals
    for different in (totals(["P"]), totals(["F", "P"]), other):
        with pytest.raises(InputError, match="totals of different measures or concepts"):
            oe.merge(totals(), different)
    grown = oe.Hierarchy.from_edges([*EDGES, ("sky", "coast")])
    truth = oe.LabelSets.from_sets(TRUTH, vocabulary=("thing", "sky", "sea", "coast"))
    flat = oe.evaluate(truth, truth, measures="F").totals
    agreed = totals(hierarchy=HIERARCHY, agreement=dict.fromkeys(HIERARCHY.vocabulary, 0.5))
    for different in (totals(hierarchy=grown), agreed, flat):
        with pytest.raises(InputError, match="totals over different hierarchies"):
            oe.merge(totals(hierarchy=HIERARCHY), different)


# agreement --------------------------------------------------------------------------------------------------

AGREEMENT = {"thing": 1, "sky": 0.9, "sea": 0.5, "coast": 0.75}


@pytest.mark.parametrize(
    ("agreement", "error", "message"),
    [
        ({"sky": 1}, InputError, r"for 3 concepts: 'thing'.* default=1"),
        (AGREEMENT | {"fog": 1}, UnknownConceptError, "'fog'"),
        (AGREEMENT | {"sky": 1.5}, InputError, "no agreement from 0 to 1 for 1 concept: 'sky'"),
        (AGREEMENT | {"sky": -0.5}, InputError, "for 1 concept: 'sky'"),
        (AGREEMENT | {"sky": np.nan}, InputError, "for 1 concept: 'sky'"),
        (0.9, ParameterError, "agreement=0.9: expected a mapping"),
    ],
)
def test_agreements_are_complete_and_between_zero_and_one(
    agreement: Any, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        oe.evaluate(TRUTH, PREDICTION, hierarchy=HIERARCHY, agreement=agreement)


def test_an_agreement_without_hierarchy_is_refused() -> None:
    with pytest.raises(MeasureError, match="An agreement needs a hierarchy"):
        oe.evaluate(TRUTH, PREDICTION, agreement=AGREEMENT)


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
    assert result.notes == []
    worse = oe.evaluate([*truth, ["sea", "sky"]], [*truth, []], hierarchy=strict, measures=["OS"])
    assert worse.notes[0] == "The truth breaks 'sea excludes sky' in 2 of 21 sets."
    assert worse.notes[1].startswith(
        "A rule that more than 5% of the sets it applies to break probably does not"
    )
    assert len(worse.notes) == 2
    for silent in ("OS(penalise='none')", "OS(exclusions='none')", "F"):
        assert oe.evaluate([["sea", "sky"]], [[]], hierarchy=strict, measures=silent).notes == []


def test_rules_are_noted_after_merging_too() -> None:
    strict = oe.Hierarchy.from_edges(EDGES, exclusions=[oe.core.Exclusion("sea", "sky")])
    batch = oe.evaluate([["sea", "sky"]] * 3, [["sea"]] * 3, hierarchy=strict).batch
    assert batch is not None
    merged = oe.score(oe.merge(*(oe.collect(chunk, "OS") for chunk in batch.chunks(1))))
    assert [(breach.applies, breach.broken) for breach in merged.breaches] == [(3, 3)]
