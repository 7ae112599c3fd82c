"""Copies of label files with other labels, and all else byte for byte."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, partial
from itertools import repeat
from pathlib import Path
from string import whitespace

import numpy as np

from ontoeval.audit.raw_labels import Original, RawLabels
from ontoeval.audit.relabelling import Relabelling, placed_edits
from ontoeval.core.label_sets import LabelSets
from ontoeval.core.separators import BLANK, SEPARATORS
from ontoeval.errors import InputError, ParameterError, enumerate_some, pluralise
from ontoeval.labels.cells import TRUTH_VALUES, is_negated, parse_number
from ontoeval.labels.formats import PARQUET, Recognised
from ontoeval.labels.parquet import (
    Arrow,
    class_names,
    import_pyarrow,
    open_parquet,
    parquet_explained,
    table_of,
    texts_of,
)
from ontoeval.labels.recognition import LABEL_FORMATS, is_table
from ontoeval.labels.sources import LabelSource
from ontoeval.labels.spans import Edit, RawRow, spliced
from ontoeval.labels.writers import LabelRows, OutputFormat, write_labels
from ontoeval.plumbing.sparse import pattern_at
from ontoeval.plumbing.writing import check_table_name, ending, is_table_name, text_file


@dataclass(frozen=True, eq=False)
class Patch:
    """A text file with other bytes, or a `table` for Parquet; the columns `gone` are left out."""

    file: LabelSource
    form: Recognised
    edits: Callable[[], Iterable[Edit]]
    gone: tuple[str, ...] = ()
    table: Arrow = None

    def write(self, path: Path) -> None:
        """Write the corrected text or table."""
        if self.table is not None:
            group = open_parquet(self.file).metadata.row_group(0)
            packed = group.column(0).compression.replace("UNCOMPRESSED", "NONE")
            size = {"row_group_size": group.num_rows, "compression": packed}
            import_pyarrow("pyarrow.parquet").write_table(self.table, path, **size)
            return
        with text_file(path) as file:
            file.write(self.file.mark)
            file.writelines(spliced(self.file.data, self.edits()))


@dataclass(frozen=True, eq=False)
class TableEdits:
    """Changes of a table of text, whose labels are separated by `sign`; the columns `gone` are left out."""

    raw: RawLabels
    original: Original
    form: Recognised
    new: Relabelling
    sign: str | None = None
    gone: tuple[str, ...] = ()

    def __call__(self) -> Iterator[Edit]:
        """Give the changes in the order of the file."""
        yield from self._header()
        yield from self._edits_of_long() if self.form.format in {"long", "cafa"} else self._edits_of_rows()

    def _row(self, line: int) -> RawRow:
        return RawRow(self.original.rows.data, int(self.original.file.offsets[line - 1]), self.form.delimiter)

    def _header(self) -> Iterator[Edit]:
        """Remove columns from the text before the rows, whose last row is the header."""
        if self.gone:
            lines = int(np.searchsorted(self.original.file.offsets, self.original.rows.begin, side="left"))
            rows = map(self._row, range(lines, 0, -1))
            row = next(row for row in rows if len(row.spans) == len(self.form.header))
            yield from self._without(row, (self.form.header.index(name, 1) for name in self.gone))

    @staticmethod
    def _without(row: RawRow, columns: Iterable[int]) -> Iterator[Edit]:
        """Remove fields, and the delimiters before them."""
        for column in columns:
            yield Edit(row.spans[column - 1][1], row.spans[column][1], "")

    def _edits_of_rows(self) -> Iterator[Edit]:
        """Correct a file with all labels of a sample in one row; rows that join another go."""
        change = self._with_list if self.form.format == "wide" else self._with_values
        begins, kept = np.asarray(self.raw.starts).tolist(), self.new.kept
        rows = np.arange(kept.size) if self.gone else self.new.changed
        numbers = dict(zip(kept[rows].tolist(), rows.tolist(), strict=True))
        gone = np.setdiff1d(np.arange(len(self.raw.rows)), kept).tolist()
        for place in sorted([*numbers, *gone]):
            row = self._row(begins[place])
            if place in numbers:
                yield from change(numbers[place], row)
            else:
                yield Edit(row.begin, row.end, "")

    def _with_list(self, number: int, row: RawRow) -> Iterator[Edit]:
        """Correct the field of a row that holds all its labels."""
        column = self.form.concept or 0
        field = row.value(column)
        now = self.new.list_of(number, field, self.sign)
        yield from row.edits({column: now} if now != field else {})

    def _with_values(self, number: int, row: RawRow) -> Iterator[Edit]:
        """Correct the values of a row that has one for each concept."""
        place = self._spelling_numbers
        there, gone = {place[name] for name in self.new.labels(number)}, {place[name] for name in self.gone}
        fields = list(map(row.value, range(1, len(row.spans))))
        words = {**self._words, **_words(fields)}
        changed = {
            column: words[column in there]
            for column, word in enumerate(fields, 1)
            if _is_there(word) != (column in there) and column not in gone
        }
        yield from sorted([*row.edits(changed), *self._without(row, gone)])

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

    def _edits_of_long(self) -> Iterator[Edit]:
        """Correct a file with one label in each row, so that rows go and others are added."""
        form, rows = self.form, {self.new.final.samples[row]: row for row in self.new.changed.tolist()}
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
        edits = list[Edit]()
        for row, written_rows in found.items():
            begins, written, besides = zip(*written_rows, strict=True)
            names, missing = self.new.match(row, written, besides)
            last = max((place for place, name in enumerate(names) if name is not None), default=0)
            if names == [None] * len(names) and not missing:
                names[0] = ""  # a sample without labels stays
            for place, (begin, old, now) in enumerate(zip(begins, written, names, strict=True)):
                added = missing if place == last else []
                if added or now != old:
                    edits += self._entry(self._row(begin), now, added)
        yield from sorted(edits)

    def _entry(self, row: RawRow, now: str | None, added: list[str]) -> Iterator[Edit]:
        """Correct the label of a row, and add rows below for new labels of its sample."""
        column = self.form.concept or 0
        if now is None:
            yield Edit(row.begin, row.end, "")
        elif row.value(column).strip(whitespace) != now:
            yield from row.edits({column: now})
        if added:
            others = set(range(len(row.spans))) - {self.form.sample, column}
            more = [row.with_values({**dict.fromkeys(others, ""), column: name}) for name in added]
            end = "" if more[0].endswith(("\n", "\r")) else self.original.line_end
            yield Edit(row.end, row.end, end + "".join(text + end for text in more))


@dataclass(frozen=True, eq=False, repr=False)
class Copy:
    """A label file with other labels.

    Parameters
    ----------
    rows
        The rows of the copy; labels that were not understood are there as they were written.
    patch
        The text of the file with its changes; None where the copy is CSV.
    output_format, separator
        Those of `write_labels` that are nearest to the file's.
    losses, why
        What the file holds and CSV does not, and why its text cannot be changed.
    source
        The file.
    """

    rows: LabelRows
    patch: Patch | None
    output_format: OutputFormat
    separator: str
    losses: str
    why: str
    source: str

    @cached_property
    def sets(self) -> LabelSets:
        """The labels of each sample, over those that are used."""
        position = {name: number for number, name in enumerate(dict.fromkeys(self.rows.samples))}
        sample = np.array([position[name] for name in self.rows.samples], dtype=np.intp)
        joined = pattern_at(sample, np.arange(sample.size), (len(position), sample.size)) @ self.rows.matrix
        return LabelSets(joined, self.rows.vocabulary, tuple(position))

    @property
    def how(self) -> str:
        """How the copy is written, and what is not in it."""
        if self.patch is not None:
            gone = f" but the columns {enumerate_some(self.patch.gone)}" * bool(self.patch.gone)
            return f"all else as it was{gone}"
        return f"written anew as {self.output_format} CSV" + f" without {self.losses}" * bool(self.losses)

    def checked(self, option: str, out: Path, *, accept_losses: bool) -> Callable[[Path], None]:
        """Give the function that writes the copy; refuse losses that nobody accepts, and other endings."""
        if self.patch is None and self.losses and not accept_losses:
            problem = f"{self.why}, and a table of labels lacks {self.losses}"
            remedy = "Accept the loss (--accept-losses, accept_losses=)."
            raise InputError(problem, remedy, where=self.source)
        needed = ending(self.source)
        if self.patch is None and ending(out) == needed and not is_table_name(out):
            raise InputError(self.why, f"Write a table of labels ({option} NEW.csv).", where=self.source)
        if self.patch is None or is_table(self.patch.form):
            check_table_name(option, out, tabs=self.patch is not None and self.patch.form.delimiter == "\t")
        elif needed and ending(out) != needed:
            raise ParameterError(option, str(out), f"a name that ends in {needed}, as that of the file")
        anew = partial(write_labels, self.rows, output_format=self.output_format, separator=self.separator)
        return anew if self.patch is None else self.patch.write


def copy_of(raw: RawLabels, new: Relabelling, separator: str | None, *, anew: bool = False) -> Copy:
    """Write other labels into a file, or a table of labels alone."""
    form, absent, patch, why = raw.form, raw.ledger.negated, None, "labels cannot be changed in this file"
    try:
        patch = None if anew else _patch_of(raw, new, separator)
    except InputError as error:
        why = error.problem
    if anew and absent:
        why = "labels that are marked as absent would keep the names of the old version"
    names = () if form is None else list(filter(None, dict.fromkeys((*form.unused, *raw.ledger.unused))))
    more = form is not None and LABEL_FORMATS[form.format].more and not names
    lost = [enumerate_some(names)] * bool(names) + ["what stands beside the labels"] * more
    lost += ["the scores"] * raw.scored + [f"{pluralise(absent, 'label')} marked as absent"] * bool(absent)
    layout = format_like(form, new.final.vocabulary, separator)
    return Copy(new.final, patch, *layout, ", ".join(lost), why, raw.source)


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


def _patch_of(raw: RawLabels, new: Relabelling, separator: str | None) -> Patch | None:
    """Correct the text of a file; None where a corrected file must be written anew."""
    original, form = raw.original, raw.form
    if original is None or form is None or Path(raw.source).is_dir():
        return None
    flat = form.delimiter == PARQUET and form.format in {"wide", "long"} and not form.json_cells
    if not is_table(form) and not flat:
        edits = placed_edits(original, form, new)
        return None if edits is None else Patch(original.file, form, lambda: edits)
    names = set(new.final.vocabulary) - set(raw.spellings)
    if form.delimiter is None and any(text.split() != [text] for text in names):
        return None
    table = TableEdits(raw, original, form, new)
    if form.format == "wide" and not form.lists:
        table = replace(table, sign=_choose_separator(form, new.final, names, separator))
        if table.sign is None:
            return None
    elif form.format in {"columns", "imageclef"}:
        if names or (form.format == "columns" and form.sample):
            return None  # an index before the samples is left out of the copy
        if form.format == "columns":
            table = replace(table, gone=_merged_columns(raw.spellings, new.final, new.called))
    return Patch(original.file, form, table, table.gone, _relabelled(table) if flat else None)


def _relabelled(edits: TableEdits) -> Arrow:
    """Write other labels into a table of Parquet, in the type of their column."""
    form, new, file, long = edits.form, edits.new, edits.original.file, edits.form.format == "long"
    table = table_of(file, replace(form, unused=())).cast(open_parquet(file).schema_arrow)
    column, sample = table.schema.field(form.concept), form.header[form.sample]
    values, classes = table[column.name].to_pylist(), class_names(table.schema.metadata, column.name)
    own: dict[str, object] = {"": None, **{name: int(number) for number, name in classes.items()}}
    names = list(map(str.strip, texts_of(table[sample], sample))) if long else range(1, len(values) + 1)
    keys = new.final.samples if long else np.asarray(edits.raw.starts)[new.kept].tolist()
    rows, written = {keys[row]: row for row in new.changed.tolist()}, set[tuple[int, str | None]]()
    places = [at for at, name in enumerate(names) if name in rows and values[at] is not None]
    for at in places:
        row, value = rows[names[at]], values[at]
        if isinstance(value, str) and not long:
            values[at] = new.list_of(row, value, edits.sign)
            continue
        held = [value] if long else value
        texts = ["" if one is None else classes.get(str(one), str(one)).strip(whitespace) for one in held]
        found, more = new.match(row, texts)
        written |= {(row, name) for name in found}
        if found != texts or more:
            now = [own.get(name, name) for name in (*found, *more) if name is not None]
            values[at] = now[0] if long and now else now
    wanted = {(row, name) for row in rows.values() for name in new.labels(row)}
    if new.kept.size < len(edits.raw.rows) or (long and (new.once.any() or written != wanted)):
        raise InputError("rows of Parquet are neither added nor taken out", "")
    with parquet_explained(file.where, "changed"):
        cells = import_pyarrow().array(values, column.type)
    return table.set_column(form.concept, column, cells)


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
    ordered = sorted(columns, key=lambda text: text not in final.vocabulary)
    own = {called.get(text, text): text for text in reversed(ordered)}
    kept = {*own.values(), *final.vocabulary}
    return tuple(text for text in columns if text not in kept)


def _words(fields: Iterable[str]) -> dict[bool, str]:
    """First words of the file for present and for absent labels."""
    return {_is_there(field): field for field in reversed(dict.fromkeys(fields))}


def _is_there(word: str) -> bool:
    return bool(TRUTH_VALUES.get(word.strip().lower(), parse_number(word)))


def _any_in(names: Iterable[str], signs: tuple[str, ...]) -> bool:
    return any(sign in name for name in names for sign in signs)
