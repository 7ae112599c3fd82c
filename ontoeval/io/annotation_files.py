"""One file of annotations: a table with several annotators, or the labels of one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError
from ontoeval.files import FilePath
from ontoeval.io.annotator_tables import HOW, AnnotatorTable, columns_of_header
from ontoeval.io.entries import Entries
from ontoeval.io.opening import is_array, is_parquet, read_label_source
from ontoeval.io.opinions import BLANK, MISSING, REMEDY, VOTES, WORDS, Opinions, of_votes
from ontoeval.io.parsing import parse
from ontoeval.io.reading import Reading
from ontoeval.io.recognition import recognised
from ontoeval.io.tables import Source


def opinions_of(path: FilePath, name: str, reading: Reading, *, alone: bool) -> Opinions:
    """Read one file.

    Parameters
    ----------
    path
        The file.
    name
        Of the annotator, where it holds one; or of the concept, where it holds one.
    reading
        How labels are read.
    alone
        Whether there is no other file, so that it must hold several annotators.

    Returns
    -------
    Opinions
        What it says.

    Raises
    ------
    InputError
        If it cannot be read as it is.
    """
    source = read_label_source(path)
    text = not (source.files or is_array(source) or is_parquet(source) or source.data[:1] in {b"{", b"["})
    if text and reading.input_format is None and source.delimiter is not None:
        header = tuple(field.strip() for field in source.first(source.delimiter))
        found = columns_of_header(header, source.where, alone=alone)
        if found is not None:
            return AnnotatorTable(source, header, found, reading, name).read()
    if alone:
        raise InputError("nothing says whose labels these are", HOW, where=source.where)
    return _of_one(source, name, reading)


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
        spoken=bool((state != 1).any()),
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
