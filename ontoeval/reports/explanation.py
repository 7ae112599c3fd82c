"""Worst samples of each run, with the explanation of their scores."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import numpy as np

from ontoeval.comparison.result import Comparison
from ontoeval.core.batch import Batch
from ontoeval.core.sparse import line
from ontoeval.core.table import Column, Table, written
from ontoeval.evaluation.explanation import Explanation, explain
from ontoeval.measures.base import info
from ontoeval.measures.ontology_score import OntologyScore
from ontoeval.reports.page import Figure, Section, View, template
from ontoeval.reports.pictures import NoPictures, Pictures
from ontoeval.reports.selection import label_sets, left_out, per_sample

SIGNS = {"common": "✓", "false": "+", "missed": "−"}
MEANINGS = {"common": "right", "false": "predicted, not true", "missed": "true, not predicted"}

NUMBER, RUNS = 9, 12
"""Samples of a run, and runs, that are shown."""


def worst_section(
    comparison: Comparison, pictures: Pictures | None = None, number: int = NUMBER
) -> Section | None:
    """Show the worst samples of each run."""
    pictures = pictures or NoPictures()
    chosen = _chosen(comparison)
    batches = label_sets(comparison)
    if chosen is None or not batches:
        return None
    notation, scores = chosen
    measure = comparison.measures[notation]
    sign = -1 if info(measure, "best") == info(measure, "bounds")[0] else 1
    views = []
    runs = list(batches)[:RUNS]
    for run in runs:
        values, batch = scores[run], batches[run]
        order = np.argsort(sign * values, kind="stable")  # nan comes last
        cards = [
            _card(batch, measure, int(at), float(values[at]), pictures)
            for at in order[:number]
            if np.isfinite(values[at])
        ]
        html = template("worst").render(
            cards=cards, signs=SIGNS, host=urlsplit(next(iter(pictures.sources), "")).netloc
        )
        rows = tuple(
            (
                card["sample"],
                float(card["value"]),
                *(", ".join(label for kind, label in card["all"] if kind == wanted) for wanted in SIGNS),
            )
            for card in cards
        )
        columns = (Column("sample"), Column(notation, 4), *(Column(MEANINGS[kind]) for kind in SIGNS))
        views.append(View(html=html, table=Table(f"Worst samples of {run}", columns, rows)))
    text = f"By {notation}. ✓ right, + predicted but not true, − true but not predicted."
    if isinstance(measure, OntologyScore):
        text += (
            " Below, what each label is charged: the cost of the cheapest path to the nearest label of the "
            "other side, or the rule that is broken."
        )
    text += left_out(len(runs), len(batches))
    return Section(
        "worst",
        "Worst samples",
        "What to look at first.",
        [Figure("Where it went wrong", views, [("Run", runs)], text)],
    )


def _chosen(comparison: Comparison) -> tuple[str, dict[str, Any]] | None:
    """Choose what samples are ordered by: an ontology score, which is explained, or the first that can be."""
    explained = [key for key, measure in comparison.measures.items() if isinstance(measure, OntologyScore)]
    for notation in (*explained, *comparison.measures):
        scores = per_sample(comparison, notation)
        if scores:
            return notation, scores
    return None


def _card(batch: Batch, measure: Any, at: int, score: float, pictures: Pictures) -> dict[str, Any]:  # noqa: ANN401 - any measure
    sample, names = batch.truth.samples[at], batch.truth.vocabulary
    labels = [
        (kind, names[int(column)])
        for kind, matrix in (("common", batch.common), ("missed", batch.missed), ("false", batch.false))
        for column in line(matrix, at)
    ]
    explanation: Explanation | None = None
    if isinstance(measure, OntologyScore) and batch.hierarchy is not None:
        explanation = explain(
            batch.truth, batch.prediction, sample, hierarchy=batch.hierarchy, measure=measure
        )
    return {
        "sample": sample,
        "value": score,
        "score": written(score, 4),
        "labels": [label for label in labels if label[0] == "common" or explanation is None],
        "all": labels,
        "picture": pictures.of(sample),
        "explanation": explanation,
        "charges": [c for c in explanation.charges if c.kind != "common" or c.charge] if explanation else (),
    }
