"""Formats of one community each: Annif's subjects, and ARFF with a hierarchical class."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import PurePath

import numpy as np

from ontoeval.core.gate import Known
from ontoeval.errors import InputError, enumerate_some
from ontoeval.labels.cells import parse_number
from ontoeval.labels.formats import Recognised
from ontoeval.labels.sources import CORPUS, NO_ROW, SUFFIXES, LabelSource
from ontoeval.labels.spans import placed
from ontoeval.labels.statements import (
    LABELS_NOT_SCORES,
    THRESHOLD_NEEDED,
    DecoderOptions,
    Statements,
    one_row_each,
    statements_of_blocks,
    statements_of_lists,
)
from ontoeval.plumbing.column_titles import SAMPLE, normalise_title, positions
from ontoeval.plumbing.table_rows import long_fields
from ontoeval.plumbing.text_checks import LONGEST_FIELD, refuse_long

_DOCUMENT = re.compile(r"[^\t]*\t\s*(?:<[^<>\s]+>\s*)+")
_WORD = re.compile(rb"\S+")
_SUBJECT = re.compile(r"<[^<>\s]+>(?:\t[^\t]*){0,2}")

SubjectLine = tuple[int, str, str | None]  # line, subject and score


def is_annif(source: LabelSource) -> bool:
    """Whether the first line of a file is Annif's."""
    first = next(source.lines()).strip("\r\n")
    return bool(_DOCUMENT.fullmatch(first) or _SUBJECT.fullmatch(first)) or _suffix(source) == ".key"


def from_annif(source: LabelSource, _: Recognised, wanted: DecoderOptions) -> Statements:
    """Decode a corpus, the file of one document, or a folder of these."""
    scores = wanted.scores
    if source.files:
        files = _choose_files(source, scores=scores)
    elif _suffix(source) == ".key" or _SUBJECT.fullmatch(next(source.lines()).strip("\r\n")):
        files = [source]
    else:
        return _documents(source, scores=scores)
    found = [list(_subjects(file, scores=scores)) for file in files]
    scored = [parse_number(score or "") for subjects in found for _, _, score in subjects]
    return statements_of_lists(
        tuple(document(file) for file in files),
        [[subject for _, subject, _ in subjects] for subjects in found],
        at=lambda sample: files[sample].where if source.files else "the file",
        value=np.array(scored, dtype=np.float64) if scores else None,
    )


def document(source: LabelSource) -> str:
    """Name the document that a file is about."""
    name = PurePath(source.where).name
    return re.sub(r"(\.(tsv|key|annif|txt))?(\.(gz|bz2|xz|zip))?$", "", name) or name


def _suffix(source: LabelSource) -> str:
    return PurePath(re.sub(r"\.(gz|bz2|xz|zip)$", "", source.where)).suffix


def _choose_files(source: LabelSource, *, scores: bool) -> list[LabelSource]:
    by_suffix: dict[str, dict[str, LabelSource]] = {suffix: {} for suffix in SUFFIXES}
    for file in source.files:
        by_suffix[_suffix(file)][document(file)] = file
    if scores:
        chosen = by_suffix[".annif"]
    else:
        chosen = by_suffix[".key"] | by_suffix[".tsv"]
        if not chosen and by_suffix[".annif"]:
            raise InputError("these are scores, not labels", THRESHOLD_NEEDED)
    if not chosen:
        wanted = ".annif files" if scores else ".tsv or .key files"
        raise InputError(f"there are no {wanted} in this folder", CORPUS)
    for file in chosen.values():
        _refuse_corpus(file)
    return [chosen[name] for name in sorted(chosen)]


def _refuse_corpus(source: LabelSource) -> None:
    """Refuse a corpus inside a folder of documents: its texts would become labels."""
    first = next((text.strip() for _, text in source.numbered_lines()), "<")
    if _suffix(source) == ".key" or first.startswith("<"):
        return
    raise InputError(
        f"the first line is {first[:80]!r}, but that of a file for one document begins with an <IRI>",
        "If it has a document in each line, read this file alone instead of its folder; else take it out.",
        where=source.where,
    )


def _subjects(source: LabelSource, *, scores: bool) -> Iterator[SubjectLine]:
    for line, text in source.numbered_lines():
        fields = text.strip().split("\t")
        score = fields[2] if len(fields) > 2 and fields[0].startswith("<") else None  # noqa: PLR2004
        if (score is None) == scores or (score is not None and parse_number(score) is None):
            problem = "no score" if score is None else f"the score {score!r}"
            source.refuse(
                problem if scores else "scores, not labels",
                "Write <IRI>, label and score with tabs between them." if scores else THRESHOLD_NEEDED,
                line,
            )
        yield line, fields[0], score


def _documents(source: LabelSource, *, scores: bool) -> Statements:
    if scores:
        raise InputError("a corpus of labels, not of scores", "Leave out the threshold.")
    numbered = list(source.numbered_lines())
    for line, text in numbered:
        if "\t" not in text:
            source.refuse("no tab between a text and its subjects", CORPUS, line)
    return statements_of_lists(
        tuple(map(str, range(len(numbered)))),
        [_subjects_of(source, *row) for row in numbered],
        at=lambda sample: f"row {numbered[sample][0]:,}",
        starts=[line for line, _ in numbered],
        placed=source.placed,
    )


def _subjects_of(source: LabelSource, line: int, text: str) -> list[str]:
    """Subjects of a document, behind its tab."""
    before, _, subjects = text.partition("\t")
    if not source.placed:
        return subjects.split()
    begin, found = int(source.offsets[line - 1]) + len(before.encode()) + 1, placed([], 0)
    words = _WORD.finditer(subjects.encode())
    found += [placed(w[0].decode(), begin + w.start(), begin + w.end(), found, str) for w in words]
    found.between = " "
    return list(found)


_BEGIN = re.compile(rb"(?:\s*+%[^\r\n]*+)*+\s*+@relation\b", re.IGNORECASE)
_ATTRIBUTE = re.compile(r"""\s*@attribute\s+('[^']*'|"[^"]*"|\S+)\s+(.+)""", re.IGNORECASE)
_QUOTED = re.compile(r"""(?:^|,)\s*(['"])""")
_REMARK = re.compile(r"\s%.*")
_SEPARATOR = "@"
_CLASSES = re.compile(r"-C\s+(-?[1-9]\d*)")
_BINARY = re.compile(r"\{\s*(['\"]?)[01]\1\s*,\s*(['\"]?)[01]\2\s*\}.*")
_PAIR = re.compile(
    r"""(?<=[{,\s])(\d{1,9})\s+(?:'((?:[^'\\]|\\.)*+)'|"((?:[^"\\]|\\.)*+)"|([^\s,{}'"]+))(?=\s*[,}])"""
)

ArffRow = tuple[int, list[str]]  # line and values


def is_arff(source: LabelSource) -> bool:
    """Whether a file is ARFF."""
    return _BEGIN.match(source.data) is not None


def from_arff(source: LabelSource, _: Recognised, wanted: DecoderOptions) -> Statements:
    """Decode ARFF, whose labels are separated by @ and declared in the header, or attributes of 0 and 1."""
    if wanted.scores:
        raise InputError("ARFF holds labels, not scores", LABELS_NOT_SCORES)
    refuse_long(source.data, "a row", LONGEST_FIELD)  # quotes may make it one field
    lines = source.numbered_lines()
    relation, kinds = _attributes(lines)
    target = [position for position, (_, kind) in enumerate(kinds) if kind.lower().startswith("hierarchical")]
    marks = [] if target else _label_attributes(relation, kinds, wanted.known)
    if len(target) != 1 and not marks:
        raise InputError(
            f"{len(target) or 'no'} hierarchical attributes among "
            f"{enumerate_some(name for name, _ in kinds)}",
            "Declare one: @attribute class hierarchical a,a/b. Of attributes of 0 and 1, say in the name of "
            "the relation how many are labels ('x: -C 3'), or list the labels (concepts=, --concepts).",
        )
    usual = positions([normalise_title(name) for name, _ in kinds], SAMPLE)
    named = [n for n in usual if kinds[n][1].lower() == "string"]
    rows = list(_split_lines(lines, kinds, source))
    if not rows:
        raise InputError(f"{NO_ROW} @data", "Write one.")
    numbers = [line for line, _ in rows]
    samples = [fields[named[0]] for _, fields in rows] if named else list(map(str, range(len(rows))))
    if marks:
        titles = {n: kinds[n][0] for n in marks}
        unused = tuple(name for n, (name, _) in enumerate(kinds) if n not in {*named, *marks})
        words = "ARFF with 0 and 1 for each label ({values}{unused})"
        seen = {"values": len(titles), "unused": unused, "words": words}
        return replace(_marked(samples, titles, rows, source, wanted), seen=seen)
    names = one_row_each(source, samples, numbers, repeats=wanted.repeats)
    labels = [fields[target[0]].strip().split(_SEPARATOR) for _, fields in rows]
    declared = _declared(kinds[target[0]][1])
    for line, found in zip(numbers, labels, strict=True):
        others = [label for label in found if label.strip() and label.strip() not in declared]
        if found == ["?"]:
            source.refuse("the class is not known", "Leave out the row, or name its classes.", line)
        elif others:
            problem = f"the attribute {kinds[target[0]][0]!r} does not declare {enumerate_some(others)}"
            source.refuse(problem, "Correct the row, or declare the classes in the header.", line)
    return statements_of_lists(names, labels, at=lambda sample: f"row {numbers[sample]:,}", starts=numbers)


def _label_attributes(relation: str, kinds: Sequence[tuple[str, str]], known: Known | None) -> Sequence[int]:
    """Positions of the attributes that are labels: as many as MEKA's -C says, or those of known names."""
    binary = [n for n, (_, kind) in enumerate(kinds) if _BINARY.fullmatch(kind)]
    found = _CLASSES.search(relation)
    if found is None:
        return [n for n in binary if known and known({kinds[n][0]})]
    count = int(found[1])
    places = range(len(kinds))[:count] if count > 0 else range(len(kinds))[count:]
    if len(places) != abs(count) or not {*places} <= {*binary}:
        problem = (
            f"{found[0]!r} counts the labels, but {len(binary):,} of {len(kinds):,} attributes are {{0,1}}"
        )
        raise InputError(problem, "Correct the relation's name.")
    return places


def _marked(
    samples: Sequence[str],
    titles: Mapping[int, str],
    rows: Sequence[ArffRow],
    source: LabelSource,
    wanted: DecoderOptions,
) -> Statements:
    """Labels of rows with 0 and 1 for each; a question mark is a null."""
    lines, names = [line for line, _ in rows], [*titles.values()]
    texts = np.array([[fields[n].strip() for n in titles] for _, fields in rows])
    for row, column in np.argwhere(~np.isin(texts, ["0", "1", "?"])).tolist():
        problem = f"{names[column]!r} is {texts[row, column].item()!r}, neither 0 nor 1"
        source.refuse(problem, "Correct the row.", lines[row])
    block = lines, samples, np.ma.masked_array(texts == "1", texts == "?")
    return statements_of_blocks([block], names, ["the header"] * len(names), source, wanted)


def _attributes(lines: Iterator[tuple[int, str]]) -> tuple[str, list[tuple[str, str]]]:
    """Name of the relation, and each attribute with its kind."""
    found: list[tuple[str, str]] = []
    relation = ""
    for line, text in lines:
        word = text.strip().lower()
        if word.startswith("@data"):
            return relation, found
        if word.startswith("@relation"):
            relation = text
        if word.startswith("@attribute"):
            match = _ATTRIBUTE.match(text.strip())
            if match is None:
                problem = f"{text.strip()[:80]!r} declares nothing"
                raise InputError(problem, "Write @attribute, a name and a kind.", row=line)
            found.append((match[1].strip("'\""), match[2].strip()))
    raise InputError("there is no @data in this ARFF file", "Fetch it again: a part is missing.")


def _declared(kind: str) -> frozenset[str]:
    """List the classes that a hierarchical attribute declares: paths, their beginnings and their parts."""
    paths = [path.strip("'\" \t") for path in _REMARK.sub("", kind)[len("hierarchical") :].split(",")]
    begins = ("/".join(path.split("/")[:end]) for path in paths for end in range(1, path.count("/") + 2))
    return frozenset(chain(begins, chain.from_iterable(path.split("/") for path in paths)))


def _split_lines(
    lines: Iterator[tuple[int, str]], kinds: Sequence[tuple[str, str]], source: LabelSource
) -> Iterator[ArffRow]:
    width = len(kinds)
    # What a sparse row leaves out is 0, or the first of the declared values.
    usual = [kind.strip("{} ").split(",")[0].strip(" '\"") if "{" in kind else "0" for _, kind in kinds]
    for line, text in lines:
        row = text.strip()
        if row.startswith("%"):
            continue
        if row.startswith("{"):
            fields, pairs = [*usual], _PAIR.findall(row)
            odd = _PAIR.sub("", row).strip("{}, \t") or any(int(at) >= width for at, *_ in pairs)
            if odd or not row.endswith("}") or len({at for at, *_ in pairs}) < len(pairs):
                source.refuse("this sparse row is not understood", "Write {number value, ...}.", line)
                continue
            for at, *values in pairs:
                fields[int(at)] = "".join(values)
            yield line, fields
            continue
        quoted = _QUOTED.search(row)
        if quoted or "\\" in row:
            quote = quoted[1] if quoted else "'"
            with long_fields():
                fields = next(csv.reader([row], quotechar=quote, escapechar="\\", skipinitialspace=True))
        else:
            fields = _REMARK.sub("", row).split(",")
        if len(fields) == width:
            yield line, fields
        else:
            problem = f"{len(fields)} field{'s' * (len(fields) != 1)}, but {width} attributes are declared"
            source.refuse(problem, "Give every row one value for each attribute.", line)
