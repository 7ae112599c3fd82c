"""Confusion matrices as tables."""

from __future__ import annotations

from typing import Any

from ontoeval.confusion.matrix import ConfusionMatrix
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.evaluation.groups import RELATIONS
from ontoeval.reports.results import DIGITS
from ontoeval.reports.table import Cell, Column, Table


def matrix_table(matrix: ConfusionMatrix, values: Any) -> Table:  # noqa: ANN401 - array or sparse
    """Write a matrix as a table."""
    dense = values.toarray() if hasattr(values, "toarray") else values
    return Table(
        f"Confusion matrix, rule {matrix.rule}: rows are true, columns predicted",
        (Column("true"), *(Column(name, 2) for name in matrix.columns)),
        tuple((name, *row) for name, row in zip(matrix.rows, dense.tolist(), strict=True)),
    )


def matrix_content(matrix: ConfusionMatrix, values: Any) -> dict[str, Any]:  # noqa: ANN401 - array or sparse
    """Write a matrix as what JSON can hold: names of concepts are no keys there, and cannot clash."""
    dense = values.toarray() if hasattr(values, "toarray") else values
    return {
        "rule": matrix.rule,
        "variant": matrix.variant,
        "rows": list(matrix.rows),
        "columns": list(matrix.columns),
        "matrix": dense.tolist(),
    }


def top_confusions(matrix: ConfusionMatrix, number: int) -> Table:
    """List the largest confusions."""
    return Table(
        f"Top confusions, rule {matrix.rule}",
        (Column("true"), Column("predicted"), Column("mass", 2), Column("share of row", DIGITS)),
        tuple(tuple(taken) for taken in matrix.top(number)),
        keys=2,
    )


def relations(matrix: ConfusionMatrix, hierarchy: Hierarchy) -> Table:
    """Sum what was confused by how it is related."""
    return Table(
        f"Relation of what is predicted to what is true, rule {matrix.rule}",
        (Column("relation"), Column("mass", 2), Column("share", DIGITS), Column("meaning")),
        tuple((*one, RELATIONS[one.relation]) for one in matrix.relations(hierarchy) if one.mass),
    )


def top_related(matrix: ConfusionMatrix, hierarchy: Hierarchy, number: int) -> Table:
    """List the largest confusions and how they are related."""
    columns = (*top_confusions(matrix, 0).columns, Column("relation"), Column("links", 0))
    rows: tuple[tuple[Cell, ...], ...] = tuple(tuple(one) for one in matrix.related(hierarchy, number))
    return Table(f"Top confusions, rule {matrix.rule}", columns, rows, keys=2)
