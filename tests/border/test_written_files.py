"""A file that is written is there whole or not at all, where it is meant to be, and is the same file each time."""

from __future__ import annotations

import csv
import gzip
import html
import os
import re
import zipfile
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.errors import InputError
from tests.commands import call

SETS = oe.LabelSets.from_sets({"p1": ["Speech, male", "sky"], "p2": []})
TEXT = 'id,labels\np1,"Speech, male;sky"\np2,\n'


def test_a_file_is_packed_where_its_name_says_so_and_holds_neither_a_time_nor_a_name(tmp_path: Path) -> None:
    for name in ("labels.csv", "labels.csv.gz", "again.gz"):
        oe.write_labels(SETS, tmp_path / "new" / name)
    assert (tmp_path / "new" / "labels.csv").read_text("utf-8") == TEXT
    packed = (tmp_path / "new" / "labels.csv.gz").read_bytes()
    assert gzip.decompress(packed).decode() == TEXT
    assert packed == (tmp_path / "new" / "again.gz").read_bytes()
    assert packed[3:8] == b"\0" * 5, "no name, and no time"


def test_a_link_stays_a_link_a_file_keeps_its_permissions_and_a_pipe_stays_one(tmp_path: Path) -> None:
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.touch(mode=0o640)
    target.chmod(0o640)
    link.symlink_to(target)
    oe.write_labels(SETS, link)
    assert link.is_symlink()
    assert target.read_text("utf-8") == TEXT
    assert target.stat().st_mode & 0o777 == 0o640
    if hasattr(os, "mkfifo"):
        os.mkfifo(tmp_path / "pipe")
        reader = os.open(tmp_path / "pipe", os.O_RDONLY | os.O_NONBLOCK)
        oe.write_labels(SETS, tmp_path / "pipe")
        assert os.read(reader, 99).decode() == TEXT
        os.close(reader)
        assert (tmp_path / "pipe").is_fifo()


def test_what_cannot_be_written_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "labels.csv"
    target.write_text("old", encoding="utf-8")
    for name in ("a;b", " sky", "sky\n", "s\0ky", "\ud800"):
        with pytest.raises(InputError, match=r"contains what separates labels|would not be read as it is"):
            oe.write_labels(oe.LabelSets.from_sets({"p1": [name]}), target)
    with pytest.raises(InputError, match="would not be read as it is"):
        oe.write_labels(oe.LabelSets.from_sets({" p1": ["sky"]}), target)
    for place, message in ((tmp_path, "this is a folder"), (target / "scores.csv", "cannot be written")):
        with pytest.raises(InputError, match=message):
            oe.write_labels(SETS, place)
    with pytest.raises(oe.OntoevalError, match="output_format='json'"):
        oe.write_labels(SETS, target, output_format="json")  # type: ignore[arg-type]
    assert target.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


@pytest.mark.parametrize("line", ["score", "errors", "compare", "explain", "confusion", "diff", "audit"])
def test_out_is_a_file_in_the_format_of_its_ending_at_every_command(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    texts = {
        "truth": "id,labels\n0012,cat;dog\nIMG 2,cat\n",
        "run": "id,labels\n0012,cat\nIMG 2,dog\n",
        "tree": "child,parent\ncat,pet\ndog,pet\n",
    }
    for name, text in texts.items():
        Path(f"{name}.csv").write_text(text, encoding="utf-8")
    sample = ["0012"] * (line == "explain")
    given = ["truth.csv", *["run.csv"] * (line != "audit"), *sample]
    given += ["--ontology", "tree.csv"] * (line not in {"diff", "audit"})
    whole = [line, *given, "-q"]
    printed = call(*whole, "--format", "csv")
    written = call(*whole, "-o", "new.csv")
    assert written.exit_code == printed.exit_code
    assert Path("new.csv").read_text("utf-8") == printed.stdout
    pytest.importorskip("xlsxwriter")
    assert call(*whole, "-o", "new.xlsx").exit_code == printed.exit_code
    with zipfile.ZipFile("new.xlsx") as book:
        cells = html.unescape(book.read("xl/worksheets/sheet1.xml").decode())
        shared = html.unescape(book.read("xl/sharedStrings.xml").decode())
    values = [*map(float, re.findall("<v>([^<]+)</v>", cells))]
    for cell in {cell for row in csv.reader(printed.stdout.splitlines()) for cell in row if cell}:
        number = re.fullmatch(r"-?(0|[1-9]\d*)(\.\d+)?(e[+-]?\d+)?", cell)
        known = (
            any(float(cell) == pytest.approx(one) for one in values) if number else f">{cell}</t>" in shared
        )
        assert known
