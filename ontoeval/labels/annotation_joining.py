"""Files of annotations brought together: one sheet for each sample that an annotator has seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.annotators.annotations import Annotations
from ontoeval.core.checks import Repeats, Uncertain
from ontoeval.core.sparse import entries_at, pattern, ranges, row_of_entries, without
from ontoeval.core.vocabulary import Vocabulary, refuse_alike
from ontoeval.errors import InputError, enumerate_some, pluralise
from ontoeval.labels.annotation_columns import MISSING, UNCERTAIN
from ontoeval.labels.annotation_tables import AnnotationFile
from ontoeval.labels.reading import Reading
from ontoeval.labels.resolved import refuse_equal_columns
from ontoeval.labels.statements import Statements


class LookedUp(NamedTuple):
    """A file with its concepts resolved: `statements.concept` and `asked` are positions in the vocabulary."""

    file: AnnotationFile
    vocabulary: Vocabulary
    statements: Statements
    asked: NDArray[np.int32] | None
    notes: tuple[str, ...]

    @classmethod
    def of(cls, file: AnnotationFile, reading: Reading) -> LookedUp:
        """Resolve the concepts, and leave out statements about others."""
        file = file.without_nothing(None if reading.names.vocabulary is None else reading.names.know)
        found = file.statements
        vocabulary, columns, translated = reading.names.columns(
            found.spellings, found.places, file.where, in_order=found.header
        )
        if found.header:
            refuse_equal_columns(found, vocabulary, columns, file.where)
        notes = [f"{file.where}: {text}" for text in (file.form, *file.notes)]
        lost = [found.spellings[code] for code in np.flatnonzero(columns < 0).tolist()]
        if lost:
            notes.append(f"{file.where}: left out {len(lost):,} that are no concepts: {enumerate_some(lost)}")
        if translated:
            told = enumerate_some(f"{text} as {name}" for text, name in translated.items())
            notes.append(f"{file.where}: read as what they stand for: {told}")
        column = columns[found.concept]
        kept = replace(found, concept=column).only(column >= 0)
        asked = None if file.asked is None else columns[file.asked]
        return cls(file, vocabulary, kept, None if asked is None else asked[asked >= 0], tuple(notes))


class _Said(NamedTuple):
    """What all files say: one row per sheet, one per entry."""

    sheet: NDArray[np.int64]
    sheet_file: NDArray[np.int64]
    entry: NDArray[np.int64]
    column: NDArray[np.int64]
    state: NDArray[np.float64]
    line: NDArray[np.int64]
    entry_file: NDArray[np.int64]


@dataclass(frozen=True)
class Together:
    """The files brought together."""

    files: Sequence[LookedUp]

    @cached_property
    def concepts(self) -> Vocabulary:
        """The concepts of all files."""
        if len({one.vocabulary for one in self.files}) > 1:
            where = {name: one.file.where for one in reversed(self.files) for name in one.vocabulary}
            refuse_alike(where, where.__getitem__)
        return Vocabulary.shared(one.vocabulary for one in self.files)

    @cached_property
    def samples(self) -> dict[str, int]:
        """Numbers of the samples of all files."""
        return self._numbered("sample", [one.statements.samples for one in self.files])

    @cached_property
    def annotators(self) -> dict[str, int]:
        """Numbers of the annotators of all files."""
        return self._numbered("annotator", [one.statements.annotators for one in self.files])

    def _numbered(self, what: str, names: Sequence[Sequence[str]]) -> dict[str, int]:
        """Give names numbers, and refuse those that differ only in what nobody sees."""
        pairs = list(zip(self.files, names, strict=True))
        where = {name: one.file.where for one, some in reversed(pairs) for name in some}
        refuse_alike(where, where.__getitem__, what=what)
        return {name: n for n, name in enumerate(dict.fromkeys(chain.from_iterable(names)))}

    def _named(self, sheet: np.int64) -> tuple[str, str]:
        """Name the annotator and the sample of a sheet."""
        sample, annotator = divmod(int(sheet), len(self.annotators))
        return list(self.annotators)[annotator], list(self.samples)[sample]

    def annotations(self, uncertain: Uncertain, repeats: Repeats) -> tuple[Annotations, tuple[str, ...]]:
        """Make annotations, and say what is merged."""
        concepts = self.concepts
        said, merged = self._once(self._said(), repeats)
        sheets, place = np.unique(said.sheet, return_inverse=True)
        row, shape = np.searchsorted(sheets, said.entry), (sheets.size, len(concepts))
        asked = self._asked()
        files = sparse.csr_array(
            (np.ones(place.size, dtype=np.int32), (place, said.sheet_file)),
            shape=(sheets.size, len(self.files)),
        )
        self._refuse_sheets_twice(files, asked, said, row, sheets)
        there, gap = said.state == 1, said.state == MISSING
        if uncertain == "present":
            there |= said.state == UNCERTAIN
        elif uncertain == "missing":
            gap |= said.state == UNCERTAIN
        gaps = _marks(row[gap], said.column[gap], shape)
        gaps = _with_silence(gaps, files, asked, row, said.column)
        made = Annotations(
            _marks(row[there], said.column[there], shape),
            gaps,
            concepts,
            tuple(self.samples),
            tuple(self.annotators),
            *np.divmod(sheets, len(self.annotators)),
        )
        return made, merged

    def _asked(self) -> NDArray[np.bool_]:
        """Tell of which concepts silence says in each file that they are not there."""
        asked = np.ones((len(self.files), len(self.concepts)), dtype=bool)
        for mask, one in zip(asked, self.files, strict=True):
            if one.asked is not None:
                mask[:] = False
                mask[[self.concepts.index[one.vocabulary[column]] for column in one.asked.tolist()]] = True
        return asked

    def _said(self) -> _Said:
        parts, width = [], len(self.annotators)
        for which, one in enumerate(self.files):
            found = one.statements
            sample, annotator = (
                np.array([number[name] for name in some], dtype=np.int64)
                for number, some in ((self.samples, found.samples), (self.annotators, found.annotators))
            )
            column = np.array([self.concepts.index[name] for name in one.vocabulary], dtype=np.int64)
            sheet = np.unique(sample[one.file.seen[0]] * width + annotator[one.file.seen[1]])
            count = found.concept.size
            who = annotator[0] if found.annotator is None else annotator[found.annotator]
            parts.append(
                _Said(
                    sheet,
                    np.full(sheet.size, which),
                    sample[found.sample] * width + who,
                    column[found.concept],
                    np.ones(count) if found.value is None else found.value,
                    np.zeros(count, dtype=np.int64) if found.place is None else found.place.astype(np.int64),
                    np.full(count, which),
                )
            )
        return _Said(*(np.concatenate(side) for side in zip(*parts, strict=True)))

    def _once(self, said: _Said, repeats: Repeats) -> tuple[_Said, tuple[str, ...]]:
        """Leave out what is said again, or refuse it."""
        cell = said.entry * len(self.concepts) + said.column
        order = np.argsort(cell, kind="stable")
        before, after = order[:-1], order[1:]
        again = cell[after] == cell[before]
        wrong = again if repeats == "refuse" else again & (said.state[after] != said.state[before])
        if wrong.any():
            # Of what is there twice, what is met first in the files; the sort is stable.
            second = int(after[wrong].min())
            self._refuse_what_is_said_twice(
                said, int(before[np.flatnonzero(after == second)[0]]), second, repeats
            )
        if not again.any():
            return said, ()
        kept = np.ones(cell.size, dtype=bool)
        kept[after[again]] = False
        entries = {
            name: getattr(said, name)[kept] for name in ("entry", "column", "state", "line", "entry_file")
        }
        number = int(again.sum())
        return said._replace(**entries), (f"said again, and counted once: {pluralise(number, 'time')}",)

    def _refuse_what_is_said_twice(self, said: _Said, first: int, second: int, repeats: Repeats) -> None:
        where, line = self.files[said.entry_file[second]].file.where, int(said.line[second])
        before = self.files[said.entry_file[first]].file.where
        place = " in this file" if before == where else f" in {before}"
        place += f", row {int(said.line[first]):,}" if said.line[first] else ""
        who, sample = self._named(said.entry[second])
        concept = self.concepts[int(said.column[second])]
        same = said.state[first] == said.state[second]
        merge = " Or count what is said again once: --repeats merge." if same and repeats == "refuse" else ""
        raise InputError(
            f"{who!r} speaks of {concept!r} in sample {sample!r} again{'' if same else ', otherwise'}, "
            f"as already{place}",
            f"Keep one.{merge}",
            where=where,
            row=line or None,
        )

    def _refuse_sheets_twice(
        self,
        files: sparse.csr_array,
        asked: NDArray[np.bool_],
        said: _Said,
        row: NDArray[np.intp],
        sheets: NDArray[np.int64],
    ) -> None:
        """Refuse sheets in several files of which one decides by silence what another speaks of."""
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
            others = entries_at(asks, place[row[entries]], said.column[entries])
            own = asked[said.entry_file[entries], said.column[entries]]
            wrong[row[entries[others > own]]] = True
        if wrong.any():
            sheet = sheets[int(np.argmax(wrong))]
            where = [self.files[n].file.where for n in said.sheet_file[said.sheet == sheet].tolist()]
            who, sample = self._named(sheet)
            raise InputError(
                f"{who!r} has labels of sample {sample!r} in {enumerate_some(where)}", "Keep one of them."
            )


def _marks(
    rows: NDArray[np.integer], columns: NDArray[np.integer], shape: tuple[int, int]
) -> sparse.csr_array:
    return pattern(sparse.csr_array((np.ones(rows.size, dtype=bool), (rows, columns)), shape=shape))


def _with_silence(
    gaps: sparse.csr_array,
    files: sparse.csr_array,
    asked: NDArray[np.bool_],
    row: NDArray[np.intp],
    column: NDArray[np.int64],
) -> sparse.csr_array:
    """Mark as unknown too what none of the files of a sheet asks, but for entries."""
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
        unasked = without(unasked, _marks(row, column, gaps.shape))
    return pattern(gaps + unasked)
