"""Tables with several annotators, in text, Parquet or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import chain
from types import NoneType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.json_text import load
from ontoeval.core.roles import CONCEPTS, plain
from ontoeval.errors import InputError, listed, shortened
from ontoeval.labels.annotation_columns import (
    ANSWER,
    HOW,
    MISSING,
    OPTIONS,
    WORDS,
    Columns,
    ToldColumns,
    hold_votes,
    nothing_in,
    read_as_nothing,
    refuse_ignored,
    remarks_on_answers,
    votes_in,
)
from ontoeval.labels.cells import Known, is_structure, numbers
from ontoeval.labels.delimited import from_fields
from ontoeval.labels.json_labels import Object, records_in
from ontoeval.labels.parquet import arrow, kinds_of, open_parquet, parquet_explained
from ontoeval.labels.reading import Reading
from ontoeval.labels.sources import DELIMITERS, RowBlock, Source, is_array, is_json, is_parquet
from ontoeval.labels.statements import Codebook, Statements, nameless


@dataclass(frozen=True, eq=False, kw_only=True)
class Opinions:
    """What a file says."""

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
    asked: NDArray[np.intp] | None = None
    decisions: bool = False
    notes: tuple[str, ...] = ()
    guess: str = ""

    @property
    def positive(self) -> bool:
        """Whether nothing is said but that concepts are there, in labels or in values."""
        asked = 0 if self.asked is None else self.asked.size
        return bool((self.state == 1).all() and self.state.size >= self.sample.size * asked)

    def without_nothing(self, known: Callable[[Collection[str]], bool] | None) -> Opinions:
        """Leave out words that stand for an empty cell where labels are."""
        empty = [] if self.header else nothing_in(self.spellings, known)
        codes = [code for code, text in enumerate(self.spellings) if text in empty]
        lost = np.isin(self.code, codes)
        if not lost.any():
            return self
        kept = ~lost
        left = np.setdiff1d(np.arange(len(self.spellings)), codes)
        return replace(
            self,
            spellings=tuple(self.spellings[code] for code in left.tolist()),
            places=tuple(self.places[code] for code in left.tolist()),
            sheet=self.sheet[kept],
            code=np.searchsorted(left, self.code[kept]),
            state=self.state[kept],
            line=self.line[kept],
            notes=(*self.notes, read_as_nothing(empty, int(lost.sum()))),
        )


def settled(files: Sequence[Opinions]) -> tuple[list[Opinions], tuple[str, ...]]:
    """Decide what silence says in files of decisions: alike in all of them."""
    if not any(file.decisions for file in files):
        return list(files), ()
    only = all(file.positive for file in files)
    asked = None if only else np.empty(0, dtype=np.intp)
    note = (
        "all values are 1: what no row speaks of counts as not there"
        if only
        else "not all values are 1: what no row speaks of counts as unknown"
    )
    return [replace(file, asked=asked) if file.decisions else file for file in files], (note,)


def of_votes(
    state: NDArray[np.int8],
    lines: NDArray[np.intp],
    concepts: Sequence[str],
    *,
    where: str,
    form: str,
    names: tuple[tuple[str, ...], tuple[str, ...]],
    sheets: tuple[NDArray[np.intp], NDArray[np.intp]],
    guess: str = "",
) -> Opinions:
    """Take a row of values for each sheet; a row without any is a sample that has not been seen."""
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
        asked=np.arange(len(concepts)),
        guess=guess,
    )


_INDEX = "__index_level_0__"
"""What pandas calls the index of a data frame."""


def as_text(source: Source) -> Source:
    """Write Parquet as CSV."""
    if not is_parquet(source):
        return source
    kinds = kinds_of(source)
    if not set(kinds.values()) <= {"text", "number"}:
        return source
    names = sorted(kinds, key=lambda name: name != _INDEX)
    out = BytesIO()
    with parquet_explained(source.where):
        table = open_parquet(source, names).read(columns=names)
        texts = [field.name for field in table.schema if arrow("pyarrow.types").is_dictionary(field.type)]
        for name in texts:
            place = table.schema.get_field_index(name)
            table = table.set_column(place, name, table[name].cast(arrow().string()))
        table = table.select(names).rename_columns(["" if name == _INDEX else name for name in names])
        arrow("pyarrow.csv").write_csv(table, out)
    return Source(source.where, out.getvalue(), source.digest, line=0)


WRITE = (
    'Write records such as {"sample": "p1", "annotator": "Ann", "labels": ["sky", "sea"]}, with a "value" or '
    "without; or a table, such as CSV."
)
"""How several annotators are written in JSON."""


@dataclass(frozen=True, eq=False)
class AnnotationRows:
    """A table of annotations."""

    where: str
    kind: str
    header: tuple[str, ...]
    read: Callable[[Columns], Iterable[RowBlock]]
    exact: bool = False

    @classmethod
    def of(cls, source: Source) -> AnnotationRows | None:
        """Take a file for a table."""
        if is_json(source.data):
            return _of_json(source)
        table = as_text(source)
        delimiter = table.delimiter if is_text(table) else None
        if delimiter is None:
            return None
        header = tuple(field.strip() for field in table.first(delimiter))
        return cls(
            source.where,
            DELIMITERS[delimiter] if table is source else "Parquet",
            header,
            lambda _: table.below(delimiter).batches(delimiter, len(header)),
        )


def is_text(source: Source) -> bool:
    """Tell whether a file is text that may hold a table."""
    return not (source.files or is_array(source) or is_parquet(source) or is_json(source.data))


def _of_json(source: Source) -> AnnotationRows | None:
    """Take records for rows, and their keys for columns."""
    found = _records(source)
    if found is None:
        return None
    kind, lines, records = found
    header = tuple(dict.fromkeys(key for record in records for key in record))

    def read(columns: Columns) -> Iterable[RowBlock]:
        return [_unfolded(records, lines, header, columns, source.where)]

    return AnnotationRows(source.where, kind, header, read, exact=True)


def _records(source: Source) -> tuple[str, Sequence[int], Sequence[Object]] | None:
    """Find the kind of JSON, and the records with their lines; of one object, with their numbers."""
    numbered = list(source.numbered_lines())
    if len(numbered) > 1 and _is_object(numbered[0][1], source.where):
        found = [load(line, where=source.where, row=number) for number, line in numbered]
        lines = [number for number, _ in numbered]
        return ("JSON Lines", lines, found) if all(isinstance(one, dict) for one in found) else None
    content = load(source.data, where=source.where)
    records = records_in(content)
    if records is None and isinstance(content, dict):
        # A mapping from samples to labels holds lists alone; with a text or a number it is a single record.
        records = [content] if any(isinstance(value, str | int) for value in content.values()) else None
    return None if records is None else ("JSON", range(1, len(records) + 1), records)


def _is_object(line: str, where: str) -> bool:
    try:
        return isinstance(load(line, where=where), dict)
    except InputError:
        return False


def _unfolded(
    records: Sequence[Object], lines: Sequence[int], header: Sequence[str], columns: Columns, where: str
) -> RowBlock:
    """Give each label of a list a row of its own; a list without any says that nothing is there."""
    concept = None if columns.concept is None else header[columns.concept]
    labels = [[""] if concept is None else _listed(record.get(concept)) for record in records]
    lengths = list(map(len, labels))
    line = [number for number, length in zip(lines, lengths, strict=True) for _ in range(length)]
    fields: list[list[str]] = []
    for column, key in enumerate(header):
        if column == columns.concept:
            values = list(chain.from_iterable(labels))
        else:
            each = zip(records, lengths, strict=True)
            values = [record.get(key) for record, length in each for _ in range(length)]
        if column in columns.unused:
            fields.append(
                ["" if isinstance(value, list | dict | NoneType) else str(value) for value in values]
            )
            continue
        wrong: tuple[type, ...] = (list, dict)
        if column in {columns.sample, columns.annotator, columns.concept}:
            wrong = (*wrong, bool)  # it is no name, though Python would write it as one
        if column == columns.concept:
            wrong = (*wrong, NoneType)
        odd = next((row for row, value in enumerate(values) if isinstance(value, wrong)), None)
        if odd is not None:
            held = json.dumps(values[odd])[:80]
            raise InputError(f"{key!r} holds {held}", WRITE, where=where, row=line[odd])
        fields.append(["" if value is None else str(value) for value in values])
    return RowBlock(line, fields)


def _listed(value: object) -> list[object]:
    return (value or [""]) if isinstance(value, list) else [value]


class _Said(NamedTuple):
    """What some fields say, by their positions; the rest is as `Opinions` has it."""

    what: str
    entries: Statements
    state: NDArray[np.int8]
    notes: tuple[str, ...]
    asked: NDArray[np.intp] | None = None
    decisions: bool = False


@dataclass(frozen=True)
class AnnotatorTable:
    """A table with several annotators."""

    rows: AnnotationRows
    columns: Columns
    reading: Reading
    name: str
    told: ToldColumns

    def read(self) -> Opinions:
        """Read all rows at once: what is in them is kept as numbers."""
        batches = list(self.rows.read(self.columns))
        if not batches:
            raise InputError("there is no row below the header", "Write one.", where=self.rows.where)
        lines = np.concatenate([np.asarray(batch.lines, dtype=np.intp) for batch in batches])
        if "" in self._others:
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
        self, batches: Sequence[RowBlock], column: int, lines: NDArray[np.intp], *, what: str = "sample"
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

    def _cells(self, batches: Sequence[RowBlock]) -> list[str]:
        """Put the fields of the other columns one row after the other."""
        rows = (zip(*(batch.columns[n] for n in self.columns.others), strict=True) for batch in batches)
        return list(chain.from_iterable(chain.from_iterable(rows)))

    def _form(self, what: str) -> str:
        unused = [self.rows.header[n] for n in self.columns.unused]
        left_out = f"; not used: {listed(unused)}" if unused else ""
        return f"{self.rows.kind} with {what} (columns {listed(self.rows.header)}{left_out})"

    def _long(
        self, batches: Sequence[RowBlock], lines: NDArray[np.intp], samples: _Named, annotators: _Named
    ) -> Opinions:
        concept, value = self.columns.concept or 0, self.columns.value
        fields = _column(batches, concept)
        state = np.ones(lines.size, dtype=np.int8)
        if value is not None:
            texts = _column(batches, value)
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
        what = "one label in each row" if value is None else "one decision in each row"
        said = _Said(what, entries, state[entries.sample], notes, decisions=value is not None)
        return self._opinions(said, samples, annotators, lines)

    def _opinions(
        self, said: _Said, samples: _Named, annotators: _Named, lines: NDArray[np.intp]
    ) -> Opinions:
        """Put together what is said in fields, each with its sample, annotator and line."""
        sheets, sheet = _sheets(samples, annotators)
        return Opinions(
            where=self.rows.where,
            form=self._form(said.what),
            samples=samples[0],
            annotators=annotators[0],
            sample=sheets[0],
            annotator=sheets[1],
            spellings=said.entries.spellings,
            places=said.entries.places,
            sheet=sheet[said.entries.sample],
            code=said.entries.concept.astype(np.intp),
            state=said.state,
            line=lines[said.entries.sample],
            asked=said.asked,
            decisions=said.decisions,
            notes=said.notes,
        )

    def _refuse_ignored_values(self, batches: Sequence[RowBlock], lines: NDArray[np.intp]) -> None:
        """Refuse to take every row for a label where values that are to be ignored say that some are none."""
        header = self.rows.header
        for column in self.columns.unused:
            if header[column] in self.told.ignored and plain(header[column]) in {*ANSWER, "label"}:
                refuse_ignored(_column(batches, column), lines, header[column], self.rows.where)

    def _labels(self, fields: Sequence[str], lines: NDArray[np.intp], *, several: bool) -> Statements:
        """Take labels out of fields: positions of fields stand for samples."""
        known, separator = self._known, self.reading.separator
        if not several:
            several_in = (n for n, text in enumerate(fields) if ";" in text or "|" in text)
            odd = next((n for n in several_in if not is_structure(fields[n])), None)
            if known is None and odd is not None and not self.rows.exact:
                raise InputError(
                    f"{fields[odd]!r} looks like several labels, but the column says one in each row",
                    "Call the column 'labels', say what separates them (--separator), or read the file with "
                    "an ontology or a list of concepts.",
                    where=self.rows.where,
                    row=int(lines[odd]),
                )
            separator = _NONE
        return from_fields(
            self.rows.where,
            lines.tolist(),
            list(map(str, range(len(fields)))),
            fields,
            None,
            separator=separator,
            known=known,
        )

    def _refuse_values_of_nothing(
        self, entries: Statements, state: NDArray[np.int8], lines: NDArray[np.intp]
    ) -> None:
        blank = np.ones(state.size, dtype=bool)
        blank[entries.sample] = False
        odd = np.flatnonzero(blank & (state != MISSING))
        if odd.size:
            raise InputError(
                "a value, but no concept", "Name it.", where=self.rows.where, row=int(lines[odd[0]])
            )

    def _concepts_in_columns(
        self, batches: Sequence[RowBlock], lines: NDArray[np.intp], samples: _Named, annotators: _Named
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
            self._others,
            where=self.rows.where,
            form=self._form(f"a column for each concept ({len(columns):,})"),
            names=(samples[0], annotators[0]),
            sheets=(samples[1], annotators[1]),
            guess=self._guessed_annotator,
        )

    def _annotators_in_columns(
        self,
        batches: Sequence[RowBlock],
        lines: NDArray[np.intp],
        samples: tuple[str, ...],
        sample: NDArray[np.intp],
    ) -> Opinions:
        annotators = self._others
        if len(set(annotators)) < len(annotators):
            twice = sorted({name for name in annotators if annotators.count(name) > 1})
            raise InputError(
                f"columns of the same name: {listed(twice)}", "Keep one.", where=self.rows.where, row=1
            )
        cells = self._cells(batches)
        concept = self.columns.concept
        if concept is None and not hold_votes(cells, lines, annotators, self.rows.where, self._known):
            given, said = self._labels_by_annotators(cells, lines)
        else:
            fields = [self.name] * lines.size if concept is None else _column(batches, concept)
            given, said = self._votes_by_annotators(cells, lines, fields)
        if concept is None:
            _refuse_repeated_rows(self.rows.where, samples, sample, lines)
        row, who = np.divmod(given, len(annotators))
        return self._opinions(said, (samples, sample[row]), (annotators, who), lines[row])

    def _labels_by_annotators(
        self, cells: Sequence[str], lines: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], _Said]:
        """Find the cells that hold labels, and which."""
        empty = nothing_in(set(cells), self._known)
        given = np.flatnonzero([cell not in empty for cell in cells])
        words = [cell for cell in cells if cell in empty and cell.strip()]
        nothing = [read_as_nothing(set(words), len(words))] if words else []
        of_cells = lines[given // len(self._others)]
        entries = self._labels([cells[n] for n in given.tolist()], of_cells, several=not self.rows.exact)
        what = f"the labels by each annotator in a column ({len(self._others):,})"
        state = np.ones(entries.sample.size, dtype=np.int8)
        return given, _Said(what, entries, state, (*self._guessed_columns(), *nothing))

    def _votes_by_annotators(
        self, cells: Sequence[str], lines: NDArray[np.intp], fields: Sequence[str]
    ) -> tuple[NDArray[np.intp], _Said]:
        """Find the cells that hold a decision, and which; each row is about the concept in its field."""
        votes = self._votes(cells, lines, self.columns.others)
        given = np.flatnonzero(votes != MISSING)
        notes = self._guessed_concept() if self.columns.concept is None else self._guessed_columns()
        named = self._labels(fields, lines, several=False)
        if named.sample.size < lines.size:
            line = int(lines[np.setdiff1d(np.arange(lines.size), named.sample)[0]])
            raise InputError("the concept has no name", "Name it.", where=self.rows.where, row=line)
        code = named.concept[given // len(self._others)]
        entries = replace(named, sample=np.arange(given.size, dtype=np.int32), concept=code)
        what = f"the decisions of each annotator in a column ({len(self._others):,})"
        return given, _Said(what, entries, votes[given], notes, asked=np.empty(0, dtype=np.intp))

    @property
    def _others(self) -> tuple[str, ...]:
        """Names of the columns that are nothing else."""
        return tuple(self.rows.header[n] for n in self.columns.others)

    def _guessed_columns(self) -> tuple[str, ...]:
        """Say that every column that is nothing else is taken for an annotator."""
        guess = f"taken for annotators: {_every(self._others)}; --ignore-column leaves one out"
        return () if self.told.columns else (guess,)

    def _guessed_concept(self) -> tuple[str, ...]:
        """Say that columns are taken for annotators; nothing but the caller or the concepts could tell."""
        what = f"the columns {_every(self._others)} are taken for annotators of the concept {self.name!r}"
        if self._known is not None and not self._known({self.name}):
            raise InputError(
                f"{what}, by which the file is called, but there is no such concept",
                "Call the file by the concept; or say --columns concepts where it holds what one annotator "
                "says, and give the others' files too.",
                where=self.rows.where,
            )
        return () if self.told.columns else (f"{what}; where they are concepts, say --columns concepts",)

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


def _column(batches: Sequence[RowBlock], column: int) -> list[str]:
    return list(chain.from_iterable(batch.columns[column] for batch in batches))


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
