"""The promises of SECURITY.md are checked by the tests that it names."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
PROMISES = [
    line
    for line in PAGE.partition("## What is promised")[2].partition("\n## ")[0].splitlines()[4:]
    if line.startswith("|")
]
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE)))


def test_there_are_promises_each_with_a_test() -> None:
    assert len(PROMISES) >= 15
    assert [line for line in PROMISES if "::test_" not in line] == []


@pytest.mark.parametrize(("file", "test"), NAMED, ids=[test for _, test in NAMED])
def test_a_test_that_is_named_exists(file: str, test: str) -> None:
    tree = ast.parse((ROOT / file).read_text(encoding="utf-8"))
    assert test in {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def test_reports_have_a_way_that_is_named() -> None:
    assert "Report a vulnerability" in PAGE
