"""Tables of text: wide, long, one column for each concept, and ImageCLEF."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, islice, repeat
from operator import contains, methodcaller

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.separators import BLANK, pieces_of, refuse_blanks, separator_of
from ontoeval.errors import InputError
from ontoeval.labels.cells import TRUTH_VALUES, is_negated, parse_numbers
from ontoeval.labels.formats import NAME_LABELS, SEVERAL_COLUMNS, Recognised
from ontoeval.labels.sources import NO_ROW, LabelSource, RowBlock
from ontoeval.labels.statements import (
    NAMELESS,
    Codebook,
    DecoderOptions,
    LabelBlock,
    LinesOfRows,
    Statements,
    columns_of,
    first_occurrences,
    lines_of,
    one_row_each,
    statements_of_blocks,
    statements_of_levels,
    with_places,
)
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.column_titles import numbered_alike
from ontoeval.plumbing.list_texts import BETWEEN, is_structure, labels_in, list_items
from ontoeval.plumbing.text_checks import line_ends

_ROWS = 20_000  # fields that are split at once, few enough to need little memory


def from_fields(
    source: LabelSource,
    lines: LinesOfRows,
    samples: Sequence[str],
    fields: Sequence[str],
    scores: Sequence[str] | None,
    wanted: DecoderOptions,
) -> Statements:
    """Split the labels, and their scores if there are any."""
    names = one_row_each(source, samples, lines, repeats=wanted.repeats)
    found, sign, lists = punctuation_of(fields, wanted)
    shown = sign
    if lists is not None:
        fields, sign, shown = lists, BETWEEN, ","
        scores = scores if scores is None else list_items(scores) or scores
    elif found:
        parted = [field if sign is None else field.replace(sign, BETWEEN) for field in fields]
        fields = [found.get(number, field) for number, field in enumerate(parted)]
        parts = [text if sign is None else text.replace(sign, BETWEEN) for text in scores or ()]
        pairs = zip(scores or (), parts, strict=True)
        scores = scores and [(list_items([text]) or [part])[0] for text, part in pairs]
        sign = BETWEEN
    spellings = Codebook(audited=wanted.repeats)
    code: list[NDArray[np.int32]] = [np.empty(0, np.int32)]
    values: list[NDArray[np.float64]] = [np.empty(0)]
    lengths = _lengths(fields, sign)
    for begin in range(0, len(fields), _ROWS):
        part = slice(begin, begin + _ROWS)
        texts = _split(fields[part], sign)
        code.append(spellings.codes(texts))
        if scores is not None:
            values.append(_scores_in_fields(source, lines[part], texts, lengths[part], scores[part], sign))
    owner = np.repeat(np.arange(len(fields), dtype=np.int32), lengths)
    value = None if scores is None else np.concatenate(values)
    seen = {"separator": shown, "lists": lists is not None, "json_cells": bool(found) and lists is None}
    entries = names, tuple(spellings.index), (), owner, np.concatenate(code), value
    statements = Statements(*entries, starts=lines, seen=seen)
    return with_places(statements, lambda entry: f"row {lines[owner[entry]]:,}")


def punctuation_of(
    fields: Sequence[str], wanted: DecoderOptions
) -> tuple[dict[int, str], str | None, list[str] | None]:
    """Labels in fields of JSON, the separator in others, and the items where all fields are lists."""
    found = _structures(fields)
    plain = [("" if number in found else field) for number, field in enumerate(fields)] if found else fields
    sign = separator_of(plain, wanted.known) if wanted.separator is None else wanted.separator
    lists = list_items(fields) if sign in {None, ",", BLANK} else None
    if lists is None and sign is None and wanted.known is None:
        refuse_blanks(plain)
    if sign and sign != BLANK and not lists and wanted.known and any(sign in name for name in wanted.names):
        cut = {text: pieces_of(text, sign, wanted.known) for text in {*plain} if sign in text}
        whole = {text: BETWEEN.join(some) for text, some in cut.items() if any(sign in one for one in some)}
        found |= {number: whole[text] for number, text in enumerate(plain) if text in whole}
    return found, sign, lists


def _structures(fields: Sequence[str]) -> dict[int, str]:
    """Convert fields of JSON to labels with separators between them; leave other fields as they are."""
    if not any(any(map(contains, fields, repeat(sign))) for sign in "[({"):
        return {}
    found = {n: labels_in(field) for n, field in enumerate(fields) if is_structure(field)}
    return {
        number: fields[number] if labels is None else BETWEEN.join(labels) for number, labels in found.items()
    }


def _scores_in_fields(
    source: LabelSource,
    lines: LinesOfRows,
    labels: list[str],
    lengths: Places,
    fields: Sequence[str],
    sign: str | None,
) -> Numbers:
    odd = np.flatnonzero(_lengths(fields, sign) != lengths).tolist()
    how = "in a list" if sign == BETWEEN else f"separated by {sign!r}"
    remedy = f"Give each label one score, {how} as the labels are."
    for row in odd:
        scores = fields[row].replace(BETWEEN, ", ")
        source.refuse(f"{lengths[row]} labels, but the scores {scores!r}", remedy, int(lines[row]))
    if odd:
        return np.zeros(len(labels))
    # A row without a label has no score; the number read there is never used.
    pairs = zip(labels, _split(fields, sign), strict=True)
    texts = [text if label.strip() or text.strip() else "0" for label, text in pairs]
    each = np.repeat(np.asarray(lines), lengths).tolist()
    return _numbers(source, texts, None, each, ["scores"], "Write numbers.")


def _lengths(fields: Sequence[str], sign: str | None) -> NDArray[np.intp]:
    if sign is None:
        return np.ones(len(fields), dtype=np.intp)
    return np.fromiter(map(methodcaller("count", sign), fields), dtype=np.intp, count=len(fields)) + 1


def _split(fields: Sequence[str], sign: str | None) -> list[str]:
    return list(fields) if sign is None else sign.join(fields).split(sign)


def from_wide(rows: LabelSource, form: Recognised, wanted: DecoderOptions) -> Statements:
    """Decode a table with all labels of a sample in one field."""
    lines: list[Sequence[int]] = []
    samples: list[str] = []
    fields: list[str] = []
    scores: list[str] = []
    for batch in _batches(rows, form):
        lines.append(batch.lines)
        samples += batch.columns[form.sample]
        fields += batch.columns[form.concept or 0]
        scores += () if form.score is None else batch.columns[form.score]
    given = None if form.score is None else scores
    return from_fields(rows, lines_of(lines), samples, fields, given, wanted)


def from_levels(rows: LabelSource, form: Recognised, wanted: DecoderOptions) -> Statements:
    """Decode a table with a column for each level of a path."""
    batches = [*_batches(rows, form)]
    columns = [list(chain.from_iterable(batch.columns[n] for batch in batches)) for n in range(form.width)]
    lines = lines_of(batch.lines for batch in batches)
    return statements_of_levels(columns[form.sample], [columns[n] for n in form.levels], lines, rows, wanted)


def from_long(rows: LabelSource, form: Recognised, wanted: DecoderOptions) -> Statements:
    """Decode a table with one label in each row."""
    columns = form.sample, form.concept or 0
    samples, spellings = books = Codebook(), Codebook(audited=wanted.repeats)
    qualifiers = Codebook()
    first = dict(zip(columns, books, strict=True)).get(0)
    at, sample, code = np.empty((3, line_ends(rows.data) + 1), dtype=np.int32)
    numbered = form.score is not None or form.negation is not None
    values, starts, stop, suspect = np.empty(at.size if numbered else 0), [], 0, first is None
    for batch in _batches(rows, form, checked=False):
        part = slice(stop, stop := stop + len(batch.lines))
        before, firsts = samples.count, len(first or ())
        at[part] = lines_of([batch.lines])
        sample[part], code[part] = (
            book.codes(batch.columns[column]) for column, book in zip(columns, books, strict=True)
        )
        starts.append(at[part][first_occurrences(sample[part], before)])
        # A repeated header begins with a text that is new; after the first one every row is compared.
        suspect = suspect or rows.begins_header(islice(reversed(first or {}), len(first or ()) - firsts))
        if suspect:
            rows.refuse_header(batch.lines, batch.columns)
        if "" in samples:
            for number in np.flatnonzero(sample[part] == samples[""]).tolist():
                rows.refuse(*NAMELESS, batch.lines[number])
        if form.score is not None:
            blank = np.flatnonzero(code[part] == spellings.get("", -1))
            values[part] = _scores(rows, batch, form, wanted.words, blank.tolist())
        if form.negation is not None:
            marks = qualifiers.codes(batch.columns[form.negation])
            values[part] = negated_rows(rows, qualifiers, marks, batch.lines)
    at, sample, code, values = at[:stop], sample[:stop], code[:stop], values[:stop]
    names, value = (tuple(samples.index), tuple(spellings.index), ()), values if numbered else None
    entries = Statements(*names, sample, code, value, at, np.concatenate(starts))
    known = wanted.known if wanted.names else None
    entries = with_places(entries, lambda entry: f"row {at[entry]:,}", known)
    if form.negation is not None:
        entries = entries.without_negated(wanted)
    if form.format == "cafa":
        _refuse_outside_unit(entries, rows)
    return entries


def negated_rows(
    rows: LabelSource, book: Codebook, code: NDArray[np.int32], lines: LinesOfRows
) -> NDArray[np.bool_]:
    """Mark the rows whose qualifiers, numbered by a book, say that their label is absent."""
    texts = [*book.index]
    marks = [*map(is_negated, texts)]
    for row in np.flatnonzero(np.array([mark is None for mark in marks])[code]).tolist():
        rows.refuse(
            f"the qualifier {texts[code[row]]!r} is unknown, so that its label may be absent or present",
            "Write NOT, excluded or absent where the label is absent; present, nothing or a relation of GAF "
            "where it is present.",
            int(lines[row]),
        )
    return np.array(marks, dtype=bool)[code]


def _scores(
    rows: LabelSource,
    batch: RowBlock,
    form: Recognised,
    words: Mapping[str, float] | None,
    without_label: Sequence[int],
) -> Numbers:
    column = form.score or 0
    texts = list(batch.columns[column])
    for number in without_label:
        if texts[number].strip():
            rows.refuse("a score, but no concept", "Name the concept.", batch.lines[number])
        texts[number] = "0"  # never used
    return _numbers(rows, texts, words, batch.lines, [form.header[column]], "Write a number.")


def _numbers(
    source: LabelSource,
    texts: Sequence[str],
    words: Mapping[str, float] | None,
    lines: Sequence[int],
    columns: Sequence[str],
    remedy: str,
) -> Numbers:
    values = parse_numbers(texts, words)
    for bad in np.flatnonzero(~np.isfinite(values)).tolist():
        row, column = divmod(bad, len(columns))
        problem = f"column {columns[column]!r} holds {texts[bad]!r}, which is no finite number"
        source.refuse(problem, remedy, lines[row])
    return values


def _refuse_outside_unit(entries: Statements, rows: LabelSource) -> None:
    if entries.value is None or entries.place is None:
        return
    for odd in np.flatnonzero((entries.value <= 0) | (entries.value > 1)).tolist():
        rows.refuse(
            f"the score {entries.value[odd]:g}",
            "CAFA's scores are above 0 and at most 1: leave out terms that are not predicted, or name the "
            "columns 'sample,concept,score'.",
            int(entries.place[odd]),
        )


def from_columns(rows: LabelSource, form: Recognised, wanted: DecoderOptions) -> Statements:
    """Decode a table with a column for each concept."""
    names = [form.header[place] for place in form.values_at]
    if "" in names:
        position = form.header.index("", 1)
        raise InputError(f"column {position + 1} has no name", "Name every concept.", row=1)
    return _values(rows, form, names, ["row 1"] * form.values, wanted)


def from_imageclef(rows: LabelSource, form: Recognised, wanted: DecoderOptions) -> Statements:
    """Decode rows of a name and a value for each concept, without a header."""
    names, places = columns_of(wanted.columns, form.values, str(form))
    return _values(rows, form, names, places, wanted)


def _values(
    rows: LabelSource, form: Recognised, names: Sequence[str], places: Sequence[str], wanted: DecoderOptions
) -> Statements:
    scores = wanted.scores
    words = wanted.words if scores else TRUTH_VALUES
    remedy = (
        "Write a number; a label without score is left out in the long format."
        if scores
        else "Write 0 or 1, and take out columns that are no concepts; or "
        + (SEVERAL_COLUMNS if numbered_alike(names) else NAME_LABELS)
    )

    def blocks() -> Iterator[LabelBlock]:
        for batch in _batches(rows, form):
            samples = batch.columns[form.sample]
            columns = [batch.columns[place] for place in form.values_at]
            texts = list(chain.from_iterable(zip(*columns, strict=True)))
            values = _numbers(rows, texts, words, batch.lines, names, remedy)
            yield batch.lines, samples, values.reshape(len(samples), len(names))

    entries = statements_of_blocks(blocks(), names, places, rows, wanted)
    return replace(entries, seen={"values": len(names)})


def _batches(rows: LabelSource, form: Recognised, *, checked: bool = True) -> Iterator[RowBlock]:
    """Batches of the rows below the header, of which there is at least one."""
    batches = rows.batches(form.delimiter, form.width, checked=checked)
    first = next(batches, None)
    if first is None:
        raise InputError(f"{NO_ROW} the header", "Write one.")
    return chain([first], batches)
