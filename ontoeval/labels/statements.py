"""The statements of a label file, before names are resolved: which sample has which label."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, compress, filterfalse
from operator import eq
from string import whitespace
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.gate import Known
from ontoeval.core.label_sets import LEVELS_IN_ORDER, PADDING
from ontoeval.core.separators import joins, pieces_of
from ontoeval.errors import InputError, pluralise
from ontoeval.labels.ledger import Ledger
from ontoeval.labels.name_resolution import ConceptList
from ontoeval.labels.sources import LabelSource
from ontoeval.plumbing.arrays import Numbers, Places
from ontoeval.plumbing.list_texts import labels_in
from ontoeval.plumbing.sparse import ranges


@dataclass(frozen=True)
class DecoderOptions:
    """Options of decoding a label file: labels or scores, known concepts, separator."""

    scores: bool = False
    mixed: bool = False
    """Whether labels may stand where scores are wanted."""
    columns: ConceptList | None = None
    separator: str | None = None
    known: Known | None = None
    names: Collection[str] = ()
    """Texts that name known concepts, at which fields may be cut; none of a long table that is named so."""
    words: Mapping[str, float] | None = None
    absent: float = 0.0
    """Number of a label that is marked as absent, where words have numbers."""
    repeats: bool = False
    annotators: bool = False
    """Whether several annotators of a sample are wanted, not one label set."""


class Codebook(dict[str, int]):
    """Numbers texts, without blanks around them, in the order of their first occurrence.

    An audit keeps no-break spaces, which are no blanks to programs that compare texts.
    """

    def __init__(self, *, audited: bool = False) -> None:
        super().__init__()
        self._blanks: set[str] = set()
        self._stripped = whitespace if audited else None

    def __missing__(self, text: str) -> int:
        """Take a new text, as it is or without blanks."""
        stripped = text.strip() and text.strip(self._stripped)
        if len(stripped) == len(text):
            number = self.count
        else:
            number = self[stripped]
            self._blanks.add(text)
        self[text] = number
        return number

    def codes(self, texts: Sequence[str]) -> NDArray[np.int32]:
        """Give texts their numbers."""
        new = dict.fromkeys(filterfalse(self.__contains__, texts))
        if all(map(eq, new, map(str.strip, new))):
            self.update(zip(new, range(self.count, self.count + len(new)), strict=True))
        # Nothing is called but the dictionary itself, except for new texts with blanks.
        return np.fromiter(map(self.__getitem__, texts), dtype=np.int32, count=len(texts))

    @property
    def count(self) -> int:
        """How many texts there are, without blanks around them."""
        return len(self) - len(self._blanks)

    @property
    def index(self) -> dict[str, int]:
        """The number of each text, without blanks around it."""
        if not self._blanks:
            return self
        return {text: number for text, number in self.items() if text not in self._blanks}


LinesOfRows = Sequence[int] | NDArray[np.int32]


def lines_of(parts: Iterable[Sequence[int]]) -> NDArray[np.int32]:
    """Join the lines of many rows."""
    arrays = (
        np.arange(part.start, part.stop, dtype=np.int32)
        if isinstance(part, range)
        else np.array(part, dtype=np.int32)
        for part in parts
    )
    return np.concatenate([np.empty(0, dtype=np.int32), *arrays])


def first_occurrences(code: NDArray[np.int32], begin: int = 0) -> NDArray[np.intp]:
    """Positions where numbers from `begin` on occur first; they are given out in the order of occurrence."""
    return np.flatnonzero(np.diff(np.maximum.accumulate(code).clip(begin - 1), prepend=begin - 1))


def sorted_repeats(key: NDArray[np.integer]) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """Stable order of numbers, and marks of those that, so sorted, equal the one before."""
    order, again = np.argsort(key, kind="stable"), np.zeros(key.size, dtype=bool)
    again[1:] = key[order[1:]] == key[order[:-1]]
    return order, again


ONE_ROW_EACH = (
    "Keep one row for each sample: of equal rows ontoeval audit --fix does so, and lists them in its log. "
    "Where each row holds one label of a sample, name the columns "
    "'sample,concept' or pass input_format='long' (--input-format long)."
)
NAMELESS = "the sample has no name", "Name every sample."
NO_LABEL = "a label has an empty name", "Name it, or leave it out."
THRESHOLD_NEEDED = (
    "Give a threshold (threshold=, --threshold) that makes labels of scores, or use read_scores in Python."
)
LABELS_NOT_SCORES = (
    "Give a file with scores, of a table in a column 'score'; or leave out what needs them: a threshold "
    "(threshold=, --threshold), verified labels (negative=, --negative), or measures of scores such as Fmax."
)


@dataclass(frozen=True, eq=False)
class Statements:
    """One statement for each label of each row, in the order of the file; positions point into the names."""

    samples: tuple[str, ...]
    spellings: tuple[str, ...]
    places: tuple[str, ...]
    sample: NDArray[np.int32]
    concept: NDArray[np.int32]
    value: NDArray[np.float64] | None = None
    place: NDArray[np.int32] | None = None
    starts: Sequence[int] | NDArray[np.int32] | None = None
    header: bool = False
    seen: Mapping[str, Any] = field(default_factory=dict)
    annotators: tuple[str, ...] = ()
    annotator: NDArray[np.int32] | None = None
    sheets: tuple[NDArray[np.int32], NDArray[np.int32]] | None = None
    """Positions of the sample and of the annotator of each sheet, empty ones too."""
    subjects: tuple[str, ...] = ()
    """The sample that was annotated, where an audit takes the labels of each annotator as a sample."""
    ledger: Ledger = field(default_factory=Ledger)
    """Whatever makes no label, left out."""
    spots: NDArray[np.object_] | None = None
    """The label of each statement as it stands in the file, where that was asked for."""
    owner: NDArray[np.int32] | None = None
    """The sheet of each statement, where a sample may have several of one annotator."""
    holders: Sequence[Any] = ()
    """What holds each sheet or, without sheets, the labels of each sample, as it stands in the file."""
    alone: Collection[str] = ()
    """Spellings that are the only label of a record of JSON, in no list."""

    def without_negated(self, wanted: DecoderOptions) -> Self:
        """Leave out the labels that are marked by 1 as absent, or number all where words have numbers."""
        negated = np.asarray(self.value) == 1
        if wanted.words is not None:
            return replace(self, value=np.where(negated, wanted.absent, 1.0))
        ledger = replace(self.ledger, negated=int(negated.sum()))
        return replace(self.select(~negated), value=None, ledger=ledger)

    def select(self, kept: NDArray[Any]) -> Self:
        """Keep some statements, by a mask or by their positions, and all names."""
        chosen = {
            name: part[kept]
            for name in ("sample", "concept", "value", "place", "annotator", "spots", "owner")
            if (part := getattr(self, name)) is not None
        }
        return replace(self, **chosen)

    def select_spellings(self, kept: NDArray[np.bool_]) -> Self:
        """Keep some spellings, and the statements about them."""
        number = np.cumsum(kept, dtype=np.int32) - 1
        left = self.select(kept[self.concept])
        return replace(
            left,
            spellings=tuple(compress(self.spellings, kept)),
            places=tuple(compress(self.places, kept)),
            concept=number[left.concept],
        )


_AT_ONCE = 2**20  # statements, so that memory never holds a second number for each


def with_places(found: Statements, at: Callable[[int], str], known: Known | None = None) -> Statements:
    """Name the place of each spelling, unfold lists of JSON, and leave out empty names.

    Where each sample has one text, signs between known names separate these.
    """
    nested = (text for text in found.spellings if found.value is None and text[:1] in "[{(fs'\"")
    lists = {text: labels for text in nested if (labels := labels_in(text)) is not None}
    origin, alone = None, known and found.value is None and np.bincount(found.sample).max(initial=0) <= 1
    if known and alone and (sign := next((one for one in ";|," if joins(found.spellings, one, known)), None)):
        lists |= {text: pieces_of(text, sign, known) for text in found.spellings if sign in text}
    if lists:
        found, origin = _unfolded(found, lists)
    first = np.zeros(len(found.spellings), dtype=np.intp)
    for begin in reversed(range(0, found.concept.size, _AT_ONCE)):
        code = found.concept[begin : begin + _AT_ONCE]
        first[code[::-1]] = np.arange(begin, begin + code.size)[::-1]
    first = first if origin is None else origin[first]
    entries = zip(found.spellings, first.tolist(), strict=True)
    found = replace(found, places=tuple(at(entry) if text else "" for text, entry in entries))
    return found.select_spellings(np.array([*map(bool, found.spellings)])) if "" in found.spellings else found


def _unfolded(found: Statements, lists: Mapping[str, list[str]]) -> tuple[Statements, Places]:
    """Give each label of a list a statement; also the statement that each comes from."""
    each = [lists.get(text, [text]) for text in found.spellings]
    book, code = Codebook(), found.concept
    codes = book.codes(list(chain.from_iterable(each)))
    lengths = np.array(list(map(len, each)), dtype=np.intp)
    begin = np.cumsum(lengths) - lengths
    origin = np.repeat(np.arange(code.size), lengths[code])
    concept, seen = codes[ranges(begin[code], lengths[code])], {"json_cells": True, **found.seen}
    return replace(found.select(origin), spellings=tuple(book.index), concept=concept, seen=seen), origin


def statements_of_lists(
    samples: tuple[str, ...],
    lists: Sequence[Collection[str]],
    *,
    at: Callable[[int], str],
    value: Numbers | None = None,
    starts: Sequence[int] | None = None,
    ledger: Ledger | None = None,
    placed: bool = False,
    holders: Sequence[Any] = (),
) -> Statements:
    """Make statements from the lists of labels of samples; `at` names the place of a sample."""
    owner, spellings = np.repeat(np.arange(len(samples), dtype=np.int32), list(map(len, lists))), Codebook()
    code = spellings.codes(list(chain.from_iterable(lists)))
    met = ledger or Ledger()
    found = Statements(samples, tuple(spellings.index), (), owner, code, value, starts=starts, ledger=met)
    if placed:
        spots = np.fromiter(chain.from_iterable(lists), dtype=object)
        found = replace(found, spots=spots, holders=holders)
    return with_places(found, lambda entry: at(int(owner[entry])))


def statements_of_levels(
    samples: Sequence[str],
    levels: Sequence[Sequence[str]],
    lines: LinesOfRows,
    source: LabelSource,
    wanted: DecoderOptions,
) -> Statements:
    """Make statements of columns of labels, one for each level."""
    names = one_row_each(source, samples, lines, repeats=wanted.repeats)
    lists = [*zip(*([text.strip() or "UNK" for text in level] for level in levels), strict=True)]
    return statements_of_lists(names, lists, at=lambda n: f"row {lines[n]:,}", starts=[*map(int, lines)])


def without_padding(found: Statements) -> Statements:
    """Leave out the padding at the ends of paths; refuse a label below it."""
    padding = np.array([text in PADDING for text in found.spellings], dtype=bool)
    padded = padding[found.concept]
    below = padded[:-1] & ~padded[1:] & (found.sample[:-1] == found.sample[1:])
    if below.any():
        at = int(np.argmax(below))
        label, above = (found.spellings[found.concept[n]] for n in (at + 1, at))
        problem = (
            f"sample {found.samples[found.sample[at]]!r} has {label!r} below {above!r}, where its path ends"
        )
        raise InputError(problem, LEVELS_IN_ORDER)
    ledger = replace(found.ledger, nulls=found.ledger.nulls + int(padded.sum()))
    return replace(found.select_spellings(~padding), ledger=ledger)


def one_row_each(
    source: LabelSource, names: Sequence[str], lines: LinesOfRows, *, repeats: bool = False
) -> tuple[str, ...]:
    """Check that every row names a sample, and no two the same."""
    samples = tuple(map(str.strip, names))
    different = set(samples)
    if (repeats or len(different) == len(samples)) and "" not in different:
        return samples
    first: dict[str, int] = {}
    for name, line in zip(samples, map(int, lines), strict=True):
        if line in (source.faults or ()):
            continue
        if not name:
            source.refuse(*NAMELESS, line)
        elif first.setdefault(name, line) != line and not repeats:
            source.refuse(f"sample {name!r} is there already in row {first[name]:,}", ONE_ROW_EACH, line)
    return samples


LabelBlock = tuple[LinesOfRows, Sequence[str], NDArray[Any]]
"""Lines, samples, and values, rows × concepts, masked where they are null."""

_ABSENT_OR_UNKNOWN = (
    "Write 0 where the label is absent. Where labels of the truth are unknown, read verified labels: "
    "--negative 0, or read_verified_labels(path)."
)


def statements_of_blocks(
    blocks: Iterable[LabelBlock],
    names: Sequence[str],
    places: Sequence[str],
    source: LabelSource,
    wanted: DecoderOptions,
) -> Statements:
    """Make statements from blocks of rows with a value for each concept."""
    scores = wanted.scores
    samples: list[str] = []
    lines: list[int] = []
    row, code, values, nulls = [np.empty(0, np.int32)], [np.empty(0, np.int32)], [np.empty(0)], 0
    for block in blocks:
        cell = partial(_cell, block, names)
        refuse_other_numbers(block[2].ravel(), cell, source, scores=scores, columns=len(names))
        for entry in np.flatnonzero(np.ma.getmaskarray(block[2])).tolist() if not scores else ():
            column, line = cell(entry)
            source.refuse(f"column {column!r} holds a null, neither 0 nor 1", _ABSENT_OR_UNKNOWN, line)
        at = np.nonzero(~np.ma.getmaskarray(block[2]) if scores else np.ma.filled(block[2], 0))
        row.append((at[0] + len(samples)).astype(np.int32))
        code.append(at[1].astype(np.int32))
        if scores:
            values.append(np.ma.getdata(block[2])[at])
        nulls += int(np.ma.getmaskarray(block[2]).sum())
        samples += block[1]
        lines.extend(block[0])
    named = one_row_each(source, samples, lines, repeats=wanted.repeats), tuple(names), tuple(places)
    entries = np.concatenate(row), np.concatenate(code), np.concatenate(values) if scores else None
    starts = np.array(lines, dtype=np.int32)
    return Statements(*named, *entries, starts=starts, header=True, ledger=Ledger(nulls))


def columns_of(columns: ConceptList | None, width: int, what: str) -> tuple[Sequence[str], list[str]]:
    """Names of columns without a header, from the list of concepts."""
    if columns is None:
        raise InputError(
            f"this is {what}, but the concepts of the values are unknown",
            "Name the concepts in the order of the values (concepts=, --concepts FILE).",
        )
    if len(columns.spellings) != width:
        problem = f"{width:,} values in the first row, but {len(columns.spellings):,} concepts are listed"
        raise InputError(problem, "List one concept for each value, in the order of the values.")
    return columns.spellings, [f"{place} of {columns.where}" for place in columns.places]


def refuse_other_numbers(
    values: NDArray[Any],
    at: Callable[[int], tuple[str, int]],
    source: LabelSource,
    *,
    scores: bool,
    columns: int = 0,
) -> None:
    """Refuse numbers that are no labels, or no scores; `at` gives the column and the row of each number.

    Of a table, `columns` is the number of its columns, one after another in `values`.
    """
    odd = ~np.isfinite(values) if scores else (values != 0) & (values != 1)
    entries = np.flatnonzero(np.ma.filled(odd, fill_value=False))
    binary = columns - np.unique(entries % columns).size if columns else 0
    for entry in entries.tolist():
        (column, row), number = at(entry), values[entry].item()
        why, remedy = "which is no finite number", "Leave out what has no score."
        if not scores and binary > 0 and abs(number) > 1:
            of_all = f"{binary:,} of {pluralise(columns, 'column')}"
            why = f"but {of_all} hold only 0 and 1 in the rows read so far"
            remedy = f"Take out columns that are no concepts. If these are scores: {THRESHOLD_NEEDED}"
        elif not scores:
            why, remedy = "neither 0 nor 1: these are scores", THRESHOLD_NEEDED
        source.refuse(f"column {column!r} holds {number:g}, {why}", remedy, row)


def _cell(block: LabelBlock, names: Sequence[str], entry: int) -> tuple[str, int]:
    row, column = divmod(entry, len(names))
    return names[column], int(block[0][row])
