"""Help, standard input and --quiet."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ontoeval as oe
from ontoeval.cli import COMMANDS, app
from ontoeval.cli.commands import _function, merged_options
from ontoeval.options import REQUIRED, flag
from tests.commands import call, refusal

BENCHMARK = oe.ontologies.benchmark()
TRUTH, RUN = BENCHMARK / "truth.csv", BENCHMARK / "runs" / "noisy.csv"


def narrow(*arguments: str) -> str:
    return CliRunner().invoke(app, arguments, catch_exceptions=False, env={"COLUMNS": "80"}).stdout


def options_in(text: str) -> set[str]:
    return set(re.findall(r"(?<=[\s,])--[a-z-]+", text))


@pytest.mark.parametrize("command", COMMANDS)
def test_the_first_screen_of_the_help_shows_examples_and_main_options(command: str) -> None:
    shown = narrow(command, "-h")
    assert shown == narrow(command, "--help")
    first = "\n".join(shown.splitlines()[:30])
    assert 1 <= len(re.findall(r"^  ontoeval ", first, re.MULTILINE)) <= 7
    assert re.search(r"^Main options:$", first, re.MULTILINE)
    wide = [line for line in shown.splitlines() if len(line) > 80]
    assert all(line.startswith(("  ontoeval ", "  -")) for line in wide)
    main = shown.partition("Main options:")[2].partition("\n\n")[0]
    assert len(options_in(main)) <= 14


def test_the_help_of_the_program_has_every_command_and_three_examples() -> None:
    shown = narrow("-h")
    assert {*re.findall(r"^  ([a-z]+)  ", shown, re.MULTILINE)} == {*COMMANDS}
    assert len(re.findall(r"^  ontoeval ", shown, re.MULTILINE)) == 3
    assert "─" not in shown
    assert "130 interrupted" in shown


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_has_its_default_and_whole_choices_in_the_help(command: str) -> None:
    shown = " ".join(narrow(command, "--help").split())
    for name, option in merged_options(_function(COMMANDS[command].place)).items():
        if option.opt.hidden or option.several or option.default in {None, False, REQUIRED}:
            continue
        assert (option.opt.flags or (flag(name),))[0].partition("/")[0] in shown or option.opt.positional
        assert (
            f"default: {option.default}" in shown or option.default is True or "default" in option.opt.help
        ), name
        assert not option.choices or f"<{'|'.join(option.choices)}>" in shown


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
