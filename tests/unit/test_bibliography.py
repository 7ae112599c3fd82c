"""Whom to cite."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import ontoeval as oe
from ontoeval.cli import app
from ontoeval.errors import MeasureError
from ontoeval.measures.catalogue import bibtex, software
from ontoeval.measures.counts import Overlap

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Told:
    """A measure that says whose it is in its own words."""

    source: str
    statistic = Overlap()

    def formula(self, values: Any) -> Any:
        """Take the hits."""
        return values[..., 0]


def keys(text: str) -> list[str]:
    return re.findall(r"(?m)^@\w+\{(\w+),", text)


def test_measures_are_cited_once_with_what_their_options_name() -> None:
    text = oe.cite(["OS", "OS(alpha=2, cost='lin(seco)')", "F(rule='tensor')", "dF"])
    assert keys(text) == [
        "nowak2009",
        "lin1998",
        "seco2004",
        "vanrijsbergen1979",
        "krstinic2024",
        "sokolova2009",
        "ontoeval",
    ]
    assert text.startswith("% OS\n% OS(alpha=2, cost='lin(seco)')\n@inproceedings{nowak2009,")
    assert bibtex("lin1998") in text


def test_measures_of_others_are_cited_by_their_own_entry_or_by_a_key_of_ours() -> None:
    entry = "@article{mine2024,\n  title = {A {M}easure},\n}"
    text = oe.cite([Told("nowak2009"), Told(f"\n{entry}\n"), Told("")])
    assert keys(text) == ["nowak2009", "mine2024", "ontoeval"]
    assert f"\n{entry}\n" in text
    assert "% tests.unit.test_bibliography:Told(source='')\n% (no source is stated)\n" in text


@pytest.mark.parametrize(
    "source", ["Me @home, 2024\n@misc{x,}", "nowak2000", "@article", 5, ("nowak2009", "x")]
)
def test_a_source_that_is_neither_key_nor_entry_is_refused_where_the_measure_is_loaded(source: Any) -> None:
    message = r"test_bibliography:Told.* has source = .*: expected an entry of BibTeX, '@article\{key, "
    with pytest.raises(MeasureError, match=message):
        oe.cite([Told(source)])
    with pytest.raises(MeasureError, match=message):
        oe.compare([["a"]], {"x": [["a"]]}, measures=[Told(source)])


def test_the_entry_of_the_package_says_what_its_citation_file_says() -> None:
    facts = dict(re.findall(r'(?m)^(\w+): "?(.*?)"?$', (ROOT / "CITATION.cff").read_text(encoding="utf-8")))
    entry = software()
    assert f"title = {{{facts['title']}}}" in entry
    assert f"Version {facts['version']}" in entry
    assert "Apache-2.0" in entry
    assert "author = {{ontoeval contributors}}" in entry


def test_the_command_prints_or_writes_the_entries(tmp_path: Path) -> None:
    def call(*arguments: str) -> str:
        return CliRunner().invoke(app, ["measures", "--bibtex", *arguments], catch_exceptions=False).stdout

    target = tmp_path / "measures.bib"
    assert call("hF", "--preset", "hemkit") == oe.cite("hF", preset="hemkit")
    assert call("hF", "-o", str(target)) == ""
    assert target.read_text(encoding="utf-8") == oe.cite("hF")
