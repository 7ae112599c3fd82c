"""Tables with several annotators: in a column, or one column for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError, listed
from ontoeval.io.codebook import Codebook
from ontoeval.io.entries import Entries, nameless
from ontoeval.io.numbers import numbers
from ontoeval.io.opinions import BLANK, MISSING, VOTES, WORDS, Opinions, of_votes, votes_in
from ontoeval.io.reading import Reading
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

HOW = (
    "Name the columns 'sample,annotator,concept'; or give one file per annotator; or one column for each "
    "annotator beside 'sample' or 'sample,concept'."
)
"""What to do where nothing says whose labels a file holds."""


class Columns(NamedTuple):
    """Which columns of a table are what.

    Parameters
    ----------
    sample
        Position of the samples.
    annotator
        Position of the annotators.
    concept
        Position of the concepts.
    value
        Position of the values.
    others
        Positions of annotators or concepts, of which each has a column.
    unused
        Positions of what is not read.
    one
        Whether all is said by one annotator.
    """

    sample: int
    annotator: int | None
    concept: int | None
    value: int | None
    others: list[int]
    unused: list[int]
    one: bool = False


def columns_of_header(header: tuple[str, ...], where: str, *, alone: bool) -> Columns | None:
    """Tell what the columns of a table are.

    Parameters
    ----------
    header
        Their names.
    where
        The file, for messages.
    alone
        Whether there is no other file, so that it must hold several annotators.

    Returns
    -------
    Columns or None
        The columns; None for a file of one annotator.

    Raises
    ------
    InputError
        If several columns may be the same, or none is of the samples.

    Examples
    --------
    >>> columns_of_header(("image", "rad_id", "label", "x_min"), "memory", alone=True)
    Columns(sample=0, annotator=1, concept=2, value=None, others=[], unused=[3], one=False)
    """
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
            raise InputError(f"several columns for the {what}: {columns}", HOW, where=where, row=1)
    if not samples:
        if who:
            raise InputError(f"no column for the sample among {listed(header)}", HOW, where=where, row=1)
        return None
    rest = [n for n in range(len(names)) if n not in {*taken, samples[0]}]
    beside = [n for n in rest if says_nothing_of_labels(names[n])]
    votes = sorted({*rest, *answers} - {*beside})
    if who:
        return Columns(
            samples[0],
            who[0],
            concept[0] if concept else None,
            answers[0] if concept and answers else None,
            [] if concept else votes,
            rest if concept else beside,
        )
    by_concept = len(concept) == 1 and names[concept[0]] in CONCEPT and not answers
    if len(votes) > 1 and (by_concept or (alone and not concept)):
        return Columns(samples[0], None, concept[0] if concept else None, None, votes, beside)
    if votes and not (alone or concept):
        return Columns(samples[0], None, None, None, votes, beside, one=True)
    return None


@dataclass(frozen=True)
class AnnotatorTable:
    """A table with several annotators."""

    source: Source
    header: tuple[str, ...]
    columns: Columns
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
        if self.columns.one:
            everywhere = np.zeros(sample.size, dtype=np.intp)
            return self._concepts_in_columns(batches, lines, (samples, sample), ((self.name,), everywhere))
        if self.columns.annotator is None:
            return self._annotators_in_columns(batches, lines, samples, sample)
        annotators, annotator = self._named(batches, self.columns.annotator, lines, what="annotator")
        if self.columns.concept is None:
            return self._concepts_in_columns(batches, lines, (samples, sample), (annotators, annotator))
        return self._long(batches, lines, (samples, sample), (annotators, annotator))

    def _named(
        self, batches: Sequence[Batch], column: int, lines: NDArray[np.intp], *, what: str = "sample"
    ) -> tuple[tuple[str, ...], NDArray[np.intp]]:
        """Give what stands in a column numbers; no field may be empty."""
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
            numbers(texts, WORDS), texts, lines, [self.header[n] for n in columns], self.source.where
        )

    def _cells(self, batches: Sequence[Batch]) -> list[str]:
        """Put the fields of the other columns one row after the other."""
        rows = (zip(*(batch.columns[n] for n in self.columns.others), strict=True) for batch in batches)
        return list(chain.from_iterable(chain.from_iterable(rows)))

    def _form(self, what: str) -> str:
        kind = DELIMITERS[self.source.delimiter]
        unused = [self.header[n] for n in self.columns.unused]
        left_out = f"; not used: {listed(unused)}" if unused else ""
        return f"{kind} with {what} (columns {listed(self.header)}{left_out})"

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
            raise InputError("no column for concepts", HOW, where=self.source.where, row=1)
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
        values = numbers(cells, WORDS)
        given = np.flatnonzero(values != BLANK)
        if concept is None and not np.isin(values, VOTES).all():
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
    """Give the pairs of a sample and an annotator numbers."""
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
