"""Patching: the text of a corrected file, in which whatever is not corrected stays as it was."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.copying import CopiedRows
from ontoeval.audit.written import Original, Written
from ontoeval.csr import choose_entries, without
from ontoeval.io.cells import BETWEEN, relisted, unlisted
from ontoeval.io.edits import Edit, RawRow, edited, height
from ontoeval.io.files import text_file
from ontoeval.io.formats import Recognised
from ontoeval.io.numbers import TRUTH_VALUES, number
from ontoeval.io.separators import BLANK, SEPARATORS
from ontoeval.io.write import Rows

_ROWS = 50_000
"""How many rows are compared at once."""


@dataclass(frozen=True, eq=False)
class Patch:
    """A text file with some rows corrected.

    Parameters
    ----------
    original
        The file.
    form
        Its format.
    edits
        Makes the corrections, in the order of the lines.
    """

    original: Original
    form: Recognised
    edits: Callable[[], Iterator[Edit]]

    def write(self, path: Path) -> None:
        """Write the corrected text.

        Parameters
        ----------
        path
            Where.
        """
        with text_file(path) as file:
            file.write(self.original.head)
            file.writelines(edited(self.original.rows, self.edits()))
            file.write(self.original.tail)


def patch_of(
    written: Written, copied: CopiedRows, final: Rows, called: Mapping[str, str], separator: str | None
) -> Patch | None:
    """Correct the text of a file.

    Parameters
    ----------
    written
        What it writes.
    copied
        Which of its rows are left.
    final
        What these are to hold.
    called
        What labels are called now that are written in another way.
    separator
        What separates labels, where that is named to readers.

    Returns
    -------
    Patch or None
        The corrected text; None where it is none of a table, or could not be read as it is meant.
    """
    original, form = written.original, written.form
    if original is None or form is None:
        return None
    new = set(final.vocabulary) - set(written.spellings)
    if form.delimiter is None and any(text.split() != [text] for text in new):
        return None
    kept = np.unique(copied.group, return_index=True)[1]
    row = _Row(form, final, called, _changed(written, kept, final))
    if form.format in {"long", "cafa"}:
        return Patch(original, form, partial(_long, row, original))
    change: Callable[[int, str], str] | None = None
    if form.format in {"columns", "imageclef"} and not new:
        change = _Values(row, {text: 1 + place for place, text in enumerate(written.spellings)})
    if form.format == "wide":
        change = _Labels.of(row, new, separator)
    return None if change is None else Patch(original, form, partial(_by_row, written, kept, row, change))


@dataclass(frozen=True, eq=False)
class _Row:
    """What rows are to hold."""

    form: Recognised
    final: Rows
    called: Mapping[str, str]
    changed: NDArray[np.intp]

    def labels(self, number: int) -> list[str]:
        """List the labels that a row is to hold."""
        matrix, names = self.final.matrix, self.final.vocabulary.concepts
        return [names[at] for at in matrix.indices[matrix.indptr[number] : matrix.indptr[number + 1]]]

    def now(self, text: str, labels: dict[str, None]) -> str | None:
        """Take what a label is called now from those that are to be there still."""
        for name in (text, self.called.get(text, text)):
            if name in labels:
                del labels[name]
                return name
        return None


def _changed(written: Written, kept: NDArray[np.intp], final: Rows) -> NDArray[np.intp]:
    """List the rows that do not hold what they are to hold, or some of it twice."""
    column = np.array([final.vocabulary.index.get(text, -1) for text in written.spellings], dtype=np.int32)
    differ = [np.empty(0, dtype=np.intp)]
    for begin in range(0, kept.size, _ROWS):
        now = final.matrix[begin : begin + _ROWS]
        before = written.matrix[kept[begin : begin + _ROWS]]
        still = choose_entries(before, column[before.indices] >= 0)
        same = sparse.csr_array((still.data, column[still.indices], still.indptr), shape=now.shape)
        # What is new, what is gone, and what is called otherwise.
        lengths = [
            np.diff(matrix.indptr) for matrix in (without(now, same), without(same, now), before, still)
        ]
        differ.append(lengths[0] + lengths[1] + lengths[2] - lengths[3])
    repeated = 0 if written.repeated is None else written.repeated[kept]
    return np.flatnonzero(np.concatenate(differ) + repeated)


def _by_row(
    written: Written, kept: NDArray[np.intp], row: _Row, change: Callable[[int, str], str]
) -> Iterator[Edit]:
    """Correct files with all labels of a sample in one row."""
    begins = [*np.asarray(written.starts).tolist(), sys.maxsize]
    numbers = dict(zip(kept[row.changed].tolist(), row.changed.tolist(), strict=True))
    gone = np.setdiff1d(np.arange(len(written.rows)), kept).tolist()
    for place in sorted([*numbers, *gone]):
        new = partial(change, numbers[place]) if place in numbers else _nothing
        yield Edit(begins[place], begins[place + 1], new)


def _nothing(text: str) -> str:
    return text[:0]


@dataclass(frozen=True, eq=False)
class _Labels:
    """Corrects fields that hold all labels of a sample."""

    row: _Row
    sign: str | None

    @classmethod
    def of(cls, row: _Row, new: set[str], separator: str | None) -> _Labels | None:
        """Choose what separates labels, such that what is written is read again."""
        if row.form.lists:
            return cls(row, None)
        names, most = row.final.vocabulary, int(np.diff(row.final.matrix.indptr).max(initial=0))
        found = separator or row.form.separator
        if found is None:
            # The first of them that occurs separates labels: here none does yet.
            return None if _any_in(new, SEPARATORS[:-1]) else cls(row, SEPARATORS[0])
        if separator is not None:
            return None if _any_in(new, (found,)) else cls(row, found)
        before = SEPARATORS[: SEPARATORS.index(found) + 1]
        unclear = most < 2 and _any_in(names, SEPARATORS)  # noqa: PLR2004 - none would separate anything
        return None if unclear or _any_in(new, before) else cls(row, found)

    def __call__(self, number: int, text: str) -> str:
        """Correct a row."""
        raw, column = RawRow(text, self.row.form.delimiter), self.row.form.concept or 0
        left = dict.fromkeys(self.row.labels(number))
        field = raw.value(column)
        if self.row.form.lists:
            (items,) = unlisted([field]) or [""]
            kept = [self.row.now(item.strip(), left) for item in items.split(BETWEEN)]
            return raw.replaced({column: relisted([*filter(None, kept), *left], field)})
        sign = self.sign or BLANK
        # A field may end with what separates labels; and blanks may stand beside it.
        end = sign if sign != BLANK and field.rstrip().endswith(sign) else ""
        parts = []
        for part in field.split(sign):
            old = part.strip()
            name = self.row.now(old, left) if old else None
            if name is not None:
                parts.append(part.replace(old, name))
        beside = parts[1][: len(parts[1]) - len(parts[1].lstrip())] if len(parts) > 1 else ""
        parts += [beside * bool(parts or place) + name for place, name in enumerate(left)]
        return raw.replaced({column: sign.join(parts).lstrip() + end})


@dataclass(frozen=True, eq=False)
class _Values:
    """Corrects rows with a value for each concept."""

    row: _Row
    place: Mapping[str, int]

    def __call__(self, number_of_row: int, text: str) -> str:
        """Correct a row."""
        raw = RawRow(text, self.row.form.delimiter)
        there = {self.place[name] for name in self.row.labels(number_of_row)}
        values: dict[int, bool] = {}
        words: dict[bool, str] = {}
        for column in range(1, len(raw.spans)):
            word = raw.value(column)
            is_there = bool(TRUTH_VALUES.get(word.strip().lower(), number(word)))
            words.setdefault(is_there, word)
            if is_there != (column in there):
                values[column] = column in there
        return raw.replaced({at: words.get(value, str(int(value))) for at, value in values.items()})


def _long(row: _Row, original: Original) -> Iterator[Edit]:
    """Correct files with one label in each row."""
    form, changed = row.form, {row.final.samples[number]: number for number in row.changed.tolist()}
    left = {name: dict.fromkeys(row.labels(number)) for name, number in changed.items()}
    found: list[tuple[int, int, str, str | None]] = []
    last: dict[str, int] = {}
    for batch in original.rows.batches(form.delimiter, form.width):
        samples = batch.columns[form.sample]
        for place in [n for n, name in enumerate(samples) if name.strip() in changed]:
            sample, old = samples[place].strip(), batch.columns[form.concept or 0][place].strip()
            now = row.now(old, left[sample]) if old else ""
            if now is not None:
                last[sample] = len(found)
            lines = height(column[place] for column in batch.columns)
            found.append((batch.lines[place], lines, sample, None if now is None else now or old))
    for place, (begin, lines, sample, now) in enumerate(found):
        added = list(left[sample]) if last.get(sample) == place else []
        yield Edit(begin, begin + lines, partial(_entry, form, now, added))


def _entry(form: Recognised, now: str | None, added: list[str], text: str) -> str:
    """Correct a row, and add others below it, which say of the sample nothing but these labels."""
    if now is None:
        return ""
    raw, column = RawRow(text, form.delimiter), form.concept or 0
    line = raw.replaced({column: now}) if raw.value(column).strip() != now else text
    others = set(range(len(raw.spans))) - {form.sample, column}
    if added and not text.endswith(("\n", "\r")):
        text = f"{text}\n"
    more = (
        RawRow(text, form.delimiter).replaced({**dict.fromkeys(others, ""), column: name}) for name in added
    )
    return "".join(chain([line if not added or line.endswith(("\n", "\r")) else f"{line}\n"], more))


def _any_in(names: Iterable[str], signs: tuple[str, ...]) -> bool:
    return any(sign in name for name in names for sign in signs)
