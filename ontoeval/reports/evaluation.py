"""Evaluations as tables: leaderboards, explanations, broken rules, and the tidy long table."""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast, get_args

import numpy as np

from ontoeval.confusion.matrix import ConfusionTensor
from ontoeval.confusion.one_vs_rest import ConceptCounts, counts_of
from ontoeval.core.batch import Batch
from ontoeval.core.table import DIGITS, Cell, Column, Table
from ontoeval.errors import InputError, MeasureError, one_of, pluralise
from ontoeval.evaluation.explanation import Explanation
from ontoeval.evaluation.scoring import (
    Evaluation,
    ReportOrder,
    notes_of,
    score,
    side_for,
)
from ontoeval.evaluation.sweeps import ScoreCurve, Sweep
from ontoeval.evaluation.totals import totals_of
from ontoeval.measures.base import Measure, best_end
from ontoeval.measures.catalogue import full_name, name
from ontoeval.measures.counts import fill_undefined
from ontoeval.measures.flat import Average, F, Precision, Recall
from ontoeval.plumbing.checks import requires
from ontoeval.reports.formats import table_of

if TYPE_CHECKING:
    from ontoeval.evaluation.tuning import TunedThresholds


def leaderboard(results: Mapping[str, Evaluation]) -> Table:
    """Rank runs by the first measure."""
    measures = next(iter(results.values())).totals.measures
    columns = [Column(notation, DIGITS, best_end(measure)) for notation, measure in measures.items()]
    # What is undefined ranks last, whichever end is best.
    sign = -1 if columns[0].best == "highest" else 1
    first = next(iter(measures))
    ranked = sorted(
        results.items(), key=lambda item: (item[1][first] != item[1][first], sign * item[1][first], item[0])
    )
    head, notes = notes_of(dict(ranked))
    return Table(
        "Leaderboard",
        (Column("run"), *columns),
        tuple((run, *(result[notation] for notation in measures)) for run, result in ranked),
        tuple(notes),
        head=head,
    )


def scored(evaluation: Evaluation) -> Table:
    """List the scores of one run, one row per measure."""
    rows = evaluation.rows()
    undefined = any(row.undefined for row in rows)  # else nobody asks
    grouped = [] if evaluation.group is None else [len({*map(evaluation.group.get, evaluation.samples)})]
    titles = ("measure", "score", *["undefined concepts"] * undefined, *["groups"] * len(grouped))
    cells = ((*row[: 2 + undefined], *grouped) for row in rows)
    return table_of(f"Scores over {evaluation.totals.counts}", titles, cells, notes=evaluation.notes)


def decisions(counts: ConceptCounts | ConfusionTensor) -> Table:
    """List the decisions about every concept of one run."""
    return without_run(per_concept({"": counts.counts() if isinstance(counts, ConfusionTensor) else counts}))


def without_run(table: Table, at: int = 0) -> Table:
    """Leave out the column of runs, where there is one run."""
    kept = tuple((*row[:at], *row[at + 1 :]) for row in table.rows)
    columns = (*table.columns[:at], *table.columns[at + 1 :])
    return replace(table, columns=columns, rows=kept, keys=table.keys - 1)


def classification_report(
    evaluation: Evaluation, sort: ReportOrder, undefined: float | None, empty: float | None
) -> Table:
    """Make one row for each concept in use, and one for each average."""
    symbols: dict[str, Any] = {"P": "precision", "R": "recall", "F": "f1-score"}
    sort = symbols.get(sort, sort)
    one_of("sort", sort, get_args(ReportOrder))
    sets = cast("Batch", evaluation.sets)
    counts, averages = counts_of(sets), get_args(Average)
    ratios = [fill_undefined(some, undefined) for some in (counts.precision, counts.recall, counts.f())]
    lowest_first = (np.nan_to_num(some, nan=np.inf) for some in ratios)
    keys = dict(
        zip(get_args(ReportOrder), (-counts.support, range(len(counts.concepts)), *lowest_first), strict=True)
    )
    shown = np.arange(len(counts.concepts))  # all that averages count
    if undefined is None:
        shown = np.flatnonzero(counts.support + counts.fp)
    used = sorted(shown.tolist(), key=keys[sort].__getitem__)
    columns = (some[used].tolist() for some in (*ratios, counts.support))
    rows = [*zip(counts.names.texts(counts.concepts[at] for at in used), *columns, strict=True)]
    for average in averages:
        kinds = (kind(average=average, undefined=undefined, empty=empty) for kind in (Precision, Recall, F))
        scores = score(totals_of(sets, {name(one): one for one in kinds})).scores.values()
        rows.append((f"{average} avg", *scores, counts.support.sum().item()))
    notes = []
    if left_out := len(counts.concepts) - len(used):
        verb = "is" if left_out == 1 else "are"
        notes = [f"{pluralise(left_out, 'concept')} without row {verb} neither true nor predicted."]
    titles = ("concept", "precision", "recall", "f1-score", "support")
    return table_of(f"Concepts of {evaluation.totals.counts}", titles, rows, notes=notes)


def points(result: ScoreCurve | Sweep) -> Table:
    """List the points of a curve or sweep, one row per threshold."""
    rows = result.rows()
    titles = list(rows[0]) if rows else ["threshold"]
    return table_of("Thresholds", titles, (row.values() for row in rows))


def chosen_thresholds(tuned: TunedThresholds, concepts: Collection[str] = ()) -> Table:
    """List the thresholds, and between which values those that are chosen without a fold lie."""
    chosen = tuned.threshold
    if not isinstance(chosen, Mapping):
        chosen = dict.fromkeys(concepts or ("all",), chosen)
    by_fold = np.broadcast_to(tuned.by_fold, (len(tuned.by_fold), len(chosen)))
    folds = by_fold.min(axis=0).tolist(), by_fold.max(axis=0).tolist()
    common = ("yes" if name in tuned.common else "no" for name in chosen)
    rows = zip(chosen, chosen.values(), *folds, common, strict=True)
    titles = ("concept", "threshold", "lowest of folds", "highest of folds", "common")
    one = "One threshold for all concepts; per='concept' (--per concept) chooses one for each."
    rare = f"Common: {pluralise(len(tuned.common), 'concept')} true of fewer samples than there are folds."
    notes = ["Lowest and highest of folds: thresholds chosen without the samples of one fold each."]
    notes += [one] * (chosen is not tuned.threshold)
    notes += [f"{rare} They have the best threshold for all."] * bool(tuned.common)
    limits = tuned.choices
    grid = f"chosen from {pluralise(limits.size, 'threshold')}, {limits.min():g} to {limits.max():g}"
    return replace(table_of("Thresholds", titles, rows, notes=notes), head=f"{tuned.score_in_words}; {grid}")


def per_sample(results: Mapping[str, Evaluation]) -> Table:
    """List the scores of every sample."""
    measures = next(iter(results.values())).totals.measures
    rows: list[tuple[Cell, ...]] = []
    for run, result in results.items():
        scores = [result.per_sample(notation).tolist() for notation in measures]
        rows += [(run, sample, *values) for sample, *values in zip(result.samples, *scores, strict=True)]
    columns = (Column("run"), Column("sample"), *(Column(notation, DIGITS) for notation in measures))
    own, notes = len(next(iter(results.values())).samples), list[str]()
    for at, (notation, measure) in enumerate(measures.items(), 2):
        lacking = {row[1] for row in rows if row[at] != row[at]}
        if len(lacking) == own:
            notes.append(f"{notation} has no scores of single samples")
        elif lacking:
            rule = "; average='samples' counts a sample as 1 if both its sets are empty, else as 0"
            some = f"{notation} is 0/0 (nan) for {len(lacking):,} of {pluralise(own, 'sample')}"
            notes.append(some + rule * (getattr(measure, "average", "") in {"micro", "macro", "weighted"}))
    return Table("Scores of samples", columns, tuple(rows), tuple(notes), keys=2)


def per_concept(counts: Mapping[str, ConceptCounts], title: str = "Concepts") -> Table:
    """List the decisions about every concept."""
    titles = ("run", "concept", "support", "TP", "FP", "FN", "TN", "P", "R", "F")
    rows: list[tuple[Cell, ...]] = []
    for run, c in counts.items():
        numbers = (c.support, c.tp, c.fp, c.fn, c.tn, c.precision, c.recall, c.f())
        named = c.names.texts(c.concepts)
        rows += [(run, *row) for row in zip(named, *(n.tolist() for n in numbers), strict=True)]
    return table_of(title, titles, rows, own=dict.fromkeys(titles[:7]), keys=2)


def of_concepts(results: Mapping[str, Evaluation]) -> Table:
    """List the decisions about every concept of runs, where there are label sets, and its scores."""
    scores, first, left = dict[str, list[float]](), next(iter(results.values())), list[str]()
    for notation, measure in first.totals.measures.items():
        try:
            if type(measure) not in {F, Precision, Recall} or getattr(measure, "beta", 1) != 1:
                scores[notation] = [s for one in results.values() for s in one.per_concept(notation).values()]
        except MeasureError:
            left.append(notation)
    try:
        sides = {run: cast("Batch", side_for(one, F())) for run, one in results.items()}
        table = per_concept({run: counts_of(side) for run, side in sides.items()})
    except MeasureError:
        if not scores:
            raise
        concepts = first.totals.vocabulary
        named = [(run, text) for run in results for text in concepts.names.texts(concepts)]
        table = table_of("Concepts", ("run", "concept"), named, keys=2)
    columns = (*table.columns, *(Column(notation, DIGITS) for notation in scores))
    rows = ((*row, *more) for row, *more in zip(table.rows, *scores.values(), strict=True))
    notes = [f"no column for {', '.join(left)}: no scores of single concepts"] * bool(left)
    return replace(table, columns=columns, rows=tuple(rows), notes=tuple(notes))


def explained(explanation: Explanation) -> Table:
    """List what each label of a sample is charged."""
    titles = "concept", "is", "matched to", "cost", "agreement", "charge", "path", "breaks", "ancestors too"
    called = explanation.names
    rows = (
        (
            called.text(charge.label),
            charge.kind,
            called.text(charge.matched or ""),
            charge.cost,
            charge.agreement,
            charge.charge,
            called.join(charge.path, " - "),
            "; ".join(charge.rules),
            called.join(charge.ancestors, "; "),
        )
        for charge in explanation.charges
    )
    weight = explanation.sample_weight
    told = any(one.ancestors for one in explanation.charges)
    notes = ["Ancestors too: those of the label that the other side has not."] * told
    notes += [f"Labels are charged by OS alone: {explanation.derivation}", explanation.measure]
    notes += [] if weight is None else [f"sample weight {weight:g}"]
    return table_of(f"{explanation.sample}: {explanation.scores_in_words}", titles, rows, notes=notes)


def with_teams(table: Table, teams: Mapping[str, str], behind: str = "run") -> Table:
    """Add a column of teams behind a column of runs."""
    if not teams:
        return table
    at = [column.title for column in table.columns].index(behind) + 1
    title = "team" if behind == "run" else f"{behind} team"
    own = table.inserted(at, [title], ([teams.get(str(row[at - 1]), "")] for row in table.rows))
    return replace(own, parts=tuple(with_teams(part, teams, behind) for part in table.parts))


def short_recipe(signature: str, result: Evaluation, omitted: Iterable[str]) -> list[str]:
    """Write a recipe in a line: version, data, and options that are neither usual nor `omitted`."""
    version, samples, *lines = signature.splitlines()
    usual = {*omitted, *map(full_name, result.totals.measures.values()), "no agreement given: a = 1"}
    head = [version, samples.partition(" (")[0]]
    if (hierarchy := result.totals.hierarchy) is not None:
        head.append(f"ontology {hierarchy.digest[:8]}")
    rest = [line for line in lines if line not in usual and not line.startswith("hierarchy of ")]
    return [f"{', '.join(head)} (--verbose: all)", *rest]


def with_recipe_notes(board: Table, signature: str, measures: Iterable[Measure]) -> Table:
    """Add the recipe to the notes of a leaderboard, for a paper."""
    omitted = {*board.notes, *map(full_name, measures)}
    lines = [line for line in signature.splitlines() if line not in omitted]
    return replace(board, notes=(*board.notes, f"{'; '.join(lines)}."))


TITLES = ("run", "measure", "parameters", "concept", "label", "sample", "value")  # the columns
ROW_GROUP = 1_000_000  # rows that are kept before they are written to Parquet

_PARQUET = "Writing Parquet"


def blocks_of(evaluations: Mapping[str, Evaluation]) -> Iterator[dict[str, list[Any]]]:
    """Go through all values, some rows at a time as columns: of each run and measure."""
    titles = titles_of(evaluations)
    for run, evaluation in evaluations.items():
        for notation, measure in evaluation.totals.measures.items():
            parameters = full_name(measure).partition("(")[2].removesuffix(")")
            named = {"run": run, "measure": notation, "parameters": parameters}
            for own in _values_of(evaluation, notation):
                count = len(own["value"])
                yield {title: own.get(title) or [named.get(title)] * count for title in titles}


def _values_of(evaluation: Evaluation, notation: str) -> Iterator[dict[str, list[Any]]]:
    """Give the score by a measure, those of concepts, if it is a mean over these, and those of samples."""
    yield {"value": [evaluation.scores[notation]]}
    with suppress(MeasureError):
        concepts = evaluation.per_concept(notation)
        names = evaluation.totals.vocabulary.names.texts(concepts)
        numbers = list(map(float, concepts.values()))
        yield {"concept": list(map(str, names)), "label": [one.label for one in names], "value": numbers}
    yield {"sample": list(evaluation.samples), "value": evaluation.per_sample(notation).tolist()}


def columns_of(evaluations: Mapping[str, Evaluation]) -> dict[str, list[Any]]:
    """Make the whole table."""
    columns: dict[str, list[Any]] = {title: [] for title in titles_of(evaluations)}
    for block in blocks_of(evaluations):
        for title, cells in block.items():
            columns[title] += cells
    return columns


def titles_of(evaluations: Mapping[str, Evaluation]) -> list[str]:
    """Name the columns: "label" stands behind "concept" where any concept is called otherwise."""
    vocabularies = {id(one.totals.vocabulary): one.totals.vocabulary for one in evaluations.values()}
    named = any(cell.label != cell for one in vocabularies.values() for cell in one.names.texts(one))
    return [title for title in TITLES if named or title != "label"]


Writer = Callable[[Path, Sequence[str], Iterator[dict[str, list[Any]]]], None]
"""Writes blocks below the titles of their columns."""


def writer_of(path: Path) -> Writer:
    """Find the writer of a file by its extension."""
    writers: dict[str, Writer] = {".csv": _write_csv, ".parquet": _write_parquet}
    suffix = path.suffix.lower()
    if suffix not in writers:
        raise InputError("the long table's format is unknown", "Name a file .csv or .parquet.", where=path)
    if suffix == ".parquet":
        requires("pyarrow", "arrow", _PARQUET)
    return writers[suffix]


def write_tidy(path: Path, evaluations: Mapping[str, Evaluation]) -> None:
    """Write the table into a file, a part at a time."""
    writer_of(path)(path, titles_of(evaluations), blocks_of(evaluations))


def _write_csv(path: Path, titles: Sequence[str], blocks: Iterator[dict[str, list[Any]]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(titles)
        for block in blocks:
            *named, values = block.values()
            known = ("" if value != value else value for value in values)  # noqa: PLR0124 - nan
            writer.writerows(zip(*named, known, strict=True))


def _write_parquet(path: Path, titles: Sequence[str], blocks: Iterator[dict[str, list[Any]]]) -> None:
    arrow = requires("pyarrow", "arrow", _PARQUET)
    parquet = requires("pyarrow.parquet", "arrow", _PARQUET)
    kinds = [*[arrow.string()] * (len(titles) - 1), arrow.float64()]
    schema = arrow.schema(list(zip(titles, kinds, strict=True)))
    with parquet.ParquetWriter(path, schema) as writer:
        waiting: list[Any] = []
        for block in blocks:
            waiting.append(arrow.table(block, schema=schema))
            if sum(map(len, waiting)) >= ROW_GROUP:
                writer.write_table(arrow.concat_tables(waiting))
                waiting.clear()
        if waiting:
            writer.write_table(arrow.concat_tables(waiting))
