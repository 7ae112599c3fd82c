"""Tables with several annotators, in text, Parquet or JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from types import NoneType

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.vocabulary import NOTHING, Vocabulary
from ontoeval.errors import InputError, enumerate_some, shortened
from ontoeval.labels.annotation_columns import (
    ANSWER,
    HOW,
    MISSING,
    OPTIONS,
    WORDS,
    AnnotationColumns,
    NamedColumns,
    are_votes,
    refuse_ignored,
    remarks_on_answers,
    votes_in,
)
from ontoeval.labels.cells import Known, is_structure, numbers
from ontoeval.labels.delimited import from_fields
from ontoeval.labels.formats import DELIMITERS
from ontoeval.labels.json_labels import Object, records_in
from ontoeval.labels.parquet import kinds_of, open_parquet, parquet_explained, texts_of
from ontoeval.labels.reading import LabelFileReader
from ontoeval.labels.sources import NO_ROW, LabelSource, RowBlock, is_array, is_json, is_parquet
from ontoeval.labels.statements import NAMELESS, Codebook, DecoderOptions, Statements, lines_of
from ontoeval.plumbing.column_titles import CONCEPTS, plain
from ontoeval.plumbing.json_text import load

_NO_CONCEPTS = Vocabulary(())


@dataclass(frozen=True, eq=False, kw_only=True)
class AnnotationFile:
    """The statements of a file, and which samples each annotator has seen.

    The values are 1, 0, `UNCERTAIN` or `MISSING`, or none where every statement is a label. Without one
    the spellings at `asked` are absent, or all spellings if `asked` is None.
    """

    where: str
    form: str
    statements: Statements
    seen: tuple[NDArray[np.int32], NDArray[np.int32]]
    asked: NDArray[np.integer] | None = None
    vocabulary: Vocabulary = _NO_CONCEPTS
    decisions: bool = False
    notes: tuple[str, ...] = ()
    guess: str = ""

    @property
    def positive(self) -> bool:
        """Whether no label or value is marked as absent."""
        value, asked = self.statements.value, 0 if self.asked is None else self.asked.size
        ones = value is None or bool((value == 1).all())
        return ones and self.statements.concept.size >= self.seen[0].size * asked


def decide_missing_labels(files: Sequence[AnnotationFile]) -> tuple[list[AnnotationFile], tuple[str, ...]]:
    """Decide what missing labels mean, alike for all files."""
    if not any(file.decisions for file in files):
        return list(files), ()
    only = all(file.positive for file in files)
    asked = None if only else np.empty(0, dtype=np.intp)
    note = (
        "all values are 1: concepts without a row count as absent"
        if only
        else "not all values are 1: concepts without a row count as unknown"
    )
    return [replace(file, asked=asked) if file.decisions else file for file in files], (note,)


def from_votes(
    votes: NDArray[np.float64], found: Statements, *, where: str, form: str, guess: str = ""
) -> AnnotationFile:
    """Statements of a row of values per sample and annotator of `found`; an empty row is an unseen sample."""
    seen = np.flatnonzero((votes != MISSING).any(axis=1))
    row, concept = np.nonzero(votes[seen])
    at = seen[row]
    who = np.zeros_like(found.sample) if found.annotator is None else found.annotator
    statements = replace(
        found,
        sample=found.sample[at],
        concept=concept.astype(np.int32),
        value=votes[at, concept],
        place=None if found.place is None else found.place[at],
        annotator=who[at],
        header=True,
    )
    return AnnotationFile(
        where=where,
        form=form,
        statements=statements,
        seen=(found.sample[seen], who[seen]),
        asked=np.arange(len(found.spellings)),
        guess=guess,
    )


WRITE = (
    'Write records such as {"sample": "p1", "annotator": "Ann", "labels": ["sky", "sea"]}, with a "value" or '
    "without; or a table, such as CSV."
)

_INDEX = "__index_level_0__"  # title that pandas gives the index of a data frame


@dataclass(frozen=True, eq=False)
class AnnotationRows:
    """A table of annotations; `exact` where several labels stand in a list, so that no text holds several."""

    where: str
    kind: str
    header: tuple[str, ...]
    read: Callable[[AnnotationColumns], RowBlock]
    exact: bool = False

    @classmethod
    def from_source(cls, source: LabelSource) -> AnnotationRows | None:
        """Read a file as a table."""
        if is_json(source.data):
            return _of_json(source)
        if is_parquet(source):
            return _of_parquet(source)
        delimiter = source.delimiter if is_text(source) else None
        if delimiter is None:
            return None
        header = tuple(field.strip() for field in source.first(delimiter))

        def read(_: AnnotationColumns) -> RowBlock:
            blocks = list(source.without_header(delimiter).batches(delimiter, len(header)))
            columns = zip(*(block.columns for block in blocks), strict=True)
            lines = lines_of(block.lines for block in blocks).tolist()
            return RowBlock(lines, [list(chain.from_iterable(column)) for column in columns])

        return cls(source.where, DELIMITERS[delimiter], header, read)


def _of_parquet(source: LabelSource) -> AnnotationRows | None:
    kinds = kinds_of(source)
    if not set(kinds.values()) <= {"text", "number"}:
        return None
    names = sorted(kinds, key=lambda name: name != _INDEX)

    def read(_: AnnotationColumns) -> RowBlock:
        with parquet_explained(source.where):
            table = open_parquet(source, names).read(columns=names)
            columns = [texts_of(table[name], name, source.where) for name in names]
        return RowBlock(range(1, len(table) + 1), columns)

    header = tuple("" if name == _INDEX else name.strip() for name in names)
    return AnnotationRows(source.where, "Parquet", header, read)


def is_text(source: LabelSource) -> bool:
    """Whether a file is text that may hold a table."""
    return not (source.files or is_array(source) or is_parquet(source) or is_json(source.data))


def _of_json(source: LabelSource) -> AnnotationRows | None:
    found = _records(source)
    if found is None:
        return None
    kind, lines, records = found
    header = tuple(dict.fromkeys(key for record in records for key in record))
    read = partial(_unfolded, records, lines, header, source.where)
    return AnnotationRows(source.where, kind, header, read, exact=True)


def _records(source: LabelSource) -> tuple[str, Sequence[int], Sequence[Object]] | None:
    """Find the kind of JSON, and its records with their lines, or with their numbers in a single object."""
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
    records: Sequence[Object],
    lines: Sequence[int],
    header: Sequence[str],
    where: str,
    columns: AnnotationColumns,
) -> RowBlock:
    """Give each label of a list a row of its own; an empty list means no label."""
    concept = None if columns.concept is None else header[columns.concept]
    rows: list[tuple[int, Object]] = []
    for line, record in zip(lines, records, strict=True):
        labels = [] if concept is None else _listed(record.get(concept))
        rows += [(line, {**record, str(concept): label}) for label in labels] or [(line, record)]
    fields = []
    for column, key in enumerate(header):
        wrong: tuple[type, ...] = (list, dict)
        if column in {columns.sample, columns.annotator, columns.concept}:
            wrong = (*wrong, bool)  # no name, although Python would format it as one
        if column == columns.concept:
            wrong = (*wrong, NoneType)
        values = [(line, record.get(key)) for line, record in rows]
        odd = next(((line, value) for line, value in values if isinstance(value, wrong)), None)
        if odd is not None and column not in columns.unused:
            raise InputError(f"{key!r} holds {json.dumps(odd[1])[:80]}", WRITE, where=where, row=odd[0])
        fields.append(["" if isinstance(v, list | dict | NoneType) else str(v) for _, v in values])
    return RowBlock([line for line, _ in rows], fields)


def _listed(value: object) -> list[object]:
    return (value or [""]) if isinstance(value, list) else [value]


_Owners = tuple[tuple[str, ...], NDArray[np.int32]]  # names, none twice, and the position of one for each row

_NO_SEPARATOR = "\0"  # a separator that no text contains

_GUESS = "columns are taken for concepts, and files for annotators; otherwise use --columns annotators"


@dataclass(frozen=True, eq=False)
class AnnotatorTable:
    """A table with several annotators, in a column or with one column for each."""

    rows: AnnotationRows
    columns: AnnotationColumns
    reading: LabelFileReader
    name: str
    chosen: NamedColumns

    @cached_property
    def _block(self) -> RowBlock:
        block = self.rows.read(self.columns)
        if not len(block.lines):
            raise self._row_error(f"{NO_ROW} the header", "Write one.", None)
        return block

    @cached_property
    def _lines(self) -> NDArray[np.int32]:
        return np.array(self._block.lines, dtype=np.int32)

    @cached_property
    def _samples(self) -> _Owners:
        return self._enumerate_texts(self.columns.sample)

    @property
    def _other_columns(self) -> tuple[str, ...]:
        return tuple(self.rows.header[n] for n in self.columns.others)

    @property
    def _known_concepts(self) -> Known | None:
        return None if self.reading.names.vocabulary is None else self.reading.names.know

    def read(self) -> AnnotationFile:
        """Read all rows at once, with texts kept as numbers."""
        self._block  # noqa: B018 - a table without rows is refused first
        if "" in self._other_columns:
            raise self._row_error("a column has no name", "Name every column.", 1)
        self._samples  # noqa: B018 - as are samples without names
        columns = self.columns
        if columns.annotator is None and not columns.one:
            return self._annotators_in_columns()
        annotators: _Owners
        if columns.one:
            annotators = (self.name,), np.zeros(self._lines.size, dtype=np.int32)
        else:
            annotators = self._enumerate_texts(columns.annotator or 0, what="annotator")
        read = self._concepts_in_columns if columns.concept is None else self._long
        return read(annotators)

    def _row_error(self, problem: str, remedy: str, row: int | None) -> InputError:
        return InputError(problem, remedy, where=self.rows.where, row=row)

    def _cells(self) -> list[str]:
        """Fields of the other columns, row by row."""
        columns = (self._block.columns[n] for n in self.columns.others)
        return list(chain.from_iterable(zip(*columns, strict=True)))

    def _enumerate_texts(self, column: int, *, what: str = "sample") -> _Owners:
        """Enumerate the texts of a column; no field may be empty."""
        names = Codebook()
        code = names.codes(self._block.columns[column])
        if "" in names:
            line = int(self._lines[np.argmax(code == names[""])])
            if what == "sample":
                raise self._row_error(*NAMELESS, line)
            raise self._row_error(f"the {what} has no name", "Name it.", line)
        return tuple(names.index), code

    def _votes(self, texts: Sequence[str], columns: Sequence[int]) -> NDArray[np.float64]:
        titles = [self.rows.header[n] for n in columns]
        return votes_in(numbers(texts, WORDS), texts, self._lines, titles, self.rows.where)

    def _form(self, what: str) -> str:
        unused = [self.rows.header[n] for n in self.columns.unused]
        left_out = f"; not used: {enumerate_some(unused)}" if unused else ""
        return f"{self.rows.kind} with {what} (columns {enumerate_some(self.rows.header)}{left_out})"

    def _file(
        self, what: str, fields: Statements, rows: NDArray[np.intp], annotators: _Owners
    ) -> AnnotationFile:
        (samples, sample), at = self._samples, fields.sample
        statements = replace(
            fields,
            samples=samples,
            annotators=annotators[0],
            sample=sample[rows[at]],
            annotator=annotators[1][at],
            place=self._lines[rows[at]],
            starts=None,
        )
        seen = sample[rows], annotators[1]
        return AnnotationFile(where=self.rows.where, form=self._form(what), statements=statements, seen=seen)

    def _long(self, annotators: _Owners) -> AnnotationFile:
        concept, value = self.columns.concept or 0, self.columns.value
        header, fields = self.rows.header, self._block.columns[concept]
        votes = None if value is None else self._votes(self._block.columns[value], [value])
        if value is None:
            self._refuse_ignored_values()
        named = plain(header[concept]) in CONCEPTS or self.reading.separator is not None
        found = self._labels(fields, self._lines, several=named and not self.rows.exact)
        rows = np.arange(self._lines.size)
        if votes is not None:
            blank = np.setdiff1d(np.flatnonzero(votes != MISSING), found.sample)
            if blank.size:
                raise self._row_error("a value, but no concept", "Name it.", int(self._lines[blank[0]]))
            found = replace(found, value=votes[found.sample])
            return replace(self._file("one decision in each row", found, rows, annotators), decisions=True)
        notes = remarks_on_answers(found.spellings, self._known_concepts, header[concept], self.rows.where)
        return replace(self._file("one label in each row", found, rows, annotators), notes=notes)

    def _refuse_ignored_values(self) -> None:
        header = self.rows.header
        for column in self.columns.unused:
            if header[column] in self.chosen.ignored and plain(header[column]) in {*ANSWER, "label"}:
                refuse_ignored(self._block.columns[column], self._lines, header[column], self.rows.where)

    def _labels(self, fields: Sequence[str], lines: NDArray[np.int32], *, several: bool) -> Statements:
        """Labels in fields, by the positions of the fields."""
        known, separator = self._known_concepts, self.reading.separator
        if not several:
            several_in = (n for n, text in enumerate(fields) if ";" in text or "|" in text)
            odd = next((n for n in several_in if not is_structure(fields[n])), None)
            if known is None and odd is not None and not self.rows.exact:
                raise self._row_error(
                    f"{fields[odd]!r} looks like several labels, but the column holds one label in each row",
                    "Call the column 'labels', name the separator (--separator), or read the file with "
                    "an ontology or a list of concepts.",
                    int(lines[odd]),
                )
            separator = _NO_SEPARATOR
        names = list(map(str, range(len(fields))))
        source = LabelSource(self.rows.where, b"", "")
        wanted = DecoderOptions(separator=separator, known=known)
        return from_fields(source, lines, names, fields, None, wanted)

    def _concepts_in_columns(self, annotators: _Owners) -> AnnotationFile:
        columns = self.columns.others
        if not columns:
            raise self._row_error("no column for concepts", HOW, 1)
        votes = self._votes(self._cells(), columns).reshape(-1, len(columns))
        (samples, sample), (names, annotator) = self._samples, annotators
        self._refuse_again(
            sample.astype(np.int64) * len(names) + annotator,
            lambda row: f"{names[annotator[row]]!r} has sample {samples[sample[row]]!r}",
            "in row {} already",
            f"Keep one. If the rows are of two annotators, {OPTIONS}",
        )
        guessed = self.columns.one and not self.chosen.columns and self._known_concepts is None
        return from_votes(
            votes,
            Statements(
                samples,
                self._other_columns,
                ("row 1",) * len(columns),
                sample,
                sample,
                place=self._lines,
                annotators=names,
                annotator=annotator,
            ),
            where=self.rows.where,
            form=self._form(f"a column for each concept ({len(columns):,})"),
            guess=_GUESS if guessed else "",
        )

    def _refuse_again(
        self, key: NDArray[np.integer], what: Callable[[int], str], where: str, remedy: str
    ) -> None:
        order = np.argsort(key, kind="stable")
        again = np.flatnonzero(key[order][1:] == key[order][:-1])
        if again.size:
            one, other = order[again[0] : again[0] + 2].tolist()
            problem = f"{what(one)} {where.format(f'{self._lines[one]:,}')}"
            raise self._row_error(problem, remedy, int(self._lines[other]))

    def _annotators_in_columns(self) -> AnnotationFile:
        annotators = self._other_columns
        if len(set(annotators)) < len(annotators):
            twice = sorted({name for name in annotators if annotators.count(name) > 1})
            raise self._row_error(f"columns of the same name: {enumerate_some(twice)}", "Keep one.", 1)
        cells, concept = self._cells(), self.columns.concept
        where, known = self.rows.where, self._known_concepts
        votes = concept is not None or are_votes(cells, self._lines, annotators, where, known)
        read = self._votes_by_annotators if votes else self._labels_by_annotators
        found = read(cells)
        if concept is None:
            samples, sample = self._samples
            self._refuse_again(
                sample,
                lambda row: f"sample {samples[sample[row]]!r}",
                "is there already in row {}",
                f"Keep one row for each. If another column holds the annotators, {OPTIONS}",
            )
        return found

    def _labels_by_annotators(self, cells: Sequence[str]) -> AnnotationFile:
        names = self.reading.names
        nothing = [cell for cell in {*cells} if cell.strip() in NOTHING and names.na == "empty"]
        empty = {cell for cell in nothing if not names.know([cell.strip()])}
        given = np.flatnonzero([bool(cell.strip()) and cell not in empty for cell in cells])
        row, who = np.divmod(given, len(self._other_columns))
        found = self._labels(
            [cells[n] for n in given.tolist()], self._lines[row], several=not self.rows.exact
        )
        what = f"the labels by each annotator in a column ({len(self._other_columns):,})"
        people = self._other_columns, who.astype(np.int32)
        return replace(self._file(what, found, row, people), notes=self._guessed_columns())

    def _votes_by_annotators(self, cells: Sequence[str]) -> AnnotationFile:
        """Find the cells that hold a decision; each row is about the concept in its field, or of the file."""
        votes, concept = self._votes(cells, self.columns.others), self.columns.concept
        given = np.flatnonzero(votes != MISSING)
        notes = self._guessed_concept() if concept is None else self._guessed_columns()
        fields = [self.name] * self._lines.size if concept is None else self._block.columns[concept]
        named = self._labels(fields, self._lines, several=False)
        if named.sample.size < self._lines.size:
            nameless_row = np.setdiff1d(np.arange(self._lines.size), named.sample)[0]
            raise self._row_error("the concept has no name", "Name it.", int(self._lines[nameless_row]))
        row, who = np.divmod(given, len(self._other_columns))
        count = np.arange(given.size, dtype=np.int32)
        found = replace(named, sample=count, concept=named.concept[row], value=votes[given])
        what = f"the decisions of each annotator in a column ({len(self._other_columns):,})"
        owners = self._other_columns, who.astype(np.int32)
        none = np.empty(0, dtype=np.intp)
        return replace(self._file(what, found, row, owners), notes=notes, asked=none)

    def _guessed_columns(self) -> tuple[str, ...]:
        guess = f"taken for annotators: {_every(self._other_columns)}; --ignore-column leaves one out"
        return () if self.chosen.columns else (guess,)

    def _guessed_concept(self) -> tuple[str, ...]:
        """Remark that columns were read as annotators: only the caller or a list of concepts could decide."""
        what = (
            f"the columns {_every(self._other_columns)} are taken for annotators of the concept {self.name!r}"
        )
        if self._known_concepts is not None and not self._known_concepts({self.name}):
            raise self._row_error(
                f"{what}, the name of the file, but this concept does not exist",
                "Name the file after the concept; or use --columns concepts if it holds the labels of one "
                "annotator, and give the files of the others too.",
                None,
            )
        return () if self.chosen.columns else (f"{what}; if they are concepts, use --columns concepts",)


def _every(names: Sequence[str]) -> str:
    """Quote all names: the last may be a column that is no annotator."""
    return ", ".join(repr(shortened(name)) for name in names)
