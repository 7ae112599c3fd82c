"""The ontology, coloured by how well its concepts are found."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ontoeval.batch import Batch
from ontoeval.comparison import Comparison
from ontoeval.concept_counts import branch_counts
from ontoeval.hierarchy import Hierarchy
from ontoeval.report.html.page import Figure, Section, View
from ontoeval.report.html.sections.chosen import MOST as MOST_RUNS
from ontoeval.report.html.sections.chosen import label_sets, left_out
from ontoeval.report.plots import icicle
from ontoeval.report.table import Column, Table
from ontoeval.report.tree import Tree, drawn
from ontoeval.statistics.counts import FRatio, PrecisionRatio, RecallRatio

DIGITS = 6

MOST = 2_000
"""Concepts that are drawn; of larger hierarchies the upper levels."""

CELLS = 30_000
"""Concepts times runs that a page holds."""

Numbers = NDArray[np.float64]


def concepts(comparison: Comparison) -> Section | None:
    """Show the hierarchy, and how well each branch is found.

    Parameters
    ----------
    comparison
        The comparison.

    Returns
    -------
    Section or None
        None where there are no label sets, or no run is more than a baseline.
    """
    batches = label_sets(comparison)
    if not batches:
        return None
    first = next(iter(batches.values()))
    hierarchy = first.hierarchy or Hierarchy.flat(first.truth.vocabulary)
    tree = drawn(hierarchy)
    kept, cut = _kept(hierarchy, tree, list(batches.values()))
    runs = list(batches)[: max(1, min(MOST_RUNS, CELLS // max(len(kept), 1)))]
    views = [view for run in runs for view in _views(hierarchy, tree, kept, batches[run], run)]
    text = (
        "Roots at the left; a concept is as wide as the leaves below it. Click on one to see its branch "
        "alone. A branch counts as true, or predicted, where any label of it is; its errors are those of "
        "all its labels."
    )
    if (np.diff(hierarchy.parents.indptr) > 1).any():
        text += " A concept with several parents is drawn once, below the first of the deepest."
    if cut:
        text += f" {cut:,} concepts of the lower levels are left out."
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


def _views(hierarchy: Hierarchy, tree: Tree, kept: NDArray[np.intp], batch: Batch, run: str) -> list[View]:
    numbers = _numbers(hierarchy, tree, batch)
    place = np.full(len(hierarchy.vocabulary) + 1, -1, dtype=np.intp)  # what -1 points to stays -1
    place[kept] = np.arange(kept.size)
    names = [hierarchy.vocabulary[concept] for concept in kept.tolist()]
    parents = place[tree.parent[kept]]
    above = [names[parent] if parent >= 0 else "" for parent in parents.tolist()]
    table = Table(
        f"Concepts, {run}",
        (
            *map(Column, ("concept", "below", "true", "predicted", "both")),
            *(Column(title, 4) for title in ("F", "precision", "recall", "share of all errors")),
        ),
        tuple(zip(names, above, *(numbers[key][kept].round(DIGITS).tolist() for key in KEYS), strict=True)),
        ("Samples whose truth, prediction, or both hold a label of the branch.",),
    )
    return [
        View(
            icicle(
                names,
                parents.tolist(),
                numbers[key][kept],
                title=title,
                scale=scale,
                limits=(0.0, 1.0) if scale == "quality" else (0.0, tree.largest(numbers[key])),
                numbers=".3f" if scale == "quality" else ".2%",
            ),
            table,
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
        "precision": PrecisionRatio()(counts),
        "recall": RecallRatio()(counts),
        "errors": tree.sums(own) / max(own.sum(), 1.0),
    }


def _kept(hierarchy: Hierarchy, tree: Tree, batches: list[Batch]) -> tuple[NDArray[np.intp], int]:
    """Choose the concepts that are drawn: those in use, and where these are too many, their upper levels."""
    used = np.zeros(len(hierarchy.labels), dtype=bool)
    for side in (batches[0].truth, *(batch.prediction for batch in batches)):
        used[side.matrix.indices] = True
    wanted = (
        tree.sums(np.bincount(hierarchy.labels[used], minlength=len(hierarchy.vocabulary)).astype(float)) > 0
    )
    if len(hierarchy.vocabulary) <= MOST:
        wanted[:] = True  # what is never used is worth seeing where there is room
    kept = tree.upper(wanted, MOST)
    return kept, int(wanted.sum()) - kept.size
