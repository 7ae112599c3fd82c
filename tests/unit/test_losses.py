"""Losses and near misses: worked values, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import MeasureError, ParameterError

TREE = [
    *[("R", "A"), ("R", "B"), ("A", "A1"), ("A", "A2"), ("A1", "a"), ("A1", "b"), ("A2", "c")],
    *[("B", "B1"), ("B", "B2"), ("B1", "d"), ("B1", "e")],
]
TOY = oe.Hierarchy.from_edges(TREE)
DAG = oe.Hierarchy.from_edges([*TREE, ("B1", "c")])


def scored(truth: str, prediction: str, *measures: str, hierarchy: oe.Hierarchy = TOY) -> list[float]:
    """Score one sample."""
    result = oe.evaluate([truth.split()], [prediction.split()], hierarchy=hierarchy, measures=measures)
    return list(result.scores.values())


def test_costs_by_depth_are_an_alternative_where_normalised_ones_have_no_meaning() -> None:
    with pytest.raises(MeasureError, match=r"several parents, but 1 have: 'c'. Use costs='unit' or"):
        scored("a", "b", "HLoss(costs='normalised')", hierarchy=DAG)
    assert scored("a", "b", "HLoss(costs='depth')", hierarchy=DAG) == pytest.approx([2 * 0.75**3])


def test_sides_are_chosen() -> None:
    # d is missed, 6 links from b; b is false, 2 links from a.
    pair = ("a d", "a b")
    assert scored(*pair, "Distance(sides='false')", "Distance(sides='missed')") == [2, 6]


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
