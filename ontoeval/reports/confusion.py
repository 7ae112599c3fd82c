"""Confusion matrices: tables, figure, and the section of a comparison."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.concepts.costs import PathCosts, cheapest_path, costs_by_name
from ontoeval.confusion.matrix import PARTS, ConfusionMatrix, as_shares, matrix_of
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.core.table import Table
from ontoeval.evaluation.groups import RELATIONS
from ontoeval.measures.confusion_rules import RULES, Confusion, usual_rule
from ontoeval.reports.concepts import Tree, tree_to_draw
from ontoeval.reports.formats import table_of
from ontoeval.reports.marks import Bars, Matrix
from ontoeval.reports.page import Figure, FigureView, Section, verdict
from ontoeval.reports.samples import SamplePool
from ontoeval.reports.selection import MOST, label_sets, note_left_out

if TYPE_CHECKING:
    from ontoeval.comparison.result import Comparison

WIDEST = 150  # rows that a matrix is drawn with; of more concepts the most confused


def level_groups(hierarchy: Hierarchy) -> Iterator[tuple[int, tuple[str, ...]]]:
    """List the groups that concepts are collapsed to, by depth; that of a root is 0."""
    names = hierarchy.vocabulary.concepts
    for depth in range(hierarchy.levels - 1):
        here = (hierarchy.depth == depth) | ((hierarchy.depth < depth) & ~hierarchy.abstract)
        cut = tuple(names[concept] for concept in np.flatnonzero(here).tolist())
        if 1 < len(cut) < len(hierarchy.labels) and len(cut) <= WIDEST:
            yield depth, cut


def order_of(matrix: ConfusionMatrix, hierarchy: Hierarchy, tree: Tree, most: int) -> NDArray[np.intp]:
    """Order the rows of a matrix by the hierarchy, pseudo-concepts last, if used; keep the most confused."""
    place = np.empty(len(hierarchy.vocabulary), dtype=np.intp)
    place[tree.order] = np.arange(place.size)
    index = hierarchy.vocabulary.index
    keys = [place[index[row]] if row in index else place.size for row in matrix.rows]
    order, entries = np.argsort(keys, kind="stable"), sparse.csr_array(matrix.matrix)
    held = entries.sum(axis=0) + entries.sum(axis=1) > 0
    order = order[held[order] | (order < order.size - len(RULES[matrix.rule].rows))]  # pseudo-concepts last
    if order.size > most + 1:
        wrong = entries.sum(axis=0) + entries.sum(axis=1) - 2 * entries.diagonal()
        confused = np.zeros(order.size, dtype=bool)
        confused[np.argsort(-wrong, kind="stable")[:most]] = True
        order = order[confused[order]]
    return np.asarray(order)


def matrix_table(matrix: ConfusionMatrix) -> Table:
    """Write a matrix as a table."""
    divided = f"shares of {'what is ' * (matrix.shares != 'all')}{matrix.shares}; " * bool(matrix.shares)
    title = f"Confusion matrix, rule {rule_name(matrix)}: {divided}rows are true, columns predicted"
    rows, columns = map(matrix.names.texts, (matrix.rows, matrix.columns))
    return Table.from_matrix(title, "true", rows, columns, _dense(matrix), digits=2, notes=[matrix.pairing])


def matrix_content(matrix: ConfusionMatrix) -> dict[str, Any]:
    """Write a matrix for JSON; names of concepts are values, not keys, so that they cannot clash."""
    content: dict[str, Any] = {"rule": matrix.rule, "variant": matrix.variant, "pairing": matrix.pairing}
    content |= {"shares": matrix.shares} if matrix.shares else {}
    for side, names in (("row", matrix.rows), ("column", matrix.columns)):
        labels = [one.label for one in matrix.names.texts(names)]
        content[f"{side}s"] = list(names)
        content |= {} if labels == list(names) else {f"{side}_labels": labels}
    return {**content, "matrix": _dense(matrix).tolist()}


def _dense(matrix: ConfusionMatrix) -> NDArray[Any]:
    return matrix.matrix if isinstance(matrix.matrix, np.ndarray) else matrix.matrix.toarray()


def whole(matrix: ConfusionMatrix) -> Table:
    """Write all of a matrix as a table."""
    matrix.to_numpy()  # which refuses what is too large
    return matrix_table(matrix)


def brief(matrix: ConfusionMatrix) -> Table:
    """Write a matrix as a table, or of a large one the largest confusions."""
    from ontoeval.reports.notebook import MOST_COLUMNS, MOST_ROWS

    large = max(matrix.matrix.shape) > MOST_COLUMNS
    return top_confusions(matrix, MOST_ROWS) if large else whole(matrix)


SIDES = ("true", "predicted")


def top_confusions(matrix: ConfusionMatrix, number: int, sides: tuple[str, str] = SIDES) -> Table:
    """List the largest confusions."""
    title = f"Top confusions, rule {rule_name(matrix)}"
    rows = ((*matrix.names.texts(one[:2]), *one[2:]) for one in matrix.top(number))
    titles = (*sides, "mass", "share of row")
    return table_of(title, titles, rows, own={"mass": 2}, notes=[matrix.pairing], keys=2)


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
    found, *more = (
        sparse.coo_array(sparse.csr_array(one.matrix))
        for one in (matrix, *[as_shares(matrix)] * (matrix.shares is None))
    )
    numbers = (found.row, found.col, found.data, *(shares.data for shares in more))
    parts = zip(*(part.tolist() for part in numbers), strict=True)
    named, columns = map(matrix.names.texts, (matrix.rows, matrix.columns))
    rows = ((named[row], columns[column], *numbers) for row, column, *numbers in parts)
    titles = (*SIDES, *(["mass", "share of row"] if more else [f"share {PARTS[matrix.shares]}"]))
    return table_of(f"Confusion matrix, rule {matrix.rule}", titles, rows, own={"mass": 2}, keys=2)


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
    tree = tree_to_draw(hierarchy)
    levels = [(f"depth {depth}: {len(cut)} groups", cut) for depth, cut in level_groups(hierarchy)]
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
        f'"{exact.rows[-1]}". {confusion.pairing}'
        if confusion.rule == "transport"
        else "Missed labels against what was predicted in their samples, by the rule of Krstinić: a missed "
        "label is shared equally among the false ones, or all predicted ones where none is false. "
        f'"{exact.rows[-1]}" stands for samples without labels.'
    )
    return Section("confusion", "Confusions", text, figures)


def shares_of_rows(
    matrix: ConfusionMatrix,
    hierarchy: Hierarchy,
    tree: Tree,
    *,
    sides: tuple[str, str] = SIDES,
    most: int | None = None,
) -> Matrix:
    """Draw a matrix in the order of the hierarchy, pseudo-concepts last; of many the most confused."""
    order = order_of(matrix, hierarchy, tree, WIDEST if most is None else most)
    both = (matrix.rows, matrix.columns)
    rows, columns = (matrix.names.texts(names[at] for at in order.tolist()) for names in both)
    matrix = as_shares(matrix)
    return Matrix(
        sparse.csr_array(matrix.matrix)[order][:, order].toarray(),
        rows,
        columns,
        scale="amount",
        reading=f"{sides[0]} <b>%{{y}}</b><br>{sides[1]} <b>%{{x}}</b><br>%{{z:.1%}} {PARTS[matrix.shares]}",
        titles=sides,
        numbers=".2f",
        by_root=True,
    )


def drawn_matrix(
    matrix: ConfusionMatrix, hierarchy: Hierarchy, tree: Tree, *, title: str, sides: tuple[str, str] = SIDES
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
    bars = {one[:2]: one.mass * cost for one, _, cost in dearest}
    reading = [
        f"{called.join(path, ' – ').display_name or 'nothing above both'}: {one.mass:.2f} × {cost:.4f}"
        for one, path, cost in dearest
    ]
    plot = partial(Bars, kinds=[one.relation for one, *_ in dearest], title="total cost", reading=reading)
    found = None if samples is None else partial(samples.bars, run, views=views)
    return drawn_bars(matrix, bars, plot, table, found)


def drawn_bars(
    matrix: ConfusionMatrix,
    bars: Mapping[tuple[str, str], float],
    plot: Callable[..., Bars],
    table: Table,
    samples: Callable[..., Any] | None,
) -> FigureView:
    """Show pairs of concepts as bars above their table, with the samples behind them."""
    if not bars:
        return FigureView(table=table, html=verdict(NONE))
    names = [matrix.names.join(pair, " → ").display_name for pair in bars]
    found = None if samples is None else samples(matrix, list(bars))
    return FigureView(plot(names, list(bars.values())), table, samples=found)
