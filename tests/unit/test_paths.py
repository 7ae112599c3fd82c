"""Counts along paths: the examples of Riehl, Neunteufel and Hemberg 2023, figure 4."""

from __future__ import annotations

from itertools import pairwise

import pytest

import ontoeval as oe
from ontoeval.measures.paths import Ends, PathCounts


def hierarchy_of(links: str) -> oe.Hierarchy:
    return oe.Hierarchy.from_edges([(link.split()[0], link.split()[1]) for link in links.split(",")])


_TREE = "root A,root B,A C,A D,A E,C H,D I,D J,D K,E L,E M,B F,B G"
TREE = hierarchy_of(_TREE)
DAG = hierarchy_of(f"{_TREE},B E")
OTHER = hierarchy_of(f"{_TREE},root D,E K")

# TP, TN, FP and FN as version 0.0.1 of the package hierarchical-confusion-matrix gives them for the paths
# to these labels. Of problem D its own example passes the predictions of problem C by a slip.
PUBLISHED = [
    (TREE, "I", "I", (3, 5, 0, 0)),
    (TREE, "I", "J", (2, 4, 1, 1)),
    (TREE, "I", "L", (1, 2, 2, 2)),
    (OTHER, "I", "I", (3, 5, 0, 0)),
    (OTHER, "I", "L", (1, 2, 2, 2)),
    (OTHER, "K", "K", (3, 7, 0, 0)),
    (DAG, "IF", "IF", (5, 8, 0, 0)),
    (DAG, "IF", "IJ", (3, 5, 3, 2)),
    (DAG, "IF", "HM", (2, 4, 4, 3)),
    (DAG, "DF", "DF", (4, 9, 0, 0)),
    (DAG, "DF", "JB", (3, 8, 1, 1)),
    (DAG, "DF", "CE", (2, 4, 2, 2)),
    (DAG, "L", "L", (3, 6, 0, 0)),
    (DAG, "L", "M", (2, 5, 1, 1)),
    (DAG, "L", "D", (1, 2, 1, 2)),
    (DAG, "L", "B", (1, 3, 0, 2)),
    (TREE, "IF", "I", (3, 5, 0, 2)),
    (TREE, "IF", "J", (2, 4, 1, 3)),
    (TREE, "I", "IF", (3, 5, 2, 0)),
    (TREE, "I", "JK", (2, 4, 4, 1)),
    (TREE, "ID", "I", (3, 5, 0, 2)),
    (TREE, "", "I", (0, 0, 3, 0)),
]


def counts(
    hierarchy: oe.Hierarchy, truth: list[str], prediction: list[str], ends: Ends = "labels"
) -> list[float]:
    true, predicted = (
        oe.LabelSets.from_sets([names], vocabulary=hierarchy.vocabulary) for names in (truth, prediction)
    )
    tp, fp, fn, tn = PathCounts(ends)(oe.Batch(true, predicted, hierarchy)).total().tolist()
    return [tp, tn, fp, fn]


@pytest.mark.parametrize(("hierarchy", "truth", "prediction", "expected"), PUBLISHED)
def test_published_examples(
    hierarchy: oe.Hierarchy, truth: str, prediction: str, expected: tuple[int, ...]
) -> None:
    assert counts(hierarchy, list(truth), list(prediction)) == list(expected)


def test_labels_above_others_end_no_path_if_only_the_most_specific_do() -> None:
    assert counts(TREE, ["I", "D"], ["I"], ends="most specific") == [3, 5, 0, 0]


def test_measures_are_ratios_of_the_counts() -> None:
    measures = ["pathP", "pathR", "pathF", "pathAccuracy", "pathF(beta=2)"]
    result = oe.evaluate([["I", "F"], ["I"]], [["I", "J"], ["J"]], hierarchy=DAG, measures=measures)
    tp, fp, fn, tn = 5, 4, 3, 9
    expected = [tp / (tp + fp), tp / (tp + fn), 2 * tp / (2 * tp + fp + fn), (tp + tn) / 21, 25 / 41]
    assert list(result.scores.values()) == pytest.approx(expected)
    assert result.per_sample("pathP").tolist() == [0.5, 2 / 3]
    assert "pathP(ends='labels', undefined=None) (emerging)" in result.signature


@pytest.mark.no_cover
def test_chains_of_thousands_of_links_are_walked() -> None:
    names = [str(number) for number in range(3_000)]
    chain = oe.Hierarchy.from_edges([*pairwise(names), ("2998", "x")])
    assert counts(chain, ["2999"], ["x"]) == [2998, 0, 1, 1]
