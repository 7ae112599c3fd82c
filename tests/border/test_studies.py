"""Studies of measures as files: sections of benchmark files, recipes, LaTeX; and what stands first."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path

import numpy as np
import pytest

import ontoeval as oe
from ontoeval.errors import InputError
from ontoeval.reports.terminal import on_terminal
from tests.commands import call, refusal

FEW = ("--resamples", "20", "--no-changes")
ABOVE = 'truth = "truth.csv"\nruns = "runs"\nresamples = 20\nmeasures = ["F"]\n'
STUDY = '\n[study]\nmeasures = ["F", "Jaccard", "Hamming"]\nno_changes = true\n'


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with a truth and four runs, one of them twice, and go there."""
    runs = {"a": "sky;sea", "b": "sky", "c": "sea;land", "again": "sky"}
    (tmp_path / "runs").mkdir()
    (tmp_path / "truth.csv").write_text("id,labels\np1,sky;sea\np2,sea\np3,sky\n", encoding="utf-8")
    for name, labels in runs.items():
        rows = f"p1,{labels}\np2,sea\np3,{labels}\n"
        (tmp_path / "runs" / f"{name}.csv").write_text(f"id,labels\n{rows}", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def benchmark(folder: Path, text: str = ABOVE + STUDY) -> Path:
    """Write a benchmark file."""
    path = folder / "benchmark.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_benchmark_with_a_study_writes_and_verifies_both(folder: Path) -> None:
    made = oe.run_benchmark(benchmark(folder))
    assert made.study is not None
    assert list(made.study.comparison.measures) == ["F", "Jaccard", "Hamming"]
    assert list(made.comparison.measures) == ["F"]
    recipe = json.loads((made.folder / "recipe.json").read_text("utf-8"))
    assert {"leaderboard.csv", "study/power.csv", "study/power.tex", "study/study.json"} <= set(
        recipe["outputs"]
    )
    assert oe.verify(made.folder).verdict == "Everything holds."
    power = made.folder / "study" / "power.csv"
    power.write_text(power.read_text("utf-8") + "\n", encoding="utf-8")
    assert [check.name for check in oe.verify(made.folder).checks if not check.holds] == ["study/power.csv"]


@pytest.mark.parametrize(("part", "there"), [("study", "study/power.csv"), ("comparison", "leaderboard.csv")])
def test_a_part_of_a_benchmark_can_be_made_alone(folder: Path, part: str, there: str) -> None:
    shown = call("run", benchmark(folder), "--part", part)
    assert shown.exit_code == 0
    assert (folder / "results" / there).exists()
    assert (folder / "results" / "leaderboard.csv").exists() is (part == "comparison")
    assert oe.verify(folder / "results").holds


def test_what_a_section_cannot_say_is_refused_by_its_keys(folder: Path) -> None:
    for line, message in (
        ("kind = ['drop']", "unknown key 'kind' (near: 'kinds')"),
        ("kinds = ['sibling']", "ontology"),
        ("correlations = ['taub']", "correlations"),
        ("baselines = ['prior']", "unknown key 'baselines'"),
        ("title = 'Mine'", "report"),
    ):
        with pytest.raises(InputError, match=r"benchmark\.toml") as refused:
            oe.run_benchmark(benchmark(folder, f"{ABOVE}\n[study]\n{line}\n"))
        assert message in str(refused.value)
    with pytest.raises(InputError, match="section"):
        oe.run_benchmark(benchmark(folder, f"{ABOVE}study = 3\n"))


def test_a_part_that_is_not_there_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    said = refusal(["run", benchmark(folder, ABOVE), "--part", "study"], capsys, monkeypatch)
    assert "there is no section [study]" in said


def test_the_folder_of_a_study_has_a_recipe_that_verifies(folder: Path) -> None:
    for arguments in (("truth.csv", "runs"), (folder / "truth.csv", folder / "runs" / "a.csv", "runs/b.csv")):
        command = ("study", *arguments, "-m", "F", "-m", "P", *FEW, "--correlation", "ks", "--out", "out")
        assert call(*command).exit_code == 0
        recipe = json.loads(Path("out", "recipe.json").read_text("utf-8"))
        assert recipe["file"] == "command"
        assert {"truth.csv", "runs/a.csv"} <= set(recipe["inputs"])
        shown = call("verify", "out")
        assert shown.exit_code == 0, shown.stdout
        assert "Everything holds." in shown.stdout
    truth = folder / "truth.csv"
    truth.write_text(truth.read_text("utf-8").replace("p3,sky", "p3,sea"), encoding="utf-8")
    shown = call("verify", "out")
    assert shown.exit_code == 1
    assert "has changed" in shown.stdout


def test_the_page_and_figures_of_a_study_are_verified_where_they_lie_in_its_folder(folder: Path) -> None:
    pytest.importorskip("matplotlib")
    options = (
        "--correlation",
        "ks",
        "--report",
        "out/page.html",
        "--title",
        "Mine",
        "--figures",
        "out/figures",
    )
    command = ("study", "truth.csv", "runs", "-m", "F", "-m", "P", *FEW, "--out", "out", *options)
    assert call(*command).exit_code == 0
    recipe = json.loads(Path("out", "recipe.json").read_text("utf-8"))
    assert {"page.html", "figures/power.pdf"} <= set(recipe["outputs"])
    assert oe.verify(folder / "out").verdict == "Everything holds."


MEASURES = ("F", "F(average='macro')", "P", "R", "Jaccard", "Hamming", "ExactMatch", "F(beta=2)")


def study_of_runs(**options: object) -> oe.comparison.Study:
    """Study eight measures over six runs that drop, add and change labels, one of them twice."""
    truth = oe.LabelSets.from_sets([["a", "b"], ["b"], ["c", "a"], ["d"], ["a"], ["b", "c", "d"]] * 10)
    runs = {
        f"{kind} {rate}": oe.comparison.perturb(truth, kind, rate, seed=1)
        for kind in ("drop", "add", "random")
        for rate in (0.1, 0.3)
    }
    given = {"measures": MEASURES, "resamples": 40, "changes": None} | options
    return oe.study(truth, runs | {"copy": runs["drop 0.1"]}, **given)  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def study() -> oe.comparison.Study:
    """Study them with changes."""
    return study_of_runs(changes=oe.comparison.Changes(kinds=("drop", "add"), rates=(0.1, 0.3)))


def test_the_answer_names_groups_of_measures_what_to_report_and_the_caveat(
    study: oe.comparison.Study,
) -> None:
    page = html.unescape(study.report())
    choice, found, caveat = re.findall(r'<p class="head">(.*?)</p>', page, re.DOTALL)
    values = study.agreements["tau_b"].values[~np.eye(8, dtype=bool)]
    assert f"τ_b of two rankings of the 6 runs is {values.min():.2f} to {values.max():.2f}; " in found
    assert "of 15 pairs of runs" in found
    assert ("Report one measure of each group" in choice) == ("significantly ahead" in choice)
    assert "does not make them valid" in caveat
    assert "fewer than 15 runs" in caveat


def test_axioms_are_tried_in_fewer_cases_where_there_are_many_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    tree = oe.Hierarchy.from_edges([("top", "a"), ("top", "b"), ("top", "c"), ("a", "d"), ("b", "e")])
    for most, cases in ((150, 25), (12, 20)):
        monkeypatch.setattr("ontoeval.comparison.study.MOST_MARKS", most)
        runs = {"x": [["a"], ["b"]], "y": [["d"], ["c"]]}
        found = oe.study([["a"], ["e"]], runs, hierarchy=tree, measures="F", resamples=5, changes=None)
        assert f"Axioms: at most {cases} cases each, seed 0." in found.lines
        assert f"Of at most {cases} cases each." in found.tables()["behaviour"].notes


@pytest.mark.usefixtures("folder")
def test_the_answer_stands_first_in_the_terminal() -> None:
    shown = call("study", "truth.csv", "runs", "-m", "F", "-m", "P", *FEW).stdout
    assert shown.index("does not make them valid") < shown.index("Agreement of rankings")


def test_identical_runs_are_named_once(study: oe.comparison.Study) -> None:
    assert "Runs that predict the same count once: drop 0.1 = copy." in study.notes
    assert not any("copy" in note for table in study.tables().values() for note in table.notes)


def test_a_run_that_is_the_truth_or_nearly_is_named_in_a_study_too() -> None:
    truth = [["a", "b"], ["a"]] * 100
    runs = {"leaked": truth, "near": [["b"], *truth[1:]], "twin": [["b"], *truth[1:]], "other": [["a"]] * 200}
    notes = oe.study(truth, runs, measures="F", resamples=5, changes=None).notes
    assert "Runs that predict the same count once: near = twin." in notes
    assert "'leaked' has the labels of the truth in every sample." in notes
    assert any(note.startswith("'near' and the truth differ in 1 label (F above 0.995)") for note in notes)
    assert not any(note.startswith("These runs predict the same") for note in notes)


def test_a_square_matrix_fits_into_a_line(study: oe.comparison.Study) -> None:
    table = study.tables()["agreement-tau_b"]
    lines = str(on_terminal(table, 80)).splitlines()
    head = next(line for line in lines if line.startswith("  measure"))
    assert head.split()[1:] == [str(number) for number in range(1, 9)]
    assert max(map(len, lines)) <= 80
    assert sum("ExactMatch" in line for line in lines) == 1
    assert any("bounds" in line for line in lines)
    assert "[" in str(on_terminal(table, 300))


def test_a_measure_has_one_colour_in_all_figures_and_no_two_of_eight_share_one(
    study: oe.comparison.Study,
) -> None:
    pytest.importorskip("matplotlib")
    drawn = {
        "power": oe.figures.power(study),
        "swaps": oe.figures.swaps(study),
        "sensitivity": oe.figures.sensitivity(study, "prediction", "drop"),
    }
    by_figure = []
    for ax in drawn.values():
        legend = ax.get_legend()
        assert legend is not None
        names = [text.get_text().split("  ")[-1] for text in legend.get_texts()]
        by_figure.append(dict(zip(names, [line.get_color() for line in legend.get_lines()], strict=True)))
    assert by_figure[0] == by_figure[1] == by_figure[2]
    assert len(set(by_figure[0].values())) == len(MEASURES)


def test_losses_and_scores_fall_in_one_direction(study: oe.comparison.Study) -> None:
    pytest.importorskip("matplotlib")
    ax = oe.figures.sensitivity(study, "prediction", "drop")
    ends = {
        name: float(np.asarray(line.get_ydata())[-1])
        for name, line in zip(MEASURES, ax.get_lines(), strict=True)
    }
    assert all(-1.0 <= end < 0.0 for measure, end in ends.items() if measure != "P")
    assert ends["P"] <= 0.0


@pytest.mark.usefixtures("folder")
def test_tables_for_papers_have_their_title_as_caption() -> None:
    assert call("study", "truth.csv", "runs", "-m", "F", "-m", "P", *FEW, "--out", "out").exit_code == 0
    assert (
        call("compare", "truth.csv", "runs", "-m", "F", "--resamples", "20", "--out", "board").exit_code == 0
    )
    for path in (*Path("out").glob("*.tex"), Path("board", "leaderboard.tex")):
        (caption,) = re.findall(r"\\caption\{(.*)\}", path.read_text("utf-8"))
        assert len(caption) < 60
    assert {path.stem for path in Path("out").glob("*.tex")} == {
        path.stem for path in Path("out").glob("*.csv")
    }
