"""Predictions that know nothing of the sample."""

from __future__ import annotations

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import InputError, ParameterError, UnknownConceptError

TRUTH = oe.LabelSets.from_sets(
    {"p1": ["sky", "sea"], "p2": ["sky"], "p3": ["sky", "sun"], "p4": ["sun"]},
    vocabulary=["sun", "sky", "sea"],
)


def named(sets: oe.LabelSets) -> list[set[str]]:
    return [set(sets.labels_of(sample)) for sample in sets.samples]


def test_baselines_are_over_the_samples_and_concepts_of_the_truth() -> None:
    for kind, text in oe.comparison.BASELINES.items():
        found = oe.comparison.baseline(TRUTH, kind, hierarchy=[("sun", "sky"), ("sun", "sea")])
        assert text
        assert (found.samples, found.vocabulary) == (TRUTH.samples, TRUTH.vocabulary)


def test_prior_predicts_what_half_of_the_samples_bear() -> None:
    assert named(oe.comparison.baseline(TRUTH, "prior")) == [{"sky", "sun"}] * 4


def test_prior_predicts_the_most_frequent_label_where_none_is_that_frequent() -> None:
    assert named(oe.comparison.baseline([["b"], ["c"], ["a"], ["c"], ["b"]], "prior")) == [{"b"}] * 5
    swapped = oe.LabelSets.from_sets([["b"], ["c"], ["a"], ["c"], ["b"]], vocabulary="cba")
    assert named(oe.comparison.baseline(swapped, "prior")) == [{"b"}] * 5
    assert named(oe.comparison.baseline([[], []], "prior")) == [set()] * 2


def test_random_predicts_each_label_as_often_as_it_is_true() -> None:
    rng = np.random.default_rng(2)
    wanted = np.array([0, 0.05, 0.4, 0.7, 1])
    truth = oe.LabelSets.from_array(rng.random((20_000, 5)) < wanted)
    found = oe.comparison.baseline(truth, "random", seed=1)
    np.testing.assert_allclose(found.matrix.mean(axis=0), wanted, atol=0.02)
    both = found.matrix.toarray()
    assert np.corrcoef(both[:, 2], both[:, 3])[0, 1] == pytest.approx(0, abs=0.03)
    assert named(found)[:5] == named(oe.comparison.baseline(truth, "random", seed=1))[:5]
    assert named(found)[:50] != named(oe.comparison.baseline(truth, "random", seed=2))[:50]


def test_another_sample_lends_its_truth_once() -> None:
    own = oe.LabelSets.from_sets([[name] for name in "abcdefgh"])
    found = named(oe.comparison.baseline(own, "permuted", seed=3))
    assert set.union(*found) == set("abcdefgh")
    assert not any(one & two for one, two in zip(found, named(own), strict=True))


@pytest.mark.parametrize(("kind", "expected"), [
    ("empty", set()), ("all", {"sky", "sea"}), ("prior", {"sky"}), ("random", {"sky"}), ("permuted", set())
])  # fmt: skip
def test_a_single_sample_has_baselines_too(kind: str, expected: set[str]) -> None:
    one = oe.LabelSets.from_sets([["sky"]], vocabulary=["sky", "sea"])
    assert named(oe.comparison.baseline(one, kind)) == [expected]
    none = oe.LabelSets.from_sets({}, vocabulary=["sky"])
    assert len(oe.comparison.baseline(none, kind)) == 0


def test_shares_of_verified_labels_are_of_those_that_are_known() -> None:
    verified = oe.VerifiedLabels.from_sets(
        [["sky"], ["sea"], [], []], [["sea"], [], ["sea"], ["sea"]], vocabulary=["sky", "sea", "sun"]
    )
    # sky is known of one sample alone, and true there
    assert named(oe.comparison.baseline(verified, "prior")) == [{"sky"}] * 4
    assert all("sky" in row and "sun" not in row for row in named(oe.comparison.baseline(verified, "random")))


def test_names_get_their_meaning_from_the_hierarchy() -> None:
    hierarchy = oe.Hierarchy.from_edges([("thing", "sky"), ("thing", "sea")], abstract=["thing"])
    assert named(oe.comparison.baseline([["sky"]], "all", hierarchy=hierarchy)) == [{"sky", "sea"}]
    with pytest.raises(UnknownConceptError, match="sun"):
        oe.comparison.baseline([["sun"]], "all", hierarchy=hierarchy)


def test_arrays_need_no_names() -> None:
    assert oe.comparison.baseline(np.array([[0, 1], [0, 0]]), "all").matrix.nnz == 4


def test_wrong_calls_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"kind='priors': expected one of 'empty'.*near: 'prior'"):
        oe.comparison.baseline(TRUTH, "priors")
    with pytest.raises(ParameterError, match=r"seed=1\.5"):
        oe.comparison.baseline(TRUTH, "random", seed=1.5)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="scores stand where labels belong"):
        oe.comparison.baseline(oe.LabelScores.from_array([[0.5]]), "all")
