"""From a label file to its entries: what each format comes down to."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.label_formats import LabelFormat
from ontoeval.errors import InputError
from ontoeval.labels.annif import from_annif
from ontoeval.labels.arff import from_arff
from ontoeval.labels.arrays import from_arrays
from ontoeval.labels.arrow import entries_of_table
from ontoeval.labels.blocks import Block, columns_of, entries_of_blocks
from ontoeval.labels.codebook import Codebook, Lines, newcomers
from ontoeval.labels.concepts import ConceptList
from ontoeval.labels.entries import (
    LABELS_NOT_SCORES,
    THRESHOLD_NEEDED,
    Entries,
    entries_of,
    nameless,
    refuse_what_is_no_number,
)
from ontoeval.labels.formats import PARQUET, Recognised
from ontoeval.labels.json_labels import from_json, from_json_lines
from ontoeval.labels.labelled_lines import from_fasttext, from_libsvm
from ontoeval.labels.numbers import TRUTH_VALUES, numbers
from ontoeval.labels.parquet import parquet_explained, tables_of
from ontoeval.labels.separators import Known
from ontoeval.labels.tables import RowBlock, Source
from ontoeval.labels.wide import entries_of_fields


@dataclass(frozen=True)
class Wanted:
    """What is wanted of a label file, and what is known beside it."""

    scores: bool = False
    columns: ConceptList | None = None
    separator: str | None = None
    known: Known | None = None
    words: Mapping[str, float] | None = None
    repeats: bool = False


def parse(rows: Source, form: Recognised, wanted: Wanted) -> Entries:
    """Take the entries from a label file."""
    refuse_other_kind(form, wanted, rows.where)
    if form.delimiter == PARQUET:
        (table,) = tables_of(rows, form)
        return parse_table(table, form, wanted, rows.where)
    return _PARSERS[form.format](rows, form, wanted)


def parse_table(table: Any, form: Recognised, wanted: Wanted, where: str, row: int = 1) -> Entries:  # noqa: ANN401
    """Take the entries from a table of pyarrow."""
    with parquet_explained(where):
        return entries_of_table(
            table,
            form,
            where,
            scores=wanted.scores,
            row=row,
            separator=wanted.separator,
            known=wanted.known,
        )


def refuse_other_kind(form: Recognised, wanted: Wanted, where: str) -> None:
    """Refuse scores where labels are wanted, and the other way round, if the columns tell."""
    if form.has_scores and not wanted.scores:
        raise InputError(f"this is {form}: scores, not labels", THRESHOLD_NEEDED, where=where)
    if wanted.scores and form.format in {"wide", "long", "cafa"} and not form.has_scores:
        raise InputError(
            f"this is {form}: labels, not scores",
            f"{LABELS_NOT_SCORES} A column of them is called 'score'.",
            where=where,
        )


def _wide(rows: Source, form: Recognised, wanted: Wanted) -> Entries:
    lines: list[Sequence[int]] = []
    samples: list[str] = []
    fields: list[str] = []
    scores: list[str] = []
    for batch in _batches(rows, form):
        lines.append(batch.lines)
        samples += batch.columns[form.sample]
        fields += batch.columns[form.concept or 0]
        scores += () if form.score is None else batch.columns[form.score]
    return entries_of_fields(
        rows.where,
        Lines(lines),
        samples,
        fields,
        None if form.score is None else scores,
        separator=wanted.separator,
        known=wanted.known,
        repeats=wanted.repeats,
    )


def _long(rows: Source, form: Recognised, wanted: Wanted) -> Entries:
    samples, spellings = Codebook(), Codebook()
    row: list[NDArray[np.int32]] = []
    code: list[NDArray[np.int32]] = []
    lines: list[Sequence[int]] = []
    starts: list[int] = []
    values: list[NDArray[np.float64]] = []
    for batch in _batches(rows, form):
        row.append(samples.codes(batch.columns[form.sample]))
        starts += map(batch.lines.__getitem__, newcomers(row[-1], len(starts)).tolist())
        code.append(spellings.codes(batch.columns[form.concept or 0]))
        lines.append(batch.lines)
        if "" in samples:
            raise nameless(rows.where, batch.lines[int(np.argmax(row[-1] == samples[""]))])
        if form.score is not None:
            values.append(_scores(rows.where, batch, form, wanted.words))
    at = Lines(lines)
    entries = entries_of(
        list(samples.index),
        spellings.index,
        np.concatenate(row),
        np.concatenate(code),
        place=lambda entry: f"row {at[entry]:,}",
        values=np.concatenate(values) if values else None,
        lines=np.asarray(at, dtype=np.int32) if values else None,
        starts=np.array(starts, dtype=np.int32),
        several_rows=True,
    )
    if form.format == "cafa":
        _refuse_what_is_no_share(entries, rows.where)
    return entries


def _scores(
    where: str, batch: RowBlock, form: Recognised, words: Mapping[str, float] | None
) -> NDArray[np.float64]:
    column = form.score or 0
    texts = list(batch.columns[column])
    for number, (concept, text) in enumerate(zip(batch.columns[form.concept or 0], texts, strict=True)):
        if not concept.strip():
            if text.strip():
                line = batch.lines[number]
                raise InputError("a score, but no concept", "Name the concept.", where=where, row=line)
            texts[number] = "0"  # the row stands for a sample without labels: never used
    values = numbers(texts, words)
    refuse_what_is_no_number(where, values, texts, batch.lines, [form.header[column]], "Write a number.")
    return values


def _refuse_what_is_no_share(entries: Entries, where: str) -> None:
    if entries.values is None or entries.lines is None:
        return
    odd = np.flatnonzero((entries.values <= 0) | (entries.values > 1))
    if odd.size:
        raise InputError(
            f"the score {entries.values[odd[0]]:g}",
            "CAFA's scores are above 0 and at most 1: leave out terms that are not predicted, or name the "
            "columns 'sample,concept,score'.",
            where=where,
            row=int(entries.lines[odd[0]]),
        )


def _columns(rows: Source, form: Recognised, wanted: Wanted) -> Entries:
    if "" in form.header[1:]:
        position = form.header.index("", 1)
        raise InputError(f"column {position + 1} has no name", "Name every concept.", where=rows.where, row=1)
    return _values(rows, form, form.header[1:], ["row 1"] * form.values, wanted)


def _imageclef(rows: Source, form: Recognised, wanted: Wanted) -> Entries:
    names, places = columns_of(wanted.columns, form.values, str(form), rows.where)
    return _values(rows, form, names, places, wanted)


def _values(
    rows: Source, form: Recognised, names: Sequence[str], places: Sequence[str], wanted: Wanted
) -> Entries:
    scores = wanted.scores
    words = wanted.words if scores else TRUTH_VALUES
    remedy = (
        "Write a number; a label without score is left out in the long format."
        if scores
        else "Write 0 or 1, and take out columns that are no concepts; one that lists labels is to be called "
        "'labels'."
    )

    def blocks() -> Iterator[Block]:
        for batch in _batches(rows, form):
            samples, *columns = batch.columns
            texts = list(chain.from_iterable(zip(*columns, strict=True)))
            values = numbers(texts, words)
            refuse_what_is_no_number(rows.where, values, texts, batch.lines, names, remedy)
            yield Block(batch.lines, samples, values.reshape(len(samples), len(names)))

    entries = entries_of_blocks(blocks(), names, places, rows.where, scores=scores, repeats=wanted.repeats)
    return replace(entries, seen={"values": len(names)})


def _batches(rows: Source, form: Recognised) -> Iterator[RowBlock]:
    """Rows below the header, of which there is at least one."""
    batches = rows.batches(form.delimiter, form.width)
    first = next(batches, None)
    if first is None:
        raise InputError("there is no row below the header", "Write one.", where=rows.where)
    return chain([first], batches)


_PARSERS: dict[LabelFormat, Callable[[Source, Recognised, Wanted], Entries]] = {
    "wide": _wide,
    "long": _long,
    "cafa": _long,
    "columns": _columns,
    "imageclef": _imageclef,
    "json": lambda rows, _, wanted: from_json(rows, scores=wanted.scores),
    "jsonl": lambda rows, form, wanted: from_json_lines(rows, form, scores=wanted.scores),
    "array": lambda rows, _, wanted: from_arrays(rows, wanted.columns, scores=wanted.scores),
    "arff": lambda rows, _, wanted: from_arff(rows, scores=wanted.scores),
    "annif": lambda rows, _, wanted: from_annif(rows, scores=wanted.scores),
    "fasttext": lambda rows, _, wanted: from_fasttext(rows, scores=wanted.scores),
    "libsvm": lambda rows, _, wanted: from_libsvm(rows, scores=wanted.scores),
}
