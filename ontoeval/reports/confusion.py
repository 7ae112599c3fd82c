"""Confusion matrices: tables, figure, and the section of a comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.costs import PathCosts, cheapest_path, costs_by_name
from ontoeval.confusion.matrix import ConfusionMatrix, matrix_of
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.table import Table
from ontoeval.evaluation.groups import RELATIONS
from ontoeval.measures.confusion_rules import Confusion, usual_rule
from ontoeval.reports.concepts import Tree, tree_to_draw
from ontoeval.reports.formats import table_of
from ontoeval.reports.marks import Bars, Matrix
from ontoeval.reports.page import Figure, FigureView, Section, verdict
from ontoeval.reports.samples import SamplePool
from ontoeval.reports.selection import MOST, label_sets, note_left_out

if TYPE_CHECKING:
    from ontoeval.comparison.result import Comparison

WIDEST = 150  # rows that a matrix is drawn with; of more concepts the most confused


def level_groups(hierarchy: Hierarchy) -> Iterator[tuple[str, tuple[str, ...]]]:
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


def matrix_table(matrix: ConfusionMatrix, values: NDArray[Any] | sparse.csr_array) -> Table:
    """Write a matrix as a table."""
    title = f"Confusion matrix, rule {rule_name(matrix)}: rows are true, columns predicted"
    rows, columns = map(matrix.names.texts, (matrix.rows, matrix.columns))
    notes = [matrix.pairing]
    return Table.from_matrix(title, "true", rows, columns, _dense(values), digits=2, notes=notes)


def matrix_content(matrix: ConfusionMatrix, values: NDArray[Any] | sparse.csr_array) -> dict[str, Any]:
    """Write a matrix for JSON; names of concepts are values, not keys, so that they cannot clash."""
    content: dict[str, Any] = {"rule": matrix.rule, "variant": matrix.variant, "pairing": matrix.pairing}
    for side, names in (("row", matrix.rows), ("column", matrix.columns)):
        labels = [one.label for one in matrix.names.texts(names)]
        content[f"{side}s"] = list(names)
        content |= {} if labels == list(names) else {f"{side}_labels": labels}
    return {**content, "matrix": _dense(values).tolist()}


def _dense(values: NDArray[Any] | sparse.csr_array) -> NDArray[Any]:
    return values if isinstance(values, np.ndarray) else values.toarray()


TITLES = ("true", "predicted", "mass", "share of row")


def top_confusions(matrix: ConfusionMatrix, number: int) -> Table:
    """List the largest confusions."""
    title = f"Top confusions, rule {rule_name(matrix)}"
    rows = ((*matrix.names.texts(one[:2]), *one[2:]) for one in matrix.top(number))
    return table_of(title, TITLES, rows, own={"mass": 2}, notes=[matrix.pairing], keys=2)


def unmatched(matrix: ConfusionMatrix, number: int) -> Table:
    """List missed labels without a false label in their place, and false labels in no place."""
    title = f"Missed or added with no counterpart, rule {rule_name(matrix)}"
    titles = ("concept", "missed", "added")
    rows = ((matrix.names.text(one.concept), *one[1:]) for one in matrix.unmatched(number))
    return table_of(title, titles, rows, own={"missed": 2, "added": 2})


def rule_name(matrix: ConfusionMatrix) -> str:
    """Name the rule, and its variant where there are several."""
    return f"{matrix.rule} ({matrix.variant})" if matrix.rule == "transport" else matrix.rule


def entries(matrix: ConfusionMatrix) -> Table:
    """List all entries that are not 0, in the order of the rows."""
    found = sparse.coo_array(sparse.csr_array(matrix.matrix))
    shares = found.data / np.asarray(matrix.matrix.sum(axis=1), dtype=np.float64)[found.row]
    parts = zip(*(part.tolist() for part in (found.row, found.col, found.data, shares)), strict=True)
    named, columns = map(matrix.names.texts, (matrix.rows, matrix.columns))
    rows = ((named[row], columns[column], *numbers) for row, column, *numbers in parts)
    return table_of(f"Confusion matrix, rule {matrix.rule}", TITLES, rows, own={"mass": 2}, keys=2)


def relations(matrix: ConfusionMatrix, hierarchy: Hierarchy) -> Table:
    """Sum the confusions by the relation of the two concepts."""
    title = f"Relation of what is predicted to what is true, rule {matrix.rule}"
    rows = ((*one, RELATIONS[one.relation]) for one in matrix.relations(hierarchy) if one.mass)
    titles = ("relation", "mass", "share", "meaning")
    return table_of(title, titles, rows, own={"mass": 2}, notes=[matrix.pairing])


def top_related(matrix: ConfusionMatrix, hierarchy: Hierarchy, number: int) -> Table:
    """List the largest confusions and how they are related."""
    title, titles = f"Top confusions, rule {matrix.rule}", (*TITLES, "relation", "links")
    rows = ((*matrix.names.texts(one[:2]), *one[2:]) for one in matrix.related(hierarchy, number))
    return table_of(title, titles, rows, own={"mass": 2, "links": 0}, keys=2)


SHARE_DIGITS = 3

CELLS = 150_000  # cells that a page holds

NONE = "No concept was taken for another."

LOOKED_AT, SHOWN = 400, 20
"""Number of the most frequent confusions that are priced, and of the costliest that are shown."""


def confusion_section(comparison: Comparison, samples: SamplePool | None = None) -> Section | None:
    """Show what was taken for what, and which samples stand behind it."""
    batches = label_sets(comparison)
    if not batches:
        return None
    first = next(iter(batches.values()))
    hierarchy = first.any_hierarchy
    tree, levels = tree_to_draw(hierarchy), list(level_groups(hierarchy))
    labels = len(hierarchy.labels)
    finest = f"all {labels} labels" if labels <= WIDEST else f"the {WIDEST} most confused labels"
    names = (*(name for name, _ in levels), finest)
    cells = sum(len(cut) ** 2 for _, cut in levels) + (min(labels, WIDEST) + 1) ** 2
    runs, confusion = list(batches)[:MOST], Confusion(usual_rule(first.hierarchy))
    drawn = runs[: max(1, CELLS // cells)]
    costs = None if first.hierarchy is None else costs_by_name(hierarchy, "depth-weighted")
    way = cache(partial(cheapest_path, hierarchy, cast("PathCosts", costs)))
    matrices: list[FigureView] = []
    costly: list[FigureView] = []
    for run in runs:  # one after the other: what the samples of a run put into its cells takes much memory
        exact = matrix_of(batches[run], confusion)
        shown = [*((name, exact.aggregated(hierarchy, cut=cut)) for name, cut in levels), (finest, exact)]
        for name, one in shown if run in drawn else ():
            view = drawn_matrix(one, hierarchy, tree, title=f"Confusion matrix of {run}, {name}")
            if samples is not None:
                order = order_of(one, hierarchy, tree, WIDEST)
                views = len(drawn) * len(names)
                view = replace(view, samples=samples.matrix(run, one, order, views=views))
            matrices.append(view)
        if costs is not None:
            costly.append(_costly_confusions(run, exact, hierarchy, way, len(runs), samples))
    ordered = ", both in the order of the hierarchy" * (costs is not None)
    text = (
        f"Rows are true, columns predicted{ordered}; a row sums to 1. "
        "Colours follow the square root, so that small shares show."
        f"{note_left_out(len(drawn), len(batches))}"
    )
    figures = [Figure("Confusion matrix", matrices, [("Run", drawn), ("Concepts", names)], text)]
    if costly:
        text = (
            "How often the one was taken for the other (mass), times the cost of the cheapest path between "
            f"them. The {SHOWN} dearest of the {LOOKED_AT} most frequent."
            f"{note_left_out(len(runs), len(batches))}"
        )
        figures.append(Figure("Costliest confusions", costly, [("Run", runs)], text, open_table=True))
    text = (
        "A label that was missed, and another that was predicted instead. Each missed label is paired with "
        "at most one false one, the nearest first; what has no counterpart is "
        f'"{exact.rows[-1]}".'
        if confusion.rule == "transport"
        else "Missed labels against what was predicted in their samples, by the rule of Krstinić: a missed "
        "label is shared equally among the false ones, or all predicted ones where none is false. "
        f'"{exact.rows[-1]}" stands for samples without labels.'
    )
    return Section("confusion", "Confusions", f"{text} {confusion.pairing}", figures)


def shares_of_rows(
    matrix: ConfusionMatrix,
    hierarchy: Hierarchy,
    tree: Tree,
    *,
    sides: tuple[str, str] = ("true", "predicted"),
    most: int | None = None,
) -> Matrix:
    """Draw a matrix in the order of the hierarchy, pseudo-concepts last; of many the most confused."""
    order = order_of(matrix, hierarchy, tree, WIDEST if most is None else most)
    rows, columns = (
        matrix.names.texts(names[at] for at in order.tolist()) for names in (matrix.rows, matrix.columns)
    )
    return Matrix(
        sparse.csr_array(matrix.normalised("true"))[order][:, order].toarray(),
        rows,
        columns,
        scale="amount",
        reading=f"{sides[0]} <b>%{{y}}</b><br>{sides[1]} <b>%{{x}}</b><br>%{{z:.1%}} of the row",
        titles=sides,
        by_root=True,
    )


def drawn_matrix(
    matrix: ConfusionMatrix,
    hierarchy: Hierarchy,
    tree: Tree,
    *,
    title: str,
    sides: tuple[str, str] = ("true", "predicted"),
) -> FigureView:
    """Show a matrix with its shares as a table."""
    exact = shares_of_rows(matrix, hierarchy, tree, sides=sides)
    plot = replace(exact, values=exact.values.round(SHARE_DIGITS))
    title = f"{title}: rows are {sides[0]}, columns {sides[1]}"
    table = Table.from_matrix(title, sides[0], plot.rows, plot.columns, plot.values, digits=SHARE_DIGITS)
    return FigureView(plot, table)


Way = Callable[[str, str], tuple[tuple[str, ...], float]]
"""The cheapest path between two concepts, and its cost."""


def _costly_confusions(
    run: str, matrix: ConfusionMatrix, hierarchy: Hierarchy, way: Way, views: int, samples: SamplePool | None
) -> FigureView:
    real = [one for one in matrix.related(hierarchy, LOOKED_AT) if one.relation != "no concept"]
    priced = [(one, *way(one.true, one.predicted)) for one in real]
    dearest = sorted(priced, key=lambda entry: -entry[0].mass * entry[2])[:SHOWN]
    called = matrix.names
    rows = (
        (*called.texts(one[:2]), one.mass * cost, one.mass, cost, one.relation, called.join(path, " – "))
        for one, path, cost in dearest
    )
    titles = ("true", "predicted", "total cost", "mass", "cost", "relation", "path")
    notes = [f"{name}: {RELATIONS[name]}." for name in sorted({one.relation for one, *_ in dearest})]
    own = {"total cost": 3, "mass": 2}
    table = table_of(f"Costliest confusions of {run}", titles, rows, own=own, notes=notes)
    if not dearest:
        return FigureView(table=table, html=verdict(NONE))
    plot = Bars(
        [called.join(one[:2], " → ").display_name for one, _, _ in dearest],
        [one.mass * cost for one, _, cost in dearest],
        [one.relation for one, _, _ in dearest],
        title="total cost",
        reading=[
            f"{called.join(path, ' – ').display_name or 'nothing above both'}: {one.mass:.2f} × {cost:.4f}"
            for one, path, cost in dearest
        ],
    )
    bars = [(one.true, one.predicted) for one, *_ in dearest]
    found = None if samples is None else samples.bars(run, matrix, bars, views=views)
    return FigureView(plot, table, samples=found)
