"""Files of annotations: samples, annotators and labels in one table, or one file per annotator."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain
from typing import NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.annotators.annotations import Annotations
from ontoeval.core.graphs import AnyOntology, front_door
from ontoeval.core.vocabulary import Vocabulary, common_vocabulary, refuse_alike
from ontoeval.errors import InputError, enumerate_some, located, one_of, pluralise
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
from ontoeval.labels.annotation_tables import WRITE, AnnotationFile, AnnotatorTable, objects, table_of
from ontoeval.labels.annotation_tools import form_of_tool
from ontoeval.labels.formats import ColumnNames, Layout, Recognised, named_columns
from ontoeval.labels.json_labels import keys_by_content
from ontoeval.labels.name_resolution import Names
from ontoeval.labels.parquet import kinds_of
from ontoeval.labels.reading import LabelFileReader, read_share_file
from ontoeval.labels.reading_options import (
    Absent,
    AnnotationReading,
    AnnotationRepeats,
    ColumnsAre,
    LabelReading,
    NameOptions,
    Uncertain,
    Unknown,
)
from ontoeval.labels.recognition import form_by_rows, parse, recognised
from ontoeval.labels.resolved import LabelFile
from ontoeval.labels.sources import LabelSource, is_json, is_parquet, is_text, read_label_source
from ontoeval.labels.statements import Statements, sorted_repeats
from ontoeval.ontology.model import Ontology
from ontoeval.plumbing.arrays import Marks, Places
from ontoeval.plumbing.checks import as_list
from ontoeval.plumbing.column_titles import ANNOTATOR, CONCEPT, CONCEPTS, SAMPLE, normalise_title
from ontoeval.plumbing.files import FilePath, reading_at_most, short_names
from ontoeval.plumbing.sparse import pattern_at, without_entries


class _Decisions(NamedTuple):
    """One entry per statement of all files."""

    sheet: NDArray[np.int64]
    column: NDArray[np.int32]
    state: NDArray[np.int8]
    line: NDArray[np.int32]
    file: NDArray[np.int32]


@dataclass(frozen=True)
class MergedAnnotations:
    """The files of one call, with samples, concepts and annotators in common."""

    files: Sequence[AnnotationFile]

    @cached_property
    def concepts(self) -> Vocabulary:
        """The concepts of all files."""
        if len({one.vocabulary for one in self.files}) > 1:
            where = {name: one.source for one in reversed(self.files) for name in one.vocabulary}
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
        where = {name: one.source for one, some in reversed(pairs) for name in some}
        refuse_alike(where, where.__getitem__, what=what)
        return {name: n for n, name in enumerate(dict.fromkeys(chain.from_iterable(names)))}

    def _owner_of_sheet(self, sheet: np.int64) -> tuple[str, str]:
        sample, annotator = divmod(int(sheet), len(self.annotators))
        return list(self.annotators)[annotator], list(self.samples)[sample]

    def annotations(
        self, uncertain: Uncertain, repeats: AnnotationRepeats
    ) -> tuple[Annotations, tuple[str, ...]]:
        """Make annotations, with a remark on merged duplicates."""
        concepts = self.concepts
        seen, decisions = self._decisions()
        decisions, merged = self._merge_duplicates(decisions, repeats)
        sheets, row_of_seen = np.unique(np.concatenate(seen), return_inverse=True)
        unasked = self._unasked_sheets(seen, row_of_seen, sheets)
        row, shape = np.searchsorted(sheets, decisions.sheet), (sheets.size, len(concepts))
        doubtful = decisions.state == UNCERTAIN
        there = (decisions.state == 1) | (doubtful & (uncertain == "present"))
        known = ~doubtful | (uncertain != "missing")
        every = sparse.csr_array(np.array([[False], [True]]).repeat(shape[1], axis=1))
        stated = pattern_at(row[known], decisions.column[known], shape)
        positive = pattern_at(row[there], decisions.column[there], shape)
        unknown = without_entries(every[unasked.astype(int)], stated)
        if unasked.all() and concepts.origin in {"side", "sides"}:
            concepts = concepts.of("columns")
        names = concepts, tuple(self.samples), tuple(self.annotators)
        return Annotations(positive, unknown, *names, *np.divmod(sheets, len(names[2]))), merged

    def _decisions(self) -> tuple[list[NDArray[np.int64]], _Decisions]:
        """Give the sheets of each file, and the statements of all files."""
        seen, parts, width = [], [], len(self.annotators)
        for which, one in enumerate(self.files):
            found, size = one.statements, one.statements.concept.size
            sample, annotator, column = (
                np.array([number[name] for name in some], dtype=np.int64)
                for number, some in (
                    (self.samples, found.samples),
                    (self.annotators, found.annotators),
                    (self.concepts.index, one.vocabulary),
                )
            )
            none = np.zeros(size, dtype=np.int32)
            sheet = sample[one.seen[0]] * width + annotator[one.seen[1]]
            seen.append(np.unique(sheet[np.flatnonzero(np.diff(sheet, prepend=-1))]))
            parts.append(
                _Decisions(
                    sample[found.sample] * width
                    + annotator[none if found.annotator is None else found.annotator],
                    column[found.concept].astype(np.int32),
                    (none + 1 if found.value is None else found.value).astype(np.int8),
                    none if found.place is None else found.place,
                    none + np.int32(which),
                )
            )
        return seen, _Decisions(*(np.concatenate(side) for side in zip(*parts, strict=True)))

    def _merge_duplicates(
        self, decisions: _Decisions, repeats: AnnotationRepeats
    ) -> tuple[_Decisions, tuple[str, ...]]:
        order, again = sorted_repeats(decisions.sheet * len(self.concepts) + decisions.column)
        before, after = order[:-1][again[1:]], order[again]
        differ = decisions.state[after] != decisions.state[before]
        wrong = np.flatnonzero(differ | (repeats == "refuse"))
        if wrong.size:
            # Of duplicates, the first in the files; the sort is stable.
            first = wrong[np.argmin(after[wrong])]
            merge = repeats == "refuse" and not differ[first]
            raise self._repeated(decisions, int(before[first]), int(after[first]), merge=merge)
        if not after.size:
            return decisions, ()
        kept = np.ones(order.size, dtype=bool)
        kept[after] = False
        merged = f"duplicates, merged: {pluralise(after.size, 'time')}"
        return _Decisions._make(part[kept] for part in decisions), (merged,)

    def _repeated(self, decisions: _Decisions, first: int, second: int, *, merge: bool) -> InputError:
        where, line = self.files[decisions.file[second]].source, int(decisions.line[second])
        before = self.files[decisions.file[first]].source
        place = " in this file" if before == where else f" in {before}"
        place += f", row {int(decisions.line[first]):,}" if decisions.line[first] else ""
        who, sample = self._owner_of_sheet(decisions.sheet[second])
        concept = self.concepts[int(decisions.column[second])]
        same = decisions.state[first] == decisions.state[second]
        return InputError(
            f"{who!r} decides {concept!r} in sample {sample!r} again{'' if same else ', differently'}, "
            f"as already{place}",
            f"Keep one.{' Or merge duplicates: --repeats merge.' * merge}",
            where=where,
            row=line or None,
        )

    def _unasked_sheets(
        self, seen: Sequence[NDArray[np.int64]], row: Places, sheets: NDArray[np.int64]
    ) -> Marks:
        """Mark the sheets whose unstated concepts are unknown; those of other sheets count as absent."""
        absent = np.repeat([one.absent for one in self.files], list(map(len, seen)))
        silent, files = np.zeros(sheets.size, dtype=bool), np.bincount(row, minlength=sheets.size)
        silent[row[absent]] = True
        wrong = np.flatnonzero(silent & (files > 1))
        if wrong.size:
            sheet = sheets[wrong[0]]
            where = [one.source for one, some in zip(self.files, seen, strict=True) if sheet in some]
            who, sample = self._owner_of_sheet(sheet)
            raise InputError(
                f"{who!r} has labels of sample {sample!r} in {enumerate_some(where)}", "Keep one of them."
            )
        return ~silent


COLUMNS = frozenset({"columns", "imageclef"})
"""Formats with a value for each concept."""

RECORDS = f"{WRITE} Parquet is read without lists. Or give one file per annotator."


def annotation_file(
    path: FilePath, name: str, reading: LabelFileReader, *, alone: bool, chosen: NamedColumns
) -> AnnotationFile:
    """Read one file."""
    source = read_label_source(path)
    text = is_text(source)
    tool = form_of_tool(source, reading.layout)
    if tool is None and reading.layout.input_format is None and "negation" not in reading.layout.columns:
        form, people = _found_by_content(source, reading, chosen)
        form = form if people or not alone else None  # the columns may be annotators
        if form is not None and form.concept is not None:
            roles = {"sample": [form.header[form.sample]], "concept": [form.header[form.concept]]}
            chosen = chosen._replace(named={**chosen.named, **roles})
        find = partial(_columns, name=name, names=reading.names, alone=alone, chosen=chosen)
        table = table_of(source, find, header=reading.layout.header) if people or form is None else None
        if table is not None:
            several = form is not None and form.format == "wide"
            return AnnotatorTable(table, source.where, reading, name, chosen.ignored, several).read()
    if tool is None and alone and chosen.columns != "concepts":
        raise InputError("the annotator of these labels is unknown", HOW if text else RECORDS)
    try:
        found, form = _read_label_file(source, reading)
    except InputError as error:
        # Wrong names of columns look like many other mistakes.
        if tool is None:
            error.add_remedy(f"Of tables, {OPTIONS}" if text else RECORDS)
        raise
    if found.sheets is not None and found.annotators:
        file = AnnotationFile.from_statements(found, form, source.where, reading, found.sheets)
        return replace(file, decisions=found.value is not None)
    if alone and chosen.columns != "concepts":
        raise InputError(f"{form.words} name no annotator", "Give one file per annotator.")
    rows = np.arange(len(found.samples))
    decisions = found.value is not None
    if found.value is not None and form.format in COLUMNS:
        votes = found.value.reshape(rows.size, -1)
        seen = (votes != MISSING).any(axis=1)
        found, rows, decisions = found.select(np.repeat(seen, votes.shape[1])), rows[seen], False
    found = replace(found, annotators=(name,))
    file = AnnotationFile.from_statements(found, form, source.where, reading, (rows, np.zeros_like(rows)))
    return replace(file, decisions=decisions, owner=f", of {name!r}")


def _found_by_content(
    source: LabelSource, reading: LabelFileReader, chosen: NamedColumns
) -> tuple[Recognised | None, bool]:
    """Format of a table with own titles by its first rows, and whether a column names annotators."""

    def annotators(header: Sequence[str]) -> Sequence[int]:
        named, titles = chosen.named.get("annotator"), [*map(normalise_title, header)]
        return [n for n, name in enumerate(titles) if (header[n] in named if named else name in ANNOTATOR)]

    named = chosen.columns is not None or chosen.named.keys() - {"annotator"}
    records, text = objects(source)[2] if is_json(source.data) else (), is_text(source)
    header = [*records[0]] if records else source.first(source.delimiter or ",") if text else []
    titles = {*map(normalise_title, header)}
    if named or not titles or (titles & SAMPLE and titles & (CONCEPT | CONCEPTS)):
        return None, False
    if records:
        held = keys_by_content(records, reading.names.known, people=annotators(header) or None)
        form = Recognised("json", None, tuple(header), held[0], held[1]) if held else None
        return form, bool(annotators(header))
    found = form_by_rows(source, None, reading.names.known, annotators)
    return (None, False) if found is None else (found[0], bool(annotators(found[0].header)))


def _columns(
    header: tuple[str, ...], name: str, names: Names, *, alone: bool, chosen: NamedColumns
) -> AnnotationColumns | None:
    """Find the roles of the columns; known concepts decide between two readings."""
    found = columns_of_header(header, alone=alone, chosen=chosen)
    if found is None or chosen.columns is not None:
        return None if found is None else found._replace(guessed=False)
    known = names.vocabulary is not None and names.are_concepts({name})
    if found.one and known and not any(names.are_concepts({header[n]}) for n in found.others):
        return _columns(header, name, names, alone=alone, chosen=chosen._replace(columns="annotators"))
    return found


def _read_label_file(source: LabelSource, reading: LabelFileReader) -> tuple[Statements, Recognised]:
    """Decode a label file, in which values are answers."""
    form, rows = recognised(source, reading.layout, known=reading.names.known)
    valued = form.format in COLUMNS or form.score is not None or form.negation is not None
    wanted = replace(reading.decoder_options(scores=valued), words=WORDS, annotators=True)
    found = parse(rows, form, wanted)
    if found.value is None:
        return found, form
    odd = np.flatnonzero(~np.isin(found.value, VOTES))
    if odd.size:
        first = int(odd[0])
        raise InputError(
            f"{found.spellings[found.concept[first]]!r} has the value {found.value[first]:g} in sample "
            f"{found.samples[found.sample[first]]!r}",
            REMEDY,
            row=None if found.place is None else int(found.place[first]),
        )
    return replace(found, value=np.where(found.value == BLANK, MISSING, found.value)), form


def decide_missing_labels(files: Sequence[AnnotationFile]) -> tuple[list[AnnotationFile], tuple[str, ...]]:
    """Decide what missing labels mean, alike for all files."""
    if not any(file.decisions for file in files):
        return list(files), ()
    only = all(file.positive for file in files)
    values, silence = ("all values", "absent") if only else ("not all values", "unknown")
    note = f"{values} are 1: concepts without a row count as {silence}"
    return [replace(file, absent=only) if file.decisions else file for file in files], (note,)


@dataclass(frozen=True, eq=False)
class AnnotationFiles:
    """Annotations that have been read.

    Parameters
    ----------
    annotations
        What each annotator says of each sample.
    notes
        What was not taken as it is written, in words.
    spellings
        The labels as the files write them.
    """

    annotations: Annotations
    notes: tuple[str, ...]
    spellings: tuple[str, ...] = ()


@front_door
def read_annotations(  # noqa: PLR0913 - one for each option
    *sources: FilePath,
    ontology: AnyOntology | None = None,
    concepts: FilePath | Iterable[str] | None = None,
    concept_map: FilePath | Mapping[str, str] | None = None,
    input_format: str | None = None,
    separator: str | None = None,
    unknown: Unknown = "error",
    na: Absent = "error",
    uncertain: Uncertain = "missing",
    sample_column: ColumnNames = None,
    annotator_column: ColumnNames = None,
    concept_column: ColumnNames = None,
    value_column: ColumnNames = None,
    negation_column: ColumnNames = None,
    header: bool = True,
    ignore_columns: Iterable[str] = (),
    columns: ColumnsAre | None = None,
    repeats: AnnotationRepeats = "refuse",
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
    - an export of Label Studio or Prodigy, which names its annotators;
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
    sample_column, annotator_column, concept_column, value_column
        Columns of the samples, annotators, concepts and values with unusual titles, by title or by number.
    negation_column, header
        Column that marks labels as absent, in a file of one annotator, and whether tables have titles; see
        `read_labels`.
    ignore_columns
        Columns that are not read.
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
    >>> rows = "sample,annotator,concept\np1,Ann,sky\np1,Bob,sky\np1,Bob,sea\n"
    >>> _ = path.write_text(rows, encoding="utf-8")
    >>> read_annotations(path).of("Bob").labels_of("p1")
    ('sea', 'sky')
    """
    named = sample_column, concept_column, value_column, negation_column
    names = NameOptions(concepts, concept_map, unknown, na)
    layout = Layout(input_format, *named, header=header, separator=separator)
    labels = LabelReading(names, layout, max_bytes=max_bytes)
    reading = AnnotationReading(labels, uncertain, annotator_column, ignore_columns, columns, repeats)
    return read_annotation_files(*sources, ontology=ontology, reading=reading).annotations


_USUAL = AnnotationReading()


@front_door
def read_annotation_files(
    *sources: FilePath, ontology: AnyOntology | None = None, reading: AnnotationReading = _USUAL
) -> AnnotationFiles:
    """Read annotations, with notes on how they were read.

    Parameters
    ----------
    *sources
        The files.
    ontology
        Has the concepts that may be labels.
    reading
        The options of `read_annotations`.
    """
    one_of("uncertain", reading.uncertain, get_args(Uncertain))
    one_of("repeats", reading.repeats, get_args(AnnotationRepeats))
    if reading.columns is not None:
        one_of("columns", reading.columns, get_args(ColumnsAre))
    if not sources:
        raise InputError("no file of annotations is named", "Name one or more.")
    layout = reading.labels.layout
    named = named_columns(
        sample=layout.sample_column,
        annotator=reading.annotator_column,
        concept=layout.concept_column,
        value=layout.value_column,
    )
    chosen = NamedColumns(named, tuple(as_list(reading.ignore_columns)), reading.columns)
    with reading_at_most(reading.labels.max_bytes):
        # Repeated scores are refused by other means here.
        reader = LabelFileReader.from_options(ontology, replace(reading.labels, repeats=None, close=False))
        every = []
        for path, name in zip(sources, short_names(sources), strict=True):
            with located(path):
                every.append(annotation_file(path, name, reader, alone=len(sources) == 1, chosen=chosen))
        files, silence = decide_missing_labels(every)
    annotations, merged = MergedAnnotations(files).annotations(reading.uncertain, reading.repeats)
    notes = [
        *chain.from_iterable(file.notes for file in files),
        *(file.guess for file in files if file.guess),
    ]
    spellings = dict.fromkeys(chain.from_iterable(file.statements.spellings for file in files))
    return AnnotationFiles(annotations, tuple(dict.fromkeys((*notes, *silence, *merged))), tuple(spellings))


def read_soft_file(path: FilePath, ontology: Ontology | None, reading: LabelReading) -> LabelFile | None:
    """Read shares, or annotations of several annotators; None where no title names either."""
    source, header = read_label_source(path), list[str]()
    with suppress(InputError):
        form = recognised(source, reading.layout)[0]
        header = [*form.header, *form.unused]
    if not header and (is_text(source) or is_parquet(source)):
        header = [*kinds_of(source)] if is_parquet(source) else source.first(source.delimiter or ",")
    titles = set(map(normalise_title, header))
    if titles & {"share", "shares"}:
        return read_share_file(path, ontology, reading)
    if not titles & ANNOTATOR and form_of_tool(source, reading.layout) is None:
        return None
    how = AnnotationReading(reading, repeats="merge")
    found = read_annotation_files(path, ontology=ontology, reading=how)
    said, where = found.annotations, source.where
    with located(where):
        sets = said.repeated.once
    return LabelFile(
        source=where,
        digest=source.digest,
        format=Recognised("long", words=f"annotations of {pluralise(len(said.annotators), 'annotator')}"),
        dropped={},
        lacking=tuple(note.removeprefix(f"{where}: ") for note in found.notes[1:]),
        sets=sets,
        soft=said,
    )
