"""From the text of a label file to its entries: one function for each format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError
from ontoeval.io.concepts import ConceptList
from ontoeval.io.entries import (
    THRESHOLD_NEEDED,
    Codebook,
    Entries,
    entries_of,
    nameless,
    one_row_each,
    refuse_what_is_no_number,
)
from ontoeval.io.formats import Recognised
from ontoeval.io.json_labels import from_json
from ontoeval.io.numbers import TRUTH_VALUES, numbers
from ontoeval.io.tables import Row, Source

ROWS_AT_ONCE = 20_000
"""How many rows are turned into numbers at once: few enough that their texts need little memory."""

SEPARATORS = (";", "|", ",")
"""What separates the labels of a wide file: the first of these that occurs in any of its fields."""


def parse(
    source: Source,
    form: Recognised,
    *,
    scores: bool,
    columns: ConceptList | None = None,
    separator: str | None = None,
) -> Entries:
    """Take the entries from a label file.

    Parameters
    ----------
    source
        The file.
    form
        Its format.
    scores
        Whether scores are wanted, instead of labels.
    columns
        What the values of ImageCLEF text stand for.
    separator
        What separates the labels of a wide file, where it is given.

    Returns
    -------
    Entries
        The contents.

    Raises
    ------
    InputError
        If labels are wanted and there are scores, or the other way round; if a row is not as it
        should be.
    """
    if form.has_scores and not scores:
        raise InputError(f"this is {form}: scores, not labels", THRESHOLD_NEEDED, where=source.where)
    if scores and (form.format == "wide" or (form.format == "long" and not form.has_scores)):
        raise InputError(
            f"this is {form}: labels, not scores",
            "Leave out the threshold, or add a column 'score'.",
            where=source.where,
        )
    match form.format:
        case "wide":
            return _wide(source, form, separator)
        case "long":
            return _long(source, form)
        case "json":
            return from_json(source, scores=scores)
        case "columns":
            return _block(source, form, form.header[1:], ["row 1"] * form.values, scores=scores)
        case "imageclef":
            if columns is None:
                raise InputError(
                    f"this is {form}, and nothing says which concepts the values stand for",
                    "Name the concepts in the order of the values (concepts=, --concepts FILE).",
                    where=source.where,
                )
            places = [f"{place} of {columns.where}" for place in columns.places]
            return _block(source, form, columns.spellings, places, scores=scores)


def _wide(source: Source, form: Recognised, separator: str | None) -> Entries:
    rows = list(_body(source, form))
    lines = [line for line, _ in rows]
    samples = one_row_each(source.where, [fields[form.sample] for _, fields in rows], lines)
    cells = [fields[form.concept or 0] for _, fields in rows]
    if separator is None:
        separator = next((sign for sign in SEPARATORS if any(sign in cell for cell in cells)), None)
    labels = [cell.split(separator) for cell in cells] if separator else [[cell] for cell in cells]
    owner = np.repeat(np.arange(len(cells), dtype=np.int32), [len(names) for names in labels])
    spellings = Codebook()
    code = spellings.codes(chain.from_iterable(labels))
    return entries_of(
        samples,
        spellings,
        owner,
        code,
        place=lambda entry: f"row {lines[owner[entry]]:,}",
        separator=separator,
    )


def _long(source: Source, form: Recognised) -> Entries:
    samples, spellings = Codebook(), Codebook()
    parts: list[tuple[NDArray[np.int32], NDArray[np.int32], NDArray[np.int32]]] = []
    found: list[NDArray[np.float64]] = []
    concept, score = form.concept or 0, form.score
    for lines, rows in _chunks(_body(source, form)):
        row = samples.codes(fields[form.sample] for fields in rows)
        code = spellings.codes(fields[concept] for fields in rows)
        if "" in samples.index:
            raise nameless(source.where, lines[int(np.argmax(row == samples.index[""]))])
        parts.append((row, code, np.array(lines, dtype=np.int32)))
        if score is not None:
            texts = [
                _score_of(source.where, line, fields, concept, score)
                for line, fields in zip(lines, rows, strict=True)
            ]
            values = numbers(texts)
            refuse_what_is_no_number(
                source.where, values, texts, lines, [form.header[score]], "Write a number."
            )
            found.append(values)
    row, code, line = (np.concatenate(column) for column in zip(*parts, strict=True))
    return entries_of(
        tuple(samples.index),
        spellings,
        row,
        code,
        place=lambda entry: f"row {line[entry]:,}",
        values=np.concatenate(found) if found else None,
        lines=line,
    )


def _score_of(where: str, line: int, fields: list[str], concept: int, score: int) -> str:
    if fields[concept].strip():
        return fields[score]
    if fields[score].strip():
        raise InputError("a score, but no concept", "Name the concept.", where=where, row=line)
    return "0"  # the row stands for a sample without labels; what is read here is never used


def _block(
    source: Source, form: Recognised, names: Sequence[str], places: Sequence[str], *, scores: bool
) -> Entries:
    if len(names) != form.values:
        raise InputError(
            f"{form.values:,} values in the first row, but {len(names):,} concepts are listed",
            "List one concept for each value, in the order of the values.",
            where=source.where,
        )
    if "" in names:
        raise InputError(
            f"column {names.index('') + 2} has no name", "Name every concept.", where=source.where, row=1
        )
    samples: list[str] = []
    lines: list[int] = []
    row: list[NDArray[np.int32]] = []
    code: list[NDArray[np.int32]] = []
    values: list[NDArray[np.float64]] = []
    for numbered, rows in _chunks(_body(source, form)):
        table = _table(source.where, numbered, rows, names, scores=scores)
        at = np.nonzero(np.ones_like(table) if scores else table)
        row.append((at[0] + len(samples)).astype(np.int32))
        code.append(at[1].astype(np.int32))
        values.append(table[at] if scores else np.empty(0))
        samples += [fields[0] for fields in rows]
        lines += numbered
    return Entries(
        one_row_each(source.where, samples, lines),
        tuple(names),
        tuple(places),
        np.concatenate(row),
        np.concatenate(code),
        np.concatenate(values) if scores else None,
        header=True,
    )


def _table(
    where: str, lines: list[int], rows: list[list[str]], names: Sequence[str], *, scores: bool
) -> NDArray[np.float64]:
    texts = list(chain.from_iterable(islice(fields, 1, None) for fields in rows))
    values = numbers(texts, None if scores else TRUTH_VALUES)
    remedy = (
        "Write a number; a label without score is left out in the long format."
        if scores
        else "Write 0 or 1; a column that lists labels is to be called 'labels'."
    )
    refuse_what_is_no_number(where, values, texts, lines, names, remedy)
    if not scores:
        odd = np.flatnonzero((values != 0) & (values != 1))
        if odd.size:
            row, column = divmod(int(odd[0]), len(names))
            raise InputError(
                f"column {names[column]!r} holds {texts[odd[0]].strip()}, neither 0 nor 1: these are scores",
                THRESHOLD_NEEDED,
                where=where,
                row=lines[row],
            )
    return values.reshape(len(rows), len(names))


def _body(source: Source, form: Recognised) -> Iterator[Row]:
    """Rows below the header, of which there is at least one."""
    rows = source.rows(form.delimiter)
    if form.header:
        next(rows)
    first = next(rows, None)
    if first is None:
        raise InputError("there is no row below the header", "Write one.", where=source.where)
    return chain([first], rows)


def _chunks(rows: Iterator[Row]) -> Iterator[tuple[list[int], list[list[str]]]]:
    while chunk := list(islice(rows, ROWS_AT_ONCE)):
        yield [line for line, _ in chunk], [fields for _, fields in chunk]
