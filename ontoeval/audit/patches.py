"""Patches: the text of a label file with some rows corrected, and all others byte for byte."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import chain, islice, repeat
from pathlib import Path
from string import whitespace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ontoeval.audit.raw_labels import LINE_END, Original, RawLabels
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.showing import Shown
from ontoeval.errors import InputError, enumerate_some, pluralise
from ontoeval.labels.cells import BLANK, SEPARATORS, TRUTH_VALUES, is_negated, parse_number
from ontoeval.labels.formats import Recognised
from ontoeval.labels.recognition import LABEL_FORMATS
from ontoeval.labels.sources import LabelSource, parsed_rows
from ontoeval.labels.writers import LabelRows, OutputFormat, write_labels
from ontoeval.plumbing.arrays import Marks, Places
from ontoeval.plumbing.list_texts import BETWEEN, list_items, write_list
from ontoeval.plumbing.sparse import pattern_at, stored_columns
from ontoeval.plumbing.text_checks import MARK
from ontoeval.plumbing.writing import check_table_name, text_file

_WORDS = re.compile(r"\S+")


@dataclass(frozen=True)
class RawRow:
    """A row of a table as it is written."""

    text: str
    delimiter: str | None

    @cached_property
    def spans(self) -> list[tuple[int, int]]:
        """Where each field begins and ends, with its quotes and without blanks before it."""
        if self.delimiter is None:
            return [found.span() for found in _WORDS.finditer(self.text)]
        field = re.compile(rf' *+("(?:[^"]++|"")*+"|[^{self.delimiter}\r\n]*+)')
        spans, found = [], field.match(self.text)
        while found is not None:
            spans.append(found.span(1))
            place = found.end() + 1
            found = field.match(self.text, place) if self.text[place - 1 : place] == self.delimiter else None
        return spans

    def value(self, column: int) -> str:
        """Read a field."""
        begin, end = self.spans[column]
        raw = self.text[begin:end]
        return raw[1:-1].replace('""', '"') if self._quoted(raw) else raw

    def with_values(self, values: Mapping[int, str]) -> str:
        """Write other fields."""
        parts, place = [], 0
        for column, (begin, end) in enumerate(self.spans):
            if column in values:
                parts += [self.text[place:begin], self._field(values[column], self.text[begin:end])]
                place = end
        return "".join([*parts, self.text[place:]])

    def without_fields(self, columns: Iterable[int]) -> str:
        """Remove fields, and the delimiters before them."""
        parts, place = [], 0
        for column in columns:
            parts.append(self.text[place : self.spans[column - 1][1]])
            place = self.spans[column][1]
        return "".join([*parts, self.text[place:]])

    @property
    def end(self) -> str:
        """End of its last line; "" at the end of a file."""
        return self.text[len(self.text.rstrip("\r\n")) :]

    def _quoted(self, raw: str) -> bool:
        return self.delimiter is not None and raw.startswith('"')

    def _field(self, value: str, before: str) -> str:
        signs = (self.delimiter or "", '"', "\r", "\n")
        if self._quoted(before) or (self.delimiter and any(sign in value for sign in signs)):
            return '"' + value.replace('"', '""') + '"'
        return value


class Edit(NamedTuple):
    """A change of a row."""

    begin: int
    change: Callable[[str], str]


def apply_edits(rows: LabelSource, delimiter: str | None, edits: Iterable[Edit]) -> Iterator[str]:
    """Change some rows of a text."""
    lines, at = rows.lines(), rows.line
    for begin, change in edits:
        yield from islice(lines, begin - at)
        taken = _row(lines, delimiter)
        yield change("".join(taken))
        at = begin + len(taken)
    yield from lines


def _row(lines: Iterator[str], delimiter: str | None) -> list[str]:
    """Take the lines of one row, which is not blank."""
    taken = [next(lines)]
    if delimiter is not None and '"' in taken[0]:

        def more(line: str) -> str:
            taken.append(line)
            return line

        # One row at once: the parser asks for no line behind it.
        next(parsed_rows(chain(taken[:1], map(more, lines)), 0, delimiter, at_once=1))
    return taken


_LONG = frozenset({"long", "cafa"})
"""Formats with one label in each row."""


@dataclass(frozen=True, eq=False)
class Patch:
    """A text file with some rows corrected.

    `kept` are the rows of the file that are rows of `final`, and of these `changed` are rows of samples that
    change; `once` marks rows in which a label counts once, `called` names the labels of the file, `sign`
    separates labels, and the columns `gone` are left out.
    """

    raw: RawLabels
    original: Original
    form: Recognised
    final: LabelRows
    kept: NDArray[np.intp]
    changed: NDArray[np.intp]
    once: NDArray[np.bool_]
    called: Mapping[str, str]
    sign: str | None = None
    gone: tuple[str, ...] = ()

    @property
    def tabs(self) -> bool:
        """Whether tabs stand between the fields."""
        return self.form.delimiter == "\t"

    def write(self, path: Path) -> None:
        """Write the corrected text."""
        edits = self._edits_of_long() if self.form.format in _LONG else self._edits_of_rows()
        with text_file(path) as file:
            file.write(self._header())
            file.writelines(apply_edits(self.original.rows, self.form.delimiter, edits))
            file.write(self.original.tail)

    def _header(self) -> str:
        """Remove columns from the text before the rows, whose last line is the header."""
        head, form = self.original.head, self.form
        if not self.gone:
            return head
        begins = [len(MARK) * head.startswith(MARK), *(found.end() for found in LINE_END.finditer(head))]
        rows = ((begin, RawRow(head[begin:], form.delimiter)) for begin in reversed(begins))
        begin, row = next(one for one in rows if len(one[1].spans) == len(form.header))
        return head[:begin] + row.without_fields(form.header.index(name, 1) for name in self.gone)

    def _labels(self, row: int) -> list[str]:
        return [self.final.vocabulary.concepts[at] for at in stored_columns(self.final.matrix, row)]

    def _match_labels(
        self, row: int, written: Sequence[str], beside: Iterable[int] = repeat(0)
    ) -> tuple[list[str | None], list[str]]:
        """Name the labels that a row writes, with None for those that go; and list those that it lacks."""
        met = dict.fromkeys(self._labels(row), False)
        first: dict[tuple[str, int], str] = {}
        names: list[str | None] = []
        for text, other in zip(written, beside, strict=False):
            name = text if text in met else self.called.get(text, text)
            # Repeated labels stay; a label renamed to another of the row is merged with that one.
            stays = name in met and (
                (name, other) not in first or (first[name, other] == text and not self.once[row])
            )
            if name in met:
                first.setdefault((name, other), text)
                met[name] = True
            names.append(name if stays or not text else None)
        return names, [name for name, there in met.items() if not there]

    def _edits_of_rows(self) -> Iterator[Edit]:
        """Correct a file with all labels of a sample in one row; rows that join another go."""
        change = self._with_list if self.form.format == "wide" else self._with_values
        begins = np.asarray(self.raw.starts).tolist()
        rows = np.arange(self.kept.size) if self.gone else self.changed
        numbers = dict(zip(self.kept[rows].tolist(), rows.tolist(), strict=True))
        gone = np.setdiff1d(np.arange(len(self.raw.rows)), self.kept).tolist()
        for place in sorted([*numbers, *gone]):
            yield Edit(begins[place], partial(change, numbers[place]) if place in numbers else lambda _: "")

    def _with_list(self, row: int, text: str) -> str:
        """Correct the field of a row that holds all its labels."""
        raw, column = RawRow(text, self.form.delimiter), self.form.concept or 0
        field = raw.value(column)
        parts = (
            (list_items([field]) or [""])[0].split(BETWEEN) if self.sign is None else field.split(self.sign)
        )
        parts = [part for part in parts if part.strip()]
        written = [part.strip(whitespace) for part in parts]
        names, missing = self._match_labels(row, written)
        if names == written and not missing:
            return text
        if self.sign is None:
            return raw.with_values({column: write_list([*filter(None, names), *missing], field)})
        kept = [one.replace(old, new) for one, old, new in zip(parts, written, names, strict=True) if new]
        between = self.sign
        if len(parts) > 1:  # with the blanks beside it
            between = parts[0].partition(written[0])[2] + self.sign + parts[1][: -len(parts[1].lstrip())]
        # Behind the last label there may be blanks, and what would separate it from others.
        behind = field[field.rindex(parts[-1]) + len(parts[-1].rstrip(whitespace)) :] if parts else ""
        joined = between.join([*filter(None, [self.sign.join(kept).strip(whitespace)]), *missing])
        return raw.with_values({column: joined + behind})

    def _with_values(self, row: int, text: str) -> str:
        """Correct the values of a row that has one for each concept."""
        raw, place = RawRow(text, self.form.delimiter), self._spelling_numbers
        there = {place[name] for name in self._labels(row)}
        fields = list(map(raw.value, range(1, len(raw.spans))))
        words = {**self._words, **_words(fields)}
        changed = {
            column: words[column in there]
            for column, word in enumerate(fields, 1)
            if _is_there(word) != (column in there)
        }
        return RawRow(raw.with_values(changed), raw.delimiter).without_fields(
            place[name] for name in self.gone
        )

    @cached_property
    def _spelling_numbers(self) -> dict[str, int]:
        return {text: number for number, text in enumerate(self.raw.spellings, 1)}

    @cached_property
    def _words(self) -> dict[bool, str]:
        """Words of the file for present and absent labels."""
        found = dict[bool, str]()
        for batch in self.original.rows.batches(self.form.delimiter, self.form.width):
            for column in batch.columns[1:]:
                found = {**_words(column), **found}
            if len(found) > 1:
                break
        return {False: "0", True: "1", **found}

    def _edits_of_long(self) -> list[Edit]:
        """Correct a file with one label in each row, so that rows go and others are added."""
        form, rows = self.form, {self.final.samples[row]: row for row in self.changed.tolist()}
        others = sorted(set(range(form.width)) - {form.sample, form.concept})
        found: defaultdict[int, list[tuple[int, str, int]]] = defaultdict(list)
        for batch in self.original.rows.batches(form.delimiter, form.width):
            qualifiers = repeat("") if form.negation is None else batch.columns[form.negation]
            entries = zip(batch.columns[form.sample], qualifiers, strict=False)
            for place, (name, qualifier) in enumerate(entries):
                # A row that marks its label as absent stays.
                if name.strip() in rows and not is_negated(qualifier):
                    label = batch.columns[form.concept or 0][place].strip(whitespace)
                    beside = hash(tuple(batch.columns[n][place] for n in others))
                    found[rows[name.strip()]].append((batch.lines[place], label, beside))
        edits = []
        for row, written_rows in found.items():
            begins, written, besides = zip(*written_rows, strict=True)
            names, missing = self._match_labels(row, written, besides)
            last = max((place for place, name in enumerate(names) if name is not None), default=-1)
            for place, (begin, old, now) in enumerate(zip(begins, written, names, strict=True)):
                added = missing if place == last else []
                if added or now != old:
                    edits.append(Edit(begin, partial(self._entry, now, added)))
        return sorted(edits, key=lambda edit: edit.begin)

    def _entry(self, now: str | None, added: list[str], text: str) -> str:
        """Correct the label of a row, and add rows below for new labels of its sample."""
        if now is None:
            return ""
        raw, column = RawRow(text, self.form.delimiter), self.form.concept or 0
        others = set(range(len(raw.spans))) - {self.form.sample, column}
        first = raw.with_values({column: now}) if raw.value(column).strip(whitespace) != now else text
        end = "" if raw.end or not added else self.original.line_end
        more = (raw.with_values({**dict.fromkeys(others, ""), column: name}) for name in added)
        return end.join([first, *more]) + end


@dataclass(frozen=True, eq=False, repr=False)
class Copy(Shown):
    """A label file with other labels.

    Parameters
    ----------
    rows
        The rows of the copy; labels that were not understood are there as they were written.
    patch
        The text of the file with its changes; None where the copy is CSV.
    output_format, separator
        Those of `write_labels` that are nearest to the file's.
    losses
        What the file holds and CSV does not.
    source
        The file.
    """

    rows: LabelRows
    patch: Patch | None
    output_format: OutputFormat
    separator: str
    losses: tuple[str, ...]
    source: str

    @cached_property
    def sets(self) -> LabelSets:
        """The labels of each sample, over those that are used."""
        position = {name: number for number, name in enumerate(dict.fromkeys(self.rows.samples))}
        sample = np.array([position[name] for name in self.rows.samples], dtype=np.intp)
        joined = pattern_at(sample, np.arange(sample.size), (len(position), sample.size)) @ self.rows.matrix
        return LabelSets(joined, self.rows.vocabulary, tuple(position))

    @property
    def lost(self) -> str:
        """What is lost, in words."""
        return ", ".join(self.losses)

    @property
    def how(self) -> str:
        """How the copy is written, and what is not in it."""
        if self.patch is not None:
            gone = f" but the columns {enumerate_some(self.patch.gone)}" * bool(self.patch.gone)
            return f"all else as it was{gone}"
        return f"written anew as {self.output_format} CSV" + f" without {self.lost}" * bool(self.losses)

    def checked(self, option: str, out: Path, *, accept_losses: bool) -> Callable[[Path], None]:
        """Give the function that writes the copy; refuse losses that nobody accepts, and other endings."""
        if self.patch is not None:
            check_table_name(option, out, tabs=self.patch.tabs)
            return self.patch.write
        if self.losses and not accept_losses:
            problem = f"labels cannot be changed in this file, and a table of them lacks {self.lost}"
            remedy = "Accept the loss (--accept-losses, accept_losses=)."
            raise InputError(problem, remedy, where=self.source)
        check_table_name(option, out)
        return partial(write_labels, self.rows, output_format=self.output_format, separator=self.separator)


def copy_of(
    raw: RawLabels,
    final: LabelRows,
    kept: Places,
    changed: Places,
    once: Marks,
    called: Mapping[str, str],
    separator: str | None,
    *,
    anew: bool = False,
) -> Copy:
    """Write other labels into a file, or a table of labels alone."""
    form, absent = raw.form, raw.ledger.negated
    patch = None if anew else _patch_of(raw, final, kept, changed, once, called, separator)
    names = () if form is None else list(filter(None, dict.fromkeys((*form.unused, *raw.ledger.unused))))
    more = form is not None and LABEL_FORMATS[form.format].more and not names
    lost = [enumerate_some(names)] * bool(names) + ["what stands beside the labels"] * more
    lost += ["the scores"] * raw.scored
    lost += [f"{pluralise(absent, 'label')} marked as absent"] * bool(absent)
    return Copy(final, patch, *format_like(form, final.vocabulary, separator), tuple(lost), raw.source)


def format_like(
    form: Recognised | None, labels: Iterable[str], separator: str | None = None
) -> tuple[OutputFormat, str]:
    """Choose the format of a copy: one that is like the file's, and read again as it is written."""
    labels, chosen = list(labels), separator or (None if form is None else form.separator) or ";"
    if chosen == BLANK and separator is None and any(label.split() != [label] for label in labels):
        chosen = ";"
    # Where nobody names the separator, a reader takes the first that occurs.
    before = SEPARATORS[: SEPARATORS.index(chosen)] if chosen in SEPARATORS and separator is None else ()
    mixed = any(sign in label for label in labels for sign in (chosen, *before))
    return "long" if mixed or (form is not None and form.format == "long") else "wide", chosen


def _patch_of(
    raw: RawLabels,
    final: LabelRows,
    kept: Places,
    changed: Places,
    once: Marks,
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
    patch = Patch(raw, original, form, final, kept, changed, once, called)
    if form.format in _LONG:
        return patch
    if form.format == "wide":
        sign = None if form.lists else _choose_separator(form, final, new, separator)
        return replace(patch, sign=sign) if form.lists or sign is not None else None
    if form.format == "columns" and form.sample:  # behind an index, which the copy leaves out
        return None
    if form.format == "columns":
        patch = replace(patch, gone=_merged_columns(raw.spellings, final, called))
    return patch if form.format in {"columns", "imageclef"} and not new else None


def _choose_separator(form: Recognised, final: LabelRows, new: set[str], separator: str | None) -> str | None:
    """Choose the separator of labels, such that the copy reads back as written."""
    found = separator or form.separator
    if found is None:
        # The first separator that occurs counts: here none does yet.
        return None if _any_in(new, SEPARATORS[:-1]) else SEPARATORS[0]
    if separator is not None:
        return None if _any_in(new, (found,)) else found
    before = SEPARATORS[: SEPARATORS.index(found) + 1]
    most = int(np.diff(final.matrix.indptr).max(initial=0))
    unclear = most <= 1 and _any_in(final.vocabulary, SEPARATORS)  # none would separate anything
    return None if unclear or _any_in(new, before) else found


def _merged_columns(columns: tuple[str, ...], final: LabelRows, called: Mapping[str, str]) -> tuple[str, ...]:
    """List the columns that no sample uses any more, and whose concept another column has."""
    own: dict[str, str] = {}
    for text in sorted(columns, key=lambda text: text not in final.vocabulary):
        own.setdefault(called.get(text, text), text)
    kept = {*own.values(), *final.vocabulary}
    return tuple(text for text in columns if text not in kept)


def _words(fields: Iterable[str]) -> dict[bool, str]:
    """First words of the file for present and for absent labels."""
    words: dict[bool, str] = {}
    for field in dict.fromkeys(fields):
        words.setdefault(_is_there(field), field)
    return words


def _is_there(word: str) -> bool:
    return bool(TRUTH_VALUES.get(word.strip().lower(), parse_number(word)))


def _any_in(names: Iterable[str], signs: tuple[str, ...]) -> bool:
    return any(sign in name for name in names for sign in signs)
