"""Evaluations, explanations and broken rules as tables; recipes in a line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from ontoeval.concepts.violations import SUSPECT, Breaches
from ontoeval.confusion.one_vs_rest import ConceptCounts
from ontoeval.core.table import DIGITS, Cell, Column, Table
from ontoeval.errors import pluralise
from ontoeval.evaluation.explanation import Explanation
from ontoeval.evaluation.scoring import Evaluation
from ontoeval.measures.base import Measure, info
from ontoeval.measures.catalogue import full_name


def leaderboard(results: Mapping[str, Evaluation]) -> Table:
    """Rank runs by the first measure."""
    measures = next(iter(results.values())).totals.measures
    columns = [Column(notation, DIGITS, best_end(measure)) for notation, measure in measures.items()]
    # What is undefined ranks last, whichever end is best.
    sign = -1 if columns[0].best == "highest" else 1
    first = next(iter(measures))
    ranked = sorted(
        results.items(),
        key=lambda item: (item[1][first] != item[1][first], sign * item[1][first], item[0]),
    )
    undefined = [
        f"{run}: {row.measure} found {pluralise(row.undefined, 'concept')} undefined (0/0)."
        for run, result in ranked
        for row in result.rows()
        if row.undefined
    ]
    notes = dict.fromkeys(chain.from_iterable(result.notes for _, result in ranked))
    return Table(
        "Leaderboard",
        (Column("run"), *columns),
        tuple((run, *(result[notation] for notation in measures)) for run, result in ranked),
        (*undefined, *notes),
    )


def per_sample(results: Mapping[str, Evaluation]) -> Table:
    """List the scores of every sample."""
    measures = next(iter(results.values())).totals.measures
    rows: list[tuple[Cell, ...]] = []
    for run, result in results.items():
        scores = [result.per_sample(notation).tolist() for notation in measures]
        rows += [(run, sample, *values) for sample, *values in zip(result.samples, *scores, strict=True)]
    columns = (Column("run"), Column("sample"), *(Column(notation, DIGITS) for notation in measures))
    return Table("Scores of samples", columns, tuple(rows), keys=2)


def per_concept(counts: Mapping[str, ConceptCounts], title: str = "Concepts") -> Table:
    """List the decisions about every concept."""
    titles = dict.fromkeys(("run", "concept", "support", "TP", "FP", "FN", "TN"))
    columns = tuple(Column(*pair) for pair in {**titles, "P": DIGITS, "R": DIGITS, "F": DIGITS}.items())
    rows = []
    for run, c in counts.items():
        numbers = (c.support, c.tp, c.fp, c.fn, c.tn, c.precision, c.recall, c.f())
        rows += [(run, *row) for row in zip(c.concepts, *(n.tolist() for n in numbers), strict=True)]
    return Table(title, columns, tuple(rows), keys=2)


def explained(explanation: Explanation) -> Table:
    """List what each label of a sample is charged."""
    columns = ("label", "is", "matched to", "cost", "agreement", "charge", "path", "breaks")
    rows: list[tuple[Cell, ...]] = [
        (
            charge.label,
            charge.kind,
            charge.matched or "",
            charge.cost,
            charge.agreement,
            charge.charge,
            " - ".join(charge.path),
            "; ".join(charge.rules),
        )
        for charge in explanation.charges
    ]
    return Table(
        f"{explanation.sample}: {explanation.score:.{DIGITS}f}",
        tuple(Column(c, DIGITS if c in {"cost", "agreement", "charge"} else None) for c in columns),
        tuple(rows),
        (explanation.derivation, explanation.measure),
    )


def broken_rules(breaches: Iterable[Breaches], title: str = "Rules that the label sets break") -> Table:
    """List how often label sets break each rule."""
    rules = sorted((b for b in breaches if b.broken), key=lambda b: (-b.broken, str(b.rule)))
    suspect = sum(b.suspect for b in rules)
    return Table(
        title,
        (Column("rule"), Column("applies"), Column("broken"), Column("share", DIGITS)),
        tuple((str(b.rule), b.applies, b.broken, b.broken / b.applies) for b in rules),
        (f"If the labels are true: {suspect} of these {len(rules)} rules are suspect. {SUSPECT}",)
        if suspect
        else (),
    )


def best_end(measure: object) -> Any:  # noqa: ANN401 - the literal that columns know
    """Find the end of its range at which a measure is best."""
    low, high = info(measure, "bounds")
    return {high: "highest", low: "lowest"}.get(info(measure, "best"))


def numeric_columns(titles: Iterable[str], texts: int, counts: Sequence[str] = ()) -> tuple[Column, ...]:
    """Make columns of numbers behind some of texts."""
    return tuple(
        Column(title, None if place < texts or title in counts else DIGITS)
        for place, title in enumerate(titles)
    )


def with_teams(table: Table, teams: Mapping[str, str], behind: str = "run") -> Table:
    """Add a column of teams behind a column of runs."""
    if not teams:
        return table
    at = [column.title for column in table.columns].index(behind) + 1
    title = "team" if behind == "run" else f"{behind} team"
    return replace(
        table,
        columns=(*table.columns[:at], Column(title), *table.columns[at:]),
        rows=tuple((*row[:at], teams.get(str(row[at - 1]), ""), *row[at:]) for row in table.rows),
        keys=table.keys + (at <= table.keys),
    )


def short_recipe(signature: str, result: Evaluation, told: Iterable[str]) -> list[str]:
    """Write a recipe in a line: version and data, and what neither was told nor is as usual."""
    version, samples, *lines = signature.splitlines()
    usual = {*told, *map(full_name, result.totals.measures.values()), "no agreement given: a = 1"}
    head = [version, samples.partition(" (")[0]]
    if (hierarchy := result.totals.hierarchy) is not None:
        head.append(f"ontology {hierarchy.digest[:8]}")
    rest = [line for line in lines if line not in usual and not line.startswith("hierarchy of ")]
    return [f"{', '.join(head)} (--verbose: all)", *rest]


def captioned(board: Table, signature: str, measures: Iterable[Measure]) -> Table:
    """Add to a leaderboard what a caption should say of the recipe."""
    told = {*board.notes, *map(full_name, measures)}
    said = [line for line in signature.splitlines() if line not in told]
    return replace(board, notes=(*board.notes, f"{'; '.join(said)}."))
