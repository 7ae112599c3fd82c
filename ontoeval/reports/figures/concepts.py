"""Concepts: where in the ontology a run is good, and what it takes for what."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.comparison.result import Comparison
from ontoeval.confusion.matrix import matrix_of
from ontoeval.confusion.one_vs_rest import branch_counts
from ontoeval.core.batch import Batch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.errors import InputError, one_of
from ontoeval.measures.confusion_rules import Confusion
from ontoeval.measures.counts import FRatio
from ontoeval.reports.figures.marks import bar, cells, ink, scale
from ontoeval.reports.figures.paper import GREY, MOST, PLAIN, TWO, Numbers, axes, height_of, label, size_of
from ontoeval.reports.selection import RULE, best_run, cuts, order_of
from ontoeval.reports.tree import Tree, drawn

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LEAF = 0.125
"""Height of a leaf of the icicle where there is room, in inches."""

WIDEST = 60
"""Rows of a confusion matrix."""


def icicle(
    comparison: Comparison, run: str | None = None, *, measure: str | None = None, ax: Axes | None = None
) -> Axes:
    """Draw the ontology coloured by how well a run finds each concept: roots left, leaves right.

    Parameters
    ----------
    comparison
        Of the runs.
    run
        Which run; by default the best by the first measure.
    measure
        Which score of each concept: one of the measures that are means over concepts. By default F of the
        branch, where a branch counts as true, or predicted, where any label of it is.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        A rectangle per concept, as high as the leaves below it; grey where there is no score.

    Raises
    ------
    InputError
        If the runs are no label sets.
    MeasureError
        If the measure is no mean over concepts.
    ParameterError
        If there is no such run.
    MissingExtraError
        If matplotlib is not installed.
    """
    run, batch = _sets(comparison, run)
    hierarchy = batch.any_hierarchy
    if measure is None:
        values, title = FRatio(1.0)(branch_counts(hierarchy, batch)), "F of the branch"
    else:
        values, title = _of_labels(hierarchy, comparison.evaluations[run].per_concept(measure)), measure
    tree = drawn(hierarchy)
    kept, level = _kept(tree, hierarchy.label_ancestors.T @ np.asarray(batch.truth.matrix.sum(axis=0)))
    top, bottom = _places(tree, kept)
    rows, depth = float(bottom.max()), int(level[kept].max()) + 1
    height = max(0.8, height_of(int(rows), LEAF))
    with axes(ax, TWO, height + 0.3) as on:
        corners = [
            [(x, a), (x + 1, a), (x + 1, b), (x, b)]
            for x, a, b in zip(level[kept].tolist(), top.tolist(), bottom.tolist(), strict=True)
        ]
        collection = import_module("matplotlib.collections").PolyCollection(
            corners, cmap=scale("quality"), edgecolors="white", linewidths=0.6
        )
        collection.set_array(np.ma.masked_invalid(values[kept]))
        collection.set_clim(0, 1)
        on.add_collection(collection)
        size = size_of(int(rows), LEAF) * 0.95
        longest = max(4, int(0.9 * on.bbox.width / on.figure.dpi * 72 / depth / (0.6 * size)))
        for concept, x, y in zip(
            kept.tolist(), level[kept].tolist(), ((top + bottom) / 2).tolist(), strict=True
        ):
            colour = ink(collection.cmap(collection.norm(values[concept])))
            on.text(x + 0.03, y, label(hierarchy.vocabulary[concept], longest), va="center",
                    fontsize=size, color=colour, **PLAIN)  # fmt: skip
        on.set_xlim(0, depth)
        on.set_ylim(rows, 0)
        on.set_axis_off()
        bar(on, collection, "", shrink=min(1.0, 2 / height), anchor=(0, 1))
        left_out = f"; {kept.size} of {len(hierarchy.vocabulary):,} concepts" * (kept.size < values.size)
        on.set_title(f"{title}, {label(run)}{left_out}", loc="left", **PLAIN)
    return on


def _sets(comparison: Comparison, run: str | None) -> tuple[str, Batch]:
    run = best_run(comparison) if run is None else run
    one_of("run", run, comparison.runs)
    batch = comparison.evaluations[run].sets
    if batch is None:
        raise InputError("the runs are no label sets", "Give a threshold, which makes label sets of scores.")
    return run, batch


def _of_labels(hierarchy: Hierarchy, scores: Mapping[str, float]) -> Numbers:
    values = np.full(len(hierarchy.vocabulary), np.nan)
    values[hierarchy.vocabulary.positions(list(scores))] = list(scores.values())
    return values


def _kept(tree: Tree, support: Numbers) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Choose what is drawn: as many levels as a page has rows for; of too many roots the most frequent."""
    level = np.zeros(tree.parent.size, dtype=np.intp)
    for concept in tree.order.tolist():
        if tree.parent[concept] >= 0:
            level[concept] = level[tree.parent[concept]] + 1
    roots = tree.order[tree.parent[tree.order] < 0]
    kept = roots[np.sort(np.argsort(-support[roots], kind="stable")[:MOST])]
    for deepest in range(1, int(level.max(initial=0)) + 1):
        chosen = np.zeros(tree.parent.size, dtype=bool)
        chosen[kept] = True
        for concept in tree.order.tolist():
            above = tree.parent[concept]
            if level[concept] == deepest and above >= 0 and chosen[above]:
                chosen[concept] = True
        more = tree.order[chosen[tree.order]]
        if _leaves(tree, more) > MOST:
            break
        kept = more
    return kept, level


def _leaves(tree: Tree, kept: NDArray[np.intp]) -> int:
    return int(kept.size - np.unique(tree.parent[kept][tree.parent[kept] >= 0]).size)


def _places(tree: Tree, kept: NDArray[np.intp]) -> tuple[Numbers, Numbers]:
    """Give each concept the rows of the leaves below it."""
    inner = np.zeros(tree.parent.size + 1, dtype=bool)  # what -1 points to is no concept
    inner[tree.parent[kept]] = True
    own = np.zeros(tree.parent.size)
    own[kept] = ~inner[kept]
    before = np.cumsum(own[kept]) - own[kept]
    return before, before + tree.sums(own)[kept]


def confusion(
    comparison: Comparison, run: str | None = None, *, level: str | None = None, ax: Axes | None = None
) -> Axes:
    """Draw what a run takes for what, in the order of the hierarchy, by Krstinić's rule of 2020.

    Parameters
    ----------
    comparison
        Of the runs.
    run
        Which run; by default the best by the first measure.
    level
        What concepts are collapsed to: "labels", or a level of the hierarchy, such as "level 2"; by
        default the finest that a page holds.
    ax
        Axes to draw on; by default those of a new figure.

    Returns
    -------
    Axes
        Rows are true, columns predicted; a row sums to 1. Lines part the branches below the roots.

    Raises
    ------
    InputError
        If the runs are no label sets.
    ParameterError
        If there is no such run or level.
    MissingExtraError
        If matplotlib is not installed.
    """
    run, batch = _sets(comparison, run)
    hierarchy = batch.any_hierarchy
    levels: dict[str, tuple[str, ...] | None] = {title.split(":")[0]: cut for title, cut in cuts(hierarchy)}
    levels["labels"] = None
    if level is None:
        level = next(
            (one for one in [*levels][::-1] if len(levels[one] or hierarchy.labels) <= WIDEST), "labels"
        )
    one_of("level", level, tuple(levels))
    cut = levels[level]
    matrix = matrix_of(batch, Confusion(RULE))
    if cut is not None:
        matrix = matrix.aggregated(hierarchy, cut=cut)
    tree = drawn(hierarchy)
    order, total = order_of(matrix, hierarchy, tree, WIDEST), len(matrix.rows)
    shares = sparse.csr_array(matrix.normalised("true"))[order][:, order].toarray()
    names = [matrix.rows[at] for at in order.tolist()]
    side = min(height_of(len(names), 0.2), TWO - 2.3)
    with axes(ax, side + 2.3, side + 1.4) as on:
        norm = import_module("matplotlib.colors").PowerNorm(0.5, 0, 1)
        image = cells(on, shares, names, names, colours=scale("amount"), norm=norm, size=side / len(names))
        for at in _seams(names, hierarchy, tree):
            on.axhline(at - 0.5, color=GREY, linewidth=0.4)
            on.axvline(at - 0.5, color=GREY, linewidth=0.4)
        on.set_ylabel("true")
        on.set_xlabel("predicted" + f"\nthe {len(names)} most confused of {total:,}" * (len(names) < total))
        bar(on, image, f"share of the row, {label(run)}", ticks=[0, 0.05, 0.2, 0.5, 1])
    return on


def _seams(names: list[str], hierarchy: Hierarchy, tree: Tree) -> list[int]:
    """Find the rows at which another branch begins."""
    index = hierarchy.vocabulary.index
    branch: dict[int, Any] = {}
    for concept in tree.order.tolist():
        above = int(tree.parent[concept])
        # A single root holds everything: what lies below it parts the concepts.
        branch[concept] = (
            concept if above < 0 or (len(hierarchy.roots) == 1 and tree.parent[above] < 0) else branch[above]
        )
    of = [branch[index[name]] if name in index else name for name in names]
    return [at for at in range(1, len(of)) if of[at] != of[at - 1]]
