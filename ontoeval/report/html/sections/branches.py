"""Numbers of concepts, shown on the icicle of their hierarchy."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.hierarchy import Hierarchy
from ontoeval.report.html.page import Figure, View
from ontoeval.report.plots import icicle
from ontoeval.report.table import Column, Table
from ontoeval.report.tree import drawn

Numbers = NDArray[np.float64]

MOST = 2_000
"""Concepts that are drawn; of larger hierarchies the upper levels."""

DIGITS = 6


class Shade(NamedTuple):
    """What concepts are coloured by.

    Parameters
    ----------
    values
        One number per concept of the hierarchy; nan where there is none.
    scale
        A key of `ontoeval.report.plotting.SCALES`.
    digits
        Decimals; None for counts.
    ends
        What the ends of the scale stand for; None goes from 0 to the largest below the roots.
    """

    values: Numbers
    scale: str
    digits: int | None = None
    ends: tuple[float, float] | None = None


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
    """Colour a hierarchy.

    Parameters
    ----------
    title
        What is shown.
    hierarchy
        The concepts.
    shades
        What they are coloured by: each can be chosen.
    choice
        What the choice is called.
    text
        How to read it.
    used
        One mark per concept: of a large hierarchy only these are drawn, and what lies above them.
    notes
        What a reader of the table should know.

    Returns
    -------
    Figure
        An icicle for each choice, all with the same table.
    """
    tree = drawn(hierarchy)
    wanted = tree.sums(used.astype(np.float64)) > 0
    if len(hierarchy.vocabulary) <= MOST:
        wanted[:] = True  # what is never used is worth seeing where there is room
    kept = tree.upper(wanted, MOST)
    place = np.full(len(hierarchy.vocabulary) + 1, -1, dtype=np.intp)  # what -1 points to stays -1
    place[kept] = np.arange(kept.size)
    names = [hierarchy.vocabulary[concept] for concept in kept.tolist()]
    parents = place[tree.parent[kept]]
    above = [names[parent] if parent >= 0 else "" for parent in parents.tolist()]
    columns = [[*map(_cell, shade.values[kept].round(DIGITS).tolist())] for shade in shades.values()]
    table = Table(
        title,
        (Column("concept"), Column("below"), *(Column(name, shade.digits) for name, shade in shades.items())),
        tuple(zip(names, above, *columns, strict=True)),
        tuple(notes),
    )
    views = [
        View(
            icicle(
                names,
                parents.tolist(),
                shade.values[kept],
                title=name,
                scale=shade.scale,
                limits=shade.ends or (0.0, tree.largest(np.nan_to_num(shade.values))),
                numbers=",.0f" if shade.digits is None else f".{shade.digits}f",
            ),
            table,
        )
        for name, shade in shades.items()
    ]
    text = f"Roots at the left; a concept is as wide as the leaves below it. {text}"
    if (np.diff(hierarchy.parents.indptr) > 1).any():
        text += " A concept with several parents is drawn once, below the first of the deepest."
    cut = int(wanted.sum()) - kept.size
    if cut:
        text += f" {cut:,} concepts of the lower levels are left out."
    return Figure(title, views, [(choice, list(shades))], text)


def _cell(value: float) -> float | None:
    return None if np.isnan(value) else value
