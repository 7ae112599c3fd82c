"""A file that is written is there whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ontoeval.errors import InputError
from ontoeval.plumbing.writing import write_aside


def test_a_file_appears_when_it_is_complete(tmp_path: Path) -> None:
    target = tmp_path / "new" / "folders" / "scores.csv"
    with write_aside(target) as aside:
        aside.write_text("whole", encoding="utf-8")
        assert not target.exists()
        assert aside.suffix == ".csv"
    assert target.read_text(encoding="utf-8") == "whole"
    assert list(target.parent.iterdir()) == [target]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    target = tmp_path / "scores.csv"
    target.write_text("old", encoding="utf-8")

    def fail() -> None:
        with write_aside(target) as aside:
            aside.write_text("half", encoding="utf-8")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert target.read_text(encoding="utf-8") == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_link_stays_a_link_and_a_file_keeps_its_permissions(tmp_path: Path) -> None:
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    target.touch(mode=0o640)
    target.chmod(0o640)
    link.symlink_to(target)
    with write_aside(link) as aside:
        aside.write_text("new", encoding="utf-8")
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == "new"
    assert target.stat().st_mode & 0o777 == 0o640


def test_what_is_no_file_is_written_to_and_not_replaced(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with write_aside(pipe) as aside:
        assert aside == pipe
    assert pipe.is_fifo()


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"this is a folder. Name a file"), write_aside(tmp_path):
        pass


def test_a_folder_below_a_file_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="cannot be written"), write_aside(tmp_path / "file" / "scores.csv"):
        pass
