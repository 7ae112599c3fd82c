"""What every format comes down to: which sample bears which spelling, with which score."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.csr import ranges
from ontoeval.errors import InputError
from ontoeval.labels.cells import json_labels
from ontoeval.labels.codebook import Codebook

ONE_ROW_EACH = (
    "Keep one row for each sample; where each row holds one label of a sample, name the columns "
    "'sample,concept' or pass input_format='long' (--input-format long)."
)
THRESHOLD_NEEDED = (
    "Give a threshold (threshold=, --threshold) that makes labels of scores, or use read_scores."
)
LABELS_NOT_SCORES = "Leave out the threshold, or give a file with scores."


@dataclass(frozen=True, eq=False)
class Entries:
    """The contents of a label file, before its labels are looked up."""

    samples: tuple[str, ...]
    spellings: tuple[str, ...]
    places: tuple[str, ...]
    row: NDArray[np.int32]
    code: NDArray[np.int32]
    values: NDArray[np.float64] | None = None
    lines: NDArray[np.int32] | None = None
    starts: Sequence[int] | NDArray[np.int32] | None = None
    header: bool = False
    several_rows: bool = False
    seen: Mapping[str, Any] = field(default_factory=dict)


def entries_of(
    samples: Sequence[str],
    spellings: Collection[str],
    row: NDArray[np.int32],
    code: NDArray[np.int32],
    *,
    place: Callable[[int], str],
    values: NDArray[np.float64] | None = None,
    lines: NDArray[np.int32] | None = None,
    starts: Sequence[int] | NDArray[np.int32] | None = None,
    several_rows: bool = False,
    seen: Mapping[str, Any] | None = None,
) -> Entries:
    """Put together what was found, without the entries that name no concept."""
    origin: NDArray[np.intp] | None = None
    lists = {} if values is not None else _lists(spellings)
    if lists:
        spellings, code, origin = _unfolded(list(spellings), lists, code)
        row, lines = row[origin], None if lines is None else lines[origin]
        seen = {"json_cells": True, **(seen or {})}
    first = np.zeros(len(spellings), dtype=np.intp)
    first[code[::-1]] = np.arange(code.size - 1, -1, -1)
    first = first if origin is None else origin[first]
    places = {text: place(entry) for text, entry in zip(spellings, first.tolist(), strict=True) if text}
    if "" in spellings:
        blank = list(spellings).index("")
        named = code != blank
        row, code = row[named], code[named]
        code = code - (code > blank).astype(np.int32)
        values = None if values is None else values[named]
        lines = None if lines is None else lines[named]
    return Entries(
        tuple(samples),
        tuple(places),
        tuple(places.values()),
        row,
        code,
        values,
        lines,
        starts,
        several_rows=several_rows,
        seen=seen or {},
    )


def _lists(spellings: Iterable[str]) -> dict[str, list[str]]:
    """Find the spellings that are lists of labels in JSON."""
    found = {text: json_labels(text) for text in spellings if text[:1] in {"[", "{"}}
    return {text: labels for text, labels in found.items() if labels is not None}


def _unfolded(
    spellings: Sequence[str], lists: Mapping[str, list[str]], code: NDArray[np.int32]
) -> tuple[Collection[str], NDArray[np.int32], NDArray[np.intp]]:
    """Give each label of a list an entry: the spellings, their code, and the entry that each comes from."""
    each = [lists.get(text, [text]) for text in spellings]
    book = Codebook()
    codes = book.codes(chain.from_iterable(each))
    lengths = np.array(list(map(len, each)), dtype=np.intp)
    begin = np.cumsum(lengths) - lengths
    origin = np.repeat(np.arange(code.size), lengths[code])
    return book.index, codes[ranges(begin[code], lengths[code])], origin


def entries_of_lists(
    samples: tuple[str, ...],
    lists: Sequence[Collection[str]],
    *,
    place: Callable[[int], str],
    values: NDArray[np.float64] | None = None,
    starts: Sequence[int] | None = None,
    seen: Mapping[str, Any] | None = None,
) -> Entries:
    """Put together the labels of one sample after the other."""
    owner = np.repeat(np.arange(len(samples), dtype=np.int32), list(map(len, lists)))
    spellings = Codebook()
    code = spellings.codes(chain.from_iterable(lists))
    return entries_of(
        samples,
        spellings.index,
        owner,
        code,
        place=lambda entry: place(int(owner[entry])),
        values=values,
        starts=starts,
        seen=seen,
    )


def one_row_each(
    where: str, names: Sequence[str], lines: Sequence[int], *, repeats: bool = False
) -> tuple[str, ...]:
    """Check that every row names a sample, and no two the same."""
    samples = tuple(map(str.strip, names))
    different = set(samples)
    if (repeats or len(different) == len(samples)) and "" not in different:
        return samples
    first: dict[str, int] = {}
    for name, line in zip(samples, lines, strict=True):
        if not name:
            raise nameless(where, line)
        if name in first:
            raise InputError(
                f"sample {name!r} is there already in row {first[name]:,}",
                ONE_ROW_EACH,
                where=where,
                row=line,
            )
        first[name] = line
    return samples


def nameless(where: str, line: int | None) -> InputError:
    """Say that a sample has no name."""
    return InputError("the sample has no name", "Name every sample.", where=where, row=line)


def refuse_what_is_no_number(
    where: str,
    values: NDArray[np.float64],
    texts: Sequence[str],
    lines: Sequence[int],
    columns: Sequence[str],
    remedy: str,
) -> None:
    """Check that numbers could be read."""
    bad = np.flatnonzero(~np.isfinite(values))
    if bad.size:
        row, column = divmod(int(bad[0]), len(columns))
        raise InputError(
            f"column {columns[column]!r} holds {texts[bad[0]]!r}, which is no finite number",
            remedy,
            where=where,
            row=int(lines[row]),
        )
