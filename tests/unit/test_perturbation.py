"""Label sets and hierarchies changed by a known amount."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe
from ontoeval.errors import ParameterError

EDGES = [
    ("thing", "plants"), ("plants", "trees"), ("plants", "flowers"), ("trees", "oaks"), ("trees", "firs"),
    ("thing", "people"), ("people", "women"), ("people", "men"),
]  # fmt: skip
TREE = oe.Hierarchy.from_edges(EDGES, abstract=["thing", "people"])
LABELS = TREE.label_vocabulary
SETS = oe.LabelSets.from_sets(
    {"p1": ["oaks", "flowers"], "p2": ["women"], "p3": [], "p4": ["plants", "firs"]}, vocabulary=LABELS
)


def many(count: int = 2_000, *, each: int = 3, width: int = 40) -> oe.LabelSets:
    """Sets of some labels of many."""
    rng = np.random.default_rng(7)
    columns = rng.random((count, width)).argsort(axis=1)[:, :each].ravel()
    ones = np.ones(columns.size, dtype=bool)
    matrix = sparse.csr_array((ones, columns, np.arange(count + 1) * each), shape=(count, width))
    return oe.LabelSets.from_array(matrix)


# label sets -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("reading", "error"), [("majority", 0.2), ("pairwise", 0.1127017)])
def test_annotators_turn_decisions_round_as_often_as_their_agreement_implies(
    reading: Any, error: float
) -> None:
    sets = many(20_000)
    agreement = {name: 0.8 if int(name) % 2 else 1 for name in sets.vocabulary}
    changed = oe.comparison.perturb(sets, "annotator", 1, agreement=agreement, reading=reading, seed=1)
    share = np.asarray((sets.matrix != changed.matrix).mean(axis=0))  # type: ignore[attr-defined]
    np.testing.assert_array_equal(share[::2], 0)
    np.testing.assert_allclose(share[1::2], error, atol=0.012)
    if reading == "pairwise":
        assert error**2 + (1 - error) ** 2 == pytest.approx(0.8, abs=1e-6)


# hierarchies ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "change",
    [
        lambda tree: oe.comparison.collapse_level(tree, 3),
        lambda tree: oe.comparison.insert_nodes(tree, 1, seed=0),
        lambda tree: oe.comparison.merge_siblings(tree, 1, seed=0),
    ],
    ids=["collapse_level", "insert_nodes", "merge_siblings"],
)
def test_the_digest_of_a_changed_hierarchy_leaves_out_what_that_of_the_original_does(change: Any) -> None:
    sets = [oe.LabelSets.from_sets(sets) for sets in ([["oaks"]], [["oaks"], ["women"]])]
    secret = [oe.concepts.with_information(TREE, one, corpus="the truth", withheld=True) for one in sets]
    first, second = (change(tree).hierarchy for tree in secret)
    assert first.withheld == {"ic", "ia"}
    assert first.digest == second.digest


def test_names_of_inserted_nodes_are_new() -> None:
    tree = oe.Hierarchy.from_edges([("a", "b"), ("a", "a > b")])
    names = oe.comparison.insert_nodes(tree, 1, seed=0).hierarchy.vocabulary.concepts
    assert names == ("a", "b", "a > b", "a > b'", "a > a > b")


def test_a_level_is_taken_out_of_a_hierarchy_that_has_one() -> None:
    with pytest.raises(ParameterError, match="something lies below a root"):
        oe.comparison.collapse_level(oe.Hierarchy.from_edges([], concepts=["a"]), 1)
