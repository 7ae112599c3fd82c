"""Whatever a decoder meets is a label, an absent one, a null, or counted by name; else the file is refused."""

from __future__ import annotations

import copy
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ontoeval.errors import OntoevalError
from ontoeval.labels import read_label_file

_CHOICE = {"from_name": "t", "type": "choices"}
SEEDS: dict[str, Any] = {
    "Label Studio": [
        {"id": 1, "data": {"image": "p"}, "annotations": [{"completed_by": 1, "was_cancelled": False, "result": [
            {**_CHOICE, "value": {"choices": ["label-1", "label-2"]}}, {**_CHOICE, "value": {"taxonomy": [["label-3"]]}}]}]},
        {"id": 2, "annotations": [{"was_cancelled": True, "result": [{**_CHOICE, "value": {"choices": ["label-4"]}}]}]},
        {"id": 3, "annotations": [{"result": [{**_CHOICE, "value": {"rectanglelabels": ["label-5"], "x": 1}}]}], "predictions": []},
    ],
    "Phenopackets": [
        {"id": "a", "phenotypicFeatures": [{"type": {"id": "label-1"}}, {"type": {"id": "label-2"}, "excluded": True}]},
        {"id": "b", "members": [{"id": "c", "phenotypicFeatures": [{"type": {"id": "label-3"}, "excluded": False}]}]},
        {"id": "f", "proband": {"id": "d", "phenotypicFeatures": [{"type": {"id": "label-4"}}]}, "relatives": []},
    ],
    "FiftyOne": {"samples": [
        {"filepath": "a", "gt": {"_cls": "Classification", "label": "label-1", "confidence": 0.5}, "tags": ["x"]},
        {"filepath": "b", "gt": {"_cls": "Detections", "detections": [{"_cls": "Detection", "label": "label-2"}, {"_cls": "Detection", "label": None}]}},
    ]},
    "classes": {"classes": ["label-1", "label-2"], "labels": {"a": 0, "b": ["label-2"], "c": {"label": 1}, "d": None}},
    "COCO": {
        "images": [{"id": 1, "file_name": "a"}, {"id": 2, "file_name": "b"}],
        "annotations": [{"image_id": 1, "category_id": 1}, {"image_id": 2, "category_id": 2, "iscrowd": 0}],
        "categories": [{"id": 1, "name": "label-1"}, {"id": 2, "name": "label-2", "supercategory": "s"}],
    },
    "records": {"documents": [{"id": 1, "labels": ["label-1", None]}, {"id": 2, "labels": ["label-2"], "year": 1}], "year": 2},
    "records with one label": [{"id": 1, "label": "label-1"}, {"id": 1, "label": "label-2"}],
    "samples": {"a": ["label-1", "label-2"], "b": [], "c": ["label-3"]},
    "lines of Prodigy": [
        {"text": "a", "label": "label-1", "answer": "accept", "spans": []},
        {"text": "b", "label": "label-2", "answer": "reject"},
        {"text": "c", "accept": ["label-3"], "options": [{"id": "label-3"}, {"id": "label-4"}], "answer": "accept"},
        {"text": "d", "label": "label-5", "answer": "ignore"},
    ],
    "lines of records": [{"id": "1", "labels": ["label-1", "label-2"]}, {"id": "2", "labels": ["label-3"]}],
}  # fmt: skip

_DECLARED = [("classes",), ("categories",)]  # names that no sample need have

Place = tuple[Any, Any]  # an object or a list, and a key of it


def places(value: Any) -> list[Place]:
    """All keys and positions of a document."""
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, held in items for place in ((value, key), *places(held))]


def changed(holder: Any, key: Any, how: str) -> None:
    """Change a document at one place, as slips, other tools and other versions do."""
    value = holder[key]
    if how == "rename" and isinstance(holder, dict):
        holder[key.capitalize() if key != key.capitalize() else f"{key}x"] = holder.pop(key)
    elif how == "wrap":
        holder[key] = [value]
    elif how == "deeper":
        holder[key] = {"more": value}
    elif how == "text":
        holder[key] = json.dumps(value) if not isinstance(value, str) else value.upper()
    elif how == "number":
        holder[key] = 1
    elif how == "null":
        holder[key] = None
    elif how == "again" and isinstance(holder, list):
        holder.append(copy.deepcopy(value))
    elif how == "beside" and isinstance(value, dict):
        value["other"] = {"label": "label-9"}


def texts(value: Any, keys: tuple[str, ...] = ()) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each label of a document with the keys above it."""
    if isinstance(value, dict):
        for key, held in value.items():
            yield from texts(held, (*keys, key))
    elif isinstance(value, list):
        for held in value:
            yield from texts(held, keys)
    elif isinstance(value, str) and value.lower().startswith("label-") and keys[:1] not in _DECLARED:
        yield value, keys


CHANGES = st.sampled_from(["rename", "wrap", "deeper", "text", "number", "null", "again", "beside"])


@pytest.mark.parametrize("seed", SEEDS)
@settings(max_examples=3 * settings().max_examples)
@given(changes=st.lists(st.tuples(st.integers(0, 99), CHANGES), max_size=3))
def test_no_label_is_lost_without_a_word(seed: str, changes: list[tuple[int, str]]) -> None:
    document = copy.deepcopy(SEEDS[seed])
    for number, how in changes:
        if there := places(document):
            changed(*there[number % len(there)], how)
    lines = seed.startswith("lines") and isinstance(document, list)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "export")
        path.write_text("\n".join(map(json.dumps, document)) if lines else json.dumps(document), "utf-8")
        try:
            file = read_label_file(path)
        except OntoevalError:
            assert changes
            return
    used = {part for label in file.sets.vocabulary for part in label.split("/")}
    unused = {name.rpartition(".")[2] for name in file.ledger.unused}
    known = {*file.format.header, *file.format.unused}
    lost = [
        (label, keys)
        for label, keys in texts(document)
        if label not in used and label not in file.sets.samples
    ]
    passed = any(name.startswith("labels of ") for name in unused)
    silent = [label for label, keys in lost if not ({*keys} & {*unused, *known}) and not passed]
    assert len(silent) <= file.ledger.negated + file.ledger.nulls, (silent, file.notes)
