"""Behaviours of measures as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ontoeval.comparison.axioms import AXIOMS
from ontoeval.errors import MOST_SHOWN
from ontoeval.reports.results import DIGITS
from ontoeval.reports.table import Column, Table

if TYPE_CHECKING:
    from ontoeval.comparison.axioms import Behaviour


def shares(behaviour: Behaviour) -> Table:
    """Show in what share of the cases each axiom holds for each measure."""
    lines = behaviour.rows()
    axioms = list(lines[0])[1:] if lines else []
    columns = (Column("axiom"), *(Column(str(line["measure"]), 2) for line in lines))
    rows = tuple((axiom, *(line[axiom] for line in lines)) for axiom in axioms)
    notes = [f"{axiom}: {AXIOMS[axiom].text}." for axiom in axioms]
    notes += [f"No case of this kind in the hierarchy: {axiom}." for axiom in behaviour.without_cases]
    notes += [
        f"{measure} was not tried: {reason.removesuffix('.')}."
        for measure, reason in behaviour.skipped.items()
    ]
    notes.append(f"Of at most {behaviour.cases:,} cases each.")
    return Table("Share of cases in which axioms hold", columns, rows, tuple(notes))


def counterexamples(behaviour: Behaviour) -> Table:
    """Show cases in which axioms do not hold."""
    titles = ("axiom", "measure", "truth", "first", "second")
    columns = (*map(Column, titles), Column("score of first", DIGITS), Column("score of second", DIGITS))
    rows = tuple(
        (
            trial.axiom,
            trial.measure,
            _sides(first.truth, second.truth),
            _set(first.prediction),
            _set(second.prediction),
            first.score,
            second.score,
        )
        for trial in behaviour.trials
        if trial.example is not None
        for first, second in [trial.example]
    )
    return Table("Cases in which axioms do not hold", columns, rows, keys=2)


def _sides(first: tuple[str, ...], second: tuple[str, ...]) -> str:
    return _set(first) if first == second else f"{_set(first)}; then {_set(second)}"


def _set(labels: tuple[str, ...]) -> str:
    """Write a set of labels; a prediction of everything would fill the page."""
    shown, more = ", ".join(labels[:MOST_SHOWN]), len(labels) - MOST_SHOWN
    return f"{shown} and {more:,} more" if more > 0 else shown or "nothing"
