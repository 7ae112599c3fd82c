"""Batches: truth and prediction over the same samples and concepts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import InputError, MeasureError, MisalignedError, ParameterError, UnknownConceptError

HIERARCHY = oe.Hierarchy.from_edges([("thing", "sky"), ("thing", "sea"), ("sea", "coast")])
TRUTH = oe.LabelSets.from_sets({"p1": ["sky"], "p2": ["sea", "coast"]}, vocabulary=("coast", "sea", "sky"))


def test_common_missed_and_false_labels_are_told_apart() -> None:
    batch = oe.align(oe.LabelSets.from_array([[1, 1, 0, 0]]), oe.LabelSets.from_array([[1, 0, 1, 0]]))
    parts = [part.toarray().astype(int).tolist()[0] for part in (batch.common, batch.missed, batch.false)]
    assert parts == [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]]


def test_samples_and_concepts_are_brought_into_the_order_of_the_truth() -> None:
    prediction = oe.LabelSets.from_sets({"p2": ["sea"], "p1": ["sky"]}, vocabulary=("sky", "sea", "sand"))
    batch = oe.align(TRUTH, prediction)
    assert batch.prediction.samples == ("p1", "p2")
    assert batch.prediction.vocabulary == TRUTH.vocabulary
    assert [batch.prediction.labels_of(sample) for sample in ("p1", "p2")] == [("sky",), ("sea",)]


def test_with_a_hierarchy_its_order_of_concepts_counts_and_the_others_are_abstract() -> None:
    batch = oe.align(TRUTH, TRUTH, hierarchy=HIERARCHY)
    assert batch.truth.vocabulary.concepts == ("sky", "sea", "coast")
    assert batch.hierarchy is not None
    assert batch.hierarchy.abstract.tolist() == [True, False, False, False]
    with pytest.raises(UnknownConceptError, match="'moon'"):
        oe.align(*[oe.LabelSets.from_sets([["moon"]])] * 2, hierarchy=HIERARCHY)


def test_missing_samples_are_refused_or_empty_where_there_is_a_truth() -> None:
    prediction = oe.LabelSets.from_sets({"p3": ["sky"], "p2": ["sea"]})
    with pytest.raises(
        MisalignedError, match=r"1 only in the truth \('p1'\); 1 only in the prediction \('p3'\)"
    ):
        oe.align(TRUTH, prediction)
    batch = oe.align(TRUTH, prediction, missing="empty")
    assert batch.truth.samples == batch.prediction.samples == ("p1", "p2")
    assert (batch.truth.sizes.tolist(), batch.prediction.sizes.tolist()) == ([1, 2], [0, 1])
    with pytest.raises(ParameterError, match="missing='drop': expected one of 'refuse', 'empty'"):
        oe.align(TRUTH, prediction, missing="drop")  # type: ignore[call-overload]
    scores = oe.LabelScores.from_array([[0.5]], vocabulary=("sea",), samples=("p2",))
    scored = oe.align(TRUTH, scores, missing="empty")
    assert np.diff(scored.prediction.matrix.indptr).tolist() == [0, 1]
    with pytest.raises(MeasureError, match="Propagating scores needs a hierarchy"):
        _ = scored.propagated


def test_predicted_concepts_that_the_truth_is_not_over_are_refused() -> None:
    with pytest.raises(MisalignedError, match=r"1 only in the prediction \('fog'\)"):
        oe.align(TRUTH, oe.LabelSets.from_sets({"p1": ["fog"], "p2": []}))


def test_a_batch_itself_aligns_nothing() -> None:
    turned = oe.LabelSets.from_sets({"p2": ["sea", "coast"], "p1": ["sky"]})
    with pytest.raises(MisalignedError, match=r"samples: the same, but in another order. Use ontoeval.align"):
        oe.Batch(TRUTH, turned)
    with pytest.raises(MisalignedError, match=r"concepts: 2 only in the truth \('coast', 'sea'\). Use"):
        oe.Batch(TRUTH, oe.LabelSets.from_sets({"p1": ["sky"], "p2": []}))
    with pytest.raises(InputError, match="the label sets have other concepts than the hierarchy has labels"):
        oe.Batch(TRUTH, TRUTH, HIERARCHY)


def test_chunks_keep_the_order_and_there_is_always_one() -> None:
    batch = oe.align(TRUTH, TRUTH)
    assert [chunk.truth.samples for chunk in batch.chunks(1)] == [("p1",), ("p2",)]
    assert [len(chunk) for chunk in batch.chunks(5)] == [2]
    assert [len(chunk) for chunk in batch.rows(0, 0).chunks(5)] == [0]
    for size in (0, -1, 1.5):
        with pytest.raises(ParameterError, match=f"size={size}: expected a whole number of at least 1"):
            next(batch.chunks(size))  # type: ignore[arg-type]


def test_an_accumulator_has_the_scores_of_all_batches() -> None:
    generator = np.random.default_rng(0)
    truth, run = generator.random((2, 50, 4)) < 0.4
    hierarchy, classes = (
        {"food": ["salt", "herbs"], "sea": ["fish", "salt lake"]},
        ["salt", "herbs", "fish", "salt lake"],
    )
    how: Any = {"hierarchy": hierarchy, "classes": classes}
    whole, other = oe.Accumulator(["F", "hF"], **how), oe.Accumulator(["F", "hF"], **how)
    for begin in range(0, 50, 20):
        (other if begin == 20 else whole).update(truth[begin : begin + 20], run[begin : begin + 20])
    whole.merge(other)
    assert whole.compute().scores == oe.evaluate(truth, run, measures=["F", "hF"], **how).scores
    assert whole.compute().totals.samples == 50
    whole.reset()
    with pytest.raises(oe.OntoevalError, match="no sample to score"):
        whole.compute()
    heard = oe.Accumulator(metrics="f1_macro", labels=classes, ignore_index=-1)  # type: ignore[call-arg]
    heard.update(target=np.where(run, truth, -1), preds=run)  # type: ignore[call-arg]
    assert heard.compute().totals.verified == run.sum()
    lists = oe.Accumulator("F")
    lists.update([["salt"]], [["salt"]])
    with pytest.raises(oe.OntoevalError, match=r"classes=\[\.\.\.\]"):
        lists.update([["fish"]], [["fish"]])
