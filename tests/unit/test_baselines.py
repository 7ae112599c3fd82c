"""Predictions that know nothing of the sample."""

from __future__ import annotations

import pytest

import ontoeval as oe
from ontoeval.errors import InputError, ParameterError

TRUTH = oe.LabelSets.from_sets(
    {"p1": ["sky", "sea"], "p2": ["sky"], "p3": ["sky", "sun"], "p4": ["sun"]},
    vocabulary=["sun", "sky", "sea"],
)


def named(sets: oe.LabelSets) -> list[set[str]]:
    return [set(sets.labels_of(sample)) for sample in sets.samples]


def test_shares_of_verified_labels_are_of_those_that_are_known() -> None:
    verified = oe.VerifiedLabels.from_sets(
        [["sky"], ["sea"], [], []], [["sea"], [], ["sea"], ["sea"]], vocabulary=["sky", "sea", "sun"]
    )
    # sky is known of one sample alone, and true there
    assert named(oe.comparison.baseline(verified, "prior")) == [{"sky"}] * 4
    assert all("sky" in row and "sun" not in row for row in named(oe.comparison.baseline(verified, "random")))


def test_oracles_of_verified_labels_are_of_their_own_concepts() -> None:
    tree = oe.Hierarchy.from_edges([("r", "a"), ("r", "b"), ("a", "a1"), ("a", "a2"), ("b", "b1")])
    expected = {
        "a1 b1 b": {"siblings": [{"a1"}, {"b1"}], "top": [{"a1"}, {"b"}]},
        "a1 a2 b1 a b r": {"siblings": [{"a1", "a2"}, {"b1"}], "top": [{"r"}, {"r"}]},
    }
    for vocabulary, oracles in expected.items():
        verified = oe.VerifiedLabels.from_sets([["a1"], ["b1"]], [["b1"], []], vocabulary=vocabulary.split())
        for kind, sets in oracles.items():
            assert named(oe.comparison.baseline(verified, kind, hierarchy=tree)) == sets


def test_wrong_calls_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"kind='priors': expected one of 'empty'.*near: 'prior'"):
        oe.comparison.baseline(TRUTH, "priors")
    with pytest.raises(ParameterError, match=r"seed=1\.5"):
        oe.comparison.baseline(TRUTH, "random", seed=1.5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="scores stand where labels belong"):
        oe.comparison.baseline(oe.LabelScores.from_array([[0.5]]), "all")
