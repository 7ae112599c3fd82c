"""Wrong label files: each is refused with the file, the row, what is near and what to do."""

from __future__ import annotations

import contextlib
import csv
import tempfile
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ontoeval as oe
from ontoeval.errors import InputError, OntoevalError
from tests.patience import SECONDS


def written(folder: Path, content: str | bytes) -> Path:
    path = folder / "wrong.csv"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize("content", ["[1, 2]", '"sea"', "{}"])
def test_json_of_another_shape_is_called_json(content: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=r"this JSON is no object that holds samples.* Write \{"):
        oe.read_labels(path)


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
