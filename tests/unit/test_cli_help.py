"""The help: what is under which heading, and how what can be given is written."""

import re
import subprocess
import sys

import pytest

import ontoeval as oe
from ontoeval.cli import COMMANDS
from tests.commands import call


def headings(*arguments: str) -> dict[str, str]:
    """Split the help at its headings, which must not come twice."""
    _, *parts = re.split(r"╭─ ([A-Z][\w ]*\w) ─+╮", call(*arguments, "--help").stdout)
    assert len(set(parts[::2])) == len(parts[::2])
    return dict(zip(parts[::2], parts[1::2], strict=True))


def test_commands_are_grouped_and_the_first_begins() -> None:
    groups = {title: re.findall(r"^│ ([a-z]\S*)", text, re.MULTILINE) for title, text in headings().items()}
    assert list(groups)[:2] == ["Options", "Begin"]
    assert groups["Begin"] == ["demo", "measures"]
    assert sorted(name for names in groups.values() for name in names) == sorted(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_what_is_written_has_one_heading_and_that_is_the_last(command: str) -> None:
    parts = headings(command)
    if command in {"demo", "init"}:  # one option at most
        assert set(parts) == {"Arguments", "Options"} - ({"Arguments"} if command == "demo" else set())
        return
    assert list(parts)[-1] == "Output"
    for title, text in parts.items():
        assert bool(re.search(r"^│\W+--(format|out|report|figures)\b", text, re.MULTILINE)) == (
            title == "Output"
        )


@pytest.mark.parametrize("command", COMMANDS)
def test_arguments_are_in_capitals_and_flags_take_no_value(command: str) -> None:
    shown = call(command, "--help").stdout
    assert "<bool>" not in shown
    assert "range>" not in shown
    usage = next(line for line in shown.splitlines() if "Usage: " in line)
    assert re.fullmatch(rf" Usage: ontoeval {command}( [{{[]*[A-Z]+[\]}}]*(\.\.\.)?)+ *", usage)


def test_measures_and_files_come_before_what_is_written() -> None:
    expected = ["Arguments", "Options", "Comparison", "Ontology", "Label files", "Output"]
    assert list(headings("compare")) == expected
    assert list(headings("audit-ontology")) == [one for one in expected if one != "Comparison"]
    assert " --measure " in headings("score")["Options"].splitlines()[1]


def test_every_change_of_labels_is_in_the_help() -> None:
    shown = " ".join(headings("study")["Study"].replace("│", " ").split())
    assert all(re.search(rf"\b{kind}\b", shown) for kind in oe.comparison.PERTURBATIONS)


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_no_command_is_loaded_that_is_not_called(option: str) -> None:
    script = f"import sys; sys.argv = ['ontoeval', {option!r}]; from ontoeval.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", script], capture_output=True, check=True, text=True
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "typer" in loaded
    assert not {"numpy", "scipy", "rdflib"} & loaded
    assert option == "--help" or not {"rich", "ontoeval.cli.scoring", "ontoeval.cli.scoring_options"} & loaded
