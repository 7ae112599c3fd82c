"""One file of annotations before its labels are looked up: whose they are, and of which samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError, listed
from ontoeval.files import FilePath
from ontoeval.io.codebook import Codebook, Lines
from ontoeval.io.entries import Entries, nameless
from ontoeval.io.formats import PARQUET, Recognised
from ontoeval.io.numbers import TRUTH_VALUES, numbers
from ontoeval.io.opening import is_array, is_parquet, read_label_source
from ontoeval.io.parsing import parse
from ontoeval.io.reading import Reading
from ontoeval.io.recognition import recognised
from ontoeval.io.roles import (
    CONCEPT,
    CONCEPTS,
    SAMPLE,
    SCORE,
    SPEAKER,
    plain,
    positions,
    says_nothing_of_labels,
)
from ontoeval.io.tables import DELIMITERS, Batch, Source
from ontoeval.io.wide import entries_of_fields

ANNOTATORS = SPEAKER | {"rad", "radiologist", "reader", "observer", "participant", "performer", "assessor"}
"""What the column of the annotators may be called."""

SAMPLES = SAMPLE | {"task", "unit", "study", "case", "hit", "question", "video", "audio"}
"""What the column of the samples may be called beside annotators."""

ANSWER = SCORE | {"answer", "vote", "rating", "present", "response"}
"""What the column of the values may be called."""

UNCERTAIN, MISSING = -1, 2
"""What is said of a concept beside 1, that it is there, and 0, that it is not."""

_BLANK = 1e9
_WORDS = {
    **TRUTH_VALUES,
    "yes": 1.0,
    "no": 0.0,
    "uncertain": float(UNCERTAIN),
    **dict.fromkeys(("", "nan", "na", "n/a", "none", "null"), _BLANK),
}
_REMEDY = "Write 1 (there), 0 (not there), -1 (uncertain) or nothing (missing)."
_HOW = (
    "Name the columns 'sample,annotator,concept'; or give one file per annotator; or one column for each "
    "annotator beside 'sample' or 'sample,concept'."
)


@dataclass(frozen=True, eq=False, kw_only=True)
class Opinions:
    """What a file says.

    Parameters
    ----------
    where
        The file.
    form
        Its format in words.
    samples
        Identifiers of the samples, none twice.
    annotators
        Names of the annotators, none twice.
    sample
        Position of the sample, one per sheet: what one annotator says of one sample.
    annotator
        Position of the annotator, one per sheet.
    spellings
        What stands for concepts, none twice.
    places
        Where each spelling was first met.
    sheet
        Position of the sheet, one per entry.
    code
        Position of the spelling, one per entry.
    state
        What is said: 1, 0, `UNCERTAIN` or `MISSING`, one per entry.
    line
        The line, one per entry; 0 where it is not known.
    header
        Whether the spellings name columns.
    spoken
        Whether nothing is known of what no entry speaks of; otherwise it is not there.
    """

    where: str
    form: str
    samples: tuple[str, ...]
    annotators: tuple[str, ...]
    sample: NDArray[np.intp]
    annotator: NDArray[np.intp]
    spellings: tuple[str, ...]
    places: tuple[str, ...]
    sheet: NDArray[np.intp]
    code: NDArray[np.intp]
    state: NDArray[np.int8]
    line: NDArray[np.intp]
    header: bool = False
    spoken: bool = False


class _Columns(NamedTuple):
    """Which columns of a table are what."""

    sample: int
    annotator: int | None
    concept: int | None
    value: int | None
    others: list[int]


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
        found = _columns(header, source.where, alone=alone)
        if found is not None:
            return _Table(source, header, found, reading, name).read()
    if alone:
        raise InputError("nothing says whose labels these are", _HOW, where=source.where)
    return _of_one(source, name, reading)


def _columns(header: tuple[str, ...], where: str, *, alone: bool) -> _Columns | None:
    """Tell what the columns are; None for a file of one annotator."""
    names = [plain(column) for column in header]
    who, concept = positions(names, ANNOTATORS), positions(names, CONCEPT | CONCEPTS)
    answers = positions(names, ANSWER)
    if len(concept) == 2 and not answers and "label" in names:  # noqa: PLR2004
        answers = [names.index("label")]  # beside a column of concepts it says whether they are there
        concept = [position for position in concept if position not in answers]
    taken = {*who, *concept, *answers}
    samples = [n for n, column in enumerate(names) if n not in taken and column in SAMPLES]
    if not samples and names[0] == "" and 0 not in taken:
        samples = [0]  # the index of a data frame
    for what, some, most in (("annotator", who, 1), ("concept", concept, 1), ("value", answers, 1)):
        if who and len(some) > most:
            columns = listed(header[n] for n in some)
            raise InputError(f"several columns for the {what}: {columns}", _HOW, where=where, row=1)
    if not samples:
        if who:
            raise InputError(f"no column for the sample among {listed(header)}", _HOW, where=where, row=1)
        return None
    rest = [
        n for n in range(len(names)) if n not in {*taken, samples[0]} and not says_nothing_of_labels(names[n])
    ]
    if who:
        return _Columns(
            samples[0],
            who[0],
            concept[0] if concept else None,
            answers[0] if concept and answers else None,
            [] if concept else sorted({*rest, *answers}),
        )
    by_concept = len(concept) == 1 and names[concept[0]] in CONCEPT and not answers
    if len(rest) > 1 and (by_concept or (alone and not concept)):
        return _Columns(samples[0], None, concept[0] if concept else None, None, sorted({*rest, *answers}))
    return None


@dataclass(frozen=True)
class _Table:
    """A table with several annotators."""

    source: Source
    header: tuple[str, ...]
    columns: _Columns
    reading: Reading
    name: str

    def read(self) -> Opinions:
        """Read all rows at once: what is in them is kept as numbers."""
        delimiter = self.source.delimiter
        rows = self.source.below(delimiter)
        batches = list(rows.batches(delimiter, len(self.header)))
        if not batches:
            raise InputError("there is no row below the header", "Write one.", where=self.source.where)
        lines = np.concatenate([np.asarray(batch.lines, dtype=np.intp) for batch in batches])
        if "" in (self.header[n] for n in self.columns.others):
            raise InputError("a column has no name", "Name every column.", where=self.source.where, row=1)
        samples, sample = self._named(batches, self.columns.sample, lines)
        if self.columns.annotator is None:
            return self._annotators_in_columns(batches, lines, samples, sample)
        annotators, annotator = self._named(batches, self.columns.annotator, lines, what="annotator")
        if self.columns.concept is None:
            return self._concepts_in_columns(batches, lines, (samples, sample), (annotators, annotator))
        return self._long(batches, lines, (samples, sample), (annotators, annotator))

    def _named(
        self, batches: Sequence[Batch], column: int, lines: NDArray[np.intp], *, what: str = "sample"
    ) -> tuple[tuple[str, ...], NDArray[np.intp]]:
        """Number what stands in a column, of which no field may be empty."""
        names = Codebook()
        code = np.concatenate([names.codes(batch.columns[column]) for batch in batches]).astype(np.intp)
        if "" in names:
            line = int(lines[np.argmax(code == names[""])])
            if what == "sample":
                raise nameless(self.source.where, line)
            raise InputError(f"the {what} has no name", "Name it.", where=self.source.where, row=line)
        return tuple(names.index), code

    def _votes(
        self, texts: Sequence[str], lines: NDArray[np.intp], columns: Sequence[int]
    ) -> NDArray[np.int8]:
        """Read values, row after row."""
        return votes_in(
            numbers(texts, _WORDS), texts, lines, [self.header[n] for n in columns], self.source.where
        )

    def _cells(self, batches: Sequence[Batch]) -> list[str]:
        """Put the fields of the other columns one row after the other."""
        rows = (zip(*(batch.columns[n] for n in self.columns.others), strict=True) for batch in batches)
        return list(chain.from_iterable(chain.from_iterable(rows)))

    def _form(self, what: str) -> str:
        kind = DELIMITERS[self.source.delimiter]
        return f"{kind} with {what} (columns {listed(self.header)})"

    def _long(
        self, batches: Sequence[Batch], lines: NDArray[np.intp], samples: _Named, annotators: _Named
    ) -> Opinions:
        concept, value = self.columns.concept or 0, self.columns.value
        fields = list(chain.from_iterable(batch.columns[concept] for batch in batches))
        state = np.ones(lines.size, dtype=np.int8)
        if value is not None:
            texts = list(chain.from_iterable(batch.columns[value] for batch in batches))
            state = self._votes(texts, lines, [value])
        entries = self._labels(fields, lines, several=plain(self.header[concept]) in CONCEPTS)
        if value is not None:
            self._refuse_values_of_nothing(entries, state, lines)
        sheets, sheet = _sheets(samples, annotators)
        return Opinions(
            where=self.source.where,
            form=self._form("one label in each row" if value is None else "one decision in each row"),
            samples=samples[0],
            annotators=annotators[0],
            sample=sheets[0],
            annotator=sheets[1],
            spellings=entries.spellings,
            places=entries.places,
            sheet=sheet[entries.row],
            code=entries.code.astype(np.intp),
            state=state[entries.row],
            line=lines[entries.row],
            spoken=bool((state != 1).any()),
        )

    def _labels(self, fields: Sequence[str], lines: NDArray[np.intp], *, several: bool) -> Entries:
        """Take labels out of fields: positions of fields stand for samples."""
        known = None if self.reading.names.vocabulary is None else self.reading.names.know
        separator = self.reading.separator
        if not several:
            odd = next((n for n, text in enumerate(fields) if ";" in text or "|" in text), None)
            if known is None and odd is not None:
                raise InputError(
                    f"{fields[odd]!r} looks like several labels, but the column says one in each row",
                    "Call the column 'labels', or read the file with an ontology or a list of concepts.",
                    where=self.source.where,
                    row=int(lines[odd]),
                )
            separator = _NONE
        return entries_of_fields(
            self.source.where,
            lines.tolist(),
            list(map(str, range(len(fields)))),
            fields,
            None,
            separator=separator,
            known=known,
        )

    def _refuse_values_of_nothing(
        self, entries: Entries, state: NDArray[np.int8], lines: NDArray[np.intp]
    ) -> None:
        blank = np.ones(state.size, dtype=bool)
        blank[entries.row] = False
        odd = np.flatnonzero(blank & (state != MISSING))
        if odd.size:
            raise InputError(
                "a value, but no concept", "Name it.", where=self.source.where, row=int(lines[odd[0]])
            )

    def _concepts_in_columns(
        self, batches: Sequence[Batch], lines: NDArray[np.intp], samples: _Named, annotators: _Named
    ) -> Opinions:
        columns = self.columns.others
        if not columns:
            raise InputError("no column for concepts", _HOW, where=self.source.where, row=1)
        state = self._votes(self._cells(batches), lines, columns).reshape(lines.size, len(columns))
        sheets, sheet = _sheets(samples, annotators)
        again = np.flatnonzero(np.bincount(sheet) > 1)
        if again.size:
            one, other = lines[np.flatnonzero(sheet == again[0])[:2]].tolist()
            who, what = annotators[0][sheets[1][again[0]]], samples[0][sheets[0][again[0]]]
            raise InputError(
                f"{who!r} has sample {what!r} in row {one:,} already",
                "Keep one.",
                where=self.source.where,
                row=other,
            )
        return of_votes(
            state,
            lines,
            [self.header[n] for n in columns],
            where=self.source.where,
            form=self._form(f"a column for each concept ({len(columns):,})"),
            names=(samples[0], annotators[0]),
            sheets=(samples[1], annotators[1]),
        )

    def _annotators_in_columns(
        self,
        batches: Sequence[Batch],
        lines: NDArray[np.intp],
        samples: tuple[str, ...],
        sample: NDArray[np.intp],
    ) -> Opinions:
        columns = self.columns.others
        annotators = tuple(self.header[n] for n in columns)
        if len(set(annotators)) < len(annotators):
            twice = sorted({name for name in annotators if annotators.count(name) > 1})
            raise InputError(
                f"columns of the same name: {listed(twice)}", "Keep one.", where=self.source.where, row=1
            )
        cells = self._cells(batches)
        row, who = np.divmod(np.arange(len(cells)), len(columns))
        concept = self.columns.concept
        values = numbers(cells, _WORDS)
        given = np.flatnonzero(values != _BLANK)
        if concept is None and not np.isfinite(values).all():
            given = np.array([n for n, cell in enumerate(cells) if cell.strip()], dtype=np.intp)
            entries = self._labels([cells[n] for n in given.tolist()], lines[row[given]], several=True)
            state, what = np.ones(entries.row.size, dtype=np.int8), "the labels by"
        else:
            decided = self._votes(cells, lines, columns)[given]
            fields = [self.name] * lines.size
            if concept is not None:
                fields = list(chain.from_iterable(batch.columns[concept] for batch in batches))
            named = self._labels(fields, lines, several=False)
            if named.row.size < lines.size:
                line = int(lines[np.setdiff1d(np.arange(lines.size), named.row)[0]])
                raise InputError("the concept has no name", "Name it.", where=self.source.where, row=line)
            entries = replace(named, row=np.arange(given.size, dtype=np.int32), code=named.code[row[given]])
            state, what = decided, "the decisions of"
        sheets, sheet = _sheets((samples, sample[row[given]]), (annotators, who[given]))
        if concept is None:
            _refuse_repeated_rows(self.source.where, samples, sample, lines)
        return Opinions(
            where=self.source.where,
            form=self._form(f"{what} each annotator in a column ({len(columns):,})"),
            samples=samples,
            annotators=annotators,
            sample=sheets[0],
            annotator=sheets[1],
            spellings=entries.spellings,
            places=entries.places,
            sheet=sheet[entries.row],
            code=entries.code.astype(np.intp),
            state=state,
            line=lines[row[given]][entries.row],
            spoken=concept is not None,
        )


_Named = tuple[tuple[str, ...], NDArray[np.intp]]
"""Names, none twice, and the position of one for each row."""

_NONE = "\0"
"""What separates nothing: no text contains it."""


def _sheets(
    samples: _Named, annotators: _Named
) -> tuple[tuple[NDArray[np.intp], NDArray[np.intp]], NDArray[np.intp]]:
    """Number the pairs of a sample and an annotator."""
    key = samples[1] * len(annotators[0]) + annotators[1]
    distinct, which = np.unique(key, return_inverse=True)
    sample, annotator = np.divmod(distinct, max(len(annotators[0]), 1))
    return (sample, annotator), which.astype(np.intp)


def _refuse_repeated_rows(
    where: str, samples: tuple[str, ...], sample: NDArray[np.intp], lines: NDArray[np.intp]
) -> None:
    if len(samples) < sample.size:
        again = int(np.flatnonzero(np.bincount(sample) > 1)[0])
        one, other = lines[np.flatnonzero(sample == again)[:2]].tolist()
        raise InputError(
            f"sample {samples[again]!r} is there already in row {one:,}",
            "Keep one row for each.",
            where=where,
            row=other,
        )


def votes_in(
    values: NDArray[np.float64],
    texts: Sequence[str],
    lines: Sequence[int] | NDArray[np.intp],
    columns: Sequence[str],
    where: str,
) -> NDArray[np.int8]:
    """Take values for what they say.

    Parameters
    ----------
    values
        Numbers, one row after the other.
    texts
        What they are written as.
    lines
        The line of each row.
    columns
        The names of the columns.
    where
        The file.

    Returns
    -------
    ndarray of int
        1, 0, `UNCERTAIN` or `MISSING`.

    Raises
    ------
    InputError
        If there is another value.

    Examples
    --------
    >>> votes_in(np.array([1.0, -1.0]), ["1", "-1"], [2, 3], ["vote"], "memory")
    array([ 1, -1], dtype=int8)
    """
    odd = ~np.isin(values, [1.0, 0.0, float(UNCERTAIN), _BLANK])
    if odd.any():
        row, column = divmod(int(np.argmax(odd)), len(columns))
        raise InputError(
            f"column {columns[column]!r} holds {texts[int(np.argmax(odd))]!r}",
            _REMEDY,
            where=where,
            row=int(lines[row]),
        )
    return np.where(values == _BLANK, MISSING, np.where(odd, 0, values)).astype(np.int8)


def of_votes(
    state: NDArray[np.int8],
    lines: NDArray[np.intp],
    concepts: Sequence[str],
    *,
    where: str,
    form: str,
    names: tuple[tuple[str, ...], tuple[str, ...]],
    sheets: tuple[NDArray[np.intp], NDArray[np.intp]],
) -> Opinions:
    """Take a row of values for each sheet; a row without any is a sample that has not been seen.

    Parameters
    ----------
    state
        Sheets × concepts: what is said.
    lines
        The line of each sheet.
    concepts
        What stands for the concepts.
    where
        The file.
    form
        Its format in words.
    names
        Samples and annotators.
    sheets
        Position of the sample, and of the annotator, for each sheet.

    Returns
    -------
    Opinions
        What the file says.
    """
    seen = np.flatnonzero((state != MISSING).any(axis=1))
    sheet, code = np.nonzero(state[seen])
    return Opinions(
        where=where,
        form=form,
        samples=names[0],
        annotators=names[1],
        sample=sheets[0][seen],
        annotator=sheets[1][seen],
        spellings=tuple(concepts),
        places=("row 1",) * len(concepts),
        sheet=sheet,
        code=code,
        state=state[seen][sheet, code],
        line=lines[seen][sheet],
        header=True,
    )


def _of_one(source: Source, name: str, reading: Reading) -> Opinions:
    """Read a label file, or a table of values, of one annotator."""
    form, rows = recognised(source, reading.input_format)
    columns = form.format in {"columns", "imageclef"}
    scored = columns or form.has_scores
    wanted = replace(reading.wanted(scores=scored), words=_WORDS)
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
    odd = np.flatnonzero(~np.isin(values, [1.0, 0.0, float(UNCERTAIN), _BLANK]))
    if odd.size:
        first = int(odd[0])
        raise InputError(
            f"of {entries.spellings[entries.code[first]]!r} in sample {entries.samples[entries.row[first]]!r} "
            f"{values[first]:g} is said",
            _REMEDY,
            where=where,
            row=None if entries.lines is None else int(entries.lines[first]),
        )
    return np.where(values == _BLANK, MISSING, values).astype(np.int8)
