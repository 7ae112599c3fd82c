"""Which format a file has follows from its first row by written rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontoeval.errors import InputError, ParameterError
from ontoeval.labels.formats import FORMATS, Recognised
from ontoeval.labels.recognition import LABEL_FORMATS, recognise


def written(folder: Path, content: str) -> Path:
    path = folder / "file.txt"
    path.write_text(content, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("content", "description"),
    [
        ("id,labels\np1,sky\n", "wide CSV (columns 'id', 'labels')"),
        ("Image ID\tConcepts\np1\tsky\n", "wide TSV (columns 'Image ID', 'Concepts')"),
        ("YTID;tags\np1;sky\n", "wide CSV with semicolons (columns 'YTID', 'tags')"),
        ("labels,document\nsky,p1\n", "wide CSV (columns 'labels', 'document')"),
        ("sample,concept\np1,sky\n", "long CSV (columns 'sample', 'concept')"),
        ("file_name,class_id\np1,7\n", "long CSV (columns 'file_name', 'class_id')"),
        (",label\np1,sky\n", "long CSV (columns '', 'label')"),
        ("sample,concept,score\np1,sky,1\n", "long CSV (columns 'sample', 'concept', 'score')"),
        ("label,confidence,photo\nsky,1,p1\n", "long CSV (columns 'label', 'confidence', 'photo')"),
        ("id,sky,sea\np1,0,1\n", "CSV with a column for each concept (2)"),
        ("id,sky\np1,0\n", "CSV with a column for each concept (1)"),
        (",sky,sea\np1,0,1\n", "CSV with a column for each concept (2)"),
        ("id,164889003,164890007\np1,0,1\n", "CSV with a column for each concept (2)"),
        ("image,photo,score\np1,0,1\n", "CSV with a column for each concept (2)"),
        ('{"p1": ["sky"]}', "JSON (the labels of each sample)"),
        ('\n  {"p1": ["sky"]}', "JSON (the labels of each sample)"),
        ("p1.jpg 0 1 0\n", "ImageCLEF text (a name and 3 values in each line)"),
        ("{3BEF2E5B-D4EB}.jpg 0 1 0\n", "ImageCLEF text (a name and 3 values in each line)"),
        ("[1].jpg 0 1 0\n", "ImageCLEF text (a name and 3 values in each line)"),
        ("{p1},0,1\n", "ImageCLEF CSV (a name and 2 values in each line)"),
        ("p1.jpg\t0.5\t1e-3\n", "ImageCLEF TSV (a name and 2 values in each line)"),
        ("p1.jpg,0,1\n", "ImageCLEF CSV (a name and 2 values in each line)"),
        ("p,1.jpg 0 1\n", "ImageCLEF text (a name and 2 values in each line)"),
        (
            "id,start,end,labels\np1,0,10,sky\n",
            "wide CSV (columns 'id', 'start', 'end', 'labels'; not used: 'start', 'end')",
        ),
        ("id\ttitle\ttag\np1\tx\tsky\n", "long TSV (columns 'id', 'title', 'tag'; not used: 'title')"),
        ("text,labels\nOn trees,a;b\n", "wide CSV (columns 'text', 'labels')"),
        ("id,labels,scores\np1,a;b,1;0\n", "wide CSV (columns 'id', 'labels', 'scores')"),
        ("# by hand\nid,sky,sea\np1,0,1\n", "CSV with a column for each concept (2)"),
        ('{"id": "p1", "labels": []}\n{"id": "p2", "labels": []}', "JSON Lines (keys 'id', 'labels')"),
        ('[{"id": "p1", "labels": []}]', "JSON (the labels of each sample)"),
        ("@relation x\n", "ARFF with a hierarchical class"),
        ("A title\t<http://example.org/a>\n", "subjects as Annif writes them"),
        ("P12345\tGO:0005634\t0.5\n", "CAFA TSV (target, term, score)"),
    ],
)
def test_the_first_row_tells_the_format(tmp_path: Path, content: str, description: str) -> None:
    assert str(recognise(written(tmp_path, content))) == description


@pytest.mark.parametrize(
    "content",
    [
        "p1,sky\np2,sea\n",  # no header
        "p1,sky;sea\n",
        "foo,bar\np1,sky\n",  # names that say nothing
        "foo,sky,sea\np1,0,1\n",
        "id,labels,annotator\np1,sky,anna\n",  # what the annotator said is not known
        "id,labels,start,annotator\np1,sky,0,anna\n",
        "sample,concept,annotator\np1,sky,anna\n",
        "id,label,class\np1,sky,outdoor\n",
        "id,labels,score\np1,sky,0.5\n",
        "id,label,scores\np1,sky,0.5\n",
        "P12345\tGO:0005634\tF\n",
        "start,end\n0,1\n",
        "sky\nsea\n",
        "id 0 1\n",
        "p1.jpg 0 yes\n",
    ],
)
def test_what_the_rules_do_not_cover_is_refused(tmp_path: Path, content: str) -> None:
    with pytest.raises(
        InputError, match=r"file\.txt: the format is not recognised: the first row is .*id,labels"
    ):
        recognise(written(tmp_path, content))


@pytest.mark.parametrize(
    ("content", "input_format", "description"),
    [
        ("id,label\np1,sky;sea\n", "wide", "wide CSV (columns 'id', 'label')"),
        ("id,labels\np1,a;b\n", "long", "long CSV (columns 'id', 'labels')"),
        ("id,genre\np1,rock\n", "long", "long CSV (columns 'id', 'genre')"),
        ("key,sky,labels\np1,0,1\n", "columns", "CSV with a column for each concept (2)"),
        ('[{"p1": []}]', "json", "JSON (the labels of each sample)"),
        ("7 0 1\n", "imageclef", "ImageCLEF text (a name and 2 values in each line)"),
        ('{"id": "p1", "labels": []}', "jsonl", "JSON Lines (keys 'id', 'labels')"),
        ("GO1/GO2\n", "annif", "subjects as Annif writes them"),
        ("T1\tsky\t0.5\n", "cafa", "CAFA TSV (target, term, score)"),
        ("x\n", "arff", "ARFF with a hierarchical class"),
    ],
)
def test_a_format_that_is_asked_for_overrides(
    tmp_path: Path, content: str, input_format: str, description: str
) -> None:
    assert str(recognise(written(tmp_path, content), input_format=input_format)) == description


@pytest.mark.parametrize(
    ("content", "input_format"),
    [
        ("p1,sky\np2,sea\n", "long"),  # the first row would be lost as a header, or the header read as a row
        ("foo,bar\np1,sky\n", "wide"),
        ("id,sky,sea\np1,0,1\n", "imageclef"),
        ("sky\n", "columns"),
        ("id,labels\np1,sky\n", "cafa"),
        ("id,labels\np1,sky\n", "array"),
    ],
)
def test_a_format_that_does_not_fit_is_refused(tmp_path: Path, content: str, input_format: str) -> None:
    with pytest.raises(InputError, match=rf"this is not the format '{input_format}'"):
        recognise(written(tmp_path, content), input_format=input_format)


def test_a_format_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ParameterError, match=r"input_format='colums': expected one of .*near: 'columns'"):
        recognise(written(tmp_path, "id,labels\n"), input_format="colums")


def test_every_format_that_can_be_asked_for_is_declared() -> None:
    assert sorted(LABEL_FORMATS) == sorted(FORMATS)
    for declared in LABEL_FORMATS.values():
        assert "{" not in str(Recognised("wide", ",", words=declared.words))


def test_the_manual_has_every_format() -> None:
    manual = (Path(__file__).parents[3] / "docs" / "label-files.md").read_text(encoding="utf-8")
    table = "\n".join(line for line in manual.splitlines() if line.startswith("| `"))
    assert [name for name in FORMATS if f"`{name}`" not in table] == []


def test_a_long_first_line_is_json_and_not_looked_at_alone(tmp_path: Path) -> None:
    labels = ", ".join(f'"concept {number}"' for number in range(100_000))
    path = written(tmp_path, f'{{"p1": [{labels}]}}\n')
    assert path.stat().st_size > 2**20
    assert recognise(path).format == "json"
