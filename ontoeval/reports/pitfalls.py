"""Pitfalls of measures: pictures and files."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ontoeval.comparison.pitfalls import Pitfall
from ontoeval.core.table import Cell, Table
from ontoeval.labels.writers import wide_lines
from ontoeval.reports.concepts import tree_to_draw
from ontoeval.reports.formats import table_of, to_csv
from ontoeval.reports.notebook import links

RIGHT, MISSED, FALSE, BECOMES = "✓", "○", "✗", "→"


def tables(found: Pitfall) -> dict[str, Table]:
    """Make the picture of a pitfall."""
    return {"pitfall": picture(found)}


def picture(found: Pitfall) -> Table:
    """Draw the tree, a concept to a row, with what is right and wrong in each sample."""
    hierarchy, labels = found.hierarchy, found.truth.vocabulary.index
    sides = [side.matrix.toarray() for side in (found.truth, found.worse, found.better)]
    used = [hierarchy.vocabulary[one] for one in hierarchy.labels[np.any(sides, axis=(0, 1))].tolist()]
    drawn = hierarchy.ancestors[hierarchy.vocabulary.positions(used)].sum(axis=0) > 0
    whole, tree = drawn.all() or not used, tree_to_draw(hierarchy)

    def marks(name: str) -> Iterator[str]:
        for true, worse, better in zip(*(side[:, labels[name]] for side in sides), strict=True):
            before, after = (_mark(true=true, predicted=side) for side in (worse, better))
            yield before if before == after else f"{before} {BECOMES} {after}"

    rows: list[tuple[Cell, ...]] = []
    for at in tree.order.tolist():
        name = hierarchy.vocabulary[at]
        if whole or drawn[at]:
            indented = f"{'· ' * int(tree.levels[at])}{hierarchy.vocabulary.names.display_name(name)}"
            rows.append((indented, *(marks(name) if name in labels else [""] * len(found.truth))))
    notes = [
        f"{found.measure}: {found.worse_score:.4f}, and {found.better_score:.4f} for the better prediction.",
        f"{RIGHT} right, {MISSED} missed, {FALSE} false; {BECOMES} in the better prediction.",
    ]
    titles = ("concept", *found.truth.samples)
    return table_of(f"{found.measure} breaks: {found.axiom}", titles, rows, notes=notes)


def _mark(*, true: bool, predicted: bool) -> str:
    return (RIGHT if predicted else MISSED) if true else FALSE if predicted else "·"


def files(found: Pitfall) -> dict[str, str]:
    """Write the case for `ontoeval score`; a hierarchy with rules or weights is not written."""
    hierarchy, sides = found.hierarchy, {"truth": found.truth, "worse": found.worse, "better": found.better}
    sets = {f"{name}.csv": "".join(wide_lines(side)) for name, side in sides.items()}
    more = hierarchy.given or hierarchy.exclusions or hierarchy.requirements or hierarchy.abstract.any()
    return ({} if more else {"hierarchy.csv": to_csv(links(hierarchy.showing("id")))}) | sets
