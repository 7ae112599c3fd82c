"""What was taken for what: the matrix by levels of the hierarchy, and the confusions that cost most."""

from __future__ import annotations

from scipy import sparse

from ontoeval.comparison.result import Comparison
from ontoeval.concepts.costs import PathCosts, cheapest_path, costs_by_name
from ontoeval.confusion.matrix import ConfusionMatrix, matrix_of
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.evaluation.groups import RELATIONS, Related
from ontoeval.measures.confusion_rules import Confusion
from ontoeval.reports.html.page import Figure, Section, View, verdict
from ontoeval.reports.html.sections.chosen import MOST, label_sets, left_out
from ontoeval.reports.plots import bars, square
from ontoeval.reports.selection import RULE, WIDEST, cuts, order_of
from ontoeval.reports.table import Cell, Column, Table
from ontoeval.reports.tree import Tree, drawn

DIGITS = 3

CELLS = 150_000
"""Cells that a page holds."""

LOOKED_AT, SHOWN = 400, 20
"""How many of the most frequent confusions are priced, and how many of the dearest are shown."""


def confusion(comparison: Comparison) -> Section | None:
    """Show what was taken for what."""
    batches = label_sets(comparison)
    if not batches:
        return None
    first = next(iter(batches.values()))
    hierarchy = first.any_hierarchy
    runs = list(batches)[:MOST]
    matrices = {run: matrix_of(batches[run], Confusion(RULE)) for run in runs}
    figures = [_matrices(matrices, hierarchy, len(batches))]
    if first.hierarchy is not None:
        figures.append(_costly(matrices, hierarchy, len(batches)))
    text = "A label that was missed, and another that was predicted instead, by the rule of Krstinić et al."
    return Section("confusion", "Confusions", text, figures)


def _matrices(matrices: dict[str, ConfusionMatrix], hierarchy: Hierarchy, there: int) -> Figure:
    tree = drawn(hierarchy)
    levels = list(cuts(hierarchy))
    labels = len(hierarchy.labels)
    finest = f"all {labels} labels" if labels <= WIDEST else f"the {WIDEST} most confused labels"
    cells = sum(len(cut) ** 2 for _, cut in levels) + (min(labels, WIDEST) + 1) ** 2
    runs = list(matrices)[: max(1, CELLS // cells)]
    views = []
    for run in runs:
        collapsed = [(name, matrices[run].aggregated(hierarchy, cut=cut)) for name, cut in levels]
        views += [
            drawn_matrix(one, hierarchy, tree, title=f"Confusion matrix of {run}, {name}")
            for name, one in [*collapsed, (finest, matrices[run])]
        ]
    names = (*(name for name, _ in levels), finest)
    text = (
        "Rows are true, columns predicted, both in the order of the hierarchy; a row sums to 1. "
        "Colours follow the square root, so that small shares show."
    )
    text += left_out(len(runs), there)
    return Figure("Confusion matrix", views, [("Run", runs), ("Concepts", names)], text)


def drawn_matrix(
    matrix: ConfusionMatrix,
    hierarchy: Hierarchy,
    tree: Tree,
    *,
    title: str,
    sides: tuple[str, str] = ("true", "predicted"),
) -> View:
    """Draw a matrix in the order of the hierarchy, pseudo-concepts last; of many the most confused."""
    order = order_of(matrix, hierarchy, tree, WIDEST)
    shares = sparse.csr_array(matrix.normalised("true"))[order][:, order].toarray().round(DIGITS)
    rows, columns = ([names[at] for at in order.tolist()] for names in (matrix.rows, matrix.columns))
    plot = square(
        shares,
        rows,
        columns,
        scale="amount",
        limits=(0.0, 1.0),
        reading=f"{sides[0]} <b>%{{y}}</b><br>{sides[1]} <b>%{{x}}</b><br>%{{z:.1%}} of the row",
        titles=sides,
        by_root=True,
    )
    titles = (Column(sides[0]), *(Column(column, DIGITS) for column in columns))
    lines = tuple((row, *line) for row, line in zip(rows, shares.tolist(), strict=True))
    return View(plot, Table(f"{title}: rows are {sides[0]}, columns {sides[1]}", titles, lines))


def _costly(matrices: dict[str, ConfusionMatrix], hierarchy: Hierarchy, there: int) -> Figure:
    costs = costs_by_name(hierarchy, "depth-weighted")
    known: dict[tuple[str, str], tuple[tuple[str, ...], float]] = {}

    def way(one: Related) -> tuple[tuple[str, ...], float]:
        pair = one.true, one.predicted
        if pair not in known and isinstance(costs, PathCosts):
            known[pair] = cheapest_path(hierarchy, costs, *pair)
        return known[pair]

    views = []
    for run, matrix in matrices.items():
        real = [one for one in matrix.related(hierarchy, LOOKED_AT) if one.relation != "no concept"]
        priced = [(one, *way(one)) for one in real]
        priced.sort(key=lambda entry: -entry[0].mass * entry[2])
        dearest = priced[:SHOWN]
        rows: list[tuple[Cell, ...]] = [
            (one.true, one.predicted, one.mass * cost, one.mass, cost, one.relation, " – ".join(path))
            for one, path, cost in dearest
        ]
        titles = ("true", "predicted", "mass × cost", "mass", "cost", "relation", "path")
        digits = {"mass × cost": 3, "mass": 2, "cost": 4}
        table = Table(
            f"Costliest confusions of {run}",
            tuple(Column(title, digits.get(title)) for title in titles),
            tuple(rows),
            tuple(
                f"{relation}: {RELATIONS[relation]}." for relation in sorted({str(row[5]) for row in rows})
            ),
        )
        if not dearest:
            views.append(View(table=table, html=verdict("No concept was taken for another.")))
            continue
        plot = bars(
            [f"{one.true} → {one.predicted}" for one, _, _ in dearest],
            [one.mass * cost for one, _, cost in dearest],
            [one.relation for one, _, _ in dearest],
            title="mass × cost",
            reading=[
                f"{' – '.join(path) or 'nothing above both'}: {one.mass:.2f} × {cost:.4f}"
                for one, path, cost in dearest
            ],
        )
        views.append(View(plot, table))
    text = (
        "How often the one was taken for the other (mass), times the cost of the cheapest path between them. "
        f"The {SHOWN} dearest of the {LOOKED_AT} most frequent.{left_out(len(matrices), there)}"
    )
    return Figure("Costliest confusions", views, [("Run", list(matrices))], text, open_table=True)
