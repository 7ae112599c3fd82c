"""Errors by kind: table and bars."""

from __future__ import annotations

import numpy as np

from ontoeval.comparison.error_kinds import ERROR_KINDS, ErrorsByKind
from ontoeval.core.table import Cell, Table
from ontoeval.plumbing.arrays import Numbers
from ontoeval.reports.formats import table_of

WRONG = "wrong labels"
"""What the shares of the first row of each run are of; those of the others are of the loss by a measure."""


def tables(found: ErrorsByKind) -> dict[str, Table]:
    """Make the table of errors by kind."""
    return {"errors": errors(found)}


def errors(found: ErrorsByKind) -> Table:
    """Show the shares of the kinds in the wrong labels of each run, and in its loss by each measure."""
    rows: list[tuple[Cell, ...]] = []
    for at, run in enumerate(found.runs):
        wrong = float(found.counts[at].sum())
        number = int(wrong) if wrong.is_integer() else wrong
        rows.append((run, WRONG, number, None, None, *found.shares[at].tolist(), None))
        parts = (found.scores, found.losses, found.loss_shares, found.rest)
        for measure, score, loss, shares, rest in zip(
            found.measures, *(part[at].tolist() for part in parts), strict=True
        ):
            rows.append((run, measure, None, score, loss, *shares, rest))
    falls = bool((found.loss_shares < 0).any())
    below = ["A share below 0: the score falls if these errors are repaired."] * falls
    columns = (
        "too general, too specific: above, below the true label; sibling, cousin: of one parent, "
        "grandparent; nothing: missed, invented: false, without another label in its place. Shares: of the "
        "wrong labels, or of the gains if one kind alone is repaired; loss: the gain if all are."
    )
    rest = "rest: loss less the sum of gains; 0 if no gain depends on the other errors."
    notes = [columns, rest, *below, *(f"{kind}: {text}." for kind, text in ERROR_KINDS.items())]
    titles = ("run", "shares of", WRONG, "score", "loss", *ERROR_KINDS, "rest")
    return table_of("Errors by kind", titles, rows, digits=3, notes=notes, keys=2)


def bars(found: ErrorsByKind) -> tuple[list[str], Numbers]:
    """Name the bars of the figure, the wrong labels of each run and its loss by each measure; give shares."""
    names = [f"{run}: {of}" for run in found.runs for of in (WRONG, *found.measures)]
    shares = np.concatenate([found.shares[:, None], found.loss_shares], axis=1)
    return names, shares.reshape(len(names), -1)
