"""What annotation tools export: label sets, annotations, verified labels and scores from one file each.

Label Studio's files were made by its own converter (label-studio-sdk 2.1.2, `Converter.convert_to_json_min` and
`convert_to_csv`). The others follow documented examples: Prodigy support.prodi.gy/t/1554 and docs/api-interfaces;
phenopackets/phenopacket-schema's data/v2/phenopacket.json and data/v1; CVAT docs.cvat.ai/docs/other/xml_format;
FiftyOne docs.voxel51.com/user_guide/dataset_creation (FiftyOneImageClassificationDataset) and samples.json.
"""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.errors import InputError
from ontoeval.labels import read_annotation_files, read_label_file, recognise
from tests.commands import call, refusal


def answer(who: Any, *result: dict[str, Any], **more: Any) -> dict[str, Any]:
    times = {"created_at": "2025-03-09T22:16:08Z", "updated_at": "2025-03-09T22:16:08Z", "lead_time": 4.2}
    return {"id": 11, "completed_by": who, "result": [*result], "was_cancelled": False, **times, **more}


def choice(field: str, *labels: Any) -> dict[str, Any]:
    value = {"choices": [*labels]}
    return {"id": "x", "type": "choices", "from_name": field, "to_name": "img", "value": value}


TASKS: list[dict[str, Any]] = [
    {"id": 1, "data": {"image": "/data/p1.jpg"}, "annotations": [answer(1, choice("topic", "sky", "sea")), answer(2, choice("topic", "sky"))]},
    {"id": 2, "data": {"image": "/data/p2.jpg"}, "annotations": [answer(1, choice("topic", "clouds")), answer(2)]},
    {"id": 3, "data": {"image": "/data/p3.jpg"}, "annotations": [answer(1, was_cancelled=True)]},
    {"id": 4, "data": {"image": "/data/p4.jpg"}, "annotations": []},
]  # fmt: skip
MIN = """[
{"image": "\\/data\\/p1.jpg", "id": 1, "topic": {"choices": ["sky", "sea"]}, "annotator": 1, "annotation_id": 11,
 "created_at": "2025-03-09T22:16:08Z", "updated_at": "2025-03-09T22:16:08Z", "lead_time": 4.2},
{"image": "\\/data\\/p1.jpg", "id": 1, "topic": "sky", "annotator": 2, "annotation_id": 12,
 "created_at": "2025-03-09T22:16:08Z", "updated_at": "2025-03-09T22:16:08Z", "lead_time": 4.2},
{"image": "\\/data\\/p2.jpg", "id": 2, "topic": "clouds", "annotator": 1, "annotation_id": 13,
 "created_at": "2025-03-09T22:16:08Z", "updated_at": "2025-03-09T22:16:08Z", "lead_time": 4.2},
{"image": "\\/data\\/p2.jpg", "id": 2, "annotator": 2, "annotation_id": 14,
 "created_at": "2025-03-09T22:16:08Z", "updated_at": "2025-03-09T22:16:08Z", "lead_time": 4.2},
{"image": "\\/data\\/p4.jpg", "id": 4, "annotator": null, "annotation_id": null,
 "created_at": null, "updated_at": null, "lead_time": null}
]"""
TABLE = """"annotation_id","annotator","created_at","id","image","lead_time","topic","updated_at"
11,"1","2025-03-09T22:16:08Z",1,"/data/p1.jpg",4.2,"{""choices"":[""sky"",""sea""]}","2025-03-09T22:16:08Z"
12,"2","2025-03-09T22:16:08Z",1,"/data/p1.jpg",4.2,"sky","2025-03-09T22:16:08Z"
13,"1","2025-03-09T22:16:08Z",2,"/data/p2.jpg",4.2,"clouds","2025-03-09T22:16:08Z"
14,"2","2025-03-09T22:16:08Z",2,"/data/p2.jpg",4.2,"","2025-03-09T22:16:08Z"
"","","",4,"/data/p4.jpg","","",""
"""
TAXONOMY = [
    {"id": 7, "data": {"text": "a"}, "annotations": [answer({"id": 1, "email": "ann@example.org"}, {
        "type": "taxonomy", "from_name": "kind", "to_name": "t", "value": {"taxonomy": [["Eukarya"], ["Eukarya", "Opossum"]]}})]},
]  # fmt: skip
OPTIONS = [{"id": name, "text": name} for name in ("FEVER", "URINARY_FREQUENCY", "DYSURIA")]
CHOICES = [
    {"text": "stuff", "_input_hash": -1, "_task_hash": 1, "options": OPTIONS, "_session_id": "test-ann", "_view_id": "choice", "accept": ["FEVER", "DYSURIA"], "answer": "accept"},
    {"text": "other", "_input_hash": -2, "_task_hash": 2, "options": OPTIONS, "_session_id": "test-ann", "_view_id": "choice", "accept": ["FEVER"], "answer": "reject"},
    {"text": "noise", "_input_hash": -3, "_task_hash": 3, "options": OPTIONS, "_session_id": "test-ann", "_view_id": "choice", "accept": [], "answer": "ignore"},
]  # fmt: skip
DECISIONS = [
    {"text": "a", "label": "SPORTS", "answer": "accept", "_input_hash": 1, "_annotator_id": "news-ann"},
    {"text": "a", "label": "POLITICS", "answer": "reject", "_input_hash": 1, "_annotator_id": "news-ann"},
    {"text": "b", "label": "SPORTS", "answer": "reject", "_input_hash": 2, "_annotator_id": "news-ann"},
    {"text": "b", "label": "SPORTS", "answer": "accept", "_input_hash": 2, "_annotator_id": "news-bob"},
]
PACKET = {
    "id": "boy-1",
    "subject": {"id": "14 year-old boy", "sex": "MALE"},
    "phenotypicFeatures": [
        {"type": {"id": "HP:0001558", "label": "Decreased fetal movement"}},
        {"type": {"id": "HP:0031910", "label": "Abnormal cranial nerve physiology"}, "excluded": True},
    ],
    "metaData": {"phenopacketSchemaVersion": "2.0"},
}
CVAT = """<?xml version="1.0" encoding="utf-8"?>
<annotations>
  <version>1.1</version>
  <meta><task><name>t</name><labels><label><name>person</name></label></labels></task></meta>
  <image id="0" name="p1.jpg" width="640" height="480">
    <box label="person" occluded="0" xtl="1.0" ytl="1.0" xbr="3.0" ybr="4.0"><attribute name="gender">x</attribute></box>
    <tag label="indoor" source="manual"></tag>
  </image>
  <image id="1" name="p2.jpg" width="640" height="480">
  </image>
</annotations>
"""
CLASSES = {
    "classes": ["cat", "dog"],
    "labels": {"u1": 0, "u2": None, "u3": [0, 1], "u4": {"label": 1, "confidence": 0.5}},
}
SAMPLES = {"samples": [
    {"filepath": "data/p1.jpg", "metadata": {"_cls": "ImageMetadata"}, "ground_truth": {"_cls": "Classification", "label": "cat"},
     "model": {"_cls": "Classifications", "classifications": [{"_cls": "Classification", "label": "cat", "confidence": 0.9}, {"_cls": "Classification", "label": "dog", "confidence": 0.2}]}},
    {"filepath": "data/p2.jpg", "ground_truth": None, "model": {"_cls": "Classifications", "classifications": []}},
]}  # fmt: skip


@pytest.fixture
def write(tmp_path: Path) -> Any:
    """Write a file: a text as it is, a list of lines as JSON Lines, anything else as JSON."""

    def written(content: Any, name: str = "export", *, lines: bool = False) -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        text = "".join(f"{json.dumps(one)}\n" for one in content) if lines else json.dumps(content)
        path.write_text(content if isinstance(content, str) else text, encoding="utf-8")
        return path

    return written


def sets_of(labels: Any) -> dict[str, tuple[str, ...]]:
    return {sample: labels.labels_of(sample) for sample in labels.samples}


def sheets(path: Path, **options: Any) -> dict[str, dict[str, tuple[str, ...]]]:
    said = oe.read_annotations(path, **options)
    return {who: sets_of(said.of(who)) for who in said.annotators}


SHORT = re.sub(r', "lead_time": [^}]*', "", MIN)


@pytest.mark.parametrize("content", [TASKS, MIN, SHORT, TABLE], ids=["JSON", "JSON-min", "short", "CSV"])
def test_three_exports_of_label_studio_say_the_same(content: Any, write: Any) -> None:
    path = write(content)
    assert sheets(path) == {"1": {"1": ("sea", "sky"), "2": ("clouds",)}, "2": {"1": ("sky",), "2": ()}}
    of_image = sheets(path, sample_column="image")
    assert of_image["2"] == {"/data/p1.jpg": ("sky",), "/data/p2.jpg": ()}
    with pytest.raises(InputError, match=r"sample '1' has annotations by '1' and '2'.*--consensus"):
        oe.read_labels(path)
    one = [{**task, "annotations": task["annotations"][:1]} for task in TASKS]
    file = read_label_file(write(one))
    assert sets_of(file.sets) == {"1": ("sea", "sky"), "2": ("clouds",)}
    assert str(file.format) == (
        "annotations of Label Studio (sample 'id', labels 'topic'; left out: 2 samples without an answer)"
    )


def test_a_run_that_shares_no_sample_with_tasks_is_refused_by_the_option_for_keys(write: Any) -> None:
    one, run = (
        [{**task, "annotations": task["annotations"][:1]} for task in TASKS],
        "id,labels\n/data/p1.jpg,sky\n",
    )
    paths = write(one, "tasks.json"), write(run, "run.csv")
    with pytest.raises(InputError, match=r"No sample is on both sides.*--sample-column.*data\.image"):
        call("score", *paths)
    columns = "--sample-column", "data.image", "--sample-column", "id", "--missing", "empty"
    assert call("score", *paths, *columns, "-m", "F").exit_code == 0


@pytest.mark.parametrize("content", [TASKS, MIN], ids=["JSON", "JSON-min"])
def test_a_consensus_of_an_export_is_one_label_set(content: Any, write: Any, tmp_path: Path) -> None:
    path = write(content, "export.json")
    for truth in (tmp_path / "truth.csv", tmp_path / "truth.json"):
        call("agreement", path, "--consensus", "majority", "--truth", truth)
        assert sets_of(oe.read_labels(truth)) == {"1": ("sky",), "2": ()}


def test_a_consensus_is_in_the_words_of_the_annotators(write: Any, tmp_path: Path) -> None:
    ontology, path, truth = write(ANIMALS, "animals.obo"), tmp_path / "said.csv", tmp_path / "truth.csv"
    path.write_text("sample,annotator,concept\np1,a,Night\np1,b,T:3\np1,c,night\np2,a,T:4\n")
    call("agreement", path, "--ontology", ontology, "--truth", truth)
    assert truth.read_text() == "id,labels\np1,Night\np2,T:4\n"


def test_a_label_of_a_taxonomy_is_its_path_or_the_concept_at_its_end(write: Any) -> None:
    path = write(TAXONOMY)
    assert sets_of(oe.read_labels(path)) == {"7": ("Eukarya", "Eukarya/Opossum")}
    assert sets_of(oe.read_labels(path, concepts=["Eukarya", "Opossum"])) == {"7": ("Eukarya", "Opossum")}
    assert sheets(path) == {"ann@example.org": {"7": ("Eukarya", "Eukarya/Opossum")}}


def test_of_several_questions_one_is_chosen(write: Any) -> None:
    two = answer(1, choice("topic", "sky"), choice("clear", "yes"))
    path = write([{"id": 1, "data": {}, "annotations": [two]}])
    with pytest.raises(InputError, match="labels in several fields: 'topic', 'clear'"):
        oe.read_labels(path)
    assert sets_of(oe.read_labels(path, concept_column="clear")) == {"1": ("yes",)}
    with pytest.raises(InputError, match=r"no labels in the field 'topics' \(near: 'topic'\)"):
        oe.read_labels(path, concept_column="topics")


def test_of_json_min_the_question_with_several_labels_is_read_not_a_text(write: Any) -> None:
    beside = {"annotator": 3, "annotation_id": 9}
    notes = [{"id": f"n{n}", "text": "Note.", "codes": codes, **beside} for n, codes in enumerate(("E11", {"choices": ["E11", "I10"]}))]  # fmt: skip
    file = read_label_file(write(notes))
    assert sets_of(file.sets) == {"n0": ("E11",), "n1": ("E11", "I10")}
    assert file.ledger.unused["labels of text"] == 2


def test_prodigy_decides_what_was_chosen_offered_and_rejected(write: Any) -> None:
    path = write(CHOICES, lines=True)
    assert oe.read_labels(path).labels_of("-1") == ("DYSURIA", "FEVER")
    verified = oe.read_verified_labels(path)
    assert sets_of(verified.positive) == {"-1": ("DYSURIA", "FEVER"), "-2": ()}
    assert sets_of(verified.negative) == {"-1": ("URINARY_FREQUENCY",), "-2": ("FEVER",)}
    said = read_annotation_files(write(DECISIONS, lines=True)).annotations
    assert sets_of(said.of("news-bob")) == {"2": ("SPORTS",)}
    one = [record for record in DECISIONS if record["_annotator_id"] == "news-ann"]
    verified = oe.read_verified_labels(write(one, lines=True))
    assert sets_of(verified.positive) == {"1": ("SPORTS",), "2": ()}
    assert sets_of(verified.negative) == {"1": ("POLITICS",), "2": ("SPORTS",)}


def test_phenopackets_exclude(write: Any, tmp_path: Path) -> None:
    verified = oe.read_verified_labels(write(PACKET))
    assert sets_of(verified.positive) == {"boy-1": ("HP:0001558",)}
    assert sets_of(verified.negative) == {"boy-1": ("HP:0031910",)}
    assert oe.read_labels(write(PACKET), sample_column="subject.id").samples == ("14 year-old boy",)
    old = [{"type": {"id": "HP:1"}, "negated": True}, {"type": {"id": "HP:2"}, "negated": False}]
    write(PACKET, "folder/a.json")
    write({**PACKET, "id": "boy-2", "phenotypicFeatures": old}, "folder/b.json")
    file = read_label_file(tmp_path / "folder")
    assert sets_of(file.sets) == {"boy-1": ("HP:0001558",), "boy-2": ("HP:2",)}
    assert file.ledger.negated == 2
    family = {"id": "f", "proband": PACKET, "relatives": [{**PACKET, "id": "mother"}]}
    assert oe.read_labels(write(family)).samples == ("boy-1", "mother")


def test_cvat_and_fiftyone_name_labels_of_images(write: Any) -> None:
    assert sets_of(oe.read_labels(write(CVAT))) == {"p1.jpg": ("indoor", "person"), "p2.jpg": ()}
    named = {"classes": None, "labels": {"u1": "cat", "u2": [{"label": "dog"}]}}
    assert sets_of(oe.read_labels(write(named))) == {"u1": ("cat",), "u2": ("dog",)}
    assert sets_of(oe.read_labels(write(CLASSES))) == {"u1": ("cat",), "u3": ("cat", "dog"), "u4": ("dog",)}
    path = write(SAMPLES)
    assert sets_of(oe.read_labels(path, concept_column="ground_truth")) == {"data/p1.jpg": ("cat",)}
    scores = oe.read_scores(path, concept_column="model")
    assert sets_of(scores.at(0.5)) == {"data/p1.jpg": ("cat",), "data/p2.jpg": ()}
    both = read_annotation_files(write(CVAT, "ann.xml"), write(CVAT.replace("indoor", "outdoor"), "bob.xml"))
    assert both.annotations.of("bob").labels_of("p1.jpg") == ("outdoor", "person")


WRONG: dict[str, tuple[Any, str]] = {
    "an answer of Prodigy": ([{**DECISIONS[0]}, {**DECISIONS[1], "answer": "yes"}], r'row 2: the answer is "yes"'),
    "entities of Prodigy": ([{"text": "a", "spans": [], "answer": "accept"}], "'label', 'accept' and 'options'"),
    "one annotator twice": ([{"id": 1, "annotations": [answer(1), answer(1, choice("t", "a"))]}], "two annotations by '1'"),
    "no annotation at all": ([{"id": 1, "annotations": [answer(1, was_cancelled=True)]}], "no sample is annotated"),
    "a value of Label Studio": ([{"id": 1, "annotations": [answer(1, {"value": 3})]}], r"result\[1\].value holds 3"),
    "a label that is an object": ([{"id": 1, "annotations": [answer(1, choice("t", {}))]}], r"choices\[1\] holds"),
    "an empty label": ([{"id": 1, "annotations": [answer(1, choice("t", " "))]}], "a label has an empty name"),
    "a task without a name": ([{"data": {"x": 1}, "annotations": [answer(1)]}], "no key for the sample among"),
    "a feature without a type": ({**PACKET, "phenotypicFeatures": [{"excluded": True}]}, r"Features\[1\] has no label"),
    "a class out of range": ({"classes": ["a"], "labels": {"u1": 1}}, "those from 0 to 0"),
    "a skipped task in words": ([{"id": 1, "annotations": [answer(1, was_cancelled="true")]}], 'was_cancelled holds "true", but true, false or null'),
    "members of another name": ({"id": "c", "Members": [PACKET]}, "'Members' holds phenotypic features, but is none of 'members'"),
    "a cohort of nobody": ({"id": "c", "members": [], "x": {"phenotypicFeatures": []}}, "no sample is annotated"),
    "a label of another name": ({"samples": [{"id": "a", "f": {"_cls": "Classification", "Label": "x"}}]}, r"labels\[1\] has no label"),
    "a list of another name": ({"samples": [{"id": "a", "f": {"_cls": "Detections", "Detections": [{"label": "x"}]}}]}, "f holds .* but a list 'detections' belongs"),
    "a kind that is a list": ({"samples": [{"id": "a", "f": {"_cls": ["Classification"], "label": "x"}}]}, r"f._cls holds \[\"Classification\"\]"),
    "a class that is not listed": ({"classes": ["sky", "sea"], "labels": {"u1": "skyy"}}, r"the class 'skyy' is not listed \(near: 'sky'\)"),
    "several labels in one of Prodigy": ([{**DECISIONS[0], "label": ["sky", "sea"]}], r'decided\[1\].label holds \["sky", "sea"\], but a label'),
    "a shape without a label": (CVAT.replace('tag label="indoor"', 'tag Label="indoor"'), r"shapes\[2\] has no label"),
    "tracks of CVAT": (CVAT.replace("<image", "<track").replace("</image", "</track"), "tracks in a video"),
    "an entity in CVAT": (CVAT.replace("<annotations>", '<!DOCTYPE a [<!ENTITY x SYSTEM "y">]>\n<annotations>', 1), "is external"),
    "cut off CVAT": (CVAT[:-20], "not well-formed XML"),
    "Datumaro": ({"infos": {}, "categories": {"label": {"labels": [{"name": "a"}]}}, "items": []}, "file of Datumaro"),
    "VIA": ({"_via_settings": {}, "_via_img_metadata": {}}, "file of VIA"),
    "Argilla": ([{"id": "1", "fields": {}, "suggestions": {}, "responses": {}}], "file of Argilla"),
    "Labelbox": ([{"data_row": {"id": "x"}, "projects": {}}], "file of Labelbox"),
    "brat": ("T1\tOrganization 0 43\tInternational Business Machines\n", "file of brat"),
}  # fmt: skip


@pytest.mark.parametrize("case", WRONG)
def test_what_is_wrong_is_named_with_its_place(case: str, write: Any) -> None:
    content, words = WRONG[case]
    path = write(content, lines="Prodigy" in case)
    for read in (oe.read_labels, oe.read_annotations):
        with pytest.raises(InputError, match=words) as error:
            read(path)
        assert str(path) in str(error.value)


USED: dict[str, tuple[Any, dict[str, int]]] = {
    "other answers, predictions and skipped answers of Label Studio": (
        [
            {"id": 1, "predictions": [1], "drafts": [], "annotations": [{"completed_by": 1, "result": [choice("t", "sky"), {"from_name": "why", "value": {"text": ["x"]}}]}]},
            {"id": 2, "annotations": [{"was_cancelled": True, "result": [choice("t", "sea"), choice("t", "sky")]}]},
        ],
        {"predictions": 1, "annotations.result.value.text": 1, "labels of skipped annotations": 2, **dict.fromkeys(["annotations.result.id", "annotations.result.type", "annotations.result.to_name"], 3)},
    ),
    "a misspelt kind and other fields of FiftyOne": (
        {"samples": [{"id": "a", "f": {"_cls": "Classificaton", "label": "x"}}, {"id": "b", "f": {"_cls": "Classification", "label": "y", "logits": [1]}, "tags": ["t"], "g": {"_cls": "Keypoint", "label": "nose"}}, {"id": "c", "f": {"_cls": "Classifications", "classifications": []}}], "name": "d"},
        {"name": 1, "f": 1, "labels.logits": 1, "tags": 1, "g": 1},
    ),
    "what stands beside phenotypic features": (
        [{"id": "c", "members": [{**PACKET, "biosamples": [PACKET]}, {"id": "b", "diseases": [{"term": {"id": "x"}}]}]}],
        {"id": 1, "subject": 1, "phenotypicFeatures.type.label": 2, "metaData": 1, "biosamples": 1, "diseases": 1},
    ),
    "attributes in CVAT": (CVAT, {"id": 2, "width": 2, "height": 2, "shapes.occluded": 1, **dict.fromkeys([f"shapes.{one}" for one in ("xtl", "ytl", "xbr", "ybr", "attribute gender", "source")], 1)}),
    "boxes of COCO": (
        {"info": {"year": 1}, "images": [{"id": 1, "file_name": "a"}], "annotations": [{"image_id": 1, "category_id": 1, "bbox": [1]}], "categories": [{"id": 1, "name": "sky", "supercategory": "s"}]},
        {"info": 1, "annotations.bbox": 1, "categories.supercategory": 1},
    ),
    "a key that only later records have": ([{"id": 1, "labels": ["a"]}, {"id": 2, "labels": ["b"], "Labels": ["c"], "x": None}], {"Labels": 1}),
    "what stands beside records": ({"version": 1, "documents": [{"id": 1, "labels": ["a"]}]}, {"version": 1}),
}  # fmt: skip


@pytest.mark.parametrize("case", USED)
def test_whatever_makes_no_label_is_named_and_counted(case: str, write: Any) -> None:
    content, unused = USED[case]
    file = read_label_file(write(content))
    assert dict(file.ledger.unused) == unused
    assert min(unused, key=unused.__getitem__) in next(note for note in file.notes if "not used: " in note)


def test_an_audit_names_what_is_not_used(write: Any) -> None:
    path = write([{"id": 1, "labels": ["a"]}, {"id": 2, "labels": ["b"], "Labels": ["c"]}])
    assert read_label_file(path).notes == (f"{path}: not used: 'Labels (1)'",)
    audited = subprocess.run(
        [sys.executable, "-m", "ontoeval", "audit", path], capture_output=True, check=False
    )
    assert b"not used: 'Labels (1)'" in b" ".join(audited.stdout.split())


def test_the_same_answer_exported_twice_is_one(write: Any) -> None:
    tasks = [{"id": 1, "annotations": [answer(1, choice("t", "sky")), answer(1, choice("t", "sky"))]}]
    file = read_label_file(write([*tasks, *tasks]))
    assert sets_of(file.sets) == {"1": ("sky",)}
    assert file.ledger.unused["annotations exported twice"] == 3
    assert sheets(write(tasks)) == {"1": {"1": ("sky",)}}


@pytest.mark.parametrize("key", ["samples", "documents", "annotations"])
def test_an_empty_export_is_no_sample_of_its_name(key: str, write: Any) -> None:
    with pytest.raises(InputError, match=f"'{key}' is empty: there is no sample in it"):
        oe.read_labels(write({key: []}))
    assert oe.read_labels(write({"p1": []})).samples == ("p1",)


@given(st.dictionaries(st.integers(0, 99), st.sets(st.sampled_from(["sky", "sea", "clouds"])), min_size=1))
def test_a_table_and_json_of_the_same_answers_are_the_same(answers: dict[int, set[str]]) -> None:
    """What the tool's own converter does to tasks leaves the labels as they are."""
    tasks = [
        {"id": n, "data": {"image": f"p{n}"}, "annotations": [answer(1, choice("topic", *sorted(labels)))]}
        for n, labels in answers.items()
    ]
    table = io.StringIO()
    rows = csv.writer(table, quoting=csv.QUOTE_NONNUMERIC)
    rows.writerow(["annotation_id", "annotator", "id", "image", "lead_time", "topic"])
    for n, labels in answers.items():
        cell = next(iter(labels)) if len(labels) == 1 else json.dumps({"choices": sorted(labels)})
        rows.writerow([n, "1", n, f"p{n}", 1.0, cell])
    wanted = {str(n): tuple(sorted(labels)) for n, labels in answers.items()}
    with tempfile.TemporaryDirectory() as folder:
        for text in (json.dumps(tasks), table.getvalue()):
            path = Path(folder, "export")
            path.write_text(text, encoding="utf-8", newline="")
            assert sets_of(oe.read_labels(path)) == wanted


def test_formats_are_recognised_and_named(write: Any) -> None:
    assert str(recognise(write(CVAT))) == "annotations of CVAT"
    assert str(recognise(write(TABLE))) == "annotations of Label Studio"
    assert str(recognise(write(PACKET), input_format="phenopackets")) == "Phenopackets"


ANIMALS = """[Term]\nid: T:1\nname: nature\n
[Term]\nid: T:2\nname: sky\nis_a: T:1\n\n[Term]\nid: T:3\nname: night\n
[Term]\nid: T:4\nname: clouds\nis_a: T:2\n"""
SUBJECTS = """@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix e: <http://e/> .
e:1 a skos:Concept; skos:prefLabel "a"@en . e:2 a skos:Concept; skos:prefLabel "b"@en; skos:broader e:1 ."""
STUDIO = """[{"id": 1, "data": {"text": "Sky, \\u00fc"}, "annotations": [{"completed_by": 1, "result": [%s]}]},
 {"id": 2, "data": {"text": "sky"}, "annotations": [{"completed_by": 1, "result": [
  {"from_name": "t", "value": {"choices": ["sky"«→, "nature"», "night"]}}]}]}]"""
CHOSEN = '{"from_name": "t", "value": {"choices": [%s]}}'
BOXED = '{"from_name": "t", "value": {"x": 0.50, "rectanglelabels": ["%s"]}}'
ANSWERED = '{"text": "sky", "_input_hash": %d, "options": [{"id": "%s"}, {"id": "nature"}], "accept": [%s], "answer": "accept"}\n'
SAMPLED = '{"samples": [{"filepath": "night", "g": {"_cls": "Classification", "label": "night"}},\n {"filepath": "b", "g": {"_cls": "Detections", "detections": [{"_cls": "Detection", "label": "%s", "index": 1.0}, {"_cls": "Detection", "label": "%s"}]}}]}'
INSTANCES = '{"images": [{"id": 1, "file_name": "night"}, {"id": 2, "file_name": "b"}], "annotations": [{"id": 7, "image_id": 1, "category_id": 1, "bbox": [0, 0, 1, 1]}, {"id": 8, "image_id": 2, "category_id": %s, "bbox": [0.50, 0, 1, 1]}, {"id": 9, "image_id": 2, "category_id": 1}], "categories": [{"id": 1, "name": "%s"}, {"id": 3, "name": "%s"}]}'
BACK = {
    "choices": ("x.json", "closed", STUDIO.replace('"sky"«→, "nature"», "night"', '"sky", "night"«→, "nature"»') % (CHOSEN % '"clouds"«→, "nature", "sky"»')),
    "several annotators": ("x.json", "closed", STUDIO.replace('"completed_by": 1, "result": [%s]', f'"completed_by": 2, "result": [{CHOSEN}]}}, {{"completed_by": 1, "result": [{CHOSEN}]').replace('"sky"«→, "nature"», "night"', '"sky", "night"«→, "nature"»') % ('"«Sky→sky»"«→, "nature"»', '"night", "sky"«→, "nature"»')),
    "an annotation twice": ("x.json", "closed", STUDIO.replace('«→, "nature"», "night"', ', "night"«→, "nature"»').replace('"result": [%s]', f'"result": [{CHOSEN}]}}, {{"completed_by": 1, "result": [{CHOSEN}]') % ('"sky"«→, "nature"»', ' "sky"«→, "nature"»')),
    "implied choices": ("x.json", "most-specific", STUDIO.replace('«→, "nature"»', "") % (CHOSEN % '"sky", "night"«, "nature"→»')),
    "boxes": ("x.json", "mixed", STUDIO.replace('«→, "nature"»', "") % f"{BOXED % '«Sky→sky»'}, {BOXED % 'sky'}"),
    "JSON-min": ("x.json", "closed", """[{"text": "sky", "id": 1, "t": «"sky"→{"choices": ["sky", "nature"]}», "annotator": 1, "annotation_id": 1, "lead_time": 4.20},
 {"text": "sky", "id": 2, "t": {"choices":["sky","night"«→,"nature"»]}, "annotator": 1, "annotation_id": 2, "lead_time": 4}]"""),
    "CSV": ("x.csv", "closed", """"annotation_id","annotator","id","lead_time","t"\r\n1,1,1,4.20,«sky→"{""choices"": [""sky"", ""nature""]}"»\r\n2,"1",2,4,"{""choices"":[""sky"",""night""«→,""nature""»]}"\r\n"""),
    "Prodigy": ("x.jsonl", "closed", ANSWERED % (1, "sky", '"sky"«→, "nature"»') + ANSWERED % (2, "«Sky→sky»", '"«Sky→sky»"«→, "nature"»') + ANSWERED % (3, "sky", '"sky"«→, "nature"»')),
    "CVAT": ("x.xml", "mixed", CVAT.replace("indoor", "«Night→night»").replace('label="person"', "label='night'")),
    "FiftyOne": ("x.json", "mixed", SAMPLED % ("«Night→night»", "«Night→night»")),
    "COCO": ("x.json", "mixed", INSTANCES % ("«3→1»", "night", "Night")),
    "metadata.jsonl of Hugging Face": ("metadata.jsonl", "closed", '{"file_name":"a.png","labels":["sky","night"«→,"nature"»],"text":"Sky"}\r\n{"file_name":"b.png","labels":["«Sky→sky»"«→, "nature"»]}'),
    "metadata.csv of Hugging Face": ("metadata.csv", "closed", 'file_name,labels,text\na.png,sky«→;nature»,"sky\n"\n'),
    "Annif": ("x.tsv", "closed", 'a "text\t<http://e/2>«→ <http://e/1>»\n"b\t<http://e/2>«→ <http://e/1>»\n c\t<http://e/2>«→ <http://e/1>»'),
}  # fmt: skip
MOVES = {
    "choices": ("x.json", STUDIO.replace('"sky"«→, "nature"», "night"', '"sky", "«night→dusk»"') % (CHOSEN % '"«night→dusk»"')),
    "CVAT": ("x.xml", CVAT.replace("indoor", "«night→dusk»").replace('label="person"', 'label="sky"')),
    "Prodigy": ("x.jsonl", "".join(f'{{"text": "night", "label": "«night→dusk»", "answer": "accept", "_input_hash": 1, "_session_id": "{who}"}}\n' for who in "ab")),
    "FiftyOne": ("x.json", SAMPLED.replace('label": "night"', 'label": "«night→dusk»"') % ("sky", "«night→dusk»")),
    "COCO": ("x.json", INSTANCES % ("3", "sky", "«night→dusk»")),
}  # fmt: skip
TASK = '{"id": 1, "annotations": [%s], "data": {"x": 1.0}}'
GIVEN = '{"completed_by": %d, "result": [{"from_name": "t", "value": {"choices": [%s]}}, {"type": "rating"}]}'
VOTED = (
    ANSWERED.replace("sky", "p1", 1)
    .replace("%d", "1")
    .replace("}, {", '}, {"id": "night"}, {')
    .replace("}\n", ', "_annotator_id": "%s"}\n')
)
AGREED = {
    "nearest": ("x.json", TASK % ("«" + GIVEN % (1, '"sky"') + ", →»" + GIVEN % (2, '"Night" , "nature"«→ , "sky"»') + "«,\n " + GIVEN % (3, '"T:3", "nature", "sky", "clouds"') + "→»")),
    "spaces": ("x.json", TASK % (GIVEN % (1, '«"clouds" ,  →»"Night" ,"sky"') + "«, " + GIVEN % (2, '"night"') + "→»«\t," + GIVEN % (3, '"sky"') + "→»")),
    "Prodigy": ("x.jsonl", VOTED % ("sky", '"sky"', "a") + "«" + VOTED % ("sky", '"sky"', "b") + "→»«" + VOTED % ("sky", '"night"', "c") + "→»"),
}  # fmt: skip
REFUSED = {
    "a box": ("x.json", STUDIO.replace('«→, "nature"»', "") % (BOXED % "sky"), "sample '1': nothing says where 'nature' is to be added"),
    "a tag of CVAT": ("x.xml", CVAT.replace("indoor", "sky").replace('label="person"', 'label="night"'), "nothing says where 'nature' is to be added"),
    "a box of COCO": ("x.json", INSTANCES % ("3", "night", "sky"), "sample 'b': nothing says where 'nature' is to be added, and a table of labels lacks 'annotations.id'"),
    "no option": ("x.jsonl", ANSWERED.replace("nature", "x") % (1, "sky", '"sky"'), "nothing says where 'nature' is to be added"),
    "a null": ("x.json", '[{"id": "p1", "labels": ["sky", null], "n": 1}, {"id": "p2", "labels": []}]', "nothing says where 'nature' is to be added"),
    "one label of JSON": ("x.json", '[{"id": 1, "label": "sky"}]', "nothing says where 'nature' is to be added. Write a table of labels (--fix NEW.csv)"),
    "one label": ("x.json", SAMPLED % ("sky", "night"), "nothing says where 'nature' is to be added"),
}  # fmt: skip


def versions(template: str) -> tuple[str, str]:
    """Give the two texts of a template with «before→after»."""
    before, after = (re.sub("«(.*?)→(.*?)»", rf"\{n}", template, flags=re.DOTALL) for n in (1, 2))
    return before, after


@pytest.mark.parametrize("case", BACK)
def test_a_correction_is_written_where_the_label_stands(case: str, write: Any, tmp_path: Path) -> None:
    name, convention, template = BACK[case]
    before, after = versions(template)
    ontology = write(SUBJECTS, "subjects.ttl") if case == "Annif" else write(ANIMALS, "animals.obo")
    path, copy = tmp_path / name, tmp_path / f"copy-{name}"
    path.write_bytes(before.encode())
    call("audit", path, "--ontology", ontology, "--convention", convention, "--fix", copy)
    assert copy.read_bytes().decode() == after
    options: dict[str, Any] = {"convention": convention}
    assert [one.rule for one in oe.audit_labels(copy, ontology, **options) if one.fixable] == []


LATER = '{"id": 1, "labels": [%s], "n": 1.0}\n{"id": 2, "labels": ["Sky", "clouds"]}\n'
CONFIRMED = {
    "list": ("x.jsonl", LATER % '"«sky→night»" , "clouds"«→ , "nature"»', ["swapped-label,1,sky,night", "doubtful-absence,1,nature,", "doubtful-absence,1,night,", "doubtful-label,1,sky,"]),
    "an empty list": ("x.jsonl", LATER % '«→"night"»', ["doubtful-absence,1,night,"]),
    "an empty list of a sample": ("x.json", '{"1": [«→"nature", "night"»], "2": ["sky"]}', ["doubtful-absence,1,night,", "doubtful-absence,1,nature,"]),
    "a line each": ("x.json", '[{"id": 1,\n "labels": [\n  "sky"«→,\n  "night"»\n ]}]', ["doubtful-absence,1,night,"]),
    "list without one": ("x.jsonl", LATER % '«"T:4", →»"night"«, "sky"→»', ["exclusion,1,sky,,", "doubtful-label,1,clouds,,yes", "doubtful-label,2,sky,,no"]),
    "choices": ("x.json", STUDIO.replace('"sky"«→, "nature"»', '"«sky→clouds»"') % (CHOSEN % '"night"'), ["swapped-label,2,sky,clouds"]),
    "boxes": ("x.json", STUDIO.replace('«→, "nature"»', "") % f"{BOXED % '«Sky→night»'}, {BOXED % 'clouds'}", ["swapped-label,1,sky,night"]),
    "CVAT": ("x.xml", CVAT.replace("indoor", "«sky→clouds»").replace('label="person"', 'label="night"'), ["swapped-label,p1.jpg,sky,clouds"]),
    "COCO": ("x.json", INSTANCES.replace('1, "category_id": 1, "bbox', '1, "category_id": «1→3», "bbox') % ("3", "night", "sky"), ["swapped-label,night,night,sky"]),
    "long": ("x.csv", "sample,concept,split\n1,«sky→night»,a\n1,clouds,«b→b\n1,nature,»\n", ["swapped-label,1,sky,night", "doubtful-absence,1,nature,"]),
    "long, of another label": ("x.csv", "sample,concept,split\n«1,sky,a\n→1,nature,\n»2,«sky→»,b\n", ["doubtful-label,1,sky,", "doubtful-absence,1,nature,", "doubtful-label,2,sky,"]),
    "columns": ("x.csv", "id,sky,clouds,night\n1,«1→0»,1,«0→1»\n", ["swapped-label,1,sky,night"]),
    "wide": ("x.csv", "id,labels\n1,«sky→night»;clouds«→;nature»\n1,clouds;«sky→night»«→;nature»\n", ["swapped-label,1,sky,night", "doubtful-absence,1,nature,"]),
}  # fmt: skip


@pytest.mark.parametrize("case", CONFIRMED)
def test_a_confirmed_error_is_corrected_where_it_stands(case: str, write: Any, tmp_path: Path) -> None:
    name, template, errors = CONFIRMED[case]
    before, after = versions(template)
    path, copy = tmp_path / name, tmp_path / f"copy-{name}"
    path.write_bytes(before.encode())
    header = f"rule,sample,label,instead{',shown' * errors[0].endswith(',,')}"
    table, ontology = write("\n".join([header, *errors]), "right.csv"), write(ANIMALS, "animals.obo")
    rules = write('[rules]\nspelling = "off"\nduplicate-sample = "off"', "rules.toml")
    options = "--convention", "mixed", "--rules", rules
    call("audit", path, "--ontology", ontology, *options, "--confirmed", table, "--fix", copy)
    assert copy.read_bytes().decode() == after


NOT_CONFIRMED = {
    "none": ("doubtful-label,1,clouds,", "row 2: the labels have no such error: 'doubtful-label', '1', 'clouds'"),
    "there": ("swapped-label,1,sky,night", "no such error"),
    "no sample": ("doubtful-label,9,sky,", "no such error"),
    "another rule": ("unlabelled,1,sky,", "no such error"),
}  # fmt: skip


def test_a_label_without_a_column_makes_another_table(write: Any, tmp_path: Path) -> None:
    table = write("rule,sample,label,instead\ndoubtful-absence,1,night,\n", "right.csv")
    path, copy = write("id,sky\n1,0\n", "x.csv"), tmp_path / "copy.csv"
    call("audit", path, "--ontology", write(ANIMALS, "animals.obo"), "--confirmed", table, "--fix", copy)
    assert copy.read_text() == "id,labels\n1,night\n"


@pytest.mark.parametrize("case", NOT_CONFIRMED)
def test_an_error_that_is_none_is_refused(case: str, write: Any, capsys: Any, monkeypatch: Any) -> None:
    row, words = NOT_CONFIRMED[case]
    path, table = (
        write("id,labels\n1,sky;night\n", "x.csv"),
        write(f"rule,sample,label,instead\n{row}", "right.csv"),
    )
    command = [
        "audit",
        path,
        "--ontology",
        write(ANIMALS, "animals.obo"),
        "--confirmed",
        table,
        "--fix",
        "copy.csv",
    ]
    assert words in refusal(command, capsys, monkeypatch)
    command[-3] = write("id,label\n1,sky", "near.csv")
    assert "no column 'instead', 'rule', 'sample'" in refusal(command, capsys, monkeypatch)
    assert "expected a --fix beside it" in refusal(command[:-2], capsys, monkeypatch)


@pytest.mark.parametrize("case", AGREED)
def test_a_consensus_is_written_into_the_nearest_annotation(case: str, write: Any, tmp_path: Path) -> None:
    name, template = AGREED[case]
    before, after = versions(template)
    path, truth = tmp_path / name, tmp_path / f"truth-{name}"
    path.write_bytes(before.encode())
    call("agreement", path, "--ontology", write(ANIMALS, "animals.obo"), "--truth", truth)
    assert truth.read_bytes().decode() == after


def test_a_consensus_that_has_no_place_is_refused(
    write: Any, tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    boxes = TASK % ", ".join(
        f'{{"completed_by": "{one}", "result": [{BOXED % one}]}}' for one in ("sky", "night")
    )
    records = '[{"id": 1, "annotator": "a", "labels": ["sky"]}, {"id": 1, "annotator": "b", "labels": []}]'
    for text, why in (
        (boxes, "sample '1 (annotator sky)': nothing says where"),
        (records, "sample '1' is there already"),
    ):
        command = [
            "agreement",
            write(text, "x.json"),
            "--truth",
            tmp_path / "truth.json",
            "--ties",
            "present",
        ]
        assert f"cannot be written into this file: {why}" in refusal(command, capsys, monkeypatch)


@pytest.mark.parametrize("case", MOVES)
def test_a_migration_is_written_where_the_label_stands(case: str, write: Any, tmp_path: Path) -> None:
    name, template = MOVES[case]
    before, after = versions(template)
    old, new = (write(text, f"{n}.obo") for n, text in enumerate((ANIMALS, ANIMALS.replace("night", "dusk"))))
    path, copy = tmp_path / name, tmp_path / f"copy-{name}"
    path.write_bytes(before.encode())
    call("migrate", path, "--from", old, "--to", new, "--out", copy)
    assert copy.read_bytes().decode() == after


def test_a_migration_keeps_no_old_names_of_absent_labels(
    write: Any, tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    path, old = write(ANSWERED % (1, "sky", '"sky"'), "x.jsonl"), write(ANIMALS, "animals.obo")
    command = ["migrate", path, "--from", old, "--to", old, "--out", tmp_path / "copy.jsonl"]
    words = "labels that are marked as absent would keep the names of the old version"
    assert words in refusal(command, capsys, monkeypatch)


@pytest.mark.parametrize("case", REFUSED)
def test_what_has_no_place_is_refused_or_lost_with_a_word(
    case: str, write: Any, tmp_path: Path, capsys: Any, monkeypatch: Any
) -> None:
    name, text, words = REFUSED[case]
    path, copy, table = write(text, name), tmp_path / f"copy-{name}", tmp_path / "copy.csv"
    command = ["audit", path, "--ontology", write(ANIMALS, "animals.obo"), "--convention", "closed", "--fix"]
    assert words in refusal([*command, copy], capsys, monkeypatch)
    assert not copy.exists()
    said = call(*command, table, "--accept-losses").stdout
    assert "written anew as wide CSV" in " ".join(said.split())
    assert "nature" in table.read_text("utf-8")
    command[5] = "mixed"
    assert "expected a name that ends in" in refusal([*command, table], capsys, monkeypatch)
