"""Label files in JSON: samples with their labels, records, JSON Lines, and COCO."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from sys import float_info
from types import MappingProxyType
from typing import Any

import numpy as np

from ontoeval.core.gate import Known
from ontoeval.errors import InputError, enumerate_some, pluralise
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
from ontoeval.plumbing.checks import as_list
from ontoeval.plumbing.column_contents import FEW_COLUMNS, columns_by_content
from ontoeval.plumbing.column_titles import (
    CONCEPT,
    CONCEPTS,
    SAMPLE,
    SCORE,
    SCORES,
    USUAL_SAMPLE,
    are_columns,
    is_ignorable,
    normalise_title,
    numbered_alike,
    positions,
    refuse_flags,
    sample_positions,
)
from ontoeval.plumbing.json_text import Json, is_name, load, row_of
from ontoeval.plumbing.text_checks import LONGEST_ROW, refuse_long

WRITE = 'Write records such as {"id": "p1", "labels": ["sky", "sea"]}, with "scores" beside them or not.'

NAME_KEYS = " Or name the keys (sample_column=, concept_column=; --sample-column, --concept-column)."

Named = Mapping[str, Sequence[str]]
_NONE: Named = MappingProxyType({})
_CATEGORIES = frozenset({"cats", "predictions", "annotations"})  # which in a table are concepts
_ROLES = CONCEPT | CONCEPTS | SCORE | SCORES
_TITLES = CONCEPT | CONCEPTS | _CATEGORIES | SAMPLE

_CONTAINERS = frozenset(
    {"annotations", "articles", "data", "documents", "images", "items", "records", "samples", "tasks"}
)
"""Keys of lists of records; of an empty one no sample is named so."""

Object = dict[str, Any]
_Read = Callable[[Any, Json], None]
ByContent = Callable[[int | None, int | None], Sequence[int]]
"""Gives the keys of samples and labels, of which one may be known; nothing in any doubt."""


def _reshaped(content: Json) -> Json:
    """Make records of what data frames write, and a mapping of one in a mapping or of answers in a list."""
    if isinstance(content, list):
        answers = all(isinstance(row, list) and all(isinstance(one, dict) for one in row) for row in content)
        return {str(at): row for at, row in enumerate(content)} if answers and any(content) else content
    if not isinstance(content, dict):
        return content
    held = [key for key, value in content.items() if isinstance(value, list | dict)]
    inside = content[held[0]] if len(held) == 1 and held[0] in _CONTAINERS else None
    if isinstance(inside, dict) and any(isinstance(one, list | dict) for one in inside.values()):
        content = inside
    titles, rows = content.get("columns"), content.get("data")
    if (columns := are_columns(content)) and len({*map(len, content.values())}) == 1:
        titles, rows = [*content], [*zip(*content.values(), strict=True)]
    elif columns and not _ROLES.isdisjoint(map(normalise_title, content)):  # else a sample may be called code
        raise InputError(f"columns of different lengths: {enumerate_some(content)}", WRITE)
    if isinstance(titles, list) and isinstance(rows, list) and rows and all(map(is_name, titles)):
        index = content.get("index", range(len(rows)))
        if {*map(len, rows)} != {len(titles)} or len(index) != len(rows):
            raise InputError("rows of another length than the titles, or another number of names", WRITE)
        return _with_keys(index, [dict(zip(map(str, titles), row, strict=True)) for row in rows])
    objects = [one for one in content.values() if isinstance(one, dict) and one]
    if len(objects) < max(len(content), 1):
        return content
    if _is_titled(objects[0]):
        return _with_keys(content, objects)
    same = all([*one] == [*objects[0]] for one in objects)
    turned = [dict(zip(content, row, strict=False)) for row in zip(*map(dict.values, objects), strict=False)]
    return _with_keys(objects[0], turned) if same and _is_titled(turned[0]) else content


def _is_titled(record: Object) -> bool:
    """Whether an object has a usual title, which is no concept with its score."""
    texts = (title for title, value in record.items() if isinstance(value, str | list | dict))
    return not _TITLES.isdisjoint(map(normalise_title, texts))


def _with_keys(keys: Iterable[Json], records: list[Object]) -> list[Object]:
    """Name records by their keys, unless these only count records that have names."""
    titles = {*map(normalise_title, records[0])}
    if not SAMPLE.isdisjoint(titles) and [*map(str, keys)] == [*map(str, range(len(records)))]:
        return records
    title = "index" if "id" in titles else "id"
    return [{title: key, **one} for key, one in zip(keys, records, strict=False)]


def records_in(content: object) -> list[Object] | None:
    """Find the records in JSON."""
    if isinstance(content, dict):
        lists = [value for value in content.values() if isinstance(value, list | dict)]
        if len(lists) == len(content) == 1 and _are_answers(lists[0]):
            return None  # of the only sample
        content = lists[0] if len(lists) == 1 else content.get("data") if "schema" in content else None
    if isinstance(content, list) and content and all(isinstance(record, dict) for record in content):
        return content
    return None


def _are_answers(records: object) -> bool:
    """Whether records have a label and perhaps a score each, and nothing else."""
    titles = {normalise_title(str(key)) for one in as_list(records) if isinstance(one, dict) for key in one}
    return bool(titles) and titles <= CONCEPT | SCORE


def form_of(record: Object, kind: LabelFormat, where: str, named: Named, by_content: ByContent) -> Recognised:
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
        raise InputError(error.problem, error.remedy, where=where) from None
    sample = positions(names, {"id"}) or positions(names, USUAL_SAMPLE)
    sample = sample or [n for n, key in enumerate(keys) if key.lower().endswith("_id")]
    sample = sample or sample_positions(names)
    scores = positions(names, SCORES) or positions(names, SCORE)
    sample = given.get("sample", sample)
    numbered = not sample and not any(map(_may_name, names, record.values()))
    one, other = (found[0] if len(found) == 1 else None for found in (sample, labels))
    held = () if other is not None and (numbered or one is not None) else by_content(one, other)
    if held:
        sample, labels, numbered = [held[0]], [held[1]], False
    scores = given.get("value", scores if len(scores) == 1 and scores != labels else [])
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
    words = f"JSON{' Lines' * (kind == 'jsonl')} ({{roles}}, by what they hold{{unused}})" if held else ""
    return Recognised(kind, None, header, 0, 1, 2 if scores else None, unused=unused, words=words)


def keys_by_content(
    records: Iterable[Object], known: Known | None, *roles: int | None, people: Sequence[int] | None = None
) -> Sequence[int]:
    """Keys of the samples and labels by what the first records hold, where one may be known; () in any doubt.

    The only key of objects that hold scores has the labels, too.
    """
    sample, labels = roles or (None, None)
    first = list[Object]()
    with suppress(InputError):  # of a line, which is refused where it is read
        first.extend(islice(records, 200))
    cells = {key: [one.get(key) for one in first] for key in (first or [{}])[0]}
    if len(first) <= (sample is labels is None) or len(cells) > FEW_COLUMNS:  # one may have samples as keys
        return ()
    apart = (dict,) if labels is None else (dict, list)
    scored = [n for n, (key, held) in enumerate(cells.items()) if _are_scores(key, held, known)]
    labels = scored[0] if labels is None and len(scored) == 1 else labels
    taken = {*(() if sample is None else SAMPLE), *(() if labels is None else _ROLES)}
    called = {sample: "id", labels: "label"}
    titles = [called.get(n, "note" if normalise_title(key) in taken else key) for n, key in enumerate(cells)]
    columns = [[_held(one, apart * (n != labels)) for one in some] for n, some in enumerate(cells.values())]
    found = columns_by_content(titles, columns, known, annotators=people)
    return found[:2] if found else ()


def _are_scores(key: str, cells: Sequence[Json], known: Known | None) -> bool:
    """Whether objects hold numbers by concept: by their key or a known name, else by numbers from 0 to 1."""
    pairs = [pair for one in cells if isinstance(one, dict) for pair in one.items() if pair[1] is not None]
    numbers = [number for _, number in pairs if is_score(number)]
    likely = any(known([name]) for name in dict(pairs)) if known else all(0 <= one <= 1 for one in numbers)
    return (likely or normalise_title(key) in _ROLES) and 0 < len(numbers) == len(pairs)


def _held(one: Json, other: tuple[type, ...]) -> Json:
    """Names of labels in an object or a list of objects; any other value itself, and None of some kinds."""
    named = [[*one] if isinstance(one, dict) else one]
    return None if isinstance(one, other) else (_of_objects(one) or named)[0]


def _may_name(title: str, value: Json) -> bool:
    """Whether a value may be the name of a sample: a word or a whole number, but for texts and labels."""
    known = is_ignorable(title) or title in _ROLES | _CATEGORIES
    return not known and (type(value) is int or (isinstance(value, str) and len(value.split()) == 1))


@dataclass
class _Records:
    """Collects statements of records, in memory as numbers only."""

    form: Recognised
    wanted: DecoderOptions
    source: LabelSource
    unit: str
    how: str = WRITE
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
        name, found, given, is_whole = self._read(record)
        if not is_whole:
            self.parts.add(name)
            self.alone.update(label.strip() for label in found if label)
        self.nulls += found.count(None)
        if self.source.placed:
            self.spots += found
            self.holders[name] = record[self.form.header[1]]
        others = sorted(record.keys() - {*self.form.header, *self.form.unused})
        self.unused.update(key for key in others if not is_nothing(record[key]))
        self.numbers.append(number)
        self.row.append(self.samples[name])
        self.lengths.append(len(found))
        self.concept.extend(self.spellings[label or ""] for label in found)
        self.values.extend(given or ())

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
        if self.unit == "sample" and not listed and value is not None:
            raise InputError(f"sample {text!r} has {json.dumps(value)[:80]}, which is no list", self.how)
        given = [None] if value is None and not score and self.wanted.scores else given
        if score and (given is None or not isinstance(value, list)):
            given = [given] * (len(value) if listed else 1)
        if given is None and (objects := _of_objects(value)):
            value, given, unread_keys = objects
            self.unused.update(f"{labels}.{key}" for key in unread_keys)
            self.source = replace(self.source, placed=False)
        found = _labels_of(text, value, given, self.how, scores=self.wanted.scores)
        if text in self.samples and (listed or text not in self.parts):
            raise InputError(f"sample {text!r} is there already", ONE_ROW_EACH)
        return text, *found, listed

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
            np.array(self.values) if self.wanted.scores else None,
            numbers[owner] if in_rows else None,
            numbers[first_occurrences(row)] if in_rows else None,
            ledger=Ledger(self.nulls, unused=+self.unused),
            spots=np.fromiter(self.spots, dtype=object) if self.source.placed else None,
            holders=[*self.holders.values()] if self.source.placed else (),
            alone=self.alone,
        )
        of_samples = self.unit == "sample"
        names, said = (found.samples, "sample {!r}") if of_samples else (self.numbers, f"{self.unit} {{:,}}")
        known = self.wanted.known if self.alone.issuperset(self.spellings.index) else None
        return with_places(found, lambda at: said.format(names[owner[at]]), known)


def _labels_of(
    sample: str, value: Json, given: Json, how: str, *, scores: bool
) -> tuple[list[str | None], Sequence[float] | None]:
    """Check the labels of a sample, and their scores, which may be the values of an object, or in objects."""
    given = [] if value == [] and scores else given
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
        marks = of_object and {*given} <= {0, 1}
        raise InputError(problem, LABELS_NOT_SCORES if scores else _MARKS if marks else THRESHOLD_NEEDED)
    there = [None not in pair for pair in zip(found, given or found, strict=True)]
    every = (label if isinstance(label, str) else str(label) for label in found)
    texts = [label if kept else None for label, kept in zip(every, there, strict=True)]
    return texts, given and [one or 0.0 for one in given]


_MARKS = f'Write the labels that are present, ["sky"], or a table with a column for each. {THRESHOLD_NEEDED}'


def _of_objects(value: Json) -> tuple[list[Json], list[Json] | None, list[str]] | None:
    """Labels, scores and unread keys of a list with an object for each label; None of any other value."""
    if not (isinstance(value, list) and value and all(isinstance(one, dict) for one in value)):
        return None
    labels, scores = ([key for key in value[0] if normalise_title(key) in some] for some in (CONCEPT, SCORE))
    keys = {*labels, *scores}
    if len(labels) != 1 or len(scores) > 1 or not all(keys <= one.keys() for one in value):
        return None
    unread = [key for one in value for key in one if key not in keys and not is_nothing(one[key])]
    refuse_flags(unread)
    return [one[labels[0]] for one in value], [one[scores[0]] for one in value] if scores else None, unread


def is_score(value: object) -> bool:
    """Whether a value of JSON is a finite number."""
    return not isinstance(value, bool) and isinstance(value, int | float) and abs(value) <= float_info.max


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
    source: LabelSource, input_format: str | None, named: Named = _NONE, known: Known | None = None
) -> Recognised | None:
    """Decide between JSON and JSON Lines; some keys may be named, and some names known."""
    if input_format == "json" or (input_format is None and not is_json(source.data)):
        return None if input_format is None else Recognised("json", named=named)
    lines = source.numbered_lines()
    found = next(lines, None)
    if found is None:  # nothing but blanks, of which Unicode has more than ASCII
        raise InputError("the file is empty", EMPTY)
    number, first = found
    records = (_record(source, line, row) for row, line in source.numbered_lines())
    by_content, where = partial(keys_by_content, records, known), f"{source.where}, row {number:,}"
    if input_format == "jsonl":
        return form_of(_record(source, first, number), "jsonl", where, named, by_content)
    _, following = next(lines, (0, ""))
    record: Json = None
    if len(first) <= _LONGEST or following.startswith("{"):
        with suppress(InputError):
            record = load(first, repeated="last")
    if isinstance(record, dict) and (following or _is_record(record, named)):
        return form_of(record, "jsonl", where, named, by_content)
    return Recognised("json", named=named)


def from_json(source: LabelSource, known: Recognised, wanted: DecoderOptions) -> Statements:
    """Decode an object with samples, records within it, or annotations of COCO."""
    scores, whole = wanted.scores, source.load(source.data)
    content = _reshaped(whole)
    source = source if content is whole else replace(source, placed=False)
    instances = isinstance(content, dict) and all(isinstance(content.get(part), list) for part in _PARTS)
    records = None if instances else records_in(content)
    if known.named and records is None:
        raise InputError("keys are named, but this JSON holds no records", "Name keys of records only.")
    if instances:
        return from_instances(content, source, scores=scores)
    if records is not None:
        by_content = partial(keys_by_content, records, wanted.known)
        form = form_of(records[0], "json", f"{source.where}, record 1", known.named, by_content)
        found = _Records(form, wanted, source, "record")
        _read_items(lambda at, one: found.add(at + 1, one), records, whole, source, "record")
        columns = ("header", "concept", "score", "unused", *("words",) * bool(form.words))
        if isinstance(content, dict):
            found.unused.update(unread(content, {key: {} for key in content if content[key] is records}))
        return replace(found.statements(), seen={name: getattr(form, name) for name in columns})
    if not isinstance(content, dict) or not content:
        problem = "this JSON is no object that holds samples, and no list of records"
        raise InputError(problem, f"Write {_LIKE_SCORES if scores else _LIKE_LABELS}.")
    if not any(content.values()) and (kinds := [key for key in content if key.lower() in _CONTAINERS]):
        raise InputError(f"{kinds[0]!r} is empty: there is no sample in it", "Export the file again.")
    objects = {key: one for key, one in content.items() if isinstance(one, dict)}
    if runs := [key for key, one in objects.items() if list in map(type, one.values())]:
        raise InputError(
            f"{pluralise(len(runs), 'run')} ({enumerate_some(runs)}) where the labels of one belong",
            "Compare runs by ontoeval.compare(truth, {name: run, ...}), or write a file for each.",
        )
    how = f"Write {_LIKE_SCORES if scores else _LIKE_LABELS}; labels are texts or whole numbers."
    found = _Records(Recognised("json", header=("id", "labels"), concept=1), wanted, source, "sample", how)
    _read_items(lambda key, one: found.add(0, {"id": key, "labels": one}), content, whole, source)
    return found.statements()


def from_json_lines(source: LabelSource, form: Recognised, wanted: DecoderOptions) -> Statements:
    """Decode JSON Lines."""
    refuse_long(source.data, "a row", LONGEST_ROW, line=source.line)
    found = _Records(form, wanted, source, "row")
    for number, text in source.numbered_lines():
        try:
            found.add(number, _record(source, text, number))
        except InputError as error:
            source.refuse(error.problem, error.remedy, number)
    return found.statements()


def _record(source: LabelSource, line: str, row: int) -> Object:
    found = source.load(line, row)
    if not isinstance(found, dict):
        problem = f"this line holds {line.strip()[:80]}, no object"
        raise InputError(problem, "Write one in each line.", row=row)
    return found


def _is_record(content: Object, named: Named) -> bool:
    """Whether an object is a record, not a mapping of samples, whose values are lists or objects."""
    with suppress(InputError):
        form = form_of(content, "jsonl", "", named, partial(keys_by_content, [content], None))
        return form.header[0] != "" and not isinstance(content[form.header[0]], list | dict)
    return False


def _read_items(read: _Read, holder: Json, content: Json, source: LabelSource, unit: str = "") -> None:
    """Read the items of an object or a list; errors name the row, and what of a list is wrong."""
    for key, item in holder.items() if isinstance(holder, dict) else enumerate(holder):
        try:
            read(key, item)
        except InputError as error:
            row = row_of(source.data.decode(), content, holder, key) if source.digest else None
            error.locate(f"{source.where}, {unit} {key + 1:,}" if unit else "", row)
            raise
