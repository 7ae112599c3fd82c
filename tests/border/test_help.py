"""Help in two lengths, standard input and --quiet."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ontoeval as oe
from ontoeval.cli import COMMANDS, app
from tests.commands import call, refusal

BENCHMARK = oe.ontologies.benchmark()
TRUTH, RUN = BENCHMARK / "truth.csv", BENCHMARK / "runs" / "noisy.csv"


def narrow(*arguments: str) -> str:
    return CliRunner().invoke(app, arguments, catch_exceptions=False, env={"COLUMNS": "80"}).stdout


def options_in(text: str) -> set[str]:
    return set(re.findall(r"(?<=[\s,])--[a-z-]+", text))


@pytest.mark.parametrize("command", COMMANDS)
def test_the_short_help_fits_on_a_screen_and_names_at_most_ten_options(command: str) -> None:
    short = narrow(command, "-h")
    assert len(short.splitlines()) <= 36
    body, examples = short.split("Examples:\n")
    assert 1 <= len(re.findall(r"^  ontoeval ", examples, re.MULTILINE)) <= 3
    assert all(len(line) <= 80 for line in body.splitlines() if "|" not in line)
    listed = options_in(body.partition("Options:")[2])
    assert len(listed) <= 10
    full = call(command, "--help").stdout.partition("Examples:")[0]
    assert listed <= options_in(full)
    assert short.splitlines()[-1] == (
        f"All {len(re.findall(r'^│[ *]{1,6}-', full, re.MULTILINE))} options, with their defaults: "
        f"ontoeval {command} --help"
    )


def test_the_short_help_of_the_program_has_every_command_and_three_examples() -> None:
    short = narrow("-h")
    assert set(re.findall(r"^  ([a-z-]+)  ", short, re.MULTILINE)) == set(COMMANDS)
    assert len(re.findall(r"^  ontoeval ", short, re.MULTILINE)) == 3
    assert "─" not in short


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_has_its_default_in_the_full_help(command: str) -> None:
    panels = call(command, "--help").stdout.partition("Examples:")[0]
    blocks = re.split(r"^│[ *]{1,6}(?=--?[a-z])", panels.partition("Options ─")[2], flags=re.MULTILINE)[1:]
    silent = [
        block.split()[0] for block in blocks if not re.search(r"default|\[required", block, re.IGNORECASE)
    ]
    assert silent == ["--help"]


@pytest.mark.skipif(sys.platform == "win32", reason="has no /dev/stdin")
def test_a_dash_is_standard_input_once(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def printed(*arguments: str) -> str:
        program = [sys.executable, "-m", "ontoeval", *arguments]
        with TRUTH.open("rb") as source:
            done = subprocess.run(
                program, stdin=source, cwd=tmp_path, capture_output=True, check=True, text=True
            )
        return done.stdout

    line = ("score", "-", str(RUN), "-m", "F", "--format", "csv")
    assert printed(*line) == call("score", TRUTH, RUN, "-m", "F", "--format", "csv").stdout
    assert "- stands for several files" in refusal(["diff", "-", "-"], capsys, monkeypatch)


def test_quiet_prints_results_and_errors_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = ["score", TRUTH, RUN, "--ontology", "photo", "-m", "OS"]
    told, quiet = call(*arguments).stdout, call(*arguments, "--quiet").stdout
    assert told.startswith(quiet.rstrip("\n"))
    assert len(quiet.splitlines()) < len(told.splitlines())
    assert call(*arguments).stdout == told  # only that call was quiet
    (tmp_path / "ontoeval.toml").write_text('[reading]\nunknown = "drop"\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    assert "--unknown" in call(*arguments).stderr
    assert not call(*arguments, "--quiet").stderr
    assert "there is no such file" in refusal(["score", TRUTH, "missing.csv", "--quiet"], capsys, monkeypatch)
