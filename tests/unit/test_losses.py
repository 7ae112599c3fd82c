"""Losses and near misses: worked values, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import MeasureError, ParameterError
from ontoeval.measures.near_misses import PrecisionWithNearMisses, RecallWithNearMisses

TREE = [
    *[("R", "A"), ("R", "B"), ("A", "A1"), ("A", "A2"), ("A1", "a"), ("A1", "b"), ("A2", "c")],
    *[("B", "B1"), ("B", "B2"), ("B1", "d"), ("B1", "e")],
]
TOY = oe.Hierarchy.from_edges(TREE)
FOREST = oe.Hierarchy.from_edges([edge for edge in TREE if edge[0] != "R"])
DAG = oe.Hierarchy.from_edges([*TREE, ("B1", "c")])


def scored(truth: str, prediction: str, *measures: str, hierarchy: oe.Hierarchy = TOY) -> list[float]:
    """Score one sample."""
    result = oe.evaluate([truth.split()], [prediction.split()], hierarchy=hierarchy, measures=measures)
    return list(result.scores.values())


FORESTS = {
    # truth, prediction: H-loss, normalised, symmetric difference, on the forest
    ("a", "b"): (2, 0.25, 2),
    ("a", "c"): (2, 0.5, 4),
    ("a", "d"): (2, 1, 6),
    ("a", "A"): (1, 0.25, 2),
    ("a", "A1"): (1, 0.125, 1),
    ("a d", "a"): (1, 0.5, 3),
    ("a d", "b e"): (4, 0.5, 4),
    ("a", "a c"): (1, 0.25, 2),
}


@pytest.mark.parametrize(("pair", "expected"), FORESTS.items())
def test_h_loss_and_symmetric_difference_of_the_forest(
    pair: tuple[str, str], expected: tuple[float, ...]
) -> None:
    measures = ("HLoss", "HLoss(costs='normalised')", "SymmetricDifference", "ZeroOne")
    assert scored(*pair, *measures, hierarchy=FOREST) == pytest.approx((*expected, 1))


def test_costs_by_depth_are_an_alternative_where_normalised_ones_have_no_meaning() -> None:
    with pytest.raises(MeasureError, match=r"several parents, but 1 have: 'c'. Use costs='unit' or"):
        scored("a", "b", "HLoss(costs='normalised')", hierarchy=DAG)
    assert scored("a", "b", "HLoss(costs='depth')", hierarchy=DAG) == pytest.approx([2 * 0.75**3])


PATHS = {"a": (0, 0), "b": (2, 0.5), "c": (4, 1.5), "d": (6, 3.5), "A": (2, 0.75), "B2": (5, 3.25)}


@pytest.mark.parametrize(("other", "expected"), PATHS.items())
def test_distances_count_links_or_what_they_weigh(other: str, expected: tuple[float, float]) -> None:
    measures = ("Distance(per='sample')", "Distance(cost='geometric(0.5)', per='sample')")
    both = scored("a", other, *measures)
    assert both == pytest.approx([2 * one for one in expected])  # what is missed, and what is false
    if other != "a":
        assert scored("a", other, "Distance", "Distance(cost='geometric(0.5)')") == pytest.approx(expected)


def test_sides_and_denominators_are_chosen() -> None:
    # d is missed, 6 links from b; b is false, 2 links from a.
    pair = ("a d", "a b")
    assert scored(*pair, "Distance(sides='false')", "Distance(sides='missed')") == [2, 6]
    assert scored(*pair, "Distance", "Distance(per='label')") == pytest.approx([4, 8 / 3])


def test_costs_of_the_ontology_score_are_shares_of_the_longest_way() -> None:
    assert oe.concepts.cost_between(TOY, "a", "b", cost="geometric(0.75)") == pytest.approx(
        2 * 0.75**2 / (2 * (1 + 0.75 + 0.75**2))
    )
    for name in ("geometric(0)", "geometric(2)", "geometric(x)", "geometric(nan)", "geometric()"):
        with pytest.raises(ParameterError, match="a number r above 0 and of 1 at most"):
            oe.concepts.cost_between(TOY, "a", "b", cost=name)
    table = TOY.with_cost("geometric(0.5)", np.zeros((12, 12)))
    with pytest.raises(ParameterError, match="this one is built in"):
        scored("a", "b", "OS(cost='geometric(0.5)')", hierarchy=table)


# near misses ------------------------------------------------------------------------------------------------

THREE = oe.Hierarchy.flat(oe.Vocabulary(("0", "1", "2")))
SIMILAR = THREE.with_cost("looks", 1 - np.array([[1, 0.8, 0.1], [0.8, 1, 0.2], [0.1, 0.2, 1]]))
LINKED = oe.Hierarchy.from_edges([("r", "p"), ("p", "0"), ("p", "1"), ("r", "q"), ("q", "2")])
TRUTH, PREDICTION = ["0", "0", "1", "2", "02"], ["0", "1", "1", "0", "01"]

NEAR = {
    "similarity": (
        {"form": "similarity", "cost": "looks"},
        SIMILAR,
        ([0.614286, 0.701754, 0], [0.877551, 1, 0]),
        (0.584906, 0.488189),
    ),
    "distance": (
        {"form": "distance", "acceptable": 3},
        LINKED.with_labels("012"),
        ([0.6, 0.444444, 0], [0.75, 1, 0]),
        (0.4375, 0.388889),
    ),
    "nothing": (
        {"form": "similarity", "cost": "flat"},
        THREE,
        ([0.666667, 0.333333, np.nan], [0.666667, 1, 0]),
        (0.5, 0.5),
    ),
}


@pytest.mark.parametrize(("options", "hierarchy", "per_concept", "micro"), NEAR.values(), ids=NEAR)
def test_worked_values_of_near_misses(
    options: dict[str, object],
    hierarchy: oe.Hierarchy,
    per_concept: tuple[list[float], ...],
    micro: tuple[float, float],
) -> None:
    truth, prediction = (
        oe.LabelSets.from_sets(list(map(list, side)), vocabulary=hierarchy.label_vocabulary)
        for side in (TRUTH, PREDICTION)
    )
    batch = oe.Batch(truth, prediction, hierarchy)
    for which, measure in enumerate((PrecisionWithNearMisses, RecallWithNearMisses)):
        one = measure(**options)  # type: ignore[arg-type]
        total = one.statistic(batch).total()
        assert one.per_concept(total) == pytest.approx(np.array(per_concept[which]), abs=5e-7, nan_ok=True)
        assert one.formula(total) == pytest.approx(micro[which], abs=5e-7)
        macro = measure(average="macro", undefined=0.0, **options)  # type: ignore[arg-type]
        assert macro.formula(total) == pytest.approx(np.nanmean(np.nan_to_num(per_concept[which])), abs=5e-7)


def test_undefined_concepts_are_counted() -> None:
    result = oe.evaluate([["0"]], [["1"]], hierarchy=THREE, measures="nearP(average='macro')")
    assert result.rows()[0].undefined == 2


@pytest.mark.parametrize("pairs", [1, 7])
def test_the_mean_similarity_is_the_same_in_pieces(pairs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    edges = [("R", "a"), ("R", "b"), ("a", "c"), ("a", "d")]
    sides, measure = ([["c"], ["b"]], [["d"], ["c"]]), "nearP(form='similarity', cost='depth-weighted')"
    whole = oe.evaluate(*sides, hierarchy=edges, measures=measure).scores
    monkeypatch.setattr("ontoeval.measures.near_misses.PAIRS", pairs)
    assert oe.evaluate(*sides, hierarchy=edges, measures=measure).scores == pytest.approx(whole, abs=1e-12)


def test_the_mean_similarity_of_many_labels_is_asked_for() -> None:
    many = oe.Hierarchy.from_edges([("root", f"leaf {number}") for number in range(5_000)])
    sides = ([["leaf 0"]], [["leaf 1"]])
    with pytest.raises(
        MeasureError, match=r"25,010,001 pairs of 5,001 labels.*Give it: mean_similarity=0.1, or use form="
    ):
        oe.evaluate(*sides, hierarchy=many, measures="nearP(form='similarity')")
    given = oe.evaluate(*sides, hierarchy=many, measures="nearP(form='similarity', mean_similarity=0)")
    assert list(given.scores.values()) == [0]
    # Siblings are 2 links apart, and with 4 acceptable each contributes one half.
    near = oe.evaluate(*sides, hierarchy=many, measures="nearP(acceptable=4)")
    assert list(near.scores.values()) == [pytest.approx(1 / 1.5)]
