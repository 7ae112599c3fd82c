"""The ontology, coloured by how well its concepts are found."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.result import Comparison
from ontoeval.confusion.one_vs_rest import branch_counts
from ontoeval.core.batch import Batch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.measures.counts import FRatio, precision, recall
from ontoeval.reports.html.page import Figure, Section, View
from ontoeval.reports.html.sections.branches import MOST, Part, part_of
from ontoeval.reports.html.sections.chosen import MOST as MOST_RUNS
from ontoeval.reports.html.sections.chosen import label_sets, left_out
from ontoeval.reports.table import Column, Table
from ontoeval.reports.tree import Tree

DIGITS = 6

CELLS = 30_000
"""Concepts times runs that a page holds."""

Numbers = NDArray[np.float64]


def concepts(comparison: Comparison) -> Section | None:
    """Show the hierarchy, and how well each branch is found."""
    batches = label_sets(comparison)
    if not batches:
        return None
    hierarchy = next(iter(batches.values())).any_hierarchy
    part = part_of(hierarchy, _used(hierarchy, list(batches.values())), MOST)
    runs = list(batches)[: max(1, min(MOST_RUNS, CELLS // max(len(part.kept), 1)))]
    views = [view for run in runs for view in _views(part, batches[run], run)]
    text = part.reading(
        "Click on one, or press Enter on it, to see its branch alone. A branch counts as true, or predicted, "
        "where any label of it is; its errors are those of all its labels."
    )
    text += left_out(len(runs), len(batches))
    figure = Figure("Concepts in their hierarchy", views, [("Run", runs), ("Colour", tuple(SHOWN))], text)
    return Section(
        "concepts", "Concepts", "Where in the ontology a run is good, and where its errors lie.", [figure]
    )


SHOWN = {
    "F of the branch": ("f", "quality"),
    "precision of the branch": ("precision", "quality"),
    "recall of the branch": ("recall", "quality"),
    "share of all errors": ("errors", "amount"),
}
"""What concepts are coloured by, with the scale."""


def _views(part: Part, batch: Batch, run: str) -> list[View]:
    numbers = _numbers(part.hierarchy, part.tree, batch)
    columns = (numbers[key][part.kept].round(DIGITS).tolist() for key in KEYS)
    table = Table(
        f"Concepts, {run}",
        (
            *map(Column, ("concept", "below", "true", "predicted", "both")),
            *(Column(title, 4) for title in ("F", "precision", "recall", "share of all errors")),
        ),
        tuple(zip(part.names, part.above, *columns, strict=True)),
        ("Samples whose truth, prediction, or both hold a label of the branch.",),
    )
    return [
        part.view(
            numbers[key],
            table,
            title=title,
            scale=scale,
            ends=(0.0, 1.0) if scale == "quality" else None,
            numbers=".3f" if scale == "quality" else ".2%",
        )
        for title, (key, scale) in SHOWN.items()
    ]


KEYS = ("true", "predicted", "both", "f", "precision", "recall", "errors")


def _numbers(hierarchy: Hierarchy, tree: Tree, batch: Batch) -> dict[str, Numbers]:
    """Count samples by branch, and errors by label, each per concept of the hierarchy."""
    counts = branch_counts(hierarchy, batch)
    own = np.zeros(len(hierarchy.vocabulary))
    own[hierarchy.labels] = np.asarray(batch.missed.sum(axis=0)) + np.asarray(batch.false.sum(axis=0))
    return {
        "true": counts.tp + counts.fn,
        "predicted": counts.tp + counts.fp,
        "both": counts.tp,
        "f": FRatio(1.0)(counts),
        "precision": precision(counts),
        "recall": recall(counts),
        "errors": tree.sums(own) / max(own.sum(), 1.0),
    }


def _used(hierarchy: Hierarchy, batches: list[Batch]) -> NDArray[np.bool_]:
    """Mark the concepts that are true, or predicted by any run."""
    used = np.zeros(len(hierarchy.vocabulary), dtype=bool)
    for side in (batches[0].truth, *(batch.prediction for batch in batches)):
        used[hierarchy.labels[side.matrix.indices]] = True
    return used
