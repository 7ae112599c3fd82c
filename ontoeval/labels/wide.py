"""Tables with all labels of a sample in one field."""

from __future__ import annotations

from collections.abc import Sequence
from operator import methodcaller

import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError
from ontoeval.labels.cells import BETWEEN, is_structure, json_labels, unlisted
from ontoeval.labels.codebook import Codebook
from ontoeval.labels.entries import Entries, entries_of, one_row_each, refuse_what_is_no_number
from ontoeval.labels.numbers import numbers
from ontoeval.labels.separators import BLANK, Known, refuse_blanks, separator_of

_ROWS = 20_000
"""How many fields are split at once: few enough that what is in them needs little memory."""


def entries_of_fields(
    where: str,
    lines: Sequence[int],
    samples: Sequence[str],
    fields: Sequence[str],
    scores: Sequence[str] | None,
    *,
    separator: str | None,
    known: Known | None,
    repeats: bool = False,
) -> Entries:
    """Split the labels, and their scores if there are any."""
    names = one_row_each(where, samples, lines, repeats=repeats)
    found = _structures(fields)
    plain = [("" if number in found else field) for number, field in enumerate(fields)] if found else fields
    sign = separator_of(plain, known) if separator is None else separator
    told = sign
    lists = unlisted(fields) if sign in {None, ",", BLANK} else None
    if lists is not None:
        fields, sign, told = lists, BETWEEN, ","
        scores = scores if scores is None else unlisted(scores) or scores
    elif sign is None and known is None:
        refuse_blanks(plain, where)
    if found and lists is None:
        parted = [field if sign is None else field.replace(sign, BETWEEN) for field in plain]
        fields = [found.get(number, field) for number, field in enumerate(parted)]
        scores = None if scores is None else [(unlisted([text]) or [text])[0] for text in scores]
        sign = BETWEEN
    spellings = Codebook()
    code: list[NDArray[np.int32]] = [np.empty(0, np.int32)]
    values: list[NDArray[np.float64]] = [np.empty(0)]
    lengths = _lengths(fields, sign)
    for begin in range(0, len(fields), _ROWS):
        part = slice(begin, begin + _ROWS)
        texts = _split(fields[part], sign)
        code.append(spellings.codes(texts))
        if scores is not None:
            values.append(_scores(where, lines[part], texts, lengths[part], scores[part], sign))
    owner = np.repeat(np.arange(len(fields), dtype=np.int32), lengths)
    return entries_of(
        names,
        spellings.index,
        owner,
        np.concatenate(code),
        place=lambda entry: f"row {lines[owner[entry]]:,}",
        values=None if scores is None else np.concatenate(values),
        starts=lines,
        seen={
            "separator": told,
            "lists": lists is not None,
            "json_cells": bool(found) and lists is None,
        },
    )


def _structures(fields: Sequence[str]) -> dict[int, str]:
    """Find the fields that hold JSON: labels with signs between them, and what is no label as it is."""
    text = "".join(fields)
    if "[" not in text and "{" not in text:  # as nearly always
        return {}
    found = {n: json_labels(field) for n, field in enumerate(fields) if is_structure(field)}
    return {
        number: fields[number] if labels is None else BETWEEN.join(labels) for number, labels in found.items()
    }


def _scores(
    where: str,
    lines: Sequence[int],
    labels: list[str],
    lengths: NDArray[np.intp],
    fields: Sequence[str],
    sign: str | None,
) -> NDArray[np.float64]:
    odd = np.flatnonzero(_lengths(fields, sign) != lengths)
    if odd.size:
        how = "in a list" if sign == BETWEEN else f"separated by {sign!r}"
        raise InputError(
            f"{lengths[odd[0]]} labels, but the scores {fields[odd[0]].replace(BETWEEN, ', ')!r}",
            f"Give each label one score, {how} as the labels are.",
            where=where,
            row=lines[odd[0]],
        )
    # Where there is no label there is no score; what is read for it is never used.
    pairs = zip(labels, _split(fields, sign), strict=True)
    texts = [text if label.strip() or text.strip() else "0" for label, text in pairs]
    values = numbers(texts)
    each = np.repeat(np.asarray(lines), lengths).tolist()
    refuse_what_is_no_number(where, values, texts, each, ["scores"], "Write numbers.")
    return values


def _lengths(fields: Sequence[str], sign: str | None) -> NDArray[np.intp]:
    if sign is None:
        return np.ones(len(fields), dtype=np.intp)
    return np.fromiter(map(methodcaller("count", sign), fields), dtype=np.intp, count=len(fields)) + 1


def _split(fields: Sequence[str], sign: str | None) -> list[str]:
    return list(fields) if sign is None else sign.join(fields).split(sign)
