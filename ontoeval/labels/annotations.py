"""Files of annotations: samples, annotators and labels in one table, or one file per annotator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple, TypedDict, Unpack, cast, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.annotators.annotations import Annotations
from ontoeval.core.graphs import AnyOntology, front_door
from ontoeval.core.vocabulary import Vocabulary, common_vocabulary, refuse_alike
from ontoeval.errors import InputError, enumerate_some, one_of, pluralise
from ontoeval.labels.annotation_columns import (
    BLANK,
    HOW,
    MISSING,
    OPTIONS,
    REMEDY,
    UNCERTAIN,
    VOTES,
    WORDS,
    AnnotationColumns,
    NamedColumns,
    columns_of_header,
)
from ontoeval.labels.annotation_tables import (
    WRITE,
    AnnotationFile,
    AnnotationRows,
    AnnotatorTable,
    decide_missing_labels,
    from_votes,
    is_text,
)
from ontoeval.labels.reading import LabelFileReader, LabelOptions
from ontoeval.labels.recognition import parse, recognised
from ontoeval.labels.resolved import resolve
from ontoeval.labels.sources import LabelSource, read_label_source
from ontoeval.labels.statements import Statements
from ontoeval.plumbing.checks import Absent, ColumnsAre, Repeats, Uncertain, as_list
from ontoeval.plumbing.files import FilePath, reading_at_most, short_names
from ontoeval.plumbing.sparse import entries_at, pattern, ranges, row_of_entries, without_entries


def looked_up(file: AnnotationFile, reading: LabelFileReader) -> AnnotationFile:
    """Resolve the concepts of a file: `statements.concept` and `asked` become columns of its vocabulary."""
    found, vocabulary, columns, translated = resolve(file.statements, reading.names, file.where)
    notes = [f"{file.where}: {text}" for text in (file.form, *file.notes)]
    lost = [found.spellings[code] for code in np.flatnonzero(columns < 0).tolist()]
    if lost:
        notes.append(f"{file.where}: left out {len(lost):,} that are no concepts: {enumerate_some(lost)}")
    if translated:
        replaced = enumerate_some(f"{text} as {name}" for text, name in translated.items())
        notes.append(f"{file.where}: read as what they stand for: {replaced}")
    asked = None if file.asked is None else columns[file.asked][columns[file.asked] >= 0]
    return replace(file, statements=found, vocabulary=vocabulary, asked=asked, notes=tuple(notes))


class _Decisions(NamedTuple):
    """The decisions of all files: one row per sheet, one per entry."""

    sheet: NDArray[np.int64]
    sheet_file: NDArray[np.int64]
    entry: NDArray[np.int64]
    column: NDArray[np.int64]
    state: NDArray[np.float64]
    line: NDArray[np.int64]
    entry_file: NDArray[np.int64]


@dataclass(frozen=True)
class MergedAnnotations:
    """The files of one call, with samples, concepts and annotators in common."""

    files: Sequence[AnnotationFile]

    @cached_property
    def concepts(self) -> Vocabulary:
        """The concepts of all files."""
        if len({one.vocabulary for one in self.files}) > 1:
            where = {name: one.where for one in reversed(self.files) for name in one.vocabulary}
            refuse_alike(where, where.__getitem__)
        return common_vocabulary(one.vocabulary for one in self.files)

    @cached_property
    def samples(self) -> dict[str, int]:
        """Numbers of the samples of all files."""
        return self._numbered("sample", [one.statements.samples for one in self.files])

    @cached_property
    def annotators(self) -> dict[str, int]:
        """Numbers of the annotators of all files."""
        return self._numbered("annotator", [one.statements.annotators for one in self.files])

    def _numbered(self, what: str, names: Sequence[Sequence[str]]) -> dict[str, int]:
        """Enumerate names; refuse names that differ only in invisible characters."""
        pairs = list(zip(self.files, names, strict=True))
        where = {name: one.where for one, some in reversed(pairs) for name in some}
        refuse_alike(where, where.__getitem__, what=what)
        return {name: n for n, name in enumerate(dict.fromkeys(chain.from_iterable(names)))}

    def _owner_of_sheet(self, sheet: np.int64) -> tuple[str, str]:
        sample, annotator = divmod(int(sheet), len(self.annotators))
        return list(self.annotators)[annotator], list(self.samples)[sample]

    def annotations(self, uncertain: Uncertain, repeats: Repeats) -> tuple[Annotations, tuple[str, ...]]:
        """Make annotations, with a remark on merged duplicates."""
        concepts = self.concepts
        decisions, merged = self._once(self._decisions(), repeats)
        sheets, place = np.unique(decisions.sheet, return_inverse=True)
        row, shape = np.searchsorted(sheets, decisions.entry), (sheets.size, len(concepts))
        asked = self._implied_absent()
        files = sparse.csr_array(
            (np.ones(place.size, dtype=np.int32), (place, decisions.sheet_file)),
            shape=(sheets.size, len(self.files)),
        )
        self._refuse_sheets_twice(files, asked, decisions, row, sheets)
        there, gap = decisions.state == 1, decisions.state == MISSING
        if uncertain == "present":
            there |= decisions.state == UNCERTAIN
        elif uncertain == "missing":
            gap |= decisions.state == UNCERTAIN
        gaps = _boolean_matrix(row[gap], decisions.column[gap], shape)
        gaps = _with_unasked(gaps, files, asked, row, decisions.column)
        made = Annotations(
            _boolean_matrix(row[there], decisions.column[there], shape),
            gaps,
            concepts,
            tuple(self.samples),
            tuple(self.annotators),
            *np.divmod(sheets, len(self.annotators)),
        )
        return made, merged

    def _implied_absent(self) -> NDArray[np.bool_]:
        """Concepts that each file marks as absent by leaving them out."""
        asked = np.ones((len(self.files), len(self.concepts)), dtype=bool)
        for mask, one in zip(asked, self.files, strict=True):
            if one.asked is not None:
                mask[:] = False
                mask[[self.concepts.index[one.vocabulary[column]] for column in one.asked.tolist()]] = True
        return asked

    def _decisions(self) -> _Decisions:
        parts, width = [], len(self.annotators)
        for which, one in enumerate(self.files):
            found = one.statements
            sample, annotator = (
                np.array([number[name] for name in some], dtype=np.int64)
                for number, some in ((self.samples, found.samples), (self.annotators, found.annotators))
            )
            column = np.array([self.concepts.index[name] for name in one.vocabulary], dtype=np.int64)
            sheet = np.unique(sample[one.seen[0]] * width + annotator[one.seen[1]])
            count = found.concept.size
            who = annotator[0] if found.annotator is None else annotator[found.annotator]
            parts.append(
                _Decisions(
                    sheet,
                    np.full(sheet.size, which),
                    sample[found.sample] * width + who,
                    column[found.concept],
                    np.ones(count) if found.value is None else found.value,
                    np.zeros(count, dtype=np.int64) if found.place is None else found.place.astype(np.int64),
                    np.full(count, which),
                )
            )
        return _Decisions(*(np.concatenate(side) for side in zip(*parts, strict=True)))

    def _once(self, decisions: _Decisions, repeats: Repeats) -> tuple[_Decisions, tuple[str, ...]]:
        cell = decisions.entry * len(self.concepts) + decisions.column
        order = np.argsort(cell, kind="stable")
        before, after = order[:-1], order[1:]
        again = cell[after] == cell[before]
        wrong = again if repeats == "refuse" else again & (decisions.state[after] != decisions.state[before])
        if wrong.any():
            # Of duplicates, the first in the files; the sort is stable.
            second = int(after[wrong].min())
            self._refuse_duplicates(
                decisions, int(before[np.flatnonzero(after == second)[0]]), second, repeats
            )
        if not again.any():
            return decisions, ()
        kept = np.ones(cell.size, dtype=bool)
        kept[after[again]] = False
        entries = {
            name: getattr(decisions, name)[kept]
            for name in ("entry", "column", "state", "line", "entry_file")
        }
        number = int(again.sum())
        return decisions._replace(**entries), (f"duplicates, merged: {pluralise(number, 'time')}",)

    def _refuse_duplicates(self, decisions: _Decisions, first: int, second: int, repeats: Repeats) -> None:
        where, line = self.files[decisions.entry_file[second]].where, int(decisions.line[second])
        before = self.files[decisions.entry_file[first]].where
        place = " in this file" if before == where else f" in {before}"
        place += f", row {int(decisions.line[first]):,}" if decisions.line[first] else ""
        who, sample = self._owner_of_sheet(decisions.entry[second])
        concept = self.concepts[int(decisions.column[second])]
        same = decisions.state[first] == decisions.state[second]
        merge = " Or merge duplicates: --repeats merge." if same and repeats == "refuse" else ""
        raise InputError(
            f"{who!r} decides {concept!r} in sample {sample!r} again{'' if same else ', differently'}, "
            f"as already{place}",
            f"Keep one.{merge}",
            where=where,
            row=line or None,
        )

    def _refuse_sheets_twice(
        self,
        files: sparse.csr_array,
        asked: NDArray[np.bool_],
        decisions: _Decisions,
        row: NDArray[np.intp],
        sheets: NDArray[np.int64],
    ) -> None:
        """Refuse sheets in several files where one leaves out a concept that another decides."""
        several = np.diff(files.indptr) > 1
        if not several.any():
            return
        every = np.array([one.asked is None for one in self.files])
        wrong = several & (files @ every.astype(np.int32) > 0)
        if not wrong.any():
            rows = np.flatnonzero(several)
            place = np.cumsum(several) - 1
            asks = sparse.csr_array(files[rows] @ sparse.csr_array(asked, dtype=np.int32))
            wrong[rows[row_of_entries(asks)[asks.data > 1]]] = True
            entries = np.flatnonzero(several[row])
            others = entries_at(asks, place[row[entries]], decisions.column[entries])
            own = asked[decisions.entry_file[entries], decisions.column[entries]]
            wrong[row[entries[others > own]]] = True
        if wrong.any():
            sheet = sheets[int(np.argmax(wrong))]
            where = [self.files[n].where for n in decisions.sheet_file[decisions.sheet == sheet].tolist()]
            who, sample = self._owner_of_sheet(sheet)
            raise InputError(
                f"{who!r} has labels of sample {sample!r} in {enumerate_some(where)}", "Keep one of them."
            )


def _boolean_matrix(
    rows: NDArray[np.integer], columns: NDArray[np.integer], shape: tuple[int, int]
) -> sparse.csr_array:
    return pattern(sparse.csr_array((np.ones(rows.size, dtype=bool), (rows, columns)), shape=shape))


def _with_unasked(
    gaps: sparse.csr_array,
    files: sparse.csr_array,
    asked: NDArray[np.bool_],
    row: NDArray[np.intp],
    column: NDArray[np.int64],
) -> sparse.csr_array:
    """Also mark as unknown the concepts without an entry that no file of a sheet asks."""
    several = np.flatnonzero(np.diff(files.indptr) > 1)
    alike, which = np.unique(files[several].toarray() > 0, axis=0, return_inverse=True)
    silent = np.concatenate([~asked, *(~asked[some].any(axis=0)[None] for some in alike)])
    kind = files.indices[files.indptr[:-1]].astype(np.intp)
    kind[several] = len(asked) + which.ravel()
    if not silent[np.unique(kind)].any():
        return gaps
    of_kind = sparse.csr_array(silent)
    lengths = np.diff(of_kind.indptr)[kind]
    columns = of_kind.indices[ranges(of_kind.indptr[kind].astype(np.intp), lengths.astype(np.intp))]
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    marks = np.ones(columns.size, dtype=bool)
    unasked = sparse.csr_array((marks, columns, indptr), shape=gaps.shape)
    if silent[kind[row], column].any():
        unasked = without_entries(unasked, _boolean_matrix(row, column, gaps.shape))
    return pattern(gaps + unasked)


RECORDS = f"{WRITE} Parquet is read without lists. Or give one file per annotator."


def opinions_of(
    path: FilePath, name: str, reading: LabelFileReader, *, alone: bool, chosen: NamedColumns
) -> AnnotationFile:
    """Read one file."""
    source = read_label_source(path)
    rows = AnnotationRows.from_source(source) if reading.input_format is None else None
    if rows is not None:
        found, chosen = _columns(rows.header, source.where, name, reading, alone=alone, chosen=chosen)
        if found is not None and not (found.one and rows.exact):
            return AnnotatorTable(rows, found, reading, name, chosen).read()
    text = is_text(source)
    if alone and chosen.columns != "concepts":
        raise InputError(
            "the annotator of these labels is unknown", HOW if text else RECORDS, where=source.where
        )
    try:
        return _of_one(source, name, reading)
    except InputError as error:
        # Wrong names of columns look like many other mistakes.
        remedy = f"{error.remedy} {f'Of tables, {OPTIONS}' if text else RECORDS}"
        raise InputError(error.problem, remedy, where=source.where, row=error.row) from error


def _columns(
    header: tuple[str, ...],
    where: str,
    name: str,
    reading: LabelFileReader,
    *,
    alone: bool,
    chosen: NamedColumns,
) -> tuple[AnnotationColumns | None, NamedColumns]:
    """Find the roles of the columns; known concepts decide between two readings."""
    found = columns_of_header(header, where, alone=alone, chosen=chosen)
    names = reading.names
    if found is not None and found.one and chosen.columns is None and names.vocabulary is not None:
        known = any(names.know({header[n]}) for n in found.others)
        if not known and names.know({name}):
            chosen = chosen._replace(columns="annotators")
            return columns_of_header(header, where, alone=alone, chosen=chosen), chosen
    return found, chosen


def _of_one(source: LabelSource, name: str, reading: LabelFileReader) -> AnnotationFile:
    form, rows = recognised(source, reading.input_format)
    columns = form.format in {"columns", "imageclef"}
    wanted = replace(reading.decoder_options(scores=columns or form.score is not None), words=WORDS)
    found = parse(rows, form, wanted)
    called = f"{replace(form, **found.seen)}, of {name!r}"
    votes = None if found.value is None else _votes(found, source.where)
    samples = np.arange(len(found.samples), dtype=np.int32)
    found = replace(found, value=votes, annotators=(name,))
    if columns and votes is not None:
        found = replace(found, sample=samples, place=None)
        return from_votes(votes.reshape(samples.size, -1), found, where=source.where, form=called)
    seen = samples, np.zeros_like(samples)
    return AnnotationFile(
        where=source.where, form=called, statements=found, seen=seen, decisions=votes is not None
    )


def _votes(found: Statements, where: str) -> NDArray[np.float64]:
    values = np.empty(0) if found.value is None else found.value
    odd = np.flatnonzero(~np.isin(values, VOTES))
    if odd.size:
        first = int(odd[0])
        raise InputError(
            f"{found.spellings[found.concept[first]]!r} has the value {values[first]:g} in sample "
            f"{found.samples[found.sample[first]]!r}",
            REMEDY,
            where=where,
            row=None if found.place is None else int(found.place[first]),
        )
    return np.where(values == BLANK, MISSING, values)


class AnnotationKeywords(TypedDict, total=False):
    """The options of `read_annotations`."""

    concepts: FilePath | Iterable[str] | None
    concept_map: FilePath | Mapping[str, str] | None
    input_format: str | None
    separator: str | None
    unknown: str
    na: Absent
    uncertain: Uncertain
    sample_column: str | None
    annotator_column: str | None
    concept_column: str | None
    ignore_columns: Iterable[str]
    columns: ColumnsAre | None
    repeats: Repeats
    max_bytes: int | None


@dataclass(frozen=True, eq=False)
class AnnotationFiles:
    """Annotations that have been read.

    Parameters
    ----------
    annotations
        What each annotator says of each sample.
    notes
        What was not taken as it is written, in words.
    """

    annotations: Annotations
    notes: tuple[str, ...]


@front_door
def read_annotations(  # noqa: PLR0913 - one for each option
    *sources: FilePath,
    ontology: AnyOntology | None = None,
    concepts: FilePath | Iterable[str] | None = None,
    concept_map: FilePath | Mapping[str, str] | None = None,
    input_format: str | None = None,
    separator: str | None = None,
    unknown: str = "error",
    na: Absent = "error",
    uncertain: Uncertain = "missing",
    sample_column: str | None = None,
    annotator_column: str | None = None,
    concept_column: str | None = None,
    ignore_columns: Iterable[str] = (),
    columns: ColumnsAre | None = None,
    repeats: Repeats = "refuse",
    max_bytes: int | None = None,
) -> Annotations:
    r"""Read the annotations of several annotators of the same samples.

    The header determines the layout:

    - sample, annotator, concept: one label in each row, or several if the column is called "labels". With a
      column "value" of 1, 0, -1 (uncertain) or nothing (missing), other concepts are unknown, unless all
      values of all files are 1;
    - sample, annotator, and a column of such values for each concept;
    - sample, concept, and a column of such values for each annotator;
    - sample, and for each annotator a column of labels, or of values of the concept named by the file;
    - any file that `read_labels` reads, or a table with a column of values for each concept: the file is
      named by its annotator.

    Concepts without a column in a table of values are unknown there.

    Parameters
    ----------
    *sources
        The files.
    ontology
        Has the concepts that may be labels; see `read_labels`.
    concepts
        The concepts that may be labels; see `read_labels`.
    concept_map
        Translates labels; see `read_labels`.
    input_format
        One of `ontoeval.labels.formats.FORMATS`, for files of one annotator that are not recognised.
    separator
        What separates labels in one field; see `read_labels`.
    unknown
        "error", or "drop" to leave out labels that are no concepts.
    na
        Names such as NA, NaN and null; see `read_labels`.
    uncertain
        Meaning of -1: the concept is "missing" (as if not asked), "absent", or "present".
    sample_column
        Column of the samples, where its name is unusual.
    annotator_column
        Column of the annotators.
    concept_column
        Column of the concepts.
    ignore_columns
        Names of columns that are not read.
    columns
        Remaining columns are "annotators" (file name = concept; default for one file) or "concepts" (file
        name = annotator; default for several).
    repeats
        Duplicate annotations: "refuse" or "merge". Contradictions are always refused.
    max_bytes
        Largest size of each unpacked file; by default 2 GiB.

    Returns
    -------
    Annotations
        Samples and annotators in the order of their first occurrence.

    Raises
    ------
    InputError
        If a file cannot be read as it is, or an annotator gives the same label twice.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "annotations.csv")
    >>> _ = path.write_text(
    ...     "sample,annotator,concept\np1,Ann,sky\np1,Bob,sky\np1,Bob,sea\n", encoding="utf-8"
    ... )
    >>> read_annotations(path).of("Bob").labels_of("p1")
    ('sea', 'sky')
    """
    given = locals()
    return read_annotation_files(*given.pop("sources"), **given).annotations


@front_door
def read_annotation_files(
    *sources: FilePath, ontology: AnyOntology | None = None, **options: Unpack[AnnotationKeywords]
) -> AnnotationFiles:
    """Read annotations, with notes on how they were read.

    Parameters
    ----------
    *sources
        The files.
    ontology
        Has the concepts that may be labels.
    **options
        The options of `read_annotations`.
    """
    uncertain, repeats = options.pop("uncertain", "missing"), options.pop("repeats", "refuse")
    one_of("uncertain", uncertain, get_args(Uncertain))
    one_of("repeats", repeats, get_args(Repeats))
    ignored = options.pop("ignore_columns", ())
    roles = {
        "sample": options.pop("sample_column", None),
        "annotator": options.pop("annotator_column", None),
        "concept": options.pop("concept_column", None),
    }
    named = {role: column for role, column in roles.items() if column is not None}
    chosen = NamedColumns(named, tuple(as_list(ignored)), options.pop("columns", None))
    if chosen.columns is not None:
        one_of("columns", chosen.columns, get_args(ColumnsAre))
    if not sources:
        raise InputError("no file of annotations is named", "Name one or more.")
    reading = LabelFileReader.from_options(
        ontology, cast(LabelOptions, options)
    )  # the others have been taken out
    with reading_at_most(options.get("max_bytes")):
        files, silence = decide_missing_labels(
            [
                opinions_of(path, name, reading, alone=len(sources) == 1, chosen=chosen)
                for path, name in zip(sources, short_names(sources), strict=True)
            ]
        )
    resolved = [looked_up(file, reading) for file in files]
    annotations, merged = MergedAnnotations(resolved).annotations(uncertain, repeats)
    notes = (note for one in resolved for note in one.notes)
    guesses = dict.fromkeys(file.guess for file in files if file.guess)
    return AnnotationFiles(annotations, (*notes, *guesses, *silence, *merged))
