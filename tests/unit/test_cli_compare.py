"""The command line compares runs, whatever they are called and however they are made."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any, get_args

import pytest

import ontoeval as oe
from ontoeval.cli import main
from ontoeval.cli.scoring_options import Format
from tests import commands
from tests.commands import call

FOLDER = oe.ontologies.benchmark()
TRUTH, RUNS, AGREEMENT = (str(FOLDER / name) for name in ("truth.csv", "runs", "agreement.csv"))
QUICK = ("--resamples", "30", "-m", "F")

LABELS = {"1": "x;y", "2": "y", "3": "x;z", "4": "z"}
HOSTILE = ("a\x1b[31mred", "<script>alert(1)<", "b_{$}%&^~#", "c|d*e`", "=cmd()", "e\u202egnp", "'quo\"tes'")


def table(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(text)))


@pytest.fixture
def refusal(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    return lambda *arguments: commands.refusal(arguments, capsys, monkeypatch)


@pytest.fixture
def small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    labels("truth.csv", LABELS)
    labels("run.csv", {**LABELS, "4": "x"})
    return tmp_path


def labels(path: str, sets: dict[str, str]) -> str:
    Path(path).parent.mkdir(parents=True, exist_ok=True)
    lines = ("id,labels", *(f"{sample},{one}" for sample, one in sets.items()))
    Path(path).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def test_compare_prints_what_python_computes() -> None:
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    runs = {path.stem: oe.read_labels(path, ontology) for path in sorted(Path(RUNS).iterdir())}
    expected = oe.compare(
        oe.read_labels(TRUTH, ontology),
        runs,
        hierarchy=ontology.hierarchy(),
        agreement=oe.read_agreement(AGREEMENT, ontology),
        measures=["OS", "F"],
        resamples=40,
        seed=3,
        level=0.9,
        interval="bca",
        test="bootstrap",
        correction="holm",
        alpha=0.1,
        baselines=["prior"],
        chance=True,
    )
    options = "--resamples 40 --seed 3 --level 0.9 --interval bca --test bootstrap --alpha 0.1 --chance"
    shown = call(
        *("compare", TRUTH, RUNS, "--ontology", "photo", "--agreement", AGREEMENT, "-m", "OS", "-m", "F"),
        *(*options.split(), "--baseline", "prior", "--format", "json"),
    )
    found = json.loads(shown.stdout)
    assert found["recipe"] == expected.signature.splitlines()
    board = {row["run"]: row for row in found["rows"]}
    assert expected.above_chance is not None
    for which, run in enumerate(expected.runs):
        row = board[run if run not in expected.baselines else f"{run} (baseline)"]
        for column, measure in enumerate(expected.measures):
            cell = row[measure]
            assert cell["value"] == expected.scores[which, column]
            assert (cell["low"], cell["high"]) == (expected.low[which, column], expected.high[which, column])
            assert cell["group"] == expected.groups(measure)[which]
            assert row[f"{measure} above chance"] == expected.above_chance[which, column]


def test_a_folder_of_results_holds_every_table(tmp_path: Path) -> None:
    out = tmp_path / "new" / "out"
    call("compare", TRUTH, RUNS, *QUICK, "-o", str(out))
    names = "leaderboard.csv leaderboard.json leaderboard.md leaderboard.tex pairs.csv recipe.txt scores.csv"
    assert sorted(path.name for path in out.iterdir()) == names.split()
    assert len(table((out / "pairs.csv").read_text("utf-8"))) == 6
    assert len(table((out / "scores.csv").read_text("utf-8"))) == 4 + 2
    assert r"\textbf{0.8314}\textsuperscript{a}" in (out / "leaderboard.tex").read_text("utf-8")
    assert "30 resamples, seed 0" in (out / "recipe.txt").read_text("utf-8")


def test_a_recipe_says_everything_once_and_names_the_baselines(tmp_path: Path) -> None:
    call("compare", TRUTH, RUNS, *QUICK, "--baseline", "empty", "--chance", "-o", str(tmp_path))
    lines = (tmp_path / "recipe.txt").read_text("utf-8").splitlines()
    assert len(lines) == len(set(lines))
    assert sum(line.startswith("Baselines, without ranks and tests: empty ") for line in lines) == 1


@pytest.mark.usefixtures("small")
def test_pairs_are_printed_instead_of_the_leaderboard() -> None:
    labels("other.csv", {**LABELS, "1": "z"})
    shown = call("compare", "truth.csv", "run.csv", "other.csv", *QUICK, "--pairs", "--format", "csv").stdout
    (row,) = table(shown)
    assert (row["run"], row["other"], row["measure"]) == ("run", "other", "F")
    assert float(row["difference"]) == pytest.approx(5 / 6 - 4 / 5.5)
    alone = call("compare", "truth.csv", "run.csv", *QUICK, "--pairs").stdout
    assert "There is but one run." in alone


@pytest.mark.usefixtures("small")
def test_pairs_say_in_every_format_how_they_were_tested() -> None:
    labels("other.csv", {**LABELS, "1": "z"})
    arguments = ("compare", "truth.csv", "run.csv", "other.csv", *QUICK, "--pairs", "--format")
    for output in get_args(Format):
        shown = call(*arguments, output)
        said = " ".join(f"{shown.stdout} {shown.stderr if output == 'csv' else ''}".split())
        for part in ("30 resamples, seed 0", "randomisation test", "Tukey HSD", "significant below 0.05"):
            assert part in said, output
        assert "With 4 samples intervals and tests say little" in said
    caption, note = call(*arguments, "latex").stdout.split(r"\end{tabular}")
    assert r"\caption{Differences of runs}" in caption
    assert f"ontoeval {oe.__version__}; 4 samples, 3 concepts (sha256 " in note


@pytest.mark.usefixtures("small")
def test_pairs_are_printed_for_the_parts_as_well() -> None:
    Path("split.csv").write_text("image,fold\n1,dev\n2,dev\n4,test\n", encoding="utf-8")
    labels("other.csv", {**LABELS, "1": "z"})
    arguments = ("compare", "truth.csv", "run.csv", "other.csv", *QUICK, "--by", "split.csv")
    rows = table(call(*arguments, "--pairs", "--format", "csv").stdout)
    found = {row["part"]: float(row["difference"]) for row in rows}
    assert found == pytest.approx({"all": 5 / 6 - 4 / 5.5, "dev": 1 - 0.4, "test": 0 - 1})


@pytest.mark.usefixtures("small")
def test_the_caption_of_leaderboards_of_parts_tells_version_and_samples() -> None:
    Path("split.csv").write_text("image,fold\n1,dev\n2,dev\n4,test\n", encoding="utf-8")
    shown = call("compare", "truth.csv", "run.csv", *QUICK, "--by", "split.csv", "--format", "latex").stdout
    assert f"ontoeval {oe.__version__}; 4 samples, 3 concepts (sha256 " in shown


@pytest.mark.usefixtures("small")
def test_leaderboards_of_splits_are_those_of_their_samples() -> None:
    Path("split.csv").write_text("image,fold\n1,dev\n2,dev\n4,test\n", encoding="utf-8")
    shown = call(
        "compare",
        "truth.csv",
        "run.csv",
        *QUICK,
        "--by",
        "split.csv",
        "--format",
        "csv",
        "-o",
        "out",
        "--no-baseline",
    )
    scores = {(row["by"], row["part"]): float(row["F"]) for row in table(shown.stdout)}
    assert scores == {("", "all"): 5 / 6, ("split", "dev"): 1.0, ("split", "test"): 0.0}
    assert "by split: 1 of 4 samples are in no group" in shown.stderr
    assert Path("out/leaderboard-by.csv").read_text("utf-8") == shown.stdout
    assert (
        "dev: With 2 samples intervals and tests say little."
        in call("compare", "truth.csv", "run.csv", *QUICK, "--by", "split.csv").stdout
    )


def test_leaderboards_of_branches_and_levels_are_those_of_their_labels() -> None:
    shown = call(
        *("compare", TRUTH, RUNS, *QUICK, "-m", "OS", "--ontology", "photo", "--format", "csv"),
        *("--by", "branch", "--by", "level"),
    ).stdout
    rows = table(shown)
    assert {row["by"] for row in rows} == {"", "branch", "level"}
    assert {row["part"] for row in rows if row["by"] == "level"} == {"depth 2", "depth 3", "depth 4"}
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    counts = oe.one_vs_rest(oe.read_labels(TRUTH, ontology), oe.read_labels(f"{RUNS}/noisy.csv", ontology))
    hierarchy = ontology.hierarchy()
    below = hierarchy.ancestors[:, hierarchy.vocabulary.positions(["scene"])].toarray()[:, 0]
    inside = [below[hierarchy.vocabulary.index[concept]] for concept in counts.concepts]
    tp, fp, fn = (getattr(counts, side)[inside].sum() for side in ("tp", "fp", "fn"))
    (found,) = [float(row["F"]) for row in rows if (row["part"], row["run"]) == ("scene", "noisy")]
    assert found == pytest.approx(2 * tp / (2 * tp + fp + fn))


@pytest.mark.usefixtures("small")
def test_groups_can_be_used_with_scores() -> None:
    Path("scores.csv").write_text("sample,concept,score\n1,x,0.9\n2,y,0.4\n3,x,0.5\n4,z,0.2\n", "utf-8")
    Path("split.csv").write_text("id,split\n1,a\n2,b\n3,b\n4,b\n", encoding="utf-8")
    arguments = ("compare", "truth.csv", "scores.csv", "-m", "LRAP", "-m", "F", "--threshold", "0.3")
    shown = call(*arguments, "--resamples", "20", "--baseline", "all", "--by", "split.csv", "--format", "csv")
    scores = {(row["part"], row["run"]): (row["LRAP"], row["F"]) for row in table(shown.stdout)}
    assert scores["a", "scores"][1] == repr(2 / 3)
    assert len(scores) == 6


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,split\n1,a\n9,b\n", "split.csv, row 3: the truth does not have '9'"),
        ("id,split\n1,a\n1,b\n1,a\n", "split.csv, row 4: '1' is in 'a' already, by row 2"),
        ("id,split\n", "there are no groups"),
        ("id,colour\n1,a\n", "no columns for the group"),
    ],
)
@pytest.mark.usefixtures("small")
def test_groups_that_do_not_fit_are_refused(text: str, message: str, refusal: Callable[..., str]) -> None:
    Path("split.csv").write_text(text, encoding="utf-8")
    assert message in refusal("compare", "truth.csv", "run.csv", *QUICK, "--by", "split.csv")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-m", "Jacard"), "Unknown measure 'Jacard'"),
        (("--baseline", "enpty"), "near: 'empty'"),
        (("--seed", "-1"), "seed=-1"),
        (("--level", "95"), "level=95.0: expected a number above 0 and below 1"),
        (("--test", "bootstrap", "--correction", "tukey"), "Tukey's exchanges runs"),
        (("--by", "branch"), "expected an --ontology beside it"),
        (("--long", "values.xlsx"), "Name a file .csv or .parquet"),
        (("--images", "photos"), "expected a --report beside it"),
        (("--preset", "skleam"), "near: 'sklearn'"),
        (("--public", "--long", "values.csv"), "expected no --public beside this option"),
    ],
)
def test_what_cannot_be_is_refused_before_any_file_is_read(
    arguments: tuple[str, ...], message: str, refusal: Callable[..., str]
) -> None:
    assert message in refusal("compare", "no-such-file", "neither", *arguments)


@pytest.mark.usefixtures("small")
def test_two_groupings_of_one_name_are_refused(refusal: Callable[..., str]) -> None:
    Path("level.csv").write_text("id,split\n1,a\n", encoding="utf-8")
    arguments = ("--by", "level.csv", "--by", "./level.csv")
    assert "'level' is there already" in refusal("compare", "truth.csv", "run.csv", *QUICK, *arguments)


@pytest.mark.usefixtures("small")
def test_other_samples_are_refused_by_the_name_of_the_run_or_counted(refusal: Callable[..., str]) -> None:
    labels("less.csv", {"1": "x;y"})
    labels("more.csv", {**LABELS, "9": "x"})
    assert "less.csv: truth and prediction differ in their samples: 3 only in the truth" in refusal(
        "compare", "truth.csv", "run.csv", "less.csv"
    )
    assert (
        "more.csv: truth and prediction differ in their samples: 1 only in the prediction ('9')"
        in refusal("compare", "truth.csv", "run.csv", "more.csv")
    )
    shown = call("compare", "truth.csv", "less.csv", "more.csv", *QUICK, "--missing", "empty").stdout
    assert "less.csv: 3 samples of the truth that it lacks, counted as unlabelled" in shown
    assert "more.csv: 1 sample that the truth lacks, left out" in shown


@pytest.mark.usefixtures("small")
def test_identical_runs_are_told_and_share_all_groups() -> None:
    labels("again.csv", {**LABELS, "4": "x"})
    shown = json.loads(
        call(
            "compare", "truth.csv", "run.csv", "again.csv", *QUICK, "--no-baseline", "--format", "json"
        ).stdout
    )
    first, second = shown["rows"]
    assert (first["rank"], second["rank"]) == (1, 1)
    assert first["F"] == second["F"]
    assert first["F"]["group"] == "a"
    assert "These runs predict the same: run, again." in shown["notes"]


@pytest.mark.usefixtures("small")
def test_presets_say_their_conventions_and_nothing_has_to_be_tested() -> None:
    labels("other.csv", {**LABELS, "1": "z"})
    arguments = (
        "truth.csv",
        "run.csv",
        "other.csv",
        "--preset",
        "sklearn",
        "--resamples",
        "20",
        "--test",
        "none",
    )
    shown = call("compare", *arguments, "--format", "json")
    found = json.loads(shown.stdout)
    assert "Preset sklearn: scikit-learn" in found["inputs"]
    assert not any("test of the whole measure" in line for line in found["recipe"])
    cells = [cell for row in found["rows"] for cell in row.values() if isinstance(cell, dict)]
    assert cells
    assert not any("group" in cell for cell in cells)


@pytest.mark.usefixtures("small")
def test_one_sample_and_one_run_are_enough() -> None:
    labels("one.csv", {"1": "x"})
    labels("right.csv", {"1": "x"})
    baselines = [
        part for name in ("empty", "all", "prior", "random", "permuted") for part in ("--baseline", name)
    ]
    shown = call(
        "compare", "one.csv", "right.csv", *QUICK, *baselines, "--chance", "--interval", "bca"
    ).stdout
    assert "1.0000 [1.0000, 1.0000]" in shown
    assert "With 1 sample intervals and tests say little." in shown


@pytest.mark.parametrize("output", get_args(Format))
@pytest.mark.usefixtures("small")
def test_scores_that_never_change_have_intervals_without_width(output: str) -> None:
    labels("none.csv", dict.fromkeys(LABELS, ""))
    labels("nothing.csv", dict.fromkeys(LABELS, "w"))
    arguments = ("-m", "Jaccard", "-m", "P", "--resamples", "20", "--interval", "bca", "--format", output)
    shown = call("compare", "truth.csv", "none.csv", "nothing.csv", *arguments).stdout
    assert "0.0" in shown


@pytest.mark.parametrize("output", get_args(Format))
@pytest.mark.usefixtures("small")
def test_hostile_names_are_text_everywhere(output: str) -> None:
    for number, name in enumerate(HOSTILE):
        labels(f"runs/{name}.csv", {**LABELS, str(1 + number % 4): "x"})
    shown = call("compare", "truth.csv", "runs", *QUICK, "--no-baseline", "--format", output)
    told = shown.stdout if output in {"csv", "json"} else shown.stdout + shown.stderr
    if output == "csv":  # data, as they are
        assert {row["run"] for row in table(shown.stdout)} == set(HOSTILE)
    elif output == "json":
        assert {row["run"] for row in json.loads(told)["rows"]} == set(HOSTILE)
    else:
        assert "\x1b" not in told
        assert "\u202e" not in told
        assert r"a\x1b" in told.replace(r"\textbackslash{}", "\\").replace("\\\\", "\\")
    if output == "markdown":
        assert "<script" not in shown.stdout.replace(r"\<", "")
    if output == "latex":
        assert r"b\_\{\$\}\%\&\textasciicircum{}\textasciitilde{}\#" in shown.stdout


@pytest.mark.usefixtures("small")
def test_an_error_shows_no_control_characters(refusal: Callable[..., str]) -> None:
    message = refusal("compare", "truth.csv", "no\x1b[31msuch", *QUICK)
    assert r"no\x1b[31msuch: nothing that fits this is a run" in message


@pytest.mark.usefixtures("small")
def test_teams_stand_beside_the_runs() -> None:
    Path("names.csv").write_text("run,name,team\nrun,first,Reds\n", encoding="utf-8")
    arguments = ("--names", "names.csv", "--baseline", "empty", "--format", "json", "-o", "out")
    rows = json.loads(call("compare", "truth.csv", "run.csv", *QUICK, *arguments).stdout)["rows"]
    assert [(row["run"], row["team"]) for row in rows] == [("first", "Reds"), ("empty (baseline)", "")]
    (row, other) = table(Path("out/scores.csv").read_text("utf-8"))
    assert (row["run"], row["team"], other["team"]) == ("first", "Reds", "")
    Path("half.csv").write_text("id,group\n1,half\n2,half\n", encoding="utf-8")
    arguments = (*arguments[:4], "--by", "half.csv", "--format", "csv")
    parts = table(call("compare", "truth.csv", "run.csv", *QUICK, *arguments).stdout)
    assert [(row["run"], row["team"]) for row in parts] == [("first", "Reds"), ("empty (baseline)", "")] * 2


@pytest.mark.usefixtures("small")
def test_teams_are_in_all_tables_and_on_the_page() -> None:
    labels("other.csv", {**LABELS, "1": "z"})
    Path("names.csv").write_text("run,team\nrun,Reds\nother,<b>Blues\n", encoding="utf-8")
    arguments = ("compare", "truth.csv", "run.csv", "other.csv", *QUICK, "--names", "names.csv", "-o", "out")
    call(*arguments)
    (row,) = table(Path("out/pairs.csv").read_text("utf-8"))
    assert (row["run"], row["team"], row["other"], row["other team"]) == ("run", "Reds", "other", "<b>Blues")
    call(*arguments, "--report", "report.html")
    page = Path("report.html").read_text("utf-8")
    assert '<span class="fine"><bdi>Reds</bdi></span>' in page
    assert "<bdi>&lt;b&gt;Blues</bdi>" in page


@pytest.mark.usefixtures("small")
def test_a_caption_for_papers_names_version_and_digests() -> None:
    said = f"ontoeval {oe.__version__}; 4 samples, 3 concepts (sha256 "
    for command in ("score", "compare"):
        options = ("-m", "F", "-o", command, "--format", "latex")
        shown = call(command, "truth.csv", "run.csv", *options).stdout
        assert said in shown.replace("\n", " ")
        assert said in Path(command, "leaderboard.tex").read_text("utf-8")
    truth = {sample: text.split(";") for sample, text in LABELS.items()}
    assert said in oe.compare(truth, {"run": truth}, measures="F", resamples=5).to_latex()


@pytest.mark.usefixtures("small")
def test_two_outputs_of_one_name_are_refused(refusal: Callable[..., str]) -> None:
    message = refusal(
        "compare", "truth.csv", "run.csv", *QUICK, "-o", "out", "--long", "out/../out/Scores.csv"
    )
    assert "another name: a table is written there" in message
    assert not Path("out").exists()


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(
    ("command", "option"), [("compare", "--long"), ("score", "--per-sample"), ("score", "--per-concept")]
)
def test_what_is_read_is_never_written(refusal: Callable[..., str], command: str, option: str) -> None:
    before = Path("truth.csv").read_text("utf-8")
    assert option in refusal(command, "truth.csv", "run.csv", "-m", "F", option, "truth.csv")
    assert Path("truth.csv").read_text("utf-8") == before


@pytest.mark.usefixtures("small")
def test_long_tables_and_reports_are_written() -> None:
    arguments: tuple[Any, ...] = ("compare", "truth.csv", "run.csv", *QUICK)
    call(*arguments, "--long", "new/values.csv")
    rows = table(Path("new/values.csv").read_text("utf-8"))
    assert len(rows) == 1 + 4
    call(*arguments, "--report", "new/report.html")
    assert "<html" in Path("new/report.html").read_text("utf-8")


@pytest.mark.usefixtures("small")
def test_tables_of_an_earlier_call_do_not_stay_beside_the_new_recipe() -> None:
    Path("split.csv").write_text("id,split\n1,a\n2,b\n", encoding="utf-8")
    call("compare", "truth.csv", "run.csv", *QUICK, "--by", "split.csv", "-o", "out")
    Path("out/recipe.json").touch()  # of a benchmark
    Path("out/notes.txt").touch()
    shown = call("compare", "truth.csv", "run.csv", *QUICK, "-o", "out", "--format", "json")
    assert "out: removed what an earlier call has left: 'leaderboard-by.csv', 'recipe.json'" in shown.stderr
    assert "notes.txt" not in shown.stderr
    assert json.loads(shown.stdout)
    names = {path.name for path in Path("out").iterdir()}
    assert "notes.txt" in names
    assert not names & {"leaderboard-by.csv", "recipe.json"}


@pytest.mark.no_cover
@pytest.mark.usefixtures("small")
def test_tables_and_figures_can_share_a_folder_with_a_report() -> None:
    pytest.importorskip("matplotlib")
    arguments = ("compare", "truth.csv", "run.csv", *QUICK, "-o", "out", "--figures", "out")
    for _ in range(2):
        shown = call(*arguments, "--report", "out/report.html", "--long", "out/values.csv")
        assert "removed" not in shown.stderr
    names = {path.name for path in Path("out").iterdir()}
    assert {"leaderboard.csv", "scores.pdf", "scores.csv", "report.html", "values.csv"} <= names


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("compare", "truth.csv", "runs", "-o", "runs"), "--out='runs': expected another folder: runs are"),
        (("compare", "truth.csv", "runs/*.csv", "-o", "./runs"), "another folder: runs are looked for"),
        (("compare", "truth.csv", "runs", "--long", "runs/x.csv"), "--long='runs/x.csv': expected another"),
        (("score", "truth.csv", "runs", "-o", "runs"), "another folder: runs are looked for in this one"),
        (("score", "truth.csv", "runs", "--per-sample", "runs/x.csv"), "another folder: runs are looked for"),
        (("study", "truth.csv", "runs", "-o", "runs"), "another folder: runs are looked for in this one"),
        (("score", "leaderboard.csv", "runs", "-o", "."), "a file that is read lies there (leaderboard.csv)"),
        (("compare", "truth.csv", "runs", "--by", "split.csv", "--long", "split.csv"), "a file that is read"),
    ],
)
@pytest.mark.usefixtures("small")
def test_nothing_is_written_where_something_is_read(
    arguments: tuple[str, ...], message: str, refusal: Callable[..., str]
) -> None:
    labels("runs/run.csv", LABELS)
    labels("leaderboard.csv", LABELS)
    Path("split.csv").write_text("id,split\n1,a\n", encoding="utf-8")
    before = sorted(Path().rglob("*"))
    assert message in refusal(*arguments)
    assert sorted(Path().rglob("*")) == before


@pytest.mark.parametrize("option", ["--figures", "--out"])
@pytest.mark.usefixtures("small")
def test_pictures_of_samples_are_not_replaced_by_results(option: str, refusal: Callable[..., str]) -> None:
    pytest.importorskip("matplotlib")
    Path("photos").mkdir()
    arguments = ("--images", "photos", "--report", "report.html", option, "photos")
    assert "a folder that is read lies there" in refusal(
        "compare", "truth.csv", "run.csv", *QUICK, *arguments
    )


@pytest.mark.usefixtures("small")
def test_a_report_may_lie_among_the_runs_for_it_is_none() -> None:
    labels("runs/run.csv", LABELS)
    for _ in range(2):
        shown = call("compare", "truth.csv", "runs", *QUICK, "--report", "runs/report.html")
        assert shown.exit_code == 0


@pytest.mark.usefixtures("small")
def test_a_caption_of_one_run_names_no_test() -> None:
    alone = call("compare", "truth.csv", "run.csv", *QUICK, "--format", "latex").stdout
    assert "percentile bootstrap" in alone
    assert "randomisation" not in alone
    labels("two.csv", LABELS)
    both = call("compare", "truth.csv", "run.csv", "two.csv", *QUICK, "--format", "latex").stdout
    assert "Paired randomisation test" in both


@pytest.mark.usefixtures("small")
def test_pairs_say_how_their_intervals_are_made() -> None:
    labels("other.csv", {**LABELS, "1": "z"})
    arguments = ("--interval", "bca", "--pairs", "--format", "csv")
    (row,) = table(call("compare", "truth.csv", "run.csv", "other.csv", *QUICK, *arguments).stdout)
    assert row["interval"] == "percentile"


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("output", ["csv", "json", "latex", "markdown"])
@pytest.mark.usefixtures("small")
def test_no_name_steers_a_terminal_whatever_the_format(output: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, name in enumerate((*HOSTILE, "\x9b31mred")):
        labels(f"runs/{name}.csv", {**LABELS, str(1 + number % 4): "x"})
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)
    monkeypatch.setattr(
        sys, "argv", ["ontoeval", "score", "truth.csv", "runs", "-m", "F", "--format", output]
    )
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 0
    shown = screen.getvalue()
    assert "red" in shown
    assert not [sign for sign in shown if not sign.isprintable() and sign != "\n"]


@pytest.mark.usefixtures("small")
def test_a_study_leaves_no_table_of_an_earlier_one() -> None:
    labels("other.csv", {**LABELS, "1": "z"})
    arguments = ("study", "truth.csv", "run.csv", "other.csv", *QUICK, "-m", "P", "--no-changes", "-o", "out")
    call(*arguments, "--correlation", "rbo")
    assert Path("out/agreement-rbo.csv").exists()
    shown = call(*arguments, "--correlation", "tau_b")
    assert "out: removed what an earlier call has left: 'agreement-rbo.csv'" in shown.stderr
    assert not Path("out/agreement-rbo.csv").exists()
