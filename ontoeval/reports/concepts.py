"""Concepts in their hierarchy: the tree that is drawn, the icicle, and the section of a comparison."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.comparison.result import Comparison
from ontoeval.confusion.one_vs_rest import branch_counts
from ontoeval.core.batch import Batch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.sparse import row_of_entries
from ontoeval.core.table import Column, Table
from ontoeval.measures.counts import FRatio, precision, recall
from ontoeval.reports.marks import Icicle
from ontoeval.reports.page import Figure, Section, View
from ontoeval.reports.selection import MOST as MOST_RUNS
from ontoeval.reports.selection import label_sets, left_out


class Tree(NamedTuple):
    """Concepts in the order in which a tree is read from its roots."""

    order: NDArray[np.intp]
    parent: NDArray[np.intp]

    @property
    def levels(self) -> NDArray[np.intp]:
        """Number of concepts above each."""
        level = np.zeros(self.parent.size, dtype=np.intp)
        for concept in self.order.tolist():
            level[concept] = level[self.parent[concept]] + 1 if self.parent[concept] >= 0 else 0
        return level

    def sums(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Add to the value of each concept those of all that is drawn below it."""
        sums = np.array(values, dtype=np.float64)
        for concept in self.order[::-1].tolist():
            if self.parent[concept] >= 0:
                sums[self.parent[concept]] += sums[concept]
        return sums

    def largest(self, values: NDArray[np.float64]) -> float:
        """Find the largest value below the roots, which hold all and would leave the others pale."""
        inner = values[self.parent >= 0]
        return float(inner.max(initial=0.0)) or float(values.max(initial=0.0)) or 1.0

    def upper(self, wanted: NDArray[np.bool_], most: int) -> NDArray[np.intp]:
        """Choose concepts to draw: of too many the upper levels."""
        level = self.levels
        sizes = np.bincount(level[wanted])
        deepest = max(int(np.searchsorted(np.cumsum(sizes), most, side="right")), 1)
        return self.order[(wanted & (level < deepest))[self.order]][:most]


def drawn(hierarchy: Hierarchy) -> Tree:
    """Choose for each concept the one parent that it is drawn below: the first of the deepest."""
    child, above = row_of_entries(hierarchy.parents), hierarchy.parents.indices
    deepest = hierarchy.depth[above] == hierarchy.depth[child] - 1
    parent = np.full(len(hierarchy.vocabulary), -1, dtype=np.intp)
    parent[child[deepest][::-1]] = above[deepest][::-1]
    children: list[list[int]] = [[] for _ in parent]
    for concept in range(parent.size - 1, -1, -1):
        if parent[concept] >= 0:
            children[parent[concept]].append(concept)
    order: list[int] = []
    waiting = hierarchy.roots.tolist()[::-1]
    while waiting:
        order.append(waiting.pop())
        waiting += children[order[-1]]
    return Tree(np.array(order, dtype=np.intp), parent)


Numbers = NDArray[np.float64]

MOST = 2_000
"""Concepts that are drawn; of larger hierarchies the upper levels."""

NAMED = 120
"""Concepts beyond which some may have no room for their names."""

DIGITS = 6


class Shade(NamedTuple):
    """Values that concepts are coloured by."""

    values: Numbers
    scale: str
    digits: int | None = None
    ends: tuple[float, float] | None = None


@dataclass(frozen=True, eq=False)
class Part:
    """The part of a hierarchy that is drawn."""

    hierarchy: Hierarchy
    tree: Tree
    kept: NDArray[np.intp]
    cut: int

    @cached_property
    def names(self) -> list[str]:
        """The concepts."""
        return [self.hierarchy.vocabulary[concept] for concept in self.kept.tolist()]

    @cached_property
    def parents(self) -> list[int]:
        """For each of them, which it is drawn below; -1 for none."""
        place = np.full(len(self.hierarchy.vocabulary) + 1, -1, dtype=np.intp)  # what -1 points to stays -1
        place[self.kept] = np.arange(self.kept.size)
        return [int(parent) for parent in place[self.tree.parent[self.kept]]]

    @property
    def above(self) -> list[str]:
        """The names of these."""
        return [self.names[parent] if parent >= 0 else "" for parent in self.parents]

    def view(
        self,
        values: Numbers,
        table: Table,
        *,
        title: str,
        scale: str,
        numbers: str,
        ends: tuple[float, float] | None = None,
    ) -> View:
        """Colour the concepts."""
        plot = Icicle(
            self.names,
            self.parents,
            values[self.kept],
            title=title,
            scale=scale,
            limits=ends or (0.0, self.tree.largest(np.nan_to_num(values))),
            numbers=numbers,
        )
        return View(plot, table)

    def reading(self, text: str) -> str:
        """Explain the icicle."""
        said = f"Roots at the left; a concept is as high as the leaves below it. {text}"
        if self.kept.size > NAMED:
            said += " Names that there is no room for are shown where the mouse is, or in the branch alone."
        if self.hierarchy.several_parents.size:
            said += " A concept with several parents is drawn once, below the first of the deepest."
        if self.cut:
            said += f" {self.cut:,} concepts of the lower levels are left out."
        return said


def part_of(hierarchy: Hierarchy, used: NDArray[np.bool_], most: int) -> Part:
    """Choose the concepts to draw: of a large hierarchy those in use, and of these the upper levels."""
    tree = drawn(hierarchy)
    wanted = tree.sums(used.astype(np.float64)) > 0
    if len(hierarchy.vocabulary) <= most:
        wanted[:] = True  # what is never used is worth seeing where there is room
    kept = tree.upper(wanted, most)
    return Part(hierarchy, tree, kept, int(wanted.sum()) - kept.size)


def branches(
    title: str,
    hierarchy: Hierarchy,
    shades: Mapping[str, Shade],
    *,
    choice: str,
    text: str,
    used: NDArray[np.bool_],
    notes: Sequence[str] = (),
) -> Figure:
    """Colour a hierarchy."""
    part = part_of(hierarchy, used, MOST)
    columns = [[*map(_cell, shade.values[part.kept].round(DIGITS).tolist())] for shade in shades.values()]
    table = Table(
        title,
        (Column("concept"), Column("below"), *(Column(name, shade.digits) for name, shade in shades.items())),
        tuple(zip(part.names, part.above, *columns, strict=True)),
        tuple(notes),
    )
    views = [
        part.view(
            shade.values,
            table,
            title=name,
            scale=shade.scale,
            ends=shade.ends,
            numbers=",.0f" if shade.digits is None else f".{shade.digits}f",
        )
        for name, shade in shades.items()
    ]
    return Figure(title, views, [(choice, list(shades))], part.reading(text))


def _cell(value: float) -> float | None:
    return None if np.isnan(value) else value


CELLS = 30_000
"""Concepts times runs that a page holds."""


def concepts_section(comparison: Comparison) -> Section | None:
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
"""Numbers that concepts are coloured by, with their scales."""


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
