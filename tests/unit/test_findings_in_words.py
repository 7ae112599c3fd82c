"""Findings at a terminal: sentences that can be read in any width, and nothing that steers it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from rich.console import Console

from ontoeval.audit.findings import Finding, Findings
from ontoeval.reports.audit import WIDEST, corrections, findings_in_words

RARE = Finding("rare", "note", ("a",), 3, ("p1", "p2", "p3"), 1_800, "It is rare.", "Look at it.")


def shown(*found: Finding, width: int = 80, most: int = 50) -> str:
    console = Console(width=width)
    with console.capture() as captured:
        console.print(findings_in_words(Findings(found), title="Audit of x", most=most, width=width))
    return "\n".join(map(str.rstrip, captured.get().splitlines()))


def test_as_many_samples_are_named_as_fit_into_a_line_but_one_in_any_case() -> None:
    named = replace(RARE, samples=("p" * 15, "q" * 15, "r" * 15), count=4)
    assert f"For example '{'p' * 15}', '{'q' * 15}' and 2 more." in shown(named, width=64)
    narrow = " ".join(shown(named, width=30).split())
    assert f"For example '{'p' * 15}' and 3 more." in narrow


ABOVE = ("Labels are without what lies above them.", "Add it.")


def lacking(label: str, count: int, *samples: str, fixable: bool = True, rows: int = 0) -> Finding:
    return Finding(
        "lacking",
        "error",
        (label,),
        count,
        samples or ("p1", "p2", "p3"),
        90,
        f"{label} lacks it.",
        f"Add it to {label}.",
        fixable,
        np.arange(rows, rows + count),
        common=ABOVE,
        own=f"'{label}' without 'plants'",
    )


@pytest.mark.parametrize("width", [20, 40, 80, 400])
def test_whatever_the_width_no_line_of_several_findings_is_cut_off(width: int) -> None:
    text = shown(*(lacking("t" * 100, count, "s" * 70) for count in (9, 8)), width=width)
    assert (text.count("t") > 200, text.count("s") > 140) == (True, True)
    assert max(map(len, text.splitlines())) <= min(width, WIDEST)


def test_names_of_several_findings_cannot_steer_the_terminal() -> None:
    text = shown(lacking("\x1b[31m[bold]red\nnew", 2, "\x1b[1m"), lacking("b", 1))
    assert "\x1b" not in text
    assert "[bold]red" in text


def test_samples_that_a_correction_leaves_are_not_counted_as_corrected() -> None:
    part = replace(lacking("trees", 3), undecided=np.array([1]))
    other = lacking("roses", 3, rows=2)
    assert corrections(Findings([part, other])) == [
        "--fix would correct 2 findings in 4 samples; left for a human: 1 error."
    ]
    assert corrections(Findings([RARE])) == []
