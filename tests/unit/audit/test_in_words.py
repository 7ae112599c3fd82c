"""Findings at a terminal: sentences that can be read in any width, and nothing that steers it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.console import Console

from ontoeval.audit.finding import Finding
from ontoeval.audit.findings import Findings
from ontoeval.audit.in_words import WIDEST, findings_in_words

RARE = Finding("rare", "note", ("a",), 3, ("p1", "p2", "p3"), 1_800, "It is rare.", "Look at it.")


def shown(*found: Finding, width: int = 80, most: int = 50) -> str:
    console = Console(width=width)
    with console.capture() as captured:
        console.print(findings_in_words(Findings(found), title="Audit of x", most=most, width=width))
    return "\n".join(map(str.rstrip, captured.get().splitlines()))


def test_a_finding_is_a_line_and_sentences_below_it() -> None:
    worse = Finding("unheard-of", "warning", ("b",), 12, explanation="Nobody knows it.")
    assert shown(RARE, worse).splitlines() == [
        "",
        "Audit of x",
        "",
        "  warning  unheard-of          12",
        "    Nobody knows it.",
        "",
        "  note     rare        3 of 1,800",
        "    It is rare.",
        "    → Look at it.",
        "    For example 'p1', 'p2', 'p3'.",
        "",
        "  2 findings: 0 errors, 1 warning, 1 note.",
    ]


def test_as_many_samples_are_named_as_fit_into_a_line_but_one_in_any_case() -> None:
    named = replace(RARE, samples=("p" * 15, "q" * 15, "r" * 15), count=4)
    assert f"For example '{'p' * 15}', '{'q' * 15}' and 2 more." in shown(named, width=64)
    narrow = " ".join(shown(named, width=30).split())
    assert f"For example '{'p' * 15}' and 3 more." in narrow


@pytest.mark.parametrize("width", [20, 40, 80, 400])
def test_whatever_the_width_nothing_is_cut_off(width: int) -> None:
    text = shown(replace(RARE, explanation="x" * 300), width=width)
    assert text.count("x") == 300 + len("xx"), "the title has one, and the example"
    assert max(map(len, text.splitlines())) <= min(width, WIDEST)


def test_what_is_not_shown_is_counted_and_no_rule_needs_an_explanation() -> None:
    text = shown(Finding("bare", "error", (), 9), RARE, most=1)
    assert "    bare\n" in text
    assert "It is rare." not in text
    assert "  1 more finding is not shown (--most).\n  2 findings: 1 error, 0 warnings, 1 note." in text


def test_names_cannot_steer_the_terminal() -> None:
    text = shown(replace(RARE, explanation="\x1b[31m[bold]red\nnew line"))
    assert "\x1b" not in text
    assert "[bold]red" in text
    assert "\nnew" not in text
