"""The command line, as its users call it."""

import csv
import gzip
import html
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ontoeval as oe
from ontoeval.cli import app
from tests.commands import call, refusal

FOLDER = oe.ontologies.benchmark()
TRUTH, RUN = str(FOLDER / "truth.csv"), str(FOLDER / "runs" / "near-miss.csv")
AGREEMENT = str(FOLDER / "agreement.csv")


def write(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    return str(path)


def test_demo_writes_the_benchmark_and_the_results_and_overwrites_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call("demo", "-o", str(tmp_path)).exit_code == 0
    shown = call("demo", "-o", str(tmp_path)).stdout  # it can be repeated
    told = " ".join(shown.split())
    assert told.startswith("Leaderboard")
    assert "synthetic" in told
    assert "report.html" in told
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    (best,) = re.findall(
        r"'careful' is the best of 4 runs .*? is significant \(adjusted p = [0-9.]+\)\.", told
    )
    assert best in html.unescape(page)
    assert "F (0.6159 and 0.6029), but do by OS (0.8686 and 0.7669)" in told
    assert told.endswith("ontoeval compare TRUTH RUNS --ontology FILE --report page.html")
    runs = {"careful", "noisy", "near-miss", "over-labelling"}
    assert {path.stem for path in (tmp_path / "runs").iterdir()} == runs
    assert (tmp_path / "truth.csv").read_bytes() == Path(TRUTH).read_bytes()
    board = json.loads((tmp_path / "results" / "leaderboard.json").read_text(encoding="utf-8"))
    assert {row["run"] for row in board["rows"]} == runs
    assert any(line.startswith("OS(alpha=1") for line in board["recipe"])
    with (tmp_path / "results" / "per_sample.csv").open(encoding="utf-8", newline="") as file:
        assert sum(1 for _ in csv.DictReader(file)) == 4 * 500
    write(tmp_path / "truth.csv", "mine")
    message = refusal(["demo", "-o", str(tmp_path)], capsys, monkeypatch)
    assert "truth.csv: another file of this name is there already" in message
    assert (tmp_path / "truth.csv").read_text(encoding="utf-8") == "mine"


def test_what_demo_says_of_runs_is_true() -> None:
    folder, measures = oe.ontologies.benchmark(), ["OS", "OS(penalise='none')", "F"]
    truth, agreement = oe.read_labels(folder / "truth.csv"), oe.read_agreement(folder / "agreement.csv")
    runs = {path.stem: oe.read_labels(path) for path in sorted((folder / "runs").iterdir())}
    found = oe.compare(truth, runs, hierarchy="photo", agreement=agreement, measures=measures, baselines=())
    near, noisy, last = map(found.runs.index, ("near-miss", "noisy", "over-labelling"))
    assert found.adjusted[2, near, noisy] >= 0.05 > found.adjusted[0, near, noisy]
    assert list(found.ranks[last, :2]) == [4, 1]
    over = runs["over-labelling"]
    assert any(one.broken for one in oe.evaluate(over, over, hierarchy="photo", measures="OS").breaches)


def test_score_prints_what_python_computes() -> None:
    ontology = oe.read_ontology(oe.ontologies.path("photo"))
    expected = oe.evaluate(
        oe.read_labels(TRUTH, ontology),
        oe.read_labels(RUN, ontology),
        hierarchy=ontology.hierarchy(),
        agreement=oe.read_agreement(AGREEMENT, ontology),
        measures=["OS", "F(average='macro')"],
    )
    arguments = ("--ontology", "photo", "--agreement", AGREEMENT, "-m", "OS", "-m", "F(average='macro')")
    found = json.loads(call("score", TRUTH, RUN, *arguments, "--format", "json").stdout)
    assert found["rows"] == [{"run": "near-miss", **expected.scores}]
    assert found["recipe"] == expected.signature.splitlines()


def test_score_ranks_runs_in_csv_and_latex() -> None:
    runs = [str(FOLDER / "runs" / f"{name}.csv") for name in ("noisy", "careful")]
    rows = call("score", TRUTH, *runs, "-m", "F", "--format", "csv").stdout.splitlines()
    assert [row.split(",")[0] for row in rows] == ["run", "careful", "noisy"]
    latex = call("score", TRUTH, *runs, "-m", "F", "--format", "latex").stdout
    assert r"careful & \textbf{0.8314} \\" in latex


def test_score_without_an_ontology_uses_the_labels_of_all_files(tmp_path: Path) -> None:
    truth = write(tmp_path / "truth.csv", "id,labels\n1,a;b\n2,b\n")
    run = write(tmp_path / "run.csv", "id,labels\n1,a;c\n2,b\n")
    found = json.loads(call("score", truth, run, "-m", "Hamming", "--format", "json").stdout)
    assert found["rows"][0]["Hamming"] == pytest.approx(2 / 6)


def test_score_writes_samples_and_concepts_where_asked(tmp_path: Path) -> None:
    samples, concepts = tmp_path / "new" / "samples.csv", tmp_path / "concepts.csv"
    call("score", TRUTH, RUN, "-m", "Jaccard", "--per-sample", str(samples), "--per-concept", str(concepts))
    assert samples.read_text(encoding="utf-8").splitlines()[0] == "run,sample,Jaccard"
    assert concepts.read_text(encoding="utf-8").splitlines()[0] == "run,concept,support,TP,FP,FN,TN,P,R,F"


def test_missing_samples_are_refused_or_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    truth = write(tmp_path / "truth.csv", "id,labels\n1,a\n2,a\n")
    run = write(tmp_path / "run.csv", "id,labels\n1,a\n3,a\n")
    message = refusal(["score", truth, run], capsys, monkeypatch)
    assert "1 only in the truth ('2')" in message
    assert "1 only in the prediction ('3')" in message
    assert "--missing empty" in message
    shown = call("score", truth, run, "--missing", "empty").stdout
    assert "1 sample of the truth that it lacks, counted as unlabelled" in shown
    assert "1 sample that the truth lacks, left out" in shown


def test_unknown_labels_are_refused_or_dropped_and_counted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = write(tmp_path / "run.csv", "id,labels\nphoto-0001,treees;sky\n")
    message = refusal(["score", run, run, "--ontology", "photo"], capsys, monkeypatch)
    assert "'treees' in row 2" in message
    assert "near: 'trees'" in message
    shown = call("score", run, run, "--ontology", "photo", "--unknown", "drop").stdout
    assert "left out 1 label" in shown


def test_one_run_named_twice_is_refused(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "named twice" in refusal(["score", TRUTH, RUN, RUN], capsys, monkeypatch)


def test_a_misspelt_measure_is_refused_before_any_file_is_read(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    message = refusal(["score", "no-such-file", "neither", "-m", "Jacard"], capsys, monkeypatch)
    assert "Unknown measure 'Jacard' (near: 'Jaccard', 'tJaccard', 'hJaccard')" in message


def test_an_agreement_needs_an_ontology(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "--ontology" in refusal(["score", TRUTH, RUN, "--agreement", AGREEMENT], capsys, monkeypatch)


def test_scores_become_labels_with_a_threshold(tmp_path: Path) -> None:
    truth = write(tmp_path / "truth.csv", "id,labels\n1,a\n2,b\n")
    run = write(tmp_path / "run.csv", "sample,concept,score\n1,a,0.9\n1,b,0.4\n2,b,0.6\n")
    limits = write(tmp_path / "limits.csv", "concept,threshold\na,0.5\nb,0.3\n")
    with pytest.raises(oe.OntoevalError, match="scores, not labels"):
        call("score", truth, run)
    for threshold, expected in (("0.5", "1.0"), (limits, "0.5")):
        options = ("-m", "ExactMatch", "--format", "csv", "--threshold", threshold)
        assert call("score", truth, run, *options).stdout.splitlines()[1] == f"run,{expected}"


@pytest.mark.parametrize("rule", ["krstinic", "mlcm", "tensor-recall", "tensor-precision"])
def test_confusion_shows_top_confusions_and_counts(rule: str) -> None:
    shown = call("confusion", TRUTH, RUN, "--ontology", "photo", "--rule", rule, "--top", "3").stdout
    assert f"Top confusions, rule {rule}" in shown
    assert ("Counts by both planes" if rule.startswith("tensor") else "Counts by the rule") in shown


def test_confusion_draws_small_matrices(tmp_path: Path) -> None:
    truth = write(tmp_path / "truth.csv", "id,labels\n1,a\n2,b\n")
    run = write(tmp_path / "run.csv", "id,labels\n1,a\n2,a\n")
    shown = call("confusion", truth, run, "--rule", "multiclass").stdout
    assert "% of what is true" in shown
    assert "100" in shown


def test_confusion_writes_matrices(tmp_path: Path) -> None:
    target = tmp_path / "matrix.csv"
    options = ("--rule", "mlcm", "--normalise", "true", "--format", "json", "-o", str(target))
    printed = json.loads(call("confusion", TRUTH, RUN, *options).stdout)
    with target.open(encoding="utf-8", newline="") as file:
        written = list(csv.DictReader(file))
    assert printed["rows"][-1] == written[-1]["true"] == "NTL"
    assert float(written[0]["aesthetic"]) == printed["matrix"][0][0]


@pytest.mark.parametrize(
    ("options", "rows"),
    [
        (("--level", "1"), ["impression", "landscape_element", "representation", "scene", "subject"]),
        (("--branch", "people"), ["big_group", "no_people", "one_person", "small_group", "(rest)"]),
        (("--cut", "Plants", "--cut", "people"), ["plants", "people", "(rest)"]),
    ],
)
def test_confusion_is_summed_along_the_ontology(options: tuple[str, ...], rows: list[str]) -> None:
    call_as = ("confusion", TRUTH, RUN, "--ontology", "photo", *options)
    printed = json.loads(call(*call_as, "--format", "json").stdout)
    assert printed["rows"] == [*rows, "unmatched"]
    shown = call(*call_as, "--rule", "tensor-recall").stdout
    assert "Top confusions, rule tensor-recall" in shown
    assert "Counts" not in shown


def test_confusion_tells_how_what_was_confused_is_related(tmp_path: Path) -> None:
    options = ("confusion", TRUTH, RUN, "--ontology", "photo", "--relations", "--top", "3")
    shown = call(*options).stdout
    assert "directly above the true one" in shown
    assert "links" in shown
    table = tmp_path / "relations.csv"
    rows = call(*options, "--format", "csv", "--out", str(table)).stdout.splitlines()
    assert rows[0] == "relation,mass,share,meaning"
    assert table.read_text(encoding="utf-8").splitlines() == rows


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--level", "1"], "an --ontology beside them"),
        (["--relations"], "an --ontology beside them"),
        (
            ["--level", "1", "--branch", "people", "--ontology", "photo"],
            "no other of --level, --cut and --branch",
        ),
        (["--relations", "--ontology", "photo", "--rule", "one-vs-rest"], "a rule with a matrix"),
        (["--branch", "peeple", "--ontology", "photo"], "people"),
        (["--level", "9", "--ontology", "photo"], "no concept has the depth 9"),
    ],
)
def test_confusion_says_what_summing_needs(
    options: list[str], message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert message in refusal(["confusion", TRUTH, RUN, *options], capsys, monkeypatch)


def test_confusion_counts_each_concept_against_the_rest() -> None:
    rows = call("confusion", TRUTH, RUN, "--rule", "one-vs-rest", "--format", "csv").stdout.splitlines()
    assert rows[0].startswith("run,concept,support,TP")
    assert len(rows) == 1 + 53


def test_confusion_calls_a_packed_run_as_all_tables_do(tmp_path: Path) -> None:
    packed = tmp_path / "mine.csv.gz"
    packed.write_bytes(gzip.compress(Path(RUN).read_bytes()))
    found = json.loads(
        call("confusion", TRUTH, str(packed), "--rule", "one-vs-rest", "--format", "json").stdout
    )
    assert {row["run"] for row in found["rows"]} == {"mine"}
    assert any("mine.csv.gz" in line for line in found["inputs"])


@pytest.mark.parametrize("options", [(), ("--relations",)])
def test_confusion_in_json_says_how_its_files_were_read(options: tuple[str, ...]) -> None:
    shown = call("confusion", TRUTH, RUN, "--ontology", "photo", "--format", "json", *options).stdout
    assert any("wide CSV" in line for line in json.loads(shown)["inputs"])


def test_a_matrix_goes_only_to_files_of_known_kind(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ".csv" in refusal(["confusion", TRUTH, RUN, "-o", "matrix.xlsx"], capsys, monkeypatch)


def test_explain_adds_up() -> None:
    options = ("--ontology", "photo", "--agreement", AGREEMENT, "--format", "json")
    found = json.loads(call("explain", TRUTH, RUN, "photo-0003", *options).stdout)
    charges = [row["charge"] for row in found["rows"]]
    assert found["title"] == f"photo-0003: {1 - sum(charges) / len(charges):.4f}"


def test_explain_says_beside_csv_how_the_score_is_made() -> None:
    shown = call("explain", TRUTH, RUN, "photo-0003", "--ontology", "photo", "--format", "csv")
    assert "OS(alpha=1" in shown.stderr
    assert "OS(alpha=1" not in shown.stdout


def test_explain_names_the_nearest_sample(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    message = refusal(["explain", TRUTH, RUN, "photo-00003", "--ontology", "photo"], capsys, monkeypatch)
    assert "no sample 'photo-00003'" in message
    assert "'photo-0003'" in message


def test_ontology_reports_and_draws() -> None:
    shown = call("ontology", "photo", "--tree", "--labels", RUN).stdout
    assert "of these labels" in shown
    assert "small_group" in shown
    assert "Rules that sets of" in shown
    diamond = call("ontology", "diamond", "--tree").stdout
    assert diamond.count("── seaplane") == 2


def test_ontology_prefers_a_file_to_a_shipped_ontology(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "photo", "@prefix owl: <http://www.w3.org/2002/07/owl#> . <urn:x#only> a owl:Class .")
    rows = json.loads(call("ontology", "photo", "--format", "json").stdout)["rows"]
    assert {row["what"]: row["count"] for row in rows}["concepts"] == 1


def test_format_and_direction_of_the_ontology_can_be_said(tmp_path: Path) -> None:
    path = write(tmp_path / "links.txt", "cat animal\ndog animal\n")
    options = ("--ontology-format", "edges", "--direction", "child-parent", "--tree")
    shown = call("ontology", path, *options).stdout
    assert "children first, as asked" in shown
    assert "└── animal" in shown


@pytest.mark.no_cover
def test_measures_lists_all_and_explains_each() -> None:
    listed = json.loads(call("measures", "--format", "json").stdout)["rows"]
    assert [row["symbol"] for row in listed] == [entry.symbol for entry in oe.CATALOGUE]
    for row in listed:
        shown = call("measures", row["symbol"]).stdout
        assert row["title"] in shown
        assert "source" in shown


def test_a_control_character_in_a_label_does_not_reach_the_terminal(tmp_path: Path) -> None:
    truth = write(tmp_path / "truth.csv", "id,labels\n1,a\x1b[31mb\n")
    shown = call("confusion", truth, truth, "--rule", "one-vs-rest").stdout
    assert "\x1b[31m" not in shown
    assert r"\x1b" in shown


def test_wrong_usage_ends_with_2() -> None:
    assert CliRunner().invoke(app, ["score"]).exit_code == 2
    assert CliRunner().invoke(app, ["no-such-command"]).exit_code == 2


def test_help_shows_examples() -> None:
    for command in ("score", "confusion", "explain", "ontology", "measures", "demo"):
        assert f"ontoeval {command}" in call(command, "--help").stdout


def test_the_installed_command_answers() -> None:
    arguments = [sys.executable, "-m", "ontoeval", "--version"]
    done = subprocess.run(arguments, capture_output=True, text=True, check=True, env=dict(os.environ))
    assert done.stdout.startswith("ontoeval ")


@pytest.mark.no_cover
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe with a name")
def test_what_is_half_written_is_removed_when_the_program_is_asked_to_end(tmp_path: Path) -> None:
    write(tmp_path / "labels.csv", "id,labels\np1,trees\n")
    os.mkfifo(tmp_path / "pipe")  # that nobody reads: writing into it waits
    before = sorted(tmp_path.iterdir())
    arguments = ["audit", "labels.csv", "--ontology", "photo", "--fix", "copy.csv", "--sarif", "pipe"]
    with subprocess.Popen([sys.executable, "-m", "ontoeval", *arguments], cwd=tmp_path) as program:
        while len(sorted(tmp_path.iterdir())) < len(before) + 2 and program.poll() is None:
            time.sleep(0.01)
        program.terminate()
        assert program.wait() == 128 + signal.SIGTERM
    assert sorted(tmp_path.iterdir()) == before
