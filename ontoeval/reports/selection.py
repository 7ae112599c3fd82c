"""What pages and figures show of a comparison: which run, which samples, and how much of a matrix."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.comparison.result import Comparison
from ontoeval.confusion.matrix import ConfusionMatrix
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.reports.tree import Tree

RULE = "krstinic"
"""The rule by which labels are taken for each other."""

WIDEST = 150
"""Rows that a matrix is drawn with; of more concepts the most confused."""


def best_run(comparison: Comparison) -> str:
    """Find the run that is shown where only one is."""
    order = (comparison.runs[run] for run in comparison.order())
    return min(order, key=lambda run: run in comparison.baselines)


def per_sample(comparison: Comparison, notation: str) -> dict[str, NDArray[np.float64]]:
    """Score the samples of all runs by one measure."""
    measure = comparison.measures[notation]
    if getattr(measure, "average", "") in {"macro", "weighted"}:
        return {}
    scores = {run: one.per_sample(notation) for run, one in comparison.evaluations.items()}
    return scores if any(np.isfinite(values).any() for values in scores.values()) else {}


def cuts(hierarchy: Hierarchy) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Name the groups that concepts are collapsed to, level by level."""
    names = hierarchy.vocabulary.concepts
    for level in range(hierarchy.levels - 1):
        here = (hierarchy.depth == level) | ((hierarchy.depth < level) & ~hierarchy.abstract)
        cut = tuple(names[concept] for concept in np.flatnonzero(here).tolist())
        if 1 < len(cut) < len(hierarchy.labels) and len(cut) <= WIDEST:
            yield f"level {level + 1}: {len(cut)} groups", cut


def order_of(matrix: ConfusionMatrix, hierarchy: Hierarchy, tree: Tree, most: int) -> NDArray[np.intp]:
    """Order the rows of a matrix by the hierarchy, pseudo-concepts last; keep the most confused."""
    place = np.empty(len(hierarchy.vocabulary), dtype=np.intp)
    place[tree.order] = np.arange(place.size)
    index = hierarchy.vocabulary.index
    keys = [place[index[row]] if row in index else place.size for row in matrix.rows]
    order = np.argsort(keys, kind="stable")
    if order.size > most + 1:
        entries = sparse.csr_array(matrix.matrix)
        wrong = entries.sum(axis=0) + entries.sum(axis=1) - 2 * entries.diagonal()
        confused = np.zeros(order.size, dtype=bool)
        confused[np.argsort(-wrong, kind="stable")[:most]] = True
        order = order[confused[order]]
    return np.asarray(order)
