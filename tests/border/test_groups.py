"""Confusion matrices summed along a hierarchy, and the relations of what was confused."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe

REST = "(rest)"

EDGES = [
    ("r", "animals"), ("animals", "cats"), ("animals", "dogs"), ("dogs", "terriers"), ("dogs", "hounds"),
    ("r", "pets"), ("pets", "cats"), ("pets", "goldfish"),
]  # fmt: skip
ZOO = oe.Hierarchy.from_edges(EDGES)
TRUTH = [["terriers"], ["terriers"], ["cats"], ["cats"], ["goldfish"], ["r"]]
SAID = [["hounds"], ["dogs"], ["cats"], ["terriers"], ["cats"], ["hounds"]]
MATRIX = oe.confusion_matrix(TRUTH, SAID, rule="multiclass", hierarchy=ZOO)


def cells(matrix: oe.confusion.ConfusionMatrix) -> dict[tuple[str, str], float]:
    entries = sparse.coo_array(matrix.matrix)
    named = zip(*entries.coords, entries.data, strict=True)
    return {(matrix.rows[row], matrix.columns[column]): float(mass) for row, column, mass in named}


def test_a_level_sums_all_below_its_concepts() -> None:
    # Cats lie below both: what is right stays right, and goldfish taken for cats are pets anyhow.
    assert cells(MATRIX.aggregated(ZOO, level=1)) == {
        ("animals", "animals"): 2 + 0.5 + 1,
        ("pets", "pets"): 0.5 + 1,
        (REST, "animals"): 1,
    }


def test_a_cut_takes_the_lower_concept_from_the_upper_one() -> None:
    assert cells(MATRIX.aggregated(ZOO, cut=["animals", "dogs"])) == {
        ("dogs", "dogs"): 2,
        ("animals", "animals"): 1,
        ("animals", "dogs"): 1,
        (REST, "animals"): 1,
        (REST, "dogs"): 1,
    }


def test_what_is_in_several_groups_is_shared_equally() -> None:
    matrix = oe.confusion_matrix([["cats"]], [["hounds"]], rule="multiclass", hierarchy=ZOO)
    shared = matrix.aggregated(ZOO, cut=["animals", "pets", "dogs"])
    assert cells(shared) == {("animals", "dogs"): 0.5, ("pets", "dogs"): 0.5}
    assert shared.samples("animals", "dogs") == shared.samples("pets", "dogs") == {"0": 0.5}


def test_a_branch_stays_as_it_is() -> None:
    branch = MATRIX.aggregated(ZOO, branch="dogs")
    assert branch.rows == ("dogs", "terriers", "hounds", REST)
    assert cells(branch) == {
        ("terriers", "hounds"): 1,
        ("terriers", "dogs"): 1,
        (REST, REST): 2,
        (REST, "terriers"): 1,
        (REST, "hounds"): 1,
    }


def test_pseudo_concepts_stay() -> None:
    matrix = oe.confusion_matrix([["terriers"], []], [[], ["cats"]], rule="mlcm", hierarchy=ZOO)
    groups = matrix.aggregated(ZOO, cut=["animals"])
    assert (groups.rows[-1], groups.columns[-1]) == ("NTL", "NPL")
    assert cells(groups) == {("animals", "NPL"): 1, ("NTL", "animals"): 1}
    assert groups.counts().concepts == ("animals", REST, "NTL/NPL")


def test_large_matrices_stay_sparse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ontoeval.confusion.matrix.DENSE", 1)
    groups = MATRIX.aggregated(ZOO, level=1)
    assert sparse.issparse(groups.matrix)
    assert cells(groups) == cells(MATRIX.aggregated(ZOO, level=1))


def test_relations_of_the_confused() -> None:
    found = {one.relation: one.mass for one in MATRIX.relations(ZOO) if one.mass}
    assert found == {"same": 1, "parent": 1, "descendant": 1, "sibling": 2, "far": 1}
    top = {(one.true, one.predicted): (one.relation, one.links) for one in MATRIX.related(ZOO)}
    assert top["cats", "terriers"] == ("far", 3)
    assert top["goldfish", "cats"] == ("sibling", 2)
    assert top["r", "hounds"] == ("descendant", 3)


def test_relations_of_groups_and_pseudo_concepts() -> None:
    matrix = oe.confusion_matrix([["terriers"], ["r"]], [[], ["cats"]], rule="krstinic", hierarchy=ZOO)
    groups = matrix.aggregated(ZOO, level=1)
    assert {one.relation: one.mass for one in groups.relations(ZOO) if one.mass} == {"no concept": 2}
    assert np.isnan(groups.related(ZOO, 1)[0].links)
    assert groups.related(ZOO, 0) == []


def test_roots_have_nothing_in_common() -> None:
    forest = oe.Hierarchy.from_edges([("a", "b"), ("c", "d")])
    matrix = oe.confusion_matrix([["b"]], [["d"]], rule="multiclass", hierarchy=forest)
    (one,) = matrix.related(forest)
    assert one.relation == "other root"
    assert np.isnan(one.links)


def test_an_empty_matrix_has_no_shares() -> None:
    empty = oe.confusion.ConfusionMatrix(
        np.zeros((2, 2)), ("animals", "cats"), ("animals", "cats"), "multiclass"
    )
    assert {one.share for one in empty.relations(ZOO)} == {0}
