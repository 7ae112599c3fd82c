"""The help: what is under which heading, and how what can be given is written."""

import re

import pytest

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
