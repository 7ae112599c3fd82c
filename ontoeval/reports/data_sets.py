"""Runs over several data sets as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ontoeval.core.table import DIGITS, Cell, Column, Table
from ontoeval.reports.evaluation import numeric_columns

if TYPE_CHECKING:
    from ontoeval.comparison.data_sets import FriedmanTest

_FEW = 5
"""Data sets below which the approximations of the tests are rough."""


class _P(float):
    """A p-value: what rounds to 0 is written as less than the last decimal."""

    def __format__(self, form: str) -> str:
        text = super().__format__(form)
        return text if float(text) != 0 else f"<{10.0**-DIGITS:.{DIGITS}f}"


def mean_ranks(test: FriedmanTest) -> Table:
    """Show the ranks of all runs, the best mean rank first: a diagram of critical differences as a table."""
    groups = test.groups
    apart = [(run,) for at in test.order for run in [test.runs[at]] if not any(run in one for one in groups)]
    place = {test.runs[at]: rank for rank, at in enumerate(test.order)}
    ordered = sorted([*groups, *apart], key=lambda one: place[one[0]])
    rows: list[tuple[Cell, ...]] = []
    for at in test.order:
        run = test.runs[at]
        marks = ", ".join(str(number) for number, one in enumerate(ordered, 1) if run in one)
        rows.append((run, float(test.mean_ranks[at]), marks, *map(float, test.ranks[:, at])))
    columns = [Column("run"), Column("mean rank", DIGITS, "lowest"), Column("group")]
    columns += [Column(name, 1) for name in test.data_sets]
    count = len(test.data_sets)
    notes = [
        f"Friedman: χ² = {test.chi2:.4f}, p = {test.p:.4g}; of {len(test.runs)} runs on {count} data sets.",
        f"Iman and Davenport: F = {test.f:.4f}, p = {test.f_p:.4g}."
        if np.isfinite(test.f)
        else "Iman and Davenport: no F, since all data sets rank the runs alike.",
        f"Nemenyi: mean ranks differ at {test.alpha:g} where they are {test.critical_difference:.4f} apart.",
    ]
    # Where all data sets agree F is infinite, however few they are.
    if not (test.f_p if np.isfinite(test.f) else test.p) < test.alpha:
        notes.append("As a whole the runs do not differ significantly: pairs should not be looked at.")
    if count < _FEW:
        notes.append(f"With fewer than {_FEW} data sets these tests say little.")
    if test.left_out:
        notes.append(f"Left out, since a run has no score there: {', '.join(test.left_out)}.")
    return Table("Mean ranks over data sets", tuple(columns), tuple(rows), tuple(notes))


def pairs(test: FriedmanTest, *, conover: bool = False) -> Table:
    """List all pairs of runs: by how much their mean ranks differ, and how surely."""
    titles = ["run", "other", "difference of mean ranks", "p (Nemenyi)"]
    apart, values = test.mean_ranks[:, None] - test.mean_ranks, [test.p_values]
    if conover:
        titles.append("p (Conover, Holm)")
        values.append(test.conover())
    columns = numeric_columns(titles, 2)
    order = np.array(test.order)
    first, second = np.triu_indices(len(order), 1)
    rows = tuple(
        (test.runs[a], test.runs[b], float(apart[a, b]), *(_P(p[a, b]) for p in values))
        for a, b in zip(order[first].tolist(), order[second].tolist(), strict=True)
    )
    alike = np.isinf(test.f)
    note = "All data sets rank the runs alike, so that Conover's test leaves nothing to chance, however few."
    return Table("Pairs of runs over data sets", columns, rows, (note,) if conover and alike else (), keys=2)


def against(test: FriedmanTest, control: str) -> Table:
    """List how surely each run differs from one that was chosen beforehand."""
    p = test.against(control)
    ranks = dict(zip(test.runs, test.mean_ranks.tolist(), strict=True))
    rows = tuple(
        (test.runs[at], ranks[test.runs[at]] - ranks[control], _P(p[test.runs[at]]))
        for at in test.order
        if test.runs[at] != control
    )
    columns = (Column("run"), Column("difference of mean ranks", DIGITS), Column("p (Holm)", DIGITS))
    note = f"Mean ranks below that of {control} are better than it. The control is to be chosen beforehand."
    return Table(f"Runs against {control}", columns, rows, (note,))
