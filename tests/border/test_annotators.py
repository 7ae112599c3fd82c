"""What is found out about annotators where laws and papers do not say it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from scipy import sparse

import ontoeval as oe
from tests.pages import figures_of


def drawn(samples: int, annotators: int, concepts: int, *, errors: float = 0.1) -> tuple[Any, oe.Annotations]:
    """A truth, and annotators who err alike."""
    rng = np.random.default_rng(1)
    truth = rng.random((samples, concepts)) < 0.3
    names = [str(n) for n in range(concepts)]
    each = [truth ^ (rng.random(truth.shape) < errors) for _ in range(annotators)]
    sets = {f"annotator {n}": oe.LabelSets.from_array(one, vocabulary=names) for n, one in enumerate(each)}
    return truth, oe.Annotations.from_sets(sets)


def test_intervals_are_the_same_again_others_with_another_seed_and_corrected_for_bias() -> None:
    _, found = drawn(25, 4, 2, errors=0.15)
    bounds = [
        [(one.low, one.high) for one in oe.agreement(found, resamples=50, seed=seed).sets]
        for seed in (1, 1, 2)
    ]
    assert bounds[0] == bounds[1] != bounds[2]
    shares = []
    for method in ("percentile", "bca"):
        (one,) = oe.agreement(found, resamples=400, sets=["jaccard"], interval=method).sets
        shares.append((one.high - one.value) / (one.high - one.low))
    assert shares[0] < shares[1]


@pytest.mark.parametrize("kind", ["exact", "jaccard", "masi", "hierarchical"])
def test_alpha_from_pairs_that_are_drawn_is_near_and_says_how_near(kind: str) -> None:
    _, found = drawn(60, 5, 6)
    options: dict[str, Any] = {"sets": [kind], "resamples": 200}
    flat = oe.Hierarchy.flat(found.vocabulary)
    (exact,) = oe.agreement(found, hierarchy=flat, **options).sets
    (some,) = oe.agreement(found, hierarchy=flat, most_sets=3, drawn_pairs=20_000, **options).sets
    assert (exact.pairs, exact.standard_error, some.pairs) == (None, 0, 20_000)
    assert abs(some.value - exact.value) < 4 * some.standard_error < 0.08
    assert (some.low, some.high) == pytest.approx((exact.low, exact.high), abs=0.03)


def test_where_all_sets_are_the_same_or_nobody_shares_two_samples_nothing_can_be_said() -> None:
    same = oe.Annotations.from_sets({"A": [["a"], ["a"]], "B": [["a"], ["a"]]})
    for most in (10, 0):
        (found,) = oe.agreement(same, sets="jaccard", most_sets=most, drawn_pairs=10, resamples=5).sets
        assert np.isnan(found.value)
    shared = oe.Annotations.from_sets({"A": {"p": ["a"], "q": ["b"]}, "B": {"p": ["a"], "r": ["a"]}})
    result = oe.agreement(shared, resamples=20)
    assert np.isnan([(one.low, one.high) for one in result.sets]).all()


def test_concepts_that_nobody_uses_have_the_coefficients_of_one_of_them() -> None:
    _, found = drawn(20, 3, 3)
    names = [*found.vocabulary, *(f"unused {n}" for n in range(50))]
    sets = {who: found.of(who) for who in found.annotators}
    wide = oe.agreement(oe.Annotations.from_sets(sets, vocabulary=names), resamples=5)
    weights = oe.agreement(found, resamples=5).weights()
    assert wide.weights() == weights | dict.fromkeys(names[3:], 1.0)
    page = oe.agreement(
        oe.Annotations.from_sets(sets, vocabulary=names), hierarchy={"0": names[1:]}, resamples=5
    ).report()
    assert "50 concepts that nobody gives are left out." in page
    dots, tree = figures_of(page)[2:4]
    assert all({*view["plot"]["layout"]["yaxis"]["ticktext"]} == {*names[:3]} for view in dots)
    colours = [
        dict(zip(one["labels"], one["marker"]["colors"], strict=True))
        for view in tree
        for one in view["plot"]["data"]
    ]
    assert {one["unused 7"] for one in colours} == {"#dfe3e8"}  # undefined
    single = oe.agreement(drawn(40, 3, 1)[1], resamples=5)
    mean = np.mean([pair.kappa for pair in single.pairs])
    assert single.estimates.concepts["cohen"].value[0] == pytest.approx(mean, abs=1e-12)


def test_a_careless_annotator_is_outvoted_by_the_model() -> None:
    truth, found = drawn(400, 6, 2, errors=0.05)
    rng = np.random.default_rng(9)
    names = found.vocabulary.concepts
    sets = {who: found.of(who) for who in found.annotators}
    for who in found.annotators[:3]:
        sets[who] = oe.LabelSets.from_array(rng.random(truth.shape) < 0.5, vocabulary=names)
    mixed, right = oe.Annotations.from_sets(sets), oe.LabelSets.from_array(truth, vocabulary=names)
    model, majority = (
        np.count_nonzero(
            oe.annotators.consensus(mixed, method=method).matrix.toarray() != right.matrix.toarray()
        )
        for method in ("dawid-skene", "majority")
    )
    assert 3 * model < majority


def test_confusions_of_annotators_are_those_of_their_label_sets() -> None:
    _, found = drawn(50, 4, 3)
    confusion = oe.annotators.annotator_confusion
    one, other = found.annotators[:2]
    expected = oe.confusion_matrix(
        found.of(one), found.of(other), rule="transport", variant="all given", hierarchy=None
    )
    np.testing.assert_array_equal(confusion(found, one, other).matrix, expected.matrix)
    parts = {
        (first, second): np.array(confusion(found, first, second, rule="tensor-recall").matrix)
        for first in found.annotators
        for second in found.annotators
        if first != second
    }
    whole = np.array(confusion(found, rule="tensor-recall").matrix)
    np.testing.assert_allclose(whole, np.sum(list(parts.values()), axis=0))
    of_one = np.array(confusion(found, one, rule="tensor-recall").matrix)
    np.testing.assert_allclose(of_one, np.sum([parts[key] for key in parts if key[0] == one], axis=0))
    assert 0 < confusion(found, most=50, rule="tensor-recall").matrix.sum() < whole.sum()


def test_more_annotators_come_nearer_to_all() -> None:
    _, found = drawn(200, 9, 4, errors=0.2)
    curve = oe.annotators.sufficiency(found, numbers=[1, 3, 5, 7], draws=5)
    assert [one.annotators for one in curve] == [1, 3, 5, 7]
    assert sorted(one.f for one in curve) == [one.f for one in curve]
    assert np.isnan(curve[0].weight)
    assert curve[1].weight > curve[3].weight > 0
    assert [one.samples for one in oe.annotators.sufficiency(found, numbers=[3], samples=50)] == [50]


# outliers --------------------------------------------------------------------------------------------------


def annotated(errors: Any, *, seed: int = 0, samples: int = 200, seen: Any = None) -> oe.Annotations:
    """Annotators × samples × concepts of chances to err, or what is repeated to such."""
    rng, names = np.random.default_rng(seed), ("cat", "dog", "sky", "sea")
    truth = rng.random((samples, len(names))) < 0.3
    errors = np.broadcast_to(errors, (len(errors), samples, len(names)))
    seen = np.broadcast_to(True if seen is None else seen, errors.shape[:2])
    ids = np.array([f"p{n:03}" for n in range(samples)])
    sets = {}
    for who, chance, own in zip("ABCDEFGH", errors, seen, strict=False):
        said = truth ^ (rng.random(truth.shape) < chance)
        sets[who] = oe.LabelSets.from_array(said[own], vocabulary=names, samples=ids[own].tolist())
    return oe.Annotations.from_sets(sets)


def each(*errors: Any) -> Any:
    """Errors of annotators, the same for all samples: of all concepts, or of each."""
    return np.stack([np.broadcast_to(one, (1, 4)) for one in errors])


def test_an_outlier_is_named_with_the_concepts_that_account_for_it() -> None:
    found = oe.agreement(annotated(each([0.05, 0.6, 0.05, 0.05], 0.05, 0.05, 0.05)), resamples=200)
    (outlier,) = found.outliers
    assert (outlier.name, outlier.samples, [one.concept for one in outlier.concepts]) == ("A", 200, ["dog"])
    table = found.tables()["annotators"]
    assert table.rows[0][0] == "A", "the lowest κ comes first"
    rows: Any = table.rows
    kappas = [row[5] for row in rows]
    assert kappas == sorted(kappas)
    assert all(row[6] <= row[5] <= row[7] for row in rows)
    assert table.notes[0].startswith("'A' is an outlier: κ with the majority of the rest is ")
    assert "; decisions that differ: 'dog' (" in table.notes[0]
    assert "do not show whether an outlier or the others are right" in table.notes[-1]
    assert "look at the samples." in found.report()


RANDOM = each(*[0.5] * 5)
NOBODY: dict[str, Any] = {
    "two annotators": annotated(each(0.5, 0.05)),
    "identical annotators": annotated(each(*[0] * 5)),
    "annotators of one quality": annotated(each(*[0.1] * 5)),
    "annotators of all qualities": annotated(each(0.02, 0.08, 0.14, 0.2, 0.26)),
    "few samples": annotated(each(0.5, 0, 0, 0), samples=9),
    **{f"random answers {seed}": annotated(RANDOM, seed=seed) for seed in range(5)},
    "two camps": annotated(each(0, 0, 0, 0.5, 0.5, 0.5)),
}


@pytest.mark.parametrize("case", NOBODY)
def test_nobody_is_an_outlier_where_nothing_shows_it(case: str) -> None:
    found = oe.agreement(NOBODY[case], resamples=100)
    assert found.outliers == ()
    assert "an outlier" not in " ".join([*found.tables()["annotators"].notes, found.report()])


def test_who_was_given_the_hard_samples_is_no_outlier() -> None:
    hard = np.arange(400) < 100
    errors = np.where(hard, 0.25, 0.02)[None, :, None] * np.ones((5, 1, 1))
    seen = np.stack([hard, *[np.ones(400, dtype=bool)] * 4])
    found = oe.agreement(annotated(errors, samples=400, seen=seen), resamples=200)
    kappas = {one.name: one.kappa for one in found.annotators}
    assert kappas["A"] < min(kappas[name] for name in "BCDE") - 0.2
    assert found.outliers == ()


def test_who_never_gives_a_label_and_who_gives_each_are_outliers() -> None:
    right = annotated(each(*[0.05] * 5))
    names = right.vocabulary.concepts
    for extreme in (np.zeros, np.ones):
        sets = {who: right.of(who) for who in right.annotators}
        sets["E"] = oe.LabelSets.from_array(extreme((200, 4)), vocabulary=names, samples=right.samples)
        (outlier,) = oe.agreement(oe.Annotations.from_sets(sets), resamples=100).outliers
        assert outlier.name == "E"
        assert {one.concept for one in outlier.concepts} == set(names)


def test_of_two_copies_and_a_third_the_third_differs_and_nobody_says_that_it_errs() -> None:
    one, other, _ = (annotated(each(0.1, 0.1, 0.1)).of(who) for who in "ABC")
    found = oe.agreement(oe.Annotations.from_sets({"A": one, "copy": one, "B": other}), resamples=100)
    assert [outlier.name for outlier in found.outliers] == ["B"]
    assert "do not show whether an outlier or the others are right" in found.tables()["annotators"].notes[-1]


def test_outliers_do_not_depend_on_the_order_of_rows_and_concepts_nobody_decides_do_not_count() -> None:
    said = annotated(each([0.05, 0.6, 0.05, 0.05], 0.05, 0.05, 0.05))
    unknown = sparse.csr_array(np.tile([[False, False, False, True]], (len(said), 1)))
    order = np.random.default_rng(0).permutation(200)
    both = [replace(said, unknown=unknown, positive=sparse.csr_array(said.positive * ~unknown.toarray()))]
    sets = {who: said.of(who) for who in reversed(said.annotators)}
    moved = {who: one.take([one.samples[at] for at in order.tolist()]) for who, one in sets.items()}
    both.append(oe.Annotations.from_sets(moved))
    partly, again = (oe.agreement(one, resamples=100).outliers for one in both)
    assert again == oe.agreement(said, resamples=100).outliers
    assert [(one.name, one.concepts[0].concept) for one in partly] == [("A", "dog")]
