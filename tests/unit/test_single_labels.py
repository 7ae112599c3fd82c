"""Measures of one true and one predicted label: worked values, and what is refused."""

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
    """Score samples whose labels are separated by blanks."""
    sides = ([[label] for label in side.split()] for side in (truth, prediction))
    return list(oe.evaluate(*sides, hierarchy=hierarchy, measures=measures).scores.values())


def test_severity_leaves_out_what_is_right() -> None:
    assert scored("a a a d", "a b d B2", "Severity", "hDistance", "ExactMatch") == [2, 1.5, 0.25]
    assert scored("a", "a", "Severity") == [0]


def test_of_several_lowest_common_ancestors_the_lower_counts() -> None:
    # In the tree c and d meet at R; B1 is a parent of both in the DAG, but c still lies below A too.
    assert scored("c", "d", "hDistance") == [3]
    assert scored("c", "d", "hDistance", hierarchy=DAG) == [1]
    both = oe.Hierarchy.from_edges(
        [("r", "p"), ("r", "q"), ("p", "x"), ("p", "y"), ("q", "x"), ("q", "y"), ("q", "z"), ("z", "w")]
    )
    # p and q both are lowest above x and y; q has a leaf two links below it, p one.
    assert scored("x", "y", "hDistance", hierarchy=both) == [1]
    assert scored("x", "w", "hDistance", hierarchy=both) == [2]


def test_without_anything_above_both_a_node_above_all_counts() -> None:
    forest = oe.Hierarchy.from_edges([edge for edge in TREE if edge[0] != "R"])
    assert scored("a", "d", "hDistance", hierarchy=forest) == [3]
    assert scored("a", "d", "iP", "iR", "iDistance", hierarchy=forest) == pytest.approx(
        [0, 0, 2 * np.log2(6)]
    )


INFORMED = {
    # truth, prediction: precision, recall, F, excess, deficient, correct
    "a A1": (1, 0.613147, 0.760188, 0, 1, 1),
    "a A": (1, 0.386853, 0.557886, 0, 1.584963, 1),
    "a b": (0.613147, 0.613147, 0.613147, 1, 1, 0),
    "a d": (0, 0, 0, 2.584963, 2.584963, 0),
    "A1 a": (0.613147, 1, 0.760188, 1, 0, 1),
    "a R": (1, 0, 0, 0, 2.584963, 1),
    "R R": (1, 1, 1, 0, 0, 1),
    "A2 c": (1, 1, 1, 0, 0, 1),
}


@pytest.mark.parametrize(("pair", "expected"), INFORMED.items())
def test_information_that_prediction_and_truth_share(pair: str, expected: tuple[float, ...]) -> None:
    found = scored(*pair.split(), "iP", "iR", "iF", "Excess", "Deficient", "Correct")
    assert found == pytest.approx(expected, abs=5e-7)
    assert scored(*pair.split(), "iDistance") == pytest.approx([expected[3] + expected[4]], abs=1e-6)


def test_depth_is_another_information() -> None:
    found = scored("a", "A1", "iP(by='depth')", "iR(by='depth')", "Deficient(by='depth')")
    assert found == pytest.approx([1, 2 / 3, 1])
    assert scored("a", "c", "iDistance(by='depth')") == [4]
    with pytest.raises(ParameterError, match="by='width'"):
        oe.measures.parse("iP(by='width')")


def test_exactly_one_label_is_needed_on_each_side() -> None:
    for sides in (([["a"], ["a", "d"]], [["a"], ["a"]]), ([["a"], ["a"]], [["a"], []])):
        for measure in ("Severity", "hDistance", "iF", "Correct"):
            with pytest.raises(
                MeasureError, match=r"one (true|predicted) label .* 1 of 2 have none or several: '1 \([02]\)'"
            ):
                oe.evaluate(*sides, hierarchy=TOY, measures=measure)
    with pytest.raises(MeasureError, match="needs a hierarchy"):
        oe.evaluate([["a"]], [["a"]], measures="Severity")
