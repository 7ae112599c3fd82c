"""Runs over several data sets, on the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import ontoeval as oe
from ontoeval.cli import main
from ontoeval.labels.leaderboards import data_sets_of
from tests.commands import call

SCORES = [
    (0.9, 0.85, 0.6),
    (0.8, 0.75, 0.65),
    (0.7, 0.72, 0.6),
    (0.95, 0.9, 0.7),
    (0.6, 0.55, 0.5),
    (0.85, 0.8, 0.6),
]


def write(path: Path, text: str) -> str:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return str(path)


@pytest.fixture
def results(tmp_path: Path) -> list[str]:
    return [
        write(
            tmp_path / f"set{at}.csv",
            "run,Hamming,F\n" + "".join(f"{run},{1 - f},{f}\n" for run, f in zip("abc", row, strict=True)),
        )
        for at, row in enumerate(SCORES)
    ]


def rows(*arguments: str) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(call("rank", *arguments, "--format", "json").stdout)["rows"]
    return found


def test_worked_values(results: list[str]) -> None:
    shown = call("rank", *results, "-m", "F").stdout
    for text in ("χ² = 10.3333, p = 0.005704", "F = 31.0000, p = 5.1", "1.3531 apart", "measure: F"):
        assert text in shown
    found = rows(*results, "-m", "F")
    assert [row["run"] for row in found] == ["a", "b", "c"]
    assert [row["mean rank"] for row in found] == pytest.approx([1.166667, 1.833333, 3], abs=1e-6)
    assert [row["group"] for row in found] == ["1", "1, 2", "2"]
    assert [row["set2"] for row in found] == [2, 1, 3]


def test_the_first_measure_is_meant_and_its_best_end_is_known(results: list[str]) -> None:
    assert rows(*results) == rows(*results, "-m", "F")
    assert rows(*results) == rows(*results, "-m", "Hamming", "--best", "lowest")
    assert rows(*results, "-m", "F(beta=1)") == rows(*results, "-m", "F")


def test_the_best_end_of_another_measure_is_told(tmp_path: Path) -> None:
    paths = [
        write(
            tmp_path / f"{at}.csv",
            "run,mine\n" + "".join(f"{r},{f}\n" for r, f in zip("abc", row, strict=True)),
        )
        for at, row in enumerate(SCORES)
    ]
    assert [row["run"] for row in rows(*paths, "--best", "highest")] == ["a", "b", "c"]
    assert [row["run"] for row in rows(*paths, "--best", "lowest")] == ["c", "b", "a"]


def test_baselines_are_no_runs(results: list[str], tmp_path: Path) -> None:
    folders = []
    for at, path in enumerate(results):
        table = Path(path).read_text(encoding="utf-8") + "empty (baseline),1,0\n"
        folders.append(str(Path(write(tmp_path / f"with{at}" / "leaderboard.csv", table)).parent))
    shown = call("rank", *folders, "-m", "F").stdout
    assert "baselines are left out: empty" in shown
    assert "of 3 runs on 6 data sets" in shown
    assert [row["mean rank"] for row in rows(*folders)] == [row["mean rank"] for row in rows(*results)]


def test_spaces_around_names_of_runs_do_not_count(results: list[str], tmp_path: Path) -> None:
    padded = write(tmp_path / "padded.csv", "run,F\n a ,0.9\nb ,0.8\n c,0.7\n")
    assert "of 3 runs on 7 data sets" in call("rank", *results, padded, "-m", "F").stdout


def test_tables_are_written_into_a_folder(results: list[str], tmp_path: Path) -> None:
    shown = call("rank", *results, "-m", "F", "-o", str(tmp_path / "out"), "--format", "csv").stdout
    written = {path.name: path.read_text(encoding="utf-8") for path in (tmp_path / "out").iterdir()}
    assert set(written) == {"ranks.csv", "ranks.json", "ranks.tex", "ranks.md", "pairs.csv", "recipe.txt"}
    assert written["ranks.csv"] == shown
    assert written["pairs.csv"] == call("rank", *results, "-m", "F", "--pairs", "--format", "csv").stdout
    assert json.loads(written["ranks.json"])["inputs"] == ["measure: F"]
    assert "Friedman: χ² = 10.3333" in written["recipe.txt"]


def test_a_diagram_of_critical_differences_is_written(results: list[str], tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    call("rank", *results, "-m", "F", "--figures", str(tmp_path / "figures"))
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert names == {f"critical-difference.{form}" for form in ("pdf", "svg", "png")}


def test_data_sets_that_agree_wholly_are_no_proof_if_they_are_few(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{at}.csv", "run,F\na,3\nb,2\nc,1\n") for at in range(2)]
    shown = " ".join(call("rank", *paths).stdout.split())
    assert "F = inf" not in shown
    assert "Iman and Davenport: no F, since all data sets rank the runs alike" in shown
    assert "As a whole the runs do not differ significantly" in shown


def test_p_values_are_never_written_as_0(tmp_path: Path) -> None:
    pytest.importorskip("scikit_posthocs")
    paths = [write(tmp_path / f"{at}.csv", "run,F\na,3\nb,2\nc,1\n") for at in range(30)]
    found = call("rank", *paths, "--pairs", "--conover").stdout
    assert "<0.0001" in found
    assert " 0.0000" not in found
    assert "All data sets rank the runs alike" in found
    assert r"\textless{}0.0001" in call("rank", *paths, "--pairs", "--format", "latex").stdout


def test_pairs_are_listed(results: list[str]) -> None:
    found = rows(*results, "-m", "F", "--pairs")
    assert [row["p (Nemenyi)"] for row in found] == pytest.approx([0.4804, 0.0043, 0.1072], abs=5e-5)
    assert "p (Conover, Holm)" not in found[0]


def test_runs_are_compared_with_one_chosen_beforehand_and_by_conover(results: list[str]) -> None:
    pytest.importorskip("scikit_posthocs")
    (first, last) = rows(*results, "-m", "F", "--control", "b")
    assert (first["run"], last["run"]) == ("a", "c")
    assert first["difference of mean ranks"] == pytest.approx(-2 / 3)
    table = oe.comparison.friedman(SCORES, runs=["a", "b", "c"])
    assert last["p (Holm)"] == pytest.approx(table.against("b")["c"])
    found = rows(*results, "-m", "F", "--pairs", "--conover")
    assert found[2]["p (Conover, Holm)"] == pytest.approx(table.conover()[1, 2])


def test_folders_of_results_are_data_sets(tmp_path: Path) -> None:
    benchmark = oe.ontologies.benchmark()
    lines = (benchmark / "truth.csv").read_text(encoding="utf-8").splitlines()
    folders = []
    for at, rest in enumerate(([1, 2], [0, 1, 2, 3])):  # the runs on parts of the samples
        kept = [lines[0], *(line for place, line in enumerate(lines[1:]) if place % 4 in rest)]
        truth = write(tmp_path / f"truth{at}.csv", "\n".join(kept) + "\n")
        folders.append(str(tmp_path / f"part {at}"))
        runs = str(benchmark / "runs")
        call("score", truth, runs, "-m", "OS", "--ontology", "photo", "--missing", "empty", "-o", folders[-1])
    found = rows(*folders)
    assert {"part 0", "part 1"} < set(found[0])
    assert "With fewer than 5 data sets these tests say little." in " ".join(
        call("rank", *folders).stdout.split()
    )


def test_what_lacks_is_left_out_and_told(results: list[str], tmp_path: Path) -> None:
    more = write(tmp_path / "more.csv", "run,F\na,0.9\nb,0.8\nc,0.7\nd,0.6\n")
    without = write(tmp_path / "without.csv", "run,F\na,0.9\nb,\nc,0.7\n")
    shown = call("rank", *results, more, without, "-m", "F").stdout
    assert "left out, since they are not on all data sets: d" in shown
    assert "Left out, since a run has no score there: without." in shown
    assert "of 3 runs on 7 data sets" in shown


def test_runs_that_do_not_differ_are_told(tmp_path: Path) -> None:
    paths = [write(tmp_path / f"{at}.csv", "run,F\na,1\nb,1\nc,1\n") for at in range(5)]
    shown = call("rank", *paths).stdout
    assert "As a whole the runs do not differ significantly" in shown


def test_a_run_that_differs_from_all_has_a_group_of_its_own(tmp_path: Path) -> None:
    scores = [(4, 2, 0, 0.1), (3, 2, 0.1, 0)] * 20
    paths = [
        write(
            tmp_path / f"{at}.csv",
            "run,F\n" + "".join(f"{r},{f}\n" for r, f in zip("abcd", row, strict=True)),
        )
        for at, row in enumerate(scores)
    ]
    assert [row["group"] for row in rows(*paths)] == ["1", "2", "3", "3"]


def test_csv_has_its_notes_beside_it(results: list[str]) -> None:
    found = call("rank", *results, "-m", "F", "--format", "csv")
    assert found.stdout.splitlines()[0] == "run,mean rank,group,set0,set1,set2,set3,set4,set5"
    assert "Nemenyi" in found.stderr


def test_names_of_data_sets_are_those_of_folders_or_files(tmp_path: Path) -> None:
    folder = tmp_path / "v1.0"
    folder.mkdir()
    assert data_sets_of([folder, tmp_path / "x" / "leaderboard.csv", tmp_path / "y.csv"]) == [
        "v1.0",
        "x",
        "y",
    ]
    assert data_sets_of([Path("a/r.csv"), Path("b/r.csv")]) == ["a/r.csv", "b/r.csv"]
    assert data_sets_of([Path("leaderboard.csv")]) == ["leaderboard.csv"]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("run,F\na,1\na,2\n", [], "x.csv, row 3: the run 'a' is there twice"),
        ("run,F\na,good\n", [], "'good' is no score"),
        ("run,F\na,inf\n", [], "'inf' is no score"),
        ("run\na\n", [], "no column of scores"),
        ("run,F\na,1\n", ["-m", "hF"], "no column 'hF'"),
        ("run,mine\na,1\n", ["-m", "yours"], "no column 'yours'"),
        ("run,mine\na,1\n", [], "--best=None: expected highest or lowest, which 'mine' does not tell"),
        ("run,F\na,1\n", [], "1 runs to compare over data sets"),
        ("run,F\na,1\n", ["--best", "lowest"], "--best='lowest': expected highest, or nothing"),
        ("run,Hamming\na,1\n", ["--best", "highest"], "--best='highest': expected lowest, or nothing"),
        ("run,F\na,1\n", ["--alpha", "2"], "--alpha=2.0: expected a number above 0 and below 1"),
        ("run,F\n", [], "x.csv: no runs are there. Write a row for each run."),
        ("run,F\nrandom (baseline),1\n", [], "no run is on all 1 data sets: there are none"),
        ("run,F,F\na,0.9,1\n", [], "x.csv, row 1: the column 'F' is there twice"),
        ("run,P,F,F\na,1,0.9,1\n", ["-m", "F(beta=1)"], "the column 'F' is there twice"),
        ("run,F\na,1\n", ["--conover"], "--conover=True: expected --pairs beside it"),
        ("run,F\na,1\n", ["--pairs", "--control", "a"], "no --pairs beside it"),
    ],
)
def test_what_cannot_be_ranked_is_refused(
    text: str,
    options: list[str],
    message: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "argv", ["ontoeval", "rank", write(tmp_path / "x.csv", text), *options])
    with pytest.raises(SystemExit):
        main()
    assert message in " ".join(capsys.readouterr().err.split())


def test_results_that_are_named_twice_are_refused(
    results: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["ontoeval", "rank", results[0], results[0]])
    with pytest.raises(SystemExit):
        main()
    assert "these results are named twice" in capsys.readouterr().err


def test_data_sets_without_a_common_run_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = ("a,1\nb,1\n", "a,1\n", "c,1\n")
    paths = [write(tmp_path / f"{at}.csv", f"run,F\n{text}") for at, text in enumerate(tables)]
    monkeypatch.setattr(sys, "argv", ["ontoeval", "rank", *paths])
    with pytest.raises(SystemExit):
        main()
    said = " ".join(capsys.readouterr().err.split())
    assert (
        "no run is on all 3 data sets: 'a' is not in '2'; 'b' is not in '1', '2'; 'c' is not in '0', '1'"
        in said
    )
    assert "Name a run alike on all data sets" in said
