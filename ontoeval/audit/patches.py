"""Patches: the text of a label file with some rows corrected, and all others byte for byte."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from ontoeval.audit.raw_labels import LINE_END, Original, RawLabels
from ontoeval.core.files import MARK
from ontoeval.core.sparse import choose_entries, line, without
from ontoeval.core.writing import text_file
from ontoeval.labels.cells import BETWEEN, SEPARATORS, TRUTH_VALUES, number, relisted, unlisted
from ontoeval.labels.edits import Edit, RawRow, edited
from ontoeval.labels.formats import Recognised
from ontoeval.labels.writers import Rows

_ROWS = 50_000
"""How many rows are compared at once."""


@dataclass(frozen=True, eq=False)
class Patch:
    """A text file with some rows corrected.

    `kept` are the rows of the file that are rows of `final`, `once` marks those in which a label counts once,
    `called` names the labels of the file, `sign` separates labels, and the columns `gone` are left out.
    """

    raw: RawLabels
    original: Original
    form: Recognised
    final: Rows
    kept: NDArray[np.intp]
    once: NDArray[np.bool_]
    called: Mapping[str, str]
    sign: str | None = None
    gone: tuple[str, ...] = ()

    def write(self, path: Path) -> None:
        """Write the corrected text."""
        with text_file(path) as file:
            file.write(self._header())
            file.writelines(edited(self.original.rows, self.form.delimiter, self._edits()))
            file.write(self.original.tail)

    def _header(self) -> str:
        """Leave columns out of what stands before the rows, of which the last names the columns."""
        head, form = self.original.head, self.form
        if not self.gone:
            return head
        begins = [len(MARK) * head.startswith(MARK), *(found.end() for found in LINE_END.finditer(head))]
        rows = ((begin, RawRow(head[begin:], form.delimiter)) for begin in reversed(begins))
        begin, row = next(one for one in rows if len(one[1].spans) == len(form.header))
        return head[:begin] + row.without(form.header.index(name, 1) for name in self.gone)

    def _labels(self, row: int) -> list[str]:
        return [self.final.vocabulary.concepts[at] for at in line(self.final.matrix, row)]

    def _placing(self, row: int) -> _Placing:
        return _Placing(self._labels(row), self.called, once=bool(self.once[row]))

    @cached_property
    def _changed(self) -> NDArray[np.intp]:
        """The rows that do not hold what they should, or some of it twice."""
        if self.gone:
            return np.arange(self.kept.size)
        final, before_all = self.final, self.raw.matrix
        column = np.array([final.vocabulary.index.get(text, -1) for text in self.raw.spellings], np.int32)
        differ = [np.empty(0, dtype=np.intp)]
        for begin in range(0, self.kept.size, _ROWS):
            now, before = final.matrix[begin : begin + _ROWS], before_all[self.kept[begin : begin + _ROWS]]
            still = choose_entries(before, column[before.indices] >= 0)
            same = sparse.csr_array((still.data, column[still.indices], still.indptr), shape=now.shape)
            # What is new, what is gone, and what is called otherwise.
            new, lost, *renamed = (
                np.diff(matrix.indptr) for matrix in (without(now, same), without(same, now), before, still)
            )
            differ.append(new + lost + renamed[0] - renamed[1])
        repeats = self.raw.repeats
        again = 0 if repeats is None else np.diff(repeats.labels.indptr)[self.kept] * self.once
        return np.flatnonzero(np.concatenate(differ) + again)

    def _edits(self) -> Iterator[Edit]:
        if self.form.format in {"long", "cafa"}:
            yield from self._edits_of_long()
            return
        change = self._with_values if self._has_columns else self._with_list
        begins = np.asarray(self.raw.starts).tolist()
        numbers = dict(zip(self.kept[self._changed].tolist(), self._changed.tolist(), strict=True))
        gone = np.setdiff1d(np.arange(len(self.raw.rows)), self.kept).tolist()
        for place in sorted([*numbers, *gone]):
            yield Edit(begins[place], partial(change, numbers[place]) if place in numbers else lambda _: "")

    @property
    def _has_columns(self) -> bool:
        return self.form.format in {"columns", "imageclef"}

    def _with_list(self, row: int, text: str) -> str:
        """Correct the field of a row that holds all its labels."""
        raw, column = RawRow(text, self.form.delimiter), self.form.concept or 0
        field, placing = raw.value(column), self._placing(row)
        if self.sign is not None:
            return raw.replaced({column: _separated(field, self.sign, placing)})
        (items,) = unlisted([field]) or [""]
        kept = [placing.place(item.strip()) for item in items.split(BETWEEN)]
        return raw.replaced({column: relisted([*filter(None, kept), *placing.missing], field)})

    def _with_values(self, row: int, text: str) -> str:
        """Correct the values of a row that has one for each concept."""
        raw, place = RawRow(text, self.form.delimiter), self._place
        there = {place[name] for name in self._labels(row)}
        fields = list(map(raw.value, range(1, len(raw.spans))))
        words = {**self._words, **_words(fields)}
        changed = {
            column: words[column in there]
            for column, word in enumerate(fields, 1)
            if _is_there(word) != (column in there)
        }
        return RawRow(raw.replaced(changed), raw.delimiter).without(place[name] for name in self.gone)

    @cached_property
    def _place(self) -> dict[str, int]:
        return {text: number for number, text in enumerate(self.raw.spellings, 1)}

    @cached_property
    def _words(self) -> dict[bool, str]:
        """How the file says that a label is there, and that it is not."""
        found = dict[bool, str]()
        for batch in self.original.rows.batches(self.form.delimiter, self.form.width):
            for column in batch.columns[1:]:
                found = {**_words(column), **found}
            if len(found) > 1:
                break
        return {False: "0", True: "1", **found}

    def _edits_of_long(self) -> Iterator[Edit]:
        """Correct a file with one label in each row, so that rows go and others are added."""
        form, samples = self.form, self.final.samples
        placings = {samples[row]: self._placing(row) for row in self._changed.tolist()}
        others = sorted(set(range(form.width)) - {form.sample, form.concept})
        found: list[tuple[int, str, str | None, bool]] = []
        last: dict[str, int] = {}
        for batch in self.original.rows.batches(form.delimiter, form.width):
            names = batch.columns[form.sample]
            for place in [n for n, name in enumerate(names) if name.strip() in placings]:
                sample, old = names[place].strip(), batch.columns[form.concept or 0][place].strip()
                # A row without a label says that there is the sample.
                beside = hash(tuple(batch.columns[n][place] for n in others))
                now = placings[sample].place(old, beside) if old else ""
                if now is not None:
                    last[sample] = len(found)
                found.append((batch.lines[place], sample, now, now != old))
        for place, (begin, sample, now, changes) in enumerate(found):
            added = placings[sample].missing if last.get(sample) == place else []
            if added or changes:
                yield Edit(begin, partial(self._entry, now, added))

    def _entry(self, now: str | None, added: list[str], text: str) -> str:
        """Correct the label of a row, and add rows below that say nothing else of its sample."""
        if now is None:
            return ""
        raw, column = RawRow(text, self.form.delimiter), self.form.concept or 0
        others = set(range(len(raw.spans))) - {self.form.sample, column}
        first = raw.replaced({column: now}) if raw.value(column).strip() != now else text
        end = "" if raw.end or not added else self.original.line_end
        more = (raw.replaced({**dict.fromkeys(others, ""), column: name}) for name in added)
        return end.join([first, *more]) + end


class _Placing:
    """Takes the labels that a row writes one after the other, and tells which stay, and under which names."""

    __slots__ = ("_called", "_met", "_once", "_placed")  # there may be one for each of many samples

    def __init__(self, labels: Sequence[str], called: Mapping[str, str], *, once: bool) -> None:
        self._met = dict.fromkeys(labels, False)
        self._called, self._once = called, once
        self._placed: dict[tuple[str, int], str] = {}

    def place(self, text: str, beside: int = 0) -> str | None:
        """Name a label that is written; None if it goes."""
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
        """The labels that were not met."""
        return [name for name, met in self._met.items() if not met]


def patch_of(
    raw: RawLabels,
    final: Rows,
    kept: NDArray[np.intp],
    once: NDArray[np.bool_],
    called: Mapping[str, str],
    separator: str | None,
) -> Patch | None:
    """Correct the text of a file; None where a corrected file must be written anew."""
    original, form = raw.original, raw.form
    if original is None or form is None:
        return None
    new = set(final.vocabulary) - set(raw.spellings)
    if form.delimiter is None and any(text.split() != [text] for text in new):
        return None
    patch = Patch(raw, original, form, final, kept, once, called)
    if form.format in {"long", "cafa"}:
        return patch
    if form.format == "wide":
        sign = None if form.lists else _sign(form, final, new, separator)
        return replace(patch, sign=sign) if form.lists or sign is not None else None
    if form.format == "columns":
        patch = replace(patch, gone=_merged(raw.spellings, final, called))
    return patch if form.format in {"columns", "imageclef"} and not new else None


def _sign(form: Recognised, final: Rows, new: set[str], separator: str | None) -> str | None:
    """Choose what separates labels, such that what is written is read again."""
    found = separator or form.separator
    if found is None:
        # The first of them that occurs separates labels: here none does yet.
        return None if _any_in(new, SEPARATORS[:-1]) else SEPARATORS[0]
    if separator is not None:
        return None if _any_in(new, (found,)) else found
    before = SEPARATORS[: SEPARATORS.index(found) + 1]
    most = int(np.diff(final.matrix.indptr).max(initial=0))
    unclear = most <= 1 and _any_in(final.vocabulary, SEPARATORS)  # none would separate anything
    return None if unclear or _any_in(new, before) else found


def _merged(columns: tuple[str, ...], final: Rows, called: Mapping[str, str]) -> tuple[str, ...]:
    """List the columns that no sample bears any more, and whose concept another column has."""
    own: dict[str, str] = {}
    for text in sorted(columns, key=lambda text: text not in final.vocabulary):
        own.setdefault(called.get(text, text), text)
    kept = {*own.values(), *final.vocabulary}
    return tuple(text for text in columns if text not in kept)


def _separated(field: str, sign: str, placing: _Placing) -> str:
    """Correct labels between signs, with the blanks beside these; a field may end with one."""
    parts = [part for part in field.split(sign) if part.strip()]
    kept = [
        part.replace(part.strip(), name)
        for part in parts
        if (name := placing.place(part.strip())) is not None
    ]
    between = sign
    if len(parts) > 1:
        between = parts[0][len(parts[0].rstrip()) :] + sign + parts[1][: -len(parts[1].lstrip())]
    # Behind the last label there may be blanks, and what would separate it from others.
    behind = field[field.rindex(parts[-1]) + len(parts[-1].rstrip()) :] if parts else ""
    return between.join([*filter(None, [sign.join(kept).strip()]), *placing.missing]) + behind


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
