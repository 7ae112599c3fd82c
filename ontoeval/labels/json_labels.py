"""Label files in JSON: samples with their labels, records, JSON Lines, and COCO."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from math import isfinite
from types import MappingProxyType
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from ontoeval.errors import InputError, enumerate_some
from ontoeval.labels.formats import LabelFormat, Recognised, column_positions, refuse_numbered_alike
from ontoeval.labels.ledger import Ledger, is_nothing, paths_of, unread
from ontoeval.labels.sources import EMPTY, NO_ROW, LabelSource, is_json
from ontoeval.labels.spans import Placed, placed
from ontoeval.labels.statements import (
    LABELS_NOT_SCORES,
    NAMELESS,
    NO_LABEL,
    ONE_ROW_EACH,
    THRESHOLD_NEEDED,
    Codebook,
    DecoderOptions,
    Statements,
    first_occurrences,
    statements_of_lists,
    with_places,
)
from ontoeval.plumbing.column_titles import (
    CONCEPT,
    CONCEPTS,
    SAMPLE,
    SCORE,
    SCORES,
    USUAL_SAMPLE,
    is_ignorable,
    normalise_title,
    numbered_alike,
    positions,
    refuse_flags,
    sample_positions,
)
from ontoeval.plumbing.json_text import Json, is_name, load, refuse_repeated, row_of
from ontoeval.plumbing.text_checks import LONGEST_FIELD, LONGEST_ROW, line_ends, refuse_long

WRITE = 'Write records such as {"id": "p1", "labels": ["sky", "sea"]}, with "scores" beside them or not.'

NAME_KEYS = " Or name the keys (--sample-column, --concept-column)."

_TEXT = frozenset({str})
_Flat = str | float | int | bool | None
_BLOCK = 2**18  # bytes of JSON Lines that are decoded at once
_decode = msgspec.json.Decoder(dict[str, _Flat | list[_Flat]]).decode

_NONE: Mapping[str, Sequence[str]] = MappingProxyType({})
_CATEGORIES = frozenset({"cats"})  # of spaCy; in a table "cats" is a concept

_CONTAINERS = frozenset(
    {"annotations", "articles", "data", "documents", "images", "items", "records", "samples", "tasks"}
)
"""Keys of lists of records; of an empty one no sample is named so."""

Object = dict[str, Any]


def records_in(content: object) -> list[Object] | None:
    """Find the records in JSON."""
    if isinstance(content, dict):
        lists = [value for value in content.values() if isinstance(value, list | dict)]
        content = lists[0] if len(lists) == 1 else None
    if isinstance(content, list) and content and all(isinstance(record, dict) for record in content):
        return content
    return None


def form_of(record: Object, kind: LabelFormat, where: str, named: Mapping[str, Sequence[str]]) -> Recognised:
    """Find the keys of a record that name its sample, its labels and their scores; some are named.

    Where no key may name the samples, these are numbered, and the first key is empty.
    """
    keys = list(record)
    names = [normalise_title(key) for key in keys]
    labels = positions(names, CONCEPTS) or positions(names, CONCEPT) or positions(names, _CATEGORIES)
    try:
        given = {role: [place] for role, place in column_positions(named, keys).items()}
        labels = given.get("concept", labels)
        refuse_numbered_alike(keys, labels[0] if labels else None)
    except InputError as error:
        error.row = None
        error.locate(where)
        raise
    sample = positions(names, {"id"}) or positions(names, USUAL_SAMPLE)
    sample = sample or [n for n, key in enumerate(keys) if key.lower().endswith("_id")]
    sample = sample or sample_positions(names)
    scores = positions(names, SCORES) or positions(names, SCORE)
    sample = given.get("sample", sample)
    scores = given.get("value", scores if len(scores) == 1 else [])
    numbered = not sample and not any(map(_may_name, names, record.values()))
    for role, found in (("the sample", sample), ("the labels", labels)):
        if len(found) != 1 and not (numbered and labels and found is sample):
            problem = f"several keys for {role}: " if found else f"no key for {role} among "
            remedy = WRITE + NAME_KEYS * (not numbered_alike(keys))
            raise InputError(problem + enumerate_some([keys[n] for n in found] or keys), remedy, where=where)
    used = [*sample, *labels, *scores]
    unused = tuple(key for position, key in enumerate(keys) if position not in used)
    if isinstance(record[keys[labels[0]]], str):
        refuse_flags(unused)
    header = ("",) * numbered + tuple(keys[position] for position in used)
    return Recognised(kind, header=header, concept=1, score=2 if scores else None, unused=unused)


def _may_name(title: str, value: Json) -> bool:
    """Whether a value may be the name of a sample: a word or a whole number, but for texts and labels."""
    known = is_ignorable(title) or title in {*CONCEPT, *CONCEPTS, *_CATEGORIES, *SCORE, *SCORES}
    return not known and (type(value) is int or (isinstance(value, str) and len(value.split()) == 1))


@dataclass
class _Records:
    """Collects statements of records, in memory as numbers only."""

    form: Recognised
    scores: bool
    source: LabelSource
    unit: str
    document: object = None
    samples: Codebook = field(default_factory=Codebook)
    spellings: Codebook = field(default_factory=Codebook)
    parts: set[str] = field(default_factory=set)
    alone: set[str] = field(default_factory=set)
    nulls: int = 0
    unused: Counter[str] = field(default_factory=Counter)
    spots: list[str | None] = field(default_factory=list)
    holders: dict[str, Any] = field(default_factory=dict)
    numbers: array[int] = field(default_factory=lambda: array("i"))
    row: array[int] = field(default_factory=lambda: array("i"))
    lengths: array[int] = field(default_factory=lambda: array("i"))
    concept: array[int] = field(default_factory=lambda: array("i"))
    values: array[float] = field(default_factory=lambda: array("d"))

    def add(self, number: int, record: Object) -> None:
        """Read a record; samples whose records hold one label each may have several."""
        record = {**record, "": len(self.row)} if self.form.header[0] == "" else record
        try:
            name, found, given, is_whole = self._read(record)
        except InputError as error:
            if self.unit == "row":
                self.source.refuse(error.problem, error.remedy, number)
                return
            row = row_of(self.source.data.decode(), self.document, record)
            error.locate(f"{self.source.where}, {self.unit} {number:,}", row)
            raise
        if not is_whole:
            self.parts.add(name)
            self.alone.update(label.strip() for label in found if label)
        self.nulls += found.count(None)
        if self.source.placed:
            self.spots += found
            self.holders[name] = record[self.form.header[1]]
        self._note_unused([record])
        labels = self.spellings.codes([label or "" for label in found])
        self._append([number], [name], [len(found)], labels, given or ())

    def _read(self, record: Object) -> tuple[str, list[str | None], Sequence[float] | None, bool]:
        """Read the sample, its labels, their scores, and whether the record lists all its labels.

        A label without a score, and the score without a label, is null.
        """
        sample, labels, *score = header = self.form.header
        keys = () if sample else record.keys() - {*self.form.unused}
        if named := [key for key in keys if normalise_title(key) in SAMPLE]:
            problem = f"a record with {named[0]!r}, but the first has no name, so that samples are numbered"
            raise InputError(problem, "Name every record.")
        if lacking := [key for key in header if key not in record]:
            raise InputError(f"a record without {lacking[0]!r}", WRITE)
        name, value, given = record[sample], record[labels], record[score[0]] if score else None
        if not is_name(name):
            raise InputError(f"a record has {json.dumps({sample: name})[:120]}", WRITE)
        text, listed = str(name).strip(), isinstance(value, list | dict)
        if not text:
            raise InputError(*NAMELESS)
        if score and (given is None or not isinstance(value, list)):
            given = [given] * (len(value) if listed else 1)
        found = _labels_of(text, value, given, WRITE, scores=self.scores)
        if text in self.samples and (listed or text not in self.parts):
            raise InputError(f"sample {text!r} is there already", ONE_ROW_EACH)
        return text, *found, listed

    def _note_unused(self, records: Sequence[Object]) -> None:
        """Count what stands at keys that the first record lacks."""
        keys = set().union(*records).difference(self.form.header, self.form.unused)
        for key in sorted(keys):
            self.unused[key] += sum(not is_nothing(record.get(key)) for record in records)

    def add_block(self, lines: list[bytes], number: int) -> bool:
        """Read lines at once if their records have the same keys and lists of texts; else return False."""
        records = _plain_records(lines)
        sample, labels, *score = self.form.header
        if not records or not records[0].keys() >= {*self.form.header} or self.scores != bool(score):
            return False
        column, *lists = ([record[key] for record in records] for key in (sample, labels, *score))
        names = list(map(str.strip, column)) if _kinds(column) == _TEXT else []
        new = names and all(names) and self.samples.keys().isdisjoint(names) and len(set(names)) == len(names)
        if not new or any(_kinds(values) != {list} for values in lists):
            return False
        texts, *given = (list(chain.from_iterable(column)) for column in lists)
        lengths, *others = (list(map(len, column)) for column in lists)
        values = given[0] if given else []
        right = others in ([], [lengths]) and all(map(is_score, values)) and _kinds(texts) <= _TEXT
        if not right or not all(map(str.strip, set(texts))):
            return False
        self._note_unused(records)
        numbers = range(number, number + len(names))
        self._append(numbers, names, lengths, self.spellings.codes(texts), values)
        return True

    def _append(
        self,
        numbers: Sequence[int],
        names: Sequence[str],
        lengths: list[int],
        labels: NDArray[np.int32],
        values: Sequence[float],
    ) -> None:
        """Store records that were read, texts as numbers."""
        self.numbers.extend(numbers)
        self.row.frombytes(self.samples.codes(names).tobytes())
        self.lengths.extend(lengths)
        self.concept.frombytes(labels.tobytes())
        self.values.extend(values)

    def statements(self) -> Statements:
        """Join all statements."""
        if not self.lengths:
            raise InputError(f"{NO_ROW} others that are wrong", "Write one.")
        numbers, row = np.array(self.numbers, dtype=np.int32), np.array(self.row, dtype=np.int32)
        owner = np.repeat(np.arange(row.size, dtype=np.int32), np.array(self.lengths, dtype=np.intp))
        in_rows = self.unit == "row"
        found = Statements(
            tuple(self.samples.index),
            tuple(self.spellings.index),
            (),
            row[owner],
            np.array(self.concept, dtype=np.int32),
            np.array(self.values) if self.scores else None,
            numbers[owner] if in_rows else None,
            numbers[first_occurrences(row)] if in_rows else None,
            ledger=Ledger(self.nulls, unused=+self.unused),
            spots=np.fromiter(self.spots, dtype=object) if self.source.placed else None,
            holders=[*self.holders.values()] if self.source.placed else (),
            alone=self.alone,
        )
        return with_places(found, lambda entry: f"{self.unit} {numbers[owner[entry]]:,}")


def _plain_records(lines: list[bytes]) -> list[Object]:
    """Decode lines with the same keys, each once, and values that are not nested; else return nothing."""
    block = b"".join(lines)
    try:
        records = [] if b"\\" in block else list(map(_decode, lines))
    except (msgspec.MsgspecError, ValueError, RecursionError):  # the first is no ValueError in msgspec 0.19
        return []
    if len(set(map(tuple, records))) != 1:
        return []
    # A duplicate key, of which msgspec keeps the last value, is there more often than there are lines.
    once = all(block.count(b'"%b"' % key.encode()) == len(lines) for key in records[0])
    return records if once else []


def _kinds(values: Iterable[object]) -> set[type]:
    return set(map(type, values))


def _labels_of(
    sample: str, value: Json, given: Json, how: str, *, scores: bool
) -> tuple[list[str | None], Sequence[float] | None]:
    """Check the labels of a sample, and their scores, which may be the values of an object."""
    listed, of_object = isinstance(value, list | dict), isinstance(value, dict) and given is None
    found: list[Any] = list(value) if listed else [value]
    given = list(value.values()) if of_object else given
    scored = given is None or (isinstance(given, list) and all(one is None or is_score(one) for one in given))
    if of_object and scores and not scored:
        bad = next(label for label in found if value[label] is not None and not is_score(value[label]))
        problem = f"the score of {bad!r} is {json.dumps(value[bad])[:80]}, which is no finite number"
        raise InputError(f"sample {sample!r}: {problem}", "Write a number.")
    if listed and any(isinstance(label, str) and not label.strip() for label in found):
        raise InputError(f"sample {sample!r}: {NO_LABEL[0]}", NO_LABEL[1])
    names = all(label is None or is_name(label) for label in found)
    if not names or not scored or len(found if given is None else given) != len(found):
        beside = "" if of_object or given is None else f" with the scores {json.dumps(given)[:80]}"
        raise InputError(f"sample {sample!r} has {json.dumps(value)[:80]}{beside}", how)
    if (given is None) == scores:
        problem = f"sample {sample!r} has {'labels, not scores' if scores else 'scores, not labels'}"
        raise InputError(problem, LABELS_NOT_SCORES if scores else THRESHOLD_NEEDED)
    there = [None not in pair for pair in zip(found, given or found, strict=True)]
    every = (label if isinstance(label, str) else str(label) for label in found)
    texts = [label if kept else None for label, kept in zip(every, there, strict=True)]
    return texts, given and [one or 0.0 for one in given]


def is_score(value: object) -> bool:
    """Whether a value of JSON is a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return False
    try:
        return isfinite(value)
    except OverflowError:
        return False


_PARTS = ("images", "annotations", "categories")
_WRITE = "Write images, annotations and categories as COCO does, with 'id', 'image_id' and 'category_id'."


def from_instances(content: dict[str, Any], source: LabelSource, *, scores: bool) -> Statements:
    """Decode annotations of COCO: the names of the categories in each image, by file name if all have one."""
    if scores:
        raise InputError("these annotations have no scores", LABELS_NOT_SCORES)
    images = content["images"]
    by_name = bool(images) and all(isinstance(item, dict) and item.get("file_name") for item in images)
    key = "file_name" if by_name else "id"
    called = _names(content, "images", "an image", key, source)
    names = _names(content, "categories", "a category", "name", source)
    if not called:
        raise InputError("there are no images in it", "Is it the right file?")
    found: dict[str, list[str]] = {image: [] for image in called}
    listed = {str(one["name"]).strip(): one["name"] for one in content["categories"]}
    ids = {str(one["name"]).strip(): json.dumps(one["id"]) for one in content["categories"]}

    def note(_: object, item: object) -> None:
        image, category = (_key(item, key, "an annotation") for key in ("image_id", "category_id"))
        if image not in found or category not in names:
            what, number = ("image", image) if image not in found else ("category", category)
            raise InputError(f"an annotation refers to {what} {number}, which is missing", _WRITE)
        label, place = names[category], item["category_id"] if isinstance(item, dict) else None
        if isinstance(place, Placed):  # the number is written in place of the name
            label = placed(label, place.begin, place.end, item, ids.get)
            label.listed = listed
        found[image].append(label)

    _read_items(note, content["annotations"], content, source)
    samples = tuple(called.values())
    ends = "image_id", "category_id"
    read = paths_of(
        "images.id", f"images.{key}", "categories.id", "categories.name", *map("annotations.{}".format, ends)
    )
    return statements_of_lists(
        samples,
        [labels if source.placed else list(dict.fromkeys(labels)) for labels in found.values()],
        at=lambda n: f"image {samples[n]}",
        ledger=Ledger(unused=Counter(unread(content, read))),
        placed=source.placed,
    )


def _names(content: dict[str, Any], part: str, what: str, key: str, source: LabelSource) -> dict[str, str]:
    """Names of images or categories by their identifiers, both without repetition."""
    found: dict[str, str] = {}
    met = set[str]()

    def note(_: object, item: object) -> None:
        number, name = (_key(item, one, what) for one in ("id", key))
        if number in found or name in met:
            again = f"'id' {number}" if number in found else f"{key!r} {name!r}"
            raise InputError(f"{what} has the {again} of another", "Give each one of its own.")
        found[number] = name
        met.add(name)

    _read_items(note, content[part], content, source)
    return found


def _key(item: object, key: str, what: str) -> str:
    value = item.get(key) if isinstance(item, dict) else None
    if isinstance(value, bool) or not isinstance(value, str | int) or not str(value).strip():
        raise InputError(f"{what} without {key!r}", _WRITE)
    return str(value).strip()


_LIKE_LABELS = '{"sample": ["label", …], …}'
_LIKE_SCORES = '{"sample": {"label": 0.9, …}, …}'

_LONGEST = 2**20  # a longer first line that no object follows is parsed with the whole file only


def form_of_json(
    source: LabelSource, input_format: str | None, named: Mapping[str, Sequence[str]] = _NONE
) -> Recognised | None:
    """Decide between JSON and JSON Lines; some keys may be named."""
    if input_format == "json" or (input_format is None and not is_json(source.data)):
        return None if input_format is None else Recognised("json", named=named)
    lines = source.numbered_lines()
    found = next(lines, None)
    if found is None:  # nothing but blanks, of which Unicode has more than ASCII
        raise InputError("the file is empty", EMPTY)
    number, first = found
    if input_format == "jsonl":
        return form_of(_record(source, first, number), "jsonl", f"{source.where}, row {number:,}", named)
    _, following = next(lines, (0, ""))
    if len(first) > _LONGEST and not following.startswith("{"):
        return Recognised("json", named=named)
    try:
        record = load(first, repeated="last")
    except InputError:
        return Recognised("json", named=named)
    if isinstance(record, dict) and (following or _is_record(record, named)):
        return form_of(record, "jsonl", f"{source.where}, row {number:,}", named)
    return Recognised("json", named=named)


def from_json(source: LabelSource, known: Recognised, wanted: DecoderOptions) -> Statements:
    """Decode an object with samples, records within it, or annotations of COCO."""
    scores = wanted.scores
    content = source.load(source.data)
    instances = isinstance(content, dict) and all(isinstance(content.get(part), list) for part in _PARTS)
    records = None if instances else records_in(content)
    if known.named and records is None:
        raise InputError("keys are named, but this JSON holds no records", "Name keys of records only.")
    if instances:
        return from_instances(content, source, scores=scores)
    if records is not None:
        form = form_of(records[0], "json", f"{source.where}, record 1", known.named)
        found = _Records(form, scores, source, "record", content)
        for number, record in enumerate(records, 1):
            found.add(number, record)
        columns = ("header", "concept", "score", "unused")
        if isinstance(content, dict):
            found.unused.update(unread(content, {key: {} for key in content if content[key] is records}))
        return replace(found.statements(), seen={name: getattr(form, name) for name in columns})
    if not isinstance(content, dict) or not content:
        problem = "this JSON is no object that holds samples, and no list of records"
        raise InputError(problem, f"Write {_LIKE_SCORES if scores else _LIKE_LABELS}.")
    if not any(content.values()) and (kinds := [key for key in content if key.lower() in _CONTAINERS]):
        raise InputError(f"{kinds[0]!r} is empty: there is no sample in it", "Export the file again.")
    return _from_mapping(content, source, scores=scores)


def from_json_lines(source: LabelSource, form: Recognised, wanted: DecoderOptions) -> Statements:
    """Decode JSON Lines, a block of whole lines at a time."""
    refuse_long(source.data, "a row", LONGEST_ROW, line=source.line)
    found = _Records(form, wanted.scores, source, "row")
    line, begin = source.line, source.begin
    while begin < len(source.data):
        end = source.data.find(b"\n", begin + _BLOCK) + 1 or len(source.data)
        block = source.data[begin:end]
        lines = block.removesuffix(b"\n").split(b"\n")
        wrong = any(fault in range(line, line + len(lines)) for fault in source.faults or ())
        if (
            len(block) > LONGEST_FIELD
            or b"\r" in block
            or wrong
            or source.placed
            or not found.add_block(lines, line)
        ):
            for number, text in replace(source, data=block, begin=0, line=line).numbered_lines():
                try:
                    found.add(number, _record(source, text, number))
                except InputError as error:
                    source.refuse(error.problem, error.remedy, number)
        line += line_ends(block)
        begin = end
    return found.statements()


def _record(source: LabelSource, line: str, row: int) -> Object:
    found = source.load(line, row)
    if not isinstance(found, dict):
        problem = f"this line holds {line.strip()[:80]}, no object"
        raise InputError(problem, "Write one in each line.", row=row)
    return found


def _is_record(content: Object, named: Mapping[str, Sequence[str]]) -> bool:
    """Whether an object is a record, not a mapping of samples, whose values are lists or objects."""
    try:
        form = form_of(content, "jsonl", "", named)
    except InputError:
        return False
    return form.header[0] != "" and not isinstance(content[form.header[0]], list | dict)


def _from_mapping(content: Mapping[str, Any], source: LabelSource, *, scores: bool) -> Statements:
    lists: list[list[str]] = []
    values: list[float] = []
    how = f"Write {_LIKE_SCORES if scores else _LIKE_LABELS}; labels are texts or whole numbers."

    def note(sample: str, labels: Json) -> None:
        if not sample.strip():
            raise InputError(*NAMELESS)
        if not isinstance(labels, list | dict | None):
            raise InputError(f"sample {sample!r} has {json.dumps(labels)[:80]}, which is no list", how)
        null: Json = {None: None} if scores else None
        found, given = _labels_of(sample, null if labels is None else labels, None, how, scores=scores)
        lists.append([label or "" for label in found])
        values.extend(given or ())

    _read_items(note, content, content, source)
    samples = tuple(map(str.strip, content))
    refuse_repeated(samples)
    return statements_of_lists(
        samples,
        lists,
        at=lambda sample: f"sample {samples[sample]!r}",
        value=np.array(values, dtype=np.float64) if scores else None,
        ledger=Ledger(sum(labels.count("") for labels in lists)),
        placed=source.placed,
        holders=[*content.values()],
    )


def _read_items(read: Callable[[Any, Json], None], holder: Json, content: Json, source: LabelSource) -> None:
    """Read the items of an object or a list; errors name the row."""
    for key, item in holder.items() if isinstance(holder, dict) else enumerate(holder):
        try:
            read(key, item)
        except InputError as error:
            error.locate(row=row_of(source.data.decode(), content, holder, key))
            raise
