"""Numbers of concepts, shown on the icicle of their hierarchy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.hierarchy import Hierarchy
from ontoeval.reports.html.page import Figure, View
from ontoeval.reports.plots_icicle import icicle
from ontoeval.reports.table import Column, Table
from ontoeval.reports.tree import Tree, drawn

Numbers = NDArray[np.float64]

MOST = 2_000
"""Concepts that are drawn; of larger hierarchies the upper levels."""

NAMED = 120
"""Concepts beyond which some may have no room for their names."""

DIGITS = 6


class Shade(NamedTuple):
    """What concepts are coloured by."""

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
        plot = icicle(
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
        """Say how the icicle is read."""
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
