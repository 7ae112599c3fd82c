"""Tables: on a terminal numbers and marks are there whatever the width, and papers hold texts as they are."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from ontoeval.core.table import Cell, Column, Estimate, Table
from ontoeval.reports.formats import to_latex
from ontoeval.reports.terminal import on_terminal


def shown(table: Table, width: int) -> str:
    console = Console(width=width)
    with console.capture() as captured:
        console.print(on_terminal(table, width), soft_wrap=True)
    return captured.get()


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


def test_the_title_is_the_caption_and_notes_below_the_table_end_like_sentences() -> None:
    table = Table("Runs", (Column("run"),), (("a",),), ("may be too narrow", "It ends.", "seed 0"))
    caption, note = to_latex(table).split(r"\begin{tabular}")
    assert r"\caption{Runs}" in caption
    assert "may be too narrow. It ends. seed 0.\n" in note.split(r"\end{tabular}")[1]
