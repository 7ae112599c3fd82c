"""Text files are read as an editor shows them, or refused with the place that is wrong."""

from __future__ import annotations

import codecs
from hashlib import sha256
from pathlib import Path

import pytest

from ontoeval.errors import InputError
from ontoeval.labels.reading import read_labels
from ontoeval.labels.sources import read_source


def rows(path: Path, content: bytes) -> list[tuple[int, list[str]]]:
    path.write_bytes(content)
    source = read_source(path)
    return list(source.rows(source.delimiter))


@pytest.mark.parametrize(
    ("header", "delimiter"),
    [
        ("id,labels", ","),
        ("id\tlabels", "\t"),
        ("id;labels", ";"),
        ("id,sky;blue,sea", ","),
        ('id;"Speech, male";Music', ";"),
        ('"id, or name"\t"sky,sea"', "\t"),
        ("id\tSpeech, male", "\t"),
        ('"a ""quoted, one""";b', ";"),
        ("photo 0 1", None),
    ],
)
def test_the_first_row_tells_the_delimiter(tmp_path: Path, header: str, delimiter: str | None) -> None:
    path = tmp_path / "table"
    path.write_text(f"{header}\np1,x;y\tz\n", encoding="utf-8")
    assert read_source(path).delimiter == delimiter


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_ends_a_line(tmp_path: Path, end: str) -> None:
    content = end.join(["id,labels", "", "p1,sky", ""]).encode()
    assert rows(tmp_path / "t.csv", content) == [(1, ["id", "labels"]), (3, ["p1", "sky"])]


def test_rows_are_counted_as_an_editor_does_although_fields_hold_newlines(tmp_path: Path) -> None:
    content = b'id,labels\np1,"sky\nand\nsea"\np2,x\n'
    assert rows(tmp_path / "t.csv", content) == [
        (1, ["id", "labels"]),
        (2, ["p1", "sky\nand\nsea"]),
        (5, ["p2", "x"]),
    ]


def test_characters_that_end_lines_only_elsewhere_do_not_end_them_here(tmp_path: Path) -> None:
    content = "id,labels\np1,a\u2028b\x0bc\x85d\n".encode()
    assert rows(tmp_path / "t.csv", content)[1] == (2, ["p1", "a\u2028b\x0bc\x85d"])


@pytest.mark.parametrize(
    "content",
    [
        codecs.BOM_UTF8 + "id,labels\np1,Bäume\n".encode(),
        codecs.BOM_UTF16_LE + "id,labels\np1,Bäume\n".encode("utf-16-le"),
        codecs.BOM_UTF16_BE + "id,labels\np1,Bäume\n".encode("utf-16-be"),
    ],
)
def test_a_byte_order_mark_is_no_text(tmp_path: Path, content: bytes) -> None:
    assert rows(tmp_path / "t.csv", content) == [(1, ["id", "labels"]), (2, ["p1", "Bäume"])]


def test_the_digest_is_that_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    content = codecs.BOM_UTF16_LE + "id,labels\n".encode("utf-16-le")
    path.write_bytes(content)
    assert read_source(path).digest == sha256(content).hexdigest()


def test_latin_1_is_refused_with_the_byte_that_is_wrong(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"t\.csv, row 2: the byte 0xE4 is not UTF-8. Convert the file to UTF-8"
    ):
        rows(tmp_path / "t.csv", "id,labels\np1,Bäume\n".encode("latin-1"))


def test_a_missing_file_is_named_with_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "truth.csv").touch()
    with pytest.raises(InputError, match=r"there is no such file \(near: 'truth\.csv'\)"):
        read_source(tmp_path / "thruth.csv")


def test_a_field_of_any_sane_length_is_read(tmp_path: Path) -> None:
    labels = ";".join(f"concept_{number}" for number in range(9_000))
    assert rows(tmp_path / "t.csv", f"id,labels\np1,{labels}\n".encode())[1][1][1] == labels


def test_blank_lines_before_a_header_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"\r\n \n\r\nid,labels\r\np1,a\r\n\r\np2\r\n")
    with pytest.raises(InputError, match=r"row 7: 1 field where the first row has 2"):
        read_labels(path)
