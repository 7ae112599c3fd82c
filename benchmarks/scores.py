"""Scores and confusion matrices of label sets in memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

import ontoeval as oe
from benchmarks import peers
from benchmarks.measuring import FLOOR, Effort, Prepare, Task, Work
from benchmarks.samples import (
    Arrays,
    ScoredSides,
    Sides,
    arrays,
    documents,
    photos,
    ranked_table,
    scored_documents,
    scored_table,
    wide,
)

AVERAGES = ("micro", "macro", "samples")
ELEVEN = (*(f"{one}(average={average!r})" for average in AVERAGES for one in "PRF"), "Jaccard", "Hamming")


def scores(*measures: str) -> Prepare:
    """Evaluate some measures."""

    def prepare(data: Sides) -> Work:
        given: dict[str, Any] = {"hierarchy": data.hierarchy, "measures": measures}
        return lambda: list(oe.evaluate(data.truth, data.prediction, **given).scores.values())

    return prepare


def counts(data: Sides) -> Work:
    """Count the decisions about each concept."""
    return lambda: oe.one_vs_rest(data.truth, data.prediction)


def two_by_two(found: oe.confusion.ConceptCounts) -> NDArray[np.float64]:
    """Arrange counts as scikit-learn does."""
    return np.stack([found.tn, found.fp, found.fn, found.tp], axis=-1).reshape(-1, 2, 2)


def krstinic(data: Sides) -> Work:
    """Make a confusion matrix."""
    return lambda: oe.confusion_matrix(data.truth, data.prediction, rule="krstinic")


def tensor(data: Sides) -> Work:
    """Make both planes of the confusion tensor."""
    return lambda: oe.confusion_tensor(data.truth, data.prediction)


def planes(found: oe.confusion.ConfusionTensor) -> NDArray[np.float64]:
    """Put both planes into one array."""
    return np.stack([dense(found.recall_plane), dense(found.precision_plane)])


def transport(data: Sides) -> Work:
    """Make a transport matrix."""
    return lambda: oe.confusion_matrix(
        data.truth, data.prediction, rule="transport", hierarchy=data.hierarchy
    )


def fmax(data: ScoredSides) -> Work:
    """Find the best threshold."""
    given: dict[str, Any] = {"hierarchy": data.hierarchy, "measures": "Fmax"}
    return lambda: oe.evaluate(data.truth, data.prediction, **given)["Fmax"]


def first_five(data: Arrays) -> Work:
    """Compute nDCG of the first five labels."""
    return lambda: oe.evaluate(data.truth, data.prediction, measures="nDCGAt")["nDCGAt"]


def first_of_all(data: Arrays) -> Work:
    """Compute precision of the first five labels, and the reciprocal rank."""
    return lambda: list(oe.evaluate(data.truth, data.prediction, measures=["PAt", "RR"]).values())


def of_arrays(data: Arrays) -> Work:
    """Compute micro F of arrays alone."""
    return lambda: oe.evaluate(data.truth, data.prediction, measures="F")["F"]


def small(samples: int, concepts: int) -> Callable[[Effort], Arrays]:
    """Draw arrays of a size that no effort changes."""
    return lambda _: arrays(samples, concepts)


SMALL = ((10, 5), (200, 20), (64, 1_000))
"""Samples and concepts of small calls."""


def dense(found: oe.confusion.ConfusionMatrix) -> NDArray[np.float64]:
    """Write the zeros of a confusion matrix too."""
    return found.matrix.toarray() if sparse.issparse(found.matrix) else np.asarray(found.matrix)


def flat(data: Callable[[Effort], Sides], samples: int | None = None) -> tuple[Task, ...]:
    """F, counts and confusion, with as many samples as dense tensors can have."""
    f1 = partial(peers.scikit_learn, "f1_score", zero_division=0)
    torch_f1 = partial(peers.torchmetrics, "multilabel_f1_score", samples)
    matrix = "multilabel_confusion_matrix"
    by_concept = {
        "scikit-learn": peers.scikit_learn(matrix),
        "torchmetrics": peers.torchmetrics(matrix, samples),
    }
    return (
        *(
            Task(
                f"{average} F",
                data,
                scores(f"F(average={average!r}, undefined=0.0)"),
                {
                    "scikit-learn": f1(average=average),
                    "torchmetrics": torch_f1(average=average),
                    FLOOR: peers.floor(f"{average}_f"),
                },
            )
            for average in ("micro", "macro")
        ),
        Task("TP, FP, FN, TN of each concept", data, counts, by_concept, two_by_two),
        Task("confusion matrix (Krstinić)", data, krstinic, {FLOOR: peers.floor("krstinic")}, dense),
    )


TASKS = (
    *(
        Task(
            f"F, {samples} × {concepts:,}",
            small(samples, concepts),
            of_arrays,
            {
                "scikit-learn": peers.scikit_learn("f1_score", average="micro", zero_division=0),
                "torchmetrics": peers.torchmetrics("multilabel_f1_score", average="micro"),
            },
        )
        for samples, concepts in SMALL
    ),
    *flat(photos),
    Task("confusion tensor, both planes", photos, tensor, {FLOOR: peers.floor("tensor")}, planes),
    Task("transport matrix", photos, transport, {FLOOR: peers.floor("transport")}, dense),
    Task("hF", photos, scores("hF"), {"hiclass": peers.hiclass(), FLOOR: peers.floor("hierarchical_f")}),
    Task("OS without rules", photos, scores("OS(penalise='none')"), {FLOOR: peers.floor("ontology_score")}),
    Task("OS with rules", photos, scores("OS"), {FLOOR: peers.floor("ontology_score", rules=True)}),
    Task("tF and tκ", photos, scores("tF", "tKappa")),
    *flat(wide, peers.TORCH_SAMPLES),
    Task("11 flat measures", wide, scores(*ELEVEN), {"scikit-learn": peers.many_of_scikit_learn(AVERAGES)}),
    Task("hF", documents, scores("hF"), {"hiclass": peers.hiclass(), FLOOR: peers.floor("hierarchical_f")}),
    Task(
        "OS without rules",
        documents,
        scores("OS(penalise='none')"),
        {FLOOR: peers.floor("ontology_score_by_paths")},
    ),
    Task("tF and tκ", documents, scores("tF", "tKappa")),
    Task("Fmax", scored_documents, fmax, {FLOOR: peers.floor("fmax_on_grid")}),
    Task("nDCG@5", scored_table, first_five, {"scikit-learn": peers.scikit_learn("ndcg_score", k=5)}),
    Task("P@5 and RR", ranked_table, first_of_all, {"ranx": peers.ranx("precision@5", "mrr")}),
)
