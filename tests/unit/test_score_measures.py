"""Worked values of measures of scores, and what is refused."""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import InputError, MeasureError, ParameterError
from ontoeval.measures.first_k import expected_reciprocal
from tests.laws.scored import label_scores

LINKS = "R-A R-B A-A1 A-A2 A1-a A1-b A2-c B-B1 B-B2 B1-d B1-e"
TREE = oe.Hierarchy.from_edges([(link.split("-")[0], link.split("-")[1]) for link in LINKS.split()])
VOCABULARY = TREE.label_vocabulary
TRUTH = oe.LabelSets.from_sets([["a"], ["a", "d"], ["c"], ["e"], ["B2"], ["b", "c"]], vocabulary=VOCABULARY)
SCORES = label_scores(
    [
        {"a": 0.9, "b": 0.4},
        {"a": 0.6, "e": 0.5},
        {"a": 0.3, "c": 0.2},
        {"d": 0.7},
        {"A": 0.8},
        {"b": 0.6, "B2": 0.1},
    ],
    VOCABULARY,
)
IA = {"A": 0.584963, "B": 1, "A1": 0.415037, "A2": 1, "a": 0.584963, "b": 1.584963, "B1": 0.584963}
IA |= {"B2": 1.584963, "d": 1, "e": 1}


def weighted() -> oe.Hierarchy:
    """The tree with the information accretion of the truth, log2 of 6, 4, 3, 2 and so on."""
    exact = {name: np.log2(round(2**value * 12) / 12) for name, value in IA.items()}
    return TREE.with_weight("ia", [exact.get(name, 0.0) for name in VOCABULARY])


@pytest.mark.parametrize(
    ("notation", "value"),
    [
        ("Fmax", 0.7650692798),
        ("Fmax(part='threshold')", 0.11),
        ("Fmax(part='precision')", 0.762301587),
        ("Fmax(part='recall')", 0.767857143),
        ("Covered", 1.0),
        ("Fmax(root='out')", 0.6618448637),
        ("Fmax(orphans=False)", 0.6618448637),
        ("wFmax", 0.6276771200),
        ("Smin", 1.2684190801),
        ("Smin(part='ru')", 0.9308270835),
        ("Smin(part='mi')", 0.8616541669),
        ("Smin(weight=None)", 1.4142135624),
        ("microFmax", 0.7857142857),
        ("microFmax(root='out')", 0.7272727273),
        ("microFmax(weight='ia')", 0.6615239059),
        ("Fmax(thresholds='distinct')", 0.7650692798),
        ("Fmax(thresholds='distinct', part='threshold')", 0.2),
        ("Smin(thresholds='distinct')", 1.2684190801),
    ],
)
def test_measures_at_the_best_threshold_have_their_worked_values(notation: str, value: float) -> None:
    result = oe.evaluate(TRUTH, SCORES, hierarchy=weighted(), measures=notation)
    assert result[notation] == pytest.approx(value, abs=5e-10)


RANKED = [[0.9, 0.8, 0.3, 0.1], [0.2, 0.6, 0.7, 0.1], [0.5, 0.4, 0.6, 0.2]]
TIED = [[0.5, 0.5, 0.5, 0.1], [0.2, 0.6, 0.6, 0.1], [0.5] * 4]


@pytest.mark.parametrize(
    ("scores", "notation", "value"),
    [
        (RANKED, "OneError", 0.666667),
        (RANKED, "Coverage", 2),
        (RANKED, "Coverage(minus_one=False)", 3),
        (RANKED, "RankingLoss", 0.527778),
        (RANKED, "LRAP", 0.657407),
        (RANKED, "AUC", 0.5),
        (RANKED, "AUC(average='micro')", 0.583333),
        (TIED, "RankingLoss", 0.611111),
        (TIED, "LRAP", 0.638889),
        (TIED, "Coverage(minus_one=False)", 3),
        (TIED, "AUC(average='samples')", 0.694444),
        (TIED, "RankingLoss(ties='half')", 1 - 0.694444),
    ],
)
def test_measures_of_rankings_have_their_worked_values(scores: Any, notation: str, value: float) -> None:
    truth = [[1, 0, 1, 0], [0, 1, 0, 0], [1, 1, 0, 1]]
    result = oe.evaluate(truth, oe.LabelScores.from_array(scores), measures=notation)
    assert result[notation] == pytest.approx(value, abs=5e-7)


def test_auc_of_each_concept_is_told() -> None:
    truth = [[1, 0, 1, 0], [0, 1, 0, 0], [1, 1, 0, 1]]
    result = oe.evaluate(truth, oe.LabelScores.from_array(RANKED), measures=["AUC", "LRAP"])
    assert list(result.per_concept("AUC").values()) == pytest.approx([1, 0, 0, 1])
    with pytest.raises(MeasureError, match="LRAP is no mean over the concepts"):
        result.per_concept("LRAP")


def test_curves_have_one_point_per_threshold() -> None:
    curve = oe.curve(TRUTH, SCORES, hierarchy=weighted(), weight="ia")
    assert len(curve.rows()) == 99
    assert (curve.rows()[0]["threshold"], curve.rows()[-1]["threshold"]) == (0.01, 0.99)
    assert curve.best["f"] == pytest.approx(0.62767712)
    assert min(point["s"] for point in curve.rows()) == pytest.approx(1.26841908)
    distinct = oe.curve(TRUTH, SCORES, hierarchy=TREE, thresholds="distinct")
    assert distinct.thresholds.tolist() == [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    assert np.isnan(
        oe.curve([[1, 0]], oe.LabelScores.from_array([[0.2, 0.1]]), propagate=False).precision[-1]
    )


def test_sweeps_go_over_a_grid_or_all_scores() -> None:
    grid = oe.sweep(TRUTH, SCORES, measures=["F", "hF", "OS", "Hamming"], hierarchy=TREE)
    assert len(grid.rows()) == 99
    assert list(grid.rows()[0]) == ["threshold", "F", "hF", "OS", "Hamming"]
    distinct = oe.sweep(TRUTH, SCORES, measures="F", thresholds="distinct")
    assert distinct.thresholds.size == 9
    assert distinct.best("F")[1] == grid.best("F")[1] == max(grid["F"])
    assert oe.sweep(TRUTH, SCORES, measures="F", thresholds=[0.2, 0.5])["F"].size == 2
    agreed = oe.sweep(TRUTH, SCORES, measures="OS", hierarchy=TREE, agreement=dict.fromkeys(VOCABULARY, 0.5))
    assert agreed.best("OS")[1] > grid.best("OS")[1]


def test_scores_beyond_the_grid_are_refused_but_have_distinct_thresholds() -> None:
    scores = oe.LabelScores.from_array([[-1.0, 3.0]])
    with pytest.raises(InputError, match=r"scores from -1 to 3, but a grid.*thresholds='distinct'"):
        oe.evaluate([[0, 1]], scores, measures="Fmax(propagate=False)")
    for thresholds in ("'distinct'", "(-1, 0, 3)"):
        notation = f"Fmax(propagate=False, thresholds={thresholds})"
        assert oe.evaluate([[0, 1]], scores, measures=notation)[notation] == 1
    assert oe.curve([[0, 1]], scores, propagate=False, thresholds="distinct").best["threshold"] == 3


def test_a_sweep_refuses_scores_beyond_its_grid() -> None:
    scores = oe.LabelScores.from_array([[-1.0, 3.0]])
    for thresholds in (0.01, "cafaeval"):
        with pytest.raises(InputError, match="scores from -1 to 3, but a grid"):
            oe.sweep([[0, 1]], scores, measures="F", thresholds=thresholds)
    assert oe.sweep([[0, 1]], scores, measures="F", thresholds=(0, 3)).best("F") == (0.0, 1.0)


@pytest.mark.parametrize("thresholds", [["a"], [True], None, np.array([[0.2, 0.5]]), [], "grid"], ids=str)
def test_thresholds_that_are_none_are_refused(thresholds: Any) -> None:
    with pytest.raises(ParameterError, match="thresholds="):
        oe.curve(TRUTH, SCORES, thresholds=thresholds, hierarchy=TREE)
    with pytest.raises(ParameterError, match="thresholds="):
        oe.sweep(TRUTH, SCORES, thresholds=thresholds, measures="F")


def test_without_anything_predicted_a_least_distance_may_be_undefined() -> None:
    nothing = label_scores([{}] * 6, VOCABULARY)
    for grid in ("0.01", "'distinct'"):
        options = f"weight=None, thresholds={grid}"
        names = [f"Smin({options})", f"Smin({options}, uncovered=False)"]
        result = oe.evaluate(TRUTH, nothing, hierarchy=TREE, measures=names)
        assert np.isnan(list(result.scores.values())).tolist() == [False, True]


def test_what_a_measure_of_scores_lacks_is_named() -> None:
    with pytest.raises(MeasureError, match="A curve over ancestors needs a hierarchy"):
        oe.evaluate(TRUTH, SCORES, measures="Fmax")
    with pytest.raises(ParameterError, match="weight='ia'"):
        oe.evaluate(TRUTH, SCORES, hierarchy=TREE, measures="Smin")
    flat = oe.Hierarchy.flat(VOCABULARY)
    with pytest.raises(InputError, match=r"no concept is left to compare \(root='in', orphans=False"):
        oe.evaluate(TRUTH, SCORES, hierarchy=flat, measures="Fmax(orphans=False)")


def test_curves_and_sweeps_take_scores_alone() -> None:
    takers: list[Any] = [oe.curve, lambda *sides: oe.sweep(*sides, measures="F")]
    for wrong in takers:
        with pytest.raises(InputError, match="LabelSets stands where scores belong"):
            wrong(TRUTH, TRUTH)
    with pytest.raises(MeasureError, match="An agreement needs a hierarchy"):
        oe.sweep(TRUTH, SCORES, measures="F", agreement={})
    with pytest.raises(MeasureError, match="LRAP, Fmax: measured by the scores themselves"):
        oe.sweep(TRUTH, SCORES, measures=["LRAP", "F", "Fmax"])
    with pytest.raises(InputError, match="no score at all"):
        oe.sweep(TRUTH, label_scores([{}] * 6, VOCABULARY), measures="F", thresholds="distinct")


def test_a_sweep_tells_its_best_threshold_where_there_is_one() -> None:
    swept = oe.sweep(TRUTH, SCORES, measures=["PartlyCorrect", "P"], thresholds=(0.5, 5.0))
    with pytest.raises(MeasureError, match="PartlyCorrect has no best threshold: it has no best value"):
        swept.best("PartlyCorrect")
    assert swept.best("P")[0] == 0.5
    nowhere = oe.sweep(TRUTH, SCORES, measures="P", thresholds=(5.0,))
    with pytest.raises(MeasureError, match="undefined at all of them"):
        nowhere.best("P")
    with pytest.raises(MeasureError, match=r"'F' was not swept\. There are: PartlyCorrect, P"):
        _ = swept["F"]


def test_parts_of_a_measure_are_told_to_have_no_best_value() -> None:
    facts = [
        (oe.measures.parse(one).best, oe.measures.parse(one).bounds)
        for one in ("Covered", "Smin", "Fmax(part='threshold')")
    ]
    assert facts == [(None, (0.0, 1.0)), (0.0, (0.0, np.inf)), (None, (-np.inf, np.inf))]


def test_a_threshold_without_scores_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"threshold=0\.5: expected scores as prediction"):
        oe.evaluate(TRUTH, TRUTH, measures="F", threshold=0.5)


@pytest.mark.parametrize("before", [0, 3, 200])
@pytest.mark.parametrize(("labels", "right"), [(2, 1), (7, 3), (40, 2), (40, 39), (500, 4), (500, 260)])
def test_the_first_of_some_tied_labels_has_its_expected_place(before: int, labels: int, right: int) -> None:
    for most in (before + 1, before + labels // 2, before + labels, 10**6):
        late = range(min(labels - right + 1, most - before))
        chances = (Fraction(comb(labels - 1 - j, right - 1), comb(labels, right)) for j in late)
        exact = sum(chance / (before + 1 + j) for j, chance in enumerate(chances))
        above, size, hits = (np.array([one]) for one in (before, labels, right))
        found = expected_reciprocal(above, size, hits, most)
        assert found[0] == pytest.approx(float(exact), rel=1e-12)


def test_decoding_leaves_the_scores_as_they_are() -> None:
    """A probability that is rounded to 0 was taken out of the scores themselves."""
    scores = oe.LabelScores.from_array([[1 - 1e-15, 1e-15]])
    found = oe.evaluate([[1, 0]], scores, measures=["F(decode='sets')", "LRAP"])
    assert (found["F(decode='sets')"], found.batch.prediction.matrix.data.size) == (1.0, scores.matrix.nnz)  # type: ignore[union-attr]
