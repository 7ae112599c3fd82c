"""Wrong label files: each is refused with the file, the row, what is near and what to do."""

from __future__ import annotations

import contextlib
import csv
import gzip
import pickle
import re
import tempfile
import time
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.errors import InputError, OntoevalError, ParameterError, UnknownConceptError
from tests.patience import SECONDS

IMAGECLEF = {"concepts": ["car", "bicycle"]}


def packed(*names: str) -> bytes:
    """A zip archive of empty files."""
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for name in names:
            archive.writestr(name, "")
    return file.getvalue()


def arrays(**parts: Any) -> bytes:
    """An archive of arrays."""
    file = BytesIO()
    np.savez(file, **parts)
    return file.getvalue()


# Content, options, class of the error, and what its message must contain beside the file's name.
FILES: dict[str, tuple[str | bytes, dict[str, Any], type[OntoevalError], list[str]]] = {
    "named column that is not there": (
        "key,kinds,note\np1,car,x\n",
        {"sample_column": "key", "concept_column": "kind"},
        InputError,
        ["no column 'kind' (near: 'kinds')", "'key', 'kinds', 'note'", "a number from 1 to 3"],
    ),
    "none of several named columns": (
        "key,kind\np1,car\n",
        {"sample_column": ["id", "uid"], "concept_column": "kind"},
        InputError,
        ["no column 'id' or 'uid'"],
    ),
    "column numbers from 0": (
        "p1,car\n",
        {"header": False, "sample_column": 0, "concept_column": 1},
        InputError,
        ["no column '0'", "a number from 1 to 2"],
    ),
    "one column for two roles": (
        "key,kind\np1,car\n",
        {"sample_column": "key", "concept_column": 1},
        InputError,
        ["'key' is named for several: 'sample', 'concept'"],
    ),
    "no header and no numbers": (
        "p1,car\n",
        {"header": False},
        InputError,
        ["no column for the sample among '1', '2'", "--sample-column"],
    ),
    "several columns that may hold the samples": (
        "image_id,filename,kind\n1,a,car\n",
        {"concept_column": "kind"},
        InputError,
        ["several columns for the sample: 'image_id', 'filename'", "--sample-column"],
    ),
    "qualifier that is unknown": (
        "key,kind,seen\np1,car,excluded\np1,bicycle,exluded\n",
        {"sample_column": "key", "concept_column": "kind", "negation_column": "seen"},
        InputError,
        ["row 3", "the qualifier 'exluded' is unknown", "Write NOT, excluded or absent"],
    ),
    "absent labels beside scores": (
        "key,kind,seen,score\np1,car,,1\n",
        {"sample_column": "key", "concept_column": "kind", "negation_column": "seen"},
        InputError,
        ["'seen' marks labels as absent", "scores in column 'score'"],
    ),
    "named columns in JSON": (
        '{"p1": ["car"]}',
        {"sample_column": "key"},
        InputError,
        ["keys are named, but this JSON holds no records"],
    ),
    "GAF that lacks columns": (
        "!gaf-version: 2.2\nDB\tP1\tS\t\tGO:1\n",
        {},
        InputError,
        ["this is GAF 2.2, which has 17 columns", "5 fields"],
    ),
    "GPAD of a version to come": (
        "!gpad-version: 3.0\nDB:P1\t\tGO:1\n",
        {},
        InputError,
        ["this is GPAD 3.0, whose columns are not known", "--no-header"],
    ),
    "unknown concept in a wide file": (
        "id,labels\np1,car\np2,car;bycicle\n",
        {},
        UnknownConceptError,
        ["'bycicle' in row 3", "near: 'bicycle'", "separated by ';'", "concept map", "--unknown drop"],
    ),
    "unknown concept as a column": (
        "id,car,bycicle\np1,0,1\n",
        {},
        UnknownConceptError,
        ["'bycicle' in row 1", "near: 'bicycle'"],
    ),
    "unknown concept in JSON": (
        '{"p1": ["car"], "p2": ["bycicle"]}',
        {},
        UnknownConceptError,
        ["'bycicle' in sample 'p2'", "near: 'bicycle'"],
    ),
    "more unknown concepts than a message lists": (
        "id,labels\np1,a1;a2;a3;a4;a5;a6;a7\n",
        {},
        UnknownConceptError,
        ["no label is a concept of ", "7 unknown concepts", "'a5' in row 2", "and 2 more"],
    ),
    "several labels in a field of the long format": (
        "sample,concept\np1,car|bicycle\n",
        {"input_format": "long"},
        UnknownConceptError,
        ["'car|bicycle' looks like several labels", "--input-format wide --separator '|'"],
    ),
    "unknown concept in the concept list": (
        "p1 0 1\n",
        {"concepts": ["car", "bycicle"]},
        UnknownConceptError,
        ["the list of concepts", "'bycicle' in position 2", "near: 'bicycle'"],
    ),
    "unknown concept in the concept map": (
        "id,labels\np1,Rad\n",
        {"concept_map": {"Rad": "bycicle"}},
        UnknownConceptError,
        ["'Rad' in row 2, which stands for 'bycicle'"],
    ),
    "abstract concept": (
        "id,labels\np1,car\np2,vehicle\n",
        {},
        InputError,
        ["'vehicle' in row 3 is an abstract concept", "such as 'aircraft'"],
    ),
    "abstract concept in the concept list": (
        "p1 0 1\n",
        {"concepts": ["car", "vehicle"]},
        InputError,
        ["the list of concepts", "'vehicle' in position 2 is an abstract concept"],
    ),
    "concept listed under two names": (
        "p1 0 1\n",
        {"concepts": ["car", "Car"]},
        InputError,
        ["'car' and 'Car' are both the concept 'car'", "position 1 and position 2"],
    ),
    "duplicate sample in a wide file": (
        "id,labels\np1,car\np2,car\np1,bicycle\n",
        {},
        InputError,
        ["row 4", "sample 'p1' is there already in row 2", "input_format='long'"],
    ),
    "duplicate sample in JSON": (
        '{"p1": ["car"], "p1": []}',
        {},
        InputError,
        ["keys stand twice in one object: 'p1'", "Keep one"],
    ),
    "duplicate sample in JSON apart from blanks": (
        '{"p1": ["car"], " p1": []}',
        {},
        InputError,
        ["keys stand twice in one object: 'p1'"],
    ),
    "sample without name in a wide file": (
        "id,labels\n ,car\n",
        {},
        InputError,
        ["row 2", "no name"],
    ),
    "sample without name in a long file": (
        "sample,concept\np1,car\n,bicycle\n",
        {},
        InputError,
        ["row 3", "no name"],
    ),
    "sample without name in JSON": ('{"": ["car"]}', {}, InputError, ["no name"]),
    "ragged row": (
        "id,labels\np1,car,bicycle\n",
        {},
        InputError,
        ["row 2", "3 fields where the first row has 2", "double quotes"],
    ),
    "ragged row of ImageCLEF text": (
        "p1 0 1\np2 0\n",
        IMAGECLEF,
        InputError,
        ["row 2", "2 fields where the first row has 3", "one value for each concept"],
    ),
    "wrong quotes": ('id,labels\np1,"car" bike\n', {}, InputError, ["row 2", "rules of quoting"]),
    "quote that is never closed": (
        'id,labels\np1,car\np2,"car\np3,car\n',
        {},
        InputError,
        ["row 3", "not closed"],
    ),
    "bad number in columns": (
        "id,car,bicycle\np1,0,1\np2,0,x\n",
        {},
        InputError,
        ["row 3", "column 'bicycle' holds 'x'", "0 or 1", "--concept-column"],
    ),
    "number with an underscore": (
        "id,car,bicycle\np1,0,0_1\n",
        {},
        InputError,
        ["column 'bicycle' holds '0_1'"],
    ),
    "scores in columns": (
        "id,car,bicycle\np1,0,0.5\n",
        {},
        InputError,
        ["row 2", "column 'bicycle' holds 0.5", "these are scores", "--threshold", "read_scores"],
    ),
    "scores in a long file": (
        "sample,concept,score\np1,car,1\n",
        {},
        InputError,
        ["scores, not labels", "--threshold"],
    ),
    "scores in JSON": (
        '{"p1": {"car": 1}}',
        {},
        InputError,
        ["sample 'p1' has scores, not labels", "--threshold"],
    ),
    "ImageCLEF text without concepts": (
        "p1 0 1\n",
        {},
        InputError,
        ["ImageCLEF text (a name and 2 values", "--concepts FILE"],
    ),
    "ImageCLEF text with too few concepts": (
        "p1 0 1 1\n",
        IMAGECLEF,
        InputError,
        ["3 values in the first row, but 2 concepts are listed", "in the order of the values"],
    ),
    "names of runs": (
        "run,name,team\nrun-1,Our system,Us\n",
        {},
        InputError,
        ["this is a table of names of runs", "--names FILE"],
    ),
    "unknown header": (
        "photo_key,stuff\np1,car\n",
        {},
        InputError,
        ["not recognised", "'photo_key', 'stuff'", "--input-format"],
    ),
    "no header": (
        "p1,car\np2,bicycle\n",
        {},
        InputError,
        ["not recognised", "'p1', 'car'", "'sample,concept'"],
    ),
    "column without name": ("id,car,\np1,1,0\n", {}, InputError, ["row 1", "column 3 has no name"]),
    "same column twice": (
        "id,car,car\np1,1,0\n",
        {},
        InputError,
        ["'car' and 'car' are both the concept 'car'"],
    ),
    "header alone": ("id,labels\n", {}, InputError, ["no row below the header"]),
    "empty file": ("", {}, InputError, ["the file is empty"]),
    "numbers that are no characters": (
        arrays(table=[[1]], labels=np.array([0x110000], dtype="<u4").view("<U1")),
        {},
        InputError,
        ["labels.npy", "texts with code points that are no characters"],
    ),
    "an object among the labels": (
        '{"id":"p1","labels":[{"name":"sky"},"sea"]}\n',
        {},
        InputError,
        ["row 1", 'sample \'p1\' has [{"name": "sky"}, "sea"]'],
    ),
    "blanks beyond ASCII": ("\x1c", {"input_format": "jsonl"}, InputError, ["the file is empty"]),
    "Latin 1": (
        "id,labels\np1,Fußgänger\n".encode("latin-1"),
        {},
        InputError,
        ["row 2: the byte 0xDF is not UTF-8", "Convert"],
    ),
    "pickle": (pickle.dumps({"p1": ["car"]}), {}, InputError, ["a pickle, which is never opened", "JSON"]),
    "RDF/XML": ('<?xml version="1.0"?>\n', {}, InputError, ["an ontology or XML, no label file"]),
    "HDF5": (b"\x89HDF\r\n\x1a\n\0\0", {}, InputError, ["this is HDF5", "numpy.savez"]),
    "old spreadsheet": (b"\xd0\xcf\x11\xe0\xa1", {}, InputError, ["an old Office file", "as CSV"]),
    "too many columns": ("id" + ",a" * 2**20, {}, InputError, ["1,048,577 fields", "'sample,concept'"]),
    "a field without end": (
        'id,labels\np1,"' + "a" * (2**24 + 1) + '"\n',
        {},
        InputError,
        ["row 2: a field of more than 16 MiB", "Close quotes"],
    ),
    "UTF-16 without mark": (
        "id,labels\np1,car\n".encode("utf-16-le"),
        {},
        InputError,
        ["NUL", "Convert the file to UTF-8"],
    ),
    "truncated UTF-16": (b"\xff\xfei\0d", {}, InputError, ["is not UTF-16"]),
    "truncated zip": (b"PK\x03\x04\x14\x00\x08\xff", {}, InputError, ["this zip file cannot be unpacked"]),
    "spreadsheet": (
        packed("[Content_Types].xml", "xl/sheet1.xml"),
        {},
        InputError,
        ["Export the table as CSV"],
    ),
    "zip of several files": (
        packed("truth.csv", "run.csv"),
        {},
        InputError,
        ["holds 2 files: 'truth.csv', 'run.csv'", "Pack one file alone"],
    ),
    "truncated gzip": (
        gzip.compress(b"id,labels\np1,car\n")[:-9],
        {},
        InputError,
        ["this gzip file is cut off", "a part is missing"],
    ),
    "unknown concept in JSON Lines": (
        '{"id": "p1", "labels": ["car"]}\n{"id": "p2", "labels": ["bycicle"]}\n',
        {},
        UnknownConceptError,
        ["'bycicle' in row 2", "near: 'bicycle'"],
    ),
    "unknown concept in a list of records": (
        '{"documents": [{"pmid": 1, "labels": ["car"]}, {"pmid": 2, "labels": ["bycicle"]}]}',
        {},
        UnknownConceptError,
        ["'bycicle' in record 2", "near: 'bicycle'"],
    ),
    "nested records": (
        '[{"id": "p1", "labels": [["car"]]}]',
        {},
        InputError,
        ["record 1", '[["car"]]', '"labels": ["sky", "sea"]'],
    ),
    "NUL": ("id,labels\np1,ca\0r\n", {}, InputError, ["row 2", "NUL"]),
    "broken JSON": (
        '{"p1": ["car",\n]}',
        {},
        InputError,
        ["row ", "not valid JSON"],
    ),  # Pythons differ about the row
    "JSON that is no object": ('["car"]', {}, InputError, ["no object", '{"sample": ["label"']),
    "JSON with a text for labels": (
        '{"p1": "car"}',
        {},
        InputError,
        ["sample 'p1' has \"car\"", '{"sample": ["label"'],
    ),
    "JSON with numbers for labels": (
        '{"p1": [1.5, 2]}',
        {},
        InputError,
        ["sample 'p1' has [1.5, 2]", "labels are texts"],
    ),
    "JSON of another shape": (
        '{"questions": [{"id": "q1"}]}',
        {},
        InputError,
        ["record 1: no key for the labels among 'id'", '"labels": ["sky", "sea"]'],
    ),
    "JSON nested too deeply": (
        '{"p1": ' + "[" * 200_000 + "]" * 200_000 + "}",
        {},
        InputError,
        ["nested too deeply"],
    ),
    "unknown format": ("id,labels\np1,car\n", {"input_format": "wid"}, ParameterError, ["near: 'wide'"]),
    "closing without an ontology": (
        "id,labels\np1,car\n",
        {"close": True, "ontology": None},
        ParameterError,
        ["close=True: expected an ontology"],
    ),
    "thresholds for labels": ("id,labels\np1,car\n", {"threshold": 0.5}, InputError, ["labels, not scores"]),
}

OPTIONS = {
    "unknown concept in the concept list",
    "abstract concept in the concept list",
    "concept listed under two names",
    "unknown format",
    "closing without an ontology",
}

# Content and what the message must contain.
SCORES: dict[str, tuple[str, list[str]]] = {
    "bad score": (
        "sample,concept,score\np1,car,0.5\np1,bicycle,high\n",
        ["row 3", "column 'score' holds 'high'"],
    ),
    "infinite score": ("sample,concept,score\np1,car,1e999\n", ["row 2", "column 'score' holds '1e999'"]),
    "word for a score": ("id,car\np1,true\n", ["row 2", "column 'car' holds 'true'", "long format"]),
    "empty score": ("id,car,bicycle\np1,0.5,\n", ["row 2", "column 'bicycle' holds ''"]),
    "two scores": (
        "sample,concept,score\np1,car,1\np1,Car,0\n",
        ["two scores for 'car', in rows 2 and 3", "Keep one"],
    ),
    "two scores in JSON": ('{"p1": {"car": 1, "Car": 0}}', ["sample 'p1' has two scores for 'car'"]),
    "score without concept": ("sample,concept,score\np1,,1\n", ["row 2", "a score, but no concept"]),
    "score that is no number in JSON": ('{"p1": {"car": "1"}}', ["sample 'p1'", "score of 'car' is \"1\""]),
    "score that is not finite in JSON": (
        '{"p1": {"car": NaN}}',
        ["score of 'car' is NaN", "no finite number"],
    ),
    "score too large in JSON": (
        '{"p1": {"car": 1' + "0" * 400 + "}}",
        ["score of 'car' is 1000", "no finite number"],
    ),
    "truth value in JSON": ('{"p1": {"car": true}}', ["score of 'car' is true"]),
    "labels in JSON": ('{"p1": ["car"]}', ["sample 'p1' has labels, not scores"]),
    "labels": ("id,labels\np1,car\n", ["wide CSV", "labels, not scores"]),
}

CONCEPT_LISTS: dict[str, tuple[str, list[str]]] = {
    "twice": ("car\nbicycle\ncar\n", ["'car' is listed twice, in row 1 and row 3"]),
    "empty name": ("number\tname\n1\t\n", ["row 2 names no concept"]),
    "header alone": ("concept\n", ["no concept below the header"]),
    "columns without name": ("1\tcar\n2\tbicycle\n", ["row 1", "'concept', 'name' or 'label'"]),
    "empty": ("", ["empty"]),
    "empty quotes": ('""\n""\n', ["empty"]),
}

CONCEPT_MAPS: dict[str, tuple[str, list[str]]] = {
    "two meanings": (
        "label,concept\nRad,bicycle\nRad,car\n",
        ["row 3", "'Rad' stands for 'bicycle' and for 'car'"],
    ),
    "no header": (
        "Rad,bicycle\n",
        ["row 1", "no columns for the label among 'Rad', 'bicycle'", "label,concept"],
    ),
    "two columns of labels": ("label,name,concept\na,b,c\n", ["2 columns for the label"]),
    "empty concept": ("label,concept\nRad,\n", ["row 2", "the concept is empty"]),
}


@pytest.fixture(scope="module")
def vehicles() -> oe.Ontology:
    return oe.read_ontology(oe.ontologies.path("diamond"))


def written(folder: Path, content: str | bytes) -> Path:
    path = folder / "wrong.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def says(error: OntoevalError, parts: list[str], *, about_file: bool = True) -> None:
    message = str(error)
    for part in [*parts, *(["wrong.csv"] if about_file else [])]:
        assert part in message
    assert re.search(r"[.)]$", message)
    assert len(message) < 2_000


@pytest.mark.parametrize("content", ["[1, 2]", '"sea"', "{}"])
def test_json_of_another_shape_is_called_json(content: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"this JSON is no object that holds samples.* Write \{"):
        oe.read_labels(path)


@pytest.mark.parametrize("case", FILES)
def test_a_wrong_label_file_is_refused(case: str, tmp_path: Path, vehicles: oe.Ontology) -> None:
    content, options, kind, parts = FILES[case]
    with pytest.raises(kind) as raised:
        oe.read_labels(written(tmp_path, content), **{"ontology": vehicles, **options})
    # What is wrong with an option is not the file's fault.
    says(raised.value, parts, about_file=case not in OPTIONS)


@pytest.mark.parametrize("case", SCORES)
def test_a_wrong_file_of_scores_is_refused(case: str, tmp_path: Path, vehicles: oe.Ontology) -> None:
    content, parts = SCORES[case]
    with pytest.raises(InputError) as raised:
        oe.read_scores(written(tmp_path, content), vehicles)
    says(raised.value, parts)


@pytest.mark.parametrize("case", CONCEPT_LISTS)
def test_a_wrong_concept_list_is_refused(case: str, tmp_path: Path) -> None:
    content, parts = CONCEPT_LISTS[case]
    with pytest.raises(InputError) as raised:
        oe.labels.read_concepts(written(tmp_path, content))
    says(raised.value, parts)


@pytest.mark.parametrize("case", CONCEPT_MAPS)
def test_a_wrong_concept_map_is_refused(case: str, tmp_path: Path) -> None:
    content, parts = CONCEPT_MAPS[case]
    with pytest.raises(InputError) as raised:
        oe.labels.read_concept_map(written(tmp_path, content))
    says(raised.value, parts)


def test_a_missing_file_is_refused_with_what_lies_beside_it(tmp_path: Path) -> None:
    written(tmp_path, "id,labels\n")
    with pytest.raises(
        InputError, match=r"rong\.csv: there is no such file \(near: 'wrong\.csv'\)\. Correct the path"
    ):
        oe.read_labels(tmp_path / "rong.csv")


def test_a_folder_is_no_label_file(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match="this is a folder, and holds no label files of Annif and no Phenopackets"
    ):
        oe.read_labels(tmp_path)


# What the formats are made of, so that arbitrary texts come near to them.
PIECES = [
    "id",
    "label",
    "labels",
    "score",
    "car",
    "p1",
    "0",
    "1",
    "0.5",
    "nan",
    "true",
    *',;|\t\n\r "{}[]:',
    "\0",
    "ü",
]
PIECES += ["id,labels\n", "sample,concept\n", "sample,concept,score\n", "id,car,bicycle\n", '{"p1": ']
PIECES += [
    '{"id": "p1", "labels": [',
    '"car"]}\n',
    '[{"id": ',
    "# id,labels\n",
    "T1\tGO:1\t0.5\n",
    "AUTHOR\tme\n",
]
PIECES += [
    "END\n",
    "<http://a/b>",
    "@relation r\n",
    "@attribute c hierarchical a\n",
    "@data\n",
    "@",
    "'",
    "%",
]
BEGINNINGS = [
    b"",
    b"\x1f\x8b\x08",
    b"PK\x03\x04",
    b"BZh91AY&SY",
    b"\xfd7zXZ\0",
    b"\x93NUMPY\x01\0v\0{",
    b"PAR1",
    b"\xff\xfe",
]


@given(
    content=st.lists(st.sampled_from(PIECES), max_size=30).map(lambda parts: "".join(parts).encode())
    | st.tuples(st.sampled_from(BEGINNINGS), st.binary()).map(b"".join)
)
@settings(max_examples=500)
def test_whatever_a_file_contains_it_is_read_or_refused_in_words(content: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder), content)
        for options in ({}, {"threshold": 0.5}, {"concepts": ["car", "bicycle"], "unknown": "drop"}):
            with contextlib.suppress(OntoevalError):
                sets = oe.read_labels(path, **options)
                assert len(sets) > 0


HEADER = b"\x93NUMPY\x01\x00\x10\x27{'descr': '|b1', \0\x00" + b" " * 9_981


@pytest.mark.parametrize(
    "content", [b"%" * 1_000_000, HEADER], ids=["marks of remarks", "header of an array"]
)
def test_what_is_nearly_of_a_format_is_refused_at_once(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "truth"
    path.write_bytes(content)
    begin = time.process_time()
    with pytest.raises(InputError, match=r"not recognised|no array that NumPy has saved"):
        oe.read_labels(path)
    assert time.process_time() - begin < SECONDS


# Ten megabytes in one line, or in lines that say nothing.
HUGE = {
    "one word": b"a" * 10**7,
    "words": b"a " * (5 * 10**6),
    "fields": b"a\t" * (5 * 10**6),
    "commas": b"," * 10**7,
    "a field in quotes": b'"' + b"a" * 10**7 + b'"',
    "a quote that is not closed": b'id,labels\np1,"' + b"a;" * (5 * 10**6),
    "quotes": b'"' * 10**7,
    "titles": b",".join(b"title%d" % number for number in range(10**6)),
    "columns": b"id," + b",".join(b"title%d" % number for number in range(10**6)),
    "values": b"p1 " + b"0 " * (5 * 10**6),
    "digits": b"p1 " + b"1" * 10**7,
    "IRIs": b"<urn:a> " * (10**7 // 8),
    "beginnings of IRIs": b"t\t" + b"<" * 10**7,
    "a remark": b"#" * 10**7,
    "words of CAFA": b"AUTHOR " * (10**7 // 7),
    "letters beyond ASCII": "ü".encode() * (5 * 10**6),
    "blanks": b" " * 10**7 + b"x",
    "blank lines": b"\n" * 10**7 + b"x",
    "remarks": b"#\n" * (5 * 10**6) + b"x",
    "brackets": b"[" * 10**7,
    "an object without end": b'{"a": ' * (10**7 // 6),
}


@pytest.mark.parametrize("case", HUGE)
def test_ten_megabytes_in_one_line_are_refused_at_once(case: str, tmp_path: Path) -> None:
    path = tmp_path / "truth.txt"
    path.write_bytes(HUGE[case])
    begin = time.process_time()
    with pytest.raises(OntoevalError) as raised:
        oe.read_labels(path)
    assert time.process_time() - begin < SECONDS
    assert len(str(raised.value)) < 2_000


@pytest.mark.parametrize(
    "content",
    [
        b'id,labels\np1,"' + b"aaaa;" * (2 * 10**6) + b'"\n',
        b"id,labels\np1," + b"aaaa;" * (2 * 10**6),
        b'{"p1": ["' + b"a" * 10**7 + b'"]}',
        b"A text " + b"word " * (2 * 10**6) + b"\t<urn:a>\n",
        b"A text\t" + b"<urn:a> " * (10**7 // 8),
    ],
    ids=["quoted labels", "labels", "JSON", "Annif, text", "Annif, subjects"],
)
def test_ten_megabytes_in_one_line_are_read_where_they_are_labels(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "truth"
    path.write_bytes(content)
    begin = time.process_time()
    assert len(oe.read_labels(path)) == 1
    assert time.process_time() - begin < SECONDS


def test_long_fields_are_read_and_the_limit_of_other_tables_stays(tmp_path: Path) -> None:
    usual = csv.field_size_limit()
    content = f'id,title,labels\np1,"{"word, " * 100_000}",car\n'
    path = written(tmp_path, content)
    assert oe.read_labels(path).labels_of("p1") == ("car",)
    with pytest.raises(InputError, match="not closed"):
        oe.read_labels(written(tmp_path, content.replace('",car', ",car")))
    assert csv.field_size_limit() == usual
