"""Laws of the measures of label sets, laws that they are known not to have, and the naive implementations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from tests.laws.cases import batch_of, differing, exists, pairs, scores
from tests.oracles import flat
from tests.strategies import Pair, label_set_pairs, multiclass_pairs

AVERAGES = ("micro", "macro", "weighted", "samples")
RULES = ("one-vs-rest", "krstinic", "mlcm", "tensor")


def per_sample(pair: Pair, notation: str) -> Any:
    """Score every sample."""
    batch = batch_of(pair)
    return oe.evaluation.Evaluation(oe.collect(batch, notation), batch).per_sample(notation)


def both(pair: Pair, *notations: str) -> list[float]:
    """Score one pair with some measures."""
    found = scores(batch_of(pair), notations)
    return [found[oe.measures.name(oe.measures.parse(notation))] for notation in notations]


# equality with the naive implementations --------------------------------------------------------------------


@given(pair=pairs())
def test_means_over_samples_are_those_of_the_naive_implementation(pair: Pair) -> None:
    notations = {
        "jaccard": "Jaccard",
        "precision": "P(average='samples')",
        "recall": "R(average='samples')",
        "f": "F(average='samples')",
        "f_of_averages": "F(average='samples', of='averages')",
        "hamming": "Hamming",
        "exact": "ExactMatch",
        "partly": "PartlyCorrect",
        "wrong": "FullyWrong",
    }
    expected = flat.example_based(pair.truths, pair.predictions, pair.q)
    found = scores(batch_of(pair), notations.values())
    assert differing(found, {name: expected[key] for key, name in notations.items()}) == {}


@pytest.mark.parametrize("undefined", [None, 0.0, 1.0])
@given(pair=pairs(), beta=st.sampled_from([0.5, 1.0, 2.0]))
def test_averages_over_concepts_are_those_of_the_naive_implementation(
    undefined: float | None, pair: Pair, beta: float
) -> None:
    counts = flat.label_counts(pair.truths, pair.predictions, pair.q)
    measures = {
        "P": flat.precision,
        "R": flat.recall,
        f"F(beta={beta})": lambda one: flat.f(one, beta),
        "Accuracy": flat.accuracy,
    }
    expected = {}
    for symbol, measure in measures.items():
        default = oe.measures.parse(symbol)
        options = {"undefined": undefined}
        expected[oe.measures.name(_at(default, average="macro", **options))] = flat.macro(
            measure, counts, **options
        )
        weighted = flat.weighted(measure, counts, **options)
        if np.isnan(weighted) and undefined is not None:  # nothing is true, so nothing has a weight
            weighted = undefined
        expected[oe.measures.name(_at(default, average="weighted", **options))] = weighted
        expected[oe.measures.name(_at(default, average="micro"))] = flat.micro(measure, counts)
    assert differing(scores(batch_of(pair), map(oe.measures.parse, expected)), expected) == {}


def _at(measure: Any, **options: Any) -> Any:
    return type(measure)(**{**vars(measure), **options})


@given(
    pair=pairs(),
    alpha=st.sampled_from([0.0, 0.5, 1.0, 3.0]),
    weights=st.sampled_from([(1.0, 1.0), (1.0, 0.25), (0.5, 1.0), (0.0, 1.0)]),
)
def test_the_alpha_evaluation_is_that_of_the_naive_implementation(
    pair: Pair, alpha: float, weights: tuple[float, float]
) -> None:
    beta, gamma = weights
    expected = [
        flat.alpha_evaluation(truth, prediction, alpha=alpha, beta=beta, gamma=gamma)
        for truth, prediction in zip(pair.truths, pair.predictions, strict=True)
    ]
    found = per_sample(pair, f"Alpha(alpha={alpha}, beta={beta}, gamma={gamma})")
    assert found == pytest.approx(expected, abs=1e-12)


# laws -------------------------------------------------------------------------------------------------------


@given(pair=pairs())
def test_exact_match_is_at_most_jaccard_which_is_at_most_f(pair: Pair) -> None:
    exact, jaccard, f = both(pair, "ExactMatch", "Jaccard", "F(average='samples')")
    assert exact <= jaccard + 1e-12
    assert jaccard <= f + 1e-12


@given(pair=pairs())
def test_f_of_a_sample_follows_from_its_jaccard_index(pair: Pair) -> None:
    jaccard = per_sample(pair, "Jaccard")
    assert per_sample(pair, "F(average='samples')") == pytest.approx(2 * jaccard / (1 + jaccard), abs=1e-12)


@given(pair=pairs())
def test_hamming_loss_is_what_the_micro_accuracy_lacks(pair: Pair) -> None:
    hamming, accuracy, error = both(pair, "Hamming", "Accuracy", "Error")
    assert 1 - hamming == pytest.approx(accuracy, abs=1e-12)
    assert hamming == error


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
@given(pair=pairs())
def test_error_is_what_accuracy_lacks(rule: str, average: str, pair: Pair) -> None:
    options = f"(average={average!r}, rule={rule!r})"
    accuracy, error = both(pair, f"Accuracy{options}", f"Error{options}")
    assert 1 - accuracy == pytest.approx(error, abs=1e-12, nan_ok=True)


@given(pair=multiclass_pairs())
def test_with_one_label_each_micro_p_r_and_f_are_the_share_of_right_samples(pair: Pair) -> None:
    exact, *others = both(pair, "ExactMatch", "P", "R", "F", "F(rule='multiclass')", "Jaccard")
    assert others == pytest.approx([exact] * 5, abs=1e-12)


@pytest.mark.parametrize(
    "options",
    [
        *(
            f"average={average!r}, rule={rule!r}"
            for average in ("macro", "weighted")
            for rule in ("one-vs-rest", "krstinic", "mlcm", "tensor")
        ),
        "average='samples'",
        "average='samples', empty=None",
    ],
)
@given(
    pair=pairs(),
    beta=st.sampled_from([1.0, 0.5, 2.0]),
    undefined=st.sampled_from([None, 0.0, 1.0]),
)
def test_f_of_averages_is_at_least_the_average_of_f(
    options: str, pair: Pair, beta: float, undefined: float | None
) -> None:
    options = f"{options}, undefined={undefined}, beta={beta}"
    of_averages, averaged = both(pair, f"F({options}, of='averages')", f"F({options})")
    if not np.isnan(of_averages):
        assert of_averages >= averaged - 1e-12


@given(pair=pairs())
def test_weighted_recall_is_micro_recall(pair: Pair) -> None:
    weighted, micro = both(pair, "R(average='weighted')", "R")
    assert weighted == pytest.approx(micro, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("average", ["micro", "macro", "samples"])
@given(pair=pairs(), beta=st.sampled_from([0.5, 1.0, 4.0]))
def test_exchanging_truth_and_prediction_exchanges_precision_and_recall(
    average: str, pair: Pair, beta: float
) -> None:
    option = f"average={average!r}"
    p, r, f = both(pair, f"P({option})", f"R({option})", f"F({option}, beta={beta})")
    swapped = both(pair.swapped(), f"R({option})", f"P({option})", f"F({option}, beta={1 / beta})")
    assert swapped == pytest.approx([p, r, f], abs=1e-12, nan_ok=True)


@given(pair=pairs())
def test_f_lies_between_precision_and_recall_and_beta_moves_it(pair: Pair) -> None:
    p, r, f0, f1, f2 = both(pair, "P", "R", "F(beta=0)", "F", "F(beta=1000)")
    if not np.isnan([p, r]).any():
        assert min(p, r) - 1e-12 <= f1 <= max(p, r) + 1e-12
        assert (f0, f2) == pytest.approx((p, r), abs=1e-5)


@given(pair=pairs())
def test_every_sample_is_fully_correct_partly_correct_or_wrong(pair: Pair) -> None:
    assert sum(both(pair, "ExactMatch", "PartlyCorrect", "FullyWrong")) == pytest.approx(1)


@given(pair=pairs())
def test_alpha_evaluation_with_equal_weights_is_jaccard(pair: Pair) -> None:
    alpha, jaccard = both(pair, "Alpha", "Jaccard")
    assert alpha == pytest.approx(jaccard, abs=1e-12)


@given(
    pair=pairs(),
    low=st.floats(0, 5),
    step=st.floats(0, 5),
    weights=st.sampled_from(["beta=1.0", "beta=0.5", "gamma=0.5"]),
)
def test_alpha_evaluation_never_rises_with_alpha_nor_with_the_weights(
    pair: Pair, low: float, step: float, weights: str
) -> None:
    lenient, strict = both(pair, f"Alpha(alpha={low}, {weights})", f"Alpha(alpha={low + step}, {weights})")
    assert strict <= lenient + 1e-12
    full, relaxed = both(pair, f"Alpha(alpha={low})", f"Alpha(alpha={low}, {weights})")
    assert full <= relaxed + 1e-12


@given(pair=pairs())
def test_the_tensor_counts_as_each_concept_against_the_rest(pair: Pair) -> None:
    conventional, tensor = both(
        pair, "F(average='macro')", "F(average='macro', rule='tensor', pseudo_classes='exclude')"
    )
    assert tensor == pytest.approx(conventional, abs=1e-12, nan_ok=True)


@given(pair=label_set_pairs(max_samples=4, min_size=1))
def test_without_empty_sets_pseudo_concepts_change_no_micro_average(pair: Pair) -> None:
    for rule in ("krstinic", "tensor"):
        included, excluded = (
            both(pair, f"F(rule={rule!r}, pseudo_classes={choice!r})") for choice in ("include", "exclude")
        )
        assert included == pytest.approx(excluded, abs=1e-12)


def with_an_unused_concept(pair: Pair, notation: str) -> bool:
    """Tell whether one more concept, neither true nor predicted, changes a score."""
    wider = Pair(pair.q + 1, pair.truths, pair.predictions)
    return differing(scores(batch_of(wider), [notation]), scores(batch_of(pair), [notation])) != {}


@pytest.mark.parametrize("symbol", ["P", "R", "F", "Jaccard"])
@pytest.mark.parametrize("average", AVERAGES)
@given(pair=pairs())
def test_a_concept_that_nobody_uses_changes_nothing(symbol: str, average: str, pair: Pair) -> None:
    assert not with_an_unused_concept(pair, f"{symbol}(average={average!r})")


# laws that do not hold --------------------------------------------------------------------------------------


def slides_weighted_precision(pair: Pair) -> float:
    """Weighted precision with 1/n, n the number of samples, as the slides print it."""
    counts = oe.one_vs_rest(pair.truth, pair.prediction)
    return float(np.nansum(counts.support * counts.precision) / len(pair.truths))


def test_dividing_by_the_number_of_samples_would_leave_the_unit_interval() -> None:
    assert exists(pairs(), lambda pair: slides_weighted_precision(pair) > 1)


NOT_EQUAL = [
    ("P(average='weighted')", "P"),
    ("F(average='weighted')", "F"),
    ("F(average='macro')", "F"),
    ("F(average='samples')", "F"),
    ("F(average='macro')", "F(average='macro', of='averages')"),
    ("F(average='samples')", "F(average='samples', of='averages')"),
    ("F(average='macro')", "F(average='macro', undefined=0.0)"),
    ("P(average='macro', rule='krstinic')", "P(average='macro')"),
    ("R(average='macro', rule='mlcm')", "R(average='macro')"),
    ("F(rule='mlcm')", "F(rule='mlcm', pseudo_classes='exclude')"),
    ("Accuracy(average='macro', rule='mlcm')", "Accuracy(average='macro')"),
    ("Jaccard(average='macro')", "Jaccard"),
    ("ExactMatch", "Jaccard"),
]


@pytest.mark.parametrize(("one", "other"), NOT_EQUAL)
def test_measures_that_are_taken_for_one_another_differ(one: str, other: str) -> None:
    def apart(pair: Pair) -> bool:
        first, second = both(pair, one, other)
        return abs(first - second) > 1e-3

    assert exists(pairs(), apart)


@pytest.mark.parametrize(
    "measure",
    ["Hamming", "Accuracy", "P(average='macro', undefined=0.0)", "F(average='macro', undefined=1.0)"],
)
def test_a_concept_that_nobody_uses_changes_what_counts_true_negatives_or_fills_in(measure: str) -> None:
    assert exists(pairs(), lambda pair: with_an_unused_concept(pair, measure))
