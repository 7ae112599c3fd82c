"""Concepts in their hierarchy: the tree that is drawn, the icicle, and the section of a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.confusion.one_vs_rest import branch_counts
from ontoeval.core.batch import Batch
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.names import NO_NAMES, ConceptNames, DisplayedName
from ontoeval.core.table import Table
from ontoeval.measures.counts import FRatio, precision, recall
from ontoeval.plumbing.arrays import Marks, Numbers
from ontoeval.plumbing.sparse import row_of_entries
from ontoeval.reports.formats import table_of
from ontoeval.reports.marks import Icicle
from ontoeval.reports.page import Figure, FigureView, Section
from ontoeval.reports.samples import SamplePool
from ontoeval.reports.selection import MOST as MOST_RUNS
from ontoeval.reports.selection import label_sets, note_left_out

if TYPE_CHECKING:
    from ontoeval.comparison.result import Comparison


class Tree(NamedTuple):
    """Concepts in the order in which a tree is read from its roots: the parent and the level of each."""

    order: NDArray[np.intp]
    parent: NDArray[np.intp]
    levels: NDArray[np.intp]

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


def tree_to_draw(hierarchy: Hierarchy) -> Tree:
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
    return Tree(np.array(order, dtype=np.intp), parent, hierarchy.depth)


MOST = 2_000  # concepts that are drawn; of larger hierarchies the upper levels
NAMED = 120  # concepts beyond which some may have no room for their names

DIGITS = 6


class Shade(NamedTuple):
    """Values that concepts are coloured by."""

    values: Numbers
    scale: str
    digits: int | None = None
    ends: tuple[float, float] | None = None
    form: str = ""


@dataclass(frozen=True, eq=False)
class DrawnHierarchy:
    """The part of a hierarchy that is drawn."""

    hierarchy: Hierarchy
    tree: Tree
    kept: NDArray[np.intp]
    cut: int
    called: ConceptNames = NO_NAMES

    @cached_property
    def names(self) -> list[DisplayedName]:
        """Names of the drawn concepts."""
        called = self.called or self.hierarchy.vocabulary.names
        return called.texts(self.hierarchy.vocabulary[concept] for concept in self.kept.tolist())

    @cached_property
    def parents(self) -> list[int]:
        """Position of the parent that each concept is drawn below; -1 for none."""
        place = np.full(len(self.hierarchy.vocabulary) + 1, -1, dtype=np.intp)  # what -1 points to stays -1
        place[self.kept] = np.arange(self.kept.size)
        return [int(parent) for parent in place[self.tree.parent[self.kept]]]

    @property
    def above(self) -> list[str]:
        """Names of the parents."""
        return [self.names[parent] if parent >= 0 else "" for parent in self.parents]

    def views(self, shades: Mapping[str, Shade], table: Table) -> list[FigureView]:
        """Colour the concepts, one view for each shade."""
        return [
            FigureView(
                Icicle(
                    self.names,
                    self.parents,
                    shade.values[self.kept],
                    title=title,
                    scale=shade.scale,
                    limits=shade.ends or (0.0, self.tree.largest(np.nan_to_num(shade.values))),
                    numbers=shade.form or (",.0f" if shade.digits is None else f".{shade.digits}f"),
                ),
                table,
            )
            for title, shade in shades.items()
        ]

    def reading(self, text: str) -> str:
        """Explain the icicle."""
        sentences = f"Roots at the left; a concept is as high as the leaves below it. {text}"
        if self.kept.size > NAMED:
            sentences += (
                " Names that there is no room for are shown where the mouse is, or in the branch alone."
            )
        if self.hierarchy.several_parents.size:
            sentences += " A concept with several parents is drawn once, below the first of the deepest."
        if self.cut:
            sentences += f" {self.cut:,} concepts of the lower levels are left out."
        return sentences


def choose_concepts(
    hierarchy: Hierarchy, used: Marks, most: int, called: ConceptNames = NO_NAMES
) -> DrawnHierarchy:
    """Choose the concepts to draw: of a large hierarchy those in use, and of these the upper levels."""
    tree = tree_to_draw(hierarchy)
    wanted = tree.sums(used.astype(np.float64)) > 0
    if len(hierarchy.vocabulary) <= most:
        wanted[:] = True  # what is never used is worth seeing where there is room
    sizes = np.bincount(tree.levels[wanted])
    deepest = max(int(np.searchsorted(np.cumsum(sizes), most, side="right")), 1)
    kept = tree.order[(wanted & (tree.levels < deepest))[tree.order]][:most]
    return DrawnHierarchy(hierarchy, tree, kept, int(wanted.sum()) - kept.size, called)


def branches(
    title: str, hierarchy: Hierarchy, shades: Mapping[str, Shade], *, choice: str, text: str, used: Marks
) -> Figure:
    """Colour a hierarchy."""
    part = choose_concepts(hierarchy, used, MOST)
    columns = {name: shade.values[part.kept].round(DIGITS) for name, shade in shades.items()}
    table = _table_of(part, title, columns, {name: shade.digits for name, shade in shades.items()})
    return Figure(title, part.views(shades, table), [(choice, list(shades))], part.reading(text))


def _table_of(
    part: DrawnHierarchy,
    title: str,
    columns: Mapping[str, Numbers],
    digits: Mapping[str, int | None],
    *notes: str,
) -> Table:
    """Name the concepts of a part, and what they are drawn below, beside numbers."""
    cells = (numbers.tolist() for numbers in columns.values())
    named = {"concept": part.names, "below": part.above}
    if not any(part.above):
        del named["below"]
    rows = zip(*named.values(), *cells, strict=True)
    return table_of(title, (*named, *columns), rows, own=digits, notes=notes)


CELLS = 30_000  # concepts times runs that a page holds


def concepts_section(comparison: Comparison, samples: SamplePool | None = None) -> Section | None:
    """Show the hierarchy, how well each branch is found, and the samples with errors in it."""
    batches = label_sets(comparison)
    if not batches:
        return None
    first = next(iter(batches.values()))
    hierarchy, called = first.any_hierarchy, first.vocabulary.names
    part = choose_concepts(hierarchy, _used(hierarchy, list(batches.values())), MOST, called)
    runs = list(batches)[: max(1, min(MOST_RUNS, CELLS // max(len(part.kept), 1)))]
    if not len(hierarchy.parents.data):  # nothing to draw: a table says it all
        tables = [FigureView(table=_views(part, batches[run], run)[0].table) for run in runs]
        figure = Figure("Concepts by run", tables, [("Run", runs)], open_table=True)
        return Section("concepts", "Concepts", "How well a run finds each concept.", [figure])
    views = []
    for run in runs:
        found = None if samples is None else samples.branches(run, part.kept, views=len(runs))
        views += [replace(view, samples=found) for view in _views(part, batches[run], run)]
    text = part.reading(
        "Click on one, or press Enter on it, to see its branch alone. A branch counts as true, or predicted, "
        "where any label of it is; its errors are those of all its labels."
    )
    text += note_left_out(len(runs), len(batches))
    figure = Figure(
        "Concepts in their hierarchy", views, [("Run", runs), ("Colour", (*FOUND.values(), ERRORS))], text
    )
    lead = "Where in the ontology a run is good, and where its errors lie."
    return Section("concepts", "Concepts", lead, [figure])


FOUND = {title: f"{title} of the branch" for title in ("F", "precision", "recall")}
ERRORS = "share of all errors"


def _views(part: DrawnHierarchy, batch: Batch, run: str) -> list[FigureView]:
    numbers = _values_per_concept(part.hierarchy, part.tree, batch)
    columns = {title: values[part.kept].round(DIGITS) for title, values in numbers.items()}
    of = "a label of the branch" if len(part.hierarchy.parents.data) else "the concept"
    note = f"true, predicted, both: samples whose truth, prediction, or both hold {of}."
    table = _table_of(part, f"Concepts, {run}", columns, dict.fromkeys(("true", "predicted", "both")), note)
    shades = {shown: Shade(numbers[title], "quality", 3, (0.0, 1.0)) for title, shown in FOUND.items()}
    shades[ERRORS] = Shade(numbers[ERRORS], "amount", form=".2%")
    return part.views(shades, table)


def _values_per_concept(hierarchy: Hierarchy, tree: Tree, batch: Batch) -> dict[str, Numbers]:
    """Count samples by branch, and errors by label, each per concept of the hierarchy."""
    counts = branch_counts(hierarchy, batch)
    own = np.zeros(len(hierarchy.vocabulary))
    own[hierarchy.labels] = np.asarray(batch.missed.sum(axis=0)) + np.asarray(batch.false.sum(axis=0))
    return {
        "true": counts.tp + counts.fn,
        "predicted": counts.tp + counts.fp,
        "both": counts.tp,
        "F": FRatio(1.0)(counts),
        "precision": precision(counts),
        "recall": recall(counts),
        ERRORS: tree.sums(own) / max(own.sum(), 1.0),
    }


def _used(hierarchy: Hierarchy, batches: list[Batch]) -> NDArray[np.bool_]:
    used = np.zeros(len(hierarchy.vocabulary), dtype=bool)
    for side in (batches[0].truth, *(batch.prediction for batch in batches)):
        used[hierarchy.labels[side.matrix.indices]] = True
    return used
