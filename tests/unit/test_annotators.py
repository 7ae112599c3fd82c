"""Simulated annotators."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe
from ontoeval.errors import InputError, ParameterError

TREE = oe.Hierarchy.from_edges(
    [("thing", "plants"), ("plants", "trees"), ("plants", "flowers"), ("thing", "sky")], abstract=["thing"]
)
SETS = oe.LabelSets.from_sets([["trees"], ["flowers", "sky"], []] * 2_000, vocabulary=TREE.label_vocabulary)


def said(n: int = 3, **options: Any) -> list[oe.LabelSets]:
    return list(oe.annotators.simulate_annotators(SETS, n, **{"seed": 0, **options}).values())


def differing(one: oe.LabelSets, other: oe.LabelSets) -> sparse.csr_array:
    return sparse.csr_array(one.matrix.astype(int) - other.matrix.astype(int)).astype(bool)


def test_annotators_are_numbered_and_the_first_say_the_same_whatever_their_number() -> None:
    many = oe.annotators.simulate_annotators(SETS, 3, accuracy=0.7, hierarchy=TREE, seed=4)
    assert list(many) == ["annotator 1", "annotator 2", "annotator 3"]
    few = oe.annotators.simulate_annotators(SETS, 2, accuracy=0.7, hierarchy=TREE, seed=4)
    for name, sets in few.items():
        assert differing(sets, many[name]).sum() == 0
        assert (sets.samples, sets.vocabulary) == (SETS.samples, SETS.vocabulary)
    one, other = list(many.values())[:2]
    assert differing(one, other).sum() > 0


def test_pairs_agree_as_far_as_they_were_asked_to() -> None:
    agreement = {"trees": 0.9, "flowers": 0.7, "sky": 1, "plants": 0.5}
    first, second = said(2, agreement=agreement, reading="pairwise")
    same = 1 - differing(first, second).mean(axis=0)
    wanted = [agreement[name] for name in SETS.vocabulary]
    np.testing.assert_allclose(same, wanted, atol=0.03)


def test_each_is_right_as_often_as_the_majority_that_agrees() -> None:
    agreed = oe.concepts.with_agreement(TREE, {"trees": 0.9, "flowers": 0.7, "sky": 1, "plants": 0.5})
    for sets in said(2, hierarchy=agreed):
        right = 1 - differing(sets, SETS).mean(axis=0)
        wanted = [agreed.weights["agreement"][agreed.vocabulary.index[name]] for name in SETS.vocabulary]
        np.testing.assert_allclose(right, wanted, atol=0.03)


def test_each_has_an_accuracy() -> None:
    for accuracy, sets in zip([1, 0.8, 0], said(accuracy=[1, 0.8, 0], errors={"drop": 1}), strict=True):
        assert sets.matrix.nnz / SETS.matrix.nnz == pytest.approx(accuracy, abs=0.02)


def test_errors_are_of_the_kinds_that_were_asked_for() -> None:
    [sets] = said(
        1, accuracy=0, errors={"parent": 0.5, "sibling": 0.25, "add": 0.25, "drop": 0}, hierarchy=TREE
    )
    counts = dict.fromkeys(SETS.vocabulary, 0)
    for row in range(0, len(SETS), 3):  # a tree each
        [*labels] = sets.labels_of(str(row))
        for name in labels:
            counts[name] += 1
    shares = {name: count / 2_000 for name, count in counts.items()}
    # plants: half of all, and a third of a quarter; flowers: a quarter, and a third of one; sky: the third third
    wanted = {"plants": 0.5 + 0.25 / 3, "flowers": 0.25 + 0.25 / 3, "sky": 0.25 / 3, "trees": 0.25}
    assert shares == pytest.approx(wanted, abs=0.04)


def test_errors_are_siblings_where_a_hierarchy_tells_them() -> None:
    with_hierarchy, without = said(1, accuracy=0, hierarchy=TREE)[0], said(1, accuracy=0)[0]
    column = SETS.vocabulary.index["flowers"]
    trees = np.arange(0, len(SETS), 3)
    shares = [sets.matrix[trees][:, [column]].mean() for sets in (with_hierarchy, without)]
    assert shares == pytest.approx([0.25 + 0.25 / 3, 0.5 / 3], abs=0.04)


def test_annotators_may_look_at_a_part_of_the_samples() -> None:
    first, second = said(2, accuracy=1, seen=0.5)
    assert len(first) == pytest.approx(len(SETS) / 2, rel=0.05)
    assert set(first.samples) < set(SETS.samples)
    assert first.samples != second.samples
    assert differing(first, SETS.take(first.samples)).sum() == 0


WRONG: dict[str, tuple[dict[str, Any], type[Exception], str]] = {
    "no annotator": ({"n": 0, "accuracy": 1}, ParameterError, "n=0"),
    "half an annotator": ({"n": 0.5, "accuracy": 1}, ParameterError, "n=0.5"),
    "a truth value": ({"n": True, "accuracy": 1}, ParameterError, "n=True"),
    "too few accuracies": ({"n": 3, "accuracy": [1, 1]}, ParameterError, "one for each of 3 annotators"),
    "too large an accuracy": ({"n": 1, "accuracy": 2}, ParameterError, "accuracy=2"),
    "both models": ({"n": 1, "accuracy": 1, "agreement": {}}, ParameterError, "beside accuracy="),
    "errors of decisions": ({"n": 1, "errors": {"drop": 1}}, ParameterError, "without accuracy="),
    "no model": ({"n": 1}, ParameterError, "agreement=None"),
    "an unknown kind": ({"n": 1, "accuracy": 1, "errors": {"dorp": 1}}, ParameterError, "near: 'drop'"),
    "kinds without shares": ({"n": 1, "accuracy": 1, "errors": ["drop"]}, ParameterError, "a mapping"),
    "kinds without accuracy": (
        {"n": 1, "errors": ["drop"]},
        ParameterError,
        r"errors=\['drop'\]: expected a map",
    ),
    "decisions among errors": (
        {"n": 1, "accuracy": 1, "errors": {"annotator": 1}},
        ParameterError,
        "errors='ann",
    ),
    "shares of less than 1": ({"n": 1, "accuracy": 1, "errors": {"drop": 0.5}}, ParameterError, "sum to 1"),
    "no shares": ({"n": 1, "accuracy": 1, "errors": {}}, ParameterError, "sum to 1"),
    "a share below 0": (
        {"n": 1, "accuracy": 1, "errors": {"drop": -1}},
        ParameterError,
        r"errors\['drop'\]=-1",
    ),
    "siblings of nothing": (
        {"n": 1, "accuracy": 1, "errors": {"sibling": 1}},
        ParameterError,
        "hierarchy=None",
    ),
    "more than all": ({"n": 1, "accuracy": 1, "seen": 1.1}, ParameterError, "seen=1.1"),
    "no agreement on some": ({"n": 1, "agreement": {"sky": 1}}, InputError, "no agreement"),
    "no seed": ({"n": 1, "accuracy": 1, "seed": None}, ParameterError, "seed=None"),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_wrong_call_is_refused(case: str) -> None:
    options, kind, message = WRONG[case]
    with pytest.raises(kind, match=message):
        said(**options)


def test_numbers_of_numpy_are_numbers() -> None:
    said = oe.annotators.simulate_annotators(
        [["a"]],
        np.int64(2),  # type: ignore[arg-type]
        accuracy=np.float32(1),  # type: ignore[arg-type]
        seen=np.float64(1),
        seed=1,
    )
    assert [sets.labels_of("0") for sets in said.values()] == [("a",), ("a",)]
