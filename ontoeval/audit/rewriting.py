"""Rewriting: the text of a label file with some rows corrected, and all others byte for byte."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.changes import CopiedRows
from ontoeval.audit.raw_labels import LINE_END, Original, Written
from ontoeval.core.atomic import text_file
from ontoeval.core.csr import choose_entries, line, without
from ontoeval.core.encodings import MARK
from ontoeval.labels.cells import BETWEEN, relisted, unlisted
from ontoeval.labels.edits import Edit, edited
from ontoeval.labels.formats import Recognised
from ontoeval.labels.numbers import TRUTH_VALUES, number
from ontoeval.labels.raw_rows import RawRow
from ontoeval.labels.separators import SEPARATORS
from ontoeval.labels.write import Rows


class Placing:
    """Takes the labels of a sample one after the other."""

    __slots__ = ("_called", "_met", "_once", "_placed")  # there may be one for each of many samples

    def __init__(self, labels: Sequence[str], called: Mapping[str, str], *, once: bool) -> None:
        self._met = dict.fromkeys(labels, False)
        self._called, self._once = called, once
        self._placed: dict[tuple[str, int], str] = {}

    def name(self, text: str, beside: int = 0) -> str | None:
        """Name a label that is written."""
        name = text if text in self._met else self._called.get(text, text)
        if name not in self._met:
            return None
        if (name, beside) not in self._placed:
            self._placed[name, beside] = text
            self._met[name] = True
            return name
        # What is repeated may be meant; what gets the name of a label that is there becomes one with it.
        return None if self._once or self._placed[name, beside] != text else name

    @property
    def missing(self) -> list[str]:
        """What is to be there and was not met."""
        return [name for name, met in self._met.items() if not met]


@dataclass(frozen=True, eq=False)
class Wanted:
    """What the rows of a corrected file are to hold."""

    form: Recognised
    final: Rows
    called: Mapping[str, str]
    once: NDArray[np.bool_]
    changed: NDArray[np.intp]

    def labels(self, number: int) -> list[str]:
        """List the labels that a row is to hold."""
        matrix, names = self.final.matrix, self.final.vocabulary.concepts
        return [names[at] for at in line(matrix, number)]

    def placing(self, number: int) -> Placing:
        """Start to take the labels of a row."""
        return Placing(self.labels(number), self.called, once=bool(self.once[number]))


def one_label_each(wanted: Wanted, original: Original) -> Iterator[Edit]:
    """Correct files with one label in each row."""
    form, samples = wanted.form, wanted.final.samples
    placings = {samples[number]: wanted.placing(number) for number in wanted.changed.tolist()}
    others = sorted(set(range(form.width)) - {form.sample, form.concept})
    found: list[_Found] = []
    last: dict[str, int] = {}
    for batch in original.rows.batches(form.delimiter, form.width):
        names = batch.columns[form.sample]
        for place in [n for n, name in enumerate(names) if name.strip() in placings]:
            sample, old = names[place].strip(), batch.columns[form.concept or 0][place].strip()
            # A row without a label says that there is the sample.
            beside = hash(tuple(batch.columns[n][place] for n in others))
            now = placings[sample].name(old, beside) if old else ""
            if now is not None:
                last[sample] = len(found)
            found.append(_Found(batch.lines[place], sample, now, now != old))
    for place, (begin, sample, now, changes) in enumerate(found):
        added = placings[sample].missing if last.get(sample) == place else []
        if added or changes:
            yield Edit(begin, partial(_entry, form, original.line_end, now, added))


class _Found(NamedTuple):
    """A row of a sample that changes: where it begins, and its label now, None where it goes."""

    begin: int
    sample: str
    now: str | None
    changes: bool


def _entry(form: Recognised, line_end: str, now: str | None, added: list[str], text: str) -> str:
    """Correct a row, and add others below it, which say of the sample nothing but these labels."""
    if now is None:
        return ""
    raw, column = RawRow(text, form.delimiter), form.concept or 0
    others = set(range(len(raw.spans))) - {form.sample, column}
    line = raw.replaced({column: now}) if raw.value(column).strip() != now else text
    end = "" if raw.end or not added else line_end
    more = (raw.replaced({**dict.fromkeys(others, ""), column: name}) for name in added)
    return end.join([line, *more]) + end


@dataclass(frozen=True, eq=False)
class Labels:
    """Corrects fields that hold all labels of a sample."""

    wanted: Wanted
    sign: str | None

    @classmethod
    def of(cls, wanted: Wanted, new: set[str], separator: str | None) -> Labels | None:
        """Choose what separates labels, such that what is written is read again."""
        if wanted.form.lists:
            return cls(wanted, None)
        names, most = wanted.final.vocabulary, int(np.diff(wanted.final.matrix.indptr).max(initial=0))
        found = separator or wanted.form.separator
        if found is None:
            # The first of them that occurs separates labels: here none does yet.
            return None if _any_in(new, SEPARATORS[:-1]) else cls(wanted, SEPARATORS[0])
        if separator is not None:
            return None if _any_in(new, (found,)) else cls(wanted, found)
        before = SEPARATORS[: SEPARATORS.index(found) + 1]
        unclear = most < 2 and _any_in(names, SEPARATORS)  # noqa: PLR2004 - none would separate anything
        return None if unclear or _any_in(new, before) else cls(wanted, found)

    def __call__(self, row: int, text: str) -> str:
        """Correct a row."""
        raw, column = RawRow(text, self.wanted.form.delimiter), self.wanted.form.concept or 0
        field, placing = raw.value(column), self.wanted.placing(row)
        if self.sign is not None:
            return raw.replaced({column: _separated(field, self.sign, placing)})
        (items,) = unlisted([field]) or [""]
        kept = [placing.name(item.strip()) for item in items.split(BETWEEN)]
        return raw.replaced({column: relisted([*filter(None, kept), *placing.missing], field)})


def _separated(field: str, sign: str, placing: Placing) -> str:
    """Correct labels between signs, with the blanks beside these; a field may end with one."""
    parts = [part for part in field.split(sign) if part.strip()]
    kept = [
        part.replace(part.strip(), name) for part in parts if (name := placing.name(part.strip())) is not None
    ]
    between = sign
    if len(parts) > 1:
        between = parts[0][len(parts[0].rstrip()) :] + sign + parts[1][: -len(parts[1].lstrip())]
    # Behind the last label there may be blanks, and what would separate it from others.
    behind = field[field.rindex(parts[-1]) + len(parts[-1].rstrip()) :] if parts else ""
    return between.join([*filter(None, [sign.join(kept).strip()]), *placing.missing]) + behind


@dataclass(frozen=True, eq=False)
class Values:
    """Corrects rows with a value for each concept."""

    wanted: Wanted
    place: Mapping[str, int]
    original: Original
    gone: tuple[int, ...] = ()

    def __call__(self, row: int, text: str) -> str:
        """Correct a row."""
        raw = RawRow(text, self.wanted.form.delimiter)
        there = {self.place[name] for name in self.wanted.labels(row)}
        fields = list(map(raw.value, range(1, len(raw.spans))))
        words = _words(fields)
        changed = {
            column: column in there
            for column, word in enumerate(fields, 1)
            if _is_there(word) != (column in there)
        }
        text = raw.replaced(
            {at: words[value] if value in words else self._usual[value] for at, value in changed.items()}
        )
        return RawRow(text, raw.delimiter).without(self.gone)

    @cached_property
    def _usual(self) -> dict[bool, str]:
        """How the file says that a label is there, and that it is not."""
        form, found = self.wanted.form, dict[bool, str]()
        for batch in self.original.rows.batches(form.delimiter, form.width):
            for column in batch.columns[1:]:
                found = {**_words(column), **found}
            if len(found) > 1:
                break
        return {False: "0", True: "1", **found}


def _words(fields: Iterable[str]) -> dict[bool, str]:
    """Take the first word for what is there, and the first for what is not."""
    words: dict[bool, str] = {}
    for field in dict.fromkeys(fields):
        words.setdefault(_is_there(field), field)
    return words


def _is_there(word: str) -> bool:
    return bool(TRUTH_VALUES.get(word.strip().lower(), number(word)))


def _any_in(names: Iterable[str], signs: tuple[str, ...]) -> bool:
    return any(sign in name for name in names for sign in signs)


_ROWS = 50_000
"""How many rows are compared at once."""


@dataclass(frozen=True, eq=False)
class Patch:
    """A text file with some rows corrected."""

    original: Original
    form: Recognised
    edits: Callable[[], Iterator[Edit]]
    gone: tuple[str, ...] = ()

    def write(self, path: Path) -> None:
        """Write the corrected text."""
        with text_file(path) as file:
            file.write(_header(self.original.head, self.form, self.gone))
            file.writelines(edited(self.original.rows, self.form.delimiter, self.edits()))
            file.write(self.original.tail)


def patch_of(
    written: Written, copied: CopiedRows, final: Rows, called: Mapping[str, str], separator: str | None
) -> Patch | None:
    """Correct the text of a file."""
    original, form = written.original, written.form
    if original is None or form is None:
        return None
    new = set(final.vocabulary) - set(written.spellings)
    if form.delimiter is None and any(text.split() != [text] for text in new):
        return None
    kept = np.unique(copied.group, return_index=True)[1]
    once = copied.once[copied.sample]
    gone = _merged(written.spellings, final, called) if form.format == "columns" else ()
    changed = np.arange(kept.size) if gone else _changed(written, kept, once, final)
    wanted = Wanted(form, final, called, once, changed)
    if form.format in {"long", "cafa"}:
        return Patch(original, form, partial(one_label_each, wanted, original))
    change: Callable[[int, str], str] | None = None
    if form.format in {"columns", "imageclef"} and not new:
        place = {text: number for number, text in enumerate(written.spellings, 1)}
        change = Values(wanted, place, original, tuple(place[text] for text in gone))
    if form.format == "wide":
        change = Labels.of(wanted, new, separator)
    if change is None:
        return None
    return Patch(original, form, partial(_by_row, written, kept, wanted, change), gone)


def _merged(columns: tuple[str, ...], final: Rows, called: Mapping[str, str]) -> tuple[str, ...]:
    """List the columns that no sample bears any more, and whose concept another column has."""
    own: dict[str, str] = {}
    for text in sorted(columns, key=lambda text: text not in final.vocabulary):
        own.setdefault(called.get(text, text), text)
    kept = {*own.values(), *final.vocabulary}
    return tuple(text for text in columns if text not in kept)


def _header(head: str, form: Recognised, gone: tuple[str, ...]) -> str:
    """Leave columns out of what stands before the rows, of which the last names the columns."""
    if not gone:
        return head
    begins = [len(MARK) * head.startswith(MARK), *(found.end() for found in LINE_END.finditer(head))]
    rows = ((begin, RawRow(head[begin:], form.delimiter)) for begin in reversed(begins))
    begin, row = next(one for one in rows if len(one[1].spans) == len(form.header))
    return head[:begin] + row.without(form.header.index(name, 1) for name in gone)


def _changed(
    written: Written, kept: NDArray[np.intp], once: NDArray[np.bool_], final: Rows
) -> NDArray[np.intp]:
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
    repeated = 0 if written.repeats is None else np.diff(written.repeats.labels.indptr)[kept] * once
    return np.flatnonzero(np.concatenate(differ) + repeated)


def _by_row(
    written: Written, kept: NDArray[np.intp], wanted: Wanted, change: Callable[[int, str], str]
) -> Iterator[Edit]:
    """Correct files with all labels of a sample in one row."""
    begins = np.asarray(written.starts).tolist()
    numbers = dict(zip(kept[wanted.changed].tolist(), wanted.changed.tolist(), strict=True))
    gone = np.setdiff1d(np.arange(len(written.rows)), kept).tolist()
    for place in sorted([*numbers, *gone]):
        yield Edit(begins[place], partial(change, numbers[place]) if place in numbers else _nothing)


def _nothing(_: str) -> str:
    return ""
