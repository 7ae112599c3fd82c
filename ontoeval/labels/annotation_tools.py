"""Files that annotation tools export: one table of key paths for all, and one walk along these."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from math import nan
from types import MappingProxyType
from typing import NamedTuple, cast
from xml.parsers import expat
from xml.sax.saxutils import quoteattr

import numpy as np
from numpy.typing import NDArray

from ontoeval.core.gate import Known
from ontoeval.errors import InputError, did_you_mean, enumerate_some, located, pluralise
from ontoeval.labels.formats import LabelFormat, Layout, Recognised
from ontoeval.labels.json_labels import Object, is_score
from ontoeval.labels.ledger import Ledger, Paths, paths_of, unread
from ontoeval.labels.sources import CVAT, LabelSource, is_array, is_json, is_parquet
from ontoeval.labels.spans import Placed, RawRow, placed, placed_json
from ontoeval.labels.statements import (
    LABELS_NOT_SCORES,
    NAMELESS,
    NO_LABEL,
    Codebook,
    DecoderOptions,
    Statements,
    first_occurrences,
    sorted_repeats,
    with_places,
)
from ontoeval.plumbing.column_titles import SAMPLE, is_ignorable, normalise_title
from ontoeval.plumbing.json_text import Json, is_name, load, row_of

Record = tuple[Json, int, str]  # with its row (0: unknown), and its file where a folder has several
Sheet = tuple[str, str, int]  # sample, annotator and row
Answer = tuple[int, str, tuple[str, ...], float]  # sheet, field, label or the path of one, value


class Document(NamedTuple):
    """The records of a file, the JSON that holds these, and names of what stands beside these."""

    records: Iterable[Record]
    content: Json = None
    beside: Iterable[str] = ()


@dataclass(frozen=True, kw_only=True)
class ToolFormat:
    """Where the records of a tool have samples, annotators and labels.

    A path has dots between keys, [] behind the key of a list, * before the end of a key, and | between
    alternatives. `sheets` are the answers of one annotator, `items` those to one question in a sheet; `field`
    names the question. `skipped` is true in sheets that do not count, `negated` in items that are absent.
    `adds_up`: several records of a sample make one sheet. `nested`: a label may be a path. `kinds`: items may
    be answers of other kinds, without a label.
    """

    words: str
    marks: tuple[str, ...]
    read: Callable[[LabelSource], Document]
    prepare: Callable[[Object, Sequence[str]], Object] = lambda record, _: record
    sample: str = "id"
    sheets: str = ""
    annotator: str = ""
    items: str
    field: str = ""
    labels: str = "label"
    negated: str = ""
    skipped: str = ""
    score: str = ""
    adds_up: bool = False
    nested: bool = False
    kinds: bool = False

    def paths(self, sample: str, *, scores: bool) -> Paths:
        """All keys that are read of a record."""
        ends = "|".join((self.field, self.labels, self.negated, self.score * scores))
        items = [f"{item}.{end}" for item, end in product(self.items.split("|"), ends.split("|")) if end]
        inside = [*items, *self.annotator.split("|"), *self.skipped.split("|")]
        each = product(self.sheets.split("|"), filter(None, inside))
        return paths_of(sample, *(f"{sheet}.{path}" if sheet else path for sheet, path in each))


def walk(holder: Json, path: str, place: str = "") -> Iterator[tuple[str, Json]]:
    """Find what stands at the alternatives of a path, each with its place; keys may be missing or null."""
    for keys in path.split("|"):
        found = [(place, holder)]
        for key in filter(None, keys.split(".")):
            found = [step for at, value in found for step in _step(value, key, at)]
        yield from found


def _step(value: Json, key: str, place: str) -> Iterator[tuple[str, Json]]:
    if not isinstance(value, dict):
        raise _other(place, value, "an object")
    name, listed = key.removesuffix("[]"), key.endswith("[]")
    for there in [one for one in value if one.endswith(name[1:])] if name[:1] == "*" else (name,):
        held, at = value.get(there), f"{place}.{there}" if place else there
        if listed and not isinstance(held, list | None):
            raise _other(at, held, "a list")
        if held is not None:
            yield from ((f"{at}[{n}]", item) for n, item in enumerate(held, 1)) if listed else [(at, held)]


def _other(place: str, value: Json, wanted: str) -> InputError:
    problem = f"{place or 'a record'} holds {json.dumps(value)[:80]}, but {wanted} belongs there"
    return InputError(problem, "Export the file again, or correct it.")


def _name(holder: Json, path: str) -> str:
    """First text or whole number at the alternatives of a path; empty without one."""
    for one in path.split("|") if path else ():
        with suppress(InputError):  # another alternative may fit
            for _, value in walk(holder, one):
                if is_name(value) and str(value).strip():
                    return str(value).strip()
    return ""


def _holds(holder: Json, path: str) -> bool:
    for place, value in walk(holder, path) if path else ():
        if not isinstance(value, bool):
            raise _other(place, value, "true, false or null")
        if value:
            return True
    return False


def from_tool(source: LabelSource, form: Recognised, wanted: DecoderOptions) -> Statements:
    """Decode the file of a tool."""
    tool = TOOLS[form.format]
    if wanted.scores and not (tool.score if wanted.words is None else tool.negated):
        raise InputError(f"{form} hold labels, not scores", LABELS_NOT_SCORES)
    named, fields = (form.named.get(role, ()) for role in ("sample", "concept"))
    sheets: list[Sheet] = []
    answers: list[Answer] = []
    holders: list[Json] = []
    document, path, unanswered, read = tool.read(source), "", 0, dict[str, Paths]()
    unused, met = Counter[str](), set[tuple[object, ...]]()
    for number, (record, row, where) in enumerate(document.records, 1):
        try:
            if not isinstance(record, dict):
                raise _other("", record, "an object")
            prepared, answered = tool.prepare(record, fields), False
            path = path or _sample_path(prepared, named or tool.sample.split("|"))
            read = read or tool.paths(path, scores=wanted.scores)
            unused.update(unread(prepared, read))
            for sheet, holder, items in _sheets(tool, prepared, path, row):
                if sheet is None:
                    unused["labels of skipped annotations"] += sum(1 for _ in items)
                    continue
                found = [answer for at, item in items for answer in _answers(tool, item, at)]
                copy, answered = (*sheet[:2], frozenset(found)), True
                again = copy in met and bool(tool.annotator) and not tool.adds_up
                unused["annotations exported twice"] += again
                if again and not source.placed:
                    continue
                met.add(copy)
                answers += [(len(sheets), *answer) for answer in found]
                sheets.append(sheet)
                holders.append(holder if isinstance(holder, Placed) else record)
            unanswered += not answered
        except InputError as error:
            within = document.content
            begins = None if within is None else row_of(source.data.decode(), within, record)
            error.locate(where or f"{source.where}, record {number:,}", row or begins)
            raise
    if not sheets:
        of_field = f" in the field {' or '.join(map(repr, fields))}" if fields else ""
        raise InputError(f"no sample is annotated{of_field}", "Export the file again, with the annotations.")
    unused.update(document.beside)
    guess = form.format == "labelstudio" and _is_export(source)
    every, (answers, field) = answers, _of_one_field(answers, fields, guess=guess)
    unused.update(f"labels of {other}" for _, other, *_ in every if other != field)
    left = f", labels {field!r}" * bool(field)
    left += f"; left out: {pluralise(unanswered, 'sample')} without an answer" * bool(unanswered)
    placed = source.placed and form.format != "phenopackets"
    made = _statements(sheets, answers, tool, wanted, holders if placed else [])
    left += "; each annotator apart" * bool(made.subjects)
    words = f"{form} (sample {path!r}{left})".replace("{", "{{").replace("}", "}}")
    ledger = replace(made.ledger, unused=+unused)
    return replace(made, seen={**made.seen, "words": words}, ledger=ledger)


def _sample_path(record: Object, paths: Sequence[str]) -> str:
    """Path of the names of the samples, by the first record; within the data of a task keys stand alone."""
    for path in (path for one in paths for path in (one, f"data.{one}")):
        if (name := _name(record, path)) and not name.startswith("data:"):
            return path
    keys = [*record, *(record["data"] if isinstance(record.get("data"), dict) else ())]
    problem = f"no key for the sample among {enumerate_some(keys)}"
    raise InputError(problem, "Name it (sample_column=, --sample-column).")


def _sheets(
    tool: ToolFormat, record: Object, path: str, row: int
) -> Iterator[tuple[Sheet | None, Json, Iterator[tuple[str, Json]]]]:
    """Go through the sheets, None for those that do not count, each with what holds it and its items."""
    sample = _name(record, path)
    if not sample:
        raise InputError(*NAMELESS)
    for place, sheet in walk(record, tool.sheets):
        counts = not _holds(sheet, tool.skipped)
        who = (sample, _name(sheet, tool.annotator), row) if counts else None
        yield who, sheet, walk(sheet, tool.items, place)


def _answers(tool: ToolFormat, item: Json, place: str) -> Iterator[tuple[str, tuple[str, ...], float]]:
    """Field, label and value of each label of an item; a null has no label."""
    field, found = _name(item, tool.field), [*walk(item, tool.labels, place)]
    if not found and isinstance(item, dict) and tool.labels in item:
        found = [(place, None)]
    if not found and not tool.kinds:
        raise InputError(f"{place} has no label ({tool.labels})", "Export the file again, or correct it.")
    score = next((value for _, value in walk(item, tool.score)), None) if tool.score else None
    value = float(_holds(item, tool.negated)) if tool.negated else cast("float", score)
    for at, label in found:
        names = label if isinstance(label, list) and tool.nested else [label] * (label is not None)
        if not all(map(is_name, names)) or label == []:
            raise _other(at, label, "a label")
        if not all(str(name).strip() for name in names):
            raise InputError(*NO_LABEL)
        texts: tuple[str, ...] = tuple(
            name if isinstance(name, str) and isinstance(name, Placed) else str(name).strip()
            for name in names
        )
        yield field, texts, float(value) if is_score(value) else nan


def _of_one_field(answers: list[Answer], named: Sequence[str], *, guess: bool) -> tuple[list[Answer], str]:
    """Keep the answers to one question, which the caller names where there are several.

    JSON-min does not tell a choice from a text, so that the question with several labels goes before.
    """
    fields = [*dict.fromkeys(field for _, field, *_ in answers)]
    chosen = next((name for name in named if name in fields), None)
    if named and chosen is None:
        problem = f"no labels in the field {' or '.join(map(repr, named))}{did_you_mean(named[0], fields)}"
        raise InputError(problem, f"There are {enumerate_some(fields) or 'no labels'}.")
    times = Counter(answer[:2] for answer in answers if guess and not named)
    several = {field for (_, field), number in times.items() if number > 1}
    chosen = several.pop() if len(several) == 1 else chosen
    if chosen is None and len(fields) > 1:
        problem = f"there are labels in several fields: {enumerate_some(fields)}"
        raise InputError(problem, "Choose one (concept_column=, --concept-column).")
    field = chosen or "".join(fields)
    return [answer for answer in answers if answer[1] == field], field


def _statements(
    sheets: list[Sheet], answers: list[Answer], tool: ToolFormat, wanted: DecoderOptions, holders: list[Json]
) -> Statements:
    people, names, spellings = Codebook(), Codebook(), Codebook()
    subjects = dict[str, str]()
    if wanted.repeats and len({name for name, *_ in sheets}) < len({sheet[:2] for sheet in sheets}):
        subjects = {f"{name} (annotator {who})": name for name, who, _ in sheets}
        sheets = [(f"{name} (annotator {who})", who, row) for name, who, row in sheets]
    sample, annotator = names.codes([one[0] for one in sheets]), people.codes([one[1] for one in sheets])
    if not holders:  # a second annotation of an annotator is a copy of the first, and changes too
        _refuse_several(sheets, sample.astype(np.int64) * people.count + annotator, tool, wanted)
    nulls, answers = len(answers), [answer for answer in answers if answer[2]]
    code = spellings.codes([_label(parts, wanted.known) for _, _, parts, _ in answers])
    owner = np.array([sheet for sheet, *_ in answers], dtype=np.int32)
    value = np.array([number for *_, number in answers]) if tool.negated or wanted.scores else None
    if value is not None and np.isnan(value).any():
        at = int(np.argmax(np.isnan(value)))
        problem = f"{answers[at][2][-1]!r} of sample {sheets[owner[at]][0]!r} has no score"
        raise InputError(problem, "Export the confidences too.")
    rows = np.array([row for _, _, row in sheets], dtype=np.int32)
    numbered, by_people = bool(rows.all()), wanted.annotators and "" not in people
    entries = tuple(names.index), tuple(spellings.index), (), sample[owner], code, value
    found = Statements(
        *entries,
        rows[owner] if numbered else None,
        rows[first_occurrences(sample)] if numbered else None,
        annotators=tuple(people.index) if by_people else (),
        annotator=annotator[owner] if by_people else None,
        sheets=(sample, annotator),
        subjects=tuple(subjects.values()),
        ledger=Ledger(nulls - len(answers)),
        spots=np.fromiter((parts[-1] for _, _, parts, _ in answers), dtype=object) if holders else None,
        owner=None if tool.adds_up else owner,
        holders=holders,
    )
    found = with_places(
        found, lambda at: f"row {rows[owner[at]]:,}" if numbered else f"sample {sheets[owner[at]][0]!r}"
    )
    return found.without_negated(wanted) if tool.negated else found


def _label(parts: tuple[str, ...], known: Known | None) -> str:
    """Name of a label: of a path in a taxonomy, the last part if concepts are known and the path is none."""
    path = "/".join(parts)
    return path if len(parts) == 1 or known is None or known({path}) else parts[-1]


def _refuse_several(
    sheets: list[Sheet], key: NDArray[np.int64], tool: ToolFormat, wanted: DecoderOptions
) -> None:
    """Refuse two sheets of one annotator; and several annotators where one label set is wanted."""
    order, again = sorted_repeats(key)
    if again.any() and not tool.adds_up:
        name, who, row = sheets[order[np.argmax(again)]]
        owner = f" by {who!r}" if who else ""
        raise InputError(f"sample {name!r} has two annotations{owner}", "Keep one.", row=row or None)
    first: dict[str, str] = {}
    for name, who, row in sheets:
        if not wanted.annotators and first.setdefault(name, who) != who:
            problem = f"sample {name!r} has annotations by {first[name]!r} and {who!r}"
            remedy = "Make one label set of these: ontoeval agreement FILE --consensus majority --truth NEW."
            raise InputError(problem, remedy, row=row or None)
        if wanted.annotators and bool(who) != bool(sheets[0][1]):
            problem = f"an annotation of sample {name!r} names no annotator"
            raise InputError(problem, "Name it.", row=row or None)


def _read_json(source: LabelSource, inside: str = "") -> Document:
    """Read a list of records, those at a path, or a single one."""
    content = source.load(source.data)
    found = content if isinstance(content, list) else [record for _, record in walk(content, inside)]
    beside = unread(content, paths_of(inside)) if inside and found is not content else ()
    return Document(((record, 0, "") for record in found), content, beside)


def _read_lines(source: LabelSource) -> Document:
    """Read records, one a line, or a list of records."""
    if source.data.lstrip().startswith(b"["):
        return _read_json(source)
    return Document((source.load(line, row), row, "") for row, line in source.numbered_lines())


_KIN, _FEATURES = ("members", "proband", "relatives"), ("phenotypicFeatures", "phenotypic_features")


def _read_phenopackets(source: LabelSource) -> Document:
    """Read phenopackets, cohorts or families, in one file or in each file of a folder."""
    beside = list[str]()

    def records() -> Iterator[Record]:
        for file in source.files:
            with located(file.where):
                yield from ((packet, 0, file.where) for packet in _packets(load(file.data), beside))

    if source.files:
        return Document(records(), beside=beside)
    content = load(source.data)
    return Document([(packet, 0, "") for packet in _packets(content, beside)], content, beside)


def _packets(record: Json, beside: list[str]) -> list[Json]:
    """Phenopackets in a list, a cohort or a family; refuse those that hide in keys of other names."""
    if isinstance(record, list):
        return [packet for one in record for packet in _packets(one, beside)]
    if not isinstance(record, dict) or record.keys() & {*_FEATURES}:
        return [record]
    if record.keys() & {*_KIN}:
        beside += unread(record, paths_of(*_KIN))
        kin = [one for _, one in walk(record, "members[]|proband|relatives[]")]
        return [packet for one in kin for packet in _packets(one, beside)]
    for key, held in record.items():
        if key != "biosamples" and any(f'"{name}"' in json.dumps(held) for name in _FEATURES):
            problem = f"{key!r} holds phenotypic features, but is none of {enumerate_some(_KIN)}"
            raise InputError(problem, "Correct the key.")
    return [record]


def _read_label_studio(source: LabelSource) -> Document:
    """Read tasks, or annotations in JSON or in a table."""
    if is_json(source.data):
        return _read_json(source)
    header, rows = source.first(source.delimiter), source.without_header(source.delimiter)
    cells = rows.rows(source.delimiter)
    if source.placed:
        cells = ((row, _placed_cells(source, row)) for row, _ in cells)
    return Document((dict(zip(header, fields, strict=True)), row, "") for row, fields in cells)


def _placed_cells(source: LabelSource, line: int) -> list[str]:
    row = RawRow(source.data, int(source.offsets[line - 1]), source.delimiter)
    return [placed(row.value(n), *span, None, partial(row.field, n)) for n, span in enumerate(row.spans)]


_ANNOTATION = ("annotator", "annotation_id")  # keys of every annotation outside of tasks
_NO_ANSWER = {*_ANNOTATION, "id", "lead_time", "created_at", "updated_at", "agreement", "history"}


def _as_task(record: Object, named: Sequence[str]) -> Object:
    """Make a task of an annotation in JSON-min or in a row; the fields of a task stay as they are."""
    if not record.keys() >= {*_ANNOTATION}:
        return record
    order = [*record]
    keys = [key for key in order if key not in _NO_ANSWER]
    begin, end = (order.index(key) if key in record else -1 for key in ("id", "annotator"))
    if begin < end:  # JSON-min has the data, the identifier, the answers and the annotator in this order
        keys = [key for key in keys if begin < order.index(key) < end]
    elif not named:
        keys = [key for key in keys if normalise_title(key) not in SAMPLE and not is_ignorable(key.lower())]
    result = [
        {"from_name": key, "value": {"choices": [value]} if isinstance(value, str) else value}
        for key in keys
        for value in _values(record[key])
    ]
    annotation = {"completed_by": record["annotator"], "result": result}
    rest = {key: record[key] for key in order if key not in {*keys, "annotator"}}
    return {**rest, "annotations": [] if record["annotation_id"] in {None, ""} else [annotation]}


def _values(cell: Json) -> list[Json]:
    """Answers in a value of JSON-min, or in a cell, which may hold JSON."""
    if isinstance(cell, str) and cell.strip()[:1] in {"[", "{"}:
        with suppress(InputError):  # it is a text
            content, text = load(cell), cell.encode()
            if isinstance(cell, Placed):  # quotes stand twice in it
                begin = cell.begin + 1
                content = placed_json(content, text, lambda n: begin + n + text.count(b'"', 0, n), cell)
            cell = content
    return [one for one in (cell if isinstance(cell, list) else [cell]) if one is not None and one != ""]


_DECISIONS = ("accept", "reject", "ignore")


def _as_decisions(record: Object, _: Sequence[str]) -> Object:
    """List the labels that Prodigy's answer decides: a rejected choice rejects what is chosen."""
    answer, single = record.get("answer"), not {"accept", "options"} & record.keys()
    if answer not in _DECISIONS:
        raise InputError(f"the answer is {json.dumps(answer)[:80]}", f"Write {enumerate_some(_DECISIONS)}.")
    if single and "label" not in record:
        problem = f"a record without 'label', 'accept' and 'options' among {enumerate_some(record)}"
        raise InputError(problem, "Of Prodigy, choices and classified texts, images and sounds are read.")
    chosen = [record["label"]] if single else [label for _, label in walk(record, "accept[]")]
    options = {str(label).strip(): label for _, label in walk(record, "options[].id")}
    others = [label for label in options.values() if label not in chosen]
    for label in chosen:
        if isinstance(label, Placed) and not single:
            label.listed = options
    decided = [{"label": label, "negated": answer == "reject"} for label in chosen]
    decided += [{"label": label, "negated": True} for label in others if answer == "accept"]
    decides = {"answer", "label" if single else "accept", "options" if answer == "accept" else "answer"}
    rest = {key: record[key] for key in record if key not in decides}
    return {**rest, "decided": decided, "ignored": answer == "ignore"}


_LISTS = {"Classification": ""} | {
    kind: kind.lower() for kind in ("Classifications", "Detections", "Polylines")
}


def _read_fiftyone(source: LabelSource) -> Document:
    """Read the samples of a data set, or targets with the classes that numbers stand for."""
    content = source.load(source.data)
    if not isinstance(content, dict) or "samples" in content:
        return _read_json(source, "samples[]")
    classes = content.get("classes")
    targets = content["labels"].items() if isinstance(content.get("labels"), dict) else ()
    records = (({"id": key, "target": target, "classes": classes}, 0, "") for key, target in targets)
    return Document(records, beside=unread(content, paths_of("classes", "labels")))


def _as_classes(record: Object, named: Sequence[str]) -> Object:
    """List the labels of a sample of FiftyOne, each with its field."""
    if "target" in record:
        target, classes = record["target"], record["classes"]
        each = target if isinstance(target, list) else [target]
        labels = [one if isinstance(one, dict) else {"label": one} for one in each]
        found = [
            {**one, "label": _class_name(one["label"], classes)} if "label" in one else one for one in labels
        ]
        return {"id": record["id"], "labels": found, "unlabelled": target is None}
    kinds = {key: held.get("_cls") for key, held in record.items() if isinstance(held, dict)}
    if odd := [key for key, kind in kinds.items() if not isinstance(kind, str | None)]:
        raise _other(f"{odd[0]}._cls", kinds[odd[0]], "the name of a kind of labels")
    fields = {key: _LISTS[kind] for key, kind in kinds.items() if kind in _LISTS}
    found, rest = list[Json](), {key: record[key] for key in record if key not in fields}
    for key, name in fields.items():
        steps = walk(record[key], f"{name}[]" * bool(name), key)
        found += [{**one, "field": key, "_cls": None} if isinstance(one, dict) else one for _, one in steps]
        if name and name not in record[key]:
            raise _other(key, record[key], f"a list {name!r}")
        if name:
            rest[key] = {more: held for more, held in record[key].items() if more not in {"_cls", name}}
    return {**rest, "labels": found, "unlabelled": not {*fields} & {*(named or fields)}}


def _class_name(target: Json, classes: Json) -> Json:
    """Name of a class by its number among those that are listed, or by its name."""
    if classes is not None and not isinstance(classes, list):
        raise _other("classes", classes, "a list")
    if classes is not None and isinstance(target, str) and target not in classes:
        problem = f"the class {target!r} is not listed{did_you_mean(target, map(str, classes))}"
        raise InputError(problem, "Correct it, or list it among the classes.")
    if isinstance(target, bool) or not isinstance(target, int) or classes is None:
        return target
    if not 0 <= target < len(classes):
        problem = f"the class {target}, but the classes are those from 0 to {len(classes) - 1:,}"
        raise InputError(problem, "Correct the number, or write the name of the class.")
    return str(classes[target]) if isinstance(classes[target], str) else classes[target]


def _read_cvat(source: LabelSource) -> Document:
    """Read the images of CVAT's XML, each with its tags and shapes."""
    from ontoeval.ontology.safety import plain_xml  # which other formats do without

    images: list[Record] = []
    within: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        within.append(name)
        row = parser.CurrentLineNumber
        if within[1:] == ["track"]:
            remedy = "Export 'CVAT for images'."
            raise InputError("these are tracks in a video, which are not read", remedy, row=row)
        if within[1:] == ["image"]:
            images.append(({**attributes, "shapes": []}, row, ""))
        elif within[1:-1] == ["image"]:
            label = _LABEL.search(data, parser.CurrentByteIndex) if source.placed else None
            if label is not None and "label" in attributes:
                attributes["label"] = placed(attributes["label"], *label.span(1), None, quoteattr)
            images[-1][0]["shapes"].append(attributes)
        elif within[1:2] == ["image"]:
            images[-1][0]["shapes"][-1][f"{name} {attributes.get('name', '')}".strip()] = name

    data, parser = plain_xml(source.data, {}), expat.ParserCreate("utf-8")
    if source.placed and data != source.data:
        raise InputError("this XML declares entities or is not in UTF-8", "Write it without these.")
    parser.StartElementHandler, parser.EndElementHandler = start, lambda _: within.pop()
    parser.Parse(data, True)  # noqa: FBT003 - the last piece
    return Document(images)


_LABEL = re.compile(rb'\slabel\s*=\s*("[^"]*"|\'[^\']*\')')

TOOLS: Mapping[str, ToolFormat] = MappingProxyType(
    {
        "labelstudio": ToolFormat(
            words="annotations of Label Studio",
            marks=(r'"(annotations|completions)"\s*:\s*\[', r'"result"\s*:\s*\['),
            read=_read_label_studio,
            prepare=_as_task,
            sheets="annotations[]|completions[]",
            annotator="completed_by.email|completed_by.id|completed_by",
            items="result[]",
            field="from_name",
            labels="value.choices[]|value.taxonomy[]|value.*labels[]",
            skipped="was_cancelled|skipped",
            nested=True,
            kinds=True,
        ),
        "prodigy": ToolFormat(
            words="annotations of Prodigy",
            marks=(r'"answer"\s*:\s*"(accept|reject|ignore)"',),
            read=_read_lines,
            prepare=_as_decisions,
            sample="id|path|image|_input_hash|text",
            annotator="_annotator_id|_session_id",
            items="decided[]",
            negated="negated",
            skipped="ignored",
            adds_up=True,
        ),
        "phenopackets": ToolFormat(
            words="Phenopackets",
            marks=(r'"phenotypic(Features|_features)"\s*:', r'"id"\s*:'),
            read=_read_phenopackets,
            items="phenotypicFeatures[]|phenotypic_features[]",
            labels="type.id",
            negated="excluded|negated",
        ),
        "fiftyone": ToolFormat(
            words="labels of FiftyOne",
            marks=(
                r'^\s*\{\s*("samples"\s*:[\s\S]*"_cls"|"classes"\s*:\s*(\[[^]]*\]|null)\s*,\s*"labels"\s*:\s*\{)',
            ),
            read=_read_fiftyone,
            prepare=_as_classes,
            sample="id|filepath",
            items="labels[]",
            field="field",
            skipped="unlabelled",
            score="confidence",
        ),
        "cvat": ToolFormat(
            words="annotations of CVAT", marks=(CVAT,), read=_read_cvat, sample="name", items="shapes[]"
        ),
    }
)
"""The tools whose files are read, by the name of the format."""

_OTHERS = {
    "Datumaro": (r'"categories"\s*:\s*\{\s*"(label|points|mask)"\s*:',),
    "VIA": (r'"(_via_\w+|file_attributes)"\s*:',),
    "Argilla": (r'"responses"\s*:', r'"suggestions"\s*:'),
    "Labelbox": (r'"data_row"\s*:', r'"projects"\s*:'),
    "brat": (r"^T\d+\t\S+ \d+ \d+(;\d+ \d+)*\t",),
}
"""What the files of tools that are not read contain; all but those of brat are JSON."""


def form_of_tool(source: LabelSource, layout: Layout) -> Recognised | None:
    """Recognise the file of a tool; refuse those that are not read by their names."""
    first, asked = source.files[0] if source.files else source, layout.input_format
    if is_parquet(first) or is_array(first):
        return None
    head = first.data[: 2**20]
    kinds = [
        kind for kind, tool in TOOLS.items() if (_has(head, *tool.marks) if asked is None else asked == kind)
    ]
    if not kinds and asked is None and _is_export(source):
        kinds = ["labelstudio"]
    if not kinds or (source.files and kinds[0] != "phenopackets"):
        for name, marks in _OTHERS.items():
            if asked is None and is_json(first.data) != (name == "brat") and _has(head, *marks):
                raise InputError(
                    f"this is a file of {name}, which is not read",
                    "Export COCO, or write records or a table with the labels of each sample.",
                )
        return None
    tool = TOOLS[kinds[0]]
    form = Recognised(cast("LabelFormat", kinds[0]), words=tool.words, named=layout.columns)
    return replace(form, negation=0) if tool.negated else form


def _has(head: bytes, *marks: str) -> bool:
    return all(re.search(mark.encode(), head) for mark in marks)


def _is_export(source: LabelSource) -> bool:
    """Whether annotations are in JSON-min or in a table of Label Studio."""
    if source.files or is_json(source.data):
        return _has(source.data[: 2**20], *(rf'"{key}"\s*:' for key in _ANNOTATION))
    return source.delimiter is not None and {*_ANNOTATION} <= {*source.first(source.delimiter)}
