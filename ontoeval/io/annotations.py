"""Files of annotations: who said what of which sample, in one table or in one file per annotator."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NamedTuple, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.agreements.annotations import Annotations
from ontoeval.csr import pattern, without
from ontoeval.errors import InputError, listed, one_of
from ontoeval.files import FilePath
from ontoeval.io.annotation_files import opinions_of
from ontoeval.io.opinions import MISSING, UNCERTAIN, Opinions
from ontoeval.io.reading import Reading
from ontoeval.ontology.model import Ontology
from ontoeval.vocabulary import Vocabulary

Uncertain = Literal["missing", "absent", "present"]
UNCERTAINTIES = ("missing", "absent", "present")


class AnnotationOptions(TypedDict, total=False):
    """The options of `read_annotations`."""

    concepts: FilePath | Iterable[str] | None
    concept_map: FilePath | Mapping[str, str] | None
    input_format: str | None
    separator: str | None
    unknown: str
    uncertain: Uncertain


@dataclass(frozen=True, eq=False)
class AnnotationFiles:
    """Annotations that have been read.

    Parameters
    ----------
    annotations
        Who said what.
    notes
        How the files were read, and what was left out.
    """

    annotations: Annotations
    notes: tuple[str, ...]


def read_annotations(
    *sources: FilePath,
    ontology: Ontology | None = None,
    concepts: FilePath | Iterable[str] | None = None,
    concept_map: FilePath | Mapping[str, str] | None = None,
    input_format: str | None = None,
    separator: str | None = None,
    unknown: str = "error",
    uncertain: Uncertain = "missing",
) -> Annotations:
    r"""Read what several annotators say of the same samples.

    What a file is, its header tells:

    - sample, annotator, concept: one label in each row, or several if the column is called "labels"; an
      empty one is a sample of which the annotator says that nothing is there. With a column "value" of 1,
      0, -1 (uncertain) or nothing (missing), what no row speaks of is unknown;
    - sample, annotator, and a column for each concept that holds such values;
    - sample, concept, and a column for each annotator that holds such values;
    - sample, and a column for each annotator that holds labels, or such values of the one concept that
      the file is called by; nothing is a sample that the annotator has not seen;
    - any label file that `read_labels` knows, or a table with a column for each concept that holds such
      values: of the one annotator that the file is called by.

    Parameters
    ----------
    *sources
        The files.
    ontology
        Tells which concepts may be labels; they may be named by local name, label, CURIE or IRI.
    concepts
        The concepts that may be labels; see `read_labels`.
    concept_map
        What the labels of the files stand for; see `read_labels`.
    input_format
        One of `ontoeval.label_formats.FORMATS`, for files of one annotator that do not tell.
    separator
        What separates labels in one field; see `read_labels`.
    unknown
        "error", or "drop" to leave out labels that are no concepts.
    uncertain
        What -1 stands for: the concept is "missing", as if the annotator had not been asked, "absent",
        or "present".

    Returns
    -------
    Annotations
        Samples and annotators in the order in which they are first met.

    Raises
    ------
    InputError
        If a file cannot be read as it is, or an annotator says the same twice.
    UnknownConceptError
        If a label is no concept.
    AmbiguousNameError
        If a label may mean several concepts.
    ParameterError
        If an option has no such value.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> path = pathlib.Path(tempfile.mkdtemp(), "said.csv")
    >>> _ = path.write_text(
    ...     "sample,annotator,concept\np1,Ann,sky\np1,Bob,sky\np1,Bob,sea\n", encoding="utf-8"
    ... )
    >>> read_annotations(path).of("Bob").labels_of("p1")
    ('sea', 'sky')
    """
    return read_annotation_files(
        *sources,
        ontology=ontology,
        concepts=concepts,
        concept_map=concept_map,
        input_format=input_format,
        separator=separator,
        unknown=unknown,
        uncertain=uncertain,
    ).annotations


def read_annotation_files(
    *sources: FilePath, ontology: Ontology | None = None, **options: Unpack[AnnotationOptions]
) -> AnnotationFiles:
    """Read annotations, and tell how they were read.

    Parameters
    ----------
    *sources
        The files.
    ontology
        Tells which concepts may be labels.
    **options
        The options of `read_annotations`.

    Returns
    -------
    AnnotationFiles
        The annotations, and notes.
    """
    uncertain = options.pop("uncertain", "missing")
    one_of("uncertain", uncertain, UNCERTAINTIES)
    if not sources:
        raise InputError("no file of annotations is named", "Name one or more.")
    reading = Reading.of(ontology, options)
    files = [
        opinions_of(path, name, reading, alone=len(sources) == 1)
        for path, name in zip(sources, _annotators(sources), strict=True)
    ]
    looked_up = [_LookedUp.of(file, reading) for file in files]
    return AnnotationFiles(
        _Together(looked_up).annotations(uncertain), tuple(note for one in looked_up for note in one.notes)
    )


def _annotators(sources: Sequence[FilePath]) -> list[str]:
    """Name annotators by their files, and by the whole path where these are alike."""
    paths = [Path(os.fspath(source)) for source in sources]
    stems = [path.stem for path in paths]
    return [
        stem if stems.count(stem) == 1 else path.as_posix() for stem, path in zip(stems, paths, strict=True)
    ]


class _LookedUp(NamedTuple):
    """A file whose concepts are looked up: only entries that are concepts are left."""

    file: Opinions
    vocabulary: Vocabulary
    columns: NDArray[np.int32]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, file: Opinions, reading: Reading) -> _LookedUp:
        """Look the concepts up."""
        vocabulary, columns, translated = reading.names.columns(
            file.spellings, file.places, file.where, in_order=file.header
        )
        if file.header:
            _refuse_equal_columns(file, vocabulary, columns)
        notes = [f"{file.where}: {file.form}"]
        lost = [file.spellings[code] for code in np.flatnonzero(columns < 0).tolist()]
        if lost:
            notes.append(f"{file.where}: left out {len(lost):,} that are no concepts: {listed(lost)}")
        if translated:
            told = listed(f"{text} as {name}" for text, name in translated.items())
            notes.append(f"{file.where}: read as what they stand for: {told}")
        column = columns[file.code]
        kept = np.flatnonzero(column >= 0)
        chosen = replace(
            file, sheet=file.sheet[kept], code=file.code[kept], state=file.state[kept], line=file.line[kept]
        )
        return cls(chosen, vocabulary, column[kept], tuple(notes))


def _refuse_equal_columns(file: Opinions, vocabulary: Vocabulary, columns: NDArray[np.int32]) -> None:
    first: dict[int, int] = {}
    for number, column in enumerate(columns.tolist()):
        if column >= 0 and first.setdefault(column, number) != number:
            one, other = file.spellings[first[column]], file.spellings[number]
            raise InputError(
                f"the columns {one!r} and {other!r} are both the concept {vocabulary[column]!r}",
                "Keep one.",
                where=file.where,
            )


class _Said(NamedTuple):
    """What all files say: one row per sheet, one per entry."""

    sheet: NDArray[np.int64]
    sheet_file: NDArray[np.int64]
    entry: NDArray[np.int64]
    column: NDArray[np.int64]
    state: NDArray[np.int64]
    line: NDArray[np.int64]
    entry_file: NDArray[np.int64]


@dataclass(frozen=True)
class _Together:
    """The files brought together."""

    files: Sequence[_LookedUp]

    @property
    def concepts(self) -> Vocabulary:
        vocabularies = {one.vocabulary for one in self.files}
        if len(vocabularies) == 1:
            return self.files[0].vocabulary
        return Vocabulary(tuple(sorted({name for some in vocabularies for name in some})))

    def annotations(self, uncertain: Uncertain) -> Annotations:
        """Make annotations."""
        concepts = self.concepts
        samples = tuple(dict.fromkeys(name for one in self.files for name in one.file.samples))
        annotators = tuple(dict.fromkeys(name for one in self.files for name in one.file.annotators))
        said = self._said(samples, annotators, concepts)
        sheets, first = np.unique(said.sheet, return_index=True)
        names = _Names(samples, annotators, concepts)
        spoken = np.array([one.file.spoken for one in self.files])
        self._refuse_what_is_said_twice(said, names)
        self._refuse_whole_sheets_twice(said, names, spoken)
        row = np.searchsorted(sheets, said.entry)
        there, gap = said.state == 1, said.state == MISSING
        if uncertain == "present":
            there |= said.state == UNCERTAIN
        elif uncertain == "missing":
            gap |= said.state == UNCERTAIN
        shape = sheets.size, len(concepts)
        gaps = _marks(row[gap], said.column[gap], shape)
        open_sheets = np.flatnonzero(spoken[said.sheet_file[first]])
        if open_sheets.size:
            every = np.tile(np.arange(shape[1]), open_sheets.size)
            whole = _marks(np.repeat(open_sheets, shape[1]), every, shape)
            gaps = pattern(gaps + without(whole, _marks(row, said.column, shape)))
        return Annotations(
            _marks(row[there], said.column[there], shape),
            gaps,
            concepts,
            samples,
            annotators,
            sheets // len(annotators),
            sheets % len(annotators),
        )

    def _said(self, samples: Sequence[str], annotators: Sequence[str], concepts: Vocabulary) -> _Said:
        place = [{name: number for number, name in enumerate(some)} for some in (samples, annotators)]
        parts = []
        for which, (file, vocabulary, columns, _) in enumerate(self.files):
            sample, annotator = (
                np.array([where[name] for name in some], dtype=np.int64)
                for where, some in zip(place, (file.samples, file.annotators), strict=True)
            )
            column = np.array([concepts.index[name] for name in vocabulary], dtype=np.int64)
            sheet = sample[file.sample] * len(annotators) + annotator[file.annotator]
            parts.append(
                _Said(
                    sheet,
                    np.full(sheet.size, which),
                    sheet[file.sheet],
                    column[columns],
                    file.state.astype(np.int64),
                    file.line.astype(np.int64),
                    np.full(columns.size, which),
                )
            )
        return _Said(*(np.concatenate(side) for side in zip(*parts, strict=True)))

    def _refuse_what_is_said_twice(self, said: _Said, names: _Names) -> None:
        cell = said.entry * len(names.concepts) + said.column
        order = np.argsort(cell, kind="stable")
        again = np.flatnonzero(cell[order[1:]] == cell[order[:-1]]) + 1
        if not again.size:
            return
        # Of what is there twice, what is met first in the files; the sort is stable.
        second = int(order[again].min())
        first = int(order[np.flatnonzero(order == second)[0] - 1])
        where, line = self.files[said.entry_file[second]].file.where, int(said.line[second])
        before = self.files[said.entry_file[first]].file.where
        place = "" if before == where else f" in {before}"
        place += f", row {int(said.line[first]):,}" if said.line[first] else ""
        who, sample = names.annotator(said.entry[second]), names.sample(said.entry[second])
        concept = names.concepts[int(said.column[second])]
        raise InputError(
            f"{who!r} speaks of {concept!r} in sample {sample!r} again, as already{place or ' in this file'}",
            "Keep one.",
            where=where,
            row=line or None,
        )

    def _refuse_whole_sheets_twice(self, said: _Said, names: _Names, spoken: NDArray[np.bool_]) -> None:
        """Labels of one sample belong into one file, where what is not said is not there."""
        order = np.argsort(said.sheet, kind="stable")
        again = order[1:][said.sheet[order[1:]] == said.sheet[order[:-1]]]
        whole = again[~spoken[said.sheet_file[again]]]
        if whole.size:
            sheet = said.sheet[int(whole.min())]
            files = [self.files[n].file.where for n in said.sheet_file[said.sheet == sheet].tolist()]
            raise InputError(
                f"{names.annotator(sheet)!r} has labels of sample {names.sample(sheet)!r} in {listed(files)}",
                "Keep one of them.",
            )


class _Names(NamedTuple):
    """Names by the numbers of sheets."""

    samples: tuple[str, ...]
    annotators: tuple[str, ...]
    concepts: Vocabulary

    def sample(self, sheet: np.int64) -> str:
        """Name the sample of a sheet."""
        return self.samples[int(sheet) // len(self.annotators)]

    def annotator(self, sheet: np.int64) -> str:
        """Name the annotator of a sheet."""
        return self.annotators[int(sheet) % len(self.annotators)]


def _marks(
    rows: NDArray[np.integer], columns: NDArray[np.integer], shape: tuple[int, int]
) -> sparse.csr_array:
    return pattern(sparse.csr_array((np.ones(rows.size, dtype=bool), (rows, columns)), shape=shape))
