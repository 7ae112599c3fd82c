"""Files of annotations brought together: one sheet for each sample that an annotator has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.agreements.annotations import Annotations
from ontoeval.csr import pattern, without
from ontoeval.errors import InputError, listed
from ontoeval.io.opinions import MISSING, UNCERTAIN, Opinions
from ontoeval.io.reading import Reading
from ontoeval.vocabulary import Vocabulary

Uncertain = Literal["missing", "absent", "present"]


class LookedUp(NamedTuple):
    """A file whose concepts are looked up: only entries that are concepts are left."""

    file: Opinions
    vocabulary: Vocabulary
    columns: NDArray[np.int32]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, file: Opinions, reading: Reading) -> LookedUp:
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
class Together:
    """The files brought together."""

    files: Sequence[LookedUp]

    @property
    def concepts(self) -> Vocabulary:
        """The concepts of all files."""
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
        place = " in this file" if before == where else f" in {before}"
        place += f", row {int(said.line[first]):,}" if said.line[first] else ""
        who, sample = names.annotator(said.entry[second]), names.sample(said.entry[second])
        concept = names.concepts[int(said.column[second])]
        raise InputError(
            f"{who!r} speaks of {concept!r} in sample {sample!r} again, as already{place}",
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
