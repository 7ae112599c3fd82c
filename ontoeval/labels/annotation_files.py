"""One file of annotations: a table with several annotators, or the labels of one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.files import FilePath
from ontoeval.errors import InputError
from ontoeval.labels.annotation_rows import WRITE, AnnotationRows, is_text
from ontoeval.labels.annotator_cells import BLANK, MISSING, REMEDY, VOTES, WORDS
from ontoeval.labels.annotator_columns import (
    HOW,
    NOTHING_TOLD,
    OPTIONS,
    Columns,
    ToldColumns,
    columns_of_header,
)
from ontoeval.labels.annotator_tables import AnnotatorTable
from ontoeval.labels.entries import Entries
from ontoeval.labels.opening import read_label_source
from ontoeval.labels.opinions import Opinions, of_votes
from ontoeval.labels.parsing import parse
from ontoeval.labels.reading import Reading
from ontoeval.labels.recognition import recognised
from ontoeval.labels.tables import Source

RECORDS = f"{WRITE} Parquet is read without lists. Or give one file per annotator."
"""What to do where a file of another format holds several annotators."""


def opinions_of(
    path: FilePath, name: str, reading: Reading, *, alone: bool, told: ToldColumns = NOTHING_TOLD
) -> Opinions:
    """Read one file."""
    source = read_label_source(path)
    rows = AnnotationRows.of(source) if reading.input_format is None else None
    if rows is not None:
        found, told = _columns(rows.header, source.where, name, reading, alone=alone, told=told)
        if found is not None and not (found.one and rows.exact):
            return AnnotatorTable(rows, found, reading, name, told).read()
    text = is_text(source)
    if alone and told.columns != "concepts":
        raise InputError("nothing says whose labels these are", HOW if text else RECORDS, where=source.where)
    try:
        return _of_one(source, name, reading)
    except InputError as error:
        # Wrong names of columns look like many other mistakes.
        remedy = f"{error.remedy} {f'Of tables, {OPTIONS}' if text else RECORDS}"
        raise InputError(error.problem, remedy, where=source.where, row=error.row) from error


def _columns(
    header: tuple[str, ...], where: str, name: str, reading: Reading, *, alone: bool, told: ToldColumns
) -> tuple[Columns | None, ToldColumns]:
    """Tell what the columns are; the concepts decide, where they are known, which of two readings holds."""
    found = columns_of_header(header, where, alone=alone, told=told)
    names = reading.names
    if found is not None and found.one and told.columns is None and names.vocabulary is not None:
        known = any(names.know({header[n]}) for n in found.others)
        if not known and names.know({name}):
            told = replace(told, columns="annotators")
            return columns_of_header(header, where, alone=alone, told=told), told
    return found, told


def _of_one(source: Source, name: str, reading: Reading) -> Opinions:
    """Read a label file, or a table of values, of one annotator."""
    form, rows = recognised(source, reading.input_format)
    columns = form.format in {"columns", "imageclef"}
    scored = columns or form.has_scores
    wanted = replace(reading.wanted(scores=scored), words=WORDS)
    entries = parse(rows, form, wanted)
    sheets = np.arange(len(entries.samples)), np.zeros(len(entries.samples), dtype=np.intp)
    state = np.ones(entries.row.size, dtype=np.int8)
    lines = (
        np.zeros(entries.row.size, dtype=np.intp) if entries.lines is None else entries.lines.astype(np.intp)
    )
    if entries.values is not None:
        state = _votes_of_entries(entries, source.where)
    if columns:
        return of_votes(
            state.reshape(len(entries.samples), -1),
            np.zeros(len(entries.samples), dtype=np.intp),
            entries.spellings,
            where=source.where,
            form=f"{replace(form, **entries.seen)}, of {name!r}",
            names=(entries.samples, (name,)),
            sheets=sheets,
        )
    return Opinions(
        where=source.where,
        form=f"{replace(form, **entries.seen)}, of {name!r}",
        samples=entries.samples,
        annotators=(name,),
        sample=sheets[0],
        annotator=sheets[1],
        spellings=entries.spellings,
        places=entries.places,
        sheet=entries.row.astype(np.intp),
        code=entries.code.astype(np.intp),
        state=state,
        line=lines,
        decisions=entries.values is not None,
    )


def _votes_of_entries(entries: Entries, where: str) -> NDArray[np.int8]:
    values = np.empty(0) if entries.values is None else entries.values
    odd = np.flatnonzero(~np.isin(values, VOTES))
    if odd.size:
        first = int(odd[0])
        raise InputError(
            f"{values[first]:g} is said of {entries.spellings[entries.code[first]]!r} in sample "
            f"{entries.samples[entries.row[first]]!r}",
            REMEDY,
            where=where,
            row=None if entries.lines is None else int(entries.lines[first]),
        )
    return np.where(values == BLANK, MISSING, values).astype(np.int8)
