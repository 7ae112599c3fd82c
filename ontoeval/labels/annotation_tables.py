"""Tables with several annotators, in text, Parquet or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, compress
from types import NoneType
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.gate import Known
from ontoeval.core.vocabulary import NOTHING
from ontoeval.errors import InputError, enumerate_some, shortened
from ontoeval.labels.annotation_columns import (
    ANSWER,
    HOW,
    MISSING,
    OPTIONS,
    AnnotationColumns,
    are_votes,
    refuse_ignored,
    remarks_on_answers,
    votes_in,
)
from ontoeval.labels.delimited import from_fields
from ontoeval.labels.formats import DELIMITERS, PARQUET, Recognised
from ontoeval.labels.json_labels import Object, records_in
from ontoeval.labels.ledger import Ledger
from ontoeval.labels.parquet import kinds_of, open_parquet, parquet_explained, texts_of
from ontoeval.labels.reading import LabelFileReader
from ontoeval.labels.recognition import form_by_header, remarks_before
from ontoeval.labels.resolved import Contents, contents_of
from ontoeval.labels.sources import NO_ROW, LabelSource, is_json, is_parquet, is_text
from ontoeval.labels.statements import (
    NAMELESS,
    NO_LABEL,
    Codebook,
    DecoderOptions,
    Statements,
    lines_of,
    sorted_repeats,
)
from ontoeval.plumbing.column_titles import is_plural, normalise_title
from ontoeval.plumbing.json_text import load
from ontoeval.plumbing.list_texts import BETWEEN
from ontoeval.plumbing.sparse import ranges

WRITE = (
    'Write records such as {"sample": "p1", "annotator": "Ann", "labels": ["sky", "sea"]}, with a "value" or '
    "without; or a table, such as CSV."
)


class RawTable(NamedTuple):
    """The texts of a table, with the roles of its columns."""

    kind: str
    delimiter: str | None
    header: tuple[str, ...]
    columns: AnnotationColumns
    lines: NDArray[np.int32]
    texts: Sequence[Sequence[str]]
    nulls: tuple[int, ...] = ()
    remarks: int = 0


FindColumns = Callable[[tuple[str, ...]], AnnotationColumns | None]


def table_of(source: LabelSource, find: FindColumns, *, header: bool) -> RawTable | None:
    """Read a file as a table with the columns that are found in its header, or by number."""
    if is_json(source.data):
        return _of_json(source, find)
    if is_parquet(source):
        return _of_parquet(source, find)
    return _of_text(source, find, headed=header) if is_text(source) else None


def _of_text(source: LabelSource, find: FindColumns, *, headed: bool) -> RawTable | None:
    def in_header(titles: Sequence[str], delimiter: str | None) -> RawTable | None:
        header = tuple(map(str.strip, titles))
        found = find(header)
        if found is None:
            return None
        return RawTable(DELIMITERS[delimiter], delimiter, header, found, np.empty(0, np.int32), ())

    headed_rows = form_by_header(source, in_header, header=headed)
    if headed_rows is None:
        return None
    table, rows = headed_rows
    blocks = list(rows.batches(table.delimiter, len(table.header)))
    columns = zip(*(block.columns for block in blocks), strict=True)
    texts = [list(chain.from_iterable(column)) for column in columns]
    remarks = remarks_before(source, rows)
    return table._replace(lines=lines_of(block.lines for block in blocks), texts=texts, remarks=remarks)


def _of_parquet(source: LabelSource, find: FindColumns) -> RawTable | None:
    kinds = kinds_of(source)
    header, names = tuple(map(str.strip, kinds)), [*kinds]
    found = find(header) if set(kinds.values()) <= {"text", "number"} else None
    if found is None:
        return None
    with parquet_explained(source.where):
        table = open_parquet(source, names).read(columns=names)
        texts = [texts_of(table[name], name) for name in names]
        nulls = tuple(table[name].null_count for name in names)
    lines = np.arange(1, len(table) + 1, dtype=np.int32)
    return RawTable("Parquet", PARQUET, header, found, lines, texts, nulls)


def _of_json(source: LabelSource, find: FindColumns) -> RawTable | None:
    """Write the values of records as texts; the labels of a list stay apart, and an empty one is no label."""
    kind, lines, records = objects(source)
    header = tuple(dict.fromkeys(key for record in records for key in record))
    found = find(header) if records else None
    if found is None or found.one:  # a label file
        return None
    names = {found.sample: (bool,), found.annotator: (bool,), found.concept: (bool,)}
    texts, nulls = [], []
    for column, key in enumerate(header):
        wrong = (list, dict, *names.get(column, ()))  # Python would format a truth value as a name
        cells = [record.get(key) for record in records]
        items = [cell if column == found.concept and isinstance(cell, list) else [cell] for cell in cells]
        odd = ((n, item) for n, some in enumerate(items) for item in some if isinstance(item, wrong))
        if column not in found.unused and (first := next(odd, None)):
            problem = f"{key!r} holds {json.dumps(first[1])[:80]}"
            raise InputError(problem, WRITE, row=lines[first[0]])
        for line, record, cell in zip(lines, records, cells, strict=True) if column == found.concept else ():
            if key not in record:
                raise InputError(f"a record without {key!r}", WRITE, row=line)
            if isinstance(cell, list) and any(isinstance(item, str) and not item.strip() for item in cell):
                raise InputError(*NO_LABEL, row=line)
        nulls.append(sum(item is None for some in items for item in some))
        written = (["" if isinstance(v, list | dict | NoneType) else str(v) for v in some] for some in items)
        texts.append(list(map(BETWEEN.join, written)))
    return RawTable(kind, None, header, found, np.array(lines, dtype=np.int32), texts, tuple(nulls))


def objects(source: LabelSource) -> tuple[str, Sequence[int], Sequence[Object]]:
    """Find the kind of JSON, and its records with their lines, or with their numbers in a single object."""
    numbered = list(source.numbered_lines())
    if len(numbered) > 1 and _is_object(numbered[0][1]):
        found = [load(line, row=number) for number, line in numbered]
        objects = all(isinstance(one, dict) for one in found)
        return "JSON Lines", [number for number, _ in numbered], found if objects else []
    content = load(source.data)
    records = records_in(content)
    if records is None and isinstance(content, dict):
        # A mapping from samples to labels holds lists alone; with a text or a number it is a single record.
        records = [content] if any(isinstance(value, str | int) for value in content.values()) else None
    return "JSON", range(1, len(records or ()) + 1), records or []


def _is_object(line: str) -> bool:
    try:
        return isinstance(load(line), dict)
    except InputError:
        return False


RowNumbers = NDArray[np.integer]
Owners = tuple[tuple[str, ...], RowNumbers]  # names, none twice, and the position of one for each row

_NO_SEPARATOR = "\0"  # a separator that no text contains

_GUESS = "columns are taken for concepts, and files for annotators; otherwise use --columns annotators"


@dataclass(frozen=True, eq=False, kw_only=True)
class AnnotationFile(Contents):
    """The resolved statements of a file, with values 1, 0 or `UNCERTAIN`; without values all are labels.

    `seen` are pairs of a sample and an annotator; `absent`: whether concepts without a statement are
    absent, and not unknown; `positive`: all values are 1, and none is missing.
    """

    seen: tuple[RowNumbers, RowNumbers]
    absent: bool
    positive: bool
    decisions: bool = False
    owner: str = ""
    remarks: tuple[str, ...] = ()
    guess: str = ""

    @classmethod
    def from_statements(
        cls,
        found: Statements,
        form: Recognised,
        where: str,
        reading: LabelFileReader,
        seen: tuple[RowNumbers, RowNumbers],
    ) -> AnnotationFile:
        """Resolve the concepts of statements, and leave out those without an answer."""
        value = found.value
        if value is not None:
            found = found.select(value != MISSING)
        contents = contents_of(found, form, reading.names, where, layout=reading.layout)
        positive, unit = value is None or bool((value == 1).all()), "label" if value is None else "answer"
        resolved = {**vars(contents), "unit": unit}
        return cls(**resolved, seen=seen, absent=value is None, positive=positive)

    def _notes(self) -> Iterator[str]:
        yield from (f"{self.format}{self.owner}", *self.remarks)
        yield from super()._notes()


@dataclass(frozen=True, eq=False)
class AnnotatorTable:
    """A table with several annotators, in a column or with one column for each."""

    raw: RawTable
    where: str
    reading: LabelFileReader
    name: str
    ignored: tuple[str, ...]
    several: bool = False
    """Whether fields with labels hold several, whatever their title is."""

    @cached_property
    def _samples(self) -> Owners:
        return self._enumerate_texts(self.raw.columns.sample, *NAMELESS)

    @property
    def _known_concepts(self) -> Known | None:
        return self.reading.names.known

    @property
    def _other_columns(self) -> tuple[str, ...]:
        return tuple(self.raw.header[n] for n in self.raw.columns.others)

    def read(self) -> AnnotationFile:
        """Read all rows at once, with texts kept as numbers."""
        columns = self.raw.columns
        if not self.raw.lines.size:
            raise InputError(f"{NO_ROW} the header", "Write one.")
        if "" in self._other_columns:
            raise InputError("a column has no name", "Name every column.", row=1)
        self._samples  # noqa: B018 - samples without names are refused first
        if columns.annotator is None and not columns.one:
            return self._annotators_in_columns()
        people: Owners = (self.name,), np.zeros(self.raw.lines.size, dtype=np.int32)
        if columns.annotator is not None:
            people = self._enumerate_texts(columns.annotator, "the annotator has no name", "Name it.")
        return self._concepts_in_columns(people) if columns.concept is None else self._long(people)

    def _enumerate_texts(self, column: int, problem: str, remedy: str) -> Owners:
        """Enumerate the texts of a column; no field may be empty."""
        names = Codebook()
        code = names.codes(self.raw.texts[column])
        if "" in names:
            raise InputError(problem, remedy, row=int(self.raw.lines[np.argmax(code == names[""])]))
        return tuple(names.index), code

    def _cells(self, columns: Sequence[int]) -> list[str]:
        """Fields of some columns, row by row."""
        return list(chain.from_iterable(zip(*(self.raw.texts[n] for n in columns), strict=True)))

    def _votes(self, columns: Sequence[int], hint: str = "") -> NDArray[np.float64]:
        titles = [self.raw.header[n] for n in columns]
        return votes_in(self._cells(columns), self.raw.lines, titles, hint)

    def _labels(self, fields: Sequence[str], rows: RowNumbers, *, several: bool) -> Statements:
        """Labels in fields, each of which is of a row, by the positions of the fields."""
        exact = self.raw.delimiter is None
        separator = BETWEEN if exact else self.reading.layout.separator if several else _NO_SEPARATOR
        options = DecoderOptions(separator=separator, known=self._known_concepts)
        source, lines = LabelSource(self.where, b"", ""), self.raw.lines[rows]
        found = from_fields(source, lines, list(map(str, range(len(fields)))), fields, None, options)
        return replace(found, seen=found.seen if several and not exact else {})

    def _resolved(self, what: str, found: Statements, rows: RowNumbers, people: Owners) -> AnnotationFile:
        """Resolve statements of fields, each of which is of a row and of an annotator."""
        (samples, sample), (annotators, annotator), at = self._samples, people, found.sample
        statements = replace(
            found,
            samples=samples,
            annotators=annotators,
            sample=sample[rows[at]].astype(np.int32),
            annotator=annotator[at].astype(np.int32),
            place=self.raw.lines[rows[at]],
            starts=None,
        )
        unused = tuple(self.raw.header[n] for n in self.raw.columns.unused)
        words = f"{self.raw.kind} with {what} ({{columns}}{{unused}})"
        form = Recognised(
            "wide" if found.seen else "long",
            self.raw.delimiter,
            self.raw.header,
            unused=unused,
            lists=self.raw.delimiter is None,
            remarks=self.raw.remarks,
            words=words,
        )
        seen = sample[rows], annotator
        return AnnotationFile.from_statements(statements, form, self.where, self.reading, seen)

    def _with_values(self, found: Statements, votes: NDArray[np.float64], rows: RowNumbers) -> Statements:
        """Attach the value of each field to its labels; refuse a value without a label."""
        blank = (votes != MISSING) & (np.bincount(found.sample, minlength=votes.size) == 0)
        if blank.any():
            line = int(self.raw.lines[rows[np.argmax(blank)]])
            raise InputError("a value, but no concept", "Name the concept.", row=line)
        return replace(found, value=votes[found.sample])

    def _long(self, people: Owners) -> AnnotationFile:
        concept, value = self.raw.columns.concept or 0, self.raw.columns.value
        title, rows = self.raw.header[concept], np.arange(self.raw.lines.size)
        several = self.several or is_plural(title)
        several |= self.reading.layout.separator is not None
        votes = None if value is None else self._votes([value])
        header = self.raw.header
        for column in self.raw.columns.unused if votes is None else ():
            if header[column] in self.ignored and normalise_title(header[column]) in {*ANSWER, "label"}:
                refuse_ignored(self.raw.texts[column], self.raw.lines, header[column])
        found = self._labels(self.raw.texts[concept], rows, several=several)
        found = replace(found, ledger=Ledger(sum(self.raw.nulls[concept : concept + 1])))
        if votes is not None:
            found = self._with_values(found, votes, rows)
            return replace(self._resolved("one decision in each row", found, rows, people), decisions=True)
        remarks = remarks_on_answers(found.spellings, self._known_concepts, title)
        return replace(self._resolved("one label in each row", found, rows, people), remarks=remarks)

    def _concepts_in_columns(self, people: Owners) -> AnnotationFile:
        columns, width = self.raw.columns, len(self._other_columns)
        if not width:
            raise InputError("no column for concepts", HOW, row=1)
        votes = self._votes(columns.others).reshape(-1, width)
        (samples, sample), (names, annotator) = self._samples, people
        self._refuse_again(
            sample.astype(np.int64) * len(names) + annotator,
            lambda row: f"{names[annotator[row]]!r} has sample {samples[sample[row]]!r}",
            f"Keep one. If the rows are of two annotators, {OPTIONS}",
        )
        rows = np.flatnonzero((votes != MISSING).any(axis=1))  # an empty row is an unseen sample
        row = np.repeat(np.arange(rows.size, dtype=np.int32), width)
        concept = np.tile(np.arange(width, dtype=np.int32), rows.size)
        places = ("row 1",) * width
        found = Statements((), self._other_columns, places, row, concept, votes[rows].ravel(), header=True)
        what = f"a column for each concept ({width:,})"
        guess = _GUESS if columns.one and columns.guessed and self._known_concepts is None else ""
        return replace(self._resolved(what, found, rows, (names, annotator[rows])), guess=guess)

    def _refuse_again(self, key: RowNumbers, what: Callable[[int], str], remedy: str) -> None:
        order, again = sorted_repeats(key)
        if again.any():
            one, other = order[np.argmax(again) - 1 : np.argmax(again) + 1].tolist()
            problem = f"{what(one)} already in row {self.raw.lines[one]:,}"
            raise InputError(problem, remedy, row=int(self.raw.lines[other]))

    def _annotators_in_columns(self) -> AnnotationFile:
        annotators, concept = self._other_columns, self.raw.columns.concept
        if len(set(annotators)) < len(annotators):
            twice = sorted({name for name in annotators if annotators.count(name) > 1})
            raise InputError(f"columns of the same name: {enumerate_some(twice)}", "Keep one.", row=1)
        if concept is not None:
            return self._votes_by_annotators(self.raw.texts[concept], self._guessed_columns())
        samples, sample = self._samples
        self._refuse_again(
            sample,
            lambda row: f"sample {samples[sample[row]]!r} is there",
            f"Keep one row for each. If another column holds the annotators, {OPTIONS}",
        )
        cells = self._cells(self.raw.columns.others)
        if are_votes(cells, len(annotators), self._known_concepts):
            return self._votes_by_annotators([self.name] * self.raw.lines.size, None)
        return self._labels_by_annotators(cells)

    def _given_cells(self, given: NDArray[np.bool_]) -> tuple[RowNumbers, Owners]:
        """Row and annotator of each marked cell."""
        row, who = np.divmod(np.flatnonzero(given), len(self._other_columns))
        return row, (self._other_columns, who)

    def _labels_by_annotators(self, cells: Sequence[str]) -> AnnotationFile:
        names = self.reading.names
        nothing = {cell for cell in {*cells} if cell.strip() in NOTHING and names.na == "empty"}
        unseen = {cell for cell in nothing if not names.are_concepts([cell.strip()])}
        given = [bool(cell.strip()) and cell not in unseen for cell in cells]
        row, people = self._given_cells(np.array(given))
        found = self._labels(list(compress(cells, given)), row, several=True)
        what = f"the labels by each annotator in a column ({len(self._other_columns):,})"
        return replace(self._resolved(what, found, row, people), remarks=self._guessed_columns())

    def _votes_by_annotators(self, fields: Sequence[str], remarks: tuple[str, ...] | None) -> AnnotationFile:
        """Find the cells that hold a decision about the concepts in the fields of the rows."""
        hint = " Where numbers are labels, list them (--concepts)." if remarks is None else ""
        votes = self._votes(self.raw.columns.others, hint)
        if remarks is None:
            remarks = self._guessed_concept()
        named = self._labels(fields, np.arange(len(fields)), several=False)
        row, people = self._given_cells(votes != MISSING)
        count = np.bincount(named.sample, minlength=len(fields))
        labels = ranges(np.cumsum(count)[row] - count[row], count[row])
        cell = np.repeat(np.arange(row.size, dtype=np.int32), count[row])
        found = replace(named.select(labels), sample=cell)
        what = f"the decisions of each annotator in a column ({len(self._other_columns):,})"
        found = self._with_values(found, votes[votes != MISSING], row)
        return replace(self._resolved(what, found, row, people), remarks=remarks)

    def _guessed_columns(self) -> tuple[str, ...]:
        guess = f"taken for annotators: {_quote_all(self._other_columns)}; --ignore-column leaves one out"
        return (guess,) if self.raw.columns.guessed else ()

    def _guessed_concept(self) -> tuple[str, ...]:
        """Remark that columns were read as annotators: only the caller or a list of concepts could decide."""
        columns = _quote_all(self._other_columns)
        what = f"the columns {columns} are taken for annotators of the concept {self.name!r}"
        if self._known_concepts is not None and not self._known_concepts({self.name}):
            raise InputError(
                f"{what}, the name of the file, but this concept does not exist",
                "Name the file after the concept; or use --columns concepts if it holds the labels of one "
                "annotator, and give the files of the others too.",
            )
        return (f"{what}; if they are concepts, use --columns concepts",) if self.raw.columns.guessed else ()


def _quote_all(names: Sequence[str]) -> str:
    """Quote all names: the last may be a column that is no annotator."""
    return ", ".join(repr(shortened(name)) for name in names)
