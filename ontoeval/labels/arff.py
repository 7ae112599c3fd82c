"""ARFF files with a hierarchical class, as Clus and those who follow it write them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from itertools import chain

from ontoeval.core.roles import SAMPLE, plain
from ontoeval.errors import InputError, listed
from ontoeval.labels.entries import LABELS_NOT_SCORES, Entries, entries_of_lists, one_row_each
from ontoeval.labels.rows import long_fields
from ontoeval.labels.tables import Source

_BEGIN = re.compile(rb"(?:\s*+%[^\r\n]*+)*+\s*+@relation\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\s*@attribute\s+('[^']*'|"[^"]*"|\S+)\s+(.+)""", re.IGNORECASE)
_QUOTED = re.compile(r"""(?:^|,)\s*(['"])""")
_REMARK = re.compile(r"\s%.*")
_SEPARATOR = "@"


def is_arff(source: Source) -> bool:
    """Tell whether a file is ARFF."""
    return _BEGIN.match(source.data) is not None


def from_arff(source: Source, *, scores: bool) -> Entries:
    """Take the entries from an ARFF file, whose labels are separated by @ and declared in the header."""
    if scores:
        raise InputError("ARFF holds labels, not scores", LABELS_NOT_SCORES, where=source.where)
    lines = enumerate(source.lines(), source.line)
    kinds = _attributes(lines, source.where)
    target = [position for position, (_, kind) in enumerate(kinds) if kind.lower().startswith("hierarchical")]
    if len(target) != 1:
        raise InputError(
            f"{len(target) or 'no'} hierarchical attributes among {listed(name for name, _ in kinds)}",
            "Declare one: @attribute class hierarchical a,a/b. Convert other ARFF files to CSV.",
            where=source.where,
        )
    named = [n for n, (name, kind) in enumerate(kinds) if kind.lower() == "string" and plain(name) in SAMPLE]
    rows = list(_rows(lines, len(kinds), source.where))
    if not rows:
        raise InputError("there is no row below @data", "Write one.", where=source.where)
    numbers = [line for line, _ in rows]
    labels = [fields[target[0]].strip().split(_SEPARATOR) for _, fields in rows]
    declared = _declared(kinds[target[0]][1])
    for line, found in zip(numbers, labels, strict=True):
        if found == ["?"]:
            raise InputError(
                "the class is not known",
                "Leave out the row, or name its classes.",
                where=source.where,
                row=line,
            )
        others = [label for label in found if label.strip() and label.strip() not in declared]
        if others:
            raise InputError(
                f"the attribute {kinds[target[0]][0]!r} does not declare {listed(others)}",
                "Correct the row, or declare the classes in the header.",
                where=source.where,
                row=line,
            )
    samples = [fields[named[0]] for _, fields in rows] if named else list(map(str, range(len(rows))))
    names = one_row_each(source.where, samples, numbers)
    return entries_of_lists(names, labels, place=lambda sample: f"row {numbers[sample]:,}", starts=numbers)


def _attributes(lines: Iterator[tuple[int, str]], where: str) -> list[tuple[str, str]]:
    """Read names and kinds of the attributes, up to the data."""
    found: list[tuple[str, str]] = []
    for line, text in lines:
        word = text.strip().lower()
        if word.startswith("@data"):
            return found
        if word.startswith("@attribute"):
            match = _ATTRIBUTE.match(text.strip())
            if match is None:
                raise InputError(
                    f"{text.strip()[:80]!r} declares nothing",
                    "Write @attribute, a name and a kind.",
                    where=where,
                    row=line,
                )
            found.append((match[1].strip("'\""), match[2].strip()))
    raise InputError("there is no @data in this ARFF file", "Fetch it again: a part is missing.", where=where)


def _declared(kind: str) -> frozenset[str]:
    """List the classes that a hierarchical attribute declares: paths, their beginnings and their parts."""
    paths = [path.strip("'\" \t") for path in _REMARK.sub("", kind)[len("hierarchical") :].split(",")]
    begins = ("/".join(path.split("/")[:end]) for path in paths for end in range(1, path.count("/") + 2))
    return frozenset(chain(begins, chain.from_iterable(path.split("/") for path in paths)))


def _rows(lines: Iterator[tuple[int, str]], width: int, where: str) -> Iterator[tuple[int, list[str]]]:
    for line, text in lines:
        row = text.strip()
        if not row or row.startswith("%"):
            continue
        if row.startswith("{"):
            raise InputError(
                "a sparse row", "Write all values, or convert the file to CSV.", where=where, row=line
            )
        quoted = _QUOTED.search(row)
        if quoted or "\\" in row:
            quote = quoted[1] if quoted else "'"
            with long_fields():
                fields = next(csv.reader([row], quotechar=quote, escapechar="\\", skipinitialspace=True))
        else:
            fields = _REMARK.sub("", row).split(",")
        if len(fields) != width:
            raise InputError(
                f"{len(fields)} field{'s' * (len(fields) != 1)}, but {width} attributes are declared",
                "Give every row one value for each attribute.",
                where=where,
                row=line,
            )
        yield line, fields
