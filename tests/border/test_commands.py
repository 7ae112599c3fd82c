"""The command line as a whole: its help, what it loads, and how it ends; sessions test what it prints."""

from __future__ import annotations

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

import ontoeval as oe
from ontoeval.cli import COMMANDS
from tests.commands import call, refusal


def headings(*arguments: str) -> dict[str, str]:
    """Split the help at its headings, which must not come twice."""
    _, *parts = re.split(r"^([A-Z][\w ]*):$", call(*arguments, "--help").stdout, flags=re.MULTILINE)
    assert len({*parts[::2]}) == len(parts[::2])
    return dict(zip(parts[::2], parts[1::2], strict=True))


def test_commands_are_grouped_and_the_first_begins() -> None:
    groups = {title: re.findall(r"^  ([a-z]+)", text, re.MULTILINE) for title, text in headings().items()}
    assert list(groups)[:2] == ["Examples", "Begin"]
    assert groups["Begin"] == ["demo", "measures"]
    assert len(COMMANDS) == 17


@pytest.mark.parametrize("command", COMMANDS)
def test_the_help_of_each_command_has_headings_examples_and_capitals(command: str) -> None:
    shown, parts = call(command, "--help").stdout, headings(command)
    assert f"ontoeval {command}" in parts["Examples"]
    assert "<bool>" not in shown
    assert "range>" not in shown
    usage = shown.splitlines()[0]
    assert re.fullmatch(rf"Usage: ontoeval {command}( [{{[]*[A-Z]+[\]}}]*(\.\.\.)?)+", usage)
    for title, text in parts.items():
        written = re.search(r"^  (?:-\w, )?--(format|out|report|figures)\b", text, re.MULTILINE)
        assert written is None or title in {"Main options", "Output"}


def test_measures_and_files_come_before_what_is_written() -> None:
    expected = [
        "Examples",
        "Arguments",
        "Main options",
        "Other options",
        "Comparison",
        "Ontology",
        "Label files",
        "Output",
    ]
    assert list(headings("compare")) == expected
    assert list(headings("audit")) == [*expected[:4], "Labels", *expected[5:]]
    assert " --measure " in headings("score")["Main options"]
    shown = " ".join(headings("study")["Study"].split())
    assert all(re.search(rf"\b{kind}\b", shown) for kind in oe.comparison.PERTURBATIONS)
    assert not {"--close", "--unknown"} & {*re.findall(r"--[\w-]+", call("migrate", "--help").stdout)}
    assert "--threshold" not in call("agreement", "--help").stdout


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_no_command_is_loaded_that_is_not_called(option: str) -> None:
    script = f"import sys; sys.argv = ['ontoeval', {option!r}]; from ontoeval.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", script], capture_output=True, check=True, text=True
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "typer" in loaded
    assert not {"numpy", "scipy", "rdflib"} & loaded
    assert (
        option == "--help"
        or not {"rich", "ontoeval.cli.scoring", "ontoeval.benchmarks.scoring_options"} & loaded
    )


@pytest.mark.no_cover
def test_measures_lists_all_and_explains_each() -> None:
    listed = json.loads(call("measures", "--format", "json").stdout)["rows"]
    assert [row["symbol"] for row in listed] == [entry.symbol for entry in oe.CATALOGUE]
    for row in listed:
        shown = call("measures", row["symbol"]).stdout
        assert row["title"] in shown
        assert "source" in shown


def test_demo_writes_the_benchmark_and_the_results_and_overwrites_nothing_else(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert call("demo", "-o", tmp_path).exit_code == 0
    told = " ".join(call("demo", "-o", tmp_path).stdout.split())  # it can be repeated
    page = (tmp_path / "results" / "report.html").read_text(encoding="utf-8")
    (best,) = re.findall(r"'careful' is the best of 4 runs .*? is significant \(adjusted p < 0.001\)\.", told)
    assert best in html.unescape(page)
    assert "close by F (0.6159 and 0.6029), and far apart by OS (0.8686 and 0.7669)" in told
    board = json.loads((tmp_path / "results" / "leaderboard.json").read_text(encoding="utf-8"))
    assert {row["run"] for row in board["rows"]} > {path.stem for path in (tmp_path / "runs").iterdir()}
    (tmp_path / "truth.csv").write_text("mine", encoding="utf-8")
    message = refusal(["demo", "-o", tmp_path], capsys, monkeypatch)
    assert "truth.csv: another file of this name is there already" in message
    assert (tmp_path / "truth.csv").read_text(encoding="utf-8") == "mine"


def test_what_demo_says_of_runs_is_true() -> None:
    folder, measures = oe.ontologies.benchmark(), ["OS", "OS(penalise='none')", "F"]
    truth, agreement = oe.read_labels(folder / "truth.csv"), oe.read_agreement(folder / "agreement.csv")
    runs = {path.stem: oe.read_labels(path) for path in sorted((folder / "runs").iterdir())}
    found = oe.compare(truth, runs, hierarchy="photo", agreement=agreement, measures=measures, baselines=())
    near, noisy, last = map(found.runs.index, ("near-miss", "noisy", "over-labelling"))
    apart = found.scores[near] - found.scores[noisy]
    assert 5 * apart[2] < apart[0]
    assert list(found.ranks[last, :2]) == [4, 1]
    over = runs["over-labelling"]
    assert any(one.broken for one in oe.evaluate(over, over, hierarchy="photo", measures="OS").breaches)


@pytest.mark.no_cover
@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a pipe with a name")
def test_what_is_half_written_is_removed_when_the_program_is_asked_to_end(tmp_path: Path) -> None:
    (tmp_path / "labels.csv").write_text("id,labels\np1,trees\n", encoding="utf-8")
    os.mkfifo(tmp_path / "pipe")  # that nobody reads: writing into it waits
    before = sorted(tmp_path.iterdir())
    arguments = ["audit", "labels.csv", "--ontology", "photo", "--fix", "copy.csv", "--sarif", "pipe"]
    with subprocess.Popen([sys.executable, "-m", "ontoeval", *arguments], cwd=tmp_path) as program:
        while len(sorted(tmp_path.iterdir())) < len(before) + 2 and program.poll() is None:
            time.sleep(0.01)
        program.terminate()
        assert program.wait() == 128 + signal.SIGTERM
    assert sorted(tmp_path.iterdir()) == before


def test_the_help_and_the_manual_name_every_format_of_label_files() -> None:
    with pytest.raises(oe.OntoevalError, match="expected one of 'wide'") as refused:
        oe.labels.recognise(oe.ontologies.benchmark() / "truth.csv", input_format="?")
    formats = re.findall(r"'(\w+)'", str(refused.value).partition("one of")[2])
    manual = (Path(__file__).parents[2] / "docs" / "label-files.md").read_text(encoding="utf-8")
    table = "\n".join(line for line in manual.splitlines() if line.startswith("| `"))
    shown = call("score", "--help").stdout
    assert [name for name in formats if f"`{name}`" not in table or name not in shown] == []
