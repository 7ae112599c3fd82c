"""Batches of scores: aligned as those of sets are, cut at a threshold, propagated upwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import MeasureError, MisalignedError
from ontoeval.measures.flat import SampleMeans

HIERARCHY = oe.Hierarchy.from_edges([("thing", "sky"), ("thing", "sea"), ("sea", "coast"), ("sky", "coast")])
LABELS = HIERARCHY.label_vocabulary
TRUTH = oe.LabelSets.from_sets({"p1": ["coast"], "p2": [], "p3": ["sky"]}, vocabulary=LABELS)


def scores(rows: Mapping[str, Mapping[str, float]], vocabulary: Any = LABELS) -> oe.LabelScores:
    """Scores of some labels of some samples; the others have none."""
    entries = [(row, label, score) for row, some in enumerate(rows.values()) for label, score in some.items()]
    names = oe.Vocabulary(tuple(vocabulary))
    matrix = np.full((len(rows), len(names)), np.nan)
    for row, label, score in entries:
        matrix[row, names.index[label]] = score
    stored = ~np.isnan(matrix)
    indptr = np.concatenate([[0], stored.sum(axis=1).cumsum()])
    from scipy import sparse

    csr = sparse.csr_array((matrix[stored], np.nonzero(stored)[1], indptr), shape=matrix.shape)
    return oe.LabelScores(csr, names, tuple(rows))


SCORES = scores({"p1": {"coast": 0.4, "sky": 0.7}, "p2": {"sea": 0.05}, "p3": {"thing": 0.2, "coast": 0.1}})


@dataclass(frozen=True)
class _Scored:
    """How many labels have a score."""

    def __call__(self, batch: oe.core.ScoredBatch) -> Any:
        return np.diff(batch.prediction.matrix.indptr).astype(float)


@dataclass(frozen=True)
class MeanScored:
    """A measure of scores."""

    takes = "scores"
    statistic = SampleMeans((_Scored(),))

    def formula(self, values: Any) -> Any:
        """The mean."""
        return self.statistic.unpack(values)[0]


def stored(matrix: Any, row: int, names: oe.Vocabulary) -> dict[str, float]:
    """The stored entries of a row by name."""
    part = slice(*matrix.indptr[row : row + 2])
    return {names[int(c)]: float(v) for c, v in zip(matrix.indices[part], matrix.data[part], strict=True)}


def test_samples_and_concepts_are_brought_into_the_order_of_the_truth() -> None:
    other = scores({"p3": {"sky": 0.5}, "p1": {"sea": 0.05}, "p2": {}}, ("sea", "sky"))
    batch = oe.align(TRUTH, other, hierarchy=HIERARCHY)
    assert isinstance(batch, oe.core.ScoredBatch)
    assert batch.prediction.samples == TRUTH.samples
    assert stored(batch.prediction.matrix, 0, LABELS) == {"sea": 0.05}
    assert stored(batch.prediction.matrix, 2, LABELS) == {"sky": 0.5}


def test_missing_samples_are_refused_or_have_no_scores() -> None:
    other = scores({"p3": {"sky": 0.5}, "p4": {"sea": 1.0}})
    with pytest.raises(MisalignedError, match=r"2 only in the truth .*1 only in the prediction \('p4'\)"):
        oe.align(TRUTH, other)
    batch = oe.align(TRUTH, other, missing="empty")
    assert np.diff(batch.prediction.matrix.indptr).tolist() == [0, 0, 1]


def test_ancestors_have_the_largest_score_below_them() -> None:
    closed = oe.core.ScoredBatch(TRUTH, SCORES, HIERARCHY).propagated
    assert [stored(closed.prediction.matrix, row, HIERARCHY.vocabulary) for row in range(3)] == [
        {"thing": 0.7, "sky": 0.7, "sea": 0.4, "coast": 0.4},
        {"thing": 0.05, "sea": 0.05},
        {"thing": 0.2, "sky": 0.1, "sea": 0.1, "coast": 0.1},
    ]
    assert closed.truth.labels_of("p1") == ("thing", "sky", "sea", "coast")
    with pytest.raises(MeasureError, match="Propagating scores needs a hierarchy"):
        _ = oe.core.ScoredBatch(TRUTH, SCORES).propagated


def test_a_measure_of_sets_wants_a_threshold_and_one_of_scores_wants_scores() -> None:
    with pytest.raises(MeasureError, match=r"F, Hamming: compares label sets.*scores\.at\(0\.5\)"):
        oe.evaluate(TRUTH, SCORES, measures=["F", MeanScored(), "Hamming"])
    with pytest.raises(MeasureError, match=r"MeanScored: ranks labels by their scores.*read_scores"):
        oe.evaluate(TRUTH, TRUTH, measures=["F", MeanScored()])
