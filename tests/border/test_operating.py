"""Scores where each sample has one true label: reference values, ties, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import InputError, MeasureError, ParameterError
from tests.laws.scored import label_scores

TREE = [
    *[("R", "A"), ("R", "B"), ("A", "A1"), ("A", "A2"), ("A1", "a"), ("A1", "b"), ("A2", "c")],
    *[("B", "B1"), ("B", "B2"), ("B1", "d"), ("B1", "e")],
]
TOY = oe.Hierarchy.from_edges(TREE)


def scored(
    truths: Sequence[str],
    scores: Sequence[Mapping[str, float]],
    *measures: str,
    hierarchy: oe.Hierarchy = TOY,
) -> list[float]:
    """Score samples with one true label each."""
    vocabulary = hierarchy.label_vocabulary
    truth = oe.LabelSets.from_sets([truth.split() for truth in truths], vocabulary=vocabulary)
    result = oe.evaluate(truth, label_scores(scores, vocabulary), hierarchy=hierarchy, measures=measures)
    return list(result.scores.values())


RANKINGS = [
    dict(zip(labels.split(), (0.6, 0.3, 0.1), strict=True))
    for labels in ("a b c", "b a c", "d a b", "B2 c d")
]
TRUTHS = ["a", "a", "a", "d"]


def test_distances_at_k() -> None:
    first = ("hDistanceAt", "hDistanceAt(over='mistakes')", "OneError")
    assert scored(TRUTHS, RANKINGS, *first) == [1.5, 2, 0.75]
    third = ("hDistanceAt(k=3)", "hDistanceAt(k=3, over='nearest')")
    assert scored(TRUTHS, RANKINGS, *third) == pytest.approx([1.25, 0])


def test_tied_labels_share_the_ranks() -> None:
    tied = [{"a": 0.5, "b": 0.5, "d": 0.25, "e": 0.25}]
    assert scored(["a"], tied, "hDistanceAt") == [0.5]
    assert scored(["a"], tied, "hDistanceAt(k=3)") == pytest.approx([(0 + 1 + 3) / 3])
    # Of the wrong half of the first rank all lies one link up.
    assert scored(["a"], tied, "hDistanceAt(over='mistakes')") == [1]
    assert scored(["d"], tied, "hDistanceAt(k=3, over='nearest')") == [0]


def test_where_nothing_is_wrong_mistakes_cost_nothing_as_in_the_severity_of_labels() -> None:
    right = [{"a": 0.5, "b": 0.25}, {"d": 0.5}]
    assert scored(["a", "d"], right, "hDistanceAt(over='mistakes')") == [0]
    truth = oe.LabelSets.from_sets([["a"], ["d"]], vocabulary=TOY.label_vocabulary)
    assert oe.evaluate(truth, truth, hierarchy=TOY, measures="Severity").scores == {"Severity": 0}


def test_what_has_no_score_is_not_ranked() -> None:
    assert scored(["a"], [{"b": 0.5}], "hDistanceAt(k=5)") == [1]
    assert (
        scored(["a"], [{}], "hDistanceAt", "hDistanceAt(over='mistakes')", "hDistanceAt(over='nearest')")
        == [3] * 3
    )


def test_inference_goes_down_the_tree_as_the_threshold_sinks() -> None:
    # In sum A scores .9, A1 .8, a .5; from above: R, A, A1, a. The truth is b: a is wrong.
    some = {"a": 0.5, "b": 0.3, "c": 0.1, "d": 0.1}
    vocabulary = TOY.label_vocabulary
    truth = oe.LabelSets.from_sets([["b"]], vocabulary=vocabulary)
    batch = oe.core.ScoredBatch(truth, label_scores([some], vocabulary), TOY)
    measure = oe.measures.parse("OperatingArea")
    curve = measure.statistic.unpack(measure.statistic(batch).total())
    assert curve.thresholds == pytest.approx([np.inf, 0.9, 0.8, 0.5])
    assert curve.mean("correct").tolist() == [1, 1, 1, 0]
    assert curve.mean("recall") == pytest.approx([0, 0.386853, 0.613147, 0.613147], abs=5e-7)
    assert curve.mean("precision") == pytest.approx([1, 1, 1, 0.613147], abs=5e-7)
    assert scored(["b"], [some], "OperatingArea", "RecallAtCorrect") == pytest.approx(
        [0.613147] * 2, abs=5e-7
    )
    majority = "RecallAtCorrect(thresholds=(0.5,))"
    assert scored(["b"], [some], majority) == pytest.approx([0.613147], abs=5e-7)


def test_of_equally_good_concepts_each_counts_alike() -> None:
    # d and e are tied: half of what is inferred at last is right.
    some = {"d": 0.4, "e": 0.4}
    vocabulary = TOY.label_vocabulary
    truth = oe.LabelSets.from_sets([["d"]], vocabulary=vocabulary)
    measure = oe.measures.parse("OperatingArea")
    batch = oe.core.ScoredBatch(truth, label_scores([some], vocabulary), TOY)
    curve = measure.statistic.unpack(measure.statistic(batch).total())
    assert curve.thresholds == pytest.approx([np.inf, 0.8, 0.4])
    assert curve.mean("correct").tolist() == [1, 1, 0.5]


def test_of_concepts_with_one_score_the_most_specific_is_inferred() -> None:
    scores = label_scores([{"c": 0.5}], TOY.label_vocabulary)  # above it A2, A and R score as much
    found = oe.evaluate([["b"]], scores, hierarchy=TOY, measures="OperatingArea")
    assert found.per_sample("OperatingArea").tolist() == [0]


def test_scores_that_are_no_probabilities_of_single_labels_are_refused_by_sums() -> None:
    for scores in ({"a": 0.7, "b": 0.6}, {**dict.fromkeys(TOY.label_vocabulary, 0.01), "a": -0.1}):
        with pytest.raises(InputError, match=r"sum to 1 at most.*propagate='max'"):
            scored(["a"], [scores], "OperatingArea")
        assert scored(["a"], [scores], "OperatingArea(propagate='max')") != []
    inner = {"A": 0.9, "a": 0.8, "d": 0.1}
    with pytest.raises(InputError, match=r"up to 1.8 in sum below one concept \(sample '0'\)"):
        scored(["a"], [inner], "OperatingArea")
    assert scored(["a"], [inner], "OperatingArea(propagate='none')") == [1]


@pytest.mark.parametrize("measure", ["OperatingArea", "RecallAtCorrect", "hAURC"])
def test_rounded_probabilities_and_those_of_half_precision_are_probabilities(measure: str) -> None:
    shares = np.random.default_rng(1).dirichlet([1] * 5, 100)
    leaves = ["a", "b", "c", "d", "e"]
    truth = [[leaves[at]] for at in shares.argmax(axis=1)]

    def found(given: np.ndarray[Any, Any]) -> Any:
        scores = oe.LabelScores.from_array(given, vocabulary=leaves)
        return oe.evaluate(truth, scores, hierarchy=TOY, measures=measure)

    exact = found(shares)
    assert exact.cautions == []
    for rounded in (shares.round(6), shares.round(4), shares.round(3), shares.astype(np.float16)):
        assert found(rounded)[measure] == pytest.approx(exact[measure], abs=0.01)
        assert found(rounded).cautions[0].startswith("Probabilities sum to up to 1.0")
    with pytest.raises(InputError, match=r"up to 1\.01 in sum"):
        found(shares.round(2))
    with pytest.raises(InputError, match=r"up to 1\.00052 in sum"):
        found(np.array([[1.00052, 0, 0, 0, 0]] * 100))


def test_without_samples_or_scores_there_is_a_result() -> None:
    assert np.isnan(scored([], [], "OperatingArea", "hDistanceAt", "OperatingArea(thresholds=0.5)")).all()
    # A node above everything is inferred: it is correct and says nothing.
    assert scored(["a"], [{}], "OperatingArea", "RecallAtCorrect(thresholds=0.5)") == [0, 0]
    assert scored(["R"], [{}], "OperatingArea") == [1]


WRONG: dict[str, tuple[str, str]] = {
    "hDistanceAt(k=0)": ("k=0", "a whole number of at least 1"),
    "hDistanceAt(k=True)": ("k=True", "a whole number"),
    "hDistanceAt(over='all')": ("over='all'", "ranks"),
    "OperatingArea(propagate='mean')": ("propagate='mean'", "sum"),
    "OperatingArea(against='recall')": ("against='recall'", "correct"),
    "OperatingArea(by='width')": ("by='width'", "leaves"),
    "OperatingArea(thresholds=(0.5, 0.2))": ("thresholds", "ascending"),
    "RecallAtCorrect(least=2)": ("least=2", r"a number in \[0, 1\]"),
}


@pytest.mark.parametrize(("notation", "gist"), WRONG.items())
def test_wrong_options_are_named(notation: str, gist: tuple[str, str]) -> None:
    with pytest.raises(ParameterError, match=".*".join(gist)):
        oe.measures.parse(notation)


def test_one_true_label_is_needed() -> None:
    for measure in ("OperatingArea", "hDistanceAt"):
        with pytest.raises(MeasureError, match=r"one true label .* 1 of 1 have none or several: '0 \(2\)'"):
            scored(["a d"], [{"a": 0.5}], measure)


def test_sets_have_no_ranks() -> None:
    sides: Any = ([["a"]], [["a"]])
    with pytest.raises(MeasureError, match="ranks labels by their scores"):
        oe.evaluate(*sides, hierarchy=TOY, measures="hDistanceAt")
