"""Tables in formats for papers hold texts as they are."""

from __future__ import annotations

import pytest

from ontoeval.core.table import Column, Table
from ontoeval.reports.formats import to_latex, to_markdown


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
