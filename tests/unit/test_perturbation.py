"""Label sets and hierarchies changed by a known amount."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe
from ontoeval.errors import InputError, MisalignedError, ParameterError, UnknownConceptError

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


WRONG: dict[str, tuple[Any, type[Exception], str]] = {
    "no kind": (
        lambda: oe.comparison.perturb(SETS, "siblings", 0.1, seed=0),
        ParameterError,
        "near: 'sibling'",
    ),
    "a share above 1": (
        lambda: oe.comparison.perturb(SETS, "drop", 1.5, seed=0),
        ParameterError,
        r"rate=1.5.*\[0, 1\]",
    ),
    "no number": (
        lambda: oe.comparison.perturb(SETS, "drop", float("nan"), seed=0),
        ParameterError,
        "rate=nan",
    ),
    "a truth value": (
        lambda: oe.comparison.perturb(SETS, "drop", rate=True, seed=0),
        ParameterError,
        "rate=True",
    ),
    "a text for a rate": (
        lambda: oe.comparison.perturb(SETS, "drop", "1", seed=0),  # type: ignore[arg-type]
        ParameterError,
        "rate='1'",
    ),
    "a seed below 0": (lambda: oe.comparison.perturb(SETS, "drop", 1, seed=-1), ParameterError, "seed=-1"),
    "a text for a seed": (
        lambda: oe.comparison.perturb(SETS, "drop", 1, seed="x"),  # type: ignore[arg-type]
        ParameterError,
        "seed='x'",
    ),
    "no hierarchy": (
        lambda: oe.comparison.perturb(SETS, "parent", 1, seed=0),
        ParameterError,
        "the kind 'parent' needs",
    ),
    "no hierarchy to tell": (
        lambda: oe.comparison.perturbable(SETS, "sibling"),
        ParameterError,
        "hierarchy=None",
    ),
    "decisions": (lambda: oe.comparison.perturbable(SETS, "annotator"), ParameterError, "kind='annotator'"),
    "no agreement": (
        lambda: oe.comparison.perturb(SETS, "annotator", 1, seed=0),
        ParameterError,
        "agreement=None",
    ),
    "a hierarchy without one": (
        lambda: oe.comparison.perturb(SETS, "annotator", 1, hierarchy=TREE, seed=0),
        ParameterError,
        "a hierarchy with it",
    ),
    "a concept without one": (
        lambda: oe.comparison.perturb(SETS, "annotator", 1, agreement={"oaks": 1}, seed=0),
        InputError,
        r"no agreement from 0 to 1 for 6 concepts: 'plants'.* default=1",
    ),
    "an agreement above 1": (
        lambda: oe.comparison.perturb(SETS, "annotator", 1, agreement=dict.fromkeys(LABELS, 2), seed=0),
        InputError,
        "no agreement from 0 to 1",
    ),
    "a number for all concepts": (
        lambda: oe.comparison.perturb(SETS, "annotator", 1, agreement=0.9, seed=0),  # type: ignore[arg-type]
        ParameterError,
        "agreement=0.9: expected a mapping",
    ),
    "a number for labels": (
        lambda: oe.comparison.perturb(5, "drop", 1, seed=0),
        InputError,
        "5 is no collection",
    ),
    "no reading": (
        lambda: oe.comparison.perturb(SETS, "annotator", 1, agreement={}, reading="kappa", seed=0),  # type: ignore[arg-type]
        ParameterError,
        "reading='kappa'",
    ),
    "an unknown concept": (
        lambda: oe.comparison.perturb([["sky"]], "drop", 1, hierarchy=TREE, seed=0),
        UnknownConceptError,
        "sky",
    ),
    "an ontology": (
        lambda: oe.comparison.perturb(SETS, "drop", 1, hierarchy="no.ttl", seed=0),
        InputError,
        "no.ttl",
    ),
    "the roots": (
        lambda: oe.comparison.collapse_level(TREE, 0),
        ParameterError,
        "level=0: expected a depth from 1 to 3",
    ),
    "no level": (lambda: oe.comparison.collapse_level(TREE, 4), ParameterError, "level=4"),
    "a part of a level": (lambda: oe.comparison.collapse_level(TREE, 1.5), ParameterError, "level=1.5"),  # type: ignore[arg-type]
    "a rate below 0": (lambda: oe.comparison.insert_nodes(TREE, -0.1, seed=0), ParameterError, "rate=-0.1"),
    "a seed of None": (lambda: oe.comparison.merge_siblings(TREE, 1, seed=None), ParameterError, "seed=None"),  # type: ignore[arg-type]
    "labels of another": (
        lambda: oe.comparison.insert_nodes(TREE, 1, seed=0).carry(oe.LabelSets.from_sets([["sky"]])),
        MisalignedError,
        "sky",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_call_is_refused(case: str) -> None:
    call, kind, message = WRONG[case]
    with pytest.raises(kind, match=message):
        call()


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
