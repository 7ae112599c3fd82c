"""Tables with several annotators: in a column, or one column for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError, listed, shortened
from ontoeval.io.annotation_rows import AnnotationRows
from ontoeval.io.annotator_cells import (
    MISSING,
    WORDS,
    hold_votes,
    nothing_in,
    read_as_nothing,
    refuse_ignored,
    remarks_on_answers,
    votes_in,
)
from ontoeval.io.annotator_columns import ANSWER, HOW, OPTIONS, Columns, Told
from ontoeval.io.codebook import Codebook
from ontoeval.io.entries import Entries, nameless
from ontoeval.io.numbers import numbers
from ontoeval.io.opinions import Opinions, of_votes
from ontoeval.io.reading import Reading
from ontoeval.io.roles import CONCEPTS, plain
from ontoeval.io.separators import Known
from ontoeval.io.tables import Batch
from ontoeval.io.wide import entries_of_fields


@dataclass(frozen=True)
class AnnotatorTable:
    """A table with several annotators."""

    rows: AnnotationRows
    columns: Columns
    reading: Reading
    name: str
    told: Told

    def read(self) -> Opinions:
        """Read all rows at once: what is in them is kept as numbers."""
        batches = list(self.rows.read(self.columns))
        if not batches:
            raise InputError("there is no row below the header", "Write one.", where=self.rows.where)
        lines = np.concatenate([np.asarray(batch.lines, dtype=np.intp) for batch in batches])
        if "" in (self.rows.header[n] for n in self.columns.others):
            raise InputError("a column has no name", "Name every column.", where=self.rows.where, row=1)
        samples, sample = self._named(batches, self.columns.sample, lines)
        if self.columns.one:
            alone = (self.name,), np.zeros(sample.size, dtype=np.intp)
            read = self._concepts_in_columns if self.columns.concept is None else self._long
            return read(batches, lines, (samples, sample), alone)
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
                raise nameless(self.rows.where, line)
            raise InputError(f"the {what} has no name", "Name it.", where=self.rows.where, row=line)
        return tuple(names.index), code

    def _votes(
        self, texts: Sequence[str], lines: NDArray[np.intp], columns: Sequence[int]
    ) -> NDArray[np.int8]:
        """Read values, row after row."""
        return votes_in(
            numbers(texts, WORDS), texts, lines, [self.rows.header[n] for n in columns], self.rows.where
        )

    @property
    def _known(self) -> Known | None:
        """What tells whether texts mean concepts."""
        return None if self.reading.names.vocabulary is None else self.reading.names.know

    def _cells(self, batches: Sequence[Batch]) -> list[str]:
        """Put the fields of the other columns one row after the other."""
        rows = (zip(*(batch.columns[n] for n in self.columns.others), strict=True) for batch in batches)
        return list(chain.from_iterable(chain.from_iterable(rows)))

    def _form(self, what: str) -> str:
        unused = [self.rows.header[n] for n in self.columns.unused]
        left_out = f"; not used: {listed(unused)}" if unused else ""
        return f"{self.rows.kind} with {what} (columns {listed(self.rows.header)}{left_out})"

    def _long(
        self, batches: Sequence[Batch], lines: NDArray[np.intp], samples: _Named, annotators: _Named
    ) -> Opinions:
        concept, value = self.columns.concept or 0, self.columns.value
        fields = list(chain.from_iterable(batch.columns[concept] for batch in batches))
        state = np.ones(lines.size, dtype=np.int8)
        if value is not None:
            texts = list(chain.from_iterable(batch.columns[value] for batch in batches))
            state = self._votes(texts, lines, [value])
        else:
            self._refuse_ignored_values(batches, lines)
        named = plain(self.rows.header[concept]) in CONCEPTS or self.reading.separator is not None
        several = named and not self.rows.exact
        entries = self._labels(fields, lines, several=several)
        notes: tuple[str, ...] = ()
        if value is not None:
            self._refuse_values_of_nothing(entries, state, lines)
        else:
            notes = remarks_on_answers(
                entries.spellings, self._known, self.rows.header[concept], self.rows.where
            )
        sheets, sheet = _sheets(samples, annotators)
        return Opinions(
            where=self.rows.where,
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
            decisions=value is not None,
            notes=notes,
        )

    def _refuse_ignored_values(self, batches: Sequence[Batch], lines: NDArray[np.intp]) -> None:
        """Refuse to take every row for a label where values that are to be ignored say that some are none."""
        header = self.rows.header
        for column in self.columns.unused:
            if header[column] in self.told.ignored and plain(header[column]) in {*ANSWER, "label"}:
                texts = list(chain.from_iterable(batch.columns[column] for batch in batches))
                refuse_ignored(texts, lines, header[column], self.rows.where)

    def _labels(self, fields: Sequence[str], lines: NDArray[np.intp], *, several: bool) -> Entries:
        """Take labels out of fields: positions of fields stand for samples."""
        known, separator = self._known, self.reading.separator
        if not several:
            odd = next((n for n, text in enumerate(fields) if ";" in text or "|" in text), None)
            if known is None and odd is not None and not self.rows.exact:
                raise InputError(
                    f"{fields[odd]!r} looks like several labels, but the column says one in each row",
                    "Call the column 'labels', say what separates them (--separator), or read the file with "
                    "an ontology or a list of concepts.",
                    where=self.rows.where,
                    row=int(lines[odd]),
                )
            separator = _NONE
        return entries_of_fields(
            self.rows.where,
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
                "a value, but no concept", "Name it.", where=self.rows.where, row=int(lines[odd[0]])
            )

    def _concepts_in_columns(
        self, batches: Sequence[Batch], lines: NDArray[np.intp], samples: _Named, annotators: _Named
    ) -> Opinions:
        columns = self.columns.others
        if not columns:
            raise InputError("no column for concepts", HOW, where=self.rows.where, row=1)
        state = self._votes(self._cells(batches), lines, columns).reshape(lines.size, len(columns))
        sheets, sheet = _sheets(samples, annotators)
        again = np.flatnonzero(np.bincount(sheet) > 1)
        if again.size:
            one, other = lines[np.flatnonzero(sheet == again[0])[:2]].tolist()
            who, what = annotators[0][sheets[1][again[0]]], samples[0][sheets[0][again[0]]]
            raise InputError(
                f"{who!r} has sample {what!r} in row {one:,} already",
                f"Keep one. Where it is not he who speaks in both: {OPTIONS}",
                where=self.rows.where,
                row=other,
            )
        return of_votes(
            state,
            lines,
            [self.rows.header[n] for n in columns],
            where=self.rows.where,
            form=self._form(f"a column for each concept ({len(columns):,})"),
            names=(samples[0], annotators[0]),
            sheets=(samples[1], annotators[1]),
            guess=self._guessed_annotator,
        )

    def _annotators_in_columns(
        self,
        batches: Sequence[Batch],
        lines: NDArray[np.intp],
        samples: tuple[str, ...],
        sample: NDArray[np.intp],
    ) -> Opinions:
        columns = self.columns.others
        annotators = tuple(self.rows.header[n] for n in columns)
        if len(set(annotators)) < len(annotators):
            twice = sorted({name for name in annotators if annotators.count(name) > 1})
            raise InputError(
                f"columns of the same name: {listed(twice)}", "Keep one.", where=self.rows.where, row=1
            )
        cells = self._cells(batches)
        row, who = np.divmod(np.arange(len(cells)), len(columns))
        concept = self.columns.concept
        names = [self.rows.header[n] for n in columns]
        notes: list[str] = []
        if concept is None and not hold_votes(cells, lines, names, self.rows.where, self._known):
            empty = nothing_in(set(cells), self._known)
            filled = np.fromiter((cell not in empty for cell in cells), dtype=bool, count=len(cells))
            given = np.flatnonzero(filled)
            words = [cell for cell in cells if cell in empty and cell.strip()]
            notes += self._guessed_columns(names)
            notes += [read_as_nothing(set(words), len(words))] if words else []
            entries = self._labels(
                [cells[n] for n in given.tolist()], lines[row[given]], several=not self.rows.exact
            )
            state, what, asked = np.ones(entries.row.size, dtype=np.int8), "the labels by", None
        else:
            votes = self._votes(cells, lines, columns)
            given = np.flatnonzero(votes != MISSING)
            fields = [self.name] * lines.size
            if concept is None:
                notes += self._guessed_concept(names)
            else:
                notes += self._guessed_columns(names)
                fields = list(chain.from_iterable(batch.columns[concept] for batch in batches))
            named = self._labels(fields, lines, several=False)
            if named.row.size < lines.size:
                line = int(lines[np.setdiff1d(np.arange(lines.size), named.row)[0]])
                raise InputError("the concept has no name", "Name it.", where=self.rows.where, row=line)
            entries = replace(named, row=np.arange(given.size, dtype=np.int32), code=named.code[row[given]])
            state, what, asked = votes[given], "the decisions of", np.empty(0, dtype=np.intp)
        sheets, sheet = _sheets((samples, sample[row[given]]), (annotators, who[given]))
        if concept is None:
            _refuse_repeated_rows(self.rows.where, samples, sample, lines)
        return Opinions(
            where=self.rows.where,
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
            asked=asked,
            notes=tuple(notes),
        )

    def _guessed_columns(self, names: Sequence[str]) -> list[str]:
        """Say that every column that is nothing else is taken for an annotator."""
        guess = f"taken for annotators: {_every(names)}; --ignore-column leaves one out"
        return [] if self.told.columns else [guess]

    def _guessed_concept(self, names: Sequence[str]) -> list[str]:
        """Say that columns are taken for annotators; nothing but the caller or the concepts could tell."""
        what = f"the columns {_every(names)} are taken for annotators of the concept {self.name!r}"
        if self._known is not None and not self._known({self.name}):
            raise InputError(
                f"{what}, by which the file is called, but there is no such concept",
                "Call the file by the concept; or say --columns concepts where it holds what one annotator "
                "says, and give the others' files too.",
                where=self.rows.where,
            )
        return [] if self.told.columns else [f"{what}; where they are concepts, say --columns concepts"]

    @property
    def _guessed_annotator(self) -> str:
        """Say that columns are taken for concepts, where nothing tells."""
        told = not self.columns.one or self.told.columns or self._known is not None
        return "" if told else GUESS


GUESS = (
    "columns are taken for concepts, and files for annotators; where it is the other way round, say "
    "--columns annotators"
)
"""How several tables with a column for each of something are read."""

_Named = tuple[tuple[str, ...], NDArray[np.intp]]
"""Names, none twice, and the position of one for each row."""

_NONE = "\0"
"""What separates nothing: no text contains it."""


def _every(names: Sequence[str]) -> str:
    """Quote all names: that of a column that is no annotator may be the last."""
    return ", ".join(repr(shortened(name)) for name in names)


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
            f"Keep one row for each. Where a column says who speaks: {OPTIONS}",
            where=where,
            row=other,
        )
