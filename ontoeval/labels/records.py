"""Records: JSON Lines, and lists of objects in JSON as BioASQ writes them."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import chain
from math import isfinite
from typing import Any

import numpy as np

from ontoeval.core.label_formats import LabelFormat
from ontoeval.core.roles import (
    CONCEPT,
    CONCEPTS,
    SCORE,
    SCORES,
    USUAL_SAMPLE,
    plain,
    positions,
    sample_positions,
)
from ontoeval.errors import InputError, listed
from ontoeval.labels.codebook import Codebook, newcomers
from ontoeval.labels.entries import (
    LABELS_NOT_SCORES,
    ONE_ROW_EACH,
    THRESHOLD_NEEDED,
    Entries,
    entries_of,
    nameless,
)
from ontoeval.labels.formats import Recognised

WRITE = 'Write records such as {"id": "p1", "labels": ["sky", "sea"]}, with "scores" beside them or not.'

_CATEGORIES = frozenset({"cats"})  # of spaCy; in a table these are animals

Object = dict[str, Any]


def records_in(content: object) -> list[Object] | None:
    """Find the records in JSON."""
    if isinstance(content, dict):
        lists = [value for value in content.values() if isinstance(value, list | dict)]
        content = lists[0] if len(lists) == 1 else None
    if isinstance(content, list) and content and all(isinstance(record, dict) for record in content):
        return content
    return None


def form_of(record: Object, kind: LabelFormat, where: str) -> Recognised:
    """Find the keys of a record that name its sample, its labels and their scores."""
    keys = list(record)
    names = [plain(key) for key in keys]
    sample = positions(names, {"id"}) or positions(names, USUAL_SAMPLE)
    sample = sample or [n for n, key in enumerate(keys) if key.lower().endswith("_id")]
    sample = sample or sample_positions(names)
    labels = positions(names, CONCEPTS) or positions(names, CONCEPT) or positions(names, _CATEGORIES)
    scores = positions(names, SCORES) or positions(names, SCORE)
    for role, found in (("the sample", sample), ("the labels", labels)):
        if len(found) != 1:
            named = f"several keys for {role}: " if found else f"no key for {role} among "
            raise InputError(named + listed([keys[n] for n in found] or keys), WRITE, where=where)
    used = [*sample, *labels, *(scores if len(scores) == 1 else [])]
    return Recognised(
        kind,
        header=tuple(keys[position] for position in used),
        concept=1,
        score=2 if len(scores) == 1 else None,
        unused=tuple(key for position, key in enumerate(keys) if position not in used),
    )


def from_records(
    records: list[Object],
    form: Recognised,
    *,
    scores: bool,
    where: str,
    place: Callable[[int], str],
    lines: Sequence[int] | None = None,
) -> Entries:
    """Take the entries from records."""
    samples, spellings = Codebook(), Codebook()
    whole: set[str] = set()
    names: list[str] = []
    labels: list[list[str]] = []
    values: list[list[float]] = []
    for number, record in enumerate(records):
        at = f"{where}, {place(number)}"
        name, found, given, is_whole = _read(record, form, at)
        if (given is None) == scores:
            problem = f"sample {name!r} has {'labels, not scores' if scores else 'scores, not labels'}"
            raise InputError(problem, LABELS_NOT_SCORES if scores else THRESHOLD_NEEDED, where=at)
        if name in whole or (is_whole and name in samples):
            raise InputError(f"sample {name!r} is there already", ONE_ROW_EACH, where=at)
        if is_whole:
            whole.add(name)
        names.append(name)
        samples[name]
        labels.append(found)
        values.append(given or [])
    refuse_values(labels, where)
    owner = np.repeat(np.arange(len(names), dtype=np.int32), list(map(len, labels)))
    code = spellings.codes(chain.from_iterable(labels))
    row = samples.codes(names)
    return entries_of(
        list(samples),
        spellings.index,
        row[owner],
        code,
        place=lambda entry: place(int(owner[entry])),
        starts=None if lines is None else np.asarray(lines, dtype=np.int32)[newcomers(row)],
        several_rows=not whole,
        values=np.fromiter(chain.from_iterable(values), dtype=np.float64) if scores else None,
    )


def _read(record: Object, form: Recognised, where: str) -> tuple[str, list[str], list[float] | None, bool]:
    """Read the sample, its labels, their scores, and whether these are all that it has."""
    sample, labels, *score = form.header
    lacking = [key for key in form.header if key not in record]
    if lacking:
        raise InputError(f"a record without {lacking[0]!r}", WRITE, where=where)
    name, value, given = record[sample], record[labels], record[score[0]] if score else None
    if isinstance(name, str | int) and not isinstance(name, bool):
        found = value if isinstance(value, list | dict) else [value]
        if isinstance(value, dict) and not score:
            given = list(value.values())
        elif score and not isinstance(value, list):
            given = [given]
        texts = all(isinstance(label, str | int) and not isinstance(label, bool) for label in found)
        numbers = given is None or (isinstance(given, list) and all(map(is_score, given)))
        if texts and numbers and (given is None or len(given) == len(found)):
            if not str(name).strip():
                raise nameless(where, None)
            return str(name).strip(), list(map(str, found)), given, found is value
    shown = json.dumps({key: record[key] for key in form.header})
    raise InputError(f"a record has {shown[:120]}", WRITE, where=where)


def refuse_values(labels: Sequence[Sequence[object]], where: str) -> None:
    """Refuse lists that hold 0 or 1 for each concept, where labels are due."""
    width = len(labels[0]) if labels else 0
    if width > 1 and all(len(found) == width and {"0", "1"}.issuperset(map(str, found)) for found in labels):
        raise InputError(
            f"every list holds {width} values that are 0 or 1: values for each concept, not labels",
            "Write the labels themselves, or a table with a column for each concept.",
            where=where,
        )


def is_score(value: object) -> bool:
    """Tell whether a value of JSON is a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return isfinite(value)
    except OverflowError:
        return False
