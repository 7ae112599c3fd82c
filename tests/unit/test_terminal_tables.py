"""Tables on a terminal: whatever the width, numbers and marks are there."""

from __future__ import annotations

import pytest
from rich.console import Console

from ontoeval.report.table import Column, Estimate, Table
from ontoeval.report.terminal import on_terminal

NAMES = ("ab", "a rather long name of a run with many words", "x" * 90)


def shown(table: Table, width: int) -> str:
    console = Console(width=width)
    with console.capture() as captured:
        console.print(on_terminal(table, width))
    return captured.get()


@pytest.mark.parametrize("width", [160, 80, 60, 44, 36])
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("team", NAMES)
def test_numbers_and_marks_are_never_cut_off(name: str, team: str, width: int) -> None:
    columns = (
        Column("rank"),
        Column("run"),
        Column("team"),
        Column("F(average='macro')", 4),
        Column("OS", 4),
    )
    row = (1, name, team, Estimate(0.1234, 0.1111, 0.2222, "abc"), 0.9876)
    text = shown(Table("Leaderboard", columns, (row,), keys=3), width)
    for part in ("0.1234", "[0.1111,", "0.2222]", "abc", "0.9876"):
        assert part in text, part
    letters = "".join(text.split())
    assert all(letters.count(sign) >= name.count(sign) + team.count(sign) for sign in "x")


def test_what_is_not_needed_by_short_names_is_for_the_long_ones() -> None:
    columns = (Column("run"), Column("team"), Column("F", 4))
    text = shown(Table("", columns, (("a", "b" * 50, 0.5),), keys=2), 80)
    assert "b" * 50 in text
