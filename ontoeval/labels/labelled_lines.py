"""Lines that begin with their labels, before a text or features: fastText and LIBSVM."""

from __future__ import annotations

import re

from ontoeval.core.label_formats import LabelFormat
from ontoeval.errors import InputError
from ontoeval.labels.entries import LABELS_NOT_SCORES, Entries, entries_of_lists
from ontoeval.labels.tables import Source

LINES: tuple[LabelFormat, ...] = ("fasttext", "libsvm")
"""The formats that are read here."""

_PREFIX = "__label__"
_FEATURE = re.compile(r"\d+:[-+.\deEinfa]+")
_LABELS = re.compile(r"[-+.\d]+(?:,[-+.\d]+)*")
_COUNTS = re.compile(r"\d+ \d+ \d+")  # of samples, features and labels


def form_of_lines(source: Source) -> LabelFormat | None:
    """Tell from its first lines whether a file is of fastText or LIBSVM."""
    lines = source.lines()
    first = next(lines, "").strip()
    if first.startswith(_PREFIX):
        return "fasttext"
    if _COUNTS.fullmatch(first):
        first = next(lines, "").strip()
    labels, *features = first.split() or [""]
    if _FEATURE.fullmatch(labels):  # there may be no label
        return "libsvm"
    several = features and all(map(_FEATURE.fullmatch, features))
    return "libsvm" if several and _LABELS.fullmatch(labels) else None


def from_fasttext(source: Source, *, scores: bool) -> Entries:
    """Take the entries from lines that begin with labels such as ``__label__sky``."""
    labels = []
    numbers = []
    for line, text in source.numbered_lines():
        labels.append([word.removeprefix(_PREFIX) for word in text.split() if word.startswith(_PREFIX)])
        numbers.append(line)
    return _entries(source, labels, numbers, scores=scores)


def from_libsvm(source: Source, *, scores: bool) -> Entries:
    """Take the entries from lines of labels such as ``1,3`` before features such as ``5:0.2``."""
    labels = []
    numbers = []
    for line, text in source.numbered_lines():
        if line == 1 and _COUNTS.fullmatch(text.strip()):
            continue
        words = text.partition("#")[0].split()
        given = words[0] if words and not _FEATURE.fullmatch(words[0]) else ""
        if not all(map(_FEATURE.fullmatch, words[bool(given) :])):
            raise InputError(
                f"this line begins with {text.strip()[:40]!r}, no labels and features",
                "Write a line such as: 1,3 5:0.2 9:1",
                where=source.where,
                row=line,
            )
        labels.append(given.split(",") if given else [])
        numbers.append(line)
    return _entries(source, labels, numbers, scores=scores)


def _entries(source: Source, labels: list[list[str]], numbers: list[int], *, scores: bool) -> Entries:
    if scores:
        raise InputError("these lines hold labels, not scores", LABELS_NOT_SCORES, where=source.where)
    return entries_of_lists(
        tuple(map(str, range(len(labels)))),
        labels,
        place=lambda sample: f"row {numbers[sample]:,}",
        starts=numbers,
    )
