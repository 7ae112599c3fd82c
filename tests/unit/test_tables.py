"""Tables: on a terminal numbers and marks are there whatever the width, and papers hold texts as they are."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from ontoeval.core.table import Cell, Column, Estimate, Table
from ontoeval.reports.formats import to_latex, to_markdown
from ontoeval.reports.terminal import on_terminal

NAMES = ("ab", "a rather long name of a run with many words", "x" * 90)


def shown(table: Table, width: int) -> str:
    console = Console(width=width)
    with console.capture() as captured:
        console.print(on_terminal(table, width), soft_wrap=True)
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


CELLS = st.one_of(
    st.text("ab.[]/_-日e\u0301\t\x1b\u200b ", max_size=60),
    st.text(max_size=20),
    st.floats(allow_nan=False, allow_infinity=False, width=32),
    st.integers(),
    st.builds(Estimate, *[st.floats(-1, 1)] * 3, st.sampled_from(["", "abc"])),
)


@given(st.integers(1, 6), st.integers(0, 3), st.integers(40, 200), st.data())
def test_every_sign_of_every_cell_is_there_at_any_width(
    wide: int, keys: int, width: int, data: st.DataObject
) -> None:
    rows = data.draw(st.lists(st.tuples(*[CELLS] * wide), min_size=1, max_size=5))
    keyed: tuple[tuple[Cell, ...], ...] = tuple((f"row {n}", *row) for n, row in enumerate(rows))
    columns = tuple(
        Column(title) for title in data.draw(st.lists(st.text(max_size=9), min_size=wide, max_size=wide))
    )
    table = Table("A title", (Column("key"), *columns), keyed, ("A note " * 30,), keys=1 + min(keys, wide))
    text = shown(table, width)
    texts = [set(column) for column in zip(*(table.text(row) for row in keyed), strict=True)]
    lost = Counter("".join(part for column in texts for part in column)) - Counter(text)
    assert not [sign for sign in lost if sign != " "]
    assert all(cell_len(line) <= width for line in text.splitlines())


@pytest.mark.parametrize("sign", list("\\|*_`<[~$&@"))
def test_signs_that_markdown_reads_are_escaped(sign: str) -> None:
    text = to_markdown(Table("", (Column("run"),), ((f"a{sign}b",),)))
    assert f"| a\\{sign}b |" in text


@pytest.mark.parametrize("name", ["[2pt] run", "*run"])
def test_a_name_is_no_option_of_the_row_above_it(name: str) -> None:
    lines = to_latex(Table("", (Column(name), Column("F", 1)), (("a", 0.5), (name, 0.5)))).splitlines()
    assert f"{{}}{name} & F \\\\" in lines
    assert f"{{}}{name} & 0.5 \\\\" in lines
    assert "a & 0.5 \\\\" in lines


def test_the_title_is_the_caption_and_notes_below_the_table_end_like_sentences() -> None:
    table = Table("Runs", (Column("run"),), (("a",),), ("may be too narrow", "It ends.", "seed 0"))
    caption, note = to_latex(table).split(r"\begin{tabular}")
    assert r"\caption{Runs}" in caption
    assert "may be too narrow. It ends. seed 0.\n" in note.split(r"\end{tabular}")[1]
