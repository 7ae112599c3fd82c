"""Verified labels, groups, rewards and paths that cannot be had."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe
from ontoeval.measures.near_misses import PhysioNet

TREE = oe.Hierarchy.from_edges([("a", "b"), ("b", "c"), ("a", "d")])
SETS = oe.LabelSets.from_sets([["a"]], vocabulary=TREE.vocabulary)
NONE = oe.LabelSets.from_sets([[]], vocabulary=TREE.vocabulary)
VERIFIED = oe.VerifiedLabels(SETS, NONE)
MATRIX = oe.confusion_matrix([["b"]], [["c"]], rule="multiclass", hierarchy=TREE)
Verified = oe.VerifiedLabels

WRONG: dict[str, tuple[Callable[[], Any], str]] = {
    "both": (lambda: Verified(SETS, SETS), "1 label marked both as present and as absent: '0: a'"),
    "other samples": (lambda: Verified(SETS, NONE.take(["9"])), "only"),
    "other concepts": (lambda: Verified(SETS, oe.LabelSets.from_sets([["z"]])), "'z'"),
    "lists": (lambda: Verified([["a"]], [[]]), "VerifiedLabels.from_sets"),  # type: ignore[arg-type]
    "mixed": (lambda: Verified.from_sets({"1": ["a"]}, [["b"]]), "Give two mappings, or two lists"),
    "lengths": (
        lambda: Verified.from_sets([["a"]], []),
        "1 samples with positive labels, 0 with negative ones",
    ),
    "numbers": (
        lambda: Verified.from_sets([1], [2]),  # type: ignore[list-item]
        "the number 1 stands where the labels of a sample belong",
    ),
    "number": (
        lambda: Verified.from_array([[0.5]]),
        "sample '0' has the value 0.5 for '0'. Write 1 for a label",
    ),
    "sign": (lambda: Verified.from_array([[1]], negative=2), "negative=2"),  # type: ignore[arg-type]
    "root": (lambda: VERIFIED.expanded(TREE, root="none"), "root='none'"),  # type: ignore[arg-type]
    "foreign": (lambda: Verified.from_sets([["z"]], [[]]).expanded(TREE), "'z'"),
    "contradiction": (
        lambda: Verified.from_sets([["c"]], [["b"]], vocabulary=TREE.vocabulary).expanded(TREE),
        "1 label of which an ancestor is marked as absent: '0: c without b'",
    ),
    "contradiction in a measure": (
        lambda: oe.evaluate(
            Verified.from_sets([["c"]], [["b"]], vocabulary=TREE.vocabulary),
            [["a"]],
            hierarchy=TREE,
            measures="hF",
        ),
        "'0: c without b'",
    ),
    "contradiction in a flat measure": (
        lambda: oe.evaluate(
            Verified.from_sets([["c"]], [["b"]], vocabulary=TREE.vocabulary),
            [["a"]],
            hierarchy=TREE,
            measures="P",
        ),
        "'0: c without b'",
    ),
    "unknown single label": (
        lambda: oe.evaluate(VERIFIED, [["d"]], hierarchy=TREE, measures="Severity"),
        "none or several of those known to be right or wrong, as the rest counts neither way: '0 (0)'",
    ),
    "as prediction": (
        lambda: oe.evaluate([["a"]], VERIFIED),
        "verified labels stand where predictions belong",
    ),
    "scores": (
        lambda: oe.evaluate(VERIFIED, oe.LabelScores.from_array(np.ones((1, 4)), vocabulary=TREE.vocabulary)),
        "Give a threshold: scores.at",
    ),
    "unknown truth": (
        lambda: oe.Batch(SETS, NONE, known=sparse.csr_array((1, 4), dtype=bool)),
        "do not hold all true ones",
    ),
    "shape": (lambda: oe.Batch(NONE, NONE, known=sparse.csr_array((1, 3), dtype=bool)), "known labels"),
    "no group": (lambda: MATRIX.aggregated(TREE), "expected exactly one of them"),
    "two groups": (lambda: MATRIX.aggregated(TREE, level=1, branch="b"), "expected exactly one of them"),
    "depth": (
        lambda: MATRIX.aggregated(TREE, level=3),
        "no concept has the depth 3. The hierarchy has the depths 0 to 2",
    ),
    "empty cut": (lambda: MATRIX.aggregated(TREE, cut=[]), "the cut has no concepts"),
    "text as cut": (lambda: MATRIX.aggregated(TREE, cut="b"), "expected several concepts"),
    "unknown cut": (lambda: MATRIX.aggregated(TREE, cut=["bb"]), "'bb'"),
    "unknown branch": (lambda: MATRIX.aggregated(TREE, branch="x"), "'x'"),
    "other hierarchy": (lambda: MATRIX.relations(oe.Hierarchy.from_edges([("a", "b")])), "'c'"),
    "negative number": (lambda: MATRIX.related(TREE, -1), "number=-1"),
    "normal": (
        lambda: oe.evaluate([["b"]], [["b"]], hierarchy=TREE, measures=[PhysioNet(normal="x")]),
        "'x'",
    ),
    "number as normal": (lambda: oe.measures.parse("PhysioNet(normal=1)"), "normal=1"),
    "no such cost": (
        lambda: oe.evaluate([["b"]], [["b"]], hierarchy=TREE, measures="PhysioNet(cost='x')"),
        "cost='x'",
    ),
    "connected roots": (lambda: oe.measures.parse("PhysioNet(connect_roots='no')"), "connect_roots='no'"),
    "undefined": (lambda: oe.measures.parse("PhysioNet(undefined=2)"), "undefined=2"),
    "ends": (lambda: oe.measures.parse("pathF(ends='leaves')"), "ends='leaves'"),
    "beta": (lambda: oe.measures.parse("pathF(beta=-1)"), "beta=-1"),
    "undefined path": (lambda: oe.measures.parse("pathP(undefined=-1)"), "undefined=-1"),
    "no hierarchy": (
        lambda: oe.evaluate([["b"]], [["b"]], measures="pathF"),
        "A measure of paths needs a hierarchy",
    ),
    "no hierarchy for rewards": (
        lambda: oe.evaluate([["b"]], [["b"]], measures="PhysioNet"),
        "needs a hierarchy",
    ),
}


@pytest.mark.parametrize("which", WRONG)
def test_what_cannot_be_had_is_refused(which: str) -> None:
    attempt, message = WRONG[which]
    with pytest.raises(oe.OntoevalError) as refused:
        attempt()
    assert message in str(refused.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,concept,value\np1,a,0.5\n", "sample 'p1' has the value 0.5 for 'a'"),
        ("id,concept,value\np1,a,1\np1,a,0\n", "two scores for 'a', in rows 2 and 3"),
        ("id,a,b\np1,1,maybe\n", "'maybe'"),
        ("id,labels\np1,a\n", "labels, not scores"),
    ],
)
def test_files_that_do_not_say_what_was_verified_are_refused(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(oe.OntoevalError) as refused:
        oe.read_verified_labels(path)
    assert message in str(refused.value)
