"""Packed files are unpacked within a bound, or refused with what is wrong."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zipfile
from collections.abc import Callable
from hashlib import sha256
from io import BytesIO
from pathlib import Path

import pytest

from ontoeval.errors import InputError, ParameterError
from ontoeval.plumbing.files import open_file, read_file, reading_at_most

TEXT = b"id,labels\n" + b"".join(f"p{number},sky;sea\n".encode() for number in range(2_000))


def zipped(*names: str, content: bytes = TEXT) -> bytes:
    file = BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, content)
    return file.getvalue()


PACKINGS: dict[str, Callable[[bytes], bytes]] = {
    "nothing": lambda content: content,
    "gzip": gzip.compress,
    "gzip in two parts": lambda content: gzip.compress(content[:100]) + gzip.compress(content[100:]),
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "zip": lambda content: zipped("truth.csv", content=content),
    "zip by macOS": lambda content: zipped("folder/", "folder/a.csv", "__MACOSX/._a.csv", content=content),
}
BROKEN = {
    "truncated gzip": (gzip.compress(TEXT)[:-20], "this gzip file is cut off"),
    "gzip cut after its head": (gzip.compress(TEXT)[:11], "this gzip file is cut off"),
    "damaged gzip": (gzip.compress(TEXT)[:-8] + b"\0" * 8, "cannot be unpacked: CRC check failed"),
    "truncated bzip2": (bz2.compress(TEXT)[:-20], "this bzip2 file is cut off"),
    "damaged bzip2": (bz2.compress(TEXT)[:60] + b"\0" * 60, "this bzip2 file cannot be unpacked"),
    "truncated xz": (lzma.compress(TEXT)[:-20], "this xz file is cut off"),
    "truncated zip": (zipped("a.csv")[:-30], "this zip file cannot be unpacked: File is not a zip file"),
    "zip of several": (zipped("a.csv", "b.csv"), "holds 2 files: 'a.csv', 'b.csv'. Pack one file alone"),
    "empty zip": (zipped(), r"holds 0 files\. Pack one file alone"),
    "spreadsheet": (zipped("[Content_Types].xml", "xl/workbook.xml"), "Export the table as CSV"),
}


@pytest.mark.parametrize("packing", PACKINGS)
def test_a_file_is_the_same_however_it_is_packed(tmp_path: Path, packing: str) -> None:
    path = tmp_path / "truth"
    path.write_bytes(PACKINGS[packing](TEXT))
    file = read_file(path)
    assert file.data == TEXT
    assert file.digest == sha256(path.read_bytes()).hexdigest()
    with open_file(path) as stream:
        assert stream.peek(2)[:2] == b"id"
        assert stream.read() == TEXT


@pytest.mark.parametrize("case", BROKEN)
def test_a_broken_file_is_refused_in_words(tmp_path: Path, case: str) -> None:
    content, message = BROKEN[case]
    path = tmp_path / "truth"
    path.write_bytes(content)
    with pytest.raises(InputError, match=f"truth: .*{message}"):
        read_file(path)
    with pytest.raises(InputError, match=f"truth: .*{message}"), open_file(path) as stream:  # noqa: PT012
        while stream.read(1_000):
            pass


@pytest.mark.parametrize("pack", ["gzip", "bzip2", "xz", "zip"])
def test_what_unpacks_to_more_than_the_bound_is_refused(tmp_path: Path, pack: str) -> None:
    path = tmp_path / "bomb"
    path.write_bytes(PACKINGS[pack](b"\0" * 2**21))
    with (
        reading_at_most(2**20),
        pytest.raises(InputError, match=rf"{pack} file unpacks to more than the 1 MiB .*--max-size 2MiB"),
    ):
        read_file(path)
    with reading_at_most(2**21):
        assert len(read_file(path).data) == 2**21


def test_a_password_is_refused(tmp_path: Path) -> None:
    content = bytearray(zipped("a.csv"))
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        content[content.index(mark) + offset] |= 1  # the flag that says that it is encrypted
    path = tmp_path / "truth.zip"
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"this zip file cannot be unpacked: .*password"):
        read_file(path)


@pytest.mark.parametrize(
    "address", ["http://example.org/a.csv", "https://example.org/a", "ftp://example.org/a"]
)
def test_addresses_are_never_fetched(address: str) -> None:
    with pytest.raises(InputError, match="nothing is fetched from there"):
        read_file(address)


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "truth.csv").touch()
    for path, message in (
        (tmp_path, "this is a folder"),
        (tmp_path / "thruth.csv", r"no such file \(near: 'truth\.csv'\)"),
        (tmp_path / "none" / "truth.csv", "there is no such file"),
        ("a\0b", "the file cannot be read"),
        ("/dev/null", "this is no ordinary file"),
    ):
        with pytest.raises(InputError, match=message):
            read_file(path)
        with pytest.raises(InputError, match=message), open_file(path):
            pass
    for other in (3, b"truth.csv", None):
        with pytest.raises(ParameterError, match="the path of a local file"):
            read_file(other)  # type: ignore[arg-type]
