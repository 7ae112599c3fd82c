"""Files are written together or not at all, and folders hold what one call has written."""

from __future__ import annotations

from pathlib import Path

import pytest

from ontoeval.errors import InputError, ParameterError
from ontoeval.plumbing.writing import Folder, refuse_overlaps, write_all

NAMES = ("a.csv", "b.csv", "c.csv")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with results of an earlier call, and something else."""
    folder = tmp_path / "out"
    (folder / "more").mkdir(parents=True)
    for name in ("a.csv", "b.csv", "mine.csv", "more/deep.csv"):
        (folder / name).write_text(f"earlier {name}", encoding="utf-8")
    return folder


def held(folder: Path) -> dict[str, str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_text("utf-8") for path in files}


def fail(path: Path) -> None:
    path.write_text("half", encoding="utf-8")
    message = "no more"
    raise RuntimeError(message)


def test_what_an_earlier_call_has_left_is_removed_and_told(folder: Path) -> None:
    said = write_all(
        {folder / "a.csv": "new", folder / "c.csv": b"bytes"}, folders=[Folder(folder, NAMES.__contains__)]
    )
    assert said == [f"{folder}: removed what an earlier call has left: 'b.csv'"]
    assert held(folder) == {
        "a.csv": "new",
        "c.csv": "bytes",
        "mine.csv": "earlier mine.csv",
        "more/deep.csv": "earlier more/deep.csv",
    }
    assert write_all({folder / "a.csv": "new"}) == []


def test_what_nobody_knows_is_named_where_it_may_not_be_public(folder: Path) -> None:
    texts = {folder / name: "new" for name in NAMES}
    assert write_all(texts, folders=[Folder(folder, NAMES.__contains__)]) == []
    (said,) = write_all(texts, folders=[Folder(folder, NAMES.__contains__)], public=True)
    assert "this call has not written 'mine.csv', 'more'" in said
    # What lies deeper is of this call.
    (said,) = write_all(
        {**texts, folder / "more" / "deep.csv": "new"},
        folders=[Folder(folder, NAMES.__contains__)],
        public=True,
    )
    assert "has not written 'mine.csv'; check" in said


def test_two_uses_of_a_folder_know_the_names_of_both(folder: Path) -> None:
    (folder / "f.svg").touch()
    uses = [Folder(folder, NAMES.__contains__), Folder(folder / "more" / "..", "f.svg".__eq__)]
    assert write_all({folder / "a.csv": "new"}, folders=uses) == [
        f"{folder}: removed what an earlier call has left: 'b.csv', 'f.svg'"
    ]


def test_a_folder_that_is_called_like_a_result_stays(folder: Path) -> None:
    (folder / "c.csv").mkdir()
    write_all({folder / "a.csv": "new"}, folders=[Folder(folder, NAMES.__contains__)])
    assert (folder / "c.csv").is_dir()


def test_nothing_is_removed_where_something_cannot_be_written(folder: Path) -> None:
    before = held(folder)
    with pytest.raises(RuntimeError, match="no more"):
        write_all(
            {folder / "a.csv": "new", folder / "c.csv": fail}, folders=[Folder(folder, NAMES.__contains__)]
        )
    assert held(folder) == before


def test_what_was_removed_is_back_where_a_file_cannot_take_its_place(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = held(folder)
    replace = Path.replace

    def refuse(path: Path, target: Path) -> Path:
        if target.name == "c.csv":
            raise PermissionError(13, "Permission denied")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(InputError, match=r"c\.csv: the file cannot be written: Permission denied"):
        write_all({folder / "c.csv": "new"}, folders=[Folder(folder, NAMES.__contains__)])
    assert held(folder) == before


def test_what_cannot_be_removed_is_an_error_and_nothing_is_written(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = held(folder)
    replace = Path.replace

    def refuse(path: Path, target: Path) -> Path:
        if path.name == "b.csv":
            raise PermissionError(13, "Permission denied")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(InputError, match=r"b\.csv: this earlier result cannot be removed: Permission denied"):
        write_all({folder / "c.csv": "new"}, folders=[Folder(folder, NAMES.__contains__)])
    assert held(folder) == before


def test_tables_do_not_take_the_place_of_what_is_read(folder: Path) -> None:
    with pytest.raises(
        ParameterError, match=r"--out=.*: expected another name: a file that is read .*\(a\.csv\)"
    ):
        refuse_overlaps({}, [folder / "a.csv"], folders={"--out": (folder, NAMES)})
    with pytest.raises(
        ParameterError, match=r"--out=.*: expected another name: a folder that is read lies there"
    ):
        refuse_overlaps({}, [folder], folders={"--out": (folder, NAMES)})
    refuse_overlaps({}, [folder / "mine.csv"], folders={"--out": (folder, NAMES), "--figures": (folder, ())})


def test_files_and_folders_have_names_of_their_own(folder: Path) -> None:
    with pytest.raises(ParameterError, match=r"--long=.*: expected another name: a table is written there"):
        refuse_overlaps({"--long": folder / "A.csv"}, [], folders={"--out": (folder, NAMES)})
    with pytest.raises(ParameterError, match=r"--out=.*: expected another name: what --long names"):
        refuse_overlaps({"--long": folder}, [], folders={"--out": (folder, NAMES), "--figures": (None, ())})


def test_nothing_is_written_among_runs_that_would_be_taken_for_one(folder: Path) -> None:
    with pytest.raises(ParameterError, match="another folder: runs are looked for in this one"):
        refuse_overlaps({"--long": folder / "values.csv"}, [], runs=lambda path: path.parent == folder)
    with pytest.raises(ParameterError, match="another folder: runs are looked for in this one"):
        refuse_overlaps({}, [], folders={"--out": (folder, NAMES)}, runs=lambda path: path.parent == folder)
