"""Label files in JSON: an object with the labels of each sample, a list of records, or JSON Lines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from itertools import chain
from typing import Any

import numpy as np

from ontoeval.core.json_text import load, refuse_repeated
from ontoeval.errors import InputError
from ontoeval.labels.entries import LABELS_NOT_SCORES, THRESHOLD_NEEDED, Entries, entries_of_lists, nameless
from ontoeval.labels.formats import Recognised
from ontoeval.labels.instances import from_instances, is_instances
from ontoeval.labels.records import Object, form_of, from_records, is_score, records_in, refuse_values
from ontoeval.labels.tables import Source
from ontoeval.labels.text import EMPTY, is_json

LABELS = '{"sample": ["label", …], …}'
SCORES = '{"sample": {"label": 0.9, …}, …}'

_LONGEST = 2**20
"""A first line that is longer is looked at as part of the whole only."""


def form_of_json(source: Source, input_format: str | None) -> Recognised | None:
    """Tell JSON from JSON Lines."""
    if input_format == "json" or (input_format is None and not is_json(source.data)):
        return None if input_format is None else Recognised("json")
    lines = source.numbered_lines()
    found = next(lines, None)
    if found is None:  # nothing but blanks, of which Unicode has more than ASCII
        raise InputError("the file is empty", EMPTY, where=source.where)
    number, first = found
    if input_format == "jsonl":
        return form_of(_record(first, source.where, number), "jsonl", f"{source.where}, row {number:,}")
    if len(first) > _LONGEST:
        return Recognised("json")
    try:
        record = load(first, where=source.where, repeated="last")
    except InputError:
        return Recognised("json")
    if isinstance(record, dict) and (next(lines, None) is not None or _is_record(record)):
        return form_of(record, "jsonl", f"{source.where}, row {number:,}")
    return Recognised("json")


def from_json(source: Source, *, scores: bool) -> Entries:
    """Take the entries from a label file in JSON."""
    content = load(source.data, where=source.where)
    if is_instances(content):
        return from_instances(content, source.where, scores=scores)
    records = records_in(content)
    if records is not None:
        form = form_of(records[0], "json", f"{source.where}, record 1")
        entries = from_records(
            records,
            form,
            scores=scores,
            where=source.where,
            place=lambda number: f"record {number + 1:,}",
        )
        return replace(entries, seen=_told(form))
    if not isinstance(content, dict) or not content:
        raise InputError(
            "this JSON is no object that holds samples, and no list of records",
            f"Write {SCORES if scores else LABELS}.",
            where=source.where,
        )
    return _from_mapping(content, source.where, scores=scores)


def from_json_lines(source: Source, form: Recognised, *, scores: bool) -> Entries:
    """Take the entries from JSON Lines."""
    numbered = list(source.numbered_lines())
    records = [_record(line, source.where, number) for number, line in numbered]
    return from_records(
        records,
        form,
        scores=scores,
        where=source.where,
        place=lambda number: f"row {numbered[number][0]:,}",
        lines=[number for number, _ in numbered],
    )


def _record(line: str, where: str, row: int) -> Object:
    found = load(line, where=where, row=row)
    if not isinstance(found, dict):
        raise InputError(
            f"this line holds {line.strip()[:80]}, no object", "Write one in each line.", where=where, row=row
        )
    return found


def _is_record(content: Object) -> bool:
    """Tell a record from an object that holds one sample: there the values are lists or objects."""
    try:
        form = form_of(content, "jsonl", "")
    except InputError:
        return False
    return not isinstance(content[form.header[0]], list | dict)


def _told(form: Recognised) -> dict[str, Any]:
    told = asdict(form)
    return {name: told[name] for name in ("header", "concept", "score", "unused")}


def _from_mapping(content: Mapping[str, Any], where: str, *, scores: bool) -> Entries:
    for sample, labels in content.items():
        _check(sample, labels, scores=scores, where=where)
    if not scores:
        content = {sample: list(map(str, labels)) for sample, labels in content.items()}
        refuse_values(list(content.values()), where)
    samples = tuple(map(str.strip, content))
    refuse_repeated(samples, where=where)
    values = chain.from_iterable(labels.values() for labels in content.values()) if scores else None
    return entries_of_lists(
        samples,
        list(content.values()),
        place=lambda sample: f"sample {samples[sample]!r}",
        values=None if values is None else np.fromiter(values, dtype=np.float64),
    )


def _check(sample: str, labels: object, *, scores: bool, where: str) -> None:
    if not sample.strip():
        raise nameless(where, None)
    if isinstance(labels, dict):
        bad = [label for label, value in labels.items() if not is_score(value)]
        if not bad and not scores:
            raise InputError(f"sample {sample!r} has scores, not labels", THRESHOLD_NEEDED, where=where)
        if bad and scores:
            raise InputError(
                f"sample {sample!r}: the score of {bad[0]!r} is {json.dumps(labels[bad[0]])[:80]}, "
                "which is no finite number",
                "Write a number.",
                where=where,
            )
    if isinstance(labels, list) and scores:
        raise InputError(
            f"sample {sample!r} has labels, not scores",
            f"{LABELS_NOT_SCORES} Write {SCORES}.",
            where=where,
        )
    if not isinstance(labels, dict if scores else list) or not all(
        isinstance(name, str | int) and not isinstance(name, bool) for name in labels
    ):
        raise InputError(
            f"sample {sample!r} has {json.dumps(labels)[:80]}",
            f"Write {SCORES if scores else LABELS}; labels are texts or whole numbers.",
            where=where,
        )
