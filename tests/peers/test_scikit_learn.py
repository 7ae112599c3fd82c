"""The flat measures give what scikit-learn gives, where its conventions are chosen."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from scipy import sparse

import ontoeval as oe
from ontoeval.confusion.matrix import Normalise
from ontoeval.errors import habits
from ontoeval.measures.base import info
from tests.laws.cases import fewer
from tests.oracles.worked_examples import rows
from tests.strategies import Pair, class_arrays, label_set_pairs

metrics = pytest.importorskip("sklearn.metrics")

SCORES = {
    "P": metrics.precision_score,
    "R": metrics.recall_score,
    "F": metrics.f1_score,
    "Jaccard": metrics.jaccard_score,
}
DENSE: dict[str, Callable[[Any], Any]] = {"dense": np.asarray, "sparse": sparse.csr_array}


def ours(pair: Pair, notation: str, kind: str = "dense") -> float:
    """Score a pair here."""
    return oe.evaluate(DENSE[kind](pair.truth), DENSE[kind](pair.prediction), measures=notation)[notation]


def theirs(pair: Pair, score: Any, kind: str = "dense", **options: Any) -> float:
    """Score a pair there; that it warns of what is undefined is no news."""
    make: Callable[[Any], Any] = {"dense": np.asarray, "sparse": sparse.csr_matrix}[kind]  # type: ignore[assignment]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(score(make(pair.truth.astype(int)), make(pair.prediction.astype(int)), **options))


@pytest.mark.parametrize("kind", DENSE)
@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
@pytest.mark.parametrize("symbol", SCORES)
@fewer
@given(pair=label_set_pairs(min_q=2))
def test_averages_over_concepts_agree(symbol: str, average: str, kind: str, pair: Pair) -> None:
    expected = theirs(pair, SCORES[symbol], kind, average=average, zero_division=0.0)
    found = ours(pair, f"{symbol}(average={average!r}, undefined=0.0)", kind)
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("symbol", ["P", "R", "F"])
@fewer
@given(pair=label_set_pairs(min_q=2))
def test_what_is_undefined_may_be_filled_or_left_out(symbol: str, average: str, pair: Pair) -> None:
    for undefined, zero_division in ((1.0, 1.0), (None, np.nan)):
        expected = theirs(pair, SCORES[symbol], average=average, zero_division=zero_division)
        found = ours(pair, f"{symbol}(average={average!r}, undefined={undefined})")
        assert found == pytest.approx(expected, abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("average", ["micro", "macro", "weighted"])
@pytest.mark.parametrize("kind", DENSE)
@fewer
@given(pair=label_set_pairs(min_q=2), beta=st.sampled_from([0.5, 2.0]))
def test_f_beta_agrees(average: str, kind: str, pair: Pair, beta: float) -> None:
    expected = theirs(pair, metrics.fbeta_score, kind, beta=beta, average=average, zero_division=0.0)
    found = ours(pair, f"F(average={average!r}, beta={beta}, undefined=0.0)", kind)
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", DENSE)
@pytest.mark.parametrize("symbol", SCORES)
@fewer
@given(pair=label_set_pairs(min_q=2), empty=st.sampled_from([0.0, 1.0]))
def test_means_over_samples_agree(symbol: str, kind: str, pair: Pair, empty: float) -> None:
    """A sample of which one set is empty scores 0 here; scikit-learn fills P and R by zero_division."""
    kept = [
        row
        for row, (truth, prediction) in enumerate(zip(pair.truths, pair.predictions, strict=True))
        if empty == 0 or bool(truth) == bool(prediction)
    ]
    some = Pair(pair.q, tuple(pair.truths[r] for r in kept), tuple(pair.predictions[r] for r in kept))
    if kept:
        expected = theirs(some, SCORES[symbol], kind, average="samples", zero_division=empty)
        found = ours(some, f"{symbol}(average='samples', empty={empty})", kind)
        assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("kind", DENSE)
@fewer
@given(pair=label_set_pairs(min_q=2))
def test_hamming_loss_and_subset_accuracy_agree(kind: str, pair: Pair) -> None:
    assert ours(pair, "Hamming", kind) == pytest.approx(theirs(pair, metrics.hamming_loss, kind), abs=1e-12)
    assert ours(pair, "ExactMatch", kind) == pytest.approx(
        theirs(pair, metrics.accuracy_score, kind), abs=1e-12
    )


@fewer
@given(pair=label_set_pairs(min_q=2))
def test_counts_against_the_rest_agree(pair: Pair) -> None:
    expected = metrics.multilabel_confusion_matrix(pair.truth.astype(int), pair.prediction.astype(int))
    found = oe.one_vs_rest(pair.truth, pair.prediction)
    counts = np.stack([found.tn, found.fp, found.fn, found.tp], axis=-1)
    assert counts.tolist() == expected.reshape(-1, 4).tolist()


@fewer
@given(arrays=class_arrays())
def test_the_ordinary_confusion_matrix_agrees(arrays: tuple[Any, Any, int]) -> None:
    truth, prediction, q = arrays
    expected = metrics.confusion_matrix(truth, prediction, labels=range(q))
    one_hot = np.eye(q, dtype=int)
    found = oe.confusion_matrix(one_hot[truth], one_hot[prediction], rule="multiclass")
    assert rows(found.matrix) == expected.tolist()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for by, name in zip(("true", "pred", "all"), get_args(Normalise), strict=True):
            shares = metrics.confusion_matrix(truth, prediction, labels=range(q), normalize=by)
            normalised = found.normalised(name).matrix
            assert normalised == pytest.approx(shares, abs=1e-12)


@fewer
@given(arrays=class_arrays())
def test_one_label_each_agrees_with_scores_of_classes(arrays: tuple[Any, Any, int]) -> None:
    truth, prediction, q = arrays
    one_hot = np.eye(q, dtype=int)
    result = oe.evaluate(
        one_hot[truth],
        one_hot[prediction],
        measures=[
            "F(average='macro', rule='multiclass', undefined=0.0)",
            "F(rule='multiclass')",
            "ExactMatch",
        ],
    )
    expected = [
        metrics.f1_score(truth, prediction, labels=range(q), average="macro", zero_division=0.0),
        metrics.accuracy_score(truth, prediction),
        metrics.accuracy_score(truth, prediction),
    ]
    assert list(result.scores.values()) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "samples"])
@pytest.mark.parametrize("symbol", SCORES)
@fewer
@given(pair=label_set_pairs(min_q=2), data=st.data())
def test_sample_weights_are_those_of_scikit_learn(
    symbol: str, average: str, pair: Pair, data: st.DataObject
) -> None:
    count = len(pair.truths)
    numbers = st.lists(st.floats(0.125, 8), min_size=count, max_size=count)
    weights = data.draw(numbers)
    expected = theirs(
        pair, SCORES[symbol], average=average, zero_division=0.0, sample_weight=np.array(weights)
    )
    filler = "empty=0.0" if average == "samples" else "undefined=0.0"
    notation = f"{symbol}(average={average!r}, {filler})"
    sides = np.asarray(pair.truth), np.asarray(pair.prediction)
    assert oe.evaluate(*sides, measures=notation, sample_weight=weights)[notation] == pytest.approx(expected)


AVERAGES = ("micro", "macro", "weighted", "samples")
NAMED: dict[str, Callable[..., Any]] = {
    "subset_accuracy": metrics.accuracy_score,
    "exact_match_ratio": metrics.accuracy_score,
    "exact_match": metrics.accuracy_score,
    "hamming_loss": metrics.hamming_loss,
    "average_precision": metrics.average_precision_score,
    "roc_auc": metrics.roc_auc_score,
    "coverage_error": metrics.coverage_error,
    "label_ranking_loss": metrics.label_ranking_loss,
    "label_ranking_average_precision": metrics.label_ranking_average_precision_score,
    **{
        f"{name}_{average}": partial(getattr(metrics, f"{name}_score"), average=average)
        for name in ("f1", "precision", "recall", "jaccard", "average_precision")
        for average in AVERAGES
    },
    **{f"fbeta_{one}": partial(metrics.fbeta_score, average=one, beta=1) for one in AVERAGES},
    **{f"roc_auc_{one}": partial(metrics.roc_auc_score, average=one) for one in AVERAGES[:3]},
    "ranking_loss": metrics.label_ranking_loss,
}
ALIASES = habits()
NOTHING = Pair(3, (frozenset(), frozenset()), (frozenset(), frozenset()))
EVERYTHING = Pair(3, (frozenset({0, 1, 2}),) * 2, (frozenset(), frozenset({0, 1, 2})))


def test_every_alias_has_its_function_of_scikit_learn() -> None:
    others = {symbol for symbol in ALIASES["same"].values() if symbol in {"LCaF", "hP", "hR", "hF", "RR"}}
    assert {name for name, one in ALIASES["same"].items() if one not in others and name[1] != "_"} == {*NAMED}


@pytest.mark.parametrize("alias", NAMED)
@fewer
@given(pair=label_set_pairs(min_q=2), levels=st.integers(2, 9), seed=st.integers(0, 99))
@example(pair=NOTHING, levels=2, seed=0)
@example(pair=EVERYTHING, levels=2, seed=0)
def test_an_alias_gives_the_number_of_scikit_learn(alias: str, pair: Pair, levels: int, seed: int) -> None:
    assert oe.measures.parse(alias) == oe.measures.parse(ALIASES["same"][alias])
    if info(oe.measures.parse(alias), "takes") == "sets":
        assert ours(pair, alias) == pytest.approx(theirs(pair, NAMED[alias]), abs=1e-12)
        return
    scores = np.random.default_rng(seed).integers(0, levels, pair.truth.shape) / levels
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = NAMED[alias](pair.truth.astype(int), scores)
    found = oe.evaluate(pair.truth, oe.LabelScores.from_array(scores), measures=alias)[alias]
    if alias.startswith("roc_auc"):  # undefined of a concept that is true of all samples, or of none
        mixed = pair.truth.any(axis=0) & ~pair.truth.all(axis=0)
        assume(mixed.all() or (mixed.any() and alias == "roc_auc"))
        expected = NAMED[alias](pair.truth[:, mixed].astype(int), scores[:, mixed])
    assert found == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("written", ["F1_Macro", "f1_macro", " f1_macro_score"])
def test_the_case_of_an_alias_does_not_matter(written: str) -> None:
    assert list(oe.evaluate([["a"]], [["a"]], measures=written)) == ["F(average='macro', undefined=0)"]


@pytest.mark.parametrize("name", ALIASES["refused"])
def test_a_name_of_several_measures_is_refused_with_measures_that_can_be_read(name: str) -> None:
    with pytest.raises(oe.OntoevalError, match=f"'{name}_score' means several measures") as met:
        oe.measures.parse(f"{name}_score")
    one_of_many = r"""'([A-Z]\w*)'|"([A-Z]\w*\(.*?\))"|'([a-z]\w*_\w+)'|'(\w+@\d+|\w+\(k=\d+\))'"""
    quoted = re.findall(one_of_many, str(met.value))
    named = [one for parts in quoted for one in parts if one and one != f"{name}_score"]
    measures = {oe.measures.name(oe.measures.parse(one)) for one in named}
    assert len(measures) > ("one for each k" not in str(met.value))


@pytest.mark.parametrize("zero", [0.0, np.nan])
@fewer
@given(pair=label_set_pairs(min_q=2), weighted=st.booleans())
@example(pair=NOTHING, weighted=False)
@example(pair=EVERYTHING, weighted=True)
def test_a_report_has_the_numbers_of_scikit_learn(zero: float, pair: Pair, *, weighted: bool) -> None:
    weights = np.arange(len(pair.truths)) / 2 + 0.5 if weighted else None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = metrics.classification_report(
            pair.truth.astype(int),
            pair.prediction.astype(int),
            zero_division=zero,
            output_dict=True,
            sample_weight=weights,
        )
    result = oe.evaluate(pair.truth, pair.prediction, sample_weight=weights)
    undefined = None if np.isnan(zero) else zero
    empty = None if np.isnan(zero) else 0.0
    found = result.classification_report(undefined=undefined, empty=empty, sort="concept")
    in_use = (pair.truth | pair.prediction).any(axis=0) | (not np.isnan(zero))
    assert [row[0] for row in found.rows[:-4]] == [str(at) for at in np.flatnonzero(in_use)]
    for concept, *numbers in found.rows:
        if not (np.isnan(zero) and concept == "samples avg"):  # there a sample without labels is 0/0 too
            theirs = expected[str(concept)].values()
            assert numbers == pytest.approx([*theirs], abs=1e-12, nan_ok=True)


@pytest.mark.parametrize("sort", ["support", "precision", "recall", "f1-score"])
@fewer
@given(pair=label_set_pairs(min_q=2))
def test_a_report_is_sorted(sort: str, pair: Pair) -> None:
    rows = oe.evaluate(pair.truth, pair.prediction).classification_report(sort=sort).rows[:-4]  # type: ignore[arg-type]
    values = [row[["concept", "precision", "recall", "f1-score", "support"].index(sort)] for row in rows]
    defined = [value for value in values if not np.isnan(value)]  # type: ignore[arg-type]
    assert defined == sorted(defined, reverse=sort == "support")  # type: ignore[type-var]
    assert np.isnan(values[len(defined) :]).all()  # type: ignore[arg-type]
