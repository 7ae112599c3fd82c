"""The shape of an ontology: how deep it is, and how it fans out."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from ontoeval.audit.findings import Findings
from ontoeval.audit.ontology_shape import shape_table
from ontoeval.core.hierarchy import Hierarchy
from ontoeval.reports.html.page import Figure, Section, View
from ontoeval.reports.plots import bars
from ontoeval.reports.table import Column, Table

Marks = NDArray[np.bool_]

LARGE = 10
"""Numbers of children up to this are counted one by one, larger ones by their magnitude."""


def shape(findings: Findings, hierarchy: Hierarchy) -> Section:
    """Show how deep an ontology is, and how it fans out."""
    children = np.bincount(hierarchy.parents.indices, minlength=len(hierarchy.vocabulary))
    parents = np.diff(hierarchy.parents.indptr)
    levels = {f"{level}": hierarchy.depth == level for level in range(hierarchy.levels)}
    leaves = children == 0
    views = [
        _counted("depth", levels, leaves),
        _counted("children", _sizes(children), leaves),
        _counted("parents", _sizes(parents), leaves),
    ]
    names = ("depth", "number of children", "number of parents")
    text = "Depth counts links of the longest way down from a root."
    figures = [
        Figure("Concepts by depth and links", views, [("Count by", names)], text),
        Figure("Numbers", [View(table=shape_table(findings))], open_table=True),
    ]
    return Section("shape", "Shape", "How deep the ontology is, and how it fans out.", figures)


def _sizes(numbers: NDArray[np.intp]) -> dict[str, Marks]:
    """Sort numbers: small ones by themselves, larger ones together, each time up to twice as large."""
    ends = [*range(LARGE + 1)]
    while ends[-1] < numbers.max():
        ends.append(2 * ends[-1])
    bounds = [pair for pair in zip([-1, *ends], ends, strict=False) if pair[0] < numbers.max()]
    return {
        f"{high}" if high == low + 1 else f"{low + 1:,} to {high:,}": (numbers > low) & (numbers <= high)
        for low, high in bounds
    }


def _counted(what: str, marks: Mapping[str, Marks], leaves: Marks) -> View:
    rows = [(name, int(own.sum()), int((own & leaves).sum())) for name, own in marks.items()]
    plot = bars(
        [name for name, _, _ in rows],
        [count for _, count, _ in rows],
        ["concepts"] * len(rows),
        title="concepts",
        reading=[f"{what} {name}: {count:,} concepts, {of:,} of them leaves" for name, count, of in rows],
    )
    columns = (Column(what), Column("concepts"), Column("leaves among them"))
    return View(plot, Table(f"Concepts by {what}", columns, tuple(rows)))
