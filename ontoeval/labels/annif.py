"""Subjects of documents as Annif writes them: a text and <IRI>s in each line, or a file for each document."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import PurePath

import numpy as np

from ontoeval.errors import InputError
from ontoeval.labels.entries import THRESHOLD_NEEDED, Entries, entries_of_lists
from ontoeval.labels.numbers import number
from ontoeval.labels.tables import Source

_DOCUMENT = re.compile(r"[^\t]*\t\s*(?:<[^<>\s]+>\s*)+")
_SUBJECT = re.compile(r"<[^<>\s]+>(?:\t[^\t]*){0,2}")

CORPUS = "Give a text and <IRI>s with a tab between them in each line, or a folder of .tsv or .key files."

SUFFIXES = (".annif", ".tsv", ".key")
"""What the names of files end in that hold the subjects of one document."""

Found = tuple[int, str, str | None]
"""Line, subject and score."""


def is_annif(source: Source) -> bool:
    """Tell from its first line whether a file is Annif's."""
    first = next(source.lines()).strip("\r\n")
    return bool(_DOCUMENT.fullmatch(first) or _SUBJECT.fullmatch(first)) or _suffix(source) == ".key"


def from_annif(source: Source, *, scores: bool) -> Entries:
    """Take the entries from files of Annif."""
    if source.files:
        files = _chosen(source, scores=scores)
    elif _suffix(source) == ".key" or _SUBJECT.fullmatch(next(source.lines()).strip("\r\n")):
        files = [source]
    else:
        return _documents(source, scores=scores)
    found = [list(_subjects(file, scores=scores)) for file in files]
    scored = [number(score or "") for subjects in found for _, _, score in subjects]
    return entries_of_lists(
        tuple(document(file) for file in files),
        [[subject for _, subject, _ in subjects] for subjects in found],
        place=lambda sample: files[sample].where if source.files else "the file",
        values=np.array(scored, dtype=np.float64) if scores else None,
    )


def document(source: Source) -> str:
    """Name the document that a file is about."""
    name = PurePath(source.where).name
    return re.sub(r"(\.(tsv|key|annif|txt))?(\.(gz|bz2|xz|zip))?$", "", name) or name


def _suffix(source: Source) -> str:
    return PurePath(re.sub(r"\.(gz|bz2|xz|zip)$", "", source.where)).suffix


def _chosen(source: Source, *, scores: bool) -> list[Source]:
    by_suffix: dict[str, dict[str, Source]] = {suffix: {} for suffix in SUFFIXES}
    for file in source.files:
        by_suffix[_suffix(file)][document(file)] = file
    if scores:
        chosen = by_suffix[".annif"]
    else:
        chosen = by_suffix[".key"] | by_suffix[".tsv"]
        if not chosen and by_suffix[".annif"]:
            raise InputError("these are scores, not labels", THRESHOLD_NEEDED, where=source.where)
    if not chosen:
        wanted = ".annif files" if scores else ".tsv or .key files"
        raise InputError(f"there are no {wanted} in this folder", CORPUS, where=source.where)
    for file in chosen.values():
        _refuse_corpus(file)
    return [chosen[name] for name in sorted(chosen)]


def _refuse_corpus(source: Source) -> None:
    """Refuse a file in a folder that has its own documents, or none: its texts would become labels."""
    first = next((text.strip() for _, text in source.numbered_lines()), "<")
    if _suffix(source) == ".key" or first.startswith("<"):
        return
    raise InputError(
        f"the first line is {first[:80]!r}, but that of a file for one document begins with an <IRI>",
        "If it has a document in each line, read this file alone instead of its folder; else take it out.",
        where=source.where,
    )


def _subjects(source: Source, *, scores: bool) -> Iterator[Found]:
    for line, text in source.numbered_lines():
        fields = text.strip().split("\t")
        score = fields[2] if len(fields) > 2 and fields[0].startswith("<") else None  # noqa: PLR2004
        if (score is None) == scores or (score is not None and number(score) is None):
            problem = "no score" if score is None else f"the score {score!r}"
            raise InputError(
                problem if scores else "scores, not labels",
                "Write <IRI>, label and score with tabs between them." if scores else THRESHOLD_NEEDED,
                where=source.where,
                row=line,
            )
        yield line, fields[0], score


def _documents(source: Source, *, scores: bool) -> Entries:
    if scores:
        raise InputError("a corpus of labels, not of scores", "Leave out the threshold.", where=source.where)
    numbered = list(source.numbered_lines())
    for line, text in numbered:
        if "\t" not in text:
            raise InputError("no tab between a text and its subjects", CORPUS, where=source.where, row=line)
    return entries_of_lists(
        tuple(map(str, range(len(numbered)))),
        [text.split("\t", 1)[1].split() for _, text in numbered],
        place=lambda sample: f"row {numbered[sample][0]:,}",
        starts=[line for line, _ in numbered],
    )
