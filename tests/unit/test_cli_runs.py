"""Files, folders and globs as runs, and what runs are called."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner

from ontoeval.cli import app
from ontoeval.cli.scoring_options import Runs, runs_of
from ontoeval.core.table import Column, Table
from ontoeval.errors import InputError

Folder = Callable[..., Path]


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """Write files, each of one label set unless it says something else."""

    def make(*names: str, text: str = "id,labels\n1,a\n") -> Path:
        for name in names:
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(text, encoding="utf-8")
        return tmp_path

    return make


def test_a_folder_stands_for_its_runs_in_alphabetical_order(folder: Folder) -> None:
    place = folder(
        "b.csv", "a.jsonl", "C.txt", ".hidden", "README.md", "Makefile", "notes/x.csv", "truth.csv"
    )
    runs = runs_of([place], beside=[place / "truth.csv", None])
    assert runs.names == ("C", "a", "b")
    (remark,) = runs.remarks
    assert all(name in remark for name in (".hidden", "README.md", "Makefile", "notes", "truth.csv"))


def test_backups_are_no_runs(folder: Folder) -> None:
    runs = runs_of([folder("a.csv", "a.csv~", "a.csv.bak", "a.csv.orig")])
    assert runs.names == ("a",)
    assert all(name in runs.remarks[0] for name in ("a.csv~", "a.csv.bak", "a.csv.orig"))


def test_files_come_in_the_order_given_and_globs_sorted(folder: Folder) -> None:
    place = folder("runs/b.csv", "runs/a.csv", "runs/a.md", "z.csv", "runs/deep/c.csv")
    runs = runs_of([place / "z.csv", place / "runs" / "*"])
    assert [path.name for path in runs.paths] == ["z.csv", "a.csv", "b.csv"]
    assert "a.md" in runs.remarks[0]
    assert runs_of([place / "runs" / "**" / "*.csv"]).names == ("a", "b", "c")


def test_a_file_that_is_called_like_a_glob_is_that_file(folder: Folder) -> None:
    place = folder("run[1].csv", "run1.csv")
    assert runs_of([place / "run[1].csv"]).names == ("run[1]",)


def test_a_single_file_is_taken_whatever_it_is_called(folder: Folder) -> None:
    place = folder("run.md")
    assert runs_of([place / "run.md", place / "none.csv"]).names == ("run", "none")


def test_a_folder_of_documents_is_one_run(folder: Folder) -> None:
    place = folder("subjects/doc1.tsv", "subjects/doc2.tsv", text="<http://example.org/a>\ta\n")
    folder("tables/run.tsv", text="id\tlabels\n1\ta\n")
    folder("unclear/run.tsv", text="what is this\n")
    assert runs_of([place / "subjects"]).names == ("subjects",)
    assert runs_of([place]).names == ("subjects",)
    assert runs_of([place / "tables"]).names == ("run",)
    assert runs_of([place / "tables"], input_format="annif").names == ("tables",)
    assert runs_of([place / "unclear"]).names == ("run",)


@pytest.mark.parametrize(
    ("name", "message"), [("empty", "holds no runs"), ("*.xyz", "nothing that fits this")]
)
def test_a_place_without_runs_is_refused(name: str, message: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=message):
        runs_of([tmp_path / name])


def test_a_run_that_is_meant_twice_is_refused(folder: Folder) -> None:
    place = folder("a.csv")
    with pytest.raises(InputError, match="named twice"):
        runs_of([place, place / "a.csv"])


def test_runs_have_the_names_and_teams_of_a_table(folder: Folder) -> None:
    place = folder("x/run.csv", "y/run.csv", "last.csv")
    table = place / "names.csv"
    table.write_text(
        f"File,Name,Team\n{(place / 'y/run.csv').as_posix()},<b>Second</b>,Us\nlast,Third,You\n"
        f"{(place / 'x/run.csv').as_posix()},First,Us\n",
        encoding="utf-8",
    )
    runs = runs_of([place / "x" / "run.csv", place / "y" / "run.csv", place / "last.csv"], names=table)
    assert runs.names == ("First", "<b>Second</b>", "Third")
    shown = runs.with_teams(Table("", (Column("run"), Column("F", 2)), (("Third", 0.5), ("baseline", 0.1))))
    assert [column.title for column in shown.columns] == ["run", "team", "F"]
    assert shown.rows == (("Third", "You", 0.5), ("baseline", "", 0.1))


def test_a_table_may_name_teams_alone_or_names_alone(folder: Folder) -> None:
    place = folder("a.csv")
    table = place / "names.csv"
    table.write_text("run;team\na.csv;Us\n", encoding="utf-8")
    assert runs_of([place / "a.csv"], names=table) == Runs((place / "a.csv",), ("a",), ("Us",))
    table.write_text("run,name\na,First\n", encoding="utf-8")
    runs = runs_of([place], names=table)  # which is no run, though it lies there
    assert (runs.names, runs.teams) == (("First",), ())
    assert runs.with_teams(Table("", (Column("run"),), ())).columns == (Column("run"),)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("a,A\n", r"no row for 1 run: '.*b.csv'. Give each run one"),
        ("a,A\nb,B\nbb,C\n", r"row 4: 'bb' names no run"),
        ("a,A\nb,B\na.csv,C\n", "row 4: the run 'a.csv' has a row already"),
        ("a,A\nb,A\n", "row 3: 'A' is taken"),
        ("a,\nb,B\n", "row 2: the name is empty"),
    ],
)
def test_a_table_of_names_that_does_not_fit_is_refused(folder: Folder, rows: str, message: str) -> None:
    place = folder("a.csv", "b.csv")
    table = place / "names.csv"
    table.write_text(f"run,name\n{rows}", encoding="utf-8")
    with pytest.raises(InputError, match=message):
        runs_of([place], names=table)


def test_a_name_that_several_runs_bear_is_refused(folder: Folder) -> None:
    place = folder("x/run.csv", "y/run.csv")
    table = place / "names.csv"
    table.write_text("run,name\nrun,A\n", encoding="utf-8")
    with pytest.raises(InputError, match="'run' names several runs"):
        runs_of([place / "x" / "run.csv", place / "y" / "run.csv"], names=table)


def test_a_table_of_names_needs_a_column_of_runs(folder: Folder) -> None:
    place = folder("a.csv")
    (place / "names.csv").write_text("name,team\nA,Us\n", encoding="utf-8")
    with pytest.raises(InputError, match="no columns for the run"):
        runs_of([place / "a.csv"], names=place / "names.csv")


def test_score_takes_folders_globs_and_names(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder("runs/a.csv", "runs/b.csv", "runs/notes.md", "truth.csv")
    (place / "names.csv").write_text("run,name,team\na,First,Us\nb,Second,You\n", encoding="utf-8")
    monkeypatch.chdir(place)
    for runs in ("runs", "runs/*.csv"):
        arguments = [
            "score",
            "truth.csv",
            runs,
            "--names",
            "names.csv",
            "-m",
            "F",
            "-o",
            "out",
            "--format",
            "json",
        ]
        result = CliRunner().invoke(app, arguments, catch_exceptions=False)
        found = json.loads(result.stdout)
        assert [(row["run"], row["team"], row["F"]) for row in found["rows"]] == [
            ("First", "Us", 1),
            ("Second", "You", 1),
        ]
        assert any("notes.md" in line for line in found["inputs"]) == (runs == "runs")
    for name in ("leaderboard", "per_sample", "per_concept"):
        text = (place / "out" / f"{name}.csv").read_text(encoding="utf-8")
        assert text.splitlines()[1].startswith("First,Us,")


def test_what_would_be_taken_for_a_run_is_known(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    place = folder("runs/a.csv", "more/b.csv", "c.csv")
    monkeypatch.chdir(place)
    runs = runs_of([Path("runs"), Path("more/*.csv"), Path("c.csv")])
    assert runs.folders == (Path("runs"), Path("more"))
    taken = ("runs/x.csv", place / "runs" / "x", "more/x.jsonl", "runs/../more/x.csv")
    assert all(runs.takes(Path(path)) for path in taken)
    free = ("x.csv", "runs/x.html", "runs/.x.csv", "runs/deep/x.csv", "runs/README")
    assert not any(runs.takes(Path(path)) for path in free)
